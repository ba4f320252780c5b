/* SPDX-License-Identifier: Apache-2.0 */
/* Running captured graphs: bytes, order, several streams, repetition, failures, ends. */
#include <pacl/kernel.h>
#include <stdio.h>
#include <unistd.h>

#include "support.h"

enum { E_MODEL_RUNNING = 107037, E_STREAM_CAPTURED = 107027, E_TOO_SHORT = 107039 };

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
    ck_assert_ptr_nonnull(graph);
    return graph;
}

static void run_on(aclmdlRI graph, aclrtStream stream)
{
    ASSERT_OK(aclmdlRIExecuteAsync(graph, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
}

static void set_bytes(size_t offset, int value, aclrtStream stream)
{
    ASSERT_OK(aclrtMemsetAsync(fx.device + offset, 64, value, 64, stream));
}

static void assert_bytes(size_t offset, uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + offset, 64, value));
}

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

/* GRA-259 [code] */
START_TEST(gra_259_replay_reads_the_recorded_address)
{
    begin();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream));
    aclmdlRI graph = end();
    for (int value = 1; value < 4; value++) {
        memset(fx.pinned, value, 64);
        run_on(graph, fx.stream);
        assert_bytes(0, (uint8_t)value);
    }
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

static void count_up(void *counter)
{
    ++*(int *)counter;
}

/* GRA-260 [doc] */
START_TEST(gra_260_three_executions_are_three_replays)
{
    int counter = 0;
    begin();
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, count_up, &counter));
    aclmdlRI graph = end();
    ck_assert_int_eq(counter, 0);
    for (int i = 0; i < 3; i++)
        ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(counter, 3);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* GRA-261 [code] */
START_TEST(gra_261_synchronous_execution_of_a_captured_graph)
{
    begin();
    set_bytes(0, 1, fx.stream);
    aclmdlRI graph = end();
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRIExecute(graph, -1));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIExecute(NULL, -1));
    assert_bytes(0, POISON);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* GRA-263 [code] */
START_TEST(gra_263_destroying_a_running_graph)
{
    struct gate gate;
    begin();
    set_bytes(0, 1, fx.stream);
    aclmdlRI graph = end();
    gate_close(&gate, other);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    ASSERT_CODE(E_MODEL_RUNNING, aclmdlRIDestroy(graph)); /* queued */
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclmdlRIDestroy(graph));

    struct gate inner;
    begin();
    gate_close(&inner, fx.stream);
    graph = end();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    gate_await(&inner);
    ASSERT_CODE(E_MODEL_RUNNING, aclmdlRIDestroy(graph)); /* it runs */
    gate_open(&inner);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(every_recordable_call_is_replayed)
{
    int counter = 0;
    const uint64_t zero = 0;
    uint64_t *cell = (uint64_t *)(void *)(fx.device2 + 4096);
    float one = 1;
    upload(cell, &zero, sizeof zero);
    begin();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device + 1024, 64, fx.pinned + 64, 32, 32, 8, H2D, fx.stream));
    ASSERT_OK(aclrtMemsetAsync(fx.device + 2048, 64, 9, 64, fx.stream));
    ASSERT_OK(aclrtMemsetD32Async(fx.device + 2112, 64, 0x01020304, 16, fx.stream));
    ASSERT_OK(aclrtMemsetAsync(fx.pinned2 + 1024, 64, 3, 64, fx.stream));
    ASSERT_OK(aclrtReduceAsync(fx.device2, fx.device2 + 512, sizeof one, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT,
                               fx.stream, NULL));
    ASSERT_OK(aclrtValueWrite(cell, 8, 0, fx.stream));
    ASSERT_OK(aclrtValueWait(cell, 8, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, count_up, &counter));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device2 + 1024, 64, fx.device + 2048, 64, D2D, fx.stream));
    aclmdlRI graph = end();
    for (int round = 1; round <= 3; round++) {
        uint64_t seed = (uint64_t)round;
        const float sum = 1 + (float)round;
        uint8_t rows[8 * 64];
        random_fill(&seed, fx.pinned, 1024);
        memset(fx.pinned2, POISON, 2048);
        ASSERT_OK(aclrtMemset(fx.device, 4096, POISON, 4096));
        upload(cell, &zero, sizeof zero);
        upload(fx.device2, &one, sizeof one);
        upload(fx.device2 + 512, &(float){ (float)round }, sizeof(float));
        run_on(graph, other);
        ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, 64));
        memset(rows, POISON, sizeof rows);
        model_copy2d(rows, 64, fx.pinned + 64, 32, 32, 8);
        ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + 1024, rows, sizeof rows));
        ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 2048, 64, 9));
        ASSERT_ALL_BYTES(fx.pinned2 + 1024, 64, 3);
        ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device2, &sum, sizeof sum));
        ASSERT_SAME_BYTES(fx.pinned2, fx.pinned, 64);
        ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2 + 1024, 64, 9));
        ck_assert_int_eq(counter, round);
    }
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* The graph's own streams work for the stream of each execution: its device may touch what it has access to, its context's
 * thread runs the functions, its failure mode counts. */
