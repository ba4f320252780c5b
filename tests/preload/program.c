/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose calls are known by number: 100 copies in rows, three plain ones, one of them by a private name. */
#include <acl/acl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define REQUIRE(call) \
    do { \
        if ((call) != ACL_SUCCESS) { \
            fprintf(stderr, "%s: %s\n", #call, aclGetRecentErrMsg()); \
            return 1; \
        } \
    } while (0)

enum { COPIES = 100, ROWS = 4, WIDTH = 16, PITCH = 32, BYTES = ROWS * PITCH };

int main(void)
{
    void *device, *host;
    aclrtStream stream;
    REQUIRE(aclrtSetDevice(0));
    REQUIRE(aclrtCreateStream(&stream));
    REQUIRE(aclrtMalloc(&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    REQUIRE(aclrtMallocHost(&host, BYTES));
    for (int i = 0; i < COPIES; i++)
        REQUIRE(aclrtMemcpy2dAsync(device, PITCH, host, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    for (int i = 0; i < 2; i++)
        REQUIRE(aclrtMemcpyAsync(device, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream));

    int32_t (*copy)(void *, uint64_t, const void *, uint64_t, int32_t, aclrtStream);
    void *const at = dlsym(RTLD_DEFAULT, "rtMemcpyAsyncWithoutCheckKind");
    if (at == NULL)
        return 2;
    memcpy(&copy, &at, sizeof copy);
    REQUIRE(copy(device, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream));

    REQUIRE(aclrtSynchronizeStream(stream));
    REQUIRE(aclrtFree(device));
    REQUIRE(aclrtFreeHost(host));
    REQUIRE(aclrtResetDevice(0));
    return 0;
}
