/* SPDX-License-Identifier: Apache-2.0 */
#include "core/copy_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "core/abort.h"
#include "core/arena.h"
#include "core/capture.h"
#include "core/context.h"
#include "core/device.h"
#include "core/observer.h"
#include "core/quiet.h"
#include "core/stream.h"
#include "core/touch.h"
#include "os/os.h"

static _Atomic uint64_t copies_pageable;

uint64_t pacl_copies_pageable(void)
{
    return pacl_load_relaxed(&copies_pageable);
}

/* --- direction --------------------------------------------------------------------------------------------------- */

/* One side is the device's, the other pageable: the opposite kind is a contradiction; D2D is taken for what it must
 * mean (decision 6). */
static enum pacl_direction with_pageable(aclrtMemcpyKind kind, enum pacl_direction implied)
{
    const enum pacl_direction opposite = implied == PACL_H2D ? PACL_D2H : PACL_H2D;
    switch (kind) {
    case ACL_MEMCPY_DEFAULT:
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
        return implied;
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
        return opposite == PACL_H2D ? PACL_NO_DIRECTION : implied;
    case ACL_MEMCPY_DEVICE_TO_HOST:
        return opposite == PACL_D2H ? PACL_NO_DIRECTION : implied;
    default:
        return PACL_NO_DIRECTION;
    }
}

/* Managed memory says nothing: the kind is taken as it is, and must be one. */
static enum pacl_direction with_managed(aclrtMemcpyKind kind)
{
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
        return PACL_H2H;
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
        return PACL_H2D;
    case ACL_MEMCPY_DEVICE_TO_HOST:
        return PACL_D2H;
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
        return PACL_D2D;
    default:
        return PACL_NO_DIRECTION;
    }
}

/* The device's other side is not pinned. */
static enum pacl_direction with_other(aclrtMemcpyKind kind, enum pacl_direction implied, enum pacl_memory other)
{
    return other == PACL_MEMORY_MANAGED ? with_managed(kind) : with_pageable(kind, implied);
}

static inline enum pacl_direction direction_of(aclrtMemcpyKind kind, enum pacl_memory dst, enum pacl_memory src)
{
    const bool to_device = dst == PACL_MEMORY_DEVICE, from_device = src == PACL_MEMORY_DEVICE;
    if (to_device && from_device)
        return PACL_D2D;
    if (to_device)
        return src == PACL_MEMORY_PINNED ? PACL_H2D : with_other(kind, PACL_H2D, src);
    if (from_device)
        return dst == PACL_MEMORY_PINNED ? PACL_D2H : with_other(kind, PACL_D2H, dst);
    if (dst == PACL_MEMORY_MANAGED || src == PACL_MEMORY_MANAGED)
        return with_managed(kind);
    const bool says_host = kind == ACL_MEMCPY_DEFAULT || kind == ACL_MEMCPY_HOST_TO_HOST;
    const bool both_pinned = dst == PACL_MEMORY_PINNED && src == PACL_MEMORY_PINNED;
    return says_host || both_pinned ? PACL_H2H : PACL_NO_DIRECTION;
}

enum pacl_direction pacl_direction_of(aclrtMemcpyKind kind, enum pacl_memory dst, enum pacl_memory src)
{
    return direction_of(kind, dst, src);
}

/* --- the request ------------------------------------------------------------------------------------------------- */

struct request {
    const struct pacl_rect *rect;
    aclrtMemcpyKind kind;
    enum pacl_copy_form form;
    const struct pacl_place *dst, *src; /* the thread's: until its next copy */
    enum pacl_direction direction;
};

static void trace(const struct request *r)
{
    static const char *const directions[] = { "host to host", "host to device", "device to host", "device to device",
                                              "no direction" };
    const bool blocks = r->dst->memory == PACL_MEMORY_PAGEABLE || r->src->memory == PACL_MEMORY_PAGEABLE;
    PACL_TRACE(COPY, "%s: kind %d, %s%s: %zu row(s) of %zu bytes, dst %p pitch %zu, src %p pitch %zu", pacl_self.call,
               (int)r->kind, directions[r->direction], blocks ? ", pageable" : "", r->rect->height, r->rect->width,
               (void *)r->rect->dst, r->rect->dst_pitch, (const void *)r->rect->src, r->rect->src_pitch);
}

