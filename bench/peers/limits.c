/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No peers but what limits them: one thread that only reads the source's rows, and one that only writes the
 * destination's. A copy with one thread is no faster than the slower of the two, unless it writes in another way.
 */
#include <string.h>

#include "peer.h"

enum { LINE = 64 };

static struct memory memory;

static bool open_limit(const struct memory *given)
{
    memory = *given;
    return true;
}

/* One load in each cache line of a row: what memory and caches can deliver, not what the load ports can. */
static uint8_t read_row(const uint8_t *row, size_t width)
{
    uint8_t sum = row[width - 1];
    for (size_t i = 0; i < width; i += LINE)
        sum = (uint8_t)(sum + row[i]);
    return sum;
}

static void read_rows(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    uint8_t sum = 0;
    for (size_t row = 0; row < r->height; row++)
        sum = (uint8_t)(sum + read_row(memory.src + r->src + row * r->spitch, r->width));
    __asm__ volatile("" : : "r"(sum)); /* the loads count as used */
}

static void write_rows(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    for (size_t row = 0; row < r->height; row++)
        memset(memory.dst + r->dst + row * r->dpitch, BENCH_POISON, r->width);
    __asm__ volatile("" : : "r"(memory.dst) : "memory"); /* the stores count as used */
}

const struct peer peer_read = {
    .name = "read only",
    .call = "a load in each cache line of the source's rows",
    .limit = true,
    .open = open_limit,
    .copy2d = read_rows,
};

const struct peer peer_write = {
    .name = "write only",
    .call = "memset, once per row of the destination",
    .limit = true,
    .open = open_limit,
    .copy2d = write_rows,
};
