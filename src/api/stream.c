/* SPDX-License-Identifier: Apache-2.0 */
#include "api/stream.h"
#include "api/api.h"
#include "api/common.h"
#include "core/abort.h"
#include "core/capture.h"
#include "core/device.h"
#include "core/engine.h"
#include "core/mempool.h"

enum {
    KNOWN_FLAGS = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
                  ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY,
};

static aclError create(aclrtStream *stream, uint32_t priority, uint32_t flags)
{
    struct pacl_context *context;
    struct pacl_stream *s = NULL;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_stream_create(context, priority, flags, &s);
    if (err == ACL_SUCCESS)
        *stream = pacl_object_handle(&s->object);
    return err;
}

aclError aclrtCreateStream(aclrtStream *stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return create(stream, 0, 0);
}

/* Unknown flag bits are dropped [C]; the known ones are kept, for aclrtStreamGetFlags and the synchronizing calls. */
aclError pacl_create_stream_with(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
    if ((flag & ACL_STREAM_HUGE) != 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "flag 0x%x asks for a huge stream, which no product here has", flag);
    const uint32_t known = flag & KNOWN_FLAGS;
    if ((known & ACL_STREAM_CPU_SCHEDULE) != 0 && known != ACL_STREAM_CPU_SCHEDULE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x: CPU scheduling (0x10) goes with no other flag", flag);
    return create(stream, priority < PACL_LOWEST_PRIORITY ? priority : PACL_LOWEST_PRIORITY, known);
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(stream);
    return err != ACL_SUCCESS ? err : pacl_create_stream_with(stream, priority, flag);
}

static aclError destroy(aclrtStream stream, bool drop)
{
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_stream(s);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    if (err != ACL_SUCCESS)
        return err;
    if (s == s->context->default_stream)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "stream %p is its context's default stream, which lives as long as the context", stream);
    if (!pacl_stream_destroy(s, handle, drop))
        return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "stream %p was destroyed by another thread", stream);
    return ACL_SUCCESS;
}

aclError aclrtDestroyStream(aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return destroy(stream, false);
}

aclError aclrtDestroyStreamForce(aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return destroy(stream, true);
}

/* --- waiting ----------------------------------------------------------------------------------------------------- */

/* Streams that the host does not schedule answer at once [C]. */
static bool is_never_awaited(const struct pacl_stream *s)
{
    return (s->flags & (ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY)) != 0;
}

aclError pacl_call_synchronize_stream(aclrtStream stream, int32_t timeout_ms)
{
    struct pacl_stream *s = NULL;
    void *handle;
    uint64_t deadline_ns = OS_NEVER, queued = 0;
    aclError err = pacl_deadline(timeout_ms, &deadline_ns);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_stream(s);
    if (err != ACL_SUCCESS || is_never_awaited(s))
        return err;
    const uint64_t mark = pacl_abort_mark(s);
    err = pacl_stream_queued_as(s, handle, &queued);
    if (err != ACL_SUCCESS)
        return err;
    if (!pacl_stream_wait(s, queued, deadline_ns))
        return PACL_FAIL(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "stream %u had not finished after %d ms; its work goes on",
                         s->id, timeout_ms);
    pacl_mempools_settle();
    err = pacl_abort_since(s, mark);
    return err != ACL_SUCCESS ? err : pacl_stream_take_error(s, handle);
}

aclError aclrtSynchronizeStream(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return pacl_call_synchronize_stream(stream, -1);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    return pacl_call_synchronize_stream(stream, timeout);
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle;
    uint64_t queued = 0;
    aclError err = PACL_REFUSE_NULL(status);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_stream(s);
    if (err == ACL_SUCCESS)
        err = pacl_stream_queued_as(s, handle, &queued);
    if (err != ACL_SUCCESS)
        return err;
    pacl_stream_poll(s, queued);
    const bool complete = pacl_stream_reached(s, queued);
    if (complete) {
        PACL_OBSERVE(synchronized, s, queued);
        err = pacl_stream_take_error(s, handle);
    }
    if (err == ACL_SUCCESS)
        *status = complete ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return err;
}

/* --- attributes -------------------------------------------------------------------------------------------------- */

static aclError look(aclrtStream stream, const void *out, const char *name, struct pacl_stream **s)
{
    if (out == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name);
    return pacl_find_stream(stream, s, NULL);
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    const aclError err = look(stream, streamId, "streamId", &s);
    if (err == ACL_SUCCESS)
        *streamId = (int32_t)s->id;
    return err;
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    const aclError err = look(stream, flags, "flags", &s);
    if (err == ACL_SUCCESS)
        *flags = s->flags;
    return err;
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    const aclError err = look(stream, priority, "priority", &s);
    if (err == ACL_SUCCESS)
        *priority = s->priority;
    return err;
}

aclError pacl_set_failure_mode(struct pacl_stream *s, uint64_t mode)
{
    if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "mode %llu; it takes 0 (continue) or 1 (stop)",
                         (unsigned long long)mode);
    const aclError err = pacl_context_owns(s);
    if (err != ACL_SUCCESS)
        return err;
    const bool stops = pacl_load_relaxed(&s->stops);
    if (stops && mode == ACL_CONTINUE_ON_FAILURE)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "mode 0 (continue): stream %u stops on failure, and cannot be set back", s->id);
    if (mode == ACL_STOP_ON_FAILURE)
        pacl_stream_set_stops(s);
    return ACL_SUCCESS;
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle;
    const aclError err = pacl_stream_from_handle(stream, ACL_ERROR_RT_PARAM_INVALID, &s, &handle);
    return err != ACL_SUCCESS ? err : pacl_set_failure_mode(s, mode);
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        *stream = pacl_object_handle(&context->default_stream->object);
    return err;
}

/* --- the thread's last task -------------------------------------------------------------------------------------- */

aclError aclrtGetThreadLastTaskId(uint32_t *taskId)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(taskId);
    if (err == ACL_SUCCESS)
        *taskId = pacl_self.last_task;
    return err;
}
