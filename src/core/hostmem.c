/* SPDX-License-Identifier: Apache-2.0 */
#include "core/hostmem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/atomic.h"
#include "base/error.h"
#include "core/arena.h"
#include "core/observer.h"
#include "core/runtime.h"
#include "os/os.h"

/* --- pinned memory ----------------------------------------------------------------------------------------------- */

static pthread_once_t pinned_once = PTHREAD_ONCE_INIT;
static struct pacl_arena *pinned;
static _Atomic uint64_t pinned_live;
static bool pinned_wants_view; /* constant once the arena is made */

/* Twice the machine's memory of addresses, so that fragmentation never matters. */
static void make_pinned(void)
{
    const size_t bytes = 2 * (size_t)os_memory_bytes() + ((size_t)4 << 30);
    if (pinned_wants_view)
        pinned = pacl_arena_create_upto(bytes, PACL_PINNED, PACL_ACCESS_VIEW);
    if (pinned == NULL)
        pinned = pacl_arena_create_upto(bytes, PACL_PINNED, PACL_ACCESS_OPEN);
}

void pacl_pinned_want_view(void)
{
    pinned_wants_view = true;
}

struct pacl_arena *pacl_pinned_arena(void)
{
    pthread_once(&pinned_once, make_pinned);
    return pinned;
}

bool pacl_pinned_account(size_t bytes)
{
    const uint64_t limit = os_memory_bytes();
    uint64_t live = pacl_load_relaxed(&pinned_live);
    do {
        if (bytes > limit || live > limit - bytes)
            return false;
    } while (!pacl_cas_seq_cst(&pinned_live, &live, live + bytes));
    return true;
}

void pacl_pinned_unaccount(size_t bytes)
{
    pacl_sub_seq_cst(&pinned_live, bytes);
}

uint64_t pacl_pinned_live(void)
{
    return pacl_load_relaxed(&pinned_live);
}

/* --- registered ranges ------------------------------------------------------------------------------------------- */

/* A range as readers see it, without a lock: any mixture of old and new values, told apart by the version. */
struct entry {
    _Atomic uintptr_t base;
    _Atomic size_t size;
    _Atomic bool mapped;
};

enum { TABLES_MAX = 60 }; /* more than doublings fit into memory */

/* Sorted by address. `version` is odd while a writer moves entries. A table that grew too small stays allocated, for
 * readers that may still be in it; sizes double, so all of them together waste less than the last. */
static struct {
    _Atomic uint32_t version;
    _Atomic size_t count;
    _Atomic(struct entry *) entries;
    size_t room;                     /* guarded by lock */
    unsigned tables;                 /* guarded by lock */
    struct entry *table[TABLES_MAX]; /* all that were ever made, so that they stay reachable; guarded by lock */
    pthread_mutex_t lock;            /* one writer at a time */
    pthread_rwlock_t use;            /* read-held while a thread copies in a registered range */
    pthread_once_t once;
} ranges = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

/* Writers first: a stream of copies must not keep aclrtHostUnregister waiting for ever. */
static void init_use(void)
{
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&ranges.use, &attributes);
    pthread_rwlockattr_destroy(&attributes);
}

void pacl_hostmem_hold(void)
{
    pthread_once(&ranges.once, init_use);
    pthread_rwlock_rdlock(&ranges.use);
}

void pacl_hostmem_release(void)
{
    pthread_rwlock_unlock(&ranges.use);
}

/* The number of ranges that start at or below the address. */
static size_t count_upto(const struct entry *entries, size_t count, uintptr_t at)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pacl_load_acquire(&entries[middle].base) <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct pacl_range look_up(uintptr_t at)
{
    const size_t count = pacl_load_acquire(&ranges.count);
    const struct entry *entries = pacl_load_acquire(&ranges.entries);
    const size_t below = count > 0 ? count_upto(entries, count, at) : 0;
    if (below == 0)
        return (struct pacl_range){ 0 };
    const struct entry *entry = &entries[below - 1];
    const struct pacl_range range = { .base = (uint8_t *)pacl_load_acquire(&entry->base),
                                      .size = pacl_load_acquire(&entry->size),
                                      .mapped = pacl_load_acquire(&entry->mapped) };
    return at - (uintptr_t)range.base < range.size ? range : (struct pacl_range){ 0 };
}

/* A sequence lock: tried again if a writer was at work. The loads of the table are acquires, so the second look at the
 * version comes after them. Counts only shrink with a version change and tables never vanish: a torn look is safe. */
struct pacl_range pacl_hostmem_find(const void *p)
{
    for (;;) {
        const uint32_t version = pacl_load_acquire(&ranges.version);
        if (version == 0)
            return (struct pacl_range){ 0 }; /* nothing was ever registered */
        const struct pacl_range range = look_up((uintptr_t)p);
        if (version % 2 == 0 && pacl_load_relaxed(&ranges.version) == version)
            return range;
        pacl_cpu_relax();
    }
}

void pacl_hostmem_forget(void)
{
    pacl_store_seq_cst(&ranges.version, 0);
    pacl_memory_taken();
}

