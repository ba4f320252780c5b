/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arenas, with the memory kept from the host in the way that PACL_TEST_ACCESS names: open, keys, mapping or view. Every test
 * makes its own arena in its own process.
 */
#include "../api/support.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/arena.h"
#include "os/os.h"

#define KIB ((size_t)1024)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

enum { SKIPPED = 77, DEVICE = 3, SPANS = 512 /* of 2 MiB in an arena of 1 GiB */ };

static enum pacl_access access_kind;

static struct pacl_arena *new_arena(size_t bytes)
{
    struct pacl_arena *const arena = pacl_arena_create(bytes, DEVICE, access_kind);
    ck_assert_ptr_nonnull(arena);
    return arena;
}

static uint8_t *alloc(struct pacl_arena *arena, size_t size)
{
    uint8_t *const p = pacl_arena_alloc(arena, size, size, 0);
    ck_assert_msg(p != NULL, "%zu bytes", size);
    return p;
}

static void retire(struct pacl_arena *arena, const uint8_t *p)
{
    struct pacl_block block;
    ck_assert_msg(pacl_arena_retire(arena, p, &block), "%p", (const void *)p);
    ck_assert_ptr_eq(block.base, p);
}

static void give_back(struct pacl_arena *arena, const uint8_t *p)
{
    retire(arena, p);
    pacl_arena_recycle(arena, p);
}

/* Of an arena without blocks: it is filled from its start. */
static uint8_t *first_byte(struct pacl_arena *arena)
{
    uint8_t *const p = alloc(arena, 64);
    give_back(arena, p);
    return p;
}

/* True if the address lies in the block that was found for it. */
static bool is_inside(const struct pacl_block *block, const uint8_t *p)
{
    return (size_t)(p - block->base) < block->size;
}

static void assert_found(const struct pacl_arena *arena, const uint8_t *p, const uint8_t *base, size_t size)
{
    const struct pacl_block block = pacl_arena_find(arena, p);
    ck_assert_msg(block.base == base && block.size == size, "%p is found in %p, %zu bytes; expected %p, %zu",
                  (const void *)p, (void *)block.base, block.size, (const void *)base, size);
}

static void assert_nobody_s(const struct pacl_arena *arena, const uint8_t *p)
{
    const struct pacl_block block = pacl_arena_find(arena, p);
    ck_assert_msg(!is_inside(&block, p), "%p is found in %p, %zu bytes", (const void *)p, (void *)block.base,
                  block.size);
}

/* As an engine touches device memory. */
static void write_byte(const struct pacl_arena *arena, uint8_t *p, uint8_t value)
{
    const uint32_t saved = os_guard_open();
    p[pacl_arena_view(arena)] = value;
    os_guard_close(saved);
}

static uint8_t read_byte(const struct pacl_arena *arena, const uint8_t *p)
{
    const uint32_t saved = os_guard_open();
    const uint8_t value = p[pacl_arena_view(arena)];
    os_guard_close(saved);
    return value;
}

/* --- sizes ------------------------------------------------------------------------------------------------------ */

/* The distance of two neighbours: what a block of that room takes. */
static size_t step_of(struct pacl_arena *arena, size_t room)
{
    uint8_t *const one = alloc(arena, room), *const two = alloc(arena, room);
    const size_t step = (size_t)(one < two ? two - one : one - two);
    give_back(arena, one);
    give_back(arena, two);
    return step;
}

/* Every room up to 512 and the neighbourhood of every power of two and its quarters. */
START_TEST(size_classes_waste_a_quarter_at_most)
{
    struct pacl_arena *const arena = new_arena(GIB);
    for (size_t room = 1; room <= 512; room++)
        ck_assert_uint_eq(step_of(arena, room), (room + 63) / 64 * 64);
    for (size_t power = 512; power < MIB; power *= 2) {
        for (size_t quarter = 1; quarter <= 4; quarter++) {
            const size_t top = power + quarter * (power / 4);
            ck_assert_uint_eq(step_of(arena, top - power / 4 + 1), top);
            ck_assert_uint_eq(step_of(arena, top - 1), top);
            ck_assert_uint_eq(step_of(arena, top), top);
        }
    }
    for (size_t spans = 1; spans <= 5; spans++) {
        ck_assert_uint_eq(step_of(arena, spans * 2 * MIB), spans * 2 * MIB);
        ck_assert_uint_eq(step_of(arena, spans * 2 * MIB - 1), spans * 2 * MIB);
        ck_assert_uint_eq(step_of(arena, spans * 2 * MIB + 1), (spans + 1) * 2 * MIB);
    }
    ck_assert_uint_eq(step_of(arena, MIB + 1), 2 * MIB);
}
END_TEST

