/* SPDX-License-Identifier: Apache-2.0 */
/* SIGUSR2: what the process is doing and what it waits for, on standard error. A handler may not do that: it wakes a
 * thread that does. */
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/options.h"
#include "core/device.h"
#include "core/event.h"
#include "core/handle.h"
#include "core/hostmem.h"
#include "core/observer.h"
#include "core/park.h"
#include "core/runtime.h"
#include "core/schedule.h"
#include "core/stream.h"
#include "os/os.h"

static sem_t asked;

/* The number of a task is the slot's, over all streams that it was; what a reader can count is how many are pending. */
static void write_source(FILE *out, const struct pacl_stream *source, uint64_t number)
{
    const uint64_t done = source != NULL ? pacl_load_acquire(&source->done) : 0;
    if (source == NULL)
        fprintf(out, ", which is not recorded");
    else if (number > done)
        fprintf(out, ", which stream %u records as pending task %llu", source->id, (unsigned long long)(number - done));
    else
        fprintf(out, ", which stream %u has just recorded", source->id);
}

/* What a parked stream's head waits for; under the lock of its parking. */
static void write_wait(FILE *out, const struct pacl_work *work)
{
    switch (work->op) {
    case PACL_OP_WAIT:
        fprintf(out, ", waits for event %p", pacl_object_handle(&work->event.event->object));
        write_source(out, work->event.source, work->event.number);
        break;
    case PACL_OP_NOTIFY_WAIT:
        fprintf(out, ", waits for a notify");
        break;
    case PACL_OP_CALLBACK:
        fprintf(out, ", waits for its callback's thread");
        break;
    case PACL_OP_HOST_FUNCTION:
        fprintf(out, ", waits for a host function");
        break;
    default:
        fprintf(out, ", waits in %s", work->call);
        break;
    }
}

static void write_parked(FILE *out, struct pacl_stream *s)
{
    struct pacl_parking *parking = pacl_load_acquire(&s->parked_on);
    if (parking == NULL)
        return;
    pthread_mutex_lock(&parking->lock);
    if (pacl_load_relaxed(&s->parked_on) == parking && pacl_load_acquire(&s->state) == PACL_PARKED)
        write_wait(out, pacl_stream_head_work(s));
    pthread_mutex_unlock(&parking->lock);
}

static const char *state_name(uint32_t state)
{
    switch (state) {
    case PACL_READY:
        return pacl_schedule_is_on() ? "ready, waits for its turn" : "ready, waits for an engine";
    case PACL_RUNNING:
        return "running";
    case PACL_PARKED:
        return "parked";
    default:
        return "idle"; /* under a schedule HELD: nothing to run as yet */
    }
}

static void write_stream(FILE *out, struct pacl_stream *s)
{
    const uint32_t state = pacl_load_acquire(&s->state);
    const uint64_t done = pacl_load_acquire(&s->done), queued = pacl_stream_queued(s);
    const unsigned long long pending = queued > done ? queued - done : 0;
    const uint64_t finished = pacl_load_relaxed(&s->tasks_queued) + pacl_load_relaxed(&s->tasks_inline);
    fprintf(out, "pacl-status: stream %u on device %d: %s, %llu task%s pending, %llu finished", s->id, s->device->id,
            state_name(state), pending, pending == 1 ? "" : "s", (unsigned long long)finished);
    if (state == PACL_PARKED)
        write_parked(out, s);
    if (pacl_load_relaxed(&s->error) != 0)
        fprintf(out, ", failed with %d", pacl_load_relaxed(&s->error));
    fprintf(out, "\n");
}

static void write_device(FILE *out, const struct pacl_device *device)
{
    const unsigned long long used = pacl_load_relaxed(&device->memory_used);
    const uint32_t streams = pacl_load_relaxed(&device->streams), events = pacl_load_relaxed(&device->events);
    if (used > 0 || streams > 0 || events > 0)
        fprintf(out, "pacl-status: device %d: %llu of %llu bytes in use, %u stream%s, %u event%s\n", device->id, used,
                (unsigned long long)pacl_runtime()->product.memory_bytes, streams, streams == 1 ? "" : "s", events,
                events == 1 ? "" : "s");
}

static void write_status(FILE *out)
{
    struct pacl_stream *s;
    struct pacl_device *device;
    fprintf(out, "pacl-status: process %d\n", getpid());
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++) {
        /* Finding it by its handle makes its members visible. */
        if (pacl_pool_find(&pacl_streams, pacl_object_handle(&s->object)) != NULL)
            write_stream(out, s);
    }
    for (uint32_t i = 0; i < pacl_runtime()->device_count && pacl_device_get((int32_t)i, &device) == ACL_SUCCESS; i++)
        write_device(out, device);
    fprintf(out, "pacl-status: %llu bytes of pinned host memory in use\n", (unsigned long long)pacl_pinned_live());
}

static void serve(void *unused)
{
    (void)unused;
    for (;;) {
        char *text = NULL;
        size_t length = 0;
        if (sem_wait(&asked) != 0)
            continue;
        FILE *out = open_memstream(&text, &length);
        if (out == NULL)
            continue;
        write_status(out);
        if (fclose(out) == 0)
            (void)!write(STDERR_FILENO, text, length);
        free(text);
    }
}

static void ask(int signal)
{
    (void)signal;
    (void)sem_post(&asked);
}

/* A program that uses the signal itself, now or later, keeps it. */
static void install(void)
{
    struct sigaction action = { .sa_handler = ask, .sa_flags = SA_RESTART }, present;
    const struct pacl_check_options *options = pacl_check_options();
    if ((!options->on && !options->status_signal) || sigaction(SIGUSR2, NULL, &present) != 0 ||
        present.sa_handler != SIG_DFL || sem_init(&asked, 0, 0) != 0)
        return;
    if (os_thread_start(serve, NULL, "pacl-status", 0) == 0)
        (void)sigaction(SIGUSR2, &action, NULL);
}

__attribute__((constructor)) static void offer(void)
{
    pacl_observer_offer(install);
}
