/* SPDX-License-Identifier: Apache-2.0 */
#include "core/settings.h"

#include "core/device.h"
#include "core/stream.h"

void pacl_sys_params_set(struct pacl_sys_params *params, unsigned option, int64_t value)
{
    pacl_store_relaxed(&params->value[option], value);
    /* Release, paired with the acquire below: who sees the bit sees a value. */
    atomic_fetch_or_explicit(&params->set, 1U << option, memory_order_release);
}

bool pacl_sys_params_get(struct pacl_sys_params *params, unsigned option, int64_t *value)
{
    if ((pacl_load_acquire(&params->set) >> option & 1) == 0)
        return false;
    *value = pacl_load_relaxed(&params->value[option]);
    return true;
}

uint32_t pacl_cores_of_product(aclrtDevResLimitType type)
{
    const struct pacl_product *product = &pacl_runtime()->product;
    return type == ACL_RT_DEV_RES_CUBE_CORE ? product->ai_cores : product->vector_cores;
}

uint32_t pacl_cores_in_use(struct pacl_device *device, struct pacl_stream *stream, aclrtDevResLimitType type)
{
    uint32_t cores = stream != NULL ? pacl_load_relaxed(&stream->cores[type]) : 0;
    if (cores == 0)
        cores = pacl_load_relaxed(&device->settings.cores[type]);
    return cores != 0 ? cores : pacl_cores_of_product(type);
}

aclrtFloatOverflowMode pacl_overflow_mode(struct pacl_device *device)
{
    const uint32_t set = pacl_load_relaxed(&device->settings.overflow_mode);
    if (set != 0)
        return (aclrtFloatOverflowMode)(set - 1);
    return pacl_product_has_newest_calls(&pacl_runtime()->product) ? ACL_RT_OVERFLOW_MODE_INFNAN
                                                                   : ACL_RT_OVERFLOW_MODE_SATURATION;
}
