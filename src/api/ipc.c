/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that several processes have: keys of blocks, shareable handles of physical memory. */
#include <string.h>

#include "api/api.h"
#include "api/common.h"
#include "core/device.h"
#include "core/ipc_memory.h"
#include "core/product.h"

static aclError refuse_product(void)
{
    const aclError err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS || pacl_product_shares_memory(&pacl_runtime()->product))
        return err;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s has no memory for several processes",
                     pacl_runtime()->product.name);
}

static aclError parse(const char *text, struct pacl_key *key)
{
    if (text == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "key is null");
    if (!pacl_key_parse(text, key))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "key is not one that aclrtIpcMemGetExportKey has made");
    return refuse_product();
}

static aclError check_pids(const int32_t *pids, size_t count)
{
    if (pids == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "pid is null");
    if (count == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "the number of processes is 0");
    return ACL_SUCCESS;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

aclError pacl_call_export_key(void *devPtr, size_t size, char *key, size_t len, uint64_t flags)
{
    struct pacl_key made;
    if (devPtr == NULL || key == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "devPtr %p or key %p is null", devPtr, (void *)key);
    if (flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION || size == 0 || len < PACL_KEY_TEXT)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "flags %llu is neither 0 nor 1, size %zu is 0, or len %zu is less than %d",
                         (unsigned long long)flags, size, len, PACL_KEY_TEXT);
    aclError err = refuse_product();
    if (err == ACL_SUCCESS)
        err = pacl_ipc_memory_export(devPtr, size, flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION, &made);
    if (err == ACL_SUCCESS)
        pacl_key_print(&made, key);
    return err;
}

aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return pacl_call_export_key(devPtr, size, key, len, flags);
}

aclError pacl_call_set_import_pid(const char *key, const int32_t *pids, size_t count)
{
    struct pacl_key parsed;
    if (key == NULL || pids == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", key == NULL ? "key" : "pid");
    aclError err = parse(key, &parsed);
    if (err == ACL_SUCCESS)
        err = check_pids(pids, count);
    return err != ACL_SUCCESS ? err : pacl_ipc_allow(&parsed, PACL_IPC_MEMORY, pids, count);
}

aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return pacl_call_set_import_pid(key, pid, num);
}

aclError pacl_call_import_by_key(void **devPtr, const char *key, uint64_t flags)
{
    struct pacl_key parsed;
    aclError err = PACL_REFUSE_NULL(devPtr);
    if (err == ACL_SUCCESS)
        err = parse(key, &parsed);
    if (err != ACL_SUCCESS)
        return err;
    if (flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flags %llu is neither 0 nor 1", (unsigned long long)flags);
    return pacl_ipc_memory_import(&parsed, flags == ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, devPtr);
}

aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return pacl_call_import_by_key(devPtr, key, flags);
}

aclError pacl_call_close_key(const char *key)
{
    struct pacl_key parsed;
    const aclError err = parse(key, &parsed);
    return err != ACL_SUCCESS ? err : pacl_ipc_memory_close(&parsed);
}

aclError aclrtIpcMemClose(const char *key)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return pacl_call_close_key(key);
}

/* Links between chips: memory here has one way to it, whichever is asked for. */
aclError aclrtIpcMemSetAttr(const char *key, aclrtIpcMemAttrType type, uint64_t attr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_key parsed;
    const aclError err = parse(key, &parsed);
    if (err != ACL_SUCCESS)
        return err;
    if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK || attr > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "type %d or attr %llu is unknown", (int)type,
                         (unsigned long long)attr);
    return pacl_ipc_memory_knows(&parsed)
               ? ACL_SUCCESS
               : PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "the key was neither made nor imported here");
}

/* --- shareable handles -------------------------------------------------------------------------------------------- */

static uint64_t number_of(const struct pacl_key *key)
{
    uint64_t number = 0;
    for (size_t i = 0; i < PACL_KEY_SHORT; i++)
        number = number << 8 | key->bytes[i];
    return number;
}

