/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random work from many threads against a sequential model. Each thread owns its streams and their memory; what the
 * model says of a stream's memory is what must be there once the stream has finished, whatever the others do.
 */
#include <stdio.h>

#include "crew.h"

enum {
    AREA = 2 * 1024 * 1024, /* bytes of device memory, and of pinned memory, of one lane; each in two halves */
    HALF = AREA / 2,
    LANES = 3,        /* streams of a thread */
    SHARED_EVENTS = 8 /* recorded and awaited by all threads */
};

/* What a host function must find: the number of functions before it. */
struct host_call {
    struct host_call *next; /* older; freed with the lane, as forced destruction may skip the function */
    struct lane *lane;
    unsigned before;
};

/* A stream, its memory and the model of both. */
struct lane {
    aclrtStream stream;
    uint8_t *device, *pinned, *pageable;
    uint8_t *device_model, *pinned_model;
    unsigned calls, calls_run; /* host functions: queued, and run in order */
    bool out_of_order;
    struct host_call *newest_call;
};

struct worker {
    struct member *member;
    uint64_t state;
    aclrtContext context;
    struct lane lane[LANES];
};

static _Atomic(aclrtEvent) shared_event[SHARED_EVENTS];

/* --- shapes ----------------------------------------------------------------------------------------------------- */

/* A rectangle for both sides; both fit into HALF bytes from their offset. */
struct shape {
    size_t width, height, dpitch, spitch, to, from;
};

static size_t some_width(uint64_t *state)
{
    switch (random_in(state, 0, 9)) {
    case 0:
        return random_in(state, 1, HALF);
    case 1:
    case 2:
        return random_in(state, 1, 65536);
    default:
        return random_in(state, 1, 300);
    }
}

static size_t room_after(size_t width, size_t height, size_t pitch)
{
    return HALF - ((height - 1) * pitch + width);
}

static struct shape random_shape(uint64_t *state)
{
    struct shape s = { .width = some_width(state) };
    const size_t most_rows = HALF / s.width;
    const size_t rows = random_in(state, 0, 9) == 0 ? most_rows : (most_rows < 40 ? most_rows : 40);
    s.height = random_in(state, 1, rows);
    const size_t widest = s.height == 1 ? s.width + 64 : (HALF - s.width) / (s.height - 1);
    s.dpitch = random_in(state, s.width, widest < s.width ? s.width : widest);
    s.spitch = random_in(state, s.width, widest < s.width ? s.width : widest);
    s.to = random_in(state, 0, room_after(s.width, s.height, s.dpitch));
    s.from = random_in(state, 0, room_after(s.width, s.height, s.spitch));
    return s;
}

static void model(uint8_t *dst, const uint8_t *src, const struct shape *s)
{
    for (size_t row = 0; row < s->height; row++)
        memcpy(dst + s->to + row * s->dpitch, src + s->from + row * s->spitch, s->width);
}

static aclError queue(uint8_t *dst, const uint8_t *src, const struct shape *s, aclrtMemcpyKind kind, aclrtStream stream)
{
    return aclrtMemcpy2dAsync(dst + s->to, s->dpitch, src + s->from, s->spitch, s->width, s->height, kind, stream);
}

/* --- operations ------------------------------------------------------------------------------------------------- */

/* The pinned memory's first half is what goes up, its second what comes down: the program writes the first only while
 * the stream is idle. */
static void copy_up(struct worker *w, struct lane *l)
{
    const struct shape s = random_shape(&w->state);
    if (WANT(w->member, queue(l->device, l->pinned, &s, H2D, l->stream)))
        model(l->device_model, l->pinned_model, &s);
}

static void copy_down(struct worker *w, struct lane *l)
{
    const struct shape s = random_shape(&w->state);
    if (WANT(w->member, queue(l->pinned + HALF, l->device, &s, D2H, l->stream)))
        model(l->pinned_model + HALF, l->device_model, &s);
}

