/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that nothing can satisfy, and waits that only take long. */
#include "cases.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

/* What a debugger's user would do to a process that hangs: the case goes on after its report. A signal is the one thing
 * that checking does not foresee. */
static void let_go(int signal)
{
    (void)signal;
    (void)aclrtRecordEvent(e, t); /* NOLINT(bugprone-signal-handler): the process waits, and holds no lock */
}

static void let_go_later(void)
{
    signal(SIGALRM, let_go);
    alarm(2);
}

static void *synchronize(void *context)
{
    NEED(aclrtSetCurrentContext(context));
    NEED(aclrtSynchronizeStream(s));
    return NULL;
}

static aclrtContext current(void)
{
    aclrtContext context;
    NEED(aclrtGetCurrentContext(&context));
    return context;
}

WRONG(deadlock, an_event_that_nobody_records)
{
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, s));
    let_go_later();
    NEED(aclrtSynchronizeStream(s));
}

/* The record stands behind the wait for it. */
WRONG(deadlock, a_stream_that_waits_for_itself)
{
    NEED(aclrtStreamWaitEvent(s, e));
    NEED(aclrtRecordEvent(e, s));
    let_go_later();
    NEED(aclrtSynchronizeStream(s));
}

static aclrtEvent of_other;

static void let_both_go(int signal)
{
    (void)signal;
    (void)aclrtRecordEvent(of_other, t); /* NOLINT(bugprone-signal-handler): as above */
}

/* Each stream waits for what the other one has behind its wait. */
WRONG(deadlock, two_streams_that_wait_for_each_other)
{
    aclrtStream third;
    NEED(aclrtCreateStream(&third));
    NEED(aclrtCreateEvent(&of_other));
    NEED(aclrtStreamWaitEvent(s, of_other));
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(third, e));
    NEED(aclrtRecordEvent(of_other, third));
    signal(SIGALRM, let_both_go);
    alarm(2);
    NEED(aclrtSynchronizeStream(third));
    NEED(aclrtDestroyStream(third));
    NEED(aclrtDestroyEvent(of_other));
}

/* The main thread waits for one that waits for ever. */
WRONG(deadlock, in_another_thread)
{
    pthread_t thread;
    NEED(aclrtStreamWaitEvent(s, e));
    let_go_later();
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
