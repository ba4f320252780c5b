/* SPDX-License-Identifier: Apache-2.0 */
#include "core/captures.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/log.h"
#include "core/context.h"
#include "core/event.h"
#include "core/graph_task.h"
#include "core/observer.h"
#include "core/place.h"
#include "core/runtime.h"

enum { LANES_MAX = 1024 };

pthread_mutex_t pacl_captures_lock = PTHREAD_MUTEX_INITIALIZER;
struct pacl_list pacl_captures = { &pacl_captures, &pacl_captures };
static uint64_t last_id;
_Atomic uint32_t pacl_captures_open;

static _Thread_local aclmdlRICaptureMode thread_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
_Thread_local struct pacl_last_task pacl_last_task;

/* Names the thread while it lives; one that comes later may get the same name, as it may get the same stack. */
static const void *this_thread(void)
{
    return &thread_mode;
}

aclError pacl_capture_check_handle(const struct pacl_stream *s, const void *handle)
{
    return pacl_object_handle(&s->object) == handle
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "stream %p was destroyed by another thread", handle);
}

/* --- begin and end ----------------------------------------------------------------------------------------------- */

/* Under the lock: the stream becomes the capture's. */
static aclError enter(struct pacl_capture *c, struct pacl_stream *s, void *handle)
{
    struct pacl_lane *lane = c->graph->lane_count < LANES_MAX ? pacl_graph_add_lane(c->graph) : NULL;
    if (lane == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for another stream of the capture, or more than %d",
                         LANES_MAX);
    if (!pacl_stream_close_for_capture(s, handle)) {
        c->graph->lane_count--;
        return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "stream %p was destroyed by another thread", handle);
    }
    lane->recorded = s;
    pacl_store_release(&s->capture, c);
    PACL_TRACE(STREAM, "stream %u: captured by graph %u", s->id, c->graph->id);
    return ACL_SUCCESS;
}

/* Under the lock: the stream runs again what is submitted to it. */
static void leave(struct pacl_lane *lane)
{
    pacl_store_release(&lane->recorded->capture, NULL);
    pacl_stream_reopen(lane->recorded);
    lane->recorded = NULL;
}

/* Under the lock. */
static void close_capture(struct pacl_capture *c)
{
    for (uint32_t i = 0; i < c->graph->lane_count; i++)
        leave(&c->graph->lanes[i]);
    pacl_list_remove(&c->link);
    pacl_sub_seq_cst(&pacl_captures_open, 1);
}

static void discard(struct pacl_capture *c)
{
    pacl_graph_discard(c->graph);
    free(c);
}

static bool holds_default_stream(const struct pacl_stream *s)
{
    struct pacl_context *context = s->context;
    return context->default_stream == s;
}

/* What no capture takes. */
aclError pacl_capture_refuse_unfit(const struct pacl_stream *s)
{
    const uint32_t unfit = ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
    if ((s->flags & unfit) != 0)
        return PACL_FAIL(ACL_ERROR_RT_INTERNAL_ERROR,
                         "stream %u has flags 0x%x: persistent and device-side streams cannot be captured", s->id,
                         s->flags);
    if (holds_default_stream(s))
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, "stream %u is the default stream: it cannot be captured",
                         s->id);
    return ACL_SUCCESS;
}

static struct pacl_capture *create(struct pacl_stream *s, aclmdlRICaptureMode mode)
{
    struct pacl_capture *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->graph = pacl_graph_create(mode);
    if (c->graph == NULL) {
        free(c);
        return NULL;
    }
    c->mode = mode;
    c->context = s->context;
    c->thread = this_thread();
    return c;
}

/* Under the lock. */
static aclError begin(struct pacl_capture *c, struct pacl_stream *s, void *handle)
{
    if (pacl_stream_is_capturing(s))
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURED, "stream %u is being captured already", s->id);
    const aclError err = enter(c, s, handle);
    if (err != ACL_SUCCESS)
        return err;
    c->id = ++last_id;
    pacl_list_append(&pacl_captures, &c->link);
    pacl_add_seq_cst(&pacl_captures_open, 1);
    return ACL_SUCCESS;
}

