/* SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"

#include <stddef.h>
#include <time.h>

enum { KEEPER_ROUND_S = 1 };

/* Holds the lock. */
static void open_locked(struct gate *gate)
{
    gate->closed = false;
    gate->error = aclrtRecordEvent(gate->event, gate->stream);
}

/* Holds the lock, which the wait gives up. */
static void wait_a_round(struct gate *gate)
{
    struct timespec end;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += KEEPER_ROUND_S;
    while (!gate->leaving && pthread_cond_timedwait(&gate->left, &gate->lock, &end) == 0)
        ;
}

/* Looks once per round instead of being told of each closing: a thread that wakes up would disturb the measurement. */
static void *keep(void *data)
{
    struct gate *gate = data;
    const aclError error = aclrtSetCurrentContext(gate->context);

    pthread_mutex_lock(&gate->lock);
    while (error == ACL_SUCCESS && !gate->leaving) {
        const uint64_t closing = gate->closings;
        wait_a_round(gate);
        if (gate->closed && gate->closings == closing) {
            gate->overrun = true;
            open_locked(gate);
        }
    }
    pthread_mutex_unlock(&gate->lock);
    return NULL;
}

static bool start_keeper(struct gate *gate)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->left, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&gate->keeper, NULL, keep, gate) == 0;
}

aclError gate_create(struct gate *gate)
{
    *gate = (struct gate){ 0 };
    aclError error = aclrtGetCurrentContext(&gate->context);
    if (error == ACL_SUCCESS)
        error = aclrtCreateStream(&gate->stream);
    if (error != ACL_SUCCESS)
        return error;
    if (start_keeper(gate))
        return ACL_SUCCESS;
    (void)aclrtDestroyStream(gate->stream);
    return ACL_ERROR_BAD_ALLOC;
}

aclError gate_destroy(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->leaving = true;
    pthread_cond_signal(&gate->left);
    pthread_mutex_unlock(&gate->lock);
    pthread_join(gate->keeper, NULL);
    return aclrtDestroyStream(gate->stream);
}

aclError gate_close(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    aclError error = aclrtCreateEvent(&gate->event); /* a new one each time: not reached yet */
    if (error == ACL_SUCCESS) {
        gate->overrun = false;
        gate->error = ACL_SUCCESS;
        gate->closed = true;
        gate->closings++;
    }
    pthread_mutex_unlock(&gate->lock);
    return error;
}

aclError gate_hold(struct gate *gate, aclrtStream stream)
{
    return aclrtStreamWaitEvent(stream, gate->event);
}

aclError gate_open(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    if (gate->closed)
        open_locked(gate);
    const aclError error = gate->error;
    pthread_mutex_unlock(&gate->lock);
    return error;
}

aclError gate_finish(struct gate *gate, bool *overrun)
{
    aclError error = aclrtSynchronizeStream(gate->stream);
    const aclError destroyed = aclrtDestroyEvent(gate->event);

    *overrun = gate->overrun;
    return error != ACL_SUCCESS ? error : destroyed;
}
