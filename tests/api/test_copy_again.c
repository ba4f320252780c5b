/* SPDX-License-Identifier: Apache-2.0 */
/* A copy like the thread's last one takes a short way (pacl_copy_again): what has changed since then must still count. */
#include "support.h"

/* Twice, so that the second one has the short way; both sides are POISON. */
static void warm_up(uint8_t *dst, const uint8_t *src, int kind, aclrtStream stream)
{
    for (unsigned i = 0; i < 2; i++)
        ASSERT_OK(aclrtMemcpy2dAsync(dst, 64, src, 64, 16, 4, (aclrtMemcpyKind)kind, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
}

static aclError copy_again(void)
{
    return aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, H2D, fx.stream);
}

static void warm_up_fixture(void)
{
    warm_up(fx.device, fx.pinned, H2D, fx.stream);
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

/* Each row from a warm start: the code of the call, and of the synchronize after it. */
static const struct {
    const char *what;
    struct call2d call; /* dst and src are offsets into the blocks; kind is H2D */
    int code, sync_code;
} numbers[] = {
    { "width 0", { .dpitch = 1, .spitch = 1, .width = 0, .height = 4 }, 0, 0 },
    { "height 0", { .dpitch = 1, .spitch = 1, .width = 16, .height = 0 }, 0, 0 },
    { "width over dpitch", { .dpitch = 15, .spitch = 64, .width = 16, .height = 1 }, E_INVALID_PARAM, 0 },
    { "width over spitch", { .dpitch = 64, .spitch = 15, .width = 16, .height = 1 }, E_INVALID_PARAM, 0 },
    { "all of it", { .dpitch = 64, .spitch = 64, .width = 64, .height = 1024 }, 0, 0 },
    { "a row too many", { .dpitch = 64, .spitch = 64, .width = 64, .height = 1025 }, 0, E_RT_SYS_DMA },
    { "a byte too far in dst", { .dpitch = 4097, .spitch = 64, .width = 16, .height = 17 }, 0, E_RT_SYS_DMA },
    { "a byte too far in src", { .dpitch = 64, .spitch = 4097, .width = 16, .height = 17 }, 0, E_RT_SYS_DMA },
    { "a pitch that wraps", { .dpitch = SIZE_MAX / 2, .spitch = 64, .width = 16, .height = 4 }, 0, E_RT_SYS_DMA },
    { "height over the limit",
      { .dpitch = 1, .spitch = 1, .width = 1, .height = HEIGHT_MAX + 1 },
      E_RT_PARAM_INVALID,
      0 },
    { "width over the limit",
      { .dpitch = SIZE_MAX, .spitch = SIZE_MAX, .width = WIDTH_MAX + 1, .height = 1 },
      E_RT_PARAM_INVALID,
      0 },
};

START_TEST(numbers_are_checked)
{
    const struct call2d *const call = &numbers[_i].call;
    warm_up_fixture();
    ASSERT_CODE_OF_ROW(
        numbers[_i].code,
        aclrtMemcpy2dAsync(fx.device, call->dpitch, fx.pinned, call->spitch, call->width, call->height, H2D, fx.stream),
        "%s", numbers[_i].what);
    ASSERT_CODE_OF_ROW(numbers[_i].sync_code, aclrtSynchronizeStream(fx.stream), "%s", numbers[_i].what);
}
END_TEST

START_TEST(numbers_are_checked_before_a_busy_queue)
{
    struct gate gate;
    const struct call2d *const call = &numbers[_i].call;
    warm_up_fixture();
    gate_close(&gate, fx.stream);
    ASSERT_CODE_OF_ROW(
        numbers[_i].code,
        aclrtMemcpy2dAsync(fx.device, call->dpitch, fx.pinned, call->spitch, call->width, call->height, H2D, fx.stream),
        "%s", numbers[_i].what);
    gate_open(&gate);
    ASSERT_CODE_OF_ROW(numbers[_i].sync_code, aclrtSynchronizeStream(fx.stream), "%s", numbers[_i].what);
}
END_TEST

/* The memory stays until the copy has been made, and is nobody's after. */
START_TEST(a_queued_copy_keeps_its_memory)
{
    struct gate gate;
    void *device;
    ASSERT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    warm_up(device, fx.pinned, H2D, fx.stream);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpy2dAsync(device, 64, fx.pinned, 64, 16, 4, H2D, fx.stream));
    ASSERT_OK(aclrtFree(device));
    ASSERT_OK(aclrtMemcpy2dAsync(device, 64, fx.pinned, 64, 16, 4, H2D, fx.stream));
    gate_open(&gate);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream)); /* of the second one alone */
    ASSERT_MESSAGE_NAMES("not allocated");
}
END_TEST

