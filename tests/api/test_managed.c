/* SPDX-License-Identifier: Apache-2.0 */
/* Managed memory, and allocators of a program. */
#include <acl/acl_rt_allocator.h>

#include "support.h"

#define MIB ((size_t)1 << 20)
#define GLOBAL 1

static uint8_t *managed(size_t bytes)
{
    void *at = NULL;
    ASSERT_OK(aclrtMemAllocManaged(&at, bytes, GLOBAL));
    return at;
}

static size_t free_hbm(void)
{
    size_t free = 0, total = 0;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
}

/* --- managed memory --------------------------------------------------------------------------------------------- */

/* MEM-162 [code] */
START_TEST(mem_162_managed_with_another_flag)
{
    void *at = &fx;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemAllocManaged(&at, 64, 2));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemAllocManaged(&at, 64, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemAllocManaged(NULL, 64, GLOBAL));
    ck_assert_ptr_eq(at, &fx);
}
END_TEST

/* MEM-163 [code] */
START_TEST(mem_163_managed_size_0)
{
    void *at = &fx;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemAllocManaged(&at, 0, GLOBAL));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMemAllocManaged(&at, SIZE_MAX, GLOBAL));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMemAllocManaged(&at, (size_t)1 << 50, GLOBAL));
    ck_assert_ptr_eq(at, &fx);
}
END_TEST

