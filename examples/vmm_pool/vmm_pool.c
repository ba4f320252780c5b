/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of device memory that grows in place: addresses are reserved once, physical memory is mapped behind them chunk
 * by chunk when tensors need it, and given back from the end. Tensors stay where they are, and one may lie across chunks.
 */
#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check((call), #call)
#define MIB ((size_t)1 << 20)

enum { CHUNKS_MAX = 256, TENSORS = 12 };

static void check(aclError err, const char *call)
{
    if (err == ACL_SUCCESS)
        return;
    const char *message = aclGetRecentErrMsg();
    fprintf(stderr, "vmm_pool: %s returned %d: %s\n", call, err, message != NULL ? message : "no message");
    exit(1);
}

/* --- the pool ---------------------------------------------------------------------------------------------------- */

struct pool {
    char *base;
    size_t reserved, mapped, used; /* bytes from base on */
    size_t chunk;                  /* bytes that are mapped at a time */
    aclrtPhysicalMemProp prop;
    aclrtDrvMemHandle handles[CHUNKS_MAX];
    unsigned chunks;
};

static void pool_open(struct pool *pool, int device, size_t chunk_wanted)
{
    size_t granularity;
    *pool = (struct pool){ .prop = { .handleType = ACL_MEM_HANDLE_TYPE_NONE,
                                     .allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED,
                                     .memAttr = ACL_HBM_MEM_HUGE,
                                     .location = { .id = (uint32_t)device, .type = ACL_MEM_LOCATION_TYPE_DEVICE } } };
    CHECK(aclrtMemGetAllocationGranularity(&pool->prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &granularity));
    pool->chunk = (chunk_wanted + granularity - 1) / granularity * granularity;
    pool->reserved = CHUNKS_MAX * pool->chunk;
    CHECK(aclrtReserveMemAddress((void **)&pool->base, pool->reserved, 0, NULL, 1));
}

static void pool_grow(struct pool *pool)
{
    aclrtDrvMemHandle handle;
    CHECK(aclrtMallocPhysical(&handle, pool->chunk, &pool->prop, 0));
    CHECK(aclrtMapMem(pool->base + pool->mapped, pool->chunk, 0, handle, 0));
    pool->handles[pool->chunks++] = handle;
    pool->mapped += pool->chunk;
}

static void *pool_take(struct pool *pool, size_t bytes)
{
    void *at = pool->base + pool->used;
    pool->used += (bytes + 511) / 512 * 512;
    while (pool->mapped < pool->used)
        pool_grow(pool);
    return at;
}

/* Gives back what lies behind `used`; the work on it must be done. */
static void pool_shrink(struct pool *pool, size_t used)
{
    pool->used = used;
    while (pool->mapped >= pool->used + pool->chunk) {
        pool->mapped -= pool->chunk;
        CHECK(aclrtUnmapMem(pool->base + pool->mapped));
        CHECK(aclrtFreePhysical(pool->handles[--pool->chunks]));
    }
}

static void pool_close(struct pool *pool)
{
    pool_shrink(pool, 0);
    CHECK(aclrtReleaseMemAddress(pool->base));
}

/* --- the program ------------------------------------------------------------------------------------------------- */

static size_t free_memory(void)
{
    size_t free, total;
    CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
}

static size_t tensor_bytes(int i)
{
    return 5 * MIB + (size_t)i * 3 * MIB + 12345;
}

int main(void)
{
    struct pool pool;
    char *tensors[TENSORS], *host, *back;
    aclrtStream stream;
    const size_t most = tensor_bytes(TENSORS - 1);
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclrtMallocHost((void **)&host, most));
    CHECK(aclrtMallocHost((void **)&back, most));
    const size_t before = free_memory();
    pool_open(&pool, 0, 32 * MIB);
    printf("reserved %zu MiB of addresses, device memory in use: %zu MiB\n", pool.reserved / MIB,
           (before - free_memory()) / MIB);

    for (int i = 0; i < TENSORS; i++) {
        const size_t bytes = tensor_bytes(i);
        tensors[i] = pool_take(&pool, bytes);
        memset(host, i + 1, bytes);
        CHECK(aclrtMemcpyAsync(tensors[i], bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        CHECK(aclrtSynchronizeStream(stream));
        printf("tensor %2d: %3zu MiB, pool %4zu MiB in %2u chunks\n", i, bytes / MIB, pool.mapped / MIB, pool.chunks);
    }

    int wrong = 0;
    for (int i = 0; i < TENSORS; i++) { /* the first ones have not moved while the pool grew */
        const size_t bytes = tensor_bytes(i);
        memset(host, i + 1, bytes);
        CHECK(aclrtMemcpyAsync(back, bytes, tensors[i], bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        CHECK(aclrtSynchronizeStream(stream));
        wrong += memcmp(back, host, bytes) != 0;
    }
    pool_shrink(&pool, (size_t)(tensors[4] - pool.base));
    printf("four tensors left: pool %zu MiB, device memory in use: %zu MiB\n", pool.mapped / MIB,
           (before - free_memory()) / MIB);
    pool_close(&pool);
    printf("closed, device memory in use: %zu MiB; %d of %d tensors were wrong\n", (before - free_memory()) / MIB,
           wrong, TENSORS);
    CHECK(aclrtFreeHost(back));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong != 0;
}
