/* SPDX-License-Identifier: Apache-2.0 */
/* The stream and the context of a 2D copy, and in which order the calls look at what may be wrong. */
#include "support.h"

/* --- streams and contexts --------------------------------------------------------------------------------------- */

/* MEM-035 [code] */
START_TEST(mem_035_stream_argument_is_an_event)
{
    aclrtEvent event;
    struct call2d call = good_call2d();
    ASSERT_OK(aclrtCreateEvent(&event));
    call.stream = event;
    fill_sources();
    ASSERT_CODE(E_RT_INVALID_HANDLE, submit2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "stream");
    assert_fixture_untouched();
}
END_TEST

/* The fixture's stream belongs to the primary context; afterwards another context is current. */
static aclrtContext enter_another_context(void)
{
    aclrtContext other;
    ASSERT_OK(aclrtCreateContext(&other, 0));
    return other;
}

/* MEM-036 [code] */
START_TEST(mem_036_stream_of_another_context_with_pinned_memory)
{
    const struct call2d call = good_call2d();
    fill_sources();
    enter_another_context();
    ASSERT_CODE(E_RT_STREAM_CONTEXT, submit2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "stream");
    assert_fixture_untouched();
}
END_TEST

START_TEST(stream_of_another_context_with_device_memory_only)
{
    struct call2d call = good_call2d();
    fill_sources();
    upload(fx.device2, fx.pinned, FIXTURE_BYTES);
    call.src = fx.device2;
    call.kind = D2D;
    enter_another_context();
    ASSERT_CODE(E_RT_STREAM_CONTEXT, submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

/* MEM-037 [code] */
START_TEST(mem_037_stream_of_another_context_with_pageable_memory)
{
    struct call2d call = good_call2d();
    call.src = fx.pageable;
    fill_sources();
    enter_another_context();
    ASSERT_OK(submit2d(&call));
    assert_device_rows(&call);
}
END_TEST

static aclError submit_good(void)
{
    const struct call2d call = good_call2d();
    return submit2d(&call);
}

static aclError copy_good(void)
{
    const struct call2d call = good_call2d();
    return copy2d(&call);
}

static aclError submit_to_null_stream(void)
{
    return aclrtMemcpy2dAsync(fx.device, 1, fx.pinned, 1, 1, 1, H2D, NULL);
}

/* MEM-038 [code] */
START_TEST(mem_038_live_stream_without_a_current_context)
{
    fill_sources();
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(submit_good));
    assert_fixture_untouched();
}
END_TEST

/* MEM-039 [proposal] */
START_TEST(mem_039_null_stream_is_ordered_on_the_default_stream)
{
    struct gate gate;
    struct call2d call = good_call2d();
    aclrtStream default_stream;
    fill_sources();
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
    gate_close(&gate, default_stream);
    call.stream = NULL;
    ASSERT_OK(submit2d(&call));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(default_stream));
    assert_device_rows(&call);
}
END_TEST

/* MEM-040 [code] */
START_TEST(mem_040_null_stream_without_a_context)
{
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, in_new_thread(submit_to_null_stream));
    assert_fixture_untouched();
}
END_TEST

/* MEM-078 [code] */
START_TEST(mem_078_sync_without_a_context)
{
    fill_sources();
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(copy_good));
    assert_fixture_untouched();
}
END_TEST

/* R01 */
START_TEST(r01_stream_of_another_device)
{
    const struct call2d call = good_call2d();
    fill_sources();
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, submit2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "device 0", "device 1");
    ASSERT_OK(aclrtSetDevice(0));
    assert_fixture_untouched();
}
END_TEST

/* R03 */
START_TEST(r03_memory_needs_a_device_and_the_null_stream_is_ordered)
{
    void *device;
    uint8_t *pinned;
    use_default_product();
    ASSERT_OK(aclInit(NULL));
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, 128));
    memset(pinned, 0x11, 64);
    memset(pinned + 64, POISON, 64);
    ASSERT_OK(aclrtMemsetAsync(device, 64, 0x22, 64, NULL));
    ASSERT_OK(aclrtMemcpy2dAsync(device, 16, pinned, 16, 8, 4, H2D, NULL));
    ASSERT_OK(aclrtMemcpyAsync(pinned + 64, 64, device, 64, D2H, NULL));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    for (size_t row = 0; row < 4; row++) {
        ASSERT_ALL_BYTES(pinned + 64 + row * 16, 8, 0x11);
        ASSERT_ALL_BYTES(pinned + 64 + row * 16 + 8, 8, 0x22);
    }
    ASSERT_OK(aclFinalize());
}
END_TEST