START_TEST(each_execution_works_for_its_stream)
{
    const uint64_t value = 7;
    int counter = 0;
    aclrtContext home, first, second;
    aclrtStream there;
    void *far;
    ASSERT_OK(aclrtGetCurrentContext(&home));
    ASSERT_OK(aclrtCreateContext(&first, 1)); /* device 0 has no access to what is on device 1 */
    ASSERT_OK(aclrtMalloc(&far, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtCreateStream(&there));
    ASSERT_OK(aclmdlRICaptureBegin(there, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_OK(aclrtValueWrite(far, value, 0, there));
    ASSERT_OK(aclrtLaunchHostFunc(there, count_up, &counter));
    aclmdlRI graph = NULL;
    ASSERT_OK(aclmdlRICaptureEnd(there, &graph));
    run_on(graph, there);
    ASSERT_OK(aclrtMemset(far, 64, 0, 64));
    ASSERT_OK(aclrtDestroyStream(there));
    ASSERT_OK(aclrtSetCurrentContext(home));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(counter, 2);
    ASSERT_OK(aclrtCreateContext(&second, 1)); /* and go to another one of device 1 */
    ASSERT_OK(aclrtDestroyContext(first));
    ASSERT_OK(aclrtCreateStream(&there));
    run_on(graph, there);
    ck_assert_int_eq(counter, 3);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(far, &value, sizeof value));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclmdlRICaptureBegin(there, ACL_MODEL_RI_CAPTURE_MODE_RELAXED)); /* copies, too */
    ASSERT_OK(aclrtMemcpyAsync((uint8_t *)far + 32, 32, far, 32, D2D, there));
    ASSERT_OK(aclmdlRICaptureEnd(there, &graph));
    run_on(graph, there);
    ASSERT_NO_DIFFERENCE(device_bytes_difference((uint8_t *)far + 32, &value, sizeof value));
    ASSERT_OK(aclrtSetCurrentContext(home));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
    run_on(graph, fx.stream);
    ASSERT_OK(aclrtDeviceDisablePeerAccess(1));
    ASSERT_OK(aclrtSetCurrentContext(second));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclrtDestroyStream(there));
    ASSERT_OK(aclrtFree(far));
    ASSERT_OK(aclrtDestroyContext(second));
    ASSERT_OK(aclrtSetCurrentContext(home));
}
END_TEST

START_TEST(batches_and_descriptors_are_replayed)
{
    void *dsts[2] = { fx.device, fx.device + 512 }, *srcs[2] = { fx.pinned, fx.pinned + 100 };
    size_t sizes[2] = { 64, 100 }, index = 0;
    aclrtMemcpyBatchAttr attr = { .dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE };
    ASSERT_OK(aclrtSetMemcpyDesc(fx.device2, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, fx.device, fx.device2 + 64, 64, NULL));
    begin();
    ASSERT_OK(aclrtMemcpyBatchAsyncV2(dsts, sizes, srcs, sizes, 2, &attr, &index, 1, fx.stream));
    ASSERT_OK(aclrtMemcpyAsyncWithDesc(fx.device2, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, fx.stream));
    aclmdlRI graph = end();
    fill_sources();
    run_on(graph, fx.stream);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, 64));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + 512, fx.pinned + 100, 100));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device2 + 64, fx.pinned, 64));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

