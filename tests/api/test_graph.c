/* SPDX-License-Identifier: Apache-2.0 */
/* Capturing streams: arguments, modes, what is refused meanwhile, side streams, limits. test_graph_run.c runs graphs. */
#include "support.h"

enum {
    GLOBAL = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL,
    THREAD_LOCAL = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,
    RELAXED = ACL_MODEL_RI_CAPTURE_MODE_RELAXED,
    E_CAPTURE_DEPENDENCY = 107024,
    E_UNJOINED = 107025,
    E_STREAM_CAPTURED = 107027,
    E_EVENT_CAPTURED = 107028,
    E_NOT_CAPTURED = 107029,
    E_CAPTURE_MODE = 107030,
    E_CAPTURE_IMPLICIT = 107031,
    E_CAPTURE_CONFLICT = 107032,
    E_UNMATCHED = 107036,
    E_WRONG_THREAD = 107038,
    E_BLOCK_ASYNC = 107041,
    E_INVALIDATED = 507903,
};

static aclrtStream side;
static aclrtEvent event, back;

static void setup(void)
{
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&side));
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
}

static void teardown(void)
{
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtDestroyEvent(back));
    ASSERT_OK(aclrtDestroyStream(side));
    fixture_close();
}

static aclError begin(aclrtStream stream, int mode)
{
    return aclmdlRICaptureBegin(stream, (aclmdlRICaptureMode)mode);
}

static void begin_on(aclrtStream stream, int mode)
{
    ASSERT_OK(begin(stream, mode));
}

static int status_of(aclrtStream stream)
{
    aclmdlRICaptureStatus status = (aclmdlRICaptureStatus)77;
    ASSERT_OK(aclmdlRICaptureGetInfo(stream, &status, NULL));
    return (int)status;
}

/* Ends a capture that is all right and throws the graph away. */
static void end_well(void)
{
    aclmdlRI graph = NULL;
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
}

/* Ends a capture that gives no graph; its streams run again. */
static void assert_end(aclError code)
{
    aclmdlRI graph = NULL;
    ASSERT_CODE(code, aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_ptr_null(graph);
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ck_assert_int_eq(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ASSERT_OK(aclrtMemsetAsync(fx.device2, 64, 1, 64, fx.stream));
    ASSERT_OK(aclrtMemsetAsync(fx.device2 + 64, 64, 1, 64, side));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(side));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, 128, 1));
}

static aclError queue_copy(aclrtStream stream)
{
    return aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, stream);
}

/* GRA-250 [code] */
START_TEST(gra_250_capture_of_no_stream)
{
    ASSERT_CODE(E_INVALID_PARAM, begin(NULL, GLOBAL));
}
END_TEST

/* GRA-251 [code] */
START_TEST(gra_251_capture_in_an_unknown_mode)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, begin(fx.stream, 3));
    ASSERT_CODE(E_RT_PARAM_INVALID, begin(fx.stream, -1));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
}
END_TEST

/* GRA-252 [code] */
START_TEST(gra_252_capture_of_a_captured_stream)
{
    begin_on(fx.stream, GLOBAL);
    ASSERT_CODE(E_STREAM_CAPTURED, begin(fx.stream, GLOBAL));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    end_well();
}
END_TEST

static void join_side(void)
{
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_OK(aclrtStreamWaitEvent(side, event));
}

static void join_back(void)
{
    ASSERT_OK(aclrtRecordEvent(back, side));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, back));
}

/* GRA-255 [code] */
START_TEST(gra_255_side_stream_that_has_not_joined_back)
{
    begin_on(fx.stream, GLOBAL);
    join_side();
    assert_end(E_UNJOINED);
    begin_on(fx.stream, GLOBAL);
    join_side();
    join_back();
    ASSERT_OK(queue_copy(side)); /* after its record */
    assert_end(E_UNJOINED);
    begin_on(fx.stream, GLOBAL);
    join_side();
    ASSERT_OK(aclrtRecordEvent(back, side)); /* and nobody waits */
    assert_end(E_UNJOINED);
}
END_TEST

