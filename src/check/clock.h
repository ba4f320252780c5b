/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens before what, as vector clocks whose components are streams, those within graphs among them.
 *
 * A stream's tick counts the moments at which others could learn how far it is: records, synchronizing calls, host
 * functions. Tasks between two such moments have the same tick, because nobody can tell them apart. A task is thus
 * (stream, tick), and it happened before something exactly if that something knows the stream to have reached the tick.
 *
 * The host is one: order among host threads (locks, joins, atomics) is not seen, so what one thread has synchronized with,
 * all may rely on. What the host knows when a task is submitted, the task's stream knows too. So the host's knowledge is
 * stored once, in each stream's `host`, and a stream keeps only what it learned beyond: by waiting for events.
 *
 * Everything here is guarded by the checker's lock.
 */
#ifndef PACL_CHECK_CLOCK_H
#define PACL_CHECK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct pacl_tick {
    uint32_t slot; /* of a stream's clock */
    uint64_t tick;
};

/* Ticks known of other streams, sorted by slot; never changed, shared and counted. NULL: none. */
struct pacl_knowledge {
    uint32_t references, count;
    struct pacl_tick ticks[];
};

/* A place in a stream that others can learn of: what was submitted before it has at most its tick. */
struct pacl_moment {
    struct pacl_tick at; /* tick 0: no moment */
    struct pacl_knowledge *known;
};

/* A slot's ticks go on when its next stream begins. */
struct pacl_clock {
    uint64_t tick;                /* of the tasks that are submitted now; from 1 */
    uint64_t host;                /* the host knows the stream to have reached it */
    struct pacl_knowledge *known; /* learned by waiting */
};

enum { PACL_CLOCK_NONE = UINT32_MAX };

/* A slot for a new stream, PACL_CLOCK_NONE when memory is short; and back, when the host knows all of it to be done. */
uint32_t pacl_clock_open(void);
void pacl_clock_close(uint32_t slot);

/* The clock of an open slot. */
struct pacl_clock *pacl_clock_of(uint32_t slot);

/* The stream knows this from here on, and nothing else. Shares `known`. */
void pacl_clock_begin(uint32_t slot, struct pacl_knowledge *known);

/* A new moment of the stream: what is submitted from here on comes after it. The caller ends it with pacl_moment_drop. */
struct pacl_moment pacl_clock_mark(uint32_t slot);
void pacl_moment_drop(struct pacl_moment *moment);
struct pacl_moment pacl_moment_share(const struct pacl_moment *moment);

/* The stream, or the host, learns of a moment. */
void pacl_clock_learn(uint32_t slot, const struct pacl_moment *moment);
void pacl_host_learn(const struct pacl_moment *moment);

/* What several streams have left for others to learn (notifies, values in memory): adds a moment to it; the stream learns
 * all of it. */
void pacl_knowledge_add(struct pacl_knowledge **known, const struct pacl_moment *moment);
void pacl_clock_learn_known(uint32_t slot, const struct pacl_knowledge *known);

/* When it is not known any more what exactly: the stream, or the host, learns of everything that was submitted. */
void pacl_clock_learn_all(uint32_t slot);
void pacl_host_learn_all(void);

/* True if the host, or `known`, has it that the stream reached the tick. */
bool pacl_host_knows(struct pacl_tick tick);
bool pacl_knows(const struct pacl_knowledge *known, struct pacl_tick tick);

struct pacl_knowledge *pacl_knowledge_share(struct pacl_knowledge *known);
void pacl_knowledge_drop(struct pacl_knowledge *known);

/* Grows with whatever the host learns. */
uint64_t pacl_host_generation(void);

#endif
