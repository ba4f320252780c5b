/* SPDX-License-Identifier: Apache-2.0 */
/* What aclrtMemcpy2dAsync and aclrtMemcpy2d accept and refuse, and in which order they look. */
#include "support.h"

static void assert_both_refuse(int want, const struct call2d *call)
{
    ASSERT_CODE(want, submit2d(call));
    ASSERT_CODE(want, copy2d(call));
    assert_fixture_untouched();
}

/* --- zero sizes: nothing else is looked at ---------------------------------------------------------------------- */

/* MEM-002 [test] */
START_TEST(mem_002_sync_zero_sizes_without_anything)
{
    ASSERT_OK(aclrtMemcpy2d(NULL, 0, NULL, 0, 0, 4, H2D));
}
END_TEST

/* MEM-003 [test] */
START_TEST(mem_003_async_zero_height_without_anything)
{
    ASSERT_OK(aclrtMemcpy2dAsync(NULL, 0, NULL, 0, 4, 0, H2D, NULL));
}
END_TEST

/* MEM-004 [test] */
START_TEST(mem_004_sync_zero_height_without_anything)
{
    ASSERT_OK(aclrtMemcpy2d(NULL, 0, NULL, 0, 4, 0, H2D));
}
END_TEST

/* MEM-005 [test] */
START_TEST(mem_005_zero_sizes_hide_a_bad_kind_and_a_bad_stream)
{
    const aclrtMemcpyKind kind = (aclrtMemcpyKind)0x7fffffff;
    ASSERT_OK(aclrtMemcpy2dAsync(NULL, 0, NULL, 0, 0, 0, kind, (aclrtStream)(uintptr_t)0x10));
    ASSERT_OK(aclrtMemcpy2d(NULL, 0, NULL, 0, 0, 0, kind));
}
END_TEST

/* MEM-006 [test] */
START_TEST(mem_006_zero_width_hides_kind_0)
{
    struct call2d call = good_call2d();
    call.width = 0;
    call.kind = H2H;
    fill_sources();
    assert_both_refuse(ACL_SUCCESS, &call); /* accepted and without effect */
}
END_TEST

START_TEST(zero_size_hides_every_other_fault)
{
    struct call2d call = {
        .dpitch = 1, .spitch = 0, .width = SIZE_MAX, .height = 0, .kind = -1, .stream = (aclrtStream) ~(uintptr_t)0
    };
    assert_both_refuse(ACL_SUCCESS, &call);
    call.width = 0;
    call.height = SIZE_MAX;
    assert_both_refuse(ACL_SUCCESS, &call);
}
END_TEST

/* --- single faults ---------------------------------------------------------------------------------------------- */

/* MEM-008 [code] */
START_TEST(mem_008_async_null_source)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2dAsync(fx.device, 8, NULL, 8, 8, 1, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "src");
    assert_fixture_untouched();
}
END_TEST

START_TEST(async_null_destination)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2dAsync(NULL, 8, fx.pinned, 8, 8, 1, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "dst");
}
END_TEST

/* MEM-009 [code] */
START_TEST(mem_009_sync_null_destination)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2d(NULL, 8, fx.pinned, 8, 8, 1, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "dst");
}
END_TEST

/* MEM-010 [code] */
START_TEST(mem_010_sync_null_source)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2d(fx.device, 8, NULL, 8, 8, 1, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "src");
    assert_fixture_untouched();
}
END_TEST

/* MEM-012 [test] */
START_TEST(mem_012_width_over_both_pitches)
{
    struct call2d call = good_call2d();
    call.width = 3;
    call.dpitch = 2;
    call.spitch = 2;
    fill_sources();
    assert_both_refuse(E_INVALID_PARAM, &call);
}
END_TEST

/* MEM-013 [code] */
START_TEST(mem_013_width_over_one_pitch)
{
    struct call2d call = good_call2d();
    call.width = 9;
    call.dpitch = 8;
    call.spitch = 16;
    fill_sources();
    assert_both_refuse(E_INVALID_PARAM, &call);
    call.dpitch = 16;
    call.spitch = 8;
    assert_both_refuse(E_INVALID_PARAM, &call);
}
END_TEST

/* R27: a source pitch of 0 does not repeat the row. */
START_TEST(r27_source_pitch_0_is_refused_and_both_pitches_are_named)
{
    fill_sources();
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2dAsync(fx.device, 48, fx.pinned, 0, 16, 4, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "dpitch", "48", "spitch", "0", "16");
    assert_fixture_untouched();
}
END_TEST