aclError pacl_capture_begin(struct pacl_stream *s, void *handle, aclmdlRICaptureMode mode)
{
    aclError err = pacl_capture_refuse_stream(s);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_unfit(s);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_capture *c = create(s, mode);
    if (c == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a capture");
    pthread_mutex_lock(&pacl_captures_lock);
    err = begin(c, s, handle);
    pthread_mutex_unlock(&pacl_captures_lock);
    if (err != ACL_SUCCESS)
        discard(c);
    return err;
}

/* Marks what the origin's end comes after: its own tasks, and those before each record that it or they wait for. Nodes
 * are in the order of recording, so one look backwards finds all. */
static bool mark_before(const struct pacl_graph *g, uint32_t *reached)
{
    for (uint32_t i = g->node_count; i-- > 0;) {
        const struct pacl_node *node = &g->nodes[i];
        if (i >= reached[node->lane])
            continue;
        if (node->work.op == PACL_OP_WAIT && node->inner) {
            uint32_t *other = &reached[g->nodes[node->awaits].lane];
            if (*other < node->awaits + 1)
                *other = node->awaits + 1;
        }
    }
    for (uint32_t i = 1; i < g->lane_count; i++) {
        if (reached[i] < g->lanes[i].last)
            return false;
    }
    return true;
}

static aclError check_joined(const struct pacl_graph *g)
{
    uint32_t *reached = calloc(g->lane_count, sizeof *reached);
    if (reached == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to end a capture");
    reached[0] = g->node_count;
    const bool joined = mark_before(g, reached);
    free(reached);
    return joined ? ACL_SUCCESS
                  : PACL_FAIL(ACL_ERROR_RT_STREAM_UNJOINED,
                              "a stream that joined the capture does not join back: record an event at its end and let "
                              "the first stream wait for it; the capture is discarded");
}

aclError pacl_capture_refuse_uncaptured(const struct pacl_stream *s, const struct pacl_capture *c)
{
    return PACL_FAIL(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "stream %u is not being captured%s", s->id,
                     c != NULL ? ": the tasks of a group are given anew there (aclmdlRICaptureTaskUpdateEnd)" : "");
}

/* Under the lock: faults that leave the capture open. */
static aclError check_origin(const struct pacl_stream *s, const struct pacl_capture *c)
{
    if (c == NULL || c->update != NULL)
        return pacl_capture_refuse_uncaptured(s, c);
    if (c->graph->lanes[0].recorded != s)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
                         "stream %u joined a capture that began on stream %u; end it there", s->id,
                         c->graph->lanes[0].recorded->id);
    return ACL_SUCCESS;
}

static aclError check_groups(const struct pacl_graph *g)
{
    uint32_t lane = 0;
    while (lane < g->lane_count && g->lanes[lane].group == 0)
        lane++;
    return lane == g->lane_count
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                           "a task group is open: aclmdlRICaptureTaskGrpEnd comes first; the capture is discarded");
}

/* Faults that end it without a graph. */
static aclError check_ended(const struct pacl_capture *c)
{
    if (c->thread != this_thread() && c->mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
                         "another thread began the capture, and its mode is not relaxed; the capture is discarded");
    if (c->invalid)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                         "a call that the capture's mode forbids was made meanwhile; the capture is discarded");
    const aclError err = check_joined(c->graph);
    return err == ACL_SUCCESS ? check_groups(c->graph) : err;
}

aclError pacl_capture_end(struct pacl_stream *s, const void *handle, aclmdlRI *graph)
{
    pthread_mutex_lock(&pacl_captures_lock);
    struct pacl_capture *c = pacl_load_relaxed(&s->capture);
    aclError err = pacl_capture_check_handle(s, handle);
    if (err == ACL_SUCCESS)
        err = check_origin(s, c);
    if (err == ACL_SUCCESS)
        close_capture(c);
    pthread_mutex_unlock(&pacl_captures_lock);
    if (err != ACL_SUCCESS)
        return err;
    err = check_ended(c);
    if (err == ACL_SUCCESS)
        err = pacl_graph_complete(c->graph);
    if (err != ACL_SUCCESS) {
        discard(c);
        return err;
    }
    PACL_OBSERVE(graph_created, c->graph);
    *graph = pacl_object_handle(&c->graph->object);
    free(c);
    return ACL_SUCCESS;
}

