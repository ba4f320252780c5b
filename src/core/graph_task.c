/* SPDX-License-Identifier: Apache-2.0 */
#include "core/graph_task.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/event.h"
#include "core/kernel.h"
#include "core/runtime.h"
#include "core/value.h"
#include "pacl/kernel.h"

/* --- handles ----------------------------------------------------------------------------------------------------- */

static const char *name_of(enum pacl_part_kind kind)
{
    return kind == PACL_PART_STREAM ? "stream" : kind == PACL_PART_TASK ? "task" : "handle";
}

static const char *source_of(enum pacl_part_kind kind)
{
    return kind == PACL_PART_STREAM ? "a graph's stream (aclmdlRIGetStreams)"
           : kind == PACL_PART_TASK ? "a graph's task (aclmdlRIGetTasksByStream)"
                                    : "a task group (aclmdlRICaptureTaskGrpEnd)";
}

static aclError refuse(const void *handle, enum pacl_part_kind kind)
{
    if (kind == PACL_PART_STREAM && pacl_pool_find(&pacl_streams, handle) != NULL)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_MODEL,
                         "stream %p belongs to no graph; aclmdlRIGetStreams lists those that do", handle);
    return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_INVALID_HANDLE, "%s %p is %s, not %s", name_of(kind), handle,
                             pacl_handle_names(handle), source_of(kind));
}

/* A part is closed under the lock of its graph, so one that is open there stays so, and names that graph: whoever reads a
 * later graph from the slot finds another handle. The graph's own handle is withdrawn first. */
static aclError lock_part(void *handle, enum pacl_part_kind kind, struct pacl_graph **out, uint32_t *number)
{
    if (handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name_of(kind));
    struct pacl_part *part = pacl_pool_find(&pacl_graph_parts, handle);
    if (part == NULL || pacl_load_relaxed(&part->kind) != (uint32_t)kind)
        return refuse(handle, kind);
    struct pacl_graph *g = pacl_load_relaxed(&part->graph);
    pthread_mutex_lock(&g->parking.lock);
    const bool open = pacl_object_handle(&part->object) == handle && pacl_object_handle(&g->object) != NULL;
    if (open && g->complete) {
        *out = g;
        *number = pacl_load_relaxed(&part->number);
        return ACL_SUCCESS;
    }
    pthread_mutex_unlock(&g->parking.lock);
    return open ? PACL_FAIL(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "group %p: its graph is still being captured", handle)
                : refuse(handle, kind);
}

aclError pacl_graph_lock_task(aclmdlRITask handle, struct pacl_graph **graph, uint32_t *node)
{
    return lock_part(handle, PACL_PART_TASK, graph, node);
}

aclError pacl_graph_lock_group(aclrtTaskGrp handle, struct pacl_graph **graph, uint32_t *group)
{
    return lock_part(handle, PACL_PART_GROUP, graph, group);
}

aclError pacl_graph_lock_stream(aclrtStream handle, struct pacl_graph **graph, uint32_t *lane)
{
    return lock_part(handle, PACL_PART_STREAM, graph, lane);
}

/* The handle of a part, made when it is asked for first; NULL when memory is short. */
static void *handle_of(struct pacl_graph *g, enum pacl_part_kind kind, uint32_t number, struct pacl_part **part)
{
    struct pacl_part *p = *part != NULL ? *part : pacl_pool_take(&pacl_graph_parts);
    if (p == NULL || *part != NULL)
        return p != NULL ? pacl_object_handle(&p->object) : NULL;
    pacl_store_relaxed(&p->graph, g);
    pacl_store_relaxed(&p->kind, kind);
    pacl_store_relaxed(&p->number, number);
    *part = p;
    return pacl_object_open(&pacl_graph_parts, &p->object);
}

static aclError refuse_short(uint32_t room, uint32_t needed, const char *what)
{
    return PACL_FAIL(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, "%s %u: there are %u; a null array tells the number", what,
                     room, needed);
}

static aclError refuse_memory(void)
{
    return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for handles");
}

aclError pacl_graph_list_streams(struct pacl_graph *g, aclrtStream *streams, uint32_t *count)
{
    if (streams != NULL && *count < g->lane_count)
        return refuse_short(*count, g->lane_count, "numStreams");
    for (uint32_t i = 0; streams != NULL && i < g->lane_count; i++) {
        if (handle_of(g, PACL_PART_STREAM, i, &g->lanes[i].part) == NULL)
            return refuse_memory();
    }
    for (uint32_t i = 0; streams != NULL && i < g->lane_count; i++)
        streams[i] = pacl_object_handle(&g->lanes[i].part->object);
    *count = g->lane_count;
    return ACL_SUCCESS;
}

