/* SPDX-License-Identifier: Apache-2.0 */
/* The streams and tasks of captured graphs, and changes of tasks: parameters, task groups. */
#include <pacl/kernel.h>
#include <stdio.h>
#include <unistd.h>

#include "support.h"

enum {
    E_STREAM_MODEL = 107005,
    E_STREAM_CAPTURED = 107027,
    E_NOT_CAPTURED = 107029,
    E_GROUP_STATUS = 107033,
    E_MODEL_RUNNING = 107037,
    E_TOO_SHORT = 107039,
    E_UPDATE_FAILED = 107040,
    E_INVALIDATED = 507903,
};

static aclrtStream side, other;
static aclrtEvent event, back;

static void setup(void)
{
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&side));
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
}

static void teardown(void)
{
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtDestroyEvent(back));
    ASSERT_OK(aclrtDestroyStream(side));
    ASSERT_OK(aclrtDestroyStream(other));
    fixture_close();
}

static void begin(void)
{
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
}

static aclmdlRI end(void)
{
    aclmdlRI graph = NULL;
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    return graph;
}

static void run(aclmdlRI graph)
{
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}

static void set_bytes(size_t offset, int value, aclrtStream stream)
{
    ASSERT_OK(aclrtMemsetAsync(fx.device + offset, 64, value, 64, stream));
}

static void assert_bytes(size_t offset, uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + offset, 64, value));
}

static void assert_cell(size_t offset, uint64_t value)
{
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + offset, &value, sizeof value));
}

static void set_cell(size_t offset, uint64_t value)
{
    upload(fx.device + offset, &value, sizeof value);
}

/* The task with a number, of a graph with one stream. */
static aclmdlRITask task_of(aclmdlRI graph, uint32_t number)
{
    aclrtStream stream;
    uint32_t streams = 1, tasks = 64;
    aclmdlRITask all[64];
    ASSERT_OK(aclmdlRIGetStreams(graph, &stream, &streams));
    ASSERT_OK(aclmdlRIGetTasksByStream(stream, all, &tasks));
    ck_assert_uint_lt(number, tasks);
    return all[number];
}

static aclmdlRITaskParams params_of(aclmdlRITask task)
{
    aclmdlRITaskParams params;
    memset(&params, 0xFF, sizeof params);
    ASSERT_OK(aclmdlRITaskGetParams(task, &params));
    return params;
}

/* --- lists ------------------------------------------------------------------------------------------------------- */

static void assert_type(aclmdlRITask task, aclmdlRITaskType want)
{
    aclmdlRITaskType type = (aclmdlRITaskType)99;
    ASSERT_OK(aclmdlRITaskGetType(task, &type));
    ck_assert_int_eq(type, want);
}

static void assert_number(aclmdlRITask task, uint32_t want)
{
    uint32_t id = 99;
    ASSERT_OK(aclmdlRITaskGetSeqId(task, &id));
    ck_assert_uint_eq(id, want);
}

/* Two streams: record, value write, copy, wait; wait, set, record. */
static aclmdlRI two_streams(void)
{
    begin();
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));                                   /* 0 */
    ASSERT_OK(aclrtStreamWaitEvent(side, event));                                    /* 1 */
    ASSERT_OK(aclrtValueWrite(fx.device, 1, 0, fx.stream));                          /* 2 */
    set_bytes(64, 2, side);                                                          /* 3 */
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 128, 64, fx.pinned, 64, H2D, fx.stream)); /* 4 */
    ASSERT_OK(aclrtRecordEvent(back, side));                                         /* 5 */
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, back));                                /* 6 */
    return end();
}

