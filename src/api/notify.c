/* SPDX-License-Identifier: Apache-2.0 */
#include "core/notify.h"
#include "api/api.h"

/* --- life -------------------------------------------------------------------------------------------------------- */

static aclError create(void **out, uint64_t flag, bool counts)
{
    struct pacl_context *context;
    struct pacl_notify *n = NULL;
    if (flag != ACL_NOTIFY_DEFAULT && flag != ACL_NOTIFY_DEVICE_USE_ONLY)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%llx; it takes 0 or 1 (device only)",
                         (unsigned long long)flag);
    aclError err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_notify_create(context, counts, &n);
    if (err == ACL_SUCCESS)
        *out = pacl_object_handle(&n->object);
    return err;
}

static aclError destroy(const void *handle, bool counts)
{
    struct pacl_notify *n = NULL;
    const aclError err = pacl_notify_from_handle(handle, counts, &n);
    if (err != ACL_SUCCESS)
        return err;
    return pacl_notify_destroy(n, handle)
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "notify %p was destroyed by another thread", handle);
}

aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(notify);
    return err != ACL_SUCCESS ? err : create(notify, flag, false);
}

aclError aclrtDestroyNotify(aclrtNotify notify)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return destroy(notify, false);
}

aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(cntNotify);
    return err != ACL_SUCCESS ? err : create(cntNotify, flag, true);
}

aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return destroy(cntNotify, true);
}

/* --- on streams -------------------------------------------------------------------------------------------------- */

static aclError resolve(const void *handle, bool counts, aclrtStream stream, struct pacl_notify **n,
                        struct pacl_stream **s, void **own_handle)
{
    aclError err = pacl_notify_from_handle(handle, counts, n);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, s, own_handle);
    return err == ACL_SUCCESS ? pacl_context_owns(*s) : err;
}

static aclError record(const void *handle, bool counts, aclrtStream stream, const aclrtCntNotifyRecordInfo *change)
{
    struct pacl_notify *n = NULL;
    struct pacl_stream *s = NULL;
    void *own_handle;
    const aclError err = resolve(handle, counts, stream, &n, &s, &own_handle);
    return err != ACL_SUCCESS ? err : pacl_notify_record(n, handle, s, own_handle, change);
}

static aclError wait(const void *handle, bool counts, aclrtStream stream, const aclrtCntNotifyWaitInfo *info)
{
    struct pacl_notify *n = NULL;
    struct pacl_stream *s = NULL;
    void *own_handle;
    const aclError err = resolve(handle, counts, stream, &n, &s, &own_handle);
    return err != ACL_SUCCESS ? err : pacl_notify_wait(n, handle, s, own_handle, info);
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const aclrtCntNotifyRecordInfo set = { .mode = ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, .value = 1 };
    return record(notify, false, stream, &set);
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout)
{
    PACL_ENTER_OR_RETURN();
    const aclrtCntNotifyWaitInfo is_set = {
        .mode = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, .value = 1, .timeout = timeout, .isClear = 1
    };
    return wait(notify, false, stream, &is_set);
}

aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo *info)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(info);
    if (err != ACL_SUCCESS)
        return err;
    if (info->mode != ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE && info->mode != ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE &&
        info->mode != ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE && info->mode != ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "info->mode %d; it takes 0 (set), 1 (add), 2 (or) or 4 (and)",
                         (int)info->mode);
    return record(cntNotify, true, stream, info);
}

aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclrtCntNotifyRecordInfo zero = { .mode = ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, .value = 0 };
    return record(cntNotify, true, stream, &zero);
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyWaitInfo *info)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(info);
    if (err != ACL_SUCCESS)
        return err;
    if ((unsigned)info->mode > ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "info->mode %d; it takes 0 to 4", (int)info->mode);
    return wait(cntNotify, true, stream, info);
}

/* --- from the host ----------------------------------------------------------------------------------------------- */

static aclError get_id(const void *handle, bool counts, uint32_t *id)
{
    struct pacl_notify *n = NULL;
    aclError err = id == NULL ? PACL_FAIL(ACL_ERROR_INVALID_PARAM, "notifyId is null") : ACL_SUCCESS;
    if (err == ACL_SUCCESS)
        err = pacl_notify_from_handle(handle, counts, &n);
    if (err == ACL_SUCCESS)
        *id = n->object.index;
    return err;
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return get_id(notify, false, notifyId);
}

aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return get_id(cntNotify, true, notifyId);
}

/* All are looked at before the first is reset: a failed call changes nothing. */
aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_notify *n = NULL;
    aclError err = PACL_REFUSE_NULL(notifies);
    if (err == ACL_SUCCESS && num == 0)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
    for (size_t i = 0; err == ACL_SUCCESS && i < num; i++)
        err = pacl_notify_from_handle(notifies[i], false, &n);
    if (err != ACL_SUCCESS)
        return err;
    for (size_t i = 0; i < num; i++) {
        n = pacl_pool_find(&pacl_notifies, notifies[i]);
        if (n != NULL)
            pacl_notify_reset(n);
    }
    return ACL_SUCCESS;
}
