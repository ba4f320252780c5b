/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes that are measured, in the classes of the page's table. */
#ifndef BENCH_PEERS_SHAPES_H
#define BENCH_PEERS_SHAPES_H

#include "peer.h"

/*
 * A shape is copied `steps` times in turn, each time dst_step and src_step bytes further on, so that a shape "from
 * memory" finds neither its source nor its destination in a cache. One step: the same bytes again and again.
 */
struct shape {
    const char *class, *name;
    size_t width, height, dpitch, spitch;
    size_t dst, src;           /* offset of the first rectangle */
    size_t dst_step, src_step; /* from one rectangle to the next */
    int steps;                 /* 1 to RECTS_MAX */
};

int shape_count(void);

/* `quick` gives the same shape with few rows. */
struct shape shape_at(int index, bool quick);

/* The shape's rectangles, shape.steps of them. */
void shape_rects(const struct shape *shape, struct bench_rect rects[RECTS_MAX]);

/* How many bytes of the destination and the source the rectangles span; the larger one. */
size_t shape_span(const struct shape *shape);

#endif
