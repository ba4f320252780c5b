/* SPDX-License-Identifier: Apache-2.0 */
/* Put in front of every file of the library: its atomic operations may hold their thread up. */
#ifndef PACL_TESTS_STRESS_JITTER_H
#define PACL_TESTS_STRESS_JITTER_H

#include "base/atomic.h"

/* Mostly returns at once; now and then it spins, yields or sleeps for up to 100 us. */
void jitter(void);

#undef pacl_load_acquire
#undef pacl_load_seq_cst
#undef pacl_store_relaxed
#undef pacl_store_release
#undef pacl_store_seq_cst
#undef pacl_exchange_seq_cst
#undef pacl_add_relaxed
#undef pacl_add_seq_cst
#undef pacl_sub_seq_cst
#undef pacl_cas_seq_cst
#define pacl_load_acquire(p) (jitter(), atomic_load_explicit((p), memory_order_acquire))
#define pacl_load_seq_cst(p) (jitter(), atomic_load_explicit((p), memory_order_seq_cst))
#define pacl_store_relaxed(p, v) (jitter(), atomic_store_explicit((p), (v), memory_order_relaxed))
#define pacl_store_release(p, v) (jitter(), atomic_store_explicit((p), (v), memory_order_release))
#define pacl_store_seq_cst(p, v) (jitter(), atomic_store_explicit((p), (v), memory_order_seq_cst))
#define pacl_exchange_seq_cst(p, v) (jitter(), atomic_exchange_explicit((p), (v), memory_order_seq_cst))
#define pacl_add_relaxed(p, v) (jitter(), atomic_fetch_add_explicit((p), (v), memory_order_relaxed))
#define pacl_add_seq_cst(p, v) (jitter(), atomic_fetch_add_explicit((p), (v), memory_order_seq_cst))
#define pacl_sub_seq_cst(p, v) (jitter(), atomic_fetch_sub_explicit((p), (v), memory_order_seq_cst))
#define pacl_cas_seq_cst(p, expected, v) \
    (jitter(), \
     atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_seq_cst, memory_order_relaxed))

#endif
