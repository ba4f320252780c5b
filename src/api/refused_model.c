/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that are built by hand, and jumps and conditions in graphs. */
#include "api/refused.h"

static const char MODELS[] = "PACL does not build graphs; capture them (aclmdlRICaptureBegin)";
static const char LABELS[] = "PACL has no jumps and conditions within streams; synchronize and decide on the host";

/* Graphs that are built, not captured */
aclError aclmdlRIBuildBegin(aclmdlRI *modelRI, uint32_t flag) PACL_REFUSES(MODELS);
aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag) PACL_REFUSES(MODELS);
aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream) PACL_REFUSES(MODELS);
aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream) PACL_REFUSES(MODELS);
aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void *reserve) PACL_REFUSES(MODELS);
aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo *info,
                              aclrtStream execStream) PACL_REFUSES(MODELS);
aclError aclrtPersistentTaskClean(aclrtStream stream) PACL_REFUSES(MODELS);
aclError aclmdlInitDump(void) PACL_REFUSES(MODELS);
aclError aclmdlSetDump(const char *dumpCfgPath) PACL_REFUSES(MODELS);
aclError aclmdlFinalizeDump(void) PACL_REFUSES(MODELS);

/* Graphs: labels and conditions */
aclError aclrtCreateLabel(aclrtLabel *label) PACL_REFUSES(LABELS);
aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream) PACL_REFUSES(LABELS);
aclError aclrtDestroyLabel(aclrtLabel label) PACL_REFUSES(LABELS);
aclError aclrtCreateLabelList(aclrtLabel *labels, size_t num, aclrtLabelList *labelList) PACL_REFUSES(LABELS);
aclError aclrtDestroyLabelList(aclrtLabelList labelList) PACL_REFUSES(LABELS);
aclError aclrtSwitchLabelByIndex(void *ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream)
    PACL_REFUSES(LABELS);
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) PACL_REFUSES(LABELS);
aclError aclrtSwitchStream(void *leftValue, aclrtCondition cond, void *rightValue, aclrtCompareDataType dataType,
                           aclrtStream trueStream, aclrtStream falseStream, aclrtStream stream) PACL_REFUSES(LABELS);
aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag,
                                  aclmdlRICondHandle *handle) PACL_REFUSES(LABELS);
aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t **ptr) PACL_REFUSES(LABELS);
aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags) PACL_REFUSES(LABELS);