/* R28 */
START_TEST(r28_destination_pitch_0_is_refused)
{
    fill_sources();
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2dAsync(fx.device, 0, fx.pinned, 8, 8, 1, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("dpitch");
    assert_fixture_untouched();
}
END_TEST

/* MEM-015 [code] */
START_TEST(mem_015_width_equal_to_both_pitches)
{
    struct call2d call = good_call2d();
    call.width = 64;
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_device_rows(&call);
}
END_TEST

/* MEM-016 [test] */
START_TEST(mem_016_kind_0_with_pinned_memory)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy2dAsync(fx.pinned2, 8, fx.pinned, 8, 8, 1, H2H, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "kind");
    assert_fixture_untouched();
}
END_TEST

static void assert_kind_refused(int kind)
{
    struct call2d call = good_call2d();
    call.kind = kind;
    fill_sources();
    assert_both_refuse(E_INVALID_PARAM, &call);
}

/* MEM-020 [code] */
START_TEST(mem_020_kind_8)
{
    assert_kind_refused(8);
}
END_TEST

/* MEM-021 [code] */
START_TEST(mem_021_kind_minus_1)
{
    assert_kind_refused(-1);
}
END_TEST

/* MEM-022 [code] */
START_TEST(mem_022_sync_kind_0)
{
    assert_kind_refused(H2H);
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "kind");
}
END_TEST

/* MEM-023 [code] */
START_TEST(mem_023_sync_kind_5)
{
    assert_kind_refused(5);
}
END_TEST

/* MEM-025 [code] */
START_TEST(mem_025_bad_kind_wide_row_and_null_destination_together)
{
    struct call2d call = good_call2d();
    call.kind = 9;
    call.width = 65;
    call.dst = NULL;
    assert_both_refuse(E_INVALID_PARAM, &call);
}
END_TEST

/* --- limits ----------------------------------------------------------------------------------------------------- */

static void copy_there_and_back(size_t width, size_t height, size_t hpitch, size_t dpitch)
{
    struct rect src = rect_random(PLACE_PINNED, width, height, hpitch, 3);
    struct rect dev = rect_poisoned(PLACE_DEVICE, width, height, dpitch, 5);
    struct rect dst = rect_poisoned(PLACE_PINNED, width, height, hpitch, 7);
    ASSERT_OK(aclrtMemcpy2dAsync(dev.at, dpitch, src.at, hpitch, width, height, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, hpitch, dev.at, dpitch, width, height, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &src);
    ASSERT_GAPS_ARE(&dst, POISON);
    ASSERT_GAPS_ARE(&dev, POISON);
    rect_free(&src);
    rect_free(&dev);
    rect_free(&dst);
}

/* MEM-026 [seed] */
START_TEST(mem_026_width_at_the_limit)
{
    copy_there_and_back(WIDTH_MAX, 1, WIDTH_MAX, WIDTH_MAX);
}
END_TEST

START_TEST(widest_rows_with_gaps)
{
    copy_there_and_back(WIDTH_MAX, 3, WIDTH_MAX + 1, WIDTH_MAX + 4096);
}
END_TEST

/* MEM-066 [doc] */
START_TEST(mem_066_round_trip_with_two_pitches)
{
    copy_there_and_back(100, 64, 107, 256);
    copy_there_and_back(1, 1000, 3, 64);
    copy_there_and_back(9000, 9, 9000, 9001);
}
END_TEST

/* MEM-027 [code] */
START_TEST(mem_027_width_one_past_the_limit)
{
    struct call2d call = good_call2d();
    call.width = call.dpitch = call.spitch = WIDTH_MAX + 1;
    call.height = 1;
    fill_sources();
    assert_both_refuse(E_RT_PARAM_INVALID, &call);
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "width", "5000001", "5000000");
}
END_TEST

/* MEM-028 [seed] */
START_TEST(mem_028_height_at_the_limit)
{
    copy_there_and_back(1, HEIGHT_MAX, 1, 1);
}
END_TEST

START_TEST(most_rows_with_gaps)
{
    copy_there_and_back(3, HEIGHT_MAX, 4, 7);
}
END_TEST

/* MEM-029 [code] */
START_TEST(mem_029_async_height_one_past_the_limit)
{
    struct call2d call = good_call2d();
    call.width = 1;
    call.height = HEIGHT_MAX + 1;
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, submit2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "height", "5242881", "5242880");
    assert_fixture_untouched();
}
END_TEST

