/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that nothing can satisfy, and waits that only take long. */
#include "cases.h"

#include <fcntl.h>
#include <pacl/pacl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/*
 * Checking does not foresee what another process may do. Such a one lets a case go on after its report: it watches the
 * report, and once that names a deadlock it wakes a thread that records the awaited event. If none comes it does so after
 * a while, and the case is found to have said nothing.
 */
enum { LOOKS = 1000, LOOK_US = 50000 };

static sem_t *reported; /* in memory of both processes */
static aclrtEvent awaited;

static bool is_reported(const char *path)
{
    static char text[1 << 16];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    return strstr(text, "\"deadlock\"") != NULL;
}

_Noreturn static void watch_report(const char *path)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned i = 0; i < LOOKS && !is_reported(path); i++)
        usleep(LOOK_US);
    sem_post(reported);
    _exit(0);
}

static void *record_when_woken(void *context)
{
    while (sem_wait(reported) != 0)
        continue;
    NEED(aclrtSetCurrentContext(context));
    NEED(aclrtRecordEvent(awaited, t));
    return NULL;
}

static aclrtContext current(void)
{
    aclrtContext context;
    NEED(aclrtGetCurrentContext(&context));
    return context;
}

static void start_when_reported(void *(*woken)(void *))
{
    const char *const path = getenv("PACL_CHECK_REPORT");
    pthread_t thread;
    reported = mmap(NULL, sizeof *reported, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (path == NULL || reported == MAP_FAILED || sem_init(reported, 1, 0) != 0)
        abort();
    const pid_t child = fork();
    if (child == 0)
        watch_report(path);
    if (child < 0 || pthread_create(&thread, NULL, woken, current()) != 0)
        abort();
    pthread_detach(thread);
}

static void go_on_when_reported(aclrtEvent event)
{
    awaited = event;
    start_when_reported(record_when_woken);
}

static void *synchronize(void *context)
{
    NEED(aclrtSetCurrentContext(context));
    NEED(aclrtSynchronizeStream(s));
    return NULL;
}

WRONG(deadlock, an_event_that_nobody_records)
{
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, s));
    go_on_when_reported(e);
    NEED(aclrtSynchronizeStream(s));
}

/* The record stands behind the wait for it. */
WRONG(deadlock, a_stream_that_waits_for_itself)
{
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclrtRecordEvent(e, s));
    go_on_when_reported(e);
    NEED(aclrtSynchronizeStream(s));
}

/* Each stream waits for what the other one has behind its wait. */
WRONG(deadlock, two_streams_that_wait_for_each_other)
{
    aclrtStream third;
    aclrtEvent of_other;
    NEED(aclrtCreateStream(&third));
    NEED(aclrtCreateEvent(&of_other));
    NEED(aclrtStreamWaitEvent(s, of_other));
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(third, e));
    NEED(aclrtRecordEvent(of_other, third));
    go_on_when_reported(of_other);
    NEED(aclrtSynchronizeStream(third));
    NEED(aclrtDestroyStream(third));
    NEED(aclrtDestroyEvent(of_other));
}

/* The main thread waits for one that waits for ever. */
WRONG(deadlock, in_another_thread)
{
    pthread_t thread;
    NEED(aclrtStreamWaitEvent(s, e));
    go_on_when_reported(e);
    if (pthread_create(&thread, NULL, synchronize, current()) != 0)
        abort();
    pthread_join(thread, NULL);
}

/* Reported without waiting for anything. */
WRONG(deadlock, the_event_is_destroyed)
{
    aclrtStream own;
    aclrtEvent never;
    NEED(aclrtCreateStream(&own));
    NEED(aclrtCreateEvent(&never));
    NEED(aclrtStreamWaitEvent(own, never));
    NEED(aclrtDestroyEvent(never));
    NEED(aclrtDestroyStreamForce(own));
}

static void *record_later(void *context)
{
    NEED(aclrtSetCurrentContext(context));
    usleep(900 * 1000);
    NEED(aclrtRecordEvent(e, t));
    return NULL;
}

/* A thread that sleeps for a while will go on by itself. */
CORRECT(deadlock, recorded_by_a_thread_that_comes_late)
{
    pthread_t thread;
    NEED(aclrtStreamWaitEvent(s, e));
    if (pthread_create(&thread, NULL, record_later, current()) != 0)
        abort();
    NEED(aclrtSynchronizeStream(s));
    pthread_join(thread, NULL);
}

