/* SPDX-License-Identifier: Apache-2.0 */
#include "core/device.h"
#include "api/api.h"
#include "core/capture.h"
#include "core/mempool.h"
#include "core/state_callback.h"

aclError aclrtSetDevice(int32_t deviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device;
    aclError err = pacl_device_get(deviceId, &device);
    if (err != ACL_SUCCESS)
        return err;
    pacl_state_tell_device(deviceId, ACL_RT_DEVICE_STATE_SET_PRE);
    err = pacl_context_set_device(deviceId);
    if (err == ACL_SUCCESS)
        pacl_state_tell_device(deviceId, ACL_RT_DEVICE_STATE_SET_POST);
    return err;
}

static aclError reset(int32_t id, bool force)
{
    struct pacl_device *device;
    aclError err = pacl_device_get(id, &device);
    if (err != ACL_SUCCESS)
        return err;
    pacl_state_tell_device(id, ACL_RT_DEVICE_STATE_RESET_PRE);
    err = pacl_context_reset_device(id, force);
    if (err == ACL_SUCCESS)
        pacl_state_tell_device(id, ACL_RT_DEVICE_STATE_RESET_POST);
    return err;
}

aclError aclrtResetDevice(int32_t deviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return reset(deviceId, false);
}

aclError aclrtResetDeviceForce(int32_t deviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return reset(deviceId, true);
}

aclError aclrtGetDevice(int32_t *deviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(deviceId);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        *deviceId = context->device->id;
    return err;
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(count);
    if (err == ACL_SUCCESS)
        err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err == ACL_SUCCESS)
        *count = pacl_runtime()->device_count;
    return err;
}

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(runMode);
    if (err == ACL_SUCCESS)
        err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err == ACL_SUCCESS)
        *runMode = pacl_runtime()->product.runs_on_device ? ACL_DEVICE : ACL_HOST;
    return err;
}

const char *aclrtGetSocName(void)
{
    PACL_ENTER();
    return pacl_runtime_require(ACL_ERROR_INTERNAL_ERROR) == ACL_SUCCESS ? pacl_runtime()->product.soc_name : NULL;
}

/* What an emulated device can say of itself; attributes of hardware that is not there have no value. */
static aclError attribute(const struct pacl_device *device, aclrtDevAttr attr, int64_t *value)
{
    const struct pacl_product *product = &pacl_runtime()->product;
    switch (attr) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
        *value = product->ai_cores;
        return ACL_SUCCESS;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
        *value = product->vector_cores;
        return ACL_SUCCESS;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
        *value = (int64_t)product->memory_bytes;
        return ACL_SUCCESS;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
        *value = pacl_runtime()->device_physical[device->id];
        return ACL_SUCCESS;
    case ACL_DEV_ATTR_IS_VIRTUAL:
        *value = 0;
        return ACL_SUCCESS;
    default:
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "attr %d is unknown, or says something of hardware that PACL does not have", (int)attr);
    }
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = pacl_device_get((int32_t)deviceId, &device);
    return err != ACL_SUCCESS ? err : attribute(device, attr, value);
}

/* --- synchronizing ----------------------------------------------------------------------------------------------- */

static aclError synchronize(int32_t timeout_ms)
{
    struct pacl_context *context;
    uint64_t deadline_ns = OS_NEVER;
    aclError err = pacl_deadline(timeout_ms, &deadline_ns);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    if (err != ACL_SUCCESS)
        return err;
    err = pacl_device_synchronize(context->device, deadline_ns);
    pacl_mempools_settle();
    return err;
}

aclError aclrtSynchronizeDevice(void)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return synchronize(-1);
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return synchronize(timeout);
}

/* --- peers ------------------------------------------------------------------------------------------------------- */

static aclError get_pair(int32_t id, int32_t peer, struct pacl_device **device, struct pacl_device **other)
{
    const aclError err = pacl_device_get(id, device);
    return err != ACL_SUCCESS ? err : pacl_device_get(peer, other);
}

static aclError refuse_equal(int32_t id, int32_t peer)
{
    if (id == peer)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "device %d and its peer are the same device", id);
    return ACL_SUCCESS;
}

/* All devices of one machine reach each other, once access is enabled. */
aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device, *peer;
    aclError err = refuse_equal(deviceId, peerDeviceId);
    if (err == ACL_SUCCESS && canAccessPeer == NULL)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "canAccessPeer is null");
    if (err == ACL_SUCCESS)
        err = get_pair(deviceId, peerDeviceId, &device, &peer);
    if (err == ACL_SUCCESS)
        *canAccessPeer = 1;
    return err;
}

/* The current device and the peer that it is to reach. */
static aclError resolve_peer(int32_t peer_id, struct pacl_device **device, struct pacl_device **peer)
{
    struct pacl_context *context;
    aclError err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = refuse_equal(context->device->id, peer_id);
    if (err == ACL_SUCCESS)
        err = pacl_device_get(peer_id, peer);
    if (err == ACL_SUCCESS)
        *device = context->device;
    return err;
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device, *peer;
    if (flags != 0)
        return PACL_FAIL(ACL_ERROR_FEATURE_UNSUPPORTED, "flags 0x%x; only 0 is supported", flags);
    const aclError err = resolve_peer(peerDeviceId, &device, &peer);
    if (err == ACL_SUCCESS)
        atomic_fetch_or(&device->peers, (uint64_t)1 << peer->id);
    return err;
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device, *peer;
    const aclError err = resolve_peer(peerDeviceId, &device, &peer);
    if (err == ACL_SUCCESS)
        atomic_fetch_and(&device->peers, ~((uint64_t)1 << peer->id));
    return err;
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device, *peer;
    aclError err = PACL_REFUSE_NULL(status);
    if (err == ACL_SUCCESS)
        err = get_pair(deviceId, peerDeviceId, &device, &peer);
    if (err == ACL_SUCCESS)
        *status = (int32_t)(pacl_load_acquire(&device->peers) >> peer->id & 1);
    return err;
}
