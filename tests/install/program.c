/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user's program: copies a matrix to the device and back with other pitches, and compares. It also opens the library
 * by the other names that loaders use, which must be the same runtime. Exit status 0: all is as it should be.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"

enum { HEIGHT = 5, WIDTH = 7, HOST_PITCH = 9, DEVICE_PITCH = 64, GAP = 0xA5 };

static int failed(const char *what, aclError err)
{
    fprintf(stderr, "%s: %d: %s\n", what, (int)err, aclGetRecentErrMsg());
    return 1;
}

#define TRY(call) \
    do { \
        aclError err = (call); \
        if (err != ACL_SUCCESS) \
            return failed(#call, err); \
    } while (0)

static int round_trip(void)
{
    const size_t host_size = HEIGHT * HOST_PITCH;
    unsigned char *from, *to;
    void *device;
    aclrtStream stream;

    TRY(aclrtCreateStream(&stream));
    TRY(aclrtMallocHost((void **)&from, host_size));
    TRY(aclrtMallocHost((void **)&to, host_size));
    TRY(aclrtMalloc(&device, HEIGHT * DEVICE_PITCH, ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t i = 0; i < host_size; i++)
        from[i] = (unsigned char)i;
    memset(to, GAP, host_size);

    TRY(aclrtMemcpy2dAsync(device, DEVICE_PITCH, from, HOST_PITCH, WIDTH, HEIGHT, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    TRY(aclrtMemcpy2dAsync(to, HOST_PITCH, device, DEVICE_PITCH, WIDTH, HEIGHT, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    TRY(aclrtSynchronizeStream(stream));
    for (size_t i = 0; i < host_size; i++) {
        const unsigned char want = i % HOST_PITCH < WIDTH ? from[i] : GAP;
        if (to[i] != want) {
            fprintf(stderr, "byte %zu is 0x%02x, not 0x%02x\n", i, to[i], want);
            return 1;
        }
    }

    TRY(aclrtFree(device));
    TRY(aclrtFreeHost(to));
    TRY(aclrtFreeHost(from));
    TRY(aclrtDestroyStream(stream));
    return 0;
}

/* One runtime under every name: a second one would have its own copy of each function. */
static int same_library_by_all_names(void)
{
    static const char *const names[] = { "libascendcl.so", "libacl_rt.so", "libruntime.so", "libascend_hal.so" };
    const void *linked = dlsym(RTLD_DEFAULT, "aclrtMemcpy2dAsync");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void *library = dlopen(names[i], RTLD_NOW);
        if (library == NULL || dlsym(library, "aclrtMemcpy2dAsync") != linked) {
            fprintf(stderr, "%s is not the library that the program is linked with\n", names[i]);
            return 1;
        }
        dlclose(library);
    }
    return 0;
}

int main(void)
{
    TRY(aclInit(NULL));
    TRY(aclrtSetDevice(0));
    if (same_library_by_all_names() != 0 || round_trip() != 0)
        return 1;
    TRY(aclrtResetDevice(0));
    TRY(aclFinalize());
    return 0;
}
