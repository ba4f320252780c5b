/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler. */
#include "acl/acl_prof.h"
#include "api/refused.h"

static const char PROFILING[] = "PACL has no profiler of this kind; pacl bench measures copies, and events take times";

/* Marks for the profiler */
aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream) PACL_REFUSES(PROFILING);

/* Sessions */
aclError aclprofInit(const char *profilerResultPath, size_t length) PACL_REFUSES(PROFILING);
aclError aclprofFinalize(void) PACL_REFUSES(PROFILING);
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig)
    PACL_REFUSES_WITH(NULL, PROFILING);
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig) PACL_REFUSES(PROFILING);
aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength)
    PACL_REFUSES(PROFILING);
aclError aclprofStart(const aclprofConfig *profilerConfig) PACL_REFUSES(PROFILING);
aclError aclprofStop(const aclprofConfig *profilerConfig) PACL_REFUSES(PROFILING);

/* Subscriptions to models */
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig)
    PACL_REFUSES(PROFILING);
aclError aclprofModelUnSubscribe(uint32_t modelId) PACL_REFUSES(PROFILING);
aclprofSubscribeConfig *aclprofCreateSubscribeConfig(int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics,
                                                     void *fd) PACL_REFUSES_WITH(NULL, PROFILING);
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig) PACL_REFUSES(PROFILING);
aclError aclprofGetOpDescSize(size_t *opDescSize) PACL_REFUSES(PROFILING);
aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen, uint32_t *opNumber) PACL_REFUSES(PROFILING);
aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen, uint32_t index, size_t *opTypeLen)
    PACL_REFUSES(PROFILING);
aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index, char *opType, size_t opTypeLen)
    PACL_REFUSES(PROFILING);
aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen, uint32_t index, size_t *opNameLen)
    PACL_REFUSES(PROFILING);
aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index, char *opName, size_t opNameLen)
    PACL_REFUSES(PROFILING);
uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen, uint32_t index) PACL_REFUSES_WITH(0, PROFILING);
uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index) PACL_REFUSES_WITH(0, PROFILING);
uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen, uint32_t index) PACL_REFUSES_WITH(0, PROFILING);
size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index) PACL_REFUSES_WITH(0, PROFILING);
aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen, uint32_t index)
    PACL_REFUSES_WITH(ACL_SUBSCRIBE_NONE, PROFILING);
const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen, uint32_t index, aclprofSubscribeOpAttri attri)
    PACL_REFUSES_WITH(NULL, PROFILING);

/* Marks of the program */
aclprofStepInfo *aclprofCreateStepInfo(void) PACL_REFUSES_WITH(NULL, PROFILING);
void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo) PACL_REFUSES_VOID(PROFILING);
aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream)
    PACL_REFUSES(PROFILING);
void *aclprofCreateStamp(void) PACL_REFUSES_WITH(NULL, PROFILING);
void aclprofDestroyStamp(void *stamp) PACL_REFUSES_VOID(PROFILING);
aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen) PACL_REFUSES(PROFILING);
aclError aclprofPush(void *stamp) PACL_REFUSES(PROFILING);
aclError aclprofPop(void) PACL_REFUSES(PROFILING);
aclError aclprofRangeStart(void *stamp, uint32_t *rangeId) PACL_REFUSES(PROFILING);
aclError aclprofRangeStop(uint32_t rangeId) PACL_REFUSES(PROFILING);
aclError aclprofMark(void *stamp) PACL_REFUSES(PROFILING);
aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream) PACL_REFUSES(PROFILING);
uint64_t aclprofStr2Id(const char *message) PACL_REFUSES_WITH(0, PROFILING);
aclError aclprofRangePushEx(aclprofEventAttributes *attr) PACL_REFUSES(PROFILING);
aclError aclprofRangePop(void) PACL_REFUSES(PROFILING);
