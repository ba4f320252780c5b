/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events. Recording one marks a place in a stream: the event remembers which stream and which of its tasks. To wait
 * for it is to wait until that stream has finished that task, so a later record changes nothing for earlier waits.
 */
#ifndef PACL_CORE_EVENT_H
#define PACL_CORE_EVENT_H

#include "acl/acl_rt.h"
#include "base/list.h"
#include "core/handle.h"
#include "core/park.h"
#include "core/sharing.h"

struct pacl_context;
struct pacl_event_view;
struct pacl_device;
struct pacl_stream;
struct pacl_work;

struct pacl_event {
    _Alignas(64) struct pacl_object object;
    /* Constant while open. Atomic because a call with a stale handle may look at a slot that is being opened again. */
    _Atomic(struct pacl_context *) context;
    _Atomic(struct pacl_device *) device;
    _Atomic uint32_t flags;
    _Atomic bool extended;       /* made by aclrtCreateEventExWithFlag */
    struct pacl_list in_context; /* guarded by the context's lock */
    bool prepared;               /* the slot's parking is initialised */

    struct pacl_parking parking; /* its lock guards what follows; may be taken while no other lock is held */
    bool counted;                /* against the product's limit; an extended event from its first record on */
    uint64_t records;            /* calls that recorded it */
    bool recorded;               /* at least once since creation or the last reset */
    struct pacl_stream *source;  /* of the newest record: its stream and */
    uint64_t number;             /* its task there */
    uint64_t stamped;            /* the newest record that has a time */
    uint64_t stamp_ns;           /* when that record's turn came */
    uint32_t waits;              /* queued waits that have not passed */
    uint32_t references;         /* tasks and graphs that name it, and 1 while open */
    struct pacl_sharing sharing; /* of an event that several processes have: its records are counted there */
    uint32_t hosts;              /* threads that wait for `stamped` */
    _Atomic uint32_t stamp_word; /* their futex; changes with every record that is reached while they are there */

    /* The newest record was captured: which capture, and which of its tasks. Guarded by the captures' lock; 0: none. */
    uint64_t captured_by;
    uint32_t captured_at;
};

aclError pacl_event_create(struct pacl_context *context, uint32_t flags, bool extended, struct pacl_event **out);

/* The open event of a handle, or 107017; null is 100000. */
aclError pacl_event_from_handle(aclrtEvent handle, struct pacl_event **out);

/* An event for several processes (flag IPC): made here, or by the process that has the key. */
aclError pacl_event_create_shared(struct pacl_context *context, struct pacl_event **out);
aclError pacl_event_open_shared(struct pacl_context *context, const struct pacl_key *key, struct pacl_event **out);

/* A key for other processes; 107000 if the event is not for several, or was not made here. */
aclError pacl_event_offer(struct pacl_event *event, struct pacl_key *key);

/* True if the view's record will never be reached: the process that was to do so is gone. */
bool pacl_event_is_lost(struct pacl_event *event, const struct pacl_event_view *view);

/* False if another thread was first. The object lives until queued tasks that name it are done. */
bool pacl_event_destroy(struct pacl_event *event, aclrtEvent own);

/* `own` and `handle` are the handles that named event and stream: 107017 if one was destroyed meanwhile. */
aclError pacl_event_record(struct pacl_event *event, aclrtEvent own, struct pacl_stream *stream, void *handle);
aclError pacl_event_wait(struct pacl_event *event, aclrtEvent own, struct pacl_stream *stream, void *handle,
                         uint64_t timeout_ns);

/* The same with flag EXTERNAL: while captured they order the graph against work outside of it. */
aclError pacl_event_record_external(struct pacl_event *event, aclrtEvent own, struct pacl_stream *stream, void *handle);
aclError pacl_event_wait_external(struct pacl_event *event, aclrtEvent own, struct pacl_stream *stream, void *handle,
                                  uint64_t timeout_ns);

void pacl_event_reset(struct pacl_event *event);

/* What the event says now. */
struct pacl_event_view {
    bool recorded, complete; /* the newest record; complete is false without one */
    bool has_time;
    uint64_t time_ns;
    uint32_t waits;
    struct pacl_stream *source; /* NULL: a graph that was started will record it */
    uint64_t number;
    uint64_t record; /* which record that is, from 1 */
};
struct pacl_event_view pacl_event_look(struct pacl_event *event);

/* Waits in the calling thread until the record that the view shows is reached. False at the deadline. */
bool pacl_event_await(struct pacl_event *event, const struct pacl_event_view *view, uint64_t deadline_ns);

/* For the owner of a stream whose head is RECORD or WAIT. */
void pacl_event_run_record(struct pacl_stream *stream, const struct pacl_work *work); /* finishes the head */
bool pacl_event_try_pass(struct pacl_stream *stream, const struct pacl_work *work);   /* false: it parked the stream */
void pacl_event_pass(const struct pacl_work *work);                                   /* drops the wait's reference */

/* --- for graphs -------------------------------------------------------------------------------------------------- */

/* A graph records and awaits events when it runs, but for others these calls are made when its execution is queued. So
 * a record is promised then: the event counts as recorded and not reached, by the number of its record. */

/* An event without a handle that orders streams of one graph. NULL when memory is short. */
struct pacl_event *pacl_event_create_inner(void);

/* A graph names the event. keep() counts it against the product's limit, as a record does; 107017 if `own` is its handle no
 * more. */
aclError pacl_event_keep(struct pacl_event *event, aclrtEvent own);
void pacl_event_unkeep(struct pacl_event *event);

/* Completes a RECORD or WAIT that names its event, as if the call was made now. False if there is nothing to wait for. */
void pacl_event_promise(struct pacl_work *record);
bool pacl_event_bind(struct pacl_work *wait);

/* For a promised record or bound wait that is not going to run: others must not wait for it. */
void pacl_event_settle(const struct pacl_work *work);

/* For the owner of a stream whose head is GRAPH_JOIN: as try_pass, and never skipped. */
bool pacl_event_try_join(struct pacl_stream *stream, const struct pacl_work *work);

#endif
