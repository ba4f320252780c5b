/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/captures.h"
#include "core/stream.h"

/* --- task groups ------------------------------------------------------------------------------------------------- */

/* Under the lock: the lane of a stream that is being captured; NULL with *err. */
static struct pacl_lane *find_lane(const struct pacl_stream *s, const void *handle, struct pacl_graph **g,
                                   aclError *err)
{
    const struct pacl_capture *c = pacl_load_relaxed(&s->capture);
    *err = pacl_capture_check_handle(s, handle);
    if (*err != ACL_SUCCESS)
        return NULL;
    if (c == NULL || c->update != NULL) {
        *err = pacl_capture_refuse_uncaptured(s, c);
        return NULL;
    }
    if (c->invalid) {
        *err = PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                         "a call that the capture's mode forbids was made meanwhile; end the capture");
        return NULL;
    }
    *g = c->graph;
    return &c->graph->lanes[pacl_capture_lane(c->graph, s)];
}

static aclError begin_group(const struct pacl_stream *s, const void *handle)
{
    struct pacl_graph *g;
    aclrtTaskGrp group;
    aclError err = ACL_SUCCESS;
    struct pacl_lane *lane = find_lane(s, handle, &g, &err);
    if (lane == NULL)
        return err;
    if (lane->group != 0)
        return PACL_FAIL(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream %u has an open task group already", s->id);
    err = pacl_graph_add_group(g, &group);
    if (err == ACL_SUCCESS)
        lane->group = g->group_count;
    return err;
}

aclError pacl_capture_begin_group(struct pacl_stream *s, const void *handle)
{
    pthread_mutex_lock(&pacl_captures_lock);
    const aclError err = begin_group(s, handle);
    pthread_mutex_unlock(&pacl_captures_lock);
    return err;
}

static aclError end_group(const struct pacl_stream *s, const void *handle, aclrtTaskGrp *group)
{
    struct pacl_graph *g;
    aclError err = ACL_SUCCESS;
    struct pacl_lane *lane = find_lane(s, handle, &g, &err);
    if (lane == NULL)
        return err;
    if (lane->group == 0)
        return PACL_FAIL(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream %u has no open task group", s->id);
    *group = pacl_object_handle(&g->groups[lane->group - 1]->object);
    lane->group = 0;
    return ACL_SUCCESS;
}

aclError pacl_capture_end_group(struct pacl_stream *s, const void *handle, aclrtTaskGrp *group)
{
    pthread_mutex_lock(&pacl_captures_lock);
    const aclError err = end_group(s, handle, group);
    pthread_mutex_unlock(&pacl_captures_lock);
    return err;
}

void pacl_capture_close_update(struct pacl_capture *c)
{
    pacl_store_release(&c->update->stream->capture, NULL);
    pacl_stream_reopen(c->update->stream);
    pacl_sub_seq_cst(&pacl_captures_open, 1);
}

void pacl_capture_free_update(struct pacl_capture *c)
{
    pacl_changes_free(c->update->first);
    free(c->update);
    free(c);
}

static aclError prepare_update(aclrtTaskGrp group, struct pacl_update *u)
{
    uint32_t number;
    aclError err = pacl_graph_lock_group(group, &u->graph, &number);
    if (err != ACL_SUCCESS)
        return err;
    u->own = pacl_object_handle(&u->graph->object);
    err = pacl_graph_changes_of(u->graph, number, &u->first, &u->expected);
    pacl_graph_unlock(u->graph);
    u->next = u->first;
    return err;
}

/* Under the lock. */
static aclError open_update(struct pacl_capture *c, struct pacl_stream *s, void *handle)
{
    const struct pacl_capture *other = pacl_load_relaxed(&s->capture);
    if (other != NULL)
        return other->update != NULL
                   ? PACL_FAIL(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream %u updates a task group already", s->id)
                   : PACL_FAIL(ACL_ERROR_RT_STREAM_CAPTURED, "stream %u is being captured", s->id);
    if (!pacl_stream_close_for_capture(s, handle))
        return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "stream %p was destroyed by another thread", handle);
    c->update->stream = s;
    pacl_store_release(&s->capture, c);
    pacl_add_seq_cst(&pacl_captures_open, 1);
    return ACL_SUCCESS;
}

aclError pacl_capture_begin_update(struct pacl_stream *s, void *handle, aclrtTaskGrp group)
{
    struct pacl_capture *c = calloc(1, sizeof *c);
    struct pacl_update *u = calloc(1, sizeof *u);
    if (c == NULL || u == NULL) {
        free(c);
        free(u);
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to update a task group");
    }
    c->update = u;
    aclError err = pacl_capture_refuse_unfit(s);
    if (err == ACL_SUCCESS)
        err = prepare_update(group, u);
    if (err == ACL_SUCCESS) {
        pthread_mutex_lock(&pacl_captures_lock);
        err = open_update(c, s, handle);
        pthread_mutex_unlock(&pacl_captures_lock);
    }
    if (err != ACL_SUCCESS)
        pacl_capture_free_update(c);
    return err;
}

/* Under the lock: the stream's update, which is closed then. */
static aclError take_update(const struct pacl_stream *s, const void *handle, struct pacl_capture **out)
{
    struct pacl_capture *c = pacl_load_relaxed(&s->capture);
    const aclError err = pacl_capture_check_handle(s, handle);
    if (err != ACL_SUCCESS)
        return err;
    if (c == NULL || c->update == NULL)
        return PACL_FAIL(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream %u updates no task group", s->id);
    pacl_capture_close_update(c);
    *out = c;
    return ACL_SUCCESS;
}

aclError pacl_capture_end_update(struct pacl_stream *s, const void *handle)
{
    struct pacl_capture *c = NULL;
    pthread_mutex_lock(&pacl_captures_lock);
    aclError err = take_update(s, handle, &c);
    pthread_mutex_unlock(&pacl_captures_lock);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_update *u = c->update;
    if (u->next != NULL)
        err = PACL_FAIL(ACL_ERROR_RT_MODEL_UPDATE_FAILED,
                        "the group has %u task(s), and %u were given; it stays as it was", u->expected, u->given);
    else
        err = pacl_graph_change(u->graph, u->own, u->first);
    if (err == ACL_SUCCESS)
        u->first = NULL; /* the graph's */
    pacl_capture_free_update(c);
    return err;
}

/* --- what a program says of its tasks ---------------------------------------------------------------------------- */

/* Under the lock: the task that the thread captured last, while its capture is open. */
static struct pacl_node *find_last_task(void)
{
    PACL_LIST_EACH(node, &pacl_captures)
    {
        const struct pacl_capture *c = PACL_CONTAINER(node, struct pacl_capture, link);
        if (c->id == pacl_last_task.capture)
            return &c->graph->nodes[pacl_last_task.node];
    }
    return NULL;
}

/* Under the lock. Takes the bytes over, in the place of earlier ones. */
static aclError keep_info(void *bytes, size_t size, bool is_text)
{
    struct pacl_node *node = find_last_task();
    if (node == NULL)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                         "the calling thread has captured no task in an open capture");
    if (node->info == NULL)
        node->info = calloc(1, sizeof *node->info);
    if (node->info == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for information on a task");
    if (is_text) {
        free(node->info->text);
        node->info->text = bytes;
        return ACL_SUCCESS;
    }
    free(node->info->bytes);
    node->info->bytes = bytes;
    node->info->size = size;
    return ACL_SUCCESS;
}

aclError pacl_capture_keep_info(const void *bytes, size_t size, bool is_text)
{
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for information of %zu bytes", size);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    pthread_mutex_lock(&pacl_captures_lock);
    const aclError err = keep_info(copy, size, is_text);
    pthread_mutex_unlock(&pacl_captures_lock);
    if (err != ACL_SUCCESS)
        free(copy);
    return err;
}
