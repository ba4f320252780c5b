/* SPDX-License-Identifier: Apache-2.0 */
/* sizes.h: lists of sizes, as options give them. */
#ifndef PACL_BENCH_SIZES_H
#define PACL_BENCH_SIZES_H

#include <stdbool.h>
#include <stddef.h>

struct sizes {
    size_t *at; /* owned; freed by sizes_release; ascending, each once */
    size_t count;
};

enum { SIZES_MAX = 1024 };

#define SIZES_EXPECTED "a list of sizes, for example 64,4K,1K:64K (doubling) or 64:4096:64 (in steps), at most 1024"

/* Adds one size at its place; ends the process when memory is short. */
void sizes_add(struct sizes *sizes, size_t size);

/* Reads a list; false if it is none, or too long. */
bool sizes_parse(struct sizes *sizes, const char *text);
void sizes_release(struct sizes *sizes);

#endif
