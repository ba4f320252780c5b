/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies whose addresses lie in memory: in two cells that hold pointers (aclrtMemcpyAsyncWithOffset), or in a descriptor
 * in device memory (aclrtMemcpyAsyncWithDesc). Both are read when the copy's turn comes, so that earlier work on the
 * stream may write them; what they name is checked then.
 */
#ifndef PACL_CORE_INDIRECT_H
#define PACL_CORE_INDIRECT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

struct pacl_stream;
struct pacl_work;

enum { PACL_DESC_BYTES = 64 };

/* Writes a descriptor into 64 bytes of device memory, now. */
aclError pacl_desc_write(void *desc, const void *src, void *dst, size_t count);

/* Queues a COPY_BY_CELLS or COPY_BY_DESC. 107000 unless the cells lie in device or pinned memory, the descriptor in
 * device memory. */
aclError pacl_indirect_submit(struct pacl_stream *stream, void *handle, const struct pacl_work *work);

/* For the owner of a stream whose head it is. */
void pacl_indirect_run(struct pacl_stream *stream, const struct pacl_work *work);

#endif
