/* SPDX-License-Identifier: Apache-2.0 */
/* Exception callbacks: who is told, of what, and when. */
#include <sys/syscall.h>
#include <unistd.h>

#include "support.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* aclrtSetExceptionInfoCallback is the older way */

enum { E_RT_WAIT_TIMEOUT = 107019, NONE = -1 };

/* What the callbacks saw. Written in the library's thread before the failing call returns. */
static struct {
    atomic_int calls;
    uint32_t task;
    uint32_t stream;
    uint32_t thread;
    uint32_t device;
    uint32_t code;
    pthread_t teller;
    aclError args_code;
    void *args;
    uint32_t args_length;
    aclError func_code;
    aclrtFuncHandle func;
    const aclrtExceptionInfo *info;
} seen;

static atomic_int second_calls;

static void note(aclrtExceptionInfo *info)
{
    seen.task = aclrtGetTaskIdFromExceptionInfo(info);
    seen.stream = aclrtGetStreamIdFromExceptionInfo(info);
    seen.thread = aclrtGetThreadIdFromExceptionInfo(info);
    seen.device = aclrtGetDeviceIdFromExceptionInfo(info);
    seen.code = aclrtGetErrorCodeFromExceptionInfo(info);
    seen.args = &seen;
    seen.args_code = aclrtGetArgsFromExceptionInfo(info, &seen.args, &seen.args_length);
    seen.func_code = aclrtGetFuncHandleFromExceptionInfo(info, &seen.func);
    seen.teller = pthread_self();
    seen.info = info;
    atomic_fetch_add(&seen.calls, 1);
}

static void note_second(aclrtExceptionInfo *info)
{
    (void)info;
    atomic_fetch_add(&second_calls, 1);
}

/* A copy that leaves its allocation: accepted, and fails in its turn. */
static void submit_bad_copy(void)
{
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES + 1, fx.pinned, FIXTURE_BYTES + 1, H2D, fx.stream));
}

START_TEST(a_failed_task_is_told_before_the_call_returns_it)
{
    int32_t stream_id;
    uint32_t task;
    ASSERT_OK(aclrtSetExceptionInfoCallback(note));
    ASSERT_OK(aclrtStreamGetId(fx.stream, &stream_id));
    submit_bad_copy();
    ASSERT_OK(aclrtGetThreadLastTaskId(&task));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 1);
    ck_assert_uint_eq(seen.code, E_RT_SYS_DMA);
    ck_assert_uint_eq(seen.stream, (uint32_t)stream_id);
    ck_assert_uint_eq(seen.task, task);
    ck_assert_uint_eq(seen.thread, (uint32_t)syscall(SYS_gettid));
    ck_assert_uint_eq(seen.device, 0);
    ck_assert(!pthread_equal(seen.teller, pthread_self()));
    ck_assert_int_eq(seen.args_code, ACL_SUCCESS);
    ck_assert_ptr_null(seen.args);
    ck_assert_uint_eq(seen.args_length, 0);
    ck_assert_int_eq(seen.func_code, ACL_SUCCESS);
    ck_assert_ptr_null(seen.func);
}
END_TEST

START_TEST(every_failure_is_told_though_one_is_returned)
{
    ASSERT_OK(aclrtSetExceptionInfoCallback(note));
    submit_bad_copy();
    submit_bad_copy();
    submit_bad_copy();
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 3);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 3);
}
END_TEST

static void *fail_in_thread(void *context)
{
    if (aclrtSetCurrentContext(context) != ACL_SUCCESS ||
        aclrtMemcpyAsync(fx.device, FIXTURE_BYTES + 1, fx.pinned, FIXTURE_BYTES + 1, H2D, fx.stream) != ACL_SUCCESS)
        return (void *)(intptr_t)NONE;
    return (void *)(intptr_t)syscall(SYS_gettid);
}