/* Under the lock. */
static void tell_info(const struct pacl_capture *c, aclmdlRICaptureStatus *status, aclmdlRI *graph)
{
    if (c != NULL && c->update != NULL)
        c = NULL;
    *status = c == NULL    ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
              : c->invalid ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                           : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
    *graph = c != NULL ? pacl_object_handle(&c->graph->object) : NULL;
}

aclError pacl_capture_info(struct pacl_stream *s, const void *handle, aclmdlRICaptureStatus *status, aclmdlRI *graph)
{
    pthread_mutex_lock(&pacl_captures_lock);
    const aclError err = pacl_capture_check_handle(s, handle);
    if (err == ACL_SUCCESS)
        tell_info(pacl_load_relaxed(&s->capture), status, graph);
    pthread_mutex_unlock(&pacl_captures_lock);
    return err;
}

void pacl_capture_abandon(struct pacl_stream *s)
{
    if (!pacl_captures_any())
        return;
    pthread_mutex_lock(&pacl_captures_lock);
    struct pacl_capture *c = pacl_load_relaxed(&s->capture);
    if (c != NULL && c->update != NULL)
        pacl_capture_close_update(c);
    else if (c != NULL)
        close_capture(c);
    pthread_mutex_unlock(&pacl_captures_lock);
    if (c != NULL && c->update != NULL)
        pacl_capture_free_update(c);
    else if (c != NULL)
        discard(c);
}

void pacl_captures_forget(void)
{
    pacl_list_init(&pacl_captures);
    pacl_store_seq_cst(&pacl_captures_open, 0);
    pthread_mutex_init(&pacl_captures_lock, NULL);
}

/* --- recording --------------------------------------------------------------------------------------------------- */

static bool can_be_recorded(const struct pacl_work *work)
{
    switch (work->op) {
    case PACL_OP_COPY:
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
    case PACL_OP_RECORD:
    case PACL_OP_WAIT:
    case PACL_OP_HOST_FUNCTION:
    case PACL_OP_KERNEL:
    case PACL_OP_REDUCE:
    case PACL_OP_VALUE_WRITE:
    case PACL_OP_VALUE_WAIT:
    case PACL_OP_COPY_BY_CELLS:
    case PACL_OP_COPY_BY_DESC:
        return true;
    default:
        return false;
    }
}

static aclError refuse_unrecorded(void)
{
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "this call cannot be captured");
}

uint32_t pacl_capture_lane(const struct pacl_graph *g, const struct pacl_stream *s)
{
    uint32_t lane = 0;
    while (lane < g->lane_count && g->lanes[lane].recorded != s)
        lane++;
    return lane;
}

static aclError check_work(const struct pacl_capture *c, const struct pacl_work *work)
{
    const uint64_t limit = pacl_runtime()->graph_descriptors, more = pacl_work_descriptors(work);
    if (c->invalid)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                         "a call that the capture's mode forbids was made meanwhile; end the capture");
    if (!can_be_recorded(work))
        return refuse_unrecorded();
    if (more > limit - c->graph->descriptors)
        return PACL_FAIL(
            ACL_ERROR_RT_NO_STREAM_RESOURCE,
            "the graph holds %llu descriptors and this task takes %llu more (one per row); the most is %llu (PACL_GRAPH_DESCRIPTORS)",
            (unsigned long long)c->graph->descriptors, (unsigned long long)more, (unsigned long long)limit);
    return ACL_SUCCESS;
}

/* As the graph keeps it. Copies between blocks of devices name the devices of both: any device may run the graph. */
static struct pacl_work recorded_work(const struct pacl_work *work)
{
    struct pacl_work own = *work;
    own.flags = (uint8_t)((work->flags & PACL_REGISTERED) | PACL_KEPT);
    if (work->op != PACL_OP_COPY)
        return own;
    const struct pacl_place dst = pacl_place_of(work->copy.dst), src = pacl_place_of(work->copy.src);
    if (dst.memory != PACL_MEMORY_DEVICE || src.memory != PACL_MEMORY_DEVICE)
        return own;
    own.peer[0] = dst.mapped ? PACL_PEER_MAPPED : (uint8_t)(dst.device + 1);
    own.peer[1] = src.mapped ? PACL_PEER_MAPPED : (uint8_t)(src.device + 1);
    return own;
}