static void write_entry(struct entry *to, uintptr_t base, size_t size, bool mapped)
{
    pacl_store_release(&to->base, base);
    pacl_store_release(&to->size, size);
    pacl_store_release(&to->mapped, mapped);
}

static void copy_entry(struct entry *to, const struct entry *from)
{
    write_entry(to, pacl_load_relaxed(&from->base), pacl_load_relaxed(&from->size), pacl_load_relaxed(&from->mapped));
}

/* Makes room for one more. Readers keep what they have: the new table is complete before it is shown, and the count is
 * raised after it. */
static bool make_room(void)
{
    const size_t count = pacl_load_relaxed(&ranges.count);
    if (count < ranges.room)
        return true;
    const size_t room = ranges.room == 0 ? 16 : 2 * ranges.room;
    struct entry *grown = calloc(room, sizeof *grown);
    if (grown == NULL)
        return false;
    struct entry *old = pacl_load_relaxed(&ranges.entries);
    for (size_t i = 0; i < count; i++)
        copy_entry(&grown[i], &old[i]);
    ranges.table[ranges.tables++] = grown;
    pacl_store_release(&ranges.entries, grown);
    ranges.room = room;
    return true;
}

static bool overlaps_neighbour(const struct entry *entries, size_t count, size_t place, uintptr_t base, size_t size)
{
    const bool before =
        place > 0 && base - pacl_load_relaxed(&entries[place - 1].base) < pacl_load_relaxed(&entries[place - 1].size);
    const bool behind = place < count && pacl_load_relaxed(&entries[place].base) - base < size;
    return before || behind;
}

/* Under the lock. */
static aclError insert(uintptr_t base, size_t size, bool mapped)
{
    const size_t count = pacl_load_relaxed(&ranges.count);
    struct entry *entries = pacl_load_relaxed(&ranges.entries);
    const size_t place = count > 0 ? count_upto(entries, count, base) : 0;
    if (overlaps_neighbour(entries, count, place, base, size))
        return PACL_FAIL(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                         "ptr %p with size %zu overlaps a range that is registered", (void *)base, size);
    if (!make_room())
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note the registered range");
    entries = pacl_load_relaxed(&ranges.entries);
    pacl_add_seq_cst(&ranges.version, 1);
    for (size_t i = count; i > place; i--)
        copy_entry(&entries[i], &entries[i - 1]);
    write_entry(&entries[place], base, size, mapped);
    pacl_store_release(&ranges.count, count + 1);
    pacl_add_seq_cst(&ranges.version, 1);
    return ACL_SUCCESS;
}

/* Under the lock, so that the end of one registration is told before the next of the same memory. */
static void tell(const void *base, size_t size, bool begins)
{
    const struct pacl_region region = {
        .base = base, .size = size, .memory = PACL_MEMORY_PINNED, .device = PACL_PINNED, .registered = true
    };
    if (begins)
        PACL_OBSERVE(registered, &region);
    else
        PACL_OBSERVE(unregistered, &region);
}

aclError pacl_hostmem_register(void *base, size_t size, bool mapped)
{
    aclError err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS)
        return err;
    if ((uintptr_t)base > UINTPTR_MAX - size || !os_is_mapped(base, size))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "ptr %p with size %zu is not mapped memory of this process", base,
                         size);
    if (pacl_arena_touches(base, size))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "ptr %p comes from aclrtMalloc or aclrtMallocHost; only other host memory is registered",
                         base);
    pthread_mutex_lock(&ranges.lock);
    err = insert((uintptr_t)base, size, mapped);
    if (err == ACL_SUCCESS)
        tell(base, size, true);
    pthread_mutex_unlock(&ranges.lock);
    return err;
}

/* Under the lock. */
static bool take_out(uintptr_t base)
{
    const size_t count = pacl_load_relaxed(&ranges.count);
    struct entry *entries = pacl_load_relaxed(&ranges.entries);
    const size_t below = count > 0 ? count_upto(entries, count, base) : 0;
    if (below == 0 || pacl_load_relaxed(&entries[below - 1].base) != base)
        return false;
    tell((const void *)base, pacl_load_relaxed(&entries[below - 1].size), false);
    pacl_add_seq_cst(&ranges.version, 1);
    for (size_t i = below; i < count; i++)
        copy_entry(&entries[i - 1], &entries[i]);
    pacl_store_release(&ranges.count, count - 1);
    pacl_add_seq_cst(&ranges.version, 1);
    return true;
}

aclError pacl_hostmem_unregister(void *base)
{
    const aclError err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS)
        return err;
    pthread_once(&ranges.once, init_use);
    pthread_rwlock_wrlock(&ranges.use);
    pthread_mutex_lock(&ranges.lock);
    const bool found = take_out((uintptr_t)base);
    if (found)
        pacl_memory_taken();
    pthread_mutex_unlock(&ranges.lock);
    pthread_rwlock_unlock(&ranges.use);
    if (!found)
        PACL_OBSERVE(free_refused, base, PACL_MEMORY_PINNED, true);
    return found
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "ptr %p is not the start of a registered range", base);
}
