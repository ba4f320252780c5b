/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program in place of kernels: tasks of blocks, which engines share as they share big copies. */
#ifndef PACL_CORE_KERNEL_H
#define PACL_CORE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "pacl/kernel.h"

struct pacl_stream;
struct pacl_work;

/* One launch. Owned by the task; accesses and arguments lie behind it. */
struct pacl_kernel_call {
    pacl_kernel run;
    uint32_t blocks;
    _Atomic int32_t code; /* the first failure of a block, 0 if there is none */
    _Atomic uint32_t failed_block;
    size_t count;
    const struct pacl_kernel_access *accesses;
    const void *arguments;
    size_t size; /* of the arguments, bytes */
};

/* Queues it, after checks of all but null and limits: 107000 for accesses outside of allocations. */
aclError pacl_kernel_submit(struct pacl_stream *stream, void *handle, const struct pacl_kernel_call *call, size_t size);

/* The call with `size` bytes of arguments and its accesses in one piece of memory, for free(); NULL when that is short. */
struct pacl_kernel_call *pacl_kernel_copy(const struct pacl_kernel_call *call, size_t size);

/* One block, with device memory open to the thread. False if it failed. */
bool pacl_kernel_run_block(struct pacl_kernel_call *call, uint32_t block);

/* The owner's task has ended: its failure becomes the stream's. */
void pacl_kernel_end(struct pacl_stream *stream, const struct pacl_work *work);

/* Keep the memory that the accesses name; false, and nothing is kept, if another thread frees some in this moment. */
bool pacl_kernel_hold(const struct pacl_kernel_call *call);
void pacl_kernel_release(const struct pacl_kernel_call *call);

#endif
