/* SPDX-License-Identifier: Apache-2.0 */
/* Where an address of the program lies: which kind of memory, whose, in which allocation. */
#ifndef PACL_CORE_PLACE_H
#define PACL_CORE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"

enum pacl_memory {
    PACL_MEMORY_PAGEABLE, /* anything that PACL did not give out and nobody registered: malloc, stack, files */
    PACL_MEMORY_PINNED,   /* from aclrtMallocHost, or registered */
    PACL_MEMORY_DEVICE,
    PACL_MEMORY_MANAGED, /* from aclrtMemAllocManaged: host and devices have the same address */
};

struct pacl_place {
    enum pacl_memory memory;
    bool registered;     /* pinned by registration: the program may take it away at any time */
    bool mapped;         /* reserved addresses (core/vmm.h); base and size are one piece, others may adjoin it */
    int device;          /* for device memory */
    unsigned policy;     /* for device memory */
    ptrdiff_t view;      /* what an engine adds to an address before it touches it */
    const uint8_t *base; /* the allocation or registered range */
    size_t size;         /* its bytes as asked for; 0 for device or pinned addresses that are allocated to nobody */
};

/* Lock-free; for any address. */
struct pacl_place pacl_place_of(const void *p);

/* What the thread's last look-up for one side of a copy answered. Programs copy between few blocks: as long as no memory
 * was freed, the next copy need not look again. */
struct pacl_place_memo {
    uint64_t epoch; /* of pacl_memory_epoch, before the look-up */
    struct pacl_place place;
};
enum pacl_side { PACL_SIDE_DST, PACL_SIDE_SRC };
extern _Thread_local struct pacl_place_memo pacl_place_memos[2];

/* Looks again and keeps the answer. */
const struct pacl_place *pacl_place_look(const void *p, enum pacl_side side);

/* As pacl_place_of(); valid until the thread's next call for the same side. Acquire, paired with the add in
 * pacl_memory_taken(): a thread that knows of a free also sees its count, and does not trust what it kept. */
static inline const struct pacl_place *pacl_place_recall(const void *p, enum pacl_side side)
{
    const struct pacl_place_memo *memo = &pacl_place_memos[side];
    const size_t offset = (size_t)((const uint8_t *)p - memo->place.base);
    const bool holds = memo->epoch == pacl_load_acquire(&pacl_memory_epoch) && offset < memo->place.size;
    return __builtin_expect(holds, 1) ? &memo->place : pacl_place_look(p, side);
}

/* Where an engine touches what the program calls `p`. */
uint8_t *pacl_engine_view(const void *p);

/* "device memory", "pinned host memory", "pageable host memory". */
const char *pacl_memory_name(enum pacl_memory memory);

#endif