/* Under the lock. */
static aclError record(struct pacl_capture *c, const struct pacl_stream *s, const struct pacl_work *work,
                       struct pacl_node **out)
{
    struct pacl_graph *g = c->graph;
    const aclError err = check_work(c, work);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_node *node = pacl_graph_add_node(g);
    if (node == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for another task of the graph");
    node->work = recorded_work(work);
    node->lane = pacl_capture_lane(g, s);
    if (work->op != PACL_OP_RECORD && work->op != PACL_OP_WAIT) /* they order the graph and cannot be given anew */
        node->group = g->lanes[node->lane].group;
    pacl_last_task.capture = c->id;
    pacl_last_task.node = g->node_count - 1;
    g->lanes[node->lane].last = g->node_count;
    g->descriptors += pacl_work_descriptors(work);
    g->has_host_functions |= work->op == PACL_OP_HOST_FUNCTION;
    PACL_OBSERVE(captured, &node->place);
    *out = node;
    return ACL_SUCCESS;
}

/* Under the lock: all of them, or the graph is as it was. */
static aclError record_all(struct pacl_capture *c, const struct pacl_stream *s, const struct pacl_work *works,
                           size_t count, size_t *bad)
{
    struct pacl_graph *g = c->graph;
    struct pacl_lane *lane = &g->lanes[pacl_capture_lane(g, s)];
    const uint32_t nodes = g->node_count, last = lane->last;
    const uint64_t descriptors = g->descriptors;
    const struct pacl_last_task last_task = pacl_last_task;
    const bool has_host_functions = g->has_host_functions;
    aclError err = ACL_SUCCESS;
    struct pacl_node *node;
    for (*bad = 0; *bad < count; ++*bad) {
        err = record(c, s, &works[*bad], &node);
        if (err != ACL_SUCCESS)
            break;
    }
    if (err != ACL_SUCCESS) {
        g->node_count = nodes;
        g->descriptors = descriptors;
        g->has_host_functions = has_host_functions;
        lane->last = last;
        pacl_last_task = last_task;
    }
    return err;
}

/* Under the lock. `c` is the task of the group that the work is to be, the one of that number. */
static aclError check_update(const struct pacl_update *u, const struct pacl_change *c, uint32_t number,
                             const struct pacl_work *work)
{
    if (!can_be_recorded(work))
        return refuse_unrecorded();
    if (c == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MODEL_UPDATE_FAILED, "the group has %u task(s), and all were given", u->expected);
    if (c->work.op != work->op)
        return PACL_FAIL(ACL_ERROR_RT_MODEL_UPDATE_FAILED,
                         "task %u of the group was captured by %s, and this call makes another kind of task", number,
                         c->work.call);
    return ACL_SUCCESS;
}

/* Under the lock: the next tasks of the group. */
static aclError record_update(struct pacl_update *u, const struct pacl_work *works, size_t count, size_t *bad)
{
    const struct pacl_change *c = u->next;
    for (*bad = 0; *bad < count; ++*bad) {
        const aclError err = check_update(u, c, u->given + (uint32_t)*bad, &works[*bad]);
        if (err != ACL_SUCCESS)
            return err;
        c = c->next;
    }
    for (size_t i = 0; i < count; i++) {
        u->next->work = recorded_work(&works[i]);
        u->next->disables = false;
        PACL_OBSERVE(captured, &u->next->place);
        u->next = u->next->next;
        u->given++;
    }
    return ACL_SUCCESS;
}

aclError pacl_capture_add(struct pacl_stream *s, const void *handle, const struct pacl_work *works, size_t count,
                          size_t *bad, bool *recorded)
{
    *recorded = false;
    *bad = 0;
    pthread_mutex_lock(&pacl_captures_lock);
    struct pacl_capture *c = pacl_load_relaxed(&s->capture);
    aclError err = pacl_capture_check_handle(s, handle);
    if (err == ACL_SUCCESS && c != NULL) {
        err = c->update != NULL ? record_update(c->update, works, count, bad) : record_all(c, s, works, count, bad);
        *recorded = err == ACL_SUCCESS;
    }
    pthread_mutex_unlock(&pacl_captures_lock);
    return err;
}

/* --- events ------------------------------------------------------------------------------------------------------ */

/* Under the lock: the open capture of the event's newest record, or NULL. */
static struct pacl_capture *captor_of(const struct pacl_event *e)
{
    PACL_LIST_EACH(node, &pacl_captures)
    {
        struct pacl_capture *c = PACL_CONTAINER(node, struct pacl_capture, link);
        if (e->captured_by != 0 && c->id == e->captured_by)
            return c;
    }
    return NULL;
}

static bool has_capture(const struct pacl_context *context)
{
    PACL_LIST_EACH(node, &pacl_captures)
    {
        if (PACL_CONTAINER(node, struct pacl_capture, link)->context == context)
            return true;
    }
    return false;
}

static void name_event(struct pacl_node *node, const struct pacl_event *e)
{
    node->event_handle = pacl_object_handle(&e->object);
    node->event_flags = pacl_load_relaxed(&e->flags);
}

/* The graph executes the event's record or wait itself, for others to see. */
static aclError record_external(struct pacl_capture *c, struct pacl_event *e, aclrtEvent own,
                                const struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_node *node;
    aclError err = pacl_event_keep(e, own);
    if (err != ACL_SUCCESS)
        return err;
    err = record(c, s, work, &node);
    if (err != ACL_SUCCESS) {
        pacl_event_unkeep(e);
        return err;
    }
    name_event(node, e);
    c->graph->has_external_events = true;
    return ACL_SUCCESS;
}

static aclError record_inner(struct pacl_capture *c, struct pacl_event *e, const struct pacl_stream *s,
                             const struct pacl_work *work)
{
    struct pacl_node *node;
    const aclError err = record(c, s, work, &node);
    if (err != ACL_SUCCESS)
        return err;
    node->inner = true;
    node->work.event.event = NULL; /* the graph makes one of its own */
    name_event(node, e);
    e->captured_by = c->id;
    e->captured_at = c->graph->node_count - 1;
    return ACL_SUCCESS;
}

static aclError wait_inner(struct pacl_capture *c, const struct pacl_event *e, const struct pacl_stream *s,
                           const struct pacl_work *work)
{
    struct pacl_node *node;
    const aclError err = record(c, s, work, &node);
    if (err != ACL_SUCCESS)
        return err;
    node->inner = true;
    node->work.event.event = NULL;
    name_event(node, e);
    node->awaits = e->captured_at;
    return ACL_SUCCESS;
}

/* A wait for what was recorded outside: the graph could not know it. */
static aclError wait_outside(struct pacl_event *e, const struct pacl_stream *s)
{
    if (!pacl_event_look(e).recorded)
        return ACL_SUCCESS; /* an extended event that was never recorded holds nobody up */
    return PACL_FAIL(
        ACL_ERROR_RT_CAPTURE_DEPENDENCY,
        "stream %u is being captured, and event %p was recorded outside of the capture; use the external flag", s->id,
        pacl_object_handle(&e->object));
}

static aclError capture_wait(struct pacl_capture *c, struct pacl_event *e, struct pacl_stream *s, void *handle,
                             const struct pacl_work *work)
{
    struct pacl_capture *captor = captor_of(e);
    if (captor == NULL)
        return wait_outside(e, s);
    if (c != NULL && c != captor)
        return PACL_FAIL(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
                         "stream %u and event %p belong to two captures, which cannot become one", s->id,
                         pacl_object_handle(&e->object));
    if (captor->invalid)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "the capture of event %p is invalid; end it",
                         pacl_object_handle(&e->object));
    if (c != NULL)
        return wait_inner(captor, e, s, work);
    aclError err = pacl_capture_refuse_unfit(s);
    if (err == ACL_SUCCESS)
        err = enter(captor, s, handle);
    if (err != ACL_SUCCESS)
        return err;
    err = wait_inner(captor, e, s, work);
    if (err != ACL_SUCCESS) /* it has not joined */
        leave(&captor->graph->lanes[--captor->graph->lane_count]);
    return err;
}