static inline void look_at(struct request *r, const struct pacl_rect *rect, aclrtMemcpyKind kind,
                           enum pacl_copy_form form)
{
    r->rect = rect;
    r->kind = kind;
    r->form = form;
    r->dst = pacl_place_recall(rect->dst, PACL_SIDE_DST);
    r->src = pacl_place_recall(rect->src, PACL_SIDE_SRC);
    r->direction = direction_of(kind, r->dst->memory, r->src->memory);
    if (__builtin_expect(pacl_debug_mask & PACL_DEBUG_COPY, 0))
        trace(r);
}

static aclError refuse_kind(const struct request *r)
{
    const bool no_device = r->dst->memory != PACL_MEMORY_DEVICE && r->src->memory != PACL_MEMORY_DEVICE;
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "kind %d does not fit: dst %p is %s, src %p is %s%s", (int)r->kind,
                     (void *)r->rect->dst, pacl_memory_name(r->dst->memory), (const void *)r->rect->src,
                     pacl_memory_name(r->src->memory), no_device ? "; neither pointer is device memory" : "");
}

static aclError refuse_h2h(const struct request *r)
{
    if (r->form == PACL_COPY_1D)
        return PACL_FAIL_QUIETLY(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            "host to host (dst %p, src %p) is not copied asynchronously; use aclrtMemcpy or memcpy",
            (void *)r->rect->dst, (const void *)r->rect->src);
    return refuse_kind(r);
}

static aclError refuse_d2d(const struct request *r)
{
    return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                     "dst %p and src %p are both device memory, and product %s has no 2D copy from device to device",
                     (void *)r->rect->dst, (const void *)r->rect->src, pacl_runtime()->product.name);
}

static aclError check_direction(const struct request *r)
{
    const struct pacl_product *product = &pacl_runtime()->product;
    /* A host that is its own device copies 1D whatever the kind says [D]. */
    if (r->form == PACL_COPY_1D && product->runs_on_device)
        return ACL_SUCCESS;
    if (r->direction == PACL_NO_DIRECTION)
        return refuse_kind(r);
    if (r->direction == PACL_H2H)
        return refuse_h2h(r);
    if (r->direction == PACL_D2D && r->form == PACL_COPY_2D && !product->copy2d_d2d)
        return refuse_d2d(r);
    return ACL_SUCCESS;
}

static bool is_pageable(const struct request *r)
{
    return r->dst->memory == PACL_MEMORY_PAGEABLE || r->src->memory == PACL_MEMORY_PAGEABLE;
}

