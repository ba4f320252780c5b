/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations that carry their memory order in their name, so that a search for a name finds every use of that order. */
#ifndef PACL_BASE_ATOMIC_H
#define PACL_BASE_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define pacl_load_relaxed(p) atomic_load_explicit((p), memory_order_relaxed)
#define pacl_load_acquire(p) atomic_load_explicit((p), memory_order_acquire)
#define pacl_load_seq_cst(p) atomic_load_explicit((p), memory_order_seq_cst)
#define pacl_store_relaxed(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define pacl_store_release(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define pacl_store_seq_cst(p, v) atomic_store_explicit((p), (v), memory_order_seq_cst)
#define pacl_exchange_seq_cst(p, v) atomic_exchange_explicit((p), (v), memory_order_seq_cst)
#define pacl_add_relaxed(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define pacl_add_seq_cst(p, v) atomic_fetch_add_explicit((p), (v), memory_order_seq_cst)
#define pacl_sub_seq_cst(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_seq_cst)
#define pacl_cas_seq_cst(p, expected, v) \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_seq_cst, memory_order_relaxed)

/* Counters that one thread at a time writes (the owner changes only through a stream's state word): no locked add. */
static inline void pacl_count(_Atomic uint64_t *counter, uint64_t n)
{
    pacl_store_relaxed(counter, pacl_load_relaxed(counter) + n);
}

/* A full barrier between an earlier store and a later load. ThreadSanitizer knows operations, not fences: it gets one. */
static inline void pacl_fence_seq_cst(void)
{
#if defined(__SANITIZE_THREAD__)
    static _Atomic uint32_t fence;
    (void)pacl_add_seq_cst(&fence, 0);
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static inline void pacl_cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
