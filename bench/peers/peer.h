/* SPDX-License-Identifier: Apache-2.0 */
/* One way to copy a pitched rectangle. Each is one file; peers.c knows them by this interface alone. */
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include "../common/bench.h"

enum { RECTS_MAX = 16 };

/* Where the copies go from and to; owned by peers.c, outlives every peer. Both start at a multiple of 4096. */
struct memory {
    uint8_t *dst;       /* ordinary host memory: where host peers write and where every result is compared */
    const uint8_t *src; /* pinned host memory */
    size_t bytes;       /* of each */
};

struct peer {
    const char *name;
    const char *call; /* what it calls */
    bool limit;       /* no copy, but a part of one: there are no bytes to verify */

    /* Whether it works on this machine; says why not on standard error. Null: always. Called once, first. */
    bool (*open)(const struct memory *memory);
    void (*close)(void);

    /* Makes ready to copy between these rectangles, which differ in their offsets only; they stay until the next call.
     * False: this peer cannot copy such a shape. Null: it takes every shape and needs nothing made ready. */
    bool (*prepare)(const struct bench_rect *rects, int count);

    /* Copies rects[index] and returns when the bytes are there. */
    void (*copy2d)(const struct bench_rect *rects, int index);

    /* For peers whose destination is not memory->dst itself: poisons these bytes of it; brings them to memory->dst. */
    void (*poison)(size_t offset, size_t bytes);
    void (*fetch)(size_t offset, size_t bytes);
};

extern const struct peer peer_loop, peer_pacl, peer_kernels, peer_read, peer_write;
extern const struct peer peer_numpy, peer_libyuv, peer_libavutil, peer_openblas, peer_openmp, peer_pocl;

#endif
