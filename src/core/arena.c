/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "core/share.h"
#include "os/os.h"

enum {
    SPAN_SHIFT = 21,
    SMALLEST = 64,
    SLOTS_MAX = 1 << (SPAN_SHIFT - 6), /* slots of the smallest class in a span */
    CLASSES = 52,
    REGION_SHIFT =
        PACL_ARENA_REGION_SHIFT, /* the step of the owner table: arenas start and end at multiples of 64 MiB */
    REGIONS = 1 << (48 - REGION_SHIFT),
    REGION_SPANS = 1 << (REGION_SHIFT - SPAN_SHIFT),
    ARENAS_MAX = 253,        /* 254 marks virtual memory, 255 guards */
    COLLAPSE_MAX = 64 << 20, /* bytes of a pinned block that comes into being at once, with huge pages */
};
#define SPAN_BYTES ((size_t)1 << SPAN_SHIFT)
#define LARGEST_SLOT ((size_t)1 << 20)
#define NO_SPAN UINT32_MAX

/* A span's word: what it serves as. 0 is free. Written under the arena's lock, read without. */
enum span_use { SPAN_FREE, SPAN_SLOTS, SPAN_LARGE };
#define WORD(use, class_, policy, head) \
    ((uint64_t)(use) | (uint64_t)(class_) << 2 | (uint64_t)(policy) << 10 | (uint64_t)(head) << 32)
#define WORD_USE(w) ((enum span_use)((w)&3))
#define WORD_CLASS(w) ((unsigned)((w) >> 2) & 0xFF)
#define WORD_POLICY(w) ((unsigned)((w) >> 10) & 0xF)
#define WORD_HEAD(w) ((uint32_t)((w) >> 32))

/* A slot's word: the size in use (up to 1 MiB) and the policy, or the next free slot. */
#define SLOT_USED (1U << 31)
#define SLOT_RETIRED (1U << 30)
#define SLOT_SIZE(s) ((s)&0x1FFFFFU)
#define SLOT_POLICY(s) ((s) >> 24 & 0xFU)

/* A span of slots, as its class's list sees it. Guarded by the arena's lock. */
struct span {
    uint32_t next, prev; /* spans of the class that have a free slot */
    uint32_t first_free; /* 1 + the slot freed last, 0: none */
    uint16_t untouched;  /* slots from here on were never used */
    uint16_t live;       /* slots used or retired */
};

struct pacl_arena {
    uint8_t *reserved; /* base, and a guard on either side */
    uint8_t *base;
    uint8_t *second; /* where engines find the memory if not at base, or NULL */
    int file;        /* what both map, kept for the child of a fork and for core/share.c; -1: private memory */
    size_t bytes;
    ptrdiff_t view;
    int device;
    enum pacl_access access;
    uint32_t spans;
    _Atomic uint64_t *word;       /* per span */
    _Atomic uint64_t *large_size; /* per span; counts at the first span of a large block, 0: retired */
    _Atomic uint32_t *slot;       /* per span SLOTS_MAX words, in being only for spans of slots */
    _Atomic uint32_t *holds;      /* the same index; a large block's is the first of its first span */
    struct span *span;
    uint64_t *taken; /* a bit per span, 64 in a word */
    bool *open;      /* per region: memory and tables have access */
    uint32_t partial[CLASSES];
    pthread_mutex_t lock;
};

_Atomic uint64_t pacl_memory_epoch = 1;

static struct pacl_arena *arenas[UINT8_MAX + 1]; /* by owner number, from 1; NULL for guards and virtual memory */
static unsigned arena_count;
static _Atomic uint8_t owner[REGIONS];
static pthread_mutex_t owner_lock = PTHREAD_MUTEX_INITIALIZER;

/* Classes are 64, 128 .. 512, then four steps to each doubling: 640, 768, 896, 1024 .. 1 MiB. */
static unsigned class_of(size_t room)
{
    if (room <= 512)
        return (unsigned)((room + SMALLEST - 1) / SMALLEST) - 1;
    const unsigned log2 = 63U - (unsigned)__builtin_clzl(room - 1); /* 2^log2 < room <= 2^(log2 + 1) */
    const size_t step = (size_t)1 << (log2 - 2);
    return 8 + (log2 - 9) * 4 + (unsigned)((room - 1 - ((size_t)1 << log2)) / step);
}

