/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemcpy2d and aclrtMemcpy2dAsync: the checks of the ACL layer and the limits. */
#include "api/api.h"
#include "core/copy_request.h"

static bool is_supported_kind(aclrtMemcpyKind kind)
{
    const struct pacl_product *product = &pacl_runtime()->product;
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_DEVICE:
        return product->copy2d_h2d;
    case ACL_MEMCPY_DEVICE_TO_HOST:
        return product->copy2d_d2h;
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
        return product->copy2d_d2d;
    default:
        return kind == ACL_MEMCPY_DEFAULT;
    }
}

static aclError check_arguments(const struct pacl_rect *r, aclrtMemcpyKind kind)
{
    const struct pacl_product *product = &pacl_runtime()->product;
    if (__builtin_expect(!pacl_product_has_copy2d(product), 0))
        return PACL_FAIL_QUIETLY(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                                 "product %s (%s) has no 2D copies; use aclrtMemcpy or aclrtMemcpyAsync", product->name,
                                 product->family);
    if (r->dst == NULL || r->src == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", r->dst == NULL ? "dst" : "src");
    if (r->width > r->src_pitch || r->width > r->dst_pitch)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "width %zu is larger than a pitch: dpitch is %zu, spitch is %zu (height %zu)", r->width,
                         r->dst_pitch, r->src_pitch, r->height);
    if (!is_supported_kind(kind))
        return PACL_FAIL(
            ACL_ERROR_INVALID_PARAM,
            "kind %d; 2D copies on product %s take host to device (1), device to host (2)%s or default (4)", (int)kind,
            product->name, product->copy2d_d2d ? ", device to device (3)" : "");
    return ACL_SUCCESS;
}

static aclError check_limits(const struct pacl_rect *r)
{
    if (r->height > PACL_HEIGHT_MAX)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "height %zu is larger than %d rows", r->height, PACL_HEIGHT_MAX);
    if (r->width > PACL_WIDTH_MAX)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "width %zu is larger than %d bytes", r->width, PACL_WIDTH_MAX);
    return ACL_SUCCESS;
}

/* All checks in the order of the reference. */
static __attribute__((noinline)) aclError submit(const struct pacl_rect *rect, aclrtMemcpyKind kind, aclrtStream stream)
{
    if (rect->width == 0 || rect->height == 0)
        return ACL_SUCCESS;
    aclError err = check_arguments(rect, kind);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_stream *s = NULL;
    void *handle;
    err = pacl_stream_from_handle(stream, ACL_ERROR_RT_PARAM_INVALID, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    err = check_limits(rect);
    return err != ACL_SUCCESS ? err : pacl_copy_submit(rect, kind, PACL_COPY_2D, s, handle);
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const struct pacl_rect rect = {
        .dst = dst, .src = src, .dst_pitch = dpitch, .src_pitch = spitch, .width = width, .height = height
    };
    const aclError err = pacl_copy_again(&rect, kind, PACL_COPY_2D, stream);
    return __builtin_expect(err != PACL_LONG_WAY, 1) ? err : submit(&rect, kind, stream);
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind)
{
    PACL_ENTER_OR_RETURN();
    const struct pacl_rect rect = {
        .dst = dst, .src = src, .dst_pitch = dpitch, .src_pitch = spitch, .width = width, .height = height
    };
    if (width == 0 || height == 0)
        return ACL_SUCCESS;
    aclError err = check_arguments(&rect, kind);
    if (err != ACL_SUCCESS)
        return err;
    if (kind == ACL_MEMCPY_DEVICE_TO_DEVICE)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "kind %d, device to device, is copied by aclrtMemcpy2dAsync only",
                         (int)kind);
    err = check_limits(&rect);
    return err != ACL_SUCCESS ? err : pacl_copy_run(&rect, kind, PACL_COPY_2D);
}