START_TEST(the_bytes_are_those_of_this_call)
{
    uint8_t want[FIXTURE_BYTES];
    warm_up_fixture();
    fill_sources();
    memset(want, POISON, sizeof want);
    for (unsigned i = 0; i < 8; i++) {
        ASSERT_OK(aclrtMemcpy2dAsync(fx.device + 5 * i, 1000, fx.pinned + 3 * i, 700 + i, 2 + i, 9, H2D, fx.stream));
        model_copy2d(want + 5 * i, 1000, fx.pinned + 3 * i, 700 + i, 2 + i, 9);
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, want, sizeof want));
}
END_TEST

/* --- blocks ----------------------------------------------------------------------------------------------------- */

START_TEST(a_freed_block_is_gone)
{
    void *device;
    ASSERT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    warm_up(device, fx.pinned, H2D, fx.stream);
    ASSERT_OK(aclrtFree(device));
    ASSERT_OK(aclrtMemcpy2dAsync(device, 64, fx.pinned, 64, 16, 4, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(a_smaller_block_in_its_place_has_its_own_size)
{
    void *device, *next;
    ASSERT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    warm_up(device, fx.pinned, H2D, fx.stream);
    ASSERT_OK(aclrtFree(device));
    ASSERT_OK(aclrtMalloc(&next, 4090, ACL_MEM_MALLOC_HUGE_FIRST));
    ck_assert_ptr_eq(next, device); /* of the same class of sizes: the slot that was freed last */
    ASSERT_OK(aclrtMemcpy2dAsync(next, 64, fx.pinned, 64, 64, 64, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtFree(next));
}
END_TEST

START_TEST(another_block_is_looked_up)
{
    fill_sources();
    warm_up_fixture();
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device2, 64, fx.pinned, 64, 16, 4, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    const struct call2d call = {
        .dst = fx.device2, .dpitch = 64, .src = fx.pinned, .spitch = 64, .width = 16, .height = 4
    };
    assert_device_rows(&call);
}
END_TEST

/* Pageable memory makes its caller wait, and its kind must fit, whatever was copied before. */
START_TEST(pageable_memory_is_looked_at)
{
    warm_up_fixture();
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy2dAsync(fx.pageable, 64, fx.device, 64, 16, 4, H2D, fx.stream));
    warm_up(fx.pinned, fx.device, D2H, fx.stream);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy2dAsync(fx.device, 64, fx.pageable, 64, 16, 4, D2H, fx.stream));
}
END_TEST

/* --- kinds and forms -------------------------------------------------------------------------------------------- */

START_TEST(kinds_are_checked)
{
    static const int refused[] = { H2H, 5, 6, -1, 0x7fffffff };
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        warm_up_fixture();
        warm_up(fx.pinned, fx.device, D2H, fx.stream);
        ASSERT_CODE_OF_ROW(
            E_INVALID_PARAM,
            aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, (aclrtMemcpyKind)refused[i], fx.stream), "kind %d",
            refused[i]);
    }
}
END_TEST

