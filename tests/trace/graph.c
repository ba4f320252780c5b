/* SPDX-License-Identifier: Apache-2.0 */
/* A graph of two streams, with events inside and outside of it, executed several times between other work; then streams
 * that get the places of the graph's. Prints "0 STREAM", the stream that waits for a record in the graph. */
#include <acl/acl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 4096, EXECUTIONS = 3, LATER = 200 };

#define OK(call) \
    do { \
        const int code_ = (int)(call); \
        if (code_ != 0) { \
            fprintf(stderr, "%s: %d: %s\n", #call, code_, aclGetRecentErrMsg()); \
            exit(1); \
        } \
    } while (0)

static uint8_t *device;
static aclrtEvent forked, joined, inside, outside;

static void set(size_t block, aclrtStream stream)
{
    OK(aclrtMemsetAsync(device + block * BYTES, BYTES, 1, BYTES, stream));
}

static aclmdlRI capture(aclrtStream first, aclrtStream second)
{
    aclmdlRI graph;
    OK(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    OK(aclrtStreamWaitEventWithFlag(first, outside, 0, ACL_EVENT_WAIT_EXTERNAL));
    set(0, first);
    OK(aclrtRecordEvent(forked, first));
    OK(aclrtStreamWaitEvent(second, forked));
    set(1, second);
    OK(aclrtRecordEventWithFlag(inside, second, ACL_EVENT_RECORD_EXTERNAL));
    OK(aclrtRecordEvent(joined, second));
    OK(aclrtStreamWaitEvent(first, joined));
    set(0, first);
    OK(aclmdlRICaptureEnd(first, &graph));
    return graph;
}

int main(void)
{
    aclrtStream first, second, executes, other;
    OK(aclInit(NULL));
    OK(aclrtSetDevice(0));
    OK(aclrtMalloc((void **)&device, (size_t)4 * BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    aclrtStream *const streams[] = { &first, &second, &executes, &other };
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
        OK(aclrtCreateStream(streams[i]));
    aclrtEvent *const events[] = { &forked, &joined, &inside, &outside };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        OK(aclrtCreateEventExWithFlag(events[i], ACL_EVENT_SYNC));
    int32_t id;
    OK(aclrtStreamGetId(other, &id));
    printf("0 %d\n", (int)id);
    aclmdlRI graph = capture(first, second);
    for (int i = 0; i < EXECUTIONS; i++) {
        set(3, other);
        OK(aclrtRecordEvent(outside, other));
        set(2, executes);
        OK(aclmdlRIExecuteAsync(graph, executes));
        OK(aclrtStreamWaitEventWithFlag(other, inside, 0, ACL_EVENT_WAIT_EXTERNAL));
        set(2, executes);
        set(1, other);                /* block 0 is being set by the graph */
        OK(aclrtSynchronizeDevice()); /* or a record might come before an earlier wait is over, which then has no arrow */
    }
    OK(aclmdlRIDestroy(graph));
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
        OK(aclrtDestroyStream(*streams[i]));
    for (int i = 0; i < LATER; i++) {
        OK(aclrtCreateStream(&first));
        set(0, first);
        OK(aclrtSynchronizeStream(first));
        OK(aclrtDestroyStream(first));
    }
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        OK(aclrtDestroyEvent(*events[i]));
    OK(aclrtFree(device));
    OK(aclFinalize());
    return 0;
}
