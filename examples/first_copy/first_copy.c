/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a matrix to the device and back, each way by one asynchronous 2D copy. */
#include <acl/acl.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 600, HEIGHT = 400, PITCH = 1024 }; /* bytes, rows, bytes from row to row on the device */

int main(void)
{
    void *sent, *received, *device;
    aclrtStream stream;
    if (aclInit(NULL) || aclrtSetDevice(0) || aclrtCreateStream(&stream) || aclrtMallocHost(&sent, WIDTH * HEIGHT) ||
        aclrtMallocHost(&received, WIDTH * HEIGHT) || aclrtMalloc(&device, PITCH * HEIGHT, ACL_MEM_MALLOC_HUGE_FIRST)) {
        fprintf(stderr, "no device to copy to: %s\n", aclGetRecentErrMsg());
        return 1;
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        ((unsigned char *)sent)[i] = (unsigned char)(i % 251);
    if (aclrtMemcpy2dAsync(device, PITCH, sent, WIDTH, WIDTH, HEIGHT, ACL_MEMCPY_HOST_TO_DEVICE, stream) ||
        aclrtMemcpy2dAsync(received, WIDTH, device, PITCH, WIDTH, HEIGHT, ACL_MEMCPY_DEVICE_TO_HOST, stream) ||
        aclrtSynchronizeStream(stream)) { /* until here the copies may still be on their way */
        fprintf(stderr, "not copied: %s\n", aclGetRecentErrMsg());
        return 1;
    }
    int same = memcmp(sent, received, WIDTH * HEIGHT) == 0;
    printf("%d rows of %d bytes went to the device and back: %s\n", HEIGHT, WIDTH, same ? "equal" : "different");
    aclrtFree(device), aclrtFreeHost(received), aclrtFreeHost(sent), aclrtDestroyStream(stream);
    return aclrtResetDevice(0) || aclFinalize() || !same;
}