aclError pacl_graph_list_tasks(struct pacl_graph *g, uint32_t lane, aclmdlRITask *tasks, uint32_t *count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < g->node_count; i++)
        found += g->nodes[i].lane == lane ? 1 : 0;
    if (tasks != NULL && *count < found)
        return refuse_short(*count, found, "numTasks");
    for (uint32_t i = 0; tasks != NULL && i < g->node_count; i++) {
        if (g->nodes[i].lane == lane && handle_of(g, PACL_PART_TASK, i, &g->nodes[i].part) == NULL)
            return refuse_memory();
    }
    for (uint32_t i = 0, k = 0; tasks != NULL && i < g->node_count; i++) {
        if (g->nodes[i].lane == lane)
            tasks[k++] = pacl_object_handle(&g->nodes[i].part->object);
    }
    *count = found;
    return ACL_SUCCESS;
}

aclError pacl_graph_add_group(struct pacl_graph *g, aclrtTaskGrp *handle)
{
    struct pacl_part *part = NULL;
    struct pacl_part **groups = realloc(g->groups, (g->group_count + 1) * sizeof(struct pacl_part *));
    if (groups == NULL)
        return refuse_memory();
    g->groups = groups;
    *handle = handle_of(g, PACL_PART_GROUP, g->group_count + 1, &part);
    if (*handle == NULL)
        return refuse_memory();
    groups[g->group_count++] = part;
    return ACL_SUCCESS;
}

static void close_part(struct pacl_part *part)
{
    if (part != NULL && pacl_object_close(&part->object, pacl_object_handle(&part->object)))
        pacl_pool_give(&pacl_graph_parts, &part->object);
}

void pacl_graph_close_parts(struct pacl_graph *g)
{
    pthread_mutex_lock(&g->parking.lock);
    for (uint32_t i = 0; i < g->node_count; i++)
        close_part(g->nodes[i].part);
    for (uint32_t i = 0; i < g->lane_count; i++)
        close_part(g->lanes[i].part);
    for (uint32_t i = 0; i < g->group_count; i++)
        close_part(g->groups[i]);
    pthread_mutex_unlock(&g->parking.lock);
}

/* --- what tasks do ----------------------------------------------------------------------------------------------- */

aclmdlRITaskType pacl_node_type(const struct pacl_node *node)
{
    switch (node->work.op) {
    case PACL_OP_KERNEL:
        return ACL_MODEL_RI_TASK_KERNEL;
    case PACL_OP_RECORD:
        return ACL_MODEL_RI_TASK_EVENT_RECORD;
    case PACL_OP_WAIT:
        return ACL_MODEL_RI_TASK_EVENT_WAIT;
    case PACL_OP_VALUE_WRITE:
        return ACL_MODEL_RI_TASK_VALUE_WRITE;
    case PACL_OP_VALUE_WAIT:
        return ACL_MODEL_RI_TASK_VALUE_WAIT;
    default:
        return ACL_MODEL_RI_TASK_DEFAULT;
    }
}

static void tell_kernel(const struct pacl_kernel_call *call, aclmdlRIKernelTaskParams *params)
{
    memcpy(&params->funcHandle, &call->run, sizeof params->funcHandle);
    params->numBlocks = call->blocks;
    params->isHostArgs = 1;
    params->argsSize = call->size;
    memcpy(&params->args, &call->arguments, sizeof params->args);
}

static void tell_work(const struct pacl_work *work, aclmdlRITaskParams *params)
{
    switch (work->op) {
    case PACL_OP_KERNEL:
        tell_kernel(work->kernel.call, &params->kernelTaskParams);
        return;
    case PACL_OP_VALUE_WRITE:
        params->valueWriteTaskParams.devAddr = work->value.cell;
        params->valueWriteTaskParams.value = work->value.value;
        return;
    case PACL_OP_VALUE_WAIT:
        params->valueWaitTaskParams.devAddr = work->value.cell;
        params->valueWaitTaskParams.value = work->value.value;
        params->valueWaitTaskParams.flag = work->value.flag;
        return;
    default:
        return;
    }
}

static struct pacl_change *staged_of(const struct pacl_graph *g, uint32_t node)
{
    struct pacl_change *c = g->staged;
    while (c != NULL && c->node != node)
        c = c->next;
    return c;
}

