/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of the software, and its own log lines. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "base/log.h"

static const aclCannAttr attributes[] = { ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE };

aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num)
{
    PACL_ENTER_OR_RETURN();
    if (cannAttrList == NULL || num == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", cannAttrList == NULL ? "cannAttrList" : "num");
    *cannAttrList = attributes;
    *num = sizeof attributes / sizeof attributes[0];
    return ACL_SUCCESS;
}

/* Number formats are the chip's; nothing compiles operators here. */
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS)
        return err;
    switch (cannAttr) {
    case ACL_CANN_ATTR_INF_NAN:
    case ACL_CANN_ATTR_BF16:
        *value = pacl_product_has_newest_calls(&pacl_runtime()->product);
        return ACL_SUCCESS;
    case ACL_CANN_ATTR_JIT_COMPILE:
        *value = 0;
        return ACL_SUCCESS;
    default:
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "cannAttr %d; it takes 0 to 2", (int)cannAttr);
    }
}

aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(socVersion);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(canCompatible);
    if (err == ACL_SUCCESS)
        err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err == ACL_SUCCESS)
        *canCompatible = pacl_product_same_chip(&pacl_runtime()->product, socVersion);
    return err;
}

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...)
{
    PACL_ENTER();
    char text[1024];
    if ((unsigned)logLevel > ACL_ERROR || fmt == NULL || !pacl_log_wants((enum pacl_log_level)logLevel))
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    pacl_log((enum pacl_log_level)logLevel, "%s:%u %s: %s", file != NULL ? file : "?", line, func != NULL ? func : "?",
             text);
}
