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

struct pacl_site;

/* A slot of the streams' pool. */
struct pacl_order_stream {
    struct pacl_stream *stream;
    uint32_t slot, id;
    bool is_default; /* of its context */

    /* What it waits for while tasks behind it cannot be settled. */
    bool waits;
    struct pacl_work wait;
    const struct pacl_site *wait_site;
    struct pacl_list steps; /* not settled, oldest first */

    struct pacl_list host_functions; /* moments of those that have not finished, oldest first; callbacks stay longer */
};

/* Not settled: as submitted. */
struct pacl_order_step {
    struct pacl_list link;
    struct pacl_work work;
    const struct pacl_site *site;
};

/* The thread's own: it needs no lock. */
struct pacl_order_self {
    /* The stream and its task that it waits for, and how far that was when the wait began. */
    const struct pacl_stream *awaits;
    uint64_t upto;
    struct pacl_moment awaited;
    bool in_host_function;
    struct pacl_tick host_function; /* its stream, and the tick that what is queued behind it exceeds */
    /* Meanwhile: the stream that waits for the function, the call that queued it, and where (NULL: unknown). */
    struct pacl_stream *runs_for;
    bool subscribed; /* a callback: a thread of the program runs it */
    const char *queued_by;
    const struct pacl_site *queued_at;
};
extern _Thread_local struct pacl_order_self pacl_order_self;

struct pacl_order_stream *pacl_order_stream_of(struct pacl_stream *stream); /* NULL when memory is short */

/* Defined by who judges tasks: the task's place is settled. Called under the lock. */
void pacl_order_settled(struct pacl_order_stream *stream, const struct pacl_work *work, const struct pacl_site *site);

void pacl_order_submit(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site);
void pacl_order_withdraw(struct pacl_stream *stream, const struct pacl_work *work);
void pacl_order_finish(struct pacl_stream *stream, const struct pacl_work *work, bool succeeded);
bool pacl_order_cares_for_end(const struct pacl_work *work); /* without the lock */

void pacl_order_block(struct pacl_stream *stream, uint64_t upto); /* this thread waits for it */
void pacl_order_forget_block(void);
void pacl_order_synchronize(struct pacl_stream *stream, uint64_t upto);
void pacl_order_synchronize_event(struct pacl_event *event, uint64_t record);
void pacl_order_host_function_begins(struct pacl_stream *stream, const struct pacl_work *work);

void pacl_order_stream_begins(struct pacl_stream *stream);
void pacl_order_stream_ends(struct pacl_stream *stream);
void pacl_order_event_begins(struct pacl_event *event);

/* True if the event's record was submitted, so that it comes by itself. */
bool pacl_order_is_recorded(const struct pacl_event *event, uint64_t record);

/* The stream on which the event was recorded last, or NULL. */
struct pacl_order_stream *pacl_order_source(const struct pacl_event *event);

/* True if a WAIT on the stream is for a record that was submitted to the same stream. */
bool pacl_order_is_own_record(const struct pacl_stream *stream, const struct pacl_work *wait);

/* Each stream that waits for what is not settled. */
typedef void pacl_order_stream_fn(void *context, struct pacl_order_stream *stream);
void pacl_order_each_waiting(pacl_order_stream_fn *tell, void *context);

#endif
