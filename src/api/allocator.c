/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators of a program: bookkeeping, which PACL itself never calls. */
#include "core/allocator.h"
#include "api/api.h"

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void)
{
    PACL_ENTER();
    return pacl_allocator_create();
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(allocatorDesc);
    return err != ACL_SUCCESS ? err : pacl_allocator_destroy(allocatorDesc);
}

static aclError read(aclrtAllocatorDesc allocatorDesc, bool is_null, const char *what, struct pacl_allocator *out)
{
    if (is_null)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", what);
    const aclError err = PACL_REFUSE_NULL(allocatorDesc);
    return err != ACL_SUCCESS ? err : pacl_allocator_read(allocatorDesc, out);
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    const aclError err = read(allocatorDesc, allocator == NULL, "allocator", &a);
    if (err != ACL_SUCCESS)
        return err;
    a.object = allocator;
    return pacl_allocator_write(allocatorDesc, &a);
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    const aclError err = read(allocatorDesc, func == NULL, "func", &a);
    if (err != ACL_SUCCESS)
        return err;
    a.allocate = func;
    return pacl_allocator_write(allocatorDesc, &a);
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    const aclError err = read(allocatorDesc, func == NULL, "func", &a);
    if (err != ACL_SUCCESS)
        return err;
    a.release = func;
    return pacl_allocator_write(allocatorDesc, &a);
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    const aclError err = read(allocatorDesc, func == NULL, "func", &a);
    if (err != ACL_SUCCESS)
        return err;
    a.advise = func;
    return pacl_allocator_write(allocatorDesc, &a);
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    const aclError err = read(allocatorDesc, func == NULL, "func", &a);
    if (err != ACL_SUCCESS)
        return err;
    a.address = func;
    return pacl_allocator_write(allocatorDesc, &a);
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    struct pacl_stream *s;
    aclError err = read(allocatorDesc, stream == NULL, "stream", &a);
    if (err != ACL_SUCCESS)
        return err;
    if (a.object == NULL || a.allocate == NULL || a.release == NULL || a.address == NULL)
        return PACL_FAIL(
            ACL_ERROR_INVALID_PARAM,
            "allocatorDesc lacks its object or one of the functions to allocate, free and tell an address");
    err = pacl_find_stream(stream, &s, NULL);
    return err != ACL_SUCCESS ? err : pacl_allocator_register(stream, allocatorDesc);
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc *allocatorDesc, aclrtAllocator *allocator,
                                   aclrtAllocatorAllocFunc *allocFunc, aclrtAllocatorFreeFunc *freeFunc,
                                   aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_allocator a;
    aclrtAllocatorDesc desc;
    if (stream == NULL || allocatorDesc == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "stream %p or allocatorDesc %p is null", stream,
                         (void *)allocatorDesc);
    if (!pacl_allocator_of(stream, &desc, &a))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "stream %p has no allocator", stream);
    *allocatorDesc = desc;
    if (allocator != NULL)
        *allocator = a.object;
    if (allocFunc != NULL)
        *allocFunc = a.allocate;
    if (freeFunc != NULL)
        *freeFunc = a.release;
    if (allocAdviseFunc != NULL)
        *allocAdviseFunc = a.advise;
    if (getAddrFromBlockFunc != NULL)
        *getAddrFromBlockFunc = a.address;
    return ACL_SUCCESS;
}

aclError aclrtAllocatorUnregister(aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        pacl_allocator_unregister(stream);
    return err;
}
