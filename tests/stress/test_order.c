/* SPDX-License-Identifier: Apache-2.0 */
/* Order between streams: long chains of events, rings, records that are repeated, time-outs, forced destruction. */
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "crew.h"

enum { STREAMS = 200, CELL = 256 };

static aclrtStream stream[STREAMS];
static aclrtEvent event[STREAMS];
static uint8_t *cells; /* device memory, CELL bytes per stream */

static void open_streams(void)
{
    open_with(NULL, NULL);
    ASSERT_OK(aclrtMalloc((void **)&cells, (size_t)STREAMS * CELL, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(cells, (size_t)STREAMS * CELL, POISON, (size_t)STREAMS * CELL));
    for (unsigned i = 0; i < STREAMS; i++) {
        ASSERT_OK(aclrtCreateStream(&stream[i]));
        ASSERT_OK(aclrtCreateEvent(&event[i]));
    }
}

static aclrtStreamStatus status_of(aclrtStream s)
{
    aclrtStreamStatus status;
    ASSERT_OK(aclrtStreamQuery(s, &status));
    return status;
}

static void assert_parked(aclrtStream s)
{
    ck_assert_int_eq(status_of(s), ACL_STREAM_STATUS_NOT_READY);
}

static void set_cell(unsigned cell, int value, aclrtStream s)
{
    ASSERT_OK(aclrtMemsetAsync(cells + cell * CELL, CELL, value, CELL, s));
}

static void copy_cell(unsigned to, unsigned from, aclrtStream s)
{
    ASSERT_OK(aclrtMemcpyAsync(cells + to * CELL, CELL, cells + from * CELL, CELL, D2D, s));
}

static void assert_cell(unsigned cell, uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(cells + cell * CELL, CELL, value));
}

/* --- chains ----------------------------------------------------------------------------------------------------- */

static void link_of_chain(unsigned i)
{
    ASSERT_OK(aclrtStreamWaitEvent(stream[i], event[i - 1]));
    copy_cell(i, i - 1, stream[i]);
    ASSERT_OK(aclrtRecordEvent(event[i], stream[i]));
}

START_TEST(chain)
{
    struct gate gate;
    gate_close(&gate, stream[0]);
    set_cell(0, 1, stream[0]);
    ASSERT_OK(aclrtRecordEvent(event[0], stream[0]));
    for (unsigned i = 1; i < STREAMS; i++)
        link_of_chain(i);
    gate_await(&gate);
    assert_parked(stream[STREAMS - 1]);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(stream[STREAMS - 1]));
    for (unsigned i = 0; i < STREAMS; i++)
        assert_cell(i, 1);
}
END_TEST

/* Every wait is queued before its record is. */
START_TEST(chain_from_its_end)
{
    for (unsigned i = STREAMS - 1; i > 0; i--)
        link_of_chain(i);
    assert_parked(stream[STREAMS - 1]);
    set_cell(0, 2, stream[0]);
    ASSERT_OK(aclrtRecordEvent(event[0], stream[0]));
    ASSERT_OK(aclrtSynchronizeStream(stream[STREAMS - 1]));
    for (unsigned i = 0; i < STREAMS; i++)
        assert_cell(i, 2);
}
END_TEST

struct token {
    unsigned *next;
    unsigned number;
    bool *wrong;
};

static void pass_token(void *arg)
{
    struct token *const token = arg;
    if ((*token->next)++ != token->number)
        *token->wrong = true;
}

/* The token goes round and round: each stream waits for its neighbour's record of this lap. */
START_TEST(ring)
{
    enum { RING = 40 };
    const unsigned laps = (unsigned)stress_rounds(20);
    struct token *const tokens = calloc((size_t)laps * RING, sizeof(*tokens));
    unsigned next = 0;
    bool wrong = false;
    struct latch latch;
    latch_close(&latch, stream[0]);
    for (unsigned i = 0; i < laps * RING; i++) {
        aclrtStream const own = stream[i % RING];
        tokens[i] = (struct token){ .next = &next, .number = i, .wrong = &wrong };
        if (i > 0)
            ASSERT_OK(aclrtStreamWaitEvent(own, event[(i - 1) % RING]));
        ASSERT_OK(aclrtLaunchHostFunc(own, pass_token, &tokens[i]));
        ASSERT_OK(aclrtRecordEvent(event[i % RING], own));
    }
    ck_assert_uint_eq(next, 0);
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeDevice());
    ck_assert_uint_eq(next, laps * RING);
    ck_assert(!wrong);
    free(tokens);
}
END_TEST

