/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job is a big copy that several threads share: they take pieces from one counter. No thread waits for another:
 * whoever finishes last goes on with what follows the copy.
 */
#ifndef PACL_CORE_JOB_H
#define PACL_CORE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/list.h"
#include "copy/copy.h"

struct pacl_kernel_call;
struct pacl_stream;

struct pacl_job {
    struct pacl_plan plan;
    struct pacl_kernel_call *kernel; /* instead of a copy: its blocks are the pieces; plan is not used otherwise */
    struct pacl_stream *stream;      /* whose head it is; NULL: a synchronous copy, whose caller waits for it */
    unsigned registered;             /* PACL_REGISTERED_SRC, _DST: sides that may be unregistered meanwhile */
    _Atomic bool failed;             /* a piece found its memory unregistered */
    _Atomic uint64_t next;           /* the first piece that nobody has taken */
    unsigned participants;           /* guarded by the jobs' lock */
    _Atomic uint32_t over;           /* futex: set to 1 when the last participant of a synchronous copy leaves */
    struct pacl_list link;           /* guarded by the jobs' lock */
};

/* Offers the job to the other threads, with the caller as first participant. plan, stream and registered are set. */
void pacl_job_open(struct pacl_job *job);

/* Takes pieces until there are none. True for the participant that leaves last: then the copy is complete, and the job
 * is the caller's alone. With a deadline it may leave early and the work is others'. */
bool pacl_job_work(struct pacl_job *job, uint64_t deadline_ns);

/* Takes part in some open job, if there is one with pieces left. False if not. Goes on with the stream of a job that it
 * finished. Blocks of kernels, which may take long and wait for others, are for engines. */
bool pacl_jobs_help(uint64_t deadline_ns, bool is_engine);
bool pacl_jobs_any(void);

/* The plan of a rectangle that is about to be copied; registered: PACL_REGISTERED_* of its sides. */
struct pacl_plan pacl_copy_plan_for(const struct pacl_rect *rect, unsigned registered);

/* Copies the rectangle in the calling thread, with the engines' help if it is big; returns when it is complete. False
 * if registered memory that it names was unregistered before or meanwhile. */
bool pacl_copy_now(const struct pacl_rect *rect, unsigned registered);

/* Copies one piece with device memory open to this thread. False if a registered side is registered no more. */
bool pacl_copy_one_piece(const struct pacl_plan *plan, size_t index, unsigned registered);

#endif
