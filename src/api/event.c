/* SPDX-License-Identifier: Apache-2.0 */
#include "core/event.h"
#include "api/api.h"
#include "core/capture.h"
#include "core/device.h"
#include "core/engine.h"
#include "core/ipc.h"
#include "core/product.h"

enum {
    KNOWN_FLAGS = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY |
                  ACL_EVENT_EXTERNAL | ACL_EVENT_IPC,
    ALL_CAPABILITIES = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE,
};

/* --- life -------------------------------------------------------------------------------------------------------- */

static aclError create(aclrtEvent *event, uint32_t flags, bool extended)
{
    struct pacl_context *context;
    struct pacl_event *e = NULL;
    aclError err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_event_create(context, flags, extended, &e);
    if (err == ACL_SUCCESS)
        *event = pacl_object_handle(&e->object);
    return err;
}

static aclError refuse_flag(uint32_t flag, const char *why)
{
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x %s", flag, why);
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(event);
    return err != ACL_SUCCESS ? err : create(event, ALL_CAPABILITIES, false);
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const uint32_t device_and_external = ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL;
    const aclError err = PACL_REFUSE_NULL(event);
    if (err != ACL_SUCCESS)
        return err;
    if (flag == 0 || (flag & ~(uint32_t)KNOWN_FLAGS) != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x; it takes one or more of the bits 0x%x", flag,
                         (unsigned)KNOWN_FLAGS);
    if ((flag & device_and_external) == device_and_external)
        return refuse_flag(flag, "joins device-only (0x10) and external (0x20)");
    if ((flag & ACL_EVENT_IPC) != 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "flag 0x%x asks for an event shared between processes; aclrtCreateEventExWithFlag makes one",
                         flag);
    return create(event, flag, false);
}

static aclError create_shared(aclrtEvent *event)
{
    struct pacl_context *context;
    struct pacl_event *e = NULL;
    aclError err = pacl_context_current(&context);
    if (err == ACL_SUCCESS && !pacl_product_has_ipc_events(&pacl_runtime()->product))
        err = PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s has no events for several processes",
                        pacl_runtime()->product.name);
    if (err == ACL_SUCCESS)
        err = pacl_event_create_shared(context, &e);
    if (err == ACL_SUCCESS)
        *event = pacl_object_handle(&e->object);
    return err;
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(event);
    if (err != ACL_SUCCESS)
        return err;
    if ((flag & ~(uint32_t)KNOWN_FLAGS) != 0)
        return refuse_flag(flag, "has an unknown bit");
    if ((flag & ACL_EVENT_IPC) != 0) {
        if (flag != ACL_EVENT_IPC)
            return refuse_flag(flag, "joins IPC (0x40), which goes alone, with others");
        return create_shared(event);
    }
    if ((flag & (ACL_EVENT_EXTERNAL | ACL_EVENT_DEVICE_USE_ONLY)) != 0 || (flag & ALL_CAPABILITIES) == 0)
        return refuse_flag(flag, "needs at least one of 0x1, 0x2, 0x8, and neither 0x10 nor 0x20");
    return create(event, flag, true);
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_event *e = NULL;
    const aclError err = pacl_event_from_handle(event, &e);
    if (err != ACL_SUCCESS)
        return err;
    return pacl_event_destroy(e, event)
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "event %p was destroyed by another thread", event);
}

/* --- on streams -------------------------------------------------------------------------------------------------- */

static aclError resolve(aclrtEvent event, aclrtStream stream, struct pacl_event **e, struct pacl_stream **s,
                        void **handle)
{
    aclError err = pacl_event_from_handle(event, e);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, s, handle);
    return err == ACL_SUCCESS ? pacl_context_owns(*s) : err;
}

/* What several processes have cannot be part of a graph of one. */
static aclError refuse_captured(const struct pacl_event *e, aclrtEvent event, struct pacl_stream *s)
{
    if ((e->flags & ACL_EVENT_IPC) == 0 || !pacl_stream_is_capturing(s))
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                     "event %p is for several processes, and stream %u is being captured", event, s->id);
}

