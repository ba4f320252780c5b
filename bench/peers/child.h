/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second process of this program in which PACL has one thread: one engine, and one processor for it and the thread
 * that waits, which would otherwise take part in the copy. It measures its own memcpy loop, as the ratio asks.
 */
#ifndef BENCH_PEERS_CHILD_H
#define BENCH_PEERS_CHILD_H

#include <stdbool.h>

#define CHILD_ARGUMENT "--child" /* the first argument of that process; the second is "quick" or "full" */

/* What main does in the child: answers requests from standard input on standard output until that closes. */
int child_main(bool quick);

/* In the parent. A child that does not answer ends the process. */
void child_start(const char *program, bool quick);
void child_stop(void);

/* Nanoseconds per copy. */
struct child_times {
    double loop, kernels, pacl;
};
struct child_times child_measure(int shape, int repeats);
bool child_verify(int shape);

#endif
