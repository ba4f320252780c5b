/* SPDX-License-Identifier: Apache-2.0 */
/* Where an address of the program lies: which kind of memory, whose, in which allocation. */
#ifndef PACL_CORE_PLACE_H
#define PACL_CORE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pacl_memory {
    PACL_MEMORY_PAGEABLE, /* anything that PACL did not give out and nobody registered: malloc, stack, files */
    PACL_MEMORY_PINNED,   /* from aclrtMallocHost, or registered */
    PACL_MEMORY_DEVICE,
};

struct pacl_place {
    enum pacl_memory memory;
    bool registered;     /* pinned by registration: the program may take it away at any time */
    bool mapped;         /* reserved addresses (core/vmm.h); base and size are one piece, others may adjoin it */
    int device;          /* for device memory */
    unsigned policy;     /* for device memory */
    const uint8_t *base; /* the allocation or registered range */
    size_t size;         /* its bytes as asked for; 0 for device or pinned addresses that are allocated to nobody */
};

/* Lock-free; for any address. */
struct pacl_place pacl_place_of(const void *p);

/* Where an engine touches what the program calls `p`. */
uint8_t *pacl_engine_view(const void *p);

/* "device memory", "pinned host memory", "pageable host memory". */
const char *pacl_memory_name(enum pacl_memory memory);

#endif
