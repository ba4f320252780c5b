/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_rt.h: the runtime: devices, contexts, streams, events, memory, copies.
 *
 * Rules that hold for every function here
 * - A call returns ACL_SUCCESS (0) or a code. A failed call has queued nothing and written no output; the text that
 *   aclGetRecentErrMsg returns names the argument, its value and what was expected. [P]
 * - A handle that is destroyed, of another kind or made up is refused with ACL_ERROR_RT_INVALID_HANDLE (107017) before
 *   anything is looked up in it; it never crashes. [C][P]
 * - A null aclrtStream is the default stream of the calling thread's current context, on every product. [P]
 * - aclInit need not have been called. [C] "No context" means that the calling thread has no current context:
 *   aclrtSetDevice, aclrtCreateContext and aclrtSetCurrentContext give it one.
 * - "Any thread": from any thread at any time, also while other calls use the same object. No function may be called
 *   from inside a host function (aclrtLaunchHostFunc) [D], nor in the child of a fork, where it fails [P].
 * - Sizes, pitches and counts are bytes where nothing else is said.
 * - The codes 100000 to 100999, 2000xx and 5000xx come from the ACL layer and leave the thread's last error alone; the
 *   codes 107xxx, 207xxx and 507xxx come from the runtime layer and set it (aclrtGetLastError). Excepted is 207000 from
 *   the 2D copies and from aclrtMemcpyAsync. [C]
 *
 * Kinds of host memory: *pinned* is memory of aclrtMallocHost and ranges of aclrtHostRegister; all other host memory is
 * *pageable*. Device memory (aclrtMalloc) must not be dereferenced by the host.
 *
 * Sources, in brackets: [S] the reference page of the 2D copy, [D] [W] the vendor's current and older documentation,
 * [C] [T] behaviour reported of the public runtime and its tests, [P] decided by PACL. "Since" names PACL's version.
 */
#ifndef PACL_ACL_ACL_RT_H
#define PACL_ACL_ACL_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the interface that these headers declare; aclrtGetVersion returns that of the library. */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

/* ---- Start and end ----------------------------------------------------------------------------------------------- */

/*
 * Initialises the library for the process and counts one reference.
 * configPath: a JSON file; null or "" for none. Key err_msg_mode: "0" keeps messages per thread, "1" per process; key
 *     defaultDevice: a device that calls select by themselves on threads without a context. Other keys are ignored [P].
 * ACL_ERROR_REPEAT_INITIALIZE (100002): already initialised; the reference is counted all the same.
 * ACL_ERROR_INVALID_FILE (100003): the file is missing or cannot be read.
 * ACL_ERROR_INVALID_PARAM (100000): not valid JSON, nested deeper than 10, a bad err_msg_mode, or not the content of
 *     the first successful aclInit of this process (aclFinalize does not change that).
 * ACL_ERROR_INTERNAL_ERROR (500000): no product; PACL_PRODUCT or one of its overrides is not valid [P].
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/*
 * Takes back every aclInit, whatever their number. Devices, contexts, streams and queued work are left alone: reset the
 * devices first. A first call without aclInit succeeds.
 * ACL_ERROR_REPEAT_FINALIZE (100037): already finalised.
 * Any thread, once all others have stopped using the library. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/*
 * Gives back one reference of aclInit; the last one finalises, like aclFinalize.
 * refCount: receives how many references are left.
 * ACL_ERROR_REPEAT_FINALIZE (100037): there is no reference.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t *refCount);

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

typedef enum aclrtRunMode {
    ACL_DEVICE = 0, /* the program runs on the device itself (RC form, open Control CPU) */
    ACL_HOST = 1    /* the program runs on a host that the device is plugged into */
} aclrtRunMode;

/* What aclrtGetDeviceInfo answers; sizes in bytes. */
typedef enum {
    ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
    ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
    ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
    ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
    ACL_DEV_ATTR_WARP_SIZE = 202,
    ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
    ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE ACL_DEPRECATED = 204, /* older name of ..._UBUF_PER_VECTOR_CORE */
    ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
    ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
    ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
    ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
    ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
    ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
    ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
    ACL_DEV_ATTR_SMP_ID = 401,
    ACL_DEV_ATTR_PHY_CHIP_ID = 402,
    ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403, /* older spelling of ..._DEVICE_ID */
    ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
    ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
    ACL_DEV_ATTR_SUPER_POD_ID = 405,
    ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
    ACL_DEV_ATTR_MAINBOARD_ID = 407,
    ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,    /* ACL_HOST_DEVICE_CONNECT_TYPE_* */
    ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409, /* ACL_DEVICE_FORM_FACTOR_* */
    ACL_DEV_ATTR_IS_VIRTUAL = 501,
    ACL_DEV_ATTR_NPU_ARCH = 601
} aclrtDevAttr;

#define ACL_HOST_DEVICE_CONNECT_TYPE_PCIE 0
#define ACL_HOST_DEVICE_CONNECT_TYPE_HCCS 1
#define ACL_HOST_DEVICE_CONNECT_TYPE_UB 2

#define ACL_DEVICE_FORM_FACTOR_POD 0
#define ACL_DEVICE_FORM_FACTOR_A_K 1
#define ACL_DEVICE_FORM_FACTOR_A_X 2
#define ACL_DEVICE_FORM_FACTOR_PCIE_CARD 3

/*
 * Makes the primary context of a device current on the calling thread, creating it at the first call in the process,
 * and counts one use of the device. It replaces a context that the thread holds; that one lives on.
 * deviceId: 0 to aclrtGetDeviceCount - 1; ids are those left visible by ASCEND_RT_VISIBLE_DEVICES, renumbered from 0.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * If PACL_PRODUCT names no product the call fails, and aclGetRecentErrMsg lists the names [P].
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/*
 * Gives back one use of a device; the last one destroys its primary context with all its streams and events, as
 * aclrtDestroyStream does. Contexts of aclrtCreateContext stay: destroy them first.
 * deviceId: as given to aclrtSetDevice.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_CONTEXT_RELEASE_ERROR (507007): more resets than aclrtSetDevice calls.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/*
 * Destroys a device's primary context at once, however often aclrtSetDevice was called. Do not mix the two resets [D].
 * deviceId: as given to aclrtSetDevice.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/*
 * Tells which device the calling thread's current context belongs to.
 * deviceId: receives the device's id.
 * ACL_ERROR_INVALID_PARAM (100000): `deviceId` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context, and no defaultDevice was given to aclInit.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/*
 * Tells how many devices the process sees (product, PACL_DEVICES, ASCEND_RT_VISIBLE_DEVICES).
 * count: receives the number; 0 is possible.
 * ACL_ERROR_INVALID_PARAM (100000): `count` is null.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/*
 * Tells whether the program runs on a host or on the device itself. It depends on the product only.
 * runMode: receives ACL_HOST or ACL_DEVICE.
 * ACL_ERROR_INVALID_PARAM (100000): `runMode` is null.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode *runMode);

/*
 * Tells one property of a device. PACL knows what its product table states and reports the rest as not available [P].
 * deviceId: 0 to aclrtGetDeviceCount - 1. value: receives a count, a size in bytes or an id, by attribute.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `attr` is unknown or not available on this product [P].
 * Any thread; needs no context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value);

/*
 * Waits until all streams of the current context's device are idle, those of other contexts and threads included.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Otherwise the code of work that failed on one of the streams.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/*
 * The same with a limit. Work goes on after the limit has passed.
 * timeout: milliseconds, at least 1; -1 waits without limit.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `timeout` is 0 or less than -1.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT (507046): the limit has passed.
 * Otherwise the code of work that failed on one of the streams.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/*
 * Tells whether a device could reach another one's memory, once that is enabled.
 * canAccessPeer: receives 1 or 0. deviceId, peerDeviceId: two different devices.
 * ACL_ERROR_INVALID_PARAM (100000): the two ids are equal (tested first).
 * ACL_ERROR_RT_PARAM_INVALID (107000): `canAccessPeer` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread; needs no context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId);

/*
 * Lets the current context's device reach another device's memory, in this direction only. Copies between two devices
 * need it, else they fail with ACL_ERROR_RT_SYS_DMA (507013) when they run [P]. Repeating it is no error.
 * peerDeviceId: another device. flags: 0.
 * ACL_ERROR_FEATURE_UNSUPPORTED (200006): `flags` is not 0.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_INVALID_PARAM (100000): `peerDeviceId` is the current device.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/*
 * Takes back what aclrtDeviceEnablePeerAccess allowed, in this direction only.
 * peerDeviceId: another device.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_INVALID_PARAM (100000): `peerDeviceId` is the current device.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/*
 * Tells whether access from one device to another one's memory is enabled now.
 * deviceId: the one that accesses. peerDeviceId: the one that is accessed. status: receives 1 (enabled) or 0.
 * ACL_ERROR_INVALID_PARAM (100000): `status` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread; needs no context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status);

/* ---- Contexts ---------------------------------------------------------------------------------------------------- */

/*
 * A context holds streams and events of one device. Each thread has at most one current context; a context can be
 * current on several threads. A device's primary context comes from aclrtSetDevice and is shared by the process.
 */

/*
 * Creates a context and makes it current on the calling thread. Needs no aclrtSetDevice.
 * context: receives the handle; the caller owns it and gives it back with aclrtDestroyContext.
 * deviceId: 0 to aclrtGetDeviceCount - 1.
 * ACL_ERROR_INVALID_PARAM (100000): `context` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/*
 * Destroys a context of aclrtCreateContext with its streams and events. Threads on which it was current have none then.
 * ACL_ERROR_INVALID_PARAM (100000): `context` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): it is destroyed already, or is a primary context (aclrtResetDevice ends those).
 * ACL_ERROR_RT_CONTEXT_RELEASE_ERROR (507007): another thread is destroying it.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/*
 * Makes a context current on the calling thread; the one before stays alive.
 * ACL_ERROR_INVALID_PARAM (100000): `context` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): it is destroyed or unknown.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/*
 * Tells the calling thread's current context. The call takes no reference: its handle needs no destroy.
 * context: receives the handle.
 * ACL_ERROR_INVALID_PARAM (100000): `context` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context, and no defaultDevice was given to aclInit.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

/*
 * Tells the default stream of the current context: the one that a null stream stands for.
 * stream: receives the handle; it belongs to the context and must not be destroyed.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null [P].
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);

/* ---- Streams ----------------------------------------------------------------------------------------------------- */

/*
 * A stream does its tasks in the order in which they were queued; streams have no order among each other but what
 * events give them. Several threads may queue on one stream: their order is that in which the calls took the queue.
 */

/* Flags of aclrtCreateStreamWithConfig. */
#define ACL_STREAM_FAST_LAUNCH 0x1U
#define ACL_STREAM_FAST_SYNC 0x2U
#define ACL_STREAM_PERSISTENT 0x4U       /* synchronizing it returns at once */
#define ACL_STREAM_HUGE 0x8U             /* not supported */
#define ACL_STREAM_CPU_SCHEDULE 0x10U    /* must be the only flag; synchronizing it returns at once */
#define ACL_STREAM_DEVICE_USE_ONLY 0x20U /* synchronizing it returns at once */

/* What a stream does after a task of it has failed: aclrtSetStreamFailureMode. */
#define ACL_CONTINUE_ON_FAILURE 0x0U /* runs the rest (at the start) */
#define ACL_STOP_ON_FAILURE 0x1U     /* skips the rest */

typedef enum aclrtStreamStatus {
    ACL_STREAM_STATUS_COMPLETE = 0,  /* every queued task has finished */
    ACL_STREAM_STATUS_NOT_READY = 1, /* work is left */
    ACL_STREAM_STATUS_RESERVED = 65535
} aclrtStreamStatus;

/*
 * Creates a stream of the current context.
 * stream: receives the handle; the caller owns it and gives it back with aclrtDestroyStream or aclrtDestroyStreamForce.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_NO_STREAM_RESOURCE (207008): the device has its product's number of streams, e.g. 1984 on Atlas A2.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream *stream);

/*
 * The same with a priority and flags.
 * priority: 0 (highest) to 7 (lowest); larger values count as 7.
 * flag: 0 or ACL_STREAM_* bits; unknown bits are ignored.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): ACL_STREAM_HUGE.
 * ACL_ERROR_RT_PARAM_INVALID (107000): ACL_STREAM_CPU_SCHEDULE together with another flag.
 * ACL_ERROR_RT_NO_STREAM_RESOURCE (207008): the device has its product's number of streams.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);

/*
 * Waits until the stream's queued work has finished, then destroys the stream. No new work is accepted meanwhile. A
 * failure that no synchronize has returned is lost, but for a line in the log. [P]
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null: the default stream belongs to its context.
 * ACL_ERROR_RT_PARAM_INVALID (107000): it is the handle of a default stream [P].
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): it belongs to another context than the current one.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/*
 * The same without waiting: the running task ends, the others are dropped.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): it belongs to another context than the current one.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/*
 * Waits until every task that was queued before the call has finished. Then the host sees the bytes that they wrote.
 * stream: may belong to another context than the current one; null is the default stream.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): null stream and no context [P].
 * Otherwise the code of the first task that failed since the last synchronization, e.g. ACL_ERROR_RT_SYS_DMA (507013);
 *     it is returned once, and aclGetRecentErrMsg names the call that queued the task [P].
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/*
 * The same with a limit. Work goes on after the limit has passed.
 * timeout: milliseconds, at least 1; -1 waits without limit.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `timeout` is 0 or less than -1.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT (507046): the limit has passed.
 * Otherwise as aclrtSynchronizeStream.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/*
 * Tells whether the stream has work left. Does not wait.
 * stream: null is the default stream. status: receives ACL_STREAM_STATUS_COMPLETE or ACL_STREAM_STATUS_NOT_READY.
 * ACL_ERROR_INVALID_PARAM (100000): `status` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * Otherwise the code of a task that failed, once the stream has finished: as from aclrtSynchronizeStream, it is told
 *     once, here or there. [P]
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/*
 * Tells the stream's number, as it appears in messages.
 * stream: null is the default stream. streamId: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `streamId` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId);

/*
 * Tells the flags that the stream was created with, 0 for aclrtCreateStream.
 * stream: null is the default stream. flags: receives ACL_STREAM_* bits.
 * ACL_ERROR_INVALID_PARAM (100000): `flags` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);

/*
 * Tells the stream's priority.
 * stream: null is the default stream. priority: receives 0 (highest) to 7 (lowest).
 * ACL_ERROR_INVALID_PARAM (100000): `priority` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);

/*
 * Chooses what the stream does after a task of it has failed: it runs what follows, or skips it until a synchronize has
 * returned the failure. [P]
 * stream: null is the default stream. mode: ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_PARAM_INVALID (107000): any other mode.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): from stop back to continue. Setting the mode in force is no error.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): it belongs to another context than the current one.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/*
 * An event marks a point in a stream. *Plain* events (aclrtCreateEvent, aclrtCreateEventWithFlag) start as not reached:
 * waiting for one that was never recorded blocks until it is. *Ex* events (aclrtCreateEventExWithFlag) start as reached
 * and need no reset. [C] Recording an event again moves it; waits that were queued before keep the earlier point. [P]
 */

/* What an event can do. */
#define ACL_EVENT_SYNC 0x1U                    /* order streams */
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x2U /* tell how far a stream is */
#define ACL_EVENT_TIME_LINE 0x8U               /* take time stamps */
#define ACL_EVENT_DEVICE_USE_ONLY 0x10U        /* not for the host: it cannot be recorded */
#define ACL_EVENT_EXTERNAL 0x20U               /* for captured graphs; has no time stamp */
#define ACL_EVENT_IPC 0x40U                    /* between processes; has no time stamp */

typedef enum aclrtEventRecordedStatus {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0, /* the recorded point is not reached */
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1   /* it is reached */
} aclrtEventRecordedStatus;

typedef enum aclrtEventWaitStatus {
    ACL_EVENT_WAIT_STATUS_COMPLETE = 0,  /* no stream waits */
    ACL_EVENT_WAIT_STATUS_NOT_READY = 1, /* a stream waits */
    ACL_EVENT_WAIT_STATUS_RESERVED = 65535
} aclrtEventWaitStatus;

