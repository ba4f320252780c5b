/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, address space and threads that are not to be had: documented codes, no crash, and nothing lost. */
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crew.h"
#include "interpose.h"

enum { BYTES = 256 * 1024, BAD_ALLOC = 200000 };

/* --- allocations that fail ---------------------------------------------------------------------------------------- */

struct scenario {
    aclrtContext context;
    aclrtStream stream, second;
    aclrtEvent event;
    void *device, *pinned, *view;
    uint8_t *registered;
};

static void do_nothing(void *arg)
{
    (void)arg;
}

static aclError set_device(struct scenario *s)
{
    (void)s;
    return aclrtSetDevice(0);
}

static aclError create_context(struct scenario *s)
{
    return aclrtCreateContext(&s->context, 0);
}

static aclError create_stream(struct scenario *s)
{
    return aclrtCreateStream(&s->stream);
}

static aclError create_second(struct scenario *s)
{
    return aclrtCreateStream(&s->second);
}

static aclError create_event(struct scenario *s)
{
    return aclrtCreateEvent(&s->event);
}

static aclError alloc_device(struct scenario *s)
{
    return aclrtMalloc(&s->device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);
}

static aclError alloc_pinned(struct scenario *s)
{
    return aclrtMallocHost(&s->pinned, BYTES);
}

static aclError register_host(struct scenario *s)
{
    return aclrtHostRegister(s->registered, BYTES, ACL_HOST_REGISTER_MAPPED, &s->view);
}

static aclError wait_for_event(struct scenario *s)
{
    return aclrtStreamWaitEvent(s->stream, s->event);
}

static aclError copy(struct scenario *s)
{
    return aclrtMemcpyAsync(s->device, BYTES, s->pinned, BYTES, H2D, s->stream);
}

static aclError copy_registered(struct scenario *s)
{
    return aclrtMemcpyAsync(s->device, BYTES, s->registered, BYTES, H2D, s->stream);
}

static aclError call_host(struct scenario *s)
{
    return aclrtLaunchHostFunc(s->stream, do_nothing, NULL);
}

/* The stream is parked: the memory is named by queued work. */
static aclError free_pinned(struct scenario *s)
{
    return aclrtFreeHost(s->pinned);
}

static aclError record(struct scenario *s)
{
    return aclrtRecordEvent(s->event, s->second);
}

static aclError synchronize(struct scenario *s)
{
    return aclrtSynchronizeStream(s->stream);
}

static aclError free_device(struct scenario *s)
{
    return aclrtFree(s->device);
}

static aclError unregister(struct scenario *s)
{
    return aclrtHostUnregister(s->registered);
}

static aclError destroy_event(struct scenario *s)
{
    return aclrtDestroyEvent(s->event);
}

static aclError destroy_streams(struct scenario *s)
{
    const aclError err = aclrtDestroyStream(s->stream);
    return err != ACL_SUCCESS ? err : aclrtDestroyStream(s->second);
}

static aclError destroy_context(struct scenario *s)
{
    return aclrtDestroyContext(s->context);
}

static const struct {
    const char *name;
    aclError (*run)(struct scenario *);
} steps[] = {
    { "aclrtSetDevice", set_device },           { "aclrtCreateContext", create_context },
    { "aclrtCreateStream", create_stream },     { "aclrtCreateStream", create_second },
    { "aclrtCreateEvent", create_event },       { "aclrtMalloc", alloc_device },
    { "aclrtMallocHost", alloc_pinned },        { "aclrtHostRegister", register_host },
    { "aclrtStreamWaitEvent", wait_for_event }, { "aclrtMemcpyAsync", copy },
    { "aclrtMemcpyAsync", copy_registered },    { "aclrtLaunchHostFunc", call_host },
    { "aclrtFreeHost", free_pinned },           { "aclrtRecordEvent", record },
    { "aclrtSynchronizeStream", synchronize },  { "aclrtFree", free_device },
    { "aclrtHostUnregister", unregister },      { "aclrtDestroyEvent", destroy_event },
    { "aclrtDestroyStream", destroy_streams },  { "aclrtDestroyContext", destroy_context },
};

