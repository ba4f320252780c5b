/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of buffers on a device, under both of their names. */
#include "acl/acl_tdt_queue.h"
#include "api/refused.h"

static const char QUEUES[] =
    "PACL has no queues on devices; pass buffers between threads and copy with aclrtMemcpyAsync";

/* Buffers of queues, older names */
aclError aclrtAllocBuf(aclrtMbuf *buf, size_t size) PACL_REFUSES(QUEUES);
aclError aclrtFreeBuf(aclrtMbuf buf) PACL_REFUSES(QUEUES);
aclError aclrtGetBufData(aclrtMbuf buf, void **dataPtr, size_t *size) PACL_REFUSES(QUEUES);
aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len) PACL_REFUSES(QUEUES);
aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t *len) PACL_REFUSES(QUEUES);
aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf) PACL_REFUSES(QUEUES);
aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num) PACL_REFUSES(QUEUES);
aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf *buf) PACL_REFUSES(QUEUES);
aclError aclrtCopyBufRef(aclrtMbuf buf, aclrtMbuf *newBuf) PACL_REFUSES(QUEUES);
aclError aclrtGetBufUserData(aclrtMbuf buf, void *dataPtr, size_t size, size_t offset) PACL_REFUSES(QUEUES);
aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, size_t size, size_t offset) PACL_REFUSES(QUEUES);

/* Queues */
acltdtQueueAttr *acltdtCreateQueueAttr(void) PACL_REFUSES_WITH(NULL, QUEUES);
aclError acltdtDestroyQueueAttr(const acltdtQueueAttr *attr) PACL_REFUSES(QUEUES);
aclError acltdtSetQueueAttr(acltdtQueueAttr *attr, acltdtQueueAttrType type, size_t len, const void *param)
    PACL_REFUSES(QUEUES);
aclError acltdtGetQueueAttr(const acltdtQueueAttr *attr, acltdtQueueAttrType type, size_t len, size_t *paramRetSize,
                            void *param) PACL_REFUSES(QUEUES);
aclError acltdtCreateQueue(const acltdtQueueAttr *attr, uint32_t *qid) PACL_REFUSES(QUEUES);
aclError acltdtDestroyQueue(uint32_t qid) PACL_REFUSES(QUEUES);
aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout) PACL_REFUSES(QUEUES);
aclError acltdtDequeue(uint32_t qid, acltdtBuf *buf, int32_t timeout) PACL_REFUSES(QUEUES);
aclError acltdtEnqueueData(uint32_t qid, const void *data, size_t dataSize, const void *userData, size_t userDataSize,
                           int32_t timeout, uint32_t rsv) PACL_REFUSES(QUEUES);
aclError acltdtDequeueData(uint32_t qid, void *data, size_t dataSize, size_t *retDataSize, void *userData,
                           size_t userDataSize, int32_t timeout) PACL_REFUSES(QUEUES);
aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout) PACL_REFUSES(QUEUES);
aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t *permission) PACL_REFUSES(QUEUES);

/* Routes between queues */
acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) PACL_REFUSES_WITH(NULL, QUEUES);
aclError acltdtDestroyQueueRoute(const acltdtQueueRoute *route) PACL_REFUSES(QUEUES);
aclError acltdtGetQueueRouteParam(const acltdtQueueRoute *route, acltdtQueueRouteParamType type, size_t len,
                                  size_t *paramRetSize, void *param) PACL_REFUSES(QUEUES);
acltdtQueueRouteList *acltdtCreateQueueRouteList(void) PACL_REFUSES_WITH(NULL, QUEUES);
aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList *routeList) PACL_REFUSES(QUEUES);
aclError acltdtAddQueueRoute(acltdtQueueRouteList *routeList, const acltdtQueueRoute *route) PACL_REFUSES(QUEUES);
aclError acltdtGetQueueRoute(const acltdtQueueRouteList *routeList, size_t index, acltdtQueueRoute *route)
    PACL_REFUSES(QUEUES);
size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *routeList) PACL_REFUSES_WITH(0, QUEUES);
acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo(void) PACL_REFUSES_WITH(NULL, QUEUES);
aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *info) PACL_REFUSES(QUEUES);
aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *param, acltdtQueueRouteQueryInfoParamType type,
                                      size_t len, const void *value) PACL_REFUSES(QUEUES);
aclError acltdtBindQueueRoutes(acltdtQueueRouteList *qRouteList) PACL_REFUSES(QUEUES);
aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList *qRouteList) PACL_REFUSES(QUEUES);
aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *queryInfo, acltdtQueueRouteList *qRouteList)
    PACL_REFUSES(QUEUES);

/* Buffers */
aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf *buf) PACL_REFUSES(QUEUES);
aclError acltdtFreeBuf(acltdtBuf buf) PACL_REFUSES(QUEUES);
aclError acltdtGetBufData(acltdtBuf buf, void **dataPtr, size_t *size) PACL_REFUSES(QUEUES);
aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len) PACL_REFUSES(QUEUES);
aclError acltdtGetBufDataLen(acltdtBuf buf, size_t *len) PACL_REFUSES(QUEUES);
aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf) PACL_REFUSES(QUEUES);
aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t *num) PACL_REFUSES(QUEUES);
aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf *buf) PACL_REFUSES(QUEUES);
aclError acltdtGetBufUserData(acltdtBuf buf, void *dataPtr, size_t size, size_t offset) PACL_REFUSES(QUEUES);
aclError acltdtSetBufUserData(acltdtBuf buf, const void *dataPtr, size_t size, size_t offset) PACL_REFUSES(QUEUES);
aclError acltdtCopyBufRef(acltdtBuf buf, acltdtBuf *newBuf) PACL_REFUSES(QUEUES);
