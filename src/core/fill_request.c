/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fill_request.h"

#include "base/error.h"
#include "base/log.h"
#include "core/capture.h"
#include "core/context.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/hostmem.h"
#include "core/observer.h"
#include "core/place.h"
#include "core/quiet.h"
#include "core/stream.h"
#include "os/os.h"

static aclError check_bounds(const struct pacl_fill *f, const struct pacl_place *place, char *text, size_t text_size)
{
    const size_t bytes = f->count * f->element;
    return pacl_check_inside("memory at", true, f->dst, bytes, bytes, 1, place, text, text_size);
}

static void write(const struct pacl_fill *f)
{
    uint8_t *dst = pacl_engine_view(f->dst);
    const uint32_t rights = os_guard_open();
    if (f->element == 1)
        pacl_fill_bytes(dst, (uint8_t)f->value, f->count);
    else
        pacl_fill_words(dst, f->value, f->count);
    os_guard_close(rights);
    pacl_add_relaxed(&pacl_stream_totals.bytes_copied, f->count * f->element);
}

static struct pacl_work fill_work(const struct pacl_fill *f)
{
    return (struct pacl_work){
        .call = pacl_self.call,
        .op = f->element == 1 ? PACL_OP_FILL_BYTES : PACL_OP_FILL_WORDS,
        .fill = { .dst = f->dst, .count = f->count, .value = f->value },
    };
}

static aclError fill_now(const struct pacl_fill *f, const struct pacl_place *place)
{
    char text[PACL_TEXT_MAX];
    const struct pacl_context *context = pacl_context_peek();
    const size_t bytes = f->count * f->element;
    pacl_use_begin();
    aclError err = check_bounds(f, place, text, sizeof text);
    if (err == ACL_SUCCESS && place->mapped)
        err = pacl_check_rights("memory at", f->dst, bytes, bytes, 1, context != NULL ? context->device->id : 0,
                                PACL_USE_WRITE, text, sizeof text);
    if (err == ACL_SUCCESS) {
        const struct pacl_work work = fill_work(f);
        PACL_OBSERVE(now_begins, &work);
        write(f);
        PACL_OBSERVE(now_ends, &work, ACL_SUCCESS);
    }
    pacl_use_end();
    return err == ACL_SUCCESS ? err : PACL_FAIL(err, "%s", text);
}

static void trace(const struct pacl_fill *f)
{
    PACL_TRACE(COPY, "%s: %zu element(s) of %zu byte(s) at %p, value 0x%x", pacl_self.call, f->count, f->element,
               f->dst, f->value);
}

aclError pacl_fill_run(const struct pacl_fill *f)
{
    struct pacl_context *context;
    aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_place place = pacl_place_of(f->dst);
    trace(f);
    err = pacl_capture_allows(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    return err != ACL_SUCCESS ? err : fill_now(f, &place);
}

aclError pacl_fill_submit(const struct pacl_fill *f, struct pacl_stream *s, void *handle)
{
    char text[PACL_TEXT_MAX];
    const aclError err = pacl_context_owns(s);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_place place = pacl_place_of(f->dst);
    trace(f);
    if (place.memory == PACL_MEMORY_PAGEABLE && pacl_stream_is_capturing(s))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "stream %u is being captured: a graph sets device and pinned memory only", s->id);
    if (place.memory != PACL_MEMORY_DEVICE && !pacl_stream_is_capturing(s))
        return fill_now(f, &place); /* as on the original, ahead of what is queued [C] */
    if (check_bounds(f, &place, text, sizeof text) != ACL_SUCCESS)
        return pacl_submit_fault(s, handle, text);
    struct pacl_work work = fill_work(f);
    work.peer[0] = place.mapped ? PACL_PEER_MAPPED : 0;
    return pacl_stream_submit(s, handle, &work);
}