static unsigned nth; /* what fails in the child */

enum { REACHED_THE_END = 0, FAILED_ONCE = 1, WRONG = 2 };

/* A call that fails for want of memory has changed nothing: once there is memory again it works. */
static int run_steps(void)
{
    struct scenario s = { .registered = aligned_alloc(4096, BYTES) };
    int result = REACHED_THE_END;
    memset(s.registered, 1, BYTES);
    failing_allocation = nth;
    for (unsigned i = 0; i < COUNT_OF(steps); i++) {
        aclError code = steps[i].run(&s);
        if (failing_allocation == 0)
            result = FAILED_ONCE;
        if (code == ACL_SUCCESS)
            continue;
        if (failing_allocation != 0 || (code != E_RT_MEMORY_ALLOCATION && code != BAD_ALLOC)) {
            printf("allocation %u: %s returned %d: %s\n", nth, steps[i].name, (int)code, last_message());
            return WRONG;
        }
        code = steps[i].run(&s);
        if (code != ACL_SUCCESS) {
            printf("allocation %u: %s failed again with %d: %s\n", nth, steps[i].name, (int)code, last_message());
            return WRONG;
        }
    }
    return result;
}

static void scenario(void)
{
    const int result = run_steps();
    fflush(stdout);
    _exit(result);
}

START_TEST(each_allocation_fails_once)
{
    int status;
    do {
        nth++;
        status = in_child(scenario);
        ck_assert_msg(WIFEXITED(status), "allocation %u: ended by signal %d", nth, WTERMSIG(status));
        ck_assert_msg(WEXITSTATUS(status) != WRONG, "allocation %u: see above", nth);
        ck_assert_uint_lt(nth, 1000);
    } while (WEXITSTATUS(status) == FAILED_ONCE);
    ck_assert_uint_gt(nth, 5);
}
END_TEST

/* The marks of busy streams are counted, room for them is allocated, and in that moment another stream becomes busy. */
static struct {
    aclrtStream early; /* in a slot before that of the stream whose work names the memory */
    aclrtEvent never;
} becoming;

static void make_busy(void)
{
    (void)aclrtStreamWaitEvent(becoming.early, becoming.never);
}

START_TEST(a_stream_becomes_busy_while_memory_is_freed)
{
    aclrtStream stream;
    void *source, *middle, *result, *others[8];
    struct latch latch;
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateStream(&becoming.early));
    ASSERT_OK(aclrtCreateEvent(&becoming.never));
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtMallocHost(&source, BYTES));
    ASSERT_OK(aclrtMallocHost(&result, BYTES));
    ASSERT_OK(aclrtMalloc(&middle, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    memset(source, 0x11, BYTES);
    latch_close(&latch, stream);
    ASSERT_OK(aclrtMemcpyAsync(middle, BYTES, source, BYTES, H2D, stream));
    ASSERT_OK(aclrtMemcpyAsync(result, BYTES, middle, BYTES, D2H, stream));
    on_allocation = make_busy;
    ASSERT_OK(aclrtFreeHost(source));
    ck_assert_msg(on_allocation == NULL, "the call allocates nothing: this test has to find another moment");
    ASSERT_OK(aclrtRecordEvent(becoming.never, latch.opener));
    ASSERT_OK(aclrtSynchronizeStream(becoming.early));
    for (unsigned i = 0; i < COUNT_OF(others); i++) {
        ASSERT_OK(aclrtMallocHost(&others[i], BYTES));
        memset(others[i], 0x22, BYTES);
    }
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_ALL_BYTES(result, BYTES, 0x11);
}
END_TEST

/* --- address space ------------------------------------------------------------------------------------------------ */

static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *const statm = fopen("/proc/self/statm", "re");
    ck_assert_ptr_nonnull(statm);
    ck_assert_int_eq(fscanf(statm, "%lu", &pages), 1);
    fclose(statm);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit_address_space(size_t more)
{
    const rlim_t limit = address_space() + more;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){ limit, limit }), 0);
}

