/* SPDX-License-Identifier: Apache-2.0 */
#include "core/event.h"

#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "core/capture.h"
#include "core/context.h"
#include "core/device.h"
#include "core/engine.h"
#include "core/job.h"
#include "core/observer.h"
#include "core/stream.h"
#include "os/os.h"

/* --- life -------------------------------------------------------------------------------------------------------- */

/* Against the product's limit, once. Under the event's lock, or before others can find it. */
static aclError count(struct pacl_event *e)
{
    struct pacl_device *device = e->device;
    const uint32_t limit = pacl_runtime()->product.events;
    if (!e->counted && !pacl_device_count_up(&device->events, limit))
        return PACL_FAIL(ACL_ERROR_RT_NO_EVENT_RESOURCE,
                         "device %d has %u events already, the most that product %s has", device->id, limit,
                         pacl_runtime()->product.name);
    e->counted = true;
    return ACL_SUCCESS;
}

static void uncount(struct pacl_event *e)
{
    struct pacl_device *device = e->device;
    if (e->counted)
        pacl_sub_seq_cst(&device->events, 1);
    e->counted = false;
}

static void prepare_slot(struct pacl_event *e)
{
    if (e->prepared)
        return;
    pacl_parking_prepare(&e->parking); /* for the slot's whole life */
    e->prepared = true;
}

aclError pacl_event_create(struct pacl_context *context, uint32_t flags, bool extended, struct pacl_event **out)
{
    struct pacl_event *e = pacl_pool_take(&pacl_events);
    if (e == NULL)
        return pacl_pool_is_full(&pacl_events)
                   ? PACL_FAIL(ACL_ERROR_RT_NO_EVENT_RESOURCE, "there are %d events already", PACL_POOL_MAX)
                   : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for an event");
    prepare_slot(e);
    e->context = context;
    e->device = context->device;
    e->flags = flags;
    e->extended = extended;
    pthread_mutex_lock(&e->parking.lock); /* a call with the slot's last handle may be looking at it */
    e->records = e->number = e->stamped = e->stamp_ns = 0;
    e->recorded = false;
    e->source = NULL;
    e->waits = e->hosts = 0;
    e->references = 1;
    e->captured_by = 0;
    pthread_mutex_unlock(&e->parking.lock);
    aclError err = extended ? ACL_SUCCESS : count(e);
    if (err == ACL_SUCCESS)
        err = pacl_context_adopt(context, &context->events, &e->in_context);
    if (err != ACL_SUCCESS) {
        uncount(e);
        pacl_pool_give(&pacl_events, &e->object);
        return err;
    }
    PACL_OBSERVE(event_created, e);
    pacl_object_open(&pacl_events, &e->object);
    *out = e;
    return ACL_SUCCESS;
}

aclError pacl_event_from_handle(aclrtEvent handle, struct pacl_event **out)
{
    if (handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "event is null");
    struct pacl_event *e = pacl_pool_find(&pacl_events, handle);
    if (e == NULL)
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_INVALID_HANDLE, "event %p is %s, not an event", handle,
                                 pacl_handle_names(handle));
    *out = e;
    return ACL_SUCCESS;
}

/* Ends a step under the event's lock that drops one reference. */
static void unlock_and_drop(struct pacl_event *e)
{
    const bool last = --e->references == 0;
    struct pacl_sharing sharing = { 0 };
    if (last) {
        sharing = e->sharing;
        e->sharing.id = 0;
    }
    pthread_mutex_unlock(&e->parking.lock);
    if (sharing.id != 0)
        pacl_sharing_drop(&sharing);
    if (last)
        pacl_pool_give(&pacl_events, &e->object);
}

