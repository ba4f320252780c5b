/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Engines: the threads that run streams. They take ready streams in order, share big copies, and sleep when there is
 * nothing: an engine blocks on nothing else. They start with the first stream that needs one.
 */
#ifndef PACL_CORE_ENGINE_H
#define PACL_CORE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

struct pacl_stream;

/* Puts a stream in state READY on the engines' list and wakes one if none is awake. Takes no lock. What is not urgent is
 * left to an engine that only naps: it looks within 50 us, sooner than most wake-ups pay. */
void pacl_engines_offer(struct pacl_stream *stream, bool urgent);

/* True if some engine is awake and would take work at once. */
bool pacl_engines_are_looking(void);

/* True if engines and the program's threads have one processor between them. */
bool pacl_engines_share_one_cpu(void);

/* Wakes sleeping engines, at most `most`, for pieces of a shared copy. */
void pacl_engines_call(unsigned most);

/* A parked stream's deadline: at wait_deadline an engine ends its wait. Under the lock of its parking. */
void pacl_engines_add_timer(struct pacl_stream *stream);
void pacl_engines_remove_timer(struct pacl_stream *stream);

/* Where no engine could be started, or a schedule says who runs what, threads that wait do what engines do, for all streams: stand_in() does one engine's
 * step and answers whether it found work. */
bool pacl_engines_are_missing(void);
bool pacl_engines_stand_in(void);

/* At process exit: returns when no engine is inside a copy. */
void pacl_engines_settle(void);

uint64_t pacl_engines_wakeups(void);

#endif
