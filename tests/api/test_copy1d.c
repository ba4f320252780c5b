/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemcpy and aclrtMemcpyAsync. */
#include "support.h"

#define BUFFERED ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE

#define COUNT ((size_t)1000)

static void assert_device_untouched(void)
{
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}

static void assert_pinned_to_pinned(aclrtMemcpyKind kind)
{
    fill_sources();
    ASSERT_OK(aclrtMemcpy(fx.pinned2, COUNT, fx.pinned, COUNT, kind));
    ASSERT_SAME_BYTES(fx.pinned2, fx.pinned, COUNT);
    ASSERT_ALL_BYTES(fx.pinned2 + COUNT, FIXTURE_BYTES - COUNT, POISON);
}

/* --- aclrtMemcpy ------------------------------------------------------------------------------------------------ */

/* COP-088 [code] */
START_TEST(cop_088_kind_0_from_pinned_to_pinned)
{
    assert_pinned_to_pinned(H2H);
}
END_TEST

/* COP-090 [code] */
START_TEST(cop_090_kind_2_from_pinned_to_pinned)
{
    assert_pinned_to_pinned(D2H);
}
END_TEST

/* COP-091 [code] */
START_TEST(cop_091_kind_3_from_pinned_to_pinned)
{
    assert_pinned_to_pinned(D2D);
}
END_TEST

/* COP-092 [code] */
START_TEST(cop_092_kind_4_from_pinned_to_pinned)
{
    assert_pinned_to_pinned(DEFAULT);
}
END_TEST

/* COP-093 [code] */
START_TEST(cop_093_kind_5_from_pinned_to_pinned)
{
    assert_pinned_to_pinned(BUFFERED);
}
END_TEST

/* Decision 17 with copy_and_set.md: kinds 0 to 5 are taken, and the addresses alone give the direction. */
START_TEST(decision_17_sync_kinds_do_not_matter_between_any_places)
{
    uint64_t state = 5;
    for (enum place from = 0; from < PLACE_COUNT; from++) {
        for (enum place to = 0; to < PLACE_COUNT; to++) {
            for (int kind = H2H; kind <= BUFFERED; kind++) {
                struct block src = block_new(from, COUNT);
                struct block dst = block_new(to, COUNT + 10);
                block_randomise(&src, &state);
                ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtMemcpy(dst.at + 3, COUNT, src.at, COUNT, (aclrtMemcpyKind)kind),
                                   "%s to %s, kind %d", place_name(from), place_name(to), kind);
                memcpy(dst.model + 3, src.model, COUNT);
                ASSERT_AS_MODELLED(&dst);
                block_free(&src);
                block_free(&dst);
            }
        }
    }
}
END_TEST

START_TEST(decision_17_other_kinds_are_refused)
{
    static const int kinds[] = { 6, 7, 8, -1, 0x7fffffff };
    fill_sources();
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const aclrtMemcpyKind kind = (aclrtMemcpyKind)kinds[i];
        ASSERT_CODE_OF_ROW(E_INVALID_PARAM, aclrtMemcpy(fx.device, COUNT, fx.pinned, COUNT, kind), "kind %d", kinds[i]);
        ASSERT_MESSAGE_NAMES("aclrtMemcpy", "kind");
        ASSERT_CODE_OF_ROW(E_INVALID_PARAM, aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, kind, fx.stream),
                           "kind %d", kinds[i]);
        ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "kind");
    }
    assert_device_untouched();
}
END_TEST

/* COP-095 [code] */
START_TEST(cop_095_count_0_with_null_pointers)
{
    ASSERT_OK(aclrtMemcpy(NULL, 0, NULL, 0, H2D));
    ASSERT_OK(aclrtMemcpy(NULL, 0, NULL, 0, (aclrtMemcpyKind)99));
}
END_TEST

/* COP-096 [code] */
START_TEST(cop_096_null_destination)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy(NULL, COUNT, fx.pinned, COUNT, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy", "dst");
}
END_TEST

START_TEST(null_source)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy(fx.device, COUNT, NULL, COUNT, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy", "src");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsync(fx.device, COUNT, NULL, COUNT, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "src");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsync(NULL, COUNT, fx.pinned, COUNT, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "dst");
    assert_device_untouched();
}
END_TEST

