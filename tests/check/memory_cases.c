/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds, frees, and what is left at the end. */
#include "cases.h"

/* --- out-of-bounds ----------------------------------------------------------------------------------------------- */

/* Rows in a pitch of 1024: the block has 64 of them. */
WRONG(out_of_bounds, one_row_too_many)
{
    NEED(aclrtMemcpy2dAsync(dev, 1024, pin, 1000, 1000, 65, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED_CODE(507013, aclrtSynchronizeStream(s));
}

WRONG(out_of_bounds, one_byte_too_wide_in_the_last_row)
{
    NEED(aclrtMemcpy2dAsync(dev + 24, 1024, pin, 1001, 1001, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED_CODE(507013, aclrtSynchronizeStream(s));
}

WRONG(out_of_bounds, pinned_destination_one_byte_short)
{
    NEED(aclrtMemcpyAsync(pin + 1, BLOCK, dev, BLOCK, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED_CODE(507013, aclrtSynchronizeStream(s));
}

WRONG(out_of_bounds, past_a_registered_range)
{
    static uint8_t memory[2 * 4096] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
    NEED(aclrtMemcpy2dAsync(dev, 64, memory + 32, 128, 64, 33, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED_CODE(507013, aclrtSynchronizeStream(s));
    NEED(aclrtHostUnregister(memory));
}

WRONG(out_of_bounds, a_set_that_is_too_long)
{
    NEED_CODE(507013, aclrtMemset(dev + 1, BLOCK, 0, BLOCK));
}

CORRECT(out_of_bounds, the_last_row_ends_with_the_block)
{
    NEED(aclrtMemcpy2dAsync(dev + 24, 1024, pin, 1024, 1000, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(out_of_bounds, the_whole_pinned_block)
{
    NEED(aclrtMemcpyAsync(pin, BLOCK, dev, BLOCK, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(out_of_bounds, a_registered_range_to_its_last_byte)
{
    static uint8_t memory[2 * 4096] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
    NEED(aclrtMemcpy2dAsync(dev, 64, memory + 64, 128, 64, 32, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtHostUnregister(memory));
}

/* Device memory has bytes behind the block; they are not the program's, and a copy beside them is right. */
CORRECT(out_of_bounds, an_odd_size_to_its_last_byte)
{
    uint8_t *odd;
    NEED(aclrtMalloc((void **)&odd, 1001, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtMemcpyAsync(odd, 1001, pin, 1001, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(odd));
}

/* --- double-free ------------------------------------------------------------------------------------------------- */

WRONG(double_free, device_memory_twice)
{
    void *p;
    NEED(aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtFree(p));
    NEED_CODE(107000, aclrtFree(p));
}

WRONG(double_free, pinned_memory_twice)
{
    void *p;
    NEED(aclrtMallocHost(&p, 4096));
    NEED(aclrtFreeHost(p));
    NEED_CODE(107000, aclrtFreeHost(p));
}

WRONG(double_free, unregistered_twice)
{
    static uint8_t memory[4096] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
    NEED(aclrtHostUnregister(memory));
    NEED_CODE(507911, aclrtHostUnregister(memory));
}

WRONG(double_free, freed_by_a_call_that_waits_too)
{
    void *p;
    NEED(aclrtMalloc(&p, 1 << 22, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtFreeWithDevSync(p));
    NEED_CODE(107000, aclrtFree(p));
}

CORRECT(double_free, two_blocks_once_each)
{
    void *p, *q;
    NEED(aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtMalloc(&q, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtFree(q));
    NEED(aclrtFree(p));
}

/* The address may be the same as before. */
CORRECT(double_free, allocated_again_in_between)
{
    for (int i = 0; i < 100; i++) {
        void *p;
        NEED(aclrtMallocHost(&p, 4096));
        NEED(aclrtFreeHost(p));
    }
}

CORRECT(double_free, registered_again_in_between)
{
    static uint8_t memory[4096] __attribute__((aligned(4096)));
    for (int i = 0; i < 2; i++) {
        NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
        NEED(aclrtHostUnregister(memory));
    }
}

/* --- invalid-free ------------------------------------------------------------------------------------------------ */

WRONG(invalid_free, an_address_inside_of_a_block)
{
    NEED_CODE(107000, aclrtFree(dev + 64));
}

WRONG(invalid_free, the_free_of_the_other_memory)
{
    NEED_CODE(107000, aclrtFree(pin));
    NEED_CODE(107000, aclrtFreeHost(dev));
}

WRONG(invalid_free, memory_that_is_not_from_the_interface)
{
    char local;
    NEED_CODE(107000, aclrtFreeHost(&local));
}

static void free_as_device_memory(void *block)
{
    NEED_CODE(107000, aclrtFree(block));
}

WRONG(invalid_free, in_a_host_function)
{
    NEED(aclrtLaunchHostFunc(s, free_as_device_memory, pin));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(invalid_free, never_registered)
{
    NEED_CODE(507911, aclrtHostUnregister(&s));
}

CORRECT(invalid_free, each_by_its_own_call)
{
    void *p, *q;
    NEED(aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtMallocHost(&q, 4096));
    NEED(aclrtFree(p));
    NEED(aclrtFreeHost(q));
}

CORRECT(invalid_free, a_small_block_at_its_start)
{
    void *p;
    NEED(aclrtMalloc(&p, 1, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtFree(p));
}

/* Refused as an argument, before it is a pointer to anything. */
CORRECT(invalid_free, null_is_looked_at)
{
    NEED_CODE(100000, aclrtFree(NULL));
}

/* --- leak -------------------------------------------------------------------------------------------------------- */

static void *lost;

WRONG(leak, lost_device_memory)
{
    NEED(aclrtMalloc(&lost, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
}

/* Of a size of its own: of functions that do the same, an optimizing compiler keeps one. */
__attribute__((always_inline)) static inline void lose(void)
{
    NEED(aclrtMalloc(&lost, 12288, ACL_MEM_MALLOC_HUGE_FIRST));
}

WRONG(leak, lost_in_an_inlined_function)
{
    lose();
}

WRONG(leak, lost_pinned_memory)
{
    NEED(aclrtMallocHost(&lost, 4096));
}

WRONG(leak, a_stream_of_a_context_that_lives)
{
    aclrtContext own, before;
    aclrtStream stream;
    NEED(aclrtGetCurrentContext(&before));
    NEED(aclrtCreateContext(&own, 0));
    NEED(aclrtCreateStream(&stream));
    NEED(aclrtSetCurrentContext(before));
}

WRONG(leak, a_range_left_registered)
{
    static uint8_t memory[4096] __attribute__((aligned(4096)));
    NEED(aclrtHostRegisterV2(memory, 4096, ACL_HOST_REG_PINNED));
}

/* It is not the context's, and does not go down with it. */
WRONG(leak, a_graph_that_nobody_destroys)
{
    aclmdlRI graph;
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, s));
    NEED(aclmdlRICaptureEnd(s, &graph));
    NEED(aclmdlRIExecuteAsync(graph, s));
}

WRONG(leak, notifies_of_a_device_that_is_not_reset)
{
    aclrtNotify notify;
    aclrtCntNotify counting;
    NEED(aclrtSetDevice(1));
    NEED(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    NEED(aclrtCntNotifyCreate(&counting, ACL_NOTIFY_DEFAULT));
    NEED(aclrtSetDevice(0));
}

CORRECT(leak, graphs_and_notifies_that_are_destroyed)
{
    aclmdlRI graph;
    aclrtNotify notify;
    aclrtCntNotify counting;
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, s));
    NEED(aclmdlRICaptureEnd(s, &graph));
    NEED(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    NEED(aclrtCntNotifyCreate(&counting, ACL_NOTIFY_DEFAULT));
    NEED(aclmdlRIExecuteAsync(graph, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtCntNotifyDestroy(counting));
    NEED(aclrtDestroyNotify(notify));
    NEED(aclmdlRIDestroy(graph));
}

/* A capture that fails leaves nothing. */
CORRECT(leak, a_capture_without_a_graph)
{
    aclmdlRI graph;
    aclrtEvent fork;
    NEED(aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtRecordEvent(fork, s));
    NEED(aclrtStreamWaitEvent(t, fork));
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, t));
    NEED_CODE(107025, aclmdlRICaptureEnd(s, &graph));
    NEED(aclrtDestroyEvent(fork));
}

CORRECT(leak, notifies_that_go_down_with_their_device)
{
    aclrtNotify notify;
    NEED(aclrtSetDevice(1));
    NEED(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    NEED(aclrtResetDevice(1));
    NEED(aclrtSetDevice(0));
    NEED(aclrtResetDevice(0));
}

CORRECT(leak, what_is_freed)
{
    NEED(aclrtMalloc(&lost, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtFree(lost));
}

CORRECT(leak, what_goes_down_with_its_context)
{
    aclrtContext own, before;
    aclrtStream stream;
    aclrtEvent event;
    NEED(aclrtGetCurrentContext(&before));
    NEED(aclrtCreateContext(&own, 0));
    NEED(aclrtCreateStream(&stream));
    NEED(aclrtCreateEvent(&event));
    NEED(aclrtDestroyContext(own));
    NEED(aclrtSetCurrentContext(before));
}

CORRECT(leak, what_goes_down_with_its_device)
{
    aclrtStream stream;
    NEED(aclrtSetDevice(1));
    NEED(aclrtCreateStream(&stream));
    NEED(aclrtResetDevice(1));
    NEED(aclrtSetDevice(0));
    NEED(aclrtResetDevice(0));
}

CORRECT(leak, default_streams_and_primary_contexts)
{
    NEED(aclrtMemcpyAsync(dev, BLOCK, pin, BLOCK, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    NEED(aclrtSynchronizeStream(NULL));
}
