/* SPDX-License-Identifier: Apache-2.0 */
/* Full queues: nothing is lost, order is kept, and who submits past the depth to a parked stream waits. */
#include <sched.h>
#include <stdio.h>

#include "crew.h"

static const char *const depths[] = { "2", "3", "4", "5", "6", "7", "8", "65536" };

/* Notes in host functions who came when. */
struct log {
    _Atomic unsigned submitted; /* by the one submitter of a parked stream */
    aclrtStream stream;
    unsigned each;     /* entries of a thread */
    unsigned next[64]; /* of each thread: the entry that must come next */
    unsigned wrong;
};

struct entry {
    struct log *log;
    unsigned thread, number;
};

static void note(void *arg)
{
    struct entry *const entry = arg;
    if (entry->log->next[entry->thread]++ != entry->number)
        entry->log->wrong++;
}

static size_t depth_of(int row)
{
    return strtoul(depths[row], NULL, 10);
}

static void submit_entries(struct member *m)
{
    struct log *const log = m->shared;
    struct entry *const entries = calloc(log->each, sizeof(*entries));
    WANT(m, aclrtSetDevice(0));
    for (unsigned i = 0; i < log->each && !failed(m); i++) {
        entries[i] = (struct entry){ .log = log, .thread = m->index, .number = i };
        WANT(m, aclrtLaunchHostFunc(log->stream, note, &entries[i]));
        atomic_fetch_add(&log->submitted, 1);
    }
    WANT(m, aclrtSynchronizeStream(log->stream));
    free(entries);
}

/* Many threads, one running stream. */
START_TEST(running)
{
    open_with(depths[_i], NULL);
    struct log log = { .each = (unsigned)stress_rounds(500) };
    ASSERT_OK(aclrtCreateStream(&log.stream));
    const struct pacl_counters before = counters();
    crew_run(4, submit_entries, &log);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(log.next[i], log.each);
    ck_assert_uint_eq(log.wrong, 0);
    ck_assert_uint_eq(counters().tasks_queued - before.tasks_queued, 4 * log.each);
}
END_TEST

/* The wait that parks the stream takes one place of the queue; the submitter fills the others and then waits. */
START_TEST(parked)
{
    static struct crew crew;
    open_with(depths[_i], NULL);
    const unsigned places = (unsigned)depth_of(_i) - 1;
    struct log log = { .each = places < 100 ? 2 * places + 7 : places + 100 };
    struct latch latch;
    ASSERT_OK(aclrtCreateStream(&log.stream));
    latch_close(&latch, log.stream);
    const struct pacl_counters before = counters();
    crew_start(&crew, 1, submit_entries, &log);
    while (atomic_load(&log.submitted) < places)
        sched_yield();
    for (unsigned i = 0; i < 1000; i++) {
        sched_yield(); /* gives a submitter that wrongly goes on the time to do so; never decides that it did not */
        ck_assert_uint_eq(atomic_load(&log.submitted), places);
    }
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(log.stream, 1));
    ck_assert_uint_eq(log.next[0], 0);
    ASSERT_OK(latch_open(&latch));
    crew_join(&crew);
    ck_assert_uint_eq(log.next[0], log.each);
    ck_assert_uint_eq(log.wrong, 0);
    ck_assert_uint_eq(counters().tasks_queued - before.tasks_queued, log.each + 2); /* the wait and its record */
}
END_TEST

struct copies {
    aclrtStream stream;
    uint8_t *device, *pinned;
    unsigned each;
};

/* Copies to a place per thread, of which the last must be there at the end. */
static void submit_copies(struct member *m)
{
    const struct copies *const c = m->shared;
    const size_t bytes = c->each * sizeof(uint32_t);
    uint32_t seen = 0;
    WANT(m, aclrtSetDevice(0));
    for (unsigned i = 0; i < c->each && !failed(m); i++)
        WANT(m,
             aclrtMemcpyAsync(c->device + m->index * 64, 4, c->pinned + m->index * bytes + 4 * i, 4, H2D, c->stream));
    WANT(m, aclrtSynchronizeStream(c->stream));
    WANT(m, aclrtMemcpy(&seen, 4, c->device + m->index * 64, 4, D2H));
    if (seen != c->each - 1)
        give_up(m, "the last copy was %u of %u", seen, c->each);
}

