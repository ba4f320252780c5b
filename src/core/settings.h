/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that a program sets and asks back. They steer kernels on the original; here nothing else reads them. Each is an
 * atomic of its own and guards nothing, so relaxed order serves. A zeroed struct holds what a program finds that has set
 * nothing.
 */
#ifndef PACL_CORE_SETTINGS_H
#define PACL_CORE_SETTINGS_H

#include "acl/acl_rt.h"
#include "base/atomic.h"

struct pacl_device;
struct pacl_stream;

enum { PACL_CORE_TYPES = 2, PACL_DEVICE_LIMITS = 5, PACL_SYS_PARAMS = 4 };

struct pacl_device_settings {
    _Atomic uint32_t cores[PACL_CORE_TYPES]; /* by aclrtDevResLimitType; 0: all that the product has */
    _Atomic uint32_t overflow_mode;          /* aclrtFloatOverflowMode plus one; 0: the product's */
    _Atomic size_t limits[PACL_DEVICE_LIMITS];
};

/* Options by aclSysParamOpt, of the process or of a context. */
struct pacl_sys_params {
    _Atomic uint32_t set; /* bit n: option n has a value */
    _Atomic int64_t value[PACL_SYS_PARAMS];
};

void pacl_sys_params_set(struct pacl_sys_params *params, unsigned option, int64_t value);
bool pacl_sys_params_get(struct pacl_sys_params *params, unsigned option, int64_t *value);

/* How many cores work on the device, or on the stream (which may be NULL), may use. */
uint32_t pacl_cores_of_product(aclrtDevResLimitType type);
uint32_t pacl_cores_in_use(struct pacl_device *device, struct pacl_stream *stream, aclrtDevResLimitType type);

aclrtFloatOverflowMode pacl_overflow_mode(struct pacl_device *device);

#endif
