/* SPDX-License-Identifier: Apache-2.0 */
/* queue-growth: a stream that works, and gets work faster than it finishes it. A deep queue alone is no advice: a stream
 * that waits does not work, and one that is emptied now and then is used as it should be. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/finding.h"
#include "check/observers.h"
#include "check/site.h"
#include "core/runtime.h"
#include "core/schedule.h"
#include "core/stream.h"
#include "core/touch.h"
#include "os/os.h"

enum {
    STREAMS_MAX = 4096, /* slots that are watched */
    BEGIN = 512,        /* tasks from which on a queue is looked at */
    PROGRESS = 256,     /* tasks that it must have finished meanwhile */
    SAMPLES_MAX = 16,   /* queue lengths that double */
    SHORTER = 4,        /* times shorter than it was: it has been emptied. A submission that finds it full halves it */
};

struct sample {
    uint64_t time_ns, tasks, bytes;
};

struct samples {
    unsigned count;
    struct sample at[SAMPLES_MAX];
};

struct growth {
    _Atomic uint64_t bytes; /* submitted in the life of the stream */
    _Atomic bool grows;
    /* Guarded by the lock. */
    bool said;
    uint64_t begun_ns, done, peak, next;
    struct samples samples;
};

static struct growth growths[STREAMS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add_bytes(void *sum, const struct pacl_touch *touch)
{
    if (touch->writes)
        *(uint64_t *)sum += (uint64_t)touch->width * touch->height;
}

static uint64_t pending_bytes(const struct pacl_stream *s, const struct growth *g)
{
    const uint64_t submitted = pacl_load_relaxed(&g->bytes), copied = pacl_load_relaxed(&s->bytes_copied);
    return submitted > copied ? submitted - copied : 0;
}

/* Under the lock. */
static void take_sample(const struct pacl_stream *s, struct growth *g, uint64_t pending)
{
    if (g->samples.count < SAMPLES_MAX)
        g->samples.at[g->samples.count++] =
            (struct sample){ .time_ns = os_now_ns() - g->begun_ns, .tasks = pending, .bytes = pending_bytes(s, g) };
    g->next = 2 * pending;
}

/* Under the lock. */
static void begin(const struct pacl_stream *s, struct growth *g, uint64_t pending)
{
    g->begun_ns = os_now_ns();
    g->done = pacl_load_relaxed(&s->done);
    g->peak = 0;
    g->samples.count = 0;
    g->said = false;
    pacl_store_relaxed(&g->grows, true);
    take_sample(s, g, pending);
}

static void advise(const struct pacl_stream *s, const struct samples *samples, const char *call)
{
    struct pacl_check_finding f = { .kind = PACL_CHECK_QUEUE_GROWTH };
    char details[SAMPLES_MAX * 96];
    size_t used = 0;
    for (unsigned i = 0; i < samples->count; i++) {
        const struct sample *at = &samples->at[i];
        used +=
            (size_t)snprintf(details + used, sizeof details - used, "  after %llu ms: %llu tasks, %llu KiB to write\n",
                             (unsigned long long)(at->time_ns / 1000000U), (unsigned long long)at->tasks,
                             (unsigned long long)(at->bytes / 1024U));
    }
    pacl_check_say(&f, "stream %u gets work faster than it finishes it: its queue has only grown, to %llu tasks", s->id,
                   (unsigned long long)samples->at[samples->count - 1].tasks);
    f.access[0] =
        (struct pacl_check_access){ .call = call, .on_stream = true, .stream = s->id, .site = pacl_site_capture() };
    f.details = details;
    (void)pacl_check_report(&f);
}

/* Under the lock. True once for each growth. */
static bool has_grown(const struct pacl_stream *s, struct growth *g, uint64_t pending)
{
    const uint64_t depth = pacl_runtime()->queue_depth;
    /* A stream that waits while its queue is full does not work: that half of it is done when the submission has got room
     * says nothing. */
    const bool waits = pending >= depth && pacl_load_relaxed(&s->state) == PACL_PARKED;
    if (waits || pending < g->peak / SHORTER) {
        pacl_store_relaxed(&g->grows, false);
        return false;
    }
    if (pending > g->peak)
        g->peak = pending;
    const bool says = !g->said && pending >= depth / 2 && pacl_load_relaxed(&s->done) - g->done >= PROGRESS;
    if (says || pending >= g->next)
        take_sample(s, g, pending);
    g->said = g->said || says;
    return says;
}

static void submitted(struct pacl_stream *s, const struct pacl_work *work)
{
    uint64_t bytes = 0;
    /* Which of the two is faster, program or stream, a schedule decides: eager lets no queue grow, lazy every one, and
     * random draws how often a stream has its turn. Advice would be about the schedule. */
    if (s->object.index >= STREAMS_MAX || pacl_schedule_is_on())
        return;
    struct growth *g = &growths[s->object.index];
    pacl_work_touches(work, add_bytes, &bytes);
    pacl_add_relaxed(&g->bytes, bytes);
    const uint64_t done = pacl_load_relaxed(&s->done), queued = pacl_stream_queued(s);
    const uint64_t pending = queued > done ? queued - done : 0;
    if (pending < BEGIN && !pacl_load_relaxed(&g->grows))
        return;
    pthread_mutex_lock(&lock);
    bool says = false;
    if (pacl_load_relaxed(&g->grows))
        says = has_grown(s, g, pending);
    else if (pending < 2 * (uint64_t)BEGIN)
        begin(s, g, pending);
    const struct samples samples = g->samples;
    pthread_mutex_unlock(&lock);
    if (says)
        advise(s, &samples, work->call);
}

static void stream_created(struct pacl_stream *s)
{
    if (s->object.index >= STREAMS_MAX)
        return;
    pacl_store_relaxed(&growths[s->object.index].bytes, 0);
    pacl_store_relaxed(&growths[s->object.index].grows, false);
}

const struct pacl_observer pacl_check_growth = { .submitted = submitted, .stream_created = stream_created };
