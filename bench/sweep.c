/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep: random rectangles of at least 4 KiB, with offsets and pitches of every residue; the speed relative to one
 * memcpy per row, of a call with its synchronize, and of plan and kernels without the call. Prints the ten worst, and
 * how many are under 0.95, by size. A rectangle that falls under it is measured once more with five times the rounds,
 * which takes back what a neighbour on the machine did; both counts are printed.
 */
#include <math.h>
#include <string.h>

#include "common/bench.h"
#include "common/kernels.h"

enum { RECTS = 2000, RECTS_QUICK = 50, WORST = 10, PAGE = 4096, PAYLOAD_LEAST = 4096 };

/* What the 2D calls take at most. */
enum { WIDTH_MOST = 5000000, HEIGHT_MOST = 5242880 };

#define FLOOR 0.95

static struct bench_options options;
static size_t area;         /* bytes of each memory */
static size_t payload_most; /* of a rectangle */
static uint8_t *source, *host, *device;
static aclrtStream stream;

enum who { CALLED, KERNELS, WHO };
static enum who sorted_by;

struct result {
    struct bench_rect rect;
    double first[WHO], ratio[WHO]; /* of the first measurement, of the last one */
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

static void kernels_copy(const struct bench_rect *r)
{
    const struct pacl_rect rect = { .dst = host + r->dst,
                                    .src = source + r->src,
                                    .dst_pitch = r->dpitch,
                                    .src_pitch = r->spitch,
                                    .width = r->width,
                                    .height = r->height };
    bench_kernels_copy(&rect);
}

static void (*const copies[WHO])(const struct bench_rect *r) = { pacl_copy, kernels_copy };

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
    const double sample_ns = 2e5, fit = options.quick ? 1 : sample_ns / time_copies(loop_copy, r, 1);
    return fit < 1 ? 1 : fit > 1000 ? 1000 : (int)fit;
}

static double measure(enum who who, const struct bench_rect *r, int rounds)
{
    double ratio[BENCH_ROUNDS_MAX] = { 0 };
    const int repeats = repeats_for(r);
    for (int round = 0; round < rounds; round++) {
        double loop = 0, copy = 0;
        if (round % 2 == 0)
            loop = time_copies(loop_copy, r, repeats);
        copy = time_copies(copies[who], r, repeats);
        if (round % 2 != 0)
            loop = time_copies(loop_copy, r, repeats);
        ratio[round] = loop / copy;
    }
    return bench_median(ratio, rounds);
}

static void poison(const struct bench_rect *r)
{
    const size_t begin = bench_margin_begin(r), bytes = bench_margin_end(r) - begin;
    memset(host + begin, BENCH_POISON, bytes);
    BENCH_CHECK(aclrtMemset(device + begin, bytes, BENCH_POISON, bytes));
}

