/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h: from options to the points that are to be measured. */
#ifndef PACL_BENCH_PLAN_H
#define PACL_BENCH_PLAN_H

#include "options.h"
#include "point.h"

/* Ends the process with a message for a shape that the interface does not allow. */
void plan_create(struct points *points, const struct options *options);

/* Gives the shapes that span a whole cache fewer pages, until they fit into the device's free memory. */
void plan_fit(struct points *points, size_t device_free);

#endif