CORRECT(deadlock, a_wait_with_a_time_limit)
{
    NEED(aclrtStreamWaitEventWithTimeout(s, e, 1));
    NEED_CODE(107019, aclrtSynchronizeStream(s));
}

CORRECT(deadlock, a_synchronize_with_a_time_limit)
{
    NEED(aclrtStreamWaitEvent(s, e));
    NEED_CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 700));
    NEED(aclrtRecordEvent(e, t));
}

/* A host function at work will end. */
static void take_long(void *unused)
{
    (void)unused;
    usleep(900 * 1000);
}

CORRECT(deadlock, a_record_behind_a_long_host_function)
{
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclrtLaunchHostFunc(t, take_long, NULL));
    NEED(aclrtRecordEvent(e, t));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(deadlock, an_event_that_is_destroyed_behind_its_record)
{
    aclrtEvent own;
    NEED(aclrtCreateEvent(&own));
    close_gate(t);
    NEED(aclrtRecordEvent(own, t));
    NEED(aclrtStreamWaitEvent(s, own));
    NEED(aclrtDestroyEvent(own));
    open_gate();
}

/* --- host functions ---------------------------------------------------------------------------------------------- */

/* What a function waits for it can never have, so that the process can only end: with status 3, which leaves out leaks. */
static void end_when_told(void)
{
    alarm(60); /* ends the case as a failed one */
    while (pacl_check_count("deadlock") == 0)
        usleep(1000);
    exit(3);
}

/* The same where all threads wait. */
static void *end_when_woken(void *unused)
{
    (void)unused;
    while (sem_wait(reported) != 0)
        continue;
    exit(3);
}

/* The wait ends with the process, which the other thread ends. */
static void synchronize_and_end(aclrtStream stream)
{
    (void)aclrtSynchronizeStream(stream);
    for (;;)
        pause();
}

static void synchronize_stream(void *stream)
{
    (void)aclrtSynchronizeStream(stream);
}

WRONG(deadlock, a_host_function_that_synchronizes_its_own_stream)
{
    NEED(aclrtLaunchHostFunc(s, synchronize_stream, s));
    end_when_told();
}

static void synchronize_device(void *context)
{
    NEED(aclrtSetCurrentContext(context));
    (void)aclrtSynchronizeDevice();
}

WRONG(deadlock, a_host_function_that_synchronizes_its_device)
{
    NEED(aclrtLaunchHostFunc(s, synchronize_device, current()));
    end_when_told();
}

static sem_t is_recorded;

static void synchronize_event(void *event)
{
    while (sem_wait(&is_recorded) != 0)
        continue;
    (void)aclrtSynchronizeEvent(event);
}

WRONG(deadlock, a_host_function_that_synchronizes_an_event_behind_itself)
{
    sem_init(&is_recorded, 0, 0);
    NEED(aclrtLaunchHostFunc(s, synchronize_event, e));
    NEED(aclrtRecordEvent(e, s));
    sem_post(&is_recorded);
    end_when_told();
}

static void copy_pageable(void *context)
{
    static uint8_t pageable[64];
    NEED(aclrtSetCurrentContext(context));
    (void)aclrtMemcpyAsync(dev, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, s);
}

/* The call waits for what the stream has, the function itself. */
WRONG(deadlock, a_host_function_with_a_pageable_copy_on_its_own_stream)
{
    NEED(aclrtLaunchHostFunc(s, copy_pageable, current()));
    end_when_told();
}

static sem_t is_subscribed;

static void *serve_callbacks(void *context)
{
    NEED(aclrtSetCurrentContext(context));
    while (sem_wait(&is_subscribed) != 0)
        continue;
    (void)aclrtProcessReport(-1);
    return NULL;
}

/* A thread of the program runs the callback; the stream waits for it all the same. */
WRONG(deadlock, a_blocking_callback_that_synchronizes_its_own_stream)
{
    pthread_t thread;
    sem_init(&is_subscribed, 0, 0);
    if (pthread_create(&thread, NULL, serve_callbacks, current()) != 0)
        abort();
    NEED(aclrtSubscribeReport((uint64_t)thread, s));
    sem_post(&is_subscribed);
    pthread_detach(thread);
    NEED(aclrtLaunchCallback(synchronize_stream, s, ACL_CALLBACK_BLOCK, s));
    end_when_told();
}

WRONG(deadlock, a_host_function_of_a_graph_that_synchronizes_the_streams_execution)
{
    aclmdlRI graph;
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtLaunchHostFunc(s, synchronize_stream, t));
    NEED(aclmdlRICaptureEnd(s, &graph));
    NEED(aclmdlRIExecuteAsync(graph, t));
    end_when_told();
}

