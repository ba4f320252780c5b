/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char COPIES[] = "PACL does not make such copies yet; use aclrtMemcpyAsync or aclrtMemcpy2dAsync";

/* Streams: configuration, attributes, values in memory */
aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream) PACL_REFUSES(COPIES);
aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream) PACL_REFUSES(COPIES);

/* Copies: batches, descriptions, symbols, reductions */
aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex)
    PACL_REFUSES(COPIES);
aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs) PACL_REFUSES(COPIES);
aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                               aclrtStream stream) PACL_REFUSES(COPIES);
aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, aclrtStream stream)
    PACL_REFUSES(COPIES);
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream) PACL_REFUSES(COPIES);
aclError aclrtMemcpyAsyncWithOffset(void **dst, size_t destMax, size_t dstDataOffset, const void **src, size_t count,
                                    size_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream)
    PACL_REFUSES(COPIES);
aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t *descSize) PACL_REFUSES(COPIES);
aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr, void *dstAddr, size_t count, void *config)
    PACL_REFUSES(COPIES);
aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind, aclrtStream stream) PACL_REFUSES(COPIES);
aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void *reserve) PACL_REFUSES(COPIES);
