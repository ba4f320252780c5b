/* SPDX-License-Identifier: Apache-2.0 */
/* The allocations and registered ranges that are alive, and what happened in them.
 * Guarded by the checker's lock. */
#ifndef PACL_CHECK_REGION_H
#define PACL_CHECK_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/finding.h"
#include "check/history.h"
#include "check/written.h"
#include "core/observer.h"

struct pacl_check_region {
    struct pacl_check_region *next; /* in its bucket */
    struct pacl_region is;
    const struct pacl_site *allocated;
    struct pacl_history history;
    struct pacl_written written;
};

/* NULL when memory is short. Replaces what began at the same address. */
struct pacl_check_region *pacl_check_region_add(const struct pacl_region *is, const struct pacl_site *site);

/* The region around an address that PACL gave out or that is registered; NULL for any other. One that nobody announced
 * is taken for written. */
struct pacl_check_region *pacl_check_region_find(const void *p);

/* The one that begins at `base`, or NULL. */
struct pacl_check_region *pacl_check_region_at(const uint8_t *base);

void pacl_check_region_free(struct pacl_check_region *region);

/* Each that is alive, in no order. */
typedef void pacl_check_region_fn(void *context, struct pacl_check_region *region);
void pacl_check_region_each(pacl_check_region_fn *tell, void *context);

/* For a finding. */
struct pacl_check_memory pacl_check_region_says(const struct pacl_check_region *region);

#endif
