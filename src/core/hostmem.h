/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that devices may reach: what aclrtMallocHost gives out, and ranges that the program registered. */
#ifndef PACL_CORE_HOSTMEM_H
#define PACL_CORE_HOSTMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

struct pacl_arena;

/* The arena of pinned memory, created if it was not; NULL when there is no address space. */
struct pacl_arena *pacl_pinned_arena(void);

/* Asks, before the first pinned allocation, for memory that engines reach by a second mapping, so that the program's
 * can be closed page by page. Where the system refuses the file behind it, memory is made as ever. */
void pacl_pinned_want_view(void);

/* Bytes of pinned memory in use. Grows only up to the machine's memory: false past it. */
bool pacl_pinned_account(size_t bytes);
void pacl_pinned_unaccount(size_t bytes);
uint64_t pacl_pinned_live(void);

/* --- registered ranges ------------------------------------------------------------------------------------------- */

struct pacl_range {
    uint8_t *base; /* NULL: none */
    size_t size;
    bool mapped; /* a device pointer may be asked for */
};

/* 507910 if the range overlaps a registered one, 107000 if part of it is not mapped. */
aclError pacl_hostmem_register(void *base, size_t size, bool mapped);

/* Waits for copies that are running in registered memory; queued ones fail when their turn comes. 507911. */
aclError pacl_hostmem_unregister(void *base);

/* The registered range that holds the address. Lock-free; one load when nothing is registered. */
struct pacl_range pacl_hostmem_find(const void *p);

/* For the child of a fork, where a writer may have stopped half-way: nothing is registered. */
void pacl_hostmem_forget(void);

/* Held while a thread copies from or to registered memory, so that the range is not unregistered under it. */
void pacl_hostmem_hold(void);
void pacl_hostmem_release(void);

#endif
