/* SPDX-License-Identifier: Apache-2.0 */
/* How 2D copies run: queued or blocking, bounds at execution, failures, memory freed in flight, peers. */
#include "support.h"

#include <sched.h>

/* --- pinned is queued, pageable blocks -------------------------------------------------------------------------- */

/* MEM-061 [doc] */
START_TEST(mem_061_pageable_source_may_change_after_return)
{
    struct gate gate;
    const struct call2d call = between(fx.device, fx.pageable, H2D);
    uint8_t *const before = malloc(FIXTURE_BYTES);
    fill_sources();
    memcpy(before, fx.pageable, FIXTURE_BYTES);
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    ASSERT_OK(submit2d(&call));
    memset(fx.pageable, 0xFF, FIXTURE_BYTES);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    memcpy(fx.pageable, before, FIXTURE_BYTES);
    assert_device_rows(&call);
    gate_join(&gate);
    free(before);
}
END_TEST

/* MEM-062 [doc] */
START_TEST(mem_062_pinned_call_returns_before_the_copy)
{
    struct gate gate;
    const struct call2d up = between(fx.device, fx.pinned, H2D);
    const struct call2d down = between(fx.pinned2, fx.device, D2H);
    aclrtStreamStatus status;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&up));
    ASSERT_OK(submit2d(&down));
    ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_OK(aclrtStreamQuery(fx.stream, &status));
    ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_device_rows(&up);
    assert_host_rows(&down);
}
END_TEST

START_TEST(device_to_device_call_returns_before_the_copy)
{
    struct gate gate;
    struct call2d call = between(fx.device2, fx.device, D2D);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&call));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    call.src = fx.pinned;
    assert_device_rows(&call);
}
END_TEST

/* MEM-063 [doc] */
START_TEST(mem_063_pageable_download_sees_the_queued_upload)
{
    struct gate gate;
    const struct call2d up = between(fx.device, fx.pinned, H2D);
    const struct call2d down = between(fx.pageable2, fx.device, D2H);
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&up));
    gate_open_once_blocked(&gate);
    ASSERT_OK(submit2d(&down));
    assert_host_rows(&down);
    assert_device_rows(&up);
    gate_join(&gate);
}
END_TEST

/* R32: read at once after a pageable download behind slow work. */
START_TEST(r32_pageable_download_is_complete_at_return)
{
    struct gate gate;
    const struct call2d down = between(fx.pageable2, fx.device, D2H);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    ASSERT_OK(submit2d(&down));
    ck_assert(gate_passed(&gate));
    assert_host_rows(&down);
    gate_join(&gate);
}
END_TEST

/* MEM-064 [code]: the failed task is a rectangle that leaves its allocation (decision 5). */
START_TEST(mem_064_pageable_copy_after_a_failed_task_returns_its_error)
{
    const struct call2d good = between(fx.device, fx.pageable, H2D);
    struct call2d bad = between(fx.device, fx.pinned, H2D);
    bad.dst = fx.device + FIXTURE_BYTES - 16;
    fill_sources();
    ASSERT_OK(submit2d(&bad));
    ASSERT_CODE(E_RT_SYS_DMA, submit2d(&good));
    assert_fixture_untouched();
}
END_TEST

