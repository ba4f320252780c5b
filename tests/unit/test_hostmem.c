/* SPDX-License-Identifier: Apache-2.0 */
/* Registered host ranges, and the account of pinned memory. */
#include "../api/support.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/hostmem.h"
#include "core/place.h"
#include "os/os.h"

#define PAGE ((size_t)OS_PAGE)

static uint8_t *pages(size_t count)
{
    uint8_t *const at = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(at != MAP_FAILED);
    return at;
}

static void assert_none(const uint8_t *p)
{
    const struct pacl_range range = pacl_hostmem_find(p);
    ck_assert_msg(range.base == NULL && range.size == 0, "%p is found in %p, %zu bytes", (const void *)p,
                  (void *)range.base, range.size);
}

static void assert_found(const uint8_t *p, const uint8_t *base, size_t size)
{
    const struct pacl_range range = pacl_hostmem_find(p);
    ck_assert_msg(range.base == base && range.size == size, "%p is found in %p, %zu bytes; expected %p, %zu",
                  (const void *)p, (void *)range.base, range.size, (const void *)base, size);
}

/* --- one range -------------------------------------------------------------------------------------------------- */

START_TEST(a_range_is_found_to_the_byte)
{
    uint8_t *const at = pages(4);
    assert_none(at);
    ASSERT_OK(pacl_hostmem_register(at + 100, 5000, true));
    assert_none(at + 99);
    assert_found(at + 100, at + 100, 5000);
    assert_found(at + 5099, at + 100, 5000);
    assert_none(at + 5100);
    assert_none(NULL);
    assert_none((const uint8_t *)UINTPTR_MAX);
    ck_assert(pacl_hostmem_find(at + 100).mapped);
    ASSERT_OK(pacl_hostmem_unregister(at + 100));
    assert_none(at + 100);
}
END_TEST

START_TEST(a_range_keeps_how_it_was_registered)
{
    uint8_t *const at = pages(2);
    ASSERT_OK(pacl_hostmem_register(at, PAGE, false));
    ASSERT_OK(pacl_hostmem_register(at + PAGE, PAGE, true));
    ck_assert(!pacl_hostmem_find(at + 7).mapped);
    ck_assert(pacl_hostmem_find(at + PAGE + 7).mapped);
}
END_TEST

START_TEST(a_registered_address_is_pinned)
{
    uint8_t *const at = pages(1);
    ck_assert_int_eq(pacl_place_of(at + 20).memory, PACL_MEMORY_PAGEABLE);
    ASSERT_OK(pacl_hostmem_register(at, 100, true));
    const struct pacl_place place = pacl_place_of(at + 20);
    ck_assert_int_eq(place.memory, PACL_MEMORY_PINNED);
    ck_assert(place.registered);
    ck_assert_ptr_eq(place.base, at);
    ck_assert_uint_eq(place.size, 100);
    ck_assert_ptr_eq(pacl_engine_view(at + 20), at + 20);
    ASSERT_OK(pacl_hostmem_unregister(at));
    ck_assert_int_eq(pacl_place_of(at + 20).memory, PACL_MEMORY_PAGEABLE);
}
END_TEST

/* --- what is refused -------------------------------------------------------------------------------------------- */

/* Beside [1000, 2000) and [3000, 4000). */
static const struct overlap {
    size_t from, size;
    bool overlaps;
} overlaps[] = {
    { 0, 1000, false },   { 999, 1, false },     { 2000, 1, false },   { 2000, 1000, false }, { 2999, 1, false },
    { 4000, 1, false },   { 4000, 4000, false }, { 1000, 1000, true }, { 1000, 1, true },     { 1999, 1, true },
    { 1200, 300, true },  { 999, 2, true },      { 0, 1001, true },    { 0, 8000, true },     { 1999, 2, true },
    { 2000, 1001, true }, { 2999, 2, true },     { 3999, 1, true },    { 3999, 4000, true },  { 1500, 2000, true },
    { 500, 2000, true },
};

START_TEST(ranges_do_not_overlap)
{
    uint8_t *const at = pages(2);
    const struct overlap *const o = &overlaps[_i];
    ASSERT_OK(pacl_hostmem_register(at + 3000, 1000, true));
    ASSERT_OK(pacl_hostmem_register(at + 1000, 1000, true));
    ASSERT_CODE(o->overlaps ? E_HOST_MEMORY_ALREADY_REGISTERED : ACL_SUCCESS,
                pacl_hostmem_register(at + o->from, o->size, true));
    assert_found(at + 1500, at + 1000, 1000);
    assert_found(at + 3500, at + 3000, 1000);
    if (o->overlaps)
        return;
    assert_found(at + o->from + o->size - 1, at + o->from, o->size);
    ASSERT_OK(pacl_hostmem_unregister(at + o->from));
    assert_none(at + o->from);
}
END_TEST

