/* SPDX-License-Identifier: Apache-2.0 */
#include "core/place.h"

#include "core/arena.h"
#include "core/hostmem.h"
#include "core/vmm.h"

static struct pacl_place in_arena(const struct pacl_arena *arena, const void *p)
{
    const struct pacl_block block = pacl_arena_find(arena, p);
    const int device = pacl_arena_device(arena);
    return (struct pacl_place){
        .memory = device == PACL_PINNED ? PACL_MEMORY_PINNED : PACL_MEMORY_DEVICE,
        .device = device,
        .policy = block.policy,
        .view = pacl_arena_view(arena),
        .base = block.base,
        .size = block.size,
    };
}

static struct pacl_place in_virtual(const void *p)
{
    struct pacl_piece piece;
    if (!pacl_vmm_find(p, &piece))
        return (struct pacl_place){ .memory = PACL_MEMORY_DEVICE, .mapped = true, .base = p };
    return (struct pacl_place){
        .memory = piece.managed                 ? PACL_MEMORY_MANAGED
                  : piece.device == PACL_PINNED ? PACL_MEMORY_PINNED
                                                : PACL_MEMORY_DEVICE,
        .mapped = true,
        .device = piece.device,
        .policy = ACL_MEM_MALLOC_HUGE_ONLY,
        .view = piece.view,
        .base = piece.base,
        .size = piece.size,
    };
}

struct pacl_place pacl_place_of(const void *p)
{
    const struct pacl_arena *arena = pacl_arena_of(p);
    if (__builtin_expect(arena != NULL, 1))
        return in_arena(arena, p);
    if (pacl_arena_is_virtual(p))
        return in_virtual(p);
    const struct pacl_range range = pacl_hostmem_find(p);
    if (range.base == NULL)
        return (struct pacl_place){ .memory = PACL_MEMORY_PAGEABLE };
    return (
        struct pacl_place){ .memory = PACL_MEMORY_PINNED, .registered = true, .base = range.base, .size = range.size };
}

_Thread_local struct pacl_place_memo pacl_place_memos[2];

const struct pacl_place *pacl_place_look(const void *p, enum pacl_side side)
{
    struct pacl_place_memo *memo = &pacl_place_memos[side];
    memo->epoch = pacl_load_acquire(&pacl_memory_epoch);
    memo->place = pacl_place_of(p);
    if (memo->place.mapped)
        memo->epoch = 0; /* never the count: access to mapped memory changes without it */
    return &memo->place;
}

const char *pacl_memory_name(enum pacl_memory memory)
{
    static const char *const names[] = { "pageable host memory", "pinned host memory", "device memory",
                                         "managed memory" };
    return names[memory];
}

uint8_t *pacl_engine_view(const void *p)
{
    const struct pacl_arena *arena = pacl_arena_of(p);
    struct pacl_piece piece;
    uint8_t *at = (uint8_t *)(uintptr_t)p;
    if (__builtin_expect(arena != NULL, 1))
        return at + pacl_arena_view(arena);
    return pacl_vmm_find(p, &piece) ? at + piece.view : at;
}
