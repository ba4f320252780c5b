/* SPDX-License-Identifier: Apache-2.0 */
#include "core/callback.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "core/context.h"
#include "core/engine.h"
#include "core/observer.h"
#include "core/park.h"
#include "core/stream.h"
#include "os/os.h"

enum {
    MOST_THREADS = 1024,
    STAND_IN_NS = 1000000, /* without engines nobody calls a waiting thread to work: it looks itself */
};

/* A subscribed thread. Its memory is kept and used again, never freed: see park.h. */
struct pacl_subscriber {
    struct pacl_parking parking; /* its lock guards what follows; the streams are parked on blocking callbacks */
    uint64_t thread;
    uint32_t streams;          /* subscribed to; 0: not in use. Guarded by table_lock, too, for writing */
    struct pacl_list ready;    /* callbacks whose turn has come, oldest first */
    _Atomic uint32_t arrivals; /* futex; changes when the thread has something to look at */
};

struct pacl_callback {
    const char *call; /* the public function that launched it */
    aclrtCallback run;
    void *argument;
    bool blocks;
    struct pacl_stream *stream;
    struct pacl_list link;              /* in a subscriber's ready list, or by itself; guarded by its lock */
    struct pacl_subscriber *subscriber; /* once its turn has come; written by the stream's owner */
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER; /* taken before a subscriber's */
static struct pacl_subscriber *table[MOST_THREADS];            /* guarded by table_lock; filled from the front */

/* --- subscribing ------------------------------------------------------------------------------------------------- */

/* Under table_lock: the thread's subscriber, or NULL. */
static struct pacl_subscriber *find(uint64_t thread)
{
    for (uint32_t i = 0; i < MOST_THREADS && table[i] != NULL; i++) {
        if (table[i]->streams > 0 && table[i]->thread == thread)
            return table[i];
    }
    return NULL;
}

static struct pacl_subscriber *create(void)
{
    struct pacl_subscriber *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    pacl_parking_prepare(&r->parking);
    pacl_list_init(&r->ready);
    return r;
}

/* Under table_lock: one that is not in use, or NULL. */
static struct pacl_subscriber *find_free(void)
{
    for (uint32_t i = 0; i < MOST_THREADS; i++) {
        if (table[i] == NULL)
            table[i] = create();
        if (table[i] == NULL || table[i]->streams == 0)
            return table[i];
    }
    return NULL;
}

static aclError refuse_way(const struct pacl_stream *s)
{
    const bool hidden = pacl_load_relaxed(&s->callback_way) == PACL_CALLBACK_HIDDEN;
    return PACL_FAIL(ACL_ERROR_RT_STREAM_SUBSCRIBE, "stream %u %s", s->id,
                     hidden ? "has its functions run by the context's thread, since aclrtLaunchHostFunc"
                            : "is subscribed to by a thread already");
}

/* Under table_lock. */
static void attach(struct pacl_stream *s, struct pacl_subscriber *r, uint64_t thread)
{
    pthread_mutex_lock(&r->parking.lock);
    r->thread = thread;
    r->streams++;
    s->subscriber = r;
    pthread_mutex_unlock(&r->parking.lock);
}

aclError pacl_callback_subscribe(struct pacl_stream *s, uint64_t thread, enum pacl_callback_way way)
{
    uint32_t open = PACL_CALLBACK_OPEN;
    aclError err = ACL_SUCCESS;
    pthread_mutex_lock(&table_lock);
    struct pacl_subscriber *r = find(thread);
    if (r == NULL)
        r = find_free();
    if (r == NULL)
        err = PACL_FAIL(ACL_ERROR_RT_THREAD_SUBSCRIBE, "%d threads are subscribed to streams, the most there can be",
                        MOST_THREADS);
    else if (!pacl_cas_seq_cst(&s->callback_way, &open, way))
        err = refuse_way(s);
    else
        attach(s, r, thread);
    pthread_mutex_unlock(&table_lock);
    return err;
}

/* Under the subscriber's lock: the stream's callbacks leave the list. A parked stream is in `parked` then: its callback stays
 * its head's. */
static void drop_ready(struct pacl_subscriber *r, struct pacl_stream *s, struct pacl_list *parked)
{
    PACL_LIST_EACH(node, &r->ready)
    {
        struct pacl_callback *c = PACL_CONTAINER(node, struct pacl_callback, link);
        if (c->stream != s)
            continue;
        pacl_list_remove(&c->link);
        pacl_log(PACL_LOG_WARNING, "stream %u: a callback is dropped, because its thread is subscribed no more", s->id);
        if (!c->blocks) {
            free(c);
            continue;
        }
        s->wait_end = PACL_WAIT_GRANTED;
        pacl_park_leave(s);
        pacl_list_append(parked, &s->in_parking);
    }
}

/* Under table_lock. */
static void detach(struct pacl_stream *s, struct pacl_subscriber *r)
{
    struct pacl_list parked;
    pacl_list_init(&parked);
    pthread_mutex_lock(&r->parking.lock);
    s->subscriber = NULL;
    r->streams--;
    drop_ready(r, s, &parked);
    pacl_add_seq_cst(&r->arrivals, 1); /* the thread may have nothing to wait for any more */
    pthread_mutex_unlock(&r->parking.lock);
    os_futex_wake(&r->arrivals, INT32_MAX);
    pacl_store_seq_cst(&s->callback_way, PACL_CALLBACK_OPEN);
    pacl_park_end_all(&parked);
}

aclError pacl_callback_unsubscribe(struct pacl_stream *s, uint64_t thread)
{
    aclError err = ACL_SUCCESS;
    pthread_mutex_lock(&table_lock);
    struct pacl_subscriber *r = find(thread);
    if (r == NULL)
        err = PACL_FAIL(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread %llu is subscribed to no stream",
                        (unsigned long long)thread);
    else if (s->subscriber != r)
        err = PACL_FAIL(ACL_ERROR_RT_STREAM_SUBSCRIBE, "thread %llu is not subscribed to stream %u",
                        (unsigned long long)thread, s->id);
    else
        detach(s, r);
    pthread_mutex_unlock(&table_lock);
    return err;
}

void pacl_callback_forget(struct pacl_stream *s)
{
    if (pacl_load_seq_cst(&s->callback_way) < PACL_CALLBACK_REPORTS)
        return;
    pthread_mutex_lock(&table_lock);
    if (s->subscriber != NULL)
        detach(s, s->subscriber);
    pthread_mutex_unlock(&table_lock);
}

enum pacl_callback_way pacl_callback_way_of_host_function(struct pacl_stream *s)
{
    uint32_t way = PACL_CALLBACK_OPEN;
    if (pacl_cas_seq_cst(&s->callback_way, &way, PACL_CALLBACK_HIDDEN))
        return PACL_CALLBACK_HIDDEN;
    return (enum pacl_callback_way)way;
}

/* --- launching --------------------------------------------------------------------------------------------------- */

bool pacl_callback_is_blocking(const struct pacl_callback *c)
{
    return c->blocks;
}

aclError pacl_callback_launch(struct pacl_stream *s, void *handle, aclrtCallback run, void *argument, bool blocks)
{
    if (pacl_load_seq_cst(&s->callback_way) < PACL_CALLBACK_REPORTS)
        return PACL_FAIL(ACL_ERROR_RT_STREAM_NO_CB_REG,
                         "no thread is subscribed to stream %u; see aclrtSubscribeReport", s->id);
    struct pacl_callback *c = calloc(1, sizeof *c);
    if (c == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a callback");
    *c = (struct pacl_callback){
        .call = pacl_self.call, .run = run, .argument = argument, .blocks = blocks, .stream = s
    };
    pacl_list_init(&c->link);
    const struct pacl_work work = {
        .call = pacl_self.call, .op = PACL_OP_CALLBACK, .thread = os_thread_id(), .callback.callback = c
    };
    const aclError err = pacl_stream_submit(s, handle, &work);
    if (err != ACL_SUCCESS)
        free(c);
    return err;
}

/* --- its turn ---------------------------------------------------------------------------------------------------- */

/* Under the subscriber's lock. Whether it is the stream's subscriber is looked at under its own lock: then callbacks that
 * come are not forgotten by detach(). False: the stream is parked. */
static bool hand_over(struct pacl_stream *s, struct pacl_subscriber *r, struct pacl_callback *c, bool *dropped)
{
    c->subscriber = r;
    if (s->subscriber != r) {
        *dropped = true;
        return true;
    }
    if (c->blocks && !pacl_park(&r->parking, s, 0))
        return true; /* the stream skips it */
    pacl_list_append(&r->ready, &c->link);
    pacl_add_seq_cst(&r->arrivals, 1);
    return !c->blocks;
}

bool pacl_callback_turn(struct pacl_stream *s, const struct pacl_work *work, bool *dropped)
{
    struct pacl_callback *c = work->callback.callback;
    struct pacl_subscriber *r = pacl_load_seq_cst(&s->subscriber);
    *dropped = r == NULL || s->wait_end == PACL_WAIT_GRANTED; /* granted by detach(), or run by its thread */
    if (*dropped) {
        s->wait_end = PACL_WAIT_OPEN;
        free(c);
        return true;
    }
    const bool blocks = c->blocks;
    pthread_mutex_lock(&r->parking.lock);
    const bool goes_on = hand_over(s, r, c, dropped);
    const bool handed_over = !goes_on || (!blocks && !*dropped); /* c may be run and freed once the lock is released */
    pthread_mutex_unlock(&r->parking.lock);
    if (handed_over)
        os_futex_wake(&r->arrivals, INT32_MAX);
    else
        free(c);
    return goes_on;
}

/* A parked stream that is interrupted left its callback in the list. */
void pacl_callback_skip(const struct pacl_work *work)
{
    struct pacl_callback *c = work->callback.callback;
    struct pacl_subscriber *r = c->subscriber;
    if (r != NULL) {
        pthread_mutex_lock(&r->parking.lock);
        pacl_list_remove(&c->link);
        pthread_mutex_unlock(&r->parking.lock);
    }
    free(c);
}

/* --- processing -------------------------------------------------------------------------------------------------- */

/* Also where the callback ends its thread: its stream goes on. */
static void end(void *callback)
{
    struct pacl_callback *c = callback;
    struct pacl_stream *const s = c->stream;
    const struct pacl_work work = { .call = c->call, .op = PACL_OP_CALLBACK, .callback.callback = c };
    const bool blocks = c->blocks;
    PACL_OBSERVE(host_function_ends, s, &work);
    free(c);
    if (blocks)
        pacl_stream_end_host_function(s);
}

/* Under the lock, which is released meanwhile. The stream of a blocking callback is this thread's from here on: an abort
 * waits for it. */
static void run(struct pacl_subscriber *r, struct pacl_callback *c)
{
    const struct pacl_work work = { .call = c->call, .op = PACL_OP_CALLBACK, .callback.callback = c };
    if (c->blocks)
        pacl_park_leave(c->stream);
    pthread_mutex_unlock(&r->parking.lock);
    PACL_OBSERVE(host_function_begins, c->stream, &work);
    pthread_cleanup_push(end, c);
    c->run(c->argument);
    pthread_cleanup_pop(1);
    pthread_mutex_lock(&r->parking.lock);
}

/* Under the lock: takes the oldest callback off, of the stream if one is given. A blocking one whose stream was interrupted
 * is the stream's, which will skip it. */
static struct pacl_callback *take(struct pacl_subscriber *r, const struct pacl_stream *s)
{
    PACL_LIST_EACH(node, &r->ready)
    {
        struct pacl_callback *c = PACL_CONTAINER(node, struct pacl_callback, link);
        if (s != NULL && c->stream != s)
            continue;
        pacl_list_remove(&c->link);
        if (!c->blocks || pacl_load_relaxed(&c->stream->parked_on) == &r->parking)
            return c;
    }
    return NULL;
}

static uint32_t count_ready(const struct pacl_subscriber *r, const struct pacl_stream *s)
{
    uint32_t count = 0;
    PACL_LIST_EACH(node, &r->ready)
    count += PACL_CONTAINER(node, struct pacl_callback, link)->stream == s;
    return count;
}

/* Under the lock: runs the oldest callback that waits, and what waits behind it of the same stream now. */
static bool run_ready(struct pacl_subscriber *r)
{
    struct pacl_callback *c = take(r, NULL);
    if (c == NULL)
        return false;
    const struct pacl_stream *s = c->stream;
    for (uint32_t left = count_ready(r, s); c != NULL; left--) {
        run(r, c);
        c = left > 0 ? take(r, s) : NULL;
    }
    return true;
}

static void sleep_for(struct pacl_subscriber *r, uint32_t arrivals, uint64_t deadline_ns)
{
    if (pacl_engines_stand_in())
        return;
    const uint64_t look_again = pacl_engines_are_missing() ? os_now_ns() + STAND_IN_NS : OS_NEVER;
    os_futex_wait(&r->arrivals, arrivals, deadline_ns < look_again ? deadline_ns : look_again);
}

static aclError refuse_thread(uint64_t thread)
{
    return PACL_FAIL(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread %llu is subscribed to no stream; see aclrtSubscribeReport",
                     (unsigned long long)thread);
}

aclError pacl_callback_process(uint64_t thread, int32_t timeout_ms)
{
    const uint64_t deadline_ns = timeout_ms < 0 ? OS_NEVER : os_now_ns() + (uint64_t)timeout_ms * 1000000U;
    pthread_mutex_lock(&table_lock);
    struct pacl_subscriber *r = find(thread);
    pthread_mutex_unlock(&table_lock);
    if (r == NULL)
        return refuse_thread(thread);
    for (;;) {
        pthread_mutex_lock(&r->parking.lock);
        const uint32_t arrivals = pacl_load_seq_cst(&r->arrivals);
        const bool subscribed = r->streams > 0 && r->thread == thread;
        const bool found = subscribed && run_ready(r);
        pthread_mutex_unlock(&r->parking.lock);
        if (!subscribed)
            return refuse_thread(thread);
        if (found)
            return ACL_SUCCESS;
        if (deadline_ns != OS_NEVER && os_now_ns() >= deadline_ns)
            return PACL_FAIL(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback came to thread %llu within %d ms",
                             (unsigned long long)thread, timeout_ms);
        sleep_for(r, arrivals, deadline_ns);
    }
}
