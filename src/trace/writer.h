/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a timeline: an array of trace events, one line each. Any thread may write; memory is one buffer. */
#ifndef PACL_TRACE_WRITER_H
#define PACL_TRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the file anew; each %p in the path is the process number. False, with errno, if that cannot be. */
bool pacl_trace_open(const char *path);

/* Writes one event, an object of JSON without its end. Reaches the file within a tenth of a second if events go on. */
void pacl_trace_event(uint64_t now_ns, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was written reaches the file now. */
void pacl_trace_flush(void);

/* Ends the array and the file. Later events are dropped. */
void pacl_trace_close(void);

#endif
