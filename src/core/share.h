/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of an arena that other processes may map. It moves into a file of its own when it is first exported, at the same
 * address, in a quiet moment; the rest of the arena stays as it is. When its spans are free again, fresh memory takes
 * its place, so that nobody else's bytes come into the file.
 */
#ifndef PACL_CORE_SHARE_H
#define PACL_CORE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "base/atomic.h"

struct pacl_arena;

/* The file that holds the block around `p`, which the caller holds, and where in it `p` lies. The file stays the
 * library's. 207001 if the system refuses one. */
aclError pacl_share_block(struct pacl_arena *arena, const void *p, int *file, uint64_t *offset);

extern _Atomic uint32_t pacl_share_count;

static inline bool pacl_share_is_used(void)
{
    return __builtin_expect(pacl_load_relaxed(&pacl_share_count) != 0, 0);
}

/* For the arena that gives up whole units: fresh memory if they lie in a file. `engine`: where the unit starts. */
bool pacl_share_restore(const uint8_t *engine);

#endif
