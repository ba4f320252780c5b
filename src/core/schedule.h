/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules: the order in which tasks run, chosen instead of left to the engines' luck (PACL_SCHEDULE). Each is an order
 * that the rules of streams and events allow, and an extreme one, so that a missing synchronization shows every time.
 *
 *   eager    each task at its submission, as far as nothing it must wait for stands in its way
 *   lazy     nothing until a wait needs it, and then only what that wait needs
 *   random   one task at a time, of a stream chosen by a seed, after a delay chosen by it
 *
 * Under a schedule no engine runs a stream: threads of the program do, inside their calls, and for what a program notices
 * without a call (host functions) one thread of the schedule. A stream without work is HELD, not IDLE, so the ways that
 * run work at once pass it by, and the fast way through a submission does not know of schedules.
 */
#ifndef PACL_CORE_SCHEDULE_H
#define PACL_CORE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pacl_stream;
struct pacl_work;

enum pacl_schedule_policy { PACL_SCHEDULE_NONE, PACL_SCHEDULE_EAGER, PACL_SCHEDULE_LAZY, PACL_SCHEDULE_RANDOM };

extern enum pacl_schedule_policy pacl_schedule_policy; /* constant once the runtime has started */

static inline bool pacl_schedule_is_on(void)
{
    return __builtin_expect(pacl_schedule_policy != PACL_SCHEDULE_NONE, 0);
}

/* For the start of the runtime. False if the text (PACL_SCHEDULE; NULL or "": none) is no schedule. */
bool pacl_schedule_choose(const char *text);

/* A stream became READY. Eager runs it here. Without locks. */
void pacl_schedule_offer(struct pacl_stream *stream);

/* Task `number` was queued and made visible to owners. Without locks. */
void pacl_schedule_submitted(struct pacl_stream *stream, uint64_t number);

/* Before that: keeps the number if the program may wait for such a task without a call. `work` is the caller's, for the
 * task may have run. */
void pacl_schedule_note(struct pacl_stream *stream, uint64_t number, const struct pacl_work *work);

/* For a thread that waits for task `number`: runs something of use. False if there is nothing at the moment. */
bool pacl_schedule_help(struct pacl_stream *stream, uint64_t number);

/* The same for a thread that waits for something else: it may need anything. */
bool pacl_schedule_help_any(void);

/* For a query whether task `number` has finished (stream NULL: about something else): runs a little, so that a program
 * that only asks gets its answer some time. */
void pacl_schedule_poll(struct pacl_stream *stream, uint64_t number);

/* For a thread of host functions: what it is; and that a function has ended and its stream is given up. */
void pacl_schedule_adopt_host_thread(void);
void pacl_schedule_host_function_ended(struct pacl_stream *stream);

/* At process exit: returns when no thread runs tasks for the schedule. */
void pacl_schedule_settle(void);

#endif
