/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notifies: a number in memory that tasks of streams change and wait for. A plain notify is a flag: recording sets it to
 * 1, a wait passes once it is 1 and clears it, so of two records without a wait between them one is lost. A counting
 * notify is changed and compared as the task says.
 *
 * Between processes: all that makes a notify what it is lies in struct pacl_notify_state, which `state` points to: a page
 * that the processes share, for one that was exported or imported. Every change is one atomic step on `value`; then the
 * others are told (core/sharing.h), and look at their parked streams.
 */
#ifndef PACL_CORE_NOTIFY_H
#define PACL_CORE_NOTIFY_H

#include "acl/acl_rt.h"
#include "base/list.h"
#include "core/handle.h"
#include "core/park.h"
#include "core/sharing.h"

struct pacl_context;
struct pacl_device;
struct pacl_stream;
struct pacl_work;

struct pacl_notify_state {
    _Atomic uint32_t value;
};

/* The page of one that several processes have. */
struct pacl_notify_page {
    struct pacl_notify_state state;
    _Atomic bool
        parted[256]; /* by participants: it destroyed the notify; one that goes without has been killed or ended */
};

struct pacl_notify {
    _Alignas(64) struct pacl_object object;
    /* Constant while open. Atomic because a call with a stale handle may look at a slot that is being opened again. */
    _Atomic(struct pacl_context *) context;
    _Atomic(struct pacl_device *) device;
    _Atomic bool counts;         /* a counting notify */
    struct pacl_list in_context; /* guarded by the context's lock */
    bool prepared;               /* the slot's parking is initialised */

    struct pacl_parking parking; /* its lock guards what follows; no other lock is held when it is taken */
    _Atomic(struct pacl_notify_state *) state; /* `own`, or memory shared with other processes */
    struct pacl_notify_state own;
    struct pacl_sharing sharing; /* of a notify that several processes have; `state` is its page then */
    uint32_t references;         /* tasks that name it, and 1 while open */
    /* Of one that was made here and exported: */
    uint32_t records; /* queued ones that have not been carried out */
    uint32_t left;    /* how many processes that had it are gone */
    uint32_t lost_at; /* `left` when the last one went that had not destroyed it; 0: none has */
};

/* Value 0. 207009 past the product's limit. */
aclError pacl_notify_create(struct pacl_context *context, bool counts, struct pacl_notify **out);

/* The open notify of a handle, or 107017; null is 100000. A plain handle names no counting notify and vice versa. */
aclError pacl_notify_from_handle(const void *handle, bool counts, struct pacl_notify **out);

/* A key for other processes, and who may take it; 107000 if the notify was not made here. The first time its value moves
 * to where they see it. */
aclError pacl_notify_offer(struct pacl_notify *notify, bool anyone, struct pacl_key *key);
aclError pacl_notify_allow(struct pacl_notify *notify, const int32_t *pids, size_t count);

/* The notify of another process. */
aclError pacl_notify_open_shared(struct pacl_context *context, const struct pacl_key *key, struct pacl_notify **out);

/* False if another thread was first. The object lives until queued tasks that name it are done. */
bool pacl_notify_destroy(struct pacl_notify *notify, const void *own);

/* Queues a change of the value, as `change` says. `own` and `handle` are the handles that named notify and stream:
 * 107017 if one was destroyed meanwhile. */
aclError pacl_notify_record(struct pacl_notify *notify, const void *own, struct pacl_stream *stream, void *handle,
                            const aclrtCntNotifyRecordInfo *change);

/* Queues a wait; info->timeout is in seconds, 0 for ever, then the stream carries 107019. */
aclError pacl_notify_wait(struct pacl_notify *notify, const void *own, struct pacl_stream *stream, void *handle,
                          const aclrtCntNotifyWaitInfo *info);

/* Sets the value to 0, at once. */
void pacl_notify_reset(struct pacl_notify *notify);

/* Lets parked streams go on whose wait is fulfilled. */
void pacl_notify_look(struct pacl_notify *notify);

/* For the owner of a stream whose head is NOTIFY_RECORD or NOTIFY_WAIT. A record is carried out even if the stream skips
 * what it has queued: others wait for it. */
void pacl_notify_run_record(struct pacl_stream *stream, const struct pacl_work *work);
bool pacl_notify_try_pass(struct pacl_stream *stream, const struct pacl_work *work); /* false: it parked the stream */
void pacl_notify_pass(const struct pacl_work *work);                                 /* drops the wait's reference */

#endif
