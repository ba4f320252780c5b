/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_callback.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"

enum { MOST = 64 };

struct entry {
    char *name; /* owned */
    union pacl_state_function function;
    void *argument;
};

struct table {
    struct entry entries[MOST];
    _Atomic uint32_t count; /* written under the lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table tables[PACL_STATE_KINDS]; /* guarded by lock */

static uint32_t find(const struct table *t, const char *name)
{
    uint32_t i = 0;
    while (i < pacl_load_relaxed(&t->count) && strcmp(t->entries[i].name, name) != 0)
        i++;
    return i;
}

static aclError remove_entry(struct table *t, const char *name)
{
    const uint32_t at = find(t, name), count = pacl_load_relaxed(&t->count);
    if (at == count)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "callback is null, and none is registered as \"%s\"", name);
    free(t->entries[at].name);
    memmove(&t->entries[at], &t->entries[at + 1], (count - at - 1) * sizeof t->entries[0]);
    pacl_store_release(&t->count, count - 1);
    return ACL_SUCCESS;
}

static aclError add_entry(struct table *t, const char *name, union pacl_state_function function, void *argument)
{
    const uint32_t count = pacl_load_relaxed(&t->count);
    if (find(t, name) < count)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "a callback is registered as \"%s\" already; register null to take it back", name);
    if (count == MOST)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%d callbacks of this kind are registered, the most there can be",
                         MOST);
    char *const copy = strdup(name);
    if (copy == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for the name \"%s\"", name);
    t->entries[count] = (struct entry){ .name = copy, .function = function, .argument = argument };
    pacl_store_release(&t->count, count + 1);
    return ACL_SUCCESS;
}

aclError pacl_state_register(enum pacl_state_kind kind, const char *name, union pacl_state_function function,
                             void *argument)
{
    if (name == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "regName is null");
    pthread_mutex_lock(&lock);
    const aclError err =
        function.any == NULL ? remove_entry(&tables[kind], name) : add_entry(&tables[kind], name, function, argument);
    pthread_mutex_unlock(&lock);
    return err;
}

/* A copy to call without the lock: functions may register others, and take long. A function that another thread takes
 * back meanwhile may be called once more. */
static uint32_t snapshot(enum pacl_state_kind kind, struct entry *out)
{
    struct table *t = &tables[kind];
    if (pacl_load_acquire(&t->count) == 0)
        return 0;
    pthread_mutex_lock(&lock);
    const uint32_t count = pacl_load_relaxed(&t->count);
    memcpy(out, t->entries, count * sizeof *out);
    pthread_mutex_unlock(&lock);
    return count;
}

/* What the functions call must not name itself in the messages of the call that goes on after them. */

void pacl_state_tell_stream(aclrtStream stream, aclrtStreamState state)
{
    struct entry entries[MOST];
    const char *const call = pacl_self.call;
    const uint32_t count = snapshot(PACL_STATE_STREAM, entries);
    for (uint32_t i = 0; i < count; i++)
        entries[i].function.stream(stream, state, entries[i].argument);
    pacl_self.call = call;
}

void pacl_state_tell_device(int32_t device, aclrtDeviceState state)
{
    struct entry entries[MOST];
    const char *const call = pacl_self.call;
    const uint32_t count = snapshot(PACL_STATE_DEVICE, entries);
    for (uint32_t i = 0; i < count; i++)
        entries[i].function.device(device, state, entries[i].argument);
    pacl_self.call = call;
}

int32_t pacl_state_tell_abort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout_ms)
{
    struct entry entries[MOST];
    int32_t answer = 0;
    const char *const call = pacl_self.call;
    const uint32_t count = snapshot(PACL_STATE_ABORT, entries);
    for (uint32_t i = 0; i < count && answer == 0; i++)
        answer = entries[i].function.abort(device, stage, timeout_ms, entries[i].argument);
    pacl_self.call = call;
    return answer;
}
