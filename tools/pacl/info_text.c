/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl info` for people. */
#include <inttypes.h>
#include <stdio.h>

#include "info.h"
#include "sdk.h"
#include "text.h"

static void print_variable(const char *name, const char *value, void *data)
{
    int *shown = data;

    printf("%-13s%s=%s\n", *shown == 0 ? "environment" : "", name, value);
    ++*shown;
}

static void print_devices(const struct info *info)
{
    char total[SIZE_TEXT_MAX];
    char free[SIZE_TEXT_MAX];

    printf("%-13s%" PRIu32 "\n", "devices", info->device_count);
    for (uint32_t i = 0; i < info->device_count; i++) {
        const struct device_info *device = &info->devices[i];
        printf("  device %-4" PRId32 "%s, %s total, %s free\n", device->id, info->soc_name,
               text_from_size(device->memory_total, total), text_from_size(device->memory_free, free));
    }
}

void info_print_text(const struct info *info)
{
    const struct pacl_product *product = info->product;
    int shown = 0;

    printf("%-13s%s\n", "version", pacl_version());
    printf("%-13s%s\n", "library", sdk_get()->library);
    printf("%-13s%s: %s (form %s, %s memory)\n", "product", product->name, product->family, product->form,
           product->memory_type);
    print_devices(info);
    printf("%-13s%" PRIu32 "\n", "engines", pacl_engine_count());
    printf("%-13s%s\n", "cpu", pacl_cpu_features());
    printf("%-13s%s\n", "isolation", pacl_isolation());
    printf("%-13s%" PRIu32 " streams, %" PRIu32 " events, %" PRIu32 " notifies per device\n", "limits",
           product->streams, product->events, product->notifies);
    info_environment(print_variable, &shown);
}

/* The kinds that the 2D calls of a product take. */
static const char *copies(const struct pacl_product *product)
{
    if (product->copy2d_d2d)
        return "h2d d2h d2d";
    return product->copy2d_h2d && product->copy2d_d2h ? "h2d d2h" : "none";
}

void products_print_text(void)
{
    char memory[SIZE_TEXT_MAX];

    printf("%-24s %-18s %-8s %-8s %-4s %-10s %-12s %-8s %-7s %s\n", "NAME", "SOC", "FORM", "DEVICES", "TYPE", "MEMORY",
           "2D COPIES", "STREAMS", "EVENTS", "NOTIFIES");
    for (size_t i = 0; i < pacl_product_count(); i++) {
        const struct pacl_product *product = pacl_product_at(i);
        printf("%-24s %-18s %-8s %-8" PRIu32 " %-4s %-10s %-12s %-8" PRIu32 " %-7" PRIu32 " %" PRIu32 "\n",
               product->name, product->soc_name, product->form, product->devices, product->memory_type,
               text_from_size(product->memory_bytes, memory), copies(product), product->streams, product->events,
               product->notifies);
    }
}
