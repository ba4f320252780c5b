/* SPDX-License-Identifier: Apache-2.0 */
#include "core/handle.h"

#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/notify.h"
#include "core/observer.h"
#include "core/physical.h"
#include "core/stream.h"
#include "core/token.h"

enum { CACHE_LINE = 64 };

struct pacl_pool pacl_contexts, pacl_streams, pacl_events, pacl_physicals, pacl_notifies, pacl_tokens, pacl_graphs,
    pacl_graph_parts;

static void init(struct pacl_pool *pool, enum pacl_kind kind, size_t object_size)
{
    pool->kind = kind;
    pool->object_size = object_size;
    pthread_mutex_init(&pool->lock, NULL);
    pacl_list_init(&pool->free);
}

void pacl_pools_init(void)
{
    init(&pacl_contexts, PACL_KIND_CONTEXT, sizeof(struct pacl_context));
    init(&pacl_streams, PACL_KIND_STREAM, sizeof(struct pacl_stream));
    init(&pacl_events, PACL_KIND_EVENT, sizeof(struct pacl_event));
    init(&pacl_physicals, PACL_KIND_PHYSICAL, sizeof(struct pacl_physical));
    init(&pacl_notifies, PACL_KIND_NOTIFY, sizeof(struct pacl_notify));
    init(&pacl_tokens, PACL_KIND_TOKEN, sizeof(struct pacl_token));
    init(&pacl_graphs, PACL_KIND_GRAPH, sizeof(struct pacl_graph));
    init(&pacl_graph_parts, PACL_KIND_GRAPH_PART, sizeof(struct pacl_part));
}

void pacl_pools_forget(void)
{
    pacl_store_release(&pacl_contexts.count, 0);
    pacl_store_release(&pacl_streams.count, 0);
    pacl_store_release(&pacl_events.count, 0);
    pacl_store_release(&pacl_physicals.count, 0);
    pacl_store_release(&pacl_notifies.count, 0);
    pacl_store_release(&pacl_tokens.count, 0);
    pacl_store_release(&pacl_graphs.count, 0);
    pacl_store_release(&pacl_graph_parts.count, 0);
}

/* Adds a chunk of slots to the free list; false when memory is short or the index is exhausted. Under the pool's lock. */
static bool grow(struct pacl_pool *pool)
{
    const uint32_t count = pacl_load_relaxed(&pool->count);
    if (count == PACL_POOL_MAX)
        return false;
    char *chunk = aligned_alloc(CACHE_LINE, PACL_POOL_CHUNK * pool->object_size); /* object sizes are whole lines */
    if (chunk == NULL)
        return false;
    memset(chunk, 0, PACL_POOL_CHUNK * pool->object_size);
    for (uint32_t i = 0; i < PACL_POOL_CHUNK; i++) {
        struct pacl_object *object = (void *)(chunk + i * pool->object_size);
        object->index = count + i;
        pacl_list_append(&pool->free, &object->free);
    }
    pacl_store_relaxed(&pool->chunks[count / PACL_POOL_CHUNK], chunk);
    pacl_store_release(&pool->count, count + PACL_POOL_CHUNK); /* paired with the acquire in pacl_pool_at */
    return true;
}

void *pacl_pool_take(struct pacl_pool *pool)
{
    struct pacl_object *object = NULL;
    pthread_mutex_lock(&pool->lock);
    if (!pacl_list_empty(&pool->free) || grow(pool)) {
        object = PACL_CONTAINER(pool->free.next, struct pacl_object, free);
        pacl_list_remove(&object->free);
    }
    pthread_mutex_unlock(&pool->lock);
    return object;
}

void *pacl_object_open(struct pacl_pool *pool, struct pacl_object *object)
{
    pthread_mutex_lock(&pool->lock);
    const uint32_t generation = ++object->generation;
    pthread_mutex_unlock(&pool->lock);
    const uint64_t handle = pacl_handle_value(pool->kind, generation, object->index);
    pacl_store_release(&object->handle, handle);
    return (void *)(uintptr_t)handle;
}

bool pacl_object_close(struct pacl_object *object, const void *handle)
{
    uint64_t own = (uint64_t)(uintptr_t)handle;
    return own != 0 && pacl_cas_seq_cst(&object->handle, &own, 0);
}

void pacl_pool_give(struct pacl_pool *pool, struct pacl_object *object)
{
    pthread_mutex_lock(&pool->lock);
    pacl_list_append(&pool->free, &object->free);
    pthread_mutex_unlock(&pool->lock);
}

const char *pacl_handle_names(const void *handle)
{
    PACL_OBSERVE(handle_refused, handle, false);
    if (pacl_pool_find(&pacl_events, handle) != NULL)
        return "an event";
    if (pacl_pool_find(&pacl_streams, handle) != NULL)
        return "a stream";
    if (pacl_pool_find(&pacl_contexts, handle) != NULL)
        return "a context";
    if (pacl_pool_find(&pacl_physicals, handle) != NULL)
        return "physical memory";
    const struct pacl_notify *n = pacl_pool_find(&pacl_notifies, handle);
    if (n != NULL)
        return n->counts ? "a counting notify" : "a notify";
    if (pacl_pool_find(&pacl_graphs, handle) != NULL)
        return "a graph";
    if (pacl_pool_find(&pacl_graph_parts, handle) != NULL)
        return "a stream, task or task group of a graph";
    return "nothing that exists (it was destroyed, or never was a handle)";
}
