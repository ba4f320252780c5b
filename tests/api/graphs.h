/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of graphs' tasks share. */
#ifndef PACL_TESTS_API_GRAPHS_H
#define PACL_TESTS_API_GRAPHS_H

#include "support.h"

enum {
    E_STREAM_MODEL = 107005,
    E_STREAM_CAPTURED = 107027,
    E_NOT_CAPTURED = 107029,
    E_GROUP_STATUS = 107033,
    E_MODEL_RUNNING = 107037,
    E_TOO_SHORT = 107039,
    E_UPDATE_FAILED = 107040,
    E_INVALIDATED = 507903,
};

/* The fixture, two more streams, two extended events. */
extern aclrtStream side, other;
extern aclrtEvent event, back;

void graphs_open(void);
void graphs_close(void);

/* A capture of fx.stream, and its execution there. */
void begin_capture(void);
aclmdlRI end_capture(void);
void run_graph(aclmdlRI graph);

/* 64 bytes, or 8, of fx.device. */
void set_bytes(size_t offset, int value, aclrtStream stream);
void assert_bytes(size_t offset, uint8_t value);
void assert_cell(size_t offset, uint64_t value);
void set_cell(size_t offset, uint64_t value);

/* The task with a number, of a graph with one stream. */
aclmdlRITask task_of(aclmdlRI graph, uint32_t number);
aclmdlRITaskParams params_of(aclmdlRITask task);

#endif
