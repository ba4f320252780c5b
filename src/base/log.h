/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines: the original's levels on standard output (ASCEND_GLOBAL_LOG_LEVEL, ASCEND_SLOG_PRINT_TO_STDOUT) and our
 * own categories on standard error (PACL_DEBUG=stream,memory or all). Off, each costs one predictable branch. */
#ifndef PACL_BASE_LOG_H
#define PACL_BASE_LOG_H

#include <stdbool.h>

enum pacl_log_level { PACL_LOG_DEBUG, PACL_LOG_INFO, PACL_LOG_WARNING, PACL_LOG_ERROR, PACL_LOG_NONE };

enum pacl_debug_category {
    PACL_DEBUG_INIT = 1 << 0,
    PACL_DEBUG_MEMORY = 1 << 1,
    PACL_DEBUG_STREAM = 1 << 2,
    PACL_DEBUG_EVENT = 1 << 3,
    PACL_DEBUG_ENGINE = 1 << 4,
    PACL_DEBUG_COPY = 1 << 5,
};

extern unsigned pacl_debug_mask; /* categories that print; set once by pacl_log_init */

/* Reads the environment. Returns NULL, or the first word of PACL_DEBUG that is no category (static storage). */
const char *pacl_log_init(void);

bool pacl_log_wants(enum pacl_log_level level);
void pacl_log(enum pacl_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pacl_debug_line(const char *category, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define PACL_TRACE(category, ...) \
    do { \
        if (__builtin_expect(pacl_debug_mask & PACL_DEBUG_##category, 0)) \
            pacl_debug_line(#category, __VA_ARGS__); \
    } while (0)

#endif
