/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char HOOKS[] = "PACL calls nobody at its start and end; do it after aclInit and before aclFinalize";

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void *userData)
    PACL_REFUSES(HOOKS);
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) PACL_REFUSES(HOOKS);
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void *userData)
    PACL_REFUSES(HOOKS);
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc)
    PACL_REFUSES(HOOKS);