/* COP-097 [code] */
START_TEST(cop_097_count_over_dest_max)
{
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy(fx.device, COUNT - 1, fx.pinned, COUNT, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy", "destMax", "999", "1000");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsync(fx.device, COUNT - 1, fx.pinned, COUNT, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "destMax", "999", "1000");
    assert_device_untouched();
}
END_TEST

/* COP-098 [code] */
START_TEST(cop_098_dest_max_0)
{
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy(fx.device, 0, fx.pinned, 1, H2D));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsync(fx.device, 0, fx.pinned, 1, H2D, fx.stream));
    assert_device_untouched();
}
END_TEST

/* COP-099 [code] */
START_TEST(cop_099_source_equal_to_destination)
{
    fill_sources();
    ASSERT_OK(aclrtMemcpy(fx.pinned, COUNT, fx.pinned, COUNT, H2H));
    ASSERT_OK(aclrtMemcpy(fx.device, COUNT, fx.device, COUNT, D2D));
    assert_device_untouched();
}
END_TEST

static aclError copy_pinned_to_device(void)
{
    return aclrtMemcpy(fx.device, COUNT, fx.pinned, COUNT, H2D);
}

static aclError copy_over_dest_max(void)
{
    return aclrtMemcpy(fx.device, COUNT - 1, fx.pinned, COUNT, H2D);
}

static aclError submit_pinned_to_device(void)
{
    return aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, H2D, fx.stream);
}

static aclError submit_over_dest_max(void)
{
    return aclrtMemcpyAsync(fx.device, COUNT - 1, fx.pinned, COUNT, H2D, fx.stream);
}

static aclError submit_over_dest_max_to_the_default_stream(void)
{
    return aclrtMemcpyAsync(fx.device, COUNT - 1, fx.pinned, COUNT, H2D, NULL);
}

static aclError submit_wrong_direction(void)
{
    return aclrtMemcpyAsync(fx.device, COUNT, fx.pageable, COUNT, D2H, fx.stream);
}

/* COP-100 [code] */
START_TEST(cop_100_without_a_context)
{
    fill_sources();
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(copy_pinned_to_device));
    assert_device_untouched();
}
END_TEST

START_TEST(missing_context_comes_after_the_sizes_and_before_the_direction)
{
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, in_new_thread(copy_over_dest_max));
    ASSERT_CODE(E_RT_PARAM_INVALID, in_new_thread(submit_over_dest_max));
    ASSERT_CODE(E_RT_PARAM_INVALID, in_new_thread(submit_over_dest_max_to_the_default_stream));
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(submit_pinned_to_device));
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(submit_wrong_direction));
    assert_device_untouched();
}
END_TEST

START_TEST(sync_copy_does_not_wait_for_a_stream)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpy(fx.device, COUNT, fx.pinned, COUNT, H2D)); /* would never return if it waited */
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, COUNT));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* The code is open (507899 class, 107000 or 507013); that nothing is copied is not. */
START_TEST(copies_past_the_end_of_an_allocation)
{
    uint8_t *const at = fx.device + FIXTURE_BYTES - COUNT + 1;
    aclError err;
    fill_sources();
    ASSERT_REFUSED(aclrtMemcpy(at, COUNT, fx.pinned, COUNT, H2D));
    ASSERT_REFUSED(aclrtMemcpy(fx.pinned2, COUNT, at, COUNT, D2H));
    ASSERT_REFUSED(aclrtMemcpy(fx.device, SIZE_MAX, fx.pinned, SIZE_MAX, H2D));
    err = aclrtMemcpyAsync(at, COUNT, fx.pinned, COUNT, H2D, fx.stream);
    if (err == ACL_SUCCESS)
        err = aclrtSynchronizeStream(fx.stream);
    ck_assert_int_ne(err, ACL_SUCCESS);
    assert_device_untouched();
    ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
}
END_TEST

/* --- aclrtMemcpyAsync ------------------------------------------------------------------------------------------- */

/* COP-101 [code] */
START_TEST(cop_101_async_count_0)
{
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, 0, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(NULL, 0, NULL, 0, (aclrtMemcpyKind)99, (aclrtStream)(uintptr_t)0x10));
}
END_TEST

