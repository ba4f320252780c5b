/* SPDX-License-Identifier: Apache-2.0 */
/* What every benchmark shares: options, the clock, medians, patterns that show a wrong byte, tables. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"

enum { BENCH_ROUNDS_MAX = 101 };

struct bench_options {
    int rounds;    /* 1 to BENCH_ROUNDS_MAX */
    bool quick;    /* small sizes and few calls: shows that the program works, its figures mean nothing */
    bool tsv;      /* tables as tab-separated lines for bench/report.py */
    uint64_t seed; /* of whatever is random */
};

/* Reads the options that all benchmarks take; ends the process with usage and status 2 on any other argument. */
struct bench_options bench_parse(int argc, char **argv, int default_rounds);

/* Monotonic, in nanoseconds. */
double bench_now_ns(void);

/* Lets the caller sleep; short sleeps end late by what the kernel's timer slack is. */
void bench_sleep_ns(long ns);

/* Sorts `values`. */
double bench_median(double *values, int count);

/* SplitMix64: the next number of the sequence whose state is `*state`. */
uint64_t bench_random(uint64_t *state);

/* Log-uniform between the two bounds, both included; 0 < low <= high. */
size_t bench_random_size(uint64_t *state, size_t low, size_t high);

/* Fills memory so that bytes a row, a page or a power of two apart differ. */
void bench_pattern(uint8_t *at, size_t bytes);

/* The byte that stands in a destination before the copy under test. */
enum { BENCH_POISON = 0xA5 };

struct bench_rect {
    size_t dst, src; /* offsets of the first byte in the two memories */
    size_t dpitch, spitch, width, height;
};

/* Bytes from the first to behind the last one of a block; 0 < width <= pitch, height > 0. */
size_t bench_extent(size_t pitch, size_t width, size_t height);

/* Whether memory that was poisoned holds the copied rectangle at r->dst, and poison in its row gaps. On a difference
 * tells `who`, row, column and both bytes on standard error. */
bool bench_verify(const char *who, const uint8_t *dst, const uint8_t *src, const struct bench_rect *r);

/* Whether the BENCH_MARGIN bytes before (as far as there are any) and behind the block at r->dst are still poison. */
enum { BENCH_MARGIN = 64 };
bool bench_verify_margins(const char *who, const uint8_t *dst, const struct bench_rect *r);

/* The first offset of the block with its margins, and the one behind them. */
size_t bench_margin_begin(const struct bench_rect *r);
size_t bench_margin_end(const struct bench_rect *r);

/* The reference of all ratios: one memcpy per row. */
void bench_row_loop(uint8_t *dst, const uint8_t *src, const struct bench_rect *r);

/* --- tables: a title, a heading, then rows of the same number of cells ------------------------------------------- */

void bench_title(const struct bench_options *options, const char *name, const char *title);
void bench_row(const struct bench_options *options, int cells, const char *const cell[]);

enum { BENCH_CELL = 48 };

/* Formats a figure with three significant digits; "-" for a figure that does not exist (NaN). */
const char *bench_figure(char cell[BENCH_CELL], double value);

/* --- the runtime under test -------------------------------------------------------------------------------------- */

/* Ends the process with the call, its code and text. */
_Noreturn void bench_fail(const char *call, aclError code);

#define BENCH_CHECK(call) \
    do { \
        const aclError bench_code = (call); \
        if (bench_code != ACL_SUCCESS) \
            bench_fail(#call, bench_code); \
    } while (0)

#endif
