/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peers: pitched copies by PACL and by what a user could take instead, as speed relative to one memcpy per row.
 *
 * Every round measures every peer once, each round beginning with another one; a ratio compares two samples of the same
 * round and process, and the figure is the median of the rounds. PACL has two engines in this process, and one thread
 * in a second one. All copies are verified after the timing; a wrong byte fails the program.
 */
#include <math.h>
#include <string.h>

#include "child.h"
#include "measure.h"

/* The loop first: the others are measured against it. */
static const struct peer *const known[] = {
    &peer_loop,      &peer_pacl,
#ifdef BENCH_HAVE_NUMPY
    &peer_numpy,
#endif
#ifdef BENCH_HAVE_LIBYUV
    &peer_libyuv,
#endif
#ifdef BENCH_HAVE_LIBAVUTIL
    &peer_libavutil,
#endif
#ifdef BENCH_HAVE_OPENBLAS
    &peer_openblas,
#endif
#ifdef BENCH_HAVE_OPENMP
    &peer_openmp,
#endif
#ifdef BENCH_HAVE_POCL
    &peer_pocl,
#endif
    &peer_read,      &peer_write,
};

enum { KNOWN = sizeof known / sizeof known[0], LOOP = 0, COLUMNS = KNOWN + 9 };

static struct bench_options options;
static struct memory memory;
static const struct peer *peers[KNOWN]; /* those that work here */
static int peer_count;

static void open_peers(void)
{
    bench_title(&options, "peers", "peers of this run");
    for (int i = 0; i < KNOWN; i++) {
        const bool works = known[i]->open == NULL || known[i]->open(&memory);
        if (works)
            peers[peer_count++] = known[i];
        bench_row(&options, 3, (const char *[]){ known[i]->call, known[i]->name, works ? "measured" : "missing" });
    }
#ifdef BENCH_MISSING
    bench_row(&options, 3, (const char *[]){ "not there when this was built", BENCH_MISSING, "missing" });
#endif
}

static void close_peers(void)
{
    for (int i = 0; i < peer_count; i++) {
        if (peers[i]->close != NULL)
            peers[i]->close();
    }
}

struct result {
    double loop_gbps;    /* payload */
    double kernels;      /* ratios in the second process: PACL's kernels alone, */
    double one_thread;   /* and its calls */
    double ratio[KNOWN]; /* by peer; NaN where it cannot copy the shape */
};

static void prepare(const struct shape *shape, bool takes[KNOWN])
{
    static struct bench_rect rects[RECTS_MAX];
    shape_rects(shape, rects);
    for (int i = 0; i < peer_count; i++)
        takes[i] = peers[i]->prepare == NULL || peers[i]->prepare(rects, shape->steps);
}

static void verify(int index, const struct shape *shape, const bool takes[KNOWN])
{
    bool right = child_verify(index);
    for (int i = 0; i < peer_count; i++)
        right = (!takes[i] || peers[i]->limit || measure_verify(peers[i], shape, &memory)) && right;
    if (!right) {
        fprintf(stderr, "peers: '%s, %s' is copied wrongly\n", shape->class, shape->name);
        exit(1);
    }
}

/* One round: nanoseconds by peer. */
static void measure_round(const struct shape *shape, int round, int repeats, const bool takes[KNOWN], double ns[KNOWN])
{
    for (int k = 0; k < peer_count; k++) {
        const int i = (k + round) % peer_count;
        ns[i] = takes[i] ? measure(peers[i], shape, repeats) : NAN;
    }
}

static struct result measure_shape(int index, const struct shape *shape)
{
    static double ratio[KNOWN][BENCH_ROUNDS_MAX], one_thread[BENCH_ROUNDS_MAX];
    static double kernels[BENCH_ROUNDS_MAX], loop[BENCH_ROUNDS_MAX];
    bool takes[KNOWN] = { false };
    prepare(shape, takes);
    const int repeats = measure_repeats(shape, options.quick);
    for (int round = 0; round < options.rounds; round++) {
        double ns[KNOWN] = { 0 };
        measure_round(shape, round, repeats, takes, ns);
        const struct child_times child = child_measure(index, repeats);
        loop[round] = ns[LOOP];
        kernels[round] = child.loop / child.kernels;
        one_thread[round] = child.loop / child.pacl;
        for (int i = 0; i < peer_count; i++)
            ratio[i][round] = ns[LOOP] / ns[i];
    }
    verify(index, shape, takes);

    struct result result = { .kernels = bench_median(kernels, options.rounds),
                             .one_thread = bench_median(one_thread, options.rounds) };
    result.loop_gbps = (double)shape->width * (double)shape->height / bench_median(loop, options.rounds);
    for (int i = 0; i < peer_count; i++)
        result.ratio[i] = takes[i] ? bench_median(ratio[i], options.rounds) : NAN;
    return result;
}

/* The shape's class is a cell of its own for the script, and a title for people. */
static void show_row(int cells, const char *const cell[])
{
    if (options.tsv)
        bench_row(&options, cells, cell);
    else
        bench_row(&options, cells - 1, cell + 1);
}

static void show_heading(void)
{
    const char *cell[COLUMNS] = {
        "class", "shape", "bytes x rows", "dpitch", "spitch", "loop GB/s", "kernels", "PACL 1"
    };
    int cells = 8;
    for (int i = LOOP + 1; i < peer_count; i++)
        cell[cells++] = peers[i] == &peer_pacl ? "PACL 2" : peers[i]->name;
    bench_title(&options, "shapes", "x of the memcpy loop");
    show_row(cells, cell);
}

static void show_shape(const struct shape *shape, const struct result *result)
{
    static char text[COLUMNS][BENCH_CELL];
    const char *cell[COLUMNS] = { shape->class, shape->name, text[2], text[3], text[4] };
    snprintf(text[2], BENCH_CELL, "%zu x %zu", shape->width, shape->height);
    snprintf(text[3], BENCH_CELL, "%zu", shape->dpitch);
    snprintf(text[4], BENCH_CELL, "%zu", shape->spitch);
    cell[5] = bench_figure(text[5], result->loop_gbps);
    cell[6] = bench_figure(text[6], result->kernels);
    cell[7] = bench_figure(text[7], result->one_thread);
    int cells = 8;
    for (int i = LOOP + 1; i < peer_count; i++, cells++)
        cell[cells] = bench_figure(text[cells], result->ratio[i]);
    show_row(cells, cell);
}

static void show_shapes(void)
{
    const char *class = "";
    show_heading();
    for (int i = 0; i < shape_count(); i++) {
        const struct shape shape = shape_at(i, options.quick);
        const struct result result = measure_shape(i, &shape);
        if (!options.tsv && strcmp(class, shape.class) != 0)
            printf("%s\n", shape.class);
        class = shape.class;
        show_shape(&shape, &result);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], CHILD_ARGUMENT) == 0)
        return child_main(strcmp(argv[2], "quick") == 0);
    options = bench_parse(argc, argv, 9);
    child_start(argv[0], options.quick);
    setenv("PACL_ENGINES", "2", 1);
    BENCH_CHECK(aclInit(NULL));
    BENCH_CHECK(aclrtSetDevice(0));
    memory = measure_memory(options.quick);
    open_peers();
    show_shapes();
    close_peers();
    measure_memory_free(&memory);
    child_stop();
    BENCH_CHECK(aclrtResetDevice(0));
    return 0;
}
