/* SPDX-License-Identifier: Apache-2.0 */
/* Last errors, messages, and handles of every wrong sort given to every function that takes one. */
#include "support.h"

#include <sys/mman.h>

/* Deprecated functions are part of the interface and are tested with it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* --- last error ------------------------------------------------------------------------------------------------- */

static aclError last_error(void)
{
    return aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

static aclError peek(void)
{
    return aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL);
}

static aclError fail_with_107017(void)
{
    return aclrtSynchronizeStream((aclrtStream)(uintptr_t)0x10);
}

/* ERR-243 [code] */
START_TEST(err_243_level_1)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetLastError((aclrtLastErrLevel)1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtPeekAtLastError((aclrtLastErrLevel)1));
    ASSERT_MESSAGE_NAMES("aclrtPeekAtLastError", "level");
}
END_TEST

/* ERR-245 [code] */
START_TEST(err_245_the_later_failure_is_the_last_error)
{
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&(void *){ NULL }, (size_t)1 << 40, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, last_error());
    ASSERT_OK(last_error());
}
END_TEST

START_TEST(peeking_keeps_the_error_and_success_does_not_clear_it)
{
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ASSERT_CODE(E_RT_INVALID_HANDLE, peek());
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, peek());
    ASSERT_CODE(E_RT_INVALID_HANDLE, last_error());
    ASSERT_OK(peek());
}
END_TEST

