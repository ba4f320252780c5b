/* SPDX-License-Identifier: Apache-2.0 */
/* Order within graphs, and between a graph's tasks and others. */
#include "cases.h"

static aclrtEvent fork_event, join_event, inside;
static aclrtStream side;

static void open_side(void)
{
    NEED(aclrtCreateStream(&side));
    NEED(aclrtCreateEventExWithFlag(&fork_event, ACL_EVENT_SYNC));
    NEED(aclrtCreateEventExWithFlag(&join_event, ACL_EVENT_SYNC));
    NEED(aclrtCreateEventExWithFlag(&inside, ACL_EVENT_SYNC));
}

static void close_side(aclmdlRI graph)
{
    open_gate();
    NEED(aclrtSynchronizeDevice());
    NEED(aclmdlRIDestroy(graph));
    NEED(aclrtDestroyEvent(fork_event));
    NEED(aclrtDestroyEvent(join_event));
    NEED(aclrtDestroyEvent(inside));
    NEED(aclrtDestroyStream(side));
}

static void begin(void)
{
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
}

static void begin_with_side(void)
{
    begin();
    NEED(aclrtRecordEvent(fork_event, s));
    NEED(aclrtStreamWaitEvent(side, fork_event));
}

static void join_side(void)
{
    NEED(aclrtRecordEvent(join_event, side));
    NEED(aclrtStreamWaitEvent(s, join_event));
}

static aclmdlRI end(void)
{
    aclmdlRI graph;
    NEED(aclmdlRICaptureEnd(s, &graph));
    return graph;
}

static void execute(aclmdlRI graph, aclrtStream stream)
{
    NEED(aclmdlRIExecuteAsync(graph, stream));
}

static void record_inside(aclrtStream stream)
{
    NEED(aclrtRecordEventWithFlag(inside, stream, ACL_EVENT_RECORD_EXTERNAL));
}

static void wait_for_inside(aclrtStream stream)
{
    NEED(aclrtStreamWaitEventWithFlag(stream, inside, 0, ACL_EVENT_WAIT_EXTERNAL));
}

static void set(uint8_t *at, aclrtStream stream)
{
    NEED(aclrtMemsetAsync(at, 64, 3, 64, stream));
}

/* --- within a graph ---------------------------------------------------------------------------------------------- */

WRONG(stream_race, two_branches_of_a_graph)
{
    open_side();
    begin_with_side();
    set(dev, s);
    set(dev + 63, side);
    join_side();
    const aclmdlRI graph = end();
    execute(graph, t);
    close_side(graph);
}

CORRECT(stream_race, two_branches_of_a_graph_side_by_side)
{
    open_side();
    begin_with_side();
    set(dev, s);
    set(dev + 64, side);
    join_side();
    set(dev + 32, s);
    const aclmdlRI graph = end();
    execute(graph, t);
    execute(graph, t);
    close_side(graph);
}