static void tell_asked(const struct request *r, struct pacl_stream *s)
{
    const struct pacl_copy_ask ask = {
        .rect = r->rect,
        .kind = r->kind,
        .form = r->form,
        .direction = r->direction,
        .dst = r->dst,
        .src = r->src,
        .stream = s,
        .blocks = is_pageable(r),
    };
    PACL_OBSERVE(copy_asked, &ask);
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

enum { PROBE_WHOLE_BYTES = 64 << 20 }; /* a longer pageable span is looked at only at its ends */

/* Pageable memory has no allocation that PACL knows; what is not mapped at all is told from what is. */
static bool pageable_is_there(const uint8_t *p, size_t pitch, size_t width, size_t height)
{
    if (!pacl_pitched_fits(pitch, width, height, UINTPTR_MAX - (uintptr_t)p))
        return false;
    const size_t span = (height - 1) * pitch + width;
    if (pacl_arena_touches(p, span))
        return false;
    if (span <= PROBE_WHOLE_BYTES)
        return os_is_mapped(p, span);
    return os_is_mapped(p, width < PROBE_WHOLE_BYTES ? width : PROBE_WHOLE_BYTES) && os_is_mapped(p + span - 1, 1);
}

/* "dst 0x10, 3 row(s) of 8 bytes with pitch 64,", or for a plain run of bytes "dst 0x10, 8 bytes,". */
static int say_rect(char *text, size_t size, const char *what, const void *p, size_t pitch, size_t width, size_t height)
{
    if (height == 1)
        return snprintf(text, size, "%s %p, %zu bytes,", what, p, width);
    return snprintf(text, size, "%s %p, %zu row(s) of %zu bytes with pitch %zu,", what, p, height, width, pitch);
}

static const char *place_name(const struct pacl_place *place)
{
    return place->registered ? "registered host memory" : pacl_memory_name(place->memory);
}

/* Why a rectangle is refused. */
static void say_why(char *text, size_t size, const uint8_t *p, size_t pitch, size_t width, size_t height,
                    const struct pacl_place *place)
{
    if (place->memory == PACL_MEMORY_PAGEABLE) {
        snprintf(text, size, " is not memory of the program: not mapped, or it runs into what PACL gave out");
        return;
    }
    const size_t offset = (size_t)(p - place->base);
    if (offset >= place->size) {
        snprintf(text, size, " starts in %s that is not allocated; freed before, or past the end of a block",
                 place_name(place));
        return;
    }
    const size_t row = pacl_pitched_first_outside(pitch, width, height, place->size - offset);
    snprintf(text, size, " leaves its allocation, the %zu bytes of %s at %p: %s %zu", place->size, place_name(place),
             (const void *)place->base, height == 1 ? "from byte" : "first in row",
             height == 1 ? place->size - offset : row);
}

static inline bool is_in_block(const uint8_t *p, size_t pitch, size_t width, size_t height,
                               const struct pacl_place *place)
{
    const size_t offset = (size_t)(p - place->base);
    return offset < place->size && pacl_pitched_fits(pitch, width, height, place->size - offset);
}

static bool is_inside(const uint8_t *p, size_t pitch, size_t width, size_t height, const struct pacl_place *place)
{
    return place->memory == PACL_MEMORY_PAGEABLE ? pageable_is_there(p, pitch, width, height)
                                                 : is_in_block(p, pitch, width, height, place);
}

aclError pacl_check_inside(const char *what, bool writes, const void *p, size_t pitch, size_t width, size_t height,
                           const struct pacl_place *place, char *text, size_t text_size)
{
    if (__builtin_expect(is_inside(p, pitch, width, height, place), 1))
        return ACL_SUCCESS;
    char why[PACL_TEXT_MAX / 2];
    if (place->mapped && pacl_vmm_check(p, pitch, width, height, 0, PACL_USE_NONE, why, sizeof why) == ACL_SUCCESS)
        return ACL_SUCCESS;
    const struct pacl_touch touch = { .at = p, .pitch = pitch, .width = width, .height = height, .writes = writes };
    PACL_OBSERVE(outside, &touch, place);
    const int used = say_rect(text, text_size, what, p, pitch, width, height);
    if (place->mapped)
        snprintf(text + used, text_size - (size_t)used, "%s", why);
    else
        say_why(text + used, text_size - (size_t)used, p, pitch, width, height, place);
    return ACL_ERROR_RT_SYS_DMA;
}

aclError pacl_check_rights(const char *what, const void *p, size_t pitch, size_t width, size_t height, int device,
                           enum pacl_use use, char *text, size_t text_size)
{
    char why[PACL_TEXT_MAX / 2];
    const aclError err = pacl_vmm_check(p, pitch, width, height, device, use, why, sizeof why);
    if (err != ACL_SUCCESS) {
        const int used = say_rect(text, text_size, what, p, pitch, width, height);
        snprintf(text + used, text_size - (size_t)used, "%s", why);
    }
    return err;
}

aclError pacl_check_turn(const char *what, const void *p, size_t bytes, int device, enum pacl_use use, char *text,
                         size_t text_size)
{
    struct pacl_device *own;
    const struct pacl_place place = pacl_place_of(p);
    if (place.mapped)
        return pacl_check_rights(what, p, bytes, bytes, 1, device, use, text, text_size);
    if (place.memory != PACL_MEMORY_DEVICE || pacl_device_get(device, &own) != ACL_SUCCESS ||
        pacl_device_reaches(own, place.device))
        return ACL_SUCCESS;
    snprintf(text, text_size, "device %d has no access to %s %p on its peer, device %d", device, what, p, place.device);
    return ACL_ERROR_RT_SYS_DMA;
}

static aclError check_bounds(const struct request *r, char *text, size_t text_size)
{
    const struct pacl_rect *c = r->rect;
    const aclError err =
        pacl_check_inside("dst", true, c->dst, c->dst_pitch, c->width, c->height, r->dst, text, text_size);
    if (err != ACL_SUCCESS)
        return err;
    return pacl_check_inside("src", false, c->src, c->src_pitch, c->width, c->height, r->src, text, text_size);
}

/* --- execution --------------------------------------------------------------------------------------------------- */

/* What a mapped address leads to may have changed since it was looked at; what the check has found counts. */
static uint8_t *view_of(uint8_t *p, const struct pacl_place *place)
{
    return place->mapped ? pacl_engine_view(p) : p + place->view;
}

static struct pacl_rect engine_view(const struct request *r)
{
    struct pacl_rect rect = *r->rect;
    rect.dst = view_of(rect.dst, r->dst);
    rect.src = view_of((uint8_t *)(uintptr_t)rect.src, r->src);
    return rect;
}

static unsigned registered_sides(const struct request *r)
{
    return (r->src->registered ? PACL_REGISTERED_SRC : 0U) | (r->dst->registered ? PACL_REGISTERED_DST : 0U);
}

static inline struct pacl_work copy_work(const struct pacl_rect *c, unsigned registered)
{
    return (struct pacl_work){
        .call = pacl_self.call,
        .op = PACL_OP_COPY,
        .flags = (uint8_t)registered,
        .height = (uint32_t)c->height,
        .copy = { .dst = c->dst,
                  .src = c->src,
                  .dst_pitch = c->dst_pitch,
                  .src_pitch = c->src_pitch,
                  .width = c->width },
    };
}

/* Whether the current device may read and write mapped memory. */
static aclError check_rights(const struct request *r, char *text, size_t text_size)
{
    const struct pacl_rect *c = r->rect;
    const struct pacl_context *context = pacl_context_peek();
    const int device = context != NULL ? context->device->id : 0;
    aclError err = ACL_SUCCESS;
    if (r->dst->mapped)
        err = pacl_check_rights("dst", c->dst, c->dst_pitch, c->width, c->height, device, PACL_USE_WRITE, text,
                                text_size);
    if (err == ACL_SUCCESS && r->src->mapped)
        err =
            pacl_check_rights("src", c->src, c->src_pitch, c->width, c->height, device, PACL_USE_READ, text, text_size);
    return err;
}

/* In the calling thread, complete at return. */
static aclError copy_now(const struct request *r)
{
    char text[PACL_TEXT_MAX];
    bool complete = false;
    pacl_use_begin();
    aclError err = check_bounds(r, text, sizeof text);
    if (err == ACL_SUCCESS)
        err = check_rights(r, text, sizeof text);
    if (err == ACL_SUCCESS) {
        const struct pacl_rect rect = engine_view(r);
        const struct pacl_work work = copy_work(r->rect, registered_sides(r));
        PACL_OBSERVE(now_begins, &work);
        complete = pacl_copy_now(&rect, registered_sides(r));
        PACL_OBSERVE(now_ends, &work, complete ? ACL_SUCCESS : ACL_ERROR_RT_SYS_DMA);
    }
    pacl_use_end();
    if (err != ACL_SUCCESS)
        return PACL_FAIL(err, "%s", text);
    if (!complete)
        return PACL_FAIL(ACL_ERROR_RT_SYS_DMA, "host memory that the copy names was unregistered while it ran");
    pacl_add_relaxed(&pacl_stream_totals.bytes_copied, (uint64_t)r->rect->width * r->rect->height);
    return ACL_SUCCESS;
}

static aclError refuse_captured(const struct pacl_stream *s)
{
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                     "stream %u is being captured: a graph copies from and to pinned host memory only", s->id);
}