/* Of the deprecated aclrtQueryEvent. Mind that the values are the reverse of aclrtEventRecordedStatus. */
typedef enum aclrtEventStatus {
    ACL_EVENT_STATUS_COMPLETE = 0,
    ACL_EVENT_STATUS_NOT_READY = 1,
    ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;

/*
 * Creates a plain event that can do everything but ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL and ACL_EVENT_IPC.
 * event: receives the handle; the caller owns it and gives it back with aclrtDestroyEvent.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context [P].
 * ACL_ERROR_RT_NO_EVENT_RESOURCE (207007): the device has its product's number of events, e.g. 65536 on Atlas A2, or the
 *     process has 1048576 of all kinds [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent *event);

/*
 * Creates a plain event with chosen abilities.
 * flag: one or more ACL_EVENT_* bits.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flag` is 0, has an unknown bit, or has ACL_EVENT_DEVICE_USE_ONLY together with
 *     ACL_EVENT_EXTERNAL.
 * Else as aclrtCreateEvent.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);

/*
 * Creates an Ex event: it counts against the number of events only once it is recorded, and needs no aclrtResetEvent.
 * flag: ACL_EVENT_SYNC, ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE in any combination, or ACL_EVENT_IPC
 *     alone.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): any other `flag`.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): ACL_EVENT_IPC on a product without it.
 * Else as aclrtCreateEvent.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);

/*
 * Destroys an event. Queued records and waits keep what they need of it until they are done.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/*
 * Queues the event's mark: it is reached when all that was queued on the stream before has finished. Does not wait.
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event, or not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * ACL_ERROR_RT_PARAM_INVALID (107000): the event is for the device only.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/*
 * Returns a plain event to "not recorded": waits that are called later wait for its next record, earlier ones are not
 * touched. Call it behind the last wait on the event. [D][P]
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event, or not a live stream.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the event is an Ex event.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/*
 * Lets what is queued on the stream from now on wait for the event. Only the stream waits: no thread is blocked. The
 * event may have been recorded on a stream of another context or device.
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream, or not a live event.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the event was created without ACL_EVENT_SYNC.
 * Any thread with the stream's context. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/*
 * The same with a limit on the stream's wait.
 * timeout: seconds; 0 waits without limit. A wait that runs out is a failed task of the stream: the next synchronize
 *     returns ACL_ERROR_RT_WAIT_TIMEOUT (107019). [P]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `timeout` is negative.
 * Else as aclrtStreamWaitEvent.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);

/*
 * Blocks the calling thread until the event is reached. An event that was never recorded counts as reached here. It
 * does not report failures of the stream: aclrtSynchronizeStream does.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/*
 * The same with a limit.
 * timeout: milliseconds, at least 1; -1 waits without limit.
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `timeout` is 0 or less than -1.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * ACL_ERROR_RT_EVENT_SYNC_TIMEOUT (507047): the limit has passed.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/*
 * The older form of aclrtQueryEventStatus, for plain events.
 * status: receives ACL_EVENT_STATUS_COMPLETE or ACL_EVENT_STATUS_NOT_READY.
 * ACL_ERROR_INVALID_PARAM (100000): `event` or `status` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the event is an Ex event.
 * Any thread. Since 0.1.0. [C]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);

/*
 * Tells whether the event is reached. Does not wait. Never recorded: a plain event is not ready, an Ex event complete.
 * status: receives ACL_EVENT_RECORDED_STATUS_COMPLETE or ACL_EVENT_RECORDED_STATUS_NOT_READY.
 * ACL_ERROR_INVALID_PARAM (100000): `event` or `status` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);

/*
 * Tells whether a stream still waits for the event; when none does, the event may be reset.
 * status: receives ACL_EVENT_WAIT_STATUS_COMPLETE or ACL_EVENT_WAIT_STATUS_NOT_READY.
 * ACL_ERROR_INVALID_PARAM (100000): `event` or `status` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the event is an Ex event.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status);

/*
 * Tells the time between two recorded points.
 * ms: receives end - start in milliseconds; negative if the end was reached first.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * ACL_ERROR_RT_INTERNAL_ERROR (507000): one of them was never recorded.
 * ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID (107006): one of them has no time stamp: it is not reached yet, or was created
 *     without ACL_EVENT_TIME_LINE.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): an event with ACL_EVENT_IPC or ACL_EVENT_EXTERNAL.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);

/*
 * Tells when the event was reached. Only differences of such values mean something.
 * timestamp: receives microseconds.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * Else as aclrtEventElapsedTime.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp);

/* ---- Host functions ---------------------------------------------------------------------------------------------- */

typedef void (*aclrtHostFunc)(void *args);

/*
 * Queues a call of a host function. It runs once what was queued on the stream before has finished, and what is queued
 * later waits for it. One thread per context runs the functions, one after the other; it belongs to the library.
 * stream: null is the default stream. fn: must not call ACL functions; if it ends its thread, it has ended [P]. args:
 *     handed to `fn` as it is; the caller keeps what it points to alive until then.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `fn` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * Any thread with the stream's context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Which pages an allocation takes: huge ones have 2 MiB, HUGE1G ones 1 GiB. Only aclrtGetMemInfo shows the difference;
 * the _P2P ones are for access from another device. The bits above 255 may be combined with one of the others in
 * aclrtMallocWithCfg [D]. Any other value takes huge pages from 2 MiB on, else normal ones [C]. */
typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0, /* huge pages, else normal ones */
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
    ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
    ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
    ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
    ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
    ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
    ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,
    ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
    ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
} aclrtMemMallocPolicy;

/* Attributes of an allocation, each tagged by its type; the array is read during the call. */
typedef enum {
    ACL_RT_MEM_ATTR_RSV = 0,
    ACL_RT_MEM_ATTR_MODULE_ID = 1,
    ACL_RT_MEM_ATTR_DEVICE_ID = 2,
    ACL_RT_MEM_ATTR_VA_FLAG = 3
} aclrtMallocAttrType;

typedef union {
    uint16_t moduleId;
    uint32_t deviceId;
    uint32_t vaFlag;
    uint8_t rsv[8];
} aclrtMallocAttrValue;

typedef struct {
    aclrtMallocAttrType attr;
    aclrtMallocAttrValue value;
} aclrtMallocAttribute;

typedef struct {
    aclrtMallocAttribute *attrs;
    size_t numAttrs;
} aclrtMallocConfig;

/*
 * Allocates device memory on the current context's device.
 * devPtr: receives the address, aligned to 64; not zeroed. The caller owns the memory, any thread and any context of
 *     the process may use it, aclrtFree gives it back.
 * size: at least 1. As on the original 32 to 63 spare bytes lie behind the block on most products; they are not the
 *     program's: copies are checked against the size asked for, and that size, rounded up to 32 bytes or to whole huge
 *     pages by `policy`, is what counts against the device's memory. [C][P]
 * policy: which pages to take.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` is null, `size` is 0 or so large that rounding it wraps.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the device's memory (product, or PACL_DEVICE_MEMORY) is used up.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/*
 * As aclrtMalloc, but the size is rounded up to a multiple of 32 and nothing is added.
 * Arguments, ownership and codes as aclrtMalloc. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/*
 * As aclrtMalloc, in cached memory; here there is no difference, no cache needs maintenance [P].
 * policy: ACL_MEM_MALLOC_HUGE_FIRST, _HUGE_ONLY, _NORMAL_ONLY or _HUGE1G_ONLY; any other one takes the default pages.
 * Other arguments, ownership and codes as aclrtMalloc. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/*
 * As aclrtMallocAlign32, with attributes.
 * policy: may carry the bits ACL_MEM_TYPE_* and ACL_MEM_ACCESS_*. cfg: attributes, null for none.
 * ACL_ERROR_INVALID_PARAM (100000): as aclrtMalloc, or cfg->attrs is null although cfg->numAttrs is not 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): an attribute is unknown. [P]
 * Other arguments, ownership and codes as aclrtMalloc. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                                aclrtMallocConfig *cfg);

/*
 * Frees device memory. Does not wait: memory that queued work names stays until that work has finished [P].
 * devPtr: as it came from an aclrtMalloc* call, of any context of the process.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): freed already, not the start of an allocation, or no device memory at all [P].
 * Any thread; needs no context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/*
 * Waits for the whole device that the memory belongs to, then frees it.
 * devPtr and codes as aclrtFree. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void *devPtr);

/*
 * Allocates pinned host memory: plain memory to the host, and asynchronous copies from and to it do not block.
 * hostPtr: receives the address, aligned to 64; not zeroed. The caller owns the memory, aclrtFreeHost gives it back.
 * size: at least 1; rounded up to a multiple of 32.
 * ACL_ERROR_INVALID_PARAM (100000): `hostPtr` is null, or `size` is 0.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the host's memory is used up.
 * Any thread. Since 0.1.0. [C][W]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/*
 * As aclrtMallocHost, with attributes.
 * cfg: attributes, null for none.
 * ACL_ERROR_INVALID_PARAM (100000): as aclrtMallocHost, or cfg->attrs is null although cfg->numAttrs is not 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): an attribute that is not known [P].
 * Other arguments, ownership and codes as aclrtMallocHost. Any thread. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg);

/*
 * Frees pinned host memory. Does not wait: memory that queued work names stays until that work has finished [P].
 * hostPtr: as it came from aclrtMallocHost or aclrtMallocHostWithCfg, in any thread and any context.
 * ACL_ERROR_INVALID_PARAM (100000): `hostPtr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): device memory [C], freed already, or not the start of an allocation [P].
 * Any thread; needs no context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/*
 * Waits for the whole device, then frees the memory.
 * hostPtr and codes as aclrtFreeHost. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void *hostPtr);

/* Types of aclrtHostRegister. */
typedef enum {
    ACL_HOST_REGISTER_MAPPED = 0,
    ACL_HOST_REGISTER_IOMEMORY = 4,
    ACL_HOST_REGISTER_READONLY = 8
} aclrtHostRegisterType;

/* Flags of aclrtHostRegisterV2. */
#define ACL_HOST_REG_MAPPED 0x2UL /* aclrtHostGetDevicePointer works */
#define ACL_HOST_REG_IOMEMORY 0x4UL
#define ACL_HOST_REG_READONLY 0x8UL
#define ACL_HOST_REG_PINNED 0x10000000UL

/*
 * Registers ordinary host memory: it counts as pinned from then on. Atlas 350, A3 and A2 only [D].
 * ptr, size: the range, at least 1 byte; the documentation asks for an alignment of 4 KiB, nothing is rejected. It
 *     stays the caller's, who must not free it before aclrtHostUnregister.
 * type: ACL_HOST_REGISTER_*. devPtr: receives the address for kernels: here the same one [P]; copies take `ptr` [D].
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` or `devPtr` is null, or `size` is 0.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): `type` has any other bit, or the product cannot do it [P].
 * ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED (507910): the range overlaps a registered one.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr);

/*
 * The same with flags.
 * flag: one or more ACL_HOST_REG_* bits.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null, or `size` is 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flag` is 0 or has any other bit.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the product cannot do it [P].
 * ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED (507910): the range overlaps a registered one.
 * Range and ownership as aclrtHostRegister. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);

/*
 * Ends a registration: the range is pageable again. Synchronize the work that uses it first.
 * ptr: the start of a registered range.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null.
 * ACL_ERROR_HOST_MEMORY_NOT_REGISTERED (507911): no range is registered there.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void *ptr);

/*
 * Tells the address that kernels use for a registered range.
 * pHost: in a range registered as mapped. pDevice: receives the address, here the same one [P]. flag: 0.
 * ACL_ERROR_INVALID_PARAM (100000): `pHost` or `pDevice` is null, or `flag` is not 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): not registered, or without ACL_HOST_REG_MAPPED.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);

/* Which memory aclrtGetMemInfo counts. Without a suffix: huge and normal pages together. */
typedef enum aclrtMemAttr {
    ACL_DDR_MEM = 0,
    ACL_HBM_MEM = 1,
    ACL_DDR_MEM_HUGE = 2,
    ACL_DDR_MEM_NORMAL = 3,
    ACL_HBM_MEM_HUGE = 4,
    ACL_HBM_MEM_NORMAL = 5,
    ACL_DDR_MEM_P2P_HUGE = 6,
    ACL_DDR_MEM_P2P_NORMAL = 7,
    ACL_HBM_MEM_P2P_HUGE = 8,
    ACL_HBM_MEM_P2P_NORMAL = 9,
    ACL_HBM_MEM_HUGE1G = 10,
    ACL_HBM_MEM_P2P_HUGE1G = 11,
    ACL_MEM_NORMAL = 12,
    ACL_MEM_HUGE = 13,
    ACL_MEM_HUGE1G = 14,
    ACL_MEM_P2P_NORMAL = 15,
    ACL_MEM_P2P_HUGE = 16,
    ACL_MEM_P2P_HUGE1G = 17
} aclrtMemAttr;

/*
 * Tells how much memory of one sort the current context's device has. Both are 0 for a sort that the chip lacks; a
 * product with DDR only answers for HBM with its DDR.
 * free: receives the bytes that are not allocated, as aclrtMalloc counts them, for each kind of page the same. total:
 *     receives the bytes that there are.
 * ACL_ERROR_INVALID_PARAM (100000): `free` or `total` is null.
 * ACL_ERROR_RT_INVALID_MEMORY_TYPE (107016): `attr` is out of range.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/*
 * Tells which allocation a device address lies in.
 * ptr: any address inside device memory. pbase, psize: receive its start and size; either may be null.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `pbase` and `psize` are both null, or no device memory is there [P].
 * Any thread; needs no context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

typedef enum aclrtMemLocationType {
    ACL_MEM_LOCATION_TYPE_HOST = 0,         /* pinned host memory */
    ACL_MEM_LOCATION_TYPE_DEVICE = 1,       /* device memory */
    ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2, /* pageable host memory */
    ACL_MEM_LOCATION_TYPE_MANAGED = 3,      /* one address for host and device */
    ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4
} aclrtMemLocationType;

typedef struct aclrtMemLocation {
    uint32_t id; /* device; 0 for host memory */
    aclrtMemLocationType type;
} aclrtMemLocation;

typedef struct aclrtPtrAttributes {
    aclrtMemLocation location;
    uint32_t pageSize; /* bytes, for device memory: 4 KiB, 2 MiB or 1 GiB */
    uint32_t rsv[4];
} aclrtPtrAttributes;

/*
 * Tells what sort of memory an address belongs to. Addresses inside an allocation count as well; pageable memory is an
 * answer (ACL_MEM_LOCATION_TYPE_UNREGISTERED), not an error.
 * attributes: receives the answer.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` or `attributes` is null.
 * Any thread; needs no context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes);

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0, /* not by the 2D calls, not by aclrtMemcpyAsync */
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,       /* 2D: aclrtMemcpy2dAsync only, on Atlas 350, A3 and A2 */
    ACL_MEMCPY_DEFAULT = 4,                /* the direction follows from the addresses */
    ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,  /* 1D only */
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6, /* not by the calls below */
    ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7  /* not by the calls below */
} aclrtMemcpyKind;

/*
 * Copies `count` bytes and returns when that is done. Waits for no stream: order after earlier asynchronous work is the
 * caller's concern. Both sides may be any memory, on two devices too, given peer access.
 * destMax: room at `dst`, at least `count`. count: 0 does nothing and succeeds, whatever the other arguments are.
 * kind: 0 to 5; otherwise unused, the direction follows from the addresses. dst == src succeeds and copies nothing.
 * ACL_ERROR_INVALID_PARAM (100000): `dst` or `src` is null, or `kind` is out of range.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `destMax` is 0 or less than `count`.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_SYS_DMA (507013): a side leaves its allocation, is not allocated or not mapped, or lies on a device that
 *     the current one has no access to; nothing is copied. [P]
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                                         aclrtMemcpyKind kind);

/*
 * Queues a copy of `count` bytes. With pageable host memory the call waits for the stream, copies and returns when that
 * is done, as aclrtMemcpy2dAsync does; the rules for buffers and late failures are the same, too.
 * destMax: room at `dst`, at least `count`. count: 0 does nothing and succeeds, whatever the other arguments are.
 * kind: 0 to 5, corrected by the addresses as in aclrtMemcpy2dAsync; device to device works on every product.
 * stream: null is the default stream. dst == src succeeds and copies nothing.
 * ACL_ERROR_INVALID_PARAM (100000): `dst` or `src` is null, or `kind` is out of range.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `count` is larger than `destMax`, or `kind` does not fit the addresses.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): host to host, where the program runs on a host; not a last error.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context; not with pageable memory.
 * Any thread with the stream's context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                                              aclrtMemcpyKind kind, aclrtStream stream);

/*
 * Copies a matrix, `height` rows of `width` bytes, and returns when that is done. Waits for no stream, and runs also
 * when a stream has failed. Arguments, limits and order of checks as aclrtMemcpy2dAsync, without the stream, and:
 * kind: host to device, device to host or default; device to device is not supported by this call on any product.
 * ACL_ERROR_INVALID_PARAM (100000): as aclrtMemcpy2dAsync, and ACL_MEMCPY_DEVICE_TO_DEVICE [D].
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): a product form without 2D copies [P].
 * ACL_ERROR_RT_PARAM_INVALID (107000): over a limit; `kind` does not fit the addresses; both addresses are device
 *     memory, whatever host kind was given.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context, for pageable memory too.
 * ACL_ERROR_RT_SYS_DMA (507013): the matrix leaves its allocation, or lies in device memory that is not allocated [P].
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                           size_t height, aclrtMemcpyKind kind);

/*
 * Queues a copy of a matrix: row r goes from src + r * spitch to dst + r * dpitch. Success means that the task was
 * accepted, not that it ran: synchronize (aclrtSynchronizeStream) before you use the result. [S]
 *
 * dst, src   Start of the first row; any alignment. The matrix takes (height - 1) * pitch + width bytes on its side.
 *            The gaps between the rows of `dst` keep their content. If the two overlap, the rows are moved in ascending
 *            order, each as by memmove [P].
 * dpitch     Distance in bytes between two row starts in `dst`, at least `width`; no upper limit, any alignment. [S][C]
 * spitch     The same in `src`.
 * width      Bytes per row, at most 5,000,000 and at most both pitches. [S]
 * height     Rows, at most 5 * 1024 * 1024 = 5,242,880. [S]
 *            If `width` or `height` is 0 the call succeeds and looks at nothing else, not even at the handle. [C][T]
 * kind       Direction. HOST_TO_DEVICE and DEVICE_TO_HOST work on all products, DEVICE_TO_DEVICE on Atlas 350, A3 and
 *            A2; DEFAULT takes the direction that the addresses show. [S]
 *              product                                   H2D  D2H  D2D
 *              Atlas 350 accelerator card                 y    y    y
 *              Atlas A3, Atlas A2 training/inference      y    y    y
 *              Atlas training series                      y    y    -
 *              Atlas inference series                     y    y    -    not as acceleration module, open Control CPU
 *              Atlas 200I/500 A2 inference                y    y    -    not in the Ascend RC form
 *            The addresses win over a kind that contradicts them: pinned to device is always H2D, device to pinned
 *            always D2H, device to device always D2D. Between pageable and device memory the opposite kind is refused,
 *            and D2D acts as the direction that the addresses show. [C][P]
 * stream     Queue to put the task in; null is the current context's default stream. [P]
 *
 * Buffers    Pinned and device memory: the call returns at once, and both buffers stay in use until the task has
 *            finished; change, reuse or free them after a synchronization. [D] Memory of aclrtMalloc or
 *            aclrtMallocHost that is freed earlier stays until then. [P]
 *            Pageable host memory (anything but aclrtMallocHost and registered ranges): the call first waits for all
 *            that is queued on the stream, without limit, then copies, then returns; the data is there and the buffer
 *            free, and nothing is left in the queue. [C][D]
 * Order      After everything queued on the stream before, before everything queued later; no order with other streams
 *            but by events. One copy is one task; several engines may share its rows. [C][P]
 *
 * Codes, in the order of the checks; a call that fails has queued and written nothing:
 *   ACL_SUCCESS (0)                            `width` or `height` is 0.
 *   ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000)  A product form without 2D copies (the three named above). [P]
 *   ACL_ERROR_INVALID_PARAM (100000)           `dst` or `src` is null; `width` is larger than a pitch; `kind` is
 *                                              HOST_TO_HOST, none of 1 to 4, or DEVICE_TO_DEVICE on a product
 *                                              without it. [S][C]
 *   ACL_ERROR_RT_INVALID_HANDLE (107017)       `stream` is not a live stream. [C]
 *   ACL_ERROR_RT_PARAM_INVALID (107000)        Null stream and no context; `height` or `width` over its limit. [C]
 *   ACL_ERROR_RT_CONTEXT_NULL (107002)         A stream is given, but no context. [C]
 *   ACL_ERROR_RT_PARAM_INVALID (107000)        `kind` does not fit the addresses, or neither is device memory. [C][P]
 *   ACL_ERROR_INVALID_PARAM (100000)           The addresses turn the kind into DEVICE_TO_DEVICE on a product without
 *                                              it. [P]
 *   a code of earlier work                     Pageable only: waiting for the stream found a failed task. [C]
 *   ACL_ERROR_RT_SYS_DMA (507013)              Pageable only: as below, found at once. [P]
 *   ACL_ERROR_RT_STREAM_CONTEXT (107003)       Pinned and device to device only: the stream belongs to another context
 *                                              than the current one. [C]
 * Failures that show later, at the next synchronization or query of the stream:
 *   ACL_ERROR_RT_SYS_DMA (507013)              The matrix leaves its allocation (bounds are the sizes asked for), or
 *                                              lies in device memory that is not allocated, or crosses two devices
 *                                              without peer access. Nothing is read or written; aclGetRecentErrMsg
 *                                              names the call, the matrix, the allocation and the first row
 *                                              outside. [P]
 *
 * Any thread on which the stream's context is current. Since 0.1.0.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                                size_t height, aclrtMemcpyKind kind, aclrtStream stream);

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

/*
 * Fills device or pinned memory with a byte and returns when that is done. Waits for no stream.
 * maxCount: room at `devPtr`, at least `count`. value: its low byte is used. count: bytes; 0 does nothing and succeeds.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `count` is larger than `maxCount` [P].
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_SYS_DMA (507013): the bytes leave their allocation, or are not allocated; the asynchronous call leaves
 *     this to the next synchronize. [P]
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);

/*
 * Queues a fill with a byte. Host memory is filled before the call returns, ahead of what the stream has queued.
 * maxCount, value, count: as aclrtMemset. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `count` is larger than `maxCount`.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                                              aclrtStream stream);

/*
 * Fills memory with a 32-bit word and returns when that is done. Atlas 350, A3 and A2 only [D].
 * ptr: aligned to 4; device or pinned memory. memSize: room in bytes, at least 4 * N. N: words; 0 does nothing and
 *     succeeds.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null, not aligned or pageable memory, or `memSize` is less than 4 * N.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the product cannot do it [P].
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N);

/*
 * Queues a fill with a 32-bit word.
 * ptr, memSize, value, N: as aclrtMemsetD32. stream: null is the default stream.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * Else as aclrtMemsetD32.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N,
                                                 aclrtStream stream);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

typedef enum aclrtLastErrLevel {
    ACL_RT_THREAD_LEVEL = 0 /* of the calling thread */
} aclrtLastErrLevel;

