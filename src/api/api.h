/* SPDX-License-Identifier: Apache-2.0 */
/* What the public functions share. Each checks its arguments in the order of the reference, describes what is wanted,
 * and hands it to the core. */
#ifndef PACL_API_API_H
#define PACL_API_API_H

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/calls.h"
#include "core/context.h"
#include "core/observer.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "os/os.h"

static inline void pacl_leave(const char *const *call)
{
    PACL_OBSERVE(left, *call, pacl_self.failure);
}

/* The function's row in the table of public functions (core/calls.h), and its name for messages. */
#define PACL_NAME_CALL(returns_code) \
    static struct pacl_function pacl_function = { .name = __func__, .can_fail = (returns_code) }; \
    static struct pacl_function *const pacl_function_row __attribute__((section("pacl_functions"), used)) = \
        &pacl_function; \
    __attribute__((cleanup(pacl_leave))) const char *const pacl_call = pacl_self.call = __func__

#define PACL_TELL_ENTERED() \
    (pacl_call_is_watched() ? pacl_call_entered(&pacl_function, __builtin_return_address(0), __builtin_dwarf_cfa()) \
                            : ACL_SUCCESS)

/* The first line of a public function that returns a code: names the call for messages, tells observers of its start and
 * end, and returns at once if it is to fail (src/fault). tests/fault/test_every_function.c makes each of them fail. */
#define PACL_ENTER_OR_RETURN() \
    PACL_NAME_CALL(true); \
    do { \
        const aclError pacl_fault = PACL_TELL_ENTERED(); \
        if (__builtin_expect(pacl_fault != ACL_SUCCESS, 0)) \
            return pacl_fault; \
    } while (0)

static inline void pacl_end_whole(const int *before)
{
    os_cancel_restore(*before);
}

/* The same for calls that use files or sockets, or write text, mostly with a lock held: a thread that is cancelled
 * meanwhile ends after the call. The calls that queue work do nothing of the kind and are spared this. */
#define PACL_ENTER_WHOLE_OR_RETURN() \
    __attribute__((cleanup(pacl_end_whole))) const int pacl_before = os_cancel_disable(); \
    PACL_ENTER_OR_RETURN()

/* The same for the others, which cannot be made to fail. */
#define PACL_ENTER() \
    PACL_NAME_CALL(false); \
    (void)PACL_TELL_ENTERED()

/* Success of a call that is accepted and changes nothing that a program could notice but by asking back.
 * tools/support_page.py looks for it. */
#define PACL_WITHOUT_EFFECT ACL_SUCCESS

#define PACL_REFUSE_NULL(argument) \
    ((argument) == NULL ? PACL_FAIL(ACL_ERROR_INVALID_PARAM, #argument " is null") : ACL_SUCCESS)

/* The stream that a call names, for all but the few calls that answer another code than 107002 where a null one finds no
 * context. `handle` receives the stream's own handle; null if the call does not need it. */
static inline aclError pacl_find_stream(aclrtStream stream, struct pacl_stream **s, void **handle)
{
    void *own;
    const aclError err = pacl_stream_from_handle(stream, ACL_ERROR_RT_CONTEXT_NULL, s, &own);
    if (err == ACL_SUCCESS && handle != NULL)
        *handle = own;
    return err;
}

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
