/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that the interface has under two names: both do this, so that messages and observers name the one that the
 * program called. */
#ifndef PACL_API_COMMON_H
#define PACL_API_COMMON_H

#include "acl/acl_rt.h"

aclError pacl_call_memcpy_async(void *dst, size_t dest_max, const void *src, size_t count, aclrtMemcpyKind kind,
                                aclrtStream stream);

/* timeout_ms: -1 for ever. */
aclError pacl_call_synchronize_stream(aclrtStream stream, int32_t timeout_ms);

aclError pacl_call_export_key(void *at, size_t size, char *key, size_t length, uint64_t flags);
aclError pacl_call_set_import_pid(const char *key, const int32_t *pids, size_t count);
aclError pacl_call_import_by_key(void **at, const char *key, uint64_t flags);
aclError pacl_call_close_key(const char *key);

/* The machine's number of a device, by the program's number; `name` is the output's in messages. */
aclError pacl_call_machine_number(int32_t user, const char *name, int32_t *machine);

#endif
