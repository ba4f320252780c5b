/* SPDX-License-Identifier: Apache-2.0 */
/* Host functions run on a thread of their own, one per context, in the order of their streams. */
#ifndef PACL_CORE_HOST_QUEUE_H
#define PACL_CORE_HOST_QUEUE_H

#include <stdbool.h>

#include "acl/acl_base.h"

struct pacl_context;
struct pacl_stream;

/* Starts the context's thread if it has none. */
aclError pacl_host_queue_require(struct pacl_context *context);

/* Parks the stream, whose head is a host function, and hands it to the thread. The caller owns it no more. False if the
 * stream skips its head. */
bool pacl_host_queue_hand_over(struct pacl_stream *stream);

/* Ends the thread once it is idle; the context's streams are drained. */
void pacl_host_queue_stop(struct pacl_context *context);

#endif
