/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: first-in first-out queues of tasks, each run by at most one thread at a time.
 *
 *   idle     nothing to run; whoever submits next may take it
 *   ready    has tasks and waits for an engine; a waiting thread may take it first
 *   running  one thread, the owner, takes tasks from its head
 *   parked   its head waits (park.h): for an event, a host function; whoever ends the wait makes it ready
 *
 * Only the owner touches the members marked so. Ownership is won by a compare-and-swap on `state` and given up by a
 * store to it; both order everything that the owner did (docs/design/streams.md has the protocol).
 */
#ifndef PACL_CORE_STREAM_H
#define PACL_CORE_STREAM_H

#include <pthread.h>

#include "acl/acl_rt.h"
#include "base/list.h"
#include "copy/copy.h"
#include "core/handle.h"
#include "core/job.h"

struct pacl_callback;
struct pacl_context;
struct pacl_device;
struct pacl_event;
struct pacl_kernel_call;
struct pacl_notify;
struct pacl_parking;
struct pacl_capture;
struct pacl_execution;
struct pacl_subscriber;

enum pacl_op {
    PACL_OP_COPY,
    PACL_OP_FILL_BYTES,
    PACL_OP_FILL_WORDS,
    PACL_OP_RECORD,
    PACL_OP_WAIT,
    PACL_OP_HOST_FUNCTION,
    PACL_OP_KERNEL,
    PACL_OP_CALLBACK, /* a function that a subscribed thread runs */
    PACL_OP_NOTIFY_RECORD,
    PACL_OP_NOTIFY_WAIT,
    PACL_OP_FAULT, /* a copy that was found wrong at submission and fails when its turn comes */
    PACL_OP_REDUCE,
    PACL_OP_VALUE_WRITE,
    PACL_OP_VALUE_WAIT,
    PACL_OP_COPY_BY_CELLS, /* a copy whose addresses lie in memory and are read when its turn comes */
    PACL_OP_COPY_BY_DESC,  /* a copy that a descriptor in device memory describes */
    PACL_OP_GRAPH,         /* one execution of a captured graph: the stream is parked until the graph has finished */
    PACL_OP_GRAPH_JOIN,    /* on inner streams of a graph: a WAIT that is never skipped */
    PACL_OP_GRAPH_END,     /* the last task of a graph, on its first inner stream */
};

/* Flags. REGISTERED: the side lies in memory that the program may unregister at any time. KEPT: a graph holds the
 * memory that the task names, so the task does not. */
enum { PACL_REGISTERED_SRC = 1, PACL_REGISTERED_DST = 2, PACL_REGISTERED = 3, PACL_KEPT = 4 };

/* In `peer`: a side lies in mapped memory, to be looked at again when the task's turn comes. */
enum { PACL_PEER_MAPPED = 255 };

