/* SPDX-License-Identifier: Apache-2.0 */
#include "core/memory.h"

#include "base/error.h"
#include "base/log.h"
#include "core/arena.h"
#include "core/calls.h"
#include "core/device.h"
#include "core/hostmem.h"
#include "core/ipc_memory.h"
#include "core/managed.h"
#include "core/mempool.h"
#include "core/observer.h"
#include "core/place.h"
#include "os/os.h"

/* --- accounting -------------------------------------------------------------------------------------------------- */

enum { ROUNDING = 32 };

/* The policy without its band and access bits, as the arena keeps it. */
static unsigned base_policy(uint32_t policy)
{
    const uint32_t bits =
        ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH | ACL_MEM_ACCESS_USER_SPACE_READONLY;
    const uint32_t base = policy & ~bits;
    return base < PACL_POLICY_UNKNOWN ? base : PACL_POLICY_UNKNOWN;
}

size_t pacl_memory_page_bytes(size_t size, uint32_t policy)
{
    switch (base_policy(policy)) {
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_HUGE_ONLY_P2P:
        return OS_HUGE_PAGE;
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_FIRST_P2P:
        return size > OS_HUGE_PAGE / 2 ? OS_HUGE_PAGE : OS_PAGE;
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P:
        return (size_t)1 << 30;
    case PACL_POLICY_UNKNOWN:
        return size >= OS_HUGE_PAGE ? OS_HUGE_PAGE : OS_PAGE;
    default:
        return OS_PAGE;
    }
}

/* What an allocation takes from the product's memory: whole huge pages, or its bytes. */
static uint64_t charge(size_t size, uint32_t policy)
{
    const uint64_t page = pacl_memory_page_bytes(size, policy), unit = page > OS_PAGE ? page : ROUNDING;
    return (size + unit - 1) / unit * unit;
}

static bool take_from(struct pacl_device *device, uint64_t bytes)
{
    const uint64_t total = pacl_runtime()->product.memory_bytes;
    uint64_t used = pacl_load_relaxed(&device->memory_used);
    do {
        if (bytes > total || used > total - bytes)
            return false;
    } while (!pacl_cas_seq_cst(&device->memory_used, &used, used + bytes));
    uint64_t peak = pacl_load_relaxed(&device->memory_peak);
    while (peak < used + bytes && !pacl_cas_seq_cst(&device->memory_peak, &peak, used + bytes))
        continue;
    return true;
}

aclError pacl_memory_take(struct pacl_device *device, uint64_t bytes, size_t size)
{
    if (take_from(device, bytes) || (pacl_mempools_give_back() && take_from(device, bytes)))
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                     "size %zu does not fit: device %d has %llu bytes, of which %llu are in use", size, device->id,
                     (unsigned long long)pacl_runtime()->product.memory_bytes,
                     (unsigned long long)pacl_load_relaxed(&device->memory_used));
}

void pacl_memory_give(struct pacl_device *device, uint64_t bytes)
{
    pacl_sub_seq_cst(&device->memory_used, bytes);
}

/* --- queued work ------------------------------------------------------------------------------------------------- */

bool pacl_memory_hold(const void *p)
{
    struct pacl_arena *arena = pacl_arena_of(p);
    return arena == NULL || pacl_arena_hold(arena, p);
}

void pacl_memory_release(const void *p)
{
    struct pacl_arena *arena = pacl_arena_of(p);
    if (arena != NULL && pacl_arena_release(arena, p))
        pacl_arena_recycle(arena, p);
}

/* --- allocation -------------------------------------------------------------------------------------------------- */

aclError pacl_memory_alloc_device(struct pacl_device *device, size_t size, size_t room, uint32_t policy, void **out)
{
    const uint64_t bytes = charge(size, policy);
    aclError err = pacl_call_allocates(size);
    if (err == ACL_SUCCESS)
        err = pacl_memory_take(device, bytes, size);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_arena *arena = pacl_device_arena(device);
    void *p = arena != NULL ? pacl_arena_alloc(arena, size, room, base_policy(policy)) : NULL;
    if (p == NULL) {
        pacl_memory_give(device, bytes);
        return PACL_FAIL(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            "size %zu: no address space, or no file, for device memory; look at ulimit -v, -f and -n, and at what a sandbox denies",
            size);
    }
    PACL_TRACE(MEMORY, "device %d: %zu bytes at %p", device->id, size, p);
    const struct pacl_region region = { .base = p, .size = size, .memory = PACL_MEMORY_DEVICE, .device = device->id };
    PACL_OBSERVE(allocated, &region);
    *out = p;
    return ACL_SUCCESS;
}

