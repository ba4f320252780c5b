/* SPDX-License-Identifier: Apache-2.0 */
#include "core/touch.h"

#include "core/graph.h"
#include "core/indirect.h"
#include "core/kernel.h"
#include "core/reduce.h"
#include "core/stream.h"

static void tell_copy(const struct pacl_work *work, pacl_touch_fn *tell, void *context)
{
    struct pacl_touch touch = {
        .at = work->copy.src, .pitch = work->copy.src_pitch, .width = work->copy.width, .height = work->height
    };
    tell(context, &touch);
    touch.at = work->copy.dst;
    touch.pitch = work->copy.dst_pitch;
    touch.writes = true;
    tell(context, &touch);
}

static void tell_fill(const struct pacl_work *work, size_t element, pacl_touch_fn *tell, void *context)
{
    const size_t bytes = work->fill.count * element;
    const struct pacl_touch touch = {
        .at = work->fill.dst, .pitch = bytes, .width = bytes, .height = 1, .writes = true
    };
    tell(context, &touch);
}

static void tell_cell(const void *at, size_t bytes, bool writes, pacl_touch_fn *tell, void *context)
{
    const struct pacl_touch touch = { .at = at, .pitch = bytes, .width = bytes, .height = 1, .writes = writes };
    tell(context, &touch);
}

static void tell_value(const struct pacl_work *work, pacl_touch_fn *tell, void *context)
{
    const size_t bytes = sizeof(uint64_t);
    const struct pacl_touch touch = { .at = work->value.cell,
                                      .pitch = bytes,
                                      .width = bytes,
                                      .height = 1,
                                      .writes = work->op == PACL_OP_VALUE_WRITE,
                                      .orders = true };
    tell(context, &touch);
}

/* The destination is read and written. */
static void tell_reduce(const struct pacl_work *work, pacl_touch_fn *tell, void *context)
{
    const size_t bytes = work->reduce.count * pacl_reduce_element(work->reduce.type);
    tell_cell(work->reduce.src, bytes, false, tell, context);
    tell_cell(work->reduce.dst, bytes, false, tell, context);
    tell_cell(work->reduce.dst, bytes, true, tell, context);
}

/* Reads first. */
static void tell_kernel(const struct pacl_kernel_call *call, pacl_touch_fn *tell, void *context)
{
    for (int writes = 0; writes <= 1; writes++) {
        for (size_t i = 0; i < call->count; i++) {
            const struct pacl_kernel_access *a = &call->accesses[i];
            const struct pacl_touch touch = {
                .at = a->at, .pitch = a->pitch, .width = a->width, .height = a->height, .writes = writes
            };
            if ((a->writes != 0) == (writes != 0))
                tell(context, &touch);
        }
    }
}

void pacl_work_touches(const struct pacl_work *work, pacl_touch_fn *tell, void *context)
{
    switch (work->op) {
    case PACL_OP_COPY:
        tell_copy(work, tell, context);
        return;
    case PACL_OP_FILL_BYTES:
        tell_fill(work, 1, tell, context);
        return;
    case PACL_OP_FILL_WORDS:
        tell_fill(work, sizeof(uint32_t), tell, context);
        return;
    case PACL_OP_REDUCE:
        tell_reduce(work, tell, context);
        return;
    case PACL_OP_VALUE_WRITE:
    case PACL_OP_VALUE_WAIT:
        tell_value(work, tell, context);
        return;
    case PACL_OP_GRAPH:
        pacl_graph_touches(work, tell, context);
        return;
    case PACL_OP_COPY_BY_CELLS:
        tell_cell(work->indirect.dst, sizeof(void *), false, tell, context);
        tell_cell(work->indirect.src, sizeof(void *), false, tell, context);
        return;
    case PACL_OP_COPY_BY_DESC:
        tell_cell(work->indirect.src, PACL_DESC_BYTES, false, tell, context);
        return;
    case PACL_OP_KERNEL:
        tell_kernel(work->kernel.call, tell, context);
        return;
    default:
        return;
    }
}