bool pacl_event_destroy(struct pacl_event *e, aclrtEvent own)
{
    if (!pacl_object_close(&e->object, own))
        return false;
    pthread_mutex_lock(&e->context->lock);
    pacl_list_remove(&e->in_context);
    pthread_mutex_unlock(&e->context->lock);
    PACL_OBSERVE(event_destroyed, e);
    pthread_mutex_lock(&e->parking.lock);
    uncount(e);
    if (e->sharing.id != 0)
        pacl_sharing_withdraw(&e->sharing);
    unlock_and_drop(e);
    return true;
}

enum { EXTERNAL = 0x80 }; /* in a work's flags, until it is queued */

/* --- submission -------------------------------------------------------------------------------------------------- */

/* How a task gets its content from the event's state, and the state learns of the task; both under the event's lock. */
struct event_task {
    aclError (*prepare)(struct pacl_event *event, struct pacl_work *work, bool *needed);
    void (*note)(struct pacl_event *event, struct pacl_stream *stream, uint64_t number);
};

static aclError refuse_destroyed(aclrtEvent own)
{
    return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "event %p was destroyed by another thread", own);
}

/* Under the event's lock: one attempt. *number is 0 if there is no room, or if nothing needs to be queued. */
static aclError try_queue(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle,
                          struct pacl_work *work, const struct event_task *task, uint64_t *number, bool *needed)
{
    *number = 0;
    *needed = true;
    if (pacl_object_handle(&e->object) != own) /* a handle is withdrawn before its last reference is dropped */
        return refuse_destroyed(own);
    const aclError err = task->prepare(e, work, needed);
    if (err != ACL_SUCCESS)
        return err;
    if (!*needed) {
        PACL_OBSERVE(passed, s, work);
        return ACL_SUCCESS;
    }
    e->references++; /* before the task can run and drop it */
    PACL_OBSERVE(submitted, s, work);
    *number = pacl_stream_try_push(s, handle, work);
    if (*number != 0) {
        task->note(e, s, *number);
    } else {
        e->references--;
        PACL_OBSERVE(withdrawn, s, work);
    }
    return ACL_SUCCESS;
}

/* Content, queueing and notice are one step for others. The lock is never held while waiting for room. */
static aclError queue(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle, struct pacl_work *work,
                      const struct event_task *task)
{
    for (;;) {
        uint64_t number;
        bool needed;
        if (pacl_captures_any()) {
            bool handled;
            const aclError err = pacl_capture_event(e, own, s, handle, work, (work->flags & EXTERNAL) != 0, &handled);
            if (err != ACL_SUCCESS || handled)
                return err;
        }
        pthread_mutex_lock(&e->parking.lock);
        aclError err = try_queue(e, own, s, handle, work, task, &number, &needed);
        pthread_mutex_unlock(&e->parking.lock);
        if (err != ACL_SUCCESS || !needed)
            return err;
        if (number != 0) {
            pacl_stream_kick(s, number, work);
            return ACL_SUCCESS;
        }
        err = pacl_stream_make_room(s, handle);
        if (err != ACL_SUCCESS)
            return err;
    }
}

/* Under the event's lock. */
static bool is_lost(const struct pacl_event *e, uint64_t number)
{
    return e->sharing.id != 0 && pacl_shared_record_state(&e->sharing, number) == PACL_RECORD_LOST;
}

/* Under the event's lock: whether a record has been reached, by its number. A lost one counts: nothing more will come. */
static bool is_stamped(const struct pacl_event *e, uint64_t number)
{
    if (e->sharing.id != 0)
        return pacl_shared_record_state(&e->sharing, number) != PACL_RECORD_OPEN;
    return e->stamped >= number;
}

/* Under the event's lock: whether its newest record is. */
static bool is_reached(const struct pacl_event *e)
{
    if (e->sharing.id != 0)
        return is_stamped(e, pacl_shared_record_newest(&e->sharing));
    return e->source != NULL ? pacl_stream_reached(e->source, e->number) : e->stamped >= e->number;
}

