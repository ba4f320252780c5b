/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_prof.h: the profiler.
 *
 * The letters in brackets say where a statement comes from: [D] the vendor's documentation, [C] behaviour reported of
 * the public runtime, [P] decided by PACL.
 */
#ifndef PACL_ACL_ACL_PROF_H
#define PACL_ACL_ACL_PROF_H

#include <stddef.h>
#include <stdint.h>

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MSVP_PROF_API ACL_FUNC_VISIBILITY

/* What to collect: bits of dataTypeConfig. */
#define ACL_PROF_ACL_API 0x1ULL
#define ACL_PROF_TASK_TIME 0x2ULL
#define ACL_PROF_AICORE_METRICS 0x4ULL
#define ACL_PROF_AICPU 0x8ULL
#define ACL_PROF_L2CACHE 0x10ULL
#define ACL_PROF_HCCL_TRACE 0x20ULL
#define ACL_PROF_TRAINING_TRACE 0x40ULL
#define ACL_PROF_MSPROFTX 0x80ULL
#define ACL_PROF_RUNTIME_API 0x100ULL
#define ACL_PROF_GE_API_L0 0x200ULL
#define ACL_PROF_TASK_TIME_L0 0x800ULL
#define ACL_PROF_TASK_MEMORY 0x1000ULL
#define ACL_PROF_GE_API_L1 0x1000000ULL
#define ACL_PROF_TASK_TIME_L2 0x2000ULL
#define ACL_PROF_OP_ATTR 0x4000ULL
#define ACL_PROF_TASK_TIME_L3 0x8000ULL
#define ACL_PROF_API_STATS 0x400000000ULL
#define ACL_PROF_AICORE_SHAPE 0x800000000ULL

#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8
#define ACL_PROF_EVENT_ATTR_VERSION 1

typedef enum {
    ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
    ACL_AICORE_PIPE_UTILIZATION = 1,
    ACL_AICORE_MEMORY_BANDWIDTH = 2,
    ACL_AICORE_L0B_AND_WIDTH = 3,
    ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
    ACL_AICORE_MEMORY_UB = 5,
    ACL_AICORE_L2_CACHE = 6,
    ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
    ACL_AICORE_MEMORY_ACCESS = 8,
    ACL_AICORE_NONE = 255
} aclprofAicoreMetrics;

typedef enum {
    ACL_STEP_START = 0,
    ACL_STEP_END = 1
} aclprofStepTag;

typedef enum {
    ACL_SUBSCRIBE_OP = 0,
    ACL_SUBSCRIBE_SUBGRAPH = 1,
    ACL_SUBSCRIBE_OP_THREAD = 2,
    ACL_SUBSCRIBE_NONE = 255
} aclprofSubscribeOpFlag;

typedef enum {
    ACL_SUBSCRIBE_ATTRI_THREADID = 0,
    ACL_SUBSCRIBE_ATTRI_NONE = 1
} aclprofSubscribeOpAttri;

typedef enum {
    ACL_PROF_ARGS_MIN = 0,
    ACL_PROF_STORAGE_LIMIT = 1,
    ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
    ACL_PROF_LLC_MODE = 4,
    ACL_PROF_SYS_IO_FREQ = 5,
    ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
    ACL_PROF_DVPP_FREQ = 7,
    ACL_PROF_HOST_SYS = 8,
    ACL_PROF_HOST_SYS_USAGE = 9,
    ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
    ACL_PROF_LOW_POWER_FREQ = 11,
    ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
    ACL_PROF_SYS_CPU_FREQ = 13,
    ACL_PROF_OPTYPE = 14,
    ACL_PROF_NTS_METRICS = 15,
    ACL_PROF_PATH = 16,
    ACL_PROF_ARGS_MAX = 17
} aclprofConfigType;

typedef enum {
    ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0
} aclprofMessageType;

typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofStopConfig aclprofStopConfig;
typedef struct aclprofAicoreEvents aclprofAicoreEvents;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;
typedef struct aclprofStepInfo aclprofStepInfo;

/* A program that has these three types from elsewhere defines the macro first. */
#ifndef ACL_PROF_TENSOR_INFO_DEFINED
#define ACL_PROF_TENSOR_INFO_DEFINED

typedef struct aclprofTensor {
    uint32_t type;
    uint32_t format;
    uint32_t dataType;
    uint32_t shapeDim;
    uint32_t shape[ACL_PROF_TENSOR_DATA_SHAPE_LEN];
} aclprofTensor;

typedef struct aclprofTensorInfo {
    uint64_t opNameId;
    uint64_t opTypeId;
    uint32_t resv;
    uint32_t tensorNum;
    uint32_t kernelType;
    uint32_t blockNums;
    void *stream;
    aclprofTensor *tensors;
} aclprofTensorInfo;

typedef struct aclprofEventAttributes {
    uint16_t version;
    uint16_t size;
    uint32_t messageType;
    union Message {
        aclprofTensorInfo *tensorInfo;
    } message;
} aclprofEventAttributes;

#endif

/* ---- Sessions ---------------------------------------------------------------------------------------------------- */

/*
 * Begins profiling. Accepted without effect: nothing is collected and no file is written.
 * profilerResultPath: a folder, not looked at. length: length of that string.
 * ACL_ERROR_INVALID_PARAM (100000): `profilerResultPath` is null, or `length` is not its length.
 * ACL_ERROR_REPEAT_INITIALIZE (100002): called before, without aclprofFinalize.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofInit(const char *profilerResultPath, size_t length);

/*
 * Ends profiling. Accepted without effect.
 * ACL_ERROR_PROF_NOT_RUN (100043): no aclprofInit, or ended already.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofFinalize(void);

/*
 * Makes a configuration for aclprofStart. What it says to collect is not looked at.
 * deviceIdList: `deviceNums` devices; null for none. aicoreEvents: null.
 * Returns the configuration, which aclprofDestroyConfig frees; null if an argument is wrong or a device does not exist.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
                                                       aclprofAicoreMetrics aicoreMetrics,
                                                       const aclprofAicoreEvents *aicoreEvents,
                                                       uint64_t dataTypeConfig);

/*
 * Frees a configuration.
 * ACL_ERROR_INVALID_PARAM (100000): `profilerConfig` is null or no configuration.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/*
 * Sets a further option. Accepted without effect.
 * configType: one of aclprofConfigType, but for its first and last. config, configLength: the value.
 * ACL_ERROR_INVALID_PARAM (100000): `config` is null, `configLength` is 0, or `configType` is out of range.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength);

/*
 * Begins to collect. Accepted without effect.
 * ACL_ERROR_INVALID_PARAM (100000): `profilerConfig` is null or no configuration.
 * ACL_ERROR_PROF_NOT_RUN (100043): no aclprofInit.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofStart(const aclprofConfig *profilerConfig);

/*
 * Ends collecting. Accepted without effect.
 * ACL_ERROR_INVALID_PARAM (100000): `profilerConfig` is null or no configuration.
 * ACL_ERROR_PROF_NOT_RUN (100043): no aclprofInit.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofStop(const aclprofConfig *profilerConfig);

/* ---- Subscriptions to models ------------------------------------------------------------------------------------- */

