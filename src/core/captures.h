/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of captures share: capture.c has captures, capture_group.c task groups and what is told of tasks. */
#ifndef PACL_CORE_CAPTURES_H
#define PACL_CORE_CAPTURES_H

#include <pthread.h>

#include "base/list.h"
#include "core/capture.h"
#include "core/graph.h"
#include "core/graph_task.h"

/* Of a stream where the tasks of a group are given anew. */
struct pacl_update {
    struct pacl_stream *stream;
    struct pacl_graph *graph;  /* may be gone: */
    aclmdlRI own;              /* its handle */
    struct pacl_change *first; /* a change for each task of the group; one not given yet says call and op alone */
    struct pacl_change *next;  /* to be given next; NULL: all are */
    uint32_t given, expected;
};

struct pacl_capture {
    struct pacl_update *update; /* not NULL: no capture, and there is nothing else */
    uint64_t id;                /* never used again */
    struct pacl_list link;
    struct pacl_graph *graph; /* owned until the capture has ended */
    aclmdlRICaptureMode mode;
    struct pacl_context *context; /* named, never followed */
    const void *thread;           /* that began it */
    bool invalid;
};

/* Guards all captures, the `capture` of streams and the `captured_by` of events. Taken before the locks of events and
 * graphs. */
extern pthread_mutex_t pacl_captures_lock;
extern struct pacl_list pacl_captures;

/* The task that the thread captured last. */
struct pacl_last_task {
    uint64_t capture; /* its id; 0: none */
    uint32_t node;
};
extern _Thread_local struct pacl_last_task pacl_last_task;

/* Under the lock: 107017 if the handle is not the stream's any more. A stream that is destroyed loses its handle first and
 * takes the lock then, so what is recorded after this look is its own capture's. */
aclError pacl_capture_check_handle(const struct pacl_stream *stream, const void *handle);

/* 507000, 107031: what no capture takes. */
aclError pacl_capture_refuse_unfit(const struct pacl_stream *stream);

/* 107029; `capture` is the stream's: NULL, or an update. */
aclError pacl_capture_refuse_uncaptured(const struct pacl_stream *stream, const struct pacl_capture *capture);

/* Which of the captured streams it is. */
uint32_t pacl_capture_lane(const struct pacl_graph *graph, const struct pacl_stream *stream);

/* Under the lock: the stream of an update runs again what is submitted to it. The update is freed without it. */
void pacl_capture_close_update(struct pacl_capture *capture);
void pacl_capture_free_update(struct pacl_capture *capture);

#endif
