/* SPDX-License-Identifier: Apache-2.0 */
/* The C side of call.py: the same call in a loop, timed, in the same process. */
#include <acl/acl.h>
#include <time.h>

double copies_ns(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, int kind,
                 aclrtStream stream, unsigned calls);

/* Nanoseconds per call, or -1 if a call failed. */
double copies_ns(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, int kind,
                 aclrtStream stream, unsigned calls)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (unsigned i = 0; i < calls; i++)
        if (aclrtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, (aclrtMemcpyKind)kind, stream) != ACL_SUCCESS)
            return -1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / calls;
}
