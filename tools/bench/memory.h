/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h: blocks of device and host memory. */
#ifndef PACL_BENCH_MEMORY_H
#define PACL_BENCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "point.h"

enum place { PLACE_PINNED, PLACE_PAGEABLE, PLACE_REGISTERED, PLACE_DEVICE };

enum { HOST_PLACES = PLACE_DEVICE }; /* how many of them --host may name */

/* As --host and the results call them. */
extern const char *const place_names[];

struct block {
    enum place place;
    uint8_t *at; /* null: not allocated */
    size_t size; /* bytes */
};

/* On failure the point gets the reason. */
bool block_allocate(struct block *block, enum place place, size_t size, struct point *point);
void block_release(struct block *block, struct point *point);

/* Copies to and from ordinary memory; synchronous, and never by a 2D call. */
bool block_write(const struct block *block, size_t at, const uint8_t *bytes, size_t count, struct point *point);
bool block_read(const struct block *block, size_t at, uint8_t *bytes, size_t count, struct point *point);

/* Memory that the machine can still give, in bytes; SIZE_MAX where it does not say. */
size_t memory_available(void);

#endif
