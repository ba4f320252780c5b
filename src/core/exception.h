/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions: tasks that failed, told to functions of the program. They run in a thread of the library, one failure after
 * the other; a call that returns a failure waits until the functions have been told of it.
 */
#ifndef PACL_CORE_EXCEPTION_H
#define PACL_CORE_EXCEPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_rt.h"

/* What a function is told; the library's own, constant while the function runs. */
struct rtExceptionInfo {
    _Atomic uint32_t task;   /* its number in the stream */
    _Atomic uint32_t stream; /* id */
    _Atomic uint32_t thread; /* kernel's id of the thread that queued the task; UINT32_MAX: not known */
    _Atomic uint32_t device;
    _Atomic uint32_t code;
};

/* The one function that aclrtSetExceptionInfoCallback sets; NULL: none. */
aclError pacl_exception_set(aclrtExceptionInfoCallback function);

/* More functions, each called once however often it was added. 107000 for NULL, for one that was not added, and if there
 * are 64. */
aclError pacl_exception_add(aclrtExceptionInfoCallback function);
aclError pacl_exception_remove(aclrtExceptionInfoCallback function);

/* A task has failed. Returns the number of the telling, for await; 0 if nobody wants to hear. */
uint64_t pacl_exception_raise(uint32_t task, uint32_t stream, uint32_t thread, uint32_t device, aclError code);

/* Returns when that telling is over. At once in the thread that tells. */
void pacl_exception_await(uint64_t number);

/* The info of the telling that goes on, if `info` is it; else NULL. */
const struct rtExceptionInfo *pacl_exception_of(const aclrtExceptionInfo *info);

#endif
