/* SPDX-License-Identifier: Apache-2.0 */
/*
 * async_cost: what asynchrony costs on a copy of 16 x 16 bytes, where it is nearly all of the cost: PACL and POCL, with
 * the memcpy loop, which has none, beside them. Rounds are interleaved, figures are medians; all bytes are verified.
 *
 * "Idle" is after the caller has slept 0.3 ms, the worker threads with it; the loop's own figure there shows what cold
 * caches and a sleeping processor cost without any runtime.
 */
#include <math.h>
#include <string.h>

#include "common/bench.h"
#ifdef BENCH_HAVE_POCL
#include "common/opencl.h"
#endif

enum { IDLE_NS = 300000, BURST = 100, BYTES = 4096 };

static const struct bench_rect tiny = { .dpitch = 64, .spitch = 64, .width = 16, .height = 16 };

/* One way to copy: `submit` returns at once, `wait` when everything is done; both on the rectangle above. */
struct variant {
    const char *name;
    void (*submit)(void);
    void (*wait)(void);
    bool (*verify)(void);
};

static uint8_t *source, *host; /* pinned; what the loop and POCL write, and where every result is compared */

/* --- the loop ---------------------------------------------------------------------------------------------------- */

static void loop_submit(void)
{
    bench_row_loop(host, source, &tiny);
}

static void loop_wait(void)
{
}

static bool loop_verify(void)
{
    memset(host, BENCH_POISON, BYTES);
    loop_submit();
    return bench_verify("memcpy loop", host, source, &tiny);
}

/* --- PACL -------------------------------------------------------------------------------------------------------- */

static uint8_t *device;
static aclrtStream stream;