/* What a task does. 56 bytes, so that a task with its number fills one cache line. */
struct pacl_work {
    const char *call; /* the public function that queued it, a literal */
    uint8_t op, flags;
    uint8_t peer[2]; /* dst, src: another device whose memory it is, plus one; or PACL_PEER_MAPPED; 0: neither */
    union {
        uint32_t height; /* copies: rows */
        uint32_t thread; /* others: os_thread_id() of who queued it, for exceptions; 0: not said */
    };
    union {
        struct {
            uint8_t *dst; /* the program's addresses */
            const uint8_t *src;
            size_t dst_pitch, src_pitch, width;
        } copy;
        struct {
            uint8_t *dst; /* the program's address */
            size_t count; /* bytes or words */
            uint32_t value;
        } fill;
        struct {
            struct pacl_event *event;   /* the task holds a reference */
            struct pacl_stream *source; /* WAIT: where the awaited record was queued; NULL: not recorded yet */
            uint64_t number;            /* RECORD: its number. WAIT: the source's task, or the record's number */
            uint64_t timeout_ns;        /* WAIT: 0 for ever */
            uint64_t record;            /* which of the event's records, from 1; WAIT: 0 if there is none to wait for */
        } event;
        struct {
            struct pacl_notify *notify; /* the task holds a reference */
            uint32_t value;
            uint32_t timeout_s; /* WAIT: 0 for ever */
            uint8_t mode;       /* an aclrtCntNotifyRecordMode or aclrtCntNotifyWaitMode */
            bool clears;        /* WAIT: sets the value to 0 in the same step */
            uint32_t left;      /* WAIT: how many processes that had the notify were gone when it was queued */
        } notify;
        struct {
            aclrtHostFunc run;
            void *argument;
        } host;
        struct {
            struct pacl_kernel_call *call; /* owned by the task */
        } kernel;
        struct {
            struct pacl_callback *callback; /* owned by the task until its turn */
        } callback;
        struct {
            uint8_t *dst;
            const uint8_t *src;
            size_t count; /* elements */
            aclrtReduceKind kind;
            aclDataType type;
        } reduce;
        struct {
            uint8_t *cell; /* 8 bytes of device memory */
            uint64_t value;
            uint32_t flag; /* WAIT: ACL_STREAM_WAIT_VALUE_* */
        } value;
        struct {
            const void *dst, *src; /* where the addresses lie; src: the descriptor, and dst NULL */
            size_t dst_offset, src_offset, count;
        } indirect;
        struct {
            struct pacl_execution *execution;
        } graph;
        struct {
            char *text; /* complete message, owned by the task; NULL when memory was short */
            aclError code;
        } fault;
    };
};

struct pacl_task {
    struct pacl_work work;
    _Atomic uint64_t number; /* published with release once `work` is complete; tasks of a slot count from 1 */
};

/* How the wait of a parked stream ended, for its head when it runs again. */
enum pacl_wait_end {
    PACL_WAIT_OPEN,    /* it looks again */
    PACL_WAIT_EXPIRED, /* its time is over */
    PACL_WAIT_GRANTED, /* it has what it waited for, or was told off: it does not look again */
};

/* What a submitting thread rather does itself than to leave it to an engine, in bytes of touched cache lines. */
enum {
    PACL_TINY_COST = 32 * 1024,    /* over before an engine that is awake would have begun */
    PACL_SMALL_COST = 128 * 1024,  /* over, from memory, in about the 5 us that waking an engine costs */
    PACL_ALONE_COST = 1024 * 1024, /* on one processor an engine would only run in place of the submitting thread */
};

enum { PACL_URGENT_COST = 1024 * 1024 }; /* what takes so much longer than waking an engine that one is woken at once */

enum {
    PACL_STOPPED_BY_FAILURE = 1, /* one that was not reported yet, in the mode that stops */
    PACL_STOPPED_ONCE = 2,       /* the next task alone: pacl_stream_fail_started() */
};

enum pacl_stream_state {
    PACL_IDLE,
    PACL_READY,
    PACL_RUNNING,
    PACL_PARKED,
    PACL_HELD, /* idle under a schedule (schedule.h): only the schedule makes it ready */
};

struct pacl_stream {
    struct pacl_object object;
    uint32_t id; /* constant; unique among open streams */
    /* Constant while open. Atomic because a call with a stale handle may look at a slot that is being opened again. */
    _Atomic(struct pacl_context *) context;
    _Atomic(struct pacl_device *) device;
    _Atomic uint32_t priority, flags;
    _Atomic uint32_t cores[2]; /* by aclrtDevResLimitType; 0: the device's (settings.h) */
    _Atomic uint32_t overflow_switch, user_tag, cache_op_info; /* attributes that are only kept */
    _Atomic bool counted;                                      /* against the product's limit */
    bool inner;                                                /* of a graph, which tells of its failures itself */
    struct pacl_list in_context;                               /* guarded by the context's lock */
    struct pacl_task *ring;                                    /* constant once made; stays with the slot */

