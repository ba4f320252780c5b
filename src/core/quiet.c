/* SPDX-License-Identifier: Apache-2.0 */
#include "core/quiet.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/list.h"
#include "core/handle.h"
#include "core/stream.h"
#include "os/os.h"

/* A thread's mark. Belongs to its thread, which takes it off the list when it ends. */
struct toucher {
    _Atomic uint32_t inside;
    struct pacl_list link; /* guarded by list_lock */
};

static pthread_mutex_t quiet_lock = PTHREAD_MUTEX_INITIALIZER; /* held from begin to end */
static _Atomic uint32_t over;                                  /* futex; changes when a quiet moment ends */

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list touchers = { &touchers, &touchers };
static _Thread_local struct toucher *own;
static _Atomic uint32_t unlisted; /* threads inside for which there was no memory */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

/* --- marks -------------------------------------------------------------------------------------------------------- */

static void leave_list(void *mark)
{
    struct toucher *t = mark;
    pthread_mutex_lock(&list_lock);
    pacl_list_remove(&t->link);
    pthread_mutex_unlock(&list_lock);
    free(t);
    own = NULL;
}

static void make_key(void)
{
    (void)pthread_key_create(&key, leave_list);
}

static struct toucher *join_list(void)
{
    pthread_once(&key_once, make_key);
    struct toucher *t = calloc(1, sizeof *t);
    if (t == NULL || pthread_setspecific(key, t) != 0) {
        free(t);
        return NULL;
    }
    pthread_mutex_lock(&list_lock);
    pacl_list_append(&touchers, &t->link);
    pthread_mutex_unlock(&list_lock);
    own = t;
    return t;
}

/* For a thread without a mark of its own. Both sides are sequentially consistent: one sees the other. */
static bool try_enter_unlisted(void)
{
    pacl_add_seq_cst(&unlisted, 1);
    if ((pacl_load_seq_cst(&pacl_runtime_halt) & PACL_HALT_QUIET) == 0)
        return true;
    pacl_sub_seq_cst(&unlisted, 1);
    return false;
}

/* The mark is stored and then the wish looked at; pacl_quiet_begin stores the wish and then looks at the marks. The
 * light fence here and the heavy one there: one of the two sees the other's store. */
static bool try_enter(struct toucher *t)
{
    pacl_store_relaxed(&t->inside, 1);
    os_fence_light();
    if (!pacl_quiet_is_wanted())
        return true;
    pacl_store_release(&t->inside, 0);
    return false;
}

void pacl_use_begin(void)
{
    struct toucher *t = own != NULL ? own : join_list();
    while (t != NULL ? !try_enter(t) : !try_enter_unlisted())
        pacl_quiet_pass();
}

/* Release, paired with the acquire in await_marks: what was touched is seen by the thread that wanted it quiet. */
void pacl_use_end(void)
{
    if (own != NULL)
        pacl_store_release(&own->inside, 0);
    else
        pacl_sub_seq_cst(&unlisted, 1);
}

/* --- quiet -------------------------------------------------------------------------------------------------------- */

void pacl_quiet_pass(void)
{
    const uint32_t word = pacl_load_seq_cst(&over); /* before the wish: its end changes the word first */
    if (pacl_quiet_is_wanted())
        os_futex_wait(&over, word, OS_NEVER);
}

static void await_marks(void)
{
    pthread_mutex_lock(&list_lock);
    PACL_LIST_EACH(node, &touchers)
    {
        const struct toucher *t = PACL_CONTAINER(node, struct toucher, link);
        while (pacl_load_acquire(&t->inside) != 0)
            os_yield();
    }
    pthread_mutex_unlock(&list_lock);
    while (pacl_load_seq_cst(&unlisted) != 0)
        os_yield();
}

/* A stream that is taken after the wish was stored sees it before its first task; one that was taken before is waited
 * for until its owner has come past its next look. */
static void await_streams(void)
{
    struct pacl_stream *s;
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++) {
        while (pacl_stream_is_running(s) && !pacl_runtime_is_exiting()) /* at exit it may stay as it is */
            os_yield();
    }
}

void pacl_quiet_begin(void)
{
    pthread_mutex_lock(&quiet_lock);
    (void)atomic_fetch_or(&pacl_runtime_halt, PACL_HALT_QUIET);
    os_fence_heavy(); /* paired with the light fence in try_enter */
    await_marks();
    await_streams();
}

void pacl_quiet_end(void)
{
    (void)atomic_fetch_and(&pacl_runtime_halt, ~(uint32_t)PACL_HALT_QUIET);
    pacl_add_seq_cst(&over, 1);
    os_futex_wake(&over, INT32_MAX);
    pthread_mutex_unlock(&quiet_lock);
}
