/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas: sizes, look-up, freeing, exhaustion, and what the host may touch. */
#include "arenas.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SPANS = 512 /* of 2 MiB in an arena of 1 GiB */ };

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
    uint8_t *const base = alloc(arena, 2 * MIB), *const slot = alloc(arena, 64);
    ck_assert_ptr_eq(base, pacl_arena_base(arena));
    for (size_t at = 2 * MIB; at < GIB; at += 1000003) {
        if ((size_t)(base + at - slot) >= 64)
            assert_nobody_s(arena, base + at);
    }
    assert_nobody_s(arena, base + GIB - 1);
}
END_TEST

START_TEST(owners_of_addresses)
{
    const size_t bytes = 192 * MIB; /* arenas come in steps of 64 MiB */
    struct pacl_arena *const one = new_arena(bytes), *const other = new_arena(64 * MIB);
    uint8_t *const base = pacl_arena_base(one), *const other_base = pacl_arena_base(other);
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
    uint8_t *const base = pacl_arena_base(arena), *const slot = alloc(arena, 64);
    const uint8_t *const wrong[] = { base,           base + 2 * MIB - 64, base + 2 * MIB, base + 4 * MIB,
                                     base + GIB - 1, slot - 64,           slot + 64,      slot + 128 };
    struct pacl_block block;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        ck_assert_msg(!pacl_arena_retire(arena, wrong[i], &block), "address %zu", i);
    give_back(arena, slot);
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        ck_assert_msg(!pacl_arena_retire(arena, wrong[i], &block), "address %zu, empty arena", i);
    ck_assert(!pacl_arena_retire(arena, slot, &block));
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

/* Of the process, by the number of the column in statm: 0 the whole address space, 5 its data. */
static size_t process_bytes(unsigned column)
{
    unsigned long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i <= column; i++)
        ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (size_t)pages * OS_PAGE;
}

static size_t address_space_bytes(void)
{
    return process_bytes(0);
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

static size_t data_bytes(void)
{
    return process_bytes(5);
}

static const size_t kinds[][2] = { { 64, 2 * MIB }, { 2 * MIB, 64 } };

/* A region takes 80 MiB of what the process may have, tables and all. Where one is all there is, it serves both ends. */
START_TEST(one_region_serves_small_and_large_blocks)
{
    struct pacl_arena *const arena = new_arena(GIB);
    const size_t most = data_bytes() + 112 * MIB;
    const struct rlimit limit = { .rlim_cur = most, .rlim_max = most };
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &limit), 0);
    for (unsigned i = 0; i < 2; i++) {
        const size_t size = kinds[_i][i];
        uint8_t *const p = alloc(arena, size);
        write_byte(arena, p + size - 1, (uint8_t)(i + 1));
        ck_assert_uint_eq(read_byte(arena, p + size - 1), i + 1);
    }
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

static unsigned mapping_count(void)
{
    unsigned count = 0;
    FILE *const file = fopen("/proc/self/maps", "r");
    ck_assert_ptr_nonnull(file);
    for (int c; (c = getc(file)) != EOF;)
        count += c == '\n';
    fclose(file);
    return count;
}

/* Large blocks have huge pages, slots have not: by turns in one place they would take a mapping each. */
START_TEST(small_and_large_blocks_by_turns_need_few_mappings)
{
    enum { TURNS = 100 };
    struct pacl_arena *const arena = new_arena(GIB);
    const unsigned before = mapping_count();
    for (unsigned i = 0; i < TURNS; i++) {
        (void)alloc(arena, MIB);
        (void)alloc(arena, MIB); /* fills the span */
        (void)alloc(arena, 2 * MIB);
    }
    const unsigned after = mapping_count();
    ck_assert_msg(after < before + TURNS, "%u mappings more", after - before);
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

int main(void)
{
    if (!choose_access())
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
    tcase_add_loop_test(tc, one_region_serves_small_and_large_blocks, 0, (int)COUNT_OF(kinds));
    tcase_add_test(tc, an_arena_of_any_size_is_rounded_up);
    tcase_add_test(tc, an_arena_full_of_slots);
    tcase_add_test(tc, small_and_large_blocks_by_turns_need_few_mappings);
    tcase_add_test(tc, a_span_serves_another_class);
    tcase_add_test(tc, a_span_serves_a_large_block_after_slots);
    tcase_add_loop_test(tc, the_host_s_access, 0, sizes);
    tcase_add_test(tc, both_views_show_the_same_bytes);
    tcase_add_test(tc, fresh_memory_reads_as_zero);
    return run_cases("arena", tc, (TCase *)NULL);
}
