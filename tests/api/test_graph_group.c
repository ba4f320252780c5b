/* SPDX-License-Identifier: Apache-2.0 */
/* Task groups of captured graphs, and what a program says of its tasks. */
#include <stdio.h>
#include <unistd.h>

#include "graphs.h"

/* --- task groups ------------------------------------------------------------------------------------------------- */

/* A graph of one copy and one set in a group, between two other sets. */
static aclmdlRI with_group(aclrtTaskGrp *group)
{
    begin_capture();
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device + 64, 64, fx.pinned, 64, H2D, fx.stream));
    set_bytes(128, 2, fx.stream);
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, group));
    set_bytes(192, 3, fx.stream);
    return end_capture();
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
    run_graph(graph);
    assert_bytes(64, 0x11);
    assert_bytes(128, 2);
    ASSERT_OK(aclrtMemset(fx.device, 256, POISON, 256));
    give(group, fx.pinned2, 4);
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_bytes(64, POISON); /* nothing has run */
    run_graph(graph);
    assert_bytes(0, 1);
    assert_bytes(64, 0x22);
    assert_bytes(128, 4);
    assert_bytes(192, 3);
    give(group, fx.pinned, 5); /* any number of times */
    run_graph(graph);
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
    run_graph(graph);
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
    begin_capture();
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(block, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    aclmdlRI graph = end_capture();
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
    begin_capture();
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
    run_graph(graph); /* on another stream all is as ever, and synchronous calls are allowed */
    assert_bytes(128, 2);
    ASSERT_CODE(E_UPDATE_FAILED, aclmdlRICaptureTaskUpdateEnd(other)); /* nothing was given */
    ASSERT_OK(aclrtSynchronizeStream(other));
    begin_capture();
    ASSERT_CODE(E_STREAM_CAPTURED, aclmdlRICaptureTaskUpdateBegin(fx.stream, group));
    ASSERT_CODE(E_GROUP_STATUS, aclmdlRICaptureTaskUpdateEnd(fx.stream));
    ASSERT_OK(aclmdlRIDestroy(end_capture()));
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
    run_graph(graph);
    assert_bytes(0, 1);
    assert_bytes(128, 9);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(what_is_given_counts_against_the_descriptors)
{
    aclrtTaskGrp group;
    begin_capture();
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 8, H2D, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    aclmdlRI graph = end_capture();
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 32769, H2D, other));
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, aclmdlRICaptureTaskUpdateEnd(other));
    memset(fx.pinned, 7, FIXTURE_BYTES);
    run_graph(graph);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 8, 7));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 8, 1, POISON));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 32768, H2D, other));
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
    run_graph(graph);
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
    run_graph(graph);
    assert_bytes(128, 2);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(the_last_change_of_a_task_counts)
{
    aclrtTaskGrp group;
    begin_capture();
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(aclrtValueWrite(fx.device, 1, 0, fx.stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    aclmdlRI graph = end_capture();
    aclmdlRITask task = task_of(graph, 0);
    aclmdlRITaskParams params = params_of(task);
    params.valueWriteTaskParams.value = 2;
    ASSERT_OK(aclmdlRITaskSetParams(task, &params));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(other, group));
    ASSERT_OK(aclrtValueWrite(fx.device, 3, 0, other));
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(other));
    ck_assert_uint_eq(params_of(task).valueWriteTaskParams.value, 3);
    ASSERT_OK(aclmdlRIUpdate(graph));
    run_graph(graph);
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
    begin_capture();
    ASSERT_CODE(E_NOT_CAPTURED, aclrtCacheLastTaskOpInfo("abcd", 4));
    set_bytes(0, 1, fx.stream);
    ASSERT_OK(aclrtCacheLastTaskOpInfo("1234567", 7));
    ASSERT_OK(aclrtCacheLastTaskOpInfo("abcd", 4));
    ASSERT_OK(aclrtCacheLastTaskExtendInfo("a comment of mine", 12));
    set_bytes(64, 1, fx.stream);
    aclmdlRI graph = end_capture();
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
    TCase *groups = new_case("groups", graphs_open, graphs_close);
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
    TCase *information = new_case("information", graphs_open, graphs_close);
    tcase_add_test(information, information_is_kept_with_the_last_captured_task);
    return run_cases("graph groups", groups, information, NULL);
}
