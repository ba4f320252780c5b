/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of memory, as bytes or 32-bit words, checked and handed to a stream or made at once. */
#ifndef PACL_CORE_FILL_REQUEST_H
#define PACL_CORE_FILL_REQUEST_H

#include "acl/acl_rt.h"

struct pacl_stream;

struct pacl_fill {
    void *dst;
    uint32_t value;
    size_t count;   /* bytes or words */
    size_t element; /* 1 or 4 */
};

/* In the calling thread, complete at return. Needs a current context. */
aclError pacl_fill_run(const struct pacl_fill *fill);

/* Queued on the stream; host memory is set at once, ahead of the stream's earlier work. */
aclError pacl_fill_submit(const struct pacl_fill *fill, struct pacl_stream *stream, void *handle);

#endif