/* Under the lock. */
static aclError capture_event(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle,
                              const struct pacl_work *work, bool external, bool *handled)
{
    const aclError err = pacl_capture_check_handle(s, handle);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_capture *c = pacl_load_relaxed(&s->capture);
    const bool joins = work->op == PACL_OP_WAIT && !external && captor_of(e) != NULL;
    *handled = c != NULL || joins;
    if (!*handled && work->op == PACL_OP_RECORD)
        e->captured_by = 0; /* recorded anew, outside */
    if (holds_default_stream(s) && has_capture(s->context))
        return PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                         "stream %u is the default stream of a context that captures another one", s->id);
    if (!*handled)
        return ACL_SUCCESS;
    if (c != NULL && c->update != NULL)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "stream %u: the tasks of a group are given anew there, and events are in no group", s->id);
    if (!e->extended || (e->flags & ACL_EVENT_IPC) != 0)
        return PACL_FAIL(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "flags 0x%x: on captured streams only events of aclrtCreateEventExWithFlag that belong to this process can be used",
            e->flags);
    if (external)
        return record_external(c, e, own, s, work);
    return work->op == PACL_OP_RECORD ? record_inner(c, e, s, work) : capture_wait(c, e, s, handle, work);
}

aclError pacl_capture_event(struct pacl_event *e, aclrtEvent own, struct pacl_stream *s, void *handle,
                            const struct pacl_work *work, bool external, bool *handled)
{
    pthread_mutex_lock(&pacl_captures_lock);
    const aclError err = capture_event(e, own, s, handle, work, external, handled);
    pthread_mutex_unlock(&pacl_captures_lock);
    return err;
}