/* GRA-256 [code] */
START_TEST(gra_256_end_on_the_side_stream)
{
    aclmdlRI graph = NULL;
    begin_on(fx.stream, GLOBAL);
    join_side();
    ASSERT_CODE(E_UNMATCHED, aclmdlRICaptureEnd(side, &graph));
    ck_assert_ptr_null(graph);
    join_back();
    end_well();
}
END_TEST

/* GRA-257 [code] */
START_TEST(gra_257_synchronous_copy_during_a_global_capture)
{
    begin_on(fx.stream, GLOBAL);
    ASSERT_CODE(E_CAPTURE_MODE, aclrtMemcpy(fx.device, 64, fx.pinned, 64, H2D));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
    ASSERT_CODE(E_INVALIDATED, queue_copy(fx.stream));
    assert_end(E_INVALIDATED);
}
END_TEST

/* GRA-258 [code] */
START_TEST(gra_258_synchronous_copy_of_a_relaxed_thread)
{
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    begin_on(fx.stream, GLOBAL);
    ASSERT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
    ck_assert_int_eq((int)mode, GLOBAL);
    ASSERT_OK(aclrtMemcpy(fx.device, 64, fx.pinned, 64, H2D));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    ASSERT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
    ck_assert_int_eq((int)mode, RELAXED);
    end_well();
}
END_TEST

static void open_on_310b(void)
{
    fixture_open_on("atlas-200i-500-a2");
}

static void open_on_training(void)
{
    fixture_open_on("atlas-training");
}

/* GRA-264 [doc] */
START_TEST(gra_264_products_that_do_not_capture)
{
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, begin(fx.stream, GLOBAL));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
}
END_TEST

START_TEST(training_series_does_not_capture)
{
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, begin(fx.stream, GLOBAL));
}
END_TEST

/* MEM-081 [code] */
START_TEST(mem_081_pageable_copy_on_a_captured_stream)
{
    const struct call2d good = good_call2d();
    struct call2d call = good;
    begin_on(fx.stream, GLOBAL);
    call.src = fx.pageable;
    ASSERT_CODE(E_RT_PARAM_INVALID, submit2d(&call));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsync(fx.device, 64, fx.pageable, 64, H2D, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemsetAsync(fx.pageable, 64, 1, 64, fx.stream));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    end_well();
    assert_fixture_untouched();
}
END_TEST

/* MEM-082 [code] */
START_TEST(mem_082_pinned_copy_on_a_captured_stream_is_not_run)
{
    const struct call2d call = good_call2d();
    fill_sources();
    begin_on(fx.stream, GLOBAL);
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(queue_copy(fx.stream));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, fx.stream));
    ASSERT_OK(aclrtMemsetAsync(fx.pinned2, 64, 1, 64, fx.stream));
    end_well();
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_ALL_BYTES(fx.pinned2, 64, POISON);
}
END_TEST

