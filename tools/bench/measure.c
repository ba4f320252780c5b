/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sample: work for all streams is queued behind the closed gate, which gives the submission's cost; then the gate
 * opens, and the streams' own events give the time of the copies. Samples of the 2D copy, of a 1D copy of the same
 * bytes and of a single copy on idle streams alternate, so that a disturbance meets all three.
 */
#include "measure.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "matrix.h"
#include "series.h"
#include "text.h"

enum {
    SAMPLES_MIN = 3,
    SAMPLES_MAX = 200, /* these two where the number is not given */
    BATCH_MAX = 256,   /* rounds per sample */
    BATCH_NS = 200000  /* about as long should a sample be */
};

/* One stream's copy. */
struct lane {
    aclrtStream stream;
    aclrtMemcpyKind kind;
    struct matrix dst, src;
    aclrtEvent start, end;
    unsigned seed;
};

struct bench {
    struct point *point;
    struct session *session;
    struct lane *lanes;
    size_t lane_count;
    size_t batch; /* rounds per sample */
    bool gated;
};

/* Of a sample. */
struct timing {
    double submission_ns; /* per call */
    double round_ns;
};

typedef aclError submit_fn(const struct lane *lane);

static aclError submit_2d(const struct lane *lane)
{
    return aclrtMemcpy2dAsync(matrix_first_row(&lane->dst), lane->dst.pitch, matrix_first_row(&lane->src),
                              lane->src.pitch, lane->dst.width, lane->dst.height, lane->kind, lane->stream);
}

static aclError submit_1d(const struct lane *lane)
{
    const size_t count = lane->dst.width * lane->dst.height;

    return aclrtMemcpyAsync(matrix_first_row(&lane->dst), count, matrix_first_row(&lane->src), count, lane->kind,
                            lane->stream);
}

static const char *name_of(submit_fn *submit)
{
    return submit == submit_2d ? "aclrtMemcpy2dAsync" : "aclrtMemcpyAsync";
}

static double now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* --- session ------------------------------------------------------------------------------------------------------ */

static void must(const char *call, aclError error)
{
    if (error == ACL_SUCCESS)
        return;
    const char *text = aclGetRecentErrMsg();
    errx(STATUS_FAILED, "%s: error %d%s%s", call, error, text != NULL ? ": " : "", text != NULL ? text : "");
}

static double cost_of_clock(void)
{
    struct series series = { 0 };

    for (int i = 0; i < 101; i++) {
        const double begin = now_ns();
        series_add(&series, now_ns() - begin);
    }
    const double cost = series_quantile(&series, 0.5);
    series_release(&series);
    return cost;
}

static void use_device(int32_t device)
{
    uint32_t count = 0;

    must("aclInit", aclInit(NULL));
    must("aclrtGetDeviceCount", aclrtGetDeviceCount(&count));
    if (device < 0 || (uint32_t)device >= count)
        errx(STATUS_USAGE, "--device %d: there %s %u device%s, numbered from 0", device, count == 1 ? "is" : "are",
             count, count == 1 ? "" : "s");
    must("aclrtSetDevice", aclrtSetDevice(device));
}

void session_open(struct session *session, int32_t device, enum place host, size_t stream_count)
{
    *session = (struct session){ .device = device, .host = host, .stream_count = stream_count };
    use_device(device);
    session->streams = calloc(stream_count, sizeof(session->streams[0]));
    if (session->streams == NULL)
        err(STATUS_FAILED, "streams");
    for (size_t i = 0; i < stream_count; i++)
        must("aclrtCreateStream", aclrtCreateStream(&session->streams[i]));
    must("aclrtCreateStream", gate_create(&session->gate));
    session->clock_ns = cost_of_clock();
}

void session_close(struct session *session)
{
    must("aclrtDestroyStream", gate_destroy(&session->gate));
    for (size_t i = 0; i < session->stream_count; i++)
        must("aclrtDestroyStream", aclrtDestroyStream(session->streams[i]));
    free(session->streams);
    must("aclrtResetDevice", aclrtResetDevice(session->device));
    must("aclFinalize", aclFinalize());
}

