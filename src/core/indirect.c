/* SPDX-License-Identifier: Apache-2.0 */
#include "core/indirect.h"

#include <stdio.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/context.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/job.h"
#include "core/memory.h"
#include "core/place.h"
#include "core/quiet.h"
#include "core/stream.h"
#include "os/os.h"

/* What a descriptor holds. The mark tells it from memory that nobody wrote. */
struct descriptor {
    uint64_t mark;
    const uint8_t *src;
    uint8_t *dst;
    uint64_t count;
    uint8_t rest[32];
};
#define DESC_MARK UINT64_C(0x4350594445534331)

_Static_assert(sizeof(struct descriptor) == PACL_DESC_BYTES, "as aclrtGetMemcpyDescSize says");

aclError pacl_desc_write(void *desc, const void *src, void *dst, size_t count)
{
    struct pacl_context *context;
    char text[PACL_TEXT_MAX];
    const struct descriptor content = { .mark = DESC_MARK, .src = src, .dst = dst, .count = count };
    const struct pacl_place place = pacl_place_of(desc);
    aclError err = pacl_context_current(&context);
    if (err != ACL_SUCCESS)
        return err;
    if (place.memory != PACL_MEMORY_DEVICE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "desc %p is %s, not device memory", desc,
                         pacl_memory_name(place.memory));
    err = pacl_check_inside("desc", true, desc, sizeof content, sizeof content, 1, &place, text, sizeof text);
    if (err != ACL_SUCCESS)
        return PACL_FAIL(err, "%s", text);
    pacl_use_begin();
    err = pacl_check_turn("desc", desc, sizeof content, context->device->id, PACL_USE_WRITE, text, sizeof text);
    if (err == ACL_SUCCESS) {
        const uint32_t rights = os_guard_open();
        memcpy(pacl_engine_view(desc), &content, sizeof content);
        os_guard_close(rights);
    }
    pacl_use_end();
    return err != ACL_SUCCESS ? PACL_FAIL(err, "%s", text) : ACL_SUCCESS;
}

/* --- submission -------------------------------------------------------------------------------------------------- */

static aclError check_cell(const char *what, const void *cell, size_t bytes, bool device_only)
{
    char text[PACL_TEXT_MAX];
    const struct pacl_place place = pacl_place_of(cell);
    if (place.memory == PACL_MEMORY_PAGEABLE || (device_only && place.memory != PACL_MEMORY_DEVICE))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s %p is %s, where no %s", what, cell,
                         pacl_memory_name(place.memory),
                         device_only ? "descriptor may lie: it takes device memory"
                                     : "address is read from: it takes device or pinned memory");
    if (pacl_check_inside(what, false, cell, bytes, bytes, 1, &place, text, sizeof text) != ACL_SUCCESS)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s", text);
    return ACL_SUCCESS;
}

aclError pacl_indirect_submit(struct pacl_stream *s, void *handle, const struct pacl_work *work)
{
    aclError err = pacl_context_owns(s);
    if (err == ACL_SUCCESS && work->op == PACL_OP_COPY_BY_DESC)
        err = check_cell("desc", work->indirect.src, PACL_DESC_BYTES, true);
    if (err == ACL_SUCCESS && work->op == PACL_OP_COPY_BY_CELLS)
        err = check_cell("dst", work->indirect.dst, sizeof(void *), false);
    if (err == ACL_SUCCESS && work->op == PACL_OP_COPY_BY_CELLS)
        err = check_cell("src", work->indirect.src, sizeof(void *), false);
    return err != ACL_SUCCESS ? err : pacl_stream_submit(s, handle, work);
}

/* --- execution --------------------------------------------------------------------------------------------------- */

static void read_at(const void *at, void *out, size_t bytes)
{
    const uint32_t rights = os_guard_open();
    memcpy(out, pacl_engine_view(at), bytes);
    os_guard_close(rights);
}

