/* SPDX-License-Identifier: Apache-2.0 */
/* Managed memory, and advice about it. */
#include "core/managed.h"
#include "api/api.h"
#include "core/device.h"
#include "core/product.h"

enum { ATTACH_GLOBAL = 1 };

static aclError refuse_product(void)
{
    const aclError err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS || pacl_product_has_managed(&pacl_runtime()->product))
        return err;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s has no managed memory",
                     pacl_runtime()->product.name);
}

aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_context *context;
    if (ptr == NULL || flag != ATTACH_GLOBAL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p is null, or flag %u is not 1", (void *)ptr, flag);
    if (size == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "size is 0");
    aclError err = refuse_product();
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    return err != ACL_SUCCESS ? err : pacl_managed_alloc(context->device, size, ptr);
}

aclError aclrtMemManagedAdvise(const void *ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(ptr);
    return err != ACL_SUCCESS ? err : pacl_managed_advise(ptr, size, advise, &location);
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void *ptr, size_t size, void *data,
                                size_t dataSize)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (ptr == NULL || data == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p or data %p is null", ptr, data);
    return pacl_managed_attributes(ptr, size, &attribute, 1, &data, &dataSize);
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute *attributes, size_t numAttributes, const void *ptr,
                                 size_t size, void **data, size_t *dataSizes)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (attributes == NULL || ptr == NULL || data == NULL || dataSizes == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "attributes %p, ptr %p, data %p or dataSizes %p is null",
                         (void *)attributes, ptr, (void *)data, (void *)dataSizes);
    if (numAttributes == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "numAttributes is 0");
    return pacl_managed_attributes(ptr, size, attributes, numAttributes, data, dataSizes);
}

/* The memory is where it is; what was asked for last is told by the attributes. */
static aclError check_prefetch(uint64_t flags, aclrtStream stream)
{
    struct pacl_stream *s;
    if (flags != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flags %llu is not 0", (unsigned long long)flags);
    const aclError err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : pacl_context_owns(s);
}

aclError aclrtMemManagedPrefetchAsync(const void *ptr, size_t size, aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(ptr);
    if (err == ACL_SUCCESS)
        err = check_prefetch(flags, stream);
    return err != ACL_SUCCESS ? err : pacl_managed_prefetch(ptr, size, &location, false);
}

/* Location i holds for the ranges from prefetchLocIdxs[i] on, up to the next one's. */
static aclError check_indexes(const size_t *indexes, size_t count, size_t ranges)
{
    for (size_t i = 0; i < count; i++) {
        const bool rises = i == 0 ? indexes[0] == 0 : indexes[i] > indexes[i - 1];
        if (!rises || indexes[i] >= ranges)
            return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                             "prefetchLocIdxs[%zu] is %zu; they start with 0, rise, and stay below count %zu", i,
                             indexes[i], ranges);
    }
    return ACL_SUCCESS;
}

static aclError prefetch_each(const void **ptrs, const size_t *sizes, size_t count,
                              const aclrtMemManagedLocation *locations, const size_t *indexes, size_t location_count,
                              bool only_checks)
{
    aclError err = ACL_SUCCESS;
    for (size_t i = 0, k = 0; i < count && err == ACL_SUCCESS; i++) {
        if (k + 1 < location_count && indexes[k + 1] == i)
            k++;
        err = pacl_managed_prefetch(ptrs[i], sizes[i], &locations[k], only_checks);
    }
    return err;
}

/* All ranges are looked at before the first is noted: a failed call changes nothing. */
aclError aclrtMemManagedPrefetchBatchAsync(const void **ptrs, size_t *sizes, size_t count,
                                           aclrtMemManagedLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                           size_t numPrefetchLocs, uint64_t flags, aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (ptrs == NULL || sizes == NULL || prefetchLocs == NULL || prefetchLocIdxs == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptrs %p, sizes %p, prefetchLocs %p or prefetchLocIdxs %p is null",
                         (void *)ptrs, (void *)sizes, (void *)prefetchLocs, (void *)prefetchLocIdxs);
    if (count == 0 || numPrefetchLocs == 0 || numPrefetchLocs > count)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "count %zu or numPrefetchLocs %zu is 0, or there are more of these", count, numPrefetchLocs);
    aclError err = check_indexes(prefetchLocIdxs, numPrefetchLocs, count);
    if (err == ACL_SUCCESS)
        err = check_prefetch(flags, stream);
    if (err == ACL_SUCCESS)
        err = prefetch_each(ptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, true);
    return err != ACL_SUCCESS
               ? err
               : prefetch_each(ptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, false);
}
