/* SPDX-License-Identifier: Apache-2.0 */
#include "core/exception.h"
#include "api/api.h"

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback)
{
    PACL_ENTER_OR_RETURN();
    return pacl_exception_set(callback);
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback)
{
    PACL_ENTER_OR_RETURN();
    return pacl_exception_add(callback);
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback)
{
    PACL_ENTER_OR_RETURN();
    return pacl_exception_remove(callback);
}

/* --- what a callback asks ---------------------------------------------------------------------------------------- */

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    PACL_ENTER();
    const struct rtExceptionInfo *own = pacl_exception_of(info);
    return own != NULL ? own->task : UINT32_MAX;
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    PACL_ENTER();
    const struct rtExceptionInfo *own = pacl_exception_of(info);
    return own != NULL ? own->stream : UINT32_MAX;
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    PACL_ENTER();
    const struct rtExceptionInfo *own = pacl_exception_of(info);
    return own != NULL ? own->thread : UINT32_MAX;
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    PACL_ENTER();
    const struct rtExceptionInfo *own = pacl_exception_of(info);
    return own != NULL ? own->device : UINT32_MAX;
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info)
{
    PACL_ENTER();
    const struct rtExceptionInfo *own = pacl_exception_of(info);
    return own != NULL ? own->code : UINT32_MAX;
}

/* No task of PACL has arguments or a function on the device. */

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo *info, void **devArgsPtr, uint32_t *devArgsLen)
{
    PACL_ENTER_OR_RETURN();
    if (info == NULL || devArgsPtr == NULL || devArgsLen == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "info %p, devArgsPtr %p or devArgsLen %p is null", (const void *)info,
                         (void *)devArgsPtr, (void *)devArgsLen);
    if (pacl_exception_of(info) == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "info %p is not that of a callback that runs", (const void *)info);
    *devArgsPtr = NULL;
    *devArgsLen = 0;
    return ACL_SUCCESS;
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo *info, aclrtFuncHandle *func)
{
    PACL_ENTER_OR_RETURN();
    if (info == NULL || func == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "info %p or func %p is null", (const void *)info, (void *)func);
    if (pacl_exception_of(info) == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "info %p is not that of a callback that runs", (const void *)info);
    *func = NULL;
    return ACL_SUCCESS;
}
