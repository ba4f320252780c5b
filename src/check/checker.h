/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of everything that judges order, and the findings that are made under it. */
#ifndef PACL_CHECK_CHECKER_H
#define PACL_CHECK_CHECKER_H

#include "check/finding.h"

void pacl_checker_lock(void);

/* Gives the lock back, then writes what was found under it. */
void pacl_checker_unlock(void);

/* Under the lock: a finding to fill in, of the class. It is written when the lock is given back. NULL when memory is
 * short. `details` must be NULL or allocated; it is freed. */
struct pacl_check_finding *pacl_checker_find(enum pacl_check_class kind);

#endif
