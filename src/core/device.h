/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: their primary context, memory, limits and peers. */
#ifndef PACL_CORE_DEVICE_H
#define PACL_CORE_DEVICE_H

#include <pthread.h>

#include "acl/acl_rt.h"
#include "core/runtime.h"
#include "core/settings.h"

struct pacl_context;
struct pacl_stream;

struct pacl_device {
    int32_t id;                         /* as programs count it */
    pthread_mutex_t lock;               /* guards primary, set_count and arena's creation; first in the lock order */
    struct pacl_context *primary;       /* NULL until set */
    uint32_t set_count;                 /* calls of aclrtSetDevice without their aclrtResetDevice */
    _Atomic(struct pacl_arena *) arena; /* NULL until first needed */
    _Atomic uint64_t memory_used;       /* bytes, as accounted against the product's size */
    _Atomic uint64_t memory_peak;       /* the most so far */
    _Atomic uint64_t peers;             /* bit n: this device may access device n */
    _Atomic uint32_t streams, events, notifies; /* existing now */
    struct pacl_device_settings settings;
};

void pacl_devices_init(const struct pacl_runtime *runtime);

/* The device, or 107001; 507033 if the options are unusable. */
aclError pacl_device_get(int32_t id, struct pacl_device **out);

/* The device's arena, created if it was not; NULL when there is no address space. */
struct pacl_arena *pacl_device_arena(struct pacl_device *device);

/* True if work on a stream of `device` may touch the memory of device `other`. */
bool pacl_device_reaches(const struct pacl_device *device, int32_t other);

/* The device's next open stream from slot *index on, with its handle; NULL after the last. Finding it by its handle
 * makes the stream's members visible. */
struct pacl_stream *pacl_device_next_stream(const struct pacl_device *device, uint32_t *index, void **handle);

/* Waits for every stream of the device. 507046 at the deadline, else the first failure that a stream carries. */
aclError pacl_device_synchronize(struct pacl_device *device, uint64_t deadline_ns);

/* Waits for every stream of the device and leaves their failures to them. */
void pacl_device_wait(struct pacl_device *device);

/* Adds one to a count if it stays within `limit`. */
bool pacl_device_count_up(_Atomic uint32_t *count, uint32_t limit);

#endif
