/* SPDX-License-Identifier: Apache-2.0 */
/* External records and waits of events: what orders a captured graph against work outside of it. */
#include "support.h"

static aclrtStream inner, other;
static aclrtEvent event, second;

static void setup(void)
{
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&inner));
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    ASSERT_OK(aclrtCreateEventExWithFlag(&second, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
}

static void teardown(void)
{
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtDestroyEvent(second));
    ASSERT_OK(aclrtDestroyStream(inner));
    ASSERT_OK(aclrtDestroyStream(other));
    fixture_close();
}

static void begin(void)
{
    ASSERT_OK(aclmdlRICaptureBegin(inner, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
}

static aclmdlRI end(void)
{
    aclmdlRI graph = NULL;
    ASSERT_OK(aclmdlRICaptureEnd(inner, &graph));
    return graph;
}

static void record(aclrtEvent e, aclrtStream stream)
{
    ASSERT_OK(aclrtRecordEventWithFlag(e, stream, ACL_EVENT_RECORD_EXTERNAL));
}

static void wait_for(aclrtEvent e, aclrtStream stream)
{
    ASSERT_OK(aclrtStreamWaitEventWithFlag(stream, e, 0, ACL_EVENT_WAIT_EXTERNAL));
}

static aclrtEventRecordedStatus status_of(aclrtEvent e)
{
    aclrtEventRecordedStatus status;
    ASSERT_OK(aclrtQueryEventStatus(e, &status));
    return status;
}

static void set_bytes(size_t offset, int value, aclrtStream stream)
{
    ASSERT_OK(aclrtMemsetAsync(fx.device + offset, 64, value, 64, stream));
}

static void read_bytes(uint8_t *to, size_t offset, aclrtStream stream)
{
    ASSERT_OK(aclrtMemcpyAsync(to, 64, fx.device + offset, 64, D2H, stream));
}

/* A graph that sets bytes and records the event externally, then does more. */
static aclmdlRI recording_graph(void)
{
    begin();
    set_bytes(0, 7, inner);
    record(event, inner);
    set_bytes(64, 8, inner);
    return end();
}

START_TEST(capture_with_external_events_joins_no_stream)
{
    aclmdlRICaptureStatus status;
    begin();
    record(event, inner);
    wait_for(event, other); /* outside: the event was not recorded yet */
    ASSERT_OK(aclmdlRICaptureGetInfo(other, &status, NULL));
    ck_assert_int_eq(status, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_COMPLETE); /* an extended event without a record */
    ASSERT_OK(aclmdlRIDestroy(end()));
    ASSERT_OK(aclrtSynchronizeStream(other));
}
END_TEST

START_TEST(work_outside_waits_for_a_record_in_a_graph)
{
    struct gate gate;
    aclmdlRI graph = recording_graph();
    for (int round = 0; round < 20; round++) {
        ASSERT_OK(aclrtMemset(fx.device, 128, POISON, 128));
        memset(fx.pinned2, 0, 128);
        gate_close(&gate, fx.stream);
        ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
        wait_for(event, other); /* queued after the execution: for the record in it */
        read_bytes(fx.pinned2, 0, other);
        ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
        gate_await(&gate);
        ASSERT_ALL_BYTES(fx.pinned2, 64, 0);
        gate_open(&gate);
        ASSERT_OK(aclrtSynchronizeStream(other));
        ASSERT_ALL_BYTES(fx.pinned2, 64, 7);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    }
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(the_host_waits_for_a_record_in_a_graph_and_not_for_its_rest)
{
    struct gate after;
    begin();
    set_bytes(0, 7, inner);
    record(event, inner);
    gate_close(&after, inner);
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeEvent(event));
    gate_await(&after);
    ck_assert(!gate_passed(&after));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 7));
    gate_open(&after);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(the_hosts_wait_for_a_record_in_a_graph_has_a_limit)
{
    struct gate gate;
    aclmdlRI graph = recording_graph();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_CODE(E_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 5));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeEventWithTimeout(event, 60000));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(graph_waits_for_work_outside)
{
    struct gate gate;
    begin();
    wait_for(event, inner);
    read_bytes(fx.pinned2, 0, inner);
    aclmdlRI graph = end();
    for (int round = 1; round < 20; round++) {
        memset(fx.pinned2, 0, 64);
        gate_close(&gate, other);
        set_bytes(0, round, other);
        record(event, other);
        ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
        gate_await(&gate);
        ASSERT_ALL_BYTES(fx.pinned2, 64, 0);
        gate_open(&gate);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_ALL_BYTES(fx.pinned2, 64, (uint8_t)round);
    }
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(graph_waits_for_the_record_that_was_newest_when_it_was_queued)
{
    struct gate gate;
    begin();
    wait_for(event, inner);
    set_bytes(0, 7, inner);
    aclmdlRI graph = end();
    record(event, fx.stream);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream)); /* for the record before */
    gate_close(&gate, other);
    record(event, other); /* a later one */
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 7));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(graphs_wait_for_each_other)
{
    struct gate gate;
    begin();
    set_bytes(0, 1, inner);
    record(event, inner);
    aclmdlRI first = end();
    begin();
    wait_for(event, inner);
    read_bytes(fx.pinned2, 0, inner);
    set_bytes(64, 2, inner);
    record(second, inner);
    aclmdlRI middle = end();
    begin();
    wait_for(second, inner);
    read_bytes(fx.pinned2 + 64, 64, inner);
    aclmdlRI last = end();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclmdlRIExecuteAsync(first, fx.stream));
    ASSERT_OK(aclmdlRIExecuteAsync(middle, other));
    ASSERT_OK(aclmdlRIExecuteAsync(last, inner));
    gate_await(&gate);
    ASSERT_ALL_BYTES(fx.pinned2, 128, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(inner));
    ASSERT_ALL_BYTES(fx.pinned2, 64, 1);
    ASSERT_ALL_BYTES(fx.pinned2 + 64, 64, 2);
    ASSERT_OK(aclrtSynchronizeDevice());
    ASSERT_OK(aclmdlRIDestroy(first));
    ASSERT_OK(aclmdlRIDestroy(middle));
    ASSERT_OK(aclmdlRIDestroy(last));
}
END_TEST

