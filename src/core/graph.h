/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs: what a capture recorded, executed any number of times.
 *
 * A graph has one inner stream for each stream that was captured, and its tasks in the order in which they were recorded.
 * An execution is one task, GRAPH, of the stream that it was queued on. When its turn comes the stream is parked, the
 * graph's tasks go into the inner streams, and the last of them, GRAPH_END, lets the stream go on. Inner streams run at
 * the same time as far as the events between them allow. A second execution waits, parked, for the first.
 */
#ifndef PACL_CORE_GRAPH_H
#define PACL_CORE_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "acl/acl_rt.h"
#include "core/handle.h"
#include "core/park.h"
#include "core/stream.h"
#include "core/touch.h"

/* What a program asked to be kept with a task: aclrtCacheLastTask*. Owned by the graph. */
struct pacl_task_info {
    void *bytes;
    size_t size;
    char *text;
};

/* One recorded call. Its work's event is owned by the graph; what it names otherwise is held until nobody can run it. */
struct pacl_node {
    struct pacl_work work;
    uint32_t lane;               /* which of the captured streams */
    bool inner;                  /* RECORD, WAIT: between streams of the graph; else external */
    bool disabled;               /* skipped by executions; never an inner RECORD or WAIT */
    struct pacl_event *event;    /* RECORD inner: made when the capture ends */
    uint32_t awaits;             /* WAIT inner: the RECORD node */
    uint32_t group;              /* the task group, from 1; 0: none */
    uint32_t event_flags;        /* RECORD, WAIT: the event's, and */
    void *event_handle;          /* its handle, which may be gone */
    struct pacl_part *part;      /* its handle, once it was asked for */
    struct pacl_task_info *info; /* NULL: none */
    const void *place;           /* where the program captured it, for those who watch */
};

/* The handle of a stream, task or task group of a graph: a slot of a pool that holds nothing else. */
enum pacl_part_kind { PACL_PART_STREAM, PACL_PART_TASK, PACL_PART_GROUP };

struct pacl_part {
    _Alignas(64) struct pacl_object object;
    /* Atomic because a call with a stale handle may look at a slot that is being opened again. */
    _Atomic(struct pacl_graph *) graph;
    _Atomic uint32_t kind, number; /* groups count from 1 */
};

extern struct pacl_pool pacl_graph_parts;

struct pacl_lane {
    struct pacl_stream *recorded;  /* while it is captured */
    struct pacl_stream *stream;    /* the inner one, once the capture has ended */
    uint32_t last;                 /* its newest node, plus one; 0: none */
    uint32_t group;                /* the task group that is open; 0: none */
    _Atomic uint64_t aborted_upto; /* the last task that aclmdlRIAbort skips */
    struct pacl_part *part;        /* its handle, once it was asked for */
};

/*
 * What executions run. An execution runs the tasks as they were when it was queued: a change makes a new version while
 * one holds the newest, which else is changed in its place. A version holds the next one, so what the next replaced goes
 * when no execution can run it any more.
 */
struct pacl_version {
    struct pacl_version *next;
    uint32_t references; /* executions, the version before, and the graph if it is the newest */
    struct pacl_node *nodes;
    struct pacl_change *replaced; /* by the next version: works that this one runs */
};

struct pacl_graph_callback {
    struct pacl_graph_callback *next;
    aclrtCallback run;
    void *argument;
};

struct pacl_graph {
    struct pacl_object object;
    bool prepared;
    uint32_t id;
    aclmdlRICaptureMode mode;

    /* Written by the capture under the captures' lock, constant once `complete`, but for the works of nodes, which change
     * under the graph's lock. */
    struct pacl_node *nodes; /* of the newest version */
    uint32_t node_count, node_room;
    struct pacl_part **groups;
    uint32_t group_count;
    struct pacl_lane *lanes;
    uint32_t lane_count;
    uint64_t descriptors; /* what the tasks would take on the device */
    bool has_host_functions, has_external_events;

    struct pacl_parking parking;       /* streams at a GRAPH task; its lock guards what follows */
    bool complete;                     /* the capture has ended; may be executed */
    struct pacl_version *version;      /* the newest */
    struct pacl_change *staged;        /* what aclmdlRIUpdate will do */
    uint32_t pending;                  /* executions that were queued and have not finished */
    struct pacl_execution *running;    /* the one whose tasks are in the inner streams, or that goes next */
    char *name;                        /* NULL: none */
    struct pacl_graph_callback *first; /* newest first; called when the graph is destroyed */
};