static int add_one(const void *arguments, uint32_t block, uint32_t blocks)
{
    uint8_t *const at = pacl_kernel_view(*(uint8_t *const *)arguments);
    for (uint32_t i = block; i < 64; i += blocks)
        at[i]++;
    return at[block] == 3 ? 55 : 0; /* the third execution fails */
}

START_TEST(kernels_are_replayed_and_may_fail_each_time_anew)
{
    const struct pacl_kernel_access access = { .at = fx.device, .pitch = 64, .width = 64, .height = 1, .writes = true };
    ASSERT_OK(aclrtMemset(fx.device, 64, 0, 64));
    begin();
    ASSERT_OK(pacl_kernel_launch(add_one, 1, &fx.device, sizeof fx.device, &access, 1, fx.stream));
    aclmdlRI graph = end();
    for (int i = 1; i <= 5; i++) {
        ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
        ASSERT_CODE(i == 3 ? 55 : 0, aclrtSynchronizeStream(other));
    }
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 1, 5));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(empty_graph)
{
    begin();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 0, fx.pinned, 0, H2D, fx.stream));   /* nothing */
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.device, 64, D2D, fx.stream)); /* onto itself */
    aclmdlRI graph = end();
    run_on(graph, fx.stream);
    run_on(graph, NULL);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(execution_takes_its_turn_in_the_stream)
{
    struct gate gate;
    begin();
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    set_bytes(0, 2, fx.stream);
    aclmdlRI graph = end();
    gate_close(&gate, other);
    set_bytes(0, 1, other);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2 + 64, 64, fx.device, 64, D2H, other));
    gate_await(&gate);
    ASSERT_ALL_BYTES(fx.pinned2, 128, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_ALL_BYTES(fx.pinned2, 64, 1);      /* what was queued before */
    ASSERT_ALL_BYTES(fx.pinned2 + 64, 64, 2); /* and what came after */
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* A thousand executions behind a gate: the caller does not wait, whatever the graph's size. */
START_TEST(queueing_does_not_block)
{
    enum { TASKS = 500, RUNS = 1000 };
    struct gate gate;
    begin();
    for (int i = 0; i < TASKS; i++)
        set_bytes((size_t)(i % 16) * 64, i, fx.stream);
    aclmdlRI graph = end();
    gate_close(&gate, other);
    for (int i = 0; i < RUNS; i++)
        ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    gate_await(&gate);
    ck_assert(!gate_passed(&gate));
    assert_bytes(0, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    for (size_t i = 0; i < 16; i++)
        assert_bytes(i * 64, (uint8_t)((TASKS - 16) / 16 * 16 + ((TASKS - 1) % 16 >= i ? 16 : 0) + i));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* --- several streams ------------------------------------------------------------------------------------------------- */

/* The two branches run at the same time: each waits for a value that the other writes. */
START_TEST(branches_of_a_graph_run_at_the_same_time)
{
    const uint64_t zero[2] = { 0, 0 };
    uint64_t *cells = (uint64_t *)(void *)fx.device2;
    begin();
    join_side();
    ASSERT_OK(aclrtValueWait(cells, 1, ACL_STREAM_WAIT_VALUE_EQ, side));
    ASSERT_OK(aclrtValueWrite(cells + 1, 1, 0, side));
    ASSERT_OK(aclrtValueWrite(cells, 1, 0, fx.stream));
    ASSERT_OK(aclrtValueWait(cells + 1, 1, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    join_back();
    aclmdlRI graph = end();
    for (int i = 0; i < 50; i++) {
        upload(cells, zero, sizeof zero);
        run_on(graph, other);
    }
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(branches_of_a_graph_are_in_order_where_events_say_so)
{
    begin();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream));
    join_side();
    ASSERT_OK(aclrtMemcpyAsync(fx.device2, 64, fx.device, 64, D2D, side)); /* after the copy to the device */
    join_back();
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device2, 64, D2H, fx.stream)); /* after the side */
    aclmdlRI graph = end();
    for (int i = 0; i < 200; i++) {
        memset(fx.pinned, i, 64);
        run_on(graph, other);
        ASSERT_ALL_BYTES(fx.pinned2, 64, (uint8_t)i);
    }
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(executions_on_two_streams_do_not_overlap)
{
    struct gate inner;
    aclrtStreamStatus status;
    begin();
    gate_close(&inner, fx.stream);
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, side));
    gate_await(&inner);
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other)); /* would enter the gate a second time */
    ASSERT_OK(aclrtStreamQuery(other, &status));
    ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY);
    int entered = 0;
    ck_assert_int_eq(sem_getvalue(&inner.entered, &entered), 0);
    ck_assert_int_eq(entered, 0); /* the first was taken by gate_await */
    sem_post(&inner.release);
    ASSERT_OK(aclrtSynchronizeStream(side));
    gate_await(&inner);
    ASSERT_OK(aclrtStreamQuery(other, &status));
    ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY);
    sem_post(&inner.release);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(big_copies_in_branches)
{
    enum { BIG = 24 * 1024 * 1024 };
    uint8_t *host, *host2, *device;
    uint64_t seed = test_seed();
    ASSERT_OK(aclrtMallocHost((void **)&host, BIG));
    ASSERT_OK(aclrtMallocHost((void **)&host2, BIG));
    ASSERT_OK(aclrtMalloc((void **)&device, BIG, ACL_MEM_MALLOC_HUGE_FIRST));
    random_fill(&seed, host, BIG);
    memset(host2, 0, BIG);
    begin();
    join_side();
    ASSERT_OK(aclrtMemcpyAsync(device, BIG / 2, host, BIG / 2, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(device + BIG / 2, BIG / 2, host + BIG / 2, BIG / 2, H2D, side));
    join_back();
    ASSERT_OK(aclrtMemcpyAsync(host2, BIG, device, BIG, D2H, fx.stream));
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_SAME_BYTES(host2, host, BIG);
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclrtFree(device));
    ASSERT_OK(aclrtFreeHost(host));
    ASSERT_OK(aclrtFreeHost(host2));
}
END_TEST