START_TEST(memory_that_is_not_there)
{
    uint8_t *const at = pages(4);
    ck_assert_int_eq(munmap(at + 2 * PAGE, PAGE), 0);
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(at + 2 * PAGE, 1, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(at, 2 * PAGE + 1, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(at, 4 * PAGE, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(at, SIZE_MAX, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(at, SIZE_MAX - (uintptr_t)at + 2, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(NULL, 1, true));
    ASSERT_MESSAGE_NAMES("ptr", "not mapped");
    assert_none(at);
    ASSERT_OK(pacl_hostmem_register(at, 2 * PAGE, true));
}
END_TEST

START_TEST(memory_of_an_arena)
{
    struct pacl_arena *const arena = pacl_pinned_arena();
    ck_assert_ptr_nonnull(arena);
    uint8_t *const p = pacl_arena_alloc(arena, 4096, 4096, 0);
    ck_assert_ptr_nonnull(p);
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(p, 64, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(p + 64, 64, true));
    assert_none(p);
}
END_TEST

/* A page of ordinary memory right before an arena and its guard; the guard becomes ordinary memory, too. */
static uint8_t *page_before_an_arena(size_t *guard)
{
    enum { ARENAS = 16 };
    uint8_t *page = MAP_FAILED;
    for (unsigned i = 0; i < ARENAS && page == MAP_FAILED; i++) { /* something else may lie there */
        struct pacl_arena *const arena = pacl_arena_create((size_t)1 << 30, 0, PACL_ACCESS_OPEN);
        ck_assert_ptr_nonnull(arena);
        uint8_t *const first = pacl_arena_alloc(arena, 4096, 4096, 0); /* an arena is filled from its start */
        ck_assert_ptr_nonnull(first);
        for (*guard = 0; pacl_arena_touches(first - *guard - PAGE, PAGE);)
            *guard += PAGE;
        uint8_t *const at = first - *guard - PAGE;
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        page = mmap(at, PAGE, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (page != MAP_FAILED)
            ck_assert_ptr_eq(mmap(at + PAGE, *guard, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0), at + PAGE);
    }
    ck_assert_ptr_ne(page, MAP_FAILED);
    return page;
}

START_TEST(a_range_that_reaches_into_an_arena)
{
    size_t guard;
    uint8_t *const page = page_before_an_arena(&guard);
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(page, PAGE + guard + PAGE, true));
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_hostmem_register(page, 2 * PAGE, true)); /* into its guard */
    ASSERT_OK(pacl_hostmem_register(page, PAGE, true));
}
END_TEST

START_TEST(only_the_start_of_a_range_is_unregistered)
{
    uint8_t *const at = pages(1);
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, pacl_hostmem_unregister(at));
    ASSERT_OK(pacl_hostmem_register(at + 64, 64, true));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, pacl_hostmem_unregister(at));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, pacl_hostmem_unregister(at + 65));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, pacl_hostmem_unregister(at + 128));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, pacl_hostmem_unregister(NULL));
    assert_found(at + 64, at + 64, 64);
    ASSERT_OK(pacl_hostmem_unregister(at + 64));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, pacl_hostmem_unregister(at + 64));
    ASSERT_MESSAGE_NAMES("not the start of a registered range");
}
END_TEST

/* --- many ranges ------------------------------------------------------------------------------------------------ */

enum { SLOTS = 600, STRIDE = 2048 };

/* What is registered in the slot, size 0: nothing. */
struct slot {
    size_t offset, size;
};

static void toggle(uint8_t *field, struct slot *slot, size_t index, uint64_t *state)
{
    if (slot->size > 0) {
        ASSERT_OK(pacl_hostmem_unregister(field + slot->offset));
        slot->size = 0;
        return;
    }
    slot->offset = index * STRIDE + random_in(state, 0, STRIDE / 2);
    slot->size = random_in(state, 1, STRIDE / 2);
    ASSERT_OK(pacl_hostmem_register(field + slot->offset, slot->size, true));
}

static void assert_as_modelled(const uint8_t *field, const struct slot *slot, size_t index)
{
    if (slot->size == 0) {
        for (size_t i = 0; i < STRIDE; i += 97)
            assert_none(field + index * STRIDE + i);
        return;
    }
    assert_none(field + slot->offset + slot->size);
    assert_found(field + slot->offset, field + slot->offset, slot->size);
    assert_found(field + slot->offset + slot->size / 2, field + slot->offset, slot->size);
    assert_found(field + slot->offset + slot->size - 1, field + slot->offset, slot->size);
    if (slot->offset > index * STRIDE)
        assert_none(field + slot->offset - 1);
}