static aclError record_on_stream(aclrtEvent event, aclrtStream stream, bool external)
{
    struct pacl_event *e = NULL;
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = resolve(event, stream, &e, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    if ((e->flags & ACL_EVENT_DEVICE_USE_ONLY) != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "event %p was made for the device only", event);
    err = refuse_captured(e, event, s);
    if (err != ACL_SUCCESS)
        return err;
    return external ? pacl_event_record_external(e, event, s, handle) : pacl_event_record(e, event, s, handle);
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return record_on_stream(event, stream, false);
}

/* External records and waits differ from others in captured graphs only. */
static aclError check_flag(uint32_t flag)
{
    if (flag <= ACL_EVENT_RECORD_EXTERNAL)
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "flag %u; it takes 0 (default) or 1 (external)", flag);
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_flag(flag);
    return err != ACL_SUCCESS ? err : record_on_stream(event, stream, flag == ACL_EVENT_RECORD_EXTERNAL);
}

static aclError wait_on_stream(aclrtStream stream, aclrtEvent event, uint32_t timeout_s, bool external)
{
    struct pacl_event *e = NULL;
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = resolve(event, stream, &e, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    if ((e->flags & (ACL_EVENT_SYNC | ACL_EVENT_IPC)) == 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "event %p was made without ACL_EVENT_SYNC (flags 0x%x): no stream can wait for it", event,
                         e->flags);
    err = refuse_captured(e, event, s);
    if (err != ACL_SUCCESS)
        return err;
    const uint64_t timeout_ns = (uint64_t)timeout_s * 1000000000U;
    return external ? pacl_event_wait_external(e, event, s, handle, timeout_ns)
                    : pacl_event_wait(e, event, s, handle, timeout_ns);
}

static _Atomic uint32_t wait_timeout_s; /* of waits without one of their own; 0: for ever */

aclError aclrtSetOpWaitTimeout(uint32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    pacl_store_relaxed(&wait_timeout_s, timeout);
    return ACL_SUCCESS;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    PACL_ENTER_OR_RETURN();
    return wait_on_stream(stream, event, pacl_load_relaxed(&wait_timeout_s), false);
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    if (timeout < 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "timeout %d s is negative", timeout);
    return wait_on_stream(stream, event, (uint32_t)timeout, false);
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_flag(flag);
    return err != ACL_SUCCESS ? err : wait_on_stream(stream, event, timeout, flag == ACL_EVENT_WAIT_EXTERNAL);
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_event *e = NULL;
    struct pacl_stream *s = NULL;
    void *handle;
    const aclError err = resolve(event, stream, &e, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    if (e->extended)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "event %p was made by aclrtCreateEventExWithFlag and needs no reset", event);
    if (pacl_stream_is_capturing(s))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "stream %u is being captured, and a reset is not", s->id);
    pacl_event_reset(e);
    return ACL_SUCCESS;
}

/* --- from the host ----------------------------------------------------------------------------------------------- */

static aclError synchronize(aclrtEvent event, int32_t timeout_ms)
{
    struct pacl_event *e = NULL;
    uint64_t deadline_ns = OS_NEVER;
    aclError err = pacl_event_from_handle(event, &e);
    if (err == ACL_SUCCESS)
        err = pacl_deadline(timeout_ms, &deadline_ns);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_event(e);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_event_view view = pacl_event_look(e);
    if (view.recorded && !pacl_event_await(e, &view, deadline_ns))
        return PACL_FAIL(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "event %p was not reached within %d ms", event, timeout_ms);
    if (view.recorded && pacl_event_is_lost(e, &view))
        return PACL_FAIL(ACL_ERROR_RT_IPC_ERROR, "event %p: the process that was to reach it, or that made it, is gone",
                         event);
    if (view.recorded)
        PACL_OBSERVE(event_synchronized, e, view.record);
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    PACL_ENTER_OR_RETURN();
    return synchronize(event, -1);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    return synchronize(event, timeout);
}

