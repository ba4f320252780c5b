/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: created with every option, destroyed, waited for, queried; first in, first out. */
#include "support.h"

#include <sched.h>

enum { E_RT_STREAM_CAPTURED = 107027 };

static aclrtStream new_stream(void)
{
    aclrtStream stream = NULL;
    ASSERT_OK(aclrtCreateStream(&stream));
    ck_assert_ptr_nonnull(stream);
    return stream;
}

static aclrtStreamStatus status_of(aclrtStream stream)
{
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    ASSERT_OK(aclrtStreamQuery(stream, &status));
    return status;
}

/* Afterwards a context other than that of the fixture's stream is current. */
static void enter_another_context(void)
{
    aclrtContext other;
    ASSERT_OK(aclrtCreateContext(&other, 0));
}

/* --- create ----------------------------------------------------------------------------------------------------- */

static aclError create_stream(void)
{
    aclrtStream stream;
    return aclrtCreateStream(&stream);
}

/* STR-198 [code] */
START_TEST(str_198_create_without_a_context)
{
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(create_stream));
}
END_TEST

START_TEST(create_without_output)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStream(NULL));
    ASSERT_MESSAGE_NAMES("aclrtCreateStream", "stream");
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStreamWithConfig(NULL, 0, 0));
}
END_TEST

/* STR-200 [doc]: nothing is set up, so that the context has no other stream of the test's. */
START_TEST(str_200_one_stream_more_than_the_product_has)
{
    enum { STREAMS = 1984 };
    static aclrtStream streams[STREAMS];
    aclrtStream one_more = &fx;
    use_default_product();
    ASSERT_OK(aclrtSetDevice(0));
    for (size_t i = 0; i < STREAMS; i++)
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtCreateStream(&streams[i]), "stream %zu", i);
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, aclrtCreateStream(&one_more));
    ASSERT_MESSAGE_NAMES("aclrtCreateStream", "1984");
    ck_assert_ptr_eq(one_more, &fx);
    ASSERT_OK(aclrtDestroyStream(streams[1000]));
    ASSERT_OK(aclrtCreateStream(&one_more));
    /* All of them work. */
    uint8_t *pinned;
    void *device;
    ASSERT_OK(aclrtMallocHost((void **)&pinned, STREAMS));
    ASSERT_OK(aclrtMalloc(&device, STREAMS, ACL_MEM_MALLOC_HUGE_FIRST));
    streams[1000] = one_more;
    for (size_t i = 0; i < STREAMS; i++) {
        pinned[i] = (uint8_t)(i * 7);
        ASSERT_OK(aclrtMemcpyAsync((uint8_t *)device + i, 1, pinned + i, 1, H2D, streams[i]));
    }
    ASSERT_OK(aclrtSynchronizeDevice());
    ASSERT_NO_DIFFERENCE(device_bytes_difference(device, pinned, STREAMS));
}
END_TEST