    /* Written by submitting threads. tail: number of tasks ever queued, place in the ring, closed (see stream.c).
     * done_seen: a recent value of done, so that submitting does not fetch the owner's line each time. */
    _Alignas(64) _Atomic uint64_t tail;
    _Atomic uint64_t done_seen;

    /* Written by the owner, but for state, queued and wake_at. */
    _Alignas(64) _Atomic uint32_t state;
    _Atomic uint32_t queued;     /* 1 while linked in the engines' ready list */
    _Atomic uint64_t done;       /* number of the last finished task; never decreases, not even across slots' lives */
    _Atomic uint64_t wake_at;    /* the lowest number that a sleeping thread waits for; UINT64_MAX: none */
    _Atomic uint32_t wake_word;  /* futex; changes with every wake-up */
    uint32_t head_place;         /* owner: where in the ring the next task lies */
    uint32_t touched;            /* owner: how far into the ring pages may be in use */
    aclError result;             /* owner: of the task that runs, for the observer */
    uint32_t look_again_ns;      /* owner: how long it was parked last at a VALUE_WAIT */
    enum pacl_wait_end wait_end; /* owner; set by whoever ended the wait of a parked stream */
    _Atomic(struct pacl_stream *) ready_next; /* engines' ready list */

    /* Failures. error is read without the lock to see that there is none. */
    pthread_mutex_t fail_lock;
    _Atomic int32_t error;    /* first failure since the last synchronize; written under fail_lock */
    char *error_text;         /* guarded by fail_lock; NULL when memory was short */
    uint64_t exception;       /* guarded by fail_lock; the last telling of a failure (exception.h), 0 without */
    _Atomic bool stops;       /* failure mode: skip what follows a failure */
    _Atomic uint32_t stopped; /* why tasks are skipped: PACL_STOPPED_*; 0: they are not */

    /* Aborted, or destroyed by force: tasks up to this number are skipped. It never goes back while the stream is open. */
    _Atomic uint64_t drop_upto;
    _Atomic uint64_t aborts; /* how often, and what the last one was: see abort.h */

    _Atomic(struct pacl_capture *) capture; /* records what is submitted; written under the captures' lock */
    /* Who runs its functions: an enum pacl_callback_way, and the thread that is subscribed (callback.c). */
    _Atomic uint32_t callback_way;
    _Atomic(struct pacl_subscriber *) subscriber;

    /* Parking: guarded by the lock of what parked_on names. */
    _Atomic(struct pacl_parking *) parked_on;
    struct pacl_list in_parking;
    _Atomic uint64_t wait_deadline; /* OS_NEVER: none */
    struct pacl_list in_timers;     /* guarded by the engines' timer lock */

    /* Schedules (schedule.h). */
    uint32_t rest;                         /* constant: the state without work, IDLE or HELD */
    struct pacl_list in_schedule;          /* guarded by the schedule's lock */
    _Atomic uint64_t noticed;              /* the last task that a program may wait for without a call */
    _Atomic uint64_t host_function;        /* the last task that was handed to the thread of host functions */
    _Atomic uint32_t host_functions_ended; /* how many have, and left the stream; futex */

    struct pacl_job job; /* the big copy at the head, while it is shared */

    /* Counted by the owner. */
    _Atomic uint64_t tasks_queued, tasks_inline, tasks_helped, tasks_failed, bytes_copied;
};

/* --- life -------------------------------------------------------------------------------------------------------- */

/* A new stream of the context, open. Fails with 207008 past the product's limit. */
aclError pacl_stream_create(struct pacl_context *context, uint32_t priority, uint32_t flags, struct pacl_stream **out);

/* A context's default stream: the same, but it does not count against the limit. */
aclError pacl_stream_create_default(struct pacl_context *context, struct pacl_stream **out);

/* Waits for queued work (with `drop`, for the running task only; the rest is skipped) and frees the stream. False if
 * another thread destroyed it first. */
bool pacl_stream_destroy(struct pacl_stream *stream, void *handle, bool drop);

