/* SPDX-License-Identifier: Apache-2.0 */
#include "core/token.h"

#include "base/error.h"
#include "core/runtime.h"

static const char *name_of(uint32_t kind)
{
    static const char *const names[] = { [PACL_TOKEN_DATA_BUFFER] = "a data buffer",
                                         [PACL_TOKEN_PROFILE_CONFIG] = "a configuration of the profiler",
                                         [PACL_TOKEN_STEP_INFO] = "a step of the profiler",
                                         [PACL_TOKEN_STAMP] = "a stamp of the profiler",
                                         [PACL_TOKEN_ALLOCATOR] = "a description of an allocator",
                                         [PACL_TOKEN_MEMPOOL] = "a pool of memory" };
    return names[kind];
}

void *pacl_token_create(enum pacl_token_kind kind, void *data, size_t size)
{
    if (pacl_runtime_require(ACL_ERROR_INTERNAL_ERROR) != ACL_SUCCESS)
        return NULL;
    struct pacl_token *token = pacl_pool_take(&pacl_tokens);
    if (token == NULL) {
        (void)PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory for %s, or there are %d already", name_of(kind), PACL_POOL_MAX);
        return NULL;
    }
    pacl_store_relaxed(&token->kind, kind);
    pacl_store_relaxed(&token->data, data);
    pacl_store_relaxed(&token->size, size);
    return pacl_object_open(&pacl_tokens, &token->object);
}

aclError pacl_token_find(const void *handle, enum pacl_token_kind kind, const char *what, struct pacl_token **out)
{
    struct pacl_token *token = pacl_pool_find(&pacl_tokens, handle);
    const uint32_t found = token != NULL ? pacl_load_relaxed(&token->kind) : 0;
    if (found == (uint32_t)kind) {
        *out = token;
        return ACL_SUCCESS;
    }
    if (handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", what);
    return PACL_FAIL_UNKNOWN(ACL_ERROR_INVALID_PARAM, "%s %p is %s, not %s", what, handle,
                             found != 0 ? name_of(found) : pacl_handle_names(handle), name_of(kind));
}

aclError pacl_token_destroy(const void *handle, enum pacl_token_kind kind, const char *what)
{
    struct pacl_token *token = NULL;
    const aclError err = pacl_token_find(handle, kind, what, &token);
    if (err != ACL_SUCCESS)
        return err;
    if (!pacl_object_close(&token->object, handle))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s %p was destroyed by another thread", what, handle);
    pacl_pool_give(&pacl_tokens, &token->object);
    return ACL_SUCCESS;
}
