/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads wait for each copy as soon as it is submitted, and then make it themselves before an engine comes: the
 * way through the queue was for nothing, some 150 ns. So a thread that has waited like that several times in a row makes
 * such a copy while it submits it, which keeps it no longer than the wait would.
 *
 * The habit ends with a second such copy before a wait, and when a wait does not come soon, which is looked at now and
 * then: with work of its own in between, the thread has more of a copy that an engine makes meanwhile.
 */
#ifndef PACL_CORE_HABIT_H
#define PACL_CORE_HABIT_H

#include <stdbool.h>
#include <stddef.h>

struct pacl_stream;

/* The calling thread is about to submit a copy that is not light to an idle stream. True: it should do it now. */
bool pacl_habit_takes(const struct pacl_stream *s, size_t cost);

/* It has done it. */
void pacl_habit_taken(void);

/* The calling thread begins to wait for the stream. True if its last such copy was queued there: how did that end? */
bool pacl_habit_waits(const struct pacl_stream *s);

/* It found the copy not begun and did it, or not: an engine had come first. */
void pacl_habit_learns(bool helped);

#endif
