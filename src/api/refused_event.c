/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char EVENTS[] = "PACL does not have this yet; use events within one process";
static const char CNT_NOTIFIES[] =
    "PACL has no notifies that count; use aclrtValueWrite and aclrtValueWait, or a notify for each step";

/* Events and notifies: flags, ids, other processes */
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) PACL_REFUSES(EVENTS);
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag)
    PACL_REFUSES(EVENTS);
aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId) PACL_REFUSES(EVENTS);
aclError aclrtGetEventAvailNum(uint32_t *eventCount) PACL_REFUSES(EVENTS);
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle) PACL_REFUSES(EVENTS);
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event) PACL_REFUSES(EVENTS);
aclError aclrtSetOpWaitTimeout(uint32_t timeout) PACL_REFUSES(EVENTS);
aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag) PACL_REFUSES(EVENTS);
aclError aclrtDestroyNotify(aclrtNotify notify) PACL_REFUSES(EVENTS);
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) PACL_REFUSES(EVENTS);
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) PACL_REFUSES(EVENTS);
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId) PACL_REFUSES(EVENTS);
aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num) PACL_REFUSES(EVENTS);
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags) PACL_REFUSES(EVENTS);
aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags) PACL_REFUSES(EVENTS);
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num) PACL_REFUSES(EVENTS);
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, size_t num)
    PACL_REFUSES(EVENTS);

/* Counting notifies */
aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag) PACL_REFUSES(CNT_NOTIFIES);
aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify) PACL_REFUSES(CNT_NOTIFIES);
aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo *info)
    PACL_REFUSES(CNT_NOTIFIES);
aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyWaitInfo *info)
    PACL_REFUSES(CNT_NOTIFIES);
aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream) PACL_REFUSES(CNT_NOTIFIES);
aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId) PACL_REFUSES(CNT_NOTIFIES);
