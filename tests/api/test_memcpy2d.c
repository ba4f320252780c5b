/* SPDX-License-Identifier: Apache-2.0 */
/* Which sizes, pitches, addresses and kinds aclrtMemcpy2dAsync and aclrtMemcpy2d accept and refuse. */
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

/* --- registration ----------------------------------------------------------------------------------------------- */

static TCase *bare_case(void)
{
    TCase *const tc = new_case("nothing set up", NULL, NULL);
    tcase_add_test(tc, mem_002_sync_zero_sizes_without_anything);
    tcase_add_test(tc, mem_003_async_zero_height_without_anything);
    tcase_add_test(tc, mem_004_sync_zero_height_without_anything);
    tcase_add_test(tc, mem_005_zero_sizes_hide_a_bad_kind_and_a_bad_stream);
    return tc;
}

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
    return tc;
}

int main(void)
{
    return run_cases("memcpy2d", bare_case(), checks_case(), (TCase *)NULL);
}
