/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory, what a pointer is, and how much memory there is. */
#include "support.h"

#include "pacl/pacl.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static void *device_memory(size_t bytes)
{
    void *at = NULL;
    ASSERT_OK(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return at;
}

/* --- aclrtMalloc and relatives ---------------------------------------------------------------------------------- */

typedef aclError malloc_fn(void **at, size_t bytes, aclrtMemMallocPolicy policy);

static malloc_fn *const malloc_fns[] = { aclrtMalloc, aclrtMallocAlign32, aclrtMallocCached };

static void assert_mallocs_refuse(int want, bool give_output, size_t bytes)
{
    for (size_t i = 0; i < COUNT_OF(malloc_fns); i++) {
        void *at = &fx;
        ASSERT_CODE_OF_ROW(want, malloc_fns[i](give_output ? &at : NULL, bytes, ACL_MEM_MALLOC_HUGE_FIRST),
                           "function %zu", i);
        ck_assert_ptr_eq(at, &fx); /* results are set on success only */
    }
}

/* MEM-127 [code] */
START_TEST(mem_127_null_output)
{
    assert_mallocs_refuse(E_INVALID_PARAM, false, 64);
    ASSERT_MESSAGE_NAMES("aclrtMallocCached", "devPtr");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocWithCfg(NULL, 64, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
}
END_TEST

/* MEM-128 [code] */
START_TEST(mem_128_size_0)
{
    void *at;
    assert_mallocs_refuse(E_INVALID_PARAM, true, 0);
    ASSERT_MESSAGE_NAMES("aclrtMallocCached", "size");
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocWithCfg(&at, 0, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
}
END_TEST

/* MEM-129 [code] */
START_TEST(mem_129_size_max)
{
    assert_mallocs_refuse(E_INVALID_PARAM, true, SIZE_MAX);
    assert_mallocs_refuse(E_INVALID_PARAM, true, SIZE_MAX - 30); /* rounding up to 32 passes the largest number */
}
END_TEST

static aclError malloc_32(void)
{
    void *at;
    return aclrtMalloc(&at, 32, ACL_MEM_MALLOC_HUGE_FIRST);
}

static aclError malloc_size_0(void)
{
    void *at;
    return aclrtMalloc(&at, 0, ACL_MEM_MALLOC_HUGE_FIRST);
}

/* MEM-130 [code] */
START_TEST(mem_130_without_a_context)
{
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(malloc_32));
    ASSERT_CODE(E_INVALID_PARAM, in_new_thread(malloc_size_0));
}
END_TEST

/* MEM-131 [code] */
START_TEST(mem_131_more_than_the_capacity)
{
    void *at = NULL;
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&at, 65 * GIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_MESSAGE_NAMES("aclrtMalloc", "size");
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    ck_assert_ptr_null(at);
}
END_TEST

START_TEST(capacity_is_used_up_and_given_back)
{
    void *first = device_memory(40 * GIB);
    void *second;
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&second, 30 * GIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtFree(first));
    second = device_memory(60 * GIB);
    ASSERT_OK(aclrtFree(second));
}
END_TEST

START_TEST(decision_13_more_than_the_machine_has)
{
    /* 8 devices of 64 GiB: far more than any test machine, and both ends can be written. */
    const size_t bytes = 60 * GIB;
    for (int32_t id = 0; id < 8; id++) {
        ASSERT_OK(aclrtSetDevice(id));
        uint8_t *const at = device_memory(bytes);
        ASSERT_OK(aclrtMemset(at, 64, 1, 64));
        ASSERT_OK(aclrtMemset(at + bytes - 64, 64, 2, 64));
        ASSERT_NO_DIFFERENCE(device_fill_difference(at, 64, 1));
        ASSERT_NO_DIFFERENCE(device_fill_difference(at + bytes - 64, 64, 2));
    }
}
END_TEST

/* MEM-133 [doc] */
START_TEST(mem_133_policies_0_to_7)
{
    for (int policy = 0; policy <= 7; policy++) {
        void *at = NULL;
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtMalloc(&at, 1000, (aclrtMemMallocPolicy)policy), "policy %d", policy);
        ck_assert_uint_eq((uintptr_t)at % 64, 0);
        ASSERT_OK(aclrtMemset(at, 1000, policy, 1000));
        ASSERT_NO_DIFFERENCE(device_fill_difference(at, 1000, (uint8_t)policy));
        ASSERT_OK(aclrtFree(at));
    }
}
END_TEST

