/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of a 2D copy against where its addresses lie. */
#include "support.h"

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
    tcase_add_test(tc, mem_076_sync_h2d_between_device_pointers);
    tcase_add_test(tc, mem_077_sync_default_from_pinned_to_device);
    tcase_add_test(tc, mem_079_sync_default_between_device_pointers);
    tcase_add_test(tc, decision_06_no_device_side_is_named);
    tcase_add_test(tc, decision_06_d2d_with_pageable_memory_blocks_and_follows_the_addresses);
    return tc;
}

int main(void)
{
    return run_cases("memcpy2d_kinds", kinds_case(), (TCase *)NULL);
}
