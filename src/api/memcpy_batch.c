/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtMemcpyBatch, aclrtMemcpyBatchAsync and their second versions, which do not say which entry is wrong. */
#include <stdlib.h>

#include "api/api.h"
#include "core/capture.h"
#include "core/copy_request.h"
#include "core/device.h"

enum { BATCH_MAX = 4096 };

struct batch {
    void **dsts;
    const size_t *dest_maxs;
    void **srcs;
    const size_t *sizes;
    size_t count;
    const aclrtMemcpyBatchAttr *attrs;
    const size_t *attrs_indexes;
    size_t attr_count;
    size_t bad; /* the first entry found wrong, SIZE_MAX if none */
};

/* --- checks ------------------------------------------------------------------------------------------------------ */

/* *empty: nothing is to be copied, and nothing else is looked at. The number of entries is checked before they are read;
 * the original does so later [P]. */
static aclError check_sizes(const struct batch *b, bool *empty)
{
    *empty = true;
    if (b->sizes == NULL || b->count == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s", b->sizes == NULL ? "sizes is null" : "numBatches is 0");
    if (b->count > BATCH_MAX)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "numBatches %zu is larger than %d", b->count, BATCH_MAX);
    for (size_t i = 0; i < b->count; i++)
        *empty &= b->sizes[i] == 0;
    return ACL_SUCCESS;
}

static aclError check_arrays(const struct batch *b)
{
    const struct {
        const void *array;
        const char *name;
    } arrays[] = { { b->dsts, "dsts" },
                   { b->dest_maxs, "destMaxs" },
                   { b->srcs, "srcs" },
                   { b->attrs, "attrs" },
                   { b->attrs_indexes, "attrsIndexes" } };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i].array == NULL)
            return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", arrays[i].name);
    }
    return ACL_SUCCESS;
}

static aclError check_entries(struct batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->dest_maxs[i] >= b->sizes[i] && (b->sizes[i] == 0 || (b->dsts[i] != NULL && b->srcs[i] != NULL)))
            continue;
        b->bad = i;
        if (b->dest_maxs[i] < b->sizes[i])
            return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "entry %zu: size %zu is larger than destMax %zu", i, b->sizes[i],
                             b->dest_maxs[i]);
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "entry %zu: %s is null", i, b->dsts[i] == NULL ? "dst" : "src");
    }
    return ACL_SUCCESS;
}

/* The attributes are as many as there is room for, so the number comes first; 0 has none to look at. */
static aclError check_attributes(const struct batch *b)
{
    if (b->attr_count > b->count)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "numAttrs %zu is larger than numBatches %zu", b->attr_count,
                         b->count);
    for (size_t i = 0; i < b->attr_count; i++) {
        for (size_t k = 0; k < sizeof b->attrs[i].rsv; k++) {
            if (b->attrs[i].rsv[k] != 0)
                return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "attribute %zu: reserved byte %zu is not 0", i, k);
        }
    }
    if (b->attr_count == 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "numAttrs is 0");
    for (size_t i = 0; i < b->attr_count; i++) {
        const size_t at = b->attrs_indexes[i];
        if ((i == 0 && at != 0) || (i > 0 && at <= b->attrs_indexes[i - 1]) || at >= b->count)
            return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                             "attrsIndexes[%zu] is %zu; they begin with 0, rise, and stay below numBatches %zu", i, at,
                             b->count);
    }
    if (!pacl_product_has_newest_calls(&pacl_runtime()->product))
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "product %s does not copy batches",
                         pacl_runtime()->product.name);
    return ACL_SUCCESS;
}

static enum pacl_direction attribute_direction(const aclrtMemcpyBatchAttr *attr)
{
    const bool to_device = attr->dstLoc.type == ACL_MEM_LOCATION_TYPE_DEVICE;
    const bool from_device = attr->srcLoc.type == ACL_MEM_LOCATION_TYPE_DEVICE;
    const enum aclrtMemLocationType other = to_device ? attr->srcLoc.type : attr->dstLoc.type;
    if (to_device == from_device ||
        (other != ACL_MEM_LOCATION_TYPE_HOST && other != ACL_MEM_LOCATION_TYPE_UNREGISTERED))
        return PACL_NO_DIRECTION;
    return to_device ? PACL_H2D : PACL_D2H;
}

static enum pacl_direction real_direction(const struct batch *b, size_t i)
{
    const enum pacl_memory dst = pacl_place_of(b->dsts[i]).memory, src = pacl_place_of(b->srcs[i]).memory;
    return pacl_direction_of(ACL_MEMCPY_DEFAULT, dst, src);
}

