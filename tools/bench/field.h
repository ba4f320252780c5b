/* SPDX-License-Identifier: Apache-2.0 */
/* field.h: the members of a point by name, as JSON and CSV have them. */
#ifndef PACL_BENCH_FIELD_H
#define PACL_BENCH_FIELD_H

#include <stdbool.h>
#include <stddef.h>

enum field_type { FIELD_TEXT, FIELD_SIZE, FIELD_NUMBER, FIELD_FLAG };

struct field {
    const char *name;
    size_t offset; /* in struct point */
    size_t size;   /* FIELD_TEXT: room in bytes */
    enum field_type type;
    bool measured; /* without meaning (JSON null, CSV empty) where the point was not measured */
};

extern const struct field fields[];
extern const size_t fields_count;

#endif
