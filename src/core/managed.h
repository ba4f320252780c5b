/* SPDX-License-Identifier: Apache-2.0 */
/* Managed memory: one address for the host and the devices. Here it is memory of the host that copies reach as they reach
 * any; what a program advises about it is kept and told, and has no effect. */
#ifndef PACL_CORE_MANAGED_H
#define PACL_CORE_MANAGED_H

#include <stdbool.h>

#include "acl/acl_rt.h"

struct pacl_device;

/* `size` bytes, rounded up to 2 MiB, counted against the device. 207001. */
aclError pacl_managed_alloc(struct pacl_device *device, size_t size, void **out);

/* False if `p` is not the start of managed memory. Queued work that names it fails when its turn comes. */
bool pacl_managed_free(void *p);

/* 107000 if [p, p + size) is not inside one piece of managed memory, or an argument is unknown. */
aclError pacl_managed_advise(const void *p, size_t size, aclrtMemManagedAdviseType advise,
                             const aclrtMemManagedLocation *location);
aclError pacl_managed_prefetch(const void *p, size_t size, const aclrtMemManagedLocation *location, bool only_checks);

/* The answers of all attributes, or none. 100000 if a place for one is null; otherwise as above. */
aclError pacl_managed_attributes(const void *p, size_t size, const aclrtMemManagedRangeAttribute *attributes,
                                 size_t count, void *const *data, const size_t *data_sizes);

#endif
