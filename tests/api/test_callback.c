/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that a thread of the program runs: subscribing, launching, processing, and what forbids what. */
#include "support.h"

enum {
    E_RT_STREAM_SUBSCRIBE = 107011,
    E_RT_THREAD_SUBSCRIBE = 107012,
    E_RT_STREAM_NO_CB_REG = 107015,
    E_RT_REPORT_TIMEOUT = 507012,
};

static uint64_t self(void)
{
    return (uint64_t)pthread_self();
}

static void count_up(void *count)
{
    atomic_fetch_add((atomic_int *)count, 1);
}

static aclrtStreamStatus status_of(aclrtStream stream)
{
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    ASSERT_OK(aclrtStreamQuery(stream, &status));
    return status;
}

/* Runs callbacks until `count` is `want`; the test's time limit ends it otherwise. */
static void process_until(atomic_int *count, int want)
{
    while (atomic_load(count) < want)
        ASSERT_OK(aclrtProcessReport(-1));
    ck_assert_int_eq(atomic_load(count), want);
}

/* CAL-234 [code] */
START_TEST(cal_234_launch_without_a_subscription)
{
    atomic_int count = 0;
    ASSERT_CODE(E_RT_STREAM_NO_CB_REG, aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtLaunchCallback", "aclrtSubscribeReport");
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&count), 0);
}
END_TEST

/* CAL-235 [code] */
START_TEST(cal_235_launch_with_a_bad_block_type)
{
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtLaunchCallback(count_up, NULL, (aclrtCallbackBlockType)2, fx.stream));
    ASSERT_MESSAGE_NAMES("blockType 2");
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

