/* SPDX-License-Identifier: Apache-2.0 */
/* What a program pays for: processor time when idle, memory, system calls, allocations. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "crew.h"
#include "interpose.h"

#define MIB ((size_t)1024 * 1024)
enum {
    STREAMS = 1984,
    BYTES = 64,
    QUEUED = 256 * 1024, /* more than a submitting thread copies itself */
};

static aclrtStream stream;
static uint8_t *device, *pinned;

static void open_one(void)
{
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtMalloc((void **)&device, QUEUED, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, QUEUED));
}

static void copy_tiny(aclrtStream s)
{
    ASSERT_OK(aclrtMemcpyAsync(device, BYTES, pinned, BYTES, H2D, s));
}

static uint64_t cpu_ns(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
}

static void sleep_ms(long ms)
{
    const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    nanosleep(&time, NULL);
}

/* --- idle --------------------------------------------------------------------------------------------------------- */

/* A bound on a resource, not on speed: 1.5 s of an idle process. */
START_TEST(idle_process_uses_no_processor)
{
    struct gate gate;
    open_one();
    for (unsigned i = 0; i < 1000; i++)
        ASSERT_OK(aclrtMemcpyAsync(device, QUEUED, pinned, QUEUED, H2D, stream));
    ASSERT_OK(aclrtLaunchHostFunc(stream, (aclrtHostFunc)(void (*)(void *))free, NULL));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    gate_close(&gate, stream); /* a parked stream costs nothing either */
    gate_await(&gate);
    const uint64_t before = cpu_ns();
    sleep_ms(1500);
    const uint64_t used = cpu_ns() - before;
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ck_assert_msg(used < 50000000u, "1.5 s of idling took %llu us of processor time", (unsigned long long)used / 1000);
}
END_TEST

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void assert_grown_at_most(size_t before, size_t most)
{
    const size_t after = resident_bytes();
    ck_assert_msg(after <= before + most, "%zu KiB more resident, at most %zu KiB are expected",
                  (after - before) / 1024, most / 1024);
}

START_TEST(first_copy_takes_little_memory)
{
    const size_t before = resident_bytes();
    open_one();
    copy_tiny(stream);
    ASSERT_OK(aclrtSynchronizeStream(stream));
    assert_grown_at_most(before, 8 * MIB);
}
END_TEST

START_TEST(idle_streams_take_little_memory)
{
    static aclrtStream streams[STREAMS];
    const size_t before = resident_bytes();
    open_one();
    ASSERT_OK(aclrtDestroyStream(stream));
    for (unsigned i = 0; i < STREAMS; i++) {
        ASSERT_OK(aclrtCreateStream(&streams[i]));
        copy_tiny(streams[i]);
        ASSERT_OK(aclrtMemcpyAsync(device, QUEUED, pinned, QUEUED, H2D, streams[i])); /* through the queue */
    }
    ASSERT_OK(aclrtSynchronizeDevice());
    assert_grown_at_most(before, 32 * MIB);
}
END_TEST

/* The pages come back when the process has been idle for about a second; the test looks for as long as it takes. */
START_TEST(deep_queue_gives_its_memory_back)
{
    enum { DEEP = 65000 };
    open_one();
    for (unsigned round = 0; round < 2; round++) {
        struct latch latch;
        const size_t before = resident_bytes();
        latch_close(&latch, stream);
        for (unsigned i = 0; i < DEEP; i++)
            copy_tiny(stream);
        const size_t deep = resident_bytes();
        ck_assert_uint_ge(deep, before + 3 * MIB);
        ASSERT_OK(latch_open(&latch));
        ASSERT_OK(aclrtSynchronizeStream(stream));
        latch_free(&latch);
        for (unsigned look = 0; look < 1000 && resident_bytes() > deep - 3 * MIB; look++)
            sleep_ms(20);
        ck_assert_uint_le(resident_bytes(), deep - 3 * MIB);
    }
}
END_TEST

START_TEST(a_million_copies_take_no_memory)
{
    size_t before = 0;
    open_one();
    for (size_t i = 0; i < 1000000; i++) {
        copy_tiny(stream);
        if (i == 100000)
            before = resident_bytes();
    }
    ASSERT_OK(aclrtSynchronizeStream(stream));
    assert_grown_at_most(before, 2 * MIB);
    const struct pacl_counters now = counters();
    ck_assert_uint_eq(now.tasks_inline + now.tasks_queued, 1000000);
    ck_assert_uint_eq(now.bytes_copied, (uint64_t)1000000 * BYTES);
}
END_TEST