/* No arena fits: the call says so, each time, and takes nothing with it. */
START_TEST(no_address_space_for_an_arena)
{
    void *p = NULL;
    open_with(NULL, NULL);
    limit_address_space(48 << 20);
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_MESSAGE_NAMES("aclrtMalloc", "address space");
    ck_assert_ptr_null(p);
    const size_t before = address_space();
    for (unsigned i = 0; i < 100; i++) {
        ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMallocHost(&p, 4096));
        (void)last_message();
    }
    ck_assert_uint_le(address_space(), before + (1 << 20));
    ck_assert_uint_eq(counters().device_bytes_live, 0);
    ck_assert_uint_eq(counters().pinned_bytes_live, 0);
}
END_TEST

static const size_t rooms_mib[] = { 1024, 1280, 1536, 2048, 2560, 3072, 4096, 6144, 12288 };

/* Whichever comes first takes less than there is: device and pinned memory, streams and engines all find room. */
START_TEST(an_arena_leaves_address_space)
{
    uint8_t *device = NULL, *pinned = NULL;
    aclrtStream stream;
    const bool pinned_first = _i % 2 != 0;
    open_with(NULL, NULL);
    limit_address_space(rooms_mib[_i / 2] << 20);
    if (pinned_first)
        ASSERT_OK(aclrtMallocHost((void **)&pinned, BYTES));
    ASSERT_OK(aclrtMalloc((void **)&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    if (!pinned_first)
        ASSERT_OK(aclrtMallocHost((void **)&pinned, BYTES));
    ASSERT_OK(aclrtCreateStream(&stream));
    memset(pinned, 0x17, BYTES);
    ASSERT_OK(aclrtMemcpyAsync(device, BYTES, pinned, BYTES, H2D, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(device, BYTES, 0x17));
}
END_TEST

/* Streams until there is no address space for their queues; those that there are work, and make room when they go. */
START_TEST(no_address_space_for_streams)
{
    static aclrtStream streams[64];
    void *device, *pinned;
    unsigned count = 0;
    aclError code;
    open_with(NULL, NULL);
    ASSERT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost(&pinned, 4096));
    limit_address_space(100 << 20);
    while ((code = aclrtCreateStream(&streams[count])) == ACL_SUCCESS)
        ck_assert_uint_lt(++count, COUNT_OF(streams));
    ck_assert_int_eq(code, E_RT_MEMORY_ALLOCATION);
    ck_assert_uint_gt(count, 0);
    for (unsigned i = 0; i < count; i++) {
        ASSERT_OK(aclrtMemcpyAsync(device, 4096, pinned, 4096, H2D, streams[i]));
        ASSERT_OK(aclrtSynchronizeStream(streams[i]));
    }
    for (unsigned i = 0; i < 3; i++) {
        ASSERT_OK(aclrtDestroyStream(streams[0]));
        ASSERT_OK(aclrtCreateStream(&streams[0]));
    }
}
END_TEST

/* --- threads ------------------------------------------------------------------------------------------------------ */

struct no_threads {
    aclrtStream first, second;
    aclrtEvent event;
    uint8_t *device, *pinned;
};

static struct no_threads open_without_threads(void)
{
    struct no_threads t;
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateStream(&t.first));
    ASSERT_OK(aclrtCreateStream(&t.second));
    ASSERT_OK(aclrtCreateEvent(&t.event));
    ASSERT_OK(aclrtMalloc((void **)&t.device, 2 * BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&t.pinned, 2 * BYTES));
    memset(t.pinned, 0x44, BYTES);
    atomic_store(&threads_fail, true);
    return t;
}

/* Down again behind an event: the thread that waits for the second stream has to run the first. */
static void queue_round_trip(const struct no_threads *t)
{
    ASSERT_OK(aclrtMemcpyAsync(t->device, BYTES, t->pinned, BYTES, H2D, t->first));
    ASSERT_OK(aclrtRecordEvent(t->event, t->first));
    ASSERT_OK(aclrtStreamWaitEvent(t->second, t->event));
    ASSERT_OK(aclrtMemcpyAsync(t->pinned + BYTES, BYTES, t->device, BYTES, D2H, t->second));
}

START_TEST(without_threads_the_waiting_one_works)
{
    const struct no_threads t = open_without_threads();
    queue_round_trip(&t);
    ASSERT_OK(aclrtSynchronizeStream(t.second));
    ASSERT_ALL_BYTES(t.pinned + BYTES, BYTES, 0x44);
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtLaunchHostFunc(t.first, do_nothing, NULL));
    ASSERT_OK(aclrtSynchronizeDevice());
}
END_TEST