/* Lets a stream skip its tasks up to `number`, and ends the wait of a parked one. If another thread destroys the stream,
 * its context's lock keeps it from being gone. */
void pacl_stream_drop_upto(struct pacl_stream *stream, uint64_t number);

/* Inner streams of graphs: without a handle, known to their graph alone, which sets their context and device before it
 * pushes. NULL when memory is short. release() waits for what is queued. */
struct pacl_stream *pacl_stream_create_inner(void);
void pacl_stream_release_inner(struct pacl_stream *stream);

/* Queues on an inner stream whatever its depth: a graph is limited when it is captured. The caller is the only producer;
 * nothing runs before pacl_stream_visit(). */
void pacl_stream_push_inner(struct pacl_stream *stream, const struct pacl_work *work);

/* An inner stream's failure, ACL_SUCCESS if there is none, with its text (NULL when memory was short), which is the
 * caller's to free, and the telling of its last failure (0: none). */
aclError pacl_stream_forget_error(struct pacl_stream *stream, char **text, uint64_t *exception);

/* For captures: from close() to reopen() nothing is queued; submissions go the slow way, where they are recorded. False
 * if the stream is gone. */
bool pacl_stream_close_for_capture(struct pacl_stream *stream, const void *handle);
void pacl_stream_reopen(struct pacl_stream *stream);

/* The blocks that a work names stay until release(). False if another thread freed one in this moment. */
bool pacl_work_hold(const struct pacl_work *work);
void pacl_work_release(const struct pacl_work *work);

/* --- submission -------------------------------------------------------------------------------------------------- */

/* Queues the work, or runs it at once if it is tiny and the stream idle. `handle` is the stream's as the caller gave
 * it: 107017 if the stream was destroyed meanwhile. The work is consumed on success only. */
aclError pacl_stream_submit(struct pacl_stream *stream, void *handle, const struct pacl_work *work);

/* Runs a copy at once if it is tiny and the stream idle: all that remains of a submission then. `rect` is complete, in
 * engines' addresses, its sides do not overlap, and no unregistering or missing peer access can come in its way. False:
 * nothing was done, submit it. */
bool pacl_stream_copy_at_once(struct pacl_stream *stream, const void *handle, const struct pacl_rect *rect);

/* One attempt without waiting, for callers that hold a lock: the task's number, or 0 when the queue is full or the
 * stream gone. pacl_stream_kick() must follow, without locks, with the same work. */
uint64_t pacl_stream_try_push(struct pacl_stream *stream, void *handle, const struct pacl_work *work);
void pacl_stream_kick(struct pacl_stream *stream, uint64_t number, const struct pacl_work *work);

/* After try_push gave 0: waits for room or helps to make it; 107017 if the stream is gone. */
aclError pacl_stream_make_room(struct pacl_stream *stream, void *handle);

/* --- running ----------------------------------------------------------------------------------------------------- */

/* Bounds on one visit to a stream. */
struct pacl_visit {
    uint64_t upto;   /* stop once this task has finished */
    size_t budget;   /* stop after tasks that cost about this many bytes */
    bool light_only; /* stop before a task that would keep the thread longer than a wake-up costs */
    bool helping;    /* a waiting thread, for the counters */
};

/* Takes the stream if nobody has it, runs tasks within the bounds, gives it up. False if somebody has it. */
bool pacl_stream_visit(struct pacl_stream *stream, const struct pacl_visit *visit);

/* For the thread that ended a park, or finished a shared copy last: it owns the stream and gives it up here. */
void pacl_stream_end_park(struct pacl_stream *stream);
void pacl_stream_end_host_function(struct pacl_stream *stream);
void pacl_stream_end_job(struct pacl_stream *stream);

/* The work of the task at the head: the owner's, or a parked stream's under the lock of its parking. */
static inline const struct pacl_work *pacl_stream_head_work(const struct pacl_stream *stream)
{
    return &stream->ring[stream->head_place].work;
}

