/* SPDX-License-Identifier: Apache-2.0 */
/* series.h: the samples of one quantity, and what is said about them. */
#ifndef PACL_BENCH_SERIES_H
#define PACL_BENCH_SERIES_H

#include <stddef.h>

struct series {
    double *values; /* owned; freed by series_release */
    size_t count;
};

void series_add(struct series *series, double value);
void series_release(struct series *series);

/* The value below which `share` (0 to 1) of the samples lie, interpolated; there must be a sample. Sorts the series. */
double series_quantile(struct series *series, double share);

double series_mean(const struct series *series);

#endif