START_TEST(many_ranges_against_a_model)
{
    static struct slot slots[SLOTS];
    uint64_t state = test_seed();
    uint8_t *const field = pages((SLOTS + 1) * STRIDE / PAGE);
    for (size_t i = 0; i < test_rounds(6000); i++) {
        const size_t index = random_in(&state, 0, SLOTS - 1);
        toggle(field, &slots[index], index, &state);
        assert_as_modelled(field, &slots[index], index);
        const size_t other = random_in(&state, 0, SLOTS - 1);
        assert_as_modelled(field, &slots[other], other);
        for (size_t all = 0; i % 1000 == 0 && all < SLOTS; all++)
            assert_as_modelled(field, &slots[all], all);
    }
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

/* Even slots stay registered, slots 1, 5, 9 .. come and go, slots 3, 7, 11 .. are never registered. */
struct readers_work {
    uint8_t *field;
    uint64_t seed;
    atomic_bool stop;
    atomic_uint wrong, looks;
};

enum { RANGES = 200, RANGE_BYTES = 512, RANGE_STRIDE = 1024 };

static bool is_right(const uint8_t *field, size_t index, const struct pacl_range *range)
{
    const bool exact = range->base == field + index * RANGE_STRIDE && range->size == RANGE_BYTES && range->mapped;
    const bool none = range->base == NULL && range->size == 0 && !range->mapped;
    if (index % 2 == 0)
        return exact;
    return index % 4 == 1 ? exact || none : none;
}

static void *look_up_ranges(void *argument)
{
    struct readers_work *const work = argument;
    uint64_t state = atomic_fetch_add(&work->looks, 1); /* another sequence for each thread */
    while (!atomic_load(&work->stop)) {
        const size_t index = random_in(&state, 0, RANGES - 1);
        const struct pacl_range range =
            pacl_hostmem_find(work->field + index * RANGE_STRIDE + random_in(&state, 0, RANGE_BYTES - 1));
        if (!is_right(work->field, index, &range))
            atomic_fetch_add(&work->wrong, 1);
        atomic_fetch_add(&work->looks, 1);
    }
    return NULL;
}

/* Every register and unregister moves entries that readers are looking for; the table grows several times. */
static void churn(uint8_t *field, uint64_t *state, size_t rounds)
{
    bool registered[RANGES] = { false };
    for (size_t i = 0; i < rounds; i++) {
        const size_t index = 4 * random_in(state, 0, RANGES / 4 - 1) + 1;
        uint8_t *const at = field + index * RANGE_STRIDE;
        ASSERT_OK(registered[index] ? pacl_hostmem_unregister(at) : pacl_hostmem_register(at, RANGE_BYTES, true));
        registered[index] = !registered[index];
    }
}

START_TEST(readers_while_writers_work)
{
    static struct readers_work work;
    pthread_t readers[3];
    uint64_t state = test_seed();
    work.field = pages(RANGES * RANGE_STRIDE / PAGE);
    for (size_t index = 0; index < RANGES; index += 2)
        ASSERT_OK(pacl_hostmem_register(work.field + index * RANGE_STRIDE, RANGE_BYTES, true));
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        ck_assert_int_eq(pthread_create(&readers[i], NULL, look_up_ranges, &work), 0);
    while (atomic_load(&work.looks) < 1000) /* the readers are at work */
        os_yield();
    churn(work.field, &state, test_rounds(20000));
    atomic_store(&work.stop, true);
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        pthread_join(readers[i], NULL);
    ck_assert_uint_eq(work.wrong, 0);
}
END_TEST

struct growth {
    uint8_t *field;
    atomic_bool stop;
    atomic_uint wrong, looks;
};

static void *look_for_the_first(void *argument)
{
    struct growth *const g = argument;
    while (!atomic_load(&g->stop)) {
        const struct pacl_range range = pacl_hostmem_find(g->field + 10);
        if (range.base != g->field || range.size != 16)
            atomic_fetch_add(&g->wrong, 1);
        atomic_fetch_add(&g->looks, 1);
    }
    return NULL;
}

START_TEST(a_reader_while_the_table_grows)
{
    enum { COUNT = 5000 };
    static struct growth g;
    pthread_t reader;
    g.field = pages(32 * COUNT / PAGE + 1);
    ASSERT_OK(pacl_hostmem_register(g.field, 16, true));
    ck_assert_int_eq(pthread_create(&reader, NULL, look_for_the_first, &g), 0);
    while (atomic_load(&g.looks) == 0)
        os_yield();
    for (size_t i = 1; i < COUNT; i++)
        ASSERT_OK(pacl_hostmem_register(g.field + 32 * i, 16, true));
    for (size_t i = 1; i < COUNT; i++)
        assert_found(g.field + 32 * i + 15, g.field + 32 * i, 16);
    atomic_store(&g.stop, true);
    pthread_join(reader, NULL);
    ck_assert_uint_eq(g.wrong, 0);
}
END_TEST

/* --- holders ---------------------------------------------------------------------------------------------------- */

struct unregistering {
    uint8_t *at;
    _Atomic pid_t tid;
    atomic_bool done;
    aclError code;
};

static void *unregister(void *argument)
{
    struct unregistering *const u = argument;
    atomic_store(&u->tid, (pid_t)syscall(SYS_gettid));
    u->code = pacl_hostmem_unregister(u->at);
    atomic_store(&u->done, true);
    return NULL;
}

static bool sleeps(pid_t tid)
{
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = '?';
    fclose(file);
    return state == 'S';
}

/* Until the thread waits, or is through. Its wait cannot end before this thread's release. */
static void await_sleep(struct unregistering *u)
{
    while (!atomic_load(&u->done) && (atomic_load(&u->tid) == 0 || !sleeps(atomic_load(&u->tid))))
        os_yield();
}

START_TEST(unregister_waits_for_a_holder)
{
    static struct unregistering u;
    pthread_t thread;
    u.at = pages(1);
    ASSERT_OK(pacl_hostmem_register(u.at, PAGE, true));
    pacl_hostmem_hold();
    ck_assert_int_eq(pthread_create(&thread, NULL, unregister, &u), 0);
    await_sleep(&u);
    ck_assert(!atomic_load(&u.done));
    assert_found(u.at, u.at, PAGE);
    pacl_hostmem_release();
    pthread_join(thread, NULL);
    ASSERT_OK(u.code);
    assert_none(u.at);
}
END_TEST

static void *hold_and_release(void *argument)
{
    atomic_bool *const held = argument;
    pacl_hostmem_hold();
    atomic_store(held, true);
    pacl_hostmem_release();
    return NULL;
}

START_TEST(holders_do_not_wait_for_each_other)
{
    atomic_bool held = false;
    pthread_t thread;
    pacl_hostmem_hold();
    ck_assert_int_eq(pthread_create(&thread, NULL, hold_and_release, &held), 0);
    pthread_join(thread, NULL);
    ck_assert(atomic_load(&held));
    pacl_hostmem_release();
}
END_TEST

START_TEST(a_holder_may_register)
{
    uint8_t *const at = pages(1);
    pacl_hostmem_hold();
    ASSERT_OK(pacl_hostmem_register(at, PAGE, true));
    pacl_hostmem_release();
    assert_found(at, at, PAGE);
}
END_TEST

/* --- the account ------------------------------------------------------------------------------------------------ */

START_TEST(the_account_of_pinned_memory)
{
    const uint64_t limit = os_memory_bytes();
    ck_assert_uint_eq(pacl_pinned_live(), 0);
    ck_assert(pacl_pinned_account(1000));
    ck_assert_uint_eq(pacl_pinned_live(), 1000);
    ck_assert(!pacl_pinned_account(limit - 999));
    ck_assert(!pacl_pinned_account(limit + 1));
    ck_assert(!pacl_pinned_account(SIZE_MAX));
    ck_assert(!pacl_pinned_account(SIZE_MAX - 999)); /* with what is live, 2^64 */
    ck_assert_uint_eq(pacl_pinned_live(), 1000);
    ck_assert(pacl_pinned_account(limit - 1000));
    ck_assert(!pacl_pinned_account(1));
    pacl_pinned_unaccount(limit - 1000);
    pacl_pinned_unaccount(1000);
    ck_assert_uint_eq(pacl_pinned_live(), 0);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("hostmem", NULL, NULL);
    tcase_add_test(tc, a_range_is_found_to_the_byte);
    tcase_add_test(tc, a_range_keeps_how_it_was_registered);
    tcase_add_test(tc, a_registered_address_is_pinned);
    tcase_add_loop_test(tc, ranges_do_not_overlap, 0, (int)COUNT_OF(overlaps));
    tcase_add_test(tc, memory_that_is_not_there);
    tcase_add_test(tc, memory_of_an_arena);
    tcase_add_test(tc, a_range_that_reaches_into_an_arena);
    tcase_add_test(tc, only_the_start_of_a_range_is_unregistered);
    tcase_add_test(tc, many_ranges_against_a_model);
    tcase_add_test(tc, readers_while_writers_work);
    tcase_add_test(tc, a_reader_while_the_table_grows);
    tcase_add_test(tc, unregister_waits_for_a_holder);
    tcase_add_test(tc, holders_do_not_wait_for_each_other);
    tcase_add_test(tc, a_holder_may_register);
    tcase_add_test(tc, the_account_of_pinned_memory);
    return run_cases("hostmem", tc, (TCase *)NULL);
}