/* COP-103 [code] */
START_TEST(cop_103_async_pinned_to_pinned)
{
    fill_sources();
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtMemcpyAsync(fx.pinned2, COUNT, fx.pinned, COUNT, H2H, fx.stream));
    ASSERT_OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
}
END_TEST

/* The correction table of the 2D calls; what ends as H2H is 207000. What it leaves open, where one side is pageable: kind
 * 5 is a host to device copy, and kinds that do not fit are 107000. */
static int async_code(enum place src, enum place dst, int kind)
{
    const bool src_pageable = src == PLACE_PAGEABLE;
    const bool dst_pageable = dst == PLACE_PAGEABLE;
    const bool any_pageable = src_pageable || dst_pageable;
    if (place_is_host(src) && place_is_host(dst)) {
        return !any_pageable || kind == H2H || kind == DEFAULT ? E_RT_FEATURE_NOT_SUPPORT : E_RT_PARAM_INVALID;
    }
    if (!any_pageable)
        return ACL_SUCCESS;
    if (kind == H2H || (src_pageable && kind == D2H) || (dst_pageable && (kind == H2D || kind == BUFFERED)))
        return E_RT_PARAM_INVALID;
    return ACL_SUCCESS;
}

static void try_async(struct block *src, struct block *dst, int kind, int want)
{
    ASSERT_CODE_OF_ROW(want, aclrtMemcpyAsync(dst->at, COUNT, src->at, COUNT, (aclrtMemcpyKind)kind, fx.stream),
                       "%s to %s, kind %d", place_name(src->place), place_name(dst->place), kind);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    if (want == ACL_SUCCESS)
        memcpy(dst->model, src->model, COUNT);
    ASSERT_AS_MODELLED(dst);
}

START_TEST(decision_17_async_kinds_between_any_places)
{
    uint64_t state = 6;
    for (enum place from = 0; from < PLACE_COUNT; from++) {
        for (enum place to = 0; to < PLACE_COUNT; to++) {
            for (int kind = H2H; kind <= BUFFERED; kind++) {
                const int want = async_code(from, to, kind);
                struct block src = block_new(from, COUNT);
                struct block dst = block_new(to, COUNT);
                block_randomise(&src, &state);
                try_async(&src, &dst, kind, want);
                block_free(&src);
                block_free(&dst);
            }
        }
    }
}
END_TEST

/* COP-104 [code] */
START_TEST(cop_104_async_source_equal_to_destination)
{
    ASSERT_OK(aclrtMemcpyAsync(fx.device, COUNT, fx.device, COUNT, D2D, fx.stream));
    /* The kind checks come first. */
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtMemcpyAsync(fx.pinned, COUNT, fx.pinned, COUNT, H2H, fx.stream));
    assert_device_untouched();
}
END_TEST

/* COP-105 [code] */
START_TEST(cop_105_async_null_stream)
{
    struct gate gate;
    aclrtStream default_stream;
    fill_sources();
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
    gate_close(&gate, default_stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, H2D, NULL));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, COUNT));
}
END_TEST

/* COP-107 [code] */
START_TEST(cop_107_async_200_mib)
{
    const size_t bytes = (size_t)200 << 20;
    uint64_t state = 7;
    uint8_t *host;
    uint8_t *back;
    void *device;
    ASSERT_OK(aclrtMallocHost((void **)&host, bytes));
    ASSERT_OK(aclrtMallocHost((void **)&back, bytes));
    ASSERT_OK(aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    random_fill(&state, host, bytes);
    ASSERT_OK(aclrtMemcpyAsync(device, bytes, host, bytes, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(back, bytes, device, bytes, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_SAME_BYTES(back, host, bytes);
}
END_TEST

START_TEST(async_pinned_returns_before_the_copy)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, H2D, fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, COUNT));
}
END_TEST

START_TEST(async_pageable_waits_for_the_stream_and_is_complete_at_return)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, H2D, fx.stream));
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtMemcpyAsync(fx.pageable2, COUNT, fx.device, COUNT, D2H, fx.stream));
    ck_assert(gate_passed(&gate));
    ASSERT_SAME_BYTES(fx.pageable2, fx.pinned, COUNT);
    gate_join(&gate);
}
END_TEST

START_TEST(async_stream_of_another_context)
{
    aclrtContext other;
    fill_sources();
    ASSERT_OK(aclrtCreateContext(&other, 0));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, H2D, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "stream");
    assert_device_untouched();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, COUNT, fx.pageable, COUNT, H2D, fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pageable, COUNT));
}
END_TEST

