/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators that a program gives to streams. PACL keeps and tells them; only libraries of operators call them. */
#ifndef PACL_CORE_ALLOCATOR_H
#define PACL_CORE_ALLOCATOR_H

#include "acl/acl_rt.h"
#include "acl/acl_rt_allocator.h"

struct pacl_allocator {
    aclrtAllocator object;
    aclrtAllocatorAllocFunc allocate;
    aclrtAllocatorFreeFunc release;
    aclrtAllocatorAllocAdviseFunc advise; /* may be NULL */
    aclrtAllocatorGetAddrFromBlockFunc address;
};

/* A description that is empty; NULL when memory is short. */
aclrtAllocatorDesc pacl_allocator_create(void);
aclError pacl_allocator_destroy(aclrtAllocatorDesc desc);

/* Reads and writes a description as a whole; 100000 if it is none. */
aclError pacl_allocator_read(aclrtAllocatorDesc desc, struct pacl_allocator *out);
aclError pacl_allocator_write(aclrtAllocatorDesc desc, const struct pacl_allocator *value);

/* What the description says now becomes the stream's, in place of what it had. */
aclError pacl_allocator_register(const void *stream, aclrtAllocatorDesc desc);
bool pacl_allocator_of(const void *stream, aclrtAllocatorDesc *desc, struct pacl_allocator *out);
void pacl_allocator_unregister(const void *stream);

#endif
