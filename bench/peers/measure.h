/* SPDX-License-Identifier: Apache-2.0 */
/* Timing and checking one peer on one shape, in this process. */
#ifndef BENCH_PEERS_MEASURE_H
#define BENCH_PEERS_MEASURE_H

#include "shapes.h"

/* Gets source and destination, large enough for every shape, every page present. The device must be set. */
struct memory measure_memory(bool quick);
void measure_memory_free(struct memory *memory);

/* Nanoseconds per copy: one copy that is not timed, then `repeats` that are. Goes on with the step where the last call,
 * of whatever peer, stopped: a shape's next step is always the one that was touched longest ago. */
double measure(const struct peer *peer, const struct shape *shape, int repeats);

/* How many copies of the shape make a sample that the clock resolves well, by what the loop needs. */
int measure_repeats(const struct shape *shape, bool quick);

/* Poisons the destination, copies, compares the bytes and the row gaps; the first and the last step. */
bool measure_verify(const struct peer *peer, const struct shape *shape, const struct memory *memory);

#endif
