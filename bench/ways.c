/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ways: how fast each way of copying rows is on both sides of the plan's thresholds (src/copy/thresholds.h), relative to
 * one memcpy per row, in one thread; and which way the plan takes. It calls the kernels themselves, since the library
 * chooses for every program. `*` marks the plan's choice; a processor on which another column is ahead wants other
 * thresholds.
 */
#include <string.h>
#include <sys/mman.h>

#include "common/bench.h"
#include "common/kernels.h"

#define KIB ((size_t)1024)
#define MIB ((size_t)1 << 20)

static struct bench_options options;
static uint8_t *source, *destination;
static size_t area;

struct test {
    const char *threshold;
    size_t width, height, dpitch, spitch;
    bool from_memory; /* each copy goes on where the last one ended */
};

static const struct test tests[] = {
    { "string width, first cache", 2 * KIB, 6, 2112, 2112, false },
    { "string width, first cache", 4 * KIB, 3, 4160, 4160, false },
    { "string width, first cache", 16 * KIB, 1, 16448, 16448, false },
    { "string width, second cache", KIB, 96, 1088, 1088, false },
    { "string width, second cache", 1536, 64, 1600, 1600, false },
    { "string width, second cache", 2 * KIB, 48, 2112, 2112, false },
    { "string width, second cache", 4 * KIB, 24, 4160, 4160, false },
    { "string width, second cache", 16 * KIB, 6, 16448, 16448, false },
    { "streaming, in the last cache", 64 * KIB, 16, 65600, 65600, false },
    { "streaming, in the last cache", 64 * KIB, 64, 65600, 65600, false },
    { "streaming, in the last cache", 64 * KIB, 96, 65600, 65600, false },
    { "streaming, from memory", 64 * KIB, 16, 65600, 65600, true },
    { "streaming, from memory", 64 * KIB, 64, 65600, 65600, true },
    { "streaming, from memory", 64 * KIB, 96, 65600, 65600, true },
    { "streaming, from memory", 64 * KIB, 512, 65600, 65600, true },
    { "gather, from memory", 256, 2048, 256, 16 * KIB, true },
    { "gather, from memory", 256, 4096, 256, 16 * KIB, true },
    { "gather, from memory", KIB, 4096, KIB, 16 * KIB, true },
    { "scatter, from memory", 128, 2048, 16 * KIB, 128, true },
    { "scatter, from memory", 128, 8192, 16 * KIB, 128, true },
    { "scatter, from memory", KIB, 4096, 16 * KIB, KIB, true },
    { "prefetch of narrow rows", 8, 100000, 8, 256, true },
    { "prefetch of narrow rows", 8, 100000, 8, KIB, true },
    { "prefetch of narrow rows", 8, 50000, 8, 4160, true },
    { "prefetch of narrow rows", 8, 200, 8, KIB, false },
};
enum { TESTS = sizeof tests / sizeof tests[0] };

static const char *const way_names[PACL_ROWS_WAYS] = { "plain", "beyond", "far", "streamed", "string" };

static size_t height_of(const struct test *t)
{
    enum { ROWS_QUICK = 9 };
    return options.quick && t->height > ROWS_QUICK ? ROWS_QUICK : t->height;
}

static struct pacl_rect rect_of(const struct test *t, size_t step)
{
    const size_t dst_span = bench_extent(t->dpitch, t->width, height_of(t));
    const size_t src_span = bench_extent(t->spitch, t->width, height_of(t));
    const size_t span = (dst_span > src_span ? dst_span : src_span) + 4096 - 1;
    const size_t places = t->from_memory && area / (span / 4096 * 4096) > 1 ? area / (span / 4096 * 4096) : 1;
    const size_t at = step % places * (span / 4096 * 4096);
    return (struct pacl_rect){ .dst = destination + at,
                               .src = source + at,
                               .dst_pitch = t->dpitch,
                               .src_pitch = t->spitch,
                               .width = t->width,
                               .height = height_of(t) };
}