static aclError prepare_record(struct pacl_event *e, struct pacl_work *work, bool *needed)
{
    (void)needed;
    if (e->sharing.id != 0) {
        if (work->event.record == 0) /* else it has one from a try that found no room */
            work->event.record = pacl_shared_record_claim(&e->sharing);
        work->event.number = work->event.record;
        return count(e);
    }
    work->event.number = work->event.record = e->records + 1;
    return count(e);
}

static void note_record(struct pacl_event *e, struct pacl_stream *s, uint64_t number)
{
    if (e->sharing.id != 0)
        return; /* the page knows */
    e->records++;
    e->recorded = true;
    e->source = s;
    e->number = number;
}

/* A record that got its number and was not queued after all: other processes must not wait for it. `id` is what the event
 * shared: another thread may have destroyed it meanwhile, and the slot be another's. */
static void give_up_claim(struct pacl_event *e, uint64_t id, uint64_t number)
{
    pthread_mutex_lock(&e->parking.lock);
    if (e->sharing.id == id) {
        pacl_shared_record_reach(&e->sharing, number);
        pacl_ipc_nudge(e->sharing.id);
    }
    pthread_mutex_unlock(&e->parking.lock);
}

static aclError record_with(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle, uint8_t flags)
{
    struct pacl_work work = { .call = pacl_self.call, .op = PACL_OP_RECORD, .flags = flags, .event.event = e };
    static const struct event_task record = { .prepare = prepare_record, .note = note_record };
    const uint64_t shared = e->sharing.id;
    PACL_TRACE(EVENT, "stream %u records event %p", s->id, own);
    const aclError err = queue(e, own, s, handle, &work, &record);
    if (err != ACL_SUCCESS && shared != 0 && work.event.record != 0)
        give_up_claim(e, shared, work.event.record);
    return err;
}

aclError pacl_event_record(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle)
{
    return record_with(e, own, s, handle, 0);
}

aclError pacl_event_record_external(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle)
{
    return record_with(e, own, s, handle, EXTERNAL);
}

/* Nothing is queued where there is nothing to wait for: the record has been reached, or an extended event was never
 * recorded. A plain event that was never recorded is awaited by the number that its next record will have. */
static aclError prepare_wait(struct pacl_event *e, struct pacl_work *work, bool *needed)
{
    if (e->sharing.id != 0) {
        work->event.source = NULL;
        work->event.number = work->event.record = pacl_shared_record_newest(&e->sharing);
        *needed = !is_reached(e) || is_lost(e, work->event.number);
        return ACL_SUCCESS;
    }
    work->event.source = e->recorded ? e->source : NULL;
    work->event.number = e->recorded ? e->number : e->records + 1;
    work->event.record = e->recorded ? e->records : !e->extended ? e->records + 1 : 0;
    *needed = e->recorded ? !is_reached(e) : !e->extended;
    return ACL_SUCCESS;
}

static void note_wait(struct pacl_event *e, struct pacl_stream *s, uint64_t number)
{
    (void)s;
    (void)number;
    e->waits++;
}

static aclError wait_with(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle,
                          uint64_t timeout_ns, uint8_t flags)
{
    struct pacl_work work = { .call = pacl_self.call,
                              .op = PACL_OP_WAIT,
                              .flags = flags,
                              .thread = os_thread_id(),
                              .event = { .event = e, .timeout_ns = timeout_ns } };
    static const struct event_task wait = { .prepare = prepare_wait, .note = note_wait };
    PACL_TRACE(EVENT, "stream %u waits for event %p", s->id, own);
    return queue(e, own, s, handle, &work, &wait);
}

aclError pacl_event_wait(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle, uint64_t timeout_ns)
{
    return wait_with(e, own, s, handle, timeout_ns, 0);
}

aclError pacl_event_wait_external(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle,
                                  uint64_t timeout_ns)
{
    return wait_with(e, own, s, handle, timeout_ns, EXTERNAL);
}

