/* SPDX-License-Identifier: Apache-2.0 */
#include "core/product.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define Y 1
#define N 0

/* Families and support of the 2D copies [S]; SoC names, memory and limits [C][D]; numbers of devices [P]. */
static const struct pacl_product products[] = {
    /* name, family, soc_name, form, memory, memory_bytes, devices, streams, events, notifies, cores: ai, vector,
     * runs on device, 2D: h2d, d2h, d2d */
    { "atlas-350", "Atlas 350 accelerator card", "Ascend950PR_9589", "EP", "HBM", 137438953472, 1, 1984, 65536, 65535,
      0, 0, N, Y, Y, Y },
    { "atlas-a3", "Atlas A3 training/inference", "Ascend910_9391", "EP", "HBM", 68719476736, 16, 1984, 65536, 8192, 0,
      0, N, Y, Y, Y },
    { "atlas-a2", "Atlas A2 training/inference", "Ascend910B1", "EP", "HBM", 68719476736, 8, 1984, 65536, 8192, 24, 48,
      N, Y, Y, Y },
    { "atlas-training", "Atlas training series", "Ascend910A", "EP", "HBM", 34359738368, 8, 2048, 65535, 1024, 32, 0, N,
      Y, Y, N },
    { "atlas-inference", "Atlas inference series", "Ascend310P3", "EP", "DDR", 24000000000, 1, 1024, 1023, 1024, 8, 7,
      N, Y, Y, N },
    { "atlas-inference-module", "Atlas inference series, acceleration module", "Ascend310P3", "EP", "DDR", 24000000000,
      1, 1024, 1023, 1024, 8, 7, N, N, N, N },
    { "atlas-inference-ctrlcpu", "Atlas inference series, open Control CPU", "Ascend310P3", "CTRLCPU", "DDR",
      24000000000, 1, 1024, 1023, 1024, 8, 7, Y, N, N, N },
    { "atlas-200i-500-a2", "Atlas 200I/500 A2 inference", "Ascend310B1", "EP", "DDR", 34359738368, 1, 512, 65536, 2048,
      1, 1, N, Y, Y, N },
    { "atlas-200i-500-a2-rc", "Atlas 200I/500 A2 inference, RC form", "Ascend310B1", "RC", "DDR", 34359738368, 1, 512,
      65536, 2048, 1, 1, Y, N, N, N },
};

#undef Y
#undef N

size_t pacl_product_count(void)
{
    return sizeof products / sizeof products[0];
}

const struct pacl_product *pacl_product_at(size_t index)
{
    return index < pacl_product_count() ? &products[index] : NULL;
}

const struct pacl_product *pacl_product_find(const char *name)
{
    for (size_t i = 0; i < pacl_product_count(); i++) {
        if (strcmp(products[i].name, name) == 0)
            return &products[i];
    }
    return NULL;
}

static char names[512];

static void join_names(void)
{
    size_t used = 0;
    for (size_t i = 0; i < pacl_product_count(); i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", products[i].name);
}

const char *pacl_product_names(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, join_names);
    return names;
}

bool pacl_product_has_copy2d(const struct pacl_product *product)
{
    return product->copy2d_h2d || product->copy2d_d2h || product->copy2d_d2d;
}

bool pacl_product_pads_malloc(const struct pacl_product *product)
{
    return strncmp(product->soc_name, "Ascend950", 9) != 0;
}

/* The same three families that copy from device to device in 2D. */
bool pacl_product_has_newest_calls(const struct pacl_product *product)
{
    return product->copy2d_d2d;
}

bool pacl_product_shares_memory(const struct pacl_product *product)
{
    return strncmp(product->soc_name, "Ascend310B", 10) != 0;
}

/* How the names of a family's chips begin [C]. The bare "Ascend910B" is no Atlas A2, "Ascend910B1" is: longer first. */
static const struct {
    const char *prefix;
    int family;
} families[] = {
    { "Ascend350_", 0 },  { "Ascend950", 0 },   { "Ascend910_93", 1 }, { "Ascend910B1", 2 }, { "Ascend910B2", 2 },
    { "Ascend910B3", 2 }, { "Ascend910B4", 2 }, { "Ascend910", 3 },    { "Ascend310P", 4 },  { "Ascend310B", 5 },
};

static int family_of(const char *soc_name)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (strncmp(soc_name, families[i].prefix, strlen(families[i].prefix)) == 0)
            return families[i].family;
    }
    return -1;
}

bool pacl_product_same_chip(const struct pacl_product *product, const char *soc_name)
{
    return family_of(soc_name) == family_of(product->soc_name);
}

static bool is_of(const struct pacl_product *product, const char *soc)
{
    return strncmp(product->soc_name, soc, strlen(soc)) == 0;
}

bool pacl_product_takes_addresses(const struct pacl_product *product)
{
    return !is_of(product, "Ascend950");
}

bool pacl_product_captures(const struct pacl_product *product)
{
    return !is_of(product, "Ascend310B") && !is_of(product, "Ascend910A");
}

bool pacl_product_has_descriptors(const struct pacl_product *product)
{
    return !is_of(product, "Ascend310P") && !is_of(product, "Ascend910A");
}

bool pacl_product_copies_by_cells(const struct pacl_product *product)
{
    return !is_of(product, "Ascend310");
}

bool pacl_product_has_managed(const struct pacl_product *product)
{
    return strncmp(product->soc_name, "Ascend910B", 10) == 0 || strncmp(product->soc_name, "Ascend910_93", 12) == 0;
}

bool pacl_product_has_ipc_events(const struct pacl_product *product)
{
    return pacl_product_has_managed(product) || strncmp(product->soc_name, "Ascend950PR", 11) == 0;
}

bool pacl_product_has_pools(const struct pacl_product *product)
{
    return strncmp(product->soc_name, "Ascend910B", 10) == 0;
}
