/* SPDX-License-Identifier: Apache-2.0 */
/* Stream-ordered pools: who gets freed memory again and when, limits, attributes, and what is given back. */
#include <acl/acl_rt_memory_soma.h>

#include "support.h"

#define MIB ((size_t)1 << 20)

static const aclrtMemPoolProps props = { .location.type = ACL_MEM_LOCATION_TYPE_DEVICE };

static aclrtMemPool new_pool(size_t max_size)
{
    aclrtMemPool pool = NULL;
    aclrtMemPoolProps of = props;
    of.maxSize = max_size;
    ASSERT_OK(aclrtMemPoolCreate(&pool, &of));
    return pool;
}

static void *take(aclrtMemPool pool, size_t bytes, aclrtStream stream)
{
    void *at = NULL;
    ASSERT_OK(aclrtMemPoolMallocAsync(&at, bytes, pool, stream));
    ck_assert_ptr_nonnull(at);
    return at;
}

static uint64_t number(aclrtMemPool pool, aclrtMemPoolAttr attribute)
{
    uint64_t value = UINT64_MAX;
    ASSERT_OK(aclrtMemPoolGetAttr(pool, attribute, &value));
    return value;
}

static void keep_all(aclrtMemPool pool)
{
    uint64_t threshold = UINT64_MAX;
    ASSERT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &threshold));
}

static size_t free_hbm(void)
{
    size_t free = 0, total = 0;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
}

START_TEST(pools_refuse_what_is_wrong)
{
    aclrtMemPool pool = &fx;
    aclrtMemPoolProps wrong = props;
    void *at = &fx;
    uint64_t value = 1;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolCreate(NULL, &props));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolCreate(&pool, NULL));
    wrong.allocType = (aclrtMemAllocationType)1;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolCreate(&pool, &wrong));
    wrong = props;
    wrong.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolCreate(&pool, &wrong));
    wrong = props;
    wrong.reserved[31] = 1;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolCreate(&pool, &wrong));
    wrong = props;
    wrong.location.id = 8;
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtMemPoolCreate(&pool, &wrong));
    ck_assert_ptr_eq(pool, &fx);
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolDestroy(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolDestroy(&fx));

    pool = new_pool(0);
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolMallocAsync(NULL, 64, pool, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolMallocAsync(&at, 64, NULL, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolMallocAsync(&at, 64, pool, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolMallocAsync(&at, 64, fx.stream, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtMemPoolMallocAsync(&at, 64, pool, &fx));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMemPoolMallocAsync(&at, SIZE_MAX, pool, fx.stream));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMemPoolMallocAsync(&at, SIZE_MAX / 2, pool, fx.stream));
    ck_assert_ptr_eq(at, &fx);
    ASSERT_OK(aclrtMemPoolMallocAsync(&at, 0, pool, fx.stream));
    ck_assert_ptr_null(at);
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolFreeAsync(NULL, fx.stream));
    ASSERT_CODE(E_RT_INTERNAL_ERROR, aclrtMemPoolFreeAsync(fx.device, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(fx.pinned, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(fx.device + 64, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolSetAttr(NULL, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &value));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolSetAttr(pool, (aclrtMemPoolAttr)0, &value));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolSetAttr(pool, (aclrtMemPoolAttr)9, &value));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, &value));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, &value));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolGetAttr(pool, (aclrtMemPoolAttr)9, &value));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolGetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolTrimTo(NULL, 0));
    ASSERT_OK(aclrtMemPoolDestroy(pool));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolDestroy(pool));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemPoolMallocAsync(&at, 64, pool, fx.stream));
}
END_TEST

/* The stream's own later work comes after the free, so it needs not wait; another stream's does. */
START_TEST(freed_memory_is_used_again_in_stream_order)
{
    const aclrtMemPool pool = new_pool(0);
    aclrtStream other;
    struct gate gate;
    keep_all(pool);
    ASSERT_OK(aclrtCreateStream(&other));
    gate_close(&gate, fx.stream);
    void *const first = take(pool, MIB, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(first, MIB, 0x11, MIB, fx.stream));
    ASSERT_OK(aclrtMemPoolFreeAsync(first, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(first, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(first));
    void *const foreign = take(pool, MIB, other);
    ck_assert_ptr_ne(foreign, first); /* the first stream has not come so far */
    void *const again = take(pool, MIB, fx.stream);
    ck_assert_ptr_eq(again, first);
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned, 64, again, 64, D2H, fx.stream)); /* sees what the stream wrote */
    ASSERT_OK(aclrtMemPoolFreeAsync(again, fx.stream));
    gate_await(&gate);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned, 64, 0x11);
    void *const later = take(pool, MIB, other); /* now it has */
    ck_assert_ptr_eq(later, first);
    ASSERT_OK(aclrtMemPoolFreeAsync(later, other));
    ASSERT_OK(aclrtMemPoolFreeAsync(foreign, other));
    ASSERT_OK(aclrtDestroyStream(other));
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

