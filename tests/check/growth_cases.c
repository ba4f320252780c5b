/* SPDX-License-Identifier: Apache-2.0 */
/* Queues that only grow. Gates in the stream decide how far it is, so that its speed does not matter. */
#include "cases.h"

#include <semaphore.h>

enum { EARLY = 900, HALF_DEPTH = 32768, MANY = HALF_DEPTH + 5000 };

static sem_t first, second;

static void wait_for(void *gate)
{
    while (sem_wait(gate) != 0)
        continue;
}

static void set(aclrtStream stream)
{
    NEED(aclrtMemsetAsync(dev, 64, 0, 64, stream));
}

/* The stream finishes some of its tasks while many more come: 900 behind the first gate, which opens when 3000 are
 * queued, the rest behind the second. */
static void grow(void (*between)(unsigned i))
{
    sem_init(&first, 0, 0);
    sem_init(&second, 0, 0);
    NEED(aclrtLaunchHostFunc(s, wait_for, &first));
    for (unsigned i = 0; i < MANY; i++) {
        set(s);
        if (i == EARLY)
            NEED(aclrtLaunchHostFunc(s, wait_for, &second));
        if (i == 3000)
            sem_post(&first);
        between(i);
    }
    sem_post(&second);
    NEED(aclrtSynchronizeStream(s));
}

/* Until the early tasks have finished: the queue is no shorter than it was. */
static void look(unsigned i)
{
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    static aclrtEvent early;
    if (i == EARLY - 1) {
        NEED(aclrtCreateEvent(&early));
        NEED(aclrtRecordEvent(early, s));
    }
    while (i == 3000 && status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
        NEED(aclrtQueryEventStatus(early, &status));
    if (i == 3000)
        NEED(aclrtDestroyEvent(early));
}

WRONG(queue_growth, a_loop_that_never_waits)
{
    grow(look);
}

static void look_and_wait_for_another(unsigned i)
{
    look(i);
    if (i % 1000 == 0)
        NEED(aclrtSynchronizeStream(t));
}

/* Waiting for the other stream does not help. */
WRONG(queue_growth, a_loop_that_waits_for_another_stream)
{
    grow(look_and_wait_for_another);
}

static void look_and_record(unsigned i)
{
    look(i);
    if (i % 16 == 0) {
        NEED(aclrtRecordEvent(e, s));
        NEED(aclrtStreamWaitEvent(t, e));
    }
}

/* Events order another stream; the host waits for neither. */
WRONG(queue_growth, events_to_another_stream)
{
    grow(look_and_record);
    NEED(aclrtSynchronizeStream(t));
}

CORRECT(queue_growth, a_loop_that_waits_now_and_then)
{
    for (unsigned i = 0; i < MANY; i++) {
        set(s);
        if (i % 1000 == 0)
            NEED(aclrtSynchronizeStream(s));
    }
    NEED(aclrtSynchronizeStream(s));
}

/* What waits does not work. */
CORRECT(queue_growth, a_deep_queue_behind_a_gate)
{
    close_gate(s);
    for (unsigned i = 0; i < MANY; i++)
        set(s);
    open_gate();
    NEED(aclrtSynchronizeStream(s));
}

static void look_and_stop(unsigned i)
{
    look(i);
    if (i == 20000) {
        sem_post(&second);
        NEED(aclrtSynchronizeStream(s));
        sem_post(&second);
    }
}

/* Emptied before it was half full. */
CORRECT(queue_growth, a_burst_that_is_waited_for)
{
    grow(look_and_stop);
}

static void say_begun(void *begun)
{
    sem_post(begun);
}

/* What waited has gone on, and nothing more comes. The gate is open when the call that finds the queue full is asleep; no
 * other sleeps by then, as the thread of host functions has long come to the gate. */
CORRECT(queue_growth, a_queue_that_was_full_behind_a_gate)
{
    sem_init(&first, 0, 0);
    NEED(aclrtLaunchHostFunc(s, say_begun, &first));
    close_gate(s);
    wait_for(&first);
    for (unsigned i = 0; i < 2 * HALF_DEPTH - 8; i++)
        set(s);
    open_gate_when_asleep();
    for (unsigned i = 0; i < 1000; i++)
        set(s);
    NEED(aclrtSynchronizeStream(s));
}
