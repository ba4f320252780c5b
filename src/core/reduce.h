/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions: dst[i] = dst[i] + src[i], or the larger, or the smaller of both. */
#ifndef PACL_CORE_REDUCE_H
#define PACL_CORE_REDUCE_H

#include <stddef.h>

#include "acl/acl_base.h"

struct pacl_stream;
struct pacl_work;

/* Bytes of an element; 0 for a type that is not reduced. */
size_t pacl_reduce_element(aclDataType type);

/* Queues a REDUCE of `bytes` bytes. 107000 unless dst is device memory and src device or pinned memory; bytes outside
 * their allocation are a late failure, as with copies. */
aclError pacl_reduce_submit(struct pacl_stream *stream, void *handle, const struct pacl_work *work, size_t bytes);

/* For the owner of a stream whose head it is. */
void pacl_reduce_run(struct pacl_stream *stream, const struct pacl_work *work);

#endif