/* --- ends -------------------------------------------------------------------------------------------------------------- */

START_TEST(graph_holds_the_memory_that_it_names)
{
    uint8_t *device, *pinned;
    ASSERT_OK(aclrtMalloc((void **)&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, 4096));
    begin();
    ASSERT_OK(aclrtMemcpyAsync(device, 4096, pinned, 4096, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 4096, device, 4096, D2H, fx.stream));
    aclmdlRI graph = end();
    memset(pinned, 42, 4096);
    ASSERT_OK(aclrtFree(device));
    ASSERT_OK(aclrtFreeHost(pinned));
    run_on(graph, fx.stream);
    ASSERT_ALL_BYTES(fx.pinned2, 4096, 42);
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(device));
}
END_TEST

START_TEST(failure_in_a_graph_appears_at_synchronize_once_per_execution)
{
    void *mapped, *block = aligned_alloc(4096, 4096);
    ASSERT_OK(aclrtHostRegister(block, 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
    begin();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, block, 64, H2D, fx.stream));
    set_bytes(64, 7, fx.stream);
    aclmdlRI graph = end();
    ASSERT_OK(aclrtHostUnregister(block));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(other));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "unregistered");
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_bytes(0, POISON);
    assert_bytes(64, 7); /* the rest runs */
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(other));
    ASSERT_OK(aclmdlRIDestroy(graph));
    free(block);
}
END_TEST

START_TEST(stream_that_stops_on_failure_skips_graphs)
{
    aclrtStream stops;
    ASSERT_OK(aclrtCreateStream(&stops));
    ASSERT_OK(aclrtSetStreamFailureMode(stops, ACL_STOP_ON_FAILURE));
    begin();
    set_bytes(0, 7, fx.stream);
    aclmdlRI graph = end();
    ASSERT_OK(aclrtMemcpyAsync(fx.device + FIXTURE_BYTES - 10, 64, fx.pinned, 64, H2D, stops));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, stops));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(stops));
    assert_bytes(0, POISON);
    run_on(graph, stops);
    assert_bytes(0, 7);
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclrtDestroyStream(stops));
}
END_TEST