START_TEST(priority_is_clamped)
{
    static const struct {
        uint32_t asked;
        uint32_t got;
    } rows[] = { { 0, 0 }, { 3, 3 }, { 7, 7 }, { 8, 7 }, { 100, 7 }, { UINT32_MAX, 7 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aclrtStream stream;
        uint32_t priority = 99;
        ASSERT_OK(aclrtCreateStreamWithConfig(&stream, rows[i].asked, 0));
        ASSERT_OK(aclrtStreamGetPriority(stream, &priority));
        ck_assert_uint_eq(priority, rows[i].got);
        ASSERT_OK(aclrtDestroyStream(stream));
    }
}
END_TEST

START_TEST(every_flag)
{
    static const struct {
        uint32_t flags;
        int code;
    } rows[] = {
        { 0, ACL_SUCCESS },
        { ACL_STREAM_FAST_LAUNCH, ACL_SUCCESS },
        { ACL_STREAM_FAST_SYNC, ACL_SUCCESS },
        { ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC, ACL_SUCCESS },
        { ACL_STREAM_PERSISTENT, ACL_SUCCESS },
        { ACL_STREAM_HUGE, E_RT_FEATURE_NOT_SUPPORT },
        { ACL_STREAM_CPU_SCHEDULE, ACL_SUCCESS },
        { ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_FAST_LAUNCH, E_RT_PARAM_INVALID },
        { ACL_STREAM_DEVICE_USE_ONLY, ACL_SUCCESS },
        { 0xFFFFFFC0, ACL_SUCCESS }, /* unknown bits are dropped */
        { 0x80 | ACL_STREAM_CPU_SCHEDULE, ACL_SUCCESS },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aclrtStream stream;
        uint32_t flags = 99;
        ASSERT_CODE_OF_ROW(rows[i].code, aclrtCreateStreamWithConfig(&stream, 0, rows[i].flags), "flags 0x%x",
                           rows[i].flags);
        if (rows[i].code != ACL_SUCCESS)
            continue;
        ASSERT_OK(aclrtStreamGetFlags(stream, &flags));
        ck_assert_uint_eq(flags, rows[i].flags & 0x3F);
        ASSERT_OK(aclrtDestroyStream(stream));
    }
}
END_TEST

START_TEST(unknown_flag_bits_are_ignored)
{
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, 0x80000000));
    ASSERT_OK(aclrtSynchronizeStream(stream));
}
END_TEST

START_TEST(ids_are_distinct_and_null_outputs_refused)
{
    int32_t first = -1;
    int32_t second = -1;
    uint32_t value;
    const aclrtStream other = new_stream();
    ASSERT_OK(aclrtStreamGetId(fx.stream, &first));
    ASSERT_OK(aclrtStreamGetId(other, &second));
    ck_assert_int_ne(first, second);
    ASSERT_OK(aclrtStreamGetFlags(NULL, &value));
    ASSERT_OK(aclrtStreamGetPriority(NULL, &value));
    ASSERT_CODE(E_INVALID_PARAM, aclrtStreamGetId(fx.stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtStreamGetFlags(fx.stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtStreamGetPriority(fx.stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtStreamQuery(fx.stream, NULL));
    ASSERT_MESSAGE_NAMES("aclrtStreamQuery");
}
END_TEST

/* --- destroy ---------------------------------------------------------------------------------------------------- */

/* STR-202 [code] */
START_TEST(str_202_destroy_null)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyStream(NULL));
    ASSERT_MESSAGE_NAMES("aclrtDestroyStream", "stream");
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyStreamForce(NULL));
}
END_TEST

/* STR-204 [code] */
START_TEST(str_204_destroy_a_stream_of_another_context)
{
    enter_another_context();
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtDestroyStream(fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* What is captured comes before whose it is. */
START_TEST(destroy_a_captured_stream_of_another_context)
{
    aclmdlRI graph;
    aclrtContext own;
    ASSERT_OK(aclrtGetCurrentContext(&own));
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    enter_another_context();
    ASSERT_CODE(E_RT_STREAM_CAPTURED, aclrtDestroyStream(fx.stream));
    ASSERT_CODE(E_RT_STREAM_CAPTURED, aclrtDestroyStreamForce(fx.stream));
    ASSERT_OK(aclrtSetCurrentContext(own));
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclrtDestroyStream(fx.stream));
    ASSERT_OK(aclrtCreateStream(&fx.stream));
}
END_TEST

START_TEST(destroy_twice)
{
    ASSERT_OK(aclrtDestroyStream(fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyStream(fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyStreamForce(fx.stream));
}
END_TEST

START_TEST(destroy_waits_for_queued_work)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtDestroyStream(fx.stream));
    ck_assert(gate_passed(&gate));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
    gate_join(&gate);
}
END_TEST

START_TEST(destroy_force_drops_work_that_has_not_begun)
{
    aclrtEvent never;
    fill_sources();
    ASSERT_OK(aclrtCreateEvent(&never));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, never));
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_OK(aclrtDestroyStreamForce(fx.stream)); /* would never return if it waited */
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtSynchronizeDevice());
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

START_TEST(destroy_force_lets_the_running_task_finish)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtDestroyStreamForce(fx.stream));
    gate_join(&gate);
    ASSERT_OK(aclrtSynchronizeDevice());
    ck_assert(gate_passed(&gate));
}
END_TEST

