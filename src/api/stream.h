/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls on streams share between their files. */
#ifndef PACL_API_STREAM_H
#define PACL_API_STREAM_H

#include "acl/acl_rt.h"

struct pacl_stream;

enum { PACL_LOWEST_PRIORITY = 7 }; /* 0 is the highest */

/* Checks the flags, clamps the priority, creates the stream. */
aclError pacl_create_stream_with(aclrtStream *stream, uint32_t priority, uint32_t flag);

aclError pacl_set_failure_mode(struct pacl_stream *stream, uint64_t mode);

/* `name` is the argument's in messages. */
aclError pacl_set_overflow_switch(struct pacl_stream *stream, uint32_t value, const char *name);

#endif
