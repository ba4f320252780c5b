/* SPDX-License-Identifier: Apache-2.0 */
/* An upload on one stream, a download of the same bytes on another, ordered by nothing but an event. */
#include <stdint.h>
#include <string.h>

#include "report.h"
#include "use.h"

enum { LENGTH = 1 << 20 }; /* bytes */

static const char topic[] = "event";

struct buffers {
    uint8_t *up; /* pinned */
    uint8_t *device;
    uint8_t *down; /* pinned */
};

static bool allocate(struct buffers *b)
{
    return use_succeeded(topic, "aclrtMallocHost", aclrtMallocHost((void **)&b->up, LENGTH)) &&
           use_succeeded(topic, "aclrtMalloc", aclrtMalloc((void **)&b->device, LENGTH, ACL_MEM_MALLOC_HUGE_FIRST)) &&
           use_succeeded(topic, "aclrtMallocHost", aclrtMallocHost((void **)&b->down, LENGTH));
}

static void release(const struct buffers *b)
{
    if (b->up != NULL)
        use_succeeded(topic, "aclrtFreeHost", aclrtFreeHost(b->up));
    if (b->device != NULL)
        use_succeeded(topic, "aclrtFree", aclrtFree(b->device));
    if (b->down != NULL)
        use_succeeded(topic, "aclrtFreeHost", aclrtFreeHost(b->down));
}

static bool submit(const struct buffers *b, aclrtStream first, aclrtStream second, aclrtEvent event)
{
    return use_succeeded(topic, "aclrtMemcpyAsync",
                         aclrtMemcpyAsync(b->device, LENGTH, b->up, LENGTH, ACL_MEMCPY_HOST_TO_DEVICE, first)) &&
           use_succeeded(topic, "aclrtRecordEvent", aclrtRecordEvent(event, first)) &&
           use_succeeded(topic, "aclrtStreamWaitEvent", aclrtStreamWaitEvent(second, event)) &&
           use_succeeded(topic, "aclrtMemcpyAsync",
                         aclrtMemcpyAsync(b->down, LENGTH, b->device, LENGTH, ACL_MEMCPY_DEVICE_TO_HOST, second));
}

static bool finish(aclrtStream second, aclrtEvent event)
{
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;

    if (!use_succeeded(topic, "aclrtSynchronizeEvent", aclrtSynchronizeEvent(event)) ||
        !use_succeeded(topic, "aclrtSynchronizeStream", aclrtSynchronizeStream(second)) ||
        !use_succeeded(topic, "aclrtQueryEventStatus", aclrtQueryEventStatus(event, &status)))
        return false;
    if (status == ACL_EVENT_RECORDED_STATUS_COMPLETE)
        return true;
    report_fail(topic, "aclrtQueryEventStatus answers %d after the event was waited for", (int)status);
    return false;
}

static void order(const struct buffers *b, aclrtStream first, aclrtStream second, aclrtEvent event)
{
    for (size_t i = 0; i < LENGTH; i++)
        b->up[i] = (uint8_t)(i * 7 + (i >> 8));
    memset(b->down, 0, LENGTH);
    if (!submit(b, first, second, event) || !finish(second, event))
        return;
    if (memcmp(b->down, b->up, LENGTH) != 0)
        report_fail(topic, "the stream that waited did not get the bytes of the other");
    else
        report_ok(topic, "created, recorded, waited for by a stream and by the host");
}

static void with_event(const struct buffers *b, aclrtStream first, aclrtStream second)
{
    aclrtEvent event;

    if (!use_succeeded(topic, "aclrtCreateEvent", aclrtCreateEvent(&event)))
        return;
    order(b, first, second, event);
    use_succeeded(topic, "aclrtDestroyEvent", aclrtDestroyEvent(event));
}

void use_event(aclrtStream stream)
{
    struct buffers buffers = { 0 };
    aclrtStream second;

    if (!use_succeeded(topic, "aclrtCreateStream", aclrtCreateStream(&second)))
        return;
    if (allocate(&buffers))
        with_event(&buffers, stream, second);
    use_succeeded(topic, "aclrtDestroyStream", aclrtDestroyStream(second));
    release(&buffers);
}
