/* SPDX-License-Identifier: Apache-2.0 */
#include "acl/acl_rt_allocator.h"
#include "acl/acl_rt_memory_soma.h"
#include "api/refused.h"

static const char MEMORY[] = "PACL does not have this memory yet; use aclrtMalloc and aclrtMallocHost";

/* Virtual and shared memory */
aclError aclrtMemP2PMap(void *devPtr, size_t size, int32_t dstDevId, uint64_t flags) PACL_REFUSES(MEMORY);
aclError aclrtMemMapSelectedLink(void *virPtrDst, size_t size, void *virPtrSrc, uint32_t linkIdx) PACL_REFUSES(MEMORY);
aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink) PACL_REFUSES(MEMORY);
aclError aclrtIpcMemImportPidInterServer(const char *key, aclrtServerPid *serverPids, size_t num) PACL_REFUSES(MEMORY);
aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult, uint32_t reserve)
    PACL_REFUSES(MEMORY);

/* Managed memory */

/* Allocators of a program */

/* Pools */
