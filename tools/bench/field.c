/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include "point.h"

#define FIELD(member, kind, is_measured) \
    { \
        .name = #member, .type = (kind), .offset = offsetof(struct point, member), \
        .size = sizeof(((struct point *)0)->member), .measured = (is_measured) \
    }

const struct field fields[] = {
    FIELD(testcase, FIELD_TEXT, false),
    FIELD(shape, FIELD_TEXT, false),
    FIELD(width, FIELD_SIZE, false),
    FIELD(height, FIELD_SIZE, false),
    FIELD(dpitch, FIELD_SIZE, false),
    FIELD(spitch, FIELD_SIZE, false),
    FIELD(dst_offset, FIELD_SIZE, false),
    FIELD(src_offset, FIELD_SIZE, false),
    FIELD(host, FIELD_TEXT, false),
    FIELD(streams, FIELD_SIZE, false),
    FIELD(sweep, FIELD_FLAG, false),
    FIELD(status, FIELD_TEXT, false),
    FIELD(reason, FIELD_TEXT, false),
    FIELD(gated, FIELD_FLAG, true),
    FIELD(verified, FIELD_FLAG, true),
    FIELD(cliff, FIELD_FLAG, true),
    FIELD(payload_bytes, FIELD_SIZE, true),
    FIELD(samples, FIELD_SIZE, true),
    FIELD(copies_per_sample, FIELD_SIZE, true),
    FIELD(gb_s, FIELD_NUMBER, true),
    FIELD(gb_s_min, FIELD_NUMBER, true),
    FIELD(gb_s_max, FIELD_NUMBER, true),
    FIELD(ns_per_row, FIELD_NUMBER, true),
    FIELD(copy_ns_p50, FIELD_NUMBER, true),
    FIELD(copy_ns_p95, FIELD_NUMBER, true),
    FIELD(spread_percent, FIELD_NUMBER, true),
    FIELD(submission_ns, FIELD_NUMBER, true),
    FIELD(submission_ns_p95, FIELD_NUMBER, true),
    FIELD(completion_ns, FIELD_NUMBER, true),
    FIELD(completion_ns_p95, FIELD_NUMBER, true),
    FIELD(line_gb_s, FIELD_NUMBER, true),
    FIELD(efficiency, FIELD_NUMBER, true),
};

const size_t fields_count = sizeof(fields) / sizeof(fields[0]);
