/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors that nobody looked at. A library sees neither variables nor conditions, but it can read the code that called
 * it: if nothing reads the register with the result before it is overwritten, the result was dropped for certain.
 *
 * An error was not looked at if its code was dropped, and the thread afterwards neither asked for messages or its last
 * error nor got another failing code that it did read. In doubt it was looked at.
 */
#ifndef PACL_CHECK_UNCHECKED_H
#define PACL_CHECK_UNCHECKED_H

#include "acl/acl_base.h"

/* In the observer's `entered` and `left`, while the call site is known. */
void pacl_unchecked_entered(const char *call);
void pacl_unchecked_left(const char *call, aclError result);

/* At the end. */
void pacl_unchecked_report(void);

#endif
