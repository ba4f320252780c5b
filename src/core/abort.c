/* SPDX-License-Identifier: Apache-2.0 */
#include "core/abort.h"

#include "base/error.h"
#include "base/log.h"
#include "core/device.h"
#include "os/os.h"

/* The lowest bit of `aborts`: the last one was of the whole device. */
enum { OF_DEVICE = 1 };

static void note(struct pacl_stream *s, uint64_t kind)
{
    uint64_t now = pacl_load_relaxed(&s->aborts);
    while (!pacl_cas_seq_cst(&s->aborts, &now, (((now | OF_DEVICE) + 1) | kind)))
        continue;
}

/* Noted before the first task is skipped: a thread that was waiting for it must see the abort. */
static aclError drop(struct pacl_stream *s, void *handle, uint64_t kind, uint64_t *queued)
{
    const aclError err = pacl_stream_queued_as(s, handle, queued);
    if (err != ACL_SUCCESS || pacl_stream_reached(s, *queued))
        return err;
    PACL_TRACE(STREAM, "stream %u: aborted up to task %llu", s->id, (unsigned long long)*queued);
    note(s, kind);
    pacl_stream_drop_upto(s, *queued);
    return ACL_SUCCESS;
}

aclError pacl_abort_stream(struct pacl_stream *s, void *handle)
{
    uint64_t queued = 0;
    const aclError err = drop(s, handle, 0, &queued);
    if (err == ACL_SUCCESS)
        (void)pacl_stream_wait(s, queued, OS_NEVER); /* at process exit nobody waits */
    return err;
}

aclError pacl_abort_device(struct pacl_device *device, uint64_t deadline_ns)
{
    struct pacl_stream *s;
    void *handle;
    uint64_t queued;
    for (uint32_t i = 0; (s = pacl_device_next_stream(device, &i, &handle)) != NULL;)
        (void)drop(s, handle, OF_DEVICE, &queued); /* one that another thread destroys has no work left */
    for (uint32_t i = 0; (s = pacl_device_next_stream(device, &i, &handle)) != NULL;) {
        /* A stream that is destroyed by force drops all numbers there are. */
        const uint64_t upto = pacl_load_seq_cst(&s->drop_upto), last = pacl_stream_queued(s);
        if (!pacl_stream_wait(s, upto < last ? upto : last, deadline_ns))
            return PACL_FAIL(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                             "stream %u of device %d: the task that runs had not ended in time", s->id, device->id);
    }
    return ACL_SUCCESS;
}

aclError pacl_abort_since(const struct pacl_stream *s, uint64_t mark)
{
    const uint64_t now = pacl_load_acquire(&s->aborts);
    if (now == mark)
        return ACL_SUCCESS;
    if ((now & OF_DEVICE) != 0)
        return PACL_FAIL(ACL_ERROR_RT_DEVICE_TASK_ABORT,
                         "stream %u: the work of device %d was aborted while this call waited", s->id, s->device->id);
    return PACL_FAIL(ACL_ERROR_RT_STREAM_ABORT, "stream %u was aborted while this call waited", s->id);
}