static void copy_across(struct worker *w, struct lane *l)
{
    const struct shape s = random_shape(&w->state);
    if (WANT(w->member, queue(l->device + HALF, l->device, &s, D2D, l->stream)))
        model(l->device_model + HALF, l->device_model, &s);
}

static void copy_back(struct worker *w, struct lane *l)
{
    const struct shape s = random_shape(&w->state);
    if (WANT(w->member, queue(l->device, l->device + HALF, &s, D2D, l->stream)))
        model(l->device_model, l->device_model + HALF, &s);
}

/* From memory that the device cannot reach: complete when the call returns, so that it may be overwritten at once. */
static void copy_pageable(struct worker *w, struct lane *l)
{
    const struct shape s = random_shape(&w->state);
    memset(l->pageable + s.from, (int)random_in(&w->state, 0, 255), s.width);
    if (WANT(w->member, queue(l->device, l->pageable, &s, H2D, l->stream)))
        model(l->device_model, l->pageable, &s);
    memset(l->pageable + s.from, 0, s.width);
}

static void set(struct worker *w, struct lane *l)
{
    const size_t bytes = random_in(&w->state, 1, random_in(&w->state, 0, 7) == 0 ? AREA : 4096);
    const size_t at = random_in(&w->state, 0, AREA - bytes);
    const int value = (int)random_in(&w->state, 0, 255);
    if (WANT(w->member, aclrtMemsetAsync(l->device + at, bytes, value, bytes, l->stream)))
        memset(l->device_model + at, value, bytes);
}

static void on_host(void *arg)
{
    struct host_call *const call = arg;
    if (call->lane->calls_run++ != call->before)
        call->lane->out_of_order = true;
}

static void call_host(struct worker *w, struct lane *l)
{
    struct host_call *const call = malloc(sizeof(*call));
    *call = (struct host_call){ .next = l->newest_call, .lane = l, .before = l->calls };
    l->newest_call = call;
    if (WANT(w->member, aclrtLaunchHostFunc(l->stream, on_host, call)))
        l->calls++;
}

/* From one lane's memory to another's: the second waits for the first and the first for the second. */
static void hand_over(struct worker *w, struct lane *l)
{
    struct lane *const to = &w->lane[random_in(&w->state, 0, LANES - 1)];
    const struct shape s = random_shape(&w->state);
    aclrtEvent filled, taken;
    if (to == l)
        return;
    WANT(w->member, aclrtCreateEvent(&filled));
    WANT(w->member, aclrtCreateEvent(&taken));
    WANT(w->member, aclrtRecordEvent(filled, l->stream));
    WANT(w->member, aclrtStreamWaitEvent(to->stream, filled));
    if (random_in(&w->state, 0, 3) == 0) /* a later record changes nothing for the wait */
        WANT(w->member, aclrtRecordEvent(filled, l->stream));
    if (WANT(w->member, queue(to->device, l->device, &s, D2D, to->stream)))
        model(to->device_model, l->device_model, &s);
    WANT(w->member, aclrtRecordEvent(taken, to->stream));
    WANT(w->member, aclrtStreamWaitEvent(l->stream, taken));
    WANT(w->member, aclrtDestroyEvent(filled)); /* queued work keeps it */
    WANT(w->member, aclrtDestroyEvent(taken));
}

static aclrtEvent some_event(struct worker *w)
{
    return atomic_load(&shared_event[random_in(&w->state, 0, SHARED_EVENTS - 1)]);
}

/* Shared events are destroyed by any thread at any time. */
static void record_shared(struct worker *w, struct lane *l)
{
    WANT_OR(w->member, E_RT_INVALID_HANDLE, aclrtRecordEvent(some_event(w), l->stream));
}

static void await_shared(struct worker *w, struct lane *l)
{
    WANT_OR(w->member, E_RT_INVALID_HANDLE, aclrtStreamWaitEvent(l->stream, some_event(w)));
}

