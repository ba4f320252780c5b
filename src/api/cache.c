/* SPDX-License-Identifier: Apache-2.0 */
/* Maintenance of caches between host and device: checked, then nothing, for the memory here is always coherent. */
#include "api/api.h"

static aclError check_range(const void *at, const char *name, size_t size)
{
    if (at == NULL || size == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is %p, size %zu; neither may be null or 0", name, at, size);
    return ACL_SUCCESS;
}

aclError aclrtMemFlush(void *devPtr, size_t size)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_range(devPtr, "devPtr", size);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtMemInvalidate(void *devPtr, size_t size)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_range(devPtr, "devPtr", size);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtDeviceL2CacheFlush(void *rsv)
{
    PACL_ENTER_OR_RETURN();
    if (rsv != NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "rsv is %p; it takes null only", rsv);
    return PACL_WITHOUT_EFFECT;
}

/* --- operations on the device's cache (CMO) ---------------------------------------------------------------------- */

static aclError check_operation(aclrtCmoType type, aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    if ((unsigned)type > ACL_RT_CMO_TYPE_FLUSH)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "cmoType %d; it takes 0 to %d", (int)type, ACL_RT_CMO_TYPE_FLUSH);
    return pacl_find_stream(stream, &s, NULL);
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    aclError err = check_range(src, "src", size);
    if (err == ACL_SUCCESS)
        err = check_operation(cmoType, stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtCmoAsyncWithBarrier(void *src, size_t size, aclrtCmoType cmoType, uint32_t barrierId, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    (void)barrierId; /* whatever a program chooses */
    aclError err = check_range(src, "src", size);
    if (err == ACL_SUCCESS)
        err = check_operation(cmoType, stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(taskInfo);
    if (err != ACL_SUCCESS)
        return err;
    if (taskInfo->barrierNum == 0 || taskInfo->barrierNum > ACL_RT_CMO_MAX_BARRIER_NUM || flag != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "barrierNum %zu, flag %u; they take 1 to %u, and 0",
                         taskInfo->barrierNum, flag, ACL_RT_CMO_MAX_BARRIER_NUM);
    err = check_operation(ACL_RT_CMO_TYPE_FLUSH, stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

/* A description would be read by the device; nothing reads it here, so nothing is written either. */
enum { CMO_DESC_BYTES = 64 };

aclError aclrtCmoGetDescSize(size_t *size)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(size);
    if (err == ACL_SUCCESS)
        *size = CMO_DESC_BYTES;
    return err;
}

aclError aclrtCmoSetDesc(void *cmoDesc, void *src, size_t size)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(cmoDesc);
    if (err == ACL_SUCCESS)
        err = check_range(src, "src", size);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void *reserve)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(cmoDesc);
    if (err != ACL_SUCCESS)
        return err;
    if (reserve != NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "reserve is %p; it takes null only", reserve);
    err = check_operation(cmoType, stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}
