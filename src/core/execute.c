/* SPDX-License-Identifier: Apache-2.0 */
#include "core/execute.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "core/callback.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/host_queue.h"
#include "core/indirect.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "core/notify.h"
#include "core/place.h"
#include "core/reduce.h"
#include "core/runtime.h"
#include "core/schedule.h"
#include "core/value.h"
#include "os/os.h"

static void fail_peer(struct pacl_stream *s, const struct pacl_work *work, int peer)
{
    char what[160];
    snprintf(
        what, sizeof what,
        "device %d has no access to the memory of its peer, device %d; call aclrtDeviceEnablePeerAccess(%d, 0) with device %d current",
        s->device->id, peer, peer, s->device->id);
    pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA, what);
}

static bool check_mapped(struct pacl_stream *s, const struct pacl_work *work, bool is_dst)
{
    char text[PACL_TEXT_MAX];
    const bool is_copy = work->op == PACL_OP_COPY; /* a fill has its dst in the same place */
    const size_t bytes = pacl_work_cost(work);     /* of a fill */
    const size_t pitch = is_dst ? work->copy.dst_pitch : work->copy.src_pitch;
    const aclError err =
        pacl_check_rights(is_dst ? "dst" : "src", is_copy && !is_dst ? work->copy.src : work->copy.dst,
                          is_copy ? pitch : bytes, is_copy ? work->copy.width : bytes, is_copy ? work->height : 1,
                          s->device->id, is_dst ? PACL_USE_WRITE : PACL_USE_READ, text, sizeof text);
    if (err != ACL_SUCCESS)
        pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA, text);
    return err == ACL_SUCCESS;
}

/* Told at execution: access may be granted, and mappings may go away, meanwhile. */
static bool may_touch(struct pacl_stream *s, const struct pacl_work *work)
{
    for (unsigned i = 0; i < 2; i++) {
        const unsigned peer = work->peer[i];
        if (peer == PACL_PEER_MAPPED && !check_mapped(s, work, i == 0))
            return false;
        if (peer != 0 && peer != PACL_PEER_MAPPED && !pacl_device_reaches(s->device, (int32_t)peer - 1)) {
            fail_peer(s, work, (int)peer - 1);
            return false;
        }
    }
    return true;
}

/* The rectangle where an engine touches it. */
static struct pacl_rect work_rect(const struct pacl_work *work)
{
    return (struct pacl_rect){ .dst = pacl_engine_view(work->copy.dst),
                               .src = pacl_engine_view(work->copy.src),
                               .dst_pitch = work->copy.dst_pitch,
                               .src_pitch = work->copy.src_pitch,
                               .width = work->copy.width,
                               .height = work->height };
}

static void fill(struct pacl_stream *s, const struct pacl_work *work)
{
    if (!may_touch(s, work))
        return;
    uint8_t *dst = pacl_engine_view(work->fill.dst);
    const uint32_t rights = os_guard_open();
    if (work->op == PACL_OP_FILL_BYTES)
        pacl_fill_bytes(dst, (uint8_t)work->fill.value, work->fill.count);
    else
        pacl_fill_words(dst, work->fill.value, work->fill.count);
    os_guard_close(rights);
    pacl_count(&s->bytes_copied, pacl_work_cost(work));
}

/* At most two blocks. */
static void named_memory(const struct pacl_work *work, const void **first, const void **second)
{
    *first = *second = NULL;
    switch (work->op) {
    case PACL_OP_COPY:
        *first = work->copy.dst;
        *second = work->copy.src;
        return;
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
        *first = work->fill.dst;
        return;
    case PACL_OP_REDUCE:
        *first = work->reduce.dst;
        *second = work->reduce.src;
        return;
    case PACL_OP_VALUE_WRITE:
    case PACL_OP_VALUE_WAIT:
        *first = work->value.cell;
        return;
    case PACL_OP_COPY_BY_CELLS:
    case PACL_OP_COPY_BY_DESC:
        *first = work->indirect.dst;
        *second = work->indirect.src;
        return;
    default:
        return;
    }
}

/* Work that waits in a queue keeps the memory that it names; work that runs at once needs not. */
bool pacl_work_hold(const struct pacl_work *work)
{
    const void *first, *second;
    if (work->op == PACL_OP_KERNEL)
        return pacl_kernel_hold(work->kernel.call);
    named_memory(work, &first, &second);
    if (first != NULL && !pacl_memory_hold(first))
        return false;
    if (second == NULL || pacl_memory_hold(second))
        return true;
    if (first != NULL)
        pacl_memory_release(first);
    return false;
}