START_TEST(async_bad_stream_comes_before_the_sizes)
{
    void *const made_up = (void *)(uintptr_t)0x10;
    fill_sources();
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtMemcpyAsync(fx.device, COUNT - 1, fx.pinned, COUNT, H2D, made_up));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsync(fx.device, COUNT, fx.pinned, COUNT, (aclrtMemcpyKind)6, made_up));
    assert_device_untouched();
}
END_TEST

/* --- bytes ------------------------------------------------------------------------------------------------------ */

START_TEST(random_copies_match_the_model)
{
    enum { BYTES = 70000 };
    uint64_t state = test_seed();
    struct block blocks[PLACE_COUNT];
    const size_t rounds = test_rounds(300);
    for (enum place place = 0; place < PLACE_COUNT; place++) {
        blocks[place] = block_new(place, BYTES);
        block_randomise(&blocks[place], &state);
    }
    for (size_t round = 0; round < rounds; round++) {
        const size_t host = random_in(&state, 0, PLACE_DEVICE - 1);
        const bool up = random_next(&state) % 2 != 0;
        struct block *const src = &blocks[up ? host : PLACE_DEVICE];
        struct block *const dst = &blocks[up ? PLACE_DEVICE : host];
        const size_t from = random_in(&state, 0, 9999);
        const size_t to = random_in(&state, 0, 9999);
        const size_t count = random_in(&state, 1, round % 2 != 0 ? 100 : 60000);
        if (round % 3 == 0)
            ASSERT_OK(aclrtMemcpy(dst->at + to, count, src->at + from, count, DEFAULT));
        else
            ASSERT_OK(aclrtMemcpyAsync(dst->at + to, count, src->at + from, count, DEFAULT, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        memcpy(dst->model + to, src->model + from, count);
        ASSERT_NO_DIFFERENCE(block_difference(dst));
    }
    for (enum place place = 0; place < PLACE_COUNT; place++)
        block_free(&blocks[place]);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("copy1d", fixture_open, fixture_close);
    tcase_add_test(tc, cop_088_kind_0_from_pinned_to_pinned);
    tcase_add_test(tc, cop_090_kind_2_from_pinned_to_pinned);
    tcase_add_test(tc, cop_091_kind_3_from_pinned_to_pinned);
    tcase_add_test(tc, cop_092_kind_4_from_pinned_to_pinned);
    tcase_add_test(tc, cop_093_kind_5_from_pinned_to_pinned);
    tcase_add_test(tc, decision_17_sync_kinds_do_not_matter_between_any_places);
    tcase_add_test(tc, decision_17_other_kinds_are_refused);
    tcase_add_test(tc, cop_095_count_0_with_null_pointers);
    tcase_add_test(tc, cop_096_null_destination);
    tcase_add_test(tc, null_source);
    tcase_add_test(tc, cop_097_count_over_dest_max);
    tcase_add_test(tc, cop_098_dest_max_0);
    tcase_add_test(tc, cop_099_source_equal_to_destination);
    tcase_add_test(tc, cop_100_without_a_context);
    tcase_add_test(tc, missing_context_comes_after_the_sizes_and_before_the_direction);
    tcase_add_test(tc, sync_copy_does_not_wait_for_a_stream);
    tcase_add_test(tc, copies_past_the_end_of_an_allocation);
    tcase_add_test(tc, cop_101_async_count_0);
    tcase_add_test(tc, cop_103_async_pinned_to_pinned);
    tcase_add_test(tc, decision_17_async_kinds_between_any_places);
    tcase_add_test(tc, cop_104_async_source_equal_to_destination);
    tcase_add_test(tc, cop_105_async_null_stream);
    tcase_add_test(tc, cop_107_async_200_mib);
    tcase_add_test(tc, async_pinned_returns_before_the_copy);
    tcase_add_test(tc, async_pageable_waits_for_the_stream_and_is_complete_at_return);
    tcase_add_test(tc, async_stream_of_another_context);
    tcase_add_test(tc, async_bad_stream_comes_before_the_sizes);
    tcase_add_test(tc, random_copies_match_the_model);
    return run_cases("copy1d", tc, (TCase *)NULL);
}
