/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

const char *aclGetRecentErrMsg(void)
{
    PACL_ENTER();
    return pacl_error_take_texts();
}

static aclError last_error(aclrtLastErrLevel level, bool clear)
{
    if (level != ACL_RT_THREAD_LEVEL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "level %d; only 0, the thread, is supported", (int)level);
    return pacl_error_last(clear);
}

aclError aclrtGetLastError(aclrtLastErrLevel level)
{
    PACL_ENTER_OR_RETURN();
    return last_error(level, true);
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level)
{
    PACL_ENTER_OR_RETURN();
    return last_error(level, false);
}