/* --- wait and query --------------------------------------------------------------------------------------------- */

/* STR-205 [code] */
START_TEST(str_205_synchronize_a_stream_of_another_context)
{
    struct gate gate;
    aclrtContext current;
    aclrtContext after;
    gate_close(&gate, fx.stream);
    enter_another_context();
    ASSERT_OK(aclrtGetCurrentContext(&current));
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert(gate_passed(&gate));
    ASSERT_OK(aclrtGetCurrentContext(&after));
    ck_assert_ptr_eq(after, current);
    gate_join(&gate);
}
END_TEST

/* STR-207 [code] and R23: the wait ends, the work goes on. */
START_TEST(str_207_synchronize_with_timeout_expires)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 100));
    ASSERT_MESSAGE_NAMES("aclrtSynchronizeStreamWithTimeout", "100");
    ck_assert(!gate_passed(&gate));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStreamWithTimeout(fx.stream, -1));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
}
END_TEST

START_TEST(r23_the_stream_is_usable_after_a_timeout)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    for (int i = 0; i < 3; i++)
        ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 10));
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
}
END_TEST

/* STR-209 [code] */
START_TEST(str_209_synchronize_with_a_bad_timeout)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(fx.stream, -2));
    ASSERT_MESSAGE_NAMES("aclrtSynchronizeStreamWithTimeout", "timeout", "-2");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(fx.stream, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(fx.stream, INT32_MIN));
    ASSERT_OK(aclrtSynchronizeStreamWithTimeout(fx.stream, -1));
    ASSERT_OK(aclrtSynchronizeStreamWithTimeout(fx.stream, INT32_MAX));
    ASSERT_OK(aclrtSynchronizeStreamWithTimeout(NULL, 10000));
}
END_TEST

/* STR-210 [doc] */
START_TEST(str_210_query_a_blocked_stream)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ck_assert_int_eq(status_of(fx.stream), ACL_STREAM_STATUS_NOT_READY);
    ck_assert_int_eq(ACL_STREAM_STATUS_NOT_READY, 1);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* STR-211 [doc] */
START_TEST(str_211_query_an_idle_stream)
{
    ck_assert_int_eq(status_of(fx.stream), 0);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(status_of(fx.stream), 0);
}
END_TEST

START_TEST(work_ends_without_anyone_waiting)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, FIXTURE_BYTES, fx.device, FIXTURE_BYTES, D2H, fx.stream));
    gate_open(&gate);
    while (status_of(fx.stream) != ACL_STREAM_STATUS_COMPLETE)
        sched_yield(); /* the test's time limit ends it if progress depends on a synchronization */
    ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
}
END_TEST

START_TEST(a_persistent_stream_is_not_waited_for)
{
    aclrtStream stream;
    aclrtEvent never;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
    ASSERT_OK(aclrtCreateEvent(&never));
    ASSERT_OK(aclrtStreamWaitEvent(stream, never));
    ASSERT_OK(aclrtSynchronizeStream(stream)); /* would never return */
    ASSERT_OK(aclrtDestroyStreamForce(stream));
}
END_TEST

/* --- failure mode ----------------------------------------------------------------------------------------------- */

/* STR-212 [code] */
START_TEST(str_212_failure_mode_from_stop_to_continue)
{
    ASSERT_OK(aclrtSetStreamFailureMode(fx.stream, 0));
    ASSERT_OK(aclrtSetStreamFailureMode(fx.stream, 1));
    ASSERT_OK(aclrtSetStreamFailureMode(fx.stream, 1));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtSetStreamFailureMode(fx.stream, 0));
    ASSERT_MESSAGE_NAMES("aclrtSetStreamFailureMode", "mode");
}
END_TEST

START_TEST(failure_mode_arguments)
{
    ASSERT_REFUSED(aclrtSetStreamFailureMode(fx.stream, 2));
    ASSERT_OK(aclrtSetStreamFailureMode(NULL, 0));
    enter_another_context();
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtSetStreamFailureMode(fx.stream, 1));
}
END_TEST

