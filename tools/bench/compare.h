/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h: this run against an earlier one. */
#ifndef PACL_BENCH_COMPARE_H
#define PACL_BENCH_COMPARE_H

#include "point.h"

#define METRIC_NAMES "bandwidth, submission, completion"

enum { METRICS = 3 };

struct comparison {
    bool selected[METRICS]; /* none: bandwidth alone */
    double tolerance;       /* share of the baseline */
};

/* Adds a metric by name; false if there is none. */
bool comparison_select(struct comparison *comparison, const char *name);

/* Says on standard error what has become slower than the tolerance allows, and what is not in both. True if something
 * regressed, or nothing was there to compare. */
bool comparison_regressed(const struct comparison *comparison, const struct points *points,
                          const struct points *baseline);

#endif