START_TEST(blocks_are_aligned)
{
    struct pacl_arena *const arena = new_arena(GIB);
    for (size_t room = 1; room <= 8 * MIB; room += room / 3 + 1) {
        for (unsigned i = 0; i < 5; i++)
            ck_assert_msg((uintptr_t)alloc(arena, room) % (room > MIB ? 2 * MIB : 64) == 0, "room %zu", room);
    }
}
END_TEST

START_TEST(size_is_kept_apart_from_room)
{
    static const struct {
        size_t size, room;
    } cases[] = { { 1, 33 },
                  { 1, 64 },
                  { 31, 64 },
                  { 100, 132 },
                  { 512, 544 },
                  { 1, MIB },
                  { MIB - 32, MIB },
                  { MIB, MIB + 32 },
                  { 2 * MIB, 2 * MIB + 32 },
                  { 1, 6 * MIB },
                  { 64 * MIB - 1, 64 * MIB } };
    struct pacl_arena *const arena = new_arena(GIB);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const unsigned policy = (unsigned)(i % 16);
        uint8_t *const p = pacl_arena_alloc(arena, cases[i].size, cases[i].room, policy);
        ck_assert_ptr_nonnull(p);
        assert_found(arena, p, p, cases[i].size);
        assert_found(arena, p + cases[i].size - 1, p, cases[i].size);
        assert_nobody_s(arena, p + cases[i].size);
        ck_assert_uint_eq(pacl_arena_find(arena, p).policy, policy);
        struct pacl_block block;
        ck_assert(pacl_arena_retire(arena, p, &block));
        ck_assert(block.base == p && block.size == cases[i].size && block.policy == policy);
    }
}
END_TEST

/* --- look-up ---------------------------------------------------------------------------------------------------- */

START_TEST(every_interior_pointer_is_found)
{
    static const size_t sizes[] = { 1, 63, 64, 65, 100, 500, 640, 1000, 5000, 70000 };
    struct pacl_arena *const arena = new_arena(GIB);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        uint8_t *blocks[3];
        for (size_t b = 0; b < COUNT_OF(blocks); b++)
            blocks[b] = alloc(arena, sizes[i]);
        for (size_t b = 0; b < COUNT_OF(blocks); b++) {
            for (size_t at = 0; at < sizes[i]; at++)
                assert_found(arena, blocks[b] + at, blocks[b], sizes[i]);
            const struct pacl_block past = pacl_arena_find(arena, blocks[b] + sizes[i]);
            ck_assert(past.base != blocks[b] || !is_inside(&past, blocks[b] + sizes[i]));
        }
    }
}
END_TEST

START_TEST(large_blocks_are_found_in_every_span)
{
    struct pacl_arena *const arena = new_arena(GIB);
    const size_t sizes[] = { MIB + 1, 2 * MIB, 2 * MIB + 1, 7 * MIB, 300 * MIB };
    uint8_t *blocks[COUNT_OF(sizes)];
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        blocks[i] = alloc(arena, sizes[i]);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        for (size_t at = 0; at < sizes[i]; at += 4093)
            assert_found(arena, blocks[i] + at, blocks[i], sizes[i]);
        assert_found(arena, blocks[i] + sizes[i] - 1, blocks[i], sizes[i]);
        const struct pacl_block past = pacl_arena_find(arena, blocks[i] + sizes[i]);
        ck_assert(past.base != blocks[i] || !is_inside(&past, blocks[i] + sizes[i]));
    }
}
END_TEST

START_TEST(addresses_that_nobody_allocated)
{
    struct pacl_arena *const arena = new_arena(GIB);
    uint8_t *const base = alloc(arena, 64); /* the first span's first slot */
    for (size_t at = 64; at < GIB; at += 1000003)
        assert_nobody_s(arena, base + at);
    assert_nobody_s(arena, base + GIB - 1);
}
END_TEST

