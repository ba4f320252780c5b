/* SPDX-License-Identifier: Apache-2.0 */
/* info.h: what `pacl info` knows, between the file that asks and the files that print. */
#ifndef PACL_TOOLS_INFO_H
#define PACL_TOOLS_INFO_H

#include <stddef.h>
#include <stdint.h>

#include "pacl/pacl.h"

struct device_info {
    int32_t id;
    size_t memory_total; /* bytes */
    size_t memory_free;  /* bytes */
};

struct info {
    const struct pacl_product *product;
    const char *soc_name;
    uint32_t device_count;       /* devices that a program sees */
    struct device_info *devices; /* device_count of them, owned */
};

void info_print_text(const struct info *info);
void info_print_json(const struct info *info);
void products_print_text(void);
void products_print_json(void);

/* Calls `visit` for each variable of the environment that the library reads and that is set. */
typedef void info_visit_fn(const char *name, const char *value, void *data);
void info_environment(info_visit_fn *visit, void *data);

#endif