static struct copies new_copies(unsigned threads, unsigned each)
{
    struct copies c = { .each = each };
    ASSERT_OK(aclrtCreateStream(&c.stream));
    ASSERT_OK(aclrtMalloc((void **)&c.device, threads * 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&c.pinned, (size_t)threads * each * sizeof(uint32_t)));
    for (unsigned i = 0; i < threads * each; i++)
        memcpy(c.pinned + i * sizeof(uint32_t), &(uint32_t){ i % each }, sizeof(uint32_t));
    return c;
}

START_TEST(copies_of_many_threads)
{
    open_with(depths[_i], NULL);
    const unsigned each = (unsigned)stress_rounds(20000);
    struct copies c = new_copies(4, each);
    const struct pacl_counters before = counters();
    crew_run(4, submit_copies, &c);
    const struct pacl_counters after = counters();
    ck_assert_uint_eq(after.tasks_queued + after.tasks_inline - before.tasks_queued - before.tasks_inline, 4 * each);
    ck_assert_uint_eq(after.bytes_copied - before.bytes_copied, 4 * 4 * each + 4 * 4);
}
END_TEST

/* The same behind a latch that another thread opens once the queue is full. */
START_TEST(copies_of_many_threads_to_a_parked_stream)
{
    static struct crew crew;
    open_with(depths[_i], NULL);
    const unsigned each = (unsigned)(depth_of(_i) + 100);
    struct copies c = new_copies(2, each);
    struct latch latch;
    latch_close(&latch, c.stream);
    const struct pacl_counters before = counters();
    crew_start(&crew, 2, submit_copies, &c);
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(c.stream, 1));
    ASSERT_OK(latch_open(&latch));
    crew_join(&crew);
    const struct pacl_counters after = counters();
    ck_assert_uint_eq(after.tasks_queued + after.tasks_inline - before.tasks_queued - before.tasks_inline,
                      2 * each + 2);
}
END_TEST

/* Records and waits meet full queues too: the streams hand each other the turn. */
START_TEST(events_through_full_queues)
{
    open_with(depths[_i], "2");
    aclrtStream stream[4];
    aclrtEvent event[4];
    const unsigned turns = (unsigned)stress_rounds(400);
    struct log log = { .each = turns };
    struct entry *const entries = calloc(turns, sizeof(*entries));
    for (unsigned i = 0; i < 4; i++) {
        ASSERT_OK(aclrtCreateStream(&stream[i]));
        ASSERT_OK(aclrtCreateEvent(&event[i]));
    }
    for (unsigned i = 0; i < turns; i++) {
        entries[i] = (struct entry){ .log = &log, .number = i };
        if (i > 0)
            ASSERT_OK(aclrtStreamWaitEvent(stream[i % 4], event[(i - 1) % 4]));
        ASSERT_OK(aclrtLaunchHostFunc(stream[i % 4], note, &entries[i]));
        ASSERT_OK(aclrtRecordEvent(event[i % 4], stream[i % 4]));
    }
    ASSERT_OK(aclrtSynchronizeDevice());
    ck_assert_uint_eq(log.next[0], turns);
    ck_assert_uint_eq(log.wrong, 0);
    free(entries);
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("full queues", NULL, NULL);
    tcase_add_loop_test(tcase, running, 0, COUNT_OF(depths));
    tcase_add_loop_test(tcase, parked, 0, COUNT_OF(depths));
    tcase_add_loop_test(tcase, copies_of_many_threads, 0, COUNT_OF(depths));
    tcase_add_loop_test(tcase, copies_of_many_threads_to_a_parked_stream, 0, COUNT_OF(depths));
    tcase_add_loop_test(tcase, events_through_full_queues, 0, COUNT_OF(depths));
    return run_cases("stress_queue", tcase, NULL);
}
