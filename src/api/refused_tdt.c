/* SPDX-License-Identifier: Apache-2.0 */
/* Channels for tensors between host and device. */
#include "acl/acl_tdt.h"
#include "api/refused.h"

static const char TDT[] = "PACL has no channels for tensors; copy with aclrtMemcpyAsync and order with events";

/* Items of data */
acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, size_t dimNum, aclDataType dataType,
                                     void *data, size_t size) PACL_REFUSES_WITH(NULL, TDT);
aclError acltdtDestroyDataItem(acltdtDataItem *dataItem) PACL_REFUSES(TDT);
acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem)
    PACL_REFUSES_WITH(ACL_TENSOR_DATA_UNDEFINED, TDT);
aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem) PACL_REFUSES_WITH(ACL_DT_UNDEFINED, TDT);
void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem) PACL_REFUSES_WITH(NULL, TDT);
size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem) PACL_REFUSES_WITH(0, TDT);
size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem) PACL_REFUSES_WITH(0, TDT);
aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims, size_t dimNum) PACL_REFUSES(TDT);
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem, size_t *sliceNum, size_t *sliceId)
    PACL_REFUSES(TDT);

/* Sets of items */
acltdtDataset *acltdtCreateDataset(void) PACL_REFUSES_WITH(NULL, TDT);
aclError acltdtDestroyDataset(acltdtDataset *dataset) PACL_REFUSES(TDT);
aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem) PACL_REFUSES(TDT);
acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index) PACL_REFUSES_WITH(NULL, TDT);
size_t acltdtGetDatasetSize(const acltdtDataset *dataset) PACL_REFUSES_WITH(0, TDT);
const char *acltdtGetDatasetName(const acltdtDataset *dataset) PACL_REFUSES_WITH(NULL, TDT);

/* Channels */
acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name) PACL_REFUSES_WITH(NULL, TDT);
acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId, const char *name, size_t capacity)
    PACL_REFUSES_WITH(NULL, TDT);
aclError acltdtDestroyChannel(acltdtChannelHandle *handle) PACL_REFUSES(TDT);
aclError acltdtStopChannel(acltdtChannelHandle *handle) PACL_REFUSES(TDT);
aclError acltdtCleanChannel(acltdtChannelHandle *handle) PACL_REFUSES(TDT);
aclError acltdtSendTensor(const acltdtChannelHandle *handle, const acltdtDataset *dataset, int32_t timeout)
    PACL_REFUSES(TDT);
aclError acltdtReceiveTensor(const acltdtChannelHandle *handle, acltdtDataset *dataset, int32_t timeout)
    PACL_REFUSES(TDT);
aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle, size_t *size) PACL_REFUSES(TDT);