static void pacl_submit(void)
{
    BENCH_CHECK(aclrtMemcpy2dAsync(device, tiny.dpitch, source, tiny.spitch, tiny.width, tiny.height,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void pacl_wait(void)
{
    BENCH_CHECK(aclrtSynchronizeStream(stream));
}

static bool pacl_verify(void)
{
    BENCH_CHECK(aclrtMemset(device, BYTES, BENCH_POISON, BYTES));
    pacl_submit();
    pacl_wait();
    BENCH_CHECK(aclrtMemcpy(host, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    return bench_verify("PACL", host, source, &tiny);
}

/* --- POCL -------------------------------------------------------------------------------------------------------- */

#ifdef BENCH_HAVE_POCL
static struct bench_opencl cl;
static cl_mem cl_dst, cl_src;

static bool pocl_open(void)
{
    if (!bench_opencl_open(&cl))
        return false;
    cl_dst = bench_opencl_buffer(&cl, host, BYTES);
    cl_src = bench_opencl_buffer(&cl, source, BYTES);
    return true;
}

static void pocl_close(void)
{
    bench_opencl_check("clReleaseMemObject", clReleaseMemObject(cl_dst));
    bench_opencl_check("clReleaseMemObject", clReleaseMemObject(cl_src));
    bench_opencl_close(&cl);
}

/* The flush is what starts the work: without it "submission" would only be a note. */
static void pocl_submit(void)
{
    bench_opencl_copy(&cl, cl_dst, cl_src, &tiny);
    bench_opencl_check("clFlush", clFlush(cl.queue));
}

static void pocl_wait(void)
{
    bench_opencl_finish(&cl);
}

static bool pocl_verify(void)
{
    uint8_t *at = bench_opencl_map(&cl, cl_dst, 0, BYTES);
    memset(at, BENCH_POISON, BYTES);
    bench_opencl_unmap(&cl, cl_dst, at);
    pocl_submit();
    pocl_wait();
    at = bench_opencl_map(&cl, cl_dst, 0, BYTES);
    const bool right = bench_verify("POCL", at, source, &tiny);
    bench_opencl_unmap(&cl, cl_dst, at);
    return right;
}
#endif

/* --- the measures: nanoseconds per copy -------------------------------------------------------------------------- */

static int samples = 50; /* idle periods or bursts in a round */
static int million = 1000000;

/* The copy before the burst wakes whoever works, so that no wake-up is counted. */
static double submit_awake(const struct variant *v)
{
    double spent = 0;
    for (int i = 0; i < samples; i++) {
        v->submit();
        const double start = bench_now_ns();
        for (int k = 0; k < BURST; k++)
            v->submit();
        spent += bench_now_ns() - start;
        v->wait();
    }
    return spent / samples / BURST;
}

static double submit_idle(const struct variant *v)
{
    static double each[BENCH_ROUNDS_MAX];
    for (int i = 0; i < samples; i++) {
        bench_sleep_ns(IDLE_NS);
        const double start = bench_now_ns();
        v->submit();
        each[i] = bench_now_ns() - start;
        v->wait();
    }
    return bench_median(each, samples);
}

static double whole_hot(const struct variant *v)
{
    const int copies = samples * BURST;
    v->submit();
    v->wait();
    const double start = bench_now_ns();
    for (int i = 0; i < copies; i++) {
        v->submit();
        v->wait();
    }
    return (bench_now_ns() - start) / copies;
}

static double whole_idle(const struct variant *v)
{
    static double each[BENCH_ROUNDS_MAX];
    for (int i = 0; i < samples; i++) {
        bench_sleep_ns(IDLE_NS);
        const double start = bench_now_ns();
        v->submit();
        v->wait();
        each[i] = bench_now_ns() - start;
    }
    return bench_median(each, samples);
}

static double a_million(const struct variant *v)
{
    const double start = bench_now_ns();
    for (int i = 0; i < million; i++)
        v->submit();
    v->wait();
    return (bench_now_ns() - start) / million;
}

static const struct measure {
    const char *name;
    double (*of)(const struct variant *v);
} measures[] = {
    { "submission, engine awake", submit_awake },
    { "submission after 0.3 ms idle", submit_idle },
    { "submit + synchronize, hot", whole_hot },
    { "submit + synchronize after 0.3 ms idle", whole_idle },
    { "a million copies, one synchronize, per copy", a_million },
};

enum { LOOP, PACL, POCL, VARIANTS, MEASURES = sizeof measures / sizeof measures[0] };

static const struct variant variants[VARIANTS] = {
    [LOOP] = { "memcpy loop", loop_submit, loop_wait, loop_verify },
    [PACL] = { "PACL", pacl_submit, pacl_wait, pacl_verify },
#ifdef BENCH_HAVE_POCL
    [POCL] = { "POCL", pocl_submit, pocl_wait, pocl_verify },
#endif
};

/* `available` says which variants take part; NaN stands for the others. */
static void measure_all(const struct bench_options *options, const bool available[VARIANTS],
                        double ns[MEASURES][VARIANTS])
{
    static double round_ns[MEASURES][VARIANTS][BENCH_ROUNDS_MAX];
    for (int round = 0; round < options->rounds; round++) {
        for (int m = 0; m < MEASURES; m++) {
            for (int k = 0; k < VARIANTS; k++) {
                const int v = (k + round) % VARIANTS;
                round_ns[m][v][round] = available[v] ? measures[m].of(&variants[v]) : NAN;
            }
        }
    }
    for (int m = 0; m < MEASURES; m++) {
        for (int v = 0; v < VARIANTS; v++)
            ns[m][v] = available[v] ? bench_median(round_ns[m][v], options->rounds) : NAN;
    }
}

static void show(const struct bench_options *options, double ns[MEASURES][VARIANTS])
{
    bench_title(options, "async",
                "a copy of 16 x 16 bytes, nanoseconds; x: times as fast as POCL, times the loop's cost");
    bench_row(options, 6, (const char *[]){ "measure", "loop ns", "PACL ns", "POCL ns", "PACL/loop", "POCL/PACL" });
    for (int m = 0; m < MEASURES; m++) {
        char cell[5][BENCH_CELL];
        const double *n = ns[m];
        bench_row(options, 6,
                  (const char *[]){ measures[m].name, bench_figure(cell[0], n[LOOP]), bench_figure(cell[1], n[PACL]),
                                    bench_figure(cell[2], n[POCL]), bench_figure(cell[3], n[PACL] / n[LOOP]),
                                    bench_figure(cell[4], n[POCL] / n[PACL]) });
    }
}

static bool verify(const bool available[VARIANTS])
{
    bool right = true;
    for (int v = 0; v < VARIANTS; v++)
        right = (!available[v] || variants[v].verify()) && right;
    return right;
}

static void open_all(bool available[VARIANTS])
{
    BENCH_CHECK(aclInit(NULL));
    BENCH_CHECK(aclrtSetDevice(0));
    BENCH_CHECK(aclrtCreateStream(&stream));
    BENCH_CHECK(aclrtMalloc((void **)&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    BENCH_CHECK(aclrtMallocHost((void **)&source, BYTES));
    BENCH_CHECK(aclrtMallocHost((void **)&host, BYTES));
    bench_pattern(source, BYTES);
    memset(host, BENCH_POISON, BYTES);
    available[LOOP] = available[PACL] = true;
#ifdef BENCH_HAVE_POCL
    available[POCL] = pocl_open();
#endif
}

static void close_all(const bool available[VARIANTS])
{
#ifdef BENCH_HAVE_POCL
    if (available[POCL])
        pocl_close();
#endif
    (void)available;
    BENCH_CHECK(aclrtFreeHost(host));
    BENCH_CHECK(aclrtFreeHost(source));
    BENCH_CHECK(aclrtFree(device));
    BENCH_CHECK(aclrtDestroyStream(stream));
    BENCH_CHECK(aclrtResetDevice(0));
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_parse(argc, argv, 9);
    if (options.quick) {
        samples = 2;
        million = 1000;
    }
    bool available[VARIANTS] = { false };
    double ns[MEASURES][VARIANTS];
    open_all(available);
    measure_all(&options, available, ns);
    show(&options, ns);
    const bool right = verify(available);
    close_all(available);
    return right ? 0 : 1;
}