void pacl_work_release(const struct pacl_work *work)
{
    const void *first, *second;
    if (work->op == PACL_OP_KERNEL) {
        pacl_kernel_release(work->kernel.call);
        return;
    }
    if (work->op == PACL_OP_GRAPH)
        pacl_graph_let_go(work);
    named_memory(work, &first, &second);
    if (first != NULL)
        pacl_memory_release(first);
    if (second != NULL)
        pacl_memory_release(second);
}

void pacl_work_end_copy(struct pacl_stream *s, const struct pacl_work *work, bool complete)
{
    if (complete)
        pacl_count(&s->bytes_copied, (uint64_t)work->copy.width * work->height);
    else
        pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA,
                              "host memory that the copy names was unregistered before it ran");
}

static bool copy_alone(const struct pacl_plan *plan, unsigned registered)
{
    bool complete = true;
    for (size_t i = 0; i < plan->pieces && complete && !pacl_runtime_is_exiting(); i++)
        complete = pacl_copy_one_piece(plan, i, registered);
    return complete;
}

static enum pacl_outcome copy(struct pacl_stream *s, const struct pacl_work *work)
{
    if (!may_touch(s, work))
        return PACL_TASK_FINISHED;
    const struct pacl_rect rect = work_rect(work);
    const struct pacl_plan plan = pacl_copy_plan_for(&rect, work->flags & PACL_REGISTERED);
    if (plan.pieces == 1 || pacl_schedule_is_on()) {
        pacl_work_end_copy(s, work, copy_alone(&plan, work->flags & PACL_REGISTERED));
        return PACL_TASK_FINISHED;
    }
    s->job.plan = plan;
    s->job.kernel = NULL;
    s->job.stream = s;
    s->job.registered = work->flags & PACL_REGISTERED;
    pacl_job_open(&s->job);
    if (!pacl_job_work(&s->job, OS_NEVER))
        return PACL_TASK_SHARED;
    pacl_work_end_copy(s, work, !pacl_load_relaxed(&s->job.failed));
    return PACL_TASK_FINISHED;
}

/* Runs what is left of a task that is not executed: what others wait for must still come, or they would wait for ever. */
static void skip(struct pacl_stream *s, const struct pacl_work *work)
{
    switch (work->op) {
    case PACL_OP_FAULT:
        free(work->fault.text);
        return;
    case PACL_OP_WAIT:
        pacl_event_pass(work);
        return;
    case PACL_OP_NOTIFY_RECORD:
        pacl_notify_run_record(s, work);
        return;
    case PACL_OP_NOTIFY_WAIT:
        pacl_notify_pass(work);
        return;
    case PACL_OP_CALLBACK:
        pacl_callback_skip(work);
        return;
    default:
        return;
    }
}

static void report_fault(struct pacl_stream *s, const struct pacl_work *work)
{
    pacl_stream_fail(s, work, work->fault.code, work->fault.text);
    free(work->fault.text);
}

static void fail_wait(struct pacl_stream *s, const struct pacl_work *work, const char *what, uint64_t timeout_s)
{
    char text[PACL_TEXT_MAX];
    s->wait_end = PACL_WAIT_OPEN;
    snprintf(text, sizeof text, "%s, queued earlier: the %s was not recorded within %llu s", work->call, what,
             (unsigned long long)timeout_s);
    pacl_stream_fail(s, work, ACL_ERROR_RT_WAIT_TIMEOUT, text);
}

/* A wait whose time is up fails; one that may pass, passes; any other has parked the stream. */
static enum pacl_outcome wait_for_event(struct pacl_stream *s, const struct pacl_work *work)
{
    if (s->wait_end != PACL_WAIT_EXPIRED)
        return pacl_event_try_pass(s, work) ? PACL_TASK_FINISHED : PACL_TASK_PARKED;
    fail_wait(s, work, "event", work->event.timeout_ns / 1000000000U);
    pacl_event_pass(work);
    return PACL_TASK_FINISHED;
}