/* STR-214 [code] */
START_TEST(str_214_waiting_for_a_captured_stream)
{
    aclrtStreamStatus status;
    begin_on(fx.stream, RELAXED);
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtSynchronizeStream(fx.stream));
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtSynchronizeStreamWithTimeout(fx.stream, 100));
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtStreamQuery(fx.stream, &status));
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtDestroyStream(fx.stream));
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtDestroyStreamForce(fx.stream));
    end_well();
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(other_arguments)
{
    aclmdlRI graph = NULL;
    aclmdlRICaptureStatus status;
    aclmdlRICaptureMode mode = (aclmdlRICaptureMode)3;
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureEnd(NULL, &graph));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureEnd(fx.stream, NULL));
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureGetInfo(NULL, &status, &graph));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureGetInfo(fx.stream, NULL, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureThreadExchangeMode(NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRICaptureThreadExchangeMode(&mode));
    ck_assert_int_eq((int)mode, 3);
    ASSERT_CODE(E_RT_INVALID_HANDLE, begin((aclrtStream)fx.pinned, GLOBAL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, begin((aclrtStream)event, GLOBAL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureEnd((aclrtStream)fx.pinned, &graph));
}
END_TEST

START_TEST(info_names_the_graph_that_the_end_gives)
{
    aclmdlRI seen = NULL, graph = NULL, none = fx.pinned;
    ASSERT_OK(aclmdlRICaptureGetInfo(fx.stream, NULL, &none));
    ck_assert_ptr_null(none);
    begin_on(fx.stream, GLOBAL);
    ASSERT_OK(aclmdlRICaptureGetInfo(fx.stream, NULL, &seen));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRIExecuteAsync(seen, side)); /* not yet */
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRIDestroy(seen));
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_ptr_eq(seen, graph);
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIDestroy(graph));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIExecuteAsync(graph, fx.stream));
}
END_TEST

static void run_callback(void *counter)
{
    ++*(int *)counter;
}

static void *process_reports(void *over)
{
    while (!*(const _Atomic bool *)over)
        (void)aclrtProcessReport(10);
    return NULL;
}

/* Notifies and functions of subscribed threads are outside of a graph; functions of the context's thread are recorded. */
START_TEST(notifies_and_callbacks_on_a_captured_stream)
{
    static _Atomic bool over;
    int functions = 0, callbacks = 0;
    pthread_t thread;
    aclrtNotify notify;
    aclrtCntNotify counting;
    aclrtCntNotifyRecordInfo record = { .value = 1 };
    aclrtCntNotifyWaitInfo wait = { .value = 1 };
    aclmdlRI graph = NULL;
    ASSERT_OK(aclrtCreateNotify(&notify, 0));
    ASSERT_OK(aclrtCntNotifyCreate(&counting, 0));
    ck_assert_int_eq(pthread_create(&thread, NULL, process_reports, (void *)&over), 0);
    ASSERT_OK(aclrtSubscribeReport(thread, side));
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtRecordNotify(notify, fx.stream));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtCntNotifyRecord(counting, fx.stream, &record));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtCntNotifyWaitWithTimeout(counting, fx.stream, &wait));
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, run_callback, &functions));
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_int_eq(functions, 0);
    ASSERT_OK(aclmdlRICaptureBegin(side, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtLaunchCallback(run_callback, &callbacks, ACL_CALLBACK_BLOCK, side));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclmdlRICaptureEnd(side, &graph));
    ASSERT_OK(aclrtRecordNotify(notify, fx.stream)); /* refused calls have left no trace */
    ASSERT_OK(aclrtWaitAndResetNotify(notify, side, 0));
    ASSERT_OK(aclrtLaunchCallback(run_callback, &callbacks, ACL_CALLBACK_BLOCK, side));
    ASSERT_OK(aclrtSynchronizeStream(side));
    ck_assert_int_eq(callbacks, 1);
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclrtUnSubscribeReport(thread, side));
    over = true;
    pthread_join(thread, NULL);
    ASSERT_OK(aclrtDestroyNotify(notify));
    ASSERT_OK(aclrtCntNotifyDestroy(counting));
}
END_TEST

START_TEST(unfit_streams_are_not_captured)
{
    aclrtStream persistent, first;
    ASSERT_OK(aclrtCreateStreamWithConfig(&persistent, 0, ACL_STREAM_PERSISTENT));
    ASSERT_CODE(E_RT_INTERNAL_ERROR, begin(persistent, GLOBAL));
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&first));
    ASSERT_CODE(E_CAPTURE_IMPLICIT, begin(first, GLOBAL));
    ASSERT_OK(aclrtDestroyStream(persistent));
}
END_TEST

START_TEST(stream_of_another_context)
{
    aclrtContext context, before;
    ASSERT_OK(aclrtGetCurrentContext(&before));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, begin(fx.stream, GLOBAL));
    ASSERT_OK(aclrtSetCurrentContext(before));
    ASSERT_OK(aclrtDestroyContext(context));
}
END_TEST

