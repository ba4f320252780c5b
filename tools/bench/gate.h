/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.h: holds streams back while work is queued on them, so that submission and copying do not mix.
 *
 * The gate is an event that the streams wait for and that is recorded on a stream of its own. A queue that is full
 * would block the submitting thread for ever behind a closed gate: a keeper thread opens it after a while.
 */
#ifndef PACL_BENCH_GATE_H
#define PACL_BENCH_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "acl/acl.h"

struct gate {
    aclrtStream stream;
    aclrtContext context; /* of the thread that created it; the keeper works in it too */
    pthread_t keeper;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t left;  /* `leaving` is set */
    aclrtEvent event;     /* of the present closing */
    uint64_t closings;
    bool closed;
    bool leaving;   /* the keeper is to end */
    bool overrun;   /* the keeper had to open it */
    aclError error; /* of recording the event */
};

/* In the thread that has the context. Returns the first failed call's code, with nothing left behind. */
aclError gate_create(struct gate *gate);
aclError gate_destroy(struct gate *gate);

/* Starts a closing; then gate_hold lets each stream wait. */
aclError gate_close(struct gate *gate);
aclError gate_hold(struct gate *gate, aclrtStream stream);

/* Lets the streams go. */
aclError gate_open(struct gate *gate);

/* Once all streams are through: gives the event back. `*overrun` is set if the keeper had to open the gate. */
aclError gate_finish(struct gate *gate, bool *overrun);

#endif
