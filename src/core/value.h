/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit cells in device memory that streams write and wait for. */
#ifndef PACL_CORE_VALUE_H
#define PACL_CORE_VALUE_H

#include <stdbool.h>

#include "acl/acl_base.h"

struct pacl_stream;
struct pacl_work;

/* Queues a VALUE_WRITE or VALUE_WAIT whose cell is set. 107000 unless the cell lies in device memory, aligned to 8. */
aclError pacl_value_submit(struct pacl_stream *stream, void *handle, const struct pacl_work *work);

/* The same checks alone; completes the work. */
aclError pacl_value_check(struct pacl_work *work);

/* For the owner of a stream whose head is one of them. try_pass: false if it parked the stream. */
void pacl_value_write(struct pacl_stream *stream, const struct pacl_work *work);
bool pacl_value_try_pass(struct pacl_stream *stream, const struct pacl_work *work);

#endif
