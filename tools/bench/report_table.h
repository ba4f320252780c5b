/* SPDX-License-Identifier: Apache-2.0 */
/* report_table.h: the result for people. */
#ifndef PACL_BENCH_REPORT_TABLE_H
#define PACL_BENCH_REPORT_TABLE_H

#include "point.h"
#include "run_info.h"

void table_print_info(const struct run_info *info);

/* One line, below a head where the test case is another than that of `before` (null at the start). */
void table_print_point(const struct point *point, const struct point *before);

/* What every sweep among the points showed. */
void table_print_cliffs(const struct points *points);

#endif