START_TEST(work_queued_before_the_capture_runs)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 5, 64, fx.stream));
    begin_on(fx.stream, RELAXED);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 6, 64, fx.stream));
    gate_open(&gate);
    end_well();
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 5));
}
END_TEST

/* --- what a capture forbids others ---------------------------------------------------------------------------------- */

static aclError copy_elsewhere(void)
{
    aclError err = aclrtSetDevice(0);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpy2d(fx.device, 64, fx.pinned, 64, 32, 4, H2D);
    return err;
}

static aclError copy_elsewhere_thread_local(void)
{
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
    const aclError err = aclmdlRICaptureThreadExchangeMode(&mode);
    return err != ACL_SUCCESS ? err : copy_elsewhere();
}

/* R06 */
START_TEST(r06_another_threads_copy_during_a_capture)
{
    const struct {
        int mode;
        aclError code;
        aclError (*call)(void);
    } rows[] = {
        { GLOBAL, E_CAPTURE_MODE, copy_elsewhere },
        { THREAD_LOCAL, ACL_SUCCESS, copy_elsewhere },
        { RELAXED, ACL_SUCCESS, copy_elsewhere },
        { GLOBAL, ACL_SUCCESS, copy_elsewhere_thread_local },
        { THREAD_LOCAL, ACL_SUCCESS, copy_elsewhere_thread_local },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        begin_on(fx.stream, rows[i].mode);
        ASSERT_CODE_OF_ROW(rows[i].code, in_new_thread(rows[i].call), "row %zu", i);
        if (rows[i].code == ACL_SUCCESS)
            end_well();
        else
            assert_end(E_INVALIDATED);
    }
}
END_TEST

START_TEST(own_threads_copy_during_a_capture)
{
    const struct {
        int capture, thread;
        aclError code;
    } rows[] = {
        { GLOBAL, GLOBAL, E_CAPTURE_MODE },
        { THREAD_LOCAL, GLOBAL, E_CAPTURE_MODE },
        { RELAXED, GLOBAL, ACL_SUCCESS },
        { GLOBAL, THREAD_LOCAL, E_CAPTURE_MODE },
        { THREAD_LOCAL, THREAD_LOCAL, E_CAPTURE_MODE },
        { RELAXED, THREAD_LOCAL, ACL_SUCCESS },
        { GLOBAL, RELAXED, ACL_SUCCESS },
        { THREAD_LOCAL, RELAXED, ACL_SUCCESS },
        { RELAXED, RELAXED, ACL_SUCCESS },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aclmdlRICaptureMode mode = (aclmdlRICaptureMode)rows[i].thread;
        ASSERT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
        begin_on(fx.stream, rows[i].capture);
        ASSERT_CODE_OF_ROW(rows[i].code, aclrtMemset(fx.device, 64, 1, 64), "row %zu", i);
        if (rows[i].code == ACL_SUCCESS)
            end_well();
        else {
            aclmdlRI graph;
            ASSERT_CODE(E_INVALIDATED, aclmdlRICaptureEnd(fx.stream, &graph));
        }
    }
}
END_TEST

static aclError unsafe_call(size_t i)
{
    void *block;
    switch (i) {
    case 0:
        return aclrtMemcpy(fx.device, 64, fx.pinned, 64, H2D);
    case 1:
        return aclrtMemcpy2d(fx.device, 64, fx.pinned, 64, 32, 4, H2D);
    case 2:
        return aclrtMemset(fx.device, 64, 1, 64);
    case 3:
        return aclrtMemsetD32(fx.device, 64, 1, 16);
    case 4:
        return aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    case 5:
        return aclrtMallocHost(&block, 64);
    default:
        return aclrtSynchronizeDevice();
    }
}