/* CAL-236 [code] */
START_TEST(cal_236_launch_null)
{
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtLaunchCallback(NULL, NULL, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtLaunchCallback", "fn");
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

/* CAL-237 [code] */
START_TEST(cal_237_process_with_a_bad_timeout)
{
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtProcessReport(0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtProcessReport(-2));
    ASSERT_CODE(E_INVALID_PARAM, aclrtProcessHostFunc(0));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

/* CAL-238 [code] */
START_TEST(cal_238_nothing_comes)
{
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_RT_REPORT_TIMEOUT, aclrtProcessReport(50));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

/* CAL-239 [code] */
START_TEST(cal_239_process_in_a_thread_without_a_subscription)
{
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtProcessReport(50));
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtProcessReport(-1));
}
END_TEST

/* --- order ------------------------------------------------------------------------------------------------------- */

/* Looks at pinned memory in its turn, and remembers its thread. */
struct witness {
    const uint8_t *watched;
    uint8_t seen;
    pthread_t thread;
    atomic_int calls;
};

static void look(void *argument)
{
    struct witness *const w = argument;
    w->seen = *w->watched;
    w->thread = pthread_self();
    atomic_fetch_add(&w->calls, 1);
}

START_TEST(a_blocking_callback_stands_between_copies)
{
    struct witness w = { .watched = fx.pinned2 };
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtMemset(fx.device, 64, 1, 64));
    ASSERT_OK(aclrtMemset(fx.device2, 64, 2, 64));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    ASSERT_OK(aclrtLaunchCallback(look, &w, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device2, 64, D2H, fx.stream));
    ck_assert_int_eq(status_of(fx.stream), ACL_STREAM_STATUS_NOT_READY);
    ck_assert_int_eq(atomic_load(&w.calls), 0); /* it waits for its thread */
    process_until(&w.calls, 1);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_uint_eq(w.seen, 1);
    ck_assert(pthread_equal(w.thread, pthread_self()));
    ASSERT_ALL_BYTES(fx.pinned2, 64, 2);
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

START_TEST(the_stream_does_not_wait_for_one_that_does_not_block)
{
    struct witness w = { .watched = fx.pinned2 };
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtMemset(fx.device, 64, 1, 64));
    ASSERT_OK(aclrtLaunchCallback(look, &w, ACL_CALLBACK_NO_BLOCK, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&w.calls), 0);
    ASSERT_OK(aclrtProcessReport(-1));
    ck_assert_int_eq(atomic_load(&w.calls), 1);
    ck_assert_uint_eq(w.seen, 1); /* it ran after the copy behind it */
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

struct step {
    atomic_int *next;
    int number;
    atomic_int *disorder;
};

static void take_step(void *argument)
{
    const struct step *const step = argument;
    if (atomic_fetch_add(step->next, 1) != step->number)
        atomic_fetch_add(step->disorder, 1);
}

START_TEST(callbacks_of_a_stream_run_in_order)
{
    enum { STEPS = 600 };
    static struct step steps[STEPS];
    atomic_int next = 0;
    atomic_int disorder = 0;
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    for (int i = 0; i < STEPS; i++) {
        steps[i] = (struct step){ .next = &next, .number = i, .disorder = &disorder };
        ASSERT_OK(aclrtLaunchCallback(take_step, &steps[i], i % 3 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK,
                                      fx.stream));
    }
    process_until(&next, STEPS);
    ck_assert_int_eq(atomic_load(&disorder), 0);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

/* One call of aclrtProcessReport runs what is there of one stream: the one that has waited longest. */
START_TEST(one_stream_per_report)
{
    aclrtStream second;
    atomic_int first_count = 0;
    atomic_int second_count = 0;
    ASSERT_OK(aclrtCreateStream(&second));
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtSubscribeReport(self(), second));
    for (int i = 0; i < 3; i++)
        ASSERT_OK(aclrtLaunchCallback(count_up, &first_count, ACL_CALLBACK_NO_BLOCK, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    for (int i = 0; i < 2; i++)
        ASSERT_OK(aclrtLaunchCallback(count_up, &second_count, ACL_CALLBACK_NO_BLOCK, second));
    ASSERT_OK(aclrtSynchronizeStream(second));
    ASSERT_OK(aclrtProcessReport(-1));
    ck_assert_int_eq(atomic_load(&first_count), 3);
    ck_assert_int_eq(atomic_load(&second_count), 0);
    ASSERT_OK(aclrtProcessReport(-1));
    ck_assert_int_eq(atomic_load(&second_count), 2);
    ASSERT_CODE(E_RT_REPORT_TIMEOUT, aclrtProcessReport(1));
    ASSERT_OK(aclrtUnSubscribeReport(self(), second));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtDestroyStream(second));
}
END_TEST

/* --- a thread of its own ----------------------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    aclrtContext context;
    sem_t subscribed;
    atomic_bool quit;
    atomic_int code; /* what ended the loop */
};

static void *work(void *argument)
{
    struct worker *const w = argument;
    (void)aclrtSetCurrentContext(w->context);
    sem_wait(&w->subscribed);
    while (!atomic_load(&w->quit) && atomic_load(&w->code) == ACL_SUCCESS)
        atomic_store(&w->code, (int)aclrtProcessReport(-1));
    return NULL;
}

static uint64_t worker_start(struct worker *w)
{
    *w = (struct worker){ .quit = false };
    ASSERT_OK(aclrtGetCurrentContext(&w->context));
    ck_assert_int_eq(sem_init(&w->subscribed, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&w->thread, NULL, work, w), 0);
    return (uint64_t)w->thread;
}

static void worker_join(struct worker *w)
{
    ck_assert_int_eq(pthread_join(w->thread, NULL), 0);
    sem_destroy(&w->subscribed);
}

static void copy_more(void *argument)
{
    struct witness *const w = argument;
    w->seen = aclrtMemcpy(fx.device2, 64, w->watched, 64, H2D) == ACL_SUCCESS; /* ACL calls are allowed here */
    w->thread = pthread_self();
    atomic_fetch_add(&w->calls, 1);
}

static void quit(void *worker)
{
    atomic_store(&((struct worker *)worker)->quit, true);
}

/* As in the documents' example: subscribe, launch, synchronize, unsubscribe, end the thread. */
START_TEST(a_thread_that_processes_in_a_loop)
{
    struct worker worker;
    struct witness w = { .watched = fx.pinned };
    memset(fx.pinned, 9, 64);
    const uint64_t id = worker_start(&worker);
    ASSERT_OK(aclrtSubscribeReport(id, fx.stream));
    sem_post(&worker.subscribed);
    ASSERT_OK(aclrtLaunchCallback(copy_more, &w, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&w.calls), 1);
    ck_assert(w.seen);
    ck_assert(pthread_equal(w.thread, worker.thread));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, 64, 9));
    ASSERT_OK(aclrtLaunchCallback(quit, &worker, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtUnSubscribeReport(id, fx.stream));
    worker_join(&worker);
}
END_TEST

START_TEST(unsubscribing_ends_the_wait_of_the_thread)
{
    struct worker worker;
    const uint64_t id = worker_start(&worker);
    ASSERT_OK(aclrtSubscribeReport(id, fx.stream));
    sem_post(&worker.subscribed);
    ASSERT_OK(aclrtUnSubscribeReport(id, fx.stream));
    worker_join(&worker);
    ck_assert_int_eq(atomic_load(&worker.code), E_RT_THREAD_SUBSCRIBE);
}
END_TEST

/* --- callbacks that do not run ------------------------------------------------------------------------------------ */

