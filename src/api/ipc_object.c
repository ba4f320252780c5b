/* SPDX-License-Identifier: Apache-2.0 */
/* Events and notifies that several processes have. */
#include <string.h>

#include "api/api.h"
#include "core/event.h"
#include "core/notify.h"
#include "core/product.h"

/* --- events ------------------------------------------------------------------------------------------------------- */

static aclError refuse_product(void)
{
    if (pacl_product_has_ipc_events(&pacl_runtime()->product))
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s has no events for several processes",
                     pacl_runtime()->product.name);
}

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_event *e;
    struct pacl_key key;
    aclError err = PACL_REFUSE_NULL(handle);
    if (err == ACL_SUCCESS)
        err = pacl_event_from_handle(event, &e);
    if (err == ACL_SUCCESS)
        err = pacl_event_offer(e, &key);
    if (err != ACL_SUCCESS)
        return err;
    memset(handle, 0, sizeof *handle);
    memcpy(handle->reserved, key.bytes, sizeof key.bytes);
    return ACL_SUCCESS;
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_context *context;
    struct pacl_event *e;
    struct pacl_key key;
    memcpy(key.bytes, handle.reserved, sizeof key.bytes);
    aclError err = PACL_REFUSE_NULL(event);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    if (err == ACL_SUCCESS)
        err = pacl_event_open_shared(context, &key, &e);
    if (err == ACL_SUCCESS)
        *event = pacl_object_handle(&e->object);
    return err;
}

/* --- notifies ----------------------------------------------------------------------------------------------------- */

static aclError check_flags(uint64_t flags)
{
    if (flags == ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT || flags == ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION)
        return ACL_SUCCESS;
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flags %llu is neither 0 nor 2", (unsigned long long)flags);
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_notify *n;
    struct pacl_key made;
    if (notify == NULL || key == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "notify %p or key %p is null", notify, (void *)key);
    aclError err = pacl_notify_from_handle(notify, false, &n);
    if (err == ACL_SUCCESS)
        err = check_flags(flags);
    if (err == ACL_SUCCESS && len < PACL_KEY_TEXT)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "len %zu is less than %d", len, PACL_KEY_TEXT);
    if (err == ACL_SUCCESS)
        err = pacl_notify_offer(n, flags == ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION, &made);
    if (err == ACL_SUCCESS)
        pacl_key_print(&made, key);
    return err;
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_notify *n;
    if (notify == NULL || pid == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "notify %p or pid %p is null", notify, (void *)pid);
    if (num == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
    const aclError err = pacl_notify_from_handle(notify, false, &n);
    return err != ACL_SUCCESS ? err : pacl_notify_allow(n, pid, num);
}

aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_context *context;
    struct pacl_notify *n;
    struct pacl_key parsed;
    if (notify == NULL || key == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "notify %p or key %p is null", (void *)notify, (const void *)key);
    aclError err = check_flags(flags);
    if (err == ACL_SUCCESS && !pacl_key_parse(key, &parsed))
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "key is not one that aclrtNotifyGetExportKey has made");
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_notify_open_shared(context, &parsed, &n);
    if (err == ACL_SUCCESS)
        *notify = pacl_object_handle(&n->object);
    return err;
}