START_TEST(sync_copy_does_not_wait_for_a_stream)
{
    struct gate gate;
    const struct call2d call = between(fx.device, fx.pinned, H2D);
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(copy2d(&call)); /* would never return if it waited */
    assert_device_rows(&call);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(sync_copy_ignores_a_failed_task)
{
    const struct call2d good = between(fx.device, fx.pinned, H2D);
    struct call2d bad = good;
    bad.dst = fx.device + FIXTURE_BYTES - 16;
    fill_sources();
    ASSERT_OK(submit2d(&bad));
    ASSERT_OK(copy2d(&good));
    assert_device_rows(&good);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* MEM-065 [proposal] */
START_TEST(mem_065_gaps_of_the_destination_stay)
{
    static const enum place hosts[] = { PLACE_PINNED, PLACE_PAGEABLE, PLACE_REGISTERED };
    for (size_t i = 0; i < COUNT_OF(hosts); i++) {
        struct rect src = rect_random(PLACE_DEVICE, 61, 37, 64, 9);
        struct rect dst = rect_poisoned(hosts[i], 61, 37, 80, 3);
        ASSERT_OK(aclrtMemcpy2dAsync(dst.at, 80, src.at, 64, 61, 37, D2H, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_RECT_EQ(&dst, &src);
        ASSERT_GAPS_ARE(&dst, POISON);
        rect_free(&src);
        rect_free(&dst);
    }
}
END_TEST

/* --- bounds ----------------------------------------------------------------------------------------------------- */

static struct call2d past_the_end(void)
{
    struct call2d call = between(fx.device, fx.pinned, H2D);
    call.dpitch = 4096;
    call.width = 44;  /* numbers that the message can be searched for */
    call.height = 17; /* row 16 starts at byte 65536 */
    call.spitch = 44;
    return call;
}

START_TEST(decision_05_async_call_accepts_and_the_stream_carries_the_error)
{
    const struct call2d call = past_the_end();
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "44", "17", "row 16");
    assert_fixture_untouched();
}
END_TEST

START_TEST(decision_05_a_query_reports_the_error)
{
    const struct call2d call = past_the_end();
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    aclError err = ACL_SUCCESS;
    fill_sources();
    ASSERT_OK(submit2d(&call));
    while (err == ACL_SUCCESS && status == ACL_STREAM_STATUS_NOT_READY) {
        err = aclrtStreamQuery(fx.stream, &status);
        sched_yield();
    }
    ASSERT_CODE(E_RT_SYS_DMA, err);
}
END_TEST

START_TEST(decision_05_sync_call_and_pageable_path_return_the_error)
{
    struct call2d call = past_the_end();
    fill_sources();
    ASSERT_CODE(E_RT_SYS_DMA, copy2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "row 16");
    call.src = fx.pageable;
    ASSERT_CODE(E_RT_SYS_DMA, copy2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, submit2d(&call));
    assert_fixture_untouched();
}
END_TEST

START_TEST(decision_05_source_past_its_end_writes_nothing)
{
    struct call2d call = between(fx.pinned2, fx.device, D2H);
    call.src = fx.device + FIXTURE_BYTES - 20 * 48 + 9; /* the last row leaves by one byte */
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
    call.src = fx.device + FIXTURE_BYTES - 20 * 48 + 8;
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(decision_05_device_to_device_past_either_end)
{
    struct call2d call = between(fx.device2, fx.device + FIXTURE_BYTES - 32, D2D);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    call = between(fx.device2 + FIXTURE_BYTES - 32, fx.device, D2D);
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
}
END_TEST

START_TEST(decision_05_pinned_allocation_has_bounds_too)
{
    struct call2d call = between(fx.device, fx.pinned + FIXTURE_BYTES - 39, H2D);
    call.height = 1;
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    assert_fixture_untouched();
}
END_TEST

START_TEST(decision_05_the_bounds_are_the_size_asked_for)
{
    void *odd;
    ASSERT_OK(aclrtMalloc(&odd, 100, ACL_MEM_MALLOC_HUGE_FIRST));
    fill_sources();
    ASSERT_OK(aclrtMemcpy2dAsync(odd, 100, fx.pinned, 100, 100, 1, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(odd, 101, fx.pinned, 101, 101, 1, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    /* The last row's gap may lie outside: only width counts there. */
    ASSERT_OK(aclrtMemcpy2dAsync(odd, 60, fx.pinned, 60, 40, 2, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(decision_05_device_memory_that_is_not_allocated)
{
    struct call2d call = good_call2d();
    void *freed;
    ASSERT_OK(aclrtMalloc(&freed, FIXTURE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtFree(freed));
    fill_sources();
    call.dst = freed;
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, copy2d(&call));
    assert_fixture_untouched();
}
END_TEST

START_TEST(decision_05_extents_never_wrap)
{
    static const struct {
        size_t pitch;
        size_t height;
    } rows[] = {
        { SIZE_MAX, 2 },
        { SIZE_MAX - 15, 2 },
        { (size_t)1 << 63, 2 },
        { (size_t)1 << 63, 3 }, /* 2 x 2^63 is 0 in 64 bits */
        { (size_t)1 << 62, 5 }, /* 4 x 2^62 likewise */
        { (size_t)1 << 44, HEIGHT_MAX },
        { ((size_t)1 << 63) + 8, 3 },
    };
    fill_sources();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const size_t pitch = rows[i].pitch;
        const size_t height = rows[i].height;
        ASSERT_OK(aclrtMemcpy2dAsync(fx.device, pitch, fx.pinned, pitch, 8, height, H2D, fx.stream));
        ASSERT_CODE_OF_ROW(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream), "pitch %zu, height %zu", pitch, height);
        ASSERT_OK(aclrtMemcpy2dAsync(fx.device2, 8, fx.device, pitch, 8, height < 100 ? height : 100, D2D, fx.stream));
        ASSERT_CODE_OF_ROW(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream), "pitch %zu, height %zu", pitch, height);
        ASSERT_CODE_OF_ROW(E_RT_SYS_DMA, aclrtMemcpy2d(fx.device, pitch, fx.pageable, pitch, 8, height, H2D),
                           "pitch %zu, height %zu", pitch, height);
    }
    assert_fixture_untouched();
}
END_TEST

/* The device side is in order; the pageable side passes the end of the address space. */
START_TEST(decision_05_pageable_extent_that_wraps)
{
    fill_sources();
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpy2dAsync(fx.device, 8, fx.pageable, SIZE_MAX - 4, 8, 2, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpy2d(fx.device, 8, fx.pageable, (size_t)1 << 63, 8, 3, H2D));
    assert_fixture_untouched();
}
END_TEST

START_TEST(one_row_may_have_any_pitch)
{
    struct call2d call = between(fx.device, fx.pinned, H2D);
    call.dpitch = SIZE_MAX;
    call.spitch = SIZE_MAX - 1;
    call.height = 1;
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_device_rows(&call);
}
END_TEST

/* R40: 64 MiB x 128 is 8 GiB of addresses; few bytes of it are touched. */
START_TEST(r40_pitch_times_height_beyond_32_bits)
{
    enum { ROWS = 128, WIDTH = 24 };
    const size_t pitch = (size_t)64 << 20;
    uint8_t *device;
    struct rect src = rect_random(PLACE_PINNED, WIDTH, ROWS, 32, 0);
    struct rect dst = rect_poisoned(PLACE_PINNED, WIDTH, ROWS, 40, 0);
    ASSERT_OK(aclrtMalloc((void **)&device, pitch * ROWS, ACL_MEM_MALLOC_NORMAL_ONLY));
    ASSERT_OK(aclrtMemcpy2dAsync(device + 4096, pitch, src.at, 32, WIDTH, ROWS, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, 40, device + 4096, pitch, WIDTH, ROWS, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &src);
    ASSERT_GAPS_ARE(&dst, POISON);

    /* One row by a 1D copy: the rows are where the arithmetic says. */
    uint8_t row[WIDTH];
    download(row, device + 4096 + 100 * pitch, WIDTH);
    ASSERT_SAME_BYTES(row, src.at + 100 * 32, WIDTH);

    ASSERT_OK(aclrtMemcpy2dAsync(device, (size_t)1 << 62, src.at, 32, WIDTH, 8, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtFree(device));
    rect_free(&src);
    rect_free(&dst);
}
END_TEST

/* A page of a KV cache over all layers: tens of GiB of addresses in one rectangle. */
START_TEST(span_of_tens_of_gib)
{
    enum { ROWS = 64, WIDTH = 4096 };
    const size_t pitch = (size_t)600 << 20;
    uint8_t *device;
    struct rect src = rect_random(PLACE_PINNED, WIDTH, ROWS, WIDTH, 0);
    struct rect dst = rect_poisoned(PLACE_PINNED, WIDTH, ROWS, WIDTH + 1, 0);
    ASSERT_OK(aclrtMalloc((void **)&device, pitch * ROWS, ACL_MEM_MALLOC_NORMAL_ONLY));
    ASSERT_OK(aclrtMemcpy2dAsync(device, pitch, src.at, WIDTH, WIDTH, ROWS, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, WIDTH + 1, device, pitch, WIDTH, ROWS, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &src);
    ASSERT_GAPS_ARE(&dst, POISON);
    ASSERT_OK(aclrtFree(device));
    rect_free(&src);
    rect_free(&dst);
}
END_TEST

/* --- failed tasks ----------------------------------------------------------------------------------------------- */

/* R20, without fault injection: copy 2 of 4 leaves its allocation. */
START_TEST(r20_failure_of_copy_2_of_4)
{
    struct call2d calls[4];
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    for (size_t i = 0; i < 4; i++) {
        calls[i] = between(fx.device + i * 4096, fx.pinned + i * 4096, H2D);
        calls[i].width = 30 + i;
    }
    calls[1].dst = fx.device + FIXTURE_BYTES - 31;
    for (size_t i = 0; i < 4; i++)
        ASSERT_OK(submit2d(&calls[i]));
    gate_open(&gate);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "31");
    ASSERT_CODE(E_RT_SYS_DMA, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));

    uint8_t *const want = malloc(FIXTURE_BYTES);
    memset(want, POISON, FIXTURE_BYTES);
    for (size_t i = 0; i < 4; i++) {
        if (i != 1)
            model_copy2d(want + i * 4096, 64, calls[i].src, 48, calls[i].width, 20);
    }
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, want, FIXTURE_BYTES));
    free(want);
}
END_TEST

START_TEST(decision_11_the_first_failure_once)
{
    struct call2d first = past_the_end();
    struct call2d second = past_the_end();
    struct gate gate;
    first.width = 33;
    second.width = 43;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&first));
    ASSERT_OK(submit2d(&second));
    gate_open(&gate);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "33");
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_fixture_untouched();
}
END_TEST

START_TEST(decision_11_mode_stop_skips_the_rest)
{
    const struct call2d bad = past_the_end();
    const struct call2d good = between(fx.device, fx.pinned, H2D);
    struct gate gate;
    fill_sources();
    ASSERT_OK(aclrtSetStreamFailureMode(fx.stream, 1));
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&bad));
    ASSERT_OK(submit2d(&good));
    gate_open(&gate);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

START_TEST(decision_11_a_failure_stays_on_its_own_stream)
{
    const struct call2d bad = past_the_end();
    struct call2d good = between(fx.device, fx.pinned, H2D);
    fill_sources();
    ASSERT_OK(aclrtCreateStream(&good.stream));
    ASSERT_OK(submit2d(&bad));
    ASSERT_OK(submit2d(&good));
    ASSERT_OK(aclrtSynchronizeStream(good.stream));
    assert_device_rows(&good);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* --- freed in flight -------------------------------------------------------------------------------------------- */

START_TEST(decision_08_pinned_memory_freed_in_flight_lives_on)
{
    struct gate gate;
    struct rect src = rect_random(PLACE_PINNED, 100, 50, 128, 0);
    struct rect dst = rect_poisoned(PLACE_DEVICE, 100, 50, 100, 0);
    struct rect keep = rect_random(PLACE_PAGEABLE, 100, 50, 128, 0); /* the same bytes: same shape */
    void *again;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, 100, src.at, 128, 100, 50, H2D, fx.stream));
    ASSERT_OK(aclrtFreeHost(src.block.at));
    ASSERT_OK(aclrtMallocHost(&again, src.block.bytes));
    memset(again, 0x5A, src.block.bytes); /* must not be the pages that the copy still names */
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &keep);
    block_forget(&src.block);
    rect_free(&dst);
    rect_free(&keep);
}
END_TEST

