/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned memory and registered memory. */
#include "support.h"

#include "pacl/pacl.h"

/* --- pinned memory ---------------------------------------------------------------------------------------------- */

/* MEM-136 [code] */
START_TEST(mem_136_malloc_host_size_0_or_null)
{
    void *at = &fx;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocHost(&at, 0));
    ASSERT_MESSAGE_NAMES("aclrtMallocHost", "size");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocHost(NULL, 64));
    ASSERT_MESSAGE_NAMES("aclrtMallocHost", "hostPtr");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocHostWithCfg(&at, 0, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocHostWithCfg(NULL, 64, NULL));
    ck_assert_ptr_eq(at, &fx);
}
END_TEST

static aclError malloc_host(void)
{
    void *at;
    return aclrtMallocHost(&at, 64);
}

static aclError free_pinned(void)
{
    return aclrtFreeHost(fx.pinned);
}

START_TEST(pinned_memory_without_a_context)
{
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(malloc_host));
    ASSERT_OK(in_new_thread(free_pinned));
}
END_TEST

/* MEM-137 [code] */
START_TEST(mem_137_free_host_null)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtFreeHost(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtFreeHostWithDevSync(NULL));
}
END_TEST

START_TEST(pinned_memory_is_plain_aligned_memory)
{
    enum { BLOCKS = 100 };
    uint8_t *at[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        ASSERT_OK(aclrtMallocHost((void **)&at[i], i * 53 + 1));
        ck_assert_uint_eq((uintptr_t)at[i] % 64, 0);
        memset(at[i], (int)i, i * 53 + 1);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        ASSERT_ALL_BYTES(at[i], i * 53 + 1, (uint8_t)i);
        ASSERT_OK(aclrtFreeHost(at[i]));
    }
}
END_TEST

START_TEST(malloc_host_with_cfg)
{
    void *at;
    aclrtMallocAttribute attribute = { .attr = ACL_RT_MEM_ATTR_VA_FLAG, .value = { .vaFlag = 0 } };
    aclrtMallocConfig cfg = { .attrs = &attribute, .numAttrs = 1 };
    ASSERT_OK(aclrtMallocHostWithCfg(&at, 64, &cfg));
    memset(at, 1, 64);
    ASSERT_OK(aclrtFreeHost(at));
    ASSERT_OK(aclrtMallocHostWithCfg(&at, 64, NULL));
    ASSERT_OK(aclrtFreeHost(at));
    attribute.attr = (aclrtMallocAttrType)99;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMallocHostWithCfg(&at, 64, &cfg));
}
END_TEST

/* --- registration ----------------------------------------------------------------------------------------------- */

#define PAGE ((size_t)4096)

static uint8_t *pages(size_t count)
{
    uint8_t *const at = aligned_alloc(PAGE, count * PAGE);
    ck_assert_ptr_nonnull(at);
    memset(at, POISON, count * PAGE);
    return at;
}

/* MEM-139 [code] */
START_TEST(mem_139_register_size_0)
{
    void *view;
    uint8_t *const at = pages(1);
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostRegister(at, 0, ACL_HOST_REGISTER_MAPPED, &view));
    ASSERT_MESSAGE_NAMES("aclrtHostRegister", "size");
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostRegister(NULL, PAGE, ACL_HOST_REGISTER_MAPPED, &view));
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostRegister(at, PAGE, ACL_HOST_REGISTER_MAPPED, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostRegisterV2(NULL, PAGE, ACL_HOST_REG_PINNED));
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostRegisterV2(at, 0, ACL_HOST_REG_PINNED));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(at));
    free(at);
}
END_TEST

/* MEM-140 [code] */
START_TEST(mem_140_register_type_1)
{
    void *view;
    uint8_t *const at = pages(1);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtHostRegister(at, PAGE, (aclrtHostRegisterType)1, &view));
    ASSERT_MESSAGE_NAMES("aclrtHostRegister", "type");
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(at));
    free(at);
}
END_TEST

START_TEST(register_types_and_flags)
{
    static const int types[] = { 0, 4, 8 };
    static const uint32_t good[] = { 0x2, 0x10000000, 0x10000002, 0x10000008 };
    static const uint32_t bad[] = { 0, 1, 0x10, 0x10000001, 0x80000000 };
    uint8_t *const at = pages(1);
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        void *view = NULL;
        const aclrtHostRegisterType type = (aclrtHostRegisterType)types[i];
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtHostRegister(at, PAGE, type, &view), "type %d", types[i]);
        ck_assert_ptr_eq(view, at);
        ASSERT_OK(aclrtHostUnregister(at));
    }
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtHostRegisterV2(at, PAGE, good[i]), "flag 0x%x", good[i]);
        ASSERT_OK(aclrtHostUnregister(at));
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtHostRegisterV2(at, PAGE, bad[i]), "flag 0x%x", bad[i]);
        ASSERT_MESSAGE_NAMES("aclrtHostRegisterV2", "flag");
    }
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(at));
    free(at);
}
END_TEST

