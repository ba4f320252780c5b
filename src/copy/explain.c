/* SPDX-License-Identifier: Apache-2.0 */
#include "copy/explain.h"

#include <stdio.h>

#include "copy/thresholds.h"

static const char *const way_names[] = { "plain", "beyond", "far", "streamed", "string" };

#define SAY(member, ...) snprintf((member), sizeof(member), __VA_ARGS__)

static void say_rows(const struct pacl_rect *given, const struct pacl_plan *plan, struct pacl_copy_explanation *out)
{
    static const char *const how[] = { "whole vectors, the last one overlapping",
                                       "vectors of half a line, the last one overlapping", "whole vectors",
                                       "whole cache lines, their edges stored apart", "one instruction each" };
    const struct pacl_rect *r = &plan->rect;
    if (plan->rect.height != given->height)
        SAY(out->why_rows, "width and both pitches are %zu: the rows adjoin, and are copied as one row", given->width);
    else if (r->height == 1)
        SAY(out->why_rows, "one row; the pitches say nothing");
    else if (r->width <= PACL_NARROW)
        SAY(out->why_rows, "rows of %zu bytes: a loop for exactly this width", r->width);
    else
        SAY(out->why_rows, "rows of %zu bytes: %s", r->width, how[plan->way]);
}

static void say_streamed(const struct pacl_plan *plan, const struct pacl_copy_tuning *tuning,
                         struct pacl_copy_explanation *out)
{
    const size_t payload = pacl_multiply(plan->rect.width, plan->rect.height);
    if (pacl_copy_is_probed(&plan->rect, tuning))
        SAY(out->why_way,
            "more than %zu bytes (the second cache / %d): when the copy begins, a few loads tell that both sides lie in memory, and stores go past the caches; if a cache has one, the way is %s",
            tuning->second_cache / PACL_PROBE_SHARE, (int)PACL_PROBE_SHARE,
            way_names[pacl_copy_plan(&plan->rect, PACL_IN_CACHE, tuning).way]);
    else if (payload > pacl_copy_stream_from(tuning))
        SAY(out->why_way, "a payload of %zu bytes is more than %zu (the last cache / %d): stores go past the caches",
            payload, pacl_copy_stream_from(tuning), (int)PACL_STREAM_SHARE);
    else
        SAY(out->why_way,
            "rows are %d widths and more apart, over more than the last cache, and %zu bytes are more than %zu (the last cache / %d): stores go past the caches",
            (int)PACL_APART, payload, tuning->last_cache / PACL_SCATTER_SHARE, (int)PACL_SCATTER_SHARE);
}

static void say_plain(const struct pacl_plan *plan, const struct pacl_copy_tuning *tuning,
                      struct pacl_copy_explanation *out)
{
    const struct pacl_rect *r = &plan->rect;
    if (pacl_rows_cost(r->width, r->height) <= tuning->first_cache / PACL_FIRST_SHARE)
        SAY(out->why_way, "not more than %zu bytes are touched (the first cache / %d)",
            tuning->first_cache / PACL_FIRST_SHARE, (int)PACL_FIRST_SHARE);
    else if (r->width <= PACL_NARROW)
        SAY(out->why_way,
            "narrow rows less than %d bytes apart, or not more than %zu bytes of cache lines (the second cache / %d)",
            (int)PACL_FAR_PITCH, tuning->second_cache / PACL_FAR_SHARE, (int)PACL_FAR_SHARE);
    else
        SAY(out->why_way, "rows narrower than two cache lines, from memory or from the last cache");
}