/* The first stream reads what the other one writes, behind an event that was recorded before the write. */
WRONG(stream_race, an_event_of_a_graph_that_comes_too_early)
{
    open_side();
    begin_with_side();
    NEED(aclrtRecordEvent(inside, side));
    set(dev, side);
    NEED(aclrtStreamWaitEvent(s, inside));
    NEED(aclrtMemcpyAsync(pin, 64, dev, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    join_side();
    const aclmdlRI graph = end();
    execute(graph, s);
    close_side(graph);
}

CORRECT(stream_race, an_event_of_a_graph_in_its_place)
{
    open_side();
    begin_with_side();
    set(dev, side);
    NEED(aclrtRecordEvent(inside, side));
    NEED(aclrtStreamWaitEvent(s, inside));
    NEED(aclrtMemcpyAsync(pin, 64, dev, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    join_side();
    const aclmdlRI graph = end();
    execute(graph, s);
    close_side(graph);
}

/* --- records from inside ----------------------------------------------------------------------------------------- */

/* A block of the graph is set behind its record, too. */
static aclmdlRI recorded_before_the_last_write(void)
{
    open_side();
    begin_with_side();
    set(dev, s);
    set(dev + 64, side);
    record_inside(side);
    join_side();
    set(dev + 128, s);
    return end();
}

WRONG(stream_race, a_record_from_inside_before_the_write)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    execute(graph, s);
    wait_for_inside(t);
    set(dev + 128, t);
    close_side(graph);
}

WRONG(stream_race, a_record_from_inside_of_another_branch)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    execute(graph, s);
    wait_for_inside(t);
    set(dev, t);
    close_side(graph);
}

CORRECT(stream_race, a_record_from_inside_behind_the_write)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    set(dev + 256, s);
    execute(graph, s);
    wait_for_inside(t);
    set(dev + 64, t);
    set(dev + 256, t); /* what stands before the execution stands before the record */
    close_side(graph);
}

static void read_now(const uint8_t *at)
{
    NEED(aclrtMemcpy(pin, 64, at, 64, ACL_MEMCPY_DEVICE_TO_HOST));
}

/* The host, too, is behind no more than what stands before the record. */
WRONG(stream_race, the_host_waits_for_a_record_from_inside_before_the_write)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    execute(graph, s);
    NEED(aclrtSynchronizeEvent(inside));
    read_now(dev + 128);
    close_side(graph);
}

CORRECT(stream_race, the_host_waits_for_a_record_from_inside_behind_the_write)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    execute(graph, s);
    NEED(aclrtSynchronizeEvent(inside));
    read_now(dev + 64);
    close_side(graph);
}

/* --- waits from inside ------------------------------------------------------------------------------------------- */

static aclmdlRI waits_before_the_second_write(void)
{
    open_side();
    begin_with_side();
    set(dev, side);
    wait_for_inside(s);
    set(dev + 64, s);
    join_side();
    return end();
}

WRONG(stream_race, a_wait_from_inside_of_another_branch)
{
    const aclmdlRI graph = waits_before_the_second_write();
    close_gate(t);
    set(dev, t);
    record_inside(t);
    execute(graph, s);
    close_side(graph);
}

CORRECT(stream_race, a_wait_from_inside_before_the_write)
{
    const aclmdlRI graph = waits_before_the_second_write();
    close_gate(t);
    set(dev + 64, t);
    record_inside(t);
    execute(graph, s);
    set(dev + 64, s);
    close_side(graph);
}

/* An idle stream runs both at once, so that there is nothing to wait for any more. The order is the same. */
CORRECT(stream_race, a_wait_from_inside_for_what_was_reached)
{
    const aclmdlRI graph = waits_before_the_second_write();
    set(dev + 64, t);
    record_inside(t);
    execute(graph, s);
    close_side(graph);
}

/* --- executions -------------------------------------------------------------------------------------------------- */

/* The graph's second stream is behind the other execution, and what stands before that is not. */
WRONG(stream_race, before_an_execution_on_another_stream)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    close_gate(s);
    set(dev, s);
    execute(graph, s);
    execute(graph, t);
    close_side(graph);
}

/* One of the executions is known to be over, the other one is not. */
WRONG(stream_race, behind_one_of_two_executions)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    close_gate(s);
    execute(graph, s);
    execute(graph, t);
    NEED(aclrtSynchronizeStream(t));
    set(dev + 64, t);
    close_side(graph);
}

CORRECT(stream_race, executions_of_a_graph_on_two_streams)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    for (int i = 0; i < 3; i++) {
        execute(graph, s);
        execute(graph, t);
    }
    close_side(graph);
}

CORRECT(stream_race, behind_an_execution)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    for (int i = 0; i < 3; i++) {
        set(dev, s);
        execute(graph, s);
        for (size_t at = 0; at < 256; at += 64)
            set(dev + at, s);
        NEED(aclrtRecordEvent(e, s));
        NEED(aclrtStreamWaitEvent(t, e));
        set(dev + 64, t);
        NEED(aclrtRecordEvent(e, t));
        NEED(aclrtStreamWaitEvent(s, e));
    }
    close_side(graph);
}

