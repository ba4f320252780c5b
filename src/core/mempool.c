/* SPDX-License-Identifier: Apache-2.0 */
#include "core/mempool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "core/device.h"
#include "core/memory.h"
#include "core/stream.h"
#include "core/token.h"

enum { BUCKETS = 4096, ROUNDING = 32 };

/* Guarded by lock, as blocks and the table. */
struct mempool {
    struct pacl_list link, free; /* free: blocks, oldest first */
    struct pacl_device *device;
    uint64_t max_size, threshold;
    uint64_t used, used_high, reserved, reserved_high; /* bytes; reserved: with the free ones */
    int32_t follow_events, opportunistic, internal;    /* reuse flags */
    uint32_t live;                                     /* blocks that the program has */
    bool destroyed;
};

/* A block. Free, it says where it was freed. */
struct block {
    struct pacl_list in_bucket, in_free;
    struct mempool *pool;
    void *at;
    size_t size;
    bool is_free;
    const struct pacl_stream *stream;
    const void *stream_handle;
    uint64_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* not held while memory is allocated or freed */
static struct pacl_list pools = { &pools, &pools };
static struct pacl_list table[BUCKETS];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;
_Atomic uint32_t pacl_mempool_blocks;

/* --- blocks (under the lock) -------------------------------------------------------------------------------------- */

static void make_table(void)
{
    for (unsigned i = 0; i < BUCKETS; i++)
        pacl_list_init(&table[i]);
}

static struct pacl_list *bucket_of(const void *p)
{
    pthread_once(&table_once, make_table);
    return &table[((uintptr_t)p >> 6) * 0x9E3779B97F4A7C15U >> 52];
}

static struct block *find(const void *p)
{
    struct pacl_list *bucket = bucket_of(p);
    PACL_LIST_EACH(node, bucket)
    {
        struct block *b = PACL_CONTAINER(node, struct block, in_bucket);
        if (b->at == p)
            return b;
    }
    return NULL;
}

static void count_used(struct mempool *pool, uint64_t bytes)
{
    pool->live++;
    pool->used += bytes;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
}

static void count_reserved(struct mempool *pool, uint64_t bytes)
{
    pool->reserved += bytes;
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
}

static void drop_if_over(struct mempool *pool)
{
    if (!pool->destroyed || pool->live > 0 || !pacl_list_empty(&pool->free))
        return;
    pacl_list_remove(&pool->link);
    free(pool);
}

/* The table and the pool forget the block; its memory is the caller's. */
static void forget(struct block *b)
{
    struct mempool *pool = b->pool;
    pacl_list_remove(&b->in_bucket);
    if (b->is_free) {
        pacl_list_remove(&b->in_free);
    } else {
        pool->live--;
        pool->used -= b->size;
    }
    pool->reserved -= b->size;
    pacl_sub_seq_cst(&pacl_mempool_blocks, 1);
    drop_if_over(pool);
}

static bool is_reached(const struct block *b)
{
    return pacl_stream_reached(b->stream, b->number);
}

/* Moves free blocks whose place has been reached to `out`, oldest first, until the pool has no more than `keep`. Pools that
 * were destroyed have no free blocks, so none goes here. */
static void collect(struct mempool *pool, uint64_t keep, struct pacl_list *out)
{
    PACL_LIST_EACH(node, &pool->free)
    {
        struct block *b = PACL_CONTAINER(node, struct block, in_free);
        if (pool->reserved <= keep)
            return;
        if (!is_reached(b))
            continue;
        forget(b);
        pacl_list_append(out, &b->in_free);
    }
}

/* Without the lock. */
static bool give_back(struct pacl_list *blocks)
{
    const bool any = !pacl_list_empty(blocks);
    PACL_LIST_EACH(node, blocks)
    {
        struct block *b = PACL_CONTAINER(node, struct block, in_free);
        pacl_list_remove(node);
        (void)pacl_memory_free_device(b->at);
        free(b);
    }
    return any;
}

/* --- pools -------------------------------------------------------------------------------------------------------- */

/* Under the lock. */
static aclError pool_of(aclrtMemPool handle, struct mempool **out)
{
    struct pacl_token *token;
    const aclError err = pacl_token_find(handle, PACL_TOKEN_MEMPOOL, "memPool", &token);
    if (err == ACL_SUCCESS)
        *out = token->data;
    return err;
}

aclError pacl_mempool_create(struct pacl_device *device, size_t max_size, aclrtMemPool *out)
{
    struct mempool *pool = calloc(1, sizeof *pool);
    void *handle = pool != NULL ? pacl_token_create(PACL_TOKEN_MEMPOOL, pool, sizeof *pool) : NULL;
    if (handle == NULL) {
        free(pool);
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note a pool");
    }
    *pool = (struct mempool){ .device = device,
                              .max_size = max_size > 0 ? max_size : UINT64_MAX,
                              .follow_events = 1,
                              .opportunistic = 1,
                              .internal = 1 };
    pacl_list_init(&pool->free);
    pthread_mutex_lock(&lock);
    pacl_list_append(&pools, &pool->link);
    pthread_mutex_unlock(&lock);
    *out = handle;
    return ACL_SUCCESS;
}

/* Memory that queued work names is kept by that work. */
aclError pacl_mempool_destroy(aclrtMemPool handle)
{
    struct mempool *pool;
    struct pacl_list unused;
    pacl_list_init(&unused);
    pthread_mutex_lock(&lock);
    aclError err = pool_of(handle, &pool);
    if (err == ACL_SUCCESS)
        err = pacl_token_destroy(handle, PACL_TOKEN_MEMPOOL, "memPool");
    if (err == ACL_SUCCESS) {
        PACL_LIST_EACH(node, &pool->free)
        {
            struct block *b = PACL_CONTAINER(node, struct block, in_free);
            forget(b);
            pacl_list_append(&unused, &b->in_free);
        }
        pool->destroyed = true;
        drop_if_over(pool);
    }
    pthread_mutex_unlock(&lock);
    (void)give_back(&unused);
    return err;
}

static aclError set(struct mempool *pool, aclrtMemPoolAttr attribute, const void *value)
{
    int32_t flag;
    uint64_t number;
    memcpy(&flag, value, sizeof flag);
    switch (attribute) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        pool->follow_events = flag;
        return ACL_SUCCESS;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
        pool->opportunistic = flag;
        return ACL_SUCCESS;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->internal = flag;
        return ACL_SUCCESS;
    default:
        break;
    }
    memcpy(&number, value, sizeof number);
    if (attribute == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD)
        pool->threshold = number;
    else if (attribute == ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH && number == 0)
        pool->reserved_high = pool->reserved;
    else if (attribute == ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH && number == 0)
        pool->used_high = pool->used;
    else
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "attr %d cannot be set to %llu; the highest values can be set to 0, current ones not at all",
                         (int)attribute, (unsigned long long)number);
    return ACL_SUCCESS;
}

