/* SPDX-License-Identifier: Apache-2.0 */
/* report.h: the lines that `pacl doctor` and its probe print on standard output, one per finding. */
#ifndef PACL_TOOLS_REPORT_H
#define PACL_TOOLS_REPORT_H

#include <stdbool.h>

#define REPORT_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))

typedef void report_fn(const char *topic, const char *format, ...) REPORT_FORMAT(2);

/* Works. */
void report_ok(const char *topic, const char *format, ...) REPORT_FORMAT(2);

/* Works, and a user may want to know: slower than need be, not there, or not supported. */
void report_note(const char *topic, const char *format, ...) REPORT_FORMAT(2);

/* Does not work. */
void report_fail(const char *topic, const char *format, ...) REPORT_FORMAT(2);

/* What to do about the line before. */
void report_advice(const char *format, ...) REPORT_FORMAT(1);

/* True once report_fail has been called in this process. */
bool report_has_failed(void);

#endif