START_TEST(without_threads_with_a_time_limit)
{
    const struct no_threads t = open_without_threads();
    queue_round_trip(&t);
    while (aclrtSynchronizeStreamWithTimeout(t.second, 10) == E_RT_STREAM_SYNC_TIMEOUT)
        continue;
    ASSERT_ALL_BYTES(t.pinned + BYTES, BYTES, 0x44);
}
END_TEST

START_TEST(without_threads_an_event_wait_runs_out)
{
    const struct no_threads t = open_without_threads();
    ASSERT_OK(aclrtStreamWaitEventWithTimeout(t.first, t.event, 1));
    ASSERT_CODE(ACL_ERROR_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(t.first));
}
END_TEST

static void synchronize_second(struct member *m)
{
    const struct no_threads *const t = m->shared;
    WANT(m, aclrtSetDevice(0));
    WANT(m, aclrtSynchronizeStream(t->second));
}

/* The waiting thread sleeps before there is work, and before anybody knows that there will be no engines. */
START_TEST(without_threads_a_sleeping_one_is_called)
{
    static struct crew crew;
    struct no_threads t = open_without_threads();
    atomic_store(&threads_fail, false);
    ASSERT_OK(aclrtStreamWaitEvent(t.second, t.event));
    ASSERT_OK(aclrtMemcpyAsync(t.pinned, BYTES, t.device, BYTES, D2H, t.second));
    const uint64_t before =
        atomic_load(&system_calls); /* the library's only: it may be asleep before crew_start returns */
    crew_start(&crew, 1, synchronize_second, &t);
    while (atomic_load(&system_calls) == before) /* it goes to sleep */
        sched_yield();
    atomic_store(&threads_fail, true);
    ASSERT_OK(aclrtRecordEvent(t.event, t.first));
    crew_join(&crew);
}
END_TEST

int main(void)
{
    if (!can_interpose()) {
        puts("skipped: a sanitizer has its own memory, threads and system calls");
        return 77;
    }
    TCase *const tcase = new_case("faults", NULL, NULL);
    tcase_add_test(tcase, each_allocation_fails_once);
    tcase_add_test(tcase, a_stream_becomes_busy_while_memory_is_freed);
    tcase_add_test(tcase, no_address_space_for_an_arena);
    tcase_add_loop_test(tcase, an_arena_leaves_address_space, 0, 2 * (int)COUNT_OF(rooms_mib));
    tcase_add_test(tcase, no_address_space_for_streams);
    tcase_add_test(tcase, without_threads_the_waiting_one_works);
    tcase_add_test(tcase, without_threads_with_a_time_limit);
    tcase_add_test(tcase, without_threads_an_event_wait_runs_out);
    tcase_add_test(tcase, without_threads_a_sleeping_one_is_called);
    return run_cases("stress_faults", tcase, NULL);
}
