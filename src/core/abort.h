/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aborting: a stream skips what it has queued and can be used again. Threads that wait for it meanwhile are told: they
 * note pacl_abort_mark() before they look how far the stream is, and ask pacl_abort_since() after they have waited.
 */
#ifndef PACL_CORE_ABORT_H
#define PACL_CORE_ABORT_H

#include "acl/acl_base.h"
#include "core/stream.h"

struct pacl_device;

/* Skips what is queued, records of events and notifies excepted, and returns once the task that runs has ended. 107017 if
 * another thread destroyed the stream. */
aclError pacl_abort_stream(struct pacl_stream *stream, void *handle);

/* The same for all streams of the device at once; 507046 if a task that runs has not ended at deadline_ns. */
aclError pacl_abort_device(struct pacl_device *device, uint64_t deadline_ns);

/* Acquire, paired with the store that precedes the drop. */
static inline uint64_t pacl_abort_mark(const struct pacl_stream *stream)
{
    return pacl_load_acquire(&stream->aborts);
}

/* ACL_SUCCESS; 107023 if the stream was aborted since the mark was taken, 107022 if its whole device was. */
aclError pacl_abort_since(const struct pacl_stream *stream, uint64_t mark);

#endif