static size_t compute_class_bytes(unsigned class_)
{
    if (class_ < 8)
        return (class_ + 1) * (size_t)SMALLEST;
    const unsigned log2 = 9 + (class_ - 8) / 4;
    return ((size_t)1 << log2) + ((class_ - 8) % 4 + 1) * ((size_t)1 << (log2 - 2));
}

/* Per class: the slot's bytes, and 2^32 divided by them in units of 64, rounded up. Made once, then constant. */
static struct {
    uint32_t bytes;
    uint32_t inverse;
} classes[CLASSES];
static pthread_once_t classes_once = PTHREAD_ONCE_INIT;

static void make_classes(void)
{
    for (unsigned i = 0; i < CLASSES; i++) {
        classes[i].bytes = (uint32_t)compute_class_bytes(i);
        const uint64_t unit = classes[i].bytes / SMALLEST;
        classes[i].inverse = unit == 1 ? 0 : (uint32_t)((((uint64_t)1 << 32) + unit - 1) / unit); /* 1: not needed */
    }
}

static size_t class_bytes(unsigned class_)
{
    return classes[class_].bytes;
}

/* Which slot an offset within a span lies in, by multiplication. Exact: offsets and slots in units of 64 are below 2^15,
 * so the inverse's error, below one unit in 2^32, adds up to less than one unit in 2^17. */
static uint32_t slot_at(unsigned class_, uint32_t offset)
{
    const uint64_t units = offset / SMALLEST;
    if (class_ == 0)
        return (uint32_t)units;
    return (uint32_t)(units * classes[class_].inverse >> 32);
}

/* Tables are reserved for the whole range and take memory where they are touched. */
static size_t table_bytes(const struct pacl_arena *a, size_t per_span)
{
    return (a->spans * per_span + OS_PAGE - 1) / OS_PAGE * OS_PAGE;
}

static void *table(const struct pacl_arena *a, size_t per_span, bool commit)
{
    const size_t bytes = table_bytes(a, per_span);
    void *at = os_reserve(bytes, OS_PAGE);
    if (at != NULL && commit && os_commit(at, bytes) != 0) {
        os_release(at, bytes);
        return NULL;
    }
    return at;
}

static void drop(void *at, size_t bytes)
{
    if (at != NULL)
        os_release(at, bytes);
}

#define SLOTS_BYTES (SLOTS_MAX * sizeof(uint32_t)) /* of one span's slot words */
#define HOLD_RETIRED (1U << 31)                    /* beside the count of uses */
#define GUARD ((size_t)1 << REGION_SHIFT)          /* before and behind an arena: belongs to nobody, has no access */
#define GOOD_DEAL ((size_t)4 << 30)
#define GUARD_OWNER UINT8_MAX
#define VIRTUAL_OWNER (UINT8_MAX - 1)

static bool make_tables(struct pacl_arena *a)
{
    a->word = table(a, sizeof *a->word, true);
    a->large_size = table(a, sizeof *a->large_size, true);
    a->slot = table(a, SLOTS_BYTES, false);
    a->holds = table(a, SLOTS_BYTES, false);
    a->open = table(a, sizeof *a->open, true); /* a flag per region; one per span is more than enough */
    a->span = table(a, sizeof *a->span, true);
    a->taken = table(a, sizeof *a->taken, true); /* a bit each would do; a word each leaves room for the last */
    return a->word != NULL && a->large_size != NULL && a->slot != NULL && a->holds != NULL && a->span != NULL &&
           a->taken != NULL;
}

