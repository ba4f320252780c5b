/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory, pinned and registered host memory, and what is known of an address. */
#include "core/memory.h"
#include "api/api.h"
#include "core/capture.h"
#include "core/device.h"
#include "core/hostmem.h"
#include "core/place.h"

enum { ROUNDING = 32 };

/* --- device memory ----------------------------------------------------------------------------------------------- */

static aclError check_allocation(const void *out, const char *name, size_t size, size_t spare)
{
    if (out == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", name);
    if (size == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "size is 0");
    if (size > SIZE_MAX - spare - ROUNDING)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "size %zu is too large to be rounded up to 32 bytes", size);
    return ACL_SUCCESS;
}

static size_t round_up(size_t size, size_t spare)
{
    return (size + spare + ROUNDING - 1) / ROUNDING * ROUNDING;
}

/* `spare` bytes lie behind the block, as on the original; they are not the program's. */
static aclError allocate(void **out, size_t size, size_t spare, uint32_t policy)
{
    struct pacl_context *context;
    aclError err = check_allocation(out, "devPtr", size, spare);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    if (err == ACL_SUCCESS)
        err = pacl_memory_alloc_device(context->device, size, round_up(size, spare), policy, out);
    return err;
}

static size_t padding(aclrtMemMallocPolicy policy)
{
    const bool gigantic = policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
    return pacl_product_pads_malloc(&pacl_runtime()->product) && !gigantic ? ROUNDING : 0;
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return allocate(devPtr, size, padding(policy), policy);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return allocate(devPtr, size, 0, policy);
}

/* Memory here is coherent: cached and uncached device memory are the same. Four policies are honoured, the others take
 * the default pages of an unknown one [C]. */
aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const bool honoured = policy == ACL_MEM_MALLOC_HUGE_FIRST || policy == ACL_MEM_MALLOC_HUGE_ONLY ||
                          policy == ACL_MEM_MALLOC_NORMAL_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY;
    return allocate(devPtr, size, padding(policy), honoured ? (uint32_t)policy : PACL_POLICY_UNKNOWN);
}

static aclError check_config(const aclrtMallocConfig *cfg)
{
    if (cfg == NULL || cfg->numAttrs == 0)
        return ACL_SUCCESS;
    if (cfg->attrs == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "cfg->attrs is null and cfg->numAttrs is %zu", cfg->numAttrs);
    for (size_t i = 0; i < cfg->numAttrs; i++) {
        if (cfg->attrs[i].attr > ACL_RT_MEM_ATTR_VA_FLAG)
            return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "cfg->attrs[%zu].attr %d is unknown", i,
                             (int)cfg->attrs[i].attr);
    }
    return ACL_SUCCESS;
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = check_allocation(devPtr, "devPtr", size, 0);
    if (err == ACL_SUCCESS)
        err = check_config(cfg);
    return err != ACL_SUCCESS ? err : allocate(devPtr, size, 0, policy);
}

/* The same memory: there is no task scheduler that would need another kind. */
aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = check_allocation(devPtr, "devPtr", size, 0);
    if (err == ACL_SUCCESS)
        err = check_config(cfg);
    return err != ACL_SUCCESS ? err : allocate(devPtr, size, 0, policy);
}

aclError aclrtFree(void *devPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(devPtr);
    return err != ACL_SUCCESS ? err : pacl_memory_free_device(devPtr);
}

aclError aclrtFreeWithDevSync(void *devPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(devPtr);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_place place = pacl_place_of(devPtr);
    struct pacl_device *device;
    if (place.memory == PACL_MEMORY_DEVICE) {
        err = pacl_device_get(place.device, &device);
        if (err == ACL_SUCCESS)
            pacl_device_wait(device);
    }
    return err != ACL_SUCCESS ? err : pacl_memory_free_device(devPtr);
}

/* --- pinned memory ----------------------------------------------------------------------------------------------- */

static aclError allocate_pinned(void **out, const char *name, size_t size)
{
    struct pacl_context *context;
    aclError err = check_allocation(out, name, size, 0);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    return err != ACL_SUCCESS ? err : pacl_memory_alloc_pinned(size, round_up(size, 0), out);
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return allocate_pinned(hostPtr, "hostPtr", size);
}

aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = check_allocation(ptr, "ptr", size, 0);
    if (err == ACL_SUCCESS)
        err = check_config(cfg);
    return err != ACL_SUCCESS ? err : allocate_pinned(ptr, "ptr", size);
}

aclError aclrtFreeHost(void *hostPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(hostPtr);
    return err != ACL_SUCCESS ? err : pacl_memory_free_pinned(hostPtr);
}

aclError aclrtFreeHostWithDevSync(void *hostPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(hostPtr);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_context *context = pacl_context_peek();
    if (context != NULL) /* without one there is no device to wait for */
        pacl_device_wait(context->device);
    return pacl_memory_free_pinned(hostPtr);
}

/* --- registered memory ------------------------------------------------------------------------------------------- */

aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const uint32_t known = ACL_HOST_REGISTER_MAPPED | ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
    if (ptr == NULL || size == 0 || devPtr == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p or devPtr %p is null, or size %llu is 0", ptr, (void *)devPtr,
                         (unsigned long long)size);
    if (((uint32_t)type & ~known) != 0)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "type 0x%x has bits other than 0x4 and 0x8", (unsigned)type);
    if (!pacl_product_has_newest_calls(&pacl_runtime()->product))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not register host memory",
                         pacl_runtime()->product.name);
    const aclError err = pacl_hostmem_register(ptr, size, true);
    if (err == ACL_SUCCESS)
        *devPtr = ptr; /* host and device see the same address */
    return err;
}

aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const uint32_t known = ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
    if (ptr == NULL || size == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "ptr %p is null, or size %llu is 0", ptr, (unsigned long long)size);
    if (flag == 0 || (flag & ~known) != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x; it takes one or more of the bits 0x%x", flag, known);
    if (!pacl_product_has_newest_calls(&pacl_runtime()->product))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not register host memory",
                         pacl_runtime()->product.name);
    return pacl_hostmem_register(ptr, size, (flag & ACL_HOST_REG_MAPPED) != 0);
}

aclError aclrtHostUnregister(void *ptr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(ptr);
    return err != ACL_SUCCESS ? err : pacl_hostmem_unregister(ptr);
}

aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (pHost == NULL || pDevice == NULL || flag != 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "pHost %p or pDevice %p is null, or flag 0x%x is not 0", pHost,
                         (void *)pDevice, flag);
    const struct pacl_range range = pacl_hostmem_find(pHost);
    if (range.base == NULL || !range.mapped)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "pHost %p is not registered, or was registered without MAPPED",
                         pHost);
    *pDevice = pHost;
    return ACL_SUCCESS;
}

/* --- what is known ----------------------------------------------------------------------------------------------- */

/* Whether the device has memory of the attribute's kind. HBM on a product with DDR only is answered from DDR [D]. */
static bool has_memory(aclrtMemAttr attr)
{
    const bool is_hbm = pacl_runtime()->product.memory_type[0] == 'H';
    switch (attr) {
    case ACL_DDR_MEM:
    case ACL_DDR_MEM_HUGE:
    case ACL_DDR_MEM_NORMAL:
    case ACL_DDR_MEM_P2P_HUGE:
    case ACL_DDR_MEM_P2P_NORMAL:
        return !is_hbm;
    default:
        return true;
    }
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_context *context;
    if (free == NULL || total == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", free == NULL ? "free" : "total");
    if ((int)attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G)
        return PACL_FAIL(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr %d is not one of 0 to %d", (int)attr,
                         (int)ACL_MEM_P2P_HUGE1G);
    const aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    *total = has_memory(attr) ? pacl_runtime()->product.memory_bytes : 0;
    *free = has_memory(attr) ? *total - pacl_load_relaxed(&context->device->memory_used) : 0;
    return ACL_SUCCESS;
}

/* All memory of a device has one user here: this program. */
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum, size_t *outputNum)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    struct pacl_device *device;
    if (memUsageInfo == NULL || outputNum == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "memUsageInfo %p or outputNum %p is null", (void *)memUsageInfo,
                         (void *)outputNum);
    const aclError err = pacl_device_get(deviceId, &device);
    if (err != ACL_SUCCESS)
        return err;
    if (!pacl_product_pads_malloc(&pacl_runtime()->product)) /* the 950 class */
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not tell the use of memory",
                         pacl_runtime()->product.name);
    if (inputNum == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "inputNum is 0: there is room for no answer");
    *memUsageInfo = (aclrtMemUsageInfo){ .name = "APP",
                                         .curMemSize = pacl_load_relaxed(&device->memory_used),
                                         .memPeakSize = pacl_load_relaxed(&device->memory_peak) };
    *outputNum = 1;
    return ACL_SUCCESS;
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(ptr);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(attributes);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_place place = pacl_place_of(ptr);
    const bool inside = place.size > 0 && (size_t)((const uint8_t *)ptr - place.base) < place.size;
    *attributes = (aclrtPtrAttributes){ .location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED };
    if (inside && place.memory == PACL_MEMORY_DEVICE) {
        attributes->location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
        attributes->location.id = (uint32_t)place.device;
        attributes->pageSize = (uint32_t)pacl_memory_page_bytes(place.size, place.policy);
    } else if (inside) {
        attributes->location.type =
            place.memory == PACL_MEMORY_MANAGED ? ACL_MEM_LOCATION_TYPE_MANAGED : ACL_MEM_LOCATION_TYPE_HOST;
    }
    return ACL_SUCCESS;
}

aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(ptr);
    if (err != ACL_SUCCESS)
        return err;
    if (pbase == NULL && psize == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "pbase and psize are both null");
    const struct pacl_place place = pacl_place_of(ptr);
    if (place.memory != PACL_MEMORY_DEVICE || (size_t)((const uint8_t *)ptr - place.base) >= place.size)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "ptr %p is not allocated device memory", ptr);
    if (pbase != NULL)
        *pbase = (void *)(uintptr_t)place.base;
    if (psize != NULL)
        *psize = place.size;
    return ACL_SUCCESS;
}