static void create_and_destroy(void)
{
    aclrtStream s;
    aclrtEvent e;
    void *d, *h;
    ASSERT_OK(aclrtCreateStream(&s));
    ASSERT_OK(aclrtCreateEvent(&e));
    ASSERT_OK(aclrtMalloc(&d, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost(&h, 4096));
    ASSERT_OK(aclrtMemcpyAsync(d, 4096, h, 4096, H2D, s));
    ASSERT_OK(aclrtRecordEvent(e, s));
    ASSERT_OK(aclrtStreamWaitEvent(stream, e));
    ASSERT_OK(aclrtDestroyEvent(e));
    ASSERT_OK(aclrtFree(d));
    ASSERT_OK(aclrtFreeHost(h));
    ASSERT_OK(aclrtDestroyStream(s));
}

START_TEST(objects_that_come_and_go_take_no_memory)
{
    size_t before = 0;
    open_one();
    for (unsigned i = 0; i < 100000; i++) {
        create_and_destroy();
        if (i == 10000)
            before = resident_bytes();
    }
    assert_grown_at_most(before, 2 * MIB);
}
END_TEST

START_TEST(contexts_that_come_and_go_take_no_memory)
{
    size_t before = 0;
    open_one();
    for (unsigned i = 0; i < 2000; i++) {
        aclrtContext context;
        aclrtStream s;
        ASSERT_OK(aclrtCreateContext(&context, 0));
        ASSERT_OK(aclrtCreateStream(&s));
        ASSERT_OK(aclrtLaunchHostFunc(s, (aclrtHostFunc)(void (*)(void *))free, NULL));
        ASSERT_OK(aclrtDestroyContext(context));
        if (i == 500)
            before = resident_bytes();
    }
    assert_grown_at_most(before, 2 * MIB);
}
END_TEST

/* --- the way of a submission -------------------------------------------------------------------------------------- */

/* Once through the queue as well: the first such task starts the engines. */
static void warm_up(void)
{
    open_one();
    ASSERT_OK(aclrtMemcpyAsync(device, QUEUED, pinned, QUEUED, H2D, stream));
    for (unsigned i = 0; i < 100; i++)
        copy_tiny(stream);
    ASSERT_OK(aclrtSynchronizeStream(stream));
}

START_TEST(tiny_copies_make_no_system_call)
{
    warm_up();
    const uint64_t before = own_system_calls;
    for (unsigned i = 0; i < 10000; i++) {
        copy_tiny(stream);
        ASSERT_OK(aclrtSynchronizeStream(stream));
    }
    /* An engine may have the stream for a moment, to look after its memory: then it is waited for. */
    ck_assert_uint_le(own_system_calls - before, 20);
}
END_TEST

START_TEST(submission_to_a_parked_stream_makes_no_system_call)
{
    struct latch latch;
    warm_up();
    latch_close(&latch, stream);
    const uint64_t before = own_system_calls;
    for (unsigned i = 0; i < 10000; i++)
        copy_tiny(stream);
    ck_assert_uint_eq(own_system_calls - before, 0);
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeStream(stream));
}
END_TEST

static void assert_counted(void)
{
    void *(*volatile allocate)(size_t) = malloc; /* the compiler believes that malloc itself changes no variable */
    const uint64_t before = allocations;
    free(allocate(1));
    ck_assert_msg(allocations == before + 1, "allocations are not counted");
}

/* The harness allocates in every check: codes are collected and looked at afterwards. */
static int copy_many(unsigned count, size_t bytes)
{
    int codes = 0;
    for (unsigned i = 0; i < count; i++)
        codes |= aclrtMemcpyAsync(device, bytes, pinned, bytes, H2D, stream);
    return codes;
}

static int record_and_wait_many(aclrtEvent event, unsigned count)
{
    int codes = 0;
    for (unsigned i = 0; i < count; i++)
        codes |= aclrtRecordEvent(event, stream) | aclrtStreamWaitEvent(stream, event);
    return codes;
}

START_TEST(submission_to_a_running_stream_allocates_nothing)
{
    warm_up();
    assert_counted();
    const uint64_t before = allocations;
    int codes = copy_many(100000, BYTES);
    codes |= copy_many(2000, QUEUED); /* through the queue */
    codes |= aclrtSynchronizeStream(stream);
    const uint64_t made = allocations - before;
    ck_assert_int_eq(codes, 0);
    ck_assert_uint_eq(made, 0);
}
END_TEST

START_TEST(submission_to_a_parked_stream_allocates_nothing)
{
    struct latch latch;
    aclrtEvent event;
    warm_up();
    ASSERT_OK(aclrtCreateEvent(&event));
    latch_close(&latch, stream);
    const uint64_t before = allocations;
    int codes = copy_many(60000, BYTES);
    codes |= record_and_wait_many(event, 1000);
    codes |= latch_open(&latch);
    codes |= aclrtSynchronizeStream(stream);
    const uint64_t made = allocations - before;
    ck_assert_int_eq(codes, 0);
    ck_assert_uint_eq(made, 0);
}
END_TEST

int main(void)
{
    if (!can_interpose()) {
        puts("skipped: a sanitizer has its own memory, threads and system calls");
        return 77;
    }
    TCase *const tcase = new_case("resources", NULL, NULL);
    tcase_add_test(tcase, idle_process_uses_no_processor);
    tcase_add_test(tcase, first_copy_takes_little_memory);
    tcase_add_test(tcase, idle_streams_take_little_memory);
    tcase_add_test(tcase, deep_queue_gives_its_memory_back);
    tcase_add_test(tcase, a_million_copies_take_no_memory);
    tcase_add_test(tcase, objects_that_come_and_go_take_no_memory);
    tcase_add_test(tcase, contexts_that_come_and_go_take_no_memory);
    tcase_add_test(tcase, tiny_copies_make_no_system_call);
    tcase_add_test(tcase, submission_to_a_parked_stream_makes_no_system_call);
    tcase_add_test(tcase, submission_to_a_running_stream_allocates_nothing);
    tcase_add_test(tcase, submission_to_a_parked_stream_allocates_nothing);
    return run_cases("stress_resources", tcase, NULL);
}