/*
 * Returns the calling thread's last error and clears it: the newest failure of the runtime layer, whichever calls have
 * succeeded since. ACL_SUCCESS if there is none.
 * level: ACL_RT_THREAD_LEVEL.
 * ACL_ERROR_INVALID_PARAM (100000): any other `level`.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

/*
 * The same without clearing it.
 * level: ACL_RT_THREAD_LEVEL.
 * ACL_ERROR_INVALID_PARAM (100000): any other `level`.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/*
 * Returns the text of the calling thread's failures, newest first, and clears it; null if there is none. With
 * err_msg_mode "1" (aclInit) the texts of all threads.
 * The string belongs to the library and is valid until the next call in the same thread (mode "1": in the process).
 * Any thread. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void);

/* ---- Versions ---------------------------------------------------------------------------------------------------- */

#define ACL_PKG_VERSION_MAX_SIZE 128      /* room for a version string, in bytes, the 0 at its end included */
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64 /* room for one part of it */

/*
 * Tells the version of the interface that the library offers: 1, 17, 0.
 * majorVersion, minorVersion, patchVersion: receive the parts.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * Any thread. Since 0.1.0. [C]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion,
                                                            int32_t *patchVersion);

/*
 * Tells the version of an installed package, from share/info/<pkgName>/version.info below $ASCEND_HOME_PATH.
 * pkgName: the package, e.g. "runtime". versionStr: receives the string, at most ACL_PKG_VERSION_MAX_SIZE bytes [P].
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_INVALID_FILE (100003): the file is missing or has no version.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char *pkgName, char *versionStr);

/*
 * The same as one number that grows with the version: major * 10000000 + minor * 100000 + patch * 1000, less 300 for an
 * alpha, 200 for a beta, 100 for a release candidate, plus the number of that.
 * pkgName: the package. versionNum: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_INVALID_FILE (100003): the file is missing or has no version.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);

/* ---- Start and end: callbacks, packages -------------------------------------------------------------------------- */

typedef enum aclRegisterCallbackType {
    ACL_REG_TYPE_ACL_MODEL = 0,
    ACL_REG_TYPE_ACL_OP_EXECUTOR = 1,
    ACL_REG_TYPE_ACL_OP_CBLAS = 2,
    ACL_REG_TYPE_ACL_OP_COMPILER = 3,
    ACL_REG_TYPE_ACL_TDT_CHANNEL = 4,
    ACL_REG_TYPE_ACL_TDT_QUEUE = 5,
    ACL_REG_TYPE_ACL_DVPP = 6,
    ACL_REG_TYPE_ACL_RETR = 7,
    ACL_REG_TYPE_OTHER = 65535
} aclRegisterCallbackType;

typedef aclError (*aclInitCallbackFunc)(const char *configStr, size_t len, void *userData);
typedef aclError (*aclFinalizeCallbackFunc)(void *userData);

