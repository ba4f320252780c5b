/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_rt_memory_soma.h: pools of device memory whose allocations follow the order of streams.
 *
 * The letters in brackets say where a statement comes from: [D] the vendor's documentation, [C] behaviour reported of
 * the public runtime, [P] decided by PACL.
 */
#ifndef PACL_ACL_ACL_RT_MEMORY_SOMA_H
#define PACL_ACL_ACL_RT_MEMORY_SOMA_H

#include <stddef.h>
#include <stdint.h>

#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *aclrtMemPool;

typedef enum aclrtMemPoolAttr {
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
    ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8
} aclrtMemPoolAttr;

typedef struct {
    aclrtMemAllocationType allocType;
    aclrtMemHandleType handleType;
    aclrtMemLocation location;
    size_t maxSize;
    unsigned char reserved[32];
} aclrtMemPoolProps;

/*
 * Creates a pool of device memory, from which memory is allocated and freed in the order of streams.
 * memPool: receives the pool. poolProps: allocType and reserved 0, location a device; maxSize: bytes that the pool may
 *     have, 0 for no limit of its own.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or a property not as said. [C]
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device. ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): products other
 *     than A2. [D]
 * Any thread, also without a context. Since 0.1.0. [C][D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps);

/*
 * Destroys a pool. Memory that the program has from it stays until it is freed.
 * ACL_ERROR_INVALID_PARAM (100000): null, or not a pool.
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(aclrtMemPool memPool);

/*
 * Sets an attribute of a pool.
 * value: for the REUSE attributes an int32_t: 0 or 1. Of these ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC has effect:
 *     without it a stream gets only what it has freed itself. [P] For the others a uint64_t, in bytes:
 *     RELEASE_THRESHOLD (0 at first) is what the pool keeps at a synchronization; the two _HIGH ones can be set to 0,
 *     to count anew.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or not a pool. ACL_ERROR_RT_PARAM_INVALID (107000): an unknown
 *     attribute, or one that cannot be set so. [P]
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);

/*
 * Tells an attribute of a pool.
 * value: receives an int32_t for the REUSE attributes, a uint64_t for the others: RESERVED is what the pool has from
 *     the device, USED what the program has from the pool, HIGH the most so far.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or not a pool. ACL_ERROR_RT_PARAM_INVALID (107000): an unknown
 *     attribute. [P]
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);

/*
 * Allocates from a pool. The address is known at once; work that is queued on `stream` later may use it, and work of
 * other streams that is ordered after. Memory of the same size that the stream has freed is used again without waiting;
 * what other streams have freed, once they have come that far.
 * ptr: receives the address, null for size 0. The content is not defined. Free it with aclrtMemPoolFreeAsync or
 *     aclrtFree.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or not a pool. [C] ACL_ERROR_RT_INVALID_HANDLE (107017): not a
 *     live stream.
 * ACL_ERROR_RT_MEMORY_ALLOCATION (207001): the pool's limit or the device's memory is used up. [C]
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000): the stream is being captured. [P]
 * Any thread, also without a context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream);

/*
 * Frees memory in the order of a stream: work that is queued before may use it. Also for memory of aclrtMalloc.
 * ACL_ERROR_INVALID_PARAM (100000): `ptr` is null. ACL_ERROR_RT_INTERNAL_ERROR (507000): `stream` is null. [C]
 * ACL_ERROR_RT_PARAM_INVALID (107000): not device memory that is allocated. [P] ACL_ERROR_RT_INVALID_HANDLE
 * (107017): not a live stream.
 * ACL_ERROR_RT_STREAM_CONTEXT (107003): the stream belongs to another context. [C] ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 * (207000): the stream is being captured. [P]
 * Any thread with the stream's context. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream);

/*
 * Gives free memory back until the pool has no more than minBytesToKeep bytes, as far as the streams that freed it have
 * come.
 * ACL_ERROR_INVALID_PARAM (100000): null, or not a pool.
 * Any thread, also without a context. Since 0.1.0. [D]
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif

#endif
