/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS' matrix copy B = 1.0 * A. A matrix of doubles: widths and pitches must be multiples of 8. */
#include <cblas.h>
#include <limits.h>

#include "peer.h"

enum { ELEMENT = sizeof(double) };

static struct memory memory;

static bool open_openblas(const struct memory *given)
{
    memory = *given;
    return true;
}

static bool prepare(const struct bench_rect *rects, int count)
{
    (void)count;
    return rects->width % ELEMENT == 0 && rects->dpitch % ELEMENT == 0 && rects->spitch % ELEMENT == 0 &&
           rects->dpitch / ELEMENT <= INT_MAX && rects->spitch / ELEMENT <= INT_MAX && rects->height <= INT_MAX;
}

/* The library takes doubles at any address where the processor does, which is what the shapes with odd offsets ask. */
static void copy2d(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    const void *from = memory.src + r->src;
    void *to = memory.dst + r->dst;
    cblas_domatcopy(CblasRowMajor, CblasNoTrans, (blasint)r->height, (blasint)(r->width / ELEMENT), 1.0, from,
                    (blasint)(r->spitch / ELEMENT), to, (blasint)(r->dpitch / ELEMENT));
}

const struct peer peer_openblas = {
    .name = "OpenBLAS",
    .call = "cblas_domatcopy, widths that are multiples of 8",
    .open = open_openblas,
    .prepare = prepare,
    .copy2d = copy2d,
};
