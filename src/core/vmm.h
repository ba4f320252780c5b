/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual memory: addresses that the program reserves and puts physical memory behind, piece by piece. They are known by
 * the same table as arenas; which piece an address lies in is two more look-ups, without a lock.
 *
 * A piece may go away while queued work names it. So work remembers that a side is mapped (PACL_PEER_MAPPED), and what
 * is behind the addresses, and who may use it, is looked at again when its turn comes. A change waits until nothing runs
 * (core/quiet.h).
 */
#ifndef PACL_CORE_VMM_H
#define PACL_CORE_VMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"

struct pacl_physical;

/* What is known of a mapped piece. */
struct pacl_piece {
    uint8_t *base;
    size_t size;
    ptrdiff_t view;            /* what to add before touching it */
    int device;                /* whose memory, or PACL_PINNED */
    uint64_t readers, writers; /* devices that may, a bit each */
    const void *range;         /* the reservation, to tell it from others */
    bool managed;
};

/* Lock-free; false if nothing is mapped at the address. */
bool pacl_vmm_find(const void *p, struct pacl_piece *piece);

/* Who uses a rectangle, for pacl_vmm_check. */
enum pacl_use { PACL_USE_NONE, PACL_USE_READ, PACL_USE_WRITE };

/* ACL_SUCCESS if each row lies in mapped pieces of one reservation and `device` may use them so; else 507013 with a text
 * that goes on a sentence about the rectangle. What lies between the rows does not matter. */
aclError pacl_vmm_check(const void *p, size_t pitch, size_t width, size_t height, int device, enum pacl_use use,
                        char *text, size_t text_size);

/* --- for the program ---------------------------------------------------------------------------------------------- */

/* `wish` NULL: anywhere. 207001 without address space, 107000 if the wish is taken. */
aclError pacl_vmm_reserve(size_t size, void *wish, void **out);
aclError pacl_vmm_unreserve(void *p);

aclError pacl_vmm_malloc_physical(size_t size, const aclrtPhysicalMemProp *prop, aclrtDrvMemHandle *out);
aclError pacl_vmm_free_physical(aclrtDrvMemHandle handle);

/* Without `access` no device may use the piece until pacl_vmm_set_access. */
aclError pacl_vmm_map(void *p, size_t size, aclrtDrvMemHandle handle, bool access);
aclError pacl_vmm_unmap(void *p);

aclError pacl_vmm_set_access(void *p, size_t size, const aclrtMemAccessDesc *desc, size_t count);
aclError pacl_vmm_get_access(const void *p, const aclrtMemLocation *location, uint64_t *flags);
aclError pacl_vmm_retain(const void *p, aclrtDrvMemHandle *out);
aclError pacl_vmm_properties(aclrtDrvMemHandle handle, aclrtPhysicalMemProp *prop);

/* --- between processes (core/ipc_memory.c) ------------------------------------------------------------------------ */

/* What another process needs to map the memory; the file is a duplicate that the caller owns. Once for each handle. */
struct pacl_physical_offer {
    size_t size;
    aclrtPhysicalMemProp prop;
    int file;
};
aclError pacl_vmm_export(aclrtDrvMemHandle handle, struct pacl_physical_offer *offer);
void pacl_vmm_unexport(aclrtDrvMemHandle handle); /* the offer could not be made */

/* Physical memory that another process offered; takes the file on success. */
aclError pacl_vmm_import(const struct pacl_physical_offer *offer, aclrtDrvMemHandle *out);

/* `size` bytes of the file from `offset` on, at a place of PACL's choice, as memory of `device`. */
aclError pacl_vmm_place(int file, uint64_t offset, size_t size, int device, void **out);
void pacl_vmm_unplace(void *p);

/* The same for managed memory of the host, where the original has it if these addresses are free. */
aclError pacl_vmm_place_managed(int file, size_t size, void **out);

#endif
