/* SPDX-License-Identifier: Apache-2.0 */
#include "core/abort.h"
#include "api/api.h"
#include "core/device.h"
#include "core/state_callback.h"

/* --- streams ----------------------------------------------------------------------------------------------------- */

/* A stream that hangs is aborted by a thread that watches it, with whatever context: it need not be the stream's. */
static aclError abort_stream(aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    return err != ACL_SUCCESS ? err : pacl_abort_stream(s, handle);
}

aclError aclrtStreamAbort(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return abort_stream(stream);
}

aclError aclrtStreamStop(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return abort_stream(stream);
}

/* --- devices ----------------------------------------------------------------------------------------------------- */

static aclError tell(int32_t id, aclrtDeviceTaskAbortStage stage, uint32_t timeout_ms)
{
    const int32_t answer = pacl_state_tell_abort(id, stage, timeout_ms);
    if (answer == 0)
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_TASK_ABORT_STOP, "device %d: a callback answered %d %s", id, answer,
                     stage == ACL_RT_DEVICE_TASK_ABORT_PRE ? "before the abort; nothing is aborted"
                                                           : "after the abort; the work is aborted");
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    aclError err = pacl_device_get(deviceId, &device);
    if (err == ACL_SUCCESS)
        err = tell(deviceId, ACL_RT_DEVICE_TASK_ABORT_PRE, timeout);
    if (err == ACL_SUCCESS)
        err = pacl_abort_device(device, timeout == 0 ? OS_NEVER : os_now_ns() + (uint64_t)timeout * 1000000U);
    if (err == ACL_SUCCESS)
        err = tell(deviceId, ACL_RT_DEVICE_TASK_ABORT_POST, timeout);
    return err;
}

/* --- callbacks --------------------------------------------------------------------------------------------------- */

aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback, void *args)
{
    PACL_ENTER_OR_RETURN();
    return pacl_state_register(PACL_STATE_ABORT, regName, (union pacl_state_function){ .abort = callback }, args);
}

aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback, void *args)
{
    PACL_ENTER_OR_RETURN();
    return pacl_state_register(PACL_STATE_STREAM, regName, (union pacl_state_function){ .stream = callback }, args);
}

aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback, void *args)
{
    PACL_ENTER_OR_RETURN();
    return pacl_state_register(PACL_STATE_DEVICE, regName, (union pacl_state_function){ .device = callback }, args);
}
