/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime itself through its public interface: pinned host memory to the device, waited for after every copy. */
#include "peer.h"

static struct memory memory;
static uint8_t *block, *device; /* as allocated; from its first multiple of 4096 on */
static aclrtStream stream;

enum { ALIGN = 4096 };

/* The caller has called aclInit and aclrtSetDevice: the source is pinned memory already. */
static bool open_pacl(const struct memory *given)
{
    memory = *given;
    BENCH_CHECK(aclrtCreateStream(&stream));
    BENCH_CHECK(aclrtMalloc((void **)&block, memory.bytes + ALIGN, ACL_MEM_MALLOC_HUGE_FIRST));
    device = block + (ALIGN - (uintptr_t)block % ALIGN) % ALIGN;
    BENCH_CHECK(aclrtMemset(device, memory.bytes, 0, memory.bytes)); /* every page is there before anything is timed */
    return true;
}

static void close_pacl(void)
{
    BENCH_CHECK(aclrtFree(block));
    BENCH_CHECK(aclrtDestroyStream(stream));
}

static void copy2d(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    BENCH_CHECK(aclrtMemcpy2dAsync(device + r->dst, r->dpitch, memory.src + r->src, r->spitch, r->width, r->height,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream));
    BENCH_CHECK(aclrtSynchronizeStream(stream));
}

static void poison(size_t offset, size_t bytes)
{
    BENCH_CHECK(aclrtMemset(device + offset, bytes, BENCH_POISON, bytes));
}

static void fetch(size_t offset, size_t bytes)
{
    BENCH_CHECK(aclrtMemcpy(memory.dst + offset, bytes, device + offset, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

const struct peer peer_pacl = {
    .name = "PACL",
    .call = "aclrtMemcpy2dAsync and aclrtSynchronizeStream",
    .open = open_pacl,
    .close = close_pacl,
    .copy2d = copy2d,
    .poison = poison,
    .fetch = fetch,
};
