/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char STREAMS[] =
    "PACL does not do this with streams yet; use aclrtCreateStreamWithConfig and aclrtDestroyStreamForce";

/* Streams: configuration, attributes, values in memory */
aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void) PACL_REFUSES_WITH(NULL, STREAMS);
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle) PACL_REFUSES(STREAMS);
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr, const void *attrValue,
                                 size_t valueSize) PACL_REFUSES(STREAMS);
aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle) PACL_REFUSES(STREAMS);
aclError aclrtGetStreamAvailableNum(uint32_t *streamCount) PACL_REFUSES(STREAMS);
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value)
    PACL_REFUSES(STREAMS);
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value)
    PACL_REFUSES(STREAMS);
aclError aclrtStreamAbort(aclrtStream stream) PACL_REFUSES(STREAMS);
aclError aclrtStreamStop(aclrtStream stream) PACL_REFUSES(STREAMS);
aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback, void *args)
    PACL_REFUSES(STREAMS);
aclError aclrtGetThreadLastTaskId(uint32_t *taskId) PACL_REFUSES(STREAMS);
