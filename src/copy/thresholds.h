/* SPDX-License-Identifier: Apache-2.0 */
/* Where the plan changes its way. For the plan, its explanation and its measurement; nobody else. */
#ifndef PACL_COPY_THRESHOLDS_H
#define PACL_COPY_THRESHOLDS_H

#include "copy/copy.h"

/* Thresholds, measured on a Zen 5 (48 KiB, 1 MiB, 32 MiB of cache) with `build/release/bench/ways`, which prints each
 * way's speed over the sizes around them; docs/performance.md has the table. */
enum {
    PACL_NARROW = PACL_LINE,
    PACL_FIRST_SHARE = 2,              /* the first cache holds both sides */
    PACL_STREAM_WIDTH = 2 * PACL_LINE, /* narrower rows have no whole line to stream */
    PACL_STREAM_SHARE =
        2, /* where nothing else is known, a copy of more than this part of the last cache is streamed */
    PACL_SCATTER_SHARE = 64, /* and one whose rows are far apart already from this part on */
    PACL_SHARE_SHARE =
        2, /* what one core's second cache holds, source and destination, is not shared with another core */
    PACL_PROBE_SHARE = 2, /* up to this part of the second cache it is not asked where the destination is */
    PACL_FAR_PITCH = 256,
    PACL_FAR_SHARE = 2,      /* rows whose lines the second cache holds, on both sides, need no prefetch */
    PACL_APART_WIDTH = 2048, /* wider rows are long enough to be alike wherever they lie */
    PACL_APART = 4,          /* rows are far apart from so many times their width on */
    PACL_STRING_WIDTH = 2048,
};

#endif