START_TEST(streams_and_tasks_are_listed)
{
    static const aclmdlRITaskType types[2][4] = {
        { ACL_MODEL_RI_TASK_EVENT_RECORD, ACL_MODEL_RI_TASK_VALUE_WRITE, ACL_MODEL_RI_TASK_DEFAULT,
          ACL_MODEL_RI_TASK_EVENT_WAIT },
        { ACL_MODEL_RI_TASK_EVENT_WAIT, ACL_MODEL_RI_TASK_DEFAULT, ACL_MODEL_RI_TASK_EVENT_RECORD },
    };
    static const uint32_t numbers[2][4] = { { 0, 2, 4, 6 }, { 1, 3, 5 } }, counts[2] = { 4, 3 };
    aclmdlRI graph = two_streams();
    aclrtStream streams[3] = { 0 }, again[2];
    uint32_t count = 77;
    ASSERT_OK(aclmdlRIGetStreams(graph, NULL, &count));
    ck_assert_uint_eq(count, 2);
    count = 3;
    ASSERT_OK(aclmdlRIGetStreams(graph, streams, &count));
    ck_assert_uint_eq(count, 2);
    ck_assert_ptr_nonnull(streams[0]);
    ck_assert_ptr_nonnull(streams[1]);
    ck_assert_ptr_ne(streams[0], streams[1]);
    ck_assert_ptr_null(streams[2]);
    ASSERT_OK(aclmdlRIGetStreams(graph, again, &count));
    ck_assert_ptr_eq(again[1], streams[1]);
    for (int s = 0; s < 2; s++) {
        aclmdlRITask tasks[8] = { 0 };
        count = 0;
        ASSERT_OK(aclmdlRIGetTasksByStream(streams[s], NULL, &count));
        ck_assert_uint_eq(count, counts[s]);
        count = 8;
        ASSERT_OK(aclmdlRIGetTasksByStream(streams[s], tasks, &count));
        ck_assert_uint_eq(count, counts[s]);
        ck_assert_ptr_null(tasks[count]);
        for (uint32_t i = 0; i < count; i++) {
            assert_type(tasks[i], types[s][i]);
            assert_number(tasks[i], numbers[s][i]);
        }
    }
    run(graph); /* and it still runs */
    assert_cell(0, 1);
    assert_bytes(64, 2);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(lists_that_are_refused_change_nothing)
{
    aclmdlRI graph = two_streams();
    aclrtStream streams[2] = { 0 };
    aclmdlRITask tasks[4] = { 0 };
    uint32_t count = 1;
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIGetStreams(NULL, streams, &count));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIGetStreams(graph, streams, NULL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIGetStreams(fx.stream, streams, &count));
    ASSERT_CODE(E_TOO_SHORT, aclmdlRIGetStreams(graph, streams, &count));
    ASSERT_MESSAGE_NAMES("numStreams 1", "2");
    ck_assert_uint_eq(count, 1);
    ck_assert_ptr_null(streams[0]);
    count = 2;
    ASSERT_OK(aclmdlRIGetStreams(graph, streams, &count));
    count = 3;
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIGetTasksByStream(NULL, tasks, &count));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIGetTasksByStream(streams[0], tasks, NULL));
    ASSERT_CODE(E_STREAM_MODEL, aclmdlRIGetTasksByStream(fx.stream, tasks, &count));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIGetTasksByStream(graph, tasks, &count));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIGetTasksByStream((aclrtStream)&count, tasks, &count));
    ASSERT_CODE(E_TOO_SHORT, aclmdlRIGetTasksByStream(streams[0], tasks, &count));
    ck_assert_uint_eq(count, 3);
    ck_assert_ptr_null(tasks[0]);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(handles_of_parts_are_no_others)
{
    aclmdlRI graph = two_streams();
    aclrtStream streams[2];
    aclmdlRITask tasks[4];
    uint32_t count = 2;
    aclmdlRITaskType type;
    ASSERT_OK(aclmdlRIGetStreams(graph, streams, &count));
    count = 4;
    ASSERT_OK(aclmdlRIGetTasksByStream(streams[0], tasks, &count));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(streams[0]));
    ASSERT_MESSAGE_NAMES("a stream, task or task group of a graph");
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyStream(streams[0]));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskGetType(streams[0], &type));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIGetTasksByStream(tasks[0], tasks, &count));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateBegin(other, tasks[0]));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(null_and_stale_tasks)
{
    aclmdlRI graph = two_streams();
    aclrtStream streams[2];
    aclmdlRITask tasks[4];
    uint32_t count = 2, id;
    aclmdlRITaskType type;
    ASSERT_OK(aclmdlRIGetStreams(graph, streams, &count));
    count = 4;
    ASSERT_OK(aclmdlRIGetTasksByStream(streams[0], tasks, &count));
    aclmdlRITaskParams params = params_of(tasks[1]);
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskGetType(NULL, &type));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskGetType(tasks[1], NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskGetSeqId(NULL, &id));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskGetSeqId(tasks[1], NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskGetParams(NULL, &params));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskGetParams(tasks[1], NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskSetParams(NULL, &params));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskSetParams(tasks[1], NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskDisable(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIUpdate(NULL));
    ASSERT_OK(aclmdlRITaskSetParams(tasks[1], &params)); /* staged when the graph goes */
    ASSERT_OK(aclmdlRIDestroy(graph));
    aclmdlRI next = two_streams(); /* takes the slots again */
    ASSERT_OK(aclmdlRIGetStreams(next, NULL, &count));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIGetTasksByStream(streams[0], NULL, &count));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskGetType(tasks[1], &type));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskGetSeqId(tasks[1], &id));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskGetParams(tasks[1], &params));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskSetParams(tasks[1], &params));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskDisable(tasks[1]));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIUpdate(graph));
    ASSERT_OK(aclmdlRIDestroy(next));
}
END_TEST