START_TEST(calls_that_a_global_capture_forbids)
{
    begin_on(fx.stream, GLOBAL);
    ASSERT_CODE_OF_ROW(E_CAPTURE_MODE, unsafe_call((size_t)_i), "call %d", _i);
    assert_end(E_INVALIDATED);
}
END_TEST

START_TEST(asynchronous_copy_that_would_block_during_a_capture)
{
    begin_on(fx.stream, GLOBAL);
    ASSERT_CODE(E_BLOCK_ASYNC, aclrtMemcpyAsync(fx.device, 64, fx.pageable, 64, H2D, side));
    assert_end(E_INVALIDATED);
    begin_on(fx.stream, RELAXED);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pageable, 64, H2D, side));
    end_well();
}
END_TEST

START_TEST(calls_of_another_context_go_on)
{
    aclrtContext context, before;
    ASSERT_OK(aclrtGetCurrentContext(&before));
    begin_on(fx.stream, GLOBAL);
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtMemcpy(fx.device, 64, fx.pinned, 64, H2D));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetCurrentContext(before));
    end_well();
}
END_TEST

static aclError end_elsewhere(void)
{
    aclmdlRI graph = NULL;
    const aclError err = aclmdlRICaptureEnd(fx.stream, &graph);
    return err == ACL_SUCCESS ? aclmdlRIDestroy(graph) : err;
}

START_TEST(end_in_another_thread)
{
    aclmdlRI graph = NULL;
    begin_on(fx.stream, GLOBAL);
    ASSERT_CODE(E_WRONG_THREAD, in_new_thread(end_elsewhere));
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureEnd(fx.stream, &graph));
    begin_on(fx.stream, RELAXED);
    ASSERT_OK(in_new_thread(end_elsewhere));
}
END_TEST

/* --- events and streams ---------------------------------------------------------------------------------------------- */

START_TEST(events_of_captures)
{
    aclrtEvent plain;
    aclrtEventRecordedStatus status;
    ASSERT_OK(aclrtCreateEventWithFlag(&plain, ACL_EVENT_SYNC));
    begin_on(fx.stream, RELAXED);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtRecordEvent(plain, fx.stream));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtStreamWaitEvent(fx.stream, plain));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtResetEvent(plain, fx.stream));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event)); /* never recorded: nothing to wait for */
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_CODE(E_EVENT_CAPTURED, aclrtQueryEventStatus(event, &status));
    ASSERT_CODE(E_EVENT_CAPTURED, aclrtSynchronizeEvent(event));
    end_well();
    ASSERT_OK(aclrtQueryEventStatus(event, &status));
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_OK(aclrtSynchronizeEvent(event));
    ASSERT_OK(aclrtDestroyEvent(plain));
}
END_TEST

START_TEST(event_recorded_outside_is_no_dependency_of_a_graph)
{
    ASSERT_OK(aclrtRecordEvent(event, side));
    begin_on(fx.stream, RELAXED);
    ASSERT_CODE(E_CAPTURE_DEPENDENCY, aclrtStreamWaitEvent(fx.stream, event));
    ASSERT_OK(aclrtRecordEvent(event, fx.stream)); /* recorded anew, inside */
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    end_well();
}
END_TEST

