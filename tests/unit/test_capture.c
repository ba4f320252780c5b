/* SPDX-License-Identifier: Apache-2.0 */
/* A call looks its stream up and is then overtaken: the stream is destroyed, and its slot is another stream, which is being
 * captured. What the call does with the slot must not reach that capture. */
#include "core/capture.h"

#include "../api/support.h"
#include "core/event.h"
#include "core/stream.h"

static struct {
    struct pacl_stream *slot;
    void *old;         /* its handle when the call found it */
    aclrtStream next;  /* the slot's stream now, captured */
    aclrtEvent inside; /* recorded in that capture */
    uint8_t *device, *pinned;
} the;

/* Slots rest as long as possible: others have their turn first. */
static aclrtStream come_to(const struct pacl_stream *slot)
{
    for (;;) {
        aclrtStream stream;
        ASSERT_OK(aclrtCreateStream(&stream));
        if (pacl_pool_find(&pacl_streams, stream) == slot)
            return stream;
        ASSERT_OK(aclrtDestroyStream(stream));
    }
}

static void open_all(void)
{
    use_default_product();
    ASSERT_OK(aclInit(NULL));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtMalloc((void **)&the.device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&the.pinned, 64));
    ASSERT_OK(aclrtCreateEventExWithFlag(&the.inside, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateStream(&the.old));
    the.slot = pacl_pool_find(&pacl_streams, the.old);
    ASSERT_OK(aclrtDestroyStream(the.old));
    the.next = come_to(the.slot);
    ASSERT_OK(aclmdlRICaptureBegin(the.next, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_OK(aclrtRecordEvent(the.inside, the.next));
}

static void close_all(void)
{
    ASSERT_OK(aclFinalize());
}

/* --- the calls --------------------------------------------------------------------------------------------------- */

static aclError copy(void)
{
    const struct pacl_work work = {
        .call = "aclrtMemcpyAsync",
        .op = PACL_OP_COPY,
        .height = 1,
        .copy = { .dst = the.device, .src = the.pinned, .dst_pitch = 64, .src_pitch = 64, .width = 64 },
    };
    return pacl_stream_submit(the.slot, the.old, &work);
}

static aclError of_event(uint8_t op)
{
    bool handled = false;
    struct pacl_event *event = pacl_pool_find(&pacl_events, the.inside);
    const struct pacl_work work = { .call = "aclrtRecordEvent", .op = op, .event.event = event };
    return pacl_capture_event(event, the.inside, the.slot, the.old, &work, false, &handled);
}

static aclError record(void)
{
    return of_event(PACL_OP_RECORD);
}

static aclError wait_for(void)
{
    return of_event(PACL_OP_WAIT);
}

static aclError end(void)
{
    aclmdlRI graph;
    return pacl_capture_end(the.slot, the.old, &graph);
}

static aclError ask(void)
{
    aclmdlRI graph;
    aclmdlRICaptureStatus status;
    return pacl_capture_info(the.slot, the.old, &status, &graph);
}

static aclError begin_group(void)
{
    return pacl_capture_begin_group(the.slot, the.old);
}

static aclError end_group(void)
{
    aclrtTaskGrp group;
    return pacl_capture_end_group(the.slot, the.old, &group);
}

static aclError end_update(void)
{
    return pacl_capture_end_update(the.slot, the.old);
}

static const struct {
    const char *what;
    aclError (*call)(void);
} calls[] = {
    { "copy", copy },
    { "record", record },
    { "wait", wait_for },
    { "end", end },
    { "ask", ask },
    { "begin a group", begin_group },
    { "end a group", end_group },
    { "end an update", end_update },
};

static uint32_t tasks_of(aclmdlRI graph)
{
    aclrtStream streams[8];
    uint32_t count = COUNT_OF(streams), tasks = 0;
    ASSERT_OK(aclmdlRIGetStreams(graph, streams, &count));
    ck_assert_uint_eq(count, 1);
    ASSERT_OK(aclmdlRIGetTasksByStream(streams[0], NULL, &tasks));
    return tasks;
}

START_TEST(another_capture_is_left_alone)
{
    aclmdlRI graph;
    ASSERT_CODE_OF_ROW(E_RT_INVALID_HANDLE, calls[_i].call(), "%s", calls[_i].what);
    ASSERT_MESSAGE_NAMES("was destroyed by another thread");
    ASSERT_OK(aclmdlRICaptureEnd(the.next, &graph));
    ck_assert_uint_eq(tasks_of(graph), 1); /* the record of open_all() */
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* The slot's stream has joined nothing yet: a wait of the old one must not bring it into the capture. */
START_TEST(another_stream_does_not_join)
{
    aclrtStream gone, stream;
    aclmdlRI graph;
    ASSERT_OK(aclrtCreateStream(&gone));
    the.slot = pacl_pool_find(&pacl_streams, gone);
    the.old = gone;
    ASSERT_OK(aclrtDestroyStream(gone));
    stream = come_to(the.slot);
    ASSERT_CODE(E_RT_INVALID_HANDLE, wait_for());
    ck_assert(!pacl_stream_is_capturing(pacl_pool_find(&pacl_streams, stream)));
    ASSERT_OK(aclmdlRICaptureEnd(the.next, &graph));
    ck_assert_uint_eq(tasks_of(graph), 1);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* An update closes a stream as a capture does. */
START_TEST(another_update_is_left_alone)
{
    aclmdlRI graph;
    aclrtTaskGrp group;
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(the.next));
    ASSERT_OK(aclrtMemcpyAsync(the.device, 64, the.pinned, 64, H2D, the.next));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(the.next, &group));
    ASSERT_OK(aclmdlRICaptureEnd(the.next, &graph));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(the.next, group));
    ASSERT_CODE(E_RT_INVALID_HANDLE, copy());
    ASSERT_CODE(E_RT_INVALID_HANDLE, end_update());
    ASSERT_OK(
        aclrtMemcpyAsync(the.device, 32, the.pinned, 32, H2D, the.next)); /* the group's one task is still to come */
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(the.next));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("stale", open_all, close_all);
    tcase_add_loop_test(tcase, another_capture_is_left_alone, 0, (int)COUNT_OF(calls));
    tcase_add_test(tcase, another_stream_does_not_join);
    tcase_add_test(tcase, another_update_is_left_alone);
    return run_cases("unit_capture", tcase, NULL);
}