START_TEST(time_of_a_record_in_a_graph)
{
    float ms = -1;
    begin();
    record(event, inner);
    set_bytes(0, 7, inner);
    record(second, inner);
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtEventElapsedTime(&ms, event, second));
    ck_assert(ms >= 0);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* Those who wait for a record must not wait for ever when the execution is dropped. */
START_TEST(records_of_dropped_executions_are_made)
{
    struct gate gate;
    aclrtStream stream;
    aclmdlRI graph = recording_graph();
    ASSERT_OK(aclrtCreateStream(&stream));
    gate_close(&gate, stream);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, stream));
    wait_for(event, other);
    gate_await(&gate);
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtDestroyStreamForce(stream));
    gate_join(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclrtSynchronizeEvent(event));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 128, POISON));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(event_destroyed_while_a_graph_names_it)
{
    aclrtEvent gone;
    ASSERT_OK(aclrtCreateEventExWithFlag(&gone, ACL_EVENT_SYNC));
    begin();
    record(gone, inner);
    set_bytes(0, 7, inner);
    wait_for(gone, inner);
    aclmdlRI graph = end();
    ASSERT_OK(aclrtDestroyEvent(gone));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 7));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(external_flag_outside_of_captures_changes_nothing)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    set_bytes(0, 7, fx.stream);
    record(event, fx.stream);
    wait_for(event, other);
    read_bytes(fx.pinned2, 0, other);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_ALL_BYTES(fx.pinned2, 64, 7);
}
END_TEST

int main(void)
{
    TCase *external = new_case("external", setup, teardown);
    tcase_add_test(external, capture_with_external_events_joins_no_stream);
    tcase_add_test(external, work_outside_waits_for_a_record_in_a_graph);
    tcase_add_test(external, the_host_waits_for_a_record_in_a_graph_and_not_for_its_rest);
    tcase_add_test(external, the_hosts_wait_for_a_record_in_a_graph_has_a_limit);
    tcase_add_test(external, graph_waits_for_work_outside);
    tcase_add_test(external, graph_waits_for_the_record_that_was_newest_when_it_was_queued);
    tcase_add_test(external, graphs_wait_for_each_other);
    tcase_add_test(external, time_of_a_record_in_a_graph);
    tcase_add_test(external, records_of_dropped_executions_are_made);
    tcase_add_test(external, event_destroyed_while_a_graph_names_it);
    tcase_add_test(external, external_flag_outside_of_captures_changes_nothing);
    return run_cases("graph_external", external, NULL);
}
