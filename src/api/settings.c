/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that steer kernels on the original: checked, kept and told again. */
#include "core/settings.h"
#include "api/api.h"
#include "core/device.h"

/* --- options of the process and of contexts ---------------------------------------------------------------------- */

static struct pacl_sys_params process_params;

static aclError check_option(aclSysParamOpt opt, unsigned count)
{
    if ((unsigned)opt >= count)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "opt %d; it takes 0 to %u", (int)opt, count - 1);
    return ACL_SUCCESS;
}

static aclError get_option(struct pacl_sys_params *params, aclSysParamOpt opt, int64_t *value)
{
    if (pacl_sys_params_get(params, (unsigned)opt, value))
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "opt %d was not set", (int)opt);
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_option(opt, PACL_SYS_PARAMS);
    if (err != ACL_SUCCESS)
        return err;
    pacl_sys_params_set(&process_params, (unsigned)opt, value);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = check_option(opt, PACL_SYS_PARAMS);
    return err != ACL_SUCCESS ? err : get_option(&process_params, opt, value);
}

/* The last option is one of the process only [C]. */
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = check_option(opt, PACL_SYS_PARAMS - 1);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    pacl_sys_params_set(&context->sys_params, (unsigned)opt, value);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = check_option(opt, PACL_SYS_PARAMS - 1);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    return err != ACL_SUCCESS ? err : get_option(&context->sys_params, opt, value);
}

/* --- limits of the device ---------------------------------------------------------------------------------------- */

static aclError check_limit(aclrtDeviceLimit limit)
{
    if ((unsigned)limit >= PACL_DEVICE_LIMITS)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "limit %d; it takes 0 to %d", (int)limit, PACL_DEVICE_LIMITS - 1);
    return ACL_SUCCESS;
}

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = check_limit(limit);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_device *device = context->device;
    pacl_store_relaxed(&device->settings.limits[limit], value);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = check_limit(limit);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_device *device = context->device;
    *value = pacl_load_relaxed(&device->settings.limits[limit]);
    return ACL_SUCCESS;
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    if ((unsigned)mode >= ACL_RT_OVERFLOW_MODE_UNDEF)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "mode %d; it takes 0 (saturation) or 1 (infinity and NaN)",
                         (int)mode);
    const aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_device *device = context->device;
    pacl_store_relaxed(&device->settings.overflow_mode, (uint32_t)mode + 1);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(mode);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        *mode = pacl_overflow_mode(context->device);
    return err;
}

aclError aclrtSetTsDevice(aclrtTsId tsId)
{
    PACL_ENTER_OR_RETURN();
    if ((unsigned)tsId >= ACL_TS_ID_RESERVED)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "tsId %d; it takes 0 (AI cores) or 1 (vector cores)", (int)tsId);
    return PACL_WITHOUT_EFFECT;
}

/* --- cores ------------------------------------------------------------------------------------------------------- */

/* The stream whose limits hold for the calling thread; it may be gone by now. */
static _Thread_local aclrtStream stream_in_use;

static aclError check_type(aclrtDevResLimitType type)
{
    if ((unsigned)type >= PACL_CORE_TYPES)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "type %d; it takes 0 (cube cores) or 1 (vector cores)", (int)type);
    return ACL_SUCCESS;
}

/* The number of cores is not known for every product; then any is taken. */
static aclError check_cores(aclrtDevResLimitType type, uint32_t value)
{
    const aclError err = check_type(type);
    if (err != ACL_SUCCESS)
        return err;
    const uint32_t most = pacl_cores_of_product(type);
    if (value == 0 || (most != 0 && value > most))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "value %u cores; product %s has %u", value,
                         pacl_runtime()->product.name, most);
    return ACL_SUCCESS;
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = check_type(type);
    if (err == ACL_SUCCESS)
        err = pacl_device_get(deviceId, &device);
    if (err == ACL_SUCCESS)
        *value = pacl_cores_in_use(device, NULL, type);
    return err;
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL;
    aclError err = pacl_device_get(deviceId, &device);
    if (err == ACL_SUCCESS)
        err = check_cores(type, value);
    if (err != ACL_SUCCESS)
        return err;
    pacl_store_relaxed(&device->settings.cores[type], value);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtResetDeviceResLimit(int32_t deviceId)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL;
    const aclError err = pacl_device_get(deviceId, &device);
    if (err != ACL_SUCCESS)
        return err;
    for (int type = 0; type < PACL_CORE_TYPES; type++)
        pacl_store_relaxed(&device->settings.cores[type], 0);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = check_type(type);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, NULL);
    if (err == ACL_SUCCESS)
        *value = pacl_cores_in_use(s->device, s, type);
    return err;
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = pacl_find_stream(stream, &s, NULL);
    if (err == ACL_SUCCESS)
        err = check_cores(type, value);
    if (err != ACL_SUCCESS)
        return err;
    pacl_store_relaxed(&s->cores[type], value);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtResetStreamResLimit(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    const aclError err = pacl_find_stream(stream, &s, NULL);
    if (err != ACL_SUCCESS)
        return err;
    for (int type = 0; type < PACL_CORE_TYPES; type++)
        pacl_store_relaxed(&s->cores[type], 0);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    const aclError err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    stream_in_use = handle;
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    const aclError err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    if (handle != stream_in_use)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "the limits of stream %u are not in use in this thread", s->id);
    stream_in_use = NULL;
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = check_type(type);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        *value = pacl_cores_in_use(context->device, pacl_pool_find(&pacl_streams, stream_in_use), type);
    return err;
}

/* --- time limits of kernels -------------------------------------------------------------------------------------- */

enum { INTERVAL_US = 1000 };

static _Atomic uint64_t execute_timeout_us; /* 0: none; a whole number of intervals */

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    pacl_store_relaxed(&execute_timeout_us, (uint64_t)timeout * 1000000U);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    pacl_store_relaxed(&execute_timeout_us, (uint64_t)timeout * 1000U);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(actualTimeout);
    if (err != ACL_SUCCESS)
        return err;
    const uint64_t most = (uint64_t)UINT32_MAX * INTERVAL_US; /* what aclrtGetOpExecuteTimeout can tell */
    const uint64_t whole = timeout / INTERVAL_US + (timeout % INTERVAL_US != 0);
    *actualTimeout = timeout < most ? whole * INTERVAL_US : most;
    pacl_store_relaxed(&execute_timeout_us, *actualTimeout);
    return PACL_WITHOUT_EFFECT;
}

aclError aclrtGetOpTimeOutInterval(uint64_t *interval)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(interval);
    if (err == ACL_SUCCESS)
        *interval = INTERVAL_US;
    return err;
}

aclError aclrtGetOpExecuteTimeout(uint32_t *timeoutMs)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(timeoutMs);
    if (err != ACL_SUCCESS)
        return err;
    const uint64_t ms = pacl_load_relaxed(&execute_timeout_us) / 1000U;
    *timeoutMs = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
    return ACL_SUCCESS;
}