/* --- parameters -------------------------------------------------------------------------------------------------- */

START_TEST(a_value_write_is_changed)
{
    begin();
    ASSERT_OK(aclrtValueWrite(fx.device, 5, 0, fx.stream));
    aclmdlRI graph = end();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    ck_assert_int_eq(params.type, ACL_MODEL_RI_TASK_VALUE_WRITE);
    ck_assert_ptr_eq(params.valueWriteTaskParams.devAddr, fx.device);
    ck_assert_uint_eq(params.valueWriteTaskParams.value, 5);
    ck_assert_ptr_null(params.taskGrp);
    ck_assert_ptr_null(params.opInfoPtr);
    params.valueWriteTaskParams.devAddr = fx.device + 64;
    params.valueWriteTaskParams.value = 6;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    params = params_of(task); /* what was set last */
    ck_assert_uint_eq(params.valueWriteTaskParams.value, 6);
    set_cell(0, 0);
    set_cell(64, 0);
    run(graph);
    assert_cell(0, 5);
    assert_cell(64, 0);
    ASSERT_OK(aclmdlRIUpdate(graph));
    set_cell(0, 0);
    run(graph);
    assert_cell(0, 0);
    assert_cell(64, 6);
    params.valueWriteTaskParams.value = 7;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    params.valueWriteTaskParams.value = 8; /* the last one counts */
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    ASSERT_OK(aclmdlRIUpdate(graph)); /* nothing to do */
    run(graph);
    assert_cell(64, 8);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(a_value_wait_is_changed)
{
    begin();
    ASSERT_OK(aclrtValueWait(fx.device, 5, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    set_bytes(64, 3, fx.stream);
    aclmdlRI graph = end();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    ck_assert_int_eq(params.type, ACL_MODEL_RI_TASK_VALUE_WAIT);
    ck_assert_ptr_eq(params.valueWaitTaskParams.devAddr, fx.device);
    ck_assert_uint_eq(params.valueWaitTaskParams.value, 5);
    ck_assert_uint_eq(params.valueWaitTaskParams.flag, ACL_STREAM_WAIT_VALUE_EQ);
    params.valueWaitTaskParams.value = 4;
    params.valueWaitTaskParams.flag = ACL_STREAM_WAIT_VALUE_GEQ;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    set_cell(0, 9); /* the first form would wait for ever */
    run(graph);
    assert_bytes(64, 3);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(parameters_that_are_refused)
{
    begin();
    ASSERT_OK(aclrtValueWait(fx.device, 0, ACL_STREAM_WAIT_VALUE_GEQ, fx.stream));
    set_bytes(64, 3, fx.stream);
    aclmdlRI graph = end();
    aclmdlRITask wait = task_of(graph, 0), set = task_of(graph, 1);
    const aclmdlRITaskParams good = params_of(wait);
    aclmdlRITaskParams params = good;
    params.type = ACL_MODEL_RI_TASK_VALUE_WRITE;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(wait, &params));
    params = good;
    params.valueWaitTaskParams.devAddr = NULL;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(wait, &params));
    params.valueWaitTaskParams.devAddr = fx.device + 4;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(wait, &params));
    params.valueWaitTaskParams.devAddr = fx.pinned;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(wait, &params));
    params = good;
    params.valueWaitTaskParams.flag = 4;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(wait, &params));
    params = params_of(set);
    ck_assert_int_eq(params.type, ACL_MODEL_RI_TASK_DEFAULT);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskSetParams(set, &params));
    ASSERT_MESSAGE_NAMES("aclmdlRICaptureTaskGrpBegin");
    params = params_of(wait);
    ck_assert_mem_eq(&params, &good, sizeof good);
    ASSERT_OK(aclmdlRIUpdate(graph));
    set_cell(0, 1);
    run(graph);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(tasks_are_disabled_and_enabled_again)
{
    begin();
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclrtValueWrite(fx.device + 64, 5, 0, fx.stream));
    aclmdlRI graph = end();
    aclmdlRITask set = task_of(graph, 0), write = task_of(graph, 1);
    aclmdlRITaskParams params = params_of(write);
    ASSERT_OK(aclmdlRITaskDisable(set));
    ASSERT_OK(aclmdlRITaskDisable(write));
    set_cell(64, 0);
    run(graph);
    assert_bytes(0, 1); /* not before the update */
    assert_cell(64, 5);
    ASSERT_OK(aclmdlRIUpdate(graph));
    ASSERT_OK(aclrtMemset(fx.device, 128, POISON, 128));
    set_cell(64, 0);
    run(graph);
    assert_bytes(0, POISON);
    assert_cell(64, 0);
    ASSERT_OK(aclmdlRITaskSetParams(write, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    run(graph);
    assert_bytes(0, POISON);
    assert_cell(64, 5);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(events_between_the_streams_stay)
{
    aclmdlRI graph = two_streams();
    aclrtStream streams[2];
    aclmdlRITask tasks[4];
    uint32_t count = 2;
    ASSERT_OK(aclmdlRIGetStreams(graph, streams, &count));
    count = 4;
    ASSERT_OK(aclmdlRIGetTasksByStream(streams[0], tasks, &count));
    aclmdlRITaskParams params = params_of(tasks[0]);
    ck_assert_int_eq(params.type, ACL_MODEL_RI_TASK_EVENT_RECORD);
    ck_assert_ptr_eq(params.eventRecordTaskParams.event, event);
    ck_assert_uint_eq(params.eventRecordTaskParams.eventFlag, ACL_EVENT_SYNC);
    ck_assert_uint_eq(params.eventRecordTaskParams.recordFlag, 0);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskSetParams(tasks[0], &params));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskDisable(tasks[0]));
    params = params_of(tasks[3]);
    ck_assert_ptr_eq(params.eventWaitTaskParams.event, back);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskDisable(tasks[3]));
    ASSERT_OK(aclmdlRIUpdate(graph));
    run(graph);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* A graph that awaits `event` and records `back`, for others to see. */
