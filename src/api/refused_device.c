/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_platform.h"
#include "api/refused.h"

static const char BUS[] = "PACL's devices are on no bus; aclrtDeviceGetUuid tells them apart";
static const char INSTRUCTIONS[] =
    "PACL runs no device code and knows no instructions; aclplatformGetDeviceInfo tells cores";
static const char GROUPS[] = "PACL has no groups of cores; use the whole device";
static const char OVERFLOW[] =
    "PACL does no floating-point arithmetic that could overflow; check the results on the host";
static const char SNAPSHOTS[] =
    "PACL cannot save the state of a process; copy what must live on to the host with aclrtMemcpy";

/* Devices: states, limits, ids */
aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len) PACL_REFUSES(BUS);
aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId) PACL_REFUSES(BUS);

/* Devices: groups of cores */
aclError aclrtSetGroup(int32_t groupId) PACL_REFUSES(GROUPS);
aclError aclrtGetGroupCount(uint32_t *count) PACL_REFUSES(GROUPS);
aclrtGroupInfo *aclrtCreateGroupInfo(void) PACL_REFUSES_WITH(NULL, GROUPS);
aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo) PACL_REFUSES(GROUPS);
aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo) PACL_REFUSES(GROUPS);
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void *attrValue, size_t valueLen, size_t *paramRetSize) PACL_REFUSES(GROUPS);

/* Streams: overflow of floating-point arithmetic */
aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr) PACL_REFUSES(OVERFLOW);

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
aclError aclplatformGetInstructionInfo(aclplatformCoreType type, const char *instruction, char *value, uint32_t maxLen)
    PACL_REFUSES(INSTRUCTIONS);