static void synchronize_stream_later(void *stream)
{
    while (sem_wait(&is_recorded) != 0)
        continue;
    (void)aclrtSynchronizeStream(stream);
}

static void nothing(void *unused)
{
    (void)unused;
}

/* --- within graphs ----------------------------------------------------------------------------------------------- */

static aclrtEvent extended(void)
{
    aclrtEvent event;
    NEED(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    return event;
}

static void record_external(aclrtEvent event, aclrtStream stream)
{
    NEED(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL));
}

static void wait_external(aclrtEvent event, aclrtStream stream)
{
    NEED(aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
}

/* A graph that begins on the stream and has a second one. */
static aclrtStream begin_two(aclrtStream stream)
{
    aclrtStream side;
    const aclrtEvent fork_event = extended();
    NEED(aclrtCreateStream(&side));
    NEED(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtRecordEvent(fork_event, stream));
    NEED(aclrtStreamWaitEvent(side, fork_event));
    return side;
}

static aclmdlRI end_two(aclrtStream stream, aclrtStream side)
{
    aclmdlRI graph;
    const aclrtEvent join_event = extended();
    NEED(aclrtRecordEvent(join_event, side));
    NEED(aclrtStreamWaitEvent(stream, join_event));
    NEED(aclmdlRICaptureEnd(stream, &graph));
    return graph;
}

/* What the graph waits for stands behind a wait for what nobody records. */
WRONG(deadlock, a_wait_from_inside_of_a_graph)
{
    const aclrtEvent outside = extended();
    start_when_reported(end_when_woken);
    const aclrtStream side = begin_two(s);
    wait_external(outside, side);
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, side));
    const aclmdlRI graph = end_two(s, side);
    NEED(aclrtStreamWaitEvent(t, e));
    record_external(outside, t);
    NEED(aclmdlRIExecuteAsync(graph, s));
    synchronize_and_end(s);
}

WRONG(deadlock, a_record_from_inside_of_a_graph)
{
    const aclrtEvent inside = extended();
    start_when_reported(end_when_woken);
    const aclrtStream side = begin_two(s);
    record_external(inside, side);
    const aclmdlRI graph = end_two(s, side);
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclmdlRIExecuteAsync(graph, s));
    wait_external(inside, t);
    synchronize_and_end(t);
}

/* The record stands behind the graph's function, which waits for a stream that waits for the record. */
WRONG(deadlock, a_host_function_of_a_graph_that_synchronizes_who_waits_for_its_record)
{
    const aclrtEvent inside = extended();
    start_when_reported(end_when_woken);
    const aclrtStream side = begin_two(s);
    NEED(aclrtLaunchHostFunc(side, synchronize_stream_later, t));
    record_external(inside, side);
    const aclmdlRI graph = end_two(s, side);
    sem_init(&is_recorded, 0, 0);
    NEED(aclmdlRIExecuteAsync(graph, s));
    wait_external(inside, t);
    sem_post(&is_recorded);
    synchronize_and_end(s);
}

/* From the function to the stream that it waits for, to the record in the graph, to what the graph waits for, which stands
 * behind the function. */
WRONG(deadlock, a_host_function_that_synchronizes_who_waits_for_a_graph_that_waits_for_it)
{
    const aclrtEvent inside = extended(), outside = extended();
    aclrtStream executes;
    start_when_reported(end_when_woken);
    NEED(aclrtCreateStream(&executes));
    const aclrtStream side = begin_two(executes);
    wait_external(outside, side);
    record_external(inside, side);
    const aclmdlRI graph = end_two(executes, side);
    sem_init(&is_recorded, 0, 0);
    NEED(aclrtLaunchHostFunc(s, synchronize_stream_later, t));
    record_external(outside, s);
    NEED(aclmdlRIExecuteAsync(graph, executes));
    wait_external(inside, t);
    sem_post(&is_recorded);
    synchronize_and_end(s);
}

/* The record stands before the function in the graph. */
CORRECT(deadlock, a_host_function_of_a_graph_that_synchronizes_who_waits_for_an_earlier_record)
{
    const aclrtEvent inside = extended();
    aclmdlRI graph;
    NEED(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    record_external(inside, s);
    NEED(aclrtLaunchHostFunc(s, synchronize_stream_later, t));
    NEED(aclmdlRICaptureEnd(s, &graph));
    sem_init(&is_recorded, 0, 0);
    NEED(aclmdlRIExecuteAsync(graph, s));
    wait_external(inside, t);
    sem_post(&is_recorded);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclmdlRIDestroy(graph));
    NEED(aclrtDestroyEvent(inside));
}

