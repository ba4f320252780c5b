/* SPDX-License-Identifier: Apache-2.0 */
#include "core/notify.h"

#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "core/context.h"
#include "core/device.h"
#include "core/observer.h"
#include "core/stream.h"
#include "os/os.h"

/* --- life -------------------------------------------------------------------------------------------------------- */

static void uncount(struct pacl_notify *n)
{
    struct pacl_device *device = n->device;
    pacl_sub_seq_cst(&device->notifies, 1);
}

static void reset_slot(struct pacl_notify *n, struct pacl_context *context, bool counts)
{
    if (!n->prepared)
        pacl_parking_prepare(&n->parking); /* for the slot's whole life */
    n->prepared = true;
    n->context = context;
    n->device = context->device;
    n->counts = counts;
    n->references = 1;
    n->sharing.id = 0;
    n->records = n->left = n->lost_at = 0;
    pacl_store_relaxed(&n->own.value, 0);
    pacl_store_relaxed(&n->state, &n->own);
}

aclError pacl_notify_create(struct pacl_context *context, bool counts, struct pacl_notify **out)
{
    struct pacl_device *device = context->device;
    const uint32_t limit = pacl_runtime()->product.notifies;
    if (!pacl_device_count_up(&device->notifies, limit))
        return PACL_FAIL(ACL_ERROR_RT_NO_NOTIFY_RESOURCE,
                         "device %d has %u notifies already, the most that product %s has", device->id, limit,
                         pacl_runtime()->product.name);
    struct pacl_notify *n = pacl_pool_take(&pacl_notifies);
    if (n == NULL) {
        pacl_sub_seq_cst(&device->notifies, 1);
        return pacl_pool_is_full(&pacl_notifies)
                   ? PACL_FAIL(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "there are %d notifies already", PACL_POOL_MAX)
                   : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a notify");
    }
    reset_slot(n, context, counts);
    const aclError err = pacl_context_adopt(context, &context->notifies, &n->in_context);
    if (err != ACL_SUCCESS) {
        uncount(n);
        pacl_pool_give(&pacl_notifies, &n->object);
        return err;
    }
    PACL_OBSERVE(notify_created, n);
    pacl_object_open(&pacl_notifies, &n->object);
    *out = n;
    return ACL_SUCCESS;
}

aclError pacl_notify_from_handle(const void *handle, bool counts, struct pacl_notify **out)
{
    const char *const argument = counts ? "cntNotify" : "notify";
    if (handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", argument);
    struct pacl_notify *n = pacl_pool_find(&pacl_notifies, handle);
    if (n == NULL || n->counts != counts)
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_INVALID_HANDLE, "%s %p is %s, not %s", argument, handle,
                                 pacl_handle_names(handle), counts ? "a counting notify" : "a notify");
    *out = n;
    return ACL_SUCCESS;
}

/* Ends a step under the notify's lock that drops one reference. */
static void unlock_and_drop(struct pacl_notify *n)
{
    const bool last = --n->references == 0;
    struct pacl_sharing sharing = { 0 };
    if (last) {
        sharing = n->sharing;
        n->sharing.id = 0;
        pacl_store_relaxed(&n->state, &n->own);
    }
    pthread_mutex_unlock(&n->parking.lock);
    if (sharing.id != 0) {
        struct pacl_notify_page *page = sharing.page;
        pacl_store_seq_cst(&page->parted[sharing.participant], true);
        pacl_sharing_drop(&sharing);
    }
    if (last)
        pacl_pool_give(&pacl_notifies, &n->object);
}

bool pacl_notify_destroy(struct pacl_notify *n, const void *own)
{
    if (!pacl_object_close(&n->object, own))
        return false;
    pthread_mutex_lock(&n->context->lock);
    pacl_list_remove(&n->in_context);
    pthread_mutex_unlock(&n->context->lock);
    PACL_OBSERVE(notify_destroyed, n);
    uncount(n);
    pthread_mutex_lock(&n->parking.lock);
    if (n->sharing.id != 0)
        pacl_sharing_withdraw(&n->sharing);
    unlock_and_drop(n);
    return true;
}

/* --- submission -------------------------------------------------------------------------------------------------- */