typedef enum aclCANNPackageName {
    ACL_PKG_NAME_CANN = 0,
    ACL_PKG_NAME_RUNTIME = 1,
    ACL_PKG_NAME_COMPILER = 2,
    ACL_PKG_NAME_HCCL = 3,
    ACL_PKG_NAME_TOOLKIT = 4,
    ACL_PKG_NAME_OPP = 5,
    ACL_PKG_NAME_OPP_KERNEL = 6,
    ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;

typedef struct aclCANNPackageVersion {
    char version[ACL_PKG_VERSION_MAX_SIZE];
    char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
    char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;

/*
 * Has a function called by each later aclInit.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                                     void *userData);

/*
 * Takes such a function back.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);

/*
 * Has a function called by the aclFinalize that ends the library.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                                         void *userData);

/*
 * Takes such a function back.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                                           aclFinalizeCallbackFunc cbFunc);

/*
 * As aclsysGetVersionStr, for a package by its number and with the version's parts.
 * name: the package. version: receives the version, and in majorVersion, minorVersion, releaseVersion and patchVersion
 *     up to four parts between dots, the last with what remains [P].
 * ACL_ERROR_INVALID_PARAM (100000): `version` is null, or `name` is not one of aclCANNPackageName.
 * ACL_ERROR_INVALID_FILE (100003): the file is missing or has no version.
 * Any thread. Since 0.1.0. [C]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclsysGetCANNVersion(aclCANNPackageName name,
                                                                 aclCANNPackageVersion *version);

/*
 * Tells whether code for a chip runs on this one: whether both are of one family.
 * socVersion: name of the chip, e.g. "Ascend910B3". canCompatible: receives 1 or 0; 0 for a name that PACL does not
 *     know.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible);

/* ---- Devices: states, limits, ids -------------------------------------------------------------------------------- */

typedef enum aclrtTsId {
    ACL_TS_ID_AICORE = 0,
    ACL_TS_ID_AIVECTOR = 1,
    ACL_TS_ID_RESERVED = 2
} aclrtTsId;

typedef enum aclrtDeviceStatus {
    ACL_RT_DEVICE_STATUS_NORMAL = 0,
    ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
    ACL_RT_DEVICE_STATUS_END = 65535
} aclrtDeviceStatus;

typedef enum {
    ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
    ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21
} aclrtDevFeatureType;

#define ACL_DEV_FEATURE_NOT_SUPPORT 0
#define ACL_DEV_FEATURE_SUPPORT 1

typedef enum {
    ACL_RT_DEV_RES_CUBE_CORE = 0,
    ACL_RT_DEV_RES_VECTOR_CORE = 1
} aclrtDevResLimitType;

typedef enum aclrtDeviceLimit {
    ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
    ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
    ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
    ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
    ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4
} aclrtDeviceLimit;

typedef enum aclrtFloatOverflowMode {
    ACL_RT_OVERFLOW_MODE_SATURATION = 0,
    ACL_RT_OVERFLOW_MODE_INFNAN = 1,
    ACL_RT_OVERFLOW_MODE_UNDEF = 2
} aclrtFloatOverflowMode;

typedef enum {
    ACL_RT_HAC_TYPE_STARS = 0,
    ACL_RT_HAC_TYPE_AICPU = 1,
    ACL_RT_HAC_TYPE_AIC = 2,
    ACL_RT_HAC_TYPE_AIV = 3,
    ACL_RT_HAC_TYPE_PCIEDMA = 4,
    ACL_RT_HAC_TYPE_RDMA = 5,
    ACL_RT_HAC_TYPE_SDMA = 6,
    ACL_RT_HAC_TYPE_DVPP = 7,
    ACL_RT_HAC_TYPE_UDMA = 8,
    ACL_RT_HAC_TYPE_CCU = 9
} aclrtHacType;

typedef enum {
    ACL_RT_DEVICE_STATE_SET_PRE = 0,
    ACL_RT_DEVICE_STATE_SET_POST = 1,
    ACL_RT_DEVICE_STATE_RESET_PRE = 2,
    ACL_RT_DEVICE_STATE_RESET_POST = 3
} aclrtDeviceState;

typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void *args);

typedef enum {
    ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
    ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;

typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage, uint32_t timeout,
                                                void *args);

typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;

typedef struct aclrtUtilizationInfo {
    int32_t cubeUtilization;
    int32_t vectorUtilization;
    int32_t aicpuUtilization;
    int32_t memoryUtilization;
    aclrtUtilizationExtendInfo *utilizationExtend;
} aclrtUtilizationInfo;

typedef struct tagRtGroupInfo aclrtGroupInfo;

typedef enum aclrtGroupAttr {
    ACL_GROUP_AICORE_INT = 0,
    ACL_GROUP_AIV_INT = 1,
    ACL_GROUP_AIC_INT = 2,
    ACL_GROUP_SDMANUM_INT = 3,
    ACL_GROUP_ASQNUM_INT = 4,
    ACL_GROUP_GROUPID_INT = 5
} aclrtGroupAttr;

typedef struct aclrtUuid {
    char bytes[16];
} aclrtUuid;

#define ACL_RT_DEVS_TOPOLOGY_HCCS 0x1ULL
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x2ULL
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x4ULL
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x8ULL
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL

/*
 * Tells whether a device works: always ACL_RT_DEVICE_STATUS_NORMAL.
 * ACL_ERROR_INVALID_PARAM (100000): `deviceStatus` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus);

/*
 * Tells how busy a device is, in percent.
 * utilizationInfo: receives 0 for the cores, which never compute, and the part of the memory that is allocated.
 *     utilizationExtend is left alone.
 * ACL_ERROR_INVALID_PARAM (100000): `utilizationInfo` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo);

/*
 * Tells whether a device's scheduler has a feature: it has none of them.
 * value: receives ACL_DEV_FEATURE_NOT_SUPPORT.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `devFeatureType` is not one of aclrtDevFeatureType.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                                      int32_t *value);

/*
 * Tells whether a device's primary context exists, that is whether the device is set.
 * flags: null. active: receives 1 or 0.
 * ACL_ERROR_INVALID_PARAM (100000): `flags` is not null, or `active` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active);

/*
 * Tells the calling process's id for calls that let other processes in (aclrtIpcMemSetImportPid). In a container it is
 * the container's own number: PACL's processes meet inside of it [P].
 * pid: receives the id.
 * ACL_ERROR_INVALID_PARAM (100000): `pid` is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetBareTgid(int32_t *pid);

/*
 * Tells a number that is another one for each device of the machine and the same one in each process: "PACL-device-"
 * and the device's number in the machine.
 * uuid: receives 16 bytes, not a string.
 * ACL_ERROR_INVALID_PARAM (100000): `uuid` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid);

/*
 * Tells a device's address on the PCI bus, e.g. "0000:3b:00.0".
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len);

/*
 * Finds the device at an address on the PCI bus.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId);

/*
 * Tells how two devices are connected: all are directly, so ACL_RT_DEVS_TOPOLOGY_HCCS.
 * value: receives it.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t *value);

/*
 * Turns the program's number of a device, which counts what ASCEND_RT_VISIBLE_DEVICES lets it see, into the machine's.
 * logicDevId: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `logicDevId` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t *logicDevId);

/*
 * Turns the machine's number of a device into the program's.
 * userDevid: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `userDevid` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): this process does not see such a device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t *userDevid);

/*
 * Turns the number of a chip into the machine's number of the device: it is the same.
 * logicDevId: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `logicDevId` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): this process does not see such a device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t *logicDevId);

/*
 * Turns the machine's number of a device into that of its chip: it is the same.
 * phyDevId: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `phyDevId` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): this process does not see such a device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t *phyDevId);

/*
 * Turns the number of a chip into the program's number of the device.
 * userDevId: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `userDevId` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): this process does not see such a device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByPhyDevId(int32_t phyDevId, int32_t *userDevId);

/*
 * Turns the program's number of a device into that of its chip.
 * phyDevId: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `phyDevId` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByUserDevId(int32_t userDevId, int32_t *phyDevId);

/*
 * Sets a limit of kernels on the current device. It is kept for aclrtDeviceGetLimit and limits nothing here.
 * value: bytes.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `limit` is not one of aclrtDeviceLimit.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);

/*
 * Tells what aclrtDeviceSetLimit has set for the current device.
 * value: receives the bytes; 0 if nothing was set.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `limit` is not one of aclrtDeviceLimit.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value);

/*
 * Tells how many cores of a device kernels may use.
 * value: receives what aclrtSetDeviceResLimit has set, else all that the product has; 0 where that is not known.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `type` is not one of aclrtDevResLimitType.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value);

/*
 * Sets how many cores of a device kernels may use. It is kept and told again; PACL runs no kernels.
 * value: 1 to what the product has.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `type` is not one of aclrtDevResLimitType, or `value` is out of range.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);

/*
 * Takes aclrtSetDeviceResLimit back, for both types.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceResLimit(int32_t deviceId);

/*
 * Tells how many cores kernels that the calling thread launches may use.
 * value: receives the limit of the stream that aclrtUseStreamResInCurrentThread named, if it has one, else the current
 *     device's.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `type` is not one of aclrtDevResLimitType.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);

/*
 * Tells what aclrtCtxSetSysParamOpt has set for the current context.
 * value: receives it.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null, or `opt` is not 0 to 2.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_SYSPARAMOPT_NOT_SET (107021): the option was not set for this context.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/*
 * Sets an option of the current context. It is kept and told again; what it steers are kernels.
 * opt: 0 to 2; ACL_OPT_ENABLE_KERNEL_EARLY_START is one of the process only.
 * ACL_ERROR_INVALID_PARAM (100000): `opt` is not 0 to 2.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/*
 * Tells what aclrtSetSysParamOpt has set for the process.
 * value: receives it.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null, or `opt` is not 0 to 3.
 * ACL_ERROR_RT_SYSPARAMOPT_NOT_SET (107021): the option was not set.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/*
 * Sets an option of the process. It is kept and told again; what it steers are kernels.
 * ACL_ERROR_INVALID_PARAM (100000): `opt` is not 0 to 3.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/*
 * Chooses the scheduler that gets later work. Accepted without effect: there is one kind of engines.
 * ACL_ERROR_INVALID_PARAM (100000): `tsId` is neither ACL_TS_ID_AICORE nor ACL_TS_ID_AIVECTOR.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetTsDevice(aclrtTsId tsId);

/*
 * Sets what the current device's arithmetic does on overflow. It is kept and told again; PACL runs no kernels.
 * mode: ACL_RT_OVERFLOW_MODE_SATURATION or ACL_RT_OVERFLOW_MODE_INFNAN.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `mode` is another value.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/*
 * Tells what the current device's arithmetic does on overflow.
 * mode: receives what aclrtSetDeviceSatMode has set; else infinity and NaN on Atlas 350, A3 and A2, saturation on
 *     others.
 * ACL_ERROR_INVALID_PARAM (100000): `mode` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode);

/*
 * Drops what is queued on all streams of a device, of all contexts, as aclrtStreamAbort does. Threads that wait for
 * them return ACL_ERROR_RT_DEVICE_TASK_ABORT (107022). Functions that aclrtSetDeviceTaskAbortCallback has registered
 * are called before and after.
 * timeout: milliseconds to wait for running tasks, 0 for ever [P].
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_TASK_ABORT_STOP (107035): a function has not answered 0; if before, nothing is dropped [P].
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT (507046): a task has not ended in time; what was queued behind it is dropped all the
 *     same [P].
 * Any thread but those that run callbacks of the device's streams. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/*
 * Has a function called before and after aclrtSetDevice, aclrtResetDevice and aclrtResetDeviceForce with a valid
 * device; after only if the call succeeds [P].
 * regName, callback, errors: as of aclrtRegStreamStateCallback.
 * callback's arguments: the device, the state, and `args`. It runs in the thread that makes the call.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback,
                                                         void *args);

/*
 * Has a function called before (ACL_RT_DEVICE_TASK_ABORT_PRE) and after (ACL_RT_DEVICE_TASK_ABORT_POST) the work of
 * aclrtDeviceTaskAbort.
 * regName, callback, errors: as of aclrtRegStreamStateCallback.
 * callback's arguments: the device, the stage, the call's timeout, and `args`. It answers 0 for success.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback,
                                                             void *args);

/*
 * Writes the device's L2 cache back. Accepted without effect: memory here is always coherent.
 * rsv: null.
 * ACL_ERROR_INVALID_PARAM (100000): `rsv` is not null.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceL2CacheFlush(void *rsv);

/* ---- Devices: groups of cores ------------------------------------------------------------------------------------ */

/*
 * Chooses the group of cores for later work of the calling thread.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetGroup(int32_t groupId);

/*
 * Tells the number of groups.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetGroupCount(uint32_t *count);

/*
 * Makes room for the description of all groups.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclrtGroupInfo *aclrtCreateGroupInfo(void);

/*
 * Frees it.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo);

/*
 * Fills it in.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo);

/*
 * Tells one attribute of a group.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo, int32_t groupIndex,
                                                     aclrtGroupAttr attr, void *attrValue, size_t valueLen,
                                                     size_t *paramRetSize);

/* ---- Streams: configuration, attributes, values in memory -------------------------------------------------------- */

typedef enum {
    ACL_RT_STREAM_WORK_ADDR_PTR = 0,
    ACL_RT_STREAM_WORK_SIZE = 1,
    ACL_RT_STREAM_FLAG = 2,
    ACL_RT_STREAM_PRIORITY = 3
} aclrtStreamConfigAttr;

typedef struct aclrtStreamConfigHandle {
    void *workptr;
    size_t workSize;
    size_t flag;
    uint32_t priority;
} aclrtStreamConfigHandle;

typedef enum {
    ACL_STREAM_ATTR_FAILURE_MODE = 1,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
    ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
    ACL_STREAM_ATTR_PRIORITY = 5
} aclrtStreamAttr;

typedef union {
    uint64_t failureMode;
    uint32_t overflowSwitch;
    uint32_t userCustomTag;
    uint32_t cacheOpInfoSwitch;
    uint32_t streamPriority;
    uint32_t reserve[4];
} aclrtStreamAttrValue;

typedef enum {
    ACL_RT_STREAM_STATE_CREATE_POST = 1,
    ACL_RT_STREAM_STATE_DESTROY_PRE = 2
} aclrtStreamState;

typedef void (*aclrtStreamStateCallback)(aclrtStream stream, aclrtStreamState state, void *args);

#define ACL_STREAM_WAIT_VALUE_GEQ 0U /* the stream waits until the cell is at least the value, cyclically */
#define ACL_STREAM_WAIT_VALUE_EQ 1U  /* until it equals the value */
#define ACL_STREAM_WAIT_VALUE_AND 2U /* until it has a bit of the value */
#define ACL_STREAM_WAIT_VALUE_NOR 3U

/*
 * Makes a configuration for aclrtCreateStreamV2, with priority 0 and no flags. Give it back with
 * aclrtDestroyStreamConfigHandle; streams that were made with it stay.
 * Returns null if there is no memory. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void);

/*
 * Frees a configuration.
 * ACL_ERROR_INVALID_PARAM (100000): `handle` is null, or no living configuration.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle);

/*
 * Sets an option of a configuration.
 * attr: ACL_RT_STREAM_WORK_ADDR_PTR (void *) and ACL_RT_STREAM_WORK_SIZE (size_t) are without effect;
 *     ACL_RT_STREAM_FLAG (size_t or uint32_t) and ACL_RT_STREAM_PRIORITY (uint32_t) are what
 *     aclrtCreateStreamWithConfig takes.
 * attrValue: address of the value. valueSize: its bytes.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, `handle` is no living configuration, `attr` is unknown, or the
 *     size is not the option's.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr,
                                                     const void *attrValue, size_t valueSize);

/*
 * Creates a stream as aclrtCreateStreamWithConfig does, with the priority and flags of a configuration.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or `handle` is no living configuration.
 * Else as aclrtCreateStreamWithConfig.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle);

/*
 * Tells the priorities that streams can have.
 * leastPriority: receives 7, the lowest. greatestPriority: receives 0, the highest.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority);

/*
 * Tells how many more streams the current context's device can have.
 * streamCount: receives it. Default streams do not count.
 * ACL_ERROR_INVALID_PARAM (100000): `streamCount` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t *streamCount);

/*
 * Sets an attribute of a stream.
 * stream: null is the default stream.
 * value: failureMode: as aclrtSetStreamFailureMode. streamPriority: 0 to 7, overflowSwitch: 0 or 1, userCustomTag,
 *     cacheOpInfoSwitch: kept, without effect.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_PARAM_INVALID (107000): another attribute, or a value that the attribute does not take.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000), ACL_ERROR_RT_STREAM_CONTEXT (107003): of the failure mode.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue *value);

/*
 * Tells an attribute of a stream.
 * stream: null is the default stream. value: receives it; the bytes behind it become 0.
 * Errors as aclrtSetStreamAttribute.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue *value);

/*
 * Drops what is queued on a stream and waits until the task that runs has ended. A wait for an event or notify ends;
 * records are carried out, because others wait for them. The stream can be used again. Threads that synchronize with
 * it, or wait in a copy of pageable memory, return ACL_ERROR_RT_STREAM_ABORT (107023); failures from before stay for
 * the next one that synchronizes.
 * stream: any live stream, also of another context.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null [P].
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * Any thread but those that run the stream's own callbacks. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamAbort(aclrtStream stream);

/*
 * The same as aclrtStreamAbort [P].
 * Any thread but those that run the stream's own callbacks. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamStop(aclrtStream stream);

/*
 * Has a function called when a stream was created (ACL_RT_STREAM_STATE_CREATE_POST) and before one is destroyed
 * (ACL_RT_STREAM_STATE_DESTROY_PRE), by a call or with its context; not for default streams [P].
 * regName: any name; one function per name. callback: null takes back the function of that name [P].
 * callback's arguments: the stream, the state, and `args`. It runs in the thread that creates or destroys, and may use
 * the stream.
 * ACL_ERROR_INVALID_PARAM (100000): `regName` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): the name is in use, or, with a null callback, is not; or 64 are registered [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback,
                                                         void *args);

/*
 * Tells the number of the task that the calling thread queued last, as aclrtGetTaskIdFromExceptionInfo tells it;
 * numbers count up within a stream. A tiny copy that ran at once has the number of the task before it.
 * taskId: receives it; 0 if the thread has queued none [P].
 * ACL_ERROR_INVALID_PARAM (100000): `taskId` is null.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetThreadLastTaskId(uint32_t *taskId);

/*
 * Queues a write of 64 bits to device memory. It happens in the order of the stream and lets streams pass that wait for
 * the value (aclrtValueWait); who sees the value sees what the stream did before.
 * devAddr: device memory, aligned to 8. flag: 0. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `devAddr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flag` is not 0 [C]; `devAddr` is not 8 aligned bytes of allocated device memory
 *     [P].
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_STREAM_CONTEXT (107003), ACL_ERROR_RT_CONTEXT_NULL (107002): as
 *     aclrtMemcpyAsync.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/*
 * Lets the stream wait until 64 bits of device memory fulfil a condition. The stream waits and no thread does.
 * devAddr: device memory, aligned to 8. flag: ACL_STREAM_WAIT_VALUE_GEQ (0): the cell is at least the value,
 *     (int64_t)(cell - value) >= 0; EQ (1): equal; AND (2): (cell & value) is not 0; NOR (3): ~(cell | value) is not 0
 *     [D]. stream: null is the default stream.
 * A cell that a copy, a set or another process changes is noticed within about a millisecond [P], aclrtValueWrite at
 * once.
 * ACL_ERROR_INVALID_PARAM (100000): `devAddr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flag` is more than 3 [C]; else as aclrtValueWrite, and so are the other codes.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/*
 * Tells how many cores kernels of a stream may use.
 * value: receives what aclrtSetStreamResLimit has set, else the device's (aclrtGetDeviceResLimit).
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `type` is not one of aclrtDevResLimitType.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value);

/*
 * Sets how many cores kernels of a stream may use. It is kept and told again; PACL runs no kernels.
 * value: 1 to what the product has.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `type` is not one of aclrtDevResLimitType, or `value` is out of range.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);

/*
 * Takes aclrtSetStreamResLimit back, for both types.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/*
 * Has a stream's limits hold for aclrtGetResInCurrentThread in the calling thread, until the stream is destroyed.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/*
 * Takes aclrtUseStreamResInCurrentThread back.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * ACL_ERROR_RT_PARAM_INVALID (107000): the thread does not use the limits of this stream.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/* ---- Streams: overflow of floating-point arithmetic -------------------------------------------------------------- */

/*
 * Switches the detection of overflow for a stream. It is kept and told again (also as
 * ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK); PACL runs no kernels.
 * flag: 1 for on, 0 for off. stream: null is the default stream.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flag` is another value.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);

/*
 * Tells whether a stream detects overflow.
 * flag: receives 1 or 0, as at the start.
 * ACL_ERROR_INVALID_PARAM (100000): `flag` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag);

/*
 * Queues the writing of the overflow status: 64 bytes, which are 0, for no kernel computes here.
 * outputAddr: device memory. outputSize: its bytes, at least 64. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `outputAddr` is null, or `outputSize` is less than 64 [P].
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * And what aclrtMemsetAsync answers of `outputAddr`.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize, aclrtStream stream);

/*
 * Queues the clearing of the overflow status. Accepted without effect: it is 0 at any time.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetOverflowStatus(aclrtStream stream);

/*
 * Tells where in device memory the overflow status of the current context is.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr);

/*
 * As aclrtGetOverflowStatus.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream);

/*
 * As aclrtResetOverflowStatus.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtResetFloatOverflowStatus(aclrtStream stream);

/*
 * As aclrtGetOverflowStatus.
 * checkMode: 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `checkMode` is not 0.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode,
                                                            aclrtStream stream);

/*
 * As aclrtResetOverflowStatus.
 * checkMode: 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `checkMode` is not 0.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream);

/* ---- Events and notifies: flags, ids, other processes ------------------------------------------------------------ */

#define ACL_EVENT_RECORD_DEFAULT 0U
#define ACL_EVENT_RECORD_EXTERNAL 1U
#define ACL_EVENT_WAIT_DEFAULT 0U
#define ACL_EVENT_WAIT_EXTERNAL 1U
#define ACL_IPC_EVENT_HANDLE_SIZE 64U

typedef struct aclrtIpcEventHandle {
    char reserved[ACL_IPC_EVENT_HANDLE_SIZE];
} aclrtIpcEventHandle;

typedef struct {
    uint32_t sdid;
    int32_t *pid;
    size_t num;
} aclrtServerPid;

#define ACL_NOTIFY_DEFAULT 0x0U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x1U
#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x2UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x2UL

typedef enum {
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
    ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4
} aclrtCntNotifyRecordMode;

typedef struct {
    aclrtCntNotifyRecordMode mode;
    uint32_t value;
} aclrtCntNotifyRecordInfo;

typedef enum {
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
} aclrtCntNotifyWaitMode;

typedef struct {
    aclrtCntNotifyWaitMode mode;
    uint32_t value;
    uint32_t timeout;
    uint8_t isClear;
    uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

/*
 * Records an event as aclrtRecordEvent does.
 * flag: ACL_EVENT_RECORD_DEFAULT or ACL_EVENT_RECORD_EXTERNAL, which makes a difference in captured graphs only.
 * ACL_ERROR_INVALID_PARAM (100000): another flag; looked at first.
 * Else as aclrtRecordEvent.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);

/*
 * Waits for an event as aclrtStreamWaitEventWithTimeout does.
 * timeout: seconds, 0 for ever.
 * flag: ACL_EVENT_WAIT_DEFAULT or ACL_EVENT_WAIT_EXTERNAL, which makes a difference in captured graphs only.
 * ACL_ERROR_INVALID_PARAM (100000): another flag; looked at first.
 * Else as aclrtStreamWaitEvent.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                                          uint32_t flag);

/*
 * Tells an event's number, unique among the living ones of the process.
 * eventId: receives it.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId);

/*
 * Tells how many more events the current context's device can have. Events of aclrtCreateEventExWithFlag count from
 * their first record on.
 * eventCount: receives it.
 * ACL_ERROR_INVALID_PARAM (100000): `eventCount` is null.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventAvailNum(uint32_t *eventCount);

/*
 * Gives a handle by which other processes open an event; any process that has it may.
 * event: made with ACL_EVENT_IPC in this process. handle: receives it, valid until the event is destroyed.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. ACL_ERROR_RT_INVALID_HANDLE (107017): not a live event.
 * ACL_ERROR_RT_PARAM_INVALID (107000): not such an event. [C] ACL_ERROR_RT_IPC_ERROR (507022): the socket or the thread
 *     that answers other processes cannot be made. [P]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle);

/*
 * Opens an event of another process. Both may record it, wait for it, query and synchronize it; a wait is for the
 * record that was the newest one when it was called, whoever made it.
 * event: receives the event; destroy it with aclrtDestroyEvent.
 * A wait for a record whose process ends before it is reached fails: its stream carries 507022, and
 * aclrtSynchronizeEvent returns it. So does every open wait once the process that made the event has ended. [P]
 * ACL_ERROR_INVALID_PARAM (100000): `event` is null. ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the 310B, 310P and 910 classes. [D]
 * ACL_ERROR_RT_PARAM_INVALID (107000): no handle, one of this process, or one of a process that has ended.
 * ACL_ERROR_RT_IPC_ERROR (507022): the other process does not answer within 10 seconds. [P]
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event);

/*
 * Sets how long the waits of later calls of aclrtStreamWaitEvent may take, in the whole process. One whose time is over
 * fails with ACL_ERROR_RT_WAIT_TIMEOUT (107019), which the stream carries.
 * timeout: seconds; 0, as at the start, for ever.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/*
 * Creates a notify: a flag that tasks of streams set and wait for, on any streams of the process. It starts as not set.
 * notify: receives the handle; the caller owns it and gives it back with aclrtDestroyNotify. It goes with its context.
 * flag: ACL_NOTIFY_DEFAULT or ACL_NOTIFY_DEVICE_USE_ONLY, which makes no difference here [P].
 * ACL_ERROR_INVALID_PARAM (100000): `notify` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): another flag [P].
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context [P].
 * ACL_ERROR_RT_NO_NOTIFY_RESOURCE (207009): the device has its product's number of notifies, e.g. 8192 on Atlas A2 [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag);

/*
 * Destroys a notify. Queued records and waits that name it are still carried out; a wait that no queued record answers
 * then waits until its timeout, or until its stream is aborted or destroyed by force.
 * ACL_ERROR_INVALID_PARAM (100000): `notify` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live notify.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyNotify(aclrtNotify notify);

/*
 * Queues the setting of a notify: when the stream's earlier tasks have finished, one wait for it passes, now or later.
 * A notify is a flag: records without a wait between them count once [P]. A stream that stops on failures, is aborted
 * or destroyed by force still records.
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `notify` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live notify, or not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/*
 * Queues a wait: later tasks of the stream run once the notify is set, and the wait clears it. One record lets one wait
 * pass; if several wait, the one that began first.
 * stream: null is the default stream.
 * timeout: seconds, 0 for ever; when it is over the stream carries ACL_ERROR_RT_WAIT_TIMEOUT (107019) and goes on [P].
 * Errors as aclrtRecordNotify.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);

/*
 * Tells a notify's number, unique among the living ones of the process.
 * notifyId: receives it.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live notify.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId);

/*
 * Clears notifies at once, whatever is queued. If one of them is none, nothing is cleared.
 * notifies: `num` handles.
 * ACL_ERROR_INVALID_PARAM (100000): `notifies` or one of them is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `num` is 0 [P].
 * ACL_ERROR_RT_INVALID_HANDLE (107017): one of them is not a live notify.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num);

/*
 * Lets other processes have a notify: gives a key that they import.
 * notify: made in this process. key: receives the key, a text, valid until the notify is destroyed. len: room there in
 *     bytes, at least 65. flags: ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT, then aclrtNotifySetImportPid says who may import;
 *     or _DISABLE_PID_VALIDATION.
 * ACL_ERROR_INVALID_PARAM (100000): `notify` or `key` is null. ACL_ERROR_RT_INVALID_HANDLE (107017): not a live notify.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `len` or `flags` not as said, or the notify was imported. [D]
 * ACL_ERROR_RT_IPC_ERROR (507022): the socket or the thread that answers other processes cannot be made. [P]
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags);

/*
 * Takes a notify of another process: records of one let waits of the other pass.
 * notify: receives it, a notify of the current context; destroy it with aclrtDestroyNotify. flags: 0 or 2.
 * A wait that is open when the process that made the notify ends, and later ones that find no record, fail: their
 * stream carries 507022. [P]
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_PARAM_INVALID (107000): another flag, no key, one of this process, or one of a process that has ended.
 *     [D]
 * ACL_ERROR_RT_IPC_ERROR (507022): this process may not, or the other one does not answer within 10 seconds. [P]
 * Any thread. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags);

/*
 * Lets processes import a notify that was exported. Calls add up.
 * pid: `num` process numbers, as this process sees them.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. ACL_ERROR_RT_INVALID_HANDLE (107017): not a live notify.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `num` is 0, or the notify was not exported here. [D]
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num);

/*
 * Says which processes of other machines may open a notify.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids,
                                                                size_t num);

/* ---- Counting notifies ------------------------------------------------------------------------------------------- */

/*
 * Creates a counting notify: a number of 32 bits, 0 at first, that tasks of streams change and wait for.
 * cntNotify: receives the handle; the caller owns it and gives it back with aclrtCntNotifyDestroy. It goes with its
 *     context.
 * flag: ACL_NOTIFY_DEFAULT or ACL_NOTIFY_DEVICE_USE_ONLY.
 * Errors as aclrtCreateNotify; it counts against the same limit.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag);

/*
 * Destroys a counting notify, as aclrtDestroyNotify does a plain one.
 * ACL_ERROR_INVALID_PARAM (100000): `cntNotify` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live counting notify.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);

/*
 * Queues a change of the number.
 * info: mode: set to `value`, add it (modulo 2^32), or combine with it by bits. Read before the call returns.
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `cntNotify` or `info` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): another mode.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live counting notify, or not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * Any thread with the stream's context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
                                                  aclrtCntNotifyRecordInfo *info);

/*
 * Queues a wait until the number fulfils a condition.
 * info: mode: less than, equal to, bigger than, or bigger than or equal to `value`; or all bits of `value` are set.
 *     isClear: not 0 sets the number to 0 in the same step. timeout: seconds, 0 for ever, as of
 *     aclrtWaitAndResetNotify. Read before the call returns.
 * Errors as aclrtCntNotifyRecord.
 * Any thread with the stream's context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                                           aclrtCntNotifyWaitInfo *info);

/*
 * Queues the setting of the number to 0.
 * Errors as aclrtCntNotifyRecord.
 * Any thread with the stream's context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);

/*
 * Tells a counting notify's number, as aclrtGetNotifyId.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live counting notify.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId);

/* ---- Callbacks and failures -------------------------------------------------------------------------------------- */

typedef enum aclrtCallbackBlockType {
    ACL_CALLBACK_NO_BLOCK = 0, /* later tasks do not wait for the callback */
    ACL_CALLBACK_BLOCK = 1     /* later tasks wait for it */
} aclrtCallbackBlockType;

typedef void (*aclrtCallback)(void *userData);
typedef struct rtExceptionInfo aclrtExceptionInfo;
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo *exceptionInfo);
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo *exceptionInfo, void *userData);

