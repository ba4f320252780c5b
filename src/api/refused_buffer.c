/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char BUFFERS[] = "PACL has no data buffers yet; keep address and size yourself";

/* Data buffers */
aclDataBuffer *aclCreateDataBuffer(void *data, size_t size) PACL_REFUSES_WITH(NULL, BUFFERS);
aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer) PACL_REFUSES(BUFFERS);
aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size) PACL_REFUSES(BUFFERS);
void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer) PACL_REFUSES_WITH(NULL, BUFFERS);
uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer) PACL_REFUSES_WITH(0, BUFFERS);
size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer) PACL_REFUSES_WITH(0, BUFFERS);