START_TEST(abort_skips_what_has_not_begun)
{
    struct gate inner;
    begin();
    gate_close(&inner, fx.stream);
    set_bytes(0, 7, fx.stream);
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRIAbort(graph)); /* nothing runs */
    ASSERT_OK(aclmdlRIExecuteAsync(graph, other));
    gate_await(&inner);
    ASSERT_OK(aclmdlRIAbort(graph));
    sem_post(&inner.release);
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_bytes(0, POISON);
    sem_post(&inner.release);
    run_on(graph, other); /* the next one is whole */
    assert_bytes(0, 7);
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIAbort(NULL));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(stream_destroyed_by_force_with_graphs)
{
    struct gate inner;
    aclrtStream stream, second;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateStream(&second));
    begin();
    join_side();
    ASSERT_OK(aclrtValueWait(fx.device2, 1, ACL_STREAM_WAIT_VALUE_EQ, side)); /* nobody writes */
    join_back();
    set_bytes(0, 7, fx.stream);
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, stream));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, second)); /* waits for the first */
    ASSERT_OK(aclmdlRIExecuteAsync(graph, stream)); /* has not begun */
    ASSERT_OK(aclrtDestroyStreamForce(second));
    ASSERT_OK(aclrtDestroyStreamForce(stream));
    assert_bytes(0, POISON);
    ASSERT_OK(aclmdlRIDestroy(graph));

    begin();
    gate_close(&inner, fx.stream);
    graph = end();
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, stream));
    gate_await(&inner);
    gate_open_once_blocked(&inner);
    ASSERT_OK(aclrtDestroyStreamForce(stream)); /* the running task ends */
    ck_assert(gate_passed(&inner));
    gate_join(&inner);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(graph_outlives_its_context)
{
    aclrtContext context, before;
    aclrtStream stream;
    aclmdlRI graph = NULL;
    int counter = 0;
    ASSERT_OK(aclrtGetCurrentContext(&before));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    set_bytes(0, 7, stream);
    ASSERT_OK(aclrtLaunchHostFunc(stream, count_up, &counter));
    ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetCurrentContext(before));
    run_on(graph, fx.stream);
    assert_bytes(0, 7);
    ck_assert_int_eq(counter, 1);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(execution_arguments)
{
    begin();
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIExecuteAsync(NULL, other));
    aclmdlRI graph = end();
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIExecuteAsync(fx.pinned, other));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIExecuteAsync((aclmdlRI)other, other));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclmdlRIExecuteAsync(graph, (aclrtStream)graph));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIDestroy(NULL));
    begin();
    ASSERT_CODE(E_STREAM_CAPTURED, aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclmdlRIDestroy(end()));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* --- names and pictures -------------------------------------------------------------------------------------------- */

START_TEST(names_and_numbers)
{
    char name[16] = "unchanged";
    uint32_t id = 0, id2 = 0;
    begin();
    aclmdlRI graph = end();
    begin();
    aclmdlRI graph2 = end();
    ASSERT_OK(aclmdlRIGetName(graph, sizeof name, name));
    ck_assert_str_eq(name, "");
    ASSERT_OK(aclmdlRISetName(graph, "layer 0"));
    ASSERT_OK(aclmdlRISetName(graph, "layer 17"));
    ASSERT_OK(aclmdlRIGetName(graph, 9, name));
    ck_assert_str_eq(name, "layer 17");
    strcpy(name, "same");
    ASSERT_CODE(E_TOO_SHORT, aclmdlRIGetName(graph, 8, name));
    ASSERT_CODE(E_TOO_SHORT, aclmdlRIGetName(graph, 0, name));
    ck_assert_str_eq(name, "same");
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRISetName(graph, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRISetName(NULL, "a"));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIGetName(graph, 9, NULL));
    ASSERT_OK(aclmdlRIGetId(graph, &id));
    ASSERT_OK(aclmdlRIGetId(graph2, &id2));
    ck_assert_uint_ne(id, id2);
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIGetId(graph, NULL));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclmdlRIDestroy(graph2));
}
END_TEST

static char calls[8], b[] = "b", c[] = "c";

static void note_a(void *unused)
{
    (void)unused;
    strcat(calls, "a");
}

static void note_b(void *text)
{
    strcat(calls, text);
}

START_TEST(callbacks_at_destruction)
{
    begin();
    aclmdlRI graph = end();
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIDestroyRegisterCallback(graph, NULL, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIDestroyRegisterCallback(NULL, note_a, NULL));
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(graph, note_a, NULL));
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(graph, note_b, b));
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(graph, note_b, c));
    ASSERT_OK(aclmdlRIDestroyUnregisterCallback(graph, note_b));
    ck_assert_str_eq(calls, "");
    ASSERT_OK(aclmdlRIDestroy(graph));
    ck_assert_str_eq(calls, "ba");
    begin();
    graph = end();
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRIDestroyUnregisterCallback(graph, note_a));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

