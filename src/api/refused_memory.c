/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char OTHER_MACHINES[] =
    "PACL reaches no other machine; aclrtIpcMemSetImportPid lets processes of this one import the key";
static const char LINKS[] =
    "PACL has one way to all memory of devices; aclrtMemSetAccess and peer access say which device may use it";
static const char KINDS[] = "PACL does not compare kinds of memory; aclrtPointerGetAttributes says what an address is";

/* Virtual and shared memory */
aclError aclrtMemP2PMap(void *devPtr, size_t size, int32_t dstDevId, uint64_t flags) PACL_REFUSES(LINKS);
aclError aclrtMemMapSelectedLink(void *virPtrDst, size_t size, void *virPtrSrc, uint32_t linkIdx) PACL_REFUSES(LINKS);
aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink) PACL_REFUSES(LINKS);
aclError aclrtIpcMemImportPidInterServer(const char *key, aclrtServerPid *serverPids, size_t num)
    PACL_REFUSES(OTHER_MACHINES);
aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult, uint32_t reserve)
    PACL_REFUSES(KINDS);