START_TEST(the_thread_is_the_one_that_queued_the_task)
{
    pthread_t thread;
    void *id;
    aclrtContext context;
    aclrtEvent event;
    ASSERT_OK(aclrtGetCurrentContext(&context));
    ASSERT_OK(aclrtSetExceptionInfoCallback(note));
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_in_thread, context), 0);
    ck_assert_int_eq(pthread_join(thread, &id), 0);
    ck_assert_int_ne((int)(intptr_t)id, NONE);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_uint_eq(seen.thread, (uint32_t)(intptr_t)id);
    /* A wait whose time is over. */
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtStreamWaitEventWithTimeout(fx.stream, event, 1));
    ASSERT_CODE(E_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 2);
    ck_assert_uint_eq(seen.code, E_RT_WAIT_TIMEOUT);
    ck_assert_uint_eq(seen.thread, (uint32_t)syscall(SYS_gettid));
    ASSERT_OK(aclrtDestroyEvent(event));
}
END_TEST

START_TEST(several_functions_each_once)
{
    ASSERT_OK(aclrtExceptionInfoCallbackRegister(note));
    ASSERT_OK(aclrtExceptionInfoCallbackRegister(note));
    ASSERT_OK(aclrtExceptionInfoCallbackRegister(note_second));
    submit_bad_copy();
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 1);
    ck_assert_int_eq(atomic_load(&second_calls), 1);
    ASSERT_OK(aclrtExceptionInfoCallbackUnregister(note));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtExceptionInfoCallbackUnregister(note)); /* it counted once */
    ASSERT_OK(aclrtSetExceptionInfoCallback(note));
    submit_bad_copy();
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 2);
    ck_assert_int_eq(atomic_load(&second_calls), 2);
    ASSERT_OK(aclrtSetExceptionInfoCallback(NULL));
    ASSERT_OK(aclrtExceptionInfoCallbackUnregister(note_second));
    submit_bad_copy();
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&seen.calls), 2);
    ck_assert_int_eq(atomic_load(&second_calls), 2);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtExceptionInfoCallbackRegister(NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtExceptionInfoCallbackUnregister(NULL));
}
END_TEST

static void synchronize_inside(aclrtExceptionInfo *info)
{
    seen.code = aclrtGetErrorCodeFromExceptionInfo(info);
    seen.args_code = aclrtSynchronizeStream(fx.stream);
    atomic_fetch_add(&seen.calls, 1);
}

/* A callback may ask for the failure itself; it then is the one to get it. */
START_TEST(a_callback_may_synchronize)
{
    ASSERT_OK(aclrtSetExceptionInfoCallback(synchronize_inside));
    submit_bad_copy();
    while (atomic_load(&seen.calls) == 0)
        sched_yield();
    ck_assert_int_eq(seen.args_code, E_RT_SYS_DMA);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(getters_without_an_exception)
{
    void *args;
    uint32_t length;
    aclrtFuncHandle func;
    ASSERT_OK(aclrtSetExceptionInfoCallback(note));
    submit_bad_copy();
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    const aclrtExceptionInfo *const bad[] = { NULL, (void *)fx.pinned, (void *)(uintptr_t)1 };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ck_assert_uint_eq(aclrtGetTaskIdFromExceptionInfo(bad[i]), 0xFFFFFFFF);
        ck_assert_uint_eq(aclrtGetStreamIdFromExceptionInfo(bad[i]), 0xFFFFFFFF);
        ck_assert_uint_eq(aclrtGetThreadIdFromExceptionInfo(bad[i]), 0xFFFFFFFF);
        ck_assert_uint_eq(aclrtGetDeviceIdFromExceptionInfo(bad[i]), 0xFFFFFFFF);
        ck_assert_uint_eq(aclrtGetErrorCodeFromExceptionInfo(bad[i]), 0xFFFFFFFF);
        ASSERT_CODE(E_INVALID_PARAM, aclrtGetArgsFromExceptionInfo(bad[i], &args, &length));
        ASSERT_CODE(E_INVALID_PARAM, aclrtGetFuncHandleFromExceptionInfo(bad[i], &func));
    }
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetArgsFromExceptionInfo(seen.info, NULL, &length));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetFuncHandleFromExceptionInfo(seen.info, NULL));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("exception", fixture_open, fixture_close);
    tcase_add_test(tc, a_failed_task_is_told_before_the_call_returns_it);
    tcase_add_test(tc, every_failure_is_told_though_one_is_returned);
    tcase_add_test(tc, the_thread_is_the_one_that_queued_the_task);
    tcase_add_test(tc, several_functions_each_once);
    tcase_add_test(tc, a_callback_may_synchronize);
    tcase_add_test(tc, getters_without_an_exception);
    return run_cases("exception", tc, (TCase *)NULL);
}