static const char *text_of(const char *path)
{
    static char text[16384];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in: %s", part, text);
}

START_TEST(graph_as_json)
{
    char path[] = "/tmp/pacl_graph_XXXXXX";
    close(mkstemp(path));
    begin();
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 48, 32, 8, H2D, fx.stream));
    join_side();
    set_bytes(0, 7, side);
    join_back();
    aclmdlRI graph = end();
    ASSERT_OK(aclmdlRISetName(graph, "a \"name\""));
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIDebugJsonPrint(graph, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRIDebugJsonPrint(graph, path, 2));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclmdlRIDebugJsonPrint(graph, "/nowhere/at/all", 0));
    ASSERT_OK(aclmdlRIDebugJsonPrint(graph, path, 0));
    const char *text = text_of(path);
    assert_has(text, "\"a \\\"name\\\"\"");
    assert_has(text, "\"aclrtMemcpy2dAsync\"");
    assert_has(text, "\"waits_for\":1");
    ck_assert_ptr_null(strstr(text, "detail"));
    ASSERT_OK(aclmdlRIDebugJsonPrint(graph, path, 1));
    text = text_of(path);
    assert_has(text, "8 row(s) of 32 bytes");
    assert_has(text, "pitch 48");
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
START_TEST(graph_as_lines)
{
    char path[] = "/tmp/pacl_graph_XXXXXX";
    begin();
    set_bytes(0, 7, fx.stream);
    aclmdlRI graph = end();
    ASSERT_CODE(E_INVALID_PARAM, aclmdlRIDebugPrint(NULL));
    fflush(stdout);
    const int fd = mkstemp(path), saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    const aclError err = aclmdlRIDebugPrint(graph);
    dup2(saved, STDOUT_FILENO);
    close(fd);
    close(saved);
    ASSERT_OK(err);
    assert_has(text_of(path), "set (aclrtMemsetAsync): 64 byte(s)");
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST
#pragma GCC diagnostic pop

int main(void)
{
    TCase *runs = new_case("runs", setup, teardown);
    tcase_add_test(runs, gra_259_replay_reads_the_recorded_address);
    tcase_add_test(runs, gra_260_three_executions_are_three_replays);
    tcase_add_test(runs, gra_261_synchronous_execution_of_a_captured_graph);
    tcase_add_test(runs, gra_263_destroying_a_running_graph);
    tcase_add_test(runs, every_recordable_call_is_replayed);
    tcase_add_test(runs, each_execution_works_for_its_stream);
    tcase_add_test(runs, batches_and_descriptors_are_replayed);
    tcase_add_test(runs, kernels_are_replayed_and_may_fail_each_time_anew);
    tcase_add_test(runs, empty_graph);
    tcase_add_test(runs, execution_takes_its_turn_in_the_stream);
    tcase_add_test(runs, queueing_does_not_block);
    tcase_add_test(runs, execution_arguments);
    TCase *branches = new_case("branches", setup, teardown);
    tcase_add_test(branches, branches_of_a_graph_run_at_the_same_time);
    tcase_add_test(branches, branches_of_a_graph_are_in_order_where_events_say_so);
    tcase_add_test(branches, executions_on_two_streams_do_not_overlap);
    tcase_add_test(branches, big_copies_in_branches);
    TCase *ends = new_case("ends", setup, teardown);
    tcase_add_test(ends, graph_holds_the_memory_that_it_names);
    tcase_add_test(ends, failure_in_a_graph_appears_at_synchronize_once_per_execution);
    tcase_add_test(ends, stream_that_stops_on_failure_skips_graphs);
    tcase_add_test(ends, abort_skips_what_has_not_begun);
    tcase_add_test(ends, stream_destroyed_by_force_with_graphs);
    tcase_add_test(ends, graph_outlives_its_context);
    TCase *pictures = new_case("pictures", setup, teardown);
    tcase_add_test(pictures, names_and_numbers);
    tcase_add_test(pictures, callbacks_at_destruction);
    tcase_add_test(pictures, graph_as_json);
    tcase_add_test(pictures, graph_as_lines);
    return run_cases("graph_run", runs, branches, ends, pictures, NULL);
}