/* The 1D call has its own: destMax, and null pointers. */
START_TEST(the_other_call_is_not_meant)
{
    for (unsigned i = 0; i < 2; i++)
        ASSERT_OK(aclrtMemcpyAsync(fx.device, 100, fx.pinned, 100, H2D, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsync(fx.device, 99, fx.pinned, 100, H2D, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsync(NULL, 100, fx.pinned, 100, H2D, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsync(fx.device, 100, NULL, 100, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES + 1, fx.pinned, FIXTURE_BYTES + 1, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
}
END_TEST

static void open_without_2d(void)
{
    fixture_open_on("atlas-inference-module");
}

START_TEST(a_product_without_2d_copies_has_none)
{
    for (unsigned i = 0; i < 2; i++)
        ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, copy_again());
}
END_TEST

/* --- streams and contexts --------------------------------------------------------------------------------------- */

START_TEST(handles_are_checked)
{
    aclrtStream gone;
    ASSERT_OK(aclrtCreateStream(&gone));
    warm_up(fx.device, fx.pinned, H2D, gone);
    ASSERT_OK(aclrtDestroyStream(gone));
    const aclrtStream bad[] = { gone, (aclrtStream)(uintptr_t)0x10, (aclrtStream) ~(uintptr_t)0, fx.device };
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, H2D, bad[i]));
}
END_TEST

START_TEST(another_stream_has_its_own_order)
{
    struct gate gate;
    aclrtStream other;
    fill_sources();
    ASSERT_OK(aclrtCreateStream(&other));
    warm_up_fixture();
    gate_close(&gate, other);
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device2, 64, fx.pinned, 64, 16, 4, H2D, other)); /* looked up, and queued */
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, H2D, other));
    ASSERT_OK(copy_again()); /* this one is not behind the gate */
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclrtDestroyStream(other));
}
END_TEST

START_TEST(the_current_context_counts)
{
    aclrtContext mine, other;
    aclrtStream others;
    ASSERT_OK(aclrtGetCurrentContext(&mine));
    warm_up_fixture();
    ASSERT_OK(aclrtCreateContext(&other, 0));
    ASSERT_OK(aclrtCreateStream(&others));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, copy_again());
    ASSERT_OK(aclrtSetCurrentContext(mine));
    ASSERT_OK(copy_again());
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, H2D, others));
    ASSERT_OK(aclrtDestroyContext(other));
}
END_TEST

static aclrtContext destroyed;

static aclError destroy_context(void)
{
    return aclrtDestroyContext(destroyed);
}

START_TEST(a_context_that_another_thread_destroys_is_gone)
{
    aclrtContext own;
    aclrtStream stream;
    ASSERT_OK(aclrtCreateContext(&own, 0));
    ASSERT_OK(aclrtCreateStream(&stream));
    warm_up(fx.device, fx.pinned, H2D, stream);
    destroyed = own;
    ASSERT_OK(in_new_thread(destroy_context));
    ASSERT_REFUSED(aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, H2D, stream));
}
END_TEST

/* What one thread has copied says nothing about the context of another. */
START_TEST(a_thread_without_a_context_has_none)
{
    warm_up_fixture();
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(copy_again));
}
END_TEST

/* A failed stream of the mode that stops does no more. */
START_TEST(a_stopped_stream_stays_stopped)
{
    warm_up_fixture();
    ASSERT_OK(aclrtSetStreamFailureMode(fx.stream, ACL_STOP_ON_FAILURE));
    fill_sources();
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 64, 1025, H2D, fx.stream));
    ASSERT_OK(copy_again());
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

int main(void)
{
    TCase *const c = new_case("again", fixture_open, fixture_close);
    tcase_add_loop_test(c, numbers_are_checked, 0, (int)COUNT_OF(numbers));
    tcase_add_loop_test(c, numbers_are_checked_before_a_busy_queue, 0, (int)COUNT_OF(numbers));
    tcase_add_test(c, a_queued_copy_keeps_its_memory);
    tcase_add_test(c, the_bytes_are_those_of_this_call);
    tcase_add_test(c, a_freed_block_is_gone);
    tcase_add_test(c, a_smaller_block_in_its_place_has_its_own_size);
    tcase_add_test(c, another_block_is_looked_up);
    tcase_add_test(c, pageable_memory_is_looked_at);
    tcase_add_test(c, kinds_are_checked);
    tcase_add_test(c, the_other_call_is_not_meant);
    tcase_add_test(c, handles_are_checked);
    tcase_add_test(c, another_stream_has_its_own_order);
    tcase_add_test(c, the_current_context_counts);
    tcase_add_test(c, a_context_that_another_thread_destroys_is_gone);
    tcase_add_test(c, a_thread_without_a_context_has_none);
    tcase_add_test(c, a_stopped_stream_stays_stopped);
    TCase *const without = new_case("without_2d", open_without_2d, fixture_close);
    tcase_add_test(without, a_product_without_2d_copies_has_none);
    return run_cases("copy_again", c, without, NULL);
}
