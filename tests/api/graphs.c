/* SPDX-License-Identifier: Apache-2.0 */
#include "graphs.h"

aclrtStream side, other;
aclrtEvent event, back;

void graphs_open(void)
{
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&side));
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
}

void graphs_close(void)
{
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtDestroyEvent(back));
    ASSERT_OK(aclrtDestroyStream(side));
    ASSERT_OK(aclrtDestroyStream(other));
    fixture_close();
}

void begin_capture(void)
{
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
}

aclmdlRI end_capture(void)
{
    aclmdlRI graph = NULL;
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    return graph;
}

void run_graph(aclmdlRI graph)
{
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}

void set_bytes(size_t offset, int value, aclrtStream stream)
{
    ASSERT_OK(aclrtMemsetAsync(fx.device + offset, 64, value, 64, stream));
}

void assert_bytes(size_t offset, uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + offset, 64, value));
}

void assert_cell(size_t offset, uint64_t value)
{
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + offset, &value, sizeof value));
}

void set_cell(size_t offset, uint64_t value)
{
    upload(fx.device + offset, &value, sizeof value);
}

aclmdlRITask task_of(aclmdlRI graph, uint32_t number)
{
    aclrtStream stream;
    uint32_t streams = 1, tasks = 64;
    aclmdlRITask all[64];
    ASSERT_OK(aclmdlRIGetStreams(graph, &stream, &streams));
    ASSERT_OK(aclmdlRIGetTasksByStream(stream, all, &tasks));
    ck_assert_uint_lt(number, tasks);
    return all[number];
}

aclmdlRITaskParams params_of(aclmdlRITask task)
{
    aclmdlRITaskParams params;
    memset(&params, 0xFF, sizeof params);
    ASSERT_OK(aclmdlRITaskGetParams(task, &params));
    return params;
}
