/* SPDX-License-Identifier: Apache-2.0 */
/* The program's functions in a stream: in a subscribed thread of its own, or in the context's hidden one. */
#include "core/callback.h"
#include "api/api.h"
#include "core/host_queue.h"

/* --- subscribed threads ------------------------------------------------------------------------------------------ */

static aclError subscribe(uint64_t thread, aclrtStream stream, enum pacl_callback_way way)
{
    struct pacl_stream *s = NULL;
    const aclError err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : pacl_callback_subscribe(s, thread, way);
}

static aclError unsubscribe(uint64_t thread, aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    const aclError err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : pacl_callback_unsubscribe(s, thread);
}

static aclError process(int32_t timeout_ms)
{
    if (timeout_ms < -1 || timeout_ms == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "timeout %d ms; it takes -1 (for ever) or a positive number",
                         timeout_ms);
    return pacl_callback_process((uint64_t)pthread_self(), timeout_ms);
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return subscribe(threadId, stream, PACL_CALLBACK_REPORTS);
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return unsubscribe(threadId, stream);
}

aclError aclrtProcessReport(int32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    return process(timeout);
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream)
{
    PACL_ENTER_OR_RETURN();
    return subscribe(hostFuncThreadId, exeStream, PACL_CALLBACK_HOST);
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream)
{
    PACL_ENTER_OR_RETURN();
    return unsubscribe(hostFuncThreadId, exeStream);
}

aclError aclrtProcessHostFunc(int32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    return process(timeout);
}

/* --- functions in a stream --------------------------------------------------------------------------------------- */

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle;
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "blockType %d; it takes 0 (later tasks do not wait) or 1 (they wait)",
                         (int)blockType);
    if (fn == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "fn is null");
    aclError err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    return err != ACL_SUCCESS ? err : pacl_callback_launch(s, handle, fn, userData, blockType == ACL_CALLBACK_BLOCK);
}

static aclError launch_hidden(struct pacl_stream *s, void *handle, aclrtHostFunc run, void *argument)
{
    const aclError err = pacl_host_queue_require(s->context);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_work work = { .call = pacl_self.call,
                                    .op = PACL_OP_HOST_FUNCTION,
                                    .host = { .run = run, .argument = argument } };
    return pacl_stream_submit(s, handle, &work);
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle;
    if (fn == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "fn is null");
    aclError err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    if (err != ACL_SUCCESS)
        return err;
    switch (pacl_callback_way_of_host_function(s)) {
    case PACL_CALLBACK_REPORTS:
        return PACL_FAIL(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                         "stream %u is subscribed to by a thread; use aclrtLaunchCallback on it", s->id);
    case PACL_CALLBACK_HOST:
        return pacl_callback_launch(s, handle, fn, args, true);
    default:
        return launch_hidden(s, handle, fn, args);
    }
}
