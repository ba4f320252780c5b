/* SPDX-License-Identifier: Apache-2.0 */
#include "core/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "core/context.h"
#include "core/event.h"
#include "core/graph_task.h"
#include "core/host_queue.h"
#include "core/observer.h"
#include "core/runtime.h"
#include "core/schedule.h"
#include "os/os.h"

enum { START_BUDGET = 4 * 1024 * 1024 }; /* bytes of light tasks that the thread which starts a graph runs itself */

/* Belongs to its task, and to the call that queues it until that returns. */
struct pacl_execution {
    struct pacl_graph *graph;
    struct pacl_version *version; /* held: the tasks as they were when it was queued */
    _Atomic uint32_t references;
    struct pacl_stream *stream;
    /* Guarded by the graph's lock. */
    bool started;   /* its tasks are in the inner streams */
    bool over;      /* and have finished */
    bool aborted;   /* the inner streams skip what they have not begun */
    aclError error; /* the first failure of its tasks; written before `over` */
    char *text;
    /* Its external records and waits, in the order of the nodes: as they were when it was queued. A wait that had nothing
     * to wait for has the number 0. */
    uint32_t bound_count;
    struct pacl_work bound[];
};

/* --- life -------------------------------------------------------------------------------------------------------- */

static _Atomic uint32_t last_id;

struct pacl_graph *pacl_graph_create(aclmdlRICaptureMode mode)
{
    struct pacl_graph *g = pacl_pool_take(&pacl_graphs);
    if (g == NULL)
        return NULL;
    if (!g->prepared)
        pacl_parking_prepare(&g->parking);
    g->prepared = true;
    pthread_mutex_lock(&g->parking.lock); /* a call with a stale handle may still look */
    g->id = pacl_add_seq_cst(&last_id, 1) + 1;
    g->mode = mode;
    g->nodes = NULL;
    g->lanes = NULL;
    g->groups = NULL;
    g->version = NULL;
    g->staged = NULL;
    g->node_count = g->node_room = g->lane_count = g->group_count = 0;
    g->descriptors = 0;
    g->has_host_functions = g->has_external_events = g->complete = false;
    g->pending = 0;
    g->running = NULL;
    g->name = NULL;
    g->first = NULL;
    pthread_mutex_unlock(&g->parking.lock);
    pacl_object_open(&pacl_graphs, &g->object);
    return g;
}

struct pacl_node *pacl_graph_add_node(struct pacl_graph *g)
{
    if (g->node_count == g->node_room) {
        const uint32_t room = g->node_room == 0 ? 64 : 2 * g->node_room;
        struct pacl_node *nodes = realloc(g->nodes, room * sizeof *nodes);
        if (nodes == NULL)
            return NULL;
        g->nodes = nodes;
        g->node_room = room;
    }
    struct pacl_node *node = &g->nodes[g->node_count++];
    *node = (struct pacl_node){ 0 };
    return node;
}

struct pacl_lane *pacl_graph_add_lane(struct pacl_graph *g)
{
    struct pacl_lane *lanes = realloc(g->lanes, (g->lane_count + 1) * sizeof *lanes);
    if (lanes == NULL)
        return NULL;
    g->lanes = lanes;
    lanes[g->lane_count] = (struct pacl_lane){ 0 };
    return &lanes[g->lane_count++];
}

static bool is_event(const struct pacl_node *node)
{
    return node->work.op == PACL_OP_RECORD || node->work.op == PACL_OP_WAIT;
}

static bool is_external(const struct pacl_node *node)
{
    return is_event(node) && !node->inner;
}

static bool make_streams_and_events(struct pacl_graph *g)
{
    for (uint32_t i = 0; i < g->lane_count; i++) {
        g->lanes[i].stream = pacl_stream_create_inner();
        if (g->lanes[i].stream == NULL)
            return false;
    }
    for (uint32_t i = 0; i < g->node_count; i++) {
        struct pacl_node *node = &g->nodes[i];
        if (!node->inner || node->work.op != PACL_OP_RECORD)
            continue;
        node->event = pacl_event_create_inner();
        if (node->event == NULL)
            return false;
    }
    return true;
}

