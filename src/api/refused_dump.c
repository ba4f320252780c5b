/* SPDX-License-Identifier: Apache-2.0 */
/* Dumping of what operators read and write. */
#include "acl/acl_dump.h"
#include "api/refused.h"

static const char DUMPS[] =
    "PACL runs no operators whose data could be dumped; copy device memory to the host with aclrtMemcpy";

/* Dumping data of operators */
aclError acldumpRegCallback(int32_t (*messageCallback)(const acldumpChunk *, int32_t), int32_t flag)
    PACL_REFUSES(DUMPS);
void acldumpUnregCallback(void) PACL_REFUSES_VOID(DUMPS);
aclError aclopStartDumpArgs(uint32_t dumpType, const char *path) PACL_REFUSES(DUMPS);
aclError aclopStopDumpArgs(uint32_t dumpType) PACL_REFUSES(DUMPS);
const char *acldumpGetPath(acldumpType dumpType) PACL_REFUSES_WITH(NULL, DUMPS);
aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag, const acldumpTensorInfo *tensors,
                                  size_t tensorCount) PACL_REFUSES(DUMPS);
aclError acldumpGetExceptionInfoPath(char *path, size_t maxLen) PACL_REFUSES(DUMPS);
