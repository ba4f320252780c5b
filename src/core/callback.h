/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks that threads of the program run: a thread subscribes to streams and then processes what comes. A callback's
 * turn comes in its stream like any task's; it then waits for its thread. A blocking one parks its stream until it has
 * run, any other lets the stream go on.
 *
 * A stream's functions are run either by subscribed threads or by the context's own thread (host_queue.h), never by both.
 */
#ifndef PACL_CORE_CALLBACK_H
#define PACL_CORE_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_rt.h"

struct pacl_stream;
struct pacl_work;
struct pacl_callback;

/* Who runs a stream's functions. */
enum pacl_callback_way {
    PACL_CALLBACK_OPEN,    /* not decided */
    PACL_CALLBACK_HIDDEN,  /* the context's thread; for good */
    PACL_CALLBACK_REPORTS, /* a subscribed thread, launched by aclrtLaunchCallback */
    PACL_CALLBACK_HOST,    /* a subscribed thread, launched by aclrtLaunchHostFunc, too */
};

/* Subscribes the thread (its pthread_t as a number) to the stream. 107011: the stream is subscribed already, or its
 * functions run in the context's thread; 107012: 1024 threads are subscribed. */
aclError pacl_callback_subscribe(struct pacl_stream *stream, uint64_t thread, enum pacl_callback_way way);

/* Takes that back. Callbacks whose turn has come and which have not begun are dropped; a blocking one fails with 107015, as
 * do those whose turn comes later. 107012: the thread is subscribed to no stream; 107011: the stream not to this thread. */
aclError pacl_callback_unsubscribe(struct pacl_stream *stream, uint64_t thread);

/* The same without complaint, for a stream that is being destroyed and has no work left. */
void pacl_callback_forget(struct pacl_stream *stream);

/* Decides for the context's thread, unless it is decided otherwise. */
enum pacl_callback_way pacl_callback_way_of_host_function(struct pacl_stream *stream);

/* Queues a callback on a subscribed stream; 107015 if it is not. */
/* For those who watch: whether the stream waits until it has run. */
bool pacl_callback_is_blocking(const struct pacl_callback *callback);

aclError pacl_callback_launch(struct pacl_stream *stream, void *handle, aclrtCallback run, void *argument, bool blocks);

/* Runs the callbacks of one stream that wait for the calling thread. 107012 if the thread is not subscribed, or not any
 * more; 507012 if none came before deadline_ns. */
aclError pacl_callback_process(uint64_t thread, int32_t timeout_ms);

/* For the owner of a stream whose head is a callback: false if it has parked the stream. *dropped: nobody is subscribed, or
 * was until just now. skip() is for a head that is not run. */
bool pacl_callback_turn(struct pacl_stream *stream, const struct pacl_work *work, bool *dropped);
void pacl_callback_skip(const struct pacl_work *work);

#endif
