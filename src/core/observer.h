/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one interface between the runtime and those who watch it (checking, tracing, fault injection). The core calls
 * it and knows nothing of what is behind it. Without an observer each point costs one predictable branch.
 *
 * Calls come from the thread that does the thing, with no lock of the core held but where a point says so. An observer
 * calls no public function and takes no lock of the core; it may keep a pointer to an object (slots are never unmapped),
 * and copies what it wants to know of a work.
 */
#ifndef PACL_CORE_OBSERVER_H
#define PACL_CORE_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "base/atomic.h"
#include "core/place.h"

struct pacl_copy_ask;
struct pacl_touch;
struct pacl_context;
struct pacl_event;
struct pacl_graph;
struct pacl_notify;
struct pacl_stream;
struct pacl_work;

/* A piece of memory that the program got from PACL, or registered. */
struct pacl_region {
    const uint8_t *base;
    size_t size;             /* as the program asked for it */
    enum pacl_memory memory; /* PACL_MEMORY_DEVICE or _PINNED */
    int device;              /* of device memory */
    bool registered;         /* the program's own memory, pinned by registration */
};

/*
 * Every point: its name and its parameters, once as declared and once as passed on.
 *
 * Public calls
 *   entered, left        `result` is what the call's last failure was, ACL_SUCCESS without one. A call that started the
 *                        runtime is left without having been entered. With where the public function returns to and its
 *                        canonical frame address, for call sites (check/site.h)
 * Memory
 *   allocated            before the program knows the address
 *   freed                taken from the program and not yet anybody else's; queued work may still use it
 *   registered, unregistered  under the lock of the registered ranges
 *   free_refused         `p` is no block of the wanted kind, or (`registered`) not the start of a registered range
 *   outside              a call names a rectangle that is not inside the place at its address (size 0: not allocated)
 *   copy_asked           a copy that passed all checks but for its bounds and its stream's owner, as the program asked
 * Tasks
 *   submitted            before the task can run, in the order in which one thread submits; with the event's lock held for
 *                        records and waits, whose order on one event is thus exact
 *   withdrawn            ... and it was not queued after all; in the same thread, before it submits anything else
 *   passed               a wait that had nothing to wait for, so that nothing was queued; else as submitted
 *   started, finished    in stream order; a task that parks (a wait, a host function) starts again when it goes on. Records
 *                        finish under their event's lock
 *   now_begins, now_ends work that the calling thread does itself, outside of every stream: synchronous copies and fills,
 *                        and the pageable path of asynchronous ones after it has waited for the stream
 *   host_function_begins, host_function_ends  around the program's code, in the thread that runs it, before `finished`
 *   notify_recorded      the stream's head changes the value: under the notify's lock, before others can see the change
 *   notify_waited        the stream's head has seen a value that lets it pass, and taken it if it clears: under the lock, in
 *                        the thread that found it, which may be the one that recorded
 * Waiting
 *   blocked, unblocked   around a wait of the calling thread for a stream's task, if it does not pass at once
 *   synchronized         the thread has seen that the stream finished its tasks up to `upto`, which is all that it had when
 *                        the call began: synchronize, a query that answers complete, device-wide waits, destruction,
 *                        pageable copies
 *   event_synchronized   the thread has seen that the event's record `record` was reached
 * Objects: created before others can find them, destroyed when nothing of theirs runs any more
 *   captured             a task has become a graph's, or its group's anew; the place is the observer's to write and is kept
 *                        with the task, NULL until then. Under the captures' lock
 *   graph_created        its capture has ended; others could find it before
 *   notify_destroyed     queued tasks may still name it
 *   handle_refused       a call got a handle that names nothing open of the kind that it takes, or (`foreign`) a stream of
 *                        another context than the thread's current one; never NULL
 *   event_reset          under the event's lock; waits from here on are for the next record
 * Process
 *   finalized            a real aclFinalize
 *   exiting              the process runs its exit handlers; engines still work
 */