extern struct pacl_pool pacl_graphs;

/* A graph that a capture fills, with a handle; NULL when memory is short. */
struct pacl_graph *pacl_graph_create(aclmdlRICaptureMode mode);

/* Room for one more node or lane: NULL when memory is short. */
struct pacl_node *pacl_graph_add_node(struct pacl_graph *graph);
struct pacl_lane *pacl_graph_add_lane(struct pacl_graph *graph);

/* The capture has ended: makes the inner streams and events. */
aclError pacl_graph_complete(struct pacl_graph *graph);

/* A capture that failed: the graph goes with what it holds. */
void pacl_graph_discard(struct pacl_graph *graph);

/* The graph of a handle: null is 100000, what is none 107017. */
aclError pacl_graph_from_handle(aclmdlRI handle, struct pacl_graph **out);

/* 107000 if the handle's graph is still being captured, 107017 if it was destroyed. Locks the graph otherwise, for the
 * functions below that say so. */
aclError pacl_graph_lock(struct pacl_graph *graph, aclmdlRI handle);
void pacl_graph_unlock(struct pacl_graph *graph);

/* Queues one execution. */
aclError pacl_graph_execute(struct pacl_graph *graph, aclmdlRI own, struct pacl_stream *stream, void *handle);

/* Ends the execution that runs: tasks that have not begun are skipped. */
aclError pacl_graph_abort(struct pacl_graph *graph, aclmdlRI own);

/* 107037 while executions are queued or run. */
aclError pacl_graph_destroy(struct pacl_graph *graph, aclmdlRI own);

/* Under the graph's lock. */
aclError pacl_graph_set_name(struct pacl_graph *graph, const char *name);

/* One line per task, or a JSON object; the graph is complete and not destroyed meanwhile. */
void pacl_graph_print(const struct pacl_graph *graph, FILE *file);
aclError pacl_graph_print_json(const struct pacl_graph *graph, const char *path, bool verbose);

/* "a copy of 4 rows of 64 bytes from 0x.. to 0x..": what a node does. */
const char *pacl_node_text(const struct pacl_node *node, char *text, size_t size);
const char *pacl_node_kind(const struct pacl_node *node);

/* For those who watch, until GRAPH has finished. Its graph; what its tasks touch, as if GRAPH were one task. */
const struct pacl_graph *pacl_graph_of(const struct pacl_work *work);
void pacl_graph_touches(const struct pacl_work *work, pacl_touch_fn *tell, void *context);

/* The same, task by task in the order of the capture, so what a task waits for comes before it. Records and waits of events
 * outside are as they were when the execution was queued, also the waits that had nothing to wait for any more. Those
 * between the graph's streams are RECORD and GRAPH_JOIN without an event: `number` is the task's, and the RECORD's. */
typedef void pacl_graph_task_fn(void *context, uint32_t lane, const struct pacl_work *task, const void *place);
void pacl_graph_each_task(const struct pacl_work *work, pacl_graph_task_fn *tell, void *context);

/* The execution that has tasks in the inner streams; for an observer that is told of one of these tasks. */
const struct pacl_execution *pacl_graph_running(const struct pacl_graph *graph);
bool pacl_graph_has_inner(const struct pacl_work *work, const struct pacl_stream *inner);

/* What the work takes of the product's descriptors, at least 1. */
uint64_t pacl_work_descriptors(const struct pacl_work *work);

/* For those who change or let go of versions. Under the graph's lock; what is to be freed is added to `gone`, which is
 * freed without it. */
void pacl_version_drop(struct pacl_version *version, struct pacl_version **gone);
void pacl_versions_free(struct pacl_version *gone);

/* For the owner of a stream whose head is GRAPH. False: it is parked. */
bool pacl_graph_run(struct pacl_stream *stream, const struct pacl_work *work, bool skips);

/* The task is over, or was never queued: the execution goes. */
void pacl_graph_let_go(const struct pacl_work *work);

/* For the owner of an inner stream whose head is GRAPH_END. */
void pacl_graph_end(const struct pacl_work *work);

#endif
