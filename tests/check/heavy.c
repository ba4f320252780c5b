/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: heavy [TASKS]      under PACL_CHECK=1; 100,000 tasks by default
 *
 * A correct program that gives checking much to do: 1,000 streams, random rectangles in the bands of a few matrices,
 * events between neighbours, now and then a synchronize. Prints the memory in use as it goes, and fails if the second
 * half of the run needs much more than the first.
 */
#include "heavy.h"

#include <stdint.h>

enum { STREAMS = 1000, MATRICES = 8, BAND = 64 * 1024, PITCH = 1024, LOOKS = 8, MORE_KIB = 48 * 1024 };

static uint64_t state = 88172645463325252U; /* the same run every time */

static uint64_t next(uint64_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % bound;
}

static struct {
    aclrtStream stream;
    aclrtEvent event;
    uint8_t *device, *pinned; /* its band */
} lane[STREAMS];

/* A random rectangle of the band, up or down. */
static void copy(unsigned i)
{
    const size_t width = 1 + next(64), height = 1 + next(BAND / PITCH - 1), at = next(PITCH - width);
    if (next(2) == 0)
        NEED(aclrtMemcpy2dAsync(lane[i].device + at, PITCH, lane[i].pinned + at, PITCH, width, height,
                                ACL_MEMCPY_HOST_TO_DEVICE, lane[i].stream));
    else
        NEED(aclrtMemcpy2dAsync(lane[i].pinned + at, PITCH, lane[i].device + at, PITCH, width, height,
                                ACL_MEMCPY_DEVICE_TO_HOST, lane[i].stream));
}

/* A few bytes go over to the neighbour's band, behind all that either stream has done there. */
static void hand_over(unsigned i)
{
    const unsigned to = (i + 1) % STREAMS;
    NEED(aclrtRecordEvent(lane[to].event, lane[to].stream));
    NEED(aclrtStreamWaitEvent(lane[i].stream, lane[to].event));
    NEED(aclrtMemcpyAsync(lane[to].device, 64, lane[i].device, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, lane[i].stream));
    NEED(aclrtRecordEvent(lane[i].event, lane[i].stream));
    NEED(aclrtStreamWaitEvent(lane[to].stream, lane[i].event));
}

int main(int argc, char **argv)
{
    const unsigned long tasks = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    uint8_t *device[MATRICES], *pinned[MATRICES];
    const size_t bytes = (size_t)STREAMS / MATRICES * BAND;
    unsigned long half = 0, now = 0;
    NEED(aclInit(NULL));
    NEED(aclrtSetDevice(0));
    for (unsigned m = 0; m < MATRICES; m++) {
        NEED(aclrtMalloc((void **)&device[m], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        NEED(aclrtMemset(device[m], bytes, 0, bytes));
        NEED(aclrtMallocHost((void **)&pinned[m], bytes));
        memset(pinned[m], 0, bytes);
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        NEED(aclrtCreateStream(&lane[i].stream));
        NEED(aclrtCreateEvent(&lane[i].event));
        lane[i].device = device[i % MATRICES] + (size_t)(i / MATRICES) * BAND;
        lane[i].pinned = pinned[i % MATRICES] + (size_t)(i / MATRICES) * BAND;
    }
    for (unsigned long t = 0; t < tasks; t++) {
        const unsigned i = (unsigned)next(STREAMS);
        copy(i);
        if (next(50) == 0)
            hand_over(i);
        if (next(200) == 0)
            NEED(aclrtSynchronizeStream(lane[i].stream));
        if ((t + 1) % (tasks / LOOKS) == 0) {
            now = resident_kib();
            printf("%lu tasks: %lu KiB\n", t + 1, now);
            fflush(stdout);
        }
        if (t == tasks / 2)
            half = resident_kib();
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        NEED(aclrtSynchronizeStream(lane[i].stream));
        NEED(aclrtDestroyEvent(lane[i].event));
        NEED(aclrtDestroyStream(lane[i].stream));
    }
    for (unsigned m = 0; m < MATRICES; m++) {
        NEED(aclrtFree(device[m]));
        NEED(aclrtFreeHost(pinned[m]));
    }
    NEED(aclrtResetDevice(0));
    NEED(aclFinalize());
    if (now > half + MORE_KIB) {
        printf("the second half took %lu KiB more\n", now - half);
        return 1;
    }
    return 0;
}
