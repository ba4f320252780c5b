/* SPDX-License-Identifier: Apache-2.0 */
/* Stream-ordered pools of device memory. */
#include "core/mempool.h"
#include "api/api.h"
#include "core/capture.h"
#include "core/device.h"
#include "core/memory.h"
#include "core/product.h"

static bool is_reserved_zero(const aclrtMemPoolProps *props)
{
    for (size_t i = 0; i < sizeof props->reserved; i++) {
        if (props->reserved[i] != 0)
            return false;
    }
    return true;
}

static aclError check_props(const aclrtMemPoolProps *props)
{
    if (props->allocType != ACL_MEM_ALLOCATION_TYPE_PINNED)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "poolProps->allocType %d is not 0", (int)props->allocType);
    if (props->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "poolProps->location.type %d is not a device",
                         (int)props->location.type);
    if (!is_reserved_zero(props))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "poolProps->reserved is not all 0");
    return ACL_SUCCESS;
}

aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device;
    if (memPool == NULL || poolProps == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "memPool %p or poolProps %p is null", (void *)memPool,
                         (const void *)poolProps);
    aclError err = check_props(poolProps);
    if (err == ACL_SUCCESS)
        err = pacl_device_get((int32_t)poolProps->location.id, &device);
    if (err == ACL_SUCCESS && !pacl_product_has_pools(&pacl_runtime()->product))
        err = PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s has no pools of memory",
                        pacl_runtime()->product.name);
    return err != ACL_SUCCESS ? err : pacl_mempool_create(device, poolProps->maxSize, memPool);
}

aclError aclrtMemPoolDestroy(aclrtMemPool memPool)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(memPool);
    return err != ACL_SUCCESS ? err : pacl_mempool_destroy(memPool);
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (memPool == NULL || value == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "memPool %p or value %p is null", memPool, value);
    return pacl_mempool_set(memPool, attr, value);
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (memPool == NULL || value == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "memPool %p or value %p is null", memPool, value);
    return pacl_mempool_get(memPool, attr, value);
}

static aclError refuse_captured(struct pacl_stream *s)
{
    if (!pacl_stream_is_capturing(s))
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "stream %u is being captured; a graph allocates no memory",
                     s->id);
}

aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s;
    void *handle;
    if (ptr == NULL || memPool == NULL || stream == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p, memPool %p or stream %p is null", (void *)ptr, memPool,
                         stream);
    if (size == 0) {
        *ptr = NULL;
        return ACL_SUCCESS;
    }
    aclError err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = refuse_captured(s);
    return err != ACL_SUCCESS ? err : pacl_mempool_alloc(memPool, size, s, handle, ptr);
}

/* Memory of aclrtMalloc, too: what is queued before keeps it. */
aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_stream *s;
    void *handle;
    aclError err = PACL_REFUSE_NULL(ptr);
    if (err != ACL_SUCCESS)
        return err;
    if (stream == NULL)
        return PACL_FAIL(ACL_ERROR_RT_INTERNAL_ERROR, "stream is null");
    err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    if (err == ACL_SUCCESS)
        err = refuse_captured(s);
    if (err != ACL_SUCCESS || pacl_mempool_free(ptr, s, handle, &err))
        return err;
    return pacl_memory_free_device(ptr);
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(memPool);
    return err != ACL_SUCCESS ? err : pacl_mempool_trim(memPool, minBytesToKeep);
}
