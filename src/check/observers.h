/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of checking mode that watch the runtime. install.c adds them, each in its place. */
#ifndef PACL_CHECK_OBSERVERS_H
#define PACL_CHECK_OBSERVERS_H

#include "core/observer.h"

extern const struct pacl_observer pacl_check_order;  /* tasks and memory in order (detect.c) */
extern const struct pacl_observer pacl_check_growth; /* queues that only grow (growth.c) */
extern const struct pacl_observer pacl_check_stuck;  /* waits that nothing ends (stuck.c) */

extern const struct pacl_observer pacl_check_misuse; /* single calls, and what is left at the end (misuse.c) */

#endif