static bool may_read(const struct pacl_stream *s, const struct pacl_work *work, char *text, size_t text_size)
{
    const int device = s->device->id;
    const bool desc = work->op == PACL_OP_COPY_BY_DESC;
    const size_t bytes = desc ? PACL_DESC_BYTES : sizeof(void *);
    return pacl_check_turn(desc ? "desc" : "src", work->indirect.src, bytes, device, PACL_USE_READ, text, text_size) ==
               ACL_SUCCESS &&
           (desc ||
            pacl_check_turn("dst", work->indirect.dst, bytes, device, PACL_USE_READ, text, text_size) == ACL_SUCCESS);
}

/* The copy in the program's addresses. False with a text if it cannot be read. */
static bool resolve(const struct pacl_stream *s, const struct pacl_work *work, struct pacl_rect *row, char *text,
                    size_t text_size)
{
    if (!may_read(s, work, text, text_size))
        return false;
    if (work->op == PACL_OP_COPY_BY_CELLS) {
        uintptr_t dst, src;
        read_at(work->indirect.dst, &dst, sizeof dst);
        read_at(work->indirect.src, &src, sizeof src);
        *row = (struct pacl_rect){
            .dst = (uint8_t *)(dst + work->indirect.dst_offset), /* unsigned: wraps, then found outside */
            .src = (const uint8_t *)(src + work->indirect.src_offset),
            .width = work->indirect.count
        };
    } else {
        struct descriptor desc;
        read_at(work->indirect.src, &desc, sizeof desc);
        if (desc.mark != DESC_MARK) {
            snprintf(text, text_size, "%p holds no descriptor; aclrtSetMemcpyDesc writes one", work->indirect.src);
            return false;
        }
        *row = (struct pacl_rect){ .dst = desc.dst, .src = desc.src, .width = desc.count };
    }
    row->dst_pitch = row->src_pitch = row->width;
    row->height = 1;
    return true;
}

/* From device to device memory, inside of both allocations, in reach of the stream's device. */
static bool is_allowed(const struct pacl_stream *s, const struct pacl_rect *row, char *text, size_t text_size)
{
    const struct pacl_place places[] = { pacl_place_of(row->dst), pacl_place_of(row->src) };
    const void *const at[] = { row->dst, row->src };
    for (unsigned i = 0; i < 2; i++) {
        const char *what = i == 0 ? "dst" : "src";
        if (places[i].memory != PACL_MEMORY_DEVICE) {
            snprintf(text, text_size, "%s %p is %s, not device memory", what, at[i],
                     pacl_memory_name(places[i].memory));
            return false;
        }
        if (pacl_check_inside(what, i == 0, at[i], row->width, row->width, 1, &places[i], text, text_size) !=
                ACL_SUCCESS ||
            pacl_check_turn(what, at[i], row->width, s->device->id, i == 0 ? PACL_USE_WRITE : PACL_USE_READ, text,
                            text_size) != ACL_SUCCESS)
            return false;
    }
    return true;
}

/* In this thread alone: nobody else knows the resolved copy. */
static void copy_row(const struct pacl_rect *row)
{
    const struct pacl_rect view = { .dst = pacl_engine_view(row->dst),
                                    .src = pacl_engine_view(row->src),
                                    .dst_pitch = row->width,
                                    .src_pitch = row->width,
                                    .width = row->width,
                                    .height = 1 };
    const struct pacl_plan plan = pacl_copy_plan_now(&view);
    for (size_t i = 0; i < plan.pieces; i++)
        (void)pacl_copy_one_piece(&plan, i, 0);
}

void pacl_indirect_run(struct pacl_stream *s, const struct pacl_work *work)
{
    char text[PACL_TEXT_MAX];
    struct pacl_rect row;
    if (!resolve(s, work, &row, text, sizeof text)) {
        pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA, text);
        return;
    }
    if (row.width == 0)
        return;
    /* Held while it runs: nobody held what the cells name before they were read. */
    const struct pacl_work held = { .op = PACL_OP_COPY, .copy = { .dst = row.dst, .src = row.src } };
    if (!pacl_work_hold(&held)) {
        pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA,
                              "memory that the copy names is not allocated, or was freed");
        return;
    }
    if (is_allowed(s, &row, text, sizeof text)) {
        copy_row(&row);
        pacl_count(&s->bytes_copied, row.width);
    } else {
        pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA, text);
    }
    pacl_work_release(&held);
}
