/* SPDX-License-Identifier: Apache-2.0 */
/* What the public functions share. Each checks its arguments in the order of the reference, describes what is wanted,
 * and hands it to the core. */
#ifndef PACL_API_API_H
#define PACL_API_API_H

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/context.h"
#include "core/observer.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "os/os.h"

static inline void pacl_leave(const char *const *call)
{
    PACL_OBSERVE(left, *call, pacl_self.failure);
}

static inline void pacl_tell_entered(const char *call, const void *return_address, const void *frame)
{
    pacl_self.failure = ACL_SUCCESS;
    PACL_OBSERVE(entered, call, return_address, frame);
}

/* The first line of a public function: names the call for messages, and tells the observer of its start and end. */
#define PACL_ENTER() \
    __attribute__((cleanup(pacl_leave))) const char *const pacl_call = pacl_self.call = __func__; \
    pacl_is_observed() ? pacl_tell_entered(pacl_call, __builtin_return_address(0), __builtin_dwarf_cfa()) : (void)0

#define PACL_REFUSE_NULL(argument) \
    ((argument) == NULL ? PACL_FAIL(ACL_ERROR_INVALID_PARAM, #argument " is null") : ACL_SUCCESS)

/* A timeout argument in milliseconds: -1 waits for ever; 0 and less are refused with 107000 [C]. */
static inline aclError pacl_deadline(int32_t timeout_ms, uint64_t *deadline_ns)
{
    if (timeout_ms < -1 || timeout_ms == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; it takes -1 (for ever) or a positive number",
                         timeout_ms);
    *deadline_ns = timeout_ms == -1 ? OS_NEVER : os_now_ns() + (uint64_t)timeout_ms * 1000000U;
    return ACL_SUCCESS;
}

#endif
