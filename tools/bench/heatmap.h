/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PACL_BENCH_HEATMAP_H
#define PACL_BENCH_HEATMAP_H

#include <stdio.h>

#include "point.h"

/* Draws payload speed by width and height as SVG, one panel per test case. Where several points have the same width and
 * height the first one counts. */
void heatmap_print(const struct points *points, FILE *out);

#endif