/* What the event says to a caller that relies on it: that its newest record is complete puts the two in order. */
static struct pacl_event_view query(struct pacl_event *e)
{
    struct pacl_event_view view = pacl_event_look(e);
    if ((view.recorded && !view.complete) || view.waits > 0) {
        pacl_stream_poll(view.recorded && !view.complete ? view.source : NULL, view.number);
        view = pacl_event_look(e);
    }
    if (view.complete)
        PACL_OBSERVE(event_synchronized, e, view.record);
    return view;
}

/* Null is refused first, as it is by the ACL layer. */
static aclError look(aclrtEvent event, const void *out, const char *name, struct pacl_event **e)
{
    if (out == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name);
    return pacl_event_from_handle(event, e);
}

static aclError refuse_extended(const struct pacl_event *e, aclrtEvent event)
{
    if (!e->extended)
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                     "event %p was made by aclrtCreateEventExWithFlag; use aclrtQueryEventStatus", event);
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_event *e = NULL;
    aclError err = look(event, status, "status", &e);
    if (err == ACL_SUCCESS)
        err = refuse_extended(e, event);
    if (err == ACL_SUCCESS)
        *status = query(e).complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return err;
}

/* Never recorded: an extended event counts as complete, a plain one as not ready [C]. */
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_event *e = NULL;
    aclError err = look(event, status, "status", &e);
    if (err == ACL_SUCCESS)
        err = pacl_capture_refuse_event(e);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_event_view view = query(e);
    const bool complete = view.recorded ? view.complete : e->extended;
    *status = complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return ACL_SUCCESS;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_event *e = NULL;
    aclError err = look(event, status, "status", &e);
    if (err == ACL_SUCCESS)
        err = refuse_extended(e, event);
    if (err == ACL_SUCCESS)
        *status = query(e).waits == 0 ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return err;
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_event *e = NULL;
    const aclError err = look(event, eventId, "eventId", &e);
    if (err == ACL_SUCCESS)
        *eventId = e->object.index;
    return err;
}

aclError aclrtGetEventAvailNum(uint32_t *eventCount)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(eventCount);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        *eventCount = pacl_runtime()->product.events - pacl_load_relaxed(&context->device->events);
    return err;
}

/* --- time -------------------------------------------------------------------------------------------------------- */

static aclError time_of(aclrtEvent event, uint64_t *time_ns)
{
    struct pacl_event *e = NULL;
    const aclError err = pacl_event_from_handle(event, &e);
    if (err != ACL_SUCCESS)
        return err;
    if ((e->flags & (ACL_EVENT_EXTERNAL | ACL_EVENT_IPC)) != 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "event %p is external or shared (flags 0x%x): it has no time", event, e->flags);
    const struct pacl_event_view view = pacl_event_look(e);
    if (view.number == 0)
        return PACL_FAIL(ACL_ERROR_RT_INTERNAL_ERROR, "event %p was never recorded", event);
    if ((e->flags & ACL_EVENT_TIME_LINE) == 0)
        return PACL_FAIL(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                         "event %p was made without ACL_EVENT_TIME_LINE (flags 0x%x)", event, e->flags);
    if (!view.has_time)
        return PACL_FAIL(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "event %p has not been reached yet; synchronize first",
                         event);
    *time_ns = view.time_ns;
    return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    PACL_ENTER_OR_RETURN();
    uint64_t start, end;
    aclError err = PACL_REFUSE_NULL(ms);
    if (err == ACL_SUCCESS)
        err = time_of(startEvent, &start);
    if (err == ACL_SUCCESS)
        err = time_of(endEvent, &end);
    if (err == ACL_SUCCESS)
        *ms = (float)((double)((int64_t)(end - start)) / 1e6);
    return err;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
    PACL_ENTER_OR_RETURN();
    uint64_t time_ns;
    aclError err = PACL_REFUSE_NULL(timestamp);
    if (err == ACL_SUCCESS)
        err = time_of(event, &time_ns);
    if (err == ACL_SUCCESS)
        *timestamp = time_ns / 1000;
    return err;
}