/* MEM-031 [code] */
START_TEST(mem_031_sync_height_one_past_the_limit)
{
    struct call2d call = good_call2d();
    call.width = 1;
    call.height = HEIGHT_MAX + 1;
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, copy2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "height", "5242881");
    assert_fixture_untouched();
}
END_TEST

START_TEST(sizes_near_the_largest_number_are_over_the_limit)
{
    struct call2d call = good_call2d();
    call.width = call.dpitch = call.spitch = SIZE_MAX;
    assert_both_refuse(E_RT_PARAM_INVALID, &call);
    call.height = SIZE_MAX;
    assert_both_refuse(E_RT_PARAM_INVALID, &call);
    call.width = 1;
    assert_both_refuse(E_RT_PARAM_INVALID, &call);
}
END_TEST

START_TEST(height_is_reported_before_width)
{
    struct call2d call = good_call2d();
    call.width = call.dpitch = call.spitch = WIDTH_MAX + 1;
    call.height = HEIGHT_MAX + 1;
    ASSERT_CODE(E_RT_PARAM_INVALID, submit2d(&call));
    ASSERT_MESSAGE_NAMES("height", "5242881");
}
END_TEST

/* MEM-032 [code] */
START_TEST(mem_032_kind_is_seen_before_the_limit)
{
    struct call2d call = good_call2d();
    call.width = call.dpitch = call.spitch = WIDTH_MAX + 1;
    call.height = 1;
    call.kind = H2H;
    assert_both_refuse(E_INVALID_PARAM, &call);
}
END_TEST

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

/* --- kinds ------------------------------------------------------------------------------------------------------ */

static const int all_kinds[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 0x7fffffff };

static bool pageable(enum place place)
{
    return place == PLACE_PAGEABLE;
}

/* The kind-correction table with decisions 2, 4 and 6, for atlas-a2. */
static int kind_code_async(enum place src, enum place dst, int kind)
{
    if (kind < H2D || kind > DEFAULT)
        return E_INVALID_PARAM;
    if (place_is_host(src) && place_is_host(dst))
        return E_RT_PARAM_INVALID;
    if (pageable(src) && kind == D2H)
        return E_RT_PARAM_INVALID;
    if (pageable(dst) && kind == H2D)
        return E_RT_PARAM_INVALID;
    return ACL_SUCCESS;
}

static int kind_code_sync(enum place src, enum place dst, int kind)
{
    if (kind == D2D)
        return E_INVALID_PARAM;
    if (kind >= H2D && kind <= DEFAULT && !place_is_host(src) && !place_is_host(dst))
        return E_RT_PARAM_INVALID;
    return kind_code_async(src, dst, kind);
}

#define KIND_BYTES 256 /* a rectangle of 8 x 16 bytes in a pitch of 32 */

/* Poisons the destination, copies, and looks whether exactly the rows arrived (or nothing at all, for a refusal). */
static void try_kind(struct block *src, struct block *dst, int kind, bool async, int want)
{
    memset(dst->model, POISON, KIND_BYTES);
    if (place_is_host(dst->place))
        memcpy(dst->at, dst->model, KIND_BYTES);
    else
        upload(dst->at, dst->model, KIND_BYTES);

    const struct call2d call = { .dst = dst->at,
                                 .dpitch = 32,
                                 .src = src->at,
                                 .spitch = 32,
                                 .width = 16,
                                 .height = 8,
                                 .kind = kind,
                                 .stream = fx.stream };
    ASSERT_CODE_OF_ROW(want, async ? submit2d(&call) : copy2d(&call), "%s, %s to %s, kind %d", async ? "async" : "sync",
                       place_name(src->place), place_name(dst->place), kind);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    if (want == ACL_SUCCESS)
        model_copy2d(dst->model, 32, src->model, 32, 16, 8);
    ASSERT_AS_MODELLED(dst);
}

static void try_all_kinds(bool async)
{
    int (*const code_of)(enum place, enum place, int) = async ? kind_code_async : kind_code_sync;
    uint64_t state = 2;
    for (enum place from = 0; from < PLACE_COUNT; from++) {
        for (enum place to = 0; to < PLACE_COUNT; to++) {
            struct block src = block_new(from, KIND_BYTES);
            struct block dst = block_new(to, KIND_BYTES);
            block_randomise(&src, &state);
            for (size_t k = 0; k < COUNT_OF(all_kinds); k++) {
                const int kind = all_kinds[k];
                try_kind(&src, &dst, kind, async, code_of(from, to, kind));
            }
            ASSERT_AS_MODELLED(&src);
            block_free(&src);
            block_free(&dst);
        }
    }
}