/* For the owner: the task at the head is to be skipped. Sequentially consistent, see pacl_park(); it is also paired with
 * the exchange in pacl_stream_drop_upto(): who sees a skipped task finished sees what was said before. */
static inline bool pacl_stream_is_dropping(const struct pacl_stream *stream)
{
    return pacl_load_relaxed(&stream->done) < pacl_load_seq_cst(&stream->drop_upto);
}

/* Publishes that the owner's current task has finished. Events call it under their lock, before they wake waiters. */
void pacl_stream_finish_head(struct pacl_stream *stream);

/* --- waiting ----------------------------------------------------------------------------------------------------- */

/* The number of the last task queued so far. */
uint64_t pacl_stream_queued(const struct pacl_stream *stream);

/* True once task `number` has finished. Acquire: the caller then sees every byte that tasks 1..number wrote. */
static inline bool pacl_stream_reached(const struct pacl_stream *stream, uint64_t number)
{
    return pacl_load_acquire(&stream->done) >= number;
}

/* The same, for a handle that was looked up a moment ago: 107017 if the stream was destroyed meanwhile. */
aclError pacl_stream_queued_as(const struct pacl_stream *stream, const void *handle, uint64_t *number);

/* For queries: the program asks whether task `number` has finished (stream NULL: something else), and without engines or
 * under a schedule nobody works while it only asks. */
void pacl_stream_poll(struct pacl_stream *stream, uint64_t number);

/* Waits until task `number` has finished, helping where it can. False when deadline_ns (OS_NEVER: none) came first. */
bool pacl_stream_wait(struct pacl_stream *stream, uint64_t number, uint64_t deadline_ns);

/* The same without telling the observer that the caller is in order with the stream: for waits that the program did not
 * ask for, and for events, which order their record only. */
bool pacl_stream_wait_untold(struct pacl_stream *stream, uint64_t number, uint64_t deadline_ns);

/* Makes the threads that sleep in pacl_stream_wait() look again. */
void pacl_stream_wake(struct pacl_stream *stream);

bool pacl_stream_is_busy(struct pacl_stream *stream);

/* True while a thread may be at one of its tasks; for pacl_quiet_begin. */
bool pacl_stream_is_running(const struct pacl_stream *stream);

/* --- failures ---------------------------------------------------------------------------------------------------- */

/* For the owner: its task has failed. The stream carries the first failure to the next synchronize or query, and the
 * program's exception callbacks are told of each. `text` is copied. */
void pacl_stream_fail(struct pacl_stream *stream, const struct pacl_work *work, aclError code, const char *text);

/* The same for the owner's task, whose call the text will name. */
void pacl_stream_fail_task(struct pacl_stream *stream, const struct pacl_work *work, aclError code, const char *what);

/* For an observer, while it hears that the task has started: it fails with this and does nothing. Records of events and
 * graphs happen all the same, or others would wait for ever. */
void pacl_stream_fail_started(struct pacl_stream *stream, const struct pacl_work *work, aclError code,
                              const char *text);

/* The failure, once, with its text as the thread's message; ACL_SUCCESS if there is none, or if the stream was destroyed:
 * the failures of the slot's next stream are not the caller's. */
aclError pacl_stream_take_error(struct pacl_stream *stream, const void *handle);

/* When the stream goes: nobody has asked for its failure, so the log says it. */
void pacl_stream_drop_error(struct pacl_stream *stream);

void pacl_stream_set_stops(struct pacl_stream *stream);

/* The stream's resources that an idle process can do without. For engines before they sleep. */
void pacl_stream_trim(struct pacl_stream *stream);

/* The invariants, asserted in debug builds by the owner. */
bool pacl_stream_is_valid(const struct pacl_stream *stream);

/* Counters of streams that are gone. */
struct pacl_stream_totals {
    _Atomic uint64_t tasks_queued, tasks_inline, tasks_helped, tasks_failed, bytes_copied;
};
extern struct pacl_stream_totals pacl_stream_totals;

#endif