START_TEST(decision_08_device_memory_freed_in_flight_lives_on)
{
    struct gate gate;
    struct rect src = rect_random(PLACE_DEVICE, 100, 50, 128, 0);
    struct rect dst = rect_poisoned(PLACE_DEVICE, 100, 50, 100, 0);
    struct rect keep = rect_random(PLACE_PAGEABLE, 100, 50, 128, 0);
    struct block again;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, 100, src.at, 128, 100, 50, D2D, fx.stream));
    ASSERT_OK(aclrtFree(src.block.at));
    again = block_new(PLACE_DEVICE, src.block.bytes);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &keep);
    ASSERT_AS_MODELLED(&again);
    block_forget(&src.block);
    block_free(&again);
    rect_free(&dst);
    rect_free(&keep);
}
END_TEST

/* R30 */
START_TEST(r30_source_freed_right_after_a_tall_copy)
{
    struct rect src = rect_random(PLACE_DEVICE, 4, 25600, 64, 0);
    struct rect dst = rect_poisoned(PLACE_DEVICE, 4, 25600, 8, 0);
    struct rect keep = rect_random(PLACE_PAGEABLE, 4, 25600, 64, 0);
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, 8, src.at, 64, 4, 25600, D2D, fx.stream));
    ASSERT_OK(aclrtFree(src.block.at));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &keep);
    ASSERT_GAPS_ARE(&dst, POISON);
    block_forget(&src.block);
    rect_free(&dst);
    rect_free(&keep);
}
END_TEST