void pacl_event_reset(struct pacl_event *e)
{
    pthread_mutex_lock(&e->parking.lock);
    e->recorded = false;
    PACL_OBSERVE(event_reset, e);
    pthread_mutex_unlock(&e->parking.lock);
}

struct pacl_event_view pacl_event_look(struct pacl_event *e)
{
    pthread_mutex_lock(&e->parking.lock);
    const uint64_t shared = e->sharing.id != 0 ? pacl_shared_record_newest(&e->sharing) : 0;
    const struct pacl_event_view view = {
        .recorded = e->recorded || shared > 0,
        .complete = (e->recorded || shared > 0) && is_reached(e),
        .has_time = e->records > 0 && e->stamped == e->records,
        .time_ns = e->stamp_ns,
        .waits = e->waits,
        .source = e->source,
        .number = shared > 0 ? shared : e->number,
        .record = shared > 0 ? shared : e->records,
    };
    pthread_mutex_unlock(&e->parking.lock);
    return view;
}

/* --- execution --------------------------------------------------------------------------------------------------- */

/* Under the event's lock. A wait for a record that has no stream yet passes with the first record of at least its
 * number: `stamped` counts those whose turn has come. */
static bool may_pass(const struct pacl_event *e, const struct pacl_work *wait)
{
    if (e->sharing.id != 0)
        return is_stamped(e, wait->event.number);
    if (wait->event.source == NULL)
        return e->stamped >= wait->event.number;
    return pacl_stream_reached(wait->event.source, wait->event.number);
}

static void collect_passing(struct pacl_event *e, struct pacl_list *passing)
{
    PACL_LIST_EACH(node, &e->parking.streams)
    {
        struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_parking);
        if (!may_pass(e, pacl_stream_head_work(s)))
            continue;
        pacl_park_leave(s);
        pacl_list_append(passing, &s->in_parking);
    }
}

/* Under the event's lock. */
static void stamp(struct pacl_event *e, uint64_t number)
{
    if (e->sharing.id != 0) {
        pacl_shared_record_reach(&e->sharing, number);
        pacl_ipc_nudge(e->sharing.id);
    }
    if (number > e->stamped) {
        e->stamped = number;
        e->stamp_ns = os_now_ns();
    }
    if (e->hosts > 0) {
        pacl_add_seq_cst(&e->stamp_word, 1);
        os_futex_wake(&e->stamp_word, INT32_MAX);
    }
}

void pacl_event_run_record(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    struct pacl_list passing;
    pacl_list_init(&passing);
    pthread_mutex_lock(&e->parking.lock);
    stamp(e, work->event.number);
    PACL_OBSERVE(finished, s, work, ACL_SUCCESS);
    pacl_stream_finish_head(s); /* before the waiters are looked at: they wait for this task */
    collect_passing(e, &passing);
    unlock_and_drop(e);
    pacl_park_end_all(&passing);
}

void pacl_event_pass(const struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    pthread_mutex_lock(&e->parking.lock);
    e->waits--;
    unlock_and_drop(e);
}

static void fail_lost(struct pacl_stream *s, const struct pacl_work *work)
{
    char text[PACL_TEXT_MAX];
    snprintf(text, sizeof text, "%s, queued earlier: the process that was to reach the event, or that made it, is gone",
             work->call);
    pacl_stream_fail(s, work, ACL_ERROR_RT_IPC_ERROR, text);
}

bool pacl_event_try_pass(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    pthread_mutex_lock(&e->parking.lock);
    const bool may = may_pass(e, work), lost = may && is_lost(e, work->event.number);
    const bool passes = may || !pacl_park(&e->parking, s, work->event.timeout_ns);
    pthread_mutex_unlock(&e->parking.lock);
    if (lost)
        fail_lost(s, work);
    if (passes)
        pacl_event_pass(work);
    return passes;
}

/* --- waiting in the calling thread ------------------------------------------------------------------------------- */