static bool is_attribute(aclrtMemPoolAttr attribute)
{
    return attribute >= ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
           attribute <= ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH;
}

static aclError refuse_attribute(aclrtMemPoolAttr attribute)
{
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "attr %d is not one of 1 to 8", (int)attribute);
}

aclError pacl_mempool_set(aclrtMemPool handle, aclrtMemPoolAttr attribute, const void *value)
{
    struct mempool *pool;
    if (!is_attribute(attribute))
        return refuse_attribute(attribute);
    pthread_mutex_lock(&lock);
    aclError err = pool_of(handle, &pool);
    if (err == ACL_SUCCESS)
        err = set(pool, attribute, value);
    pthread_mutex_unlock(&lock);
    return err;
}

static void get(const struct mempool *pool, aclrtMemPoolAttr attribute, void *value)
{
    const int32_t flags[] = { pool->follow_events, pool->opportunistic, pool->internal };
    const uint64_t numbers[] = { pool->threshold, pool->reserved, pool->reserved_high, pool->used, pool->used_high };
    if (attribute < ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD)
        memcpy(value, &flags[attribute - ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES], sizeof flags[0]);
    else
        memcpy(value, &numbers[attribute - ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD], sizeof numbers[0]);
}

aclError pacl_mempool_get(aclrtMemPool handle, aclrtMemPoolAttr attribute, void *value)
{
    struct mempool *pool;
    if (!is_attribute(attribute))
        return refuse_attribute(attribute);
    pthread_mutex_lock(&lock);
    const aclError err = pool_of(handle, &pool);
    if (err == ACL_SUCCESS)
        get(pool, attribute, value);
    pthread_mutex_unlock(&lock);
    return err;
}

/* --- allocation --------------------------------------------------------------------------------------------------- */

/* The newest block that fits: what the stream itself freed, or what every stream may have. */
static struct block *take_free(struct mempool *pool, size_t size, const void *stream_handle)
{
    struct block *found = NULL;
    PACL_LIST_EACH(node, &pool->free)
    {
        struct block *b = PACL_CONTAINER(node, struct block, in_free);
        const bool usable = b->stream_handle == stream_handle || (pool->opportunistic != 0 && is_reached(b));
        if (b->size == size && usable)
            found = b;
    }
    if (found == NULL)
        return NULL;
    pacl_list_remove(&found->in_free);
    found->is_free = false;
    count_used(pool, size);
    return found;
}

/* Reserves the bytes in the pool's books, so that nobody else takes them meanwhile. */
static bool reserve(struct mempool *pool, size_t size, struct pacl_list *unused)
{
    if (size > pool->max_size)
        return false;
    if (pool->reserved > pool->max_size - size)
        collect(pool, pool->max_size - size, unused);
    if (pool->reserved > pool->max_size - size)
        return false;
    count_reserved(pool, size);
    count_used(pool, size);
    return true;
}

