/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for several processes: blocks of aclrtMalloc under a key, and physical memory as shareable handles. */
#ifndef PACL_CORE_IPC_MEMORY_H
#define PACL_CORE_IPC_MEMORY_H

#include "core/ipc.h"

/* Offers `size` bytes at `p`, which lie in one block of device memory. */
aclError pacl_ipc_memory_export(const void *p, size_t size, bool anyone, struct pacl_key *key);

/* Maps what the key names and gives its address; a key that was imported before gives the same one, and counts. With
 * `peer_access` the current device gets access to the memory's. */
aclError pacl_ipc_memory_import(const struct pacl_key *key, bool peer_access, void **out);

/* Takes one import back, or in the process that made the key, the key. 107000 if it is neither here. */
aclError pacl_ipc_memory_close(const struct pacl_key *key);

/* True if the key was made or imported here. */
bool pacl_ipc_memory_knows(const struct pacl_key *key);

/* Before a block is freed: its keys go. */
void pacl_ipc_memory_freed(const void *base);

/* Offers physical memory, once. */
aclError pacl_ipc_physical_export(aclrtDrvMemHandle handle, bool anyone, bool short_key, struct pacl_key *key);

/* Takes it as memory of `device`, or of the device that it is on (-1). */
aclError pacl_ipc_physical_import(const struct pacl_key *key, int32_t device, aclrtDrvMemHandle *out);

#endif