/* Under no lock: true once the record is reached; else says that a thread waits, and which word it sleeps on. */
static bool ask_for_stamp(struct pacl_event *e, uint64_t number, uint32_t *word)
{
    pthread_mutex_lock(&e->parking.lock);
    const bool reached = is_stamped(e, number);
    *word = pacl_load_relaxed(&e->stamp_word);
    if (!reached)
        e->hosts++;
    pthread_mutex_unlock(&e->parking.lock);
    return reached;
}

static void await_stamp(struct pacl_event *e, uint32_t word, uint64_t deadline_ns)
{
    const uint64_t look_again = pacl_engines_are_missing() ? os_now_ns() + 1000000 : OS_NEVER;
    if (!pacl_jobs_help(deadline_ns, false) && !pacl_engines_stand_in())
        os_futex_wait(&e->stamp_word, word, deadline_ns < look_again ? deadline_ns : look_again);
    pthread_mutex_lock(&e->parking.lock);
    e->hosts--;
    pthread_mutex_unlock(&e->parking.lock);
}

/* A promised record has no place in a stream: its turn is awaited. */
bool pacl_event_await(struct pacl_event *e, const struct pacl_event_view *view, uint64_t deadline_ns)
{
    uint32_t word;
    if (view->source != NULL)
        return pacl_stream_wait_untold(view->source, view->number, deadline_ns);
    while (!ask_for_stamp(e, view->number, &word)) {
        await_stamp(e, word, deadline_ns);
        if (pacl_runtime_is_exiting() || (deadline_ns != OS_NEVER && os_now_ns() >= deadline_ns))
            return pacl_event_look(e).complete;
    }
    return true;
}

/* --- between processes ------------------------------------------------------------------------------------------- */

aclError pacl_event_create_shared(struct pacl_context *context, struct pacl_event **out)
{
    struct pacl_sharing sharing;
    aclError err = pacl_sharing_create(&sharing);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_event_create(context, ACL_EVENT_IPC, true, out);
    if (err != ACL_SUCCESS) {
        pacl_sharing_drop(&sharing);
        return err;
    }
    pthread_mutex_lock(&(*out)->parking.lock);
    (*out)->sharing = sharing;
    pthread_mutex_unlock(&(*out)->parking.lock);
    return ACL_SUCCESS;
}

aclError pacl_event_open_shared(struct pacl_context *context, const struct pacl_key *key, struct pacl_event **out)
{
    struct pacl_sharing sharing;
    struct pacl_event *e;
    int link;
    aclError err = pacl_event_create(context, ACL_EVENT_IPC, true, &e);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_sharing_take(&sharing, key, PACL_IPC_EVENT, &link);
    if (err == ACL_SUCCESS) {
        pthread_mutex_lock(&e->parking.lock);
        e->sharing = sharing;
        pthread_mutex_unlock(&e->parking.lock);
        err = pacl_sharing_link(sharing.id, PACL_IPC_EVENT, e, link);
    }
    if (err != ACL_SUCCESS)
        (void)pacl_event_destroy(e, pacl_object_handle(&e->object));
    else
        *out = e;
    return err;
}

aclError pacl_event_offer(struct pacl_event *e, struct pacl_key *key)
{
    pthread_mutex_lock(&e->parking.lock);
    aclError err = ACL_SUCCESS;
    if (e->sharing.id == 0 || e->sharing.file < 0)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                        "the event was not made with ACL_EVENT_IPC in this process (flags 0x%x)", e->flags);
    else
        err = pacl_sharing_offer(&e->sharing, PACL_IPC_EVENT, e, true, key);
    pthread_mutex_unlock(&e->parking.lock);
    return err;
}

bool pacl_event_is_lost(struct pacl_event *e, const struct pacl_event_view *view)
{
    pthread_mutex_lock(&e->parking.lock);
    const bool lost = is_lost(e, view->number);
    pthread_mutex_unlock(&e->parking.lock);
    return lost;
}

