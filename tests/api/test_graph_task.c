/* SPDX-License-Identifier: Apache-2.0 */
/* The streams and tasks of captured graphs, and changes of tasks by parameters. */
#include <pacl/kernel.h>
#include <stdio.h>

#include "graphs.h"

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
    begin_capture();
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));                                   /* 0 */
    ASSERT_OK(aclrtStreamWaitEvent(side, event));                                    /* 1 */
    ASSERT_OK(aclrtValueWrite(fx.device, 1, 0, fx.stream));                          /* 2 */
    set_bytes(64, 2, side);                                                          /* 3 */
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 128, 64, fx.pinned, 64, H2D, fx.stream)); /* 4 */
    ASSERT_OK(aclrtRecordEvent(back, side));                                         /* 5 */
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, back));                                /* 6 */
    return end_capture();
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
    run_graph(graph); /* and it still runs */
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
    begin_capture();
    ASSERT_OK(aclrtValueWrite(fx.device, 5, 0, fx.stream));
    aclmdlRI graph = end_capture();
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
    run_graph(graph);
    assert_cell(0, 5);
    assert_cell(64, 0);
    ASSERT_OK(aclmdlRIUpdate(graph));
    set_cell(0, 0);
    run_graph(graph);
    assert_cell(0, 0);
    assert_cell(64, 6);
    params.valueWriteTaskParams.value = 7;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    params.valueWriteTaskParams.value = 8; /* the last one counts */
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    ASSERT_OK(aclmdlRIUpdate(graph)); /* nothing to do */
    run_graph(graph);
    assert_cell(64, 8);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(a_value_wait_is_changed)
{
    begin_capture();
    ASSERT_OK(aclrtValueWait(fx.device, 5, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    set_bytes(64, 3, fx.stream);
    aclmdlRI graph = end_capture();
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
    run_graph(graph);
    assert_bytes(64, 3);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(parameters_that_are_refused)
{
    begin_capture();
    ASSERT_OK(aclrtValueWait(fx.device, 0, ACL_STREAM_WAIT_VALUE_GEQ, fx.stream));
    set_bytes(64, 3, fx.stream);
    aclmdlRI graph = end_capture();
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
    run_graph(graph);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(tasks_are_disabled_and_enabled_again)
{
    begin_capture();
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclrtValueWrite(fx.device + 64, 5, 0, fx.stream));
    aclmdlRI graph = end_capture();
    aclmdlRITask set = task_of(graph, 0), write = task_of(graph, 1);
    aclmdlRITaskParams params = params_of(write);
    ASSERT_OK(aclmdlRITaskDisable(set));
    ASSERT_OK(aclmdlRITaskDisable(write));
    set_cell(64, 0);
    run_graph(graph);
    assert_bytes(0, 1); /* not before the update */
    assert_cell(64, 5);
    ASSERT_OK(aclmdlRIUpdate(graph));
    ASSERT_OK(aclrtMemset(fx.device, 128, POISON, 128));
    set_cell(64, 0);
    run_graph(graph);
    assert_bytes(0, POISON);
    assert_cell(64, 0);
    ASSERT_OK(aclmdlRITaskSetParams(write, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    run_graph(graph);
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
    run_graph(graph);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* A graph that awaits `event` and records `back`, for others to see. */
static aclmdlRI external_events(void)
{
    begin_capture();
    ASSERT_OK(aclrtStreamWaitEventWithFlag(fx.stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclrtRecordEventWithFlag(back, fx.stream, ACL_EVENT_RECORD_EXTERNAL));
    return end_capture();
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
    run_graph(graph); /* does not wait */
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
    begin_capture();
    ASSERT_OK(pacl_kernel_launch(fill, 1, &one, 1, &access, 1, fx.stream));
    aclmdlRI graph = end_capture();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    ck_assert_int_eq(params.type, ACL_MODEL_RI_TASK_KERNEL);
    ck_assert_uint_eq(params.kernelTaskParams.numBlocks, 1);
    ck_assert_uint_eq(params.kernelTaskParams.argsSize, 1);
    ck_assert_uint_eq(*(const uint8_t *)params.kernelTaskParams.args, 1);
    run_graph(graph);
    assert_bytes(0, 1);
    assert_bytes(64, POISON);
    params.kernelTaskParams.args = (void *)(uintptr_t)&two;
    params.kernelTaskParams.numBlocks = 2;
    memcpy(&params.kernelTaskParams.funcHandle, &function, sizeof function);
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRIUpdate(graph));
    run_graph(graph);
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
    begin_capture();
    ASSERT_OK(aclrtValueWrite(fx.device, 5, 0, fx.stream));
    aclmdlRI graph = end_capture();
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
    run_graph(graph);
    assert_cell(0, 6);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

int main(void)
{
    TCase *lists = new_case("lists", graphs_open, graphs_close);
    tcase_add_test(lists, streams_and_tasks_are_listed);
    tcase_add_test(lists, lists_that_are_refused_change_nothing);
    tcase_add_test(lists, handles_of_parts_are_no_others);
    tcase_add_test(lists, null_and_stale_tasks);
    TCase *parameters = new_case("parameters", graphs_open, graphs_close);
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
    return run_cases("graph tasks", lists, parameters, NULL);
}