static aclError submit(struct pacl_notify *n, const void *own, struct pacl_stream *s, void *handle,
                       const struct pacl_work *work)
{
    pthread_mutex_lock(&n->parking.lock);
    const bool open = pacl_object_handle(&n->object) == own; /* withdrawn before its last reference is dropped */
    n->references += open;
    if (open && work->op == PACL_OP_NOTIFY_RECORD)
        n->records++;
    pthread_mutex_unlock(&n->parking.lock);
    if (!open)
        return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "notify %p was destroyed by another thread", own);
    const aclError err = pacl_stream_submit(s, handle, work);
    if (err == ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&n->parking.lock);
    if (work->op == PACL_OP_NOTIFY_RECORD)
        n->records--;
    unlock_and_drop(n);
    return err;
}

/* How many processes that had the notify are gone now, with those that this one has not heard of yet. */
static uint32_t count_gone(struct pacl_notify *n)
{
    uint32_t gone = 0, living;
    if (pacl_load_relaxed(&n->sharing.id) == 0)
        return 0;
    pthread_mutex_lock(&n->parking.lock);
    if (n->sharing.id != 0 && n->sharing.participant == 0) {
        pacl_ipc_count_takers(n->sharing.id, &living, &gone);
        gone += n->left;
    }
    pthread_mutex_unlock(&n->parking.lock);
    return gone;
}

aclError pacl_notify_record(struct pacl_notify *n, const void *own, struct pacl_stream *s, void *handle,
                            const aclrtCntNotifyRecordInfo *change)
{
    const struct pacl_work work = { .call = pacl_self.call,
                                    .op = PACL_OP_NOTIFY_RECORD,
                                    .notify = { .notify = n, .value = change->value, .mode = (uint8_t)change->mode } };
    PACL_TRACE(EVENT, "stream %u records notify %p", s->id, own);
    return submit(n, own, s, handle, &work);
}

aclError pacl_notify_wait(struct pacl_notify *n, const void *own, struct pacl_stream *s, void *handle,
                          const aclrtCntNotifyWaitInfo *info)
{
    const struct pacl_work work = { .call = pacl_self.call,
                                    .op = PACL_OP_NOTIFY_WAIT,
                                    .thread = os_thread_id(),
                                    .notify = { .notify = n,
                                                .value = info->value,
                                                .timeout_s = info->timeout,
                                                .mode = (uint8_t)info->mode,
                                                .clears = info->isClear != 0,
                                                .left = count_gone(n) } };
    PACL_TRACE(EVENT, "stream %u waits for notify %p", s->id, own);
    return submit(n, own, s, handle, &work);
}

/* --- the value --------------------------------------------------------------------------------------------------- */

static uint32_t changed(uint32_t value, const struct pacl_work *record)
{
    switch (record->notify.mode) {
    case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
        return value + record->notify.value;
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
        return value | record->notify.value;
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
        return value & record->notify.value;
    default:
        return record->notify.value;
    }
}

static bool fulfils(uint32_t value, const struct pacl_work *wait)
{
    switch (wait->notify.mode) {
    case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE:
        return value < wait->notify.value;
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE:
        return value > wait->notify.value;
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE:
        return value >= wait->notify.value;
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE:
        return (value & wait->notify.value) == wait->notify.value;
    default:
        return value == wait->notify.value;
    }
}

/* One atomic step, also against other processes: of two waits that clear, one record lets one pass. */
static bool take(struct pacl_notify *n, const struct pacl_work *wait)
{
    struct pacl_notify_state *state = n->state;
    uint32_t value = pacl_load_seq_cst(&state->value);
    do {
        if (!fulfils(value, wait))
            return false;
    } while (wait->notify.clears && !pacl_cas_seq_cst(&state->value, &value, 0));
    return true;
}

/* Under the notify's lock, after a change of the value. */
static void tell_others(const struct pacl_notify *n)
{
    if (n->sharing.id != 0)
        pacl_ipc_nudge(n->sharing.id);
}

/* Under the notify's lock: nobody is left who would end the wait. Where the notify was imported, that is once its maker
 * is gone: this process might end it, but it waits for the other. Where it was made, another process may come and take it,
 * so that is a wait which was queued before the last process went that had it, and did not destroy it; and no record is
 * queued here. */
