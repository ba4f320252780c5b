/* SPDX-License-Identifier: Apache-2.0 */
/* Decisions 15 and 16: children made by fork(), and processes that end while streams are busy. */
#include "support.h"

#include <acl/acl_rt_allocator.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_CODE 42

static void assert_exited(int status, int code)
{
    ck_assert_msg(WIFEXITED(status), "ended by signal %d%s", WTERMSIG(status),
                  WTERMSIG(status) == SIGALRM ? " (it hung)" : "");
    ck_assert_msg(WEXITSTATUS(status) == code, "exit code %d, expected %d", WEXITSTATUS(status), code);
}

/* --- children --------------------------------------------------------------------------------------------------- */

static aclrtEvent inherited_event;

static aclError child_set_device(void)
{
    return aclrtSetDevice(0);
}

static aclError child_create_context(void)
{
    aclrtContext context;
    return aclrtCreateContext(&context, 0);
}

static aclError child_create_stream(void)
{
    aclrtStream stream;
    return aclrtCreateStream(&stream);
}

static aclError child_synchronize_stream(void)
{
    return aclrtSynchronizeStream(fx.stream);
}

static aclError child_synchronize_null_stream(void)
{
    return aclrtSynchronizeStream(NULL);
}

static aclError child_query_stream(void)
{
    aclrtStreamStatus status;
    return aclrtStreamQuery(fx.stream, &status);
}

static aclError child_destroy_stream(void)
{
    return aclrtDestroyStream(fx.stream);
}

static aclError child_synchronize_device(void)
{
    return aclrtSynchronizeDevice();
}

static aclError child_malloc(void)
{
    void *at;
    return aclrtMalloc(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST);
}

static aclError child_malloc_host(void)
{
    void *at;
    return aclrtMallocHost(&at, 64);
}

static aclError child_free(void)
{
    return aclrtFree(fx.device);
}

static aclError child_copy1d(void)
{
    return aclrtMemcpy(fx.device, 64, fx.pageable, 64, H2D);
}

static aclError child_copy1d_async(void)
{
    return aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream);
}

static aclError child_copy2d(void)
{
    const struct call2d call = between(fx.device, fx.pageable, H2D);
    return copy2d(&call);
}

static aclError child_copy2d_async(void)
{
    const struct call2d call = good_call2d();
    return submit2d(&call);
}

static aclError child_set_memory(void)
{
    return aclrtMemset(fx.device, 64, 1, 64);
}

static aclError child_create_event(void)
{
    aclrtEvent event;
    return aclrtCreateEvent(&event);
}

static aclError child_record_event(void)
{
    return aclrtRecordEvent(inherited_event, fx.stream);
}

static aclError child_synchronize_event(void)
{
    return aclrtSynchronizeEvent(inherited_event);
}

static void hear_exception(aclrtExceptionInfo *info)
{
    (void)info;
}

static aclError child_register_exception_callback(void)
{
    return aclrtExceptionInfoCallbackRegister(hear_exception);
}

static void hear_stream(aclrtStream stream, aclrtStreamState state, void *arg)
{
    (void)stream;
    (void)state;
    (void)arg;
}

static aclError child_register_state_callback(void)
{
    return aclrtRegStreamStateCallback("child", hear_stream, NULL);
}

static aclError (*const child_calls[])(void) = {
    child_set_device,
    child_create_context,
    child_create_stream,
    child_synchronize_stream,
    child_query_stream,
    child_destroy_stream,
    child_synchronize_device,
    child_malloc,
    child_malloc_host,
    child_free,
    child_copy1d,
    child_copy1d_async,
    child_copy2d,
    child_copy2d_async,
    child_set_memory,
    child_create_event,
    child_record_event,
    child_synchronize_event,
    child_synchronize_null_stream,
    child_register_exception_callback,
    child_register_state_callback,
};

/* Exits with 1 + the number of the first call that was accepted. */
static void make_every_call(void)
{
    if (aclrtCreateStreamConfigHandle() != NULL || aclrtAllocatorCreateDesc() != NULL || aclrtGetSocName() != NULL)
        _exit(99);
    for (size_t i = 0; i < COUNT_OF(child_calls); i++) {
        if (child_calls[i]() == ACL_SUCCESS)
            _exit((int)i + 1);
    }
}