/* --- repeated records ------------------------------------------------------------------------------------------- */

/* One event, recorded by many streams; a wait is for the record that was the newest when it was called. */
START_TEST(one_event_of_many_streams)
{
    enum { MANY = STREAMS / 2 };
    static struct latch latch[MANY];
    uint64_t state = test_seed();
    unsigned order[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        latch_close(&latch[i], stream[i]);
        set_cell(i, (int)i, stream[i]);
        ASSERT_OK(aclrtRecordEvent(event[0], stream[i]));
        ASSERT_OK(aclrtStreamWaitEvent(stream[MANY + i], event[0]));
        copy_cell(MANY + i, i, stream[MANY + i]);
        order[i] = i;
    }
    for (unsigned i = MANY; i-- > 1;) {
        const size_t other = random_in(&state, 0, i);
        const unsigned mine = order[i];
        order[i] = order[other];
        order[other] = mine;
    }
    for (unsigned i = 0; i < MANY; i++) {
        for (unsigned later = i; later < MANY; later++)
            assert_parked(stream[MANY + order[later]]);
        ASSERT_OK(latch_open(&latch[order[i]]));
        ASSERT_OK(aclrtSynchronizeStream(stream[MANY + order[i]]));
        assert_cell(MANY + order[i], (uint8_t)order[i]);
    }
}
END_TEST

START_TEST(recorded_again_before_the_first_is_reached)
{
    struct latch latch;
    aclrtEventRecordedStatus status;
    latch_close(&latch, stream[0]);
    set_cell(0, 3, stream[0]);
    ASSERT_OK(aclrtRecordEvent(event[0], stream[0]));
    ASSERT_OK(aclrtStreamWaitEvent(stream[1], event[0]));
    copy_cell(1, 0, stream[1]);
    ASSERT_OK(aclrtRecordEvent(event[0], stream[2])); /* reached at once */
    ASSERT_OK(aclrtSynchronizeEvent(event[0]));
    ASSERT_OK(aclrtQueryEventStatus(event[0], &status));
    ck_assert_int_eq(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    assert_parked(stream[1]);
    ASSERT_OK(aclrtStreamWaitEvent(stream[3], event[0]));
    ASSERT_OK(aclrtSynchronizeStream(stream[3]));
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeStream(stream[1]));
    assert_cell(1, 3);
}
END_TEST

/* The event is destroyed while streams wait for it and others still have to record it. */
START_TEST(destroyed_while_awaited)
{
    struct latch latch;
    latch_close(&latch, stream[0]);
    set_cell(0, 4, stream[0]);
    ASSERT_OK(aclrtRecordEvent(event[0], stream[0]));
    for (unsigned i = 1; i < STREAMS; i++) {
        ASSERT_OK(aclrtStreamWaitEvent(stream[i], event[0]));
        copy_cell(i, 0, stream[i]);
    }
    ASSERT_OK(aclrtDestroyEvent(event[0]));
    for (unsigned i = 0; i < 300; i++) { /* the slot must not come back while tasks name it */
        aclrtEvent other;
        ASSERT_OK(aclrtCreateEvent(&other));
        ASSERT_OK(aclrtRecordEvent(other, stream[0]));
        ASSERT_OK(aclrtDestroyEvent(other));
    }
    assert_parked(stream[STREAMS - 1]);
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeDevice());
    for (unsigned i = 0; i < STREAMS; i++)
        assert_cell(i, 4);
}
END_TEST