START_TEST(event_of_an_ended_capture_holds_nobody_up)
{
    begin_on(fx.stream, RELAXED);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    end_well();
    ASSERT_OK(aclrtStreamWaitEvent(side, event));
    ck_assert_int_eq(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ASSERT_OK(aclrtSynchronizeStream(side));
}
END_TEST

START_TEST(side_stream_belongs_to_the_capture_until_its_end)
{
    aclmdlRI graph = NULL, seen = NULL;
    begin_on(fx.stream, GLOBAL);
    join_side();
    ASSERT_OK(aclmdlRICaptureGetInfo(side, NULL, &seen));
    ck_assert_int_eq(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtSynchronizeStream(side));
    ASSERT_CODE(E_STREAM_CAPTURED, begin(side, GLOBAL));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, side));
    join_back();
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_ptr_eq(graph, seen);
    ck_assert_int_eq(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, POISON));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(side_streams_of_side_streams)
{
    aclrtStream third;
    aclrtEvent e;
    ASSERT_OK(aclrtCreateStream(&third));
    ASSERT_OK(aclrtCreateEventExWithFlag(&e, ACL_EVENT_SYNC));
    begin_on(fx.stream, GLOBAL);
    join_side();
    ASSERT_OK(aclrtRecordEvent(e, side));
    ASSERT_OK(aclrtStreamWaitEvent(third, e));
    ASSERT_OK(aclrtRecordEvent(e, third));
    ASSERT_OK(aclrtStreamWaitEvent(side, e)); /* the third joins through the second */
    join_back();
    end_well();
    ASSERT_OK(aclrtDestroyEvent(e));
    ASSERT_OK(aclrtDestroyStream(third));
}
END_TEST

START_TEST(two_captures_do_not_become_one)
{
    aclmdlRI graph = NULL;
    begin_on(fx.stream, RELAXED);
    begin_on(side, RELAXED);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_CODE(E_CAPTURE_CONFLICT, aclrtStreamWaitEvent(side, event));
    ASSERT_OK(aclmdlRICaptureEnd(side, &graph));
    ASSERT_OK(aclmdlRIDestroy(graph));
    end_well();
}
END_TEST

START_TEST(default_stream_during_a_capture)
{
    begin_on(fx.stream, RELAXED);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_CODE(E_CAPTURE_IMPLICIT, aclrtStreamWaitEvent(NULL, event));
    ASSERT_CODE(E_CAPTURE_IMPLICIT, aclrtRecordEvent(back, NULL));
    end_well();
    ASSERT_OK(aclrtRecordEvent(back, NULL));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
}
END_TEST

START_TEST(rectangle_outside_its_allocation_is_refused_and_the_capture_goes_on)
{
    begin_on(fx.stream, GLOBAL);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpyAsync(fx.device + FIXTURE_BYTES - 10, 64, fx.pinned, 64, H2D, fx.stream));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    end_well();
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(context_goes_while_its_stream_is_captured)
{
    aclrtContext context, before;
    aclrtStream stream;
    aclmdlRI seen = NULL;
    ASSERT_OK(aclrtGetCurrentContext(&before));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&stream));
    begin_on(stream, RELAXED);
    ASSERT_OK(queue_copy(stream));
    ASSERT_OK(aclmdlRICaptureGetInfo(stream, NULL, &seen));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetCurrentContext(before));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIExecuteAsync(seen, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureEnd(stream, &seen));
    ASSERT_OK(aclrtMemcpy(fx.device, 64, fx.pinned, 64, H2D)); /* no capture is left */
}
END_TEST

/* --- limits ---------------------------------------------------------------------------------------------------------- */

static void open_with_1000_descriptors(void)
{
    setenv("PACL_GRAPH_DESCRIPTORS", "1000", 1);
    setup();
}

static aclError copy_100_rows(void)
{
    return aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 64, 100, H2D, fx.stream);
}

/* R04 */
START_TEST(r04_graph_is_full_at_its_limit_of_descriptors)
{
    begin_on(fx.stream, GLOBAL);
    for (int i = 0; i < 10; i++)
        ASSERT_OK(copy_100_rows());
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, copy_100_rows());
    ASSERT_MESSAGE_NAMES("1000", "100", "PACL_GRAPH_DESCRIPTORS");
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, queue_copy(fx.stream));
    ck_assert_int_eq(status_of(fx.stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    end_well();
}
END_TEST

/* The wait that would make it join is one task too many. */
START_TEST(stream_that_a_full_graph_does_not_take_stays_free)
{
    begin_on(fx.stream, GLOBAL);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    for (int i = 0; i < 999; i++)
        ASSERT_OK(queue_copy(fx.stream));
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, aclrtStreamWaitEvent(side, event));
    ck_assert_int_eq(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ASSERT_OK(queue_copy(side));
    ASSERT_OK(aclrtSynchronizeStream(side));
    end_well();
}
END_TEST

START_TEST(graph_holds_32768_descriptors_by_default)
{
    begin_on(fx.stream, GLOBAL);
    for (int i = 0; i < 327; i++)
        ASSERT_OK(copy_100_rows());
    for (int i = 0; i < 68; i++)
        ASSERT_OK(queue_copy(fx.stream));
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, queue_copy(fx.stream));
    end_well();
}
END_TEST

