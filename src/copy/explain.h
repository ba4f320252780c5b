/* SPDX-License-Identifier: Apache-2.0 */
/* Why a rectangle is copied as it is, in words. */
#ifndef PACL_COPY_EXPLAIN_H
#define PACL_COPY_EXPLAIN_H

#include "copy/copy.h"
#include "pacl/pacl.h"

/* Fills all members but size and at_once for the plan of `given`. */
void pacl_copy_explain_plan(const struct pacl_rect *given, const struct pacl_copy_tuning *tuning,
                            struct pacl_copy_explanation *out);

#endif
