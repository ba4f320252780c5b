/* SPDX-License-Identifier: Apache-2.0 */
#include "copy/copy.h"

size_t pacl_pitched_first_outside(size_t pitch, size_t width, size_t height, size_t avail)
{
    if (width > avail)
        return 0;
    const size_t inside = (avail - width) / pitch + 1;
    return inside < height ? inside : height;
}

static size_t span(size_t pitch, size_t width, size_t height)
{
    return (height - 1) * pitch + width;
}

bool pacl_rect_overlaps(const struct pacl_rect *r)
{
    const uintptr_t dst = (uintptr_t)r->dst, src = (uintptr_t)r->src;
    const bool dst_first = dst <= src;
    const size_t apart = dst_first ? src - dst : dst - src;
    const size_t first_span =
        dst_first ? span(r->dst_pitch, r->width, r->height) : span(r->src_pitch, r->width, r->height);
    if (apart >= first_span)
        return false;
    if (r->dst_pitch != r->src_pitch)
        return true;
    /* Both sets of rows repeat with the same period: they meet only if their columns do. */
    const size_t column = apart % r->dst_pitch;
    return column < r->width || r->dst_pitch - column < r->width;
}
