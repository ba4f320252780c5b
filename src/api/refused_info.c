/* SPDX-License-Identifier: Apache-2.0 */
#include "api/refused.h"

static const char INFO[] =
    "PACL does not answer this yet; aclrtGetSocName and aclsysGetVersionStr tell chip and version";

/* Logging */
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...)
    PACL_REFUSES_VOID(INFO);

/* Attributes of the software and the chip */
aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num) PACL_REFUSES(INFO);
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value) PACL_REFUSES(INFO);
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value) PACL_REFUSES(INFO);

/* Start and end: callbacks, packages */
aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void *userData)
    PACL_REFUSES(INFO);
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) PACL_REFUSES(INFO);
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void *userData)
    PACL_REFUSES(INFO);
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc) PACL_REFUSES(INFO);
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version) PACL_REFUSES(INFO);
aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible) PACL_REFUSES(INFO);
