/* SPDX-License-Identifier: Apache-2.0 */
/* libyuv's copy of an image plane; sizes and strides are int there. */
#include <limits.h>

#include <libyuv/planar_functions.h>

#include "peer.h"

static struct memory memory;

static bool open_libyuv(const struct memory *given)
{
    memory = *given;
    return true;
}

static bool prepare(const struct bench_rect *rects, int count)
{
    (void)count;
    return rects->dpitch <= INT_MAX && rects->spitch <= INT_MAX && rects->height <= INT_MAX;
}

static void copy2d(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    CopyPlane(memory.src + r->src, (int)r->spitch, memory.dst + r->dst, (int)r->dpitch, (int)r->width, (int)r->height);
}

const struct peer peer_libyuv = {
    .name = "libyuv",
    .call = "CopyPlane",
    .open = open_libyuv,
    .prepare = prepare,
    .copy2d = copy2d,
};