aclError pacl_copy_await(struct pacl_stream *s, void *handle)
{
    uint64_t queued;
    const uint64_t mark = pacl_abort_mark(s);
    aclError err = pacl_stream_queued_as(s, handle, &queued);
    if (err != ACL_SUCCESS)
        return err;
    (void)pacl_stream_wait(s, queued, OS_NEVER);
    err = pacl_abort_since(s, mark);
    return err == ACL_SUCCESS ? pacl_stream_take_error(s, handle) : err;
}

/* Earlier work on the stream comes first, and its failures are reported here. */
static aclError copy_pageable(const struct request *r, struct pacl_stream *s, void *handle)
{
    if (pacl_stream_is_capturing(s))
        return refuse_captured(s);
    const aclError allowed = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
    if (allowed != ACL_SUCCESS)
        return allowed;
    const aclError err = pacl_copy_await(s, handle);
    pacl_add_relaxed(&copies_pageable, 1);
    return err != ACL_SUCCESS ? err : copy_now(r);
}

static aclError refuse_to_record(const char *text)
{
    return PACL_FAIL(ACL_ERROR_RT_SYS_DMA, "%s; the capture goes on without it", text);
}

aclError pacl_submit_fault(struct pacl_stream *s, void *handle, const char *text)
{
    char whole[PACL_TEXT_MAX + 64];
    if (pacl_stream_is_capturing(s)) /* a graph would fail each time: the call does */
        return refuse_to_record(text);
    snprintf(whole, sizeof whole, "%s, queued earlier: %s", pacl_self.call, text);
    const struct pacl_work work = { .call = pacl_self.call,
                                    .op = PACL_OP_FAULT,
                                    .thread = os_thread_id(),
                                    .fault = { .text = strdup(whole), .code = ACL_ERROR_RT_SYS_DMA } };
    const aclError err = pacl_stream_submit(s, handle, &work);
    if (err != ACL_SUCCESS)
        free(work.fault.text);
    return err;
}