/* MEM-059 [code] */
START_TEST(mem_059_default_kind_from_managed_memory)
{
    uint8_t *const m = managed(4096);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy2dAsync(fx.device, 64, m, 64, 64, 4, DEFAULT, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy2dAsync(m, 64, fx.device, 64, 64, 4, DEFAULT, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpy2dAsync(m, 64, fx.pinned, 64, 64, 4, DEFAULT, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(m, 4096, 0);
    ASSERT_OK(aclrtFree(m));
}
END_TEST

/* The kind is taken as it is, for both sides of a copy. */
START_TEST(copies_to_and_from_managed_memory)
{
    uint8_t *const m = managed(FIXTURE_BYTES);
    memset(m, 0x21, FIXTURE_BYTES); /* the host has it at the same address */
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 256, m, 256, 256, 256, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.pinned, 256, fx.device, 256, 256, 256, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned, FIXTURE_BYTES, 0x21);
    ASSERT_OK(aclrtMemset(fx.device, FIXTURE_BYTES, 0x32, FIXTURE_BYTES));
    ASSERT_OK(aclrtMemcpy2dAsync(m, 256, fx.device, 256, 256, 256, D2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(m, FIXTURE_BYTES, 0x32);
    ASSERT_OK(aclrtMemcpy(m, FIXTURE_BYTES, fx.pageable, FIXTURE_BYTES, H2D));
    ASSERT_ALL_BYTES(m, FIXTURE_BYTES, POISON);
    ASSERT_OK(aclrtMemset(m, FIXTURE_BYTES, 0x43, FIXTURE_BYTES));
    ASSERT_ALL_BYTES(m, FIXTURE_BYTES, 0x43);
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemsetD32(m, 64, 0, 16));
    ASSERT_OK(aclrtMemcpyAsync(m + FIXTURE_BYTES - 4, 64, fx.device, 64, D2H, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream)); /* past its size */
    ASSERT_OK(aclrtFree(m));
}
END_TEST

START_TEST(managed_memory_counts_whole_units_and_is_freed_once)
{
    aclrtPtrAttributes attributes;
    const size_t before = free_hbm();
    uint8_t *const m = managed(2 * MIB + 1), *const other = managed(1);
    ck_assert_uint_eq(free_hbm(), before - 6 * MIB);
    ASSERT_OK(aclrtPointerGetAttributes(m + 2 * MIB, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(m + 64));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreeHost(m));
    ASSERT_OK(aclrtFree(m));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(m));
    ASSERT_OK(aclrtFree(other));
    ck_assert_uint_eq(free_hbm(), before);
}
END_TEST

START_TEST(advice_is_kept_and_told)
{
    uint8_t *const m = managed(MIB);
    const aclrtMemManagedLocation device = { .type = ACL_MEM_LOCATIONTYPE_DEVICE, .id = 3 },
                                  host = { .type = ACL_MEM_LOCATIONTYPE_HOST }, none = { 0 };
    int32_t value = 99, list[3] = { 99, 99, 99 };
    ASSERT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, m, MIB, &value, 4));
    ck_assert_int_eq(value, 0);
    ASSERT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, m, MIB, &value, 4));
    ck_assert_int_eq(value, -2);
    ASSERT_OK(aclrtMemManagedAdvise(m, MIB, ACL_MEM_ADVISE_SET_READ_MOSTLY, none));
    ASSERT_OK(aclrtMemManagedAdvise(m, MIB, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    ASSERT_OK(aclrtMemManagedAdvise(m, MIB, ACL_MEM_ADVISE_SET_ACCESSED_BY, device));
    ASSERT_OK(aclrtMemManagedPrefetchAsync(m, 4096, host, 0, fx.stream));

    aclrtMemManagedRangeAttribute attributes[] = { ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                                   ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                                   ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID };
    int32_t id = 99;
    void *data[] = { &value, list, &id };
    size_t sizes[] = { 4, sizeof list, 4 };
    ASSERT_OK(aclrtMemManagedGetAttrs(attributes, 3, m, MIB, data, sizes));
    ck_assert_int_eq(value, 1);
    ck_assert_int_eq(list[0], 3);
    ck_assert_int_eq(list[1], -2);
    ck_assert_int_eq(id, 3);
    ASSERT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, MIB, &value, 4));
    ck_assert_int_eq(value, -1);
    ASSERT_OK(aclrtMemManagedAdvise(m, MIB, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION, none));
    ASSERT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, m, MIB, &value, 4));
    ck_assert_int_eq(value, -2);

    const void *ranges[] = { m, m + 4096 };
    size_t bytes[] = { 4096, 4096 }, indexes[] = { 0, 1 };
    aclrtMemManagedLocation locations[] = { host, device };
    ASSERT_OK(aclrtMemManagedPrefetchBatchAsync(ranges, bytes, 2, locations, indexes, 2, 0, fx.stream));
    ASSERT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, MIB, &value, 4));
    ck_assert_int_eq(value, 3);
    indexes[1] = 0;
    ASSERT_CODE(E_RT_PARAM_INVALID,
                aclrtMemManagedPrefetchBatchAsync(ranges, bytes, 2, locations, indexes, 2, 0, fx.stream));
    indexes[1] = 1;
    ranges[1] = fx.device; /* the second is wrong: the first is not carried out either */
    ASSERT_CODE(E_RT_PARAM_INVALID,
                aclrtMemManagedPrefetchBatchAsync(ranges, bytes, 2, locations, indexes, 2, 0, fx.stream));
    ASSERT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, m, MIB, &value, 4));
    ck_assert_int_eq(value, 3);

    const aclrtMemManagedLocation wild = { .type = ACL_MEM_LOCATIONTYPE_DEVICE, .id = 1000 }; /* not looked at */
    ASSERT_OK(aclrtMemManagedAdvise(m, MIB, ACL_MEM_ADVISE_SET_READ_MOSTLY, wild));
    ASSERT_OK(aclrtFree(m));
}
END_TEST