static enum pacl_outcome wait_for_notify(struct pacl_stream *s, const struct pacl_work *work)
{
    if (s->wait_end != PACL_WAIT_EXPIRED)
        return pacl_notify_try_pass(s, work) ? PACL_TASK_FINISHED : PACL_TASK_PARKED;
    fail_wait(s, work, "notify", work->notify.timeout_s);
    pacl_notify_pass(work);
    return PACL_TASK_FINISHED;
}

static enum pacl_outcome run_kernel(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_kernel_call *call = work->kernel.call;
    pacl_store_relaxed(&call->code, 0); /* a graph runs it again */
    if (call->blocks == 1 || pacl_schedule_is_on()) {
        for (uint32_t i = 0; i < call->blocks && pacl_kernel_run_block(call, i); i++)
            continue;
    } else {
        s->job.kernel = call;
        s->job.plan.pieces = call->blocks;
        s->job.stream = s;
        pacl_job_open(&s->job);
        if (!pacl_job_work(&s->job, OS_NEVER))
            return PACL_TASK_SHARED;
    }
    pacl_kernel_end(s, work);
    return PACL_TASK_FINISHED;
}

static enum pacl_outcome call_back(struct pacl_stream *s, const struct pacl_work *work)
{
    bool dropped;
    char text[PACL_TEXT_MAX];
    if (!pacl_callback_turn(s, work, &dropped))
        return PACL_TASK_PARKED;
    if (dropped) {
        snprintf(text, sizeof text, "%s, queued earlier: no thread was subscribed to the stream when its turn came",
                 work->call);
        pacl_stream_fail(s, work, ACL_ERROR_RT_STREAM_NO_CB_REG, text);
    }
    return PACL_TASK_FINISHED;
}

/* Everything but RECORD, which finishes the head itself. Skipped tasks still drop what they hold. */
enum pacl_outcome pacl_work_execute(struct pacl_stream *s, const struct pacl_work *work)
{
    if (pacl_stream_is_skipping(s) && !pacl_work_is_never_skipped(work)) {
        s->wait_end = PACL_WAIT_OPEN;
        (void)atomic_fetch_and(&s->stopped, ~(uint32_t)PACL_STOPPED_ONCE);
        skip(s, work);
        return PACL_TASK_FINISHED;
    }
    switch (work->op) {
    case PACL_OP_COPY:
        return copy(s, work);
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
        fill(s, work);
        return PACL_TASK_FINISHED;
    case PACL_OP_WAIT:
        return wait_for_event(s, work);
    case PACL_OP_NOTIFY_RECORD:
        pacl_notify_run_record(s, work);
        return PACL_TASK_FINISHED;
    case PACL_OP_NOTIFY_WAIT:
        return wait_for_notify(s, work);
    case PACL_OP_HOST_FUNCTION:
        pacl_store_release(&s->host_function, pacl_load_relaxed(&s->done) + 1);
        return pacl_host_queue_hand_over(s) ? PACL_TASK_PARKED : PACL_TASK_FINISHED;
    case PACL_OP_CALLBACK:
        return call_back(s, work);
    case PACL_OP_KERNEL:
        return run_kernel(s, work);
    case PACL_OP_FAULT:
        report_fault(s, work);
        return PACL_TASK_FINISHED;
    case PACL_OP_REDUCE:
        pacl_reduce_run(s, work);
        return PACL_TASK_FINISHED;
    case PACL_OP_VALUE_WRITE:
        pacl_value_write(s, work);
        return PACL_TASK_FINISHED;
    case PACL_OP_VALUE_WAIT:
        return pacl_value_try_pass(s, work) ? PACL_TASK_FINISHED : PACL_TASK_PARKED;
    case PACL_OP_COPY_BY_CELLS:
    case PACL_OP_COPY_BY_DESC:
        pacl_indirect_run(s, work);
        return PACL_TASK_FINISHED;
    case PACL_OP_GRAPH:
        return pacl_graph_run(s, work, pacl_stream_is_skipping(s)) ? PACL_TASK_FINISHED : PACL_TASK_PARKED;
    case PACL_OP_GRAPH_JOIN:
        return pacl_event_try_join(s, work) ? PACL_TASK_FINISHED : PACL_TASK_PARKED;
    case PACL_OP_GRAPH_END:
        pacl_graph_end(work);
        return PACL_TASK_FINISHED;
    default:
        return PACL_TASK_FINISHED;
    }
}