START_TEST(without_opportunity_streams_keep_to_their_own)
{
    const aclrtMemPool pool = new_pool(0);
    aclrtStream other;
    int32_t flag = 0;
    keep_all(pool);
    ASSERT_OK(aclrtMemPoolGetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, &flag));
    ck_assert_int_eq(flag, 1);
    flag = 0;
    ASSERT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, &flag));
    ASSERT_OK(aclrtCreateStream(&other));
    void *const first = take(pool, 4096, fx.stream);
    ASSERT_OK(aclrtMemPoolFreeAsync(first, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    void *const second = take(pool, 4096, other);
    ck_assert_ptr_ne(second, first);
    ck_assert_ptr_eq(take(pool, 4096, fx.stream), first);
    ASSERT_OK(aclrtFree(first));
    ASSERT_OK(aclrtFree(second));
    ASSERT_OK(aclrtDestroyStream(other));
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

START_TEST(a_synchronization_gives_back_what_is_over_the_threshold)
{
    const size_t before = free_hbm();
    const aclrtMemPool pool = new_pool(0);
    void *blocks[4];
    uint64_t threshold = 2 * MIB, zero = 0;
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), 0);
    ASSERT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &threshold));
    for (size_t i = 0; i < 4; i++)
        blocks[i] = take(pool, MIB, fx.stream);
    ck_assert_uint_eq(free_hbm(), before - 4 * MIB);
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 4 * MIB);
    for (size_t i = 0; i < 4; i++)
        ASSERT_OK(aclrtMemPoolFreeAsync(blocks[i], fx.stream));
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 0);
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 4 * MIB);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 2 * MIB);
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 4 * MIB);
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 4 * MIB);
    ASSERT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, &zero));
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 0);
    ASSERT_OK(aclrtMemPoolTrimTo(pool, MIB));
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), MIB);
    ASSERT_OK(aclrtMemPoolTrimTo(pool, 0));
    ck_assert_uint_eq(free_hbm(), before);
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

START_TEST(a_pool_has_its_limit)
{
    const aclrtMemPool pool = new_pool(4 * MIB);
    void *more, *const first = take(pool, 3 * MIB, fx.stream);
    keep_all(pool);
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMemPoolMallocAsync(&more, 2 * MIB, pool, fx.stream));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMemPoolMallocAsync(&more, 5 * MIB, pool, fx.stream));
    ASSERT_OK(aclrtMemPoolFreeAsync(first, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    more = take(pool, 2 * MIB, fx.stream); /* what is free makes room */
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 2 * MIB);
    ASSERT_OK(aclrtFree(more));
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0);
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

