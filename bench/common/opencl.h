/* SPDX-License-Identifier: Apache-2.0 */
/* POCL's processor device as two benchmarks use it: an in-order queue and buffers over memory of the caller. */
#ifndef BENCH_OPENCL_H
#define BENCH_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "bench.h"

struct bench_opencl {
    cl_context context;
    cl_command_queue queue;
};

/* False, with the reason on standard error, if there is no such device. */
bool bench_opencl_open(struct bench_opencl *cl);
void bench_opencl_close(struct bench_opencl *cl);

/* Ends the process if `code` is an error. */
void bench_opencl_check(const char *call, cl_int code);

/* A buffer that keeps its bytes in the given memory. */
cl_mem bench_opencl_buffer(struct bench_opencl *cl, void *at, size_t bytes);

/* Queues one copy. */
void bench_opencl_copy(struct bench_opencl *cl, cl_mem dst, cl_mem src, const struct bench_rect *r);
void bench_opencl_finish(struct bench_opencl *cl);

/* Gives a range of a buffer to the host and back, as the interface asks before the host may touch its memory. */
void *bench_opencl_map(struct bench_opencl *cl, cl_mem buffer, size_t offset, size_t bytes);
void bench_opencl_unmap(struct bench_opencl *cl, cl_mem buffer, void *at);

#endif
