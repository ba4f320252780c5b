/* SPDX-License-Identifier: Apache-2.0 */
#include "copy/thresholds.h"

#include <string.h>

static size_t divide_up(size_t n, size_t by)
{
    return n / by + (n % by != 0);
}

size_t pacl_copy_stream_from(const struct pacl_copy_tuning *tuning)
{
    return tuning->last_cache / PACL_STREAM_SHARE;
}

size_t pacl_copy_share_from(const struct pacl_copy_tuning *tuning)
{
    const size_t held = tuning->second_cache / PACL_SHARE_SHARE;
    return held > PACL_PIECE_BYTES ? held : PACL_PIECE_BYTES;
}

static size_t wider_pitch(const struct pacl_rect *r)
{
    return r->src_pitch > r->dst_pitch ? r->src_pitch : r->dst_pitch;
}

/* A pitch of PACL_APART widths, over more than the last cache. */
static bool is_apart(const struct pacl_rect *r, const struct pacl_copy_tuning *tuning)
{
    const size_t pitch = wider_pitch(r);
    return r->height > 1 && r->width <= PACL_APART_WIDTH && pitch / PACL_APART >= r->width &&
           pacl_multiply(pitch, r->height) > tuning->last_cache;
}

/* More than any cache holds, or at least than it is likely to hold. */
static bool is_beyond_caches(const struct pacl_rect *r, size_t payload, const struct pacl_copy_tuning *tuning)
{
    const bool apart = is_apart(r, tuning);
    return payload > tuning->last_cache / (apart ? PACL_SCATTER_SHARE : PACL_STREAM_SHARE);
}

bool pacl_copy_is_probed(const struct pacl_rect *r, const struct pacl_copy_tuning *tuning)
{
    const size_t payload = pacl_multiply(r->width, r->height);
    return tuning->memory_ticks > 0 && r->width > PACL_NARROW && payload > tuning->second_cache / PACL_PROBE_SHARE &&
           payload <= pacl_copy_stream_from(tuning);
}

static enum pacl_rows_way choose_narrow(const struct pacl_rect *r, const struct pacl_copy_tuning *tuning)
{
    const bool held = pacl_rows_cost(r->width, r->height) <= tuning->second_cache / PACL_FAR_SHARE;
    return wider_pitch(r) >= PACL_FAR_PITCH && !held ? PACL_ROWS_FAR : PACL_ROWS_PLAIN;
}

static enum pacl_rows_way choose_for_memory(const struct pacl_rect *r)
{
    return r->width >= PACL_STREAM_WIDTH ? PACL_ROWS_STREAMED : PACL_ROWS_PLAIN;
}

/* Rows of less than two lines have few stores that could cross two; from the last cache on that gains nothing. */
static enum pacl_rows_way choose_for_cache(const struct pacl_rect *r, const struct pacl_copy_tuning *tuning)
{
    if (r->width < PACL_STREAM_WIDTH && pacl_rows_cost(r->width, r->height) > tuning->second_cache)
        return PACL_ROWS_PLAIN;
    return r->width >= PACL_STRING_WIDTH && tuning->string_is_fast ? PACL_ROWS_STRING : PACL_ROWS_BEYOND;
}

static enum pacl_rows_way choose_long(const struct pacl_rect *r, enum pacl_residence residence,
                                      const struct pacl_copy_tuning *tuning)
{
    if (r->width <= PACL_NARROW)
        return choose_narrow(r, tuning);
    if (residence == PACL_IN_MEMORY)
        return choose_for_memory(r);
    const size_t payload = pacl_multiply(r->width, r->height);
    if (residence == PACL_SOMEWHERE && r->width >= PACL_STREAM_WIDTH && is_beyond_caches(r, payload, tuning))
        return PACL_ROWS_STREAMED;
    return choose_for_cache(r, tuning);
}

static inline enum pacl_rows_way choose_way(const struct pacl_rect *r, enum pacl_residence residence,
                                            const struct pacl_copy_tuning *tuning)
{
    if (pacl_rows_cost(r->width, r->height) <= tuning->first_cache / PACL_FIRST_SHARE)
        return PACL_ROWS_PLAIN;
    return choose_long(r, residence, tuning);
}

