/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that block, and shapes. */
#include "cases.h"

static uint8_t pageable[BLOCK];

/* --- blocked-async ----------------------------------------------------------------------------------------------- */

WRONG(blocked_async, a_pageable_upload_behind_work) /* R15 */
{
    close_gate(s);
    open_gate_when_asleep();
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

WRONG(blocked_async, a_pageable_download_behind_work) /* R33 */
{
    close_gate(s);
    open_gate_when_asleep();
    NEED(aclrtMemcpy2dAsync(pageable, 64, dev, 128, 32, 16, ACL_MEMCPY_DEVICE_TO_HOST, s));
}

WRONG(blocked_async, memory_of_the_stack)
{
    uint8_t local[256] = { 0 };
    close_gate(s);
    open_gate_when_asleep();
    NEED(aclrtMemcpy2dAsync(dev, 64, local, 32, 16, 8, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

CORRECT(blocked_async, pinned_memory)
{
    close_gate(s);
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    open_gate();
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(blocked_async, registered_memory)
{
    NEED(aclrtHostRegisterV2(pageable, BLOCK, ACL_HOST_REG_PINNED));
    close_gate(s);
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    open_gate();
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtHostUnregister(pageable));
}

/* Such a copy is done in its call, when the stream is idle: a matter of luck, which is not to decide. */
WRONG(blocked_async, pageable_memory_behind_work_that_may_be_done)
{
    NEED(aclrtMemcpyAsync(dev, 64, pin, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

CORRECT(blocked_async, pageable_memory_behind_a_synchronization)
{
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

CORRECT(blocked_async, pageable_memory_behind_an_event_that_was_reached)
{
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtSynchronizeEvent(e));
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

/* Each is complete when it returns. */
CORRECT(blocked_async, one_pageable_copy_after_the_other)
{
    for (int i = 0; i < 3; i++)
        NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

CORRECT(blocked_async, nothing_to_wait_for)
{
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
}

CORRECT(blocked_async, work_on_another_stream)
{
    close_gate(t);
    NEED(aclrtMemcpyAsync(dev, 4096, pageable, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    open_gate();
}

/* R32: the copy is complete when the call returns, so reading is no race. */
WRONG(blocked_async, pageable_memory_is_complete_at_once)
{
    close_gate(s);
    open_gate_when_asleep();
    NEED(aclrtMemcpyAsync(pageable, 4096, dev, 4096, ACL_MEMCPY_DEVICE_TO_HOST, s));
    if (pageable[0] != 1 || pageable[4095] != 1)
        abort();
}

/* --- shape ------------------------------------------------------------------------------------------------------- */

WRONG(shape, rows_one_by_one)
{
    for (size_t row = 0; row < 16; row++)
        NEED(aclrtMemcpyAsync(dev + row * 1024, 100, pin + row * 100, 100, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(shape, pieces_of_one_block)
{
    for (size_t i = 0; i < 16; i++)
        NEED(aclrtMemcpyAsync(dev + i * 1024, 1024, pin + i * 1024, 1024, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(shape, a_2d_copy_of_one_block) /* R26 */
{
    NEED(aclrtMemcpy2dAsync(dev, 1024, pin, 1024, 1024, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(shape, a_2d_copy_of_one_row)
{
    NEED(aclrtMemcpy2d(dev, 1024, pin, 2048, 1000, 1, ACL_MEMCPY_HOST_TO_DEVICE));
}

/* 61 is prime to 1024: the places repeat no step. */
WRONG(shape, many_small_copies)
{
    for (size_t i = 0; i < 256; i++)
        NEED(aclrtMemcpyAsync(dev + i * i * 61 % 1024 * 32, 32, pin + i * 32, 32, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(shape, fifteen_rows)
{
    for (size_t row = 0; row < 15; row++)
        NEED(aclrtMemcpyAsync(dev + row * 1024, 100, pin + row * 100, 100, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(shape, one_rectangle)
{
    NEED(aclrtMemcpy2dAsync(dev, 1024, pin, 1000, 1000, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

/* The synchronous 2D call takes none from device to device. */
CORRECT(shape, synchronous_rows_on_the_device)
{
    for (size_t row = 0; row < 16; row++)
        NEED(aclrtMemcpy(dev + row * 1024, 100, dev + row * 1024 + 512, 100, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

/* 2D calls take at most 5,000,000 bytes per row. */
CORRECT(shape, rows_too_wide_for_2d)
{
    enum { WIDTH = 5000001, STEP = 5001216, ROWS = 16 };
    char *wide;
    NEED(aclrtMalloc((void **)&wide, (size_t)2 * ROWS * STEP, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtMemset(wide, (size_t)2 * ROWS * STEP, 0, (size_t)2 * ROWS * STEP));
    for (size_t row = 0; row < ROWS; row++)
        NEED(aclrtMemcpyAsync(wide + 2 * row * STEP, WIDTH, wide + (2 * row + 1) * STEP, WIDTH,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFree(wide));
}

CORRECT(shape, rows_of_different_widths)
{
    for (size_t row = 0; row < 32; row++)
        NEED(aclrtMemcpyAsync(dev + row * 1024, 200, pin + row * 200, 100 + row, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

/* One place that copies rectangles and now and then a block. */
CORRECT(shape, sometimes_one_block)
{
    for (size_t width = 1000; width <= 1024; width += 24)
        NEED(aclrtMemcpy2dAsync(dev, 1024, pin, 1024, width, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(shape, some_small_copies)
{
    for (size_t i = 0; i < 255; i++)
        NEED(aclrtMemcpyAsync(dev + i * i * 61 % 1024 * 32, 32, pin + i * 32, 32, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}
