/* SPDX-License-Identifier: Apache-2.0 */
#include "check/guard_pages.h"

#include <pthread.h>
#include <string.h>

#include "base/atomic.h"
#include "base/log.h"
#include "core/arena.h"
#include "core/hostmem.h"
#include "os/os.h"

/* Each border between pages of different guards cuts a mapping, and a process may have 65,530 of those. */
enum {
    BORDERS_MAX = 16384,
    WINDOW_PAGES = 8, /* lowered at the first fault; four times as many at each that follows */
    FAULTS_TO_LOOK_BACK = 2,
    FAULTS_MAX = 5, /* 8,192 pages at a time */
};

static pacl_guard_needed_fn *needed_for;

static struct {
    pthread_mutex_t lock; /* guards what follows */
    uint8_t *base;        /* NULL: nothing was guarded yet, or nothing can be */
    size_t count;         /* of pages */
    uint8_t *guard;       /* per page; takes memory where it was touched */
    size_t low, high;     /* pages outside of [low, high) have no guard */
    size_t borders;       /* between neighbours of different guards */
    unsigned faults;      /* since a guard was raised, up to FAULTS_MAX */
    _Atomic bool any;     /* read without the lock */
} pages = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local bool busy;

bool pacl_guard_pages_busy(void)
{
    return busy;
}

static void enter(void)
{
    busy = true;
    atomic_signal_fence(memory_order_seq_cst); /* a handler in this thread sees it before the lock is taken */
    pthread_mutex_lock(&pages.lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&pages.lock);
    atomic_signal_fence(memory_order_seq_cst);
    busy = false;
}

void pacl_guard_pages_start(pacl_guard_needed_fn *needed)
{
    needed_for = needed;
    pacl_pinned_want_view();
}

void pacl_guard_pages_forget(void)
{
    pacl_store_relaxed(&pages.any, false);
    pages.base = NULL; /* no other thread lives in the child */
}

bool pacl_guard_pages_cover(const void *at)
{
    const struct pacl_arena *arena = pacl_arena_of(at);
    return arena != NULL && pacl_arena_device(arena) == PACL_PINNED && pacl_arena_view(arena) != 0;
}

bool pacl_guard_pages_idle(void)
{
    return !pacl_load_relaxed(&pages.any);
}

/* --- pages (under the lock) -------------------------------------------------------------------------------------- */

struct run {
    size_t first, end;
};

/* The pages of a range of bytes, as far as they are pinned memory. */
static struct run run_of(const void *at, size_t bytes)
{
    const size_t offset = (size_t)((const uint8_t *)at - pages.base);
    struct run run = { offset / OS_PAGE, pages.count };
    if (bytes < pages.count * OS_PAGE - offset)
        run.end = (offset + bytes + OS_PAGE - 1) / OS_PAGE;
    return run;
}

static void protect(struct run run, enum pacl_guard guard)
{
    static const enum os_rights rights[] = { OS_READ_WRITE, OS_READ_ONLY, OS_NO_ACCESS };
    os_protect(pages.base + run.first * OS_PAGE, (run.end - run.first) * OS_PAGE, rights[guard]);
}

static bool is_border(size_t page)
{
    return page > 0 && page < pages.count && pages.guard[page - 1] != pages.guard[page];
}

/* Gives a guard to pages that all have one and the same other. */
static void change(struct run run, enum pacl_guard guard)
{
    pages.borders -= is_border(run.first) + (size_t)is_border(run.end);
    memset(pages.guard + run.first, (int)guard, run.end - run.first);
    pages.borders += is_border(run.first) + (size_t)is_border(run.end);
    protect(run, guard);
    if (guard == PACL_GUARD_NONE) {
        if (pages.borders == 0) { /* all pages are as this one */
            pages.low = pages.high = 0;
            pacl_store_relaxed(&pages.any, false);
        }
        return;
    }
    const bool first = pages.low == pages.high;
    pages.low = first || run.first < pages.low ? run.first : pages.low;
    pages.high = first || run.end > pages.high ? run.end : pages.high;
    pacl_store_relaxed(&pages.any, true);
}

/* The pages from `first` on that have the same guard, up to `end`. */
static struct run same_guard(size_t first, size_t end)
{
    const uint8_t guard = pages.guard[first];
    const uint64_t eight = guard * UINT64_C(0x0101010101010101);
    struct run run = { first, first + 1 };
    for (uint64_t word; end - run.end >= sizeof word; run.end += sizeof word) {
        memcpy(&word, pages.guard + run.end, sizeof word);
        if (word != eight)
            break;
    }
    while (run.end < end && pages.guard[run.end] == guard)
        run.end++;
    return run;
}

/* Lowers the guards in the run to what is needed, each stretch of equal guards as a whole. */
static void settle(struct run run)
{
    for (struct run part; run.first < run.end; run.first = part.end) {
        part = same_guard(run.first, run.end);
        const enum pacl_guard guard = pages.guard[part.first];
        if (guard == PACL_GUARD_NONE)
            continue;
        const enum pacl_guard needed = needed_for(pages.base + part.first * OS_PAGE, (part.end - part.first) * OS_PAGE);
        if (needed < guard)
            change(part, needed);
    }
}