static aclmdlRI external_events(void)
{
    begin();
    ASSERT_OK(aclrtStreamWaitEventWithFlag(fx.stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclrtRecordEventWithFlag(back, fx.stream, ACL_EVENT_RECORD_EXTERNAL));
    return end();
}

START_TEST(external_events_are_changed)
{
    struct gate gate;
    aclrtEvent awaited, recorded;
    aclrtEventRecordedStatus status;
    ASSERT_OK(aclrtCreateEventExWithFlag(&awaited, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateEventExWithFlag(&recorded, ACL_EVENT_SYNC));
    aclmdlRI graph = external_events();
    aclmdlRITask wait = task_of(graph, 0), record = task_of(graph, 2);
    aclmdlRITaskParams params = params_of(wait);
    ck_assert_ptr_eq(params.eventWaitTaskParams.event, event);
    ck_assert_uint_eq(params.eventWaitTaskParams.waitFlag, ACL_EVENT_WAIT_EXTERNAL);
    params.eventWaitTaskParams.event = awaited;
    ASSERT_OK(aclmdlRITaskSetParams(wait, &params));
    params = params_of(record);
    params.eventRecordTaskParams.event = recorded;
    ASSERT_OK(aclmdlRITaskSetParams(record, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    gate_close(&gate, other);
    ASSERT_OK(aclrtRecordEvent(awaited, other));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtQueryEventStatus(recorded, &status));
    ck_assert_int_eq(status, ACL_EVENT_RECORDED_STATUS_NOT_READY); /* promised, behind the wait */
    ASSERT_OK(aclrtDestroyEvent(awaited));                         /* the graph has it still */
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeEvent(recorded));
    assert_bytes(0, 1);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtDestroyEvent(recorded));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(external_events_are_disabled)
{
    struct gate gate;
    aclmdlRI graph = external_events();
    ASSERT_OK(aclmdlRITaskDisable(task_of(graph, 0)));
    ASSERT_OK(aclmdlRITaskDisable(task_of(graph, 2)));
    ASSERT_OK(aclmdlRIUpdate(graph));
    gate_close(&gate, other);
    ASSERT_OK(aclrtRecordEvent(event, other));
    run(graph); /* does not wait */
    assert_bytes(0, 1);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(events_that_are_refused)
{
    aclrtEvent plain, quiet;
    aclmdlRI graph = external_events();
    aclmdlRITask wait = task_of(graph, 0);
    const aclmdlRITaskParams good = params_of(wait);
    aclmdlRITaskParams params = good;
    ASSERT_OK(aclrtCreateEvent(&plain));
    ASSERT_OK(aclrtCreateEventExWithFlag(&quiet, ACL_EVENT_TIME_LINE));
    params.eventWaitTaskParams.event = plain;
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskSetParams(wait, &params));
    params.eventWaitTaskParams.event = quiet; /* no stream can wait for it */
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskSetParams(wait, &params));
    params.eventWaitTaskParams.event = NULL;
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRITaskSetParams(wait, &params));
    params.eventWaitTaskParams.event = fx.stream;
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRITaskSetParams(wait, &params));
    params = good;
    params.eventWaitTaskParams.waitFlag = 0;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(wait, &params));
    ASSERT_OK(aclrtDestroyEvent(plain));
    ASSERT_OK(aclrtDestroyEvent(quiet));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