START_TEST(argument_failures_do_not_set_the_last_error)
{
    void *at;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMalloc(&at, 0, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStream(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpy(NULL, 1, &fx, 1, H2D));
    ASSERT_OK(peek());
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ASSERT_CODE(E_INVALID_PARAM, aclrtMalloc(&at, 0, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_CODE(E_RT_INVALID_HANDLE, peek());
}
END_TEST

START_TEST(each_thread_has_its_own_last_error)
{
    ASSERT_CODE(E_RT_INVALID_HANDLE, in_new_thread(fail_with_107017));
    ASSERT_OK(peek());
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ASSERT_OK(in_new_thread(peek));
}
END_TEST

/* --- messages --------------------------------------------------------------------------------------------------- */

/* ERR-246 [doc] */
START_TEST(err_246_no_message_without_an_error)
{
    ck_assert_ptr_null(aclGetRecentErrMsg());
}
END_TEST

START_TEST(reading_a_message_clears_it)
{
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ck_assert_ptr_nonnull(aclGetRecentErrMsg());
    ck_assert_ptr_null(aclGetRecentErrMsg());
}
END_TEST

START_TEST(a_success_keeps_the_message)
{
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtSynchronizeStream");
}
END_TEST

START_TEST(the_newest_failure_comes_first)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStream(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtFree(NULL));
    const char *const message = last_message();
    const char *const newest = strstr(message, "aclrtFree");
    const char *const older = strstr(message, "aclrtCreateStream");
    ck_assert_msg(newest != NULL, "%s", message);
    ck_assert_msg(older == NULL || newest < older, "%s", message);
}
END_TEST

static aclError message_of_this_thread(void)
{
    return aclGetRecentErrMsg() == NULL ? ACL_SUCCESS : -2;
}

START_TEST(each_thread_has_its_own_message)
{
    ASSERT_CODE(E_RT_INVALID_HANDLE, in_new_thread(fail_with_107017));
    ck_assert_ptr_null(aclGetRecentErrMsg());
    ASSERT_CODE(E_RT_INVALID_HANDLE, fail_with_107017());
    ASSERT_OK(in_new_thread(message_of_this_thread));
}
END_TEST

/* Refused copies: the message names the function, the argument and its value. */
START_TEST(every_refused_2d_copy_explains_itself)
{
    static const struct {
        struct call2d change; /* fields that are not 0 replace those of a good call */
        const char *argument;
        const char *value;
    } rows[] = {
        { { .width = 65 }, "width", "65" },
        { { .dpitch = 31 }, "dpitch", "31" },
        { { .spitch = 31 }, "spitch", "31" },
        { { .kind = 8 }, "kind", "8" },
        { { .kind = 0x7fffffff }, "kind", "2147483647" },
        { { .height = HEIGHT_MAX + 1 }, "height", "5242881" },
        { { .width = 5000001, .dpitch = 5000001, .spitch = 5000001 }, "width", "5000001" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct call2d call = good_call2d();
        const struct call2d *const change = &rows[i].change;
        call.width = change->width != 0 ? change->width : call.width;
        call.height = change->height != 0 ? change->height : call.height;
        call.dpitch = change->dpitch != 0 ? change->dpitch : call.dpitch;
        call.spitch = change->spitch != 0 ? change->spitch : call.spitch;
        call.kind = change->kind != 0 ? change->kind : call.kind;
        ASSERT_REFUSED(submit2d(&call));
        ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", rows[i].argument, rows[i].value);
        ASSERT_REFUSED(copy2d(&call));
        ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", rows[i].argument, rows[i].value);
    }
}
END_TEST

/* --- handles of streams ----------------------------------------------------------------------------------------- */

static aclrtEvent good_event;

static aclError query_stream(void *stream)
{
    aclrtStreamStatus status;
    return aclrtStreamQuery(stream, &status);
}

static aclError get_id(void *stream)
{
    int32_t id;
    return aclrtStreamGetId(stream, &id);
}

static aclError get_flags(void *stream)
{
    uint32_t flags;
    return aclrtStreamGetFlags(stream, &flags);
}

static aclError get_priority(void *stream)
{
    uint32_t priority;
    return aclrtStreamGetPriority(stream, &priority);
}

static aclError synchronize_with_timeout(void *stream)
{
    return aclrtSynchronizeStreamWithTimeout(stream, 1000);
}

static aclError set_failure_mode(void *stream)
{
    return aclrtSetStreamFailureMode(stream, 1);
}

static aclError record_on(void *stream)
{
    return aclrtRecordEvent(good_event, stream);
}

static aclError reset_on(void *stream)
{
    return aclrtResetEvent(good_event, stream);
}

static aclError wait_on(void *stream)
{
    return aclrtStreamWaitEvent(stream, good_event);
}

static aclError wait_on_with_timeout(void *stream)
{
    return aclrtStreamWaitEventWithTimeout(stream, good_event, 1);
}

static void do_nothing(void *arg)
{
    (void)arg;
}

static aclError launch_on(void *stream)
{
    return aclrtLaunchHostFunc(stream, do_nothing, NULL);
}

static aclError copy1d_on(void *stream)
{
    return aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, stream);
}

static aclError copy1d_pageable_on(void *stream)
{
    return aclrtMemcpyAsync(fx.device, 64, fx.pageable, 64, H2D, stream);
}

static aclError copy2d_on(void *stream)
{
    return aclrtMemcpy2dAsync(fx.device, 8, fx.pinned, 8, 8, 8, H2D, stream);
}

static aclError copy2d_pageable_on(void *stream)
{
    return aclrtMemcpy2dAsync(fx.device, 8, fx.pageable, 8, 8, 8, H2D, stream);
}

static aclError set_on(void *stream)
{
    return aclrtMemsetAsync(fx.device, 64, 1, 64, stream);
}

static aclError set_words_on(void *stream)
{
    return aclrtMemsetD32Async(fx.device, 64, 1, 16, stream);
}

/* A function and how it is called with a handle. */
struct taker {
    const char *function;
    aclError (*call)(void *handle);
};

static const struct taker stream_takers[] = {
    { "aclrtDestroyStream", aclrtDestroyStream },
    { "aclrtDestroyStreamForce", aclrtDestroyStreamForce },
    { "aclrtSynchronizeStream", aclrtSynchronizeStream },
    { "aclrtSynchronizeStreamWithTimeout", synchronize_with_timeout },
    { "aclrtStreamQuery", query_stream },
    { "aclrtStreamGetId", get_id },
    { "aclrtStreamGetFlags", get_flags },
    { "aclrtStreamGetPriority", get_priority },
    { "aclrtSetStreamFailureMode", set_failure_mode },
    { "aclrtRecordEvent", record_on },
    { "aclrtStreamWaitEvent", wait_on },
    { "aclrtStreamWaitEventWithTimeout", wait_on_with_timeout },
    { "aclrtLaunchHostFunc", launch_on },
    { "aclrtMemcpyAsync", copy1d_on },
    { "aclrtMemcpyAsync", copy1d_pageable_on },
    { "aclrtMemcpy2dAsync", copy2d_on },
    { "aclrtMemcpy2dAsync", copy2d_pageable_on },
    { "aclrtMemsetAsync", set_on },
    { "aclrtMemsetD32Async", set_words_on },
    { "aclrtResetEvent", reset_on },
};

/* --- handles of events ------------------------------------------------------------------------------------------ */

static aclError record_event(void *event)
{
    return aclrtRecordEvent(event, fx.stream);
}

static aclError reset_event(void *event)
{
    return aclrtResetEvent(event, fx.stream);
}

static aclError wait_for_event(void *event)
{
    return aclrtStreamWaitEvent(fx.stream, event);
}

static aclError wait_for_event_with_timeout(void *event)
{
    return aclrtStreamWaitEventWithTimeout(fx.stream, event, 1);
}

static aclError synchronize_event_with_timeout(void *event)
{
    return aclrtSynchronizeEventWithTimeout(event, 1000);
}

static aclError query_event(void *event)
{
    aclrtEventStatus status;
    return aclrtQueryEvent(event, &status);
}

static aclError query_event_status(void *event)
{
    aclrtEventRecordedStatus status;
    return aclrtQueryEventStatus(event, &status);
}

static aclError query_event_wait_status(void *event)
{
    aclrtEventWaitStatus status;
    return aclrtQueryEventWaitStatus(event, &status);
}

static aclError elapsed_since(void *event)
{
    float ms;
    return aclrtEventElapsedTime(&ms, event, good_event);
}

static aclError elapsed_until(void *event)
{
    float ms;
    return aclrtEventElapsedTime(&ms, good_event, event);
}

static aclError timestamp(void *event)
{
    uint64_t stamp;
    return aclrtEventGetTimestamp(event, &stamp);
}

static const struct taker event_takers[] = {
    { "aclrtDestroyEvent", aclrtDestroyEvent },
    { "aclrtRecordEvent", record_event },
    { "aclrtResetEvent", reset_event },
    { "aclrtStreamWaitEvent", wait_for_event },
    { "aclrtStreamWaitEventWithTimeout", wait_for_event_with_timeout },
    { "aclrtSynchronizeEvent", aclrtSynchronizeEvent },
    { "aclrtSynchronizeEventWithTimeout", synchronize_event_with_timeout },
    { "aclrtQueryEvent", query_event },
    { "aclrtQueryEventStatus", query_event_status },
    { "aclrtQueryEventWaitStatus", query_event_wait_status },
    { "aclrtEventElapsedTime", elapsed_since },
    { "aclrtEventElapsedTime", elapsed_until },
    { "aclrtEventGetTimestamp", timestamp },
};

/* --- wrong handles ---------------------------------------------------------------------------------------------- */

static int global_variable;

static void *no_access_page(void)
{
    void *const page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(page, MAP_FAILED);
    return page;
}

static aclrtStream destroyed_stream(void)
{
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtDestroyStream(stream));
    return stream;
}

static aclrtEvent destroyed_event(void)
{
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtDestroyEvent(event));
    return event;
}