void pacl_graph_get_params(const struct pacl_graph *g, uint32_t number, aclmdlRITaskParams *params)
{
    const struct pacl_node *node = &g->nodes[number];
    const struct pacl_change *c = staged_of(g, number);
    const bool changed = c != NULL && !c->disables;
    memset(params, 0, sizeof *params);
    params->type = pacl_node_type(node);
    if (node->group != 0)
        params->taskGrp = pacl_object_handle(&g->groups[node->group - 1]->object);
    if (node->info != NULL) {
        params->opInfoPtr = node->info->bytes;
        params->opInfoSize = node->info->size;
    }
    if (params->type == ACL_MODEL_RI_TASK_EVENT_RECORD || params->type == ACL_MODEL_RI_TASK_EVENT_WAIT) {
        /* Records and waits have the same layout. */
        params->eventRecordTaskParams.event = changed ? c->event_handle : node->event_handle;
        params->eventRecordTaskParams.eventFlag = changed ? c->event_flags : node->event_flags;
        params->eventRecordTaskParams.recordFlag = node->inner ? 0 : ACL_EVENT_RECORD_EXTERNAL;
    } else {
        tell_work(changed ? &c->work : &node->work, params);
    }
}

/* --- staging changes --------------------------------------------------------------------------------------------- */

void pacl_task_work_release(const struct pacl_work *work)
{
    pacl_work_release(work);
    if (work->op == PACL_OP_KERNEL)
        free(work->kernel.call);
    if ((work->op == PACL_OP_RECORD || work->op == PACL_OP_WAIT) && work->event.event != NULL)
        pacl_event_unkeep(work->event.event);
}

void pacl_changes_free(struct pacl_change *changes)
{
    while (changes != NULL) {
        struct pacl_change *c = changes;
        changes = c->next;
        if (c->keeps_accesses)
            free(c->work.kernel.call);
        else if (!c->disables)
            pacl_task_work_release(&c->work);
        free(c);
    }
}

/* Under the lock. In the place of an earlier change of the task, which nobody has seen. */
static void stage(struct pacl_graph *g, struct pacl_change *change)
{
    struct pacl_change **at = &g->staged;
    while (*at != NULL && (*at)->node != change->node)
        at = &(*at)->next;
    struct pacl_change *gone = *at;
    change->next = gone != NULL ? gone->next : NULL;
    *at = change;
    if (gone != NULL) {
        gone->next = NULL;
        pacl_changes_free(gone);
    }
}

static aclError refuse_inner(uint32_t number)
{
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                     "task %u records or awaits an event between streams of the graph, which needs it as it is",
                     number);
}

static aclError set_kernel(const struct pacl_work *work, const aclmdlRIKernelTaskParams *params,
                           struct pacl_change *change)
{
    if (params->funcHandle == NULL || (params->args == NULL && params->argsSize > 0))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s is null", params->funcHandle == NULL ? "funcHandle" : "args");
    if (params->numBlocks == 0 || params->numBlocks > PACL_KERNEL_BLOCKS_MAX ||
        params->argsSize > PACL_KERNEL_ARGUMENTS_MAX)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%u blocks, %zu bytes of arguments; the most are %d and %d",
                         params->numBlocks, params->argsSize, PACL_KERNEL_BLOCKS_MAX, PACL_KERNEL_ARGUMENTS_MAX);
    if (params->cfg != NULL || params->isHostArgs == 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "cfg %p, isHostArgs %u: functions in place of kernels have no configuration and take their "
                         "arguments from the host",
                         (void *)params->cfg, params->isHostArgs);
    const struct pacl_kernel_call *old = work->kernel.call;
    struct pacl_kernel_call call = {
        .blocks = params->numBlocks, .count = old->count, .accesses = old->accesses, .arguments = params->args
    };
    memcpy(&call.run, &params->funcHandle, sizeof call.run);
    change->work = *work;
    change->work.kernel.call = pacl_kernel_copy(&call, params->argsSize);
    change->keeps_accesses = true;
    return change->work.kernel.call != NULL ? ACL_SUCCESS : refuse_memory();
}