/* Memory is short: aclrtMalloc gets what pools keep. */
START_TEST(malloc_takes_what_pools_keep)
{
    const aclrtMemPool pool = new_pool(0);
    const size_t most = free_hbm() / (2 * MIB) * 2 * MIB; /* in whole huge pages */
    void *at, *const kept = take(pool, most, fx.stream);
    keep_all(pool);
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&at, 64 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemPoolFreeAsync(kept, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtMalloc(&at, 64 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0);
    ASSERT_OK(aclrtFree(at));
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

START_TEST(a_destroyed_pool_lives_until_its_memory_is_freed)
{
    const size_t before = free_hbm();
    const aclrtMemPool pool = new_pool(0);
    void *const kept = take(pool, MIB, fx.stream), *const freed = take(pool, MIB, fx.stream);
    struct gate gate;
    ASSERT_OK(aclrtMemPoolFreeAsync(freed, fx.stream));
    ASSERT_OK(aclrtMemPoolDestroy(pool));
    gate_close(&gate, fx.stream);
    memset(fx.pinned, 0x2C, 4096);
    ASSERT_OK(aclrtMemcpyAsync(kept, 4096, fx.pinned, 4096, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 4096, kept, 4096, D2H, fx.stream));
    ASSERT_OK(aclrtMemPoolFreeAsync(kept, fx.stream)); /* queued work keeps it */
    gate_await(&gate);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, 4096, 0x2C);
    ck_assert_uint_eq(free_hbm(), before);
}
END_TEST

START_TEST(free_async_takes_memory_of_malloc)
{
    struct gate gate;
    void *at;
    ASSERT_OK(aclrtMalloc(&at, MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(at, MIB, 0x19, MIB, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned, 64, at, 64, D2H, fx.stream));
    ASSERT_OK(aclrtMemPoolFreeAsync(at, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(at));
    gate_await(&gate);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned, 64, 0x19);
}
END_TEST

struct user {
    pthread_t thread;
    aclrtMemPool pool;
    uint64_t state;
    size_t rounds;
    aclError code;
};

/* Fills blocks of its own and reads them back: no two threads ever have the same bytes at a time. */
static void *run_user(void *argument)
{
    struct user *const u = argument;
    aclrtStream stream = NULL;
    uint8_t *host = NULL;
    u->code = aclrtSetDevice(0);
    if (u->code == ACL_SUCCESS)
        u->code = aclrtCreateStream(&stream);
    if (u->code == ACL_SUCCESS)
        u->code = aclrtMallocHost((void **)&host, 4096);
    for (size_t i = 0; i < u->rounds && u->code == ACL_SUCCESS; i++) {
        const uint8_t value = (uint8_t)random_next(&u->state);
        void *at;
        if ((u->code = aclrtMemPoolMallocAsync(&at, 4096, u->pool, stream)) != ACL_SUCCESS ||
            (u->code = aclrtMemsetAsync(at, 4096, value, 4096, stream)) != ACL_SUCCESS ||
            (u->code = aclrtMemcpyAsync(host, 4096, at, 4096, D2H, stream)) != ACL_SUCCESS ||
            (u->code = aclrtMemPoolFreeAsync(at, stream)) != ACL_SUCCESS ||
            (i % 4 == 0 && (u->code = aclrtSynchronizeStream(stream)) != ACL_SUCCESS))
            break;
        if (i % 4 == 0 && (host[0] != value || host[4095] != value))
            u->code = -1;
    }
    return NULL;
}

START_TEST(threads_share_a_pool)
{
    struct user users[3];
    const uint64_t seed = test_seed();
    const aclrtMemPool pool = new_pool(0);
    for (size_t i = 0; i < COUNT_OF(users); i++) {
        users[i] = (struct user){ .pool = pool, .state = seed + i, .rounds = test_rounds(400) };
        ck_assert_int_eq(pthread_create(&users[i].thread, NULL, run_user, &users[i]), 0);
    }
    for (size_t i = 0; i < COUNT_OF(users); i++) {
        ck_assert_int_eq(pthread_join(users[i].thread, NULL), 0);
        ASSERT_OK(users[i].code);
    }
    ASSERT_OK(aclrtSynchronizeDevice());
    ck_assert_uint_eq(number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0);
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

START_TEST(other_products_have_no_pools)
{
    static const char *const products[] = { "atlas-350", "atlas-a3", "atlas-training", "atlas-inference" };
    aclrtMemPool pool;
    fixture_open_on(products[_i]);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtMemPoolCreate(&pool, &props));
    fixture_close();
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("mempool", fixture_open, fixture_close);
    tcase_add_test(tc, pools_refuse_what_is_wrong);
    tcase_add_test(tc, freed_memory_is_used_again_in_stream_order);
    tcase_add_test(tc, without_opportunity_streams_keep_to_their_own);
    tcase_add_test(tc, a_synchronization_gives_back_what_is_over_the_threshold);
    tcase_add_test(tc, a_pool_has_its_limit);
    tcase_add_test(tc, malloc_takes_what_pools_keep);
    tcase_add_test(tc, a_destroyed_pool_lives_until_its_memory_is_freed);
    tcase_add_test(tc, free_async_takes_memory_of_malloc);
    tcase_add_test(tc, threads_share_a_pool);
    TCase *const others = new_case("mempool_products", NULL, NULL);
    tcase_add_loop_test(others, other_products_have_no_pools, 0, 4);
    return run_cases("mempool", tc, others, (TCase *)NULL);
}