static void unreserve(struct mempool *pool, size_t size)
{
    pool->reserved -= size;
    pool->used -= size;
    pool->live--;
    drop_if_over(pool);
}

/* Without the lock; the pool is kept by what was reserved. */
static aclError make_block(struct mempool *pool, size_t size, void **out)
{
    struct block *b = calloc(1, sizeof *b);
    const size_t room = (size + ROUNDING - 1) / ROUNDING * ROUNDING;
    aclError err = b != NULL ? pacl_memory_alloc_device(pool->device, size, room, ACL_MEM_MALLOC_HUGE_FIRST, out)
                             : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note a block");
    pthread_mutex_lock(&lock);
    if (err == ACL_SUCCESS) {
        *b = (struct block){ .pool = pool, .at = *out, .size = size };
        pacl_list_init(&b->in_free);
        pacl_list_append(bucket_of(*out), &b->in_bucket);
        pacl_add_seq_cst(&pacl_mempool_blocks, 1);
    } else {
        unreserve(pool, size);
    }
    pthread_mutex_unlock(&lock);
    if (err != ACL_SUCCESS)
        free(b);
    return err;
}

aclError pacl_mempool_alloc(aclrtMemPool handle, size_t size, const struct pacl_stream *stream, const void *own,
                            void **out)
{
    struct mempool *pool;
    struct block *b = NULL;
    struct pacl_list unused;
    (void)stream;
    pacl_list_init(&unused);
    if (size > SIZE_MAX - ROUNDING)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "size %zu does not fit into any memory", size);
    pthread_mutex_lock(&lock);
    aclError err = pool_of(handle, &pool);
    if (err == ACL_SUCCESS)
        b = take_free(pool, size, own);
    if (b != NULL)
        *out = b->at;
    else if (err == ACL_SUCCESS && !reserve(pool, size, &unused))
        err = PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                        "size %zu does not fit: the pool has at most %llu bytes, of which %llu are reserved", size,
                        (unsigned long long)pool->max_size, (unsigned long long)pool->reserved);
    pthread_mutex_unlock(&lock);
    (void)give_back(&unused);
    return err != ACL_SUCCESS || b != NULL ? err : make_block(pool, size, out);
}

/* Under the lock. */
static void free_later(struct block *b, const struct pacl_stream *stream, const void *own)
{
    struct mempool *pool = b->pool;
    b->is_free = true;
    b->stream = stream;
    b->stream_handle = own;
    b->number = pacl_stream_queued(stream);
    pool->live--;
    pool->used -= b->size;
    pacl_list_append(&pool->free, &b->in_free);
}

bool pacl_mempool_free(void *p, struct pacl_stream *stream, const void *own, aclError *err)
{
    struct pacl_list unused;
    *err = ACL_SUCCESS;
    pacl_list_init(&unused);
    pthread_mutex_lock(&lock);
    struct block *b = pacl_mempools_any() ? find(p) : NULL;
    if (b != NULL && b->is_free) {
        *err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "ptr %p was freed before", p);
    } else if (b != NULL && b->pool->destroyed) {
        forget(b); /* queued work that names it keeps it */
        pacl_list_append(&unused, &b->in_free);
    } else if (b != NULL) {
        free_later(b, stream, own);
    }
    pthread_mutex_unlock(&lock);
    (void)give_back(&unused);
    return b != NULL;
}

/* --- giving back -------------------------------------------------------------------------------------------------- */

aclError pacl_mempool_trim(aclrtMemPool handle, size_t keep)
{
    struct mempool *pool;
    struct pacl_list unused;
    pacl_list_init(&unused);
    pthread_mutex_lock(&lock);
    const aclError err = pool_of(handle, &pool);
    if (err == ACL_SUCCESS)
        collect(pool, keep, &unused);
    pthread_mutex_unlock(&lock);
    (void)give_back(&unused);
    return err;
}

static bool trim_all(bool to_threshold)
{
    struct pacl_list unused;
    pacl_list_init(&unused);
    pthread_mutex_lock(&lock);
    PACL_LIST_EACH(node, &pools)
    {
        struct mempool *pool = PACL_CONTAINER(node, struct mempool, link);
        collect(pool, to_threshold ? pool->threshold : 0, &unused);
    }
    pthread_mutex_unlock(&lock);
    return give_back(&unused);
}

void pacl_mempools_settle(void)
{
    if (pacl_mempools_any())
        (void)trim_all(true);
}

bool pacl_mempools_give_back(void)
{
    return pacl_mempools_any() && trim_all(false);
}

bool pacl_mempool_forget(const void *p)
{
    if (!pacl_mempools_any())
        return true;
    pthread_mutex_lock(&lock);
    struct block *b = find(p);
    const bool is_free = b != NULL && b->is_free;
    if (b != NULL && !is_free)
        forget(b);
    pthread_mutex_unlock(&lock);
    if (!is_free)
        free(b);
    return !is_free;
}
