/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCL on the processor: the same memory as buffers, an in-order queue that is waited for after every copy. */
#include <string.h>

#include "../common/opencl.h"
#include "peer.h"

static struct bench_opencl cl;
static cl_mem dst, src;

static bool open_pocl(const struct memory *memory)
{
    if (!bench_opencl_open(&cl))
        return false;
    dst = bench_opencl_buffer(&cl, memory->dst, memory->bytes);
    src = bench_opencl_buffer(&cl, (void *)(uintptr_t)memory->src, memory->bytes);
    return true;
}

static void close_pocl(void)
{
    bench_opencl_check("clReleaseMemObject", clReleaseMemObject(dst));
    bench_opencl_check("clReleaseMemObject", clReleaseMemObject(src));
    bench_opencl_close(&cl);
}

static void copy2d(const struct bench_rect *rects, int index)
{
    bench_opencl_copy(&cl, dst, src, &rects[index]);
    bench_opencl_finish(&cl);
}

static void poison(size_t offset, size_t bytes)
{
    void *at = bench_opencl_map(&cl, dst, offset, bytes);
    memset(at, BENCH_POISON, bytes);
    bench_opencl_unmap(&cl, dst, at);
}

static void fetch(size_t offset, size_t bytes)
{
    bench_opencl_unmap(&cl, dst, bench_opencl_map(&cl, dst, offset, bytes));
}

const struct peer peer_pocl = {
    .name = "POCL",
    .call = "clEnqueueCopyBufferRect and clFinish",
    .open = open_pocl,
    .close = close_pocl,
    .copy2d = copy2d,
    .poison = poison,
    .fetch = fetch,
};
