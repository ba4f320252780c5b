/* SPDX-License-Identifier: Apache-2.0 */
#include "core/host_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "core/context.h"
#include "core/observer.h"
#include "core/stream.h"
#include "os/os.h"

/* Belongs to its thread, which frees it; the context only points to it. */
struct pacl_host_queue {
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t changed;
    struct pacl_list streams; /* parked, each with a host function at its head; oldest first */
    bool stopping;
};

static struct pacl_stream *next_stream(struct pacl_host_queue *q)
{
    struct pacl_stream *s = NULL;
    pthread_mutex_lock(&q->lock);
    while (pacl_list_empty(&q->streams) && !q->stopping)
        pthread_cond_wait(&q->changed, &q->lock);
    if (!pacl_list_empty(&q->streams)) {
        s = PACL_CONTAINER(q->streams.next, struct pacl_stream, in_host_queue);
        pacl_list_remove(&s->in_host_queue);
    }
    pthread_mutex_unlock(&q->lock);
    return s;
}

static void host_thread(void *queue)
{
    struct pacl_host_queue *q = queue;
    struct pacl_stream *s;
    while ((s = next_stream(q)) != NULL) {
        const struct pacl_work *work = &s->ring[s->head_place].work;
        PACL_OBSERVE(host_function_begins, s, work);
        work->host.run(work->host.argument);
        PACL_OBSERVE(host_function_ends, s, work);
        pacl_stream_end_host_function(s);
    }
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static struct pacl_host_queue *create(void)
{
    struct pacl_host_queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        return NULL;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    pacl_list_init(&q->streams);
    /* The program's code runs there: the system's full stack size. */
    if (os_thread_start(host_thread, q, "pacl-host", 0) == 0)
        return q;
    free(q);
    return NULL;
}

aclError pacl_host_queue_require(struct pacl_context *context)
{
    pthread_mutex_lock(&context->lock);
    if (context->host_queue == NULL && !context->closing)
        context->host_queue = create();
    const bool there = context->host_queue != NULL;
    pthread_mutex_unlock(&context->lock);
    return there ? ACL_SUCCESS
                 : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                             "the context's thread for host functions could not be started");
}

void pacl_host_queue_hand_over(struct pacl_stream *s)
{
    struct pacl_host_queue *q = s->context->host_queue; /* set before the task was queued */
    pacl_store_seq_cst(&s->state, PACL_PARKED);
    pthread_mutex_lock(&q->lock);
    pacl_list_append(&q->streams, &s->in_host_queue);
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void pacl_host_queue_stop(struct pacl_context *context)
{
    pthread_mutex_lock(&context->lock);
    struct pacl_host_queue *q = context->host_queue;
    context->host_queue = NULL;
    pthread_mutex_unlock(&context->lock);
    if (q == NULL)
        return;
    pthread_mutex_lock(&q->lock);
    q->stopping = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}
