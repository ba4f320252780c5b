/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemcpy and aclrtMemcpyAsync. */
#include "api/api.h"
#include "api/common.h"
#include "core/copy_request.h"

static aclError check_arguments(const void *dst, const void *src, aclrtMemcpyKind kind)
{
    if (dst == NULL || src == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", dst == NULL ? "dst" : "src");
    if ((int)kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "kind %d is not one of 0 to 5", (int)kind);
    return ACL_SUCCESS;
}

static aclError check_room(size_t dest_max, size_t count)
{
    if (count > dest_max)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "count %zu is larger than destMax %zu", count, dest_max);
    return ACL_SUCCESS;
}

static struct pacl_rect one_row(void *dst, const void *src, size_t count)
{
    return (struct pacl_rect){
        .dst = dst, .src = src, .dst_pitch = count, .src_pitch = count, .width = count, .height = 1
    };
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    PACL_ENTER_OR_RETURN();
    if (count == 0)
        return ACL_SUCCESS;
    aclError err = check_arguments(dst, src, kind);
    if (err == ACL_SUCCESS)
        err = check_room(destMax, count);
    if (err != ACL_SUCCESS || dst == src)
        return err;
    const struct pacl_rect row = one_row(dst, src, count);
    return pacl_copy_run(&row, kind, PACL_COPY_1D);
}

/* The order of the reference: a stream is looked up before the sizes, a context, which a null stream needs, after. */
static aclError submit(const struct pacl_rect *row, size_t dest_max, aclrtMemcpyKind kind, aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    void *handle = NULL;
    aclError err = check_arguments(row->dst, row->src, kind);
    if (err == ACL_SUCCESS && stream != NULL)
        err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = check_room(dest_max, row->width);
    if (err == ACL_SUCCESS && stream == NULL)
        err = pacl_find_stream(stream, &s, &handle);
    return err != ACL_SUCCESS ? err : pacl_copy_submit(row, kind, PACL_COPY_1D, s, handle);
}

aclError pacl_call_memcpy_async(void *dst, size_t dest_max, const void *src, size_t count, aclrtMemcpyKind kind,
                                aclrtStream stream)
{
    const struct pacl_rect row = one_row(dst, src, count);
    return count == 0 ? ACL_SUCCESS : submit(&row, dest_max, kind, stream);
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    if (count == 0)
        return ACL_SUCCESS;
    const struct pacl_rect row = one_row(dst, src, count);
    aclError err = count <= destMax ? pacl_copy_again(&row, kind, PACL_COPY_1D, stream) : PACL_LONG_WAY;
    if (err != PACL_LONG_WAY)
        return err;
    return submit(&row, destMax, kind, stream);
}