START_TEST(owners_of_addresses)
{
    const size_t bytes = 192 * MIB; /* arenas come in steps of 64 MiB */
    struct pacl_arena *const one = new_arena(bytes), *const other = new_arena(64 * MIB);
    uint8_t *const base = alloc(one, 64), *const other_base = alloc(other, 64); /* an arena is filled from its start */
    ck_assert_ptr_eq(pacl_arena_of(base), one);
    ck_assert_ptr_eq(pacl_arena_of(base + bytes - 1), one);
    ck_assert_ptr_ne(pacl_arena_of(base - 1), one);
    ck_assert_ptr_ne(pacl_arena_of(base + bytes), one);
    ck_assert_ptr_eq(pacl_arena_of(other_base + 64 * MIB - 1), other);
    ck_assert_ptr_null(pacl_arena_of(NULL));
    ck_assert_ptr_null(pacl_arena_of(&one));
    ck_assert_ptr_null(pacl_arena_of((void *)UINTPTR_MAX));
    ck_assert_ptr_null(pacl_arena_of((void *)((uintptr_t)1 << 48)));
    ck_assert_int_eq(pacl_arena_device(one), DEVICE);
    pacl_arenas_forget();
    ck_assert_ptr_null(pacl_arena_of(base));
    ck_assert_ptr_null(pacl_arena_of(other_base));
}
END_TEST

/* --- freeing ---------------------------------------------------------------------------------------------------- */

static const size_t block_sizes[] = { 1, 64, 640, 70000, MIB, MIB + 1, 5 * MIB };

START_TEST(a_retired_block_is_nobody_s)
{
    struct pacl_arena *const arena = new_arena(GIB);
    const size_t size = block_sizes[_i];
    uint8_t *const p = alloc(arena, size), *const neighbour = alloc(arena, size);
    struct pacl_block block;
    retire(arena, p);
    assert_nobody_s(arena, p);
    assert_nobody_s(arena, p + size - 1);
    assert_nobody_s(arena, p + size / 2);
    assert_found(arena, neighbour, neighbour, size);
    ck_assert(!pacl_arena_retire(arena, p, &block)); /* freed twice */
    pacl_arena_recycle(arena, p);
    assert_nobody_s(arena, p);
    ck_assert(!pacl_arena_retire(arena, p, &block));
    assert_found(arena, neighbour, neighbour, size);
}
END_TEST

START_TEST(only_the_start_of_a_block_is_retired)
{
    struct pacl_arena *const arena = new_arena(GIB);
    const size_t size = block_sizes[_i];
    uint8_t *const p = pacl_arena_alloc(arena, size, size + 32, 5);
    const size_t inside[] = { 1, size / 2, size - 1, size, size + 1, size + 31 };
    struct pacl_block block;
    ck_assert_ptr_nonnull(p);
    for (size_t i = 0; i < COUNT_OF(inside); i++) {
        if (inside[i] > 0)
            ck_assert_msg(!pacl_arena_retire(arena, p + inside[i], &block), "%zu bytes inside", inside[i]);
    }
    if (size >= 2) { /* says which block was meant */
        ck_assert(!pacl_arena_retire(arena, p + 1, &block));
        ck_assert(block.base == p && block.size == size && block.policy == 5);
    }
    assert_found(arena, p, p, size);
    retire(arena, p);
}
END_TEST

START_TEST(addresses_of_no_block_are_not_retired)
{
    struct pacl_arena *const arena = new_arena(GIB);
    uint8_t *const base = alloc(arena, 64);
    const size_t offsets[] = { 64, 128, 2 * MIB - 64, 2 * MIB, 4 * MIB, GIB - 2 * MIB, GIB - 1 };
    struct pacl_block block;
    for (size_t i = 0; i < COUNT_OF(offsets); i++)
        ck_assert_msg(!pacl_arena_retire(arena, base + offsets[i], &block), "offset %zu", offsets[i]);
    give_back(arena, base);
    for (size_t i = 0; i < COUNT_OF(offsets); i++)
        ck_assert_msg(!pacl_arena_retire(arena, base + offsets[i], &block), "offset %zu, empty arena", offsets[i]);
}
END_TEST