/* Device memory that is not the stream's own device's, for the check at execution. Only between devices: host memory is
 * reached by all. */
static uint8_t peer_of(const struct request *r, const struct pacl_place *place, const struct pacl_stream *s)
{
    if (place->mapped)
        return PACL_PEER_MAPPED;
    const bool foreign = r->direction == PACL_D2D && place->device != s->device->id;
    return foreign ? (uint8_t)(place->device + 1) : 0;
}

static inline struct pacl_work work_of(const struct request *r, const struct pacl_stream *s)
{
    struct pacl_work work = copy_work(r->rect, registered_sides(r));
    work.peer[0] = peer_of(r, r->dst, s);
    work.peer[1] = peer_of(r, r->src, s);
    return work;
}

/* Between pinned and device memory, inside both allocations: no overlap, no peer, no range that may be unregistered. */
static inline bool is_simple(const struct request *r)
{
    const struct pacl_rect *c = r->rect;
    return r->direction < PACL_D2D && !r->dst->registered && !r->src->registered && !r->dst->mapped &&
           !r->src->mapped && is_in_block(c->dst, c->dst_pitch, c->width, c->height, r->dst) &&
           is_in_block(c->src, c->src_pitch, c->width, c->height, r->src);
}

/* --- the same again ---------------------------------------------------------------------------------------------- */

/* One side's block. */
struct block {
    const uint8_t *base;
    size_t size;
    ptrdiff_t view;
};

/*
 * The thread's last simple copy, of those from the device and of all others. Programs copy in a loop between
 * few blocks: what was found out about kind and blocks holds as long as the context is the same and no memory was taken
 * away (pacl_memory_epoch); the stream and the numbers of the next call are all that is left to check.
 */
static _Thread_local struct last {
    uint64_t epoch; /* of the look-up of both places */
    aclrtMemcpyKind kind;
    enum pacl_copy_form form;
    const struct pacl_context *context; /* the stream's, current then */
    const void *context_handle;
    struct block dst, src;
} lasts[2];

static inline struct last *last_of(aclrtMemcpyKind kind)
{
    return &lasts[kind == ACL_MEMCPY_DEVICE_TO_HOST];
}

static struct block block_of(const struct pacl_place *place)
{
    return (struct block){ .base = place->base, .size = place->size, .view = place->view };
}

static void remember(const struct request *r)
{
    const uint64_t epochs[] = { pacl_place_memos[PACL_SIDE_DST].epoch, pacl_place_memos[PACL_SIDE_SRC].epoch };
    *last_of(r->kind) = (struct last){ .epoch = epochs[0] == epochs[1] ? epochs[0] : 0, /* no count is 0 */
                                       .kind = r->kind,
                                       .form = r->form,
                                       .context = pacl_self.ctx,
                                       .context_handle = pacl_self.ctx_handle,
                                       .dst = block_of(r->dst),
                                       .src = block_of(r->src) };
}

static inline bool is_within(const struct block *block, const uint8_t *p, size_t pitch, size_t width, size_t height)
{
    const size_t offset = (size_t)(p - block->base);
    return offset < block->size && pacl_pitched_fits(pitch, width, height, block->size - offset);
}

/* Acquire, paired with the add in pacl_memory_taken(), as in pacl_place_recall. */
static inline bool is_like(const struct last *last, aclrtMemcpyKind kind, enum pacl_copy_form form)
{
    return last->epoch == pacl_load_acquire(&pacl_memory_epoch) && last->kind == kind && last->form == form &&
           last->context == pacl_self.ctx && last->context_handle == pacl_self.ctx_handle &&
           pacl_object_handle(&last->context->object) == last->context_handle;
}

/* Those of the 2D calls; a longer 1D copy can afford the long way. Zero wraps. */
static inline bool is_within_limits(const struct pacl_rect *r)
{
    return r->width - 1 < PACL_WIDTH_MAX && r->height - 1 < PACL_HEIGHT_MAX;
}

/* Apart, so that a copy that runs at once does not make room for a task. */
static __attribute__((noinline)) aclError queue_simple(const struct pacl_rect *r, struct pacl_stream *s, void *handle)
{
    const struct pacl_work work = copy_work(r, 0);
    return pacl_stream_submit(s, handle, &work);
}

