/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_rt_allocator.h: allocators that a program gives to streams.
 *
 * The letters in brackets say where a statement comes from: [D] the vendor's documentation, [C] behaviour reported of
 * the public runtime, [P] decided by PACL.
 */
#ifndef PACL_ACL_ACL_RT_ALLOCATOR_H
#define PACL_ACL_ACL_RT_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The four functions of an allocator, which the program writes. The first argument is the object that was set. */
typedef void *(*aclrtAllocatorAllocFunc)(aclrtAllocator, size_t);
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator, aclrtAllocatorBlock);
typedef void *(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator, size_t, aclrtAllocatorAddr);
typedef void *(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock);

/*
 * Makes a description of an allocator, to be filled by the calls below. Free it with aclrtAllocatorDestroyDesc. When
 * memory is short there is none (0). PACL keeps allocators for libraries of operators; it calls none itself. Any
 * thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/*
 * Frees a description. Streams keep the allocator that was registered with it.
 * ACL_ERROR_INVALID_PARAM (100000): null, or no description.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/*
 * Sets the object that the functions of the allocator get.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or no description.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);

/*
 * Sets the function that allocates a block.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or no description.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                              aclrtAllocatorAllocFunc func);

/*
 * Sets the function that frees a block.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or no description.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                             aclrtAllocatorFreeFunc func);

/*
 * Sets the function that allocates a block at a wished address. The only one that an allocator may lack.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or no description.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                                    aclrtAllocatorAllocAdviseFunc func);

/*
 * Sets the function that tells a block's address.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, or no description.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                                         aclrtAllocatorGetAddrFromBlockFunc func);

/*
 * Gives a stream an allocator, in place of the one that it had.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null, no description, or one that lacks its object or a function.
 * ACL_ERROR_RT_INVALID_HANDLE (107017): not a live stream.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);

/*
 * Tells a stream's allocator.
 * allocatorDesc: receives the description that it was registered with. The other results may be null.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` or `allocatorDesc` is null, or the stream has none.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc *allocatorDesc,
                                                       aclrtAllocator *allocator, aclrtAllocatorAllocFunc *allocFunc,
                                                       aclrtAllocatorFreeFunc *freeFunc,
                                                       aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
                                                       aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc);

/*
 * Takes a stream's allocator away; a stream without one, and an unknown stream, are no error.
 * ACL_ERROR_INVALID_PARAM (100000): `stream` is null.
 * Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY aclError aclrtAllocatorUnregister(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