START_TEST(retired_addresses_rest_until_they_are_recycled)
{
    struct pacl_arena *const arena = new_arena(GIB);
    const size_t size = block_sizes[_i];
    uint8_t *const p = alloc(arena, size);
    retire(arena, p);
    for (unsigned i = 0; i < 20; i++)
        ck_assert_ptr_ne(alloc(arena, size), p);
    pacl_arena_recycle(arena, p);
    ck_assert_ptr_eq(alloc(arena, size), p); /* what was freed last, or lies lowest, comes first */
    assert_found(arena, p, p, size);
}
END_TEST

/* --- exhaustion ------------------------------------------------------------------------------------------------- */

START_TEST(an_arena_is_full_and_usable_again)
{
    static uint8_t *blocks[SPANS];
    struct pacl_arena *const arena = new_arena(GIB);
    for (size_t i = 0; i < SPANS; i++)
        blocks[i] = alloc(arena, 2 * MIB);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 1, 1, 0));
    ck_assert_ptr_null(pacl_arena_alloc(arena, 2 * MIB, 2 * MIB, 0));
    retire(arena, blocks[200]);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 2 * MIB, 2 * MIB, 0)); /* its addresses are still in use */
    pacl_arena_recycle(arena, blocks[200]);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 2 * MIB + 1, 2 * MIB + 1, 0));
    ck_assert_ptr_eq(alloc(arena, 2 * MIB), blocks[200]);
    for (size_t i = 0; i < SPANS; i += 2)
        give_back(arena, blocks[i]);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 4 * MIB, 4 * MIB, 0)); /* half of it is free, in single spans */
    give_back(arena, blocks[101]);
    ck_assert_ptr_eq(alloc(arena, 6 * MIB), blocks[100]);
}
END_TEST

START_TEST(one_block_may_take_the_whole_arena)
{
    struct pacl_arena *const arena = new_arena(GIB);
    for (unsigned round = 0; round < 3; round++) {
        ck_assert_ptr_null(pacl_arena_alloc(arena, GIB + 1, GIB + 1, 0));
        ck_assert_ptr_null(pacl_arena_alloc(arena, SIZE_MAX, SIZE_MAX, 0));
        uint8_t *const p = alloc(arena, GIB);
        assert_found(arena, p + GIB - 1, p, GIB);
        ck_assert_ptr_null(pacl_arena_alloc(arena, 1, 1, 0));
        write_byte(arena, p, 1);
        write_byte(arena, p + GIB - 1, 2);
        ck_assert_uint_eq(read_byte(arena, p), 1);
        ck_assert_uint_eq(read_byte(arena, p + GIB - 1), 2);
        give_back(arena, p);
    }
}
END_TEST

static size_t address_space_bytes(void)
{
    unsigned long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (size_t)pages * OS_PAGE;
}

START_TEST(an_arena_takes_what_the_address_space_leaves)
{
    const size_t used = address_space_bytes();
    const struct rlimit limit = { .rlim_cur = used + 4 * GIB, .rlim_max = used + 4 * GIB };
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    ck_assert_ptr_null(pacl_arena_create(64 * GIB, DEVICE, access_kind));
    ck_assert_uint_lt(address_space_bytes(), used + 16 * MIB); /* a failure keeps nothing */
    struct pacl_arena *const arena = pacl_arena_create_upto(64 * GIB, DEVICE, access_kind);
    ck_assert_ptr_nonnull(arena);
    uint8_t *const p = alloc(arena, 512 * MIB);
    ck_assert_ptr_eq(pacl_arena_of(p + 512 * MIB - 1), arena);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 4 * GIB, 4 * GIB, 0));
    write_byte(arena, p + 512 * MIB - 1, 9);
    ck_assert_uint_eq(read_byte(arena, p + 512 * MIB - 1), 9);
}
END_TEST

START_TEST(an_arena_of_any_size_is_rounded_up)
{
    struct pacl_arena *const arena = pacl_arena_create_upto(64 * MIB + 1, DEVICE, access_kind);
    ck_assert_ptr_nonnull(arena);
    uint8_t *const p = alloc(arena, 128 * MIB);
    assert_found(arena, p + 128 * MIB - 1, p, 128 * MIB);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 1, 1, 0));
}
END_TEST

