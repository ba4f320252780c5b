/* SPDX-License-Identifier: Apache-2.0 */
/* What runs when, under each schedule. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* aclrtQueryEvent */
#include "support.h"

#include <stdio.h>
#include <unistd.h>

static aclrtStream other;

static void open_under(const char *schedule)
{
    setenv("PACL_SCHEDULE", schedule, 1);
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtMemset(fx.device, FIXTURE_BYTES, 1, FIXTURE_BYTES));
    ASSERT_OK(aclrtMemset(fx.device2, FIXTURE_BYTES, 2, FIXTURE_BYTES));
}

static void open_eager(void)
{
    open_under("eager");
}

static void open_lazy(void)
{
    open_under("lazy");
}

/* A row of 64 bytes of device memory to a place in pinned memory: device holds 1, device2 holds 2, pinned the poison. */
static void fetch(unsigned row, const uint8_t *device, aclrtStream stream)
{
    ASSERT_OK(aclrtMemcpy2dAsync(fx.pinned + (size_t)row * 64, 64, device, 64, 64, 1, D2H, stream));
}

static void assert_row(unsigned row, uint8_t value)
{
    ASSERT_ALL_BYTES(fx.pinned + (size_t)row * 64, 64, value);
}

/* --- eager ------------------------------------------------------------------------------------------------------ */

START_TEST(eager_copies_are_complete_when_the_call_returns)
{
    fetch(0, fx.device, fx.stream);
    assert_row(0, 1);
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device2, 4096, fx.device, 4096, 4096, 16, D2D, fx.stream));
    fetch(1, fx.device2, other);
    assert_row(1, 1);
}
END_TEST

static void note(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

START_TEST(eager_host_functions_have_run_when_the_call_returns)
{
    atomic_int ran = 0;
    for (int i = 1; i <= 20; i++) {
        ASSERT_OK(aclrtLaunchHostFunc(fx.stream, note, &ran));
        ck_assert_int_eq(atomic_load(&ran), i);
    }
    fetch(0, fx.device, fx.stream);
    assert_row(0, 1);
}
END_TEST

START_TEST(eager_what_waits_runs_with_the_record)
{
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    fetch(0, fx.device, other);
    assert_row(0, POISON);
    fetch(1, fx.device2, fx.stream);
    assert_row(1, 2);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    assert_row(0, 1);
}
END_TEST

/* A chain of streams, each released by the one before: no depth of calls. */
START_TEST(eager_long_chains)
{
    enum { LINKS = 900 };
    static aclrtStream streams[LINKS];
    static aclrtEvent events[LINKS];
    for (unsigned i = 0; i < LINKS; i++) {
        ASSERT_OK(aclrtCreateStream(&streams[i]));
        ASSERT_OK(aclrtCreateEvent(&events[i]));
    }
    for (unsigned i = 1; i < LINKS; i++) {
        ASSERT_OK(aclrtStreamWaitEvent(streams[i], events[i - 1]));
        ASSERT_OK(aclrtRecordEvent(events[i], streams[i]));
    }
    fetch(0, fx.device, streams[LINKS - 1]);
    ASSERT_OK(aclrtRecordEvent(events[0], streams[0]));
    assert_row(0, 1);
}
END_TEST

START_TEST(eager_does_not_wait_for_a_function_that_waits)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    fetch(0, fx.device, fx.stream);
    assert_row(0, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_row(0, 1);
}
END_TEST

/* --- lazy ------------------------------------------------------------------------------------------------------- */

/* R11: a result that is read without synchronization is wrong every time. */
START_TEST(r11_lazy_shows_a_missing_synchronization_every_time)
{
    for (unsigned i = 0; i < 100; i++) {
        memset(fx.pinned, POISON, 64);
        fetch(0, fx.device, fx.stream);
        assert_row(0, POISON);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        assert_row(0, 1);
    }
}
END_TEST

/* The source of a copy, too: it is read as late as the rules allow. */
START_TEST(lazy_shows_a_source_that_is_written_too_early)
{
    memset(fx.pinned, 7, 64);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream));
    memset(fx.pinned, 9, 64);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 9));
}
END_TEST

START_TEST(lazy_a_wait_runs_its_stream_alone)
{
    fetch(0, fx.device, fx.stream);
    fetch(1, fx.device, other);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_row(0, 1);
    assert_row(1, POISON);
    ASSERT_OK(aclrtSynchronizeDevice());
    assert_row(1, 1);
}
END_TEST

