/* SPDX-License-Identifier: Apache-2.0 */
/* report_json.h: the result for programs, written and read back. */
#ifndef PACL_BENCH_REPORT_JSON_H
#define PACL_BENCH_REPORT_JSON_H

#include <stdio.h>

#include "point.h"
#include "run_info.h"

void json_print(const struct points *points, const struct run_info *info, FILE *out);

/* Reads the points of an earlier run; ends the process with a message if the file has none. */
void json_read(struct points *points, const char *path);

#endif