/* MEM-143 [code] */
START_TEST(mem_143_register_an_overlapping_range)
{
    void *view;
    uint8_t *const at = pages(4);
    ASSERT_OK(aclrtHostRegister(at + PAGE, 2 * PAGE, ACL_HOST_REGISTER_MAPPED, &view));
    for (size_t first = 0; first < 3; first++) {
        const size_t size = first == 2 ? PAGE : 2 * PAGE;
        uint8_t *const start = at + first * PAGE;
        ASSERT_CODE_OF_ROW(E_HOST_MEMORY_ALREADY_REGISTERED,
                           aclrtHostRegister(start, size, ACL_HOST_REGISTER_MAPPED, &view), "page %zu", first);
        ASSERT_CODE_OF_ROW(E_HOST_MEMORY_ALREADY_REGISTERED, aclrtHostRegisterV2(start, size, ACL_HOST_REG_PINNED),
                           "page %zu", first);
    }
    /* Neighbours do not overlap. */
    ASSERT_OK(aclrtHostRegister(at, PAGE, ACL_HOST_REGISTER_MAPPED, &view));
    ASSERT_OK(aclrtHostRegisterV2(at + 3 * PAGE, PAGE, ACL_HOST_REG_PINNED));
    const size_t starts[] = { 0, 1, 3 };
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        ASSERT_OK(aclrtHostUnregister(at + starts[i] * PAGE));
    free(at);
}
END_TEST

/* MEM-144 [code] */
START_TEST(mem_144_unregister_what_is_not_registered)
{
    void *view;
    uint8_t *const at = pages(2);
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(at));
    ASSERT_MESSAGE_NAMES("aclrtHostUnregister");
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostUnregister(NULL));
    ASSERT_OK(aclrtHostRegister(at, PAGE, ACL_HOST_REGISTER_MAPPED, &view));
    ASSERT_OK(aclrtHostUnregister(at));
    ASSERT_CODE(E_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(at));
    free(at);
}
END_TEST

START_TEST(registered_range_is_host_memory_until_unregistered)
{
    void *view;
    aclrtPtrAttributes attributes;
    uint8_t *const at = pages(1);
    ASSERT_OK(aclrtHostRegister(at, PAGE, ACL_HOST_REGISTER_MAPPED, &view));
    ASSERT_OK(aclrtPointerGetAttributes(at + 7, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
    ASSERT_OK(aclrtHostUnregister(at));
    ASSERT_OK(aclrtPointerGetAttributes(at + 7, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    free(at);
}
END_TEST

START_TEST(host_get_device_pointer)
{
    void *view = NULL;
    uint8_t *const mapped = pages(1);
    uint8_t *const only_pinned = pages(1);
    ASSERT_OK(aclrtHostRegisterV2(mapped, PAGE, ACL_HOST_REG_MAPPED));
    ASSERT_OK(aclrtHostRegisterV2(only_pinned, PAGE, ACL_HOST_REG_PINNED));
    ASSERT_OK(aclrtHostGetDevicePointer(mapped, &view, 0));
    ck_assert_ptr_eq(view, mapped);
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostGetDevicePointer(NULL, &view, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostGetDevicePointer(mapped, NULL, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtHostGetDevicePointer(mapped, &view, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtHostGetDevicePointer(only_pinned, &view, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtHostGetDevicePointer(fx.pageable, &view, 0));
    ASSERT_OK(aclrtHostUnregister(mapped));
    ASSERT_OK(aclrtHostUnregister(only_pinned));
    free(mapped);
    free(only_pinned);
}
END_TEST

/* An asynchronous copy from registered memory returns before it is done; from pageable memory it waits. */
START_TEST(memory_that_is_registered_no_more_is_pageable)
{
    struct gate gate;
    void *view;
    uint8_t *const at = pages(1);
    struct call2d call = good_call2d();
    call.src = at;
    ASSERT_OK(aclrtHostRegister(at, PAGE, ACL_HOST_REGISTER_MAPPED, &view));
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&call));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    struct pacl_counters before = { .size = sizeof before }, after = before;
    ASSERT_OK(pacl_counters_get(&before));
    ASSERT_OK(aclrtHostUnregister(at));
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(pacl_counters_get(&after));
    ck_assert_uint_eq(after.copies_pageable - before.copies_pageable, 1);
    free(at);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("host memory", fixture_open, fixture_close);
    tcase_add_test(tc, mem_136_malloc_host_size_0_or_null);
    tcase_add_test(tc, pinned_memory_without_a_context);
    tcase_add_test(tc, mem_137_free_host_null);
    tcase_add_test(tc, pinned_memory_is_plain_aligned_memory);
    tcase_add_test(tc, malloc_host_with_cfg);
    tcase_add_test(tc, mem_139_register_size_0);
    tcase_add_test(tc, mem_140_register_type_1);
    tcase_add_test(tc, register_types_and_flags);
    tcase_add_test(tc, mem_143_register_an_overlapping_range);
    tcase_add_test(tc, mem_144_unregister_what_is_not_registered);
    tcase_add_test(tc, registered_range_is_host_memory_until_unregistered);
    tcase_add_test(tc, host_get_device_pointer);
    tcase_add_test(tc, memory_that_is_registered_no_more_is_pageable);
    return run_cases("host_memory", tc, (TCase *)NULL);
}
