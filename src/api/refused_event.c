/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char OTHER_MACHINES[] =
    "PACL reaches no other machine; aclrtNotifySetImportPid lets processes of this one import the notify";

/* Other machines */
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, size_t num)
    PACL_REFUSES(OTHER_MACHINES);