/* --- callbacks within callbacks ---------------------------------------------------------------------------------- */

/* What a callback on the other stream does, which is run within this one. */
static struct {
    aclrtCallback run;
    void *argument;
} within;

static void process_another(void *unused)
{
    (void)unused;
    NEED(aclrtLaunchCallback(within.run, within.argument, ACL_CALLBACK_BLOCK, t));
    NEED(aclrtProcessReport(-1));
}

/* One thread runs the functions of both streams. */
static pthread_t serve_both(void)
{
    pthread_t thread;
    sem_init(&is_subscribed, 0, 0);
    if (pthread_create(&thread, NULL, serve_callbacks, current()) != 0)
        abort();
    NEED(aclrtSubscribeReport((uint64_t)thread, s));
    NEED(aclrtSubscribeReport((uint64_t)thread, t));
    return thread;
}

WRONG(deadlock, a_callback_within_another_one_that_synchronizes_the_other_stream)
{
    pthread_detach(serve_both());
    within.run = synchronize_stream;
    within.argument = s;
    NEED(aclrtLaunchCallback(process_another, NULL, ACL_CALLBACK_BLOCK, s));
    sem_post(&is_subscribed);
    end_when_told();
}

static void set_pinned(void *value)
{
    process_another(NULL);
    *(volatile uint8_t *)pin = (uint8_t)(uintptr_t)value;
}

/* What the outer function does behind the inner one stands before its stream's next task all the same. */
CORRECT(host_race, a_callback_that_writes_after_another_one_within_it)
{
    const pthread_t thread = serve_both();
    within.run = nothing;
    NEED(aclrtLaunchCallback(set_pinned, (void *)7, ACL_CALLBACK_BLOCK, s));
    NEED(aclrtMemcpyAsync(dev, 64, pin, 64, ACL_MEMCPY_HOST_TO_DEVICE, s));
    sem_post(&is_subscribed);
    pthread_join(thread, NULL);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtUnSubscribeReport((uint64_t)thread, s));
    NEED(aclrtUnSubscribeReport((uint64_t)thread, t));
}

/* --- circles ----------------------------------------------------------------------------------------------------- */

/* The other stream waits for a record behind the function. The main thread waits, too: the process is at rest. */
WRONG(deadlock, a_host_function_that_synchronizes_a_stream_that_waits_for_its_own)
{
    start_when_reported(end_when_woken);
    close_gate(t);
    NEED(aclrtLaunchHostFunc(s, synchronize_stream, t));
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(t, e));
    open_gate();
    synchronize_and_end(s);
}

/* One thread runs all host functions of a context. */
WRONG(deadlock, a_host_function_that_synchronizes_a_stream_with_a_host_function)
{
    start_when_reported(end_when_woken);
    sem_init(&is_recorded, 0, 0);
    NEED(aclrtLaunchHostFunc(t, synchronize_stream_later, s));
    NEED(aclrtLaunchHostFunc(s, nothing, NULL));
    sem_post(&is_recorded);
    synchronize_and_end(t);
}

CORRECT(deadlock, a_host_function_that_synchronizes_another_stream)
{
    close_gate(t);
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, s));
    NEED(aclrtLaunchHostFunc(t, synchronize_stream, s));
    open_gate();
    NEED(aclrtSynchronizeStream(t));
}

static void synchronize_with_limit(void *stream)
{
    NEED_CODE(507046, aclrtSynchronizeStreamWithTimeout(stream, 700));
}

/* Wrong, but not for ever. */
CORRECT(deadlock, a_host_function_that_waits_for_its_stream_with_a_time_limit)
{
    NEED(aclrtLaunchHostFunc(s, synchronize_with_limit, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(deadlock, a_callback_beside_its_stream_that_synchronizes_it)
{
    pthread_t thread;
    sem_init(&is_subscribed, 0, 0);
    if (pthread_create(&thread, NULL, serve_callbacks, current()) != 0)
        abort();
    NEED(aclrtSubscribeReport((uint64_t)thread, s));
    sem_post(&is_subscribed);
    NEED(aclrtLaunchCallback(synchronize_stream, s, ACL_CALLBACK_NO_BLOCK, s));
    NEED(aclrtMemsetAsync(dev, BLOCK, 0, BLOCK, s));
    pthread_join(thread, NULL);
    NEED(aclrtUnSubscribeReport((uint64_t)thread, s));
}
