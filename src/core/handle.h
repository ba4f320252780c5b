/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles that survive misuse. A handle is a number, never an address that is followed: kind, generation and index of
 * a slot. A slot's object stays in memory for the life of the process, so looking up a stale, foreign or made-up value
 * is safe and answers NULL. Bits 56 and up are set, so no handle equals an address.
 *
 *   bits 0..3 zero | 4..23 index | 24..55 generation | 56..61 kind
 */
#ifndef PACL_CORE_HANDLE_H
#define PACL_CORE_HANDLE_H

#include <pthread.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/list.h"

enum pacl_kind {
    PACL_KIND_CONTEXT = 1,
    PACL_KIND_STREAM,
    PACL_KIND_EVENT,
    PACL_KIND_PHYSICAL,
    PACL_KIND_NOTIFY,
    PACL_KIND_TOKEN,
    PACL_KIND_GRAPH,
    PACL_KIND_GRAPH_PART
};

/* First member of every object that has a handle. */
struct pacl_object {
    _Atomic uint64_t handle; /* 0 while the slot is free or its object is going away */
    uint32_t generation;     /* of the last handle; guarded by the pool's lock */
    uint32_t index;          /* constant */
    struct pacl_list free;   /* in the pool's free list; guarded by the pool's lock */
};

enum {
    PACL_POOL_CHUNK = 64,    /* objects allocated together */
    PACL_POOL_MAX = 1 << 20, /* what the index can name */
    PACL_POOL_CHUNKS = PACL_POOL_MAX / PACL_POOL_CHUNK,
};

struct pacl_pool {
    enum pacl_kind kind;
    size_t object_size;
    pthread_mutex_t lock;
    struct pacl_list free;  /* oldest first: a slot rests as long as possible before it gets a new generation */
    _Atomic uint32_t count; /* slots ever made, and the bound of every look-up */
    _Atomic(char *) chunks[PACL_POOL_CHUNKS];
};

extern struct pacl_pool pacl_contexts, pacl_streams, pacl_events, pacl_physicals, pacl_notifies, pacl_tokens;

void pacl_pools_init(void);

/* Makes every handle invalid, without locks: for the child of a fork. */
void pacl_pools_forget(void);

/* A zeroed or formerly used object without a handle, or NULL when memory is short. */
void *pacl_pool_take(struct pacl_pool *pool);

/* True if the pool has as many slots as a handle can name: when take() fails then, memory is not what is short. */
static inline bool pacl_pool_is_full(const struct pacl_pool *pool)
{
    return pacl_load_acquire(&pool->count) == PACL_POOL_MAX;
}

/* Gives the object a handle: from here on others can find it. */
void *pacl_object_open(struct pacl_pool *pool, struct pacl_object *object);

/* Withdraws the handle: no later look-up finds the object. False if the object does not have it any more, so that one of
 * two closers wins and a slot's next object is safe from a late one. */
bool pacl_object_close(struct pacl_object *object, const void *handle);

/* Back to the pool; nobody may hold the object. */
void pacl_pool_give(struct pacl_pool *pool, struct pacl_object *object);

/* The object in slot `index`, open or not; NULL past the end. */
static inline void *pacl_pool_at(struct pacl_pool *pool, uint32_t index)
{
    if (index >= pacl_load_acquire(&pool->count))
        return NULL;
    return pacl_load_relaxed(&pool->chunks[index / PACL_POOL_CHUNK]) + index % PACL_POOL_CHUNK * pool->object_size;
}

/* The open object that the handle names, or NULL. It may be closed at any time by another thread; its memory stays.
 * Acquire, paired with the release in pacl_object_open: who finds the object sees it complete. */
static inline void *pacl_pool_find(struct pacl_pool *pool, const void *handle)
{
    const uint64_t value = (uint64_t)(uintptr_t)handle;
    struct pacl_object *object = pacl_pool_at(pool, (uint32_t)(value >> 4) & (PACL_POOL_MAX - 1));
    if (value == 0 || object == NULL || pacl_load_acquire(&object->handle) != value)
        return NULL;
    return object;
}

/* What a handle's number is made of. */
static inline uint64_t pacl_handle_value(enum pacl_kind kind, uint32_t generation, uint32_t index)
{
    return (uint64_t)kind << 56 | (uint64_t)generation << 24 | (uint64_t)index << 4;
}

/* For a call that refuses the handle, which it tells the observer: "an event", "a stream", "a context", "a notify" if the
 * handle names an open one, else "nothing that exists": for messages. */
const char *pacl_handle_names(const void *handle);

static inline void *pacl_object_handle(const struct pacl_object *object)
{
    return (void *)(uintptr_t)pacl_load_relaxed(&object->handle);
}

#endif
