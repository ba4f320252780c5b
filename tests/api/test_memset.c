/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemset, aclrtMemsetAsync, aclrtMemsetD32, aclrtMemsetD32Async. */
#include "support.h"

static void assert_device_untouched(void)
{
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}

/* Bytes [from, from + count) hold value, the others the poison. */
static void assert_filled(size_t from, size_t count, uint8_t value)
{
    uint8_t *const want = malloc(FIXTURE_BYTES);
    memset(want, POISON, FIXTURE_BYTES);
    memset(want + from, value, count);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, want, FIXTURE_BYTES));
    free(want);
}

/* COP-116 [code] */
START_TEST(cop_116_count_0_with_a_null_pointer)
{
    ASSERT_OK(aclrtMemset(NULL, 0, 1, 0));
    ASSERT_OK(aclrtMemsetAsync(NULL, 0, 1, 0, fx.stream));
}
END_TEST

/* COP-117 [code] */
START_TEST(cop_117_null_pointer)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemset(NULL, 8, 1, 8));
    ASSERT_MESSAGE_NAMES("aclrtMemset");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetAsync(NULL, 8, 1, 8, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemsetAsync");
}
END_TEST

/* COP-118 [code] */
START_TEST(cop_118_count_over_max_count)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemsetAsync(fx.device, 7, 1, 8, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemsetAsync", "maxCount");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemsetAsync(fx.device, 7, 1, 8, (aclrtStream)(uintptr_t)0x10));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemset(fx.device, 7, 1, 8));
    ASSERT_MESSAGE_NAMES("aclrtMemset", "maxCount");
    assert_device_untouched();
}
END_TEST

START_TEST(the_low_byte_of_value_is_used)
{
    ASSERT_OK(aclrtMemset(fx.device + 5, FIXTURE_BYTES - 5, 0x7fffff42, 1001));
    assert_filled(5, 1001, 0x42);
    ASSERT_OK(aclrtMemsetAsync(fx.device + 5, 1001, -1, 1001, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_filled(5, 1001, 0xFF);
}
END_TEST

static aclError set_device(void)
{
    return aclrtMemset(fx.device, 8, 1, 8);
}

static aclError set_null_stream(void)
{
    return aclrtMemsetAsync(fx.device, 8, 1, 8, NULL);
}

START_TEST(without_a_context)
{
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(set_device));
    ASSERT_REFUSED(in_new_thread(set_null_stream));
    assert_device_untouched();
}
END_TEST

START_TEST(stream_of_another_context)
{
    aclrtContext other;
    ASSERT_OK(aclrtCreateContext(&other, 0));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtMemsetAsync(fx.device, 8, 1, 8, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemsetAsync", "stream");
    assert_device_untouched();
}
END_TEST

START_TEST(async_set_is_queued)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(fx.device, FIXTURE_BYTES, 9, FIXTURE_BYTES, fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_filled(0, FIXTURE_BYTES, 9);
}
END_TEST

START_TEST(null_stream_is_the_default_stream)
{
    struct gate gate;
    aclrtStream default_stream;
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
    gate_close(&gate, default_stream);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 100, 9, 100, NULL));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    assert_filled(0, 100, 9);
}
END_TEST

START_TEST(sync_set_of_pinned_memory)
{
    ASSERT_OK(aclrtMemset(fx.pinned + 3, 50, 0x17, 50));
    ASSERT_ALL_BYTES(fx.pinned, 3, POISON);
    ASSERT_ALL_BYTES(fx.pinned + 3, 50, 0x17);
    ASSERT_ALL_BYTES(fx.pinned + 53, FIXTURE_BYTES - 53, POISON);
}
END_TEST

