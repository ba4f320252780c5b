/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep: random rectangles of at least 4 KiB, with offsets and pitches of every residue; PACL's speed relative to one
 * memcpy per row. Prints the ten worst and how many are under 0.95. A rectangle that falls under it is measured once
 * more with five times the rounds, which takes back what a neighbour on the machine did; both counts are printed.
 */
#include <string.h>

#include "common/bench.h"

enum { RECTS = 2000, RECTS_QUICK = 50, WORST = 10, PAGE = 4096, PAYLOAD_LEAST = 4096 };

/* What the 2D calls take at most. */
enum { WIDTH_MOST = 5000000, HEIGHT_MOST = 5242880 };

#define FLOOR 0.95

static struct bench_options options;
static size_t area;         /* bytes of each memory */
static size_t payload_most; /* of a rectangle */
static uint8_t *source, *host, *device;
static aclrtStream stream;

struct result {
    struct bench_rect rect;
    double first, ratio; /* of the first measurement, of the last one */
};

/* A pitch of any residue: packed, close, or far apart, as far as the rows fit into the area behind the offset. */
static size_t random_pitch(uint64_t *state, size_t width, size_t height)
{
    const size_t room = area - PAGE - BENCH_MARGIN;
    const size_t most = height > 1 ? (room - width) / (height - 1) : room;
    if (most <= width || bench_random(state) % 4 == 0)
        return width;
    return bench_random_size(state, width, most < 16 * width + 65536 ? most : 16 * width + 65536);
}

static struct bench_rect random_rect(uint64_t *state)
{
    const size_t payload = bench_random_size(state, PAYLOAD_LEAST, payload_most);
    const size_t narrowest = (payload + HEIGHT_MOST - 1) / HEIGHT_MOST;
    struct bench_rect r = { .width = bench_random_size(state, narrowest, payload < WIDTH_MOST ? payload : WIDTH_MOST) };
    r.height = (payload + r.width - 1) / r.width;
    r.dpitch = random_pitch(state, r.width, r.height);
    r.spitch = random_pitch(state, r.width, r.height);
    r.dst = bench_random(state) % PAGE;
    r.src = bench_random(state) % PAGE;
    return r;
}

static void pacl_copy(const struct bench_rect *r)
{
    BENCH_CHECK(aclrtMemcpy2dAsync(device + r->dst, r->dpitch, source + r->src, r->spitch, r->width, r->height,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream));
    BENCH_CHECK(aclrtSynchronizeStream(stream));
}

static void loop_copy(const struct bench_rect *r)
{
    bench_row_loop(host, source, r);
}

/* Nanoseconds per copy, the first one not counted. */
static double time_copies(void (*copy)(const struct bench_rect *), const struct bench_rect *r, int repeats)
{
    copy(r);
    const double start = bench_now_ns();
    for (int i = 0; i < repeats; i++)
        copy(r);
    return (bench_now_ns() - start) / repeats;
}

static int repeats_for(const struct bench_rect *r)
{
    const double sample_ns = 2e5, copies = options.quick ? 1 : sample_ns / time_copies(loop_copy, r, 1);
    return copies < 1 ? 1 : copies > 1000 ? 1000 : (int)copies;
}

static double measure(const struct bench_rect *r, int rounds)
{
    double ratio[BENCH_ROUNDS_MAX] = { 0 };
    const int repeats = repeats_for(r);
    for (int round = 0; round < rounds; round++) {
        double loop = 0, pacl = 0;
        if (round % 2 == 0)
            loop = time_copies(loop_copy, r, repeats);
        pacl = time_copies(pacl_copy, r, repeats);
        if (round % 2 != 0)
            loop = time_copies(loop_copy, r, repeats);
        ratio[round] = loop / pacl;
    }
    return bench_median(ratio, rounds);
}