/* Slots of 1 MiB, two to a span: every slot serves, and each comes back. */
START_TEST(an_arena_full_of_slots)
{
    static uint8_t *blocks[2 * SPANS];
    struct pacl_arena *const arena = new_arena(GIB);
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < COUNT_OF(blocks); i++)
            blocks[i] = alloc(arena, MIB);
        ck_assert_ptr_null(pacl_arena_alloc(arena, MIB, MIB, 0));
        for (size_t i = 0; i < COUNT_OF(blocks); i += 2)
            give_back(arena, blocks[i]);
        for (size_t i = 1; i < COUNT_OF(blocks); i += 2)
            give_back(arena, blocks[i]);
    }
}
END_TEST

/* A span of the smallest slots becomes one of larger slots: the words of its former life must not show. */
START_TEST(a_span_serves_another_class)
{
    enum { SLOTS = 2 * 32768 };
    static uint8_t *slots[SLOTS];
    struct pacl_arena *const arena = new_arena(GIB);
    for (size_t i = 0; i < SLOTS; i++)
        slots[i] = alloc(arena, 64);
    for (size_t i = 2; i < SPANS; i++)
        (void)alloc(arena, 2 * MIB);
    ck_assert_ptr_null(pacl_arena_alloc(arena, 64, 64, 0));
    ck_assert_ptr_null(pacl_arena_alloc(arena, 5000, 5000, 0));
    for (size_t i = 0; i < SLOTS; i++)
        give_back(arena, slots[i]);
    uint8_t *const p = alloc(arena, 5000); /* in one of the two spans; the other rests with its class */
    uint8_t *const span = p - (size_t)(p - slots[0]) % (2 * MIB);
    ck_assert(span == slots[0] || span == slots[SLOTS / 2]);
    for (size_t at = 0; at < 2 * MIB; at += 64) {
        if (span + at >= p && span + at < p + 5000)
            assert_found(arena, span + at, p, 5000);
        else
            assert_nobody_s(arena, span + at);
    }
    (void)alloc(arena, 64);
}
END_TEST

START_TEST(a_span_serves_a_large_block_after_slots)
{
    struct pacl_arena *const arena = new_arena(GIB);
    uint8_t *slots[4];
    for (size_t i = 0; i < COUNT_OF(slots); i++)
        slots[i] = alloc(arena, MIB);
    uint8_t *const rest = alloc(arena, GIB - 4 * MIB);
    for (size_t i = 0; i < COUNT_OF(slots); i++)
        give_back(arena, slots[i]);
    uint8_t *const p = alloc(arena, 2 * MIB);
    for (size_t at = 0; at < 2 * MIB; at += 4096)
        assert_found(arena, p + at, p, 2 * MIB);
    assert_found(arena, rest, rest, GIB - 4 * MIB);
    (void)alloc(arena, 2 * MIB); /* the span that the class had kept for its next block */
    ck_assert_ptr_null(pacl_arena_alloc(arena, 2 * MIB, 2 * MIB, 0));
}
END_TEST

/* --- against a model -------------------------------------------------------------------------------------------- */

enum { BLOCKS_MAX = 400 };

struct model_block {
    uint8_t *base;
    size_t size, room;
    unsigned policy;
    bool retired;
    uint8_t first, last; /* bytes written at both ends */
};

struct model {
    struct pacl_arena *arena;
    uint8_t *base; /* the arena's first byte */
    struct model_block blocks[BLOCKS_MAX];
    size_t count;
};

static size_t any_size(uint64_t *state)
{
    const size_t power = (size_t)1 << random_in(state, 0, 23);
    return random_in(state, power, 2 * power - 1);
}

static void assert_apart(const struct model *m, const struct model_block *fresh)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct model_block *const b = &m->blocks[i];
        ck_assert_msg(fresh->base + fresh->room <= b->base || b->base + b->room <= fresh->base,
                      "%p, %zu bytes, shares bytes with %p, %zu bytes", (void *)fresh->base, fresh->room,
                      (void *)b->base, b->room);
    }
}

static void model_alloc(struct model *m, uint64_t *state)
{
    struct model_block b = { .size = any_size(state),
                             .policy = (unsigned)random_in(state, 0, 15),
                             .first = (uint8_t)random_next(state),
                             .last = (uint8_t)random_next(state) };
    if (m->count == BLOCKS_MAX)
        return;
    b.room = b.size + random_in(state, 0, 64);
    b.base = pacl_arena_alloc(m->arena, b.size, b.room, b.policy);
    if (b.base == NULL) {
        ck_assert_uint_gt(b.room, 2 * MIB); /* only a long run of spans can be lacking */
        return;
    }
    assert_apart(m, &b);
    write_byte(m->arena, b.base, b.first);
    if (b.size > 1)
        write_byte(m->arena, b.base + b.size - 1, b.last);
    m->blocks[m->count++] = b;
}