START_TEST(decision_15_every_call_fails_in_a_child)
{
    ASSERT_OK(aclrtCreateEvent(&inherited_event));
    ASSERT_OK(aclrtRecordEvent(inherited_event, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_exited(in_child(make_every_call), 0);
    assert_fixture_untouched();
}
END_TEST

static void expect_context_null(void)
{
    if (child_malloc() != E_RT_CONTEXT_NULL || child_create_stream() != E_RT_CONTEXT_NULL ||
        child_synchronize_device() != E_RT_CONTEXT_NULL || child_copy1d() != E_RT_CONTEXT_NULL ||
        child_copy2d() != E_RT_CONTEXT_NULL)
        _exit(1);
}

/* Calls that are given one of the parent's handles may name that handle instead. */
START_TEST(decision_15_calls_without_a_handle_say_107002)
{
    assert_exited(in_child(expect_context_null), 0);
}
END_TEST

static void finalize_in_child(void)
{
    make_every_call();
    aclFinalize();
    aclrtResetDevice(0);
    aclrtResetDeviceForce(0);
    exit(EXIT_CODE);
}

START_TEST(decision_15_a_child_that_cleans_up_and_exits)
{
    assert_exited(in_child(finalize_in_child), EXIT_CODE);
    ASSERT_OK(aclrtMemset(fx.device, FIXTURE_BYTES, 1, FIXTURE_BYTES)); /* the parent is as before */
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(decision_15_a_child_while_a_stream_is_parked)
{
    struct gate gate;
    fill_sources();
    gate_close(&gate, fx.stream);
    ASSERT_OK(child_copy1d_async());
    assert_exited(in_child(make_every_call), 0);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, 64));
}
END_TEST

static void *submit_until_stopped(void *arg)
{
    atomic_bool *const stop = arg;
    aclrtSetDevice(0);
    while (!atomic_load(stop)) {
        void *at;
        if (aclrtMalloc(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) {
            aclrtMemsetAsync(at, 64, 1, 64, fx.stream);
            aclrtFree(at);
        }
        aclrtFree(NULL); /* takes the way of a failure, its log and message included */
    }
    return NULL;
}

/* Another thread is in the middle of calls when the process forks: no lock of its may hold up the child. */
START_TEST(decision_15_children_of_a_busy_process)
{
    static atomic_bool stop;
    pthread_t thread;
    const size_t rounds = test_rounds(20);
    ASSERT_OK(aclrtCreateEvent(&inherited_event));
    ck_assert_int_eq(pthread_create(&thread, NULL, submit_until_stopped, &stop), 0);
    for (size_t i = 0; i < rounds; i++)
        assert_exited(in_child(make_every_call), 0);
    atomic_store(&stop, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

static void use_device(void)
{
    use_default_product();
    ASSERT_OK(aclrtSetDevice(0));
    void *at;
    ASSERT_OK(aclrtMalloc(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(at, 64, 1, 64));
}

/* The parent never called the library: the child is the first. */
START_TEST(a_child_of_a_process_that_has_not_initialised)
{
    assert_exited(in_child(use_device), 0);
    use_device();
}
END_TEST

/* --- exit ------------------------------------------------------------------------------------------------------- */

static struct gate exit_gate; /* must outlive the function that exits */

/* Work behind the parked stream that must be dropped, not run and not waited for. */
static void queue_copies(void)
{
    for (int i = 0; i < 100; i++) {
        if (child_copy2d_async() != ACL_SUCCESS)
            _exit(1);
    }
}

static void exit_while_waiting_for_an_event(void)
{
    aclrtEvent never;
    fixture_open();
    if (aclrtCreateEvent(&never) != ACL_SUCCESS || aclrtStreamWaitEvent(fx.stream, never) != ACL_SUCCESS)
        _exit(1);
    queue_copies();
    exit(EXIT_CODE);
}

static void exit_while_in_a_host_function(void)
{
    fixture_open();
    gate_close(&exit_gate, fx.stream);
    gate_await(&exit_gate);
    queue_copies();
    exit(EXIT_CODE);
}

static void exit_while_copying(void)
{
    const size_t bytes = (size_t)64 << 20;
    static void *from;
    static void *to;
    fixture_open();
    if (aclrtMallocHost(&from, bytes) != ACL_SUCCESS ||
        aclrtMalloc(&to, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        _exit(1);
    for (int i = 0; i < 20; i++) {
        if (aclrtMemcpy2dAsync(to, 4096, from, 4096, 4000, bytes / 4096, H2D, fx.stream) != ACL_SUCCESS)
            _exit(1);
    }
    exit(EXIT_CODE);
}

static void exit_after_finalize_with_live_objects(void)
{
    fixture_open();
    queue_copies();
    aclFinalize();
    exit(EXIT_CODE);
}

static void *exit_from_thread(void *arg)
{
    (void)arg;
    exit(EXIT_CODE);
}

/* The main thread waits for the stream for ever; another thread ends the process. */
static void exit_while_synchronizing(void)
{
    pthread_t thread;
    fixture_open();
    gate_close(&exit_gate, fx.stream);
    gate_await(&exit_gate);
    if (pthread_create(&thread, NULL, exit_from_thread, NULL) != 0)
        _exit(1);
    aclrtSynchronizeStream(fx.stream);
    for (;;)
        pause();
}

static void call_at_exit(void)
{
    /* The library may have shut down already: any answer will do, a crash or a hang will not. */
    make_every_call();
    aclFinalize();
    _exit(EXIT_CODE);
}

static void exit_with_calls_in_an_exit_handler(void)
{
    if (atexit(call_at_exit) != 0)
        _exit(1);
    fixture_open();
    queue_copies();
    exit(0);
}

static const struct ending {
    const char *name;
    void (*body)(void);
} endings[] = {
    { "waiting for an event", exit_while_waiting_for_an_event },
    { "in a host function", exit_while_in_a_host_function },
    { "copying", exit_while_copying },
    { "after finalize", exit_after_finalize_with_live_objects },
    { "synchronizing", exit_while_synchronizing },
};

START_TEST(decision_16_exit_while_streams_are_busy)
{
    printf("exit while %s\n", endings[_i].name);
    assert_exited(in_child(endings[_i].body), EXIT_CODE);
}
END_TEST

START_TEST(decision_16_calls_in_an_exit_handler)
{
    const int status = in_child(exit_with_calls_in_an_exit_handler);
    ck_assert_msg(WIFEXITED(status), "ended by signal %d", WTERMSIG(status));
}
END_TEST

/* A thread that has used the library ends while its work is pending. */
static void *submit_and_end(void *arg)
{
    *(aclError *)arg = aclrtSetDevice(0);
    if (*(aclError *)arg == ACL_SUCCESS)
        *(aclError *)arg = child_copy1d_async();
    return NULL;
}

START_TEST(a_thread_that_ends_leaves_its_work_behind)
{
    struct gate gate;
    pthread_t thread;
    aclError err = -1;
    fill_sources();
    gate_close(&gate, fx.stream);
    ck_assert_int_eq(pthread_create(&thread, NULL, submit_and_end, &err), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ASSERT_OK(err);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, 64));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("fork", fixture_open, fixture_close);
    tcase_add_test(tc, decision_15_every_call_fails_in_a_child);
    tcase_add_test(tc, decision_15_calls_without_a_handle_say_107002);
    tcase_add_test(tc, decision_15_a_child_that_cleans_up_and_exits);
    tcase_add_test(tc, decision_15_a_child_while_a_stream_is_parked);
    tcase_add_test(tc, decision_15_children_of_a_busy_process);
    tcase_add_test(tc, a_thread_that_ends_leaves_its_work_behind);

    TCase *const bare = new_case("exit", NULL, NULL);
    tcase_add_test(bare, a_child_of_a_process_that_has_not_initialised);
    tcase_add_loop_test(bare, decision_16_exit_while_streams_are_busy, 0, (int)COUNT_OF(endings));
    tcase_add_test(bare, decision_16_calls_in_an_exit_handler);
    return run_cases("fork_exit", tc, bare, (TCase *)NULL);
}
