/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_platform.h"
#include "api/refused.h"

static const char DEVICE[] =
    "PACL does not answer this of its devices yet; aclrtGetDeviceInfo tells cores, memory and numbers";
static const char GROUPS[] = "PACL has no groups of cores; use the whole device";
static const char OVERFLOW[] =
    "PACL does no floating-point arithmetic that could overflow; check the results on the host";
static const char REPAIR[] =
    "PACL has no hardware that could break and be repaired; reset the device with aclrtResetDeviceForce";
static const char SNAPSHOTS[] =
    "PACL cannot save the state of a process; copy what must live on to the host with aclrtMemcpy";

/* Devices: states, limits, ids */
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus) PACL_REFUSES(DEVICE);
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo) PACL_REFUSES(DEVICE);
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t *value)
    PACL_REFUSES(DEVICE);
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active) PACL_REFUSES(DEVICE);
aclError aclrtDeviceGetBareTgid(int32_t *pid) PACL_REFUSES(DEVICE);
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid) PACL_REFUSES(DEVICE);
aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len) PACL_REFUSES(DEVICE);
aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId) PACL_REFUSES(DEVICE);
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t *value) PACL_REFUSES(DEVICE);
aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t *logicDevId) PACL_REFUSES(DEVICE);
aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t *userDevid) PACL_REFUSES(DEVICE);
aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t *logicDevId) PACL_REFUSES(DEVICE);
aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t *phyDevId) PACL_REFUSES(DEVICE);
aclError aclrtGetUserDevIdByPhyDevId(int32_t phyDevId, int32_t *userDevId) PACL_REFUSES(DEVICE);
aclError aclrtGetPhyDevIdByUserDevId(int32_t userDevId, int32_t *phyDevId) PACL_REFUSES(DEVICE);
aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value) PACL_REFUSES(DEVICE);
aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value) PACL_REFUSES(DEVICE);
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value) PACL_REFUSES(DEVICE);
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) PACL_REFUSES(DEVICE);
aclError aclrtResetDeviceResLimit(int32_t deviceId) PACL_REFUSES(DEVICE);
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value) PACL_REFUSES(DEVICE);
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value) PACL_REFUSES(DEVICE);
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) PACL_REFUSES(DEVICE);
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value) PACL_REFUSES(DEVICE);
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) PACL_REFUSES(DEVICE);
aclError aclrtSetTsDevice(aclrtTsId tsId) PACL_REFUSES(DEVICE);
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) PACL_REFUSES(DEVICE);
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode) PACL_REFUSES(DEVICE);
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) PACL_REFUSES(DEVICE);
aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback, void *args)
    PACL_REFUSES(DEVICE);
aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback, void *args)
    PACL_REFUSES(DEVICE);
aclError aclrtDeviceL2CacheFlush(void *rsv) PACL_REFUSES(DEVICE);

/* Devices: groups of cores */
aclError aclrtSetGroup(int32_t groupId) PACL_REFUSES(GROUPS);
aclError aclrtGetGroupCount(uint32_t *count) PACL_REFUSES(GROUPS);
aclrtGroupInfo *aclrtCreateGroupInfo(void) PACL_REFUSES_WITH(NULL, GROUPS);
aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo) PACL_REFUSES(GROUPS);
aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo) PACL_REFUSES(GROUPS);
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void *attrValue, size_t valueLen, size_t *paramRetSize) PACL_REFUSES(GROUPS);

/* Streams: configuration, attributes, values in memory */
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value) PACL_REFUSES(DEVICE);
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) PACL_REFUSES(DEVICE);
aclError aclrtResetStreamResLimit(aclrtStream stream) PACL_REFUSES(DEVICE);
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) PACL_REFUSES(DEVICE);
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) PACL_REFUSES(DEVICE);

/* Streams: overflow of floating-point arithmetic */
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) PACL_REFUSES(OVERFLOW);
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag) PACL_REFUSES(OVERFLOW);
aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize, aclrtStream stream) PACL_REFUSES(OVERFLOW);
aclError aclrtResetOverflowStatus(aclrtStream stream) PACL_REFUSES(OVERFLOW);
aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr) PACL_REFUSES(OVERFLOW);
aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream) PACL_REFUSES(OVERFLOW);
aclError aclrtResetFloatOverflowStatus(aclrtStream stream) PACL_REFUSES(OVERFLOW);
aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode, aclrtStream stream)
    PACL_REFUSES(OVERFLOW);
aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream) PACL_REFUSES(OVERFLOW);

/* Errors of the hardware */
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo) PACL_REFUSES(REPAIR);
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo) PACL_REFUSES(REPAIR);
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize, size_t *retSize)
    PACL_REFUSES(REPAIR);
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize) PACL_REFUSES(REPAIR);

/* Atomic operations */
aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                              uint32_t count, int32_t deviceId) PACL_REFUSES(DEVICE);
aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                             uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId)
    PACL_REFUSES(DEVICE);

/* Snapshots of a process */
aclError aclrtSnapShotProcessLock(int pid, void *reserve) PACL_REFUSES(SNAPSHOTS);
aclError aclrtSnapShotProcessUnlock(int pid, void *reserve) PACL_REFUSES(SNAPSHOTS);
aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs *args) PACL_REFUSES(SNAPSHOTS);
aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs *args) PACL_REFUSES(SNAPSHOTS);
aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void *args)
    PACL_REFUSES(SNAPSHOTS);
aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback)
    PACL_REFUSES(SNAPSHOTS);

/* What a chip is made of */
aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char *value, uint32_t maxLen) PACL_REFUSES(DEVICE);
aclError aclplatformGetInstructionInfo(aclplatformCoreType type, const char *instruction, char *value, uint32_t maxLen)
    PACL_REFUSES(DEVICE);
