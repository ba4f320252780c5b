/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

#define WIDE "wide, 4 MiB and more, any pitch"
#define CLIFF "rows 4 to 64 KiB, (dst - src) mod 4096 in 1..31, memory"
#define CLIFF_CACHE "the same in L1/L2"
#define RESIDENT "resident in L2 to L3"
#define CROP "image crop 5760 x 1080"
#define GATHER "KV gather, rows 128 B to 1 KiB, pitch 16 KiB"
#define SCATTER_128 "KV scatter, rows 128 B"
#define SCATTER "KV scatter, rows 256 B to 1 KiB"
#define PACK_64 "narrow packed, pitch 64"
#define PACK_256 "narrow packed, pitch 256"
#define PACK_4160 "narrow packed, pitch 4160"
#define SPREAD_64 "narrow scatter, pitch 64"
#define SPREAD "narrow scatter, pitch 256 and 4160"
#define NARROW_24 "narrow in L1, width <= 24"
#define NARROW_64 "narrow in L1, width 32 to 64"
#define TINY_16 "tiny 16 x 16"
#define TINY_64 "tiny 64 x 8"
#define TINY_256 "tiny 256 x 4"

/* Width and height, dpitch and spitch, offsets of dst and src, steps of dst and src, number of steps. */
static const struct shape shapes[] = {
    { WIDE, "64 KiB rows, contiguous, 4 MiB", 65536, 64, 65536, 65536, 0, 0, 4 * MIB, 4 * MIB, 16 },
    { WIDE, "128 KiB rows, pitch + 64, 64 MiB", 131072, 512, 131136, 131136, 0, 0, 0, 0, 1 },
    { WIDE, "1,000,000 B rows, pitch + 64", 1000000, 64, 1000064, 1000064, 0, 0, 0, 0, 1 },
    { WIDE, "odd width and pitches, 60 MB", 100003, 600, 100003, 100019, 0, 0, 0, 0, 1 },
    { WIDE, "KV page: 128 KiB rows, spitch 2 MiB", 131072, 64, 131072, 2 * MIB, 0, 0, 8 * MIB, 131072, 16 },
    { CLIFF, "4 KiB rows, dst + 17", 4096, 8192, 8192, 4096, 17, 0, 0, 0, 1 },
    { CLIFF, "16 KiB rows, dst + 1", 16384, 2048, 20480, 16384, 1, 0, 0, 0, 1 },
    { CLIFF, "64 KiB rows, dst + 31", 65536, 512, 69632, 65536, 31, 0, 0, 0, 1 },
    { CLIFF_CACHE, "4 KiB x 3, dst + 17", 4096, 3, 8192, 4096, 17, 0, 0, 0, 1 },
    { CLIFF_CACHE, "4 KiB x 24, dst + 17", 4096, 24, 8192, 4096, 17, 0, 0, 0, 1 },
    { CLIFF_CACHE, "16 KiB x 8, dst + 1", 16384, 8, 20480, 16384, 1, 0, 0, 0, 1 },
    { RESIDENT, "1 KiB x 128, L2", 1024, 128, 1088, 1088, 0, 0, 0, 0, 1 },
    { RESIDENT, "4 KiB x 256, L3", 4096, 256, 4160, 4160, 0, 0, 0, 0, 1 },
    { RESIDENT, "4 KiB x 1024, L3", 4096, 1024, 4160, 4160, 0, 0, 0, 0, 1 },
    { CROP, "out of a picture, spitch 6144", 5760, 1080, 5760, 6144, 0, 0, 5760 * 1080, 6144 * 1080, 16 },
    { CROP, "into a picture, dpitch 6144", 5760, 1080, 6144, 5760, 0, 0, 6144 * 1080, 5760 * 1080, 16 },
    { GATHER, "128 B", 128, 8192, 128, 16384, 0, 0, 128 * 8192, 128, 16 },
    { GATHER, "256 B", 256, 8192, 256, 16384, 0, 0, 256 * 8192, 256, 16 },
    { GATHER, "512 B", 512, 8192, 512, 16384, 0, 0, 512 * 8192, 512, 16 },
    { GATHER, "1 KiB", 1024, 8192, 1024, 16384, 0, 0, 1024 * 8192, 1024, 16 },
    { SCATTER_128, "128 B", 128, 8192, 16384, 128, 0, 0, 128, 128 * 8192, 16 },
    { SCATTER, "256 B", 256, 8192, 16384, 256, 0, 0, 256, 256 * 8192, 16 },
    { SCATTER, "512 B", 512, 8192, 16384, 512, 0, 0, 512, 512 * 8192, 16 },
    { SCATTER, "1 KiB", 1024, 8192, 16384, 1024, 0, 0, 1024, 1024 * 8192, 16 },
    { PACK_64, "4 B", 4, 1000000, 4, 64, 0, 0, 0, 0, 1 },
    { PACK_64, "8 B", 8, 1000000, 8, 64, 0, 0, 0, 0, 1 },
    { PACK_64, "32 B", 32, 1000000, 32, 64, 0, 0, 0, 0, 1 },
    { PACK_256, "4 B", 4, 500000, 4, 256, 0, 0, 0, 0, 1 },
    { PACK_256, "8 B", 8, 500000, 8, 256, 0, 0, 0, 0, 1 },
    { PACK_256, "32 B", 32, 500000, 32, 256, 0, 0, 0, 0, 1 },
    { PACK_4160, "4 B", 4, 50000, 4, 4160, 0, 0, 4 * 50000, 64, 16 },
    { PACK_4160, "8 B", 8, 50000, 8, 4160, 0, 0, 8 * 50000, 64, 16 },
    { PACK_4160, "32 B", 32, 50000, 32, 4160, 0, 0, 32 * 50000, 64, 16 },
    { SPREAD_64, "8 B", 8, 1000000, 64, 8, 0, 0, 0, 0, 1 },
    { SPREAD_64, "32 B", 32, 1000000, 64, 32, 0, 0, 0, 0, 1 },
    { SPREAD, "8 B, dpitch 256", 8, 500000, 256, 8, 0, 0, 0, 0, 1 },
    { SPREAD, "32 B, dpitch 256", 32, 500000, 256, 32, 0, 0, 0, 0, 1 },
    { SPREAD, "8 B, dpitch 4160", 8, 50000, 4160, 8, 0, 0, 64, 8 * 50000, 16 },
    { SPREAD, "32 B, dpitch 4160", 32, 50000, 4160, 32, 0, 0, 64, 32 * 50000, 16 },
    { NARROW_24, "4 B x 128", 4, 128, 4, 80, 0, 0, 0, 0, 1 },
    { NARROW_24, "8 B x 128", 8, 128, 8, 80, 0, 0, 0, 0, 1 },
    { NARROW_24, "24 B x 128", 24, 128, 24, 80, 0, 0, 0, 0, 1 },
    { NARROW_64, "32 B x 128", 32, 128, 32, 80, 0, 0, 0, 0, 1 },
    { NARROW_64, "64 B x 128", 64, 128, 64, 80, 0, 0, 0, 0, 1 },
    { TINY_16, "16 x 16", 16, 16, 64, 64, 0, 0, 0, 0, 1 },
    { TINY_64, "64 x 8", 64, 8, 128, 128, 0, 0, 0, 0, 1 },
    { TINY_256, "256 x 4", 256, 4, 512, 512, 0, 0, 0, 0, 1 },
};