START_TEST(every_kind_between_every_two_places_async)
{
    try_all_kinds(true);
}
END_TEST

START_TEST(every_kind_between_every_two_places_sync)
{
    try_all_kinds(false);
}
END_TEST

static void assert_async_to_device(uint8_t *src, int kind)
{
    const struct call2d call = between(fx.device, src, kind);
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_device_rows(&call);
}

static void assert_async_refused(uint8_t *dst, uint8_t *src, int kind)
{
    const struct call2d call = between(dst, src, kind);
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, submit2d(&call));
    assert_fixture_untouched();
}

/* Both device; the source holds what fx.pinned holds. */
static void assert_async_between_devices(int kind)
{
    struct call2d call = between(fx.device2, fx.device, kind);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    call.src = fx.pinned;
    assert_device_rows(&call);
}

/* MEM-042 [code] */
START_TEST(mem_042_default_from_pinned_to_device)
{
    assert_async_to_device(fx.pinned, DEFAULT);
}
END_TEST

/* MEM-043 [code] */
START_TEST(mem_043_default_from_device_to_pinned)
{
    const struct call2d call = between(fx.pinned2, fx.device, DEFAULT);
    fill_sources();
    upload(fx.device, fx.pageable, FIXTURE_BYTES);
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_host_rows(&call);
}
END_TEST

/* MEM-044 [code] */
START_TEST(mem_044_default_from_device_to_device)
{
    assert_async_between_devices(DEFAULT);
}
END_TEST

/* MEM-045 [code] */
START_TEST(mem_045_default_from_pinned_to_pinned)
{
    assert_async_refused(fx.pinned2, fx.pinned, DEFAULT);
}
END_TEST

/* MEM-046 [code]: the bytes are there at return, without a synchronization. */
START_TEST(mem_046_default_from_pageable_to_device_blocks)
{
    const struct call2d call = between(fx.device, fx.pageable, DEFAULT);
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    ASSERT_OK(submit2d(&call));
    ck_assert(gate_passed(&gate));
    assert_device_rows(&call);
    gate_join(&gate);
}
END_TEST

/* MEM-049 [code] */
START_TEST(mem_049_default_from_pinned_to_pageable)
{
    assert_async_refused(fx.pageable2, fx.pinned, DEFAULT);
}
END_TEST

/* MEM-050 [code] */
START_TEST(mem_050_default_from_pageable_to_pinned)
{
    assert_async_refused(fx.pinned2, fx.pageable, DEFAULT);
}
END_TEST

/* MEM-053 [code] */
START_TEST(mem_053_h2d_given_between_device_pointers)
{
    assert_async_between_devices(H2D);
}
END_TEST

/* MEM-054 [code] */
START_TEST(mem_054_d2d_given_from_pinned_to_device)
{
    assert_async_to_device(fx.pinned, D2D);
}
END_TEST

/* MEM-055 [code] */
START_TEST(mem_055_d2h_given_from_pageable_to_device)
{
    assert_async_refused(fx.device, fx.pageable, D2H);
}
END_TEST

/* MEM-057 [code] */
START_TEST(mem_057_d2d_given_from_pinned_to_pageable)
{
    assert_async_refused(fx.pageable2, fx.pinned, D2D);
}
END_TEST

/* MEM-058 [code] */
START_TEST(mem_058_h2d_given_from_pinned_to_pinned)
{
    assert_async_refused(fx.pinned2, fx.pinned, H2D);
}
END_TEST

/* R39: source and destination swapped against the kind; the addresses decide. */
START_TEST(r39_h2d_given_from_device_to_pinned)
{
    const struct call2d call = between(fx.pinned2, fx.device, H2D);
    fill_sources();
    upload(fx.device, fx.pageable, FIXTURE_BYTES);
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_host_rows(&call);
}
END_TEST

/* MEM-060 [code] */
START_TEST(mem_060_registered_memory_counts_as_pinned)
{
    struct gate gate;
    struct rect src = rect_random(PLACE_REGISTERED, 40, 20, 48, 0);
    struct rect dst = rect_poisoned(PLACE_DEVICE, 40, 20, 64, 0);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpy2dAsync(dst.at, 64, src.at, 48, 40, 20, H2D, fx.stream));
    ASSERT_NO_DIFFERENCE(rect_fill_difference(&dst, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&dst, &src);
    ASSERT_GAPS_ARE(&dst, POISON);
    rect_free(&src);
    rect_free(&dst);
}
END_TEST

