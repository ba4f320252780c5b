/* SPDX-License-Identifier: Apache-2.0 */
#include "copy/copy.h"

#include <string.h>

size_t pacl_copy_stream_from = (size_t)16 << 20;

static size_t touched_per_row(size_t width)
{
    return width > PACL_LINE ? width : PACL_LINE;
}

size_t pacl_rows_cost(size_t width, size_t height)
{
    const size_t row = touched_per_row(width);
    return height > SIZE_MAX / row ? SIZE_MAX : row * height;
}

static size_t divide_up(size_t n, size_t by)
{
    return n / by + (n % by != 0);
}

/* Rows narrower than two lines have no whole line to stream; a span within the second cache needs no prefetch. */
static enum pacl_rows_way choose_way(const struct pacl_rect *r)
{
    enum { NARROW = PACL_LINE, FAR_PITCH = 1024, FAR_SPAN = 1 << 20 };
    const size_t pitch = r->src_pitch > r->dst_pitch ? r->src_pitch : r->dst_pitch;
    if (r->width >= 2 * (size_t)PACL_LINE && r->width >= pacl_copy_stream_from / r->height)
        return PACL_ROWS_STREAMED;
    if (r->width <= NARROW && pitch >= FAR_PITCH && r->height > FAR_SPAN / pitch)
        return PACL_ROWS_FAR;
    return PACL_ROWS_PLAIN;
}

struct pacl_plan pacl_copy_plan(const struct pacl_rect *given)
{
    struct pacl_plan plan = { .rect = *given, .rows_per_piece = given->height, .pieces_per_row = 1, .pieces = 1 };
    struct pacl_rect *r = &plan.rect;
    plan.overlapping = pacl_rect_overlaps(r);
    if (!plan.overlapping && r->width == r->dst_pitch && r->width == r->src_pitch) {
        r->width *= r->height; /* fits: the rows lie in memory one behind the other */
        r->dst_pitch = r->src_pitch = r->width;
        r->height = 1;
        plan.rows_per_piece = 1;
    }
    plan.piece_width = r->width;
    if (plan.overlapping)
        return plan;
    plan.way = choose_way(r);
    if (r->width >= 2 * (size_t)PACL_PIECE_BYTES) {
        plan.rows_per_piece = 1;
        plan.piece_width = PACL_PIECE_BYTES;
        plan.pieces_per_row = divide_up(r->width, plan.piece_width);
        plan.pieces = plan.pieces_per_row * r->height;
        return plan;
    }
    const size_t rows = PACL_PIECE_BYTES / touched_per_row(r->width);
    plan.rows_per_piece = rows > 0 ? rows : 1;
    plan.pieces = divide_up(r->height, plan.rows_per_piece);
    return plan;
}

/* As if the rows were copied one after the other, first row first, each by memmove. */
static void copy_overlapping(const struct pacl_rect *r)
{
    for (size_t row = 0; row < r->height; row++)
        memmove(r->dst + row * r->dst_pitch, r->src + row * r->src_pitch, r->width);
}

void pacl_copy_piece(const struct pacl_plan *plan, size_t index)
{
    const struct pacl_rect *r = &plan->rect;
    if (plan->overlapping) {
        copy_overlapping(r);
        return;
    }
    const size_t row = index / plan->pieces_per_row * plan->rows_per_piece;
    const size_t column = index % plan->pieces_per_row * plan->piece_width;
    const size_t rows_left = r->height - row, width_left = r->width - column;
    pacl_copy_ops.rows[plan->way](r->dst + row * r->dst_pitch + column, r->dst_pitch,
                                  r->src + row * r->src_pitch + column, r->src_pitch,
                                  width_left < plan->piece_width ? width_left : plan->piece_width,
                                  rows_left < plan->rows_per_piece ? rows_left : plan->rows_per_piece);
}

void pacl_fill_bytes(uint8_t *dst, uint8_t value, size_t count)
{
    memset(dst, value, count);
}

void pacl_fill_words(uint8_t *dst, uint32_t value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(dst + i * sizeof value, &value, sizeof value);
}