START_TEST(an_unknown_policy_is_no_error)
{
    void *at;
    ASSERT_OK(aclrtMalloc(&at, 3 * MIB, (aclrtMemMallocPolicy)77));
    ASSERT_OK(aclrtFree(at));
}
END_TEST

START_TEST(every_allocation_is_aligned_and_apart)
{
    enum { BLOCKS = 200 };
    uint8_t *at[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        at[i] = device_memory(i * 37 + 1);
        ck_assert_uint_eq((uintptr_t)at[i] % 64, 0);
        ASSERT_OK(aclrtMemset(at[i], i * 37 + 1, (int)i, i * 37 + 1));
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        ASSERT_NO_DIFFERENCE(device_fill_difference(at[i], i * 37 + 1, (uint8_t)i));
        ASSERT_OK(aclrtFree(at[i]));
    }
}
END_TEST

START_TEST(malloc_with_cfg)
{
    void *at;
    aclrtMallocConfig cfg = { .attrs = NULL, .numAttrs = 1 };
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocWithCfg(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST, &cfg));
    cfg.numAttrs = 0;
    ASSERT_OK(aclrtMallocWithCfg(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST, &cfg));
    ASSERT_OK(aclrtFree(at));
    ASSERT_OK(aclrtMallocWithCfg(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
    ASSERT_OK(aclrtFree(at));
}
END_TEST

/* --- aclrtFree -------------------------------------------------------------------------------------------------- */

/* MEM-134 [code] */
START_TEST(mem_134_free_null)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtFree(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtFreeWithDevSync(NULL));
}
END_TEST

static aclError free_device(void)
{
    return aclrtFree(fx.device);
}

/* MEM-135 [code] */
START_TEST(mem_135_free_without_a_context)
{
    ASSERT_OK(in_new_thread(free_device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(fx.device));
}
END_TEST

START_TEST(free_from_another_context)
{
    aclrtContext other;
    ASSERT_OK(aclrtCreateContext(&other, 1));
    ASSERT_OK(aclrtFree(fx.device));
}
END_TEST

START_TEST(decision_09_double_foreign_and_interior_device_frees)
{
    static int global;
    int local = 0;
    ASSERT_OK(aclrtFree(fx.device2));
    void *const wrong[] = { fx.device2, fx.device + 1,           fx.device + 64,       fx.pinned, fx.pageable, &global,
                            &local,     (void *)(uintptr_t)0x10, (void *)~(uintptr_t)0 };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtFree(wrong[i]), "row %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtFreeWithDevSync(wrong[i]), "row %zu", i);
    }
    ASSERT_MESSAGE_NAMES("aclrtFreeWithDevSync");
    /* Nothing was freed. */
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_ALL_BYTES(fx.pinned, FIXTURE_BYTES, POISON);
    ASSERT_OK(aclrtFree(fx.device));
    ASSERT_OK(aclrtFreeHost(fx.pinned));
}
END_TEST

START_TEST(decision_09_double_foreign_and_interior_host_frees)
{
    int local = 0;
    ASSERT_OK(aclrtFreeHost(fx.pinned2));
    void *const wrong[] = { fx.pinned2,  fx.pinned + 1, fx.pinned + 64,         fx.device,
                            fx.pageable, &local,        (void *)(uintptr_t)0x10 };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtFreeHost(wrong[i]), "row %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtFreeHostWithDevSync(wrong[i]), "row %zu", i);
    }
    ASSERT_ALL_BYTES(fx.pinned, FIXTURE_BYTES, POISON);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_OK(aclrtFreeHost(fx.pinned));
    ASSERT_OK(aclrtFree(fx.device));
}
END_TEST

START_TEST(decision_08_free_returns_while_the_work_is_held_up)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device2, FIXTURE_BYTES, fx.device, FIXTURE_BYTES, D2D, fx.stream));
    fill_sources();
    ASSERT_OK(aclrtFree(fx.device));
    ASSERT_OK(aclrtFreeHost(fx.pinned));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(fx.device)); /* freed for the program, if not yet for the work */
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreeHost(fx.pinned));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    uint8_t *const want = malloc(FIXTURE_BYTES);
    uint64_t state = 1; /* the bytes of fill_sources() */
    random_fill(&state, want, FIXTURE_BYTES);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device2, want, FIXTURE_BYTES));
    free(want);
}
END_TEST

