/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtStreamAbort, aclrtStreamStop, aclrtDeviceTaskAbort: what is dropped, what is not, and what waiting threads get. */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support.h"

enum { E_RT_DEVICE_TASK_ABORT = 107022, E_RT_STREAM_ABORT = 107023, E_RT_TASK_ABORT_STOP = 107035 };

static aclrtEvent never; /* plain, and not recorded: a stream that waits for it waits */

static void setup(void)
{
    fixture_open();
    ASSERT_OK(aclrtCreateEvent(&never));
}

static void teardown(void)
{
    ASSERT_OK(aclrtDestroyEvent(never));
    fixture_close();
}

static void park(aclrtStream stream)
{
    ASSERT_OK(aclrtStreamWaitEvent(stream, never));
}

static void set_bytes(int value, aclrtStream stream)
{
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, value, 64, stream));
}

static void assert_bytes(uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, value));
}

/* --- a thread that waits ----------------------------------------------------------------------------------------- */

struct waiter {
    pthread_t thread;
    aclError (*wait)(void *);
    void *argument;
    aclrtContext context;
    atomic_long tid;
    aclError code;
    char message[256];
};

static void *waiter_main(void *argument)
{
    struct waiter *const w = argument;
    (void)aclrtSetCurrentContext(w->context);
    atomic_store(&w->tid, syscall(SYS_gettid));
    w->code = w->wait(w->argument);
    snprintf(w->message, sizeof w->message, "%s", last_message());
    return NULL;
}

static bool sleeps(long tid)
{
    char path[64];
    char state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", tid);
    FILE *const file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    const int read = fscanf(file, "%*d (%*[^)]) %c", &state);
    fclose(file);
    return read == 1 && state == 'S';
}

/* Returns when the thread sleeps in its call: it takes no lock on the way there that another thread holds. */
static void waiter_start(struct waiter *w, aclError (*wait)(void *), void *argument)
{
    *w = (struct waiter){ .wait = wait, .argument = argument };
    ASSERT_OK(aclrtGetCurrentContext(&w->context));
    ck_assert_int_eq(pthread_create(&w->thread, NULL, waiter_main, w), 0);
    while (atomic_load(&w->tid) == 0 || !sleeps(atomic_load(&w->tid)))
        sched_yield();
}

static void waiter_expect(struct waiter *w, int code, const char *part)
{
    ck_assert_int_eq(pthread_join(w->thread, NULL), 0);
    ck_assert_msg((int)w->code == code, "the waiting call returned %d, expected %d: %s", (int)w->code, code,
                  w->message);
    ck_assert_msg(strstr(w->message, part) != NULL, "the message lacks \"%s\": %s", part, w->message);
}

static aclError wait_for_stream(void *stream)
{
    return aclrtSynchronizeStream(stream);
}

static aclError wait_for_stream_for_an_hour(void *stream)
{
    return aclrtSynchronizeStreamWithTimeout(stream, 3600 * 1000);
}

static aclError wait_for_device(void *unused)
{
    (void)unused;
    return aclrtSynchronizeDevice();
}

static aclError copy_pageable(void *stream)
{
    return aclrtMemcpyAsync(fx.device, 64, fx.pageable2, 64, H2D, stream);
}

/* --- streams ----------------------------------------------------------------------------------------------------- */

/* STR-213 [code] */
START_TEST(str_213_a_waiting_thread_is_told)
{
    static aclError (*const waits[])(void *) = { wait_for_stream, wait_for_stream_for_an_hour, wait_for_device };
    for (size_t i = 0; i < COUNT_OF(waits); i++) {
        struct waiter waiter;
        park(fx.stream);
        set_bytes(1, fx.stream);
        waiter_start(&waiter, waits[i], fx.stream);
        ASSERT_OK(aclrtStreamAbort(fx.stream));
        waiter_expect(&waiter, E_RT_STREAM_ABORT, "aborted");
    }
    assert_bytes(POISON);
}
END_TEST

START_TEST(every_waiting_thread_is_told)
{
    enum { THREADS = 8 };
    struct waiter waiters[THREADS];
    park(fx.stream);
    for (unsigned i = 0; i < THREADS; i++)
        waiter_start(&waiters[i], wait_for_stream, fx.stream);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    for (unsigned i = 0; i < THREADS; i++)
        waiter_expect(&waiters[i], E_RT_STREAM_ABORT, "aborted");
}
END_TEST