/* Extended events: one that was never recorded holds nobody up. They go with their context: it is the primary one. */
static void replace_shared(struct worker *w, struct lane *l)
{
    const size_t which = random_in(&w->state, 0, SHARED_EVENTS - 1);
    aclrtEvent fresh;
    (void)l;
    if (w->context != NULL)
        return;
    if (WANT(w->member, aclrtCreateEventExWithFlag(&fresh, ACL_EVENT_SYNC)))
        WANT(w->member, aclrtDestroyEvent(atomic_exchange(&shared_event[which], fresh)));
}

static void ask(struct worker *w, struct lane *l)
{
    aclrtStreamStatus stream_status;
    aclrtEventRecordedStatus event_status;
    WANT(w->member, aclrtStreamQuery(l->stream, &stream_status));
    WANT_OR(w->member, E_RT_INVALID_HANDLE, aclrtQueryEventStatus(some_event(w), &event_status));
}

static void wait_a_little(struct worker *w, struct lane *l)
{
    WANT_OR(w->member, E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(l->stream, 1));
}

/* While the stream is idle the program may write what goes up next. */
static void refill(struct worker *w, struct lane *l)
{
    WANT(w->member, aclrtSynchronizeStream(l->stream));
    const size_t bytes = random_in(&w->state, 1, 65536), at = random_in(&w->state, 0, HALF - bytes);
    random_fill(&w->state, l->pinned_model + at, bytes);
    memcpy(l->pinned + at, l->pinned_model + at, bytes);
}

static void new_stream(struct worker *w, struct lane *l)
{
    WANT(w->member, aclrtDestroyStream(l->stream));
    WANT(w->member, aclrtCreateStream(&l->stream));
}

/* What was queued may or may not have run: the memory starts afresh. */
static void start_afresh(struct worker *w, struct lane *l)
{
    memset(l->pinned_model, POISON, AREA);
    memset(l->device_model, POISON, AREA);
    memset(l->pinned, POISON, AREA);
    WANT(w->member, aclrtMemset(l->device, AREA, POISON, AREA));
    l->calls = l->calls_run = 0;
}

/* The memory of the lane may be named by others' hand-overs: all of the thread's streams finish first. */
static void new_stream_by_force(struct worker *w, struct lane *l)
{
    for (unsigned i = 0; i < LANES; i++) {
        if (&w->lane[i] != l)
            WANT(w->member, aclrtSynchronizeStream(w->lane[i].stream));
    }
    for (unsigned i = 0; i < 20; i++)
        WANT(w->member, aclrtMemsetAsync(l->device, AREA, (int)i, AREA, l->stream));
    WANT(w->member, aclrtDestroyStreamForce(l->stream));
    WANT(w->member, aclrtCreateStream(&l->stream));
    start_afresh(w, l);
}

static void operate(struct worker *w)
{
    static void (*const common[])(struct worker *, struct lane *) = { copy_up, copy_down, copy_across,   copy_back,
                                                                      set,     hand_over, record_shared, await_shared };
    static void (*const rare[])(struct worker *, struct lane *) = { copy_pageable, call_host, ask,
                                                                    wait_a_little, refill,    new_stream,
                                                                    replace_shared };
    struct lane *const l = &w->lane[random_in(&w->state, 0, LANES - 1)];
    const size_t roll = random_in(&w->state, 0, 199);
    if (roll == 0)
        new_stream_by_force(w, l);
    else if (roll < 40)
        rare[random_in(&w->state, 0, COUNT_OF(rare) - 1)](w, l);
    else
        common[random_in(&w->state, 0, COUNT_OF(common) - 1)](w, l);
}

/* --- the run ---------------------------------------------------------------------------------------------------- */

static void open_lane(struct worker *w, struct lane *l)
{
    WANT(w->member, aclrtCreateStream(&l->stream));
    WANT(w->member, aclrtMalloc((void **)&l->device, AREA, ACL_MEM_MALLOC_HUGE_FIRST));
    WANT(w->member, aclrtMallocHost((void **)&l->pinned, AREA));
    l->pageable = malloc(HALF);
    memset(l->pageable, 0, HALF);
    l->device_model = malloc(AREA);
    l->pinned_model = malloc(AREA);
    if (!failed(w->member))
        start_afresh(w, l);
}

