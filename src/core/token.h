/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the interface that are no more than a handle and two words: data buffers, what the profiler hands out, descriptions
 * of allocators. */
#ifndef PACL_CORE_TOKEN_H
#define PACL_CORE_TOKEN_H

#include "acl/acl_base.h"
#include "core/handle.h"

enum pacl_token_kind {
    PACL_TOKEN_DATA_BUFFER = 1,
    PACL_TOKEN_PROFILE_CONFIG,
    PACL_TOKEN_STEP_INFO,
    PACL_TOKEN_STAMP,
    PACL_TOKEN_ALLOCATOR,
    PACL_TOKEN_MEMPOOL
};

struct pacl_token {
    _Alignas(64) struct pacl_object object;
    /* Atomic because a call with a stale handle may look at a slot that is being opened again. */
    _Atomic uint32_t kind;
    _Atomic(void *) data;
    _Atomic size_t size;
};

/* A new handle, or NULL when memory is short or the options are unusable; a message is left then. */
void *pacl_token_create(enum pacl_token_kind kind, void *data, size_t size);

/* The token that a handle names, or fails with 100000; the message names the argument `what`. */
aclError pacl_token_find(const void *handle, enum pacl_token_kind kind, const char *what, struct pacl_token **out);

aclError pacl_token_destroy(const void *handle, enum pacl_token_kind kind, const char *what);

#endif