aclError pacl_memory_alloc_pinned(size_t size, size_t room, void **out)
{
    const aclError refused = pacl_call_allocates(size);
    if (refused != ACL_SUCCESS)
        return refused;
    if (!pacl_pinned_account(size))
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                         "size %zu does not fit: this machine has %llu bytes, of which %llu are pinned already", size,
                         (unsigned long long)os_memory_bytes(), (unsigned long long)pacl_pinned_live());
    struct pacl_arena *arena = pacl_pinned_arena();
    void *p = arena != NULL ? pacl_arena_alloc(arena, size, room, 0) : NULL;
    if (p == NULL) {
        pacl_pinned_unaccount(size);
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "size %zu: no address space for pinned memory", size);
    }
    PACL_TRACE(MEMORY, "pinned: %zu bytes at %p", size, p);
    const struct pacl_region region = { .base = p, .size = size, .memory = PACL_MEMORY_PINNED, .device = PACL_PINNED };
    PACL_OBSERVE(allocated, &region);
    *out = p;
    return ACL_SUCCESS;
}

static aclError not_a_block(const void *p, enum pacl_memory wanted, const struct pacl_block *block)
{
    const struct pacl_place place = pacl_place_of(p);
    PACL_OBSERVE(free_refused, p, wanted, false);
    const bool other_kind = place.memory != wanted && place.memory != PACL_MEMORY_PAGEABLE;
    if (place.registered)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%p is registered host memory; aclrtHostUnregister ends that", p);
    if (other_kind)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%p is %s; %s frees it", p, pacl_memory_name(place.memory),
                         place.memory == PACL_MEMORY_DEVICE ? "aclrtFree" : "aclrtFreeHost");
    if (block->size > 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "%p lies %zu bytes inside the block at %p; only its start can be freed", p,
                         (size_t)((const uint8_t *)p - block->base), (void *)block->base);
    return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID,
                             "%p is not %s that is allocated; freed before, or never allocated", p,
                             pacl_memory_name(wanted));
}

/* Takes the block from the program, tells the observer, then lets the addresses be used again. Someone who watches must
 * hear of the end before another block begins there, so the block is held until then, as for queued work. */
static bool take_back(struct pacl_arena *arena, void *p, struct pacl_block *block)
{
    const bool held = pacl_is_observed() && pacl_arena_hold(arena, p);
    const bool retired = pacl_arena_retire(arena, p, block);
    if (retired && held) {
        const int device = pacl_arena_device(arena);
        const struct pacl_region region = { .base = block->base,
                                            .size = block->size,
                                            .memory = device == PACL_PINNED ? PACL_MEMORY_PINNED : PACL_MEMORY_DEVICE,
                                            .device = device };
        PACL_OBSERVE(freed, &region);
    }
    if (held)
        pacl_memory_release(p);
    else if (retired && !block->held)
        pacl_arena_recycle(arena, p);
    return retired;
}

aclError pacl_memory_free_device(void *p)
{
    struct pacl_block block = { 0 };
    struct pacl_arena *arena = pacl_arena_of(p);
    if (pacl_arena_is_virtual(p) && pacl_managed_free(p))
        return ACL_SUCCESS;
    if (arena == NULL || pacl_arena_device(arena) == PACL_PINNED) /* may be what names something else's export */
        return not_a_block(p, PACL_MEMORY_DEVICE, &block);
    if (!pacl_mempool_forget(p))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%p was freed to its pool before", p);
    pacl_ipc_memory_freed(p); /* while the address is nobody else's */
    if (!take_back(arena, p, &block))
        return not_a_block(p, PACL_MEMORY_DEVICE, &block);
    struct pacl_device *device;
    if (pacl_device_get(pacl_arena_device(arena), &device) == ACL_SUCCESS)
        pacl_memory_give(device, charge(block.size, block.policy));
    return ACL_SUCCESS;
}

aclError pacl_memory_free_pinned(void *p)
{
    struct pacl_block block = { 0 };
    struct pacl_arena *arena = pacl_arena_of(p);
    if (arena == NULL || pacl_arena_device(arena) != PACL_PINNED || !take_back(arena, p, &block))
        return not_a_block(p, PACL_MEMORY_PINNED, &block);
    pacl_pinned_unaccount(block.size);
    return ACL_SUCCESS;
}
