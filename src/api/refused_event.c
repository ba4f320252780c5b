/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char EVENTS[] = "PACL does not have this yet; use events within one process";

/* Events and notifies: flags, ids, other processes */
aclError aclrtSetOpWaitTimeout(uint32_t timeout) PACL_REFUSES(EVENTS);
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, size_t num)
    PACL_REFUSES(EVENTS);