static void assert_sync_between_devices_refused(int want, int kind)
{
    const struct call2d call = between(fx.device2, fx.device, kind);
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    ASSERT_CODE(want, copy2d(&call));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
}

/* MEM-075 [doc] */
START_TEST(mem_075_sync_kind_3)
{
    assert_sync_between_devices_refused(E_INVALID_PARAM, D2D);
}
END_TEST

START_TEST(decision_02_sync_d2d_is_an_invalid_param_for_every_place)
{
    const struct call2d calls[] = { between(fx.device, fx.pinned, D2D), between(fx.pageable2, fx.device, D2D),
                                    between(fx.pinned2, fx.pinned, D2D) };
    fill_sources();
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        ASSERT_CODE_OF_ROW(E_INVALID_PARAM, copy2d(&calls[i]), "row %zu", i);
    assert_fixture_untouched();
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

/* MEM-076 [test] */
START_TEST(mem_076_sync_h2d_between_device_pointers)
{
    assert_sync_between_devices_refused(E_RT_PARAM_INVALID, H2D);
}
END_TEST

/* MEM-077 [code] */
START_TEST(mem_077_sync_default_from_pinned_to_device)
{
    const struct call2d call = between(fx.device, fx.pinned, DEFAULT);
    fill_sources();
    ASSERT_OK(copy2d(&call));
    assert_device_rows(&call);
}
END_TEST

/* MEM-079 [code] */
START_TEST(mem_079_sync_default_between_device_pointers)
{
    assert_sync_between_devices_refused(E_RT_PARAM_INVALID, DEFAULT);
}
END_TEST

START_TEST(decision_06_no_device_side_is_named)
{
    static const int kinds[] = { H2D, D2H, D2D };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const struct call2d call = between(fx.pageable2, fx.pageable, kinds[i]);
        fill_sources();
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, submit2d(&call), "kind %d", kinds[i]);
        ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "neither pointer is device memory");
    }
    assert_fixture_untouched();
}
END_TEST

START_TEST(decision_06_d2d_with_pageable_memory_blocks_and_follows_the_addresses)
{
    struct gate gate;
    struct call2d down = between(fx.pageable2, fx.device, D2D);
    const struct call2d up = between(fx.device, fx.pageable, D2D);
    fill_sources();
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    ASSERT_OK(submit2d(&up));
    ck_assert(gate_passed(&gate));
    gate_join(&gate);
    assert_device_rows(&up);
    ASSERT_OK(submit2d(&down));
    assert_host_rows(&down);
}
END_TEST

/* --- registration ----------------------------------------------------------------------------------------------- */

static TCase *checks_case(void)
{
    TCase *const tc = new_case("checks", fixture_open, fixture_close);
    tcase_add_test(tc, mem_006_zero_width_hides_kind_0);
    tcase_add_test(tc, zero_size_hides_every_other_fault);
    tcase_add_test(tc, mem_008_async_null_source);
    tcase_add_test(tc, async_null_destination);
    tcase_add_test(tc, mem_009_sync_null_destination);
    tcase_add_test(tc, mem_010_sync_null_source);
    tcase_add_test(tc, mem_012_width_over_both_pitches);
    tcase_add_test(tc, mem_013_width_over_one_pitch);
    tcase_add_test(tc, r27_source_pitch_0_is_refused_and_both_pitches_are_named);
    tcase_add_test(tc, r28_destination_pitch_0_is_refused);
    tcase_add_test(tc, mem_015_width_equal_to_both_pitches);
    tcase_add_test(tc, mem_016_kind_0_with_pinned_memory);
    tcase_add_test(tc, mem_020_kind_8);
    tcase_add_test(tc, mem_021_kind_minus_1);
    tcase_add_test(tc, mem_022_sync_kind_0);
    tcase_add_test(tc, mem_023_sync_kind_5);
    tcase_add_test(tc, mem_025_bad_kind_wide_row_and_null_destination_together);
    tcase_add_test(tc, mem_026_width_at_the_limit);
    tcase_add_test(tc, widest_rows_with_gaps);
    tcase_add_test(tc, mem_066_round_trip_with_two_pitches);
    tcase_add_test(tc, mem_027_width_one_past_the_limit);
    tcase_add_test(tc, mem_028_height_at_the_limit);
    tcase_add_test(tc, most_rows_with_gaps);
    tcase_add_test(tc, mem_029_async_height_one_past_the_limit);
    tcase_add_test(tc, mem_031_sync_height_one_past_the_limit);
    tcase_add_test(tc, sizes_near_the_largest_number_are_over_the_limit);
    tcase_add_test(tc, height_is_reported_before_width);
    tcase_add_test(tc, mem_032_kind_is_seen_before_the_limit);
    tcase_add_test(tc, mem_035_stream_argument_is_an_event);
    tcase_add_test(tc, mem_036_stream_of_another_context_with_pinned_memory);
    tcase_add_test(tc, stream_of_another_context_with_device_memory_only);
    tcase_add_test(tc, mem_037_stream_of_another_context_with_pageable_memory);
    tcase_add_test(tc, mem_038_live_stream_without_a_current_context);
    tcase_add_test(tc, mem_039_null_stream_is_ordered_on_the_default_stream);
    tcase_add_test(tc, mem_040_null_stream_without_a_context);
    tcase_add_test(tc, mem_078_sync_without_a_context);
    tcase_add_test(tc, r01_stream_of_another_device);
    tcase_add_test(tc, of_two_faults_the_first_in_the_table_decides);
    tcase_add_test(tc, missing_context_comes_after_the_limits_and_before_the_direction);
    tcase_add_test(tc, stream_of_another_context_is_the_last_check);
    tcase_add_test(tc, null_stream_without_context_comes_after_kind);
    tcase_add_test(tc, mem_085_a_runtime_failure_sets_the_last_error);
    tcase_add_test(tc, mem_086_an_argument_failure_leaves_the_last_error_alone);
    return tc;
}

