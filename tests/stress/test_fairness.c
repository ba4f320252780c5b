/* SPDX-License-Identifier: Apache-2.0 */
/* As many streams as the product has, few engines: all get their turn, and none waits for one that is blocked. */
#include "crew.h"

enum { STREAMS = 1984, CELL = 256, BIG = 64 * 1024 * 1024 };

static const char *const engines[] = { "1", "2", "4" };
static aclrtStream stream[STREAMS];
static uint8_t *cells, *pinned;

/* The latch needs a stream of its own: there is one less for the work. */
static void open_all(int row, unsigned streams)
{
    open_with(NULL, engines[row]);
    ASSERT_OK(aclrtMalloc((void **)&cells, (size_t)STREAMS * CELL, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, (size_t)STREAMS * CELL));
    for (unsigned i = 0; i < streams; i++)
        ASSERT_OK(aclrtCreateStream(&stream[i]));
}

/* Down, so that the bytes come out without another copy; two tasks, so that one is queued behind the other. */
static void queue_work(unsigned i, int value)
{
    uint8_t *const cell = cells + (size_t)i * CELL;
    ASSERT_OK(aclrtMemsetAsync(cell, CELL, value, CELL, stream[i]));
    ASSERT_OK(aclrtMemcpyAsync(pinned + (size_t)i * CELL, CELL, cell, CELL, D2H, stream[i]));
}

static void assert_done(unsigned i, int value)
{
    ASSERT_ALL_BYTES(pinned + (size_t)i * CELL, CELL, (uint8_t)value);
}

static int value_of(unsigned i)
{
    return (int)(i * 7 % 251);
}

START_TEST(all_streams_behind_one_event)
{
    aclrtEvent start;
    open_all(_i, STREAMS);
    ASSERT_OK(aclrtCreateEvent(&start));
    for (unsigned i = 1; i < STREAMS; i++) {
        ASSERT_OK(aclrtStreamWaitEvent(stream[i], start));
        queue_work(i, value_of(i));
    }
    ASSERT_OK(aclrtRecordEvent(start, stream[0]));
    /* From the last: the engines come from the first. Query, so that nobody helps. */
    for (unsigned i = STREAMS - 1; i > 0; i--) {
        while (aclrtSynchronizeStreamWithTimeout(stream[i], 1000) == E_RT_STREAM_SYNC_TIMEOUT)
            continue;
        assert_done(i, value_of(i));
    }
    aclrtStream one_more;
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, aclrtCreateStream(&one_more));
}
END_TEST

START_TEST(a_blocked_stream_holds_up_no_other)
{
    struct latch latch;
    aclrtStreamStatus status;
    open_all(_i, STREAMS - 1);
    latch_close(&latch, stream[0]);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < STREAMS - 1; i++)
            queue_work(i, value_of(i) + round);
        for (unsigned i = 1; i < STREAMS - 1; i++) {
            ASSERT_OK(aclrtSynchronizeStream(stream[i]));
            assert_done(i, value_of(i) + round);
        }
        ASSERT_OK(aclrtStreamQuery(stream[0], &status));
        ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY);
    }
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeStream(stream[0]));
    assert_done(0, value_of(0) + 1);
}
END_TEST

/* Big copies are shared by whoever is free; tiny streams come through meanwhile, with helpers and without. */
START_TEST(tiny_streams_beside_big_copies)
{
    enum { TINY = 64, BIGS = 2 };
    uint8_t *from[BIGS], *to[BIGS];
    open_all(_i, TINY + BIGS);
    for (unsigned i = 0; i < BIGS; i++) {
        ASSERT_OK(aclrtMallocHost((void **)&from[i], BIG));
        ASSERT_OK(aclrtMalloc((void **)&to[i], BIG, ACL_MEM_MALLOC_HUGE_FIRST));
        memset(from[i], (int)i + 1, BIG);
    }
    for (size_t round = stress_rounds(2); round > 0; round--) {
        for (unsigned i = 0; i < BIGS; i++) {
            ASSERT_OK(aclrtMemcpy2dAsync(to[i], 8192, from[i], 8192, 8192, BIG / 8192, H2D, stream[TINY + i]));
            ASSERT_OK(aclrtMemcpyAsync(to[i], BIG / 2, to[i] + BIG / 2, BIG / 2, D2D, stream[TINY + i]));
        }
        for (unsigned i = 0; i < TINY; i++)
            queue_work(i, value_of(i));
        for (unsigned i = 0; i < TINY; i++) {
            if (i % 2 == 0)
                ASSERT_OK(aclrtSynchronizeStream(stream[i]));
            while (aclrtSynchronizeStreamWithTimeout(stream[i], 1000) == E_RT_STREAM_SYNC_TIMEOUT)
                continue;
            assert_done(i, value_of(i));
        }
        ASSERT_OK(aclrtSynchronizeDevice());
        for (unsigned i = 0; i < BIGS; i++)
            ASSERT_NO_DIFFERENCE(device_fill_difference(to[i], BIG, (uint8_t)(i + 1)));
    }
}
END_TEST

/* Every thread waits for its own big copy and helps with all. */
struct bigs {
    uint8_t *device, *pinned;
};

static void copy_big(struct member *m)
{
    enum { PART = BIG / 8 };
    const struct bigs *const b = m->shared;
    const size_t at = (size_t)m->index * 2 * PART;
    aclrtStream own;
    WANT(m, aclrtSetDevice(0));
    WANT(m, aclrtCreateStream(&own));
    for (size_t round = stress_rounds(4); round > 0 && !failed(m); round--) {
        const uint8_t value = (uint8_t)(round * 8 + m->index);
        memset(b->pinned + at, value, PART);
        WANT(m, aclrtMemcpyAsync(b->device + at, PART, b->pinned + at, PART, H2D, own));
        WANT(m, aclrtMemcpyAsync(b->device + at + PART, PART, b->device + at, PART, D2D, own));
        WANT(m, aclrtMemcpyAsync(b->pinned + at + PART, PART, b->device + at + PART, PART, D2H, own));
        WANT(m, aclrtSynchronizeStream(own));
        if (b->pinned[at + PART] != value || memcmp(b->pinned + at, b->pinned + at + PART, PART) != 0)
            give_up(m, "round %zu came back different", round);
    }
    WANT(m, aclrtDestroyStream(own));
}

START_TEST(big_copies_of_many_threads)
{
    struct bigs b;
    open_with(NULL, engines[_i]);
    ASSERT_OK(aclrtMallocHost((void **)&b.pinned, BIG));
    ASSERT_OK(aclrtMalloc((void **)&b.device, BIG, ACL_MEM_MALLOC_HUGE_FIRST));
    crew_run(4, copy_big, &b);
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("fairness", NULL, NULL);
    tcase_add_loop_test(tcase, all_streams_behind_one_event, 0, COUNT_OF(engines));
    tcase_add_loop_test(tcase, a_blocked_stream_holds_up_no_other, 0, COUNT_OF(engines));
    tcase_add_loop_test(tcase, tiny_streams_beside_big_copies, 0, COUNT_OF(engines));
    tcase_add_loop_test(tcase, big_copies_of_many_threads, 0, COUNT_OF(engines));
    return run_cases("stress_fairness", tcase, NULL);
}
