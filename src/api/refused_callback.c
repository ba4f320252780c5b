/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char CALLBACKS[] =
    "PACL does not have this yet; use aclrtLaunchHostFunc, and ask synchronizing calls for failures";

/* Callbacks and failures */
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) PACL_REFUSES(CALLBACKS);
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) PACL_REFUSES(CALLBACKS);
aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
    PACL_REFUSES(CALLBACKS);
aclError aclrtProcessReport(int32_t timeout) PACL_REFUSES(CALLBACKS);
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) PACL_REFUSES(CALLBACKS);
aclError aclrtProcessHostFunc(int32_t timeout) PACL_REFUSES(CALLBACKS);
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) PACL_REFUSES(CALLBACKS);
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) PACL_REFUSES(CALLBACKS);
aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) PACL_REFUSES(CALLBACKS);
aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) PACL_REFUSES(CALLBACKS);
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info) PACL_REFUSES_WITH(UINT32_MAX, CALLBACKS);
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info) PACL_REFUSES_WITH(UINT32_MAX, CALLBACKS);
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info) PACL_REFUSES_WITH(UINT32_MAX, CALLBACKS);
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info) PACL_REFUSES_WITH(UINT32_MAX, CALLBACKS);
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info) PACL_REFUSES_WITH(UINT32_MAX, CALLBACKS);
