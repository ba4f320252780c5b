/* SPDX-License-Identifier: Apache-2.0 */
/* The product table: one row per family and form. What differs between products is read from here and nowhere else. */
#ifndef PACL_CORE_PRODUCT_H
#define PACL_CORE_PRODUCT_H

#include <stdbool.h>

#include "pacl/pacl.h"

const struct pacl_product *pacl_product_find(const char *name);

/* "atlas-350, atlas-a3, ..." in static storage. */
const char *pacl_product_names(void);

/* True if the form offers the 2D copy calls at all. */
bool pacl_product_has_copy2d(const struct pacl_product *product);

/* Whether aclrtMalloc adds 32 spare bytes (all but the 950 class). */
bool pacl_product_pads_malloc(const struct pacl_product *product);

/* Whether it captures graphs (310B and 910 do not), has copies that descriptors describe (310P and 910 do not), and copies
 * between addresses that lie in memory (310P and 310B do not) [D]. */
bool pacl_product_captures(const struct pacl_product *product);
bool pacl_product_has_descriptors(const struct pacl_product *product);
bool pacl_product_copies_by_cells(const struct pacl_product *product);

/* Whether the product registers host memory and fills words, as Atlas 350, A3 and A2 do [D]. */
bool pacl_product_has_newest_calls(const struct pacl_product *product);

/* Whether the product has virtual memory, and memory for several processes: all but the 310B class [D]. */
bool pacl_product_shares_memory(const struct pacl_product *product);

/* Whether aclrtReserveMemAddress takes an address that the program wishes: not on the 950 class [D]. */
bool pacl_product_takes_addresses(const struct pacl_product *product);

/* Whether a SoC name, e.g. "Ascend910B3", is one of the product's family. */
bool pacl_product_same_chip(const struct pacl_product *product, const char *soc_name);

/* Whether the product has managed memory: A3 and A2 [D]. */
bool pacl_product_has_managed(const struct pacl_product *product);

/* Whether the product has events for several processes: not the 310B, 310P and 910 classes [D]. */
bool pacl_product_has_ipc_events(const struct pacl_product *product);

/* Whether the product has stream-ordered pools: A2 [D]. */
bool pacl_product_has_pools(const struct pacl_product *product);

#endif
