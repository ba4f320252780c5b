/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong between streams, and between tasks and the end of memory. In brackets, the ids of reports that ask for it. */
#include "cases.h"

enum { PITCH = 256, WIDTH = 64, ROWS = 100 };

static void up(uint8_t *to, aclrtStream stream)
{
    NEED(aclrtMemcpy2dAsync(to, PITCH, pin, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void down(const uint8_t *from, size_t pitch, aclrtStream stream)
{
    NEED(aclrtMemcpy2dAsync(pin, PITCH, from, pitch, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

static aclrtEvent new_event(void)
{
    aclrtEvent event;
    NEED(aclrtCreateEvent(&event));
    return event;
}

/* --- stream-race ------------------------------------------------------------------------------------------------- */

WRONG(stream_race, one_byte_of_columns)
{
    up(dev, s);
    up(dev + WIDTH - 1, t);
}

CORRECT(stream_race, four_columns_side_by_side)
{
    up(dev, s);
    up(dev + WIDTH, t);
    up(dev + 2 * WIDTH, s);
    up(dev + 3 * WIDTH, t);
}

/* Multiples of 384 lie 0 or 128 past a multiple of 256: from 128 on, every second row meets one of the first. */
WRONG(stream_race, two_pitches_that_meet)
{
    up(dev, s);
    NEED(aclrtMemcpy2dAsync(dev + 128, 384, pin, 64, 64, 60, ACL_MEMCPY_HOST_TO_DEVICE, t));
}

/* From 64 on, they lie in the gaps. */
CORRECT(stream_race, two_pitches_that_never_meet)
{
    up(dev, s);
    NEED(aclrtMemcpy2dAsync(dev + 64, 384, pin, 64, 64, 60, ACL_MEMCPY_HOST_TO_DEVICE, t));
}

WRONG(stream_race, reader_behind_no_event)
{
    up(dev, s);
    NEED(aclrtMemcpyAsync(pin + BLOCK / 2, 64, dev + PITCH, 64, ACL_MEMCPY_DEVICE_TO_HOST, t));
}

CORRECT(stream_race, reader_behind_an_event)
{
    up(dev, s);
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(t, e));
    NEED(aclrtMemcpyAsync(pin + BLOCK / 2, 64, dev + PITCH, 64, ACL_MEMCPY_DEVICE_TO_HOST, t));
}

CORRECT(stream_race, two_readers)
{
    NEED(aclrtMemcpyAsync(pin, 64, dev, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtMemcpyAsync(pin + 64, 64, dev, 64, ACL_MEMCPY_DEVICE_TO_HOST, t));
}

WRONG(stream_race, event_recorded_too_early)
{
    NEED(aclrtRecordEvent(e, s));
    up(dev, s);
    NEED(aclrtStreamWaitEvent(t, e));
    up(dev, t);
}

/* The wait is for the record that was the newest when it was called. */
WRONG(stream_race, the_wait_is_for_the_earlier_record)
{
    close_gate(s);
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(t, e));
    up(dev, s);
    NEED(aclrtRecordEvent(e, s));
    up(dev, t);
    open_gate();
}

CORRECT(stream_race, the_wait_is_for_the_later_record)
{
    close_gate(s);
    NEED(aclrtRecordEvent(e, s));
    up(dev, s);
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(t, e));
    up(dev, t);
    open_gate();
}

/* The wait was called before the record: it is for the one to come. */
CORRECT(stream_race, wait_before_the_record)
{
    NEED(aclrtStreamWaitEvent(t, e));
    up(dev, t);
    up(dev, s);
    NEED(aclrtRecordEvent(e, s));
}

WRONG(stream_race, wait_before_a_record_that_is_too_early)
{
    NEED(aclrtStreamWaitEvent(t, e));
    up(dev, t);
    NEED(aclrtRecordEvent(e, s));
    up(dev, s);
}

/* Order goes on from stream to stream. */
CORRECT(stream_race, over_a_third_stream)
{
    aclrtStream third;
    const aclrtEvent second = new_event();
    NEED(aclrtCreateStream(&third));
    up(dev, s);
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(third, e));
    NEED(aclrtRecordEvent(second, third));
    NEED(aclrtStreamWaitEvent(t, second));
    up(dev, t);
    NEED(aclrtSynchronizeStream(t));
    NEED(aclrtDestroyEvent(second));
    NEED(aclrtDestroyStream(third));
}

CORRECT(stream_race, the_host_waits_in_between)
{
    up(dev, s);
    NEED(aclrtSynchronizeStream(s));
    up(dev, t);
}

WRONG(stream_race, the_host_waits_for_the_other_stream)
{
    up(dev, s);
    NEED(aclrtSynchronizeStream(t));
    up(dev, t);
}

WRONG(stream_race, the_host_waits_for_an_early_record)
{
    NEED(aclrtRecordEvent(e, s));
    up(dev, s);
    NEED(aclrtSynchronizeEvent(e));
    up(dev, t);
}

CORRECT(stream_race, a_query_that_answers_complete)
{
    aclrtStreamStatus status;
    up(dev, s);
    do
        NEED(aclrtStreamQuery(s, &status));
    while (status != ACL_STREAM_STATUS_COMPLETE);
    up(dev, t);
}

CORRECT(stream_race, an_event_that_answers_complete)
{
    aclrtEventRecordedStatus status;
    up(dev, s);
    NEED(aclrtRecordEvent(e, s));
    do
        NEED(aclrtQueryEventStatus(e, &status));
    while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE);
    up(dev, t);
}

/* A synchronous copy waits for no stream. */
WRONG(stream_race, synchronous_copy_beside_a_stream)
{
    uint8_t seen[64];
    close_gate(s);
    NEED(aclrtMemsetAsync(dev, 64, 3, 64, s));
    NEED(aclrtMemcpy(seen, 64, dev + 63, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    open_gate();
}

CORRECT(stream_race, synchronous_copy_one_byte_beside)
{
    uint8_t seen[64];
    close_gate(s);
    NEED(aclrtMemsetAsync(dev, 64, 3, 64, s));
    NEED(aclrtMemcpy(seen, 64, dev + 64, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    open_gate();
}

/* [R32] A copy to pageable memory waits for its stream first: slow, and no race. */
WRONG(blocked_async, pageable_copy_waits_for_its_stream)
{
    uint8_t seen[64];
    NEED(aclrtMemsetAsync(dev, 64, 3, 64, s));
    NEED(aclrtMemcpyAsync(seen, 64, dev, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    up(dev, t);
}

/* [R44] The stream was forgotten in one call. */
WRONG(stream_race, default_stream_among_others)
{
    up(dev, NULL);
    down(dev, PITCH, s);
    NEED(aclrtSynchronizeStream(NULL));
}

CORRECT(stream_race, default_stream_alone)
{
    up(dev, NULL);
    down(dev, PITCH, NULL);
    NEED(aclrtSynchronizeStream(NULL));
}

static void nothing(void *unused)
{
    (void)unused;
}

/* A host function is a task like others, and orders nothing between streams while the host knows nothing of it. */
CORRECT(stream_race, a_host_function_in_between_in_one_stream)
{
    up(dev, s);
    NEED(aclrtLaunchHostFunc(s, nothing, NULL));
    up(dev, s);
}

WRONG(stream_race, two_buffers_of_one_matrix)
{
    /* Halves of 100 rows that overlap in one row: a row too many in the first. */
    NEED(aclrtMemcpy2dAsync(dev, PITCH, pin, PITCH, WIDTH, 51, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(dev + 50 * PITCH, PITCH, pin, PITCH, WIDTH, 50, ACL_MEMCPY_HOST_TO_DEVICE, t));
}

CORRECT(stream_race, two_halves_of_one_matrix)
{
    NEED(aclrtMemcpy2dAsync(dev, PITCH, pin, PITCH, WIDTH, 50, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(dev + 50 * PITCH, PITCH, pin, PITCH, WIDTH, 50, ACL_MEMCPY_HOST_TO_DEVICE, t));
}

/* A destroyed stream has finished. */
CORRECT(stream_race, after_a_stream_that_is_gone)
{
    aclrtStream third;
    NEED(aclrtCreateStream(&third));
    up(dev, third);
    NEED(aclrtDestroyStream(third));
    up(dev, t);
}

CORRECT(stream_race, a_notify_in_between)
{
    aclrtNotify notify;
    NEED(aclrtCreateNotify(&notify, 0));
    up(dev, s);
    NEED(aclrtRecordNotify(notify, s));
    NEED(aclrtWaitAndResetNotify(notify, t, 0));
    up(dev, t);
    NEED(aclrtSynchronizeStream(t));
    NEED(aclrtDestroyNotify(notify));
}

WRONG(stream_race, a_notify_recorded_too_early)
{
    aclrtNotify notify;
    NEED(aclrtCreateNotify(&notify, 0));
    NEED(aclrtRecordNotify(notify, s));
    up(dev, s);
    NEED(aclrtWaitAndResetNotify(notify, t, 0));
    up(dev, t);
    NEED(aclrtSynchronizeStream(t));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtDestroyNotify(notify));
}

/* --- use-after-free ---------------------------------------------------------------------------------------------- */

static uint8_t *new_device(void)
{
    void *p;
    NEED(aclrtMalloc(&p, BLOCK, ACL_MEM_MALLOC_HUGE_FIRST));
    return p;
}

static uint8_t *new_pinned(void)
{
    void *p;
    NEED(aclrtMallocHost(&p, BLOCK));
    memset(p, 0, BLOCK);
    return p;
}

/* [R08], [R36] */
WRONG(use_after_free, pinned_source_freed_in_flight)
{
    uint8_t *own = new_pinned();
    close_gate(s);
    NEED(aclrtMemcpy2dAsync(dev, PITCH, own, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtFreeHost(own));
    open_gate();
}

CORRECT(use_after_free, pinned_source_freed_behind_a_synchronize)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpy2dAsync(dev, PITCH, own, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFreeHost(own));
}

/* [R30] */
WRONG(use_after_free, device_source_freed_at_once)
{
    uint8_t *own = new_device();
    NEED(aclrtMemset(own, BLOCK, 0, BLOCK));
    NEED(aclrtMemcpy2dAsync(dev, 8, own, 8, 4, 5000, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    NEED(aclrtFree(own));
}

/* [R35] */
WRONG(use_after_free, memory_freed_behind_a_set)
{
    uint8_t *own = new_device();
    close_gate(s);
    NEED(aclrtMemsetAsync(own, BLOCK, 0, BLOCK, s));
    NEED(aclrtFree(own));
    open_gate();
}

/* The freed block was named by nothing; its neighbour is in use. */
CORRECT(use_after_free, another_block_freed_in_flight)
{
    uint8_t *own = new_device(), *other = new_device();
    close_gate(s);
    NEED(aclrtMemsetAsync(own, BLOCK, 0, BLOCK, s));
    NEED(aclrtFree(other));
    open_gate();
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

/* The copy is done, but nothing has told the program. */
WRONG(use_after_free, freed_behind_the_wrong_stream)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpyAsync(dev, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(t));
    NEED(aclrtFreeHost(own));
}

CORRECT(use_after_free, freed_behind_an_event)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpyAsync(dev, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtSynchronizeEvent(e));
    NEED(aclrtFreeHost(own));
}

/* The host waited for t, and t for s. */
CORRECT(use_after_free, freed_behind_a_stream_that_waited)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpyAsync(dev, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(t, e));
    NEED(aclrtSynchronizeStream(t));
    NEED(aclrtFreeHost(own));
}

CORRECT(use_after_free, freed_with_a_device_synchronize)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpyAsync(dev, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtFreeHostWithDevSync(own));
}

WRONG(use_after_free, freed_before_the_call)
{
    uint8_t *own = new_device();
    NEED(aclrtFree(own));
    NEED(aclrtMemcpyAsync(own, 64, pin, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED_CODE(507013, aclrtSynchronizeStream(s));
}

WRONG(use_after_free, unregistered_in_flight)
{
    static uint8_t memory[4096] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
    NEED(aclrtMemcpyAsync(dev, 64, memory, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtHostUnregister(memory));
    NEED(aclrtSynchronizeStream(s));
}

/* Behind a wait whose record does not exist yet. */
WRONG(use_after_free, freed_while_the_stream_waits_for_a_record)
{
    uint8_t *own = new_device();
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclrtMemsetAsync(own, BLOCK, 0, BLOCK, s));
    NEED(aclrtFree(own));
    NEED(aclrtRecordEvent(e, t));
}

static void free_it(void *block)
{
    (void)aclrtFreeHost(block);
}

/* In the stream's order, in the function's own thread. */
CORRECT(use_after_free, freed_by_a_host_function_behind_the_copy)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpyAsync(dev, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtLaunchHostFunc(s, free_it, own));
    NEED(aclrtMemcpyAsync(dev, 64, pin, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

/* A graph with one copy from `from` to the device. */
static aclmdlRI captured_copy(const uint8_t *from)
{
    aclmdlRI graph;
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtMemcpyAsync(dev, 64, from, 64, ACL_MEMCPY_DEFAULT, s));
    NEED(aclmdlRICaptureEnd(s, &graph));
    return graph;
}

static void execute_and_destroy(aclmdlRI graph)
{
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclmdlRIDestroy(graph));
}

/* The graph has its address for good. */
WRONG(use_after_free, a_graph_of_pinned_memory_that_was_freed)
{
    uint8_t *own = new_pinned();
    aclmdlRI graph = captured_copy(own);
    NEED(aclrtFreeHost(own));
    execute_and_destroy(graph);
}

WRONG(use_after_free, a_graph_of_device_memory_that_was_freed_between_executions)
{
    uint8_t *own = new_device();
    NEED(aclrtMemset(own, BLOCK, 0, BLOCK));
    aclmdlRI graph = captured_copy(own);
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
    execute_and_destroy(graph);
}

WRONG(use_after_free, a_graph_of_memory_that_was_unregistered)
{
    static uint8_t memory[4096] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
    aclmdlRI graph = captured_copy(memory);
    NEED(aclrtHostUnregister(memory));
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED_CODE(507013, aclrtSynchronizeStream(s));
    NEED(aclmdlRIDestroy(graph));
}

/* The graph is queued behind a wait when its memory is freed: one mistake, told once. */
WRONG(use_after_free, a_graph_whose_memory_is_freed_while_it_is_queued)
{
    uint8_t *own = new_pinned();
    aclmdlRI graph = captured_copy(own);
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED(aclrtFreeHost(own));
    NEED(aclrtRecordEvent(e, t));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclmdlRIDestroy(graph));
}

CORRECT(use_after_free, a_graph_whose_memory_is_freed_behind_its_last_execution)
{
    uint8_t *own = new_pinned();
    aclmdlRI graph = captured_copy(own);
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFreeHost(own));
    NEED(aclmdlRIDestroy(graph));
}

CORRECT(use_after_free, a_graph_of_memory_that_is_registered_again)
{
    static uint8_t memory[8192] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
    aclmdlRI graph = captured_copy(memory);
    NEED(aclrtHostUnregister(memory));
    NEED(aclrtHostRegisterV2(memory, 8192, ACL_HOST_REG_PINNED));
    execute_and_destroy(graph);
    NEED(aclrtHostUnregister(memory));
}

/* --- uninitialized-read ------------------------------------------------------------------------------------------ */

/* [R10] */
WRONG(uninitialized_read, fresh_memory)
{
    uint8_t *own = new_device();
    down(own, PITCH, s);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

WRONG(uninitialized_read, one_column_too_many)
{
    uint8_t *own = new_device();
    up(own, s);
    NEED(aclrtMemcpy2dAsync(pin, PITCH, own, PITCH, WIDTH + 1, ROWS, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

CORRECT(uninitialized_read, the_padding_stays_out)
{
    uint8_t *own = new_device();
    up(own, s);
    down(own, PITCH, s);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

WRONG(uninitialized_read, the_padding_as_payload)
{
    uint8_t *own = new_device();
    up(own, s);
    NEED(aclrtMemcpyAsync(pin, BLOCK, own, PITCH + WIDTH, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

/* Half of the matrix row by row, the other half as columns. */
CORRECT(uninitialized_read, written_in_many_pieces)
{
    uint8_t *own = new_device();
    for (unsigned row = 0; row < ROWS / 2; row++)
        NEED(aclrtMemcpyAsync(own + row * PITCH, PITCH, pin, PITCH, ACL_MEMCPY_HOST_TO_DEVICE, s));
    for (unsigned column = 0; column < PITCH; column += 32)
        NEED(aclrtMemcpy2dAsync(own + ROWS / 2 * PITCH + column, PITCH, pin, PITCH, 32, ROWS / 2,
                                ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(pin, 2 * PITCH, own, PITCH, PITCH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

WRONG(uninitialized_read, one_of_the_pieces_is_missing)
{
    uint8_t *own = new_device();
    for (unsigned row = 0; row < ROWS; row++) {
        if (row != 77)
            NEED(aclrtMemcpyAsync(own + row * PITCH, PITCH, pin, PITCH, ACL_MEMCPY_HOST_TO_DEVICE, s));
    }
    down(own, PITCH, s);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

CORRECT(uninitialized_read, around_the_missing_piece)
{
    uint8_t *own = new_device();
    for (unsigned row = 0; row < ROWS; row += 2)
        NEED(aclrtMemsetAsync(own + row * PITCH, PITCH, 0, PITCH, s));
    NEED(aclrtMemcpy2dAsync(pin, 64, own, 2 * PITCH, 64, ROWS / 2, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

/* Freed memory that was written is fresh when it is given out again. */
WRONG(uninitialized_read, memory_that_was_written_in_an_earlier_life)
{
    uint8_t *own = new_device();
    NEED(aclrtMemset(own, BLOCK, 0, BLOCK));
    NEED(aclrtFree(own));
    own = new_device();
    down(own, PITCH, s);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(own));
}

/* Pinned memory is the host's: what it writes there needs no call. */
CORRECT(uninitialized_read, pinned_memory_that_the_host_wrote)
{
    uint8_t *own = new_pinned();
    NEED(aclrtMemcpyAsync(dev, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFreeHost(own));
}