aclError pacl_graph_complete(struct pacl_graph *g)
{
    struct pacl_version *version = calloc(1, sizeof *version);
    if (version == NULL || !make_streams_and_events(g)) {
        free(version);
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for the graph's %u stream(s) and %u task(s)",
                         g->lane_count, g->node_count);
    }
    *version = (struct pacl_version){ .references = 1, .nodes = g->nodes };
    pthread_mutex_lock(&g->parking.lock);
    g->version = version;
    g->complete = true;
    pthread_mutex_unlock(&g->parking.lock);
    PACL_TRACE(STREAM, "graph %u: %u task(s) on %u stream(s)", g->id, g->node_count, g->lane_count);
    return ACL_SUCCESS;
}

/* What the original's copies take: one descriptor per row, long rows in pieces of 64 MiB. */
uint64_t pacl_work_descriptors(const struct pacl_work *work)
{
    enum { BYTES_PER_DESCRIPTOR = 64 * 1024 * 1024 };
    if (work->op != PACL_OP_COPY)
        return 1;
    return (uint64_t)work->height * ((work->copy.width + BYTES_PER_DESCRIPTOR - 1) / BYTES_PER_DESCRIPTOR);
}

static void release_node(const struct pacl_node *node)
{
    pacl_task_work_release(&node->work);
    if (node->event != NULL)
        pacl_event_unkeep(node->event);
    if (node->info != NULL) {
        free(node->info->bytes);
        free(node->info->text);
        free(node->info);
    }
}

void pacl_version_drop(struct pacl_version *v, struct pacl_version **gone)
{
    while (v != NULL && --v->references == 0) {
        struct pacl_version *next = v->next;
        v->next = *gone;
        *gone = v;
        v = next;
    }
}

void pacl_versions_free(struct pacl_version *gone)
{
    while (gone != NULL) {
        struct pacl_version *v = gone;
        gone = v->next;
        pacl_changes_free(v->replaced);
        free(v->nodes);
        free(v);
    }
}

/* The handle is withdrawn, and nothing of it runs but perhaps the last instructions of an END. */
static void release(struct pacl_graph *g)
{
    pacl_graph_close_parts(g);
    for (uint32_t i = 0; i < g->lane_count; i++) {
        if (g->lanes[i].stream != NULL)
            pacl_stream_release_inner(g->lanes[i].stream);
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        release_node(&g->nodes[i]);
    while (g->first != NULL) {
        struct pacl_graph_callback *gone = g->first;
        g->first = gone->next;
        free(gone);
    }
    pacl_changes_free(g->staged);
    free(g->version);
    free(g->nodes);
    free(g->lanes);
    free(g->groups);
    free(g->name);
    pacl_pool_give(&pacl_graphs, &g->object);
}

void pacl_graph_discard(struct pacl_graph *g)
{
    if (pacl_object_close(&g->object, pacl_object_handle(&g->object)))
        release(g);
}

aclError pacl_graph_from_handle(aclmdlRI handle, struct pacl_graph **out)
{
    if (handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "modelRI is null");
    struct pacl_graph *g = pacl_pool_find(&pacl_graphs, handle);
    if (g == NULL)
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_INVALID_HANDLE, "modelRI %p is %s, not a captured graph", handle,
                                 pacl_handle_names(handle));
    *out = g;
    return ACL_SUCCESS;
}

aclError pacl_graph_lock(struct pacl_graph *g, aclmdlRI own)
{
    pthread_mutex_lock(&g->parking.lock);
    const bool open = pacl_object_handle(&g->object) == own, usable = open && g->complete;
    if (usable)
        return ACL_SUCCESS;
    pthread_mutex_unlock(&g->parking.lock);
    return open ? PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "graph %p is still being captured", own)
                : PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "graph %p was destroyed by another thread", own);
}

