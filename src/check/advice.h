/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: calls that do what they should, and could do it better. Called by the observer in misuse.c. */
#ifndef PACL_CHECK_ADVICE_H
#define PACL_CHECK_ADVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"

struct pacl_copy_ask;
struct pacl_stream;

void pacl_advice_copy_asked(const struct pacl_copy_ask *ask);
void pacl_advice_blocked(struct pacl_stream *stream, uint64_t upto, uint64_t deadline_ns);
void pacl_advice_unblocked(struct pacl_stream *stream, uint64_t upto, bool reached);
void pacl_advice_left(aclError result);

/* At the end: what only all copies of a place together show. */
void pacl_advice_report(void);

#endif
