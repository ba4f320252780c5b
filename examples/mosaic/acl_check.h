/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOSAIC_ACL_CHECK_H
#define MOSAIC_ACL_CHECK_H

#include <acl/acl.h>

/* Ends the program with the text of the call, its code and the runtime's own message, unless `err` is ACL_SUCCESS. */
void acl_check(aclError err, const char *call);

#define CHECK(call) acl_check((call), #call)

#endif