START_TEST(decision_03_null_stream_is_the_current_contexts_default_stream)
{
    struct gate gate;
    aclrtStream of_primary;
    struct call2d call = between(fx.device, fx.pinned, H2D);
    fill_sources();
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&of_primary));
    gate_close(&gate, of_primary);
    enter_another_context();
    call.stream = NULL;
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(NULL)); /* not held up by the other context's default stream */
    assert_device_rows(&call);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(of_primary));
}
END_TEST

/* --- order of checks -------------------------------------------------------------------------------------------- */

static void *const made_up_stream = (void *)(uintptr_t)0x10;

static void fault_dst(struct call2d *call)
{
    call->dst = NULL;
}

static void fault_src(struct call2d *call)
{
    call->src = NULL;
}

static void fault_pitch(struct call2d *call)
{
    call->dpitch = call->width - 1;
}

static void fault_kind(struct call2d *call)
{
    call->kind = 8;
}

static void fault_stream(struct call2d *call)
{
    call->stream = made_up_stream;
}

static void fault_height(struct call2d *call)
{
    call->height = HEIGHT_MAX + 1;
}

static void fault_direction(struct call2d *call)
{
    call->src = fx.pageable;
    call->kind = D2H;
}

/* In the order in which the calls must look at them. */
static const struct fault {
    const char *name;
    void (*apply)(struct call2d *call);
    int async_code;
    int sync_code; /* 0: not a fault of the synchronous call */
} faults[] = {
    { "null dst", fault_dst, E_INVALID_PARAM, E_INVALID_PARAM },
    { "null src", fault_src, E_INVALID_PARAM, E_INVALID_PARAM },
    { "width over pitch", fault_pitch, E_INVALID_PARAM, E_INVALID_PARAM },
    { "bad kind", fault_kind, E_INVALID_PARAM, E_INVALID_PARAM },
    { "bad stream", fault_stream, E_RT_INVALID_HANDLE, 0 },
    { "height over limit", fault_height, E_RT_PARAM_INVALID, E_RT_PARAM_INVALID },
    { "direction against the addresses", fault_direction, E_RT_PARAM_INVALID, E_RT_PARAM_INVALID },
};

static struct call2d two_faults(size_t first, size_t second)
{
    struct call2d call = good_call2d();
    faults[second].apply(&call);
    faults[first].apply(&call);
    return call;
}

START_TEST(of_two_faults_the_first_in_the_table_decides)
{
    fill_sources();
    for (size_t first = 0; first < COUNT_OF(faults); first++) {
        for (size_t second = first; second < COUNT_OF(faults); second++) {
            const struct call2d call = two_faults(first, second);
            const int sync_code = faults[first].sync_code != 0 ? faults[first].sync_code : faults[second].sync_code;
            ASSERT_CODE_OF_ROW(faults[first].async_code, submit2d(&call), "%s and %s", faults[first].name,
                               faults[second].name);
            if (sync_code != 0)
                ASSERT_CODE_OF_ROW(sync_code, copy2d(&call), "%s and %s", faults[first].name, faults[second].name);
        }
    }
    assert_fixture_untouched();
}
END_TEST

/* A call with the fault of this row, for threads. */
static size_t row_under_test;

static aclError submit_row(void)
{
    const struct call2d call = two_faults(row_under_test, row_under_test);
    return submit2d(&call);
}

static aclError copy_row(void)
{
    const struct call2d call = two_faults(row_under_test, row_under_test);
    return copy2d(&call);
}