/* A copy of pageable memory waits for the stream first; it is not made. */
START_TEST(a_blocking_copy_is_told_and_copies_nothing)
{
    struct waiter waiter;
    park(fx.stream);
    waiter_start(&waiter, copy_pageable, fx.stream);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    waiter_expect(&waiter, E_RT_STREAM_ABORT, "aborted");
    assert_bytes(POISON);
}
END_TEST

START_TEST(the_stream_can_be_used_again)
{
    static aclError (*const calls[])(aclrtStream) = { aclrtStreamAbort, aclrtStreamStop };
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        ASSERT_OK(aclrtMemset(fx.device, 64, POISON, 64));
        park(fx.stream);
        set_bytes(1, fx.stream);
        ASSERT_OK(calls[i](fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream)); /* nobody waited then: nothing to tell now */
        assert_bytes(POISON);
        set_bytes(2, fx.stream);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        assert_bytes(2);
    }
}
END_TEST

static void set_flag(void *flag)
{
    atomic_store((atomic_bool *)flag, true);
}

START_TEST(the_running_task_ends_and_the_rest_is_dropped)
{
    struct gate gate;
    atomic_bool ran = false;
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    set_bytes(1, fx.stream);
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, set_flag, &ran));
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    ck_assert(gate_passed(&gate)); /* it waited for the host function that ran */
    gate_join(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert(!atomic_load(&ran));
    assert_bytes(POISON);
}
END_TEST

/* A host function that has not begun, because the context's thread is busy with another stream's, is dropped. */
START_TEST(a_host_function_that_has_not_begun_is_dropped)
{
    struct gate gate;
    aclrtStream busy;
    atomic_bool ran = false;
    ASSERT_OK(aclrtCreateStream(&busy));
    gate_close(&gate, busy);
    gate_await(&gate);
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, set_flag, &ran));
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(busy));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert(!atomic_load(&ran));
    ASSERT_OK(aclrtDestroyStream(busy));
}
END_TEST

/* Records are carried out, so that other streams do not wait for ever. */
START_TEST(others_that_wait_for_the_stream_go_on)
{
    aclrtStream other;
    aclrtEvent event;
    aclrtNotify notify;
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    park(fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_OK(aclrtRecordNotify(notify, fx.stream));
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, other, 0));
    set_bytes(4, other);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_bytes(4);
    ASSERT_OK(aclrtDestroyNotify(notify));
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtDestroyStream(other));
}
END_TEST

/* A wait that the abort ends has not consumed a record. */
START_TEST(a_parked_wait_for_a_notify_is_dropped)
{
    aclrtNotify notify;
    aclrtStream other;
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 3600));
    set_bytes(1, fx.stream);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    assert_bytes(POISON);
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtDestroyNotify(notify));
    ASSERT_OK(aclrtDestroyStream(other));
}
END_TEST

/* A failure from before is still told, by the next call that synchronizes. */
START_TEST(an_earlier_failure_stays)
{
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES + 1, fx.pinned, FIXTURE_BYTES + 1, H2D, fx.stream));
    park(fx.stream);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

static void *abort_without_context(void *stream)
{
    return (void *)(intptr_t)aclrtStreamAbort(stream);
}

START_TEST(by_a_thread_without_a_context)
{
    pthread_t thread;
    void *code;
    park(fx.stream);
    ck_assert_int_eq(pthread_create(&thread, NULL, abort_without_context, fx.stream), 0);
    ck_assert_int_eq(pthread_join(thread, &code), 0);
    ck_assert_int_eq((int)(intptr_t)code, ACL_SUCCESS);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(idle_null_and_stale_streams)
{
    aclrtStream gone;
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    ASSERT_OK(aclrtStreamStop(fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtStreamAbort(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtStreamStop(NULL));
    ASSERT_OK(aclrtCreateStream(&gone));
    ASSERT_OK(aclrtDestroyStream(gone));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtStreamAbort(gone));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtStreamStop(never));
    ASSERT_MESSAGE_NAMES("aclrtStreamStop", "an event");
}
END_TEST

/* --- devices ----------------------------------------------------------------------------------------------------- */

START_TEST(all_streams_of_a_device)
{
    struct waiter waiter;
    aclrtStream second;
    aclrtStream far;
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_OK(aclrtCreateStream(&far));
    park(far);
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&second));
    park(fx.stream);
    park(second);
    set_bytes(1, second);
    waiter_start(&waiter, wait_for_stream, second);
    ASSERT_OK(aclrtDeviceTaskAbort(0, 0));
    waiter_expect(&waiter, E_RT_DEVICE_TASK_ABORT, "device 0");
    ASSERT_OK(aclrtSynchronizeDevice());
    assert_bytes(POISON);
    ASSERT_OK(aclrtSetDevice(1));
    aclrtStreamStatus status;
    ASSERT_OK(aclrtStreamQuery(far, &status));
    ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY); /* the other device's work is left alone */
    ASSERT_OK(aclrtDeviceTaskAbort(1, 0));
    ASSERT_OK(aclrtResetDevice(1));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtDestroyStream(second));
}
END_TEST