START_TEST(lazy_a_wait_goes_through_events_and_no_further)
{
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    fetch(0, fx.device, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    fetch(1, fx.device, fx.stream);
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    fetch(2, fx.device, other);
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_row(0, 1);
    assert_row(1, POISON);
    assert_row(2, 1);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_row(1, 1);
}
END_TEST

START_TEST(lazy_an_event_is_awaited_up_to_its_record)
{
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    fetch(0, fx.device, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    fetch(1, fx.device, fx.stream);
    ASSERT_OK(aclrtSynchronizeEvent(event));
    assert_row(0, 1);
    assert_row(1, POISON);
}
END_TEST

/* The record came after the wait, so nothing says whose it will be: all that is ready may run. */
START_TEST(lazy_finds_a_record_that_came_after_the_wait)
{
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    fetch(0, fx.device, other);
    fetch(1, fx.device, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    assert_row(1, POISON);
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_row(0, 1);
    assert_row(1, 1);
}
END_TEST

START_TEST(lazy_a_program_that_polls_gets_its_answer)
{
    aclrtStreamStatus stream = ACL_STREAM_STATUS_NOT_READY;
    aclrtEventStatus status = ACL_EVENT_STATUS_NOT_READY;
    aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_NOT_READY;
    aclrtEvent first, second;
    ASSERT_OK(aclrtCreateEvent(&first));
    ASSERT_OK(aclrtCreateEvent(&second));
    for (unsigned i = 0; i < 5; i++)
        fetch(i, fx.device, fx.stream);
    ASSERT_OK(aclrtRecordEvent(first, fx.stream));
    ASSERT_OK(aclrtStreamWaitEvent(other, first));
    ASSERT_OK(aclrtRecordEvent(second, other));
    fetch(5, fx.device, other);
    fetch(6, fx.device, fx.stream);
    ASSERT_OK(aclrtQueryEventStatus(first, &recorded));
    ck_assert_int_eq(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
    while (recorded != ACL_EVENT_RECORDED_STATUS_COMPLETE)
        ASSERT_OK(aclrtQueryEventStatus(first, &recorded));
    assert_row(4, 1);
    while (waits != ACL_EVENT_WAIT_STATUS_COMPLETE)
        ASSERT_OK(aclrtQueryEventWaitStatus(first, &waits));
    while (status != ACL_EVENT_STATUS_COMPLETE)
        ASSERT_OK(aclrtQueryEvent(second, &status));
    while (stream != ACL_STREAM_STATUS_COMPLETE)
        ASSERT_OK(aclrtStreamQuery(other, &stream));
    assert_row(5, 1);
}
END_TEST

START_TEST(lazy_a_program_that_queues_between_its_queries_gets_its_answer)
{
    aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    aclrtEvent event;
    unsigned rounds = 0;
    ASSERT_OK(aclrtCreateEvent(&event));
    for (; recorded != ACL_EVENT_RECORDED_STATUS_COMPLETE && rounds < 100; rounds++) {
        fetch(rounds % 4, fx.device, fx.stream);
        fetch(4 + rounds % 4, fx.device, fx.stream);
        ASSERT_OK(aclrtRecordEvent(event, fx.stream));
        ASSERT_OK(aclrtQueryEventStatus(event, &recorded));
    }
    ck_assert_uint_gt(rounds, 1);
    ck_assert_uint_lt(rounds, 20);
}
END_TEST

START_TEST(lazy_pageable_copies_come_in_order)
{
    fetch(0, fx.device, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.pageable, 64, fx.device2, 64, D2H, fx.stream));
    assert_row(0, 1);
    ASSERT_ALL_BYTES(fx.pageable, 64, 2);
}
END_TEST

START_TEST(lazy_destroying_a_stream_runs_what_it_has)
{
    fetch(0, fx.device, other);
    ASSERT_OK(aclrtDestroyStream(other));
    assert_row(0, 1);
}
END_TEST

START_TEST(lazy_destroying_by_force_drops_what_it_has)
{
    struct gate gate;
    aclrtEvent never;
    ASSERT_OK(aclrtCreateEvent(&never));
    ASSERT_OK(aclrtStreamWaitEvent(other, never));
    gate_close(&gate, other);
    fetch(0, fx.device, other);
    ASSERT_OK(aclrtDestroyStreamForce(other));
    assert_row(0, POISON);
    ck_assert(!gate_passed(&gate));
}
END_TEST

START_TEST(lazy_a_wait_for_an_event_with_a_limit_ends)
{
    aclrtEvent never;
    ASSERT_OK(aclrtCreateEvent(&never));
    ASSERT_OK(aclrtStreamWaitEventWithTimeout(other, never, 1));
    fetch(0, fx.device, other);
    ASSERT_CODE(107019, aclrtSynchronizeStream(other));
    assert_row(0, 1);
}
END_TEST

/* As gate_await() does: the program learns of the function by a semaphore and calls nothing. What the function comes
 * after has run then, and no more. */
START_TEST(lazy_a_function_runs_that_the_program_waits_for_by_other_means)
{
    struct gate gate;
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    fetch(0, fx.device, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    fetch(1, fx.device, fx.stream);
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    gate_close(&gate, other);
    fetch(2, fx.device, other);
    gate_await(&gate);
    assert_row(0, 1);
    assert_row(1, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_row(2, 1);
    assert_row(1, POISON);
}
END_TEST

/* While a function holds a stream up and the program sleeps, it is looked again and again what may run. That look must
 * not meet later tasks, which come into the places of the first ones. */
START_TEST(lazy_a_stream_that_was_looked_at_is_used_again)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 200));
    gate_open(&gate);
    for (unsigned round = 0; round < 3; round++) {
        memset(fx.pinned, POISON, 64);
        for (unsigned i = 0; i < 100; i++)
            fetch(i % 4, fx.device, fx.stream);
        assert_row(0, POISON);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        assert_row(0, 1);
    }
}
END_TEST

START_TEST(lazy_a_full_queue_makes_room)
{
    setenv("PACL_QUEUE_DEPTH", "4", 1);
    setenv("PACL_SCHEDULE", "lazy", 1);
    ASSERT_OK(aclInit(NULL));
    ASSERT_OK(aclrtSetDevice(0));
    uint8_t *device, *host;
    aclrtStream stream;
    ASSERT_OK(aclrtMalloc((void **)&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&host, 4096));
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtMemset(device, 4096, 1, 4096));
    memset(host, POISON, 4096);
    for (unsigned i = 0; i < 64; i++)
        ASSERT_OK(aclrtMemcpyAsync(host + i * 64, 64, device, 64, D2H, stream));
    ASSERT_ALL_BYTES(host + 60 * 64, 256, POISON); /* no more than there is no room for */
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_ALL_BYTES(host, 4096, 1);
}
END_TEST

/* --- random ----------------------------------------------------------------------------------------------------- */

enum { STREAMS = 4, FUNCTIONS = 8, STARTS = STREAMS * FUNCTIONS };

static uint8_t starts[STARTS];
static atomic_uint started;

static void note_start(void *what)
{
    starts[atomic_fetch_add(&started, 1)] = (uint8_t)(uintptr_t)what;
}

/* Functions on four streams, and copies and events between them; which function starts when goes into the file. */
static void write_starts(void)
{
    aclrtStream streams[STREAMS];
    aclrtEvent event;
    fixture_open();
    ASSERT_OK(aclrtCreateEvent(&event));
    for (unsigned s = 0; s < STREAMS; s++)
        ASSERT_OK(aclrtCreateStream(&streams[s]));
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        for (unsigned s = 0; s < STREAMS; s++) {
            ASSERT_OK(aclrtLaunchHostFunc(streams[s], note_start, (void *)(uintptr_t)(s * FUNCTIONS + i)));
            fetch(s, fx.device, streams[s]);
        }
        ASSERT_OK(aclrtRecordEvent(event, streams[i % STREAMS]));
        ASSERT_OK(aclrtStreamWaitEvent(streams[(i + 1) % STREAMS], event));
    }
    for (unsigned s = 0; s < STREAMS; s++)
        ASSERT_OK(aclrtSynchronizeStream(streams[s]));
    FILE *file = fopen(getenv("STARTS_FILE"), "wb");
    ck_assert(file != NULL && fwrite(starts, sizeof starts, 1, file) == 1);
    fclose(file);
}