size_t session_device_memory(size_t *total)
{
    size_t free_bytes;

    must("aclrtGetMemInfo", aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, total)); /* DDR on products that have only that */
    return free_bytes;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static size_t directions(const struct testcase *testcase)
{
    return testcase->bidirectional ? 2 : 1;
}

struct needs point_needs(const struct point *p, const struct testcase *testcase)
{
    const size_t dst = matrix_size(p->dst_offset, p->dpitch, p->width, p->height);
    const size_t src = matrix_size(p->src_offset, p->spitch, p->width, p->height);
    const size_t sets = p->streams * directions(testcase);
    struct needs needs = { .resident = sets * (matrix_resident(p->dst_offset, p->dpitch, p->width, p->height) +
                                               matrix_resident(p->src_offset, p->spitch, p->width, p->height)) };

    if (testcase->kind != ACL_MEMCPY_DEVICE_TO_HOST)
        needs.device += sets * dst;
    if (testcase->kind != ACL_MEMCPY_HOST_TO_DEVICE)
        needs.device += sets * src;
    return needs;
}

/* A runtime in software keeps device memory in the host, and the interface does not tell: the host must have room for
 * both sides. A quarter is left to others. */
static bool memory_suffices(struct point *point, const struct testcase *testcase)
{
    const struct needs needs = point_needs(point, testcase);
    const size_t host_free = memory_available() / 4 * 3;
    size_t device_total;
    const size_t device_free = session_device_memory(&device_total);
    char need[SIZE_TEXT_MAX];
    char have[SIZE_TEXT_MAX];

    if (needs.device > device_free)
        point_set_status(point, STATUS_WAIVED, "needs %s of device memory, %s are free",
                         text_from_size(needs.device, need), text_from_size(device_free, have));
    else if (needs.resident > host_free)
        point_set_status(point, STATUS_WAIVED, "needs %s of the machine's memory, %s can be used",
                         text_from_size(needs.resident, need), text_from_size(host_free, have));
    return point->status[0] == '\0';
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static void lane_release(struct lane *lane, struct point *point)
{
    block_release(&lane->dst.block, point);
    block_release(&lane->src.block, point);
    if (lane->start != NULL)
        point_called(point, "aclrtDestroyEvent", aclrtDestroyEvent(lane->start));
    if (lane->end != NULL)
        point_called(point, "aclrtDestroyEvent", aclrtDestroyEvent(lane->end));
}

static bool matrix_create(struct matrix *m, enum place place, struct point *point)
{
    return block_allocate(&m->block, place, matrix_size(m->offset, m->pitch, m->width, m->height), point);
}

/* `back` is the other direction of a bidirectional test case: the two sides change places. */
static bool lane_create(struct lane *lane, struct point *p, aclrtMemcpyKind kind, bool back, enum place host)
{
    const struct matrix dst = { .offset = p->dst_offset, .pitch = p->dpitch, .width = p->width, .height = p->height };
    const struct matrix src = { .offset = p->src_offset, .pitch = p->spitch, .width = p->width, .height = p->height };

    lane->kind = back ? ACL_MEMCPY_DEVICE_TO_HOST : kind;
    lane->dst = back ? src : dst;
    lane->src = back ? dst : src;
    return point_called(p, "aclrtCreateEvent", aclrtCreateEvent(&lane->start)) &&
           point_called(p, "aclrtCreateEvent", aclrtCreateEvent(&lane->end)) &&
           matrix_create(&lane->dst, lane->kind == ACL_MEMCPY_DEVICE_TO_HOST ? host : PLACE_DEVICE, p) &&
           matrix_create(&lane->src, lane->kind == ACL_MEMCPY_HOST_TO_DEVICE ? host : PLACE_DEVICE, p) &&
           matrix_fill(&lane->src, lane->seed, p) && matrix_poison(&lane->dst, p);
}

static bool lanes_create(struct bench *bench, const struct testcase *testcase)
{
    for (size_t i = 0; i < bench->lane_count; i++) {
        struct lane *lane = &bench->lanes[i];
        *lane = (struct lane){ .stream = bench->session->streams[i], .seed = (unsigned)i };
        if (!lane_create(lane, bench->point, testcase->kind, testcase->bidirectional && i % 2 != 0,
                         bench->session->host))
            return false;
    }
    return true;
}

static bool lanes_synchronize(const struct bench *bench)
{
    bool succeeded = true;

    for (size_t i = 0; i < bench->lane_count; i++)
        if (!point_called(bench->point, "aclrtSynchronizeStream", aclrtSynchronizeStream(bench->lanes[i].stream)))
            succeeded = false;
    return succeeded;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static bool submit_rounds(const struct bench *bench, submit_fn *submit, size_t rounds)
{
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < bench->lane_count; i++) {
            const aclError error = submit(&bench->lanes[i]);
            if (error != ACL_SUCCESS)
                return point_called(bench->point, name_of(submit), error);
        }
    return true;
}

/* One round on idle streams: the time until the bytes are there. */
static bool sample_completion(const struct bench *bench, double *ns)
{
    const double begin = now_ns();
    const bool succeeded = submit_rounds(bench, submit_2d, 1);

    if (!lanes_synchronize(bench) || !succeeded)
        return false;
    *ns = now_ns() - begin - bench->session->clock_ns;
    return true;
}

static bool hold_lanes(struct bench *bench)
{
    struct gate *gate = &bench->session->gate;

    for (size_t i = 0; i < bench->lane_count; i++) {
        const struct lane *lane = &bench->lanes[i];
        if (!point_called(bench->point, "aclrtStreamWaitEvent", gate_hold(gate, lane->stream)) ||
            !point_called(bench->point, "aclrtRecordEvent", aclrtRecordEvent(lane->start, lane->stream)))
            return false;
    }
    return true;
}

static bool mark_ends(struct bench *bench)
{
    for (size_t i = 0; i < bench->lane_count; i++) {
        const struct lane *lane = &bench->lanes[i];
        if (!point_called(bench->point, "aclrtRecordEvent", aclrtRecordEvent(lane->end, lane->stream)))
            return false;
    }
    return true;
}

static bool elapsed_ns(struct bench *bench, aclrtEvent from, aclrtEvent to, double *ns)
{
    float ms;

    if (!point_called(bench->point, "aclrtEventElapsedTime", aclrtEventElapsedTime(&ms, from, to)))
        return false;
    *ns = (double)ms * 1e6;
    return true;
}

/* From the first start on any stream to the last end on any. */
static bool time_by_events(struct bench *bench, double *ns)
{
    double first = 0;
    double last = 0;

    for (size_t i = 0; i < bench->lane_count; i++) {
        double start;
        double end;
        if (!elapsed_ns(bench, bench->lanes[0].start, bench->lanes[i].start, &start) ||
            !elapsed_ns(bench, bench->lanes[0].start, bench->lanes[i].end, &end))
            return false;
        first = start < first ? start : first;
        last = end > last ? end : last;
    }
    *ns = last - first;
    return true;
}

static bool submit_timed(struct bench *bench, submit_fn *submit, struct timing *timing)
{
    const double begin = now_ns();

    if (!submit_rounds(bench, submit, bench->batch))
        return false;
    const double ns = now_ns() - begin - bench->session->clock_ns;
    timing->submission_ns = (ns > 0 ? ns : 0) / (double)(bench->batch * bench->lane_count);
    return true;
}

/* Whatever fails between, the gate opens and the streams run empty. */
static bool sample_gated(struct bench *bench, submit_fn *submit, struct timing *timing, bool *overrun)
{
    struct gate *gate = &bench->session->gate;
    struct point *point = bench->point;

    if (!point_called(point, "aclrtCreateEvent", gate_close(gate)))
        return false;
    const bool queued = hold_lanes(bench) && submit_timed(bench, submit, timing) && mark_ends(bench);
    const double opened = now_ns();
    const bool open = point_called(point, "opening the gate", gate_open(gate));
    const bool finished = lanes_synchronize(bench);
    const double host_ns = now_ns() - opened;
    const bool closed = point_called(point, "finishing the gate", gate_finish(gate, overrun));
    double ns;
    if (!queued || !open || !finished || !closed || !time_by_events(bench, &ns))
        return false;
    /* An event's clock may be too coarse for a short sample. */
    timing->round_ns = (ns > 0 ? ns : host_ns) / (double)bench->batch;
    return true;
}

/* Calls that copy before they return leave nothing for a gate to hold. */
static bool sample_ungated(struct bench *bench, submit_fn *submit, struct timing *timing)
{
    const double begin = now_ns();
    const bool queued = submit_timed(bench, submit, timing);

    if (!lanes_synchronize(bench) || !queued)
        return false;
    timing->round_ns = (now_ns() - begin - bench->session->clock_ns) / (double)bench->batch;
    return true;
}

static bool sample(struct bench *bench, submit_fn *submit, struct timing *timing)
{
    bool overrun = false;

    if (bench->gated) {
        if (!sample_gated(bench, submit, timing, &overrun))
            return false;
        if (!overrun)
            return true;
        bench->gated = false; /* the queue is too short for this batch: the sample was disturbed */
    }
    return sample_ungated(bench, submit, timing);
}

/* --- a point ------------------------------------------------------------------------------------------------------ */

struct measurements {
    struct series round, submission, completion, line; /* nanoseconds; of a round, a call, a round, a round */
};

static void measurements_release(struct measurements *m)
{
    series_release(&m->round);
    series_release(&m->submission);
    series_release(&m->completion);
    series_release(&m->line);
}

/* Device to device is refused as a wrong argument by products that lack it; all others of this call are right. */
static bool first_copy(struct bench *bench)
{
    const struct lane *lane = &bench->lanes[0];
    const aclError error = submit_2d(lane);

    if (error == ACL_ERROR_INVALID_PARAM && lane->kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
        point_set_status(bench->point, STATUS_WAIVED, "not supported by this product (aclrtMemcpy2dAsync: error %d)",
                         error);
        return false;
    }
    return point_called(bench->point, "aclrtMemcpy2dAsync", error) && lanes_synchronize(bench);
}

/* Warms up, and finds out how many rounds make a sample. */
static bool warm_up(struct bench *bench)
{
    double ns;

    if (!first_copy(bench) || !sample_completion(bench, &ns) || !sample_completion(bench, &ns))
        return false;
    const double rounds = BATCH_NS / (ns > 1 ? ns : 1);
    bench->batch = rounds < 1 ? 1 : rounds > BATCH_MAX ? BATCH_MAX : (size_t)rounds;
    return true;
}

static void print_sample(const struct bench *bench, size_t number, const struct timing *timing, double completion_ns,
                         const struct timing *line)
{
    char title[POINT_TITLE_MAX];

    fprintf(stderr, "%s: sample %zu: %.0f ns, submission %.0f ns, completion %.0f ns, 1D %.0f ns\n",
            point_title(bench->point, title), number, timing->round_ns, timing->submission_ns, completion_ns,
            line->round_ns);
}

static bool take_sample(struct bench *bench, struct measurements *m, const struct effort *effort)
{
    struct timing line;
    struct timing timing;
    double completion_ns;

    if (!sample(bench, submit_1d, &line) || !sample(bench, submit_2d, &timing) ||
        !sample_completion(bench, &completion_ns))
        return false;
    series_add(&m->line, line.round_ns);
    series_add(&m->round, timing.round_ns);
    series_add(&m->submission, timing.submission_ns);
    series_add(&m->completion, completion_ns);
    if (effort->print_samples)
        print_sample(bench, m->round.count, &timing, completion_ns, &line);
    return true;
}

static bool enough(const struct effort *effort, size_t samples, double begin)
{
    if (effort->samples != 0)
        return samples >= effort->samples;
    return samples >= SAMPLES_MAX || (samples >= SAMPLES_MIN && now_ns() - begin > effort->budget_ns);
}

static bool take_samples(struct bench *bench, struct measurements *m, const struct effort *effort)
{
    const double begin = now_ns();

    while (!enough(effort, m->round.count, begin))
        if (!take_sample(bench, m, effort))
            return false;
    return true;
}

/* A sample like those that were timed, on poisoned destinations. */
static bool verify(struct bench *bench)
{
    struct timing timing;

    for (size_t i = 0; i < bench->lane_count; i++)
        if (!matrix_poison(&bench->lanes[i].dst, bench->point))
            return false;
    if (!sample(bench, submit_2d, &timing))
        return false;
    for (size_t i = 0; i < bench->lane_count; i++)
        if (!matrix_check(&bench->lanes[i].dst, bench->lanes[i].seed, bench->point))
            return false;
    return true;
}

static double typical(struct series *series, const struct effort *effort)
{
    return effort->mean ? series_mean(series) : series_quantile(series, 0.5);
}

static void conclude(const struct bench *bench, struct measurements *m, const struct effort *effort)
{
    struct point *p = bench->point;
    const double payload = (double)p->width * (double)p->height * (double)bench->lane_count;
    const double round_ns = typical(&m->round, effort);

    p->payload_bytes = (size_t)payload;
    p->samples = m->round.count;
    p->copies_per_sample = bench->batch;
    p->gated = bench->gated;
    p->verified = effort->verify;
    p->gb_s = payload / round_ns; /* bytes per nanosecond */
    p->gb_s_min = payload / series_quantile(&m->round, 1);
    p->gb_s_max = payload / series_quantile(&m->round, 0);
    p->ns_per_row = round_ns / ((double)p->height * (double)bench->lane_count);
    p->copy_ns_p50 = series_quantile(&m->round, 0.5);
    p->copy_ns_p95 = series_quantile(&m->round, 0.95);
    p->spread_percent = 100 * (series_quantile(&m->round, 0.75) - series_quantile(&m->round, 0.25)) / p->copy_ns_p50;
    p->submission_ns = typical(&m->submission, effort);
    p->submission_ns_p95 = series_quantile(&m->submission, 0.95);
    p->completion_ns = typical(&m->completion, effort);
    p->completion_ns_p95 = series_quantile(&m->completion, 0.95);
    p->line_gb_s = payload / typical(&m->line, effort);
    p->efficiency = p->gb_s / p->line_gb_s;
}

static void run(struct bench *bench, const struct testcase *testcase, const struct effort *effort)
{
    struct measurements m = { 0 };

    if (lanes_create(bench, testcase) && warm_up(bench) && take_samples(bench, &m, effort) &&
        (!effort->verify || verify(bench)))
        conclude(bench, &m, effort);
    measurements_release(&m);
}

void point_measure(struct point *point, const struct testcase *testcase, struct session *session,
                   const struct effort *effort)
{
    struct bench bench = { .point = point, .session = session, .batch = 1, .gated = session->host != PLACE_PAGEABLE };

    if (testcase->kind == ACL_MEMCPY_DEVICE_TO_DEVICE)
        bench.gated = true;
    if (!memory_suffices(point, testcase))
        return;
    bench.lane_count = point->streams * directions(testcase);
    bench.lanes = calloc(bench.lane_count, sizeof(bench.lanes[0]));
    if (bench.lanes == NULL)
        err(STATUS_FAILED, "streams");
    run(&bench, testcase, effort);
    for (size_t i = 0; i < bench.lane_count; i++)
        lane_release(&bench.lanes[i], point);
    free(bench.lanes);
    point_set_status(point, STATUS_PASSED, "%s", "");
}