static int fill(const void *arguments, uint32_t block, uint32_t blocks)
{
    const uint8_t value = *(const uint8_t *)arguments;
    (void)blocks;
    memset((uint8_t *)pacl_kernel_view(fx.device) + 64 * block, value, 64);
    return 0;
}

static int fill_twice(const void *arguments, uint32_t block, uint32_t blocks)
{
    const uint8_t value = (uint8_t)(2 * *(const uint8_t *)arguments);
    return fill(&value, block, blocks);
}

START_TEST(a_function_in_place_of_a_kernel_is_changed)
{
    const uint8_t one = 1, two = 2;
    const struct pacl_kernel_access access = { fx.device, 128, 128, 1, 1 };
    int (*function)(const void *, uint32_t, uint32_t) = fill_twice;
    begin();
    ASSERT_OK(pacl_kernel_launch(fill, 1, &one, 1, &access, 1, fx.stream));
    aclmdlRI graph = end();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    ck_assert_int_eq(params.type, ACL_MODEL_RI_TASK_KERNEL);
    ck_assert_uint_eq(params.kernelTaskParams.numBlocks, 1);
    ck_assert_uint_eq(params.kernelTaskParams.argsSize, 1);
    ck_assert_uint_eq(*(const uint8_t *)params.kernelTaskParams.args, 1);
    run(graph);
    assert_bytes(0, 1);
    assert_bytes(64, POISON);
    params.kernelTaskParams.args = (void *)(uintptr_t)&two;
    params.kernelTaskParams.numBlocks = 2;
    memcpy(&params.kernelTaskParams.funcHandle, &function, sizeof function);
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    run(graph);
    assert_bytes(0, 4);
    assert_bytes(64, 4);
    const aclmdlRITaskParams good = params;
    params.kernelTaskParams.numBlocks = 0;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(task, &params));
    params = good;
    params.kernelTaskParams.argsSize = PACL_KERNEL_ARGUMENTS_MAX + 1;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(task, &params));
    params = good;
    params.kernelTaskParams.funcHandle = NULL;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRITaskSetParams(task, &params));
    params = good;
    params.kernelTaskParams.isHostArgs = 0;
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(an_update_waits_for_no_execution)
{
    struct gate gate;
    begin();
    ASSERT_OK(aclrtValueWrite(fx.device, 5, 0, fx.stream));
    aclmdlRI graph = end();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    params.valueWriteTaskParams.value = 6;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_CODE(E_MODEL_RUNNING, aclmdlRIUpdate(graph));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_cell(0, 5);
    ASSERT_OK(aclmdlRIUpdate(graph)); /* what was set is still there */
    run(graph);
    assert_cell(0, 6);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* --- task groups ------------------------------------------------------------------------------------------------- */

/* A graph of one copy and one set in a group, between two other sets. */
static aclmdlRI with_group(aclrtTaskGrp *group)
{
    begin();
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, fx.pinned, 64, H2D, fx.stream));
    set_bytes(128, 2, fx.stream);
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, group));
    set_bytes(192, 3, fx.stream);
    return end();
}

