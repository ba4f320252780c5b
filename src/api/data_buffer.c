/* SPDX-License-Identifier: Apache-2.0 */
/* Data buffers: where some bytes are, as one object. */
#include "api/api.h"
#include "core/token.h"

/* The bytes stay the program's; nothing looks at them. */
aclDataBuffer *aclCreateDataBuffer(void *data, size_t size)
{
    PACL_ENTER();
    return pacl_token_create(PACL_TOKEN_DATA_BUFFER, data, size);
}

aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
    PACL_ENTER_OR_RETURN();
    return pacl_token_destroy(dataBuffer, PACL_TOKEN_DATA_BUFFER, "dataBuffer");
}

static struct pacl_token *find(const aclDataBuffer *buffer)
{
    struct pacl_token *token = NULL;
    return pacl_token_find(buffer, PACL_TOKEN_DATA_BUFFER, "dataBuffer", &token) == ACL_SUCCESS ? token : NULL;
}

aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_token *token = NULL;
    const aclError err = pacl_token_find(dataBuffer, PACL_TOKEN_DATA_BUFFER, "dataBuffer", &token);
    if (err != ACL_SUCCESS)
        return err;
    pacl_store_relaxed(&token->data, data);
    pacl_store_relaxed(&token->size, size);
    return ACL_SUCCESS;
}

void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer)
{
    PACL_ENTER();
    const struct pacl_token *token = find(dataBuffer);
    return token != NULL ? pacl_load_relaxed(&token->data) : NULL;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer)
{
    PACL_ENTER();
    const struct pacl_token *token = find(dataBuffer);
    return token != NULL ? (uint32_t)pacl_load_relaxed(&token->size) : 0;
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer)
{
    PACL_ENTER();
    const struct pacl_token *token = find(dataBuffer);
    return token != NULL ? pacl_load_relaxed(&token->size) : 0;
}