static void starts_of(const char *schedule, uint8_t out[STARTS])
{
    char path[] = "/tmp/pacl_starts_XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    setenv("PACL_SCHEDULE", schedule, 1);
    setenv("STARTS_FILE", path, 1);
    ck_assert_int_eq(in_child(write_starts), 0);
    ck_assert_int_eq(read(fd, out, STARTS), STARTS);
    close(fd);
    unlink(path);
}

START_TEST(random_the_same_seed_gives_the_same_order)
{
    uint8_t first[STARTS], again[STARTS];
    for (unsigned seed = 1; seed <= 5; seed++) {
        char schedule[32];
        snprintf(schedule, sizeof schedule, "random:%u", seed * 1000003U);
        starts_of(schedule, first);
        starts_of(schedule, again);
        ASSERT_SAME_BYTES(again, first, STARTS);
    }
}
END_TEST

START_TEST(random_seeds_differ)
{
    uint8_t first[STARTS], other_seed[STARTS];
    unsigned different = 0;
    starts_of("random:1", first);
    for (unsigned seed = 2; seed <= 6; seed++) {
        char schedule[32];
        snprintf(schedule, sizeof schedule, "random:%u", seed);
        starts_of(schedule, other_seed);
        different += memcmp(first, other_seed, STARTS) != 0;
    }
    ck_assert_uint_ge(different, 4);
}
END_TEST

