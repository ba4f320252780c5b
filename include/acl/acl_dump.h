/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_dump.h: dumping of what operators read and write. PACL has no operators: each call here refuses.
 *
 * The letters in brackets say where a statement comes from: [D] the vendor's documentation, [C] behaviour reported of
 * the public runtime, [P] decided by PACL.
 */
#ifndef PACL_ACL_ACL_DUMP_H
#define PACL_ACL_ACL_DUMP_H

#include <stddef.h>
#include <stdint.h>

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_DUMP_API ACL_FUNC_VISIBILITY
/* A program that calls such a function links with a library that does not have it, and finds null at run time. */
#if defined(__GNUC__)
#define ACL_DUMP_WEAK __attribute__((weak))
#else
#define ACL_DUMP_WEAK
#endif

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_OP_DUMP_OP_AICORE_ARGS 1U
#define ACL_DUMP_MAX_SHAPE_NUM 25

typedef enum acldumpType {
    AIC_ERR_BRIEF_DUMP = 1,
    AIC_ERR_NORM_DUMP = 2,
    AIC_ERR_DETAIL_DUMP = 3,
    DATA_DUMP = 4,
    OVERFLOW_DUMP = 5
} acldumpType;

typedef enum acldumpTensorType {
    ACL_DUMP_TENSOR_INPUT = 0,
    ACL_DUMP_TENSOR_OUTPUT = 1,
    ACL_DUMP_TENSOR_WORKSPACE = 2
} acldumpTensorType;

typedef enum acldumpTensorAddressType {
    ACL_DUMP_ADDR_PTR = 0,
    ACL_DUMP_ADDR_PTR_PTR = 1,
    ACL_DUMP_ADDR_RAW = 2
} acldumpTensorAddressType;

typedef enum acldumpTensorPlacement {
    ACL_DUMP_PLACEMENT_DEVICE = 0,
    ACL_DUMP_PLACEMENT_HOST = 1,
    ACL_DUMP_PLACEMENT_END = 2
} acldumpTensorPlacement;

/* A part of a file. */
typedef struct acldumpChunk {
    char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
    uint32_t bufLen;
    uint32_t isLastChunk;
    int64_t offset;
    int32_t flag;
    __extension__ uint8_t dataBuf[0]; /* bufLen bytes */
} acldumpChunk;

typedef struct acldumpTensorInfo {
    acldumpTensorType type;
    size_t tensorSize;
    int32_t format;
    int32_t dataType;
    int64_t *tensorAddr;
    acldumpTensorAddressType addrType;
    acldumpTensorPlacement placement;
    uint32_t argsOffset;
    uint32_t shapeNum;
    uint32_t originShapeNum;
    uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
    uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

/*
 * Has a function called with dumped data.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acldumpRegCallback(int32_t (*messageCallback)(const acldumpChunk *, int32_t),
                                                int32_t flag);

/*
 * Takes such a function back.
 * Not in PACL: does nothing; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY void acldumpUnregCallback(void);

/*
 * Begins to dump the arguments of operators.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclopStartDumpArgs(uint32_t dumpType, const char *path);

/*
 * Ends that.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError aclopStopDumpArgs(uint32_t dumpType);

/*
 * Tells the folder of a kind of dumps.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY const char *acldumpGetPath(acldumpType dumpType);

/*
 * Saves tensors when an operator fails.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY ACL_DUMP_WEAK aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag,
                                                                    const acldumpTensorInfo *tensors,
                                                                    size_t tensorCount);

/*
 * Tells the folder for these.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY ACL_DUMP_WEAK aclError acldumpGetExceptionInfoPath(char *path, size_t maxLen);

#ifdef __cplusplus
}
#endif

#endif
