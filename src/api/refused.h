/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the interface has and PACL does not: programs that name them load, and a call says what is missing and
 * what to do instead. They are in the files refused_*.c, one entry each beside a text that several share. An entry goes
 * when its function comes. Arguments are not looked at, so nothing that is passed can do harm.
 *
 * python/generate.py, tools/support_page.py and tools/CMakeLists.txt read the entries.
 */
#ifndef PACL_API_REFUSED_H
#define PACL_API_REFUSED_H

#include "api/api.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Ends the head of a function that returns a code; a semicolon follows. `why`: "PACL has no ...; do ... instead". */
#define PACL_REFUSES(why) \
    { \
        PACL_ENTER_OR_RETURN(); \
        return PACL_FAIL(ACL_ERROR_API_NOT_SUPPORT, "%s", why); \
    } \
    _Static_assert(1, "takes the semicolon")

/* The same for another type of result; `value` is what the function returns when it fails. */
#define PACL_REFUSES_WITH(value, why) \
    { \
        PACL_ENTER(); \
        (void)PACL_FAIL(ACL_ERROR_API_NOT_SUPPORT, "%s", why); \
        return value; \
    } \
    _Static_assert(1, "takes the semicolon")

#define PACL_REFUSES_VOID(why) PACL_REFUSES_WITH(, why)

#endif
