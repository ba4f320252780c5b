/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory: reserved addresses, physical memory, and what lies where. */
#include "core/vmm.h"
#include "api/api.h"
#include "core/device.h"
#include "core/physical.h"
#include "core/product.h"

#define GIGABYTE ((size_t)1 << 30)
/* Where the original takes wishes for addresses [D]. */
#define WISH_LOWEST ((uintptr_t)16 << 40)
#define WISH_HIGHEST ((uintptr_t)24 << 40)

static aclError refuse_product(void)
{
    return pacl_product_shares_memory(&pacl_runtime()->product)
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s has no virtual memory",
                           pacl_runtime()->product.name);
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static aclError reserve(void **out, size_t size, size_t alignment, void *wish, uint64_t flags)
{
    if (out == NULL || size == 0 || flags > 1)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "virPtr %p is null, size %zu is 0, or flags %llu is neither 0 nor 1",
                         (void *)out, size, (unsigned long long)flags);
    aclError err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    if (err != ACL_SUCCESS)
        return err;
    if (alignment != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "alignment %zu is not 0", alignment);
    if (size % PACL_PHYSICAL_UNIT != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "size %zu is not a multiple of 2 MiB", size);
    const uintptr_t at = (uintptr_t)wish;
    if (wish != NULL && !pacl_product_takes_addresses(&pacl_runtime()->product))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "expectPtr %p; on product %s it must be null", wish,
                         pacl_runtime()->product.name);
    if (wish != NULL && (at < WISH_LOWEST || at >= WISH_HIGHEST || size > WISH_HIGHEST - at))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "expectPtr %p with size %zu is not between 16 and 24 TiB", wish,
                         size);
    return pacl_vmm_reserve(size, wish, out);
}

aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return reserve(virPtr, size, alignment, expectPtr, flags);
}

/* All memory here is coherent; there is no other kind to choose. */
aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return reserve(virPtr, size, alignment, expectPtr, flags);
}

aclError aclrtReleaseMemAddress(void *virPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(virPtr);
    return err != ACL_SUCCESS ? err : pacl_vmm_unreserve(virPtr);
}

/* --- physical memory ---------------------------------------------------------------------------------------------- */

static bool is_gigantic(const aclrtPhysicalMemProp *prop)
{
    return prop->memAttr == ACL_HBM_MEM_HUGE1G || prop->memAttr == ACL_HBM_MEM_P2P_HUGE1G ||
           prop->memAttr == ACL_MEM_HUGE1G || prop->memAttr == ACL_MEM_P2P_HUGE1G;
}

static size_t granularity_of(const aclrtPhysicalMemProp *prop)
{
    return is_gigantic(prop) ? GIGABYTE : PACL_PHYSICAL_UNIT;
}

static bool is_ddr(aclrtMemAttr attr)
{
    return attr == ACL_DDR_MEM || attr == ACL_DDR_MEM_HUGE || attr == ACL_DDR_MEM_NORMAL ||
           attr == ACL_DDR_MEM_P2P_HUGE || attr == ACL_DDR_MEM_P2P_NORMAL;
}

static aclError check_prop(const aclrtPhysicalMemProp *prop)
{
    const bool device = prop->location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
    const bool host =
        prop->location.type == ACL_MEM_LOCATION_TYPE_HOST || prop->location.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
    if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE || prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "prop->handleType %d or prop->allocationType %d is not 0",
                         (int)prop->handleType, (int)prop->allocationType);
    if (!device && !host)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "prop->location.type %d is neither the host nor a device",
                         (int)prop->location.type);
    if ((unsigned)prop->memAttr > ACL_MEM_P2P_HUGE1G || (device && is_ddr(prop->memAttr)))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "prop->memAttr %d is unknown, or one of DDR, which is for the host's memory",
                         (int)prop->memAttr);
    return ACL_SUCCESS;
}

static aclError check_location(const aclrtPhysicalMemProp *prop)
{
    struct pacl_device *device;
    if (prop->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
        return pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    return pacl_device_get((int32_t)prop->location.id, &device);
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (handle == NULL || prop == NULL || size == 0 || flags != 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "handle %p or prop %p is null, size %zu is 0, or flags %llu is not 0",
                         (void *)handle, (const void *)prop, size, (unsigned long long)flags);
    aclError err = check_prop(prop);
    if (err == ACL_SUCCESS)
        err = check_location(prop);
    if (err == ACL_SUCCESS)
        err = refuse_product();
    if (err != ACL_SUCCESS)
        return err;
    if (size % granularity_of(prop) != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "size %zu is not a multiple of the granularity, %zu", size,
                         granularity_of(prop));
    return pacl_vmm_malloc_physical(size, prop, handle);
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(handle);
    return err != ACL_SUCCESS ? err : pacl_vmm_free_physical(handle);
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option,
                                          size_t *granularity)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (prop == NULL || granularity == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "prop %p or granularity %p is null", (void *)prop,
                         (void *)granularity);
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM && option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "option %d is neither 0 (minimum) nor 1 (recommended)", (int)option);
    const aclError err = check_prop(prop);
    if (err == ACL_SUCCESS)
        *granularity = granularity_of(prop);
    return err;
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp *prop)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (handle == NULL || prop == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "handle %p or prop %p is null", handle, (void *)prop);
    return pacl_vmm_properties(handle, prop);
}

aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (virPtr == NULL || handle == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "virPtr %p or handle %p is null", virPtr, (void *)handle);
    return pacl_vmm_retain(virPtr, handle);
}

/* --- mapping ------------------------------------------------------------------------------------------------------ */

static aclError map(void *at, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags, bool access)
{
    if (at == NULL || handle == NULL || size == 0 || flags != 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "virPtr %p or handle %p is null, size %zu is 0, or flags %llu is not 0", at, handle, size,
                         (unsigned long long)flags);
    if (offset != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "offset %zu is not 0", offset);
    return pacl_vmm_map(at, size, handle, access);
}

aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return map(virPtr, size, offset, handle, flags, true);
}

aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    return map(virPtr, size, offset, handle, flags, false);
}

aclError aclrtUnmapMem(void *virPtr)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(virPtr);
    return err != ACL_SUCCESS ? err : pacl_vmm_unmap(virPtr);
}

aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (virPtr == NULL || desc == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p or desc %p is null", virPtr, (void *)desc);
    return pacl_vmm_set_access(virPtr, size, desc, count);
}

aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    if (virPtr == NULL || location == NULL || flag == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "virPtr %p, location %p or flag %p is null", virPtr, (void *)location,
                         (void *)flag);
    return pacl_vmm_get_access(virPtr, location, flag);
}
