/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions of graphs as the checker sees them. Each of a graph's streams, a lane, is a stream of its own there: it goes
 * on from where the execution was queued, and the stream that executes the graph goes on from where the last of them has
 * ended. Lanes have clocks of their own, which the graph's next execution gets if it comes after this one for certain; an
 * execution that other streams queue meanwhile gets others.
 *
 * Guarded by the checker's lock.
 */
#ifndef PACL_CHECK_EXECUTION_H
#define PACL_CHECK_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pacl_graph;
struct pacl_list;
struct pacl_order_stream;
struct pacl_site;
struct pacl_stream;
struct pacl_work;

/* What an access keeps of the execution that it was made in. Counted. */
struct pacl_run {
    uint32_t references;
    uint32_t graph;               /* its id */
    const char *call;             /* that queued it, */
    const struct pacl_site *site; /* and where */
};

struct pacl_run *pacl_run_share(struct pacl_run *run); /* NULL: NULL */
void pacl_run_drop(struct pacl_run *run);

/* True for two executions of one graph, which never overlap, whatever their order. */
static inline bool pacl_runs_exclude(const struct pacl_run *a, const struct pacl_run *b)
{
    return a != b && a != NULL && b != NULL && a->graph == b->graph;
}

/* A GRAPH whose place on its stream is settled: so are its tasks, as far as nothing that is not settled holds up a lane. The
 * stream waits for those that are left. */
void pacl_execution_begin(struct pacl_order_stream *stream, const struct pacl_work *graph,
                          const struct pacl_site *site);

/* GRAPH has finished or was not queued after all: nothing of it is to come. */
void pacl_execution_end(const struct pacl_work *graph);

/* Tasks whose places in their lane are settled: RECORD and GRAPH_JOIN between lanes, GRAPH_END. */
void pacl_execution_record(struct pacl_order_stream *lane, const struct pacl_work *record);
void pacl_execution_join(struct pacl_order_stream *lane, const struct pacl_work *join, const struct pacl_site *site);
void pacl_execution_over(const struct pacl_order_stream *lane);

/* Where host functions of a lane are kept (`lane` says which they are); of a graph's stream that runs one now, NULL if that
 * is not known. */
struct pacl_list *pacl_execution_functions(const struct pacl_order_stream *lane);
struct pacl_list *pacl_execution_running_functions(const struct pacl_stream *inner, uint32_t *lane);

/* The lane of a graph's stream that executes a task now, NULL if all of its execution is settled. */
struct pacl_order_stream *pacl_execution_running_lane(const struct pacl_stream *inner);

/* The lane that holds up a stream which waits for its graph, or another lane; NULL: none. */
struct pacl_order_stream *pacl_execution_holder(const struct pacl_order_stream *waits);

void pacl_execution_graph_ends(const struct pacl_graph *graph);

#endif
