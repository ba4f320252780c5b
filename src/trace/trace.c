/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timeline of every task (PACL_TRACE_FILE), in the trace event format that Perfetto and chrome://tracing read: a track
 * per stream, one per thread of PACL and one per thread of the program. docs/tracing.md says what is on them.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/calls.h"
#include "core/copy_request.h"
#include "core/event.h"
#include "core/observer.h"
#include "core/stream.h"
#include "core/touch.h"
#include "os/os.h"
#include "trace/writer.h"

/* The groups of tracks; the format calls them processes. */
enum { PROGRAM = 1, STREAMS = 2, THREADS = 3 };

/* One stream's slot, by its id. Its owner alone writes the first members, as it does those of the stream. */
struct track {
    bool open;         /* a task has started and not finished: it runs, or is parked */
    uint64_t start_ns; /* of its first start */
    uint64_t finished; /* tasks that have the end of an arrow */
    _Atomic uint64_t submitted;
    _Atomic bool named;
};

/* Where an event's newest record stands on the timeline, for the arrow to a wait. */
struct record {
    uint64_t number, at_ns;
    uint32_t stream;
};

/* Constant once made, one for each slot of the pools: pages come into being when they are touched. */
static struct track *tracks;
static struct record *records; /* guarded by records_lock */
static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t zero_ns; /* constant: when the timeline begins */
static _Atomic int64_t device_bytes, pinned_bytes;

/* What a thread is in: its calls and waits, one inside the other. */
static _Thread_local struct {
    uint64_t call_ns, block_ns, now_ns, host_ns;
    const struct track *task; /* what the thread started last */
    bool finalizes;           /* its call ends the use of the interface */
    int32_t asked;            /* a copy that the thread makes itself for this stream; -1: for none */
    uint32_t tid;
    uint8_t group;
} self = { .asked = -1 };

static double us(uint64_t ns)
{
    return (double)(ns - zero_ns) / 1000;
}

/* --- tracks ------------------------------------------------------------------------------------------------------ */

static void name_group(int group, const char *name)
{
    pacl_trace_event(zero_ns, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"%s\"}", group,
                     name);
    pacl_trace_event(zero_ns, "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"args\":{\"sort_index\":%d}",
                     group, group);
}

/* A thread's name as JSON takes it: others than plain letters are replaced. */
static void plain(char *name)
{
    for (; *name != '\0'; name++) {
        if (*name < ' ' || *name > '~' || *name == '"' || *name == '\\')
            *name = '?';
    }
}

static void know_thread(uint64_t now)
{
    char name[32] = "thread";
    if (self.tid != 0)
        return;
    (void)pthread_getname_np(pthread_self(), name, sizeof name);
    plain(name);
    self.tid = (uint32_t)syscall(SYS_gettid);
    self.group = strncmp(name, "pacl-", 5) == 0 ? THREADS : PROGRAM;
    pacl_trace_event(now, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":\"%s\"}",
                     self.group, self.tid, name);
}

static struct track *track_of(const struct pacl_stream *s)
{
    return &tracks[s->id];
}

static void know_stream(const struct pacl_stream *s, uint64_t now)
{
    struct track *t = track_of(s);
    if (pacl_load_relaxed(&t->named) || atomic_exchange(&t->named, true))
        return;
    pacl_trace_event(now,
                     "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":\"stream %u\"}",
                     STREAMS, s->id, s->id);
}

/* --- what a task is ---------------------------------------------------------------------------------------------- */

static void add_bytes(void *context, const struct pacl_touch *touch)
{
    uint64_t *bytes = context;
    if (touch->writes)
        *bytes += (uint64_t)touch->width * touch->height;
}

static const char *result_text(aclError result, char *text, size_t size)
{
    text[0] = '\0';
    if (result != ACL_SUCCESS)
        snprintf(text, size, ",\"error\":\"%s (%d)\"", pacl_error_name(result), result);
    return text;
}

/* The members of "args" that describe the work, after the first one. */
static void describe(const struct pacl_work *work, uint64_t duration_ns, aclError result, char *text, size_t size)
{
    char error[96];
    uint64_t bytes = 0;
    size_t used = 0;
    pacl_work_touches(work, add_bytes, &bytes);
    if (bytes > 0)
        used += (size_t)snprintf(text, size, ",\"bytes\":%llu,\"GB/s\":%.3f", (unsigned long long)bytes,
                                 duration_ns > 0 ? (double)bytes / (double)duration_ns : 0.0);
    if (work->op == PACL_OP_COPY)
        used +=
            (size_t)snprintf(text + used, size - used,
                             ",\"width\":%zu,\"height\":%u,\"dpitch\":%zu,\"spitch\":%zu,\"dst\":\"%p\",\"src\":\"%p\"",
                             work->copy.width, work->height, work->copy.dst_pitch, work->copy.src_pitch,
                             (void *)work->copy.dst, (const void *)work->copy.src);
    snprintf(text + used, size - used, "%s", result_text(result, error, sizeof error));
}

