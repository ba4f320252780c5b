/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The few functions of the layer below ACL that programs look up by name when they load the library. No public header
 * declares them; their codes are those of the runtime layer: 107000 where an argument is null. Otherwise they do what a
 * call or two of the ACL interface do, and check the same.
 */
#ifndef PACL_API_RT_H
#define PACL_API_RT_H

#include "acl/acl_rt.h"

#define PACL_RT_API __attribute__((visibility("default")))

PACL_RT_API int32_t rtDeviceGetBareTgid(uint32_t *pid);

/* Always 207000: PACL does not know what the numbers of modules and infos stand for. */
PACL_RT_API int32_t rtGetDeviceInfo(uint32_t deviceId, int32_t moduleType, int32_t infoType, int64_t *val);

/* `userDevId` is the program's number, `*logicDevId` receives the machine's. */
PACL_RT_API int32_t rtGetLogicDevIdByUserDevId(int32_t userDevId, int32_t *logicDevId);

/* Lets device devIdDes, by the program's number, access the device of chip phyIdSrc, or ends that. flag: 0. */
PACL_RT_API int32_t rtEnableP2P(uint32_t devIdDes, uint32_t phyIdSrc, uint32_t flag);
PACL_RT_API int32_t rtDisableP2P(uint32_t devIdDes, uint32_t phyIdSrc);

/* Memory between processes: aclrtIpcMemGetExportKey and what follows it. `name` has room for 65 bytes. There is one
 * machine only, so all process numbers are its own, whatever `sdid` says. */
PACL_RT_API int32_t rtIpcSetMemoryName(const void *ptr, uint64_t byteCount, char *name, uint32_t len);
PACL_RT_API int32_t rtSetIpcMemorySuperPodPid(const char *name, uint32_t sdid, int32_t *pid, int32_t num);
PACL_RT_API int32_t rtIpcDestroyMemoryName(const char *name);

/* Memory of another process by its name; closed by its address. */
PACL_RT_API int32_t rtIpcOpenMemory(void **ptr, const char *name);
PACL_RT_API int32_t rtIpcCloseMemory(const void *ptr);

/* The direction comes from the addresses, whatever `kind` says. */
PACL_RT_API int32_t rtMemcpyAsyncWithoutCheckKind(void *dst, uint64_t destMax, const void *src, uint64_t cnt,
                                                  int32_t kind, aclrtStream stm);

PACL_RT_API int32_t rtStreamSynchronize(aclrtStream stm);

#endif
