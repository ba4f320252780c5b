/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler. */
#include "acl/acl_prof.h"
#include "api/refused.h"

static const char PROFILING[] = "PACL has no profiler of this kind; pacl bench measures copies, and events take times";

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
