/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures: streams whose submissions are recorded in a graph instead of being queued. A captured stream's tail is
 * closed, so that submissions leave their usual way and find the capture; a stream that is not captured pays nothing.
 */
#ifndef PACL_CORE_CAPTURE_H
#define PACL_CORE_CAPTURE_H

#include <stdbool.h>

#include "acl/acl_rt.h"
#include "base/atomic.h"
#include "core/stream.h"

struct pacl_event;
struct pacl_graph;

enum { PACL_TASK_INFO_MAX = 1 << 20 }; /* bytes */

extern _Atomic uint32_t pacl_captures_open;

/* Whether any stream of the process is being captured. */
static inline bool pacl_captures_any(void)
{
    return __builtin_expect(pacl_load_relaxed(&pacl_captures_open) != 0, 0);
}

static inline bool pacl_stream_is_capturing(const struct pacl_stream *stream)
{
    return pacl_load_acquire(&stream->capture) != NULL;
}

/* The calls of the same names, after their null checks. `handle` is the stream's as the caller gave it, here and below:
 * 107017 if another thread destroyed the stream since it was looked up; its slot may be captured for somebody else. */
aclError pacl_capture_begin(struct pacl_stream *stream, void *handle, aclmdlRICaptureMode mode);
aclError pacl_capture_end(struct pacl_stream *stream, const void *handle, aclmdlRI *graph);
aclError pacl_capture_info(struct pacl_stream *stream, const void *handle, aclmdlRICaptureStatus *status,
                           aclmdlRI *graph);
aclmdlRICaptureMode pacl_capture_exchange_mode(aclmdlRICaptureMode mode);

/* aclmdlRICaptureTaskGrpBegin and so on, after their null checks. A stream where the tasks of a group are given anew is
 * closed as a captured one. */
aclError pacl_capture_begin_group(struct pacl_stream *stream, const void *handle);
aclError pacl_capture_end_group(struct pacl_stream *stream, const void *handle, aclrtTaskGrp *group);
aclError pacl_capture_begin_update(struct pacl_stream *stream, void *handle, aclrtTaskGrp group);
aclError pacl_capture_end_update(struct pacl_stream *stream, const void *handle);

/* Keeps a copy of the bytes, or of the text, with the task that the calling thread captured last. */
aclError pacl_capture_keep_info(const void *bytes, size_t size, bool is_text);

/* Records the works in the graph, which then holds what they name: all of them, or on failure none, and *bad is the one that
 * cannot be. Not *recorded and ACL_SUCCESS: the stream is not captured any more. */
aclError pacl_capture_add(struct pacl_stream *stream, const void *handle, const struct pacl_work *works, size_t count,
                          size_t *bad, bool *recorded);

/* A RECORD or WAIT of the event on the stream, where that is a matter of a capture: then *handled. `own` is the event's
 * handle. */
aclError pacl_capture_event(struct pacl_event *event, aclrtEvent own, struct pacl_stream *stream, void *handle,
                            const struct pacl_work *work, bool external, bool *handled);

/* 107028 if the event's newest record was captured, and that capture is open. */
aclError pacl_capture_refuse_event(const struct pacl_event *event);

/* 107027 if the stream is captured. */
aclError pacl_capture_refuse_stream(const struct pacl_stream *stream);

/* For calls that work or wait outside of all streams: `code` (107030, or 107041 for an asynchronous call that would have
 * to block) if a capture of this context or thread forbids that; the capture is then invalid. */
aclError pacl_capture_allows(aclError code);

/* The stream goes away: its capture, if it has one, is given up. */
void pacl_capture_abandon(struct pacl_stream *stream);

/* In the child of a fork. */
void pacl_captures_forget(void);

#endif
