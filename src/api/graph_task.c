/* SPDX-License-Identifier: Apache-2.0 */
/* aclmdlRI*: the streams and tasks of captured graphs, changes of tasks, task groups. */
#include "core/graph_task.h"

#include <string.h>

#include "api/api.h"
#include "core/capture.h"

/* --- lists ------------------------------------------------------------------------------------------------------- */

aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams, uint32_t *numStreams)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    if (modelRI == NULL || numStreams == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", modelRI == NULL ? "modelRI" : "numStreams");
    aclError err = pacl_graph_from_handle(modelRI, &g);
    if (err == ACL_SUCCESS)
        err = pacl_graph_lock(g, modelRI);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_graph_list_streams(g, streams, numStreams);
    pacl_graph_unlock(g);
    return err;
}

aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks, uint32_t *numTasks)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    uint32_t lane;
    if (stream == NULL || numTasks == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", stream == NULL ? "stream" : "numTasks");
    aclError err = pacl_graph_lock_stream(stream, &g, &lane);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_graph_list_tasks(g, lane, tasks, numTasks);
    pacl_graph_unlock(g);
    return err;
}

/* --- tasks ------------------------------------------------------------------------------------------------------- */

/* The graph of a task, locked, for a call that takes another pointer besides. */
static aclError lock(aclmdlRITask task, const void *other, const char *name, struct pacl_graph **g, uint32_t *node)
{
    if (task == NULL || other == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", task == NULL ? "task" : name);
    return pacl_graph_lock_task(task, g, node);
}

aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    uint32_t node;
    const aclError err = lock(task, type, "type", &g, &node);
    if (err != ACL_SUCCESS)
        return err;
    *type = pacl_node_type(&g->nodes[node]);
    pacl_graph_unlock(g);
    return ACL_SUCCESS;
}

aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    uint32_t node;
    const aclError err = lock(task, id, "id", &g, &node);
    if (err != ACL_SUCCESS)
        return err;
    pacl_graph_unlock(g);
    *id = node;
    return ACL_SUCCESS;
}

aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    uint32_t node;
    const aclError err = lock(task, params, "params", &g, &node);
    if (err != ACL_SUCCESS)
        return err;
    pacl_graph_get_params(g, node, params);
    pacl_graph_unlock(g);
    return ACL_SUCCESS;
}

aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    uint32_t node;
    aclError err = lock(task, params, "params", &g, &node);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_graph_set_params(g, node, params);
    pacl_graph_unlock(g);
    return err;
}

aclError aclmdlRITaskDisable(aclmdlRITask task)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    uint32_t node;
    aclError err = lock(task, task, "task", &g, &node);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_graph_disable(g, node);
    pacl_graph_unlock(g);
    return err;
}

aclError aclmdlRIUpdate(aclmdlRI modelRI)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    const aclError err = pacl_graph_from_handle(modelRI, &g);
    return err == ACL_SUCCESS ? pacl_graph_update(g, modelRI) : err;
}

/* --- task groups ------------------------------------------------------------------------------------------------- */

static aclError find_stream(aclrtStream stream, struct pacl_stream **s, void **handle)
{
    const aclError err = PACL_REFUSE_NULL(stream);
    return err == ACL_SUCCESS ? pacl_find_stream(stream, s, handle) : err;
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    const aclError err = find_stream(stream, &s, &handle);
    return err == ACL_SUCCESS ? pacl_capture_begin_group(s, handle) : err;
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *own = NULL;
    aclError err = handle == NULL && stream != NULL ? PACL_REFUSE_NULL(handle) : ACL_SUCCESS;
    if (err == ACL_SUCCESS)
        err = find_stream(stream, &s, &own);
    return err == ACL_SUCCESS ? pacl_capture_end_group(s, own, handle) : err;
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *own = NULL;
    aclError err = handle == NULL && stream != NULL ? PACL_REFUSE_NULL(handle) : ACL_SUCCESS;
    if (err == ACL_SUCCESS)
        err = find_stream(stream, &s, &own);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    return err == ACL_SUCCESS ? pacl_capture_begin_update(s, own, handle) : err;
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    const aclError err = find_stream(stream, &s, &handle);
    return err == ACL_SUCCESS ? pacl_capture_end_update(s, handle) : err;
}

/* --- what a program says of its tasks ---------------------------------------------------------------------------- */

static aclError keep_info(const void *info, const char *name, size_t size, bool is_text)
{
    if (info == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name);
    if (size == 0 || size > PACL_TASK_INFO_MAX)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "infoSize %zu; it takes 1 to %d", size, PACL_TASK_INFO_MAX);
    return pacl_capture_keep_info(info, is_text ? strnlen(info, size) : size, is_text);
}

aclError aclrtCacheLastTaskOpInfo(const void *infoPtr, size_t infoSize)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return keep_info(infoPtr, "infoPtr", infoSize, false);
}

aclError aclrtCacheLastTaskExtendInfo(const char *extendInfoPtr, size_t infoSize)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return keep_info(extendInfoPtr, "extendInfoPtr", infoSize, true);
}
