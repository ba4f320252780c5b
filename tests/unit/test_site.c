/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites: the same stack is the same site, however it was recognised. */
#include "../api/support.h"

#include "check/site.h"
#include "check/symbol.h"

#define APART __attribute__((noinline, noclone))

/* Keeps a call from becoming a jump, so that the caller has a frame. */
#define RETURN_SITE(call) \
    do { \
        const struct pacl_site *const site_ = (call); \
        __asm__ volatile("" ::: "memory"); \
        return site_; \
    } while (0)

/* Stands for a public function. */
APART static const struct pacl_site *function(void)
{
    pacl_site_enter(__builtin_return_address(0), __builtin_dwarf_cfa());
    const struct pacl_site *site = pacl_site_capture();
    ck_assert_ptr_eq(pacl_site_capture(), site);
    pacl_site_leave();
    return site;
}

/* A public function that calls another: the program's call counts. */
APART static const struct pacl_site *outer_function(void)
{
    pacl_site_enter(__builtin_return_address(0), __builtin_dwarf_cfa());
    ck_assert(pacl_site_is_outermost());
    const struct pacl_site *site = function();
    ck_assert_ptr_eq(pacl_site_capture(), site);
    pacl_site_leave();
    return site;
}

APART static const struct pacl_site *caller(void)
{
    RETURN_SITE(function());
}

APART static const struct pacl_site *other_caller(void)
{
    RETURN_SITE(function());
}

START_TEST(a_stack_that_was_seen_is_the_same_site)
{
    const struct pacl_site *sites[3];
    for (volatile unsigned i = 0; i < COUNT_OF(sites); i++) /* one call, which no compiler makes three */
        sites[i] = caller();
    ck_assert_ptr_nonnull(sites[0]);
    ck_assert_ptr_eq(sites[1], sites[0]);
    ck_assert_ptr_eq(sites[2], sites[0]);
}
END_TEST

START_TEST(other_places_are_other_sites)
{
    const struct pacl_site *first = caller(), *second = caller(), *third = other_caller();
    ck_assert_ptr_ne(first, second);
    ck_assert_ptr_ne(first, third);
    ck_assert(!pacl_site_same_place(first, second));
    ck_assert(!pacl_site_same_place(first, third));
    ck_assert(pacl_site_same_place(first, first));
    ck_assert(!pacl_site_same_place(first, NULL));
}
END_TEST

struct wanted {
    unsigned number;
    struct pacl_symbol symbol;
};

static bool take_frame(void *context, const struct pacl_symbol *symbol, unsigned number)
{
    struct wanted *wanted = context;
    wanted->symbol = *symbol;
    return number < wanted->number;
}

static struct pacl_symbol frame_of(const struct pacl_site *site, unsigned number)
{
    struct wanted wanted = { .number = number };
    pacl_site_each_frame(site, take_frame, &wanted);
    return wanted.symbol;
}

START_TEST(frames_have_names)
{
    const struct pacl_site *site = caller();
    ck_assert_uint_ge(pacl_site_frames(site), 3);
    ck_assert_str_eq(frame_of(site, 0).function, "caller");
    ck_assert_str_eq(frame_of(site, 1).function, "frames_have_names_fn");
    ck_assert_uint_eq(pacl_site_frames(NULL), 0);
    ck_assert_str_eq(frame_of(NULL, 0).function, "");
}
END_TEST

START_TEST(calls_within_calls_are_the_programs_call)
{
    ck_assert_str_eq(frame_of(outer_function(), 0).function, "calls_within_calls_are_the_programs_call_fn");
}
END_TEST

__attribute__((always_inline)) static inline const struct pacl_site *inner_inlined(void)
{
    return function();
}

/* clang-format off */
__attribute__((always_inline)) static inline const struct pacl_site *outer_inlined(int *line)
{
    *line = __LINE__; return inner_inlined();
}
/* clang-format on */

/* The compiler has made one function of three; a reader's stack has them all, each at its own line. */
START_TEST(inlined_functions_are_frames)
{
    static const char *const names[] = { "inner_inlined", "outer_inlined", "inlined_functions_are_frames_fn" };
    int line;
    const struct pacl_site *site = outer_inlined(&line);
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        ck_assert_str_eq(frame_of(site, i).function, names[i]);
    ck_assert_int_eq(frame_of(site, 1).line, line);
    ck_assert_int_lt(frame_of(site, 0).line, line);
    ck_assert_int_gt(frame_of(site, 2).line, line);
    ck_assert_str_eq(frame_of(site, 1).file, frame_of(site, 2).file);
    ck_assert_uint_eq(frame_of(site, 0).address, frame_of(site, 2).address);
}
END_TEST

/* The frame's size differs from call to call, so its return address is never where it was. */
APART static const struct pacl_site *with_room(size_t bytes)
{
    volatile char *room = __builtin_alloca(bytes);
    room[0] = room[bytes - 1] = 1;
    RETURN_SITE(caller());
}

START_TEST(frames_of_changing_size)
{
    const struct pacl_site *first = NULL;
    for (size_t bytes = 16; bytes < 64 * 1024; bytes = bytes * 3 + 8) {
        const struct pacl_site *site = with_room(bytes);
        if (first == NULL)
            first = site;
        ck_assert_ptr_eq(site, first);
    }
}
END_TEST

// NOLINTNEXTLINE(misc-no-recursion)
APART static const struct pacl_site *deep(unsigned depth)
{
    RETURN_SITE(depth == 0 ? caller() : deep(depth - 1));
}

/* Far frames do not tell places apart; a reader sees the same call. */
START_TEST(recursion_is_one_place)
{
    const struct pacl_site *shallow = deep(5), *deeper = deep(9), *deepest = deep(500);
    ck_assert_ptr_ne(shallow, deeper);
    ck_assert(pacl_site_same_place(shallow, deeper));
    ck_assert(pacl_site_same_place(shallow, deepest));
    ck_assert_ptr_eq(deepest, deep(400)); /* both are cut */
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 2000 };

static void *call_often(void *unused)
{
    const struct pacl_site *first = NULL;
    (void)unused;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct pacl_site *site = with_room(16 + i % 64 * 16);
        if (first == NULL)
            first = site;
        if (site != first)
            return NULL;
    }
    return (void *)(uintptr_t)first;
}

START_TEST(threads_agree)
{
    pthread_t threads[THREADS];
    void *sites[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, call_often, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], &sites[i]);
    ck_assert_ptr_nonnull(sites[0]);
    for (unsigned i = 1; i < THREADS; i++)
        ck_assert_ptr_eq(sites[i], sites[0]);
}
END_TEST

int main(void)
{
    TCase *stacks = new_case("stacks", NULL, NULL);
    tcase_add_test(stacks, a_stack_that_was_seen_is_the_same_site);
    tcase_add_test(stacks, other_places_are_other_sites);
    tcase_add_test(stacks, frames_have_names);
    tcase_add_test(stacks, calls_within_calls_are_the_programs_call);
    tcase_add_test(stacks, inlined_functions_are_frames);
    tcase_add_test(stacks, frames_of_changing_size);
    tcase_add_test(stacks, recursion_is_one_place);
    TCase *threads = new_case("threads", NULL, NULL);
    tcase_add_test(threads, threads_agree);
    return run_cases("site", stacks, threads, NULL);
}
