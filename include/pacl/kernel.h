/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.h: functions of the program in place of kernels.
 *
 * PACL runs no code for an AI core. A test that replaces a program's kernels by C functions queues them with
 * pacl_kernel_launch(): they run in the stream's order, away from the calling thread, a call for each block, blocks at
 * the same time on several engines. See docs/kernels.md.
 *
 * As with pacl.h, programs that include this header no longer link with the vendor's library.
 */
#ifndef PACL_KERNEL_H
#define PACL_KERNEL_H

#include "acl/acl_rt.h"
#include "pacl/pacl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does block `block` of `blocks`, numbered from 0. `arguments` is the library's copy of those given to the launch, the
 * same for all blocks, and is gone when the last has returned. It reaches device and pinned memory through
 * pacl_kernel_view(); calls no ACL function; has 128 KiB of stack. Returns 0, or an error code: then blocks that have not
 * begun are left out, and the stream carries the code as for any task that fails. */
typedef int (*pacl_kernel)(const void *arguments, uint32_t block, uint32_t blocks);

/* What a kernel reads or writes: `height` rows of `width` bytes, `pitch` bytes apart, in device or pinned memory. What is
 * read and written needs an entry for each. */
struct pacl_kernel_access {
    void *at;
    size_t pitch, width, height;
    int writes; /* 0: reads */
};

enum {
    PACL_KERNEL_BLOCKS_MAX = 65535,
    PACL_KERNEL_ARGUMENTS_MAX = 65536, /* bytes */
    PACL_KERNEL_ACCESSES_MAX = 256
};

/*
 * Queues a kernel and returns. Memory that `accesses` names lives until it has run, freed or not; checking mode
 * compares the accesses with those of copies.
 * blocks: 1 to PACL_KERNEL_BLOCKS_MAX. arguments: `size` bytes, copied before the call returns; null if size is 0.
 * accesses: `count` of them, or null if count is 0: then checking mode knows nothing of what the kernel touches.
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `kernel` is null; `arguments` or `accesses` is null and its number is not 0; a
 *     number is beyond its limit; an access has no bytes, or a pitch smaller than its width and more than one row.
 * ACL_ERROR_RT_PARAM_INVALID (107000): an access is not inside one allocation of device or pinned memory.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): it belongs to another context than the current one.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread with the stream's context. [P]
 */
PACL_API int pacl_kernel_launch(pacl_kernel kernel, uint32_t blocks, const void *arguments, size_t size,
                                const struct pacl_kernel_access *accesses, size_t count, aclrtStream stream);

/* Where a kernel reaches what the program calls `address`; the address itself for other than device and pinned memory.
 * Offsets within an allocation stay. Only for use in a kernel while it runs. [P] */
PACL_API void *pacl_kernel_view(const void *address);

#ifdef __cplusplus
}
#endif
#endif
