/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streams, tasks and task groups of a graph as a program sees them, and changes of its tasks.
 *
 * They have handles of their own, made when they are asked for, which end with the graph.
 */
#ifndef PACL_CORE_GRAPH_TASK_H
#define PACL_CORE_GRAPH_TASK_H

#include "core/graph.h"

/* A task that is to do something else from the next execution on. Once the change is made it holds what was replaced. */
struct pacl_change {
    struct pacl_change *next;
    uint32_t node;
    bool disables;       /* `work` is not used */
    bool keeps_accesses; /* a kernel whose accesses stay held by the work in its place */
    struct pacl_work work;
    const void *place;    /* of a task that was given anew */
    void *event_handle;   /* RECORD, WAIT */
    uint32_t event_flags; /* the same */
};

/* --- handles ----------------------------------------------------------------------------------------------------- */

/* The task, group or stream of a handle; the graph is then locked, and complete. Null is 100000, what is none 107017. */
aclError pacl_graph_lock_task(aclmdlRITask handle, struct pacl_graph **graph, uint32_t *node);
aclError pacl_graph_lock_group(aclrtTaskGrp handle, struct pacl_graph **graph, uint32_t *group);
aclError pacl_graph_lock_stream(aclrtStream handle, struct pacl_graph **graph, uint32_t *lane);

/* Under the lock. The streams in the order in which they joined, the tasks of a stream in theirs. With a null array only
 * the number is told; else `count` is the array's room, and 107039 if that is too little. */
aclError pacl_graph_list_streams(struct pacl_graph *graph, aclrtStream *streams, uint32_t *count);
aclError pacl_graph_list_tasks(struct pacl_graph *graph, uint32_t lane, aclmdlRITask *tasks, uint32_t *count);

/* A handle for a group of a graph that is being captured; the group gets the next number, from 1. */
aclError pacl_graph_add_group(struct pacl_graph *graph, aclrtTaskGrp *handle);

/* The graph goes. */
void pacl_graph_close_parts(struct pacl_graph *graph);

/* --- tasks ------------------------------------------------------------------------------------------------------- */

aclmdlRITaskType pacl_node_type(const struct pacl_node *node);

/* Under the lock: what the task does, or what it was told to do from the next update on. */
void pacl_graph_get_params(const struct pacl_graph *graph, uint32_t node, aclmdlRITaskParams *params);

/* Under the lock: stages a change. 107000 for parameters that the task's call would refuse, 207000 for tasks without
 * parameters and for those that keep the streams of the graph in order. */
aclError pacl_graph_set_params(struct pacl_graph *graph, uint32_t node, const aclmdlRITaskParams *params);
aclError pacl_graph_disable(struct pacl_graph *graph, uint32_t node);

/* Makes the staged changes. 107037 while executions are queued or run. */
aclError pacl_graph_update(struct pacl_graph *graph, aclmdlRI own);

/* Makes the changes, which are then the graph's: executions that are queued from here on run them. On failure nothing
 * changes. */
aclError pacl_graph_change(struct pacl_graph *graph, aclmdlRI own, struct pacl_change *changes);

/* Under the lock: a change for each task of the group, whose work has the call and op of the task alone and is nothing
 * yet (`disables`). */
aclError pacl_graph_changes_of(const struct pacl_graph *graph, uint32_t group, struct pacl_change **first,
                               uint32_t *count);

/* Lets go of what changes hold, and frees them. */
void pacl_changes_free(struct pacl_change *changes);
void pacl_task_work_release(const struct pacl_work *work);

#endif
