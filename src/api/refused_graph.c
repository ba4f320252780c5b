/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char BODIES[] =
    "PACL captures into new graphs only: those that are built by hand and the bodies of conditions are not there";
static const char ATTRIBUTES[] =
    "PACL runs functions in place of kernels, which have no attributes; aclmdlRITaskGetParams tells what they have";

/* Captured graphs (model RI) */
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode)
    PACL_REFUSES(BODIES);
aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue *attrValue) PACL_REFUSES(ATTRIBUTES);
