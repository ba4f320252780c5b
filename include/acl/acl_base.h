/* SPDX-License-Identifier: Apache-2.0 */
/* acl_base.h: types, error codes and helpers that all ACL headers share. */
#ifndef PACL_ACL_ACL_BASE_H
#define PACL_ACL_ACL_BASE_H

#include "acl_base_rt.h"

#endif