static void give(aclrtTaskGrp group, const uint8_t *source, int value)
{
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, source, 64, H2D, other));
    set_bytes(128, value, other);
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
}

START_TEST(the_tasks_of_a_group_are_given_anew)
{
    aclrtTaskGrp group = NULL;
    aclmdlRI graph = with_group(&group);
    ck_assert_ptr_nonnull(group);
    ck_assert_ptr_null(params_of(task_of(graph, 0)).taskGrp);
    ck_assert_ptr_eq(params_of(task_of(graph, 1)).taskGrp, group);
    ck_assert_ptr_eq(params_of(task_of(graph, 2)).taskGrp, group);
    ck_assert_ptr_null(params_of(task_of(graph, 3)).taskGrp);
    memset(fx.pinned, 0x11, 64);
    memset(fx.pinned2, 0x22, 64);
    run(graph);
    assert_bytes(64, 0x11);
    assert_bytes(128, 2);
    ASSERT_OK(aclrtMemset(fx.device, 256, POISON, 256));
    give(group, fx.pinned2, 4);
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_bytes(64, POISON); /* nothing has run */
    run(graph);
    assert_bytes(0, 1);
    assert_bytes(64, 0x22);
    assert_bytes(128, 4);
    assert_bytes(192, 3);
    give(group, fx.pinned, 5); /* any number of times */
    run(graph);
    assert_bytes(64, 0x11);
    assert_bytes(128, 5);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

static void note_bytes(void *argument)
{
    memcpy(argument, fx.pinned2 + 256, 64);
}

START_TEST(an_execution_runs_the_tasks_as_they_were_when_it_was_queued)
{
    struct gate gate;
    aclrtTaskGrp group;
    uint8_t seen[3][64];
    aclmdlRI graph = with_group(&group);
    gate_close(&gate, fx.stream);
    for (int i = 0; i < 3; i++) {
        give(group, fx.pinned, 10 + i);
        ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
        ASSERT_OK(aclrtMemcpyAsync(fx.pinned2 + 256, 64, fx.device + 128, 64, D2H, fx.stream));
        ASSERT_OK(aclrtLaunchHostFunc(fx.stream, note_bytes, seen[i]));
    }
    give(group, fx.pinned, 20);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    for (int i = 0; i < 3; i++)
        ASSERT_ALL_BYTES(seen[i], 64, (uint8_t)(10 + i));
    run(graph);
    assert_bytes(128, 20);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* Whether the address is given out again: nobody holds the freed block that was there. */
static bool is_given_again(void *address, size_t bytes)
{
    void *blocks[16];
    bool found = false;
    for (int i = 0; i < 16; i++) {
        ASSERT_OK(aclrtMalloc(&blocks[i], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        found = found || blocks[i] == address;
    }
    for (int i = 0; i < 16; i++)
        ASSERT_OK(aclrtFree(blocks[i]));
    return found;
}

START_TEST(memory_that_a_replaced_task_names_is_let_go)
{
    enum { BLOCK = 4 << 20 };
    struct gate gate;
    aclrtTaskGrp group;
    void *block;
    ASSERT_OK(aclrtMalloc(&block, BLOCK, ACL_MEM_MALLOC_HUGE_FIRST));
    begin();
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(block, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    aclmdlRI graph = end();
    ASSERT_OK(aclrtFree(block));
    ck_assert(!is_given_again(block, BLOCK)); /* the graph has it */
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, other));
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
    ck_assert(!is_given_again(block, BLOCK)); /* an execution has it */
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert(is_given_again(block, BLOCK));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(groups_on_streams_in_the_wrong_state)
{
    aclrtTaskGrp group = NULL;
    aclmdlRI graph = NULL;
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureTaskGrpBegin(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureTaskGrpEnd(NULL, &group));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureTaskGrpEnd(fx.stream, NULL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskGrpBegin(event));
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    begin();
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskUpdateBegin(other, group)); /* not captured yet */
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureEnd(fx.stream, &graph)); /* the capture is over */
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_ptr_null(graph);
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateBegin(other, group));
}
END_TEST

START_TEST(groups_of_an_invalid_capture)
{
    aclrtTaskGrp group = NULL;
    aclmdlRI graph = NULL;
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_REFUSED(aclrtMemset(fx.device, 64, 1, 64));
    ASSERT_CODE(E_INVALIDATED, aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_CODE(E_INVALIDATED, aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    ASSERT_CODE(E_INVALIDATED, aclmdlRICaptureEnd(fx.stream, &graph));
}
END_TEST

START_TEST(updates_on_streams_in_the_wrong_state)
{
    aclrtTaskGrp group;
    aclmdlRI graph = with_group(&group), none = NULL;
    aclmdlRICaptureStatus status;
    aclrtContext context;
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureTaskUpdateBegin(NULL, group));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureTaskUpdateBegin(other, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRICaptureTaskUpdateEnd(NULL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateBegin(other, graph));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateBegin(event, group));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskUpdateEnd(other));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_CODE(E_STREAM_CAPTURED, aclmdlRICaptureBegin(other, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureEnd(other, &none));
    ASSERT_CODE(E_NOT_CAPTURED, aclmdlRICaptureTaskGrpBegin(other));
    ASSERT_OK(aclmdlRICaptureGetInfo(other, &status, &none));
    ck_assert_int_eq(status, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ck_assert_ptr_null(none);
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtSynchronizeStream(other));
    ASSERT_CODE(E_STREAM_CAPTURED, aclrtDestroyStream(other));
    ASSERT_CODE(E_STREAM_CAPTURED, aclmdlRIExecuteAsync(graph, other));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtRecordEvent(event, other));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtStreamWaitEvent(other, event));
    run(graph); /* on another stream all is as ever, and synchronous calls are allowed */
    assert_bytes(128, 2);
    ASSERT_CODE(E_UPDATE_FAILED, aclmdlRICaptureTaskUpdateEnd(other)); /* nothing was given */
    ASSERT_OK(aclrtSynchronizeStream(other));
    begin();
    ASSERT_CODE(E_STREAM_CAPTURED, aclmdlRICaptureTaskUpdateBegin(fx.stream, group));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskUpdateEnd(fx.stream));
    ASSERT_OK(aclmdlRIDestroy(end()));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(tasks_that_do_not_fit_their_group)
{
    aclrtTaskGrp group;
    aclmdlRI graph = with_group(&group);
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_CODE(E_UPDATE_FAILED, aclrtMemsetAsync(fx.device, 64, 9, 64, other)); /* the first is a copy */
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync");
    ASSERT_CODE(E_RT_PARAM_INVALID,
                aclrtMemcpyAsync(fx.device + 64, 64, fx.pageable, 64, H2D, other)); /* as in a capture */
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, fx.pinned, 64, H2D, other));
    ASSERT_CODE(E_UPDATE_FAILED, aclmdlRICaptureTaskUpdateEnd(other));
    ASSERT_MESSAGE_NAMES("2 task(s)", "1 were given");
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, fx.pinned, 64, H2D, other));
    set_bytes(128, 9, other);
    ASSERT_CODE(E_UPDATE_FAILED, aclrtMemsetAsync(fx.device, 64, 9, 64, other)); /* one too many */
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
    run(graph);
    assert_bytes(0, 1);
    assert_bytes(128, 9);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(what_is_given_counts_against_the_descriptors)
{
    aclrtTaskGrp group;
    begin();
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 8, H2D, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 32769, H2D, other));
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, aclmdlRICaptureTaskUpdateEnd(other));
    memset(fx.pinned, 7, FIXTURE_BYTES);
    run(graph);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 8, 7));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 8, 1, POISON));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 32768, H2D, other));
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
    run(graph);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 32768, 7));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(a_graph_or_stream_that_goes_during_an_update)
{
    aclrtTaskGrp group;
    aclmdlRI graph = with_group(&group);
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, fx.pinned, 64, H2D, other));
    set_bytes(128, 9, other);
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateEnd(other));
    graph = with_group(&group);
    aclrtStream gone;
    aclrtContext context;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&gone));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(gone, group));
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, fx.pinned, 64, H2D, gone));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateEnd(gone));
    run(graph);
    assert_bytes(128, 2);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(the_last_change_of_a_task_counts)
{
    aclrtTaskGrp group;
    begin();
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtValueWrite(fx.device, 1, 0, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    aclmdlRI graph = end();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    params.valueWriteTaskParams.value = 2;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtValueWrite(fx.device, 3, 0, other));
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
    ck_assert_uint_eq(params_of(task).valueWriteTaskParams.value, 3);
    ASSERT_OK(aclmdlRIUpdate(graph));
    run(graph);
    assert_cell(0, 3);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* --- what a program says of its tasks ---------------------------------------------------------------------------- */

START_TEST(information_is_kept_with_the_last_captured_task)
{
    char path[64];
    ASSERT_CODE(E_INVALID_PARAM, aclrtCacheLastTaskOpInfo(NULL, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCacheLastTaskOpInfo("abcd", 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCacheLastTaskExtendInfo(NULL, 4));
    ASSERT_CODE(E_NOT_CAPTURED, aclrtCacheLastTaskOpInfo("abcd", 4));
    begin();
    ASSERT_CODE(E_NOT_CAPTURED, aclrtCacheLastTaskOpInfo("abcd", 4));
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclrtCacheLastTaskOpInfo("1234567", 7));
    ASSERT_OK(aclrtCacheLastTaskOpInfo("abcd", 4));
    ASSERT_OK(aclrtCacheLastTaskExtendInfo("a comment of mine", 12));
    set_bytes(64, 1, fx.stream);
    aclmdlRI graph = end();
    ASSERT_CODE(E_NOT_CAPTURED, aclrtCacheLastTaskOpInfo("abcd", 4));
    aclmdlRITaskParams params = params_of(task_of(graph, 0));
    ck_assert_uint_eq(params.opInfoSize, 4);
    ck_assert_mem_eq(params.opInfoPtr, "abcd", 4);
    params = params_of(task_of(graph, 1));
    ck_assert_ptr_null(params.opInfoPtr);
    snprintf(path, sizeof path, "/tmp/graph.%d.json", (int)getpid());
    ASSERT_OK(aclmdlRIDebugJsonPrint(graph, path, 0));
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    char text[2048] = "";
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    ASSERT_OK(unlink(path));
    ck_assert_ptr_nonnull(strstr(text, "\"a comment of\""));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

int main(void)
{
    TCase *lists = new_case("lists", setup, teardown);
    tcase_add_test(lists, streams_and_tasks_are_listed);
    tcase_add_test(lists, lists_that_are_refused_change_nothing);
    tcase_add_test(lists, handles_of_parts_are_no_others);
    tcase_add_test(lists, null_and_stale_tasks);
    TCase *parameters = new_case("parameters", setup, teardown);
    tcase_add_test(parameters, a_value_write_is_changed);
    tcase_add_test(parameters, a_value_wait_is_changed);
    tcase_add_test(parameters, parameters_that_are_refused);
    tcase_add_test(parameters, tasks_are_disabled_and_enabled_again);
    tcase_add_test(parameters, events_between_the_streams_stay);
    tcase_add_test(parameters, external_events_are_changed);
    tcase_add_test(parameters, external_events_are_disabled);
    tcase_add_test(parameters, events_that_are_refused);
    tcase_add_test(parameters, a_function_in_place_of_a_kernel_is_changed);
    tcase_add_test(parameters, an_update_waits_for_no_execution);
    TCase *groups = new_case("groups", setup, teardown);
    tcase_add_test(groups, the_tasks_of_a_group_are_given_anew);
    tcase_add_test(groups, an_execution_runs_the_tasks_as_they_were_when_it_was_queued);
    tcase_add_test(groups, memory_that_a_replaced_task_names_is_let_go);
    tcase_add_test(groups, groups_on_streams_in_the_wrong_state);
    tcase_add_test(groups, groups_of_an_invalid_capture);
    tcase_add_test(groups, updates_on_streams_in_the_wrong_state);
    tcase_add_test(groups, tasks_that_do_not_fit_their_group);
    tcase_add_test(groups, what_is_given_counts_against_the_descriptors);
    tcase_add_test(groups, a_graph_or_stream_that_goes_during_an_update);
    tcase_add_test(groups, the_last_change_of_a_task_counts);
    TCase *information = new_case("information", setup, teardown);
    tcase_add_test(information, information_is_kept_with_the_last_captured_task);
    return run_cases("graph tasks", lists, parameters, groups, information, NULL);
}
