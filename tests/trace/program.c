/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: trace_program [abort|fork]
 *
 * Copies on several streams, each with a width of its own; prints "WIDTH STREAM", so that the timeline can be compared.
 * Ends by abort() after it has synchronized, or forks a child that makes calls.
 */
#include <acl/acl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PITCH = 4096, ROWS = 300, STREAMS = 3, LANES = 6 };
#define LANE_BYTES ((size_t)PITCH * ROWS)

#define OK(call) \
    do { \
        const int code_ = (int)(call); \
        if (code_ != 0) { \
            fprintf(stderr, "%s: %d: %s\n", #call, code_, aclGetRecentErrMsg()); \
            exit(1); \
        } \
    } while (0)

static uint8_t *device, *pinned, *pageable;

/* Each stream has a lane of memory to itself. `pages`: pageable host memory. */
static void copy(size_t lane, bool pages, size_t width, aclrtMemcpyKind kind, aclrtStream stream)
{
    int32_t id;
    uint8_t *const host = (pages ? pageable : pinned) + lane * LANE_BYTES, *const there = device + lane * LANE_BYTES;
    const bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE;
    OK(aclrtStreamGetId(stream, &id));
    printf("%zu %d\n", width, (int)id);
    OK(aclrtMemcpy2dAsync(to_device ? there : host, PITCH, to_device ? host : there, PITCH, width, ROWS, kind, stream));
}

static void nothing(void *unused)
{
    (void)unused;
}

static void *in_thread(void *unused)
{
    aclrtStream stream;
    (void)unused;
    OK(aclrtSetDevice(0));
    OK(aclrtCreateStream(&stream));
    for (size_t i = 0; i < 20; i++)
        copy(4, false, 3000 + i, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    OK(aclrtSynchronizeStream(stream));
    OK(aclrtDestroyStream(stream));
    return unused;
}

int main(int argc, char **argv)
{
    aclrtStream streams[STREAMS];
    aclrtEvent event;
    pthread_t thread;
    const char *end = argc > 1 ? argv[1] : "";
    OK(aclInit(NULL));
    OK(aclrtSetDevice(0));
    OK(aclrtMalloc((void **)&device, LANES * LANE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtMallocHost((void **)&pinned, LANES * LANE_BYTES));
    pageable = calloc(LANES, LANE_BYTES);
    memset(pinned, 1, LANES * LANE_BYTES);
    OK(aclrtMemset(device, LANES * LANE_BYTES, 1, LANES * LANE_BYTES));
    OK(aclrtCreateEvent(&event));
    for (size_t i = 0; i < STREAMS; i++)
        OK(aclrtCreateStream(&streams[i]));
    for (size_t i = 0; i < 30; i++)
        copy(i % STREAMS, false, 1 + i, ACL_MEMCPY_HOST_TO_DEVICE, streams[i % STREAMS]);
    copy(0, false, 4000, ACL_MEMCPY_HOST_TO_DEVICE, streams[0]); /* longer than the submission of what follows */
    OK(aclrtRecordEvent(event, streams[0]));
    OK(aclrtStreamWaitEvent(streams[1], event));
    copy(1, false, 2000, ACL_MEMCPY_DEVICE_TO_HOST, streams[1]);
    OK(aclrtLaunchHostFunc(streams[2], nothing, NULL));
    copy(2, true, 1000, ACL_MEMCPY_DEVICE_TO_HOST, streams[2]);
    copy(3, false, 1001, ACL_MEMCPY_DEVICE_TO_HOST, NULL);
    OK(aclrtMemcpy2d(device + 5 * LANE_BYTES, PITCH, pageable, PITCH, 1002, ROWS, ACL_MEMCPY_HOST_TO_DEVICE));
    if (pthread_create(&thread, NULL, in_thread, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    OK(aclrtSynchronizeDevice());
    if (strcmp(end, "fork") == 0) {
        const pid_t child = fork();
        if (child == 0) {
            (void)aclrtSetDevice(0);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    fflush(stdout);
    for (size_t i = 0; i < STREAMS; i++)
        OK(aclrtDestroyStream(streams[i]));
    OK(aclrtDestroyEvent(event));
    OK(aclrtFree(device));
    OK(aclrtFreeHost(pinned));
    free(pageable);
    OK(aclFinalize());
    if (strcmp(end, "abort") == 0)
        abort();
    return 0;
}