static void copy(const struct pacl_rect *r, int way)
{
    if (way == PACL_ROWS_WAYS)
        bench_row_loop(r->dst, r->src,
                       &(struct bench_rect){
                           .dpitch = r->dst_pitch, .spitch = r->src_pitch, .width = r->width, .height = r->height });
    else
        pacl_copy_ops.rows[way](r->dst, r->dst_pitch, r->src, r->src_pitch, r->width, r->height);
}

/* Nanoseconds per copy of one way, or of the loop. */
static double time_way(const struct test *t, int way, int repeats)
{
    static size_t step;
    struct pacl_rect r = rect_of(t, step++);
    copy(&r, way);
    const double start = bench_now_ns();
    for (int i = 0; i < repeats; i++) {
        r = rect_of(t, step++);
        copy(&r, way);
    }
    return (bench_now_ns() - start) / repeats;
}

static void verify(const struct test *t, int way)
{
    const struct pacl_rect r = rect_of(t, 0);
    const struct bench_rect rect = {
        .dpitch = t->dpitch, .spitch = t->spitch, .width = t->width, .height = height_of(t)
    };
    memset(r.dst, BENCH_POISON, bench_extent(t->dpitch, t->width, height_of(t)));
    copy(&r, way);
    if (!bench_verify(way_names[way], r.dst, r.src, &rect))
        exit(1);
}

static void measure(const struct test *t)
{
    static double ratio[PACL_ROWS_WAYS][BENCH_ROUNDS_MAX], gbps[BENCH_ROUNDS_MAX];
    const double sample_ns = 1e6, payload = (double)t->width * (double)t->height;
    const double copies = options.quick ? 1 : sample_ns / time_way(t, PACL_ROWS_WAYS, 3);
    const int repeats = copies < 1 ? 1 : copies > 100000 ? 100000 : (int)copies;
    for (int round = 0; round < options.rounds; round++) {
        const double loop = time_way(t, PACL_ROWS_WAYS, repeats);
        gbps[round] = payload / loop;
        for (int way = 0; way < PACL_ROWS_WAYS; way++)
            ratio[way][round] = loop / time_way(t, way, repeats);
    }
    const struct pacl_rect r = rect_of(t, 0);
    const int chosen = (int)pacl_copy_plan_now(&r).way;
    char cell[PACL_ROWS_WAYS + 5][BENCH_CELL], figure[BENCH_CELL];
    snprintf(cell[0], BENCH_CELL, "%s", t->threshold);
    snprintf(cell[1], BENCH_CELL, "%zu x %zu", t->width, t->height);
    snprintf(cell[2], BENCH_CELL, "%zu", t->dpitch);
    snprintf(cell[3], BENCH_CELL, "%zu", t->spitch);
    snprintf(cell[4], BENCH_CELL, "%s", bench_figure(figure, bench_median(gbps, options.rounds)));
    for (int way = 0; way < PACL_ROWS_WAYS; way++) {
        verify(t, way);
        snprintf(cell[5 + way], BENCH_CELL, "%s%s", bench_figure(figure, bench_median(ratio[way], options.rounds)),
                 way == chosen ? " *" : "");
    }
    bench_row(&options, 9,
              (const char *[]){ cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7], cell[8] });
}

static uint8_t *memory(void)
{
    uint8_t *at = mmap(NULL, area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return at;
}

int main(int argc, char **argv)
{
    options = bench_parse(argc, argv, 5);
    area = options.quick ? 4 * MIB : 512 * MIB;
    source = memory();
    destination = memory();
    bench_pattern(source, area);
    memset(destination, BENCH_POISON, area);
    bench_kernels_init();
    bench_title(&options, "ways", "ways of copying rows, x of the memcpy loop; * is what the plan takes");
    bench_row(&options, 9,
              (const char *[]){ "threshold", "bytes x rows", "dpitch", "spitch", "loop GB/s", way_names[0],
                                way_names[1], way_names[2], way_names[3] });
    for (int i = 0; i < TESTS; i++)
        measure(&tests[i]);
    return 0;
}
