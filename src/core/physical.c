/* SPDX-License-Identifier: Apache-2.0 */
#include "core/physical.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "core/device.h"
#include "core/hostmem.h"
#include "core/ipc.h"
#include "core/memory.h"
#include "os/os.h"
#include "os/share.h"

/* --- the common file ---------------------------------------------------------------------------------------------- */

/* A stretch of the file that nothing uses. In the order of their offsets; no two touch, and none touches the end. */
struct gap {
    struct gap *next;
    uint64_t offset, bytes;
};

static struct {
    int file; /* -1 until needed */
    uint64_t end;
    struct gap *gaps;
} store = { .file = -1 };

/* The first gap that is large enough, or the end of the file. */
static bool take_place(uint64_t bytes, uint64_t *offset)
{
    for (struct gap **link = &store.gaps; *link != NULL; link = &(*link)->next) {
        struct gap *gap = *link;
        if (gap->bytes < bytes)
            continue;
        *offset = gap->offset;
        gap->offset += bytes;
        gap->bytes -= bytes;
        if (gap->bytes == 0) {
            *link = gap->next;
            free(gap);
        }
        return true;
    }
    if (store.file < 0)
        store.file = os_shared_create("pacl-physical", 0);
    if (store.file < 0 || os_file_grow(store.file, store.end + bytes) != 0)
        return false;
    *offset = store.end;
    store.end += bytes;
    return true;
}

/* The gap that begins where [.., upto) ends becomes part of it. */
static uint64_t take_next(struct gap **link, uint64_t upto)
{
    struct gap *next = *link;
    if (next == NULL || next->offset != upto)
        return upto;
    upto += next->bytes;
    *link = next->next;
    free(next);
    return upto;
}

static void note_gap(struct gap **link, uint64_t offset, uint64_t bytes)
{
    struct gap *gap = malloc(sizeof *gap);
    if (gap == NULL)
        return; /* its addresses in the file are lost; its pages are not */
    *gap = (struct gap){ .next = *link, .offset = offset, .bytes = bytes };
    *link = gap;
}

/* Together with the gaps on either side, so that what was taken in pieces can be taken whole. */
static void give_place(uint64_t offset, uint64_t bytes)
{
    struct gap **link = &store.gaps;
    os_file_punch(store.file, offset, bytes);
    while (*link != NULL && (*link)->offset + (*link)->bytes < offset)
        link = &(*link)->next;
    const uint64_t first = *link != NULL && (*link)->offset < offset ? (*link)->offset : offset;
    uint64_t upto = offset + bytes;
    if (first < offset)
        (void)take_next(link, first);
    upto = take_next(link, upto);
    if (upto == store.end)
        store.end = first;
    else
        note_gap(link, first, upto - first);
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static aclError take_account(struct pacl_physical *p)
{
    struct pacl_device *device;
    if (p->device < 0) {
        if (pacl_pinned_account(p->size))
            return ACL_SUCCESS;
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "size %zu does not fit: this machine has %llu bytes", p->size,
                         (unsigned long long)os_memory_bytes());
    }
    const aclError err = pacl_device_get(p->device, &device);
    return err != ACL_SUCCESS ? err : pacl_memory_take(device, p->size, p->size);
}

static void give_account(const struct pacl_physical *p)
{
    struct pacl_device *device;
    if (p->device < 0)
        pacl_pinned_unaccount(p->size);
    else if (pacl_device_get(p->device, &device) == ACL_SUCCESS)
        pacl_memory_give(device, p->size);
}

static aclError take_bytes(struct pacl_physical *p, int file)
{
    p->own_file = file >= 0;
    p->charged = file < 0;
    p->file = file;
    p->offset = 0;
    if (file >= 0)
        return ACL_SUCCESS;
    const aclError err = take_account(p);
    if (err != ACL_SUCCESS)
        return err;
    if (!take_place(p->size, &p->offset)) {
        give_account(p);
        return PACL_FAIL(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            "size %zu: no file for physical memory; look at ulimit -f and -n, and at what a sandbox denies", p->size);
    }
    p->file = store.file;
    return ACL_SUCCESS;
}

aclError pacl_physical_create(size_t size, const aclrtPhysicalMemProp *prop, int file, struct pacl_physical **out)
{
    struct pacl_physical *p = pacl_pool_take(&pacl_physicals);
    if (p == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note physical memory");
    p->size = size;
    p->prop = *prop;
    p->device = prop->location.type == ACL_MEM_LOCATION_TYPE_DEVICE ? (int)prop->location.id : PACL_PINNED;
    p->exported = 0;
    p->references = 1;
    pacl_list_init(&p->maps);
    const aclError err = take_bytes(p, file);
    if (err != ACL_SUCCESS) {
        pacl_pool_give(&pacl_physicals, &p->object);
        return err;
    }
    pacl_object_open(&pacl_physicals, &p->object);
    PACL_TRACE(MEMORY, "physical memory %p of device %d: %zu bytes", pacl_object_handle(&p->object), p->device, size);
    *out = p;
    return ACL_SUCCESS;
}

aclError pacl_physical_find(aclrtDrvMemHandle handle, struct pacl_physical **out)
{
    struct pacl_physical *p = pacl_pool_find(&pacl_physicals, handle);
    if (p == NULL)
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "handle %p is %s, not physical memory", handle,
                                 pacl_handle_names(handle));
    *out = p;
    return ACL_SUCCESS;
}

aclrtDrvMemHandle pacl_physical_retain(struct pacl_physical *p)
{
    if (p->references++ == 0) /* its handle was freed while it was mapped: it gets a new one */
        (void)pacl_object_open(&pacl_physicals, &p->object);
    return pacl_object_handle(&p->object);
}

void pacl_physical_release(struct pacl_physical *p)
{
    if (--p->references > 0)
        return;
    (void)pacl_object_close(&p->object, pacl_object_handle(&p->object));
    pacl_physical_drop_unused(p);
}

void pacl_physical_drop_unused(struct pacl_physical *p)
{
    if (p->references > 0 || !pacl_list_empty(&p->maps))
        return;
    if (p->exported != 0)
        pacl_ipc_withdraw_of(p->exported);
    if (p->own_file)
        close(p->file);
    else
        give_place(p->offset, p->size);
    if (p->charged)
        give_account(p);
    pacl_pool_give(&pacl_physicals, &p->object);
}

/* --- a file of its own -------------------------------------------------------------------------------------------- */

int pacl_physical_begin_move(struct pacl_physical *p, struct pacl_move *move)
{
    *move = (struct pacl_move){ .old_file = p->file, .old_offset = p->offset };
    const int file = os_shared_create("pacl-shared", p->size);
    if (file < 0)
        return -1;
    const int err = os_file_copy(file, 0, p->file, p->offset, p->size);
    if (err != 0) {
        close(file);
        return err;
    }
    p->file = file;
    p->offset = 0;
    p->own_file = true;
    return 0;
}

void pacl_physical_end_move(struct pacl_physical *p, const struct pacl_move *move)
{
    give_place(move->old_offset, p->size);
}

void pacl_physical_undo_move(struct pacl_physical *p, const struct pacl_move *move)
{
    close(p->file);
    p->file = move->old_file;
    p->offset = move->old_offset;
    p->own_file = false;
}