aclError pacl_copy_again(const struct pacl_rect *r, aclrtMemcpyKind kind, enum pacl_copy_form form, aclrtStream stream)
{
    const struct last *last = last_of(kind);
    if (!is_like(last, kind, form) || !is_within_limits(r) ||
        !is_within(&last->dst, r->dst, r->dst_pitch, r->width, r->height) ||
        !is_within(&last->src, r->src, r->src_pitch, r->width, r->height) || (pacl_debug_mask & PACL_DEBUG_COPY) != 0 ||
        pacl_is_observed())
        return PACL_LONG_WAY;
    struct pacl_stream *s = pacl_pool_find(&pacl_streams, stream);
    if (s == NULL || s->context != last->context)
        return PACL_LONG_WAY;
    const struct pacl_rect rect = { .dst = r->dst + last->dst.view,
                                    .src = r->src + last->src.view,
                                    .dst_pitch = r->dst_pitch,
                                    .src_pitch = r->src_pitch,
                                    .width = r->width,
                                    .height = r->height };
    return pacl_stream_copy_at_once(s, stream, &rect) ? ACL_SUCCESS : queue_simple(r, s, stream);
}

static aclError queue(const struct request *r, struct pacl_stream *s, void *handle)
{
    char text[PACL_TEXT_MAX];
    const bool simple = is_simple(r);
    if (simple) {
        const struct pacl_rect rect = engine_view(r);
        remember(r);
        if (pacl_stream_copy_at_once(s, handle, &rect))
            return ACL_SUCCESS;
    }
    if (!simple && check_bounds(r, text, sizeof text) != ACL_SUCCESS)
        return pacl_submit_fault(s, handle, text);
    const struct pacl_work work = work_of(r, s);
    return pacl_stream_submit(s, handle, &work);
}

aclError pacl_copy_prepare(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form,
                           struct pacl_stream *s, struct pacl_work *work)
{
    char text[PACL_TEXT_MAX];
    struct request r;
    look_at(&r, rect, kind, form);
    const aclError err = check_direction(&r);
    if (err != ACL_SUCCESS)
        return err;
    if (pacl_is_observed())
        tell_asked(&r, s);
    if (is_pageable(&r))
        return refuse_captured(s);
    if (check_bounds(&r, text, sizeof text) != ACL_SUCCESS)
        return refuse_to_record(text);
    *work = work_of(&r, s);
    return pacl_work_hold(work)
               ? ACL_SUCCESS
               : PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "another thread freed memory that the call names");
}

aclError pacl_copy_submit(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form,
                          struct pacl_stream *s, void *handle)
{
    struct pacl_context *context;
    aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    struct request r;
    look_at(&r, rect, kind, form);
    err = check_direction(&r);
    if (err != ACL_SUCCESS)
        return err;
    if (form == PACL_COPY_1D && rect->dst == rect->src)
        return ACL_SUCCESS;
    if (pacl_is_observed())
        tell_asked(&r, s);
    if (is_pageable(&r))
        return copy_pageable(&r, s, handle);
    if (__builtin_expect(s->context != context, 0))
        return pacl_context_owns(s);
    return queue(&r, s, handle);
}

/* Between devices the current device must have access, as for work on its streams. */
static aclError check_peers(const struct request *r, const struct pacl_context *context)
{
    const struct pacl_place *places[] = { r->dst, r->src };
    for (unsigned i = 0; r->direction == PACL_D2D && i < 2; i++) {
        if (places[i]->memory == PACL_MEMORY_DEVICE && !places[i]->mapped &&
            !pacl_device_reaches(context->device, places[i]->device))
            return PACL_FAIL(ACL_ERROR_RT_SYS_DMA, "device %d has no access to the memory of its peer, device %d",
                             context->device->id, places[i]->device);
    }
    return ACL_SUCCESS;
}

aclError pacl_copy_run(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form)
{
    struct pacl_context *context;
    aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    struct request r;
    look_at(&r, rect, kind, form);
    /* The 1D call takes its direction from the addresses alone. */
    if (form == PACL_COPY_2D && r.direction != PACL_H2D && r.direction != PACL_D2H)
        return refuse_kind(&r);
    err = check_peers(&r, context);
    if (err == ACL_SUCCESS)
        err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    if (err == ACL_SUCCESS && pacl_is_observed())
        tell_asked(&r, NULL);
    return err != ACL_SUCCESS ? err : copy_now(&r);
}
