/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char EVENTS[] = "PACL does not have this yet; use events within one process";

/* Events and notifies: flags, ids, other processes */
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle) PACL_REFUSES(EVENTS);
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event) PACL_REFUSES(EVENTS);
aclError aclrtSetOpWaitTimeout(uint32_t timeout) PACL_REFUSES(EVENTS);
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags) PACL_REFUSES(EVENTS);
aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags) PACL_REFUSES(EVENTS);
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num) PACL_REFUSES(EVENTS);
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, size_t num)
    PACL_REFUSES(EVENTS);
