/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char TIMEOUTS[] = "PACL does not have this yet; it runs no kernels, so no limit of their time is needed";

/* Kernels: time limits */
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) PACL_REFUSES(TIMEOUTS);
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) PACL_REFUSES(TIMEOUTS);
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout) PACL_REFUSES(TIMEOUTS);
aclError aclrtGetOpTimeOutInterval(uint64_t *interval) PACL_REFUSES(TIMEOUTS);
aclError aclrtGetOpExecuteTimeout(uint32_t *timeoutMs) PACL_REFUSES(TIMEOUTS);
