/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: what owns streams and events, one current per thread, one primary per device. */
#ifndef PACL_CORE_CONTEXT_H
#define PACL_CORE_CONTEXT_H

#include <pthread.h>

#include "acl/acl_rt.h"
#include "base/list.h"
#include "core/handle.h"
#include "core/park.h"
#include "core/settings.h"

struct pacl_device;
struct pacl_host_queue;
struct pacl_stream;

struct pacl_context {
    _Alignas(64) struct pacl_object object;
    /* Constant while open. Atomic because a call may still name a context whose slot is being opened again. */
    _Atomic(struct pacl_device *) device;
    _Atomic bool primary;
    _Atomic(struct pacl_stream *) default_stream; /* owned */
    struct pacl_sys_params sys_params;

    pthread_mutex_t lock;                       /* guards what follows; taken after no other lock but the device's */
    struct pacl_list streams, events, notifies; /* open ones */
    struct pacl_host_queue *host_queue;         /* NULL until the first host function */
    bool closing;                               /* being destroyed: takes on nothing new */
    bool prepared;                              /* the slot's locks are initialised; constant once set */
    struct pacl_parking host_functions;         /* streams whose head is a host function, for the host queue's thread */
};

/* The thread's context, or NULL; with a default device configured, its primary context. */
struct pacl_context *pacl_context_peek(void);

/* The same, failing with 107002. */
aclError pacl_context_current(struct pacl_context **out);

void pacl_context_make_current(struct pacl_context *context); /* NULL: none */

/* The open context of a handle, or NULL. */
struct pacl_context *pacl_context_find(aclrtContext handle);

aclError pacl_context_create(struct pacl_device *device, bool primary, struct pacl_context **out);

/* Waits for the context's queued work (with `drop`, skips it), destroys its streams and events, then itself. False if
 * another thread was first. */
bool pacl_context_destroy(struct pacl_context *context, aclrtContext handle, bool drop);

/* Enters a new stream or event on its context's list. 107002 if another thread destroys the context. */
aclError pacl_context_adopt(struct pacl_context *context, struct pacl_list *list, struct pacl_list *node);

/* The stream that a handle names: null is the current context's default stream, without a context `no_context` is
 * returned; 107017 for a handle that names no open stream. */
aclError pacl_stream_from_handle(aclrtStream handle, aclError no_context, struct pacl_stream **out, void **own_handle);

/* 107003 unless the stream belongs to the thread's current context, 107002 without one. */
aclError pacl_context_owns(const struct pacl_stream *stream);

/* Makes the device's primary context, created if it was not, the thread's current one, and counts the call. */
aclError pacl_context_set_device(int32_t id);

/* Takes one such call back (with `force`, all of them); at none, the primary context is destroyed. 507007 without one. */
aclError pacl_context_reset_device(int32_t id, bool force);

/* aclInit's defaultDevice: -1 for none. */
void pacl_context_set_default_device(int32_t device);

#endif