/* A missing context comes after the limits and before the direction. */
START_TEST(missing_context_comes_after_the_limits_and_before_the_direction)
{
    fill_sources();
    for (row_under_test = 0; row_under_test < COUNT_OF(faults); row_under_test++) {
        const struct fault *const fault = &faults[row_under_test];
        const bool hidden = fault->apply == fault_direction;
        const int async_code = hidden ? E_RT_CONTEXT_NULL : fault->async_code;
        const int sync_code = hidden || fault->sync_code == 0 ? E_RT_CONTEXT_NULL : fault->sync_code;
        ASSERT_CODE_OF_ROW(async_code, in_new_thread(submit_row), "no context and %s", fault->name);
        ASSERT_CODE_OF_ROW(sync_code, in_new_thread(copy_row), "no context and %s", fault->name);
    }
    assert_fixture_untouched();
}
END_TEST

START_TEST(stream_of_another_context_is_the_last_check)
{
    fill_sources();
    enter_another_context();
    for (size_t row = 0; row < COUNT_OF(faults); row++) {
        const struct call2d call = two_faults(row, row);
        ASSERT_CODE_OF_ROW(faults[row].async_code, submit2d(&call), "another context and %s", faults[row].name);
    }
    assert_fixture_untouched();
}
END_TEST

static aclError submit_null_stream_and_bad_kind(void)
{
    struct call2d call = good_call2d();
    call.stream = NULL;
    call.kind = 8;
    return submit2d(&call);
}

static aclError submit_null_stream_over_the_limit(void)
{
    struct call2d call = good_call2d();
    call.stream = NULL;
    call.height = HEIGHT_MAX + 1;
    return submit2d(&call);
}

START_TEST(null_stream_without_context_comes_after_kind)
{
    ASSERT_CODE(E_INVALID_PARAM, in_new_thread(submit_null_stream_and_bad_kind));
    ASSERT_CODE(E_RT_PARAM_INVALID, in_new_thread(submit_null_stream_over_the_limit));
}
END_TEST

/* --- last error ------------------------------------------------------------------------------------------------- */

/* MEM-085 [code] */
START_TEST(mem_085_a_runtime_failure_sets_the_last_error)
{
    struct call2d call = good_call2d();
    call.height = HEIGHT_MAX + 1;
    ASSERT_CODE(E_RT_PARAM_INVALID, submit2d(&call));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    ASSERT_OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
}
END_TEST

/* MEM-086 [code] */
START_TEST(mem_086_an_argument_failure_leaves_the_last_error_alone)
{
    struct call2d call = good_call2d();
    call.kind = H2H;
    ASSERT_CODE(E_INVALID_PARAM, submit2d(&call));
    ASSERT_CODE(E_INVALID_PARAM, copy2d(&call));
    ASSERT_OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
}
END_TEST

/* --- registration ----------------------------------------------------------------------------------------------- */

static TCase *bare_case(void)
{
    TCase *const tc = new_case("nothing set up", NULL, NULL);
    tcase_add_test(tc, r03_memory_needs_a_device_and_the_null_stream_is_ordered);
    return tc;
}

static TCase *order_case(void)
{
    TCase *const tc = new_case("order", fixture_open, fixture_close);
    tcase_add_test(tc, mem_035_stream_argument_is_an_event);
    tcase_add_test(tc, mem_036_stream_of_another_context_with_pinned_memory);
    tcase_add_test(tc, stream_of_another_context_with_device_memory_only);
    tcase_add_test(tc, mem_037_stream_of_another_context_with_pageable_memory);
    tcase_add_test(tc, mem_038_live_stream_without_a_current_context);
    tcase_add_test(tc, mem_039_null_stream_is_ordered_on_the_default_stream);
    tcase_add_test(tc, mem_040_null_stream_without_a_context);
    tcase_add_test(tc, mem_078_sync_without_a_context);
    tcase_add_test(tc, r01_stream_of_another_device);
    tcase_add_test(tc, decision_03_null_stream_is_the_current_contexts_default_stream);
    tcase_add_test(tc, of_two_faults_the_first_in_the_table_decides);
    tcase_add_test(tc, missing_context_comes_after_the_limits_and_before_the_direction);
    tcase_add_test(tc, stream_of_another_context_is_the_last_check);
    tcase_add_test(tc, null_stream_without_context_comes_after_kind);
    tcase_add_test(tc, mem_085_a_runtime_failure_sets_the_last_error);
    tcase_add_test(tc, mem_086_an_argument_failure_leaves_the_last_error_alone);
    return tc;
}

int main(void)
{
    return run_cases("memcpy2d_order", bare_case(), order_case(), (TCase *)NULL);
}