START_TEST(unsubscribing_drops_what_has_not_begun)
{
    atomic_int count = 0;
    struct gate gate;
    aclrtEvent event;
    ASSERT_OK(aclrtCreateEvent(&event));
    aclrtStream opener;
    ASSERT_OK(aclrtCreateStream(&opener));
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_NO_BLOCK, fx.stream));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, fx.stream)); /* the stream waits for it */
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 3, 64, fx.stream));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_RT_STREAM_NO_CB_REG, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtLaunchCallback");
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 3)); /* the stream goes on */

    /* One whose turn comes later. */
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_NO_BLOCK, fx.stream));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtRecordEvent(event, opener));
    ASSERT_CODE(E_RT_STREAM_NO_CB_REG, aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&count), 0);

    /* The stream is free again, for host functions, too. */
    gate_close(&gate, fx.stream);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtDestroyStream(opener));
    ASSERT_OK(aclrtDestroyEvent(event));
}
END_TEST

START_TEST(an_abort_drops_a_callback_that_has_not_begun)
{
    atomic_int count = 0;
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    ASSERT_CODE(E_RT_REPORT_TIMEOUT, aclrtProcessReport(1));
    ck_assert_int_eq(atomic_load(&count), 0);
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, fx.stream)); /* still subscribed */
    process_until(&count, 1);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

START_TEST(destroying_a_stream_unsubscribes)
{
    atomic_int count = 0;
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtSubscribeReport(self(), stream));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_NO_BLOCK, stream));
    ASSERT_OK(aclrtDestroyStream(stream));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtProcessReport(-1));
    /* By force, while one blocks it. */
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtSubscribeReport(self(), stream));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, stream));
    ASSERT_OK(aclrtDestroyStreamForce(stream));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtProcessReport(-1));
    ck_assert_int_eq(atomic_load(&count), 0);
}
END_TEST

/* --- what forbids what ------------------------------------------------------------------------------------------- */

START_TEST(one_way_per_stream)
{
    atomic_int count = 0;
    aclrtStream hidden;
    ASSERT_OK(aclrtCreateStream(&hidden));
    ASSERT_OK(aclrtLaunchHostFunc(hidden, count_up, &count));
    ASSERT_CODE(E_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(self(), hidden));
    ASSERT_MESSAGE_NAMES("aclrtLaunchHostFunc");
    ASSERT_CODE(E_RT_STREAM_SUBSCRIBE, aclrtSubscribeHostFunc(self(), hidden));
    ASSERT_CODE(E_RT_STREAM_NO_CB_REG, aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, hidden));
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_RT_STREAM_SUBSCRIBE, aclrtLaunchHostFunc(fx.stream, count_up, &count));
    ASSERT_CODE(E_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(self(), fx.stream)); /* a stream has one thread */
    ASSERT_CODE(E_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(self() + 1, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(hidden));
    ck_assert_int_eq(atomic_load(&count), 1);
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtDestroyStream(hidden));
}
END_TEST

START_TEST(unsubscribing_refused)
{
    aclrtStream second;
    ASSERT_OK(aclrtCreateStream(&second));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ASSERT_CODE(E_RT_STREAM_SUBSCRIBE, aclrtUnSubscribeReport(self(), second));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtUnSubscribeReport(self() + 1, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtUnSubscribeReport(self(), fx.pinned));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSubscribeReport(self(), fx.pinned));
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
    ASSERT_OK(aclrtDestroyStream(second));
}
END_TEST

START_TEST(at_most_1024_threads)
{
    enum { MOST = 1024 };
    static aclrtStream stream[MOST + 1];
    for (uint64_t i = 0; i <= MOST; i++)
        ASSERT_OK(aclrtCreateStream(&stream[i]));
    for (uint64_t i = 0; i < MOST; i++)
        ASSERT_OK(aclrtSubscribeReport(i + 1, stream[i]));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtSubscribeReport(MOST + 1, stream[MOST]));
    ASSERT_OK(aclrtSubscribeReport(7, stream[MOST])); /* one of them may have more streams */
    ASSERT_OK(aclrtUnSubscribeReport(1, stream[0]));
    ASSERT_OK(aclrtSubscribeReport(MOST + 1, stream[0]));
    for (uint64_t i = 0; i <= MOST; i++)
        ASSERT_OK(aclrtDestroyStream(stream[i]));
}
END_TEST

START_TEST(the_default_stream_is_the_null_stream)
{
    atomic_int count = 0;
    ASSERT_OK(aclrtSubscribeReport(self(), NULL));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, NULL));
    process_until(&count, 1);
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    ASSERT_OK(aclrtUnSubscribeReport(self(), NULL));
}
END_TEST

START_TEST(on_a_stream_of_another_context)
{
    aclrtContext mine;
    aclrtContext context;
    aclrtStream foreign;
    atomic_int count = 0;
    ASSERT_OK(aclrtGetCurrentContext(&mine));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&foreign));
    ASSERT_OK(aclrtSetCurrentContext(mine));
    ASSERT_OK(aclrtSubscribeReport(self(), foreign));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_BLOCK, foreign));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtProcessReport(1));
    ASSERT_OK(aclrtSetCurrentContext(mine));
}
END_TEST

