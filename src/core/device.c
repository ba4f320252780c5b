/* SPDX-License-Identifier: Apache-2.0 */
#include "core/device.h"

#include "base/error.h"
#include "core/abort.h"
#include "core/context.h"
#include "core/stream.h"
#include "os/os.h"

static struct pacl_device devices[PACL_DEVICES_MAX];

void pacl_devices_init(const struct pacl_runtime *runtime)
{
    for (uint32_t i = 0; i < runtime->device_count; i++) {
        devices[i].id = (int32_t)i;
        pthread_mutex_init(&devices[i].lock, NULL);
    }
}

aclError pacl_device_get(int32_t id, struct pacl_device **out)
{
    const aclError err = pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR);
    if (err != ACL_SUCCESS)
        return err;
    const uint32_t count = pacl_runtime()->device_count;
    if (id < 0 || (uint32_t)id >= count)
        return PACL_FAIL(ACL_ERROR_RT_INVALID_DEVICEID, "device id %d; this process sees %u device(s), from 0%s", id,
                         count, count < pacl_runtime()->product.devices ? ", by ASCEND_RT_VISIBLE_DEVICES" : "");
    *out = &devices[id];
    return ACL_SUCCESS;
}

struct pacl_arena *pacl_device_arena(struct pacl_device *device)
{
    struct pacl_arena *arena = pacl_load_acquire(&device->arena);
    if (arena != NULL)
        return arena;
    pthread_mutex_lock(&device->lock);
    arena = pacl_load_relaxed(&device->arena);
    if (arena == NULL) {
        /* Three times the device's memory in addresses: blocks take up to twice what they count, and leave holes. */
        arena = pacl_arena_create_upto(3 * (size_t)pacl_runtime()->product.memory_bytes, device->id,
                                       pacl_runtime()->access);
        pacl_store_release(&device->arena, arena);
    }
    pthread_mutex_unlock(&device->lock);
    return arena;
}

bool pacl_device_reaches(const struct pacl_device *device, int32_t other)
{
    return device->id == other || pacl_runtime()->peer_open || (pacl_load_acquire(&device->peers) >> other & 1) != 0;
}

struct pacl_stream *pacl_device_next_stream(const struct pacl_device *device, uint32_t *index, void **handle)
{
    struct pacl_stream *s;
    while ((s = pacl_pool_at(&pacl_streams, (*index)++)) != NULL) {
        *handle = pacl_object_handle(&s->object);
        if (pacl_pool_find(&pacl_streams, *handle) == s && s->device == device)
            return s;
    }
    return NULL;
}

void pacl_device_wait(struct pacl_device *device)
{
    struct pacl_stream *s;
    void *handle;
    for (uint32_t i = 0; (s = pacl_device_next_stream(device, &i, &handle)) != NULL;)
        (void)pacl_stream_wait(s, pacl_stream_queued(s), OS_NEVER);
}

aclError pacl_device_synchronize(struct pacl_device *device, uint64_t deadline_ns)
{
    aclError first = ACL_SUCCESS;
    struct pacl_stream *s;
    void *handle;
    for (uint32_t i = 0; (s = pacl_device_next_stream(device, &i, &handle)) != NULL;) {
        const uint64_t mark = pacl_abort_mark(s);
        if (!pacl_stream_wait(s, pacl_stream_queued(s), deadline_ns))
            return PACL_FAIL(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "stream %u of device %d had not finished in time", s->id,
                             device->id);
        aclError err = pacl_abort_since(s, mark);
        if (err == ACL_SUCCESS)
            err = pacl_stream_take_error(s, handle);
        if (first == ACL_SUCCESS)
            first = err;
    }
    return first;
}

bool pacl_device_count_up(_Atomic uint32_t *count, uint32_t limit)
{
    uint32_t now = pacl_load_relaxed(count);
    do {
        if (now >= limit)
            return false;
    } while (!pacl_cas_seq_cst(count, &now, now + 1));
    return true;
}