int shape_count(void)
{
    return sizeof shapes / sizeof shapes[0];
}

struct shape shape_at(int index, bool quick)
{
    enum { ROWS_QUICK = 9, STEPS_QUICK = 2 };
    struct shape shape = shapes[index];
    if (!quick)
        return shape;
    if (shape.height > ROWS_QUICK)
        shape.height = ROWS_QUICK;
    if (shape.steps > STEPS_QUICK)
        shape.steps = STEPS_QUICK;
    return shape;
}

void shape_rects(const struct shape *shape, struct bench_rect rects[RECTS_MAX])
{
    for (int i = 0; i < shape->steps; i++) {
        rects[i] = (struct bench_rect){ .dst = shape->dst + (size_t)i * shape->dst_step,
                                        .src = shape->src + (size_t)i * shape->src_step,
                                        .dpitch = shape->dpitch,
                                        .spitch = shape->spitch,
                                        .width = shape->width,
                                        .height = shape->height };
    }
}

size_t shape_span(const struct shape *shape)
{
    const size_t last = (size_t)shape->steps - 1;
    const size_t dst = shape->dst + last * shape->dst_step + bench_extent(shape->dpitch, shape->width, shape->height);
    const size_t src = shape->src + last * shape->src_step + bench_extent(shape->spitch, shape->width, shape->height);
    return dst > src ? dst : src;
}
