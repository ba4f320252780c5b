/* SPDX-License-Identifier: Apache-2.0 */
/* FFmpeg's copy of an image plane; sizes and strides are int there. */
#include <limits.h>

#include <libavutil/imgutils.h>

#include "peer.h"

static struct memory memory;

static bool open_libavutil(const struct memory *given)
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
    av_image_copy_plane(memory.dst + r->dst, (int)r->dpitch, memory.src + r->src, (int)r->spitch, (int)r->width,
                        (int)r->height);
}

const struct peer peer_libavutil = {
    .name = "libavutil",
    .call = "av_image_copy_plane",
    .open = open_libavutil,
    .prepare = prepare,
    .copy2d = copy2d,
};
