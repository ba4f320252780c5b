/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as they are kept after they were written, for counts and for the reports at the end. */
#ifndef PACL_CHECK_RECORD_H
#define PACL_CHECK_RECORD_H

#include <stdint.h>
#include <stdio.h>

#include "check/finding.h"

struct pacl_check_record {
    struct pacl_check_record *next;    /* in the order of their arrival */
    struct pacl_check_finding finding; /* details: NULL here, they may be gone */
    uint64_t count;                    /* how often it happened */
    unsigned id;                       /* from 1 */
};

/* The whole report on one finding as text, beginning "pacl-check: error: CLASS: ". */
void pacl_check_write_text(FILE *out, const struct pacl_check_finding *finding);

/* Where the common byte lies in an access's rectangle. */
struct pacl_check_spot {
    size_t row, column;
};
struct pacl_check_spot pacl_check_spot_of(const struct pacl_check_access *access, const void *common);

#endif