aclError pacl_capture_refuse_event(const struct pacl_event *e)
{
    if (!pacl_captures_any())
        return ACL_SUCCESS;
    pthread_mutex_lock(&pacl_captures_lock);
    const bool captured = captor_of(e) != NULL;
    pthread_mutex_unlock(&pacl_captures_lock);
    return captured ? PACL_FAIL(ACL_ERROR_RT_EVENT_CAPTURED,
                                "event %p was recorded on a stream that is being captured: nothing will reach it now",
                                pacl_object_handle(&e->object))
                    : ACL_SUCCESS;
}

/* --- what others may do ------------------------------------------------------------------------------------------ */

aclmdlRICaptureMode pacl_capture_exchange_mode(aclmdlRICaptureMode mode)
{
    const aclmdlRICaptureMode before = thread_mode;
    thread_mode = mode;
    return before;
}

aclError pacl_capture_refuse_stream(const struct pacl_stream *s)
{
    return pacl_stream_is_capturing(s)
               ? PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURED, "stream %u is being captured; end the capture first", s->id)
               : ACL_SUCCESS;
}

/* [C], by the thread's exchanged mode. */
static bool is_forbidden_by(const struct pacl_capture *c, const struct pacl_context *context)
{
    const bool own = c->thread == this_thread();
    if (thread_mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED || c->mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        return false;
    if (thread_mode == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL)
        return own;
    return c->mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL ? c->context == context : own;
}

aclError pacl_capture_allows(aclError code)
{
    bool forbidden = false;
    if (!pacl_captures_any())
        return ACL_SUCCESS;
    const struct pacl_context *context = pacl_context_peek();
    pthread_mutex_lock(&pacl_captures_lock);
    PACL_LIST_EACH(node, &pacl_captures)
    {
        struct pacl_capture *c = PACL_CONTAINER(node, struct pacl_capture, link);
        if (is_forbidden_by(c, context))
            c->invalid = forbidden = true;
    }
    pthread_mutex_unlock(&pacl_captures_lock);
    return forbidden
               ? PACL_FAIL(code, "a stream is being captured in a mode that forbids this call, and the capture is "
                                 "now invalid; aclmdlRICaptureThreadExchangeMode makes a thread's mode relaxed")
               : ACL_SUCCESS;
}
