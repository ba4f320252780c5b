/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scaling: cost against work. Time per byte from 1 MiB to 4 GiB, what a submission costs with few and many streams, and
 * whether a blocked stream delays the others. Figures are medians of interleaved rounds; all bytes are verified.
 */
#include <semaphore.h>
#include <string.h>

#include "common/bench.h"

enum { WIDTH = 65536, PITCH = WIDTH + 64, TINY_STEP = 1024, STREAMS_MAX = 1900, SIZES_MAX = 16, SAMPLE = 256 << 20 };

#define GIB ((size_t)1 << 30)

static struct bench_options options;
static uint8_t *source, *host, *device;

static void check_bytes(const char *who, const uint8_t *dst, const struct bench_rect *r)
{
    if (!bench_verify(who, dst, source, r))
        exit(1);
}

static void get_memory(size_t bytes)
{
    BENCH_CHECK(aclrtMallocHost((void **)&source, bytes));
    BENCH_CHECK(aclrtMallocHost((void **)&host, bytes));
    BENCH_CHECK(aclrtMalloc((void **)&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    bench_pattern(source, bytes);
    memset(host, BENCH_POISON, bytes); /* every page is there before anything is timed */
    BENCH_CHECK(aclrtMemset(device, bytes, BENCH_POISON, bytes));
}

static void free_memory(void)
{
    BENCH_CHECK(aclrtFree(device));
    BENCH_CHECK(aclrtFreeHost(host));
    BENCH_CHECK(aclrtFreeHost(source));
}

/* --- time per byte ----------------------------------------------------------------------------------------------- */

static aclrtStream stream;

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

static struct bench_rect rect_of(size_t payload)
{
    return (struct bench_rect){ .dpitch = PITCH, .spitch = PITCH, .width = WIDTH, .height = payload / WIDTH };
}

/* Nanoseconds per KiB. Small copies move on through `area`, so that all sizes come from memory and go to it: a sample
 * moves SAMPLE bytes, or one copy that is larger. */
static double time_size(void (*copy)(const struct bench_rect *), size_t payload, size_t area)
{
    struct bench_rect r = rect_of(payload);
    const size_t extent = r.height * PITCH, places = area / extent, wanted = (SAMPLE + payload - 1) / payload;
    const int copies = (int)(places < wanted ? places : wanted);
    const double start = bench_now_ns();
    for (int i = 0; i < copies; i++) {
        r.dst = r.src = (size_t)i * extent;
        copy(&r);
    }
    return (bench_now_ns() - start) * 1024 / ((double)payload * copies);
}

static void verify_size(size_t payload)
{
    const struct bench_rect r = rect_of(payload);
    const size_t bytes = bench_extent(PITCH, WIDTH, r.height);
    BENCH_CHECK(aclrtMemset(device, bytes, BENCH_POISON, bytes));
    pacl_copy(&r);
    BENCH_CHECK(aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    check_bytes("PACL", host, &r);
}

static size_t available_memory(void)
{
    char line[128];
    size_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "MemAvailable: %zu kB", &kib) != 1) {
    }
    if (file != NULL)
        fclose(file);
    return kib * 1024;
}

/* 4 GiB, or less where the three memories and something for the others do not fit. */
static size_t largest_payload(void)
{
    size_t payload = options.quick ? (size_t)1 << 20 : 4 * GIB;
    while (payload > (size_t)1 << 20 && available_memory() / 4 < payload)
        payload /= 4;
    return payload;
}

static void show_sizes(const size_t *payload, double (*ns)[2], int count)
{
    bench_title(&options, "sizes", "time per KiB of rows of 64 KiB, pitch + 64");
    bench_row(&options, 5, (const char *[]){ "payload", "loop ns/KiB", "PACL ns/KiB", "x", "to 1 MiB" });
    for (int i = 0; i < count; i++) {
        char cell[5][BENCH_CELL];
        snprintf(cell[0], BENCH_CELL, "%zu MiB", payload[i] >> 20);
        bench_row(&options, 5,
                  (const char *[]){ cell[0], bench_figure(cell[1], ns[i][0]), bench_figure(cell[2], ns[i][1]),
                                    bench_figure(cell[3], ns[i][0] / ns[i][1]),
                                    bench_figure(cell[4], ns[i][1] / ns[0][1]) });
    }
}

static void measure_sizes(void)
{
    static double sample[SIZES_MAX][2][BENCH_ROUNDS_MAX];
    size_t payload[SIZES_MAX];
    double ns[SIZES_MAX][2];
    const size_t most = largest_payload();
    const size_t area = most / WIDTH * PITCH;
    int count = 0;
    for (size_t size = (size_t)1 << 20; size <= most; size *= 4)
        payload[count++] = size;
    get_memory(area);
    for (int round = 0; round < options.rounds; round++) {
        for (int i = 0; i < count; i++) {
            sample[i][0][round] = time_size(loop_copy, payload[i], area);
            sample[i][1][round] = time_size(pacl_copy, payload[i], area);
        }
    }
    for (int i = 0; i < count; i++) {
        ns[i][0] = bench_median(sample[i][0], options.rounds);
        ns[i][1] = bench_median(sample[i][1], options.rounds);
        verify_size(payload[i]);
    }
    show_sizes(payload, ns, count);
    free_memory();
}

/* --- many streams ------------------------------------------------------------------------------------------------ */

static aclrtStream streams[STREAMS_MAX];

static struct bench_rect tiny_at(int index)
{
    const size_t at = (size_t)index * TINY_STEP;
    return (struct bench_rect){ .dst = at, .src = at, .dpitch = 64, .spitch = 64, .width = 16, .height = 16 };
}

static void submit_tiny(aclrtStream to, int index)
{
    const struct bench_rect r = tiny_at(index);
    BENCH_CHECK(aclrtMemcpy2dAsync(device + r.dst, r.dpitch, source + r.src, r.spitch, r.width, r.height,
                                   ACL_MEMCPY_HOST_TO_DEVICE, to));
}

static void create_streams(int count)
{
    for (int i = 0; i < count; i++)
        BENCH_CHECK(aclrtCreateStream(&streams[i]));
}

static void destroy_streams(int count)
{
    for (int i = 0; i < count; i++)
        BENCH_CHECK(aclrtDestroyStream(streams[i]));
}

/* Fetches the device's tiny rectangles from `first` on and compares them. */
static void verify_tiny(const char *who, int first, int count)
{
    const size_t at = (size_t)first * TINY_STEP, bytes = (size_t)count * TINY_STEP;
    BENCH_CHECK(aclrtMemcpy(host + at, bytes, device + at, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = first; i < first + count; i++) {
        const struct bench_rect r = tiny_at(i);
        check_bytes(who, host, &r);
    }
}

/* Nanoseconds per copy, the copies going round the streams: of the submission, and until all is done. */
static void time_streams(int count, int copies, double *submit, double *whole)
{
    const double start = bench_now_ns();
    for (int i = 0; i < copies; i++)
        submit_tiny(streams[i % count], i % count);
    *submit = (bench_now_ns() - start) / copies;
    BENCH_CHECK(aclrtSynchronizeDevice());
    *whole = (bench_now_ns() - start) / copies;
}

static const int stream_counts[] = { 1, 10, 1000, STREAMS_MAX };
enum { STREAM_COUNTS = sizeof stream_counts / sizeof stream_counts[0] };

static void show_streams(double (*ns)[2])
{
    bench_title(&options, "streams", "copies of 16 x 16 bytes, round the streams");
    bench_row(&options, 4, (const char *[]){ "streams", "submit ns", "done ns", "to 1 stream" });
    for (int i = 0; i < STREAM_COUNTS; i++) {
        char cell[4][BENCH_CELL];
        snprintf(cell[0], BENCH_CELL, "%d", stream_counts[i]);
        bench_row(&options, 4,
                  (const char *[]){ cell[0], bench_figure(cell[1], ns[i][0]), bench_figure(cell[2], ns[i][1]),
                                    bench_figure(cell[3], ns[i][0] / ns[0][0]) });
    }
}

/* All streams exist from the first figure on, so that the counts differ only in how many are used. */
static void measure_streams(void)
{
    static double sample[STREAM_COUNTS][2][BENCH_ROUNDS_MAX];
    double ns[STREAM_COUNTS][2];
    const int copies = options.quick ? STREAMS_MAX : 100 * STREAMS_MAX;
    get_memory((size_t)STREAMS_MAX * TINY_STEP);
    create_streams(STREAMS_MAX);
    double unused[2];
    time_streams(STREAMS_MAX, STREAMS_MAX, &unused[0], &unused[1]); /* what a stream does at its first use is done */
    for (int round = 0; round < options.rounds; round++) {
        for (int i = 0; i < STREAM_COUNTS; i++)
            time_streams(stream_counts[i], copies, &sample[i][0][round], &sample[i][1][round]);
    }
    for (int i = 0; i < STREAM_COUNTS; i++) {
        ns[i][0] = bench_median(sample[i][0], options.rounds);
        ns[i][1] = bench_median(sample[i][1], options.rounds);
    }
    verify_tiny("streams", 0, STREAMS_MAX);
    show_streams(ns);
    destroy_streams(STREAMS_MAX);
    free_memory();
}

/* --- one blocked stream ------------------------------------------------------------------------------------------ */

enum { GATE = 0, BLOCKED = 1, OTHERS = 2, GATED_STREAMS = 12, BACKLOG = 1000 };

static sem_t gate;

static void wait_at_gate(void *unused)
{
    (void)unused;
    while (sem_wait(&gate) != 0) {
    }
}

/* The stream GATE waits in a host function, BLOCKED for GATE's event, and BACKLOG copies are queued behind that. */
static void block(aclrtEvent event)
{
    BENCH_CHECK(aclrtLaunchHostFunc(streams[GATE], wait_at_gate, NULL));
    BENCH_CHECK(aclrtRecordEvent(event, streams[GATE]));
    BENCH_CHECK(aclrtStreamWaitEvent(streams[BLOCKED], event));
    for (int i = 0; i < BACKLOG; i++)
        submit_tiny(streams[BLOCKED], BLOCKED);
}

static void unblock(aclrtEvent event)
{
    sem_post(&gate);
    BENCH_CHECK(aclrtSynchronizeStream(streams[BLOCKED]));
    BENCH_CHECK(aclrtResetEvent(event, streams[GATE]));
    BENCH_CHECK(aclrtSynchronizeStream(streams[GATE]));
}

/* Nanoseconds from submission until synchronize has returned, round the other streams. */
static double time_others(int copies)
{
    const double start = bench_now_ns();
    for (int i = 0; i < copies; i++) {
        const int at = OTHERS + i % (GATED_STREAMS - OTHERS);
        submit_tiny(streams[at], at);
        BENCH_CHECK(aclrtSynchronizeStream(streams[at]));
    }
    return (bench_now_ns() - start) / copies;
}

/* While the gate is closed: the others' bytes have arrived, the blocked stream's have not. */
static void verify_blocked(void)
{
    const struct bench_rect r = tiny_at(BLOCKED);
    verify_tiny("others beside a blocked stream", OTHERS, GATED_STREAMS - OTHERS);
    BENCH_CHECK(aclrtMemcpy(host + r.dst, r.width, device + r.dst, r.width, ACL_MEMCPY_DEVICE_TO_HOST));
    if (memcmp(host + r.dst, source + r.src, r.width) == 0) {
        fprintf(stderr, "scaling: the blocked stream has copied\n");
        exit(1);
    }
}

static double time_beside_blocked(aclrtEvent event, int copies)
{
    const size_t bytes = (size_t)GATED_STREAMS * TINY_STEP;
    BENCH_CHECK(aclrtMemset(device, bytes, BENCH_POISON, bytes));
    block(event);
    const double ns = time_others(copies);
    verify_blocked();
    unblock(event);
    verify_tiny("the blocked stream, opened", BLOCKED, 1);
    return ns;
}

static void measure_blocked(void)
{
    double free_ns[BENCH_ROUNDS_MAX] = { 0 }, blocked_ns[BENCH_ROUNDS_MAX] = { 0 };
    const int copies = options.quick ? 100 : 20000;
    aclrtEvent event = NULL;
    sem_init(&gate, 0, 0);
    get_memory((size_t)GATED_STREAMS * TINY_STEP);
    create_streams(GATED_STREAMS);
    BENCH_CHECK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
    for (int round = 0; round < options.rounds; round++) {
        free_ns[round] = time_others(copies);
        blocked_ns[round] = time_beside_blocked(event, copies);
    }
    const double alone = bench_median(free_ns, options.rounds), beside = bench_median(blocked_ns, options.rounds);
    char cell[3][BENCH_CELL];
    bench_title(&options, "blocked", "submit + synchronize on ten streams, 16 x 16 bytes");
    bench_row(&options, 4, (const char *[]){ "", "free ns", "blocked ns", "blocked/free" });
    bench_row(&options, 4,
              (const char *[]){ "beside a stream with 1,000 copies that waits", bench_figure(cell[0], alone),
                                bench_figure(cell[1], beside), bench_figure(cell[2], beside / alone) });
    BENCH_CHECK(aclrtDestroyEvent(event));
    destroy_streams(GATED_STREAMS);
    free_memory();
    sem_destroy(&gate);
}

int main(int argc, char **argv)
{
    options = bench_parse(argc, argv, 5);
    BENCH_CHECK(aclInit(NULL));
    BENCH_CHECK(aclrtSetDevice(0));
    BENCH_CHECK(aclrtCreateStream(&stream));
    measure_blocked();
    measure_streams();
    measure_sizes();
    BENCH_CHECK(aclrtDestroyStream(stream));
    BENCH_CHECK(aclrtResetDevice(0));
    return 0;
}