static void fetch(const struct bench_rect *r)
{
    const size_t begin = bench_margin_begin(r), bytes = bench_margin_end(r) - begin;
    BENCH_CHECK(aclrtMemcpy(host + begin, bytes, device + begin, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

static void verify(const struct bench_rect *r)
{
    static const char *const names[WHO] = { "PACL", "kernels" };
    for (enum who who = 0; who < WHO; who++) {
        poison(r);
        copies[who](r);
        if (who == CALLED)
            fetch(r);
        if (!bench_verify(names[who], host, source, r) || !bench_verify_margins(names[who], host, r))
            exit(1);
    }
}

static struct result measure_and_verify(uint64_t *state)
{
    const int again = options.rounds * 5 < BENCH_ROUNDS_MAX ? options.rounds * 5 : BENCH_ROUNDS_MAX;
    struct result result = { .rect = random_rect(state) };
    for (enum who who = 0; who < WHO; who++) {
        result.first[who] = result.ratio[who] = measure(who, &result.rect, options.rounds);
        if (result.first[who] < FLOOR && !options.quick)
            result.ratio[who] = measure(who, &result.rect, again);
    }
    verify(&result.rect);
    return result;
}

static int by_ratio(const void *a, const void *b)
{
    const struct result *x = a, *y = b;
    return (x->ratio[sorted_by] > y->ratio[sorted_by]) - (x->ratio[sorted_by] < y->ratio[sorted_by]);
}

static void sort(struct result *results, int count, enum who who)
{
    sorted_by = who;
    qsort(results, (size_t)count, sizeof results[0], by_ratio);
}

static void show_worst(struct result *results, int count, enum who who, const char *name, const char *title)
{
    sort(results, count, who);
    bench_title(&options, name, title);
    bench_row(&options, 8,
              (const char *[]){ "bytes x rows", "dpitch", "spitch", "dst mod 4096", "src mod 4096", "x", "x at first",
                                "x of the other" });
    for (int i = 0; i < count && i < WORST; i++) {
        const struct bench_rect *r = &results[i].rect;
        char cell[8][BENCH_CELL];
        snprintf(cell[0], BENCH_CELL, "%zu x %zu", r->width, r->height);
        snprintf(cell[1], BENCH_CELL, "%zu", r->dpitch);
        snprintf(cell[2], BENCH_CELL, "%zu", r->spitch);
        snprintf(cell[3], BENCH_CELL, "%zu", r->dst);
        snprintf(cell[4], BENCH_CELL, "%zu", r->src);
        bench_row(&options, 8,
                  (const char *[]){ cell[0], cell[1], cell[2], cell[3], cell[4],
                                    bench_figure(cell[5], results[i].ratio[who]),
                                    bench_figure(cell[6], results[i].first[who]),
                                    bench_figure(cell[7], results[i].ratio[who == CALLED ? KERNELS : CALLED]) });
    }
}

/* The figures of one way to copy, a cell each. */
static void summarize(struct result *results, int count, enum who who, char cell[][BENCH_CELL])
{
    int first = 0, last = 0;
    for (int i = 0; i < count; i++) {
        first += results[i].first[who] < FLOOR;
        last += results[i].ratio[who] < FLOOR;
    }
    sort(results, count, who);
    snprintf(cell[0], BENCH_CELL, "%d", first);
    snprintf(cell[1], BENCH_CELL, "%d", last);
    bench_figure(cell[2], results[0].ratio[who]);
    bench_figure(cell[3], results[count / 20].ratio[who]);
    bench_figure(cell[4], results[count / 2].ratio[who]);
    bench_figure(cell[5], results[count - 1 - count / 20].ratio[who]);
}

static void show_summary(struct result *results, int count)
{
    static const char *const name[] = {
        "under 0.95 at first", "under 0.95 measured again", "worst", "5th percentile", "median", "95th percentile"
    };
    enum { FIGURES = sizeof name / sizeof name[0] };
    char cell[WHO][FIGURES][BENCH_CELL], title[BENCH_CELL];
    snprintf(title, sizeof title, "%d rectangles, seed %llu", count, (unsigned long long)options.seed);
    for (enum who who = 0; who < WHO; who++)
        summarize(results, count, who, cell[who]);
    bench_title(&options, "sweep", "x of the memcpy loop");
    bench_row(&options, 3, (const char *[]){ title, "call and synchronize", "kernels alone" });
    for (int i = 0; i < FIGURES; i++)
        bench_row(&options, 3, (const char *[]){ name[i], cell[CALLED][i], cell[KERNELS][i] });
}

/* How many fall short, by what they move: a call's own time weighs on what is soon copied. */
static void show_by_size(const struct result *results, int count)
{
    static const size_t upto[] = { 8 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, SIZE_MAX };
    static const char *const name[] = { "4 to 8 KiB",       "8 to 16 KiB", "16 to 64 KiB", "64 to 256 KiB",
                                        "256 KiB to 1 MiB", "1 to 4 MiB",  "more" };
    size_t from = 0;
    bench_title(&options, "sweep_sizes", "under 0.95, by payload");
    bench_row(
        &options, 6,
        (const char *[]){ "payload", "rectangles", "called, under 0.95", "worst", "kernels, under 0.95", "worst" });
    for (size_t i = 0; i < sizeof upto / sizeof upto[0]; from = upto[i++]) {
        int all = 0, under[WHO] = { 0 };
        double worst[WHO] = { NAN, NAN };
        char cell[5][BENCH_CELL];
        for (const struct result *r = results; r < results + count; r++) {
            const size_t payload = r->rect.width * r->rect.height;
            if (payload < from || payload >= upto[i])
                continue;
            all++;
            for (enum who who = 0; who < WHO; who++) {
                under[who] += r->ratio[who] < FLOOR;
                worst[who] = fmin(worst[who], r->ratio[who]);
            }
        }
        snprintf(cell[0], BENCH_CELL, "%d", all);
        snprintf(cell[1], BENCH_CELL, "%d", under[CALLED]);
        snprintf(cell[3], BENCH_CELL, "%d", under[KERNELS]);
        bench_row(&options, 6,
                  (const char *[]){ name[i], cell[0], cell[1], bench_figure(cell[2], worst[CALLED]), cell[3],
                                    bench_figure(cell[4], worst[KERNELS]) });
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
    bench_kernels_init();
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
    show_summary(results, count);
    show_by_size(results, count);
    show_worst(results, count, CALLED, "worst", "the ten worst calls");
    show_worst(results, count, KERNELS, "worst_kernels", "the ten worst of the kernels alone");

    BENCH_CHECK(aclrtFree(block[2]));
    BENCH_CHECK(aclrtFreeHost(block[1]));
    BENCH_CHECK(aclrtFreeHost(block[0]));
    BENCH_CHECK(aclrtDestroyStream(stream));
    BENCH_CHECK(aclrtResetDevice(0));
    return 0;
}