static void assert_content(const struct model *m, const struct model_block *b)
{
    ck_assert_uint_eq(read_byte(m->arena, b->base), b->first);
    if (b->size > 1)
        ck_assert_uint_eq(read_byte(m->arena, b->base + b->size - 1), b->last);
}

static void model_retire(struct model *m, struct model_block *b)
{
    struct pacl_block got;
    ck_assert(pacl_arena_retire(m->arena, b->base, &got) == !b->retired);
    if (b->retired)
        return;
    ck_assert(got.base == b->base && got.size == b->size && got.policy == b->policy);
    assert_content(m, b); /* retired memory keeps its bytes */
    b->retired = true;
}

static void model_recycle(struct model *m, struct model_block *b)
{
    if (!b->retired)
        return;
    assert_content(m, b);
    pacl_arena_recycle(m->arena, b->base);
    *b = m->blocks[--m->count];
}

static const struct model_block *owner_in_model(const struct model *m, const uint8_t *p)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct model_block *const b = &m->blocks[i];
        if (!b->retired && p >= b->base && p < b->base + b->size)
            return b;
    }
    return NULL;
}

/* In, at both ends of, and one past a block; any other address of the arena now and then. */
static void model_look_up(const struct model *m, const struct model_block *b, uint64_t *state)
{
    const uint8_t *const addresses[] = { b->base,
                                         b->base + random_in(state, 0, b->size - 1),
                                         b->base + b->size - 1,
                                         b->base + b->size,
                                         b->base + b->room - 1,
                                         m->base + random_in(state, 0, GIB - 1) };
    for (size_t i = 0; i < COUNT_OF(addresses); i++) {
        const uint8_t *const p = addresses[i];
        if (pacl_arena_of(p) != m->arena)
            continue; /* one past the arena's last block */
        const struct model_block *const want = owner_in_model(m, p);
        const struct pacl_block got = pacl_arena_find(m->arena, p);
        if (want == NULL)
            ck_assert_msg(!is_inside(&got, p), "address %zu of a block of %zu: in nobody's block", i, b->size);
        else
            ck_assert_msg(got.base == want->base && got.size == want->size && got.policy == want->policy,
                          "address %zu of a block of %zu: %zu bytes, expected %zu", i, b->size, got.size, want->size);
    }
}

