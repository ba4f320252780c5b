/* SPDX-License-Identifier: Apache-2.0 */
#include "core/vmm.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "copy/copy.h"
#include "core/arena.h"
#include "core/device.h"
#include "core/physical.h"
#include "core/quiet.h"
#include "core/runtime.h"
#include "os/os.h"
#include "os/share.h"

enum {
    REGION_SHIFT = PACL_ARENA_REGION_SHIFT,
    PAGE_SHIFT = 21, /* one entry in a leaf */
    REGION_PAGES = 1 << (REGION_SHIFT - PAGE_SHIFT),
    MAPPINGS_AT_A_TIME = 64,
    MANAGED_TRIES = 64,
};
#define REGION ((size_t)1 << REGION_SHIFT)
#define PAGE ((size_t)1 << PAGE_SHIFT)
#define REGIONS ((size_t)1 << (48 - REGION_SHIFT))
#define ALL_DEVICES UINT64_MAX
/* Where the original has managed memory: 3 TiB from here on. */
#define MANAGED_LOWEST ((uintptr_t)0x90000000000)
#define MANAGED_HIGHEST (MANAGED_LOWEST + ((uintptr_t)3 << 40))

/* Addresses that the program reserved, or that PACL took for memory from another process. Guarded by lock. */
struct range {
    struct pacl_list link;
    uint8_t *base;
    size_t size, bytes; /* as asked for; in whole regions */
    uint8_t *second;    /* where engines find it, or NULL: at the same addresses */
    unsigned mapped;    /* pieces */
    bool placed;        /* PACL's own: the program cannot map or release it */
    bool managed;       /* placed, managed memory */
};

/* A piece. Its memory stays for the life of the process, as readers may come late: what they read is told apart by the
 * version, odd while a writer is at work. Everything else is guarded by lock. */
struct mapping {
    _Atomic uint32_t version;
    _Atomic(uint8_t *) base;
    _Atomic size_t size;
    _Atomic ptrdiff_t view;
    _Atomic int device;
    _Atomic uint64_t readers, writers;
    _Atomic(struct range *) range;
    _Atomic bool managed;
    struct pacl_physical *physical; /* NULL: a file that nobody has a handle of */
    struct pacl_list link;          /* in the physical memory's list, or in the free list */
};

