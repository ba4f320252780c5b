/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemset, aclrtMemsetD32 and their asynchronous forms. */
#include "api/api.h"
#include "core/fill_request.h"
#include "core/place.h"

static aclError check_room(size_t max_count, size_t count)
{
    if (count > max_count)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "count %zu is larger than maxCount %zu", count, max_count);
    return ACL_SUCCESS;
}

static struct pacl_fill bytes(void *dst, int32_t value, size_t count)
{
    return (struct pacl_fill){ .dst = dst, .value = (uint32_t)value & 0xFF, .count = count, .element = 1 };
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    PACL_ENTER_OR_RETURN();
    if (count == 0)
        return ACL_SUCCESS;
    aclError err = PACL_REFUSE_NULL(devPtr);
    if (err == ACL_SUCCESS)
        err = check_room(maxCount, count);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_fill fill = bytes(devPtr, value, count);
    return pacl_fill_run(&fill);
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    if (count == 0)
        return ACL_SUCCESS;
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = PACL_REFUSE_NULL(devPtr);
    if (err == ACL_SUCCESS)
        err = check_room(maxCount, count);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_fill fill = bytes(devPtr, value, count);
    return pacl_fill_submit(&fill, s, handle);
}

/* --- 32-bit words ------------------------------------------------------------------------------------------------ */

static aclError check_words(const void *ptr, size_t mem_size, size_t n)
{
    if (ptr == NULL || (uintptr_t)ptr % sizeof(uint32_t) != 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p is null or not aligned to 4 bytes", ptr);
    if (n > mem_size / sizeof(uint32_t))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "memSize %zu is less than 4 bytes for each of N %zu words", mem_size,
                         n);
    const enum pacl_memory memory = pacl_place_of(ptr).memory;
    if (memory == PACL_MEMORY_PAGEABLE || memory == PACL_MEMORY_MANAGED)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p is %s", ptr, pacl_memory_name(memory));
    if (!pacl_product_has_newest_calls(&pacl_runtime()->product))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not fill words",
                         pacl_runtime()->product.name);
    return ACL_SUCCESS;
}

static struct pacl_fill words(void *dst, uint32_t value, size_t n)
{
    return (struct pacl_fill){ .dst = dst, .value = value, .count = n, .element = sizeof(uint32_t) };
}

aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N)
{
    PACL_ENTER_OR_RETURN();
    if (N == 0)
        return ACL_SUCCESS;
    const aclError err = check_words(ptr, memSize, N);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_fill fill = words(ptr, value, N);
    return pacl_fill_run(&fill);
}

aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    if (N == 0)
        return ACL_SUCCESS;
    aclError err = check_words(ptr, memSize, N);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_stream *s = NULL;
    void *handle;
    err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_fill fill = words(ptr, value, N);
    return pacl_fill_submit(&fill, s, handle);
}
