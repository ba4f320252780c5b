/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PACL asks of the operating system. Linux is behind it (linux.c, guard.c). Functions return 0 or an errno value
 * unless they say otherwise; none sets a thread's last error.
 */
#ifndef PACL_OS_OS_H
#define PACL_OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

enum { OS_PAGE = 4096 };
#define OS_HUGE_PAGE ((size_t)2 << 20)
#define OS_NEVER UINT64_MAX /* a deadline that does not come */

/* --- time and waiting ------------------------------------------------------------------------------------------ */

uint64_t os_now_ns(void); /* monotonic */

/* Sleeps while *word == expected, until woken or past deadline_ns; may return early for no reason. */
void os_futex_wait(_Atomic uint32_t *word, uint32_t expected, uint64_t deadline_ns);
void os_futex_wake(_Atomic uint32_t *word, int count);

/* An asymmetric pair of fences: whoever runs often pays a compiler barrier, whoever is about to sleep pays for both.
 * light() in A between a store and a load, heavy() in B between a store and a load: at least one load sees the other's
 * store. Both are full fences where the system has no membarrier. */
extern bool os_fence_is_asymmetric; /* set once by os_init */
static inline void os_fence_light(void)
{
    if (os_fence_is_asymmetric)
        atomic_signal_fence(memory_order_seq_cst);
    else
        pacl_fence_seq_cst();
}
void os_fence_heavy(void);

/* --- threads and the machine ----------------------------------------------------------------------------------- */

void os_init(void); /* once, before anything else here */

/* Starts a detached thread with signals blocked, so that a program's handlers run on it only for its own faults. `stack` in bytes,
 * 0 for the system's default. */
int os_thread_start(void (*run)(void *), void *argument, const char *name, size_t stack);

uint32_t os_thread_id(void); /* the kernel's number of the calling thread */
void os_yield(void);

/* Between the two the calling thread is not cancelled (pthread_cancel): it would take locks with it, for system calls that may
 * wait end such a thread. restore() takes what disable() answered. */
int os_cancel_disable(void);
void os_cancel_restore(int before);
unsigned os_usable_cpus(void); /* by affinity and by the control group's quota; at least 1 */
uint64_t os_memory_bytes(void);
uint64_t
os_cache_bytes(unsigned level); /* of this processor's cache for data at that level, from 1; 0 if there is none */

/* --- address space --------------------------------------------------------------------------------------------- */

/* Reserves address space without access, aligned to `align` (a power of two). NULL when there is none. */
void *os_reserve(size_t bytes, size_t align);
void os_release(void *at, size_t bytes);

/* Private zeroed memory at a reserved place, created when touched. */
int os_commit(void *at, size_t bytes);

/* What a process may do with pages that are there. Fails silently where the system has no more mappings. */
enum os_rights { OS_READ_WRITE, OS_READ_ONLY, OS_NO_ACCESS };
void os_protect(void *at, size_t bytes, enum os_rights rights);

/* Gives the pages back; the range stays accessible and reads as zero. */
void os_discard(void *at, size_t bytes);

void os_keep_from_children(void *at, size_t bytes); /* of a fork */
void os_want_huge_pages(void *at, size_t bytes);

/* Makes the pages now, as huge ones where there are some, also of files, whatever the system's setting for those is. */
void os_make_huge_pages(void *at, size_t bytes);

/* A nameless file of `bytes` zero bytes that takes memory when touched, for two mappings of the same memory. Returns
 * the descriptor or -1. */
int os_shared_create(const char *name, size_t bytes);
int os_shared_map(int fd, void *at, size_t bytes);  /* without access; os_commit gives it */
int os_private_map(int fd, void *at, size_t bytes); /* what is written there is this process's alone; with access */
void os_shared_discard(void *at, size_t bytes);

/* False if a file of that size is past the process's limit: growing it would raise SIGXFSZ. */
bool os_file_may_have(uint64_t bytes);

/* A program that has called mlockall(MCL_FUTURE) would have every page of a sparse range brought into being. */
void os_keep_unlocked(void *at, size_t bytes);

/* True if every other thread of the process sleeps: nothing will happen in it before one is woken. */
bool os_others_sleep(void);

/* False if a page of [at, at + bytes) is known not to be mapped. */
bool os_is_mapped(const void *at, size_t bytes);

/* --- protection keys ------------------------------------------------------------------------------------------- */

extern int os_guard_key; /* the key of device memory, or -1 where keys are not used */

/* Takes a key that no thread may use, and becomes active. False where the machine has none. */
bool os_guard_create(void);
int os_guard_commit(void *at, size_t bytes); /* as os_commit, under the key */

/* Open the calling thread's access to device memory, and restore what open() returned. */
uint32_t os_guard_open_key(void);
void os_guard_restore(uint32_t saved);

static inline uint32_t os_guard_open(void)
{
    return __builtin_expect(os_guard_key >= 0, 0) ? os_guard_open_key() : 0;
}

static inline void os_guard_close(uint32_t saved)
{
    if (__builtin_expect(os_guard_key >= 0, 0))
        os_guard_restore(saved);
}

#endif