static void refuse(const struct taker *taker, const char *sort, void *handle)
{
    ASSERT_CODE_OF_ROW(E_RT_INVALID_HANDLE, taker->call(handle), "%s, %s", taker->function, sort);
    ASSERT_MESSAGE_NAMES(taker->function);
}

/* `other_kind` is a live handle of something else, `stale` a destroyed one of what these functions take. */
static void refuse_all(const struct taker *takers, size_t count, void *other_kind, void *stale)
{
    int local = 0;
    aclrtContext context;
    ASSERT_OK(aclrtGetCurrentContext(&context));
    const struct {
        const char *sort;
        void *handle;
    } rows[] = {
        { "stale", stale },
        { "other kind", other_kind },
        { "context", context },
        { "pageable memory", fx.pageable },
        { "pinned memory", fx.pinned },
        { "device memory", fx.device },
        { "global variable", &global_variable },
        { "local variable", &local },
        { "inaccessible page", no_access_page() },
        { "0x1", (void *)(uintptr_t)0x1 },
        { "0x10", (void *)(uintptr_t)0x10 },
        { "all bits", (void *)~(uintptr_t)0 },
        { "not canonical", (void *)((uintptr_t)1 << 63) },
    };
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 0; i < COUNT_OF(rows); i++)
            refuse(&takers[t], rows[i].sort, rows[i].handle);
    }
}

static void make_good_event(void)
{
    ASSERT_OK(aclrtCreateEvent(&good_event));
    ASSERT_OK(aclrtRecordEvent(good_event, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}

START_TEST(wrong_stream_handles)
{
    make_good_event();
    fill_sources();
    refuse_all(stream_takers, COUNT_OF(stream_takers), good_event, destroyed_stream());
    assert_fixture_untouched();
}
END_TEST

START_TEST(wrong_event_handles)
{
    make_good_event();
    refuse_all(event_takers, COUNT_OF(event_takers), fx.stream, destroyed_event());
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* A new object that takes the place of an old one does not revive the old handle. */
START_TEST(stale_handles_stay_stale)
{
    enum { ROUNDS = 200 };
    aclrtStream stale_streams[ROUNDS];
    aclrtEvent stale_events[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        stale_streams[i] = destroyed_stream();
        stale_events[i] = destroyed_event();
    }
    aclrtStream stream;
    aclrtEvent event;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateEvent(&event));
    for (size_t i = 0; i < ROUNDS; i++) {
        ck_assert_ptr_ne(stale_streams[i], stream);
        ck_assert_ptr_ne(stale_events[i], event);
        ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(stale_streams[i]));
        ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeEvent(stale_events[i]));
    }
}
END_TEST

