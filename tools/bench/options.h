/* SPDX-License-Identifier: Apache-2.0 */
/* options.h: the command line. */
#ifndef PACL_BENCH_OPTIONS_H
#define PACL_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "compare.h"
#include "memory.h"
#include "sizes.h"
#include "testcase.h"

enum { SHAPE_NAMES_MAX = 32 };

/* --dpitch and --spitch. */
struct pitch {
    enum { PITCH_DEFAULT, PITCH_BYTES, PITCH_PADDING } how;
    size_t bytes; /* PITCH_PADDING: more than the width */
};

/* Where a form of the result goes. */
struct output {
    bool wanted;
    const char *path; /* null: standard output */
};

struct options {
    bool list;
    bool selected[TESTCASES];
    bool bidirectional;
    const char *shapes[SHAPE_NAMES_MAX]; /* names, as in shapes[] */
    size_t shape_count;
    struct sizes widths, heights;
    struct pitch dpitch, spitch;
    size_t dst_offset, src_offset;
    bool sweep;
    struct sizes sweep_pitches; /* empty: chosen by the width */
    enum place host;
    size_t streams;
    int32_t device;
    size_t samples;     /* 0: as many as fit */
    size_t payload_max; /* bytes of a copy; 0: no limit */
    bool mean;
    bool no_verify;
    bool quick;
    bool verbose;
    struct output json, csv;
    const char *heatmap;
    const char *load;
    const char *baseline;
    struct comparison comparison;
};

/* Ends the process for wrong usage, --help and --version. */
void options_parse(struct options *options, int argc, char **argv);
void options_release(struct options *options);

#endif
