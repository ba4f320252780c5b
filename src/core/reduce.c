/* SPDX-License-Identifier: Apache-2.0 */
#include "core/reduce.h"

#include <stdint.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/context.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/hostmem.h"
#include "core/place.h"
#include "core/stream.h"
#include "os/os.h"

/* --- elements ---------------------------------------------------------------------------------------------------- */

/* One loop per type and kind; unaligned addresses are allowed. Sums of integers wrap. */
#define LOOP(type, sum_type, expression) \
    for (size_t i = 0; i < count; i++) { \
        type a, b; \
        memcpy(&a, dst + i * sizeof a, sizeof a); \
        memcpy(&b, src + i * sizeof b, sizeof b); \
        a = (type)(expression); \
        memcpy(dst + i * sizeof a, &a, sizeof a); \
    }

#define REDUCE(name, type, sum_type) \
    static void reduce_##name(uint8_t *dst, const uint8_t *src, size_t count, aclrtReduceKind kind) \
    { \
        if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM) \
            LOOP(type, sum_type, (sum_type)a + (sum_type)b) \
        else if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX) \
            LOOP(type, sum_type, a > b ? a : b) \
        else \
            LOOP(type, sum_type, a < b ? a : b) \
    }

REDUCE(float, float, float)
REDUCE(int8, int8_t, uint32_t)
REDUCE(int16, int16_t, uint32_t)
REDUCE(int32, int32_t, uint32_t)
REDUCE(uint8, uint8_t, uint32_t)
REDUCE(uint16, uint16_t, uint32_t)
REDUCE(uint32, uint32_t, uint32_t)

/* --- 16-bit floating point: reduced as float, rounded to nearest, ties to even --------------------------------------- */

static float from_bf16(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return (uint16_t)((bits >> 16) | 0x40U); /* NaN stays NaN */
    return (uint16_t)((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

static float pick(float a, float b, aclrtReduceKind kind)
{
    if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM)
        return a + b;
    if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX)
        return a > b ? a : b;
    return a < b ? a : b;
}

static void reduce_halves(uint8_t *dst, const uint8_t *src, size_t count, aclrtReduceKind kind, bool brain)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t a, b;
        memcpy(&a, dst + i * sizeof a, sizeof a);
        memcpy(&b, src + i * sizeof b, sizeof b);
        if (brain)
            a = to_bf16(pick(from_bf16(a), from_bf16(b), kind));
        else
            a = aclFloatToFloat16(pick(aclFloat16ToFloat(a), aclFloat16ToFloat(b), kind));
        memcpy(dst + i * sizeof a, &a, sizeof a);
    }
}

size_t pacl_reduce_element(aclDataType type)
{
    switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
        return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
        return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
        return 4;
    default:
        return 0;
    }
}

static void reduce(uint8_t *dst, const uint8_t *src, const struct pacl_work *work)
{
    const size_t count = work->reduce.count;
    const aclrtReduceKind kind = work->reduce.kind;
    switch (work->reduce.type) {
    case ACL_FLOAT:
        reduce_float(dst, src, count, kind);
        return;
    case ACL_INT8:
        reduce_int8(dst, src, count, kind);
        return;
    case ACL_INT16:
        reduce_int16(dst, src, count, kind);
        return;
    case ACL_INT32:
        reduce_int32(dst, src, count, kind);
        return;
    case ACL_UINT8:
        reduce_uint8(dst, src, count, kind);
        return;
    case ACL_UINT16:
        reduce_uint16(dst, src, count, kind);
        return;
    case ACL_UINT32:
        reduce_uint32(dst, src, count, kind);
        return;
    default:
        reduce_halves(dst, src, count, kind, work->reduce.type == ACL_BF16);
        return;
    }
}

/* --- submission -------------------------------------------------------------------------------------------------- */

aclError pacl_reduce_submit(struct pacl_stream *s, void *handle, const struct pacl_work *given, size_t bytes)
{
    char text[PACL_TEXT_MAX];
    struct pacl_work work = *given;
    const struct pacl_place dst = pacl_place_of(work.reduce.dst), src = pacl_place_of(work.reduce.src);
    aclError err = pacl_context_owns(s);
    if (err != ACL_SUCCESS)
        return err;
    if (dst.memory != PACL_MEMORY_DEVICE || src.memory == PACL_MEMORY_PAGEABLE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "dst %p is %s, src %p is %s; a reduction goes from device or pinned to device memory",
                         (void *)work.reduce.dst, pacl_memory_name(dst.memory), (const void *)work.reduce.src,
                         pacl_memory_name(src.memory));
    err = pacl_check_inside("dst", true, work.reduce.dst, bytes, bytes, 1, &dst, text, sizeof text);
    if (err == ACL_SUCCESS)
        err = pacl_check_inside("src", false, work.reduce.src, bytes, bytes, 1, &src, text, sizeof text);
    if (err != ACL_SUCCESS)
        return pacl_submit_fault(s, handle, text);
    work.flags = src.registered ? PACL_REGISTERED_SRC : 0;
    return pacl_stream_submit(s, handle, &work);
}

static bool may_touch(struct pacl_stream *s, const struct pacl_work *work)
{
    char text[PACL_TEXT_MAX];
    const size_t bytes = work->reduce.count * pacl_reduce_element(work->reduce.type);
    aclError err = pacl_check_turn("dst", work->reduce.dst, bytes, s->device->id, PACL_USE_WRITE, text, sizeof text);
    if (err == ACL_SUCCESS)
        err = pacl_check_turn("src", work->reduce.src, bytes, s->device->id, PACL_USE_READ, text, sizeof text);
    if (err != ACL_SUCCESS)
        pacl_stream_fail_task(s, work, err, text);
    return err == ACL_SUCCESS;
}

static void reduce_now(struct pacl_stream *s, const struct pacl_work *work)
{
    if (!may_touch(s, work))
        return;
    const uint32_t rights = os_guard_open();
    reduce(pacl_engine_view(work->reduce.dst), pacl_engine_view(work->reduce.src), work);
    os_guard_close(rights);
}

/* Registered memory stays registered while it is read. */
void pacl_reduce_run(struct pacl_stream *s, const struct pacl_work *work)
{
    if ((work->flags & PACL_REGISTERED_SRC) == 0) {
        reduce_now(s, work);
        return;
    }
    pacl_hostmem_hold();
    if (pacl_hostmem_find(work->reduce.src).base != NULL)
        reduce_now(s, work);
    else
        pacl_stream_fail_task(s, work, ACL_ERROR_RT_SYS_DMA,
                              "host memory that the reduction names was unregistered before it ran");
    pacl_hostmem_release();
}
