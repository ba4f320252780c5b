/* SPDX-License-Identifier: Apache-2.0 */
#include "check/ledger.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "core/place.h"

enum { BUCKETS = 1 << 14, ENDED_KEPT = 1 << 14 };

struct entry {
    struct entry *next;     /* in its bucket */
    struct pacl_list order; /* of all that live */
    struct pacl_owned owned;
};

static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct entry *buckets[BUCKETS];
    struct pacl_list order;
    struct pacl_owned *ended; /* a ring of ENDED_KEPT; NULL before the first */
    uint64_t ended_count;     /* ever */
} ledger = { .lock = PTHREAD_MUTEX_INITIALIZER, .order = { &ledger.order, &ledger.order } };

static struct entry **bucket_of(uintptr_t key)
{
    return &ledger.buckets[(uint64_t)key * 0x9e3779b97f4a7c15 >> (64 - 14)];
}

static struct entry **find(uintptr_t key)
{
    struct entry **at = bucket_of(key);
    while (*at != NULL && (*at)->owned.key != key)
        at = &(*at)->next;
    return at;
}

void pacl_ledger_begin(enum pacl_owned_kind kind, uintptr_t key, size_t size, uint32_t id)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return;
    entry->owned =
        (struct pacl_owned){ .kind = kind, .id = id, .key = key, .size = size, .begun = pacl_site_capture() };
    pthread_mutex_lock(&ledger.lock);
    struct entry **bucket = bucket_of(key);
    entry->next = *bucket;
    *bucket = entry;
    pacl_list_append(&ledger.order, &entry->order);
    pthread_mutex_unlock(&ledger.lock);
}

/* Under the lock. */
static void remember(const struct pacl_owned *owned, const struct pacl_site *site)
{
    if (ledger.ended == NULL)
        ledger.ended = calloc(ENDED_KEPT, sizeof *ledger.ended);
    if (ledger.ended == NULL)
        return;
    struct pacl_owned *to = &ledger.ended[ledger.ended_count++ % ENDED_KEPT];
    *to = *owned;
    to->ended = site;
    to->ended_by = pacl_self.call;
}

void pacl_ledger_end(uintptr_t key)
{
    const struct pacl_site *site = pacl_site_capture();
    pthread_mutex_lock(&ledger.lock);
    struct entry **at = find(key), *entry = *at;
    if (entry != NULL) {
        *at = entry->next;
        pacl_list_remove(&entry->order);
        remember(&entry->owned, site);
    }
    pthread_mutex_unlock(&ledger.lock);
    free(entry);
}

bool pacl_ledger_find(uintptr_t key, struct pacl_owned *out)
{
    pthread_mutex_lock(&ledger.lock);
    const struct entry *entry = *find(key);
    if (entry != NULL)
        *out = entry->owned;
    pthread_mutex_unlock(&ledger.lock);
    return entry != NULL;
}

/* The newest that holds `at`. Under the lock. */
static const struct pacl_owned *ended_around(uintptr_t at)
{
    const uint64_t kept = ledger.ended_count < ENDED_KEPT ? ledger.ended_count : ENDED_KEPT;
    for (uint64_t i = 1; i <= kept; i++) {
        const struct pacl_owned *owned = &ledger.ended[(ledger.ended_count - i) % ENDED_KEPT];
        if (owned->key == at || at - owned->key < owned->size)
            return owned;
    }
    return NULL;
}

static bool copy_ended(uintptr_t at, struct pacl_owned *out)
{
    pthread_mutex_lock(&ledger.lock);
    const struct pacl_owned *owned = ended_around(at);
    if (owned != NULL)
        *out = *owned;
    pthread_mutex_unlock(&ledger.lock);
    return owned != NULL;
}

bool pacl_ledger_find_ended(uintptr_t key, struct pacl_owned *out)
{
    return copy_ended(key, out) && out->key == key;
}

const char *pacl_owned_name(enum pacl_owned_kind kind)
{
    static const char *const names[] = {
        "device memory", "pinned host memory", "registered host memory", "stream", "event", "context", "notify", "graph"
    };
    return names[kind];
}

struct pacl_check_memory pacl_owned_memory(const struct pacl_owned *owned)
{
    return (struct pacl_check_memory){ .base = (const void *)owned->key,
                                       .size = owned->size,
                                       .kind = pacl_owned_name(owned->kind),
                                       .allocated = owned->begun,
                                       .freed = owned->ended };
}

bool pacl_ledger_ended_memory(const void *p, struct pacl_check_memory *out)
{
    struct pacl_owned owned;
    if (!copy_ended((uintptr_t)p, &owned) || owned.size == 0)
        return false;
    *out = pacl_owned_memory(&owned);
    return true;
}

bool pacl_ledger_memory(const void *p, struct pacl_check_memory *out)
{
    struct pacl_owned owned;
    const struct pacl_place place = pacl_place_of(p);
    if (place.size == 0 || !pacl_ledger_find((uintptr_t)place.base, &owned))
        return pacl_ledger_ended_memory(p, out);
    *out = pacl_owned_memory(&owned);
    return true;
}

void pacl_ledger_each(void (*tell)(void *context, struct pacl_owned *owned), void *context)
{
    pthread_mutex_lock(&ledger.lock);
    PACL_LIST_EACH(node, &ledger.order)
    tell(context, &PACL_CONTAINER(node, struct entry, order)->owned);
    pthread_mutex_unlock(&ledger.lock);
}