static void say_way(const struct pacl_plan *plan, const struct pacl_copy_tuning *tuning,
                    struct pacl_copy_explanation *out)
{
    switch (plan->way) {
    case PACL_ROWS_STREAMED:
        say_streamed(plan, tuning, out);
        return;
    case PACL_ROWS_FAR:
        SAY(out->why_way,
            "narrow rows, %d bytes and more apart, with more than %zu bytes of cache lines (the second cache / %d): the processor does not follow them",
            (int)PACL_FAR_PITCH, tuning->second_cache / PACL_FAR_SHARE, (int)PACL_FAR_SHARE);
        return;
    case PACL_ROWS_STRING:
        SAY(out->why_way,
            "rows of %d bytes and more, more than %zu in all (the first cache / %d), and rep movsb is fast on this processor",
            (int)PACL_STRING_WIDTH, tuning->first_cache / PACL_FIRST_SHARE, (int)PACL_FIRST_SHARE);
        return;
    case PACL_ROWS_BEYOND:
        SAY(out->why_way,
            "more than %zu bytes (the first cache / %d), where stores of half a line are better than those that cross two",
            tuning->first_cache / PACL_FIRST_SHARE, (int)PACL_FIRST_SHARE);
        return;
    case PACL_ROWS_PLAIN:
    case PACL_ROWS_WAYS:
        say_plain(plan, tuning, out);
    }
}

static void say_pieces(const struct pacl_plan *plan, const struct pacl_copy_tuning *tuning,
                       struct pacl_copy_explanation *out)
{
    if (plan->pieces == 1)
        SAY(out->why_pieces, "%llu bytes of cache lines are touched, not more than %zu: one thread",
            (unsigned long long)out->touched_bytes, pacl_copy_share_from(tuning));
    else if (plan->pieces_per_row > 1)
        SAY(out->why_pieces,
            "rows of %d bytes and more are cut into pieces of %d, which engines and waiting threads share",
            2 * (int)PACL_PIECE_BYTES, (int)PACL_PIECE_BYTES);
    else
        SAY(out->why_pieces,
            "as many rows as touch %d bytes of cache lines; engines and waiting threads share the pieces",
            (int)PACL_PIECE_BYTES);
}

static bool is_bad_pitch(const struct pacl_rect *r, size_t pitch)
{
    enum { PAGE = 4096, SHORT = PAGE / 2 };
    return r->height > 1 && pitch % PAGE == 0 && r->width <= SHORT;
}

/* All rows in few sets of the caches: measured at four times the cost of the same rows 64 bytes further apart. */
static void advise(const struct pacl_rect *r, struct pacl_copy_explanation *out)
{
    const bool dst = is_bad_pitch(r, r->dst_pitch), src = is_bad_pitch(r, r->src_pitch);
    if (dst || src)
        SAY(out->advice, "%s is a multiple of 4096, so that all rows share few sets of the caches; %zu is faster",
            dst ? "dpitch" : "spitch", (dst ? r->dst_pitch : r->src_pitch) + PACL_LINE);
}

static uint32_t prefetch_rows(const struct pacl_plan *plan)
{
    const struct pacl_rect *r = &plan->rect;
    if (plan->way == PACL_ROWS_FAR)
        return PACL_FAR_ROWS;
    return plan->way == PACL_ROWS_STREAMED && pacl_copy_is_gather(r->width, r->src_pitch, r->height) ? PACL_GATHER_ROWS
                                                                                                     : 0;
}

void pacl_copy_explain_plan(const struct pacl_rect *given, const struct pacl_copy_tuning *tuning,
                            struct pacl_copy_explanation *out)
{
    const struct pacl_plan usual = pacl_copy_plan(given, PACL_SOMEWHERE, tuning);
    const bool probed = pacl_copy_is_probed(&usual.rect, tuning);
    const struct pacl_plan plan = probed ? pacl_copy_plan(given, PACL_IN_MEMORY, tuning) : usual;
    const struct pacl_rect *r = &plan.rect;
    out->kernel = pacl_copy_ops.name;
    out->way = way_names[plan.way];
    out->width = r->width;
    out->height = r->height;
    out->payload_bytes = pacl_multiply(r->width, r->height);
    out->touched_bytes = pacl_rows_cost(r->width, r->height);
    out->pieces = plan.pieces;
    out->rows_per_piece = plan.rows_per_piece;
    out->piece_width = plan.piece_width;
    out->prefetch_rows = prefetch_rows(&plan);
    out->advice[0] = '\0';
    say_rows(given, &plan, out);
    say_way(&plan, tuning, out);
    say_pieces(&plan, tuning, out);
    advise(r, out);
}