/* --- order ------------------------------------------------------------------------------------------------------ */

/* Each copy moves the byte that the one before it wrote; any other order leaves poison behind. */
START_TEST(tasks_run_first_in_first_out)
{
    enum { STEPS = 20000 };
    struct gate gate;
    void *device;
    ASSERT_OK(aclrtMalloc(&device, STEPS + 1, ACL_MEM_MALLOC_HUGE_FIRST));
    uint8_t *const at = device;
    ASSERT_OK(aclrtMemset(at, STEPS + 1, 0, STEPS + 1));
    ASSERT_OK(aclrtMemset(at, 1, 0x77, 1));
    gate_close(&gate, fx.stream);
    for (size_t i = 0; i < STEPS; i++)
        ASSERT_OK(aclrtMemcpyAsync(at + i + 1, 1, at + i, 1, D2D, fx.stream));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, STEPS + 1, 0x77));
}
END_TEST

START_TEST(streams_do_not_wait_for_each_other)
{
    struct gate gate;
    const aclrtStream other = new_stream();
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
    ck_assert(!gate_passed(&gate));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* More parked streams than any machine has processors: none may hold a thread that another stream needs. */
START_TEST(many_parked_streams_hold_nobody_up)
{
    enum { PARKED = 300 };
    aclrtStream parked[PARKED];
    aclrtEvent event;
    fill_sources();
    ASSERT_OK(aclrtCreateEvent(&event));
    for (size_t i = 0; i < PARKED; i++) {
        parked[i] = new_stream();
        ASSERT_OK(aclrtStreamWaitEvent(parked[i], event));
        ASSERT_OK(aclrtMemsetAsync(fx.device2 + i, 1, 3, 1, parked[i]));
    }
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, PARKED, POISON));
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_OK(aclrtSynchronizeDevice());
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, PARKED, 3));
}
END_TEST

/* --- full queue ------------------------------------------------------------------------------------------------- */

static void short_queue_fixture(void)
{
    use_default_product();
    setenv("PACL_QUEUE_DEPTH", "64", 1);
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&fx.stream));
}

