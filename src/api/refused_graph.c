/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char GRAPHS[] = "PACL does not have captured graphs yet; queue the calls again";

/* Captured graphs (model RI) */
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status, aclmdlRI *modelRI)
    PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode)
    PACL_REFUSES(GRAPHS);
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) PACL_REFUSES(GRAPHS);
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) PACL_REFUSES(GRAPHS);
aclError aclmdlRIAbort(aclmdlRI modelRI) PACL_REFUSES(GRAPHS);
aclError aclmdlRIDestroy(aclmdlRI modelRI) PACL_REFUSES(GRAPHS);
aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void *userData) PACL_REFUSES(GRAPHS);
aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func) PACL_REFUSES(GRAPHS);
aclError aclmdlRISetName(aclmdlRI modelRI, const char *name) PACL_REFUSES(GRAPHS);
aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name) PACL_REFUSES(GRAPHS);
aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId) PACL_REFUSES(GRAPHS);
aclError aclmdlRIDebugPrint(aclmdlRI modelRI) PACL_REFUSES(GRAPHS);
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path, uint32_t flags) PACL_REFUSES(GRAPHS);
aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams, uint32_t *numStreams) PACL_REFUSES(GRAPHS);
aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks, uint32_t *numTasks) PACL_REFUSES(GRAPHS);
aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type) PACL_REFUSES(GRAPHS);
aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id) PACL_REFUSES(GRAPHS);
aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params) PACL_REFUSES(GRAPHS);
aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params) PACL_REFUSES(GRAPHS);
aclError aclmdlRITaskDisable(aclmdlRITask task) PACL_REFUSES(GRAPHS);
aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue *attrValue) PACL_REFUSES(GRAPHS);
aclError aclmdlRIUpdate(aclmdlRI modelRI) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) PACL_REFUSES(GRAPHS);
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) PACL_REFUSES(GRAPHS);
aclError aclrtCacheLastTaskOpInfo(const void *infoPtr, size_t infoSize) PACL_REFUSES(GRAPHS);
aclError aclrtCacheLastTaskExtendInfo(const char *extendInfoPtr, size_t infoSize) PACL_REFUSES(GRAPHS);
