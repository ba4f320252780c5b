/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h: runs the copies of a point and takes the time. */
#ifndef PACL_BENCH_MEASURE_H
#define PACL_BENCH_MEASURE_H

#include "gate.h"
#include "memory.h"
#include "point.h"
#include "testcase.h"

/* How thoroughly. */
struct effort {
    size_t samples;   /* exactly so many; 0: as many as fit */
    double budget_ns; /* about so long for the samples of a point, if `samples` is 0 */
    bool verify;
    bool mean;          /* instead of the median */
    bool print_samples; /* on standard error */
};

/* What all points share. */
struct session {
    int32_t device;
    enum place host;
    aclrtStream *streams; /* owned; `directions` times as many as a point has per direction */
    size_t stream_count;
    struct gate gate;
    double clock_ns; /* what reading the clock costs */
};

/* Ends the process with a message on failure. */
void session_open(struct session *session, int32_t device, enum place host, size_t stream_count);
void session_close(struct session *session);

/* Free device memory, and all of it, in bytes. */
size_t session_device_memory(size_t *total);

/* Bytes that a point needs. */
struct needs {
    size_t device;   /* reserved on the device */
    size_t resident; /* at most so much comes into being, on the host and on the device together */
};
struct needs point_needs(const struct point *point, const struct testcase *testcase);

/* Sets the status and all that was measured. */
void point_measure(struct point *point, const struct testcase *testcase, struct session *session,
                   const struct effort *effort);

#endif
