/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams, events and host functions as the checker sees them: feeds the clocks, and hands every task on as soon as its
 * place in the order is settled. That is at its submission, but for tasks behind a wait whose record has not been
 * submitted: they follow when it has, or when their wait ended otherwise.
 *
 * Everything but pacl_order_self is guarded by the checker's lock.
 */
#ifndef PACL_CHECK_ORDER_H
#define PACL_CHECK_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "check/clock.h"
#include "core/stream.h"

struct pacl_execution_order;
struct pacl_run;
struct pacl_site;

/* A slot of the streams' pool, or a lane of an execution (execution.h). */
struct pacl_order_stream {
    struct pacl_stream *stream; /* of a lane: that executes the graph, as the next two */
    uint32_t id;
    bool is_default;         /* of its context */
    uint32_t slot;           /* of its clock */
    uint64_t submitted_last; /* the tick of its newest task */

    /* Of a lane; NULL: none. */
    struct pacl_execution_order *execution;
    struct pacl_run *run;
    uint32_t lane;

    /* What it waits for while tasks behind it cannot be settled. */
    bool waits;
    struct pacl_list in_waiting;
    struct pacl_work wait;
    const struct pacl_site *wait_site;
    struct pacl_list steps; /* not settled, oldest first */

    struct pacl_list
        host_functions; /* those that have not finished, oldest first; callbacks stay longer. Not of lanes */
};

/* A host function that was submitted. */
struct pacl_order_function {
    struct pacl_list link;
    struct pacl_moment moment;
    uint32_t lane;                        /* 0 outside of graphs */
    const struct pacl_run *run;           /* NULL there; it stays until the function has ended */
    const struct pacl_callback *callback; /* NULL: the context's thread runs it, in the order of the list */
    const struct pacl_site *site;
};

/* Not settled: as submitted. */
struct pacl_order_step {
    struct pacl_list link;
    struct pacl_work work;
    const struct pacl_site *site;
};

/* A host function that a thread runs. */
struct pacl_order_call {
    struct pacl_order_call *outer; /* a callback may call others */
    struct pacl_stream *runs_for;  /* that waits for the function; NULL: it does not wait */
    struct pacl_tick at;           /* what is queued behind it exceeds this; tick 0: unknown */
    const struct pacl_run *run;    /* the execution that it is part of; NULL: none */
    bool subscribed;               /* a callback: a thread of the program runs it */
    const char *queued_by;         /* the call, and where (NULL: unknown) */
    const struct pacl_site *queued_at;
};

/* The thread's own: it needs no lock. Small, because there is little room for such variables in a library that is loaded
 * late. */
struct pacl_order_self {
    /* The stream and its task that it waits for, and how far that was when the wait began. */
    const struct pacl_stream *awaits;
    uint64_t upto;
    struct pacl_moment awaited;
    struct pacl_order_call *call; /* the innermost host function that it is in, or NULL */
    unsigned unknown;             /* further ones, for which memory was short */
};
extern _Thread_local struct pacl_order_self pacl_order_self;

struct pacl_order_stream *pacl_order_stream_of(struct pacl_stream *stream); /* NULL when memory is short */

/* Defined by who judges tasks: the task's place is settled. Called under the lock. */
void pacl_order_settled(struct pacl_order_stream *stream, const struct pacl_work *work, const struct pacl_site *site);

void pacl_order_submit(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site);
void pacl_order_pass(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site);
void pacl_order_withdraw(struct pacl_stream *stream, const struct pacl_work *work);
void pacl_order_finish(struct pacl_stream *stream, const struct pacl_work *work, bool succeeded);
bool pacl_order_cares_for_end(const struct pacl_work *work); /* without the lock */

void pacl_order_block(struct pacl_stream *stream, uint64_t upto); /* this thread waits for it */
void pacl_order_forget_block(void);
void pacl_order_synchronize(struct pacl_stream *stream, uint64_t upto);
void pacl_order_synchronize_event(struct pacl_event *event, uint64_t record);
void pacl_order_host_function_begins(struct pacl_stream *stream, const struct pacl_work *work);
void pacl_order_host_function_ends(void); /* without the lock */

void pacl_order_stream_begins(struct pacl_stream *stream);
void pacl_order_stream_ends(struct pacl_stream *stream);
void pacl_order_event_begins(struct pacl_event *event);

/* True if the event's record was submitted, so that it comes by itself. */
bool pacl_order_is_recorded(const struct pacl_event *event, uint64_t record);

/* The stream on which the event was recorded last, or that executes the graph of the record; or NULL. */
struct pacl_order_stream *pacl_order_source(const struct pacl_event *event);

/* True if a WAIT on the stream is for a record that was submitted to the same stream. */
bool pacl_order_is_own_record(const struct pacl_stream *stream, const struct pacl_work *wait);

/* True if the host has not waited for all that was submitted to the stream. */
bool pacl_order_has_pending(struct pacl_stream *stream);

/* For executions of graphs: a stream goes on with the work, or keeps it while it waits; it begins to wait; it goes on with
 * what stood behind the wait, whose outcome it has learned. */
void pacl_order_give(struct pacl_order_stream *stream, const struct pacl_work *work, const struct pacl_site *site);
void pacl_order_begin_wait(struct pacl_order_stream *stream, const struct pacl_work *work,
                           const struct pacl_site *site);
void pacl_order_end_wait(struct pacl_order_stream *stream);
void pacl_order_drop_functions(struct pacl_list *functions);

/* Each stream and lane that waits for what is not settled. */
typedef void pacl_order_stream_fn(void *context, struct pacl_order_stream *stream);
void pacl_order_each_waiting(pacl_order_stream_fn *tell, void *context);

#endif