/* All attributes and all entries go one way. */
static aclError check_directions(struct batch *b, enum pacl_direction *direction)
{
    *direction = attribute_direction(&b->attrs[0]);
    for (size_t i = 0, k = 0; i < b->count; i++) {
        while (k + 1 < b->attr_count && b->attrs_indexes[k + 1] <= i)
            k++;
        const enum pacl_direction wanted = attribute_direction(&b->attrs[k]);
        if (wanted != PACL_NO_DIRECTION && wanted == *direction && (b->sizes[i] == 0 || real_direction(b, i) == wanted))
            continue;
        b->bad = i;
        return PACL_FAIL(
            ACL_ERROR_RT_PARAM_INVALID,
            "entry %zu: a batch goes from host to device or from device to host, all of it one way, and as "
            "its attributes say (dst %p, src %p, attribute %zu: dst type %d, src type %d)",
            i, b->dsts[i], b->srcs[i], k, (int)b->attrs[k].dstLoc.type, (int)b->attrs[k].srcLoc.type);
    }
    return ACL_SUCCESS;
}

static aclError check(struct batch *b, bool *empty, enum pacl_direction *direction)
{
    b->bad = SIZE_MAX;
    aclError err = check_sizes(b, empty);
    if (err != ACL_SUCCESS || *empty)
        return err;
    err = check_arrays(b);
    if (err == ACL_SUCCESS)
        err = check_entries(b);
    if (err == ACL_SUCCESS)
        err = check_attributes(b);
    return err == ACL_SUCCESS ? check_directions(b, direction) : err;
}

/* One side of an entry. */
static aclError check_side(size_t entry, const char *what, const void *p, size_t bytes, int device, enum pacl_use use)
{
    char text[PACL_TEXT_MAX / 2];
    const struct pacl_place place = pacl_place_of(p);
    aclError err = pacl_check_inside(what, use == PACL_USE_WRITE, p, bytes, bytes, 1, &place, text, sizeof text);
    if (err == ACL_SUCCESS && place.mapped)
        err = pacl_check_rights(what, p, bytes, bytes, 1, device, use, text, sizeof text);
    return err == ACL_SUCCESS ? err : PACL_FAIL(err, "entry %zu: %s", entry, text);
}

/* For a batch that is complete at return: all entries, before the first is copied. */
static aclError check_inside(struct batch *b, int device)
{
    aclError err = ACL_SUCCESS;
    for (size_t i = 0; err == ACL_SUCCESS && i < b->count; i++) {
        if (b->sizes[i] == 0)
            continue;
        err = check_side(i, "dst", b->dsts[i], b->sizes[i], device, PACL_USE_WRITE);
        if (err == ACL_SUCCESS)
            err = check_side(i, "src", b->srcs[i], b->sizes[i], device, PACL_USE_READ);
        if (err != ACL_SUCCESS)
            b->bad = i;
    }
    return err;
}

/* --- copying ----------------------------------------------------------------------------------------------------- */

static struct pacl_rect row_of(const struct batch *b, size_t i)
{
    return (struct pacl_rect){ .dst = b->dsts[i],
                               .src = b->srcs[i],
                               .dst_pitch = b->sizes[i],
                               .src_pitch = b->sizes[i],
                               .width = b->sizes[i],
                               .height = 1 };
}

static aclrtMemcpyKind kind_of(enum pacl_direction direction)
{
    return direction == PACL_H2D ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
}

static aclError copy_now(struct batch *b)
{
    bool empty;
    enum pacl_direction direction;
    struct pacl_context *context;
    aclError err = check(b, &empty, &direction);
    if (err != ACL_SUCCESS || empty)
        return err;
    err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    if (err == ACL_SUCCESS)
        err = check_inside(b, context->device->id);
    for (size_t i = 0; err == ACL_SUCCESS && i < b->count; i++) {
        const struct pacl_rect row = row_of(b, i);
        if (row.width > 0)
            err = pacl_copy_run(&row, kind_of(direction), PACL_COPY_1D);
        if (err != ACL_SUCCESS)
            b->bad = i;
    }
    return err;
}

static bool is_pageable(const struct batch *b, size_t i, enum pacl_direction direction)
{
    return pacl_place_of(direction == PACL_H2D ? b->srcs[i] : b->dsts[i]).memory == PACL_MEMORY_PAGEABLE;
}

static bool has_pageable(const struct batch *b, enum pacl_direction direction)
{
    size_t i = 0;
    while (i < b->count && (b->sizes[i] == 0 || !is_pageable(b, i, direction)))
        i++;
    return i < b->count;
}

/* What would make an entry that blocks fail, a failed stream or what leaves its allocation, is found before anything is
 * queued. Entries that block come last: they wait for the others, so a batch with pageable memory is complete at return. */
static aclError queue_those(struct batch *b, enum pacl_direction direction, bool pageable, struct pacl_stream *s,
                            void *handle)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct pacl_rect row = row_of(b, i);
        if (row.width == 0 || is_pageable(b, i, direction) != pageable)
            continue;
        const aclError err = pacl_copy_submit(&row, kind_of(direction), PACL_COPY_1D, s, handle);
        if (err != ACL_SUCCESS) {
            b->bad = i;
            return err;
        }
    }
    return ACL_SUCCESS;
}

