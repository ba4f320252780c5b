/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of devices: state, load, numbers, connections, abilities. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "acl/acl_platform.h"
#include "api/api.h"
#include "api/common.h"
#include "core/device.h"

/* --- state and load ---------------------------------------------------------------------------------------------- */

/* The device that a call names, once its output is known to be there. */
static aclError look(int32_t id, const void *out, const char *name, struct pacl_device **device)
{
    return out == NULL ? PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name) : pacl_device_get(id, device);
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look(deviceId, deviceStatus, "deviceStatus", &device);
    if (err == ACL_SUCCESS)
        *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return err;
}

/* No kernel ever runs, so the cores are idle. */
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL;
    const aclError err = look(deviceId, utilizationInfo, "utilizationInfo", &device);
    if (err != ACL_SUCCESS)
        return err;
    utilizationInfo->cubeUtilization = 0;
    utilizationInfo->vectorUtilization = 0;
    utilizationInfo->aicpuUtilization = 0;
    const uint64_t one_percent = pacl_runtime()->product.memory_bytes / 100U;
    const uint64_t percent = pacl_load_relaxed(&device->memory_used) / (one_percent > 0 ? one_percent : 1);
    utilizationInfo->memoryUtilization = percent < 100 ? (int32_t)percent : 100;
    return ACL_SUCCESS;
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look(deviceId, errorInfo, "errorInfo", &device);
    if (err == ACL_SUCCESS) {
        memset(errorInfo, 0, sizeof *errorInfo);
        errorInfo->errorType = ACL_RT_NO_ERROR;
    }
    return err;
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look(deviceId, errorInfo, "errorInfo", &device);
    if (err != ACL_SUCCESS)
        return err;
    if (errorInfo->errorType != ACL_RT_NO_ERROR)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "errorType %d: device %d has no error of hardware",
                         (int)errorInfo->errorType, deviceId);
    return PACL_WITHOUT_EFFECT;
}

/* There is never any memory that cannot be corrected. */
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize, size_t *retSize)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    if (arraySize == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "arraySize is 0");
    aclError err = PACL_REFUSE_NULL(memUceInfoArray);
    if (err == ACL_SUCCESS)
        err = look(deviceId, retSize, "retSize", &device);
    if (err == ACL_SUCCESS)
        *retSize = 0;
    return err;
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    if (arraySize == 0 || arraySize > MAX_MEM_UCE_INFO_ARRAY_SIZE)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "arraySize %zu; it takes 1 to %d", arraySize,
                         MAX_MEM_UCE_INFO_ARRAY_SIZE);
    const aclError err = look(deviceId, memUceInfoArray, "memUceInfoArray", &device);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL;
    if (flags != NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "flags %p; it takes null only", (void *)flags);
    const aclError err = look(deviceId, active, "active", &device);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&device->lock);
    *active = device->primary != NULL;
    pthread_mutex_unlock(&device->lock);
    return ACL_SUCCESS;
}

/* --- abilities --------------------------------------------------------------------------------------------------- */

/* Both features that can be asked for are the device scheduler's. */
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look(deviceId, value, "value", &device);
    if (err != ACL_SUCCESS)
        return err;
    if (devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
        devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devFeatureType %d; it takes 1 or 21", (int)devFeatureType);
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return ACL_SUCCESS;
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look((int32_t)deviceId, value, "value", &device);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_product *product = &pacl_runtime()->product;
    if (deviceInfo != ACL_DEVICE_INFO_AI_CORE_NUM && deviceInfo != ACL_DEVICE_INFO_VECTOR_CORE_NUM)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "deviceInfo %d is unknown, or says something of hardware that PACL does not have",
                         (int)deviceInfo);
    *value = deviceInfo == ACL_DEVICE_INFO_AI_CORE_NUM ? product->ai_cores : product->vector_cores;
    return ACL_SUCCESS;
}

/* Copies reach registered host memory on the products that can register it. */
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType, aclrtHostMemMapCapability *capabilities)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look((int32_t)deviceId, capabilities, "capabilities", &device);
    if (err != ACL_SUCCESS)
        return err;
    if ((unsigned)hacType > ACL_RT_HAC_TYPE_CCU)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "hacType %d; it takes 0 to %d", (int)hacType, ACL_RT_HAC_TYPE_CCU);
    *capabilities = pacl_product_has_newest_calls(&pacl_runtime()->product) ? ACL_RT_HOST_MEM_MAP_SUPPORTED
                                                                            : ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
    return ACL_SUCCESS;
}

/* No atomic operation at all: that takes kernels. */
static aclError tell_no_atomics(uint32_t *capabilities, const aclrtAtomicOperation *operations, uint32_t count)
{
    enum { OPERATIONS = 21 }; /* that exist: nobody asks for more */
    if (operations == NULL || count == 0 || count > OPERATIONS)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "operations %p, count %u; it takes 1 to %d", (const void *)operations,
                         count, OPERATIONS);
    memset(capabilities, 0, count * sizeof *capabilities);
    return ACL_SUCCESS;
}

aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                              uint32_t count, int32_t deviceId)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look(deviceId, capabilities, "capabilities", &device);
    return err != ACL_SUCCESS ? err : tell_no_atomics(capabilities, operations, count);
}

aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                             uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    aclError err = look(srcDeviceId, capabilities, "capabilities", &device);
    if (err == ACL_SUCCESS)
        err = pacl_device_get(dstDeviceId, &device);
    return err != ACL_SUCCESS ? err : tell_no_atomics(capabilities, operations, count);
}

/* 7 is the lowest priority, 0 the highest [C]. */
aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(leastPriority);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(greatestPriority);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS) {
        *leastPriority = 7;
        *greatestPriority = 0;
    }
    return err;
}

/* --- numbers and connections ------------------------------------------------------------------------------------- */

/* The process's own id: a container's own numbers are the only ones that a process in it can use with PACL. */
aclError aclrtDeviceGetBareTgid(int32_t *pid)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(pid);
    if (err == ACL_SUCCESS)
        *pid = (int32_t)getpid();
    return err;
}

/* The same for the same device in every process, other than every other device's of this machine. */
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    const aclError err = look(deviceId, uuid, "uuid", &device);
    if (err != ACL_SUCCESS)
        return err;
    static const char prefix[] = "PACL-device-";
    const uint32_t number = pacl_runtime()->device_physical[deviceId];
    memset(uuid, 0, sizeof *uuid);
    memcpy(uuid->bytes, prefix, sizeof prefix - 1);
    memcpy(uuid->bytes + sizeof prefix - 1, &number, sizeof number);
    return ACL_SUCCESS;
}

/* Every device reaches every other one directly. */
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    aclError err = look((int32_t)deviceId, value, "value", &device);
    if (err == ACL_SUCCESS)
        err = pacl_device_get((int32_t)otherDeviceId, &device);
    if (err == ACL_SUCCESS)
        *value = ACL_RT_DEVS_TOPOLOGY_HCCS;
    return err;
}

/* A device's number in the machine, by its number in the program. Chip and device are the same thing here. */
aclError pacl_call_machine_number(int32_t user, const char *name, int32_t *machine)
{
    struct pacl_device *device;
    const aclError err = look(user, machine, name, &device);
    if (err == ACL_SUCCESS)
        *machine = (int32_t)pacl_runtime()->device_physical[user];
    return err;
}

static aclError to_user(int32_t machine, const char *name, int32_t *user)
{
    const aclError err = user == NULL ? PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name)
                                      : pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS)
        return err;
    for (uint32_t i = 0; i < pacl_runtime()->device_count; i++) {
        if (machine >= 0 && pacl_runtime()->device_physical[i] == (uint32_t)machine) {
            *user = (int32_t)i;
            return ACL_SUCCESS;
        }
    }
    return PACL_FAIL(ACL_ERROR_RT_INVALID_DEVICEID, "this process does not see a device %d of the machine", machine);
}

static aclError same(int32_t machine, const char *name, int32_t *out)
{
    int32_t user;
    const aclError err = to_user(machine, name, out == NULL ? NULL : &user);
    if (err == ACL_SUCCESS && out != NULL) /* null was refused; for analyzers */
        *out = machine;
    return err;
}

aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t *logicDevId)
{
    PACL_ENTER_OR_RETURN();
    return pacl_call_machine_number(userDevid, "logicDevId", logicDevId);
}

aclError aclrtGetPhyDevIdByUserDevId(int32_t userDevId, int32_t *phyDevId)
{
    PACL_ENTER_OR_RETURN();
    return pacl_call_machine_number(userDevId, "phyDevId", phyDevId);
}

aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t *userDevid)
{
    PACL_ENTER_OR_RETURN();
    return to_user(logicDevId, "userDevid", userDevid);
}

aclError aclrtGetUserDevIdByPhyDevId(int32_t phyDevId, int32_t *userDevId)
{
    PACL_ENTER_OR_RETURN();
    return to_user(phyDevId, "userDevId", userDevId);
}

aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t *logicDevId)
{
    PACL_ENTER_OR_RETURN();
    return same(phyDevId, "logicDevId", logicDevId);
}

aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t *phyDevId)
{
    PACL_ENTER_OR_RETURN();
    return same(logicDevId, "phyDevId", phyDevId);
}

/* --- as texts ---------------------------------------------------------------------------------------------------- */

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char *value, uint32_t maxLen)
{
    PACL_ENTER_OR_RETURN();
    char text[64];
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_product *product = &pacl_runtime()->product;
    switch (infoType) {
    case ACL_PLATFORM_AICORE_CNT:
    case ACL_PLATFORM_CUBE_CORE_CNT:
        snprintf(text, sizeof text, "%u", product->ai_cores);
        break;
    case ACL_PLATFORM_VECTOR_CORE_CNT:
        snprintf(text, sizeof text, "%u", product->vector_cores);
        break;
    case ACL_PLATFORM_MEMORY_SIZE:
        snprintf(text, sizeof text, "%llu", (unsigned long long)product->memory_bytes);
        break;
    case ACL_PLATFORM_MEMORY_TYPE:
        snprintf(text, sizeof text, "%s", product->memory_type);
        break;
    case ACL_PLATFORM_SOC_VERSION:
        snprintf(text, sizeof text, "%s", product->soc_name);
        break;
    default:
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "infoType %d is unknown, or says something of hardware that PACL does not have",
                         (int)infoType);
    }
    if (strlen(text) >= maxLen)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "maxLen %u; \"%s\" needs %zu", maxLen, text, strlen(text) + 1);
    memcpy(value, text, strlen(text) + 1);
    return ACL_SUCCESS;
}
