/* SPDX-License-Identifier: Apache-2.0 */
#include "check/region.h"

#include <stdlib.h>

#include "core/place.h"
#include "core/runtime.h"

enum { BUCKETS_LEAST = 256 };

static struct pacl_check_region **buckets;
static size_t bucket_count, region_count; /* bucket_count is a power of two */

/* Allocations begin at multiples of 64; large ones at multiples of 2 MiB. */
static size_t bucket_of(const uint8_t *base, size_t count)
{
    return (size_t)((uint64_t)(uintptr_t)base * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (count - 1);
}

static bool grow(void)
{
    const size_t larger = bucket_count == 0 ? BUCKETS_LEAST : 2 * bucket_count;
    struct pacl_check_region **grown = calloc(larger, sizeof(struct pacl_check_region *));
    if (grown == NULL)
        return bucket_count > 0;
    for (size_t i = 0; i < bucket_count; i++) {
        while (buckets[i] != NULL) {
            struct pacl_check_region *region = buckets[i];
            struct pacl_check_region **to = &grown[bucket_of(region->is.base, larger)];
            buckets[i] = region->next;
            region->next = *to;
            *to = region;
        }
    }
    free(buckets);
    buckets = grown;
    bucket_count = larger;
    return true;
}

static struct pacl_check_region **link_of(const uint8_t *base)
{
    struct pacl_check_region **link = &buckets[bucket_of(base, bucket_count)];
    while (*link != NULL && (*link)->is.base != base)
        link = &(*link)->next;
    return link;
}

static void discard(struct pacl_check_region **link)
{
    struct pacl_check_region *region = *link;
    if (region == NULL)
        return; /* never: both callers have found it */
    *link = region->next;
    region_count--;
    pacl_history_clear(&region->history);
    pacl_written_set_all(&region->written);
    free(region);
}

struct pacl_check_region *pacl_check_region_at(const uint8_t *base)
{
    return bucket_count > 0 ? *link_of(base) : NULL;
}

/* What the host can write without a call is not known to be unwritten. */
static bool host_may_write(const struct pacl_region *is)
{
    return is->memory != PACL_MEMORY_DEVICE || pacl_runtime()->access == PACL_ACCESS_OPEN;
}

struct pacl_check_region *pacl_check_region_add(const struct pacl_region *is, const struct pacl_site *site)
{
    if (region_count >= bucket_count && !grow())
        return NULL;
    struct pacl_check_region **link = link_of(is->base);
    if (*link != NULL)
        discard(link);
    struct pacl_check_region *region = calloc(1, sizeof *region);
    if (region == NULL)
        return NULL;
    region->is = *is;
    region->allocated = site;
    region->written.all = host_may_write(is);
    region->next = buckets[bucket_of(is->base, bucket_count)];
    buckets[bucket_of(is->base, bucket_count)] = region;
    region_count++;
    return region;
}

struct pacl_check_region *pacl_check_region_find(const void *p)
{
    const struct pacl_place place = pacl_place_of(p);
    if (place.size == 0 || (size_t)((const uint8_t *)p - place.base) >= place.size)
        return NULL;
    struct pacl_check_region *region = pacl_check_region_at(place.base);
    if (region != NULL)
        return region;
    const struct pacl_region is = { .base = place.base,
                                    .size = place.size,
                                    .memory = place.memory,
                                    .device = place.device,
                                    .registered = place.registered };
    region = pacl_check_region_add(&is, NULL);
    if (region != NULL)
        region->written.all = true;
    return region;
}

struct pacl_check_memory pacl_check_region_says(const struct pacl_check_region *region)
{
    return (struct pacl_check_memory){ .base = region->is.base,
                                       .size = region->is.size,
                                       .kind = region->is.registered ? "registered host memory"
                                                                     : pacl_memory_name(region->is.memory),
                                       .allocated = region->allocated };
}

void pacl_check_region_free(struct pacl_check_region *region)
{
    discard(link_of(region->is.base));
}

void pacl_check_region_each(pacl_check_region_fn *tell, void *context)
{
    for (size_t i = 0; i < bucket_count; i++) {
        for (struct pacl_check_region *region = buckets[i], *next; region != NULL; region = next) {
            next = region->next;
            tell(context, region);
        }
    }
}
