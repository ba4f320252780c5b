/* SPDX-License-Identifier: Apache-2.0 */
#include "core/share.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "core/arena.h"
#include "core/quiet.h"
#include "os/os.h"
#include "os/share.h"

/* A unit that lies in a file. Guarded by lock, which is taken last: under the arena's lock, and in quiet moments. */
struct shared {
    struct pacl_list link;
    struct pacl_unit unit;
    int file;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list all = { &all, &all };
_Atomic uint32_t pacl_share_count;

static struct shared *find(const uint8_t *engine)
{
    PACL_LIST_EACH(node, &all)
    {
        struct shared *s = PACL_CONTAINER(node, struct shared, link);
        if (s->unit.engine == engine)
            return s;
    }
    return NULL;
}

static int copy_bytes(const struct pacl_unit *unit, int file)
{
    if (unit->file >= 0)
        return os_file_copy(file, 0, unit->file, unit->offset, unit->bytes);
    const uint32_t rights = os_guard_open();
    const int err = os_file_copy_private(file, unit->engine, unit->bytes);
    os_guard_close(rights);
    return err;
}

static int map_file(const struct pacl_unit *unit, int file, uint64_t offset)
{
    const int err = os_shared_map_open(file, offset, unit->engine, unit->bytes);
    return err == 0 && unit->keyed ? os_guard_commit(unit->engine, unit->bytes) : err;
}

static int map_fresh(const struct pacl_unit *unit)
{
    if (unit->file >= 0)
        return map_file(unit, unit->file, unit->offset);
    const int err = os_private_fresh(unit->engine, unit->bytes);
    return err == 0 && unit->keyed ? os_guard_commit(unit->engine, unit->bytes) : err;
}

/* In a quiet moment, under the lock. */
static struct shared *move(const struct pacl_unit *unit)
{
    struct shared *s = malloc(sizeof *s);
    const int file = s != NULL ? os_shared_create("pacl-shared", unit->bytes) : -1;
    if (file < 0 || copy_bytes(unit, file) != 0 || map_file(unit, file, 0) != 0) {
        if (file >= 0)
            close(file);
        free(s);
        return NULL;
    }
    if (unit->file >= 0)
        os_file_punch(unit->file, unit->offset, unit->bytes);
    *s = (struct shared){ .unit = *unit, .file = file };
    pacl_list_append(&all, &s->link);
    pacl_add_seq_cst(&pacl_share_count, 1);
    PACL_TRACE(MEMORY, "%zu bytes at %p are shared from now on", unit->bytes, (void *)(unit->engine - unit->view));
    return s;
}

aclError pacl_share_block(struct pacl_arena *arena, const void *p, int *file, uint64_t *offset)
{
    const struct pacl_unit unit = pacl_arena_unit(arena, p);
    pthread_mutex_lock(&lock);
    const struct shared *s = find(unit.engine);
    pthread_mutex_unlock(&lock);
    if (s == NULL) {
        pacl_quiet_begin();
        pthread_mutex_lock(&lock);
        s = find(unit.engine); /* another thread may have been first */
        if (s == NULL)
            s = move(&unit);
        pthread_mutex_unlock(&lock);
        pacl_quiet_end();
    }
    if (s == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                         "no file to share %zu bytes with other processes; look at ulimit -f and -n", unit.bytes);
    *file = s->file; /* the caller holds the block: the unit is not restored meanwhile */
    *offset = (uint64_t)((const uint8_t *)p + unit.view - unit.engine);
    return ACL_SUCCESS;
}

/* If the system refuses, the unit stays in its file, emptied, and the next time is another try. */
bool pacl_share_restore(const uint8_t *engine)
{
    const int cancels = os_cancel_disable(); /* it may be a thread that helps an engine, with the arena's lock */
    pthread_mutex_lock(&lock);
    struct shared *s = find(engine);
    const bool restored = s != NULL && map_fresh(&s->unit) == 0;
    if (restored) {
        pacl_list_remove(&s->link);
        pacl_sub_seq_cst(&pacl_share_count, 1);
        close(s->file);
        free(s);
    } else if (s != NULL) {
        os_shared_discard(s->unit.engine, s->unit.bytes);
    }
    pthread_mutex_unlock(&lock);
    os_cancel_restore(cancels);
    return s != NULL;
}
