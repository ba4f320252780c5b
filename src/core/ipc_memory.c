/* SPDX-License-Identifier: Apache-2.0 */
#include "core/ipc_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "core/arena.h"
#include "core/context.h"
#include "core/device.h"
#include "core/memory.h"
#include "core/place.h"
#include "core/share.h"
#include "core/vmm.h"
#include "os/os.h"

/* --- devices ------------------------------------------------------------------------------------------------------ */

/* Processes may see devices under different numbers; they agree on those of the machine. */
static uint32_t machine_number(int device)
{
    return pacl_runtime()->device_physical[device];
}

/* This process's number of a device of the machine, or `otherwise` if it does not see it. */
static int local_number(uint32_t number, int otherwise)
{
    for (uint32_t i = 0; i < pacl_runtime()->device_count; i++) {
        if (pacl_runtime()->device_physical[i] == number)
            return (int)i;
    }
    return otherwise;
}

/* --- export ------------------------------------------------------------------------------------------------------- */

/* A block that starts on its own pages, as all do on the original, or a page inside it. */
static aclError check_range(const uint8_t *p, size_t size, const struct pacl_place *place)
{
    if (place->memory != PACL_MEMORY_DEVICE || place->mapped)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devPtr %p is not memory of aclrtMalloc", (const void *)p);
    const size_t offset = (size_t)(p - place->base);
    if (offset >= place->size || size > place->size - offset)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devPtr %p with size %zu is not inside an allocation",
                         (const void *)p, size);
    const size_t wanted = pacl_memory_page_bytes(place->size, place->policy);
    const size_t page = wanted < OS_HUGE_PAGE ? wanted : OS_HUGE_PAGE;
    if (offset != 0 && (uintptr_t)p % page != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "devPtr %p is neither the start of its allocation at %p nor of a page of %zu bytes",
                         (const void *)p, (const void *)place->base, page);
    return ACL_SUCCESS;
}

static aclError offer_block(const uint8_t *p, size_t size, const struct pacl_place *place, bool anyone,
                            struct pacl_key *key)
{
    int file;
    uint64_t offset;
    aclError err = pacl_share_block(pacl_arena_of(p), p, &file, &offset);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_ipc_offer offer = {
        .item = { .kind = PACL_IPC_MEMORY, .offset = offset, .size = size, .device = machine_number(place->device) },
        .file = dup(file), /* the block may be freed while the offer is made */
        .gives_file = true,
        .anyone = anyone,
        .owner = (uint64_t)(uintptr_t)place->base
    };
    if (offer.file < 0)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no descriptor to share memory with; look at ulimit -n");
    err = pacl_ipc_offer(&offer, key);
    if (err != ACL_SUCCESS)
        close(offer.file);
    return err;
}

aclError pacl_ipc_memory_export(const void *p, size_t size, bool anyone, struct pacl_key *key)
{
    const struct pacl_place place = pacl_place_of(p);
    aclError err = check_range(p, size, &place);
    if (err != ACL_SUCCESS)
        return err;
    if (!pacl_memory_hold(p))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devPtr %p was freed by another thread", p);
    err = offer_block(p, size, &place, anyone, key);
    if (err == ACL_SUCCESS && pacl_place_of(p).size == 0) { /* freed meanwhile, perhaps before it was offered */
        (void)pacl_ipc_withdraw(key, PACL_IPC_MEMORY);
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devPtr %p was freed by another thread", p);
    }
    pacl_memory_release(p);
    return err;
}

void pacl_ipc_memory_freed(const void *base)
{
    if (pacl_load_seq_cst(&pacl_ipc_offers) != 0)
        pacl_ipc_withdraw_of((uint64_t)(uintptr_t)base);
}

/* --- import ------------------------------------------------------------------------------------------------------- */

