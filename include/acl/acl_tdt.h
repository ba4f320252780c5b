/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_tdt.h: channels for tensors between host and device. PACL has none: each call here refuses.
 *
 * The letters in brackets say where a statement comes from: [D] the vendor's documentation, [C] behaviour reported of
 * the public runtime, [P] decided by PACL.
 */
#ifndef PACL_ACL_ACL_TDT_H
#define PACL_ACL_ACL_TDT_H

#include <stddef.h>
#include <stdint.h>

#include "acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum acltdtTensorType {
    ACL_TENSOR_DATA_UNDEFINED = -1,
    ACL_TENSOR_DATA_TENSOR = 0,
    ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
    ACL_TENSOR_DATA_ABNORMAL = 2,
    ACL_TENSOR_DATA_SLICE_TENSOR = 3,
    ACL_TENSOR_DATA_END_TENSOR = 4
} acltdtTensorType;

typedef struct acltdtDataItem acltdtDataItem;
typedef struct acltdtDataset acltdtDataset;
typedef struct acltdtChannelHandle acltdtChannelHandle;

/* ---- Items of data ----------------------------------------------------------------------------------------------- */

/*
 * Makes an item: a tensor's type, shape and bytes. Free it with acltdtDestroyDataItem.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, size_t dimNum,
                                                         aclDataType dataType, void *data, size_t size);

/*
 * Frees an item.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataItem(acltdtDataItem *dataItem);

/*
 * Tells what an item is.
 * Not in PACL: returns ACL_TENSOR_DATA_UNDEFINED; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem);

/*
 * Tells the element type of an item.
 * Not in PACL: returns ACL_DT_UNDEFINED; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem);

/*
 * Tells the address of an item's bytes.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem);

/*
 * Tells the number of an item's bytes.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem);

/*
 * Tells the number of an item's dimensions.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem);

/*
 * Tells an item's dimensions.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims, size_t dimNum);

/*
 * Tells which part of a tensor an item is.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem, size_t *sliceNum,
                                                        size_t *sliceId);

/* ---- Sets of items ----------------------------------------------------------------------------------------------- */

/*
 * Makes an empty set. Free it with acltdtDestroyDataset.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY acltdtDataset *acltdtCreateDataset(void);

/*
 * Frees a set.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataset(acltdtDataset *dataset);

/*
 * Adds an item to a set.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem);

/*
 * Finds an item of a set.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index);

/*
 * Tells the number of items of a set.
 * Not in PACL: returns 0; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY size_t acltdtGetDatasetSize(const acltdtDataset *dataset);

/*
 * Tells the name of a set.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY const char *acltdtGetDatasetName(const acltdtDataset *dataset);

/* ---- Channels ---------------------------------------------------------------------------------------------------- */

/*
 * Creates a channel to a device.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name);

/*
 * The same, with room for a number of sets.
 * Not in PACL: returns null; aclGetRecentErrMsg says why. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId, const char *name,
                                                                         size_t capacity);

/*
 * Destroys a channel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtDestroyChannel(acltdtChannelHandle *handle);

/*
 * Ends waiting calls on a channel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtStopChannel(acltdtChannelHandle *handle);

/*
 * Empties a channel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtCleanChannel(acltdtChannelHandle *handle);

/*
 * Sends a set.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtSendTensor(const acltdtChannelHandle *handle, const acltdtDataset *dataset,
                                              int32_t timeout);

/*
 * Receives a set.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtReceiveTensor(const acltdtChannelHandle *handle, acltdtDataset *dataset,
                                                 int32_t timeout);

/*
 * Tells how many sets wait in a channel.
 * Not in PACL: returns ACL_ERROR_API_NOT_SUPPORT (200001). Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
