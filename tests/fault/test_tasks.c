/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that fail when their turn comes: the call returns 0, the stream carries the failure to the next synchronize. */
#include "support.h"

#include <stdio.h>

enum { ROW = 64, E_RT_AICORE_EXCEPTION = 507015 };

static void open_with(const char *rules)
{
    setenv("PACL_FAULT", rules, 1);
    fixture_open();
    ASSERT_OK(aclrtMemset(fx.device, FIXTURE_BYTES, 1, FIXTURE_BYTES));
}

/* Copy number `row`, from 1, of a row of ones into poisoned host memory. */
static void fetch(unsigned row)
{
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned + (size_t)row * ROW, ROW, fx.device, ROW, D2H, fx.stream));
}

static void assert_fetched(unsigned row, bool fetched)
{
    ASSERT_ALL_BYTES(fx.pinned + (size_t)row * ROW, ROW, fetched ? 1 : POISON);
}

/* R14: the error of a synchronize names its first cause. */
START_TEST(r14_synchronize_cites_the_copy_that_failed)
{
    open_with("aclrtMemcpyAsync:3:async:507015");
    for (unsigned i = 1; i <= 5; i++)
        fetch(i);
    ASSERT_CODE(E_RT_AICORE_EXCEPTION, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtSynchronizeStream", "ACL_ERROR_RT_AICORE_EXCEPTION (507015)", "aclrtMemcpyAsync",
                         "queued earlier", "task 3", "PACL_FAULT");
    for (unsigned i = 1; i <= 5; i++)
        assert_fetched(i, i != 3);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* R20: 0 from a call says "submitted" and no more; a later failure does not hide the first. */
START_TEST(r20_the_first_failure_is_kept)
{
    open_with("aclrtMemcpyAsync:2:async:507015,aclrtMemcpyAsync:4:async:507013");
    for (unsigned i = 1; i <= 4; i++)
        fetch(i);
    ck_assert_int_eq(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
    ASSERT_CODE(E_RT_AICORE_EXCEPTION, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), E_RT_AICORE_EXCEPTION);
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "task 2");
    assert_fetched(3, true);
    assert_fetched(4, false);
}
END_TEST

/* R20: a stream that stops on failure skips the rest, once. */
START_TEST(r20_a_stream_that_stops_skips_what_follows)
{
    open_with("aclrtMemcpyAsync:2:async");
    ASSERT_OK(aclrtSetStreamFailureMode(fx.stream, ACL_STOP_ON_FAILURE));
    for (unsigned i = 1; i <= 4; i++)
        fetch(i);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    assert_fetched(1, true);
    for (unsigned i = 2; i <= 4; i++)
        assert_fetched(i, false);
    fetch(5);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_fetched(5, true);
}
END_TEST

/* Calls that queue nothing do not count. */
START_TEST(only_calls_that_queue_a_task_count)
{
    open_with("aclrtMemcpyAsync:2:async");
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned, 0, fx.device, 0, D2H, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsync(NULL, ROW, fx.device, ROW, D2H, fx.stream));
    fetch(1);
    ASSERT_OK(aclrtMemcpyAsync(fx.pageable, ROW, fx.device, ROW, D2H, fx.stream)); /* in the calling thread */
    fetch(2);
    fetch(3);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    assert_fetched(1, true);
    assert_fetched(2, false);
    assert_fetched(3, true);
}
END_TEST

START_TEST(big_copies_and_sets_fail_too)
{
    open_with("aclrtMemcpy2dAsync:1:async,aclrtMemsetAsync:*:async:507015");
    ASSERT_OK(aclrtMemcpy2dAsync(fx.pinned, 256, fx.device, 256, 200, 200, D2H, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned, FIXTURE_BYTES, POISON);
    for (unsigned i = 0; i < 2; i++) {
        ASSERT_OK(aclrtMemsetAsync(fx.device, FIXTURE_BYTES, 9, FIXTURE_BYTES, fx.stream));
        ASSERT_CODE(E_RT_AICORE_EXCEPTION, aclrtSynchronizeStream(fx.stream));
        ASSERT_MESSAGE_NAMES("aclrtMemsetAsync", "a task of");
    }
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, 1));
}
END_TEST

static void count_up(void *count)
{
    atomic_fetch_add((atomic_int *)count, 1);
}

START_TEST(a_host_function_that_fails_does_not_run)
{
    atomic_int count = 0;
    open_with("aclrtLaunchHostFunc:2:async");
    for (unsigned i = 0; i < 3; i++)
        ASSERT_OK(aclrtLaunchHostFunc(fx.stream, count_up, &count));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&count), 2);
}
END_TEST

/* A record that fails is reached all the same; a wait that fails is over. */
START_TEST(failing_records_and_waits_leave_nobody_waiting)
{
    aclrtStream other;
    aclrtEvent event, never;
    open_with("aclrtRecordEvent:1:async,aclrtStreamWaitEvent:2:async:507015");
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtCreateEvent(&never));
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    ASSERT_OK(aclrtStreamWaitEvent(other, never));
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_CODE(E_RT_AICORE_EXCEPTION, aclrtSynchronizeStream(other));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    fetch(1);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_fetched(1, true);
}
END_TEST

/* --- several threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 4, COPIES = 500 };

struct sender {
    uint8_t *device, *host;
    unsigned failures, wrong;
};

static void *send(void *sender)
{
    struct sender *s = sender;
    aclrtStream stream;
    s->wrong = aclrtSetDevice(0) != ACL_SUCCESS || aclrtCreateStream(&stream) != ACL_SUCCESS;
    for (unsigned i = 0; i < COPIES && s->wrong == 0; i++) {
        memset(s->host, POISON, ROW);
        s->wrong += aclrtMemcpyAsync(s->host, ROW, s->device, ROW, D2H, stream) != ACL_SUCCESS;
        const bool failed = aclrtSynchronizeStream(stream) != ACL_SUCCESS;
        s->failures += failed;
        s->wrong += s->host[0] != (failed ? POISON : 1);
    }
    return NULL;
}

START_TEST(tasks_of_several_threads)
{
    static struct sender senders[THREADS];
    pthread_t threads[THREADS];
    unsigned failures = 0;
    open_with("aclrtMemcpyAsync:100:async,aclrtMemcpyAsync:700:async:507015,aclrtMemcpyAsync:1999+:async");
    for (unsigned i = 0; i < THREADS; i++) {
        senders[i] = (struct sender){ .device = fx.device + i * ROW, .host = fx.pinned + i * ROW };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, send, &senders[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(senders[i].wrong, 0);
        failures += senders[i].failures;
    }
    ck_assert_uint_eq(failures, 4);
}
END_TEST

int main(void)
{
    TCase *one = new_case("one", NULL, fixture_close);
    tcase_add_test(one, r14_synchronize_cites_the_copy_that_failed);
    tcase_add_test(one, r20_the_first_failure_is_kept);
    tcase_add_test(one, r20_a_stream_that_stops_skips_what_follows);
    tcase_add_test(one, only_calls_that_queue_a_task_count);
    tcase_add_test(one, big_copies_and_sets_fail_too);
    tcase_add_test(one, a_host_function_that_fails_does_not_run);
    tcase_add_test(one, failing_records_and_waits_leave_nobody_waiting);
    tcase_add_test(one, tasks_of_several_threads);
    return run_cases("fault_tasks", one, NULL);
}