/* What lies in the 32 pages of a region. Made when something is first mapped there, and then for good. */
struct leaf {
    _Atomic(struct mapping *) page[REGION_PAGES];
    struct leaf *next; /* the one made before; guarded by lock. Leak checkers do not look into the table */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* taken after a quiet moment began, never before */
static struct pacl_list ranges = { &ranges, &ranges };
static struct pacl_list free_mappings = { &free_mappings, &free_mappings };
static struct leaf *newest_leaf;                 /* guarded by lock */
static _Atomic(_Atomic(struct leaf *) *) leaves; /* by region; NULL until something is reserved */

/* --- look-up ------------------------------------------------------------------------------------------------------ */

static struct mapping *mapping_at(const void *p)
{
    /* Acquire, three times paired with a release: in reserve(), make_leaf() and show(). */
    _Atomic(struct leaf *) *table = pacl_load_acquire(&leaves);
    const struct leaf *leaf = table != NULL ? pacl_load_acquire(&table[(uintptr_t)p >> REGION_SHIFT]) : NULL;
    return leaf != NULL ? pacl_load_acquire(&leaf->page[(uintptr_t)p >> PAGE_SHIFT & (REGION_PAGES - 1)]) : NULL;
}

/* A sequence lock. The loads are acquires, so the second look at the version comes after them. */
static bool read_mapping(const struct mapping *m, struct pacl_piece *piece)
{
    const uint32_t version = pacl_load_acquire(&m->version);
    *piece = (struct pacl_piece){
        .base = pacl_load_acquire(&m->base),
        .size = pacl_load_acquire(&m->size),
        .view = pacl_load_acquire(&m->view),
        .device = pacl_load_acquire(&m->device),
        .readers = pacl_load_acquire(&m->readers),
        .writers = pacl_load_acquire(&m->writers),
        .range = pacl_load_acquire(&m->range),
        .managed = pacl_load_acquire(&m->managed),
    };
    return version % 2 == 0 && pacl_load_relaxed(&m->version) == version;
}

bool pacl_vmm_find(const void *p, struct pacl_piece *piece)
{
    const struct mapping *m;
    if (!pacl_arena_is_virtual(p))
        return false;
    while ((m = mapping_at(p)) != NULL) {
        if (read_mapping(m, piece) && mapping_at(p) == m)
            return (size_t)((const uint8_t *)p - piece->base) < piece->size;
        pacl_cpu_relax();
    }
    return false;
}

/* --- checking ----------------------------------------------------------------------------------------------------- */

static bool may_use(const struct pacl_piece *piece, int device, enum pacl_use use)
{
    const uint64_t mask = use == PACL_USE_WRITE ? piece->writers : piece->readers;
    if (use == PACL_USE_NONE || (mask >> device & 1) != 0)
        return true;
    /* A peer has what the memory's own device has. */
    struct pacl_device *user;
    return piece->device >= 0 && piece->device != device && (mask >> piece->device & 1) != 0 &&
           pacl_device_get(device, &user) == ACL_SUCCESS && pacl_device_reaches(user, piece->device);
}

/* A walk over addresses: the piece that the last one lay in, and who asks. */
struct walk {
    struct pacl_piece piece;
    int device;
    enum pacl_use use;
    char *text;
    size_t text_size;
};

static bool refuse_access(const struct walk *w)
{
    snprintf(
        w->text, w->text_size,
        " touches the mapping at %p, %zu bytes of device %d, which device %d may not %s; aclrtMemSetAccess, or peer access, lets it",
        (void *)w->piece.base, w->piece.size, w->piece.device, w->device, w->use == PACL_USE_WRITE ? "write" : "read");
    return false;
}

static bool step_to(struct walk *w, const uint8_t *at)
{
    const void *range = w->piece.range;
    if (!pacl_vmm_find(at, &w->piece)) {
        snprintf(w->text, w->text_size, " touches %p in reserved memory, where nothing is mapped", (const void *)at);
        return false;
    }
    if (range != NULL && w->piece.range != range) {
        snprintf(w->text, w->text_size, " leaves its reservation at %p", (const void *)at);
        return false;
    }
    return may_use(&w->piece, w->device, w->use) || refuse_access(w);
}

/* All of [from, from + bytes), mapping by mapping. */
static bool walk_bytes(struct walk *w, const uint8_t *from, size_t bytes)
{
    const uint8_t *end = from + bytes;
    while (from < end) {
        const size_t offset = (size_t)(from - w->piece.base);
        if ((w->piece.range == NULL || offset >= w->piece.size) && !step_to(w, from))
            return false;
        from = w->piece.base + w->piece.size;
    }
    return true;
}

aclError pacl_vmm_check(const void *p, size_t pitch, size_t width, size_t height, int device, enum pacl_use use,
                        char *text, size_t text_size)
{
    struct walk w = { .device = device, .use = use, .text = text, .text_size = text_size };
    const uint8_t *at = p;
    if (!pacl_pitched_fits(pitch, width, height, UINTPTR_MAX - (uintptr_t)p)) {
        snprintf(text, text_size, " leaves the address space");
        return ACL_ERROR_RT_SYS_DMA;
    }
    if (height == 1 || pitch <= PAGE) /* then each page between the first and the last is touched */
        return walk_bytes(&w, at, (height - 1) * pitch + width) ? ACL_SUCCESS : ACL_ERROR_RT_SYS_DMA;
    for (size_t row = 0; row < height; row++) {
        if (!walk_bytes(&w, at + row * pitch, width))
            return ACL_ERROR_RT_SYS_DMA;
    }
    return ACL_SUCCESS;
}

/* --- reservations (under the lock) -------------------------------------------------------------------------------- */

static struct range *range_of(const void *p)
{
    PACL_LIST_EACH(node, &ranges)
    {
        struct range *r = PACL_CONTAINER(node, struct range, link);
        if ((size_t)((const uint8_t *)p - r->base) < r->size)
            return r;
    }
    return NULL;
}

static bool make_table(void)
{
    if (pacl_load_relaxed(&leaves) != NULL)
        return true;
    void *table = os_reserve(REGIONS * sizeof(void *), OS_PAGE);
    if (table == NULL || os_commit(table, REGIONS * sizeof(void *)) != 0)
        return false;
    pacl_store_release(&leaves, table);
    return true;
}

static bool take_addresses(struct range *r, void *wish)
{
    r->base = wish != NULL ? os_reserve_at(wish, r->bytes) : os_reserve(r->bytes, REGION);
    if (r->base == NULL)
        return false;
    if (pacl_runtime()->access == PACL_ACCESS_MAPPING && (r->second = os_reserve(r->bytes, PAGE)) == NULL) {
        os_release(r->base, r->bytes);
        return false;
    }
    return true;
}

static struct range *reserve(size_t size, void *wish)
{
    struct range *r = calloc(1, sizeof *r);
    if (r == NULL || size > SIZE_MAX / 4)
        goto fail;
    r->size = size;
    r->bytes = (size + REGION - 1) / REGION * REGION;
    if (!make_table() || !take_addresses(r, wish))
        goto fail;
    pacl_list_append(&ranges, &r->link);
    pacl_arena_set_virtual(r->base, r->bytes, true);
    PACL_TRACE(MEMORY, "reserved %zu bytes at %p", size, (void *)r->base);
    return r;
fail:
    free(r);
    return NULL;
}

static void unreserve(struct range *r)
{
    pacl_arena_set_virtual(r->base, r->bytes, false);
    pacl_list_remove(&r->link);
    if (r->second != NULL)
        os_release(r->second, r->bytes);
    os_release(r->base, r->bytes);
    free(r);
}

aclError pacl_vmm_reserve(size_t size, void *wish, void **out)
{
    if ((uintptr_t)wish % REGION != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "expectPtr %p is not a multiple of %zu MiB", wish, REGION >> 20);
    pthread_mutex_lock(&lock);
    const struct range *r = reserve(size, wish);
    pthread_mutex_unlock(&lock);
    if (r == NULL && wish != NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "expectPtr %p, size %zu: the addresses are not free", wish, size);
    if (r == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "size %zu: no address space; look at ulimit -v", size);
    *out = r->base;
    return ACL_SUCCESS;
}

aclError pacl_vmm_unreserve(void *p)
{
    aclError err = ACL_SUCCESS;
    pthread_mutex_lock(&lock);
    struct range *r = range_of(p);
    if (r == NULL || r->base != p || r->placed)
        err = PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p is not the start of reserved memory", p);
    else if (r->mapped > 0)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p has %u mapping(s); unmap them first", p, r->mapped);
    else
        unreserve(r);
    pthread_mutex_unlock(&lock);
    return err;
}

/* --- mapping (under the lock) ------------------------------------------------------------------------------------- */

static struct leaf *make_leaf(const void *p)
{
    _Atomic(struct leaf *) *place = &pacl_load_relaxed(&leaves)[(uintptr_t)p >> REGION_SHIFT];
    struct leaf *leaf = pacl_load_relaxed(place);
    if (leaf == NULL) {
        leaf = calloc(1, sizeof *leaf);
        if (leaf != NULL) {
            leaf->next = newest_leaf;
            newest_leaf = leaf;
        }
        pacl_store_release(place, leaf);
    }
    return leaf;
}

static uint8_t *round_down(const uint8_t *p, size_t step)
{
    return (uint8_t *)((uintptr_t)p / step * step);
}

static bool make_leaves(const uint8_t *base, size_t size)
{
    for (const uint8_t *at = round_down(base, PAGE); at < base + size; at += PAGE) {
        if (make_leaf(at) == NULL)
            return false;
    }
    return true;
}

/* NULL takes the piece out of sight. */
static void show(const uint8_t *base, size_t size, struct mapping *m)
{
    for (const uint8_t *at = round_down(base, PAGE); at < base + size; at += PAGE) {
        struct leaf *leaf = make_leaf(at);
        pacl_store_release(&leaf->page[(uintptr_t)at >> PAGE_SHIFT & (REGION_PAGES - 1)], m);
    }
}

static bool anything_mapped(const uint8_t *base, size_t size)
{
    for (const uint8_t *at = base; at < base + size; at += PAGE) {
        if (mapping_at(at) != NULL)
            return true;
    }
    return false;
}

static struct mapping *take_mapping(void)
{
    if (pacl_list_empty(&free_mappings)) {
        struct mapping *fresh = calloc(MAPPINGS_AT_A_TIME, sizeof *fresh);
        for (unsigned i = 0; fresh != NULL && i < MAPPINGS_AT_A_TIME; i++)
            pacl_list_append(&free_mappings, &fresh[i].link);
        if (fresh == NULL)
            return NULL;
    }
    struct mapping *m = PACL_CONTAINER(free_mappings.next, struct mapping, link);
    pacl_list_remove(&m->link);
    return m;
}

static void give_mapping(struct mapping *m)
{
    pacl_list_remove(&m->link);
    pacl_list_append(&free_mappings, &m->link);
}

static void write_mapping(struct mapping *m, const struct pacl_piece *piece, struct range *range)
{
    pacl_add_seq_cst(&m->version, 1);
    pacl_store_release(&m->base, piece->base);
    pacl_store_release(&m->size, piece->size);
    pacl_store_release(&m->view, piece->view);
    pacl_store_release(&m->device, piece->device);
    pacl_store_release(&m->readers, piece->readers);
    pacl_store_release(&m->writers, piece->writers);
    pacl_store_release(&m->range, range);
    pacl_store_release(&m->managed, range->managed);
    pacl_add_seq_cst(&m->version, 1);
}

/* The whole pages around a piece: what another process exported may start and end anywhere. */
struct pages {
    uint8_t *base;
    size_t bytes;
};

static struct pages pages_of(const struct pacl_piece *piece)
{
    uint8_t *base = round_down(piece->base, OS_PAGE);
    const size_t bytes = (size_t)(piece->base - base) + piece->size;
    return (struct pages){ .base = base, .bytes = (bytes + OS_PAGE - 1) / OS_PAGE * OS_PAGE };
}

/* Device memory is kept from the host as the arenas keep it; memory of the host is the program's, too. */
static int attach(const struct pacl_piece *piece, int file, uint64_t offset)
{
    const struct pages pages = pages_of(piece);
    uint8_t *engine = pages.base + piece->view;
    const bool is_host = piece->device == PACL_PINNED;
    const bool keyed = !is_host && pacl_runtime()->access == PACL_ACCESS_KEYS;
    int err = os_shared_map_from(file, offset, engine, pages.bytes);
    if (err == 0)
        err = keyed ? os_guard_commit(engine, pages.bytes) : os_commit(engine, pages.bytes);
    if (err == 0 && is_host && piece->view != 0) {
        err = os_shared_map_from(file, offset, pages.base, pages.bytes);
        if (err == 0)
            err = os_commit(pages.base, pages.bytes);
    }
    return err;
}

static int detach(const struct pacl_piece *piece)
{
    const struct pages pages = pages_of(piece);
    int err = os_unmap_reserved(pages.base + piece->view, pages.bytes);
    if (err == 0 && piece->view != 0)
        err = os_unmap_reserved(pages.base, pages.bytes);
    return err;
}

static aclError map_file(struct range *r, uint8_t *base, size_t size, int device, bool access, int file,
                         uint64_t offset, struct pacl_physical *physical)
{
    const uint64_t own = device == PACL_PINNED ? ALL_DEVICES : (uint64_t)1 << device, rights = access ? own : 0;
    const struct pacl_piece piece = { .base = base,
                                      .size = size,
                                      .view = r->second != NULL ? r->second - r->base : 0,
                                      .device = device,
                                      .readers = rights,
                                      .writers = rights };
    struct mapping *m = take_mapping();
    const bool noted = m != NULL && make_leaves(base, size);
    const int err = noted ? attach(&piece, file, offset) : ENOMEM;
    if (err != 0) {
        if (noted)
            (void)detach(&piece);
        if (m != NULL)
            give_mapping(m);
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                         "the system refuses to map %zu bytes at %p: %s; look at vm.max_map_count", size, (void *)base,
                         strerror(err));
    }
    m->physical = physical;
    if (physical != NULL)
        pacl_list_append(&physical->maps, &m->link);
    write_mapping(m, &piece, r);
    show(base, size, m);
    r->mapped++;
    PACL_TRACE(MEMORY, "mapped %zu bytes of device %d at %p", size, device, (void *)base);
    return ACL_SUCCESS;
}

