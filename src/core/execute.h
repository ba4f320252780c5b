/* SPDX-License-Identifier: Apache-2.0 */
/* What a task does when its turn has come, and what it costs. For the stream that owns it. */
#ifndef PACL_CORE_EXECUTE_H
#define PACL_CORE_EXECUTE_H

#include "core/engine.h"
#include "core/stream.h"

/* What became of a task, and of the ownership of its stream. */
enum pacl_outcome {
    PACL_TASK_FINISHED, /* done; its owner goes on */
    PACL_TASK_PARKED,   /* waits; the stream is no more the caller's */
    PACL_TASK_SHARED,   /* other threads still copy; the last of them owns the stream */
};

/* Everything but RECORD, which finishes the head itself. Skipped tasks still drop what they hold. */
enum pacl_outcome pacl_work_execute(struct pacl_stream *stream, const struct pacl_work *work);

/* For the owner of a stream whose copy was shared: it is complete, or registered memory went away under it. */
void pacl_work_end_copy(struct pacl_stream *stream, const struct pacl_work *work, bool complete);

static inline bool pacl_stream_is_skipping(const struct pacl_stream *s)
{
    return pacl_stream_is_dropping(s) || pacl_load_relaxed(&s->stopped);
}

/* A graph settles what it owes to others itself, and its parts end in order. */
static inline bool pacl_work_is_never_skipped(const struct pacl_work *work)
{
    return work->op >= PACL_OP_GRAPH && work->op <= PACL_OP_GRAPH_END;
}

enum {
    PACL_KERNEL_COST = 2 * PACL_ALONE_COST
}; /* how long a kernel takes is not known: never in the submitting thread */

/* About how many bytes of cache lines it touches. */
static inline size_t pacl_work_cost(const struct pacl_work *work)
{
    if (work->op == PACL_OP_COPY)
        return pacl_rows_cost(work->copy.width, work->height);
    if (work->op == PACL_OP_FILL_BYTES)
        return work->fill.count;
    if (work->op == PACL_OP_FILL_WORDS)
        return work->fill.count * sizeof(uint32_t);
    if (work->op == PACL_OP_REDUCE)
        return work->reduce.count * sizeof(uint64_t); /* slower than a copy by about as much */
    if (work->op == PACL_OP_KERNEL)
        return PACL_KERNEL_COST;
    return work->op == PACL_OP_COPY_BY_CELLS ? work->indirect.count : 0;
}

/* Whether the submitting thread rather does it itself than to leave it to an engine. */
static inline bool pacl_cost_is_light(size_t cost)
{
    return cost <= PACL_TINY_COST || (cost <= PACL_SMALL_COST && !pacl_engines_are_looking()) ||
           (cost <= PACL_ALONE_COST && pacl_engines_share_one_cpu());
}

#endif
