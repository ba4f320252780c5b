/* SPDX-License-Identifier: Apache-2.0 */
#include "core/managed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/list.h"
#include "core/device.h"
#include "core/memory.h"
#include "core/vmm.h"
#include "os/os.h"
#include "os/share.h"

/* An allocation and what was advised about it; advice about a part counts for all of it. Guarded by lock. */
struct managed {
    struct pacl_list link;
    uint8_t *base;
    size_t size, bytes; /* as asked for; as counted */
    struct pacl_device *device;
    bool read_mostly;
    uint64_t accessed_by; /* a bit per device */
    aclrtMemManagedLocation preferred, prefetched;
};

enum { NOWHERE = -2, THE_HOST = -1 }; /* in place of a device, where attributes are told as one number */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list all = { &all, &all };

static struct managed *find(const void *p)
{
    PACL_LIST_EACH(node, &all)
    {
        struct managed *m = PACL_CONTAINER(node, struct managed, link);
        if ((size_t)((const uint8_t *)p - m->base) < m->size)
            return m;
    }
    return NULL;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static aclError place(size_t bytes, size_t size, void **out)
{
    const int file = os_shared_create("pacl-managed", bytes);
    if (file < 0)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                         "size %zu: no file for managed memory; look at ulimit -f and -n", size);
    const aclError err = pacl_vmm_place_managed(file, size, out);
    close(file); /* the mapping keeps the memory */
    return err;
}

aclError pacl_managed_alloc(struct pacl_device *device, size_t size, void **out)
{
    if (size > SIZE_MAX / 4)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "size %zu does not fit into any memory", size);
    const size_t bytes = (size + OS_HUGE_PAGE - 1) / OS_HUGE_PAGE * OS_HUGE_PAGE;
    struct managed *m = calloc(1, sizeof *m);
    if (m == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note managed memory");
    aclError err = pacl_memory_take(device, bytes, size);
    if (err == ACL_SUCCESS) {
        err = place(bytes, size, out);
        if (err != ACL_SUCCESS)
            pacl_memory_give(device, bytes);
    }
    if (err != ACL_SUCCESS) {
        free(m);
        return err;
    }
    *m = (struct managed){ .base = *out, .size = size, .bytes = bytes, .device = device };
    pthread_mutex_lock(&lock);
    pacl_list_append(&all, &m->link);
    pthread_mutex_unlock(&lock);
    return ACL_SUCCESS;
}

bool pacl_managed_free(void *p)
{
    pthread_mutex_lock(&lock);
    struct managed *m = find(p);
    const bool found = m != NULL && m->base == p;
    if (found)
        pacl_list_remove(&m->link);
    pthread_mutex_unlock(&lock);
    if (found) {
        pacl_vmm_unplace(p);
        pacl_memory_give(m->device, m->bytes);
        free(m);
    }
    return found;
}

/* --- advice ------------------------------------------------------------------------------------------------------- */

/* Under the lock. NULL if the range is not inside a managed block. */
static struct managed *find_range(const void *p, size_t size)
{
    struct managed *m = find(p);
    const bool inside = m != NULL && size > 0 && size <= m->size - (size_t)((const uint8_t *)p - m->base);
    return inside ? m : NULL;
}

static aclError refuse_range(const void *p, size_t size)
{
    return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "ptr %p with size %zu is not inside managed memory", p, size);
}

static aclError check_location(const aclrtMemManagedLocation *location)
{
    struct pacl_device *device;
    if (location->type == ACL_MEM_LOCATIONTYPE_DEVICE)
        return pacl_device_get(location->id, &device);
    if (location->type < ACL_MEM_LOCATIONTYPE_HOST || location->type > ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "location.type %d is neither the host nor a device",
                         (int)location->type);
    return ACL_SUCCESS;
}

/* Of a location that was checked; none for the host. */
static uint64_t device_bit(const aclrtMemManagedLocation *location)
{
    return location->type == ACL_MEM_LOCATIONTYPE_DEVICE ? (uint64_t)1 << location->id : 0;
}

static void apply(struct managed *m, aclrtMemManagedAdviseType advise, const aclrtMemManagedLocation *location)
{
    switch (advise) {
    case ACL_MEM_ADVISE_SET_READ_MOSTLY:
    case ACL_MEM_ADVISE_UNSET_READ_MOSTLY:
        m->read_mostly = advise == ACL_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case ACL_MEM_ADVISE_SET_PREFERRED_LOCATION:
        m->preferred = *location;
        break;
    case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        m->preferred = (aclrtMemManagedLocation){ .type = ACL_MEM_LOCATIONTYPE_INVALID };
        break;
    case ACL_MEM_ADVISE_SET_ACCESSED_BY:
        m->accessed_by |= device_bit(location);
        break;
    default:
        m->accessed_by &= ~device_bit(location);
        break;
    }
}