/* In a quiet moment. */
static aclError unmap(struct mapping *m)
{
    struct pacl_piece piece;
    (void)read_mapping(m, &piece); /* under the lock nobody writes */
    struct range *r = pacl_load_relaxed(&m->range);
    struct pacl_physical *physical = m->physical;
    show(piece.base, piece.size, NULL);
    if (detach(&piece) != 0) {
        show(piece.base, piece.size, m);
        return PACL_FAIL(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "the system refuses to unmap %p; look at vm.max_map_count",
                         (void *)piece.base);
    }
    give_mapping(m);
    r->mapped--;
    if (physical != NULL)
        pacl_physical_drop_unused(physical);
    PACL_TRACE(MEMORY, "unmapped %p", (void *)piece.base);
    return ACL_SUCCESS;
}

/* The mapping that starts at the address and is the program's, or NULL. */
static struct mapping *mapping_of_program(const void *p)
{
    struct mapping *m = range_of(p) != NULL ? mapping_at(p) : NULL;
    return m != NULL && m->physical != NULL && pacl_load_relaxed(&m->base) == p ? m : NULL;
}

static aclError not_mapped(const void *p)
{
    return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p is not the start of a mapping", p);
}

static aclError map_checked(uint8_t *p, size_t size, const struct pacl_physical *physical, struct range *r)
{
    if (size != physical->size)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "size %zu is not the size of the physical memory, %zu", size,
                         physical->size);
    if (r == NULL || r->placed || (uintptr_t)p % PACL_PHYSICAL_UNIT != 0 || size > r->size - (size_t)(p - r->base))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "virPtr %p with size %zu is not in reserved memory, or no multiple of 2 MiB from its start",
                         (void *)p, size);
    if (anything_mapped(p, size))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p with size %zu has a mapping already", (void *)p, size);
    return ACL_SUCCESS;
}