int main(void)
{
    TCase *begins = new_case("begin_and_end", setup, teardown);
    tcase_add_test(begins, gra_250_capture_of_no_stream);
    tcase_add_test(begins, gra_251_capture_in_an_unknown_mode);
    tcase_add_test(begins, gra_252_capture_of_a_captured_stream);
    tcase_add_test(begins, gra_255_side_stream_that_has_not_joined_back);
    tcase_add_test(begins, gra_256_end_on_the_side_stream);
    tcase_add_test(begins, mem_081_pageable_copy_on_a_captured_stream);
    tcase_add_test(begins, mem_082_pinned_copy_on_a_captured_stream_is_not_run);
    tcase_add_test(begins, str_214_waiting_for_a_captured_stream);
    tcase_add_test(begins, other_arguments);
    tcase_add_test(begins, info_names_the_graph_that_the_end_gives);
    tcase_add_test(begins, notifies_and_callbacks_on_a_captured_stream);
    tcase_add_test(begins, unfit_streams_are_not_captured);
    tcase_add_test(begins, stream_of_another_context);
    tcase_add_test(begins, work_queued_before_the_capture_runs);
    tcase_add_test(begins, end_in_another_thread);
    tcase_add_test(begins, rectangle_outside_its_allocation_is_refused_and_the_capture_goes_on);
    tcase_add_test(begins, context_goes_while_its_stream_is_captured);
    TCase *modes = new_case("modes", setup, teardown);
    tcase_add_test(modes, gra_257_synchronous_copy_during_a_global_capture);
    tcase_add_test(modes, gra_258_synchronous_copy_of_a_relaxed_thread);
    tcase_add_test(modes, r06_another_threads_copy_during_a_capture);
    tcase_add_test(modes, own_threads_copy_during_a_capture);
    tcase_add_loop_test(modes, calls_that_a_global_capture_forbids, 0, 7);
    tcase_add_test(modes, asynchronous_copy_that_would_block_during_a_capture);
    tcase_add_test(modes, calls_of_another_context_go_on);
    TCase *events = new_case("events", setup, teardown);
    tcase_add_test(events, events_of_captures);
    tcase_add_test(events, event_recorded_outside_is_no_dependency_of_a_graph);
    tcase_add_test(events, event_of_an_ended_capture_holds_nobody_up);
    tcase_add_test(events, side_stream_belongs_to_the_capture_until_its_end);
    tcase_add_test(events, side_streams_of_side_streams);
    tcase_add_test(events, two_captures_do_not_become_one);
    tcase_add_test(events, default_stream_during_a_capture);
    TCase *b310 = new_case("310B", open_on_310b, fixture_close);
    tcase_add_test(b310, gra_264_products_that_do_not_capture);
    TCase *training = new_case("training", open_on_training, fixture_close);
    tcase_add_test(training, training_series_does_not_capture);
    TCase *limited = new_case("limited", open_with_1000_descriptors, teardown);
    tcase_add_test(limited, r04_graph_is_full_at_its_limit_of_descriptors);
    tcase_add_test(limited, stream_that_a_full_graph_does_not_take_stays_free);
    TCase *limits = new_case("limits", setup, teardown);
    tcase_add_test(limits, graph_holds_32768_descriptors_by_default);
    return run_cases("graph", begins, modes, events, b310, training, limited, limits, NULL);
}
