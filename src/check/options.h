/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asked of checking mode: PACL_CHECK and its companions (docs/checking.md). */
#ifndef PACL_CHECK_OPTIONS_H
#define PACL_CHECK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct pacl_check_options {
    bool on;                                   /* PACL_CHECK=1 */
    uint32_t classes;                          /* bit per enum pacl_check_class: wanted */
    bool names_leaks;                          /* PACL_CHECK_ONLY has leak */
    uint64_t max_findings;                     /* reports written in full; more are only counted */
    int error_exitcode;                        /* exit status when there are errors; 0: leave the program's */
    const char *report, *junit, *suppressions; /* paths, or NULL */
    bool gen_suppressions;                     /* print a suppression after each report */
    bool status_signal;                        /* PACL_STATUS_SIGNAL=1: SIGUSR2 without checking too */
    char problem[256];                         /* which variable is wrong; "": none */
};

/* Read from the environment at the first call, constant afterwards. */
const struct pacl_check_options *pacl_check_options(void);

#endif
