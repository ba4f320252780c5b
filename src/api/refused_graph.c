/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char GRAPHS[] =
    "PACL does not list or change the tasks of a graph, nor groups of them; capture the graph again";

/* Captured graphs (model RI) */
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode)
    PACL_REFUSES(GRAPHS);
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