/* Some seed leaves a copy undone at the return of its call, and some seed has it done. */
START_TEST(random_copies_are_sometimes_late)
{
    unsigned late = 0;
    open_under("random:11");
    for (unsigned i = 0; i < 200; i++) {
        memset(fx.pinned, POISON, 64);
        fetch(0, fx.device, fx.stream);
        late += fx.pinned[0] == POISON;
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        assert_row(0, 1);
    }
    ck_assert_msg(late > 20 && late < 180, "%u of 200 were late", late);
}
END_TEST

/* --- choice ----------------------------------------------------------------------------------------------------- */

START_TEST(a_schedule_that_is_none_is_refused)
{
    static const char *const wrong[] = {
        "late", "random:", "random:x", "random:-1", "random:1x", "Lazy", "random:99999999999999999999"
    };
    setenv("PACL_SCHEDULE", wrong[_i], 1);
    ASSERT_CODE(E_INTERNAL_ERROR, aclInit(NULL));
    ASSERT_MESSAGE_NAMES("PACL_SCHEDULE", wrong[_i], "eager, lazy, random or random:SEED");
}
END_TEST

static void print_seed(void)
{
    ck_assert_ptr_nonnull(freopen(getenv("SEED_FILE"), "w", stderr));
    fixture_open();
    fetch(0, fx.device, fx.stream);
    fflush(stderr);
}

/* What a process with the schedule writes on standard error. */
static void read_seed(const char *schedule, char *line, size_t size)
{
    char path[] = "/tmp/pacl_seed_XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    setenv("SEED_FILE", path, 1);
    setenv("PACL_SCHEDULE", schedule, 1);
    ck_assert_int_eq(in_child(print_seed), 0);
    const ssize_t got = read(fd, line, size - 1);
    ck_assert_int_ge(got, 0);
    line[got] = '\0';
    close(fd);
    unlink(path);
}

/* One that was given is known: whoever gave it tells it once for all processes. */
START_TEST(random_is_silent_about_the_seed_that_it_was_given)
{
    char line[64];
    read_seed("random:7", line, sizeof line);
    ck_assert_str_eq(line, "");
}
END_TEST

START_TEST(random_tells_the_seed_that_it_drew)
{
    char line[64];
    unsigned long long seed = 0;
    read_seed("random", line, sizeof line);
    ck_assert_msg(sscanf(line, "pacl: schedule random:%llu\n", &seed) == 1, "%s", line);
}
END_TEST

int main(void)
{
    TCase *eager = new_case("eager", open_eager, fixture_close), *lazy = new_case("lazy", open_lazy, fixture_close);
    TCase *queue = new_case("queue", NULL, NULL), *random = new_case("random", NULL, NULL);
    tcase_add_test(eager, eager_copies_are_complete_when_the_call_returns);
    tcase_add_test(eager, eager_host_functions_have_run_when_the_call_returns);
    tcase_add_test(eager, eager_what_waits_runs_with_the_record);
    tcase_add_test(eager, eager_long_chains);
    tcase_add_test(eager, eager_does_not_wait_for_a_function_that_waits);
    tcase_add_test(lazy, r11_lazy_shows_a_missing_synchronization_every_time);
    tcase_add_test(lazy, lazy_shows_a_source_that_is_written_too_early);
    tcase_add_test(lazy, lazy_a_wait_runs_its_stream_alone);
    tcase_add_test(lazy, lazy_a_wait_goes_through_events_and_no_further);
    tcase_add_test(lazy, lazy_an_event_is_awaited_up_to_its_record);
    tcase_add_test(lazy, lazy_finds_a_record_that_came_after_the_wait);
    tcase_add_test(lazy, lazy_a_program_that_polls_gets_its_answer);
    tcase_add_test(lazy, lazy_a_program_that_queues_between_its_queries_gets_its_answer);
    tcase_add_test(lazy, lazy_pageable_copies_come_in_order);
    tcase_add_test(lazy, lazy_destroying_a_stream_runs_what_it_has);
    tcase_add_test(lazy, lazy_destroying_by_force_drops_what_it_has);
    tcase_add_test(lazy, lazy_a_wait_for_an_event_with_a_limit_ends);
    tcase_add_test(lazy, lazy_a_function_runs_that_the_program_waits_for_by_other_means);
    tcase_add_test(lazy, lazy_a_stream_that_was_looked_at_is_used_again);
    tcase_add_test(queue, lazy_a_full_queue_makes_room);
    tcase_add_test(random, random_the_same_seed_gives_the_same_order);
    tcase_add_test(random, random_seeds_differ);
    tcase_add_test(random, random_copies_are_sometimes_late);
    tcase_add_loop_test(random, a_schedule_that_is_none_is_refused, 0, 7);
    tcase_add_test(random, random_tells_the_seed_that_it_drew);
    tcase_add_test(random, random_is_silent_about_the_seed_that_it_was_given);
    return run_cases("schedule_order", eager, lazy, queue, random, NULL);
}