static TCase *kinds_case(void)
{
    TCase *const tc = new_case("kinds", fixture_open, fixture_close);
    tcase_add_test(tc, every_kind_between_every_two_places_async);
    tcase_add_test(tc, every_kind_between_every_two_places_sync);
    tcase_add_test(tc, mem_042_default_from_pinned_to_device);
    tcase_add_test(tc, mem_043_default_from_device_to_pinned);
    tcase_add_test(tc, mem_044_default_from_device_to_device);
    tcase_add_test(tc, mem_045_default_from_pinned_to_pinned);
    tcase_add_test(tc, mem_046_default_from_pageable_to_device_blocks);
    tcase_add_test(tc, mem_049_default_from_pinned_to_pageable);
    tcase_add_test(tc, mem_050_default_from_pageable_to_pinned);
    tcase_add_test(tc, mem_053_h2d_given_between_device_pointers);
    tcase_add_test(tc, mem_054_d2d_given_from_pinned_to_device);
    tcase_add_test(tc, mem_055_d2h_given_from_pageable_to_device);
    tcase_add_test(tc, mem_057_d2d_given_from_pinned_to_pageable);
    tcase_add_test(tc, mem_058_h2d_given_from_pinned_to_pinned);
    tcase_add_test(tc, r39_h2d_given_from_device_to_pinned);
    tcase_add_test(tc, mem_060_registered_memory_counts_as_pinned);
    tcase_add_test(tc, mem_075_sync_kind_3);
    tcase_add_test(tc, decision_02_sync_d2d_is_an_invalid_param_for_every_place);
    tcase_add_test(tc, decision_03_null_stream_is_the_current_contexts_default_stream);
    tcase_add_test(tc, mem_076_sync_h2d_between_device_pointers);
    tcase_add_test(tc, mem_077_sync_default_from_pinned_to_device);
    tcase_add_test(tc, mem_079_sync_default_between_device_pointers);
    tcase_add_test(tc, decision_06_no_device_side_is_named);
    tcase_add_test(tc, decision_06_d2d_with_pageable_memory_blocks_and_follows_the_addresses);
    return tc;
}

static TCase *bare_case(void)
{
    TCase *const tc = new_case("nothing set up", NULL, NULL);
    tcase_add_test(tc, mem_002_sync_zero_sizes_without_anything);
    tcase_add_test(tc, mem_003_async_zero_height_without_anything);
    tcase_add_test(tc, mem_004_sync_zero_height_without_anything);
    tcase_add_test(tc, mem_005_zero_sizes_hide_a_bad_kind_and_a_bad_stream);
    tcase_add_test(tc, r03_memory_needs_a_device_and_the_null_stream_is_ordered);
    return tc;
}

int main(void)
{
    return run_cases("memcpy2d", bare_case(), checks_case(), kinds_case(), (TCase *)NULL);
}
