/* SPDX-License-Identifier: Apache-2.0 */
/* Put in front of the library with LD_PRELOAD: an aclrtMemcpy2dAsync with the fault that the variable FAULT names. */
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream)
{
    const char *fault = getenv("FAULT");

    (void)dst, (void)dpitch, (void)src, (void)spitch, (void)width, (void)height, (void)kind, (void)stream;
    if (fault != NULL && strcmp(fault, "no-copy") == 0)
        return ACL_SUCCESS;
    if (fault != NULL && strcmp(fault, "error") == 0)
        return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    abort();
}