/* As for a captured call. Records and waits have the same layout. */
static aclError set_event(const struct pacl_work *work, const aclmdlRIEventRecordTaskParams *params,
                          struct pacl_change *change)
{
    struct pacl_event *e = NULL;
    aclError err = pacl_event_from_handle(params->event, &e);
    if (err != ACL_SUCCESS)
        return err;
    const uint32_t flags = pacl_load_relaxed(&e->flags);
    if (params->recordFlag != ACL_EVENT_RECORD_EXTERNAL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag %u: the task was captured with flag 1 (external)",
                         params->recordFlag);
    if (!e->extended || (flags & ACL_EVENT_IPC) != 0 || (work->op == PACL_OP_WAIT && (flags & ACL_EVENT_SYNC) == 0))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "event %p (flags 0x%x): graphs take events of aclrtCreateEventExWithFlag that belong to this "
                         "process, and waits those with ACL_EVENT_SYNC",
                         params->event, flags);
    err = pacl_event_keep(e, params->event);
    if (err != ACL_SUCCESS)
        return err;
    change->work = *work;
    change->work.event.event = e;
    change->event_handle = params->event;
    change->event_flags = flags;
    return ACL_SUCCESS;
}

static aclError set_value(const struct pacl_work *work, void *cell, uint64_t value, uint32_t flag,
                          struct pacl_change *change)
{
    if (cell == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devAddr is null");
    if (flag > ACL_STREAM_WAIT_VALUE_NOR)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "flag %u; it takes at least (0), equal (1), a common bit (2) or nor (3)", flag);
    struct pacl_work own = *work;
    own.value.cell = cell;
    own.value.value = value;
    own.value.flag = flag;
    const aclError err = pacl_value_check(&own);
    if (err != ACL_SUCCESS)
        return err;
    if (!pacl_work_hold(&own))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "another thread freed memory that the call names");
    change->work = own;
    return ACL_SUCCESS;
}

static aclError set(const struct pacl_node *node, const aclmdlRITaskParams *params, struct pacl_change *change)
{
    switch (pacl_node_type(node)) {
    case ACL_MODEL_RI_TASK_KERNEL:
        return set_kernel(&node->work, &params->kernelTaskParams, change);
    case ACL_MODEL_RI_TASK_EVENT_RECORD:
    case ACL_MODEL_RI_TASK_EVENT_WAIT:
        return node->inner ? refuse_inner(change->node)
                           : set_event(&node->work, &params->eventRecordTaskParams, change);
    case ACL_MODEL_RI_TASK_VALUE_WRITE:
        return set_value(&node->work, params->valueWriteTaskParams.devAddr, params->valueWriteTaskParams.value, 0,
                         change);
    case ACL_MODEL_RI_TASK_VALUE_WAIT:
        return set_value(&node->work, params->valueWaitTaskParams.devAddr, params->valueWaitTaskParams.value,
                         params->valueWaitTaskParams.flag, change);
    default:
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "task %u, a %s, has no parameters in the interface; capture it in a task group "
                         "(aclmdlRICaptureTaskGrpBegin) to change it",
                         change->node, pacl_node_kind(node));
    }
}

aclError pacl_graph_set_params(struct pacl_graph *g, uint32_t number, const aclmdlRITaskParams *params)
{
    const struct pacl_node *node = &g->nodes[number];
    if (params->type != pacl_node_type(node))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "type %d; task %u has type %d, which stays", (int)params->type,
                         number, (int)pacl_node_type(node));
    struct pacl_change *change = calloc(1, sizeof *change);
    if (change == NULL)
        return refuse_memory();
    change->node = number;
    const aclError err = set(node, params, change);
    if (err != ACL_SUCCESS)
        free(change);
    else
        stage(g, change);
    return err;
}

aclError pacl_graph_disable(struct pacl_graph *g, uint32_t number)
{
    if (g->nodes[number].inner)
        return refuse_inner(number);
    struct pacl_change *change = calloc(1, sizeof *change);
    if (change == NULL)
        return refuse_memory();
    change->node = number;
    change->disables = true;
    stage(g, change);
    return ACL_SUCCESS;
}

aclError pacl_graph_changes_of(const struct pacl_graph *g, uint32_t group, struct pacl_change **first, uint32_t *count)
{
    struct pacl_change **end = first;
    *first = NULL;
    *count = 0;
    for (uint32_t i = 0; i < g->node_count; i++) {
        if (g->nodes[i].group != group)
            continue;
        *end = calloc(1, sizeof **end);
        if (*end == NULL)
            return refuse_memory();
        (*end)->node = i;
        (*end)->disables = true;
        (*end)->work.call = g->nodes[i].work.call;
        (*end)->work.op = g->nodes[i].work.op;
        end = &(*end)->next;
        ++*count;
    }
    return ACL_SUCCESS;
}

/* --- making changes ---------------------------------------------------------------------------------------------- */