aclError pacl_vmm_map(void *p, size_t size, aclrtDrvMemHandle handle, bool access)
{
    struct pacl_physical *physical;
    pthread_mutex_lock(&lock);
    struct range *r = range_of(p);
    aclError err = pacl_physical_find(handle, &physical);
    if (err == ACL_SUCCESS)
        err = map_checked(p, size, physical, r);
    if (err == ACL_SUCCESS)
        err = map_file(r, p, size, physical->device, access, physical->file, physical->offset, physical);
    pthread_mutex_unlock(&lock);
    return err;
}

/* Nothing is stopped for an address that is not mapped. */
aclError pacl_vmm_unmap(void *p)
{
    if (!pacl_arena_is_virtual(p) || mapping_at(p) == NULL)
        return not_mapped(p);
    pacl_quiet_begin();
    pthread_mutex_lock(&lock);
    struct mapping *m = mapping_of_program(p);
    const aclError err = m != NULL ? unmap(m) : not_mapped(p);
    pthread_mutex_unlock(&lock);
    pacl_quiet_end();
    return err;
}

/* --- access ------------------------------------------------------------------------------------------------------- */

static aclError check_desc(const aclrtMemAccessDesc *desc, int device)
{
    const bool known = desc->flags == ACL_RT_MEM_ACCESS_FLAGS_NONE || desc->flags == ACL_RT_MEM_ACCESS_FLAGS_READ ||
                       desc->flags == ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    struct pacl_device *other;
    if (!known)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flags %d is not 0, 1 or 3", (int)desc->flags);
    if (desc->location.type == ACL_MEM_LOCATION_TYPE_DEVICE)
        return pacl_device_get((int32_t)desc->location.id, &other);
    const bool is_host =
        desc->location.type == ACL_MEM_LOCATION_TYPE_HOST || desc->location.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
    if (!is_host)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "location type %d is neither the host nor a device",
                         (int)desc->location.type);
    if (device != PACL_PINNED && pacl_runtime()->access != PACL_ACCESS_OPEN)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "the host has no access to memory of device %d; copy, or take memory of the host", device);
    return ACL_SUCCESS;
}