static aclError queue(struct batch *b, enum pacl_direction direction, struct pacl_stream *s, void *handle)
{
    const bool blocks = has_pageable(b, direction);
    aclError err = blocks ? pacl_copy_await(s, handle) : ACL_SUCCESS;
    if (err == ACL_SUCCESS && blocks)
        err = check_inside(b, s->device->id);
    if (err == ACL_SUCCESS)
        err = queue_those(b, direction, false, s, handle);
    return err == ACL_SUCCESS && blocks ? queue_those(b, direction, true, s, handle) : err;
}

/* A capture, of this stream or another, may forbid to block: found out before anything is queued. */
static aclError check_blocking(struct batch *b, enum pacl_direction direction, const struct pacl_stream *s)
{
    if (!pacl_captures_any())
        return ACL_SUCCESS;
    for (size_t i = 0; i < b->count; i++) {
        if (b->sizes[i] == 0 || !is_pageable(b, i, direction))
            continue;
        b->bad = i;
        if (pacl_stream_is_capturing(s))
            return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                             "entry %zu: host memory is pageable, and stream %u is being captured", i, s->id);
        const aclError err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
        if (err != ACL_SUCCESS)
            return err;
        b->bad = SIZE_MAX;
    }
    return ACL_SUCCESS;
}

/* As a graph would have them, without empty entries; entry[i] is where works[i] comes from. */
struct prepared {
    size_t count;
    uint16_t entry[BATCH_MAX];
    struct pacl_work works[BATCH_MAX];
};

static aclError prepare(struct batch *b, enum pacl_direction direction, struct pacl_stream *s, struct prepared *p)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct pacl_rect row = row_of(b, i);
        if (row.width == 0)
            continue;
        const aclError err = pacl_copy_prepare(&row, kind_of(direction), PACL_COPY_1D, s, &p->works[p->count]);
        if (err != ACL_SUCCESS) {
            b->bad = i;
            return err;
        }
        p->entry[p->count++] = (uint16_t)i;
    }
    return ACL_SUCCESS;
}

/* A graph gets all entries or none. Not *recorded and ACL_SUCCESS: the stream is not captured any more. */
static aclError record(struct batch *b, enum pacl_direction direction, struct pacl_stream *s, void *handle,
                       bool *recorded)
{
    size_t bad;
    *recorded = false;
    struct prepared *p = calloc(1, sizeof *p);
    if (p == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to capture a batch");
    aclError err = prepare(b, direction, s, p);
    if (err == ACL_SUCCESS) {
        err = pacl_capture_add(s, handle, p->works, p->count, &bad, recorded);
        b->bad = err != ACL_SUCCESS ? p->entry[bad] : b->bad;
    }
    for (size_t i = 0; !*recorded && i < p->count; i++)
        pacl_work_release(&p->works[i]);
    free(p);
    return err;
}

static aclError copy_async(struct batch *b, aclrtStream stream)
{
    bool recorded = false;
    bool empty;
    enum pacl_direction direction;
    struct pacl_stream *s = NULL;
    void *handle;
    aclError err = check(b, &empty, &direction);
    if (err != ACL_SUCCESS || empty)
        return err;
    err = pacl_find_stream(stream, &s, &handle);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    if (err == ACL_SUCCESS)
        err = check_blocking(b, direction, s);
    if (err == ACL_SUCCESS && pacl_stream_is_capturing(s))
        err = record(b, direction, s, handle, &recorded);
    return err == ACL_SUCCESS && !recorded ? queue(b, direction, s, handle) : err;
}

#define BATCH() \
    { \
        .dsts = dsts, .dest_maxs = destMaxs, .srcs = srcs, .sizes = sizes, .count = numBatches, .attrs = attrs, \
        .attrs_indexes = attrsIndexes, .attr_count = numAttrs \
    }

aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex)
{
    PACL_ENTER_OR_RETURN();
    struct batch b = BATCH();
    aclError err = PACL_REFUSE_NULL(failIndex);
    if (err != ACL_SUCCESS)
        return err;
    err = copy_now(&b);
    *failIndex = b.bad;
    return err;
}

aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs)
{
    PACL_ENTER_OR_RETURN();
    struct batch b = BATCH();
    return copy_now(&b);
}

aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                               aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct batch b = BATCH();
    aclError err = PACL_REFUSE_NULL(failIndex);
    if (err != ACL_SUCCESS)
        return err;
    err = copy_async(&b, stream);
    *failIndex = b.bad;
    return err;
}

aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    struct batch b = BATCH();
    return copy_async(&b, stream);
}
