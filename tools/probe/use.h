/* SPDX-License-Identifier: Apache-2.0 */
/* use.h: the steps of `pacl-probe use`. Each prints its report lines and leaves nothing behind. */
#ifndef PACL_TOOLS_USE_H
#define PACL_TOOLS_USE_H

#include <stdbool.h>

#include "acl/acl.h"
#include "pacl/pacl.h"

/* Weak: without them the loader still accepts a library that is not PACL's, and `load` can say which one it is. */
#pragma weak pacl_isolation
#pragma weak pacl_product_current

/* True if `error` is success; else prints a FAIL line with the call and the library's own reason. */
bool use_succeeded(const char *topic, const char *call, aclError error);

/* Copies in every way that the product supports, and compares the bytes. */
void use_copies(const struct pacl_product *product, aclrtStream stream);

/* Orders two streams by an event. */
void use_event(aclrtStream stream);

/* Reads and writes device memory from host code, which must fail unless the isolation is "open". */
void use_protection(void);

#endif
