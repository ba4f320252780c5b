/* SPDX-License-Identifier: Apache-2.0 */
/* aclmdlRI*: graphs that are captured, executed, named, printed. */
#include "core/graph.h"

#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "core/capture.h"

/* --- capture ----------------------------------------------------------------------------------------------------- */

static aclError check_mode(aclmdlRICaptureMode mode)
{
    if ((int)mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "mode %d; it takes global (0), thread-local (1) or relaxed (2)",
                         (int)mode);
    return ACL_SUCCESS;
}

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = check_mode(mode);
    if (err != ACL_SUCCESS)
        return err;
    if (!pacl_product_captures(&pacl_runtime()->product))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not capture graphs",
                         pacl_runtime()->product.name);
    err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    return err == ACL_SUCCESS ? pacl_capture_begin(s, handle, mode) : err;
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(modelRI);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    return err == ACL_SUCCESS ? pacl_capture_end(s, handle, modelRI) : err;
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status, aclmdlRI *modelRI)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err != ACL_SUCCESS)
        return err;
    if (status == NULL && modelRI == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "status and modelRI are both null");
    err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    aclmdlRI graph = NULL;
    aclmdlRICaptureStatus now = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    err = pacl_capture_info(s, handle, &now, &graph);
    if (err != ACL_SUCCESS)
        return err;
    if (status != NULL)
        *status = now;
    if (modelRI != NULL)
        *modelRI = graph;
    return ACL_SUCCESS;
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(mode);
    if (err == ACL_SUCCESS)
        err = check_mode(*mode);
    if (err == ACL_SUCCESS)
        *mode = pacl_capture_exchange_mode(*mode);
    return err;
}

/* --- execution --------------------------------------------------------------------------------------------------- */

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    aclError err = pacl_graph_from_handle(modelRI, &g);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_stream(s);
    return err == ACL_SUCCESS ? pacl_graph_execute(g, modelRI, s, handle) : err;
}

/* The synchronous form is for graphs that are built; captured ones go on a stream [C]. */
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    const aclError err = pacl_graph_from_handle(modelRI, &g);
    if (err != ACL_SUCCESS)
        return err;
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                     "graph %u was captured (timeout %d): it is executed by aclmdlRIExecuteAsync, on a stream", g->id,
                     timeout);
}

aclError aclmdlRIAbort(aclmdlRI modelRI)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    const aclError err = pacl_graph_from_handle(modelRI, &g);
    return err == ACL_SUCCESS ? pacl_graph_abort(g, modelRI) : err;
}

aclError aclmdlRIDestroy(aclmdlRI modelRI)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    const aclError err = pacl_graph_from_handle(modelRI, &g);
    return err == ACL_SUCCESS ? pacl_graph_destroy(g, modelRI) : err;
}

/* --- callbacks at destruction ------------------------------------------------------------------------------------ */

/* A complete graph, locked. */
static aclError lock(aclmdlRI modelRI, struct pacl_graph **g)
{
    const aclError err = pacl_graph_from_handle(modelRI, g);
    return err == ACL_SUCCESS ? pacl_graph_lock(*g, modelRI) : err;
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void *userData)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    if (modelRI == NULL || func == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", modelRI == NULL ? "modelRI" : "func");
    struct pacl_graph_callback *callback = calloc(1, sizeof *callback);
    if (callback == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a callback");
    const aclError err = lock(modelRI, &g);
    if (err != ACL_SUCCESS) {
        free(callback);
        return err;
    }
    *callback = (struct pacl_graph_callback){ .next = g->first, .run = func, .argument = userData };
    g->first = callback;
    pacl_graph_unlock(g);
    return ACL_SUCCESS;
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    if (modelRI == NULL || func == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", modelRI == NULL ? "modelRI" : "func");
    const aclError err = lock(modelRI, &g);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_graph_callback **at = &g->first;
    while (*at != NULL && (*at)->run != func)
        at = &(*at)->next;
    struct pacl_graph_callback *found = *at;
    if (found != NULL)
        *at = found->next;
    pacl_graph_unlock(g);
    free(found);
    return found != NULL ? ACL_SUCCESS
                         : PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "func was not registered for graph %u", g->id);
}

/* --- names and pictures ------------------------------------------------------------------------------------------ */

aclError aclmdlRISetName(aclmdlRI modelRI, const char *name)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    if (modelRI == NULL || name == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", modelRI == NULL ? "modelRI" : "name");
    aclError err = lock(modelRI, &g);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_graph_set_name(g, name);
    pacl_graph_unlock(g);
    return err;
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    if (modelRI == NULL || name == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", modelRI == NULL ? "modelRI" : "name");
    const aclError err = lock(modelRI, &g);
    if (err != ACL_SUCCESS)
        return err;
    const char *own = g->name != NULL ? g->name : "";
    const size_t length = strlen(own);
    if (length < maxLen)
        memcpy(name, own, length + 1);
    pacl_graph_unlock(g);
    return length < maxLen ? ACL_SUCCESS
                           : PACL_FAIL(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY,
                                       "maxLen %u: the name takes %zu bytes with its end", maxLen, length + 1);
}

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    aclError err = PACL_REFUSE_NULL(modelRIId);
    if (err == ACL_SUCCESS)
        err = pacl_graph_from_handle(modelRI, &g);
    if (err == ACL_SUCCESS)
        *modelRIId = g->id;
    return err;
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    const aclError err = lock(modelRI, &g);
    if (err != ACL_SUCCESS)
        return err;
    pacl_graph_print(g, stdout);
    pacl_graph_unlock(g);
    return ACL_SUCCESS;
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path, uint32_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_graph *g = NULL;
    if (modelRI == NULL || path == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", modelRI == NULL ? "modelRI" : "path");
    if (flags > ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flags %u; it takes summary (0) or verbose (1)", flags);
    aclError err = lock(modelRI, &g);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_graph_print_json(g, path, flags == ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE);
    pacl_graph_unlock(g);
    return err;
}
