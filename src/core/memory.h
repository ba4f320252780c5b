/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation against the product's size, and freeing that respects queued work. */
#ifndef PACL_CORE_MEMORY_H
#define PACL_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"

struct pacl_device;

/* A policy that is none of the named ones: default pages. */
#define PACL_POLICY_UNKNOWN 8U

/* `size` bytes as the program asked for, `room` with the ACL layer's rounding. 207001 when the product's memory or the
 * address space is used up. */
aclError pacl_memory_alloc_device(struct pacl_device *device, size_t size, size_t room, uint32_t policy, void **out);
aclError pacl_memory_alloc_pinned(size_t size, size_t room, void **out);

/* Returns at once; memory that queued work may name keeps its bytes until that work is done. 107000 for anything but the
 * start of a live block of that kind. */
aclError pacl_memory_free_device(void *p);
aclError pacl_memory_free_pinned(void *p);

/* Bytes per page that an allocation of that size and policy counts in: 4 KiB, 2 MiB or 1 GiB. */
size_t pacl_memory_page_bytes(size_t size, uint32_t policy);

/* Takes `bytes` from the device's memory, for a program that asked for `size`; 207001. Gives them back. */
aclError pacl_memory_take(struct pacl_device *device, uint64_t bytes, size_t size);
void pacl_memory_give(struct pacl_device *device, uint64_t bytes);

/* For each side of work that waits in a queue: its block keeps its bytes until release(), freed or not. hold() answers
 * false if another thread freed the block in this moment. Addresses that are no block of PACL's are nobody's concern. */
bool pacl_memory_hold(const void *p);
void pacl_memory_release(const void *p);

#endif