/* Whether an advice looks at the location at all. */
static bool needs_location(aclrtMemManagedAdviseType advise)
{
    return advise == ACL_MEM_ADVISE_SET_PREFERRED_LOCATION || advise == ACL_MEM_ADVISE_SET_ACCESSED_BY ||
           advise == ACL_MEM_ADVISE_UNSET_ACCESSED_BY;
}

aclError pacl_managed_advise(const void *p, size_t size, aclrtMemManagedAdviseType advise,
                             const aclrtMemManagedLocation *location)
{
    if ((unsigned)advise > ACL_MEM_ADVISE_UNSET_ACCESSED_BY)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "advise %d is not one of 0 to 5", (int)advise);
    const aclError err = needs_location(advise) ? check_location(location) : ACL_SUCCESS;
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&lock);
    struct managed *m = find_range(p, size);
    if (m != NULL)
        apply(m, advise, location);
    pthread_mutex_unlock(&lock);
    return m != NULL ? ACL_SUCCESS : refuse_range(p, size);
}

aclError pacl_managed_prefetch(const void *p, size_t size, const aclrtMemManagedLocation *location, bool only_checks)
{
    const aclError err = check_location(location);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&lock);
    struct managed *m = find_range(p, size);
    if (m != NULL && !only_checks)
        m->prefetched = *location;
    pthread_mutex_unlock(&lock);
    return m != NULL ? ACL_SUCCESS : refuse_range(p, size);
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

static int32_t as_number(const aclrtMemManagedLocation *location)
{
    if (location->type == ACL_MEM_LOCATIONTYPE_INVALID)
        return NOWHERE;
    return location->type == ACL_MEM_LOCATIONTYPE_DEVICE ? location->id : THE_HOST;
}

/* As many devices as there is room for; NOWHERE in what is left. */
static void list_devices(uint64_t mask, int32_t *out, size_t room)
{
    size_t used = 0;
    for (int32_t i = 0; i < PACL_DEVICES_MAX && used < room; i++) {
        if ((mask >> i & 1) != 0)
            out[used++] = i;
    }
    while (used < room)
        out[used++] = NOWHERE;
}

static int32_t attribute_of(const struct managed *m, aclrtMemManagedRangeAttribute attribute)
{
    switch (attribute) {
    case ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        return m->read_mostly ? 1 : 0;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        return as_number(&m->preferred);
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        return (int32_t)m->preferred.type;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        return m->preferred.id;
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        return as_number(&m->prefetched);
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        return (int32_t)m->prefetched.type;
    default:
        return m->prefetched.id;
    }
}

static aclError check_attribute(aclrtMemManagedRangeAttribute attribute, size_t data_size)
{
    const bool is_list = attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    if (attribute < ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
        attribute > ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "attribute %d is not one of 1 to 8", (int)attribute);
    if (data_size == 0 || data_size % sizeof(int32_t) != 0 || (!is_list && data_size != sizeof(int32_t)))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "attribute %d, dataSize %zu: the answer has 4 bytes%s",
                         (int)attribute, data_size, is_list ? " per device" : "");
    return ACL_SUCCESS;
}

/* Under the lock, of arguments that were checked. */
static void tell_attribute(const struct managed *m, aclrtMemManagedRangeAttribute attribute, void *data,
                           size_t data_size)
{
    if (attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
        list_devices(m->accessed_by, data, data_size / sizeof(int32_t));
    } else {
        const int32_t value = attribute_of(m, attribute);
        memcpy(data, &value, sizeof value);
    }
}

aclError pacl_managed_attributes(const void *p, size_t size, const aclrtMemManagedRangeAttribute *attributes,
                                 size_t count, void *const *data, const size_t *data_sizes)
{
    aclError err = ACL_SUCCESS;
    for (size_t i = 0; i < count && err == ACL_SUCCESS; i++)
        err = data[i] == NULL ? PACL_FAIL(ACL_ERROR_INVALID_PARAM, "data[%zu] is null", i)
                              : check_attribute(attributes[i], data_sizes[i]);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&lock);
    const struct managed *m = find_range(p, size);
    for (size_t i = 0; m != NULL && i < count; i++)
        tell_attribute(m, attributes[i], data[i], data_sizes[i]);
    pthread_mutex_unlock(&lock);
    return m != NULL ? ACL_SUCCESS : refuse_range(p, size);
}