static void apply(struct pacl_piece *piece, const aclrtMemAccessDesc *desc)
{
    if (desc->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
        return; /* the host has its own memory in any case */
    const uint64_t bit = (uint64_t)1 << desc->location.id;
    piece->readers &= ~bit;
    piece->writers &= ~bit;
    if (desc->flags != ACL_RT_MEM_ACCESS_FLAGS_NONE)
        piece->readers |= bit;
    if (desc->flags == ACL_RT_MEM_ACCESS_FLAGS_READWRITE)
        piece->writers |= bit;
}

static aclError set_access(void *p, size_t size, const aclrtMemAccessDesc *desc, size_t count)
{
    struct pacl_piece piece;
    struct mapping *m = mapping_of_program(p);
    if (m == NULL)
        return not_mapped(p);
    (void)read_mapping(m, &piece);
    if (size != piece.size || count == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "size %zu is not the mapping's size, %zu, or count is 0 (count %zu)", size, piece.size, count);
    for (size_t i = 0; i < count; i++) {
        const aclError err = check_desc(&desc[i], piece.device);
        if (err != ACL_SUCCESS)
            return err;
    }
    for (size_t i = 0; i < count; i++)
        apply(&piece, &desc[i]);
    write_mapping(m, &piece, pacl_load_relaxed(&m->range));
    return ACL_SUCCESS;
}

aclError pacl_vmm_set_access(void *p, size_t size, const aclrtMemAccessDesc *desc, size_t count)
{
    pthread_mutex_lock(&lock);
    const aclError err = set_access(p, size, desc, count);
    pthread_mutex_unlock(&lock);
    return err;
}

aclError pacl_vmm_get_access(const void *p, const aclrtMemLocation *location, uint64_t *flags)
{
    struct pacl_piece piece;
    struct pacl_device *device;
    if (!pacl_vmm_find(p, &piece))
        return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p is not mapped", p);
    bool reads = piece.device == PACL_PINNED, writes = reads;
    if (location->type == ACL_MEM_LOCATION_TYPE_DEVICE) {
        const aclError err = pacl_device_get((int32_t)location->id, &device);
        if (err != ACL_SUCCESS)
            return err;
        reads = (piece.readers >> location->id & 1) != 0;
        writes = (piece.writers >> location->id & 1) != 0;
    } else if (location->type != ACL_MEM_LOCATION_TYPE_HOST && location->type != ACL_MEM_LOCATION_TYPE_HOST_NUMA) {
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "location type %d is neither the host nor a device",
                         (int)location->type);
    }
    *flags = writes  ? ACL_RT_MEM_ACCESS_FLAGS_READWRITE
             : reads ? ACL_RT_MEM_ACCESS_FLAGS_READ
                     : ACL_RT_MEM_ACCESS_FLAGS_NONE;
    return ACL_SUCCESS;
}

