/* SPDX-License-Identifier: Apache-2.0 */
/* The habit of waiting at once (core/habit.h), and the copies that are made in their submission because of it. */
#include "../api/support.h"

#include <time.h>

#include "copy/copy.h"
#include "core/habit.h"
#include "core/stream.h"
#include "pacl/pacl.h"

enum { COST = 200 * 1024, ENOUGH = 8, MANY = 1000 };

static struct pacl_stream streams[2]; /* only their addresses count */

/* One copy that is queued, and a wait that finds it not begun. */
static void wait_at_once(const struct pacl_stream *s)
{
    ck_assert(!pacl_habit_takes(s, COST));
    ck_assert(pacl_habit_waits(s));
    pacl_habit_learns(true);
}

static void get_used_to(const struct pacl_stream *s)
{
    for (unsigned i = 0; i < ENOUGH; i++)
        wait_at_once(s);
}

static bool takes_and_waits(const struct pacl_stream *s)
{
    const bool takes = pacl_habit_takes(s, COST);
    if (takes)
        pacl_habit_taken();
    ck_assert(pacl_habit_waits(s) == !takes);
    return takes;
}

START_TEST(eight_waits_make_a_habit)
{
    get_used_to(streams);
    ck_assert(takes_and_waits(streams));
    ck_assert(takes_and_waits(streams + 1)); /* on any stream */
}
END_TEST

START_TEST(one_that_an_engine_made_counts_from_the_start)
{
    for (unsigned i = 0; i + 1 < ENOUGH; i++)
        wait_at_once(streams);
    ck_assert(!pacl_habit_takes(streams, COST));
    ck_assert(pacl_habit_waits(streams));
    pacl_habit_learns(false);
    get_used_to(streams);
    ck_assert(takes_and_waits(streams));
}
END_TEST

START_TEST(a_second_copy_before_the_wait_ends_it)
{
    get_used_to(streams);
    ck_assert(pacl_habit_takes(streams, COST));
    ck_assert(!pacl_habit_takes(streams + 1, COST));
    get_used_to(streams);
    ck_assert(takes_and_waits(streams));
}
END_TEST

START_TEST(a_wait_for_another_stream_is_none)
{
    get_used_to(streams);
    ck_assert(pacl_habit_takes(streams, COST));
    ck_assert(!pacl_habit_waits(streams + 1));
    ck_assert(!pacl_habit_takes(streams, COST));
}
END_TEST

START_TEST(what_threads_share_is_not_taken)
{
    get_used_to(streams);
    ck_assert(!pacl_habit_takes(streams, SIZE_MAX));
    ck_assert(takes_and_waits(streams));
}
END_TEST

/* Not each wait is timed; a thread that is always late is found out all the same. */
START_TEST(late_waits_end_it)
{
    const struct timespec late = { .tv_nsec = 100000 };
    unsigned taken = 0;
    get_used_to(streams);
    while (pacl_habit_takes(streams, COST)) {
        ck_assert_uint_lt(taken++, MANY);
        pacl_habit_taken();
        nanosleep(&late, NULL);
        ck_assert(!pacl_habit_waits(streams));
    }
    ck_assert_uint_gt(taken, 0);
    ck_assert(pacl_habit_waits(streams)); /* this one is queued again */
}
END_TEST

/* --- copies ------------------------------------------------------------------------------------------------------ */

static struct pacl_counters counters(void)
{
    struct pacl_counters now = { .size = sizeof now };
    ASSERT_OK(pacl_counters_get(&now));
    return now;
}

/* Too long to be made at once by any thread that has a second processor. */
static const struct {
    size_t width, height, dpitch, spitch;
} shapes[] = {
    { 150000, 1, 150000, 150000 }, { 258000, 1, 258000, 258000 },  { 70001, 3, 70003, 90007 },
    { 33, 3000, 67, 33 },          { 100003, 4, 1000000, 100003 }, { 300, 1500, 1001, 300 },
};

static void copy(const struct rect *dst, const struct rect *src)
{
    ASSERT_OK(aclrtMemcpy2dAsync(dst->at, dst->pitch, src->at, src->pitch, src->width, src->height, H2D, fx.stream));
}

static void get_fixture_used_to(void)
{
    get_used_to((const struct pacl_stream *)pacl_pool_find(&pacl_streams, fx.stream));
}

/* The longest ones only where the second cache is that large: else several threads would share them. */
START_TEST(a_copy_is_made_in_its_submission)
{
    struct rect src = rect_random(PLACE_PINNED, shapes[_i].width, shapes[_i].height, shapes[_i].spitch, 5);
    struct rect dst = rect_poisoned(PLACE_DEVICE, shapes[_i].width, shapes[_i].height, shapes[_i].dpitch, 3);
    const bool alone = pacl_rows_cost(src.width, src.height) <= pacl_copy_share_from(&pacl_copy_tuning);
    get_fixture_used_to();
    const struct pacl_counters before = counters();
    copy(&dst, &src);
    if (alone)
        ck_assert_uint_eq(counters().bytes_copied, before.bytes_copied + (uint64_t)src.width * src.height);
    ck_assert_uint_eq(counters().tasks_inline, before.tasks_inline + alone);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_uint_eq(counters().tasks_queued, before.tasks_queued + !alone);
    ASSERT_RECT_EQ(&dst, &src);
    ASSERT_GAPS_ARE(&dst, POISON);
    rect_free(&src);
    rect_free(&dst);
}
END_TEST

/* Behind work that waits, a copy waits, whatever the thread is used to. */
START_TEST(a_busy_stream_keeps_its_order)
{
    struct gate gate;
    struct rect src = rect_random(PLACE_PINNED, 70001, 3, 70001, 0),
                dst = rect_poisoned(PLACE_DEVICE, 70001, 3, 70001, 0);
    get_fixture_used_to();
    gate_close(&gate, fx.stream);
    const struct pacl_counters before = counters();
    copy(&dst, &src);
    ck_assert_uint_eq(counters().tasks_inline, before.tasks_inline);
    ASSERT_NO_DIFFERENCE(rect_fill_difference(&dst, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &src);
    rect_free(&src);
    rect_free(&dst);
}
END_TEST

int main(void)
{
    TCase *const habit = new_case("habit", NULL, NULL), *const copies = new_case("copies", fixture_open, fixture_close);
    tcase_add_test(habit, eight_waits_make_a_habit);
    tcase_add_test(habit, one_that_an_engine_made_counts_from_the_start);
    tcase_add_test(habit, a_second_copy_before_the_wait_ends_it);
    tcase_add_test(habit, a_wait_for_another_stream_is_none);
    tcase_add_test(habit, what_threads_share_is_not_taken);
    tcase_add_test(habit, late_waits_end_it);
    tcase_add_loop_test(copies, a_copy_is_made_in_its_submission, 0, (int)COUNT_OF(shapes));
    tcase_add_test(copies, a_busy_stream_keeps_its_order);
    return run_cases("habit", habit, copies, NULL);
}