START_TEST(random_allocations_against_a_model)
{
    static struct model m;
    uint64_t state = test_seed();
    m.arena = new_arena(GIB);
    m.base = first_byte(m.arena);
    for (size_t i = 0; i < test_rounds(20000); i++) {
        const bool grow = i / 500 % 2 == 0; /* the arena fills and empties by turns */
        const size_t action = random_in(&state, 0, 9);
        if (action < (grow ? 6U : 3U))
            model_alloc(&m, &state);
        if (m.count == 0)
            continue;
        struct model_block *const b = &m.blocks[random_in(&state, 0, m.count - 1)];
        model_look_up(&m, b, &state);
        if (action >= 6)
            model_retire(&m, b);
        else if (action == 5 || !grow)
            model_recycle(&m, b);
    }
    while (m.count > 0) {
        if (!m.blocks[0].retired)
            model_retire(&m, &m.blocks[0]);
        model_recycle(&m, &m.blocks[0]);
    }
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

enum { PERMANENT = 60, CHURNING = 40 };

struct shared {
    struct pacl_arena *arena;
    uint8_t *base; /* the arena's first byte */
    struct {
        uint8_t *base;
        size_t size;
    } permanent[PERMANENT];
    atomic_bool stop;
    atomic_uint wrong, looks, seeds;
};

/* Blocks that stay are found exactly, whatever happens to their neighbours in the same spans. */
static void *look_up(void *argument)
{
    struct shared *const s = argument;
    uint64_t state = atomic_fetch_add(&s->seeds, 1);
    while (!atomic_load(&s->stop)) {
        const size_t i = random_in(&state, 0, PERMANENT - 1);
        const uint8_t *const p = s->permanent[i].base + random_in(&state, 0, s->permanent[i].size - 1);
        const struct pacl_block block = pacl_arena_find(s->arena, p);
        if (block.base != s->permanent[i].base || block.size != s->permanent[i].size || block.policy != 7)
            atomic_fetch_add(&s->wrong, 1);
        (void)pacl_arena_find(s->arena, s->base + random_in(&state, 0, 200 * MIB)); /* found or not: no crash */
        atomic_fetch_add(&s->looks, 1);
    }
    return NULL;
}

/* Each thread's own blocks are its own: found while live, not found once retired. */
static void churn(struct shared *s, uint64_t *state)
{
    uint8_t *blocks[CHURNING] = { NULL };
    for (size_t i = 0; i < test_rounds(8000); i++) {
        const size_t at = random_in(state, 0, CHURNING - 1), size = any_size(state) % (3 * MIB) + 1;
        if (blocks[at] == NULL) {
            blocks[at] = pacl_arena_alloc(s->arena, size, size, 1);
            const struct pacl_block found =
                blocks[at] != NULL ? pacl_arena_find(s->arena, blocks[at]) : (struct pacl_block){ 0 };
            if (blocks[at] == NULL || found.base != blocks[at] || found.size != size)
                atomic_fetch_add(&s->wrong, 1);
            continue;
        }
        struct pacl_block block;
        if (!pacl_arena_retire(s->arena, blocks[at], &block) || pacl_arena_find(s->arena, blocks[at]).size != 0)
            atomic_fetch_add(&s->wrong, 1);
        pacl_arena_recycle(s->arena, blocks[at]);
        blocks[at] = NULL;
    }
}

static void *churn_in_thread(void *argument)
{
    struct shared *const s = argument;
    uint64_t state = atomic_fetch_add(&s->seeds, 1);
    churn(s, &state);
    return NULL;
}

START_TEST(look_ups_while_others_allocate_and_free)
{
    static struct shared s;
    pthread_t readers[2], writer;
    uint64_t state = test_seed();
    atomic_store(&s.seeds, (unsigned)state);
    s.arena = new_arena(GIB);
    s.base = first_byte(s.arena);
    for (size_t i = 0; i < PERMANENT; i++) {
        s.permanent[i].size = any_size(&state) % (3 * MIB) + 1;
        s.permanent[i].base = pacl_arena_alloc(s.arena, s.permanent[i].size, s.permanent[i].size, 7);
        ck_assert_ptr_nonnull(s.permanent[i].base);
    }
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        ck_assert_int_eq(pthread_create(&readers[i], NULL, look_up, &s), 0);
    while (atomic_load(&s.looks) == 0)
        os_yield();
    ck_assert_int_eq(pthread_create(&writer, NULL, churn_in_thread, &s), 0);
    churn(&s, &state);
    pthread_join(writer, NULL);
    atomic_store(&s.stop, true);
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        pthread_join(readers[i], NULL);
    ck_assert_uint_eq(s.wrong, 0);
}
END_TEST

/* --- access ----------------------------------------------------------------------------------------------------- */

static uint8_t *touched;

static void begin_child(void)
{
    signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own handler */
    pacl_arenas_forget();     /* as the runtime does after a fork */
}

static void read_as_host(void)
{
    begin_child();
    (void)*(volatile uint8_t *)touched;
}

/* What a child writes is its own: the parent's bytes stay. */
static void write_as_host(void)
{
    begin_child();
    *(volatile uint8_t *)touched = 1;
}

static void assert_host_access(void (*body)(void), bool allowed)
{
    const int status = in_child(body);
    if (allowed)
        ck_assert_int_eq(status, 0);
    else
        ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "wait status 0x%x", (unsigned)status);
}

START_TEST(the_host_s_access)
{
    struct pacl_arena *const arena = new_arena(GIB);
    const size_t size = block_sizes[_i];
    const bool has_view = access_kind == PACL_ACCESS_MAPPING || access_kind == PACL_ACCESS_VIEW;
    const bool open = access_kind == PACL_ACCESS_OPEN || access_kind == PACL_ACCESS_VIEW;
    uint8_t *const p = alloc(arena, size);
    ck_assert((pacl_arena_view(arena) == 0) == !has_view);
    write_byte(arena, p, 11);
    write_byte(arena, p + size - 1, 12);
    for (unsigned end = 0; end < 2; end++) {
        touched = p + end * (size - 1);
        assert_host_access(read_as_host, open);
        assert_host_access(write_as_host, open);
    }
    ck_assert_uint_eq(read_byte(arena, p + size - 1), 12);
    give_back(arena, p);
    touched = p;
    if (!open)
        assert_host_access(read_as_host, false);
}
END_TEST