/* R35 */
START_TEST(r35_pinned_destination_freed_in_flight)
{
    struct gate gate;
    const struct call2d down = between(fx.pinned2, fx.device, D2H);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(fx.device, FIXTURE_BYTES, 7, FIXTURE_BYTES, fx.stream));
    ASSERT_OK(submit2d(&down));
    ASSERT_OK(aclrtFreeHost(fx.pinned2));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, 7));
}
END_TEST

/* --- peers ------------------------------------------------------------------------------------------------------ */

/* A block on device 1; device 0 is current afterwards. */
static uint8_t *memory_of_device_1(void)
{
    void *at;
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_OK(aclrtMalloc(&at, FIXTURE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    upload(at, fx.pageable2, FIXTURE_BYTES);
    ASSERT_OK(aclrtSetDevice(0));
    return at;
}

START_TEST(decision_10_without_peer_access_the_copy_fails_at_execution)
{
    uint8_t *const far = memory_of_device_1();
    const struct call2d call = between(far, fx.device, D2D);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    ASSERT_OK(submit2d(&call));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "device 0", "device 1");
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_NO_DIFFERENCE(device_fill_difference(far, FIXTURE_BYTES, POISON));
}
END_TEST

static void assert_peer_copies(uint8_t *far)
{
    struct call2d out = between(far, fx.device, D2D);
    struct call2d in = between(fx.device2, far, D2D);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    in.spitch = 64;
    ASSERT_OK(submit2d(&out));
    ASSERT_OK(submit2d(&in));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    out.src = fx.pinned;
    out.dst = fx.device2;
    assert_device_rows(&out);
}

START_TEST(decision_10_with_peer_access_both_ways_the_copy_runs)
{
    uint8_t *const far = memory_of_device_1();
    ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_OK(aclrtDeviceEnablePeerAccess(0, 0));
    ASSERT_OK(aclrtSetDevice(0));
    assert_peer_copies(far);
}
END_TEST

START_TEST(decision_10_pacl_peer_open_needs_no_enabling)
{
    use_default_product();
    setenv("PACL_PEER", "open", 1);
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&fx.stream));
    for (int i = 0; i < 2; i++) {
        void *at;
        ASSERT_OK(aclrtMalloc(&at, FIXTURE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
        *(i == 0 ? &fx.device : &fx.device2) = at;
    }
    ASSERT_OK(aclrtMallocHost((void **)&fx.pinned, FIXTURE_BYTES));
    fx.pageable = malloc(FIXTURE_BYTES);
    fx.pageable2 = malloc(FIXTURE_BYTES);
    memset(fx.pageable2, POISON, FIXTURE_BYTES);
    upload(fx.device2, fx.pageable2, FIXTURE_BYTES);
    assert_peer_copies(memory_of_device_1());
}
END_TEST

/* --- registration ----------------------------------------------------------------------------------------------- */

static TCase *order_case(void)
{
    TCase *const tc = new_case("order", fixture_open, fixture_close);
    tcase_add_test(tc, mem_061_pageable_source_may_change_after_return);
    tcase_add_test(tc, mem_062_pinned_call_returns_before_the_copy);
    tcase_add_test(tc, device_to_device_call_returns_before_the_copy);
    tcase_add_test(tc, mem_063_pageable_download_sees_the_queued_upload);
    tcase_add_test(tc, r32_pageable_download_is_complete_at_return);
    tcase_add_test(tc, mem_064_pageable_copy_after_a_failed_task_returns_its_error);
    tcase_add_test(tc, sync_copy_does_not_wait_for_a_stream);
    tcase_add_test(tc, sync_copy_ignores_a_failed_task);
    tcase_add_test(tc, mem_065_gaps_of_the_destination_stay);
    return tc;
}

static TCase *bounds_case(void)
{
    TCase *const tc = new_case("bounds", fixture_open, fixture_close);
    tcase_add_test(tc, decision_05_async_call_accepts_and_the_stream_carries_the_error);
    tcase_add_test(tc, decision_05_a_query_reports_the_error);
    tcase_add_test(tc, decision_05_sync_call_and_pageable_path_return_the_error);
    tcase_add_test(tc, decision_05_source_past_its_end_writes_nothing);
    tcase_add_test(tc, decision_05_device_to_device_past_either_end);
    tcase_add_test(tc, decision_05_pinned_allocation_has_bounds_too);
    tcase_add_test(tc, decision_05_the_bounds_are_the_size_asked_for);
    tcase_add_test(tc, decision_05_device_memory_that_is_not_allocated);
    tcase_add_test(tc, decision_05_extents_never_wrap);
    tcase_add_test(tc, decision_05_pageable_extent_that_wraps);
    tcase_add_test(tc, one_row_may_have_any_pitch);
    tcase_add_test(tc, r40_pitch_times_height_beyond_32_bits);
    tcase_add_test(tc, span_of_tens_of_gib);
    return tc;
}

static TCase *failures_case(void)
{
    TCase *const tc = new_case("failures", fixture_open, fixture_close);
    tcase_add_test(tc, r20_failure_of_copy_2_of_4);
    tcase_add_test(tc, decision_11_the_first_failure_once);
    tcase_add_test(tc, decision_11_mode_stop_skips_the_rest);
    tcase_add_test(tc, decision_11_a_failure_stays_on_its_own_stream);
    tcase_add_test(tc, decision_08_pinned_memory_freed_in_flight_lives_on);
    tcase_add_test(tc, decision_08_device_memory_freed_in_flight_lives_on);
    tcase_add_test(tc, r30_source_freed_right_after_a_tall_copy);
    tcase_add_test(tc, r35_pinned_destination_freed_in_flight);
    tcase_add_test(tc, decision_10_without_peer_access_the_copy_fails_at_execution);
    tcase_add_test(tc, decision_10_with_peer_access_both_ways_the_copy_runs);
    return tc;
}

static TCase *bare_case(void)
{
    TCase *const tc = new_case("nothing set up", NULL, NULL);
    tcase_add_test(tc, decision_10_pacl_peer_open_needs_no_enabling);
    return tc;
}

int main(void)
{
    return run_cases("memcpy2d_run", bare_case(), order_case(), bounds_case(), failures_case(), (TCase *)NULL);
}