START_TEST(a_task_that_does_not_end_in_time)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    set_bytes(1, fx.stream);
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtDeviceTaskAbort(0, 20));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_bytes(POISON);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtDeviceTaskAbort(-1, 0));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtDeviceTaskAbort(8, 0));
}
END_TEST

/* What a callback saw; it answers what the test wants it to. */
struct witness {
    int calls;
    int32_t device[4];
    aclrtDeviceTaskAbortStage stage[4];
    uint32_t timeout[4];
    int32_t answer_before;
    int32_t answer_after;
};

static int32_t watch(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void *argument)
{
    struct witness *const w = argument;
    w->device[w->calls] = device;
    w->stage[w->calls] = stage;
    w->timeout[w->calls++] = timeout;
    return stage == ACL_RT_DEVICE_TASK_ABORT_PRE ? w->answer_before : w->answer_after;
}

static bool is_parked(void)
{
    aclrtStreamStatus status;
    ASSERT_OK(aclrtStreamQuery(fx.stream, &status));
    return status == ACL_STREAM_STATUS_NOT_READY;
}

START_TEST(callbacks_before_and_after)
{
    struct witness w = { .calls = 0 };
    ASSERT_OK(aclrtSetDeviceTaskAbortCallback("watch", watch, &w));
    ASSERT_OK(aclrtDeviceTaskAbort(0, 5000));
    ck_assert_int_eq(w.calls, 2);
    ck_assert_int_eq(w.stage[0], ACL_RT_DEVICE_TASK_ABORT_PRE);
    ck_assert_int_eq(w.stage[1], ACL_RT_DEVICE_TASK_ABORT_POST);
    ck_assert_int_eq(w.device[0], 0);
    ck_assert_uint_eq(w.timeout[1], 5000);

    w = (struct witness){ .answer_before = 7 };
    park(fx.stream);
    ASSERT_CODE(E_RT_TASK_ABORT_STOP, aclrtDeviceTaskAbort(0, 0));
    ASSERT_MESSAGE_NAMES("answered 7");
    ck_assert_int_eq(w.calls, 1);
    ck_assert(is_parked());

    w = (struct witness){ .answer_after = 8 };
    ASSERT_CODE(E_RT_TASK_ABORT_STOP, aclrtDeviceTaskAbort(0, 0));
    ck_assert_int_eq(w.calls, 2);
    ck_assert(!is_parked());

    ASSERT_OK(aclrtSetDeviceTaskAbortCallback("watch", NULL, NULL));
    ASSERT_OK(aclrtDeviceTaskAbort(0, 0));
    ck_assert_int_eq(w.calls, 2);
}
END_TEST

int main(void)
{
    TCase *const streams = new_case("streams", setup, teardown);
    tcase_add_test(streams, str_213_a_waiting_thread_is_told);
    tcase_add_test(streams, every_waiting_thread_is_told);
    tcase_add_test(streams, a_blocking_copy_is_told_and_copies_nothing);
    tcase_add_test(streams, the_stream_can_be_used_again);
    tcase_add_test(streams, the_running_task_ends_and_the_rest_is_dropped);
    tcase_add_test(streams, a_host_function_that_has_not_begun_is_dropped);
    tcase_add_test(streams, others_that_wait_for_the_stream_go_on);
    tcase_add_test(streams, a_parked_wait_for_a_notify_is_dropped);
    tcase_add_test(streams, an_earlier_failure_stays);
    tcase_add_test(streams, by_a_thread_without_a_context);
    tcase_add_test(streams, idle_null_and_stale_streams);
    TCase *const devices = new_case("devices", setup, teardown);
    tcase_add_test(devices, all_streams_of_a_device);
    tcase_add_test(devices, a_task_that_does_not_end_in_time);
    tcase_add_test(devices, callbacks_before_and_after);
    return run_cases("abort", streams, devices, (TCase *)NULL);
}
