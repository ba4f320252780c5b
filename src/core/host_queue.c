/* SPDX-License-Identifier: Apache-2.0 */
#include "core/host_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "core/context.h"
#include "core/observer.h"
#include "core/park.h"
#include "core/schedule.h"
#include "core/stream.h"
#include "os/os.h"

/* Belongs to its thread, which frees it; the context only points to it. The streams are parked on the context's
 * host_functions, whose lock guards the members. */
struct pacl_host_queue {
    struct pacl_parking *parking;
    pthread_cond_t changed;
    bool stopping; /* what is parked now belongs to the slot's next context */
};

static struct pacl_stream *next_stream(struct pacl_host_queue *q)
{
    struct pacl_parking *p = q->parking;
    struct pacl_stream *s = NULL;
    pthread_mutex_lock(&p->lock);
    while (pacl_list_empty(&p->streams) && !q->stopping)
        pthread_cond_wait(&q->changed, &p->lock);
    if (!q->stopping) {
        s = PACL_CONTAINER(p->streams.next, struct pacl_stream, in_parking);
        pacl_park_leave(s); /* from here on it runs: nobody interrupts it */
    }
    pthread_mutex_unlock(&p->lock);
    return s;
}

/* The function that runs. */
struct turn {
    struct pacl_host_queue *queue;
    struct pacl_stream *stream;
    bool returned;
};

static void serve(struct pacl_host_queue *q);

static void host_thread(void *queue)
{
    serve(queue);
}

/* The system's full stack size: the program's code runs there. */
static int start_thread(struct pacl_host_queue *q)
{
    return os_thread_start(host_thread, q, "pacl-host", 0);
}

/* A function that ends its thread has ended, too. The others get a new thread, or the rest of this one. */
static void end_turn(void *argument)
{
    const struct turn *turn = argument;
    PACL_OBSERVE(host_function_ends, turn->stream, pacl_stream_head_work(turn->stream));
    pacl_stream_end_host_function(turn->stream);
    if (!turn->returned && start_thread(turn->queue) != 0)
        serve(turn->queue);
}

static void take_turn(struct pacl_host_queue *q, struct pacl_stream *s)
{
    struct turn turn = { .queue = q, .stream = s };
    const struct pacl_work *work = pacl_stream_head_work(s);
    PACL_OBSERVE(host_function_begins, s, work);
    pthread_cleanup_push(end_turn, &turn);
    work->host.run(work->host.argument);
    turn.returned = true;
    pthread_cleanup_pop(1);
}

static void serve(struct pacl_host_queue *q)
{
    struct pacl_stream *s;
    pacl_schedule_adopt_host_thread();
    while ((s = next_stream(q)) != NULL)
        take_turn(q, s);
    pthread_cond_destroy(&q->changed);
    free(q);
}

static struct pacl_host_queue *create(struct pacl_context *context)
{
    struct pacl_host_queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        return NULL;
    q->parking = &context->host_functions;
    pthread_cond_init(&q->changed, NULL);
    if (start_thread(q) == 0)
        return q;
    free(q);
    return NULL;
}

aclError pacl_host_queue_require(struct pacl_context *context)
{
    pthread_mutex_lock(&context->lock);
    if (context->host_queue == NULL && !context->closing)
        context->host_queue = create(context);
    const bool there = context->host_queue != NULL;
    pthread_mutex_unlock(&context->lock);
    return there ? ACL_SUCCESS
                 : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                             "the context's thread for host functions could not be started");
}

bool pacl_host_queue_hand_over(struct pacl_stream *s)
{
    struct pacl_host_queue *q = s->context->host_queue; /* set before the task was queued */
    pthread_mutex_lock(&q->parking->lock);
    const bool parked = pacl_park(q->parking, s, 0);
    if (parked)
        pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->parking->lock);
    return parked;
}

void pacl_host_queue_stop(struct pacl_context *context)
{
    pthread_mutex_lock(&context->lock);
    struct pacl_host_queue *q = context->host_queue;
    context->host_queue = NULL;
    pthread_mutex_unlock(&context->lock);
    if (q == NULL)
        return;
    struct pacl_parking *p = q->parking;
    pthread_mutex_lock(&p->lock);
    q->stopping = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&p->lock);
}