static uint64_t descriptors_after(const struct pacl_graph *g, const struct pacl_change *changes)
{
    uint64_t descriptors = g->descriptors;
    for (const struct pacl_change *c = changes; c != NULL; c = c->next) {
        if (!c->disables)
            descriptors += pacl_work_descriptors(&c->work) - pacl_work_descriptors(&g->nodes[c->node].work);
    }
    return descriptors;
}

/* Under the lock: the newest version is one that no execution has. False when memory is short. */
static bool make_own(struct pacl_graph *g)
{
    struct pacl_version *old = g->version;
    if (old->references == 1)
        return true;
    struct pacl_version *v = calloc(1, sizeof *v);
    struct pacl_node *nodes = malloc(g->node_count * sizeof *nodes);
    if (v == NULL || nodes == NULL) {
        free(v);
        free(nodes);
        return false;
    }
    memcpy(nodes, old->nodes, g->node_count * sizeof *nodes);
    *v = (struct pacl_version){ .references = 2, .nodes = nodes };
    old->next = v;
    old->references--;
    g->version = v;
    g->nodes = nodes;
    return true;
}

/* The change then holds what the node did before. */
static void exchange(struct pacl_node *node, struct pacl_change *c)
{
    node->disabled = c->disables;
    if (c->disables)
        return;
    const struct pacl_work before = node->work;
    node->work = c->work;
    c->work = before;
    if (c->place != NULL)
        node->place = c->place;
    if (c->event_handle != NULL) {
        node->event_handle = c->event_handle;
        node->event_flags = c->event_flags;
    }
}

/* Under the lock. What is left in *changes is to be freed without it. */
static aclError change(struct pacl_graph *g, struct pacl_change **changes)
{
    const uint64_t descriptors = descriptors_after(g, *changes), limit = pacl_runtime()->graph_descriptors;
    struct pacl_version *old = g->version;
    if (descriptors > limit)
        return PACL_FAIL(
            ACL_ERROR_RT_NO_STREAM_RESOURCE,
            "the graph would take %llu descriptors (one per row); the most is %llu (PACL_GRAPH_DESCRIPTORS)",
            (unsigned long long)descriptors, (unsigned long long)limit);
    if (*changes == NULL)
        return ACL_SUCCESS;
    if (!make_own(g))
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to change a graph of %u task(s)", g->node_count);
    for (struct pacl_change *c = *changes; c != NULL; c = c->next)
        exchange(&g->nodes[c->node], c);
    g->descriptors = descriptors;
    if (g->version != old) {
        old->replaced = *changes;
        *changes = NULL;
    }
    return ACL_SUCCESS;
}

/* Under the lock: the last change of a task counts, so those that were staged before go. */
static struct pacl_change *unstage(struct pacl_graph *g, const struct pacl_change *changes)
{
    struct pacl_change *gone = NULL;
    for (const struct pacl_change *c = changes; c != NULL; c = c->next) {
        struct pacl_change **at = &g->staged;
        while (*at != NULL && (*at)->node != c->node)
            at = &(*at)->next;
        struct pacl_change *found = *at;
        if (found == NULL)
            continue;
        *at = found->next;
        found->next = gone;
        gone = found;
    }
    return gone;
}

aclError pacl_graph_change(struct pacl_graph *g, aclmdlRI own, struct pacl_change *changes)
{
    struct pacl_change *const all = changes, *staged = NULL;
    aclError err = pacl_graph_lock(g, own);
    if (err != ACL_SUCCESS)
        return err;
    err = change(g, &changes);
    if (err == ACL_SUCCESS)
        staged = unstage(g, all);
    pacl_graph_unlock(g);
    pacl_changes_free(staged);
    if (err == ACL_SUCCESS)
        pacl_changes_free(changes);
    return err;
}

aclError pacl_graph_update(struct pacl_graph *g, aclmdlRI own)
{
    struct pacl_change *changes = NULL;
    aclError err = pacl_graph_lock(g, own);
    if (err != ACL_SUCCESS)
        return err;
    if (g->pending > 0) {
        err = PACL_FAIL(ACL_ERROR_RT_MODEL_RUNNING,
                        "%u execution(s) of graph %u are queued or running; synchronize their streams first",
                        g->pending, g->id);
    } else {
        changes = g->staged;
        err = change(g, &changes);
        if (err == ACL_SUCCESS)
            g->staged = NULL;
    }
    pacl_graph_unlock(g);
    if (err == ACL_SUCCESS)
        pacl_changes_free(changes);
    return err;
}
