/* SPDX-License-Identifier: Apache-2.0 */
/* Copies whose addresses lie in memory: by descriptor, and with offsets to addresses in cells. */
#include "api/api.h"
#include "api/common.h"
#include "core/copy_request.h"
#include "core/indirect.h"

enum { KINDS = 8 };

/* Only copies inside one device can be described. */
static aclError check_kind(aclrtMemcpyKind kind, bool offered)
{
    if ((int)kind < 0 || (int)kind >= KINDS)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "kind %d is not one of 0 to 7", (int)kind);
    if (kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "kind %d; the call takes inner device to device (6)",
                         (int)kind);
    if (!offered)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not have such copies",
                         pacl_runtime()->product.name);
    return ACL_SUCCESS;
}

static bool has_descriptors(void)
{
    return pacl_product_has_descriptors(&pacl_runtime()->product);
}

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t *descSize)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(descSize);
    if (err == ACL_SUCCESS)
        err = check_kind(kind, has_descriptors());
    if (err == ACL_SUCCESS)
        *descSize = PACL_DESC_BYTES;
    return err;
}

static aclError check_desc(const void *desc)
{
    if (desc == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "desc is null");
    if ((uintptr_t)desc % PACL_DESC_BYTES != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "desc %p is not aligned to %d bytes", desc, PACL_DESC_BYTES);
    return ACL_SUCCESS;
}

aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr, void *dstAddr, size_t count, void *config)
{
    PACL_ENTER_OR_RETURN();
    if (desc == NULL || srcAddr == NULL || dstAddr == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null",
                         desc == NULL      ? "desc"
                         : srcAddr == NULL ? "srcAddr"
                                           : "dstAddr");
    aclError err = check_kind(kind, has_descriptors());
    if (err != ACL_SUCCESS)
        return err;
    if (count == 0 || config != NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s", count == 0 ? "count is 0" : "config is not NULL");
    err = check_desc(desc);
    return err == ACL_SUCCESS ? pacl_desc_write(desc, srcAddr, dstAddr, count) : err;
}

static aclError submit(const struct pacl_work *work, aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    void *handle;
    const aclError err = pacl_find_stream(stream, &s, &handle);
    return err == ACL_SUCCESS ? pacl_indirect_submit(s, handle, work) : err;
}

aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    if (desc == NULL || stream == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", desc == NULL ? "desc" : "stream");
    aclError err = check_kind(kind, has_descriptors());
    if (err == ACL_SUCCESS)
        err = check_desc(desc);
    const struct pacl_work work = { .call = pacl_self.call, .op = PACL_OP_COPY_BY_DESC, .indirect.src = desc };
    return err == ACL_SUCCESS ? submit(&work, stream) : err;
}

aclError aclrtMemcpyAsyncWithOffset(void **dst, size_t destMax, size_t dstDataOffset, const void **src, size_t count,
                                    size_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    if (count == 0)
        return ACL_SUCCESS;
    if (dst == NULL || src == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", dst == NULL ? "dst" : "src");
    const aclError err = check_kind(kind, pacl_product_copies_by_cells(&pacl_runtime()->product));
    if (err != ACL_SUCCESS)
        return err;
    if (dstDataOffset > destMax || count > destMax - dstDataOffset)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "dstDataOffset %zu and count %zu are more than destMax %zu",
                         dstDataOffset, count, destMax);
    const struct pacl_work work = {
        .call = pacl_self.call,
        .op = PACL_OP_COPY_BY_CELLS,
        .indirect = { .dst = dst,
                      .src = src,
                      .dst_offset = dstDataOffset,
                      .src_offset = srcDataOffset,
                      .count = count },
    };
    return submit(&work, stream);
}

/* As aclrtMemcpyAsync, and host memory has to be pinned. */
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    if (count > 0 && dst != NULL && src != NULL &&
        (pacl_place_of(dst).memory == PACL_MEMORY_PAGEABLE || pacl_place_of(src).memory == PACL_MEMORY_PAGEABLE))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s %p is pageable; the call takes pinned host memory",
                         pacl_place_of(dst).memory == PACL_MEMORY_PAGEABLE ? "dst" : "src",
                         pacl_place_of(dst).memory == PACL_MEMORY_PAGEABLE ? dst : src);
    return pacl_call_memcpy_async(dst, destMax, src, count, kind, stream);
}