static bool is_lost(const struct pacl_notify *n, const struct pacl_work *wait)
{
    uint32_t living, gone;
    if (n->sharing.id == 0 || n->sharing.participant != 0)
        return n->sharing.id != 0 && n->sharing.creator_gone;
    if (n->lost_at <= wait->notify.left || n->records > 0)
        return false;
    pacl_ipc_count_takers(n->sharing.id, &living, &gone);
    return living == 0;
}

/* Under the notify's lock: takes off the streams that may go on, oldest first, with what they take. */
static void collect_passing(struct pacl_notify *n, struct pacl_list *passing)
{
    PACL_LIST_EACH(node, &n->parking.streams)
    {
        struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_parking);
        const struct pacl_work *wait = pacl_stream_head_work(s);
        const bool taken = take(n, wait);
        if (!taken && !is_lost(n, wait))
            continue;
        if (taken) {
            PACL_OBSERVE(notify_waited, n, s);
            s->wait_end = PACL_WAIT_GRANTED;
        } /* else it looks again, and fails */
        pacl_park_leave(s);
        pacl_list_append(passing, &s->in_parking);
    }
}

void pacl_notify_reset(struct pacl_notify *n)
{
    pthread_mutex_lock(&n->parking.lock);
    struct pacl_notify_state *state = n->state;
    pacl_store_seq_cst(&state->value, 0);
    tell_others(n);
    pthread_mutex_unlock(&n->parking.lock);
    pacl_notify_look(n); /* a counting notify may be awaited at 0 */
}

void pacl_notify_look(struct pacl_notify *n)
{
    struct pacl_list passing;
    pacl_list_init(&passing);
    pthread_mutex_lock(&n->parking.lock);
    collect_passing(n, &passing);
    pthread_mutex_unlock(&n->parking.lock);
    pacl_park_end_all(&passing);
}

/* --- execution --------------------------------------------------------------------------------------------------- */

void pacl_notify_run_record(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_notify *n = work->notify.notify;
    struct pacl_list passing;
    pacl_list_init(&passing);
    pthread_mutex_lock(&n->parking.lock);
    struct pacl_notify_state *state = n->state;
    uint32_t value = pacl_load_seq_cst(&state->value);
    PACL_OBSERVE(notify_recorded, n, s);
    /* What the stream's earlier tasks wrote is published by this step, and seen by who takes the value. */
    while (!pacl_cas_seq_cst(&state->value, &value, changed(value, work)))
        continue;
    n->records--;
    tell_others(n);
    collect_passing(n, &passing);
    unlock_and_drop(n);
    pacl_park_end_all(&passing);
}

void pacl_notify_pass(const struct pacl_work *work)
{
    struct pacl_notify *n = work->notify.notify;
    pthread_mutex_lock(&n->parking.lock);
    unlock_and_drop(n);
}

static void fail_lost(struct pacl_stream *s, const struct pacl_work *work)
{
    char text[PACL_TEXT_MAX];
    snprintf(text, sizeof text, "%s, queued earlier: the process that was to record the notify is gone", work->call);
    pacl_stream_fail(s, work, ACL_ERROR_RT_IPC_ERROR, text);
}

/* A stream whose park was ended by a record has taken the value already: it is not asked again. */
bool pacl_notify_try_pass(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_notify *n = work->notify.notify;
    if (s->wait_end == PACL_WAIT_GRANTED) {
        s->wait_end = PACL_WAIT_OPEN;
        pacl_notify_pass(work);
        return true;
    }
    pthread_mutex_lock(&n->parking.lock);
    const bool taken = take(n, work);
    if (taken)
        PACL_OBSERVE(notify_waited, n, s);
    const bool lost = !taken && is_lost(n, work);
    const bool passes = taken || lost || !pacl_park(&n->parking, s, (uint64_t)work->notify.timeout_s * 1000000000U);
    pthread_mutex_unlock(&n->parking.lock);
    if (lost)
        fail_lost(s, work);
    if (passes)
        pacl_notify_pass(work);
    return passes;
}

