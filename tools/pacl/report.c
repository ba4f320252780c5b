/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

static bool failed;

/* Flushed at once: the next step may end the process. */
__attribute__((format(printf, 3, 0))) static void print(const char *verdict, const char *topic, const char *format,
                                                        va_list args)
{
    printf("%-4s  %-18s ", verdict, topic);
    vprintf(format, args);
    putchar('\n');
    fflush(stdout);
}

void report_ok(const char *topic, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print("ok", topic, format, args);
    va_end(args);
}

void report_note(const char *topic, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print("note", topic, format, args);
    va_end(args);
}

void report_fail(const char *topic, const char *format, ...)
{
    va_list args;

    failed = true;
    va_start(args, format);
    print("FAIL", topic, format, args);
    va_end(args);
}

void report_advice(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print("", "", format, args);
    va_end(args);
}

bool report_has_failed(void)
{
    return failed;
}