/* "async on host memory is done at once": it does not even wait for the stream. */
START_TEST(async_set_of_host_memory_is_done_at_once)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(fx.pinned, 50, 0x17, 50, fx.stream));
    ASSERT_ALL_BYTES(fx.pinned, 50, 0x17);
    ASSERT_ALL_BYTES(fx.pinned + 50, FIXTURE_BYTES - 50, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* The code is open; that nothing is written is not. */
START_TEST(set_past_the_end_of_an_allocation)
{
    uint8_t *const at = fx.device + FIXTURE_BYTES - 99;
    aclError err;
    ASSERT_REFUSED(aclrtMemset(at, 100, 1, 100));
    ASSERT_REFUSED(aclrtMemset(fx.device, SIZE_MAX, 1, SIZE_MAX));
    err = aclrtMemsetAsync(at, 100, 1, 100, fx.stream);
    if (err == ACL_SUCCESS)
        err = aclrtSynchronizeStream(fx.stream);
    ck_assert_int_ne(err, ACL_SUCCESS);
    assert_device_untouched();
}
END_TEST

START_TEST(random_sets_match_the_model)
{
    uint64_t state = test_seed();
    struct block block = block_new(PLACE_DEVICE, 40000);
    const size_t rounds = test_rounds(200);
    for (size_t round = 0; round < rounds; round++) {
        const size_t at = random_in(&state, 0, 999);
        const size_t count = random_in(&state, 1, round % 2 != 0 ? 200 : 39000);
        const int value = (int)(random_next(&state) & 0xFF);
        if (round % 4 == 0)
            ASSERT_OK(aclrtMemset(block.at + at, count, value, count));
        else
            ASSERT_OK(aclrtMemsetAsync(block.at + at, count, value, count, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        memset(block.model + at, value, count);
        ASSERT_NO_DIFFERENCE(block_difference(&block));
    }
    block_free(&block);
}
END_TEST

/* --- words ------------------------------------------------------------------------------------------------------ */

static void assert_words(size_t from, uint32_t value, size_t words)
{
    uint8_t *const want = malloc(FIXTURE_BYTES);
    memset(want, POISON, FIXTURE_BYTES);
    for (size_t i = 0; i < words; i++)
        memcpy(want + from + 4 * i, &value, 4);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, want, FIXTURE_BYTES));
    free(want);
}

START_TEST(words_are_set)
{
    ASSERT_OK(aclrtMemsetD32(fx.device + 4, 4 * 333, 0x12345678, 333));
    assert_words(4, 0x12345678, 333);
    ASSERT_OK(aclrtMemsetD32Async(fx.device + 4, 4 * 333, 0x9ABCDEF0, 333, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_words(4, 0x9ABCDEF0, 333);
}
END_TEST

START_TEST(words_async_are_queued)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetD32Async(fx.device, 64, 1, 16, fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_words(0, 1, 16);
}
END_TEST

START_TEST(words_zero_of_them)
{
    ASSERT_OK(aclrtMemsetD32(NULL, 0, 1, 0));
    ASSERT_OK(aclrtMemsetD32Async(NULL, 0, 1, 0, fx.stream));
}
END_TEST

/* COP-120 [code] */
START_TEST(cop_120_words_at_an_address_aligned_to_2)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32(fx.device + 2, 64, 1, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32Async(fx.device + 2, 64, 1, 4, fx.stream));
    assert_device_untouched();
}
END_TEST

/* COP-122 [code] */
START_TEST(cop_122_words_in_pageable_memory)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32(fx.pageable, 64, 1, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32Async(fx.pageable, 64, 1, 4, fx.stream));
    ASSERT_ALL_BYTES(fx.pageable, FIXTURE_BYTES, POISON);
}
END_TEST

START_TEST(words_arguments)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32(NULL, 64, 1, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32(fx.device, 15, 1, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32(fx.device, 64, 1, SIZE_MAX / 4 + 2)); /* 4 N wraps to 4 */
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32Async(NULL, 64, 1, 4, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32Async(fx.device, 15, 1, 4, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32Async(fx.device, 64, 1, SIZE_MAX / 4 + 2, fx.stream));
    assert_device_untouched();
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("memset", fixture_open, fixture_close);
    tcase_add_test(tc, cop_116_count_0_with_a_null_pointer);
    tcase_add_test(tc, cop_117_null_pointer);
    tcase_add_test(tc, cop_118_count_over_max_count);
    tcase_add_test(tc, the_low_byte_of_value_is_used);
    tcase_add_test(tc, without_a_context);
    tcase_add_test(tc, stream_of_another_context);
    tcase_add_test(tc, async_set_is_queued);
    tcase_add_test(tc, null_stream_is_the_default_stream);
    tcase_add_test(tc, sync_set_of_pinned_memory);
    tcase_add_test(tc, async_set_of_host_memory_is_done_at_once);
    tcase_add_test(tc, set_past_the_end_of_an_allocation);
    tcase_add_test(tc, random_sets_match_the_model);
    tcase_add_test(tc, words_are_set);
    tcase_add_test(tc, words_async_are_queued);
    tcase_add_test(tc, words_zero_of_them);
    tcase_add_test(tc, cop_120_words_at_an_address_aligned_to_2);
    tcase_add_test(tc, cop_122_words_in_pageable_memory);
    tcase_add_test(tc, words_arguments);
    return run_cases("memset", tc, (TCase *)NULL);
}