/* The code for a null event is 100000 or 507000 by function: it is refused by all. */
START_TEST(null_events)
{
    for (size_t t = 0; t < COUNT_OF(event_takers); t++) {
        const aclError err = event_takers[t].call(NULL);
        ck_assert_msg(err == E_INVALID_PARAM || err == E_RT_INTERNAL_ERROR, "%s: %d", event_takers[t].function, err);
    }
}
END_TEST

/* Null is the default stream for all but the two calls that destroy. */
START_TEST(null_streams)
{
    make_good_event();
    for (size_t t = 0; t < COUNT_OF(stream_takers); t++) {
        ASSERT_OK(aclrtRecordEvent(good_event, NULL)); /* one of the calls resets it, others wait for it */
        const bool destroys = strncmp(stream_takers[t].function, "aclrtDestroy", 12) == 0;
        const int want = destroys ? E_INVALID_PARAM : ACL_SUCCESS;
        ASSERT_CODE_OF_ROW(want, stream_takers[t].call(NULL), "%s", stream_takers[t].function);
    }
    ASSERT_OK(aclrtSynchronizeStream(NULL));
}
END_TEST

/* --- the same handles under contention -------------------------------------------------------------------------- */

struct racer {
    pthread_t thread;
    aclrtStream stream;
    atomic_bool *stop;
    aclError code; /* first code that is neither 0 nor 107017 */
};

static void *use_until_stopped(void *arg)
{
    struct racer *const self = arg;
    aclError err = aclrtSetDevice(0);
    while (err == ACL_SUCCESS || err == E_RT_INVALID_HANDLE) {
        if (atomic_load(self->stop))
            return NULL;
        err = aclrtMemsetAsync(fx.device, 64, 1, 64, self->stream);
        if (err == ACL_SUCCESS)
            err = query_stream(self->stream);
    }
    self->code = err;
    return NULL;
}

/* A stream is destroyed while other threads submit to it: each call works or says 107017. */
START_TEST(destroyed_while_in_use)
{
    const size_t rounds = test_rounds(20);
    for (size_t round = 0; round < rounds; round++) {
        atomic_bool stop = false;
        aclrtStream stream;
        struct racer racers[3];
        ASSERT_OK(aclrtCreateStream(&stream));
        for (size_t i = 0; i < COUNT_OF(racers); i++) {
            racers[i] = (struct racer){ .stream = stream, .stop = &stop };
            ck_assert_int_eq(pthread_create(&racers[i].thread, NULL, use_until_stopped, &racers[i]), 0);
        }
        ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, stream));
        ASSERT_OK(round % 2 == 0 ? aclrtDestroyStream(stream) : aclrtDestroyStreamForce(stream));
        atomic_store(&stop, true);
        for (size_t i = 0; i < COUNT_OF(racers); i++) {
            ck_assert_int_eq(pthread_join(racers[i].thread, NULL), 0);
            ASSERT_OK(racers[i].code);
        }
    }
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("errors", fixture_open, fixture_close);
    tcase_add_test(tc, err_243_level_1);
    tcase_add_test(tc, err_245_the_later_failure_is_the_last_error);
    tcase_add_test(tc, peeking_keeps_the_error_and_success_does_not_clear_it);
    tcase_add_test(tc, argument_failures_do_not_set_the_last_error);
    tcase_add_test(tc, each_thread_has_its_own_last_error);
    tcase_add_test(tc, err_246_no_message_without_an_error);
    tcase_add_test(tc, reading_a_message_clears_it);
    tcase_add_test(tc, a_success_keeps_the_message);
    tcase_add_test(tc, the_newest_failure_comes_first);
    tcase_add_test(tc, each_thread_has_its_own_message);
    tcase_add_test(tc, every_refused_2d_copy_explains_itself);
    tcase_add_test(tc, wrong_stream_handles);
    tcase_add_test(tc, wrong_event_handles);
    tcase_add_test(tc, stale_handles_stay_stale);
    tcase_add_test(tc, null_events);
    tcase_add_test(tc, null_streams);
    tcase_add_test(tc, destroyed_while_in_use);
    return run_cases("errors", tc, (TCase *)NULL);
}
