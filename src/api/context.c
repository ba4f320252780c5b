/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"
#include "core/device.h"

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device;
    struct pacl_context *c;
    aclError err = PACL_REFUSE_NULL(context);
    if (err == ACL_SUCCESS)
        err = pacl_device_get(deviceId, &device);
    if (err == ACL_SUCCESS)
        err = pacl_context_create(device, false, &c);
    if (err != ACL_SUCCESS)
        return err;
    pacl_context_make_current(c);
    *context = pacl_object_handle(&c->object);
    return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext context)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(context);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_context *c = pacl_context_find(context);
    if (c == NULL)
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_CONTEXT_NULL, "context %p is %s, not a context", context,
                                 pacl_handle_names(context));
    if (c->primary)
        return PACL_FAIL(ACL_ERROR_RT_CONTEXT_NULL,
                         "context %p is the primary one of device %d; aclrtResetDevice releases it", context,
                         c->device->id);
    if (!pacl_context_destroy(c, context, false))
        return PACL_FAIL(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "context %p is being destroyed by another thread",
                         context);
    return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(context);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_context *c = pacl_context_find(context);
    if (c == NULL)
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "context %p is %s, not a context", context,
                                 pacl_handle_names(context));
    pacl_context_make_current(c);
    return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *c;
    aclError err = PACL_REFUSE_NULL(context);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&c);
    if (err == ACL_SUCCESS)
        *context = pacl_object_handle(&c->object);
    return err;
}
