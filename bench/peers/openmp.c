/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP's copy of a rectangle with the host as both devices. */
#include <omp.h>

#include "peer.h"

static struct memory memory;
static int host;

static bool open_openmp(const struct memory *given)
{
    memory = *given;
    host = omp_get_initial_device();
    return true;
}

static void copy2d(const struct bench_rect *rects, int index)
{
    const struct bench_rect *r = &rects[index];
    const size_t volume[] = { r->height, r->width }, origin[] = { 0, 0 };
    const size_t dst_size[] = { r->height, r->dpitch }, src_size[] = { r->height, r->spitch };
    const int failed = omp_target_memcpy_rect(memory.dst + r->dst, memory.src + r->src, 1, 2, volume, origin, origin,
                                              dst_size, src_size, host, host);
    if (failed != 0) {
        fprintf(stderr, "omp_target_memcpy_rect: %d\n", failed);
        exit(1);
    }
}

const struct peer peer_openmp = {
    .name = "OpenMP",
    .call = "omp_target_memcpy_rect on the host device",
    .open = open_openmp,
    .copy2d = copy2d,
};
