/* SPDX-License-Identifier: Apache-2.0 */
#include "core/kernel.h"
#include "api/api.h"
#include "core/place.h"

static aclError refuse_access(size_t index, const struct pacl_kernel_access *a)
{
    return PACL_FAIL(
        ACL_ERROR_INVALID_PARAM,
        "accesses[%zu]: %zu row(s) of %zu bytes with pitch %zu at %p; it takes at least one byte, and a pitch "
        "that is not smaller than the width",
        index, a->height, a->width, a->pitch, a->at);
}

static aclError check(pacl_kernel kernel, uint32_t blocks, const void *arguments, size_t size,
                      const struct pacl_kernel_access *accesses, size_t count)
{
    if (kernel == NULL || (arguments == NULL && size > 0) || (accesses == NULL && count > 0))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null",
                         kernel == NULL                  ? "kernel"
                         : arguments == NULL && size > 0 ? "arguments"
                                                         : "accesses");
    if (blocks == 0 || blocks > PACL_KERNEL_BLOCKS_MAX || size > PACL_KERNEL_ARGUMENTS_MAX ||
        count > PACL_KERNEL_ACCESSES_MAX)
        return PACL_FAIL(
            ACL_ERROR_INVALID_PARAM,
            "%u blocks, %zu bytes of arguments, %zu accesses; the most are %d, %d, %d, and one block the least", blocks,
            size, count, PACL_KERNEL_BLOCKS_MAX, PACL_KERNEL_ARGUMENTS_MAX, PACL_KERNEL_ACCESSES_MAX);
    for (size_t i = 0; i < count; i++) {
        const struct pacl_kernel_access *a = &accesses[i];
        if (a->at == NULL || a->width == 0 || a->height == 0 || (a->height > 1 && a->pitch < a->width))
            return refuse_access(i, a);
    }
    return ACL_SUCCESS;
}

int pacl_kernel_launch(pacl_kernel kernel, uint32_t blocks, const void *arguments, size_t size,
                       const struct pacl_kernel_access *accesses, size_t count, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = check(kernel, blocks, arguments, size, accesses, count);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_kernel_call call = {
        .run = kernel, .blocks = blocks, .count = count, .accesses = accesses, .arguments = arguments
    };
    return pacl_kernel_submit(s, handle, &call, size);
}

void *pacl_kernel_view(const void *address)
{
    return pacl_engine_view(address);
}