static struct pacl_key key_of(uint64_t number)
{
    struct pacl_key key = { 0 };
    for (size_t i = 0; i < PACL_KEY_SHORT; i++)
        key.bytes[i] = (uint8_t)(number >> (8 * (PACL_KEY_SHORT - 1 - i)));
    return key;
}

static aclError check_export(aclrtDrvMemHandle handle, const void *out, uint64_t flags)
{
    if (handle == NULL || out == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "handle %p or shareableHandle %p is null", handle, out);
    if (flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flags %llu is neither 0 nor 1", (unsigned long long)flags);
    return refuse_product();
}

static aclError check_type(aclrtMemSharedHandleType type)
{
    if (type != ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT && type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "shareType %d is neither 1 (default) nor 2 (fabric)", (int)type);
    return ACL_SUCCESS;
}

/* A default handle is a number of 64 bits; a fabric handle has room for a whole key. */
static void write_handle(const struct pacl_key *key, aclrtMemSharedHandleType type, void *out)
{
    const uint64_t number = number_of(key);
    aclrtMemFabricHandle fabric = { .data = { 0 } };
    memcpy(fabric.data, key->bytes, sizeof key->bytes);
    if (type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC)
        memcpy(out, &fabric, sizeof fabric);
    else
        memcpy(out, &number, sizeof number);
}

static struct pacl_key read_handle(const void *in, aclrtMemSharedHandleType type)
{
    struct pacl_key key;
    uint64_t number;
    memcpy(type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC ? (void *)&key : (void *)&number, in,
           type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC ? sizeof key : sizeof number);
    return type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC ? key : key_of(number);
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags,
                                         uint64_t *shareableHandle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_key key;
    if (handleType != ACL_MEM_HANDLE_TYPE_NONE)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "handleType %d is not 0", (int)handleType);
    aclError err = check_export(handle, shareableHandle, flags);
    if (err == ACL_SUCCESS)
        err = pacl_ipc_physical_export(handle, flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, true, &key);
    if (err == ACL_SUCCESS)
        *shareableHandle = number_of(&key);
    return err;
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType shareType,
                                           void *shareableHandle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_key key;
    aclError err = check_type(shareType);
    if (err == ACL_SUCCESS)
        err = check_export(handle, shareableHandle, flags);
    if (err == ACL_SUCCESS)
        err = pacl_ipc_physical_export(handle, flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
                                       shareType == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, &key);
    if (err == ACL_SUCCESS)
        write_handle(&key, shareType, shareableHandle);
    return err;
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle *handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device;
    const struct pacl_key key = key_of(shareableHandle);
    aclError err = PACL_REFUSE_NULL(handle);
    if (err == ACL_SUCCESS)
        err = pacl_device_get(deviceId, &device);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    return err != ACL_SUCCESS ? err : pacl_ipc_physical_import(&key, deviceId, handle);
}

aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle, aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle *handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (shareableHandle == NULL || handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "shareableHandle %p or handle %p is null", shareableHandle,
                         (void *)handle);
    aclError err = check_type(shareType);
    if (err == ACL_SUCCESS && flags != 0)
        err = PACL_FAIL(ACL_ERROR_INVALID_PARAM, "flags %llu is not 0", (unsigned long long)flags);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_key key = read_handle(shareableHandle, shareType);
    return pacl_ipc_physical_import(&key, -1, handle);
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const struct pacl_key key = key_of(shareableHandle);
    aclError err = check_pids(pid, pidNum);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    return err != ACL_SUCCESS ? err : pacl_ipc_allow(&key, PACL_IPC_PHYSICAL, pid, pidNum);
}

aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle, aclrtMemSharedHandleType shareType, int32_t *pid,
                                           size_t pidNum)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(shareableHandle);
    if (err == ACL_SUCCESS)
        err = check_type(shareType);
    if (err == ACL_SUCCESS)
        err = check_pids(pid, pidNum);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_key key = read_handle(shareableHandle, shareType);
    return pacl_ipc_allow(&key, PACL_IPC_PHYSICAL, pid, pidNum);
}
