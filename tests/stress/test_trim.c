/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Engines give the memory of idle streams back after a second of silence. Here threads do so all the time, to all
 * slots, while others create, fill and destroy streams: no stream may get a second owner, no task may be lost.
 */
#include <stdio.h>

#include "core/stream.h"
#include "crew.h"

enum { WORKERS = 3, TRIMMERS = 2, MOST = 2000 };

static struct {
    void (*body)(struct member *);
    _Atomic unsigned working;
    uint8_t *device, *pinned; /* pinned: the numbers from 0 to MOST - 1 */
} shared;

static void trim_all(void)
{
    struct pacl_stream *s;
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++)
        pacl_stream_trim(s);
}

struct lane {
    aclrtStream stream, opener;
    aclrtEvent event;
    uint8_t *device;
};

/* Half of the bursts are queued behind a latch, so that the queue is deep for certain. */
static void burst(struct member *m, const struct lane *l, uint64_t *state)
{
    const uint32_t count = (uint32_t)random_in(state, 1, MOST);
    const bool latched = random_in(state, 0, 1) == 0;
    uint32_t seen = 0;
    if (latched) {
        WANT(m, aclrtResetEvent(l->event, l->opener));
        WANT(m, aclrtStreamWaitEvent(l->stream, l->event));
    }
    for (uint32_t i = 0; i < count; i++)
        WANT(m, aclrtMemcpyAsync(l->device, 4, shared.pinned + 4 * i, 4, H2D, l->stream));
    if (latched)
        WANT(m, aclrtRecordEvent(l->event, l->opener));
    WANT(m, aclrtSynchronizeStream(l->stream));
    WANT(m, aclrtMemcpy(&seen, 4, l->device, 4, D2H));
    if (seen != count - 1)
        give_up(m, "the last copy was %u of %u", seen, count);
}

static void work(struct member *m)
{
    uint64_t state = m->seed;
    struct lane l = { .device = shared.device + m->index * 64 };
    WANT(m, aclrtCreateStream(&l.opener));
    WANT(m, aclrtCreateEvent(&l.event));
    for (size_t round = stress_rounds(200); round > 0 && !failed(m); round--) {
        WANT(m, aclrtCreateStream(&l.stream));
        for (size_t bursts = random_in(&state, 1, 3); bursts > 0 && !failed(m); bursts--)
            burst(m, &l, &state);
        WANT(m, aclrtDestroyStream(l.stream));
    }
    WANT(m, aclrtDestroyEvent(l.event));
    WANT(m, aclrtDestroyStream(l.opener));
}

/* Every stream is in a slot that was never used before. */
static void create_many(struct member *m)
{
    enum { STREAMS = 400 };
    aclrtStream stream[STREAMS];
    uint64_t state = m->seed;
    const struct lane l = { .device = shared.device + m->index * 64 };
    for (unsigned i = 0; i < STREAMS && !failed(m); i++) {
        uint32_t seen = 0;
        const uint32_t last = (uint32_t)random_in(&state, 0, 40);
        WANT(m, aclrtCreateStream(&stream[i]));
        for (uint32_t n = 0; n <= last; n++)
            WANT(m, aclrtMemcpyAsync(l.device, 4, shared.pinned + 4 * n, 4, H2D, stream[i]));
        WANT(m, aclrtSynchronizeStream(stream[i]));
        WANT(m, aclrtMemcpy(&seen, 4, l.device, 4, D2H));
        if (seen != last)
            give_up(m, "the last copy was %u of %u", seen, last + 1);
    }
}

static void work_or_trim(struct member *m)
{
    WANT(m, aclrtSetDevice(0));
    if (m->index >= WORKERS) {
        while (atomic_load(&shared.working) > 0)
            trim_all();
        return;
    }
    shared.body(m);
    atomic_fetch_sub(&shared.working, 1);
}

static void run_beside_trimmers(void (*body)(struct member *))
{
    open_with(NULL, NULL);
    ASSERT_OK(aclrtMalloc((void **)&shared.device, WORKERS * 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&shared.pinned, MOST * 4));
    for (uint32_t i = 0; i < MOST; i++)
        memcpy(shared.pinned + 4 * i, &i, 4);
    atomic_store(&shared.working, WORKERS);
    shared.body = body;
    crew_run(WORKERS + TRIMMERS, work_or_trim, NULL);
}

START_TEST(streams_that_are_filled)
{
    run_beside_trimmers(work);
}
END_TEST

START_TEST(streams_that_are_new)
{
    run_beside_trimmers(create_many);
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("trim", NULL, NULL);
    tcase_add_test(tcase, streams_that_are_filled);
    tcase_add_test(tcase, streams_that_are_new);
    return run_cases("stress_trim", tcase, NULL);
}
