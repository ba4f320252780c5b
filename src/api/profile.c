/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profiler's calls that programs make while they work: sessions and marks. They are checked and accepted; PACL
 * collects nothing and writes no file. What reads a profile is in refused_prof.c.
 */
#include <string.h>

#include "acl/acl_prof.h"
#include "api/api.h"
#include "core/device.h"
#include "core/token.h"

/* --- sessions ---------------------------------------------------------------------------------------------------- */

static _Atomic uint32_t is_initialised; /* 1 between aclprofInit and aclprofFinalize; guards nothing */

static aclError require_session(void)
{
    if (pacl_load_relaxed(&is_initialised) == 0)
        return PACL_FAIL(ACL_ERROR_PROF_NOT_RUN, "aclprofInit was not called");
    return ACL_SUCCESS;
}

aclError aclprofInit(const char *profilerResultPath, size_t length)
{
    PACL_ENTER_OR_RETURN();
    uint32_t before = 0;
    const aclError err = PACL_REFUSE_NULL(profilerResultPath);
    if (err != ACL_SUCCESS)
        return err;
    if (length == 0 || strlen(profilerResultPath) != length)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "length %zu is not that of profilerResultPath", length);
    if (!pacl_cas_seq_cst(&is_initialised, &before, 1))
        return PACL_FAIL(ACL_ERROR_REPEAT_INITIALIZE, "aclprofInit was called before, without aclprofFinalize");
    return PACL_WITHOUT_EFFECT;
}

aclError aclprofFinalize(void)
{
    PACL_ENTER_OR_RETURN();
    uint32_t before = 1;
    if (!pacl_cas_seq_cst(&is_initialised, &before, 0))
        return require_session();
    return PACL_WITHOUT_EFFECT;
}

aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig)
{
    PACL_ENTER();
    struct pacl_device *device;
    (void)aicoreMetrics;
    (void)dataTypeConfig;
    if ((deviceNums != 0 && deviceIdList == NULL) || deviceNums > PACL_DEVICES_MAX || aicoreEvents != NULL) {
        (void)PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                        "deviceIdList %p, deviceNums %u, aicoreEvents %p; it takes a list of at most %d, and null",
                        (void *)deviceIdList, deviceNums, (const void *)aicoreEvents, PACL_DEVICES_MAX);
        return NULL;
    }
    for (uint32_t i = 0; i < deviceNums; i++) {
        if (pacl_device_get((int32_t)deviceIdList[i], &device) != ACL_SUCCESS)
            return NULL;
    }
    return pacl_token_create(PACL_TOKEN_PROFILE_CONFIG, NULL, 0);
}

aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig)
{
    PACL_ENTER_OR_RETURN();
    return pacl_token_destroy(profilerConfig, PACL_TOKEN_PROFILE_CONFIG, "profilerConfig");
}

static aclError check_running(const aclprofConfig *config)
{
    struct pacl_token *token;
    const aclError err = pacl_token_find(config, PACL_TOKEN_PROFILE_CONFIG, "profilerConfig", &token);
    return err != ACL_SUCCESS ? err : require_session();
}

aclError aclprofStart(const aclprofConfig *profilerConfig)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_running(profilerConfig);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclprofStop(const aclprofConfig *profilerConfig)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_running(profilerConfig);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(config);
    if (err != ACL_SUCCESS)
        return err;
    if ((unsigned)configType == ACL_PROF_ARGS_MIN || (unsigned)configType >= ACL_PROF_ARGS_MAX || configLength == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "configType %d, configLength %zu; they take 1 to %d, and no 0",
                         (int)configType, configLength, ACL_PROF_ARGS_MAX - 1);
    return PACL_WITHOUT_EFFECT;
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

aclprofStepInfo *aclprofCreateStepInfo(void)
{
    PACL_ENTER();
    return pacl_token_create(PACL_TOKEN_STEP_INFO, NULL, 0);
}

void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo)
{
    PACL_ENTER();
    (void)pacl_token_destroy(stepinfo, PACL_TOKEN_STEP_INFO, "stepinfo");
}

aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_token *token;
    struct pacl_stream *s = NULL;
    aclError err = pacl_token_find(stepInfo, PACL_TOKEN_STEP_INFO, "stepInfo", &token);
    if (err != ACL_SUCCESS)
        return err;
    if (tag != ACL_STEP_START && tag != ACL_STEP_END)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "tag %d; it takes 0 (start) or 1 (end)", (int)tag);
    err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

/* --- marks ------------------------------------------------------------------------------------------------------- */

/* Ranges that are open, so that an end without a begin is told. */
static _Thread_local uint32_t pushed;
static _Atomic uint32_t last_range;

void *aclprofCreateStamp(void)
{
    PACL_ENTER();
    return pacl_token_create(PACL_TOKEN_STAMP, NULL, 0);
}

void aclprofDestroyStamp(void *stamp)
{
    PACL_ENTER();
    (void)pacl_token_destroy(stamp, PACL_TOKEN_STAMP, "stamp");
}

static aclError check_stamp(const void *stamp)
{
    struct pacl_token *token;
    return pacl_token_find(stamp, PACL_TOKEN_STAMP, "stamp", &token);
}

aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen)
{
    PACL_ENTER_OR_RETURN();
    aclError err = check_stamp(stamp);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(msg);
    (void)msgLen; /* bytes of msg, which nothing reads */
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclprofMark(void *stamp)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_stamp(stamp);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = PACL_REFUSE_NULL(msg);
    if (err != ACL_SUCCESS)
        return err;
    if (msgLen == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "msgLen is 0");
    err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

static aclError pop(void)
{
    if (pushed == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "no range of this thread is open");
    pushed--;
    return ACL_SUCCESS;
}

aclError aclprofPush(void *stamp)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_stamp(stamp);
    if (err != ACL_SUCCESS)
        return err;
    pushed++;
    return PACL_WITHOUT_EFFECT;
}

aclError aclprofPop(void)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = pop();
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclprofRangePushEx(aclprofEventAttributes *attr)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(attr);
    if (err != ACL_SUCCESS)
        return err;
    pushed++;
    return PACL_WITHOUT_EFFECT;
}

aclError aclprofRangePop(void)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = pop();
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclprofRangeStart(void *stamp, uint32_t *rangeId)
{
    PACL_ENTER_OR_RETURN();
    aclError err = check_stamp(stamp);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(rangeId);
    if (err != ACL_SUCCESS)
        return err;
    *rangeId = atomic_fetch_add_explicit(&last_range, 1, memory_order_relaxed) + 1;
    return PACL_WITHOUT_EFFECT;
}

aclError aclprofRangeStop(uint32_t rangeId)
{
    PACL_ENTER_OR_RETURN();
    if (rangeId == 0 || rangeId > pacl_load_relaxed(&last_range))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "rangeId %u was not given out", rangeId);
    return PACL_WITHOUT_EFFECT;
}

/* The same number for the same text: its FNV-1a hash, which is 0 for no text only. */
uint64_t aclprofStr2Id(const char *message)
{
    PACL_ENTER();
    uint64_t hash = 0xCBF29CE484222325U;
    if (PACL_REFUSE_NULL(message) != ACL_SUCCESS)
        return 0;
    for (const char *c = message; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001B3U;
    return hash != 0 ? hash : 1;
}

aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = PACL_REFUSE_NULL(userdata);
    if (err != ACL_SUCCESS)
        return err;
    if (length <= 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "length %d; it takes a positive number", length);
    err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}
