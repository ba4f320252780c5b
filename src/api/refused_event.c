/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char OTHER_MACHINES[] =
    "PACL reaches no other machine; aclrtNotifySetImportPid lets processes of this one import the notify";
static const char WAITS[] =
    "PACL has no limit for all waits of operators; aclrtStreamWaitEventWithTimeout limits one wait";

/* Waits of operators, other machines */
aclError aclrtSetOpWaitTimeout(uint32_t timeout) PACL_REFUSES(WAITS);
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, size_t num)
    PACL_REFUSES(OTHER_MACHINES);