/* Memory of another process that is mapped here. Guarded by lock. */
struct import {
    struct pacl_list link;
    struct pacl_key key;
    void *at;
    unsigned count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list imports = { &imports, &imports };

static struct import *find_import(const struct pacl_key *key)
{
    PACL_LIST_EACH(node, &imports)
    {
        struct import *i = PACL_CONTAINER(node, struct import, link);
        if (memcmp(&i->key, key, sizeof *key) == 0)
            return i;
    }
    return NULL;
}

static aclError map_item(const struct pacl_ipc_item *item, int file, struct pacl_device *current, bool peer_access,
                         void **out)
{
    const int device = local_number(item->device, current->id);
    const aclError err = pacl_vmm_place(file, item->offset, item->size, device, out);
    if (err == ACL_SUCCESS && peer_access && device != current->id)
        (void)atomic_fetch_or(&current->peers, (uint64_t)1 << device);
    return err;
}

/* Under the lock. */
static aclError import(const struct pacl_key *key, struct pacl_device *current, bool peer_access, void **out)
{
    struct pacl_ipc_item item;
    int file;
    struct import *i = calloc(1, sizeof *i);
    if (i == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note an import");
    aclError err = pacl_ipc_take(key, PACL_IPC_MEMORY, &item, &file, NULL);
    if (err == ACL_SUCCESS) {
        err = map_item(&item, file, current, peer_access, out);
        close(file); /* the mapping keeps the memory */
    }
    if (err != ACL_SUCCESS) {
        free(i);
        return err;
    }
    *i = (struct import){ .key = *key, .at = *out, .count = 1 };
    pacl_list_append(&imports, &i->link);
    PACL_TRACE(MEMORY, "imported %llu bytes at %p", (unsigned long long)item.size, *out);
    return ACL_SUCCESS;
}

aclError pacl_ipc_memory_import(const struct pacl_key *key, bool peer_access, void **out)
{
    struct pacl_context *context;
    aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&lock);
    struct import *known = find_import(key);
    if (known != NULL) {
        known->count++;
        *out = known->at;
    } else {
        err = import(key, context->device, peer_access, out);
    }
    pthread_mutex_unlock(&lock);
    return err;
}

/* Under the lock; the caller unmaps what is answered, without it. */
static void *take_back(struct import *i)
{
    if (--i->count > 0)
        return NULL;
    void *at = i->at;
    pacl_list_remove(&i->link);
    free(i);
    return at;
}

static aclError unknown_key(void)
{
    return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "the key was neither made nor imported in this process");
}

aclError pacl_ipc_memory_close(const struct pacl_key *key)
{
    pthread_mutex_lock(&lock);
    struct import *i = find_import(key);
    void *unused = i != NULL ? take_back(i) : NULL;
    pthread_mutex_unlock(&lock);
    if (unused != NULL)
        pacl_vmm_unplace(unused);
    return i != NULL || pacl_ipc_withdraw(key, PACL_IPC_MEMORY) ? ACL_SUCCESS : unknown_key();
}

bool pacl_ipc_memory_knows(const struct pacl_key *key)
{
    pthread_mutex_lock(&lock);
    const bool imported = find_import(key) != NULL;
    pthread_mutex_unlock(&lock);
    return imported || pacl_ipc_offers_key(key, PACL_IPC_MEMORY);
}

/* --- physical memory ---------------------------------------------------------------------------------------------- */

aclError pacl_ipc_physical_export(aclrtDrvMemHandle handle, bool anyone, bool short_key, struct pacl_key *key)
{
    struct pacl_physical_offer physical;
    aclError err = pacl_vmm_export(handle, &physical);
    if (err != ACL_SUCCESS)
        return err;
    const bool on_device = physical.prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
    const struct pacl_ipc_offer offer = {
        .item = { .kind = PACL_IPC_PHYSICAL,
                  .size = physical.size,
                  .prop = physical.prop,
                  .device = on_device ? machine_number((int)physical.prop.location.id) : 0 },
        .file = physical.file,
        .gives_file = true,
        .anyone = anyone,
        .short_key = short_key,
        .owner = (uint64_t)(uintptr_t)handle,
    };
    err = pacl_ipc_offer(&offer, key);
    if (err != ACL_SUCCESS) {
        close(physical.file);
        pacl_vmm_unexport(handle);
    }
    return err;
}

aclError pacl_ipc_physical_import(const struct pacl_key *key, int32_t device, aclrtDrvMemHandle *out)
{
    struct pacl_ipc_item item;
    int file;
    aclError err = pacl_ipc_take(key, PACL_IPC_PHYSICAL, &item, &file, NULL);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_physical_offer physical = { .size = item.size, .prop = item.prop, .file = file };
    if (physical.prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE)
        physical.prop.location.id = (uint32_t)(device >= 0 ? device : local_number(item.device, 0));
    err = pacl_vmm_import(&physical, out);
    if (err != ACL_SUCCESS)
        close(file);
    return err;
}
