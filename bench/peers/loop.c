/* SPDX-License-Identifier: Apache-2.0 */
/* One memcpy per row: what every other peer is measured against. */
#include "peer.h"

static struct memory memory;

static bool open_loop(const struct memory *given)
{
    memory = *given;
    return true;
}

static void copy2d(const struct bench_rect *rects, int index)
{
    bench_row_loop(memory.dst, memory.src, &rects[index]);
}

const struct peer peer_loop = {
    .name = "memcpy loop",
    .call = "memcpy, once per row",
    .open = open_loop,
    .copy2d = copy2d,
};