START_TEST(advice_refuses_what_is_wrong)
{
    uint8_t *const m = managed(MIB);
    aclrtMemManagedLocation device = { .type = ACL_MEM_LOCATIONTYPE_DEVICE };
    int32_t value;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemManagedAdvise(NULL, 1, 0, device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedAdvise(m, MIB + 1, 0, device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedAdvise(m, 0, 0, device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedAdvise(fx.device, 64, 0, device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedAdvise(m, 64, (aclrtMemManagedAdviseType)6, device));
    device.id = 8;
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtMemManagedAdvise(m, 64, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    device.type = ACL_MEM_LOCATIONTYPE_INVALID;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedAdvise(m, 64, ACL_MEM_ADVISE_SET_ACCESSED_BY, device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedPrefetchAsync(m, 64, device, 0, fx.stream));
    device = (aclrtMemManagedLocation){ .type = ACL_MEM_LOCATIONTYPE_DEVICE };
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedPrefetchAsync(m, 64, device, 1, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemManagedPrefetchAsync(NULL, 64, device, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemManagedGetAttr(1, NULL, 64, &value, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemManagedGetAttr(1, m, 64, NULL, 4));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedGetAttr(1, m, 64, &value, 3));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedGetAttr(0, m, 64, &value, 4));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedGetAttr(9, m, 64, &value, 4));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemManagedGetAttrs(NULL, 1, m, 64, NULL, NULL));
    aclrtMemManagedRangeAttribute attributes[] = { ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 9 };
    int32_t answers[] = { 77, 78 };
    void *data[] = { &answers[0], &answers[1] };
    size_t sizes[] = { 4, 4 };
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedGetAttrs(attributes, 2, m, 64, data, sizes));
    ASSERT_MESSAGE_NAMES("aclrtMemManagedGetAttrs", "attribute 9");
    attributes[1] = ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
    sizes[1] = 8;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemManagedGetAttrs(attributes, 2, m, 64, data, sizes));
    ASSERT_MESSAGE_NAMES("aclrtMemManagedGetAttrs", "dataSize 8");
    data[1] = NULL;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemManagedGetAttrs(attributes, 2, m, 64, data, sizes));
    ASSERT_MESSAGE_NAMES("aclrtMemManagedGetAttrs", "data[1]");
    ck_assert_int_eq(answers[0], 77); /* the first is right, and is not told either */
    ASSERT_OK(aclrtFree(m));
}
END_TEST

START_TEST(other_products_have_no_managed_memory)
{
    static const char *const products[] = { "atlas-350", "atlas-training", "atlas-inference", "atlas-200i-500-a2" };
    void *at;
    fixture_open_on(products[_i]);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtMemAllocManaged(&at, 64, GLOBAL));
    fixture_close();
}
END_TEST

/* --- allocators ------------------------------------------------------------------------------------------------- */

static void *take(aclrtAllocator object, size_t size)
{
    (void)size;
    return object;
}

static void give(aclrtAllocator object, aclrtAllocatorBlock block)
{
    (void)object;
    (void)block;
}

static void *take_at(aclrtAllocator object, size_t size, aclrtAllocatorAddr at)
{
    (void)object;
    (void)size;
    return at;
}

static void *address_of(aclrtAllocatorBlock block)
{
    return block;
}

static int object;

static aclrtAllocatorDesc complete_desc(void)
{
    const aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    ck_assert_ptr_nonnull(desc);
    ASSERT_OK(aclrtAllocatorSetObjToDesc(desc, &object));
    ASSERT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, take));
    ASSERT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, give));
    ASSERT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, address_of));
    return desc;
}

/* MEM-164 [code] */
START_TEST(mem_164_unregister_an_unknown_stream)
{
    ASSERT_OK(aclrtAllocatorUnregister(fx.stream));
    ASSERT_OK(aclrtAllocatorUnregister(&fx));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorUnregister(NULL));
}
END_TEST