/* --- between processes ------------------------------------------------------------------------------------------- */

/* Under the lock: from now on the value lies in the page. Tasks change it under the same lock. */
static aclError share(struct pacl_notify *n)
{
    if (n->sharing.id != 0)
        return ACL_SUCCESS;
    const aclError err = pacl_sharing_create(&n->sharing);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_notify_page *page = n->sharing.page;
    pacl_store_seq_cst(&page->state.value, pacl_load_seq_cst(&n->own.value));
    pacl_store_seq_cst(&n->state, &page->state);
    return ACL_SUCCESS;
}

static aclError refuse_foreign(const struct pacl_notify *n)
{
    if (n->sharing.id == 0 || n->sharing.file >= 0)
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "notify %p was imported; only the process that made it exports it",
                     pacl_object_handle(&n->object));
}

aclError pacl_notify_offer(struct pacl_notify *n, bool anyone, struct pacl_key *key)
{
    pthread_mutex_lock(&n->parking.lock);
    aclError err = refuse_foreign(n);
    if (err == ACL_SUCCESS)
        err = share(n);
    if (err == ACL_SUCCESS)
        err = pacl_sharing_offer(&n->sharing, PACL_IPC_NOTIFY, n, anyone, key);
    pthread_mutex_unlock(&n->parking.lock);
    return err;
}

/* Every key that was made for it. */
aclError pacl_notify_allow(struct pacl_notify *n, const int32_t *pids, size_t count)
{
    pthread_mutex_lock(&n->parking.lock);
    aclError err = refuse_foreign(n);
    if (err == ACL_SUCCESS && n->sharing.id == 0)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "notify %p was not exported; call aclrtNotifyGetExportKey first",
                        pacl_object_handle(&n->object));
    if (err == ACL_SUCCESS)
        err = pacl_ipc_allow_all_of(n->sharing.id, pids, count);
    pthread_mutex_unlock(&n->parking.lock);
    return err;
}

aclError pacl_notify_open_shared(struct pacl_context *context, const struct pacl_key *key, struct pacl_notify **out)
{
    struct pacl_sharing sharing;
    struct pacl_notify *n;
    int link;
    aclError err = pacl_notify_create(context, false, &n);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_sharing_take(&sharing, key, PACL_IPC_NOTIFY, &link);
    if (err == ACL_SUCCESS) {
        pthread_mutex_lock(&n->parking.lock);
        n->sharing = sharing;
        struct pacl_notify_page *page = sharing.page;
        pacl_store_seq_cst(&n->state, &page->state);
        pthread_mutex_unlock(&n->parking.lock);
        err = pacl_sharing_link(sharing.id, PACL_IPC_NOTIFY, n, link);
    }
    if (err != ACL_SUCCESS)
        (void)pacl_notify_destroy(n, pacl_object_handle(&n->object));
    else
        *out = n;
    return err;
}

static void on_changed(void *slot, uint64_t object)
{
    struct pacl_notify *n = slot;
    pthread_mutex_lock(&n->parking.lock);
    const bool same = n->sharing.id == object;
    pthread_mutex_unlock(&n->parking.lock);
    if (same)
        pacl_notify_look(n);
}

/* Under the lock, where the notify was made. The number is given out again after this. */
static void note_left(struct pacl_notify *n, unsigned participant)
{
    struct pacl_notify_page *page = n->sharing.page;
    n->left++;
    pacl_ipc_taker_told(n->sharing.id, participant);
    if (!pacl_load_seq_cst(&page->parted[participant]))
        n->lost_at = n->left;
    pacl_store_seq_cst(&page->parted[participant], false);
}

static void on_left(void *slot, uint64_t object, unsigned participant)
{
    struct pacl_notify *n = slot;
    pthread_mutex_lock(&n->parking.lock);
    const bool same = n->sharing.id == object;
    if (same && n->sharing.participant != 0)
        n->sharing.creator_gone = true;
    else if (same)
        note_left(n, participant);
    pthread_mutex_unlock(&n->parking.lock);
    if (same)
        pacl_notify_look(n);
}

const struct pacl_ipc_watcher pacl_notify_watcher = { .changed = on_changed, .left = on_left };
