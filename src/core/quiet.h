/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments in which no thread touches device memory, so that what lies behind an address can be exchanged: memory that
 * is exported moves into a file, a piece of a mapping goes away. Queued work stays queued and goes on after; a copy that
 * runs is waited for.
 *
 * Streams look at pacl_runtime_halt before each task, which they do anyway to see the process exit, so they pay nothing.
 * Threads that copy for a synchronous call mark that they do.
 */
#ifndef PACL_CORE_QUIET_H
#define PACL_CORE_QUIET_H

#include "base/atomic.h"
#include "core/runtime.h"

/* One thread at a time; others wait. Not from a task of a stream, which it would wait for. */
void pacl_quiet_begin(void);
void pacl_quiet_end(void);

/* Sleeps while another thread wants it quiet. */
void pacl_quiet_pass(void);

static inline bool pacl_quiet_is_wanted(void)
{
    return __builtin_expect((pacl_load_relaxed(&pacl_runtime_halt) & PACL_HALT_QUIET) != 0, 0);
}

/* Around a synchronous call's check and its use of device memory. May be nested in nothing. */
void pacl_use_begin(void);
void pacl_use_end(void);

#endif
