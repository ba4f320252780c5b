/* SPDX-License-Identifier: Apache-2.0 */
/* point.h: one line of the result: a shape in a direction, and what was measured. Plain data, so that a table of fields
 * (see field) writes it and reads it back. Sizes and pitches in bytes, times in nanoseconds. */
#ifndef PACL_BENCH_POINT_H
#define PACL_BENCH_POINT_H

#include <stdbool.h>
#include <stddef.h>

#include "acl/acl.h"

/* The words of nvbandwidth. */
#define STATUS_PASSED "Passed"
#define STATUS_WAIVED "Waived" /* not measured, and no fault: not supported by the product, or too little memory */
#define STATUS_ERROR "Error"

struct point {
    /* What it is; together the key for a comparison with an earlier run. */
    char testcase[48];
    char shape[24]; /* a name of shapes[], or "custom" */
    size_t width, height;
    size_t dpitch, spitch;         /* bidirectional: of the copy to the device; the other one has them swapped */
    size_t dst_offset, src_offset; /* of the first row in its block */
    char host[12];                 /* sort of host memory */
    size_t streams;                /* per direction */
    bool sweep;                    /* one of a series that differs in the pitch */

    /* How it went. */
    char status[8];
    char reason[320]; /* why it is not STATUS_PASSED */

    /* What was measured. One *round* is one copy on every stream. */
    bool gated;           /* queued behind a closed gate and timed by events, else by the host's clock */
    bool verified;        /* the bytes were compared */
    bool cliff;           /* in a sweep: more than twice as slow as its neighbours */
    size_t payload_bytes; /* of a round */
    size_t samples;
    size_t copies_per_sample; /* rounds queued at once */
    double gb_s;              /* payload, 10^9 bytes per second, from the median (or mean) time */
    double gb_s_min, gb_s_max;
    double ns_per_row;
    double copy_ns_p50, copy_ns_p95;         /* time of a round */
    double spread_percent;                   /* interquartile range of that time, of the median */
    double submission_ns, submission_ns_p95; /* the caller's time for one call */
    double completion_ns, completion_ns_p95; /* from the call until the synchronization has returned, a round, idle */
    double line_gb_s;                        /* a 1D copy of the same bytes */
    double efficiency;                       /* gb_s / line_gb_s */
};

struct points {
    struct point *at; /* owned; freed by points_release */
    size_t count;
};

/* Adds a copy of `point`; ends the process when memory is short. */
void points_add(struct points *points, const struct point *point);
void points_release(struct points *points);

bool point_has_status(const struct point *point, const char *status);

/* Says why a point is not measured; the first reason stays. */
void point_set_status(struct point *point, const char *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True for ACL_SUCCESS; otherwise the point gets an error that names the call, or is waived where the product does not
 * support it. */
bool point_called(struct point *point, const char *call, aclError error);

/* "NAME WIDTH x HEIGHT", for messages. */
enum { POINT_TITLE_MAX = 160 };
const char *point_title(const struct point *point, char title[POINT_TITLE_MAX]);

/* Whether two points measure the same. */
bool point_same_key(const struct point *one, const struct point *other);

/* Sets `cliff` in every sweep: a pitch that is more than twice as slow per row as each of its neighbours. */
void points_find_cliffs(struct points *points);

#endif