START_TEST(free_with_dev_sync_waits_for_the_device)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtFreeWithDevSync(fx.device2));
    ck_assert(gate_passed(&gate));
    gate_join(&gate);
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtFreeHostWithDevSync(fx.pinned2));
    ck_assert(gate_passed(&gate));
    gate_join(&gate);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
}
END_TEST

/* --- how much --------------------------------------------------------------------------------------------------- */

static size_t free_hbm(void)
{
    size_t free_bytes;
    size_t total;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    ck_assert_uint_le(free_bytes, total);
    return free_bytes;
}

static aclError mem_info(void)
{
    size_t free_bytes;
    size_t total;
    return aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total);
}

/* MEM-146 [code] */
START_TEST(mem_146_mem_info_null)
{
    size_t bytes;
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemInfo(ACL_HBM_MEM, NULL, &bytes));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemInfo(ACL_HBM_MEM, &bytes, NULL));
    ASSERT_MESSAGE_NAMES("aclrtGetMemInfo");
}
END_TEST

START_TEST(mem_info_attributes)
{
    size_t free_bytes;
    size_t total;
    for (int attr = 0; attr <= 17; attr++) {
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtGetMemInfo((aclrtMemAttr)attr, &free_bytes, &total), "attr %d", attr);
        ck_assert_uint_le(free_bytes, total);
    }
    ASSERT_CODE(E_RT_INVALID_MEMORY_TYPE, aclrtGetMemInfo((aclrtMemAttr)18, &free_bytes, &total));
    ASSERT_MESSAGE_NAMES("aclrtGetMemInfo", "attr", "18");
    ASSERT_CODE(E_RT_INVALID_MEMORY_TYPE, aclrtGetMemInfo((aclrtMemAttr)-1, &free_bytes, &total));
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(mem_info));
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    ck_assert_uint_eq(total, 68719476736u);
    ASSERT_OK(aclrtGetMemInfo(ACL_DDR_MEM, &free_bytes, &total)); /* this product has none */
    ck_assert_uint_eq(total, 0);
    ck_assert_uint_eq(free_bytes, 0);
}
END_TEST

/* MEM-148 [doc] */
START_TEST(mem_148_mem_info_follows_malloc_and_free)
{
    const size_t before = free_hbm();
    void *const at = device_memory(16 * MIB);
    const size_t during = free_hbm();
    ASSERT_OK(aclrtFree(at));
    ck_assert_uint_le(during + 16 * MIB, before);
    ck_assert_uint_eq(free_hbm(), before);
}
END_TEST

/* --- what a pointer is ------------------------------------------------------------------------------------------ */

static aclrtPtrAttributes attributes_of(const void *at)
{
    aclrtPtrAttributes attributes;
    memset(&attributes, 0xEE, sizeof(attributes));
    ASSERT_OK(aclrtPointerGetAttributes(at, &attributes));
    return attributes;
}