/* --- physical memory ---------------------------------------------------------------------------------------------- */

aclError pacl_vmm_malloc_physical(size_t size, const aclrtPhysicalMemProp *prop, aclrtDrvMemHandle *out)
{
    struct pacl_physical *physical;
    pthread_mutex_lock(&lock);
    const aclError err = pacl_physical_create(size, prop, -1, &physical);
    if (err == ACL_SUCCESS)
        *out = pacl_object_handle(&physical->object);
    pthread_mutex_unlock(&lock);
    return err;
}

aclError pacl_vmm_free_physical(aclrtDrvMemHandle handle)
{
    struct pacl_physical *physical;
    pthread_mutex_lock(&lock);
    const aclError err = pacl_physical_find(handle, &physical);
    if (err == ACL_SUCCESS)
        pacl_physical_release(physical);
    pthread_mutex_unlock(&lock);
    return err;
}

aclError pacl_vmm_retain(const void *p, aclrtDrvMemHandle *out)
{
    pthread_mutex_lock(&lock);
    const struct mapping *m = range_of(p) != NULL ? mapping_at(p) : NULL;
    const bool found = m != NULL && m->physical != NULL;
    if (found)
        *out = pacl_physical_retain(m->physical);
    pthread_mutex_unlock(&lock);
    return found ? ACL_SUCCESS
                 : PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID, "virPtr %p is not mapped to physical memory", p);
}

aclError pacl_vmm_properties(aclrtDrvMemHandle handle, aclrtPhysicalMemProp *prop)
{
    struct pacl_physical *physical;
    pthread_mutex_lock(&lock);
    const aclError err = pacl_physical_find(handle, &physical);
    if (err == ACL_SUCCESS)
        *prop = physical->prop;
    pthread_mutex_unlock(&lock);
    return err;
}

/* --- between processes -------------------------------------------------------------------------------------------- */

static int map_again(struct pacl_physical *physical)
{
    PACL_LIST_EACH(node, &physical->maps)
    {
        struct pacl_piece piece;
        (void)read_mapping(PACL_CONTAINER(node, struct mapping, link), &piece);
        const int err = attach(&piece, physical->file, physical->offset);
        if (err != 0)
            return err;
    }
    return 0;
}