/*
 * Sends the profile of a model to a pipe.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);

/*
 * Ends that.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofModelUnSubscribe(uint32_t modelId);

/*
 * Makes a configuration for it. Free it with aclprofDestroySubscribeConfig.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclprofSubscribeConfig *aclprofCreateSubscribeConfig(int8_t timeInfoSwitch,
                                                                         aclprofAicoreMetrics aicoreMetrics, void *fd);

/*
 * Frees it.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);

/*
 * Tells the size of one record from the pipe.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpDescSize(size_t *opDescSize);

/*
 * Tells how many records there are.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen, uint32_t *opNumber);

/*
 * Tells the length of the type's name of a record's operator.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen, uint32_t index,
                                                 size_t *opTypeLen);

/*
 * Tells the type's name.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index, char *opType,
                                              size_t opTypeLen);

/*
 * Tells the length of the name of a record's operator.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen, uint32_t index,
                                                 size_t *opNameLen);

/*
 * Tells the name.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index, char *opName,
                                              size_t opNameLen);

/*
 * Tells when an operator began.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen, uint32_t index);

/*
 * Tells when an operator ended.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index);

/*
 * Tells how long an operator ran.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen, uint32_t index);

/*
 * Tells the model of a record.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index);

/*
 * Tells the kind of a record.
 * Not in PACL: returns ACL_SUBSCRIBE_NONE; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen, uint32_t index);

/*
 * Tells an attribute of a record.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen, uint32_t index,
                                                       aclprofSubscribeOpAttri attri);

/* ---- Marks of the program ---------------------------------------------------------------------------------------- */

/*
 * Returns a description of a step for aclprofGetStepTimestamp, which aclprofDestroyStepInfo frees; null when memory is
 * short.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclprofStepInfo *aclprofCreateStepInfo(void);

/*
 * Frees a description of a step. Anything else is left alone, with a message for aclGetRecentErrMsg.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);

/*
 * Queues the mark of a step's begin or end. Accepted without effect: PACL writes no profile.
 * tag: ACL_STEP_START or ACL_STEP_END. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `stepInfo` is null or no description of a step, or `tag` is another value.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream);

/*
 * Returns a mark, which aclprofDestroyStamp frees; null when memory is short.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY void *aclprofCreateStamp(void);

/*
 * Frees a mark. Anything else is left alone, with a message for aclGetRecentErrMsg.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY void aclprofDestroyStamp(void *stamp);

/*
 * Gives a mark its text. Accepted without effect: PACL writes no profile.
 * msg, msgLen: the text.
 * ACL_ERROR_INVALID_PARAM (100000): `stamp` is null or no mark, or `msg` is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen);

/*
 * Begins a range inside of the thread's last one. Accepted without effect: PACL writes no profile.
 * ACL_ERROR_INVALID_PARAM (100000): `stamp` is null or no mark.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofPush(void *stamp);

/*
 * Ends the thread's last range.
 * ACL_ERROR_INVALID_PARAM (100000): no range of this thread is open.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofPop(void);

/*
 * Begins a range that any thread may end. Accepted without effect: PACL writes no profile.
 * rangeId: receives a number for aclprofRangeStop.
 * ACL_ERROR_INVALID_PARAM (100000): `rangeId` is null.
 * ACL_ERROR_INVALID_PARAM (100000): `stamp` is null or no mark.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);

/*
 * Ends a range. Accepted without effect.
 * ACL_ERROR_INVALID_PARAM (100000): `rangeId` was never given out.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofRangeStop(uint32_t rangeId);

/*
 * Marks a moment. Accepted without effect: PACL writes no profile.
 * ACL_ERROR_INVALID_PARAM (100000): `stamp` is null or no mark.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofMark(void *stamp);

/*
 * Queues a mark with a text. Accepted without effect: PACL writes no profile.
 * msg, msgLen: the text. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `msg` is null, or `msgLen` is 0.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/*
 * Returns a number for a text, the same for the same text; 0 if `message` is null.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY uint64_t aclprofStr2Id(const char *message);

/*
 * As aclprofPush, with attributes, which are not looked at.
 * ACL_ERROR_INVALID_PARAM (100000): `attr` is null.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofRangePushEx(aclprofEventAttributes *attr);

/*
 * As aclprofPop.
 * ACL_ERROR_INVALID_PARAM (100000): no range of this thread is open.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclprofRangePop(void);

#ifdef __cplusplus
}
#endif

#endif