static void drop_all(void)
{
    if (pages.low < pages.high) {
        memset(pages.guard + pages.low, PACL_GUARD_NONE, pages.high - pages.low);
        protect((struct run){ pages.low, pages.high }, PACL_GUARD_NONE);
    }
    pages.low = pages.high = pages.borders = 0;
    pacl_store_relaxed(&pages.any, false);
}

/* Too many borders: first what nobody needs goes, then everything. */
static void make_room(void)
{
    settle((struct run){ pages.low, pages.high });
    if (pages.borders <= BORDERS_MAX / 2)
        return;
    pacl_log(
        PACL_LOG_WARNING,
        "too many scattered copies are in flight to guard each; host accesses to those of this moment are not checked");
    drop_all();
}

/* The arena is made by the first pinned allocation. False where it has no second mapping. */
static bool is_ready(void)
{
    if (pages.base != NULL)
        return true;
    const struct pacl_arena *arena = pacl_pinned_arena();
    if (arena == NULL || pacl_arena_view(arena) == 0)
        return false;
    const size_t count = pacl_arena_bytes(arena) / OS_PAGE;
    uint8_t *const guard = os_reserve(count, OS_PAGE);
    if (guard == NULL || os_commit(guard, count) != 0)
        return false;
    pages.guard = guard;
    pages.count = count;
    pages.base = pacl_arena_base(arena);
    return true;
}

/* --- the interface ----------------------------------------------------------------------------------------------- */

static void raise_run(struct run run, enum pacl_guard guard)
{
    for (struct run part; run.first < run.end; run.first = part.end) {
        part = same_guard(run.first, run.end);
        if (pages.guard[part.first] < guard) {
            change(part, guard);
            pages.faults = 0;
        }
    }
    if (pages.borders > BORDERS_MAX)
        make_room();
}

void pacl_guard_raise(const void *at, size_t bytes, enum pacl_guard guard)
{
    enter();
    if (is_ready())
        raise_run(run_of(at, bytes), guard);
    leave();
}

static bool allows(enum pacl_guard guard, bool writes)
{
    return guard == PACL_GUARD_NONE || (guard == PACL_GUARD_WRITES && !writes);
}

/* A guard costs the system 0.1 us per page to raise or lower, so few are lowered at first, and more with every fault that
 * follows before the next guard is raised: a byte that is read costs little, and a buffer that is read costs few faults. */
static struct run window_at(size_t page)
{
    const size_t count = (size_t)WINDOW_PAGES << 2 * pages.faults,
                 before = pages.faults >= FAULTS_TO_LOOK_BACK ? count / 2 : 0;
    const size_t first = page - pages.low > before ? page - before : pages.low;
    if (pages.faults < FAULTS_MAX)
        pages.faults++;
    return (struct run){ first, pages.high - page > count ? page + count : pages.high };
}

static enum pacl_guard_found examine(size_t page, bool writes)
{
    if (allows(pages.guard[page], writes))
        return PACL_GUARD_FOUND_OPEN;
    settle(window_at(page));
    if (!allows(pages.guard[page], writes))
        settle((struct run){ page, page + 1 });
    return allows(pages.guard[page], writes) ? PACL_GUARD_OPENED : PACL_GUARD_FOUND_CLOSED;
}

enum pacl_guard_found pacl_guard_examine(const void *at, bool writes)
{
    enum pacl_guard_found found = PACL_GUARD_FOUND_OPEN;
    enter();
    if (is_ready())
        found = examine(run_of(at, 1).first, writes);
    leave();
    return found;
}

/* Only pages with a guard: the others may have no access for a better reason. */
static void set_rights(const void *at, size_t bytes, bool lift)
{
    struct run run = run_of(at, bytes);
    for (struct run part; run.first < run.end; run.first = part.end) {
        part = same_guard(run.first, run.end);
        if (pages.guard[part.first] != PACL_GUARD_NONE)
            protect(part, lift ? PACL_GUARD_NONE : (enum pacl_guard)pages.guard[part.first]);
    }
}

void pacl_guard_lift(const void *at, size_t bytes)
{
    enter();
    if (is_ready())
        set_rights(at, bytes, true);
    leave();
}

void pacl_guard_restore(const void *at, size_t bytes)
{
    enter();
    if (is_ready())
        set_rights(at, bytes, false);
    leave();
}

/* The bytes of the table are read as they are: a guard never has an odd value in between. */
void pacl_guard_peek(const void *at, size_t bytes, bool lift)
{
    if (pages.base == NULL)
        return;
    const struct run run = run_of(at, bytes);
    for (size_t page = run.first; page < run.end; page++) {
        const uint8_t guard = __atomic_load_n(&pages.guard[page], __ATOMIC_RELAXED);
        if (guard != PACL_GUARD_NONE)
            protect((struct run){ page, page + 1 }, lift ? PACL_GUARD_NONE : (enum pacl_guard)guard);
    }
}

void pacl_guard_drop_all(void)
{
    enter();
    drop_all();
    leave();
}

void pacl_guard_drop(const void *at, size_t bytes)
{
    enter();
    struct run run = is_ready() ? run_of(at, bytes) : (struct run){ 0, 0 };
    for (struct run part; run.first < run.end; run.first = part.end) {
        part = same_guard(run.first, run.end);
        if (pages.guard[part.first] != PACL_GUARD_NONE)
            change(part, PACL_GUARD_NONE);
    }
    leave();
}