/* MEM-150 [code] */
START_TEST(mem_150_attributes_of_pageable_memory)
{
    const int local = 0;
    ck_assert_int_eq(attributes_of(fx.pageable).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    ck_assert_int_eq(attributes_of(&local).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    ck_assert_int_eq(attributes_of((void *)(uintptr_t)0x10).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    ck_assert_int_eq(attributes_of((void *)~(uintptr_t)0).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}
END_TEST

START_TEST(attributes_of_pinned_memory)
{
    const aclrtPtrAttributes attributes = attributes_of(fx.pinned + 5);
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
    ck_assert_uint_eq(attributes.location.id, 0);
}
END_TEST

/* MEM-152 [code] */
START_TEST(mem_152_attributes_of_an_interior_device_pointer)
{
    const aclrtPtrAttributes attributes = attributes_of(fx.device + 5);
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    ck_assert_uint_eq(attributes.location.id, 0);
    ck_assert(attributes.pageSize == 4096 || attributes.pageSize == 2 * MIB || attributes.pageSize == GIB);
    ASSERT_OK(aclrtSetDevice(3));
    ck_assert_uint_eq(attributes_of(device_memory(100)).location.id, 3);
    ck_assert_uint_eq(attributes_of(fx.device).location.id, 0);
}
END_TEST

/* MEM-153 [code] */
START_TEST(mem_153_attributes_null)
{
    aclrtPtrAttributes attributes;
    ASSERT_CODE(E_INVALID_PARAM, aclrtPointerGetAttributes(NULL, &attributes));
    ASSERT_CODE(E_INVALID_PARAM, aclrtPointerGetAttributes(fx.device, NULL));
    ASSERT_MESSAGE_NAMES("aclrtPointerGetAttributes");
}
END_TEST

static aclError device_attributes(void)
{
    aclrtPtrAttributes attributes;
    const aclError err = aclrtPointerGetAttributes(fx.device, &attributes);
    if (err != ACL_SUCCESS)
        return err;
    return attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE ? ACL_SUCCESS : -2;
}

START_TEST(attributes_without_a_context)
{
    ASSERT_OK(in_new_thread(device_attributes));
}
END_TEST

START_TEST(usage_of_memory)
{
    aclrtMemUsageInfo usage[2] = { { .name = "before" } };
    size_t count = 99;
    void *at;
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemUsageInfo(0, NULL, 2, &count));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemUsageInfo(0, usage, 2, NULL));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtGetMemUsageInfo(8, usage, 2, &count));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtGetMemUsageInfo(-1, usage, 2, &count));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtGetMemUsageInfo(0, usage, 0, &count));
    ck_assert_uint_eq(count, 99);
    ASSERT_OK(aclrtGetMemUsageInfo(0, usage, 2, &count));
    ck_assert_uint_eq(count, 1);
    const uint64_t before = usage[0].curMemSize;
    ASSERT_OK(aclrtMallocForTaskScheduler(&at, 4 * MIB, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
    ASSERT_OK(aclrtFree(at));
    ASSERT_OK(aclrtGetMemUsageInfo(0, usage, 2, &count));
    ck_assert_uint_eq(usage[0].curMemSize, before);
    ck_assert_uint_eq(usage[0].memPeakSize, before + 4 * MIB);
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocForTaskScheduler(NULL, 64, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocForTaskScheduler(&at, 0, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
}
END_TEST

START_TEST(address_range)
{
    void *base = NULL;
    size_t size = 0;
    void *const at = device_memory(1000);
    ASSERT_OK(aclrtMemGetAddressRange((uint8_t *)at + 999, &base, &size));
    ck_assert_ptr_eq(base, at);
    ck_assert_uint_ge(size, 1000);
    base = NULL;
    ASSERT_OK(aclrtMemGetAddressRange(at, &base, NULL));
    ck_assert_ptr_eq(base, at);
    ASSERT_OK(aclrtMemGetAddressRange(at, NULL, &size));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAddressRange(NULL, &base, &size));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemGetAddressRange(at, NULL, NULL));
    ASSERT_REFUSED(aclrtMemGetAddressRange(fx.pageable, &base, &size));
    ASSERT_OK(aclrtFree(at));
    ASSERT_REFUSED(aclrtMemGetAddressRange(at, &base, &size));
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

struct allocator {
    pthread_t thread;
    uint64_t state;
    size_t rounds;
    aclError code;
};

/* Allocates, writes, reads back and frees; any byte of another thread in it is the code -2. */
static aclError allocate_and_check(uint64_t *state)
{
    const size_t bytes = random_in(state, 1, 5000);
    const uint8_t value = (uint8_t)random_next(state);
    void *device = NULL;
    uint8_t *pinned = NULL;
    aclError err = aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    if (err == ACL_SUCCESS)
        err = aclrtMallocHost((void **)&pinned, bytes);
    if (err == ACL_SUCCESS)
        err = aclrtMemset(device, bytes, value, bytes);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpy(pinned, bytes, device, bytes, D2H);
    for (size_t i = 0; i < bytes && err == ACL_SUCCESS; i++)
        err = pinned[i] == value ? ACL_SUCCESS : -2;
    if (err == ACL_SUCCESS)
        err = aclrtFree(device);
    return err != ACL_SUCCESS ? err : aclrtFreeHost(pinned);
}

static void *run_allocator(void *arg)
{
    struct allocator *const self = arg;
    self->code = aclrtSetDevice(0);
    for (size_t i = 0; i < self->rounds && self->code == ACL_SUCCESS; i++)
        self->code = allocate_and_check(&self->state);
    return NULL;
}

START_TEST(threads_allocate_and_free)
{
    struct allocator allocators[4];
    const uint64_t seed = test_seed();
    const size_t before = free_hbm();
    for (size_t i = 0; i < COUNT_OF(allocators); i++) {
        allocators[i] = (struct allocator){ .state = seed + i, .rounds = test_rounds(200) };
        ck_assert_int_eq(pthread_create(&allocators[i].thread, NULL, run_allocator, &allocators[i]), 0);
    }
    for (size_t i = 0; i < COUNT_OF(allocators); i++) {
        ck_assert_int_eq(pthread_join(allocators[i].thread, NULL), 0);
        ASSERT_OK(allocators[i].code);
    }
    ck_assert_uint_eq(free_hbm(), before);
}
END_TEST

/* --- what a thread remembers of its last copies ------------------------------------------------------------------ */

static aclError copy_to(void *device, size_t bytes)
{
    const aclError err =
        aclrtMemcpy2dAsync(device, 64, fx.pinned, 64, 16, bytes / 64, ACL_MEMCPY_HOST_TO_DEVICE, fx.stream);
    return err != ACL_SUCCESS ? err : aclrtSynchronizeStream(fx.stream);
}

/* Frees `device` in place of the caller. */
static void *free_it(void *device)
{
    ck_assert_int_eq(aclrtSetDevice(0), ACL_SUCCESS);
    ck_assert_int_eq(aclrtFree(device), ACL_SUCCESS);
    return NULL;
}

static void free_here_or_there(void *device, bool elsewhere)
{
    pthread_t thread;
    if (!elsewhere) {
        ASSERT_OK(aclrtFree(device));
        return;
    }
    ck_assert_int_eq(pthread_create(&thread, NULL, free_it, device), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* A smaller block at the address of one that was copied to: the bounds are the new block's. */
START_TEST(a_new_block_at_an_old_address_has_its_own_bounds)
{
    enum { OLD = 64 * 78, NEW = 64 * 66, BLOCKS = 4096 }; /* of one size class */
    void *const old = device_memory(OLD), *blocks[BLOCKS];
    size_t count = 0;
    ASSERT_OK(copy_to(old, OLD));
    free_here_or_there(old, _i == 1);
    ASSERT_CODE(E_RT_SYS_DMA, copy_to(old, OLD)); /* nobody's now */
    do
        blocks[count++] = device_memory(NEW);
    while (blocks[count - 1] != old && count < BLOCKS);
    ck_assert_ptr_eq(blocks[count - 1], old);
    ASSERT_CODE(E_RT_SYS_DMA, copy_to(old, OLD));
    ASSERT_OK(copy_to(old, NEW));
    while (count > 0)
        ASSERT_OK(aclrtFree(blocks[--count]));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("memory", fixture_open, fixture_close);
    tcase_add_test(tc, mem_127_null_output);
    tcase_add_test(tc, mem_128_size_0);
    tcase_add_test(tc, mem_129_size_max);
    tcase_add_test(tc, mem_130_without_a_context);
    tcase_add_test(tc, mem_131_more_than_the_capacity);
    tcase_add_test(tc, capacity_is_used_up_and_given_back);
    tcase_add_test(tc, decision_13_more_than_the_machine_has);
    tcase_add_test(tc, mem_133_policies_0_to_7);
    tcase_add_test(tc, an_unknown_policy_is_no_error);
    tcase_add_test(tc, every_allocation_is_aligned_and_apart);
    tcase_add_test(tc, malloc_with_cfg);
    tcase_add_test(tc, mem_134_free_null);
    tcase_add_test(tc, mem_135_free_without_a_context);
    tcase_add_test(tc, free_from_another_context);
    tcase_add_test(tc, decision_09_double_foreign_and_interior_device_frees);
    tcase_add_test(tc, decision_09_double_foreign_and_interior_host_frees);
    tcase_add_test(tc, decision_08_free_returns_while_the_work_is_held_up);
    tcase_add_test(tc, free_with_dev_sync_waits_for_the_device);
    tcase_add_test(tc, mem_146_mem_info_null);
    tcase_add_test(tc, mem_info_attributes);
    tcase_add_test(tc, mem_148_mem_info_follows_malloc_and_free);
    tcase_add_test(tc, mem_150_attributes_of_pageable_memory);
    tcase_add_test(tc, attributes_of_pinned_memory);
    tcase_add_test(tc, mem_152_attributes_of_an_interior_device_pointer);
    tcase_add_test(tc, mem_153_attributes_null);
    tcase_add_test(tc, attributes_without_a_context);
    tcase_add_test(tc, usage_of_memory);
    tcase_add_test(tc, address_range);
    tcase_add_loop_test(tc, a_new_block_at_an_old_address_has_its_own_bounds, 0, 2);
    tcase_add_test(tc, threads_allocate_and_free);
    return run_cases("memory", tc, (TCase *)NULL);
}