/* In a quiet moment, under the lock. */
static aclError move_to_own_file(struct pacl_physical *physical)
{
    struct pacl_move move;
    if (physical->own_file)
        return ACL_SUCCESS;
    const int err = pacl_physical_begin_move(physical, &move);
    if (err != 0)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no file of its own for %zu bytes of physical memory",
                         physical->size);
    if (map_again(physical) != 0) {
        pacl_physical_undo_move(physical, &move);
        (void)map_again(physical); /* it was mapped so a moment ago */
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system refuses to map %zu bytes of another file",
                         physical->size);
    }
    pacl_physical_end_move(physical, &move);
    return ACL_SUCCESS;
}

static aclError export(aclrtDrvMemHandle handle, struct pacl_physical_offer *offer)
{
    struct pacl_physical *physical;
    aclError err = pacl_physical_find(handle, &physical);
    if (err == ACL_SUCCESS && physical->exported != 0)
        err = PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "handle %p has been exported already", handle);
    if (err == ACL_SUCCESS)
        err = move_to_own_file(physical);
    if (err != ACL_SUCCESS)
        return err;
    *offer =
        (struct pacl_physical_offer){ .size = physical->size, .prop = physical->prop, .file = dup(physical->file) };
    if (offer->file < 0)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no descriptor to share memory with; look at ulimit -n");
    physical->exported = (uint64_t)(uintptr_t)handle;
    return ACL_SUCCESS;
}

aclError pacl_vmm_export(aclrtDrvMemHandle handle, struct pacl_physical_offer *offer)
{
    pacl_quiet_begin();
    pthread_mutex_lock(&lock);
    const aclError err = export(handle, offer);
    pthread_mutex_unlock(&lock);
    pacl_quiet_end();
    return err;
}

void pacl_vmm_unexport(aclrtDrvMemHandle handle)
{
    struct pacl_physical *physical;
    pthread_mutex_lock(&lock);
    if ((physical = pacl_pool_find(&pacl_physicals, handle)) != NULL)
        physical->exported = 0;
    pthread_mutex_unlock(&lock);
}

aclError pacl_vmm_import(const struct pacl_physical_offer *offer, aclrtDrvMemHandle *out)
{
    struct pacl_physical *physical;
    pthread_mutex_lock(&lock);
    const aclError err = pacl_physical_create(offer->size, &offer->prop, offer->file, &physical);
    if (err == ACL_SUCCESS)
        *out = pacl_object_handle(&physical->object);
    pthread_mutex_unlock(&lock);
    return err;
}

/* Under the lock. */
static aclError place(struct range *r, int file, uint64_t offset, size_t size, int device, void **out)
{
    const size_t into = offset % OS_PAGE; /* where in its page it starts */
    if (r == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "size %zu: no address space; look at ulimit -v", size);
    r->placed = true;
    const aclError err = map_file(r, r->base + into, size, device, true, file, offset - into, NULL);
    if (err != ACL_SUCCESS)
        unreserve(r);
    else
        *out = r->base + into;
    return err;
}

aclError pacl_vmm_place(int file, uint64_t offset, size_t size, int device, void **out)
{
    pthread_mutex_lock(&lock);
    const aclError err = place(reserve(offset % OS_PAGE + size, NULL), file, offset, size, device, out);
    pthread_mutex_unlock(&lock);
    return err;
}

/* Addresses go up and come again from the lowest one that is free; elsewhere they are as good. */
static struct range *reserve_managed(size_t size)
{
    struct range *r = NULL;
    uintptr_t at = MANAGED_LOWEST;
    for (unsigned tries = 0; r == NULL && tries < MANAGED_TRIES && size < MANAGED_HIGHEST - at; tries++) {
        r = reserve(size, (void *)at);
        at += (size + REGION - 1) / REGION * REGION;
    }
    return r != NULL ? r : reserve(size, NULL);
}

aclError pacl_vmm_place_managed(int file, size_t size, void **out)
{
    pthread_mutex_lock(&lock);
    struct range *r = reserve_managed(size);
    if (r != NULL)
        r->managed = true;
    const aclError err = place(r, file, 0, size, PACL_PINNED, out);
    pthread_mutex_unlock(&lock);
    return err;
}

void pacl_vmm_unplace(void *p)
{
    pacl_quiet_begin();
    pthread_mutex_lock(&lock);
    struct range *r = range_of(p);
    struct mapping *m = r != NULL && r->placed ? mapping_at(p) : NULL;
    if (m != NULL && unmap(m) == ACL_SUCCESS)
        unreserve(r);
    pthread_mutex_unlock(&lock);
    pacl_quiet_end();
}