static void destroy(struct pacl_arena *a)
{
    drop((void *)a->word, table_bytes(a, sizeof *a->word));
    drop((void *)a->large_size, table_bytes(a, sizeof *a->large_size));
    drop((void *)a->slot, table_bytes(a, SLOTS_BYTES));
    drop((void *)a->holds, table_bytes(a, SLOTS_BYTES));
    drop(a->span, table_bytes(a, sizeof *a->span));
    drop(a->taken, table_bytes(a, sizeof *a->taken));
    drop(a->open, table_bytes(a, sizeof *a->open));
    drop(a->second, a->bytes);
    if (a->file >= 0)
        close(a->file);
    drop(a->reserved, a->bytes + 2 * GUARD);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

static bool has_second(enum pacl_access access)
{
    return access == PACL_ACCESS_MAPPING || access == PACL_ACCESS_VIEW;
}

static bool map_view(struct pacl_arena *a)
{
    const char *name = a->device == PACL_PINNED ? "pacl-pinned" : "pacl-device";
    a->file = os_shared_create(name, a->bytes);
    return a->file >= 0 && os_shared_map(a->file, a->second, a->bytes) == 0 &&
           os_shared_map(a->file, a->base, a->bytes) == 0;
}

/* Memory that the program never sees at its own addresses needs no file, and gets huge pages where files get none. A
 * child has no use for it; shared with one, each page that an engine writes would be copied. */
static bool map_second(struct pacl_arena *a)
{
    a->second = os_reserve(a->bytes, OS_HUGE_PAGE);
    if (a->second == NULL)
        return false;
    a->view = a->second - a->base;
    if (a->access == PACL_ACCESS_VIEW)
        return map_view(a);
    os_keep_from_children(a->second, a->bytes);
    return true;
}

static bool map_memory(struct pacl_arena *a)
{
    a->reserved = os_reserve(a->bytes + 2 * GUARD, GUARD);
    if (a->reserved == NULL)
        return false;
    a->base = a->reserved + GUARD;
    return !has_second(a->access) || map_second(a);
}

static bool publish(struct pacl_arena *a)
{
    pthread_mutex_lock(&owner_lock);
    const bool room = arena_count < ARENAS_MAX;
    if (room) {
        arenas[++arena_count] = a;
        const size_t first = (uintptr_t)a->base >> REGION_SHIFT, regions = a->bytes >> REGION_SHIFT;
        for (size_t i = 0; i < regions; i++)
            pacl_store_release(&owner[first + i], (uint8_t)arena_count); /* paired with the acquire in pacl_arena_of */
        pacl_store_release(&owner[first - 1], GUARD_OWNER);
        pacl_store_release(&owner[first + regions], GUARD_OWNER);
    }
    pthread_mutex_unlock(&owner_lock);
    return room;
}

struct pacl_arena *pacl_arena_create(size_t bytes, int device, enum pacl_access access)
{
    struct pacl_arena *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->bytes = bytes;
    a->device = device;
    a->access = access;
    a->file = -1;
    a->spans = (uint32_t)(bytes >> SPAN_SHIFT);
    pthread_once(&classes_once, make_classes);
    pthread_mutex_init(&a->lock, NULL);
    for (unsigned i = 0; i < CLASSES; i++)
        a->partial[i] = NO_SPAN;
    if (!make_tables(a) || !map_memory(a) || !publish(a)) {
        destroy(a);
        return NULL;
    }
    PACL_TRACE(MEMORY, "addresses for %s %d: %zu MiB from %p", device == PACL_PINNED ? "pinned memory" : "device",
               device == PACL_PINNED ? 0 : device, bytes >> 20, (void *)a->base);
    return a;
}

/* Where the address space is limited, others need some, too: other devices, pinned memory, streams, the program. True if
 * an arena of `bytes` leaves as much again as it takes, tables and all, or a good deal. */
static bool leaves_room(size_t bytes, enum pacl_access access)
{
    const size_t takes = (has_second(access) ? 2 : 1) * bytes + 2 * GUARD + (bytes >> SPAN_SHIFT) * 2 * SLOTS_BYTES;
    const size_t both = takes + (takes < GOOD_DEAL ? takes : GOOD_DEAL);
    void *at = os_reserve(both, OS_PAGE);
    drop(at, both);
    return at != NULL;
}

struct pacl_arena *pacl_arena_create_upto(size_t bytes, int device, enum pacl_access access)
{
    const size_t step = (size_t)1 << REGION_SHIFT;
    struct pacl_arena *a = NULL;
    for (size_t want = (bytes + step - 1) / step * step; a == NULL && want >= step; want = want / 2 / step * step) {
        a = want == step || leaves_room(want, access) ? pacl_arena_create(want, device, access) : NULL;
        if (a == NULL)
            pacl_log(PACL_LOG_WARNING, "no address space for an arena of %zu bytes; trying half", want);
    }
    return a;
}

struct pacl_arena *pacl_arena_of(const void *p)
{
    const size_t region = (uintptr_t)p >> REGION_SHIFT;
    return region < REGIONS ? arenas[pacl_load_acquire(&owner[region])] : NULL;
}

bool pacl_arena_touches(const void *p, size_t bytes)
{
    const size_t last = ((uintptr_t)p + bytes - 1) >> REGION_SHIFT;
    for (size_t region = (uintptr_t)p >> REGION_SHIFT; region <= last && region < REGIONS; region++) {
        if (pacl_load_acquire(&owner[region]) != 0)
            return true;
    }
    return false;
}

void pacl_arena_set_virtual(const void *base, size_t bytes, bool is_virtual)
{
    const size_t first = (uintptr_t)base >> REGION_SHIFT, regions = bytes >> REGION_SHIFT;
    for (size_t i = 0; i < regions; i++) /* release, paired with the acquire in pacl_arena_is_virtual */
        pacl_store_release(&owner[first + i], is_virtual ? VIRTUAL_OWNER : 0);
}

bool pacl_arena_is_virtual(const void *p)
{
    const size_t region = (uintptr_t)p >> REGION_SHIFT;
    return region < REGIONS && pacl_load_acquire(&owner[region]) == VIRTUAL_OWNER;
}

/* Host memory of a parent is the child's own copy; what a file holds would be shared with it. */
static void make_private(const struct pacl_arena *a)
{
    if (a->access == PACL_ACCESS_VIEW)
        (void)os_private_map(a->file, a->base, a->bytes);
}

void pacl_arenas_forget(void)
{
    for (unsigned i = 1; i <= arena_count; i++)
        make_private(arenas[i]);
    memset((void *)owner, 0, sizeof owner);
    pacl_memory_taken();
}

int pacl_arena_device(const struct pacl_arena *a)
{
    return a->device;
}

uint8_t *pacl_arena_base(const struct pacl_arena *a)
{
    return a->base;
}

size_t pacl_arena_bytes(const struct pacl_arena *a)
{
    return a->bytes;
}

ptrdiff_t pacl_arena_view(const struct pacl_arena *a)
{
    return a->view;
}

/* --- look-up ----------------------------------------------------------------------------------------------------- */

static struct pacl_block find_large(const struct pacl_arena *a, uint64_t word)
{
    const uint32_t head = WORD_HEAD(word);
    return (struct pacl_block){ .base = a->base + (size_t)head * SPAN_BYTES,
                                .size = pacl_load_acquire(&a->large_size[head]),
                                .policy = WORD_POLICY(word) };
}

static struct pacl_block find_slot(const struct pacl_arena *a, uint32_t span, uint64_t word, uint32_t offset)
{
    const uint32_t bytes = (uint32_t)class_bytes(WORD_CLASS(word)), index = slot_at(WORD_CLASS(word), offset);
    struct pacl_block block = { .base = a->base + (size_t)span * SPAN_BYTES + (size_t)index * bytes };
    const uint32_t slot = pacl_load_acquire(&a->slot[(size_t)span * SLOTS_MAX + index]);
    if ((slot & (SLOT_USED | SLOT_RETIRED)) == SLOT_USED) {
        block.size = SLOT_SIZE(slot);
        block.policy = SLOT_POLICY(slot);
    }
    return block;
}

struct pacl_block pacl_arena_find(const struct pacl_arena *a, const void *p)
{
    const size_t offset = (size_t)((const uint8_t *)p - a->base);
    const uint32_t span = (uint32_t)(offset >> SPAN_SHIFT);
    const uint64_t word = pacl_load_acquire(&a->word[span]); /* paired with the release in set_use */
    switch (WORD_USE(word)) {
    case SPAN_LARGE:
        return find_large(a, word);
    case SPAN_SLOTS:
        return find_slot(a, span, word, (uint32_t)(offset & (SPAN_BYTES - 1)));
    case SPAN_FREE:
        break;
    }
    return (struct pacl_block){ .base = a->base + offset };
}

/* --- spans (under the lock) -------------------------------------------------------------------------------------- */

static void set_use(struct pacl_arena *a, uint32_t span, uint64_t word)
{
    pacl_store_release(&a->word[span], word);
}

static bool is_taken(const struct pacl_arena *a, uint32_t span)
{
    return (a->taken[span / 64] >> span % 64 & 1) != 0;
}

/* The first run of `count` free spans, or NO_SPAN. Full words are skipped 64 spans at a time. */
static uint32_t find_run(const struct pacl_arena *a, uint32_t count)
{
    uint32_t run = 0;
    for (uint32_t span = 0; span < a->spans; span++) {
        if (span % 64 == 0 && a->taken[span / 64] == UINT64_MAX) {
            run = 0;
            span += 63;
        } else if (is_taken(a, span)) {
            run = 0;
        } else if (++run == count) {
            return span + 1 - count;
        }
    }
    return NO_SPAN;
}

/* The last free span, or NO_SPAN. */
static uint32_t find_last(const struct pacl_arena *a)
{
    for (uint32_t span = a->spans; span-- > 0;) {
        if (span % 64 == 63 && a->taken[span / 64] == UINT64_MAX)
            span -= 63;
        else if (!is_taken(a, span))
            return span;
    }
    return NO_SPAN;
}

static bool open_memory(const struct pacl_arena *a, size_t offset, size_t bytes)
{
    if (a->access == PACL_ACCESS_KEYS)
        return os_guard_commit(a->base + offset, bytes) == 0;
    if (has_second(a->access) && os_commit(a->second + offset, bytes) != 0)
        return false;
    return a->access == PACL_ACCESS_MAPPING || os_commit(a->base + offset, bytes) == 0;
}

static bool open_range(const struct pacl_arena *a, size_t first, size_t count)
{
    return open_memory(a, first * SPAN_BYTES, count * SPAN_BYTES) &&
           os_commit((void *)(a->slot + first * SLOTS_MAX), count * SLOTS_BYTES) == 0 &&
           os_commit((void *)(a->holds + first * SLOTS_MAX), count * SLOTS_BYTES) == 0;
}

/* Gives access to memory and tables by whole regions: span by span would cut the mappings into more than a process may
 * have, and all at once would have tools that follow every byte follow the whole range. */
static bool open_regions(struct pacl_arena *a, uint32_t first, uint32_t count)
{
    const uint32_t last = (first + count - 1) / REGION_SPANS;
    for (uint32_t region = first / REGION_SPANS; region <= last; region++) {
        if (a->open[region])
            continue;
        if (!open_range(a, (size_t)region * REGION_SPANS, REGION_SPANS))
            return false;
        a->open[region] = true;
    }
    return true;
}

/* The first run of free spans that have access already. */
static uint32_t find_open_run(const struct pacl_arena *a, uint32_t count)
{
    uint32_t run = 0;
    for (uint32_t span = 0; span < a->spans; span++) {
        run = a->open[span / REGION_SPANS] && !is_taken(a, span) ? run + 1 : 0;
        if (run == count)
            return span + 1 - count;
    }
    return NO_SPAN;
}

/* From `wanted` on; where their memory or tables cannot have access (ulimit -d), wherever such spans have it already. */
static uint32_t take_spans(struct pacl_arena *a, uint32_t wanted, uint32_t count)
{
    uint32_t first = wanted;
    if (first == NO_SPAN)
        return NO_SPAN;
    if (!open_regions(a, first, count))
        first = find_open_run(a, count);
    for (uint32_t i = first; first != NO_SPAN && i < first + count; i++)
        a->taken[i / 64] |= (uint64_t)1 << i % 64;
    return first;
}

/* Free spans give their pages back to the system and come again as zeros. Their words may be another class's next: who
 * looked a counter up before must look again (is_counted), and a block that was retired may have kept the span till now. */
static void give_spans(struct pacl_arena *a, uint32_t first, uint32_t count)
{
    uint8_t *at = a->base + (size_t)first * SPAN_BYTES + a->view;
    const bool is_fresh = pacl_share_is_used() && pacl_share_restore(at);
    if (!is_fresh && a->file >= 0)
        os_shared_discard(at, (size_t)count * SPAN_BYTES);
    else if (!is_fresh)
        os_discard(at, (size_t)count * SPAN_BYTES);
    for (uint32_t i = first; i < first + count; i++) {
        set_use(a, i, 0);
        a->taken[i / 64] &= ~((uint64_t)1 << i % 64);
    }
    pacl_memory_taken();
}

static struct pacl_unit unit_at(const struct pacl_arena *a, uint32_t first, uint32_t count)
{
    const size_t offset = (size_t)first * SPAN_BYTES;
    return (struct pacl_unit){ .engine = a->base + offset + a->view,
                               .bytes = (size_t)count * SPAN_BYTES,
                               .view = a->view,
                               .keyed = a->access == PACL_ACCESS_KEYS,
                               .file = a->file,
                               .offset = offset };
}

/* --- large blocks (under the lock) ------------------------------------------------------------------------------- */

static uint32_t spans_for(size_t bytes)
{
    return (uint32_t)((bytes + SPAN_BYTES - 1) >> SPAN_SHIFT);
}

/* Huge pages pay on rows far apart; a block that a quarter of the machine could not hold is sparse on purpose, and
 * huge pages would fill the gaps between the few bytes that it touches. */
static void ask_for_huge_pages(const struct pacl_arena *a, uint8_t *base, size_t bytes)
{
    if (bytes >= OS_HUGE_PAGE && bytes <= os_memory_bytes() / 4)
        os_want_huge_pages(base + a->view, bytes);
    if (a->access == PACL_ACCESS_VIEW && bytes >= OS_HUGE_PAGE && bytes <= COLLAPSE_MAX)
        os_make_huge_pages(base + a->view, bytes);
}

static void *alloc_large(struct pacl_arena *a, size_t size, size_t room, unsigned policy)
{
    const uint32_t count = spans_for(room), head = take_spans(a, find_run(a, count), count);
    if (head == NO_SPAN)
        return NULL;
    uint8_t *base = a->base + (size_t)head * SPAN_BYTES;
    ask_for_huge_pages(a, base, (size_t)count * SPAN_BYTES);
    pacl_store_release(&a->large_size[head], size);
    for (uint32_t i = 0; i < count; i++)
        set_use(a, head + i, WORD(SPAN_LARGE, 0, policy, head));
    return base;
}

static uint32_t count_large(const struct pacl_arena *a, uint32_t head)
{
    uint32_t count = 1;
    const uint64_t word = pacl_load_relaxed(&a->word[head]);
    while (head + count < a->spans && pacl_load_relaxed(&a->word[head + count]) == word)
        count++;
    return count;
}

static void recycle_large(struct pacl_arena *a, uint32_t head)
{
    give_spans(a, head, count_large(a, head));
}

/* --- slots (under the lock) -------------------------------------------------------------------------------------- */

static void list_add(struct pacl_arena *a, unsigned class_, uint32_t index)
{
    struct span *span = &a->span[index];
    span->prev = NO_SPAN;
    span->next = a->partial[class_];
    if (span->next != NO_SPAN)
        a->span[span->next].prev = index;
    a->partial[class_] = index;
}

static void list_remove(struct pacl_arena *a, unsigned class_, uint32_t index)
{
    const struct span *span = &a->span[index];
    if (span->next != NO_SPAN)
        a->span[span->next].prev = span->prev;
    if (span->prev != NO_SPAN)
        a->span[span->prev].next = span->next;
    else
        a->partial[class_] = span->next;
}

static uint32_t slots_in(unsigned class_)
{
    return (uint32_t)(SPAN_BYTES / class_bytes(class_));
}

/* From the end of the range: a span of slots among large blocks would cut the mapping, for those have huge pages and it has
 * not, and a process may have some ten thousand mappings. Forgets what the slots' words said in an earlier life of the span:
 * a block of another class may have used them. */
static bool add_span(struct pacl_arena *a, unsigned class_)
{
    const uint32_t index = take_spans(a, find_last(a), 1);
    if (index == NO_SPAN)
        return false;
    os_discard((void *)(a->slot + (size_t)index * SLOTS_MAX), SLOTS_BYTES);
    a->span[index] = (struct span){ 0 };
    list_add(a, class_, index);
    set_use(a, index, WORD(SPAN_SLOTS, class_, 0, 0));
    return true;
}

/* A class keeps its last span when that is empty, for the next block; together such spans can stand in a large one's
 * way. True if there was any. */
static bool give_empty_spans(struct pacl_arena *a)
{
    bool any = false;
    for (unsigned class_ = 0; class_ < CLASSES; class_++) {
        const uint32_t index = a->partial[class_];
        if (index == NO_SPAN || a->span[index].live > 0)
            continue;
        list_remove(a, class_, index);
        give_spans(a, index, 1);
        any = true;
    }
    return any;
}

static void *alloc_slot(struct pacl_arena *a, size_t size, size_t room, unsigned policy)
{
    const unsigned class_ = class_of(room);
    if (a->partial[class_] == NO_SPAN && !add_span(a, class_))
        return NULL;
    const uint32_t index = a->partial[class_];
    struct span *span = &a->span[index];
    _Atomic uint32_t *slots = a->slot + (size_t)index * SLOTS_MAX;
    uint32_t at;
    if (span->first_free != 0) {
        at = span->first_free - 1;
        span->first_free = pacl_load_relaxed(&slots[at]);
    } else {
        at = span->untouched++;
    }
    if (++span->live == slots_in(class_))
        list_remove(a, class_, index);
    pacl_store_release(&slots[at], SLOT_USED | policy << 24 | (uint32_t)size);
    return a->base + (size_t)index * SPAN_BYTES + at * class_bytes(class_);
}

static void recycle_slot(struct pacl_arena *a, uint32_t index, unsigned class_, uint32_t at)
{
    struct span *span = &a->span[index];
    if (span->live-- == slots_in(class_))
        list_add(a, class_, index);
    pacl_store_release(&a->slot[(size_t)index * SLOTS_MAX + at], span->first_free);
    span->first_free = at + 1;
    const bool last_of_class = a->partial[class_] == index && span->next == NO_SPAN;
    if (span->live == 0 && !last_of_class) {
        list_remove(a, class_, index);
        give_spans(a, index, 1);
    } else if (span->live == 0 && pacl_share_is_used()) { /* kept for the next block, which is not the others' */
        (void)pacl_share_restore(a->base + (size_t)index * SPAN_BYTES + a->view);
    }
}

/* --- allocation -------------------------------------------------------------------------------------------------- */

static void *alloc(struct pacl_arena *a, size_t size, size_t room, unsigned policy)
{
    return room <= LARGEST_SLOT ? alloc_slot(a, size, room, policy) : alloc_large(a, size, room, policy);
}

void *pacl_arena_alloc(struct pacl_arena *a, size_t size, size_t room, unsigned policy)
{
    if (room > a->bytes)
        return NULL;
    pthread_mutex_lock(&a->lock);
    void *p = alloc(a, size, room, policy);
    if (p == NULL && give_empty_spans(a))
        p = alloc(a, size, room, policy);
    pthread_mutex_unlock(&a->lock);
    return p;
}

/* Where a block starts: span, and slot for small ones. */
struct place {
    uint32_t span, slot;
    uint64_t word;
    bool at_start;
};

static struct place locate(const struct pacl_arena *a, const void *p)
{
    const size_t offset = (size_t)((const uint8_t *)p - a->base), in_span = offset & (SPAN_BYTES - 1);
    struct place place = { .span = (uint32_t)(offset >> SPAN_SHIFT) };
    place.word = pacl_load_acquire(&a->word[place.span]);
    if (WORD_USE(place.word) == SPAN_SLOTS) {
        const size_t bytes = class_bytes(WORD_CLASS(place.word));
        place.slot = (uint32_t)(in_span / bytes);
        place.at_start = in_span % bytes == 0;
    } else {
        place.at_start = in_span == 0 && WORD_HEAD(place.word) == place.span;
    }
    return place;
}

static _Atomic uint32_t *holds_at(const struct pacl_arena *a, const struct place *place)
{
    const bool large = WORD_USE(place->word) == SPAN_LARGE;
    return &a->holds[(size_t)(large ? WORD_HEAD(place->word) : place->span) * SLOTS_MAX + (large ? 0 : place->slot)];
}

bool pacl_arena_retire(struct pacl_arena *a, const void *p, struct pacl_block *block)
{
    pthread_mutex_lock(&a->lock);
    *block = pacl_arena_find(a, p);
    const struct place place = locate(a, p);
    const bool found = block->size > 0 && place.at_start;
    if (found && WORD_USE(place.word) == SPAN_LARGE)
        pacl_store_release(&a->large_size[place.span], 0);
    else if (found)
        pacl_store_release(&a->slot[(size_t)place.span * SLOTS_MAX + place.slot], SLOT_USED | SLOT_RETIRED);
    if (found)
        pacl_memory_taken();
    /* From here on no more uses are counted; the last one that was recycles the block. */
    if (found)
        block->held = atomic_fetch_or(holds_at(a, &place), HOLD_RETIRED) != 0;
    pthread_mutex_unlock(&a->lock);
    return found;
}

void pacl_arena_recycle(struct pacl_arena *a, const void *p)
{
    pthread_mutex_lock(&a->lock);
    const struct place place = locate(a, p);
    pacl_store_seq_cst(holds_at(a, &place), 0);
    if (WORD_USE(place.word) == SPAN_LARGE)
        recycle_large(a, WORD_HEAD(place.word));
    else
        recycle_slot(a, place.span, WORD_CLASS(place.word), place.slot);
    pthread_mutex_unlock(&a->lock);
}

/* True if the block that the counter belongs to is live: looked at after counting, so that retire() sees the count. As long
 * as nothing was retired and no span freed since before the counter was looked up, it is still that of the block around
 * `p`. */
static bool is_counted(const struct pacl_arena *a, const void *p, const _Atomic uint32_t *holds, uint64_t epoch)
{
    if (pacl_arena_find(a, p).size == 0)
        return false;
    if (pacl_load_seq_cst(&pacl_memory_epoch) == epoch)
        return true;
    const struct place place = locate(a, p);
    return holds_at(a, &place) == holds && pacl_arena_find(a, p).size > 0;
}

bool pacl_arena_hold(struct pacl_arena *a, const void *p)
{
    const uint64_t epoch = pacl_load_seq_cst(&pacl_memory_epoch);
    const struct place place = locate(a, p);
    if (WORD_USE(place.word) == SPAN_FREE)
        return false; /* freed meanwhile; the tables behind it may never have been opened */
    _Atomic uint32_t *holds = holds_at(a, &place);
    uint32_t count = pacl_load_relaxed(holds);
    do {
        if ((count & HOLD_RETIRED) != 0)
            return false;
    } while (!pacl_cas_seq_cst(holds, &count, count + 1));
    if (is_counted(a, p, holds, epoch))
        return true;
    if (pacl_sub_seq_cst(holds, 1) == (HOLD_RETIRED | 1)) /* retired in between, and left to this use */
        pacl_arena_recycle(a, p);
    return false;
}

bool pacl_arena_release(struct pacl_arena *a, const void *p)
{
    const struct place place = locate(a, p);
    return pacl_sub_seq_cst(holds_at(a, &place), 1) == (HOLD_RETIRED | 1);
}

struct pacl_unit pacl_arena_unit(struct pacl_arena *a, const void *p)
{
    pthread_mutex_lock(&a->lock);
    const struct place place = locate(a, p);
    const bool is_large = WORD_USE(place.word) == SPAN_LARGE;
    const uint32_t first = is_large ? WORD_HEAD(place.word) : place.span;
    const struct pacl_unit unit = unit_at(a, first, is_large ? count_large(a, first) : 1);
    pthread_mutex_unlock(&a->lock);
    return unit;
}