/* The trio for host functions: the same, and aclrtLaunchHostFunc goes to the subscribed thread. */
START_TEST(host_functions_in_a_subscribed_thread)
{
    struct witness w = { .watched = fx.pinned };
    atomic_int count = 0;
    ASSERT_OK(aclrtSubscribeHostFunc(self(), fx.stream));
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, look, &w));
    ASSERT_OK(aclrtLaunchCallback(count_up, &count, ACL_CALLBACK_NO_BLOCK, fx.stream));
    ck_assert_int_eq(status_of(fx.stream), ACL_STREAM_STATUS_NOT_READY);
    while (atomic_load(&count) == 0)
        ASSERT_OK(aclrtProcessHostFunc(-1));
    ck_assert_int_eq(atomic_load(&w.calls), 1);
    ck_assert(pthread_equal(w.thread, pthread_self()));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_CODE(E_RT_REPORT_TIMEOUT, aclrtProcessHostFunc(1));
    ASSERT_OK(aclrtUnSubscribeHostFunc(self(), fx.stream));
    ASSERT_CODE(E_RT_THREAD_SUBSCRIBE, aclrtProcessHostFunc(1));
}
END_TEST

static void process_in_child(void)
{
    exit(aclrtProcessReport(-1) == E_RT_CONTEXT_NULL ? 0 : 1);
}

START_TEST(in_the_child_of_a_fork)
{
    ASSERT_OK(aclrtSubscribeReport(self(), fx.stream));
    ck_assert_int_eq(in_child(process_in_child), 0);
    ASSERT_OK(aclrtUnSubscribeReport(self(), fx.stream));
}
END_TEST

static void end_thread(void *unused)
{
    (void)unused;
    pthread_exit(NULL);
}

static sem_t is_subscribed;

static void *subscribe_and_process(void *code)
{
    *(aclError *)code = aclrtSubscribeReport(self(), fx.stream);
    sem_post(&is_subscribed);
    if (*(aclError *)code == ACL_SUCCESS)
        *(aclError *)code = aclrtProcessReport(-1);
    return &is_subscribed; /* not reached: the callback ends the thread */
}

/* Such a callback has ended; the stream, whose subscription names a thread that is gone, goes on. */
START_TEST(a_callback_ends_its_thread)
{
    pthread_t thread;
    void *result;
    aclError code;
    ck_assert_int_eq(sem_init(&is_subscribed, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, subscribe_and_process, &code), 0);
    while (sem_wait(&is_subscribed) != 0)
        continue;
    ASSERT_OK(aclrtLaunchCallback(end_thread, NULL, ACL_CALLBACK_BLOCK, fx.stream));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 7, 64, fx.stream));
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_null(result);
    ASSERT_OK(code);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 7));
    ASSERT_OK(aclrtUnSubscribeReport((uint64_t)thread, fx.stream));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("callback", fixture_open, fixture_close);
    tcase_add_test(tc, cal_234_launch_without_a_subscription);
    tcase_add_test(tc, cal_235_launch_with_a_bad_block_type);
    tcase_add_test(tc, cal_236_launch_null);
    tcase_add_test(tc, cal_237_process_with_a_bad_timeout);
    tcase_add_test(tc, cal_238_nothing_comes);
    tcase_add_test(tc, cal_239_process_in_a_thread_without_a_subscription);
    tcase_add_test(tc, a_blocking_callback_stands_between_copies);
    tcase_add_test(tc, the_stream_does_not_wait_for_one_that_does_not_block);
    tcase_add_test(tc, callbacks_of_a_stream_run_in_order);
    tcase_add_test(tc, one_stream_per_report);
    tcase_add_test(tc, a_thread_that_processes_in_a_loop);
    tcase_add_test(tc, unsubscribing_ends_the_wait_of_the_thread);
    tcase_add_test(tc, unsubscribing_drops_what_has_not_begun);
    tcase_add_test(tc, an_abort_drops_a_callback_that_has_not_begun);
    tcase_add_test(tc, destroying_a_stream_unsubscribes);
    tcase_add_test(tc, one_way_per_stream);
    tcase_add_test(tc, unsubscribing_refused);
    tcase_add_test(tc, at_most_1024_threads);
    tcase_add_test(tc, the_default_stream_is_the_null_stream);
    tcase_add_test(tc, on_a_stream_of_another_context);
    tcase_add_test(tc, host_functions_in_a_subscribed_thread);
    tcase_add_test(tc, in_the_child_of_a_fork);
    tcase_add_test(tc, a_callback_ends_its_thread);
    return run_cases("callback", tc, (TCase *)NULL);
}