/* MEM-165 [code] */
START_TEST(mem_165_allocator_of_an_unknown_stream)
{
    aclrtAllocatorDesc desc;
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorGetByStream(fx.stream, &desc, NULL, NULL, NULL, NULL, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorGetByStream(NULL, &desc, NULL, NULL, NULL, NULL, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorGetByStream(fx.stream, NULL, NULL, NULL, NULL, NULL, NULL));
}
END_TEST

START_TEST(a_registered_allocator_is_told)
{
    const aclrtAllocatorDesc desc = complete_desc();
    aclrtAllocatorDesc told;
    aclrtAllocator of;
    aclrtAllocatorAllocFunc allocate;
    aclrtAllocatorFreeFunc release;
    aclrtAllocatorAllocAdviseFunc advise = take_at;
    aclrtAllocatorGetAddrFromBlockFunc address;
    ASSERT_OK(aclrtAllocatorRegister(fx.stream, desc));
    ASSERT_OK(aclrtAllocatorGetByStream(fx.stream, &told, &of, &allocate, &release, &advise, &address));
    ck_assert_ptr_eq(told, desc);
    ck_assert_ptr_eq(of, &object);
    ck_assert(allocate == take && release == give && advise == NULL && address == address_of);
    ASSERT_OK(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, take_at));
    ASSERT_OK(aclrtAllocatorGetByStream(fx.stream, &told, NULL, NULL, NULL, &advise, NULL));
    ck_assert(advise == NULL); /* as it was when it was registered */
    ASSERT_OK(aclrtAllocatorRegister(fx.stream, desc));
    ASSERT_OK(aclrtAllocatorDestroyDesc(desc));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorDestroyDesc(desc));
    ASSERT_OK(aclrtAllocatorGetByStream(fx.stream, &told, NULL, NULL, NULL, &advise, NULL));
    ck_assert(advise == take_at);
    ASSERT_OK(aclrtAllocatorUnregister(fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorGetByStream(fx.stream, &told, NULL, NULL, NULL, NULL, NULL));
}
END_TEST

START_TEST(allocators_refuse_what_is_wrong)
{
    const aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorRegister(fx.stream, desc)); /* empty */
    ASSERT_OK(aclrtAllocatorSetObjToDesc(desc, &object));
    ASSERT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, take));
    ASSERT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, give));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorRegister(fx.stream, desc)); /* one is missing */
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorRegister(NULL, desc));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorRegister(fx.stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorRegister(fx.stream, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorSetObjToDesc(NULL, &object));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorSetObjToDesc(desc, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorSetAllocFuncToDesc(desc, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorSetFreeFuncToDesc(desc, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorSetAllocAdviseFuncToDesc(desc, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorDestroyDesc(NULL));
    ASSERT_OK(aclrtAllocatorDestroyDesc(desc));
    const aclrtAllocatorDesc good = complete_desc();
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtAllocatorRegister(&fx, good));
    aclrtStream gone;
    ASSERT_OK(aclrtCreateStream(&gone));
    ASSERT_OK(aclrtAllocatorRegister(gone, good));
    ASSERT_OK(aclrtDestroyStream(gone));
    aclrtAllocatorDesc told;
    ASSERT_CODE(E_INVALID_PARAM, aclrtAllocatorGetByStream(gone, &told, NULL, NULL, NULL, NULL, NULL));
    ASSERT_OK(aclrtAllocatorDestroyDesc(good));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("managed", fixture_open, fixture_close);
    tcase_add_test(tc, mem_162_managed_with_another_flag);
    tcase_add_test(tc, mem_163_managed_size_0);
    tcase_add_test(tc, mem_059_default_kind_from_managed_memory);
    tcase_add_test(tc, copies_to_and_from_managed_memory);
    tcase_add_test(tc, managed_memory_counts_whole_units_and_is_freed_once);
    tcase_add_test(tc, advice_is_kept_and_told);
    tcase_add_test(tc, advice_refuses_what_is_wrong);
    tcase_add_test(tc, mem_164_unregister_an_unknown_stream);
    tcase_add_test(tc, mem_165_allocator_of_an_unknown_stream);
    tcase_add_test(tc, a_registered_allocator_is_told);
    tcase_add_test(tc, allocators_refuse_what_is_wrong);
    TCase *const others = new_case("managed_products", NULL, NULL);
    tcase_add_loop_test(others, other_products_have_no_managed_memory, 0, 4);
    return run_cases("managed", tc, others, (TCase *)NULL);
}