START_TEST(both_views_show_the_same_bytes)
{
    struct pacl_arena *const arena = new_arena(GIB);
    volatile uint8_t *const p = alloc(arena, 3 * MIB);
    if (access_kind != PACL_ACCESS_VIEW)
        return;
    ck_assert(p >= pacl_arena_base(arena) && p < pacl_arena_base(arena) + pacl_arena_bytes(arena));
    p[2 * MIB] = 21;
    ck_assert_uint_eq(read_byte(arena, (const uint8_t *)p + 2 * MIB), 21);
    write_byte(arena, (uint8_t *)p, 22);
    ck_assert_uint_eq(p[0], 22);
}
END_TEST

START_TEST(fresh_memory_reads_as_zero)
{
    struct pacl_arena *const arena = new_arena(GIB);
    uint8_t *const p = alloc(arena, 8 * MIB);
    for (unsigned round = 0; round < 2; round++) {
        for (size_t at = 0; at < 8 * MIB; at += 4096) {
            ck_assert_uint_eq(read_byte(arena, p + at), 0);
            write_byte(arena, p + at, 0x77);
        }
        give_back(arena, p); /* whole spans give their pages back */
        ck_assert_ptr_eq(alloc(arena, 8 * MIB), p);
    }
}
END_TEST

/* --- the run ---------------------------------------------------------------------------------------------------- */

/* False, and a reason printed, where this machine lacks what the access needs. */
static bool choose_access(const char *name)
{
    if (strcmp(name, "keys") == 0) {
        access_kind = PACL_ACCESS_KEYS;
        if (os_guard_create())
            return true;
        printf("skipped: this machine has no memory protection keys\n");
        return false;
    }
    if (strcmp(name, "view") == 0)
        access_kind = PACL_ACCESS_VIEW;
    else
        access_kind = strcmp(name, "mapping") == 0 ? PACL_ACCESS_MAPPING : PACL_ACCESS_OPEN;
    return true;
}

int main(void)
{
    const char *const access_name = getenv("PACL_TEST_ACCESS");
    if (!choose_access(access_name != NULL ? access_name : "open"))
        return SKIPPED;
    const int sizes = (int)COUNT_OF(block_sizes);
    TCase *const tc = new_case("arena", NULL, NULL);
    tcase_add_test(tc, size_classes_waste_a_quarter_at_most);
    tcase_add_test(tc, blocks_are_aligned);
    tcase_add_test(tc, size_is_kept_apart_from_room);
    tcase_add_test(tc, every_interior_pointer_is_found);
    tcase_add_test(tc, large_blocks_are_found_in_every_span);
    tcase_add_test(tc, addresses_that_nobody_allocated);
    tcase_add_test(tc, owners_of_addresses);
    tcase_add_loop_test(tc, a_retired_block_is_nobody_s, 0, sizes);
    tcase_add_loop_test(tc, only_the_start_of_a_block_is_retired, 0, sizes);
    tcase_add_test(tc, addresses_of_no_block_are_not_retired);
    tcase_add_loop_test(tc, retired_addresses_rest_until_they_are_recycled, 0, sizes);
    tcase_add_test(tc, an_arena_is_full_and_usable_again);
    tcase_add_test(tc, one_block_may_take_the_whole_arena);
    tcase_add_test(tc, an_arena_takes_what_the_address_space_leaves);
    tcase_add_test(tc, an_arena_of_any_size_is_rounded_up);
    tcase_add_test(tc, an_arena_full_of_slots);
    tcase_add_test(tc, a_span_serves_another_class);
    tcase_add_test(tc, a_span_serves_a_large_block_after_slots);
    tcase_add_test(tc, random_allocations_against_a_model);
    tcase_add_test(tc, look_ups_while_others_allocate_and_free);
    tcase_add_loop_test(tc, the_host_s_access, 0, sizes);
    tcase_add_test(tc, both_views_show_the_same_bytes);
    tcase_add_test(tc, fresh_memory_reads_as_zero);
    return run_cases("arena", tc, (TCase *)NULL);
}
