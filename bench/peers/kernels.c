/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PACL's plan and kernels by themselves, in one thread: no runtime, no stream, from and to the memory of the loop. What
 * the call adds is the difference to the peer "PACL". The one peer that is built from the library's own sources: a
 * program cannot call them.
 */
#include "common/kernels.h"
#include "peer.h"

static struct memory memory;

static bool open_kernels(const struct memory *given)
{
    memory = *given;
    bench_kernels_init();
    return true;
}

static void copy2d(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    const struct pacl_rect rect = { .dst = memory.dst + r->dst,
                                    .src = memory.src + r->src,
                                    .dst_pitch = r->dpitch,
                                    .src_pitch = r->spitch,
                                    .width = r->width,
                                    .height = r->height };
    bench_kernels_copy(&rect);
}

const struct peer peer_kernels = {
    .name = "PACL kernels",
    .call = "the library's plan and kernels, called directly",
    .open = open_kernels,
    .copy2d = copy2d,
};
