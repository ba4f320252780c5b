/* SPDX-License-Identifier: Apache-2.0 */
/* acl.h: the header that most programs include. Allocators, pools, profiler, dumps and queues have their own ones. */
#ifndef PACL_ACL_ACL_H
#define PACL_ACL_ACL_H

#include "acl_base.h"
#include "acl_rt.h"

#endif
