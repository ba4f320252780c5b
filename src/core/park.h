/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parking: a stream whose head has to wait gives up its thread and is entered in the list of what it waits for (an
 * event, a notify, the thread of its host functions). Whoever ends the wait takes it off and makes it ready.
 *
 * How to wait, for the owner of a stream:       How to end waits:
 *   lock; may the head pass? then go on           lock; make it come true
 *   else pacl_park(): true, it is parked and      for each stream that may pass: pacl_park_leave()
 *   no more the caller's; unlock                  unlock; pacl_stream_end_park() for each that left
 *
 * Both look under the lock, so the stream is in the list when the other looks, or sees that it may pass. The head's work
 * stays in the ring meanwhile: pacl_stream_head_work().
 */
#ifndef PACL_CORE_PARK_H
#define PACL_CORE_PARK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

struct pacl_stream;

/* Part of what is waited for. Its memory lives as long as the process: a thread that interrupts a stream may take the
 * lock late. It then finds that the stream is not parked there any more. */
struct pacl_parking {
    pthread_mutex_t lock;     /* guards what the streams wait for, too; taken before the engines' timer lock */
    struct pacl_list streams; /* parked, oldest first, by their in_parking */
};

/* Once for each piece of memory. */
void pacl_parking_prepare(struct pacl_parking *parking);

/* Under the lock, by the owner, whose head may not pass: parks the stream, for timeout_ns at most (0: for ever). False
 * if the stream skips what it has queued; then it is not parked, and the head is to be skipped. */
bool pacl_park(struct pacl_parking *parking, struct pacl_stream *stream, uint64_t timeout_ns);

/* The same for ever and for a wait that is never skipped: pacl_park_interrupt() leaves it alone. */
void pacl_park_firmly(struct pacl_parking *parking, struct pacl_stream *stream);

/* Under the lock: takes a parked stream off. The caller ends the park once the lock is released. */
void pacl_park_leave(struct pacl_stream *stream);

/* The same for streams collected by their in_parking in a list of the caller's: ends their parks, without locks. */
void pacl_park_end_all(struct pacl_list *left);

/* True if the stream is parked until another has finished a task: which stream, and the task's number. */
bool pacl_park_awaits(struct pacl_stream *stream, struct pacl_stream **source, uint64_t *number);

/* Ends the wait of a stream if it is parked: at its deadline (`only_if_due`; then the stream's wait_end says so), or
 * because it is to skip what is queued. */
void pacl_park_interrupt(struct pacl_stream *stream, bool only_if_due);

#endif