/* Past the queue's depth the call waits where the stream is parked; no task is lost and none fails. */
START_TEST(a_full_queue_loses_nothing)
{
    enum { TASKS = 2000 };
    struct gate gate;
    void *device;
    uint8_t *pinned;
    ASSERT_OK(aclrtMalloc(&device, TASKS, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, TASKS));
    uint64_t state = 11;
    random_fill(&state, pinned, TASKS);
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    for (size_t i = 0; i < TASKS; i++)
        ASSERT_OK(aclrtMemcpy2dAsync((uint8_t *)device + i, 1, pinned + i, 1, 1, 1, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(device, pinned, TASKS));
    gate_join(&gate);
}
END_TEST

START_TEST(more_tasks_than_the_default_queue_holds)
{
    enum { TASKS = 70000 };
    struct gate gate;
    void *device;
    uint8_t *pinned;
    ASSERT_OK(aclrtMalloc(&device, TASKS, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, TASKS));
    uint64_t state = 12;
    random_fill(&state, pinned, TASKS);
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    for (size_t i = 0; i < TASKS; i++)
        ASSERT_OK(aclrtMemcpy2dAsync((uint8_t *)device + i, 1, pinned + i, 1, 1, 1, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(device, pinned, TASKS));
    gate_join(&gate);
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

struct churn {
    pthread_t thread;
    size_t rounds;
    uint8_t *device; /* 64 bytes of its own */
    uint8_t *pinned;
    aclError code;
};

static aclError churn_once(struct churn *self)
{
    aclrtStream stream;
    aclError err = aclrtCreateStream(&stream);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpy2dAsync(self->device, 8, self->pinned, 8, 8, 8, H2D, stream);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpyAsync(self->pinned, 64, self->device, 64, D2H, stream);
    return err != ACL_SUCCESS ? err : aclrtDestroyStream(stream);
}

static void *run_churn(void *arg)
{
    struct churn *const self = arg;
    self->code = aclrtSetDevice(0);
    for (size_t i = 0; i < self->rounds && self->code == ACL_SUCCESS; i++)
        self->code = churn_once(self);
    return NULL;
}

START_TEST(threads_create_use_and_destroy_streams)
{
    struct churn churns[4];
    fill_sources();
    for (size_t i = 0; i < COUNT_OF(churns); i++) {
        churns[i] = (struct churn){ .device = fx.device + i * 64, .pinned = fx.pinned + i * 64 };
        churns[i].rounds = test_rounds(300);
        ck_assert_int_eq(pthread_create(&churns[i].thread, NULL, run_churn, &churns[i]), 0);
    }
    for (size_t i = 0; i < COUNT_OF(churns); i++) {
        ck_assert_int_eq(pthread_join(churns[i].thread, NULL), 0);
        ASSERT_OK(churns[i].code);
    }
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, 64 * COUNT_OF(churns)));
}
END_TEST

static void *synchronize_in_thread(void *arg)
{
    *(aclError *)arg = aclrtSynchronizeStream(fx.stream);
    return NULL;
}

START_TEST(many_threads_synchronize_one_stream)
{
    enum { WAITERS = 6 };
    struct gate gate;
    pthread_t threads[WAITERS];
    aclError codes[WAITERS];
    gate_close(&gate, fx.stream);
    for (size_t i = 0; i < WAITERS; i++) {
        codes[i] = -1;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, synchronize_in_thread, &codes[i]), 0);
    }
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    for (size_t i = 0; i < WAITERS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ASSERT_OK(codes[i]);
    }
    ck_assert(gate_passed(&gate));
    gate_join(&gate);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("stream", fixture_open, fixture_close);
    tcase_add_test(tc, str_198_create_without_a_context);
    tcase_add_test(tc, create_without_output);
    tcase_add_test(tc, priority_is_clamped);
    tcase_add_test(tc, every_flag);
    tcase_add_test(tc, unknown_flag_bits_are_ignored);
    tcase_add_test(tc, ids_are_distinct_and_null_outputs_refused);
    tcase_add_test(tc, str_202_destroy_null);
    tcase_add_test(tc, str_204_destroy_a_stream_of_another_context);
    tcase_add_test(tc, destroy_a_captured_stream_of_another_context);
    tcase_add_test(tc, destroy_twice);
    tcase_add_test(tc, destroy_waits_for_queued_work);
    tcase_add_test(tc, destroy_force_drops_work_that_has_not_begun);
    tcase_add_test(tc, destroy_force_lets_the_running_task_finish);
    tcase_add_test(tc, str_205_synchronize_a_stream_of_another_context);
    tcase_add_test(tc, str_207_synchronize_with_timeout_expires);
    tcase_add_test(tc, r23_the_stream_is_usable_after_a_timeout);
    tcase_add_test(tc, str_209_synchronize_with_a_bad_timeout);
    tcase_add_test(tc, str_210_query_a_blocked_stream);
    tcase_add_test(tc, str_211_query_an_idle_stream);
    tcase_add_test(tc, work_ends_without_anyone_waiting);
    tcase_add_test(tc, a_persistent_stream_is_not_waited_for);
    tcase_add_test(tc, str_212_failure_mode_from_stop_to_continue);
    tcase_add_test(tc, failure_mode_arguments);
    tcase_add_test(tc, tasks_run_first_in_first_out);
    tcase_add_test(tc, streams_do_not_wait_for_each_other);
    tcase_add_test(tc, many_parked_streams_hold_nobody_up);
    tcase_add_test(tc, more_tasks_than_the_default_queue_holds);
    tcase_add_test(tc, threads_create_use_and_destroy_streams);
    tcase_add_test(tc, many_threads_synchronize_one_stream);

    TCase *const bare = new_case("nothing set up", NULL, NULL);
    tcase_add_test(bare, str_200_one_stream_more_than_the_product_has);

    TCase *const shallow = new_case("short queue", short_queue_fixture, NULL);
    tcase_add_test(shallow, a_full_queue_loses_nothing);
    return run_cases("stream", tc, bare, shallow, (TCase *)NULL);
}
