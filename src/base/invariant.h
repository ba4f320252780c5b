/* SPDX-License-Identifier: Apache-2.0 */
/* Statements about the state of an object that hold after every step. Checked in builds with PACL_DEBUG_CHECKS (the dev
 * and sanitizer presets); elsewhere they cost nothing. */
#ifndef PACL_BASE_INVARIANT_H
#define PACL_BASE_INVARIANT_H

#ifdef PACL_DEBUG_CHECKS
#include <stdio.h>
#include <stdlib.h>
#define PACL_INVARIANT(statement) \
    ((statement) ? (void)0 \
                 : (fprintf(stderr, "pacl: %s:%d: broken invariant: %s\n", __FILE__, __LINE__, #statement), abort()))
#else
#define PACL_INVARIANT(statement) ((void)0)
#endif

#endif
