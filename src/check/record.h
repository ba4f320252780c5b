/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as they are kept, for counts and for the reports at the end; and the forms that reports have. */
#ifndef PACL_CHECK_RECORD_H
#define PACL_CHECK_RECORD_H

#include <stdint.h>
#include <stdio.h>

#include "check/finding.h"

struct pacl_check_record {
    struct pacl_check_record *next;    /* in the order of their arrival */
    struct pacl_check_finding finding; /* details: NULL here, they are gone */
    char *text;                        /* as it was written; NULL for a suppressed one, or when memory was short */
    uint64_t count;                    /* how often it happened */
    unsigned id;                       /* from 1; 0: suppressed */
};

/* Where the common byte lies in an access's rectangle. */
struct pacl_check_spot {
    size_t row, column;
};
struct pacl_check_spot pacl_check_spot_of(const struct pacl_check_access *access, const void *common);

/* The report file and the summary (finding.c). `how` the process ends, if not by exit(); else NULL. */
void pacl_check_open_report(void);
void pacl_check_close_report(const char *how);

/* The whole report on one finding as text, beginning "pacl-check: error: CLASS: ". */
void pacl_check_write_text(FILE *out, const struct pacl_check_finding *finding);

/* One line of JSON, for the finding and for the end. */
void pacl_check_write_json(FILE *out, const struct pacl_check_finding *finding, unsigned id);
void pacl_check_write_json_summary(FILE *out, const struct pacl_check_record *first,
                                   const struct pacl_check_counts *counts, const char *how);
void pacl_check_write_json_note(FILE *out, const char *text);

/* A JUnit document: one test case per class. */
void pacl_check_write_junit(FILE *out, const struct pacl_check_record *first, const struct pacl_check_counts *counts);

/* --- suppressions (suppress.c) ----------------------------------------------------------------------------------- */

/* Reads a file. NULL, or what is wrong with it (static storage). */
const char *pacl_suppressions_read(const char *path);

/* True if a suppression takes the finding. */
bool pacl_suppressions_take(const struct pacl_check_finding *finding);

/* The line that would suppress the finding. */
void pacl_suppressions_write(FILE *out, const struct pacl_check_finding *finding);

#endif
