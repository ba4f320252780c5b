/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PACL_BENCH_REPORT_CSV_H
#define PACL_BENCH_REPORT_CSV_H

#include <stdio.h>

#include "point.h"

/* A line of names, then one line per point (RFC 4180, but with plain newlines). */
void csv_print(const struct points *points, FILE *out);

#endif