#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 20U
#define MAX_MEM_UCE_INFO_ARRAY_SIZE 128
#define UCE_INFO_RESERVED_SIZE 14
#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20

typedef struct aclrtMemUceInfo {
    void *addr;
    size_t len;
    size_t reserved[UCE_INFO_RESERVED_SIZE];
} aclrtMemUceInfo;

typedef struct {
    size_t arraySize;
    aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

typedef enum {
    ACL_RT_NO_ERROR = 0,
    ACL_RT_ERROR_MEMORY = 1,
    ACL_RT_ERROR_L2 = 2,
    ACL_RT_ERROR_AICORE = 3,
    ACL_RT_ERROR_LINK = 4,
    ACL_RT_ERROR_L3_PORT = 5,
    ACL_RT_ERROR_OTHERS = 65535
} aclrtErrorType;

typedef enum aclrtAicoreErrorType {
    ACL_RT_AICORE_ERROR_UNKNOWN = 0,
    ACL_RT_AICORE_ERROR_SW = 1,
    ACL_RT_AICORE_ERROR_HW_LOCAL = 2
} aclrtAicoreErrorType;

typedef union aclrtErrorInfoDetail {
    aclrtMemUceInfoArray uceInfo;
    aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

typedef struct aclrtErrorInfo {
    uint8_t tryRepair;
    uint8_t hasDetail;
    uint8_t reserved[2];
    aclrtErrorType errorType;
    aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/*
 * Has a thread run a stream's callbacks: it calls aclrtProcessReport in a loop. A thread may subscribe to several
 * streams, a stream has one thread.
 * threadId: the thread's pthread_t (pthread_self() there) as a number. stream: null is the default stream.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream. ACL_ERROR_RT_CONTEXT_NULL (107002): null stream without a
 *     context.
 * ACL_ERROR_RT_STREAM_SUBSCRIBE (107011): the stream has a thread already, or aclrtLaunchHostFunc was used on it.
 * ACL_ERROR_RT_THREAD_SUBSCRIBE (107012): 1024 threads are subscribed [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/*
 * Ends that. Callbacks of the stream that have not begun are dropped; the stream carries ACL_ERROR_RT_STREAM_NO_CB_REG
 * (107015) for those that block it, and for those whose turn comes later [P]. A thread that waits in aclrtProcessReport
 * and has no other stream returns. Destroying the stream unsubscribes, too.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream. ACL_ERROR_RT_CONTEXT_NULL (107002): null stream without a
 *     context.
 * ACL_ERROR_RT_THREAD_SUBSCRIBE (107012): the thread is subscribed to no stream.
 * ACL_ERROR_RT_STREAM_SUBSCRIBE (107011): the thread is subscribed to other streams, not to this one.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/*
 * Queues fn(userData): when the stream's earlier tasks have finished, the subscribed thread runs it in
 * aclrtProcessReport.
 * fn: may call ACL, but must not wait for its own stream if it blocks it. userData: whatever fn takes; kept by the
 *     caller until it has run.
 * blockType: ACL_CALLBACK_BLOCK: later tasks of the stream wait until fn has returned. ACL_CALLBACK_NO_BLOCK: they do
 *     not, and a synchronize does not wait for fn either.
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): another blockType; looked at first.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `fn` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): it belongs to another context than the current one.
 * ACL_ERROR_RT_STREAM_NO_CB_REG (107015): no thread is subscribed to the stream.
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
                                                 aclrtStream stream);

/*
 * Waits for callbacks of the streams that the calling thread is subscribed to, and runs them: all that are there of the
 * one stream whose callback has waited longest.
 * timeout: milliseconds, or -1 for ever.
 * ACL_ERROR_INVALID_PARAM (100000): 0, or less than -1.
 * ACL_ERROR_RT_THREAD_SUBSCRIBE (107012): the thread is subscribed to no stream, or is so no more.
 * ACL_ERROR_RT_REPORT_TIMEOUT (507012): no callback came in time.
 * The subscribed thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

/*
 * Has a thread run a stream's functions, those of aclrtLaunchHostFunc as well as of aclrtLaunchCallback: it calls
 * aclrtProcessHostFunc in a loop.
 * Arguments and errors as of aclrtSubscribeReport.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

/*
 * The same as aclrtProcessReport.
 * The subscribed thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtProcessHostFunc(int32_t timeout);

/*
 * The same as aclrtUnSubscribeReport.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);

/*
 * Sets the one function that is told of each task that fails in execution. It runs in a thread of the library, with one
 * failure after the other; a call that returns the failure returns after it.
 * callback: null for none. It asks with aclrtGet...FromExceptionInfo, while it runs; it may call ACL, and must not wait
 *     for a thread that waits for a failed stream.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the thread could not be started [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/*
 * Adds a function that is told of each task that fails, as by aclrtSetExceptionInfoCallback and beside its function.
 * One that is added twice is called once.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `callback` is null, or 64 are registered [P].
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): as of aclrtSetExceptionInfoCallback.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/*
 * Takes such a function back. If it runs in another thread now, it runs to its end.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `callback` is null or not registered [P].
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/*
 * Tells the number of the task that failed, in its stream; aclrtGetThreadLastTaskId told it to the thread that queued
 * it.
 * Returns 0xFFFFFFFF for a null `info`, and for any that is not that of a callback that runs now. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info);

/*
 * Tells the id of its stream, as aclrtStreamGetId.
 * Returns 0xFFFFFFFF as aclrtGetTaskIdFromExceptionInfo. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info);

/*
 * Tells the thread that queued it, by the kernel's number (gettid).
 * Returns 0xFFFFFFFF as aclrtGetTaskIdFromExceptionInfo, and for copies that were found wrong only when they ran [P].
 * Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info);

/*
 * Tells the device of its stream.
 * Returns 0xFFFFFFFF as aclrtGetTaskIdFromExceptionInfo. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info);

/*
 * Tells the failure's code, e.g. 507013.
 * Returns 0xFFFFFFFF as aclrtGetTaskIdFromExceptionInfo. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info);

/* ---- Errors of the hardware -------------------------------------------------------------------------------------- */

/*
 * Tells the kind of the last error of a device's hardware: there is none.
 * errorInfo: receives ACL_RT_NO_ERROR, and 0 in all else.
 * ACL_ERROR_INVALID_PARAM (100000): `errorInfo` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo);

/*
 * Repairs the error that aclrtGetErrorVerbose tells. Accepted without effect: there is none.
 * ACL_ERROR_INVALID_PARAM (100000): `errorInfo` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_PARAM_INVALID (107000): it names an error, which the device does not have.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo);

/*
 * Lists memory that cannot be corrected: there is none.
 * memUceInfoArray: left alone. arraySize: its length. retSize: receives 0.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or `arraySize` is 0.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize,
                                                size_t *retSize);

/*
 * Repairs such memory. Accepted without effect: there is none.
 * arraySize: 1 to MAX_MEM_UCE_INFO_ARRAY_SIZE.
 * ACL_ERROR_INVALID_PARAM (100000): `memUceInfoArray` is null, or `arraySize` is out of range.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize);

/* ---- Virtual and shared memory ----------------------------------------------------------------------------------- */

typedef void *aclrtDrvMemHandle;

typedef enum aclrtMemAllocationType {
    ACL_MEM_ALLOCATION_TYPE_PINNED = 0
} aclrtMemAllocationType;

typedef enum aclrtMemHandleType {
    ACL_MEM_HANDLE_TYPE_NONE = 0,
    ACL_MEM_HANDLE_TYPE_POSIX = 2
} aclrtMemHandleType;

typedef enum aclrtMemSharedHandleType {
    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
    ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2
} aclrtMemSharedHandleType;

typedef enum aclrtMemGranularityOptions {
    ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
    ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 65535
} aclrtMemGranularityOptions;

typedef struct aclrtPhysicalMemProp {
    aclrtMemHandleType handleType;
    aclrtMemAllocationType allocationType;
    aclrtMemAttr memAttr;
    aclrtMemLocation location;
    uint64_t reserve;
} aclrtPhysicalMemProp;

typedef struct aclrtMemFabricHandle {
    uint8_t data[128];
} aclrtMemFabricHandle;

typedef enum {
    ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
    ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
    ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3
} aclrtMemAccessFlags;

typedef struct {
    aclrtMemAccessFlags flags;
    aclrtMemLocation location;
    uint8_t rsv[12];
} aclrtMemAccessDesc;

typedef enum {
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0
} aclrtIpcMemAttrType;

typedef enum {
    ACL_RT_MEM_ACCESS_LINK_SIO = 0,
    ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
    ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
    ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3
} aclrtMemLinkType;

typedef enum {
    ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
    ACL_RT_HOST_MEM_MAP_SUPPORTED = 1
} aclrtHostMemMapCapability;

#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1UL
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO 0
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS 1
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH 2
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH 3
#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U
#define ACL_RT_MEM_TYPE_DEV 0x2U
#define ACL_RT_MEM_TYPE_DVPP 0x8U
#define ACL_RT_MEM_TYPE_RSVD 0x10U

enum aclrtMemPgType {
    NORMAL_PAGE_TYPE = 0,
    HUGE_PAGE_TYPE = 1,
    HUGE1G_PAGE_TYPE = 2
};

enum aclrtMemType {
    HBM_TYPE = 0,
    DDR_TYPE = 1,
    P2P_HBM_TYPE = 2,
    P2P_DDR_TYPE = 3
};

struct MemAttrMapping {
    uint32_t pgType;
    uint32_t memType;
    bool isHostAlloc;
    aclrtMemAttr memAttr;
};

typedef struct aclrtMemUsageInfo {
    char name[32];
    uint64_t curMemSize;
    uint64_t memPeakSize;
    size_t reserved[8];
} aclrtMemUsageInfo;

/*
 * Reserves addresses, to which aclrtMapMem puts physical memory. Until then they are device memory that is not
 * allocated: copies that touch them fail with 507013.
 * virPtr: receives the first address, a multiple of 64 MiB. size: bytes, a multiple of 2 MiB. alignment: 0.
 * expectPtr: null, or the wanted address, from 16 to 24 TiB and a multiple of 64 MiB; on Atlas 350 null only [D].
 * flags: 0 or 1, without effect.
 * The program owns the addresses; release them with aclrtReleaseMemAddress.
 * ACL_ERROR_INVALID_PARAM (100000): `virPtr` is null, `size` 0 or `flags` over 1. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): one of the rules for `size`, `alignment` and `expectPtr` is broken, or the
 * wanted addresses are not free. [P]
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the 310B class. ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no
 * address space.
 * Any thread, also without a context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr,
                                                    uint64_t flags);

/*
 * As aclrtReserveMemAddress: there is one kind of memory here, and no uncached one. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment,
                                                              void *expectPtr, uint64_t flags);

/*
 * Gives reserved addresses back.
 * virPtr: as aclrtReserveMemAddress gave it.
 * ACL_ERROR_INVALID_PARAM (100000): `virPtr` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): not the start of a reservation, or something is still mapped there. [P]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void *virPtr);

/*
 * Allocates physical memory, which has no address until it is mapped. It counts against the memory of its device, and
 * comes into being where it is touched. The content is zero.
 * handle: receives it, with one reference; give that back with aclrtFreePhysical. size: bytes, a multiple of what
 *     aclrtMemGetAllocationGranularity answers. prop: handleType and allocationType 0; location: a device or the host;
 *     memAttr: the kind of pages, not DDR on a device. flags: 0.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, 0, or not as said. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `size` is no multiple of the granularity. [P]
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the 310B class. ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the
 *     device's memory is used up.
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
                                                 const aclrtPhysicalMemProp *prop, uint64_t flags);

/*
 * Gives one reference back. After the last one the handle is invalid; the memory stays while it is mapped. Also for
 * handles that were imported or retained.
 * ACL_ERROR_INVALID_PARAM (100000): `handle` is null. ACL_ERROR_RT_PARAM_INVALID (107000): not physical memory. [P]
 * Any thread, also without a context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/*
 * Puts physical memory at a reserved address; the memory's device may read and write it, other devices by peer access
 * or aclrtMemSetAccess. Memory may be mapped at several places. A rectangle may lie across pieces that adjoin.
 * virPtr: in reserved memory, a multiple of 2 MiB from its start. size: of the physical memory, in bytes. offset,
 *     flags: 0. handle: from aclrtMallocPhysical or an import.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null or 0, or `flags` not 0. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `offset` is not 0, `size` not that of the memory, the range not inside a
 *     reservation, something is mapped there, or `handle` is not physical memory. [P]
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the system refuses another mapping.
 * Any thread, also without a context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                                         uint64_t flags);

/*
 * As aclrtMapMem, but no device may use the piece before aclrtMemSetAccess allows it. Any thread. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                                                 uint64_t flags);

/*
 * Takes a mapping away; the addresses stay reserved. Waits for the tasks that run at this moment. Queued work that
 * names the addresses fails with 507013 when its turn comes, unless something is mapped there by then.
 * virPtr: as given to aclrtMapMem.
 * ACL_ERROR_INVALID_PARAM (100000): `virPtr` is null. ACL_ERROR_RT_PARAM_INVALID (107000): not the start of a mapping.
 *     [P]
 * Any thread, also without a context; not from a task. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void *virPtr);

/*
 * Says what devices may do with a mapping: nothing, read, read and write. Copies that do more fail with 507013 when
 * they run.
 * virPtr, size: exactly one mapping. desc: `count` entries, at least one: a location (a device, or the host, which has
 *     its own memory in any case and no other) and flags.
 * ACL_ERROR_RT_PARAM_INVALID (107000): an argument is null, `count` 0, the range not one mapping, or flags or location
 *     unknown. [P]
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device. ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the host and
 *     memory of a device. [P]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count);

/*
 * Tells what a device, or the host, may do with a mapped address. Peer access is not counted.
 * flag: receives 0, ACL_RT_MEM_ACCESS_FLAGS_READ or _READWRITE.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): nothing is mapped there, or the location is unknown. [P]
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag);

/*
 * Tells what sizes of physical memory are multiples of: 1 GiB for pages of that size, 2 MiB for all others, least and
 * recommended alike. [P]
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, `option` unknown, or `prop` as for aclrtMallocPhysical. [C]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
                                                              aclrtMemGranularityOptions option, size_t *granularity);

/*
 * Gives the physical memory behind a mapped address, with one reference more; give it back with aclrtFreePhysical.
 * Works also when all references had been given back.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. [C] ACL_ERROR_RT_PARAM_INVALID (107000): nothing is mapped
 * there. [P]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle);

/*
 * Tells with which properties physical memory was allocated.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. [C] ACL_ERROR_RT_PARAM_INVALID (107000): not physical memory.
 *     [P]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                                       aclrtPhysicalMemProp *prop);

/*
 * Lets other processes have physical memory: gives a number that they import. Once for each handle. The memory moves to
 * where processes can share it, streams rest meanwhile.
 * handle: from aclrtMallocPhysical. handleType: ACL_MEM_HANDLE_TYPE_NONE. flags: ACL_RT_VMM_EXPORT_FLAG_DEFAULT, then
 *     aclrtMemSetPidToShareableHandle says who may import; or _DISABLE_PID_VALIDATION.
 * shareableHandle: receives the number, valid as long as the memory.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or `handleType` not 0. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flags` over 1, not physical memory, or exported before. [C]
 * Other codes as aclrtIpcMemGetExportKey. Any thread, also without a context; not from a task. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                                             uint64_t flags, uint64_t *shareableHandle);

/*
 * As aclrtMemExportToShareableHandle, with a choice of the handle: shareType ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT writes
 * 64 bits to `shareableHandle`, _FABRIC an aclrtMemFabricHandle, which here reaches no further than this machine. [P]
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or `shareType` unknown.
 * Other codes as aclrtMemExportToShareableHandle. Any thread, also without a context; not from a task. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                                               aclrtMemSharedHandleType shareType,
                                                               void *shareableHandle);

/*
 * Takes physical memory that another process exported, as memory of `deviceId`. Map it with aclrtMapMem; give it back
 * with aclrtFreePhysical.
 * handle: receives it, with one reference.
 * ACL_ERROR_INVALID_PARAM (100000): `handle` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_PARAM_INVALID (107000): the number is this process's, or nobody's. ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 *     (207000): products of the 310B class. ACL_ERROR_RT_IPC_ERROR (507022): this process may not, or the other one
 *     does not answer within 10 seconds. [P]
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                                               aclrtDrvMemHandle *handle);

/*
 * As aclrtMemImportFromShareableHandle, for handles of aclrtMemExportToShareableHandleV2; the memory is of the device
 * that it was allocated on.
 * flags: 0.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, `shareType` unknown or `flags` not 0.
 * Other codes as aclrtMemImportFromShareableHandle. Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle,
                                                                 aclrtMemSharedHandleType shareType, uint64_t flags,
                                                                 aclrtDrvMemHandle *handle);

/*
 * Lets processes import a handle that this process has made. Calls add up.
 * pid: `pidNum` process numbers, as this process sees them.
 * ACL_ERROR_INVALID_PARAM (100000): `pid` is null. ACL_ERROR_RT_PARAM_INVALID (107000): `pidNum` is 0, or the handle
 * not this process's. [P] ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the 310B class.
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum);

/*
 * As aclrtMemSetPidToShareableHandle, for handles of aclrtMemExportToShareableHandleV2. Any thread, also without a
 * context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle,
                                                               aclrtMemSharedHandleType shareType, int32_t *pid,
                                                               size_t pidNum);

/*
 * Maps memory of one device for another.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemP2PMap(void *devPtr, size_t size, int32_t dstDevId, uint64_t flags);

/*
 * Maps memory a second time, by another link of the hardware.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemMapSelectedLink(void *virPtrDst, size_t size, void *virPtrSrc, uint32_t linkIdx);

/*
 * Advises which link of the hardware to use.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink);

/*
 * Lets other processes map a block of device memory: gives a key that they import. The first time, the block (with
 * others in the same 2 MiB, if it is small) moves to memory that processes can share, at the same address; streams rest
 * meanwhile.
 * devPtr, size: bytes inside one block of aclrtMalloc, from its start or the start of a page. key: receives the key, a
 *     text. len: room there in bytes, at least 65. flags: ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT, then
 *     aclrtIpcMemSetImportPid says who may import; or _DISABLE_PID_VALIDATION: whoever knows the key.
 * The key is valid until aclrtIpcMemClose or until the block is freed.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` or `key` is null. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `size` is 0, `len` less than 65, `flags` over 1, or the range not as said. [C]
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no file to share. ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the
 *     310B class. ACL_ERROR_RT_IPC_ERROR (507022): the socket or the thread that answers other processes cannot be
 *     made. [P]
 * Any thread, also without a context; not from a task. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags);

/*
 * In the process that imported: takes one import back; after the last the memory is unmapped, and queued work that
 * names it fails with 507013. In the one that exported: the key is no longer valid; the block stays.
 * ACL_ERROR_INVALID_PARAM (100000): `key` is null. ACL_ERROR_RT_PARAM_INVALID (107000): neither made nor imported here.
 *     [C]
 * Any thread, also without a context; not from a task. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemClose(const char *key);

/*
 * Maps memory that another process exported: both have the same bytes from then on, whatever becomes of the other
 * process. The same key again gives the same address, and counts.
 * devPtr: receives the address, memory of the device that it lies on. key: from aclrtIpcMemGetExportKey. flags:
 * ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT; _ENABLE_PEER_ACCESS gives the current device access if that is another one.
 * Give it back with aclrtIpcMemClose; aclrtFree refuses it.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `flags` over 1, no key, a key of this process, or one that nobody has. [C]
 * ACL_ERROR_RT_CONTEXT_NULL (107002): no context. ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the 310B
 * class.
 * ACL_ERROR_RT_IPC_ERROR (507022): this process may not, or the other one does not answer within 10 seconds. [P]
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags);

/*
 * Lets processes import a key that this process has made. Calls add up.
 * pid: `num` process numbers, as this process sees them; aclrtDeviceGetBareTgid tells a process its own.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. ACL_ERROR_RT_PARAM_INVALID (107000): `num` is 0, or the key
 * not this process's. [C]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num);

/*
 * Chooses the link between chips that reaches the memory. Accepted and without effect. [P]
 * key: made or imported here. type: ACL_RT_IPC_MEM_ATTR_ACCESS_LINK. attr: ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_*.
 * ACL_ERROR_INVALID_PARAM (100000): `key` is null. ACL_ERROR_RT_PARAM_INVALID (107000): an argument is unknown.
 * Any thread, also without a context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemSetAttr(const char *key, aclrtIpcMemAttrType type, uint64_t attr);

/*
 * Says which processes of other machines may use a key.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcMemImportPidInterServer(const char *key, aclrtServerPid *serverPids, size_t num);

/*
 * As aclrtMallocWithCfg: there is no task scheduler here that would need another kind of memory. Any thread. Since
 * 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                                         aclrtMallocConfig *cfg);

/*
 * Tells who uses a device's memory: one entry, this program's, named "APP".
 * memUsageInfo: receives at most `inputNum` entries: bytes in use now, and the most so far. outputNum: receives how
 *     many.
 * ACL_ERROR_INVALID_PARAM (100000): `memUsageInfo` or `outputNum` is null. ACL_ERROR_RT_INVALID_DEVICEID (107001): no
 *     such device. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): `inputNum` is 0. [P] ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products of the
 *     950 class. [D]
 * Any thread, also without a context. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum,
                                                  size_t *outputNum);

/*
 * Tells whether addresses are memory of the given kinds.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult,
                                               uint32_t reserve);

/*
 * Tells whether a unit of the device reaches host memory that is registered with ACL_HOST_REG_MAPPED: each does on the
 * products that can register it (Atlas 350, A3, A2), else none.
 * capabilities: receives ACL_RT_HOST_MEM_MAP_SUPPORTED or ..._NOT_SUPPORTED.
 * ACL_ERROR_INVALID_PARAM (100000): `capabilities` is null.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `hacType` is not one of aclrtHacType.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                                         aclrtHostMemMapCapability *capabilities);

/*
 * Writes the host's cache of device memory back. Accepted without effect: memory here is always coherent.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` is null, or `size` is 0.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void *devPtr, size_t size);

/*
 * Drops the host's cache of device memory. Accepted without effect: memory here is always coherent.
 * ACL_ERROR_INVALID_PARAM (100000): `devPtr` is null, or `size` is 0.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void *devPtr, size_t size);

/* ---- Managed memory ---------------------------------------------------------------------------------------------- */

#define ACL_RT_MEM_ATTACH_GLOBAL 0x1U

typedef enum aclrtMemManagedLocationType {
    ACL_MEM_LOCATIONTYPE_INVALID = 0,
    ACL_MEM_LOCATIONTYPE_DEVICE = 1,
    ACL_MEM_LOCATIONTYPE_HOST = 2,
    ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
    ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4
} aclrtMemManagedLocationType;

typedef struct aclrtMemManagedLocation {
    aclrtMemManagedLocationType type;
    int32_t id;
} aclrtMemManagedLocation;

typedef enum aclrtMemManagedAdviseType {
    ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
    ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
    ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
    ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
    ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5
} aclrtMemManagedAdviseType;

typedef enum aclrtMemManagedRangeAttribute {
    ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
    ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
    ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} aclrtMemManagedRangeAttribute;

/*
 * Allocates memory that the host and the devices reach at the same address. Here it is memory of the host: what copies
 * and host code do with it needs the same care as any memory that work is queued for.
 * ptr: receives the address. size: bytes, counted in whole 2 MiB against the current device. flag:
 *     ACL_RT_MEM_ATTACH_GLOBAL.
 * The content is zero. Free it with aclrtFree, when no queued work names it any more: such work fails with 507013. [P]
 * Copies take the kind as it is given; ACL_MEMCPY_DEFAULT is refused with 107000. [C]
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null, or `flag` not 1. ACL_ERROR_RT_PARAM_INVALID (107000): `size` is 0.
 *     [C]
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products other than A3 and A2. [D] ACL_ERROR_RT_CONTEXT_NULL (107002): no
 *     context. ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the device's memory is used up.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag);

/*
 * Tells how managed memory will be used. Kept, told by aclrtMemManagedGetAttr, and without effect. Advice about a part
 * counts for the whole allocation. [P]
 * ptr, size: inside one allocation. location: looked at where `advise` names a device or the host.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null. ACL_ERROR_RT_PARAM_INVALID (107000): not managed memory, or an
 *     argument is unknown. ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread, also without a context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedAdvise(const void *ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                                                   aclrtMemManagedLocation location);

/*
 * Tells what was advised, or prefetched last.
 * attribute: ACL_MEM_RANGE_ATTRIBUTE_*. data: receives numbers of 4 bytes: for READ_MOSTLY 1 or 0; for a location the
 *     device, -1 for the host, -2 for none; for a location's type and id these; for ACCESSED_BY as many devices as
 *     there is room for, then -2. dataSize: 4, for ACCESSED_BY a multiple of 4.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` or `data` is null. ACL_ERROR_RT_PARAM_INVALID (107000): not managed memory,
 *     or an argument not as said.
 * Any thread, also without a context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void *ptr,
                                                    size_t size, void *data, size_t dataSize);

/*
 * As aclrtMemManagedGetAttr, for several attributes; those before a wrong one are told.
 * ACL_ERROR_INVALID_PARAM (100000): an argument or a part of `data` is null. ACL_ERROR_RT_PARAM_INVALID (107000):
 * `numAttributes` is 0, or as above.
 * Any thread, also without a context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute *attributes, size_t numAttributes,
                                                     const void *ptr, size_t size, void **data, size_t *dataSizes);

/*
 * Asks for managed memory to be near a device or the host. Kept, told by aclrtMemManagedGetAttr, and without effect.
 * [P]
 * flags: 0. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null. ACL_ERROR_RT_PARAM_INVALID (107000): not managed memory, or an
 * argument is unknown. ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device. ACL_ERROR_RT_INVALID_HANDLE (107017),
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): as for copies.
 * Any thread with the stream's context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchAsync(const void *ptr, size_t size,
                                                          aclrtMemManagedLocation location, uint32_t flags,
                                                          aclrtStream stream);

/*
 * As aclrtMemManagedPrefetchAsync, for `count` ranges. prefetchLocs[i] holds from range prefetchLocIdxs[i] on; the
 * indexes start with 0 and rise. Ranges before a wrong one count.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null. ACL_ERROR_RT_PARAM_INVALID (107000): a count is 0, or an index
 *     not as said.
 * Other codes as above. Any thread with the stream's context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchBatchAsync(const void **ptrs, size_t *sizes, size_t count,
                                                               aclrtMemManagedLocation *prefetchLocs,
                                                               size_t *prefetchLocIdxs, size_t numPrefetchLocs,
                                                               uint64_t flags, aclrtStream stream);

/* ---- Copies: batches, descriptions, symbols, reductions ---------------------------------------------------------- */

typedef struct {
    aclrtMemLocation dstLoc;
    aclrtMemLocation srcLoc;
    uint8_t rsv[16]; /* 0 */
} aclrtMemcpyBatchAttr;

typedef enum {
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
} aclrtReduceKind;

typedef enum aclrtAtomicOperationCapability {
    ACL_RT_ATOMIC_CAPABILITY_SIGNED = 0x1,
    ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 0x2,
    ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 0x4, /* older spelling of ACL_RT_ATOMIC_CAPABILITY_REDUCTION */
    ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 0x4,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 0x8,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 0x10,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 0x20,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 0x40,
    ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 0x80,
    ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 0x100
} aclrtAtomicOperationCapability;

typedef enum aclrtAtomicOperation {
    ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
    ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
    ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
    ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
    ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
    ACL_RT_ATOMIC_OPERATION_AND = 5,
    ACL_RT_ATOMIC_OPERATION_OR = 6,
    ACL_RT_ATOMIC_OPERATION_XOR = 7,
    ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
    ACL_RT_ATOMIC_OPERATION_CAS = 9,
    ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
    ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
    ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
    ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
    ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
    ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44
} aclrtAtomicOperation;

typedef enum aclrtCmoType {
    ACL_RT_CMO_TYPE_PREFETCH = 0,
    ACL_RT_CMO_TYPE_WRITEBACK = 1,
    ACL_RT_CMO_TYPE_INVALID = 2,
    ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;

#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

typedef struct {
    aclrtCmoType cmoType;
    uint32_t barrierId;
} aclrtBarrierCmoInfo;

typedef struct {
    size_t barrierNum;
    aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/*
 * Copies several blocks between host and device memory, one after the other; all are complete at return.
 * The entries are copied in any order. `attrs[k]` says for the entries from attrsIndexes[k] to attrsIndexes[k + 1] - 1
 * where their ends lie: HOST or UNREGISTERED on one side, DEVICE on the other. All entries go the same way.
 * destMaxs: at least the sizes. Entries of size 0 are skipped; if all are, nothing else is looked at. numBatches: 1 to
 *     4096.
 * failIndex: receives the first entry that is wrong, SIZE_MAX if none is; also when the call fails.
 * ACL_ERROR_INVALID_PARAM (100000): an array or failIndex is null; numBatches is 0; a destMax is less than its size; a
 *     dst or src is null; a reserved byte of an attribute is not 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): numBatches is more than 4096; numAttrs is 0 or more than numBatches;
 *     attrsIndexes do not begin with 0, do not rise, or name no entry; an entry does not go as its attribute says, or
 *     not as the others.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the product is none of Atlas 350, A3, A2 [D].
 * Else as aclrtMemcpy.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                              size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                                              size_t numAttrs, size_t *failIndex);

/*
 * As aclrtMemcpyBatch, without failIndex.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                                size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                                                size_t numAttrs);

/*
 * Queues copies of several blocks between host and device memory.
 * The entries are copied in any order. `attrs[k]` says for the entries from attrsIndexes[k] to attrsIndexes[k + 1] - 1
 * where their ends lie: HOST or UNREGISTERED on one side, DEVICE on the other. All entries go the same way.
 * destMaxs: at least the sizes. Entries of size 0 are skipped; if all are, nothing else is looked at. numBatches: 1 to
 *     4096.
 * failIndex: receives the first entry that is wrong, SIZE_MAX if none is; also when the call fails.
 * Entries with pageable host memory are complete at return, after everything that is queued on the stream.
 * A stream that is being captured records all entries or, if the call fails, none [P].
 * stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): an array or failIndex is null; numBatches is 0; a destMax is less than its size; a
 *     dst or src is null; a reserved byte of an attribute is not 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): numBatches is more than 4096; numAttrs is 0 or more than numBatches;
 *     attrsIndexes do not begin with 0, do not rise, or name no entry; an entry does not go as its attribute says, or
 *     not as the others.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the product is none of Atlas 350, A3, A2 [D].
 * Else as aclrtMemcpyAsync; an entry that leaves its allocation fails when its turn comes, the others are copied.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                                   size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                                                   size_t numAttrs, size_t *failIndex, aclrtStream stream);

/*
 * As aclrtMemcpyBatchAsync, without failIndex.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                                     size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                                     size_t *attrsIndexes, size_t numAttrs, aclrtStream stream);

/*
 * aclrtMemcpyAsync for pinned host memory only. Deprecated; use aclrtMemcpyAsync.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `dst` or `src` is pageable host memory.
 * Else as aclrtMemcpyAsync.
 * Any thread. Since 0.1.0. [C]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src,
                                                                          size_t count, aclrtMemcpyKind kind,
                                                                          aclrtStream stream);

/*
 * Queues a copy inside a device whose addresses lie in memory: from *src + srcDataOffset to *dst + dstDataOffset.
 * `*dst` and
 * `*src` are read when the copy's turn comes, so earlier work on the stream may write them.
 * dst, src: device or pinned memory that holds an address. destMax: bytes at *dst; dstDataOffset + count must not be
 * more.
 * count: 0 does nothing. kind: ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6). stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `dst` or `src` is null; `kind` is not 0 to 7.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): another kind; the product is none of Atlas 350, A3, A2, training series
 *     [D].
 * ACL_ERROR_RT_PARAM_INVALID (107000): dstDataOffset + count is more than destMax; `dst` or `src` is pageable memory.
 * ACL_ERROR_RT_SYS_DMA (507013), at the stream's next synchronization: the addresses found are not inside device
 *     memory.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithOffset(void **dst, size_t destMax, size_t dstDataOffset,
                                                        const void **src, size_t count, size_t srcDataOffset,
                                                        aclrtMemcpyKind kind, aclrtStream stream);

/*
 * Tells how many bytes of device memory the description of a copy takes: 64.
 * ACL_ERROR_INVALID_PARAM (100000): `descSize` is null; `kind` is not 0 to 7.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): `kind` is not ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6); on the inference and
 *     training series.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t *descSize);

/*
 * Describes a copy in device memory, at once; what is queued on streams is not waited for.
 * desc: 64 bytes of device memory, aligned to 64. kind: ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6). srcAddr, dstAddr: device
 *     memory, looked at when the copy is made. config: NULL.
 * ACL_ERROR_INVALID_PARAM (100000): a null pointer; `kind` is not 0 to 7; `count` is 0; `config` is not NULL.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `desc` is not aligned to 64, or not device memory.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): as aclrtGetMemcpyDescSize. ACL_ERROR_RT_CONTEXT_NULL (107002): no context.
 * ACL_ERROR_RT_SYS_DMA (507013): `desc` leaves its allocation.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr, void *dstAddr,
                                                size_t count, void *config);

/*
 * Queues a copy that is described in device memory (aclrtSetMemcpyDesc). The description is read when the copy's turn
 * comes.
 * stream: not null.
 * ACL_ERROR_INVALID_PARAM (100000): `desc` or `stream` is null; `kind` is not 0 to 7.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `desc` is not aligned to 64, or not 64 bytes of device memory.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): as aclrtGetMemcpyDescSize. ACL_ERROR_RT_INVALID_HANDLE (107017): not a
 *     live stream.
 * ACL_ERROR_RT_SYS_DMA (507013), at the stream's next synchronization: there is no description, or what it names is not
 *     inside device memory.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind, aclrtStream stream);

/*
 * Queues a reduction: dst[i] = dst[i] + src[i], or the larger or the smaller of both.
 * dst: device memory. src: device or pinned memory. count: bytes, whole elements. kind:
 *     ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM (10), MAX (11), MIN (12). type: float, float16, bfloat16 (reduced as float and
 *     rounded to nearest), and integers of 8, 16 and 32 bits, whose sums wrap. reserve: NULL. stream: null is the
 *     default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `dst` or `src` is null; unknown kind or type; `reserve` is not NULL.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): kind EQUAL (13) [P].
 * ACL_ERROR_RT_PARAM_INVALID (107000): `count` is 0 or no multiple of the element; `dst` is not device memory, or `src`
 *     pageable.
 * ACL_ERROR_RT_SYS_DMA (507013), at the stream's next synchronization: a side leaves its allocation.
 * Else as aclrtMemcpyAsync.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind,
                                              aclDataType type, aclrtStream stream, void *reserve);

/*
 * Finds the address of a variable of device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolAddress(const void *symbol, void **devPtr);

/*
 * Tells the size of a variable of device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSymbolSize(const void *symbol, size_t *size);

/*
 * Copies from a variable of device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbol(void *dst, size_t dstMax, const void *symbol, size_t count,
                                                   size_t offset, aclrtMemcpyKind kind);

/*
 * Queues such a copy.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyFromSymbolAsync(void *dst, size_t dstMax, const void *symbol, size_t count,
                                                        size_t offset, aclrtMemcpyKind kind, aclrtStream stream);

/*
 * Copies to a variable of device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                                                 aclrtMemcpyKind kind);

/*
 * Queues such a copy.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                                      aclrtMemcpyKind kind, aclrtStream stream);

/* ---- Atomic operations ------------------------------------------------------------------------------------------- */

/*
 * Tells which atomic operations a device can do on host memory: none, for that takes kernels.
 * capabilities: `count` numbers, each receives 0. operations: `count` of aclrtAtomicOperation. count: 1 to 21.
 * ACL_ERROR_INVALID_PARAM (100000): a pointer is null, or `count` is out of range.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities,
                                                                  const aclrtAtomicOperation *operations,
                                                                  uint32_t count, int32_t deviceId);

/*
 * Tells which atomic operations a device can do on another device's memory: none, for that takes kernels.
 * capabilities: `count` numbers, each receives 0. operations: `count` of aclrtAtomicOperation. count: 1 to 21.
 * ACL_ERROR_INVALID_PARAM (100000): a pointer is null, or `count` is out of range.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities,
                                                                 const aclrtAtomicOperation *operations, uint32_t count,
                                                                 int32_t srcDeviceId, int32_t dstDeviceId);

/* ---- Maintenance of the device's caches -------------------------------------------------------------------------- */

/*
 * Queues an operation on the device's cache. Accepted without effect: memory here is always coherent.
 * src, size: the bytes in question. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `src` is null, or `size` is 0.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `cmoType` is not one of aclrtCmoType.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [C][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

/*
 * As aclrtCmoAsync, under a number that aclrtCmoWaitBarrier waits for.
 * barrierId: any number.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithBarrier(void *src, size_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                                      aclrtStream stream);

/*
 * Queues a wait for operations of aclrtCmoAsyncWithBarrier. Accepted without effect: they are complete at once.
 * taskInfo: 1 to 6 barriers. flag: 0.
 * ACL_ERROR_INVALID_PARAM (100000): `taskInfo` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): the number of barriers is out of range, or `flag` is not 0.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag);

/*
 * Tells the size of the description that aclrtCmoSetDesc writes.
 * size: receives 64.
 * ACL_ERROR_INVALID_PARAM (100000): `size` is null.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoGetDescSize(size_t *size);

/*
 * Describes an operation in device memory. Accepted without effect: nothing is written, for nothing reads it.
 * cmoDesc: device memory of aclrtCmoGetDescSize's size. src, size: the bytes in question.
 * ACL_ERROR_INVALID_PARAM (100000): a pointer is null, or `size` is 0.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoSetDesc(void *cmoDesc, void *src, size_t size);

/*
 * As aclrtCmoAsync, for what aclrtCmoSetDesc described.
 * reserve: null.
 * ACL_ERROR_INVALID_PARAM (100000): `cmoDesc` is null, or `reserve` is not.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `cmoType` is not one of aclrtCmoType.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                                                   const void *reserve);

/* ---- Random numbers ---------------------------------------------------------------------------------------------- */

typedef enum {
    ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3
} aclrtRandomNumFuncType;

typedef struct {
    uint8_t isAddr;
    uint8_t valueOrAddr[8];
    uint8_t size;
    uint8_t rsv[6];
} aclrtRandomParaInfo;

typedef struct {
    aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

typedef struct {
    aclrtRandomParaInfo min;
    aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

typedef struct {
    aclrtRandomParaInfo mean;
    aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

typedef struct {
    aclrtRandomNumFuncType funcType;
    union {
        aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
        aclrtUniformDisInfo uniformDisInfo;
        aclrtNormalDisInfo normalDisInfo;
    } paramInfo;
} aclrtRandomNumFuncParaInfo;

typedef struct {
    aclDataType dataType;
    aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
    void *randomParaAddr;
    void *randomResultAddr;
    void *randomCounterAddr;
    aclrtRandomParaInfo randomSeed;
    aclrtRandomParaInfo randomNum;
    uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

/*
 * Queues the making of random numbers on the device.
 * Not in PACL, which does not know the device's generator: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since
 * 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *taskInfo, aclrtStream stream,
                                                 void *reserve);

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

typedef void *aclrtBinary;
typedef void *aclrtBinHandle;
typedef void *aclrtFuncHandle;
typedef void *aclrtArgsHandle;
typedef void *aclrtParamHandle;

#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U

typedef enum aclrtBinaryLoadOptionType {
    ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
    ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
    ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
    ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;

typedef union aclrtBinaryLoadOptionValue {
    uint32_t isLazyLoad;
    uint32_t magic;
    int32_t cpuKernelMode;
    uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;

typedef struct {
    aclrtBinaryLoadOptionType type;
    aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;

typedef struct aclrtBinaryLoadOptions {
    aclrtBinaryLoadOption *options;
    size_t numOpt;
} aclrtBinaryLoadOptions;

typedef enum {
    ACL_KERNEL_TYPE_AICORE = 0,
    ACL_KERNEL_TYPE_CUBE = 1,
    ACL_KERNEL_TYPE_VECTOR = 2,
    ACL_KERNEL_TYPE_MIX = 3,
    ACL_KERNEL_TYPE_AICPU = 100
} aclrtKernelType;

typedef enum {
    ACL_FUNC_ATTR_KERNEL_TYPE = 1,
    ACL_FUNC_ATTR_KERNEL_RATIO = 2,
    ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3
} aclrtFuncAttribute;

typedef enum {
    ACL_RT_ENGINE_TYPE_AIC = 0,
    ACL_RT_ENGINE_TYPE_AIV = 1
} aclrtEngineType;

typedef struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
#ifdef __cplusplus
    dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
#endif
} dim3;

typedef struct {
    uint32_t timeoutLow;
    uint32_t timeoutHigh;
} aclrtTimeoutUs;

typedef enum aclrtLaunchKernelAttrId {
    ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
    ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE ACL_DEPRECATED = 2,
    ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
    ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
    ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
    ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9
} aclrtLaunchKernelAttrId;

typedef union aclrtLaunchKernelAttrValue {
    uint8_t schemMode;
    uint32_t localMemorySize ACL_DEPRECATED;
    uint32_t dynUBufSize;
    aclrtEngineType engineType;
    uint32_t blockDimOffset;
    uint8_t isBlockTaskPrefetch;
    uint8_t isDataDump;
    uint16_t timeout;
    aclrtTimeoutUs timeoutUs;
    uint8_t enableProfiling;
    uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

typedef struct aclrtLaunchKernelAttr {
    aclrtLaunchKernelAttrId id;
    aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

typedef struct aclrtLaunchKernelCfg {
    aclrtLaunchKernelAttr *attrs;
    size_t numAttrs;
} aclrtLaunchKernelCfg;

typedef struct {
    uint32_t addrOffset;
    uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/*
 * Wraps device code that is in host memory.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen);

/*
 * Frees the wrapper.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyBinary(aclrtBinary binary);

/*
 * Loads wrapped device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoad(aclrtBinary binary, aclrtBinHandle *binHandle);

/*
 * Loads device code from a file.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options,
                                                     aclrtBinHandle *binHandle);

/*
 * Loads device code from host memory.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromData(const void *data, size_t length,
                                                     const aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle);

/*
 * Unloads device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);

/*
 * Finds a kernel by its name.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunction(aclrtBinHandle binHandle, const char *kernelName,
                                                    aclrtFuncHandle *funcHandle);

/*
 * Finds a kernel by its number.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry,
                                                           aclrtFuncHandle *funcHandle);

/*
 * Tells where device code was loaded.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetDevAddress(aclrtBinHandle binHandle, void **binAddr, size_t *binSize);

/*
 * Finds a variable of device code.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char *name, void **dptr,
                                                  size_t *size);

/*
 * Has a function called when a kernel of this code fails.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle,
                                                             aclrtOpExceptionCallback callback, void *userData);

/*
 * Tells a kernel's arguments on the device. PACL runs no kernels there: null and 0.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or `info` is not that of a callback that runs now.
 * An exception callback. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo *info, void **devArgsPtr,
                                                           uint32_t *devArgsLen);

/*
 * Tells a kernel's function. PACL runs no kernels on devices: null.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or `info` is not that of a callback that runs now.
 * An exception callback. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo *info, aclrtFuncHandle *func);

/*
 * Registers a kernel for the device's CPU.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtRegisterCpuFunc(aclrtBinHandle handle, const char *funcName, const char *kernelName,
                                                  aclrtFuncHandle *funcHandle);

/*
 * Finds a kernel by its symbol.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFuncBySymbol(const void *symbol, aclrtFuncHandle *funcHandle);

/*
 * Tells the address of a kernel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void **aicAddr, void **aivAddr);

/*
 * Tells the size of a kernel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t *aicSize, size_t *aivSize);

/*
 * Tells the name of a kernel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name);

/*
 * Tells an attribute of a kernel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType,
                                                       int64_t *attrValue);

/*
 * Tells the code that a kernel is part of.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetBinary(aclrtFuncHandle funcHandle, aclrtBinHandle *binHandle);

/*
 * Tells the number of a kernel's parameters.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamCount(const void *func, size_t *paramCount);

/*
 * Tells place and size of a kernel's parameter.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset,
                                                       size_t *paramSize);

/*
 * Tells how much local memory a kernel can be given.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetAvailDynUbufPerBlock(void *func, uint32_t flags, size_t *dynamicUbufSize);

/*
 * Tells how much memory the handle of a kernel's arguments needs.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t *memSize);

/*
 * Tells how much memory a kernel's arguments need.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize,
                                                       size_t *actualArgsSize);

/*
 * Begins a kernel's arguments.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle *argsHandle);

/*
 * The same in memory of the caller.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle,
                                                          void *userHostMem, size_t actualArgsSize);

/*
 * Adds an argument.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize,
                                                   aclrtParamHandle *paramHandle);

/*
 * Adds an argument that is a pointer to data among the arguments.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle,
                                                              aclrtParamHandle *paramHandle);

/*
 * Makes room for the data of such an argument.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle,
                                                                 aclrtParamHandle paramHandle, size_t dataSize,
                                                                 void **bufferAddr);

/*
 * Changes an argument.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
                                                       void *param, size_t paramSize);

/*
 * Ends the arguments.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);

/*
 * Queues a kernel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData,
                                               size_t argsSize, aclrtStream stream);

/*
 * The same, with a configuration.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData,
                                                 size_t argsSize, aclrtLaunchKernelCfg *cfg, aclrtStream stream);

/*
 * The same, with a handle of arguments.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                                         aclrtStream stream, aclrtLaunchKernelCfg *cfg,
                                                         aclrtArgsHandle argsHandle, void *reserve);

/*
 * The same, with arguments in host memory.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                                           aclrtStream stream, aclrtLaunchKernelCfg *cfg,
                                                           void *hostArgs, size_t argsSize,
                                                           aclrtPlaceHolderInfo *placeHolderArray,
                                                           size_t placeHolderNum);

/*
 * The same, with an array of addresses of arguments.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks, aclrtStream stream,
                                                            aclrtLaunchKernelCfg *cfg, void **args);

/*
 * The same for a kernel with a grid of threads.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithArgsArray(void *func, dim3 gridDim, dim3 blockDim,
                                                                size_t dynUbufSize, aclrtStream stream,
                                                                aclrtLaunchKernelCfg *cfg, void **args);

/*
 * The same, with arguments in host memory.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithHostArgs(void *func, dim3 gridDim, dim3 blockDim,
                                                               size_t dynUbufSize, aclrtStream stream,
                                                               aclrtLaunchKernelCfg *cfg, void *hostArgs,
                                                               size_t argsSize, aclrtPlaceHolderInfo *placeHolderArray,
                                                               size_t placeHolderNum);

/*
 * Tells the address by which the cores of a kernel wait for each other.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetHardwareSyncAddr(void **addr);

/* ---- Kernels: time limits ---------------------------------------------------------------------------------------- */

/*
 * Sets how long a kernel may run. It is kept and told again; PACL runs no kernels.
 * timeout: seconds; 0 for no limit.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/*
 * As aclrtSetOpExecuteTimeOut.
 * timeout: milliseconds; 0 for no limit.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/*
 * As aclrtSetOpExecuteTimeOut, telling what was set.
 * timeout: microseconds; 0 for no limit. actualTimeout: receives the same, rounded up to whole intervals
 *     (aclrtGetOpTimeOutInterval), 4,294,967,295 of them at most.
 * ACL_ERROR_INVALID_PARAM (100000): `actualTimeout` is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout);

/*
 * Tells the unit of time limits.
 * interval: receives 1000, in microseconds.
 * ACL_ERROR_INVALID_PARAM (100000): `interval` is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpTimeOutInterval(uint64_t *interval);

/*
 * Tells how long a kernel may run.
 * timeoutMs: receives what was set, in milliseconds and at most 4,294,967,295; 0 for no limit, as at the start.
 * ACL_ERROR_INVALID_PARAM (100000): `timeoutMs` is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t *timeoutMs);

/* ---- Captured graphs (model RI) ---------------------------------------------------------------------------------- */

typedef void *aclmdlRI;
typedef void *aclmdlRICondHandle;

typedef enum {
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;

typedef enum {
    ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
    ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 1UL

typedef enum aclmdlRITaskType {
    ACL_MODEL_RI_TASK_DEFAULT = 0,
    ACL_MODEL_RI_TASK_KERNEL = 1,
    ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
    ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
    ACL_MODEL_RI_TASK_EVENT_RESET = 4,
    ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
    ACL_MODEL_RI_TASK_VALUE_WAIT = 6
} aclmdlRITaskType;

typedef struct aclmdlRIKernelTaskParams {
    aclrtFuncHandle funcHandle;
    aclrtLaunchKernelCfg *cfg;
    void *args;
    uint32_t isHostArgs;
    size_t argsSize;
    uint32_t numBlocks;
    uint32_t rsv[10];
} aclmdlRIKernelTaskParams;

typedef struct aclmdlRIEventRecordTaskParams {
    aclrtEvent event;
    uint32_t eventFlag;
    uint32_t recordFlag;
} aclmdlRIEventRecordTaskParams;

typedef struct aclmdlRIEventWaitTaskParams {
    aclrtEvent event;
    uint32_t eventFlag;
    uint32_t waitFlag;
} aclmdlRIEventWaitTaskParams;

typedef struct aclmdlRIEventResetTaskParams {
    aclrtEvent event;
    uint32_t eventFlag;
    uint32_t resetFlag;
} aclmdlRIEventResetTaskParams;

typedef struct aclmdlRIValueWriteTaskParams {
    void *devAddr;
    uint64_t value;
} aclmdlRIValueWriteTaskParams;

typedef struct aclmdlRIValueWaitTaskParams {
    void *devAddr;
    uint64_t value;
    uint32_t flag;
} aclmdlRIValueWaitTaskParams;

typedef struct aclmdlRITaskParams {
    aclmdlRITaskType type;
    uint32_t rsv0[3];
    aclrtTaskGrp taskGrp;
    void *opInfoPtr;
    size_t opInfoSize;
    uint8_t rsv1[32];
    union {
        uint8_t rsv2[128];
        struct aclmdlRIKernelTaskParams kernelTaskParams;
        struct aclmdlRIEventRecordTaskParams eventRecordTaskParams;
        struct aclmdlRIEventWaitTaskParams eventWaitTaskParams;
        struct aclmdlRIEventResetTaskParams eventResetTaskParams;
        struct aclmdlRIValueWriteTaskParams valueWriteTaskParams;
        struct aclmdlRIValueWaitTaskParams valueWaitTaskParams;
    }; /* by `type` */
} aclmdlRITaskParams;

typedef enum {
    ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1
} aclmdlRICondHandleFlag;

typedef enum {
    ACL_MODEL_RI_COND_TYPE_IF = 0,
    ACL_MODEL_RI_COND_TYPE_WHILE = 1,
    ACL_MODEL_RI_COND_TYPE_SWITCH = 2
} aclmdlRICondTaskType;

typedef struct tagAclmdlRICondTaskParams {
    aclmdlRICondHandle handle;
    aclmdlRICondTaskType type;
    uint32_t size;
    aclmdlRI *modelRIArray;
} aclmdlRICondTaskParams;

typedef enum {
    ACL_RT_EQUAL = 0,
    ACL_RT_NOT_EQUAL = 1,
    ACL_RT_GREATER = 2,
    ACL_RT_GREATER_OR_EQUAL = 3,
    ACL_RT_LESS = 4,
    ACL_RT_LESS_OR_EQUAL = 5
} aclrtCondition;

typedef enum {
    ACL_RT_SWITCH_INT32 = 0,
    ACL_RT_SWITCH_INT64 = 1
} aclrtCompareDataType;

typedef enum {
    ACL_RT_UPDATE_RANDOM_TASK = 1,
    ACL_RT_UPDATE_AIC_AIV_TASK = 2
} aclrtUpdateTaskAttrId;

typedef struct {
    void *srcAddr;
    size_t size;
    uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

typedef struct {
    void *binHandle;
    void *funcEntryAddr;
    void *blockDimAddr;
    uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

typedef union {
    aclrtRandomTaskUpdateAttr randomTaskAttr;
    aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

typedef struct {
    aclrtUpdateTaskAttrId id;
    aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

/*
 * Begins to capture a stream: what is queued on it from here on is recorded in a graph and not run. Work that was
 * queued before is run. Other streams join by waiting for an event that was recorded on a captured stream
 * (aclrtCreateEventExWithFlag) and must join back by an event before the end. Recorded are copies (pinned host memory
 * only), sets, events of aclrtCreateEventExWithFlag, host functions, value writes and waits, reductions. Docs:
 * docs/graphs.md.
 * mode: which other calls are forbidden until the end, see aclmdlRICaptureThreadExchangeMode.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null. ACL_ERROR_RT_PARAM_INVALID (107000): `mode` is not 0 to 2.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): Atlas 200I/500 A2 and the training series.
 * ACL_ERROR_RT_STREAM_CAPTURED (107027): it is captured already.
 * ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT (107031): it is the default stream [P].
 * ACL_ERROR_RT_INTERNAL_ERROR (507000): it was created persistent, for the CPU's schedule, or for the device only.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_STREAM_CONTEXT (107003), ACL_ERROR_RT_CONTEXT_NULL (107002).
 * Calls on a captured stream may also return ACL_ERROR_RT_NO_STREAM_RESOURCE (207008): the graph is full
 * (PACL_GRAPH_DESCRIPTORS; a copy takes one per row), and ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED (507903).
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/*
 * Tells whether a stream is captured.
 * status: receives NONE (0), ACTIVE (1) or INVALIDATED (2): then only the end is left. modelRI: receives the graph that
 *     is being captured, null if none. One of them may be null.
 * ACL_ERROR_INVALID_PARAM (100000): `stream`, or both results, are null. ACL_ERROR_RT_INVALID_HANDLE (107017): no live
 *     stream.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status,
                                                    aclmdlRI *modelRI);

/*
 * Ends a capture; its streams run again what is queued on them.
 * modelRI: receives the graph, for aclmdlRIDestroy to free. On the last five codes the capture has ended without one.
 * ACL_ERROR_INVALID_PARAM (100000): a null argument. ACL_ERROR_RT_INVALID_HANDLE (107017): no live stream.
 * ACL_ERROR_RT_STREAM_NOT_CAPTURED (107029): it is not captured.
 * ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED (107036): it joined a capture that began on another stream.
 * ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD (107038): another thread began, and the mode is not relaxed.
 * ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED (507903): a forbidden call was made meanwhile.
 * ACL_ERROR_RT_STREAM_UNJOINED (107025): a stream that joined has not joined back.
 * ACL_ERROR_STREAM_TASK_GROUP_STATUS (107033): a task group is open (aclmdlRICaptureTaskGrpEnd).
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);

/*
 * Sets the calling thread's capture mode and gives the old one; a thread begins with GLOBAL. Synchronous copies and
 * sets, allocations and aclrtSynchronizeDevice return ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT (107030), asynchronous
 * copies of pageable memory ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC (107041), and the capture becomes invalid, while
 * - a thread with mode GLOBAL has a context in which a GLOBAL capture is open, or began a THREAD_LOCAL one itself,
 * - a thread with mode THREAD_LOCAL began a GLOBAL or THREAD_LOCAL capture itself.
 * With mode RELAXED nothing is forbidden.
 * mode: the new one, receives the old one.
 * ACL_ERROR_INVALID_PARAM (100000): null. ACL_ERROR_RT_PARAM_INVALID (107000): not 0 to 2.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode);

/*
 * Begins a capture that adds to a given graph.
 * Not in PACL, which captures into new graphs only: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since
 * 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
                                                           aclmdlRICaptureMode mode);

/*
 * Not for captured graphs, and PACL has no others.
 * ACL_ERROR_INVALID_PARAM (100000): `modelRI` is null. ACL_ERROR_RT_PARAM_INVALID (107000): always else.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);

/*
 * Queues one execution of a graph: as one task of the stream, which begins when what was queued before has finished,
 * and is over when all tasks of the graph are. Recorded addresses are read and written then. Executions of one graph,
 * on whatever streams, run one after the other. Failures appear at the stream's next synchronization.
 * stream: null is the default stream. It need not be one that was captured.
 * ACL_ERROR_INVALID_PARAM (100000): `modelRI` is null. ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * ACL_ERROR_RT_STREAM_CAPTURED (107027): the stream is being captured.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): no graph, or no live stream. ACL_ERROR_RT_STREAM_CONTEXT (107003),
 *     ACL_ERROR_RT_CONTEXT_NULL (107002), ACL_ERROR_RT_MEMORY_ALLOCATION (207001).
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);

/*
 * Ends the execution that runs: the task at hand ends, those that have not begun are skipped, events are recorded.
 * Executions that are queued run. Does nothing if none runs.
 * ACL_ERROR_INVALID_PARAM (100000): null. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIAbort(aclmdlRI modelRI);

/*
 * Frees a graph. Memory that it names is freed with it, if the program freed it before.
 * ACL_ERROR_INVALID_PARAM (100000): null. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * ACL_ERROR_RT_MODEL_RUNNING (107037): an execution is queued or runs; synchronize its stream first.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

/*
 * Has a function called when the graph is destroyed, in the thread that destroys it; the newest first.
 * func: must not call functions on this graph. userData: handed to `func` as it is.
 * ACL_ERROR_INVALID_PARAM (100000): a null argument, but for userData. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void *userData);

/*
 * Takes back the newest registration of a function (aclmdlRIDestroyRegisterCallback).
 * ACL_ERROR_INVALID_PARAM (100000): a null argument. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured; not registered.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func);

/*
 * Names a graph, for people. The name is copied.
 * ACL_ERROR_INVALID_PARAM (100000): a null argument. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRISetName(aclmdlRI modelRI, const char *name);

/*
 * Gives the name of a graph, empty if it has none.
 * maxLen: bytes at `name`, with the end of the string.
 * ACL_ERROR_INVALID_PARAM (100000): a null argument. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY (107039): the name does not fit.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name);

/*
 * Gives a graph's number, unique in the process.
 * ACL_ERROR_INVALID_PARAM (100000): a null argument. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId);

/*
 * Prints a graph on standard output, a line per task. Deprecated; use aclmdlRIDebugJsonPrint.
 * ACL_ERROR_INVALID_PARAM (100000): null. ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured.
 * Any thread. Since 0.1.0. [P]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclmdlRIDebugPrint(aclmdlRI modelRI);

/*
 * Writes a graph to a file, as JSON: graph, name, streams, descriptors, and tasks with their number, stream, kind, call
 * and, of waits, the task that they wait for.
 * path: overwritten. flags: ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY (0), or _VERBOSE (1) with addresses and sizes.
 * ACL_ERROR_INVALID_PARAM (100000): a null argument.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): no graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): still captured; other flags; the file cannot be written.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path, uint32_t flags);

/*
 * Lists the streams of a graph: one for each stream that was captured, in the order in which they joined. Their handles
 * end with the graph and are good for aclmdlRIGetTasksByStream alone; other calls refuse them as no streams.
 * streams: null: only the number is told. Else receives the handles, the same in each call.
 * numStreams: with `streams`, in: how many it takes. Out: how many there are. Unchanged on failure.
 * ACL_ERROR_INVALID_PARAM (100000): `modelRI` or `numStreams` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): its capture has not ended.
 * ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY (107039): there are more than `streams` takes.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory, or too many handles (1,048,576 in the process).
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams, uint32_t *numStreams);

/*
 * Lists the tasks of a graph's stream in the order in which they were captured. Their handles end with the graph.
 * stream: one that aclmdlRIGetStreams gave.
 * tasks: null: only the number is told. Else receives the handles, the same in each call.
 * numTasks: with `tasks`, in: how many it takes. Out: how many there are. Unchanged on failure.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` or `numTasks` is null.
 * ACL_ERROR_RT_STREAM_MODEL (107005): `stream` is a live stream that belongs to no graph, as those that were captured.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a stream of a live graph.
 * ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY (107039): there are more than `tasks` takes.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory, or too many handles (1,048,576 in the process).
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks, uint32_t *numTasks);

/*
 * Tells the type of a captured task. Copies, sets, reductions and host functions are ACL_MODEL_RI_TASK_DEFAULT,
 * functions in place of kernels (pacl/kernel.h) ACL_MODEL_RI_TASK_KERNEL.
 * ACL_ERROR_INVALID_PARAM (100000): `task` or `type` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a task of a live graph.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type);

/*
 * Tells the number of a captured task: from 0 in the order in which the graph's tasks were captured, over all of its
 * streams, as aclmdlRIDebugJsonPrint counts them.
 * ACL_ERROR_INVALID_PARAM (100000): `task` or `id` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a task of a live graph.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id);

/*
 * Tells what a captured task does, or is to do from the next aclmdlRIUpdate on.
 * params: receives the type, the task group (aclmdlRICaptureTaskGrpEnd; null: none), what aclrtCacheLastTaskOpInfo kept
 *     (null and 0: nothing; valid until the graph is destroyed), and by type: of value writes and waits address, value,
 *     flag; of event records and waits the event's handle, which may be gone, the flags that it was created with, and 1
 *     if it is for others than the graph (external), else 0; of functions in place of kernels the function, the number
 *     of blocks and the arguments, which are valid until the task is changed or the graph destroyed. All else is 0.
 * ACL_ERROR_INVALID_PARAM (100000): `task` or `params` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a task of a live graph.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params);

/*
 * Says what a captured task is to do; aclmdlRIUpdate makes it so. The last call for a task counts; it enables a
 * disabled one.
 * params: `type` as it is, and what aclmdlRITaskGetParams tells by type; the rest is not looked at. Of an event the
 *     handle is used and the flag compared. Arguments of a function in place of a kernel are copied (isHostArgs 1, cfg
 *     null); what it was declared to touch stays.
 * ACL_ERROR_INVALID_PARAM (100000): `task` or `params` is null, or the event.
 * ACL_ERROR_RT_PARAM_INVALID (107000): another type; an address that is null, not aligned to 8, or not in device
 *     memory; a flag or number that the captured call would refuse; no function.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a task of a live graph, or not a live event.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): a task without parameters (ACL_MODEL_RI_TASK_DEFAULT; see
 *     aclmdlRICaptureTaskGrpBegin); an event between streams of the graph; an event that a capture would refuse.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params);

/*
 * Has a captured task left out, from aclmdlRIUpdate on and until its parameters are set or it is given anew.
 * ACL_ERROR_INVALID_PARAM (100000): `task` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a task of a live graph.
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): it keeps streams of the graph in order: an event's record or wait that is
 *     not external.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskDisable(aclmdlRITask task);

/*
 * Tells an attribute of a captured kernel.
 * Not in PACL, whose functions in place of kernels have none: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread.
 * Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                                            aclrtLaunchKernelAttrValue *attrValue);

/*
 * Makes what aclmdlRITaskSetParams and aclmdlRITaskDisable said hold for executions that are queued from here on.
 * ACL_ERROR_INVALID_PARAM (100000): `modelRI` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live graph.
 * ACL_ERROR_RT_PARAM_INVALID (107000): its capture has not ended.
 * ACL_ERROR_RT_MODEL_RUNNING (107037): executions are queued or run; what was said is kept.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIUpdate(aclmdlRI modelRI);

/*
 * Begins a group of tasks that can be given anew later: those that are captured from the stream until
 * aclmdlRICaptureTaskGrpEnd, events left out.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_NOT_CAPTURED (107029): the stream is not being captured.
 * ACL_ERROR_STREAM_TASK_GROUP_STATUS (107033): it has an open group.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED (507903): the capture is invalid.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);

/*
 * Ends it.
 * handle: receives the group, which ends with the graph, or with the capture if that fails.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` or `handle` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_NOT_CAPTURED (107029): the stream is not being captured.
 * ACL_ERROR_STREAM_TASK_GROUP_STATUS (107033): it has no open group.
 * ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED (507903): the capture is invalid.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle);

/*
 * Begins to give the tasks of a group anew: the next calls on the stream are not run but become the group's tasks, in
 * order; they must make as many tasks as the group has, each of the kind of the one in its place. A call that does not
 * fit returns ACL_ERROR_RT_MODEL_UPDATE_FAILED (107040), one that takes pageable memory 107000, events 207000. Until
 * the end the stream cannot be synchronized, queried or destroyed, as if it was captured.
 * stream: any but a default stream; it need not be one that was captured.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` or `handle` is null.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context than the current one.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream, or not a group of a live graph.
 * ACL_ERROR_RT_STREAM_CAPTURED (107027): the stream is being captured.
 * ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT (107031): it is the default stream.
 * ACL_ERROR_STREAM_TASK_GROUP_STATUS (107033): an update is open on the stream, or the group's graph is still being
 *     captured.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * ACL_ERROR_RT_INTERNAL_ERROR (507000): the stream is persistent or for the device alone.
 * Any thread with the stream's context. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);

/*
 * Ends that. Executions that are queued from here on run the new tasks; those that were queued before run the old ones,
 * also if they have not begun.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream; or the graph was destroyed meanwhile, and the update is over.
 * ACL_ERROR_STREAM_TASK_GROUP_STATUS (107033): no update is open on the stream.
 * On the others the update is over, and the group as it was:
 * ACL_ERROR_RT_MODEL_UPDATE_FAILED (107040): fewer tasks were given than the group has.
 * ACL_ERROR_RT_NO_STREAM_RESOURCE (207008): the graph would be too big (PACL_GRAPH_DESCRIPTORS).
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

/*
 * Keeps a copy of a description with the task that the calling thread captured last, for aclmdlRITaskGetParams to tell.
 * A second one for the same task takes the place of the first.
 * infoSize: bytes, 1 to 1,048,576.
 * ACL_ERROR_INVALID_PARAM (100000): `infoPtr` is null, or `infoSize` out of its range.
 * ACL_ERROR_RT_STREAM_NOT_CAPTURED (107029): the thread has captured no task in a capture that is open.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): no memory.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskOpInfo(const void *infoPtr, size_t infoSize);

/*
 * The same for a text, which aclmdlRIDebugJsonPrint writes as the task's "info".
 * infoSize: bytes, 1 to 1,048,576; an end mark is not needed.
 * ACL_ERROR_INVALID_PARAM (100000): `extendInfoPtr` is null, or `infoSize` out of its range.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCacheLastTaskExtendInfo(const char *extendInfoPtr, size_t infoSize);

/* ---- Graphs that are built, not captured ------------------------------------------------------------------------- */

/*
 * Begins to build a graph.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildBegin(aclmdlRI *modelRI, uint32_t flag);

/*
 * Adds a stream to a graph.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag);

/*
 * Takes a stream out of a graph.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

/*
 * Marks the end of a graph in a stream.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);

/*
 * Ends the building.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void *reserve);

/*
 * Queues the change of a task of a graph.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo *info,
                                                  aclrtStream execStream);

/*
 * Removes the tasks of a persistent stream.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtPersistentTaskClean(aclrtStream stream);

/*
 * Begins the dumping of models' data.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/*
 * Says by a file what to dump.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char *dumpCfgPath);

/*
 * Ends the dumping.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

/* ---- Graphs: labels and conditions ------------------------------------------------------------------------------- */

/*
 * Creates a label, to which streams of a graph can jump.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateLabel(aclrtLabel *label);

/*
 * Puts a label into a stream.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

/*
 * Destroys a label.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabel(aclrtLabel label);

/*
 * Makes a list of labels.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateLabelList(aclrtLabel *labels, size_t num, aclrtLabelList *labelList);

/*
 * Destroys a list of labels.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabelList(aclrtLabelList labelList);

/*
 * Queues a jump to one of the labels of a list.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSwitchLabelByIndex(void *ptr, uint32_t maxValue, aclrtLabelList labelList,
                                                     aclrtStream stream);

/*
 * Queues the start of another stream of a graph.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);

/*
 * Queues the start of one of two streams, by a comparison.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSwitchStream(void *leftValue, aclrtCondition cond, void *rightValue,
                                               aclrtCompareDataType dataType, aclrtStream trueStream,
                                               aclrtStream falseStream, aclrtStream stream);

/*
 * Makes a condition for a graph.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
                                                      aclmdlRICondHandleFlag flag, aclmdlRICondHandle *handle);

/*
 * Tells where in device memory its value is.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t **ptr);

/*
 * Queues a task that runs graphs by a condition.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags);

/* ---- Buffers of queues, older names ------------------------------------------------------------------------------ */

/*
 * Allocates a buffer; see acltdtAllocBuf.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocBuf(aclrtMbuf *buf, size_t size);

/*
 * Frees a buffer; see acltdtFreeBuf.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeBuf(aclrtMbuf buf);

/*
 * Tells a buffer's bytes; see acltdtGetBufData.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufData(aclrtMbuf buf, void **dataPtr, size_t *size);

/*
 * Sets how many of a buffer's bytes are used; see acltdtSetBufDataLen.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);

/*
 * Tells how many are used; see acltdtGetBufDataLen.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t *len);

/*
 * Adds a buffer to a chain; see acltdtAppendBufChain.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);

/*
 * Tells the length of a chain; see acltdtGetBufChainNum.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num);

/*
 * Finds a buffer of a chain; see acltdtGetBufFromChain.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf *buf);

/*
 * Makes a second reference to a buffer; see acltdtCopyBufRef.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtCopyBufRef(aclrtMbuf buf, aclrtMbuf *newBuf);

/*
 * Reads a buffer's private part; see acltdtGetBufUserData.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtGetBufUserData(aclrtMbuf buf, void *dataPtr, size_t size, size_t offset);

/*
 * Writes a buffer's private part; see acltdtSetBufUserData.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, size_t size, size_t offset);

/* ---- Marks for the profiler -------------------------------------------------------------------------------------- */

/*
 * Queues a mark for the profiler. Accepted without effect: PACL writes no profile.
 * userdata: `length` bytes. length: positive. stream: null is the default stream.
 * ACL_ERROR_INVALID_PARAM (100000): `userdata` is null.
 * ACL_ERROR_RT_PARAM_INVALID (107000): `length` is not positive.
 * ACL_ERROR_RT_INVALID_HANDLE (107017), ACL_ERROR_RT_CONTEXT_NULL (107002): no such stream; null stream and no context.
 * Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream);

/* ---- Snapshots of a process -------------------------------------------------------------------------------------- */

typedef enum {
    ACL_RT_SNAPSHOT_LOCK_PRE = 0,
    ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
    ACL_RT_SNAPSHOT_BACKUP_POST = 2,
    ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
    ACL_RT_SNAPSHOT_RESTORE_POST = 4,
    ACL_RT_SNAPSHOT_UNLOCK_POST = 5
} aclrtSnapShotStage;

typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void *args);

typedef struct aclrtSnapShotBackupArgs {
    uint32_t backupFlags;
    char reserved[60];
} aclrtSnapShotBackupArgs;

typedef struct aclrtSnapShotRestoreArgs {
    uint32_t restoreFlags;
    char reserved[60];
} aclrtSnapShotRestoreArgs;

typedef enum aclrtProcessState {
    ACL_RT_PROCESS_STATE_RUNNING = 0,
    ACL_RT_PROCESS_STATE_LOCKED = 1
} aclrtProcessState;

/*
 * Stops a process's use of devices, for a snapshot.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessLock(int pid, void *reserve);

/*
 * Lets it go on.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessUnlock(int pid, void *reserve);

/*
 * Saves the state that a process has on devices.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs *args);

/*
 * Brings that state back.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs *args);

/*
 * Has a function called at a stage of these.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback,
                                                           void *args);

/*
 * Takes such a function back.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif
