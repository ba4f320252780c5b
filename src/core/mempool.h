/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools of device memory that a program allocates from and frees to in the order of streams. A freed block remembers the
 * place in its stream where it was freed: the same stream may have it again at once, as its later work comes after;
 * another one once that place has been reached. Nothing is queued for either call. Blocks serve requests of exactly their
 * size again, so that copies are checked against what was asked for.
 */
#ifndef PACL_CORE_MEMPOOL_H
#define PACL_CORE_MEMPOOL_H

#include "acl/acl_rt.h"
#include "acl/acl_rt_memory_soma.h"
#include "base/atomic.h"

struct pacl_device;
struct pacl_stream;

aclError pacl_mempool_create(struct pacl_device *device, size_t max_size, aclrtMemPool *out);

/* The pool itself stays until the last block that the program has from it is freed. */
aclError pacl_mempool_destroy(aclrtMemPool handle);

aclError pacl_mempool_set(aclrtMemPool handle, aclrtMemPoolAttr attribute, const void *value);
aclError pacl_mempool_get(aclrtMemPool handle, aclrtMemPoolAttr attribute, void *value);

/* 207001 past the pool's or the device's memory. `own` is the stream's handle. */
aclError pacl_mempool_alloc(aclrtMemPool handle, size_t size, const struct pacl_stream *stream, const void *own,
                            void **out);

/* False if the address is no block that the program has from a pool; 107000 through `err` if it was freed already. */
bool pacl_mempool_free(void *p, struct pacl_stream *stream, const void *own, aclError *err);

/* Gives back what is free and reached, down to `keep` bytes. */
aclError pacl_mempool_trim(aclrtMemPool handle, size_t keep);

/* --- for others --------------------------------------------------------------------------------------------------- */

/* How many blocks of pools there are, free ones included: mostly none. */
extern _Atomic uint32_t pacl_mempool_blocks;

static inline bool pacl_mempools_any(void)
{
    return __builtin_expect(pacl_load_relaxed(&pacl_mempool_blocks) != 0, 0);
}

/* After a synchronization: every pool gives back what it has above its threshold. */
void pacl_mempools_settle(void);

/* All that can be given back, whatever the thresholds: memory is short. True if there was any. */
bool pacl_mempools_give_back(void);

/* Before a block is freed by aclrtFree: the pool forgets it. False if it is free already. */
bool pacl_mempool_forget(const void *p);

#endif