/* Rows are cut only where one alone makes several pieces. */
static void cut(struct pacl_plan *plan)
{
    const struct pacl_rect *r = &plan->rect;
    if (r->width >= 2 * (size_t)PACL_PIECE_BYTES) {
        plan->rows_per_piece = 1;
        plan->piece_width = PACL_PIECE_BYTES;
        plan->pieces_per_row = divide_up(r->width, plan->piece_width);
        plan->pieces = plan->pieces_per_row * r->height;
        return;
    }
    const size_t rows = PACL_PIECE_BYTES / (r->width > PACL_LINE ? r->width : PACL_LINE);
    plan->rows_per_piece = rows > 0 ? rows : 1;
    plan->pieces = divide_up(r->height, plan->rows_per_piece);
}

static bool is_one_row(const struct pacl_rect *r)
{
    return r->width == r->dst_pitch && r->width == r->src_pitch;
}

static void join_rows(struct pacl_rect *r)
{
    r->width *= r->height; /* fits: the rows lie in memory one behind the other */
    r->dst_pitch = r->src_pitch = r->width;
    r->height = 1;
}

struct pacl_plan pacl_copy_plan(const struct pacl_rect *given, enum pacl_residence residence,
                                const struct pacl_copy_tuning *tuning)
{
    struct pacl_plan plan = { .rect = *given, .rows_per_piece = given->height, .pieces_per_row = 1, .pieces = 1 };
    struct pacl_rect *r = &plan.rect;
    plan.overlapping = pacl_rect_overlaps(r);
    if (!plan.overlapping && is_one_row(r)) {
        join_rows(r);
        plan.rows_per_piece = 1;
    }
    plan.piece_width = r->width;
    if (plan.overlapping)
        return plan;
    plan.way = choose_way(r, residence, tuning);
    if (pacl_rows_cost(r->width, r->height) > pacl_copy_share_from(tuning))
        cut(&plan);
    return plan;
}

struct pacl_plan pacl_copy_plan_now(const struct pacl_rect *given)
{
    struct pacl_rect r = *given;
    if (is_one_row(&r))
        join_rows(&r);
    const bool probed = pacl_copy_is_probed(&r, &pacl_copy_tuning);
    const enum pacl_residence residence = probed ? pacl_copy_probe(&r, &pacl_copy_tuning) : PACL_SOMEWHERE;
    return pacl_copy_plan(given, residence, &pacl_copy_tuning);
}

/* As if the rows were copied one after the other, first row first, each by memmove. */
static void copy_overlapping(const struct pacl_rect *r)
{
    for (size_t row = 0; row < r->height; row++)
        memmove(r->dst + row * r->dst_pitch, r->src + row * r->src_pitch, r->width);
}

static __attribute__((noinline)) void copy_long(const struct pacl_rect *rect)
{
    struct pacl_rect r = *rect;
    if (is_one_row(&r))
        join_rows(&r);
    pacl_copy_ops.rows[choose_way(&r, PACL_SOMEWHERE, &pacl_copy_tuning)](r.dst, r.dst_pitch, r.src, r.src_pitch,
                                                                          r.width, r.height);
}

void pacl_copy_small(const struct pacl_rect *r)
{
    const bool held = pacl_rows_cost(r->width, r->height) <= pacl_copy_tuning.first_cache / PACL_FIRST_SHARE;
    if (!held || is_one_row(r))
        copy_long(r);
    else
        pacl_copy_ops.rows[PACL_ROWS_PLAIN](r->dst, r->dst_pitch, r->src, r->src_pitch, r->width, r->height);
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

void pacl_copy_alone(const struct pacl_rect *rect)
{
    if (pacl_rows_cost(rect->width, rect->height) <= PACL_PIECE_BYTES) {
        pacl_copy_small(rect);
        return;
    }
    const struct pacl_plan plan = pacl_copy_plan_now(rect);
    for (size_t i = 0; i < plan.pieces; i++)
        pacl_copy_piece(&plan, i);
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