/* --- time-outs -------------------------------------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Records come within a few milliseconds of the waits' time: each wait passes or fails, and the stream goes on. */
START_TEST(time_out_against_record)
{
    enum { WAITS = 60 };
    static struct latch latch[WAITS];
    uint64_t state = test_seed(), due[WAITS];
    for (unsigned i = 0; i < WAITS; i++) {
        ASSERT_OK(aclrtCreateEvent(&latch[i].event));
        ASSERT_OK(aclrtCreateStream(&latch[i].opener));
        due[i] = now_ns() + 1000000000u + random_in(&state, 0, 2000000) - 1000000;
        ASSERT_OK(aclrtStreamWaitEventWithTimeout(stream[i], latch[i].event, 1));
        set_cell(i, 5, stream[i]);
    }
    for (unsigned i = 0; i < WAITS; i++) {
        while (now_ns() < due[i])
            sched_yield();
        ASSERT_OK(latch_open(&latch[i]));
    }
    for (unsigned i = 0; i < WAITS; i++) {
        const aclError code = aclrtSynchronizeStream(stream[i]);
        ck_assert_msg(code == ACL_SUCCESS || code == ACL_ERROR_RT_WAIT_TIMEOUT, "stream %u: %d", i, (int)code);
        ASSERT_OK(aclrtSynchronizeStream(stream[i]));
        assert_cell(i, 5);
    }
}
END_TEST

/* Nobody records: engines end the waits, without any call that helps. */
START_TEST(time_outs_of_many_streams)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        ASSERT_OK(aclrtStreamWaitEventWithTimeout(stream[i], event[i], 1));
        set_cell(i, 6, stream[i]);
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        while (aclrtSynchronizeStreamWithTimeout(stream[i], 1) == E_RT_STREAM_SYNC_TIMEOUT)
            continue;
        assert_cell(i, 6);
    }
    ck_assert_uint_eq(counters().tasks_failed, STREAMS);
}
END_TEST

/* --- forced destruction ------------------------------------------------------------------------------------------ */

struct pair {
    aclrtStream parked, source;
    aclrtEvent event;
};

static void destroy_or_record(struct member *m)
{
    const struct pair *const pair = m->shared;
    WANT(m, aclrtSetDevice(0));
    if (m->index == 0)
        WANT(m, aclrtDestroyStreamForce(pair->parked));
    else
        WANT(m, aclrtRecordEvent(pair->event, pair->source));
}

START_TEST(forced_destruction_against_record)
{
    for (size_t round = stress_rounds(300); round > 0; round--) {
        struct pair pair = { .source = stream[0], .event = event[round % STREAMS] };
        ASSERT_OK(aclrtCreateStream(&pair.parked));
        ASSERT_OK(aclrtResetEvent(pair.event, stream[0]));
        ASSERT_OK(aclrtStreamWaitEventWithTimeout(pair.parked, pair.event, round % 2 == 0 ? 0 : 60));
        ASSERT_OK(aclrtMemsetAsync(cells, CELL, 7, CELL, pair.parked));
        crew_run(2, destroy_or_record, &pair);
        ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(pair.parked));
        ASSERT_OK(aclrtSynchronizeStream(pair.source));
        aclrtEventWaitStatus waits;
        ASSERT_OK(aclrtQueryEventWaitStatus(pair.event, &waits));
        ck_assert_int_eq(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
    }
}
END_TEST

/* A stream that another one waits for is destroyed by force: its records still count. */
START_TEST(forced_destruction_of_the_source)
{
    struct latch latch;
    latch_close(&latch, stream[0]);
    ASSERT_OK(aclrtRecordEvent(event[0], stream[0]));
    for (unsigned i = 1; i < STREAMS; i++)
        ASSERT_OK(aclrtStreamWaitEvent(stream[i], event[0]));
    assert_parked(stream[1]);
    ASSERT_OK(aclrtDestroyStreamForce(stream[0]));
    for (unsigned i = 1; i < STREAMS; i++)
        ASSERT_OK(aclrtSynchronizeStream(stream[i]));
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("order between streams", open_streams, NULL);
    tcase_add_test(tcase, chain);
    tcase_add_test(tcase, chain_from_its_end);
    tcase_add_test(tcase, ring);
    tcase_add_test(tcase, one_event_of_many_streams);
    tcase_add_test(tcase, recorded_again_before_the_first_is_reached);
    tcase_add_test(tcase, destroyed_while_awaited);
    tcase_add_test(tcase, time_out_against_record);
    tcase_add_test(tcase, time_outs_of_many_streams);
    tcase_add_test(tcase, forced_destruction_against_record);
    tcase_add_test(tcase, forced_destruction_of_the_source);
    return run_cases("stress_order", tcase, NULL);
}
