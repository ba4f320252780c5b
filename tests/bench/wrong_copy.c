/* SPDX-License-Identifier: Apache-2.0 */
/* Put in front of the library with LD_PRELOAD: an aclrtMemcpy2dAsync with the fault that the variable FAULT names. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

typedef aclError copy_fn(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         aclrtMemcpyKind kind, aclrtStream stream);

static copy_fn *next_copy(void)
{
    copy_fn *copy;

    *(void **)&copy = dlsym(RTLD_NEXT, "aclrtMemcpy2dAsync"); /* the way that POSIX gives: C has no such cast */
    return copy;
}

static bool is_fault(const char *name)
{
    const char *fault = getenv("FAULT");

    return fault != NULL && strcmp(fault, name) == 0;
}

/* The row in the middle stays out. */
static aclError skip_row(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         aclrtMemcpyKind kind, aclrtStream stream)
{
    const size_t middle = height / 2;
    const size_t after = middle + 1;
    const aclError error = next_copy()(dst, dpitch, src, spitch, width, middle, kind, stream);

    if (error != ACL_SUCCESS)
        return error;
    return next_copy()((uint8_t *)dst + after * dpitch, dpitch, (const uint8_t *)src + after * spitch, spitch, width,
                       height - after, kind, stream);
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream)
{
    if (is_fault("skip-row"))
        return skip_row(dst, dpitch, src, spitch, width, height, kind, stream);
    if (is_fault("gap"))
        return next_copy()(dst, dpitch, src, spitch, width + 1, height, kind, stream);
    if (is_fault("shift"))
        return next_copy()(dst, dpitch, (const uint8_t *)src + 1, spitch, width, height, kind, stream);
    if (is_fault("no-copy"))
        return ACL_SUCCESS;
    if (is_fault("error"))
        return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    return next_copy()(dst, dpitch, src, spitch, width, height, kind, stream);
}