static void verify(const struct bench_rect *r)
{
    const size_t begin = bench_margin_begin(r), bytes = bench_margin_end(r) - begin;
    BENCH_CHECK(aclrtMemset(device + begin, bytes, BENCH_POISON, bytes));
    pacl_copy(r);
    BENCH_CHECK(aclrtMemcpy(host + begin, bytes, device + begin, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    if (!bench_verify("PACL", host, source, r) || !bench_verify_margins("PACL", host, r))
        exit(1);
}

static struct result measure_and_verify(uint64_t *state)
{
    const int again = options.rounds * 5 < BENCH_ROUNDS_MAX ? options.rounds * 5 : BENCH_ROUNDS_MAX;
    struct result result = { .rect = random_rect(state) };
    result.first = result.ratio = measure(&result.rect, options.rounds);
    if (result.first < FLOOR && !options.quick)
        result.ratio = measure(&result.rect, again);
    verify(&result.rect);
    return result;
}

static int by_ratio(const void *a, const void *b)
{
    const struct result *x = a, *y = b;
    return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

static void show_worst(const struct result *results, int count)
{
    bench_title(&options, "worst", "the ten worst");
    bench_row(&options, 8,
              (const char *[]){ "bytes x rows", "dpitch", "spitch", "dst mod 4096", "src mod 4096", "x", "x at first",
                                "(d-s) mod 4096" });
    for (int i = 0; i < count && i < WORST; i++) {
        const struct bench_rect *r = &results[i].rect;
        char cell[8][BENCH_CELL];
        snprintf(cell[0], BENCH_CELL, "%zu x %zu", r->width, r->height);
        snprintf(cell[1], BENCH_CELL, "%zu", r->dpitch);
        snprintf(cell[2], BENCH_CELL, "%zu", r->spitch);
        snprintf(cell[3], BENCH_CELL, "%zu", r->dst);
        snprintf(cell[4], BENCH_CELL, "%zu", r->src);
        snprintf(cell[7], BENCH_CELL, "%zu", (r->dst + PAGE - r->src) % PAGE);
        bench_row(&options, 8,
                  (const char *[]){ cell[0], cell[1], cell[2], cell[3], cell[4],
                                    bench_figure(cell[5], results[i].ratio), bench_figure(cell[6], results[i].first),
                                    cell[7] });
    }
}

static void show_summary(const struct result *results, int count)
{
    int first = 0, last = 0;
    for (int i = 0; i < count; i++) {
        first += results[i].first < FLOOR;
        last += results[i].ratio < FLOOR;
    }
    const char *const name[] = {
        "rectangles",     "seed",   "under 0.95 at first", "under 0.95 measured again", "worst",
        "5th percentile", "median", "95th percentile"
    };
    const double value[] = { count,
                             (double)options.seed,
                             first,
                             last,
                             results[0].ratio,
                             results[count / 20].ratio,
                             results[count / 2].ratio,
                             results[count - 1 - count / 20].ratio };
    bench_title(&options, "sweep", "PACL, x of the memcpy loop");
    for (int i = 0; i < 8; i++) {
        char cell[BENCH_CELL];
        if (i < 4)
            snprintf(cell, sizeof cell, "%.0f", value[i]);
        bench_row(&options, 2, (const char *[]){ name[i], i < 4 ? cell : bench_figure(cell, value[i]) });
    }
}

static uint8_t *aligned(uint8_t *at)
{
    return at + (PAGE - (uintptr_t)at % PAGE) % PAGE;
}

int main(int argc, char **argv)
{
    static struct result results[RECTS];
    options = bench_parse(argc, argv, 5);
    area = options.quick ? (size_t)1 << 20 : (size_t)128 << 20;
    payload_most = area / 8;
    uint8_t *block[3] = { NULL };
    BENCH_CHECK(aclInit(NULL));
    BENCH_CHECK(aclrtSetDevice(0));
    BENCH_CHECK(aclrtCreateStream(&stream));
    BENCH_CHECK(aclrtMallocHost((void **)&block[0], area + PAGE));
    BENCH_CHECK(aclrtMallocHost((void **)&block[1], area + PAGE));
    BENCH_CHECK(aclrtMalloc((void **)&block[2], area + PAGE, ACL_MEM_MALLOC_HUGE_FIRST));
    source = aligned(block[0]);
    host = aligned(block[1]);
    device = aligned(block[2]);
    bench_pattern(source, area);
    memset(host, BENCH_POISON, area); /* every page is there before anything is timed */
    BENCH_CHECK(aclrtMemset(device, area, BENCH_POISON, area));

    const int count = options.quick ? RECTS_QUICK : RECTS;
    uint64_t state = options.seed;
    for (int i = 0; i < count; i++)
        results[i] = measure_and_verify(&state);
    qsort(results, (size_t)count, sizeof results[0], by_ratio);
    show_summary(results, count);
    show_worst(results, count);

    BENCH_CHECK(aclrtFree(block[2]));
    BENCH_CHECK(aclrtFreeHost(block[1]));
    BENCH_CHECK(aclrtFreeHost(block[0]));
    BENCH_CHECK(aclrtDestroyStream(stream));
    BENCH_CHECK(aclrtResetDevice(0));
    return 0;
}
