/* SPDX-License-Identifier: Apache-2.0 */
#include "api/rt.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "api/common.h"
#include "core/device.h"

/* The layer below has one code for what is wrong with an argument. */
#define REFUSE_NULL(argument) \
    ((argument) == NULL ? PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, #argument " is null") : ACL_SUCCESS)

int32_t rtDeviceGetBareTgid(uint32_t *pid)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = REFUSE_NULL(pid);
    if (err == ACL_SUCCESS)
        *pid = (uint32_t)getpid();
    return err;
}

int32_t rtGetDeviceInfo(uint32_t deviceId, int32_t moduleType, int32_t infoType, int64_t *val)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device;
    aclError err = REFUSE_NULL(val);
    if (err == ACL_SUCCESS)
        err = pacl_device_get((int32_t)deviceId, &device);
    if (err != ACL_SUCCESS)
        return err;
    return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                     "moduleType %d, infoType %d: PACL does not know these numbers; use aclrtGetDeviceInfo", moduleType,
                     infoType);
}

int32_t rtGetLogicDevIdByUserDevId(int32_t userDevId, int32_t *logicDevId)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = REFUSE_NULL(logicDevId);
    return err != ACL_SUCCESS ? err : pacl_call_machine_number(userDevId, "logicDevId", logicDevId);
}

/* --- peers ------------------------------------------------------------------------------------------------------- */

static aclError get_pair(uint32_t user, uint32_t chip, struct pacl_device **device, struct pacl_device **peer)
{
    const aclError err = pacl_device_get((int32_t)user, device);
    if (err != ACL_SUCCESS)
        return err;
    for (int32_t i = 0; i < (int32_t)pacl_runtime()->device_count; i++) {
        if (pacl_runtime()->device_physical[i] == chip && i != (*device)->id)
            return pacl_device_get(i, peer);
    }
    return PACL_FAIL(ACL_ERROR_RT_INVALID_DEVICEID, "this process sees no chip %u beside device %u", chip, user);
}

int32_t rtEnableP2P(uint32_t devIdDes, uint32_t phyIdSrc, uint32_t flag)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL, *peer = NULL;
    if (flag != 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "flag 0x%x; only 0 is supported", flag);
    const aclError err = get_pair(devIdDes, phyIdSrc, &device, &peer);
    if (err == ACL_SUCCESS)
        atomic_fetch_or(&device->peers, (uint64_t)1 << peer->id);
    return err;
}

int32_t rtDisableP2P(uint32_t devIdDes, uint32_t phyIdSrc)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_device *device = NULL, *peer = NULL;
    const aclError err = get_pair(devIdDes, phyIdSrc, &device, &peer);
    if (err == ACL_SUCCESS)
        atomic_fetch_and(&device->peers, ~((uint64_t)1 << peer->id));
    return err;
}

/* --- memory between processes ------------------------------------------------------------------------------------ */

/* What rtIpcOpenMemory has opened: ACL closes by the name, these functions by the address. */
struct opened {
    struct opened *next;
    void *at;
    char *name;
};

static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER; /* guards opened_first and the list */
static struct opened *opened_first;

int32_t rtIpcSetMemoryName(const void *ptr, uint64_t byteCount, char *name, uint32_t len)
{
    PACL_ENTER_OR_RETURN();
    if (ptr == NULL || name == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "ptr %p or name %p is null", ptr, (void *)name);
    return pacl_call_export_key((void *)(uintptr_t)ptr, byteCount, name, len, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
}

int32_t rtSetIpcMemorySuperPodPid(const char *name, uint32_t sdid, int32_t *pid, int32_t num)
{
    PACL_ENTER_OR_RETURN();
    (void)sdid;
    if (name == NULL || pid == NULL || num <= 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "name %p or pid %p is null, or num %d is not positive",
                         (const void *)name, (void *)pid, num);
    return pacl_call_set_import_pid(name, pid, (size_t)num);
}

int32_t rtIpcDestroyMemoryName(const char *name)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = REFUSE_NULL(name);
    return err != ACL_SUCCESS ? err : pacl_call_close_key(name);
}

static void keep_opened(struct opened *opened)
{
    pthread_mutex_lock(&opened_lock);
    opened->next = opened_first;
    opened_first = opened;
    pthread_mutex_unlock(&opened_lock);
}

int32_t rtIpcOpenMemory(void **ptr, const char *name)
{
    PACL_ENTER_OR_RETURN();
    if (ptr == NULL || name == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "ptr %p or name %p is null", (void *)ptr, (const void *)name);
    struct opened *opened = calloc(1, sizeof *opened);
    char *copy = strdup(name);
    const aclError err = opened != NULL && copy != NULL
                             ? pacl_call_import_by_key(ptr, name, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT)
                             : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note what is opened");
    if (err != ACL_SUCCESS) {
        free(opened);
        free(copy);
        return err;
    }
    opened->at = *ptr;
    opened->name = copy;
    keep_opened(opened);
    return ACL_SUCCESS;
}

static struct opened *take_opened(const void *at)
{
    pthread_mutex_lock(&opened_lock);
    struct opened **link = &opened_first;
    while (*link != NULL && (*link)->at != at)
        link = &(*link)->next;
    struct opened *found = *link;
    if (found != NULL)
        *link = found->next;
    pthread_mutex_unlock(&opened_lock);
    return found;
}

int32_t rtIpcCloseMemory(const void *ptr)
{
    PACL_ENTER_OR_RETURN();
    struct opened *opened = take_opened(ptr);
    if (opened == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "ptr %p was not opened by rtIpcOpenMemory, or is closed already",
                         ptr);
    const aclError err = pacl_call_close_key(opened->name);
    if (err != ACL_SUCCESS) {
        keep_opened(opened);
        return err;
    }
    free(opened->name);
    free(opened);
    return err;
}

/* --- streams ----------------------------------------------------------------------------------------------------- */

int32_t rtMemcpyAsyncWithoutCheckKind(void *dst, uint64_t destMax, const void *src, uint64_t cnt, int32_t kind,
                                      aclrtStream stm)
{
    PACL_ENTER_OR_RETURN();
    (void)kind;
    if (cnt > 0 && (dst == NULL || src == NULL))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "dst %p or src %p is null", dst, src);
    return pacl_call_memcpy_async(dst, destMax, src, cnt, ACL_MEMCPY_DEFAULT, stm);
}

int32_t rtStreamSynchronize(aclrtStream stm)
{
    PACL_ENTER_OR_RETURN();
    return pacl_call_synchronize_stream(stm, -1);
}