/* Lets streams and threads look at the page again. */
static void look_again(struct pacl_event *e, uint64_t object, void (*first)(struct pacl_event *, unsigned),
                       unsigned participant)
{
    struct pacl_list passing;
    pacl_list_init(&passing);
    pthread_mutex_lock(&e->parking.lock);
    if (e->sharing.id == object) {
        if (first != NULL)
            first(e, participant);
        if (e->hosts > 0) {
            pacl_add_seq_cst(&e->stamp_word, 1);
            os_futex_wake(&e->stamp_word, INT32_MAX);
        }
        collect_passing(e, &passing);
    }
    pthread_mutex_unlock(&e->parking.lock);
    pacl_park_end_all(&passing);
}

static void on_changed(void *slot, uint64_t object)
{
    look_again(slot, object, NULL, 0);
}

static void lose(struct pacl_event *e, unsigned participant)
{
    if (e->sharing.participant != 0) {
        e->sharing.creator_gone = true;
        return;
    }
    pacl_shared_records_lose(&e->sharing, participant);
    pacl_ipc_nudge(e->sharing.id); /* the others learn it from the page */
}

static void on_left(void *slot, uint64_t object, unsigned participant)
{
    look_again(slot, object, lose, participant);
}

const struct pacl_ipc_watcher pacl_event_watcher = { .changed = on_changed, .left = on_left };

/* --- for graphs -------------------------------------------------------------------------------------------------- */

struct pacl_event *pacl_event_create_inner(void)
{
    struct pacl_event *e = pacl_pool_take(&pacl_events);
    if (e == NULL)
        return NULL;
    prepare_slot(e);
    e->context = NULL;
    e->device = NULL;
    e->flags = 0;
    e->extended = true;
    e->counted = e->recorded = false;
    e->records = e->number = e->stamped = e->stamp_ns = 0;
    e->source = NULL;
    e->waits = e->hosts = 0;
    e->references = 1;
    e->captured_by = 0;
    return e;
}

aclError pacl_event_keep(struct pacl_event *e, aclrtEvent own)
{
    pthread_mutex_lock(&e->parking.lock);
    const bool open = pacl_object_handle(&e->object) == own; /* withdrawn before the last reference is dropped */
    const aclError err = open ? count(e) : refuse_destroyed(own);
    if (err == ACL_SUCCESS)
        e->references++;
    pthread_mutex_unlock(&e->parking.lock);
    return err;
}

void pacl_event_unkeep(struct pacl_event *e)
{
    pthread_mutex_lock(&e->parking.lock);
    unlock_and_drop(e);
}

void pacl_event_promise(struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    pthread_mutex_lock(&e->parking.lock);
    work->event.source = NULL;
    work->event.number = work->event.record = e->records + 1;
    note_record(e, NULL, e->records + 1);
    e->references++;
    pthread_mutex_unlock(&e->parking.lock);
}

bool pacl_event_bind(struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    bool needed;
    pthread_mutex_lock(&e->parking.lock);
    (void)prepare_wait(e, work, &needed);
    if (needed) {
        e->waits++;
        e->references++;
    }
    pthread_mutex_unlock(&e->parking.lock);
    return needed;
}

void pacl_event_settle(const struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    struct pacl_list passing;
    pacl_list_init(&passing);
    pthread_mutex_lock(&e->parking.lock);
    if (work->op == PACL_OP_RECORD) {
        stamp(e, work->event.number);
        collect_passing(e, &passing);
    } else {
        e->waits--;
    }
    unlock_and_drop(e);
    pacl_park_end_all(&passing);
}

bool pacl_event_try_join(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_event *e = work->event.event;
    pthread_mutex_lock(&e->parking.lock);
    const bool passes = may_pass(e, work);
    if (!passes)
        pacl_park_firmly(&e->parking, s);
    pthread_mutex_unlock(&e->parking.lock);
    if (passes)
        pacl_event_pass(work);
    return passes;
}
