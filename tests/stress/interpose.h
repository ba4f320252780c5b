/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's functions as the test wants them: counted, and failing when told. Without a sanitizer only. */
#ifndef PACL_TESTS_STRESS_INTERPOSE_H
#define PACL_TESTS_STRESS_INTERPOSE_H

#include <stdbool.h>
#include <stdint.h>

/* Calls of malloc, calloc, realloc, aligned_alloc in the thread that set it. */
extern _Thread_local uint64_t allocations;

/* The allocation that fails next in this thread, counted from 1; 0: none. */
extern _Thread_local uint64_t failing_allocation;

/* Called by the next allocation in this thread, once; NULL: nothing. */
extern _Thread_local void (*on_allocation)(void);

/* Calls of syscall(), which is how the library reaches futex and membarrier, by any thread, and by this one. */
extern _Atomic uint64_t system_calls;
extern _Thread_local uint64_t own_system_calls;

/* pthread_create fails with EAGAIN. */
extern _Atomic bool threads_fail;

bool can_interpose(void);

#endif
