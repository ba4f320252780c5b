/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Physical memory: bytes without an address, which pacl_vmm_map gives one. They lie in a file that all of the process's
 * physical memory shares, so that ten thousand pieces need one descriptor; what another process may map moves to a file
 * of its own.
 */
#ifndef PACL_CORE_PHYSICAL_H
#define PACL_CORE_PHYSICAL_H

#include "acl/acl_rt.h"
#include "base/list.h"
#include "core/handle.h"

#define PACL_PHYSICAL_UNIT ((size_t)2 << 20) /* sizes and places of mappings are multiples of it */

struct pacl_physical {
    _Alignas(64) struct pacl_object object;
    /* Guarded by the virtual memory's lock (vmm.c), like all of physical.c. */
    size_t size;
    int device; /* or PACL_PINNED for memory of the host */
    aclrtPhysicalMemProp prop;
    int file;
    uint64_t offset;       /* where in the file */
    bool own_file;         /* the file holds nothing else */
    bool charged;          /* counted against the device or the host; not so what came from another process */
    uint64_t exported;     /* the handle under which it was exported, or 0 */
    uint32_t references;   /* by aclrtMallocPhysical, import and retain */
    struct pacl_list maps; /* its mappings (vmm.c) */
};

/* The calls below are made with the virtual memory's lock held. */

/* Memory of prop->location, or what `file` holds if it is not -1 (its ownership passes on success). With one reference. */
aclError pacl_physical_create(size_t size, const aclrtPhysicalMemProp *prop, int file, struct pacl_physical **out);

/* The open physical memory of a handle, or 107000. */
aclError pacl_physical_find(aclrtDrvMemHandle handle, struct pacl_physical **out);

/* One reference more, with the handle that names it. */
aclrtDrvMemHandle pacl_physical_retain(struct pacl_physical *physical);

/* One reference less; at none the handle is withdrawn. */
void pacl_physical_release(struct pacl_physical *physical);

/* Gives the bytes back if neither reference nor mapping is left. */
void pacl_physical_drop_unused(struct pacl_physical *physical);

/* Moves the bytes to a file of their own. The mappings still show the old one. 0 or an errno value; on success the caller
 * maps anew and then ends the move, or goes back. */
struct pacl_move {
    int old_file;
    uint64_t old_offset;
};
int pacl_physical_begin_move(struct pacl_physical *physical, struct pacl_move *move);
void pacl_physical_end_move(struct pacl_physical *physical, const struct pacl_move *move);
void pacl_physical_undo_move(struct pacl_physical *physical, const struct pacl_move *move);

#endif