#define PACL_OBSERVER_POINTS(X) \
    X(entered, (const char *call, const void *return_address, const void *frame), (call, return_address, frame)) \
    X(left, (const char *call, aclError result), (call, result)) \
    X(allocated, (const struct pacl_region *region), (region)) \
    X(freed, (const struct pacl_region *region), (region)) \
    X(registered, (const struct pacl_region *region), (region)) \
    X(unregistered, (const struct pacl_region *region), (region)) \
    X(free_refused, (const void *p, enum pacl_memory wanted, bool registered), (p, wanted, registered)) \
    X(outside, (const struct pacl_touch *touch, const struct pacl_place *place), (touch, place)) \
    X(copy_asked, (const struct pacl_copy_ask *ask), (ask)) \
    X(submitted, (struct pacl_stream * stream, const struct pacl_work *work), (stream, work)) \
    X(withdrawn, (struct pacl_stream * stream, const struct pacl_work *work), (stream, work)) \
    X(passed, (struct pacl_stream * stream, const struct pacl_work *work), (stream, work)) \
    X(started, (struct pacl_stream * stream, const struct pacl_work *work), (stream, work)) \
    X(finished, (struct pacl_stream * stream, const struct pacl_work *work, aclError result), (stream, work, result)) \
    X(now_begins, (const struct pacl_work *work), (work)) \
    X(now_ends, (const struct pacl_work *work, aclError result), (work, result)) \
    X(host_function_begins, (struct pacl_stream * stream, const struct pacl_work *work), (stream, work)) \
    X(host_function_ends, (struct pacl_stream * stream, const struct pacl_work *work), (stream, work)) \
    X(notify_recorded, (struct pacl_notify * notify, struct pacl_stream * stream), (notify, stream)) \
    X(notify_waited, (struct pacl_notify * notify, struct pacl_stream * stream), (notify, stream)) \
    X(blocked, (struct pacl_stream * stream, uint64_t upto, uint64_t deadline_ns), (stream, upto, deadline_ns)) \
    X(unblocked, (struct pacl_stream * stream, uint64_t upto, bool reached), (stream, upto, reached)) \
    X(synchronized, (struct pacl_stream * stream, uint64_t upto), (stream, upto)) \
    X(event_synchronized, (struct pacl_event * event, uint64_t record), (event, record)) \
    X(stream_created, (struct pacl_stream * stream), (stream)) \
    X(stream_destroyed, (struct pacl_stream * stream), (stream)) \
    X(event_created, (struct pacl_event * event), (event)) \
    X(event_destroyed, (struct pacl_event * event), (event)) \
    X(event_reset, (struct pacl_event * event), (event)) \
    X(notify_created, (struct pacl_notify * notify), (notify)) \
    X(notify_destroyed, (struct pacl_notify * notify), (notify)) \
    X(captured, (const void **place), (place)) \
    X(graph_created, (struct pacl_graph * graph), (graph)) \
    X(graph_destroyed, (struct pacl_graph * graph), (graph)) \
    X(context_created, (struct pacl_context * context), (context)) \
    X(context_destroyed, (struct pacl_context * context), (context)) \
    X(handle_refused, (const void *handle, bool foreign), (handle, foreign)) \
    X(finalized, (void), ()) \
    X(exiting, (void), ())

/* Any member may be NULL. */
struct pacl_observer {
#define PACL_OBSERVER_MEMBER(point, parameters, arguments) void(*point) parameters;
    PACL_OBSERVER_POINTS(PACL_OBSERVER_MEMBER)
#undef PACL_OBSERVER_MEMBER
};

/* The observer, or one that calls all of them; NULL without. Acquire, paired with the release in pacl_observer_add: who
 * sees it sees it complete. Set while the runtime starts and constant from then on. */
extern const struct pacl_observer *_Atomic pacl_observer;

/* For observers, while the library is loaded (from a constructor): `install` is called when the runtime starts and may
 * call pacl_observer_add(). Observers are called in the order in which they were added; both fail loudly past eight. */
void pacl_observer_offer(void (*install)(void));
void pacl_observer_add(const struct pacl_observer *observer);

/* For the start of the runtime, and for the child of a fork, in which nobody watches: another thread of the parent may
 * have held an observer's lock. */
void pacl_observers_install(void);
void pacl_observers_forget(void);

#define PACL_OBSERVE(point, ...) \
    do { \
        const struct pacl_observer *const pacl_observer_now = pacl_load_acquire(&pacl_observer); \
        if (__builtin_expect(pacl_observer_now != NULL, 0) && pacl_observer_now->point != NULL) \
            pacl_observer_now->point(__VA_ARGS__); \
    } while (0)

/* For what must be prepared before a point. */
static inline bool pacl_is_observed(void)
{
    return __builtin_expect(pacl_load_acquire(&pacl_observer) != NULL, 0);
}

#endif