static void slice(int group, uint32_t tid, const char *name, uint64_t start_ns, uint64_t end_ns, const char *args)
{
    pacl_trace_event(end_ns,
                     "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}", name,
                     group, tid, us(start_ns), (double)(end_ns - start_ns) / 1000, args);
}

/* One end of an arrow: 's' where it begins, 'f' where it ends. It hangs on the slice around it. */
static void arrow(char end, const char *kind, uint64_t id, int group, uint32_t tid, uint64_t at_ns)
{
    pacl_trace_event(
        at_ns, "{\"ph\":\"%c\",%s\"cat\":\"%s\",\"name\":\"%s\",\"id\":\"%s%llx\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f",
        end, end == 'f' ? "\"bp\":\"e\"," : "", kind, kind, kind, (unsigned long long)id, group, tid, us(at_ns));
}

/* Tasks of a stream are counted where they are submitted and where they finish. */
static uint64_t task_id(const struct pacl_stream *s, uint64_t number)
{
    return (uint64_t)s->id << 44 | (number & (((uint64_t)1 << 44) - 1));
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static void entered(const char *call, const void *return_address, const void *frame)
{
    (void)call;
    (void)return_address;
    (void)frame;
    self.call_ns = os_now_ns();
    self.asked = -1;
}

static void left(const char *call, aclError result)
{
    char error[96], args[128];
    const uint64_t now = os_now_ns();
    if (self.call_ns == 0)
        return;
    know_thread(now);
    snprintf(args, sizeof args, "\"result\":%d%s", (int)result, result_text(result, error, sizeof error));
    slice(self.group, self.tid, call, self.call_ns, now, args);
    self.call_ns = 0;
    if (self.finalizes)
        pacl_trace_flush();
    self.finalizes = false;
}

/* Many programs end by _exit() after it. The call's own slice goes along: see left(). */
static void finalized(void)
{
    self.finalizes = true;
}

static void blocked(struct pacl_stream *s, uint64_t upto, uint64_t deadline_ns)
{
    (void)s;
    (void)upto;
    (void)deadline_ns;
    self.block_ns = os_now_ns();
}

static void unblocked(struct pacl_stream *s, uint64_t upto, bool reached)
{
    char args[64], name[48];
    const uint64_t now = os_now_ns();
    (void)upto;
    know_thread(now);
    snprintf(name, sizeof name, "wait for stream %u", s->id);
    snprintf(args, sizeof args, "\"reached\":%s", reached ? "true" : "false");
    slice(self.group, self.tid, name, self.block_ns, now, args);
}

/* --- tasks ------------------------------------------------------------------------------------------------------- */

static void submitted(struct pacl_stream *s, const struct pacl_work *work)
{
    const uint64_t now = os_now_ns(), number = pacl_add_relaxed(&track_of(s)->submitted, 1);
    (void)work;
    know_thread(now);
    know_stream(s, now);
    arrow('s', "task", task_id(s, number), self.group, self.tid, now);
}

static void withdrawn(struct pacl_stream *s, const struct pacl_work *work)
{
    (void)work;
    pacl_sub_seq_cst(&track_of(s)->submitted, 1);
}

static void started(struct pacl_stream *s, const struct pacl_work *work)
{
    struct track *t = track_of(s);
    (void)work;
    self.task = t->open ? NULL : t;
    if (!t->open)
        t->start_ns = os_now_ns();
    t->open = true;
}

static void remember_record(const struct pacl_stream *s, const struct pacl_work *work, uint64_t at_ns)
{
    struct record *r = &records[work->event.event->object.index];
    pthread_mutex_lock(&records_lock);
    r->number = work->event.number;
    r->at_ns = at_ns;
    r->stream = s->id;
    pthread_mutex_unlock(&records_lock);
}

/* The arrow from the record to the wait that it ended; none if the event was recorded again meanwhile. */
static void point_at_wait(const struct pacl_stream *s, const struct pacl_work *work, uint64_t end_ns)
{
    static _Atomic uint64_t arrows;
    const uint32_t event = work->event.event->object.index;
    pthread_mutex_lock(&records_lock);
    const struct record r = records[event];
    pthread_mutex_unlock(&records_lock);
    if (r.number == 0 || r.number != work->event.record)
        return;
    const uint64_t id = pacl_add_relaxed(&arrows, 1);
    arrow('s', "event", id, STREAMS, r.stream, r.at_ns);
    arrow('f', "event", id, STREAMS, s->id, end_ns);
}

/* The slice on the stream's track, and the same on the track of the thread that ran the task. Not if it was parked, when no
 * thread was busy with it, nor if threads shared it and this one has started something else meanwhile. */
static void finished(struct pacl_stream *s, const struct pacl_work *work, aclError result)
{
    char args[512], stream[32];
    struct track *t = track_of(s);
    const uint64_t now = os_now_ns(), start_ns = t->open ? t->start_ns : now;
    const bool ran_here = self.task == t && work->op != PACL_OP_HOST_FUNCTION;
    know_thread(now);
    know_stream(s, now);
    const int used = snprintf(args, sizeof args, "\"thread\":%u", self.tid);
    describe(work, now - start_ns, result, args + used, sizeof args - (size_t)used);
    slice(STREAMS, s->id, work->call, start_ns, now, args);
    if (!s->inner) /* no call has queued what a graph executes */
        arrow('f', "task", task_id(s, t->finished++), STREAMS, s->id, start_ns);
    if (work->op == PACL_OP_RECORD)
        remember_record(s, work, start_ns);
    else if ((work->op == PACL_OP_WAIT || work->op == PACL_OP_GRAPH_JOIN) && result == ACL_SUCCESS)
        point_at_wait(s, work, now);
    snprintf(stream, sizeof stream, "\"stream\":%u", s->id);
    if (ran_here)
        slice(self.group, self.tid, work->call, start_ns, now, stream);
    self.task = NULL;
    t->open = false;
}

static void host_function_begins(struct pacl_stream *s, const struct pacl_work *work)
{
    (void)s;
    (void)work;
    self.host_ns = os_now_ns();
}

static void host_function_ends(struct pacl_stream *s, const struct pacl_work *work)
{
    char args[32];
    const uint64_t now = os_now_ns();
    (void)work;
    know_thread(now);
    snprintf(args, sizeof args, "\"stream\":%u", s->id);
    slice(self.group, self.tid, "host function", self.host_ns, now, args);
}

/* --- work in the calling thread ---------------------------------------------------------------------------------- */

static void copy_asked(const struct pacl_copy_ask *ask)
{
    self.asked = ask->stream != NULL && ask->blocks ? (int32_t)ask->stream->id : -1;
    if (self.asked >= 0)
        know_stream(ask->stream, os_now_ns());
}

static void now_begins(const struct pacl_work *work)
{
    (void)work;
    self.now_ns = os_now_ns();
}

/* An asynchronous call with pageable memory is on its stream's track, too: that is where it belongs. */
static void now_ends(const struct pacl_work *work, aclError result)
{
    char args[512];
    const uint64_t now = os_now_ns();
    int used = 0;
    know_thread(now);
    if (self.asked >= 0)
        used = snprintf(args, sizeof args, "\"thread\":%u,\"stream\":%d", self.tid, (int)self.asked);
    else
        used = snprintf(args, sizeof args, "\"thread\":%u", self.tid);
    describe(work, now - self.now_ns, result, args + used, sizeof args - (size_t)used);
    slice(self.group, self.tid, work->op == PACL_OP_COPY ? "copy" : "set", self.now_ns, now, args);
    if (self.asked >= 0)
        slice(STREAMS, (uint32_t)self.asked, work->call, self.now_ns, now, args);
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void count_memory(const struct pacl_region *region, int64_t bytes)
{
    const bool device = region->memory == PACL_MEMORY_DEVICE;
    _Atomic int64_t *sum = device ? &device_bytes : &pinned_bytes;
    const int64_t total = pacl_add_relaxed(sum, bytes) + bytes;
    const uint64_t now = os_now_ns();
    pacl_trace_event(now, "{\"ph\":\"C\",\"name\":\"%s memory\",\"pid\":%d,\"ts\":%.3f,\"args\":{\"bytes\":%lld}",
                     device ? "device" : "pinned", PROGRAM, us(now), (long long)total);
}

static void allocated(const struct pacl_region *region)
{
    count_memory(region, (int64_t)region->size);
}

static void freed(const struct pacl_region *region)
{
    count_memory(region, -(int64_t)region->size);
}

/* --- start and end ----------------------------------------------------------------------------------------------- */

static const struct pacl_observer observer = {
    .entered = entered,
    .left = left,
    .allocated = allocated,
    .freed = freed,
    .copy_asked = copy_asked,
    .submitted = submitted,
    .withdrawn = withdrawn,
    .started = started,
    .finished = finished,
    .now_begins = now_begins,
    .now_ends = now_ends,
    .host_function_begins = host_function_begins,
    .host_function_ends = host_function_ends,
    .blocked = blocked,
    .unblocked = unblocked,
    .finalized = finalized,
};

static const char *install(void)
{
    static char problem[256];
    const char *path = getenv("PACL_TRACE_FILE");
    if (path == NULL || path[0] == '\0')
        return NULL;
    if (!pacl_trace_open(path)) {
        snprintf(problem, sizeof problem, "PACL_TRACE_FILE \"%.120s\" cannot be written: %s", path, strerror(errno));
        return problem;
    }
    tracks = calloc(PACL_POOL_MAX, sizeof *tracks);
    records = calloc(PACL_POOL_MAX, sizeof *records);
    if (tracks == NULL || records == NULL)
        return "PACL_TRACE_FILE: no memory for a timeline";
    zero_ns = os_now_ns();
    name_group(PROGRAM, "program");
    name_group(STREAMS, "streams");
    name_group(THREADS, "threads of PACL");
    pacl_observer_add(&observer);
    return NULL;
}

__attribute__((constructor)) static void offer(void)
{
    pacl_calls_offer(install); /* before the first call is told, so that it is on the timeline */
}

/* The last destructor of the library: the runtime's, which waits for running tasks, comes before it. */
__attribute__((destructor(101))) static void close_file(void)
{
    pacl_trace_close();
}