void pacl_graph_unlock(struct pacl_graph *g)
{
    pthread_mutex_unlock(&g->parking.lock);
}

static void call_back(const struct pacl_graph *g)
{
    for (const struct pacl_graph_callback *c = g->first; c != NULL; c = c->next)
        c->run(c->argument);
}

aclError pacl_graph_destroy(struct pacl_graph *g, aclmdlRI own)
{
    aclError err = pacl_graph_lock(g, own);
    if (err != ACL_SUCCESS)
        return err;
    const uint32_t pending = g->pending;
    const bool closed = pending == 0 && pacl_object_close(&g->object, own);
    pacl_graph_unlock(g);
    if (!closed)
        return PACL_FAIL(ACL_ERROR_RT_MODEL_RUNNING,
                         "%u execution(s) of graph %u are queued or running; synchronize their streams first", pending,
                         g->id);
    call_back(g);
    PACL_OBSERVE(graph_destroyed, g);
    release(g);
    return ACL_SUCCESS;
}

aclError pacl_graph_set_name(struct pacl_graph *g, const char *name)
{
    char *copy = strdup(name);
    if (copy == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a name");
    free(g->name);
    g->name = copy;
    return ACL_SUCCESS;
}

/* --- queueing an execution --------------------------------------------------------------------------------------- */

static bool is_bound(const struct pacl_node *node)
{
    return is_external(node) && !node->disabled;
}

static struct pacl_execution *new_execution(struct pacl_graph *g, struct pacl_version *version, struct pacl_stream *s)
{
    uint32_t bound = 0;
    for (uint32_t i = 0; g->has_external_events && i < g->node_count; i++)
        bound += is_bound(&version->nodes[i]) ? 1 : 0;
    struct pacl_execution *x = calloc(1, sizeof *x + bound * sizeof x->bound[0]);
    if (x == NULL)
        return NULL;
    x->graph = g;
    x->version = version;
    x->references = 2;
    x->stream = s;
    x->bound_count = bound;
    return x;
}

/* For others, the graph's external records and waits are made now. */
static void bind_events(struct pacl_execution *x)
{
    const struct pacl_node *nodes = x->version->nodes;
    for (uint32_t i = 0, k = 0; k < x->bound_count; i++) {
        if (!is_bound(&nodes[i]))
            continue;
        struct pacl_work *work = &x->bound[k++];
        *work = nodes[i].work;
        if (work->op == PACL_OP_RECORD)
            pacl_event_promise(work);
        else if (!pacl_event_bind(work))
            work->event.number = 0;
    }
}

static void settle_events(const struct pacl_execution *x)
{
    for (uint32_t i = 0; i < x->bound_count; i++) {
        if (x->bound[i].event.number != 0)
            pacl_event_settle(&x->bound[i]);
    }
}

/* From here on the graph may be destroyed. */
static void count_down(struct pacl_graph *g, struct pacl_version *version)
{
    struct pacl_version *gone = NULL;
    pthread_mutex_lock(&g->parking.lock);
    pacl_version_drop(version, &gone);
    g->pending--;
    pthread_mutex_unlock(&g->parking.lock);
    pacl_versions_free(gone);
}

static void let_go(struct pacl_execution *x)
{
    struct pacl_graph *g = x->graph;
    struct pacl_version *version = x->version;
    if (pacl_sub_seq_cst(&x->references, 1) != 1)
        return;
    free(x->text);
    free(x);
    count_down(g, version);
}

aclError pacl_graph_execute(struct pacl_graph *g, aclmdlRI own, struct pacl_stream *s, void *handle)
{
    aclError err = g->has_host_functions ? pacl_host_queue_require(s->context) : ACL_SUCCESS;
    if (err == ACL_SUCCESS)
        err = pacl_graph_lock(g, own);
    if (err != ACL_SUCCESS)
        return err;
    g->pending++; /* from here on it is not destroyed */
    struct pacl_version *version = g->version;
    version->references++;
    pacl_graph_unlock(g);
    struct pacl_execution *x = new_execution(g, version, s);
    if (x == NULL) {
        count_down(g, version);
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for an execution of graph %u", g->id);
    }
    bind_events(x);
    const struct pacl_work work = { .call = pacl_self.call, .op = PACL_OP_GRAPH, .graph.execution = x };
    err = pacl_stream_submit(s, handle, &work);
    if (err != ACL_SUCCESS)
        settle_events(x);
    let_go(x);
    return err;
}

void pacl_graph_let_go(const struct pacl_work *work)
{
    let_go(work->graph.execution);
}

struct teller {
    pacl_touch_fn *tell;
    void *context;
    const char *captured;
};

static void tell_captured(void *context, const struct pacl_touch *touch)
{
    const struct teller *teller = context;
    struct pacl_touch named = *touch;
    named.captured = teller->captured;
    teller->tell(teller->context, &named);
}

void pacl_graph_touches(const struct pacl_work *work, pacl_touch_fn *tell, void *context)
{
    const struct pacl_execution *x = work->graph.execution;
    struct teller teller = { .tell = tell, .context = context };
    for (uint32_t i = 0; i < x->graph->node_count; i++) {
        const struct pacl_node *node = &x->version->nodes[i];
        teller.captured = node->work.call;
        if (!node->disabled)
            pacl_work_touches(&node->work, tell_captured, &teller);
    }
}

const struct pacl_graph *pacl_graph_of(const struct pacl_work *work)
{
    return work->graph.execution->graph;
}

void pacl_graph_each_task(const struct pacl_work *work, pacl_graph_task_fn *tell, void *context)
{
    const struct pacl_execution *x = work->graph.execution;
    const struct pacl_work *next_bound = x->bound;
    for (uint32_t i = 0; i < x->graph->node_count; i++) {
        const struct pacl_node *node = &x->version->nodes[i];
        struct pacl_work task = is_bound(node) ? *next_bound++ : node->work;
        if (node->inner && task.op == PACL_OP_WAIT)
            task.op = PACL_OP_GRAPH_JOIN;
        if (node->inner)
            task.event.number = task.op == PACL_OP_RECORD ? i : node->awaits;
        if (!node->disabled)
            tell(context, node->lane, &task, node->place);
    }
}

/* Without the lock: it was written before the execution's tasks went into the inner streams, and is next when the last of
 * them has ended. */
const struct pacl_execution *pacl_graph_running(const struct pacl_graph *g)
{
    return g->running;
}

bool pacl_graph_has_inner(const struct pacl_work *work, const struct pacl_stream *inner)
{
    const struct pacl_graph *g = work->graph.execution->graph;
    uint32_t lane = 0;
    while (lane < g->lane_count && g->lanes[lane].stream != inner)
        lane++;
    return lane < g->lane_count;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

/* Under the lock: the execution that goes next; its stream is to be woken without locks. NULL: none waits. */
static struct pacl_stream *pass_on(struct pacl_graph *g)
{
    g->running = NULL;
    PACL_LIST_EACH(node, &g->parking.streams)
    {
        struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_parking);
        struct pacl_execution *x = pacl_stream_head_work(s)->graph.execution;
        if (x->started)
            continue;
        g->running = x;
        pacl_park_leave(s);
        return s;
    }
    return NULL;
}

static void wake(struct pacl_stream *s)
{
    if (s != NULL)
        pacl_stream_end_park(s);
}

/* The stream's task is done: its failures become the stream's. */
static void finish(struct pacl_stream *s, const struct pacl_execution *x)
{
    if (x->error != ACL_SUCCESS)
        pacl_stream_fail(s, pacl_stream_head_work(s), x->error, x->text);
}

/* Tasks that have not begun are skipped, but for those that keep the graph in order. */
static void drop_lanes(const struct pacl_graph *g)
{
    for (uint32_t i = 0; i < g->lane_count; i++)
        pacl_stream_drop_upto(g->lanes[i].stream, pacl_stream_queued(g->lanes[i].stream));
}

/* The task as an inner stream gets it. False: nothing to do. */
static bool work_of(const struct pacl_node *nodes, const struct pacl_node *node, const struct pacl_work **next_bound,
                    struct pacl_work *work)
{
    if (node->disabled)
        return false;
    *work = node->work;
    if (is_external(node)) {
        *work = *(*next_bound)++;
        return work->event.number != 0;
    }
    if (node->work.op == PACL_OP_RECORD) {
        work->event.event = node->event;
        pacl_event_promise(work);
    } else if (node->work.op == PACL_OP_WAIT) {
        work->op = PACL_OP_GRAPH_JOIN;
        work->event.event = nodes[node->awaits].event;
        (void)pacl_event_bind(work); /* promised above, so there is something to wait for */
    }
    return true;
}

/* Nobody else has tasks in the inner streams: executions do not overlap. Nothing runs yet. */
static void push_tasks(struct pacl_execution *x)
{
    const struct pacl_graph *g = x->graph;
    const struct pacl_node *nodes = x->version->nodes;
    const struct pacl_work *next_bound = x->bound;
    for (uint32_t i = 0; i < g->lane_count; i++) {
        struct pacl_stream *lane = g->lanes[i].stream;
        lane->context = pacl_load_relaxed(&x->stream->context);
        lane->device = pacl_load_relaxed(&x->stream->device);
        pacl_store_relaxed(&lane->stops, pacl_load_relaxed(&x->stream->stops));
    }
    for (uint32_t i = 0; i < g->node_count; i++) {
        struct pacl_work work;
        if (work_of(nodes, &nodes[i], &next_bound, &work))
            pacl_stream_push_inner(g->lanes[nodes[i].lane].stream, &work);
    }
    const struct pacl_work end = { .call = pacl_stream_head_work(x->stream)->call,
                                   .op = PACL_OP_GRAPH_END,
                                   .graph.execution = x };
    pacl_stream_push_inner(g->lanes[0].stream, &end);
}

/* Under the lock. The stream waits for END and is no more the caller's. */
static bool park(struct pacl_graph *g, struct pacl_stream *s)
{
    const bool parked = pacl_park(&g->parking, s, 0);
    if (!parked)
        pacl_park_firmly(&g->parking, s); /* it skips what it has, and this task has begun */
    return parked;
}

static void let_run(struct pacl_stream *lane)
{
    const struct pacl_visit visit = { .upto = UINT64_MAX, .budget = START_BUDGET, .light_only = true };
    if (pacl_schedule_is_on())
        pacl_schedule_submitted(lane, pacl_stream_queued(lane));
    else
        (void)pacl_stream_visit(lane, &visit);
}

/* Parks the stream, then lets the inner streams run: light tasks in this thread. The first one last: without it END does
 * not come, after which graph and execution may be gone. */
static void start(struct pacl_execution *x)
{
    struct pacl_graph *g = x->graph;
    struct pacl_stream *first = g->lanes[0].stream;
    pthread_mutex_lock(&g->parking.lock);
    const bool dropped = !park(g, x->stream) || x->aborted;
    pthread_mutex_unlock(&g->parking.lock);
    if (dropped)
        drop_lanes(g);
    for (uint32_t i = 1; i < g->lane_count; i++)
        let_run(g->lanes[i].stream);
    let_run(first);
}

/* The stream was interrupted while its graph runs: it skips what it can and waits for the rest. */
static bool hurry(struct pacl_stream *s, struct pacl_execution *x)
{
    struct pacl_graph *g = x->graph;
    drop_lanes(g);
    pthread_mutex_lock(&g->parking.lock);
    const bool over = x->over;
    if (!over)
        pacl_park_firmly(&g->parking, s);
    pthread_mutex_unlock(&g->parking.lock);
    if (over)
        finish(s, x);
    return over;
}

static bool give_up(struct pacl_stream *s, struct pacl_execution *x)
{
    struct pacl_graph *g = x->graph;
    pthread_mutex_lock(&g->parking.lock);
    struct pacl_stream *next = g->running == x ? pass_on(g) : NULL;
    pthread_mutex_unlock(&g->parking.lock);
    wake(next);
    settle_events(x);
    finish(s, x);
    return true;
}

/* Comes here when the stream's turn has come, when it was its turn among the executions, and at the end. */
bool pacl_graph_run(struct pacl_stream *s, const struct pacl_work *work, bool skips)
{
    struct pacl_execution *x = work->graph.execution;
    struct pacl_graph *g = x->graph;
    pthread_mutex_lock(&g->parking.lock);
    const bool over = x->over, started = x->started;
    const bool busy = !started && !skips && g->running != NULL && g->running != x;
    const bool parked = busy && pacl_park(&g->parking, s, 0);
    const bool begins = !started && !skips && !busy;
    if (begins) {
        g->running = x;
        x->started = true;
    }
    pthread_mutex_unlock(&g->parking.lock);
    if (parked)
        return false;
    if (over) {
        finish(s, x);
        return true;
    }
    if (started)
        return hurry(s, x);
    if (!begins)
        return give_up(s, x);
    push_tasks(x);
    start(x);
    return false;
}

static void collect_failures(struct pacl_execution *x)
{
    const struct pacl_graph *g = x->graph;
    for (uint32_t i = 0; i < g->lane_count; i++) {
        char *text;
        uint64_t exception; /* none: the stream's own failure tells */
        const aclError code = pacl_stream_forget_error(g->lanes[i].stream, &text, &exception);
        if (code != ACL_SUCCESS && x->error == ACL_SUCCESS) {
            x->error = code;
            x->text = text;
        } else {
            free(text);
        }
    }
}

/* Every inner stream has joined the first, so all tasks of this execution have finished. */
void pacl_graph_end(const struct pacl_work *work)
{
    struct pacl_execution *x = work->graph.execution;
    struct pacl_graph *g = x->graph;
    struct pacl_stream *own = NULL;
    collect_failures(x);
    pthread_mutex_lock(&g->parking.lock);
    PACL_LIST_EACH(node, &g->parking.streams)
    {
        struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_parking);
        if (s == x->stream && pacl_stream_head_work(s)->graph.execution == x)
            own = s;
    }
    if (own != NULL)
        pacl_park_leave(own);
    x->over = true; /* an interrupted stream looks itself */
    struct pacl_stream *next = pass_on(g);
    pthread_mutex_unlock(&g->parking.lock);
    wake(own);
    wake(next);
}

/* The tasks are named under the lock, where END does not pass, so they are this execution's. They are dropped without it:
 * whoever ends a wait may have to run what follows. The graph is not destroyed meanwhile. */
aclError pacl_graph_abort(struct pacl_graph *g, aclmdlRI own)
{
    const aclError err = pacl_graph_lock(g, own);
    if (err != ACL_SUCCESS)
        return err;
    const bool runs = g->running != NULL && g->running->started;
    if (runs) {
        g->running->aborted = true;
        g->pending++;
        for (uint32_t i = 0; i < g->lane_count; i++)
            pacl_store_relaxed(&g->lanes[i].aborted_upto, pacl_stream_queued(g->lanes[i].stream));
    }
    pacl_graph_unlock(g);
    if (!runs)
        return ACL_SUCCESS;
    for (uint32_t i = 0; i < g->lane_count; i++)
        pacl_stream_drop_upto(g->lanes[i].stream, pacl_load_relaxed(&g->lanes[i].aborted_upto));
    count_down(g, NULL);
    return ACL_SUCCESS;
}