/* The execution stands behind a wait for what nobody has recorded yet. */
CORRECT(stream_race, an_execution_behind_a_wait_for_later)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    NEED(aclrtStreamWaitEvent(s, e));
    execute(graph, s);
    wait_for_inside(side);
    set(dev + 64, side);
    set(dev + 64, t);
    NEED(aclrtRecordEvent(e, t));
    close_side(graph);
}

WRONG(stream_race, an_execution_behind_a_wait_for_earlier)
{
    const aclmdlRI graph = recorded_before_the_last_write();
    NEED(aclrtStreamWaitEvent(s, e));
    execute(graph, s);
    NEED(aclrtRecordEvent(e, t));
    set(dev + 64, t);
    close_side(graph);
}

/* What stands behind the value is behind whoever wrote it; the rest of the graph is not held up. */
CORRECT(stream_race, a_value_awaited_within_a_graph)
{
    uint64_t *const cell = (uint64_t *)(void *)(dev + 4096);
    open_side();
    NEED(aclrtMemset(cell, 8, 0, 8));
    begin_with_side();
    NEED(aclrtValueWait(cell, 7, ACL_STREAM_WAIT_VALUE_EQ, side));
    set(dev, side);
    set(dev + 64, s);
    join_side();
    const aclmdlRI graph = end();
    execute(graph, s);
    set(dev, t);
    NEED(aclrtValueWrite(cell, 7, 0, t));
    NEED(aclrtSynchronizeStream(s));
    set(dev, s);
    close_side(graph);
}

/* A group's task that was given anew is another one. */
WRONG(stream_race, a_task_given_anew_that_meets_another_branch)
{
    aclrtTaskGrp group;
    open_side();
    begin_with_side();
    set(dev, s);
    NEED(aclmdlRICaptureTaskGrpBegin(side));
    set(dev + 64, side);
    NEED(aclmdlRICaptureTaskGrpEnd(side, &group));
    join_side();
    const aclmdlRI graph = end();
    execute(graph, s);
    NEED(aclmdlRICaptureTaskUpdateBegin(t, group));
    set(dev + 32, t);
    NEED(aclmdlRICaptureTaskUpdateEnd(t));
    execute(graph, s);
    close_side(graph);
}

/* A copy too many for the graph. What was on the stream before is no more in order for that. */
WRONG(stream_race, a_call_that_a_captured_stream_refuses)
{
    aclError code = ACL_SUCCESS;
    aclmdlRI graph;
    close_gate(s);
    set(dev, s);
    begin();
    while (code == ACL_SUCCESS)
        code = aclrtMemcpy2dAsync(dev, 64, pin, 64, 32, 1000, ACL_MEMCPY_HOST_TO_DEVICE, s);
    NEED_CODE(207008, code);
    NEED(aclmdlRICaptureEnd(s, &graph));
    set(dev, t);
    NEED(aclmdlRIDestroy(graph));
}

/* --- host functions ---------------------------------------------------------------------------------------------- */

static void touch(void *at)
{
    *(volatile uint8_t *)at = 1;
}

/* The function is behind the copy of its own branch, and before the copy that follows it. */
CORRECT(stream_race, a_host_function_of_a_graph_in_its_place)
{
    open_side();
    begin_with_side();
    NEED(aclrtMemcpyAsync(dev, 64, pin, 64, ACL_MEMCPY_HOST_TO_DEVICE, side));
    NEED(aclrtLaunchHostFunc(side, touch, pin));
    NEED(aclrtMemcpyAsync(dev, 64, pin, 64, ACL_MEMCPY_HOST_TO_DEVICE, side));
    join_side();
    const aclmdlRI graph = end();
    for (int i = 0; i < 3; i++)
        execute(graph, i == 1 ? t : s);
    close_side(graph);
}
