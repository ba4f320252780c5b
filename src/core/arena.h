/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An arena is one reserved range of addresses from which a device's memory, or pinned host memory, is allocated. It
 * can say without a lock which allocation an address belongs to.
 *
 * The range is cut into spans of 2 MiB. Blocks over 1 MiB take whole spans; smaller ones share a span with blocks of
 * their size class. Everything about a block is kept beside the memory, never in it: the host may not touch a
 * device's memory, and a program that writes past a block harms data, not the allocator.
 */
#ifndef PACL_CORE_ARENA_H
#define PACL_CORE_ARENA_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

/* How the memory comes into being, and who may touch it. */
enum pacl_access {
    PACL_ACCESS_OPEN,    /* ordinary private memory: pinned host memory, shared-memory products */
    PACL_ACCESS_KEYS,    /* private memory under a protection key */
    PACL_ACCESS_MAPPING, /* the addresses have no access; engines have the memory at others, a fixed distance away */
    PACL_ACCESS_VIEW,    /* both mappings are open: the program's can be closed page by page while engines go on */
};

enum { PACL_PINNED = -1 }; /* in place of a device number */

/* Which arena an address belongs to is known by whole regions of 64 MiB. */
enum { PACL_ARENA_REGION_SHIFT = 26 };

struct pacl_arena;

/* An allocation, or `size` 0: the address is the arena's and allocated to nobody. */
struct pacl_block {
    uint8_t *base;
    size_t size;     /* as the program asked for it */
    unsigned policy; /* what the allocation was made with, below 16; the arena only keeps it */
    bool held;       /* told by pacl_arena_retire: queued work still uses it */
};

/* Reserves `bytes` (a multiple of 64 MiB) for `device` or PACL_PINNED; NULL when there is no address space. Arenas live
 * as long as the process. */
struct pacl_arena *pacl_arena_create(size_t bytes, int device, enum pacl_access access);

/* The same with less where the address space is limited (ulimit -v, tools that keep most of it): half and half again,
 * down to 64 MiB, so that as much is left as it takes. */
struct pacl_arena *pacl_arena_create_upto(size_t bytes, int device, enum pacl_access access);

/* `room` >= size bytes, aligned to 64 (to 2 MiB above 1 MiB); NULL when the range is full or memory is short. */
void *pacl_arena_alloc(struct pacl_arena *arena, size_t size, size_t room, unsigned policy);

/* Any address of the arena. Lock-free. A block that is freed at the same time is found or not found. */
struct pacl_block pacl_arena_find(const struct pacl_arena *arena, const void *p);

/* Freeing in two steps, so that queued work can still use the memory: retire() takes the block from the program, and
 * answers false if `p` is not the start of a block; recycle() lets the addresses be allocated again. */
bool pacl_arena_retire(struct pacl_arena *arena, const void *p, struct pacl_block *block);
void pacl_arena_recycle(struct pacl_arena *arena, const void *p);

/* Counts queued work that uses the block around `p`. hold() answers false if it was retired meanwhile. release() answers
 * true if it was retired and this was the last use: then the caller recycles it. Lock-free. */
bool pacl_arena_hold(struct pacl_arena *arena, const void *p);
bool pacl_arena_release(struct pacl_arena *arena, const void *p);

/* Counts what took memory from the program: blocks retired, spans freed, ranges unregistered, mappings ended. For who keeps
 * what a look-up answered: it holds as long as the count has not changed since before the look-up. */
extern _Atomic uint64_t pacl_memory_epoch;

/* To be called once a look-up finds the memory no more, before its addresses can be anybody else's. Sequentially
 * consistent, so that it is ordered between the two; paired with the acquire in pacl_place_recall. */
static inline void pacl_memory_taken(void)
{
    (void)pacl_add_seq_cst(&pacl_memory_epoch, 1);
}

/* The arena that owns the address, or NULL: one table look-up. */
struct pacl_arena *pacl_arena_of(const void *p);

/* True if any byte of [p, p + bytes) is an arena's, or lies in the 64 MiB on either side of one, which belong to nobody.
 * bytes > 0; the range does not wrap. */
bool pacl_arena_touches(const void *p, size_t bytes);

/* Marks whole regions that no arena has as virtual memory's (core/vmm.h), or as nobody's. */
void pacl_arena_set_virtual(const void *base, size_t bytes, bool is_virtual);
bool pacl_arena_is_virtual(const void *p);

/* For the child of a fork: no address belongs to an arena any more, and open memory is the child's own. */
void pacl_arenas_forget(void);

int pacl_arena_device(const struct pacl_arena *arena); /* or PACL_PINNED */

/* The whole spans that the block around `p` lies in, alone or with others. The block must be held, so that they are not
 * given to anybody else. */
struct pacl_unit {
    uint8_t *engine; /* where engines find it */
    size_t bytes;
    ptrdiff_t view;
    bool keyed;      /* under the protection key */
    int file;        /* that it is mapped from, or -1: private memory */
    uint64_t offset; /* in the file */
};
struct pacl_unit pacl_arena_unit(struct pacl_arena *arena, const void *p);

/* The addresses that the program sees: their start, and how many bytes. Constant. */
uint8_t *pacl_arena_base(const struct pacl_arena *arena);
size_t pacl_arena_bytes(const struct pacl_arena *arena);

/* What to add to an address of the arena before touching it. */
ptrdiff_t pacl_arena_view(const struct pacl_arena *arena);

#endif