static void check(struct worker *w, const char *what, const uint8_t *got, const uint8_t *want)
{
    size_t i = 0;
    if (memcmp(got, want, AREA) == 0)
        return;
    while (got[i] == want[i])
        i++;
    give_up(w->member, "%s byte %zu is 0x%02x, the model has 0x%02x", what, i, got[i], want[i]);
}

static void check_lane(struct worker *w, struct lane *l)
{
    uint8_t *const seen = malloc(AREA);
    WANT(w->member, aclrtSynchronizeStream(l->stream));
    WANT(w->member, aclrtMemcpy(seen, AREA, l->device, AREA, D2H));
    check(w, "device", seen, l->device_model);
    check(w, "pinned", l->pinned, l->pinned_model);
    if (l->out_of_order || l->calls != l->calls_run)
        give_up(w->member, "%u host functions of %u ran%s", l->calls_run, l->calls,
                l->out_of_order ? ", not in order" : "");
    free(seen);
}

static void close_lane(struct worker *w, struct lane *l)
{
    WANT(w->member, aclrtDestroyStream(l->stream));
    WANT(w->member, aclrtFree(l->device));
    WANT(w->member, aclrtFreeHost(l->pinned));
    while (l->newest_call != NULL) {
        struct host_call *const call = l->newest_call;
        l->newest_call = call->next;
        free(call);
    }
    free(l->pageable);
    free(l->device_model);
    free(l->pinned_model);
}

static void work(struct member *member)
{
    struct worker w = { .member = member, .state = member->seed };
    if (member->index % 2 == 0) /* half of the threads share the primary context */
        WANT(member, aclrtSetDevice(0));
    else
        WANT(member, aclrtCreateContext(&w.context, 0));
    for (unsigned i = 0; i < LANES; i++)
        open_lane(&w, &w.lane[i]);
    for (size_t round = stress_rounds(20); round > 0 && !failed(member); round--) {
        for (unsigned i = 0; i < 200 && !failed(member); i++)
            operate(&w);
        for (unsigned i = 0; i < LANES && !failed(member); i++)
            check_lane(&w, &w.lane[i]);
    }
    for (unsigned i = 0; i < LANES; i++)
        close_lane(&w, &w.lane[i]);
    if (w.context != NULL)
        WANT(member, aclrtDestroyContext(w.context));
}

static void run_on(const char *depth, const char *engines)
{
    open_with(depth, engines);
    for (unsigned i = 0; i < SHARED_EVENTS; i++) {
        aclrtEvent event;
        ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
        atomic_store(&shared_event[i], event);
    }
    const struct pacl_counters before = counters();
    crew_run(4, work, NULL);
    for (unsigned i = 0; i < SHARED_EVENTS; i++)
        ASSERT_OK(aclrtDestroyEvent(atomic_load(&shared_event[i])));
    const struct pacl_counters after = counters();
    ck_assert_uint_eq(after.streams_live, before.streams_live);
    ck_assert_uint_eq(after.events_live, 0);
    ck_assert_uint_eq(after.device_bytes_live, 0);
    ck_assert_uint_eq(after.pinned_bytes_live, 0);
    ck_assert_uint_eq(after.tasks_failed, 0);
}

START_TEST(as_modelled)
{
    run_on(NULL, NULL);
}
END_TEST

START_TEST(as_modelled_with_short_queues)
{
    run_on("3", "1");
}
END_TEST

START_TEST(as_modelled_with_more_engines_than_processors)
{
    run_on("64", "6");
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("random work", NULL, NULL);
    tcase_add_test(tcase, as_modelled);
    tcase_add_test(tcase, as_modelled_with_short_queues);
    tcase_add_test(tcase, as_modelled_with_more_engines_than_processors);
    return run_cases("stress_ops", tcase, NULL);
}
