/* SPDX-License-Identifier: Apache-2.0 */
#include "core/schedule.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "core/park.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "os/os.h"

enum {
    LOOK_AGAIN_NS = 1000000,
    TICK_NS = 5000000, /* how often to look whether the program still does something */
    QUIET_TICKS = 2,   /* looks at a sleeping program before it is taken for waiting */
    BUSY_TICKS = 400,  /* 2 s: after this long without a call a busy program is taken for waiting, too */
    STACK_BYTES = 256 * 1024,
    MOST_STEPS = 8,
};
#define SETTLE_NS ((uint64_t)2000000000)

enum pacl_schedule_policy pacl_schedule_policy;

/* Steps that follow a submission under `random`: mostly few, so queues grow and shrink; chosen by the seed. */
static const uint8_t steps_after[MOST_STEPS] = { 0, 0, 0, 0, 1, 1, 2, 4 };

static struct {
    pthread_mutex_t turn;   /* lazy and random: held while a task runs, so that it is one at a time. Taken first */
    pthread_mutex_t lock;   /* guards what follows */
    struct pacl_list ready; /* streams offered, oldest first, by their in_schedule */
    uint32_t ready_count;
    uint64_t random_state;
    uint64_t seed;   /* constant, as is the next one */
    bool draws_seed; /* nobody gave one */

    pthread_once_t watch_once;
    _Atomic uint32_t submissions; /* changes with each; futex of the watching thread */
    _Atomic uint32_t steps;       /* changes whenever tasks were run, or a host function has ended */
    _Atomic uint32_t watch_sleeps;
    _Atomic uint32_t inside; /* threads that run tasks */
} schedule = { .turn = PTHREAD_MUTEX_INITIALIZER,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .ready = { &schedule.ready, &schedule.ready },
               .watch_once = PTHREAD_ONCE_INIT };

static _Thread_local bool running;             /* this thread runs tasks, and comes back to the list itself */
static _Thread_local bool runs_host_functions; /* it cannot wait for one */

/* --- choice ------------------------------------------------------------------------------------------------------ */

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0;
}

static uint64_t drawn_seed(void)
{
    schedule.draws_seed = true;
    return os_now_ns() * 0x9e3779b97f4a7c15U >> 32;
}

static void begin_random(uint64_t seed)
{
    schedule.seed = schedule.random_state = seed;
    pacl_schedule_policy = PACL_SCHEDULE_RANDOM;
}

bool pacl_schedule_choose(const char *text)
{
    uint64_t seed;
    if (text == NULL || text[0] == '\0')
        return true;
    if (strcmp(text, "eager") == 0)
        pacl_schedule_policy = PACL_SCHEDULE_EAGER;
    else if (strcmp(text, "lazy") == 0)
        pacl_schedule_policy = PACL_SCHEDULE_LAZY;
    else if (strcmp(text, "random") == 0)
        begin_random(drawn_seed());
    else if (strncmp(text, "random:", 7) == 0 && read_seed(text + 7, &seed))
        begin_random(seed);
    else
        return false;
    return true;
}

/* SplitMix64. Under the lock. */
static uint64_t draw(void)
{
    uint64_t x = schedule.random_state += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/* --- the list ---------------------------------------------------------------------------------------------------- */

/* A stream that a thread took without the list is still linked; whoever comes to it finds it not ready. */
static void link_ready(struct pacl_stream *s)
{
    pthread_mutex_lock(&schedule.lock);
    if (pacl_list_empty(&s->in_schedule)) {
        pacl_list_append(&schedule.ready, &s->in_schedule);
        schedule.ready_count++;
    }
    pthread_mutex_unlock(&schedule.lock);
}

/* Under the lock. */
static struct pacl_stream *unlink_ready(struct pacl_stream *s)
{
    pacl_list_remove(&s->in_schedule);
    schedule.ready_count--;
    return s;
}

static struct pacl_stream *take_oldest(void)
{
    struct pacl_stream *s = NULL;
    pthread_mutex_lock(&schedule.lock);
    if (schedule.ready_count > 0)
        s = unlink_ready(PACL_CONTAINER(schedule.ready.next, struct pacl_stream, in_schedule));
    pthread_mutex_unlock(&schedule.lock);
    return s;
}

/* Streams that are ready no more are dropped first, so that they are not drawn. */
static struct pacl_stream *take_random(void)
{
    struct pacl_stream *s = NULL;
    pthread_mutex_lock(&schedule.lock);
    PACL_LIST_EACH(node, &schedule.ready)
    {
        s = PACL_CONTAINER(node, struct pacl_stream, in_schedule);
        if (pacl_load_seq_cst(&s->state) != PACL_READY)
            (void)unlink_ready(s);
    }
    s = NULL;
    uint64_t skip = schedule.ready_count > 0 ? draw() % schedule.ready_count : 0;
    PACL_LIST_EACH(node, &schedule.ready)
    {
        if (skip-- == 0) {
            s = unlink_ready(PACL_CONTAINER(node, struct pacl_stream, in_schedule));
            break;
        }
    }
    pthread_mutex_unlock(&schedule.lock);
    return s;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

/* A host function that was handed over runs to its end before this thread goes on; but one that waits for something,
 * which may be this thread, is left alone. `ended`: how many had before. */
static void await_host_function(struct pacl_stream *s, uint32_t ended)
{
    unsigned quiet = 0;
    for (unsigned ticks = 0; ticks < BUSY_TICKS && quiet < QUIET_TICKS && !pacl_runtime_is_exiting(); ticks++) {
        if (pacl_load_acquire(&s->host_functions_ended) != ended)
            return;
        os_futex_wait(&s->host_functions_ended, ended, os_now_ns() + TICK_NS);
        quiet = os_others_sleep() ? quiet + 1 : 0;
    }
}

/* Runs tasks of a stream up to number `upto`, one or all that come. False if another thread has the stream. */
static bool run(struct pacl_stream *s, uint64_t upto, bool one)
{
    const struct pacl_visit visit = { .upto = upto, .budget = one ? 0 : SIZE_MAX, .helping = true };
    const uint64_t function = pacl_load_acquire(&s->host_function);
    const uint32_t ended = pacl_load_acquire(&s->host_functions_ended);
    pacl_add_seq_cst(&schedule.inside, 1); /* before the runtime's exiting is looked at: see pacl_schedule_settle */
    running = true;
    const bool ran = pacl_stream_visit(s, &visit);
    running = false;
    pacl_sub_seq_cst(&schedule.inside, 1);
    pacl_add_seq_cst(&schedule.steps, 1);
    if (ran && !runs_host_functions && pacl_schedule_policy != PACL_SCHEDULE_LAZY &&
        pacl_load_acquire(&s->host_function) != function)
        await_host_function(s, ended);
    return ran;
}

static bool run_one(struct pacl_stream *s, uint64_t upto)
{
    pthread_mutex_lock(&schedule.turn);
    const bool ran = run(s, upto, true);
    pthread_mutex_unlock(&schedule.turn);
    return ran;
}

/* --- eager ------------------------------------------------------------------------------------------------------- */

/* All that is ready. What becomes ready meanwhile comes to the list and has its turn here, not in a deeper call. */
static bool drain(void)
{
    bool ran = false;
    struct pacl_stream *s;
    if (running)
        return false;
    while ((s = take_oldest()) != NULL)
        ran = run(s, UINT64_MAX, false) || ran;
    return ran;
}

/* Another thread may have the stream: the call waits until it has come to the task, or to what it must wait for. */
static void eager_submitted(struct pacl_stream *s, uint64_t number)
{
    if (running)
        return;
    while (!pacl_stream_reached(s, number) && !pacl_runtime_is_exiting()) {
        const uint32_t state = pacl_load_seq_cst(&s->state);
        if (state == PACL_PARKED)
            return;
        if (!drain())
            os_yield();
    }
}

/* --- lazy -------------------------------------------------------------------------------------------------------- */

enum advance { RAN, BUSY, UNKNOWN };

/* Runs one task that task `number` of the stream waits for, if need be of other streams: from a stream that waits for an
 * event it goes on to where the event was recorded. UNKNOWN: it waits for something that no queue is known to bring. */
static enum advance advance(struct pacl_stream *s, uint64_t number)
{
    for (uint32_t hops = pacl_load_relaxed(&pacl_streams.count); hops > 0; hops--) {
        if (pacl_stream_reached(s, number))
            return BUSY; /* whoever finished it is about to wake those who wait for it */
        switch (pacl_load_seq_cst(&s->state)) {
        case PACL_READY:
            return run_one(s, number) ? RAN : BUSY;
        case PACL_PARKED:
            if (pacl_load_acquire(&s->done) + 1 == pacl_load_acquire(&s->host_function))
                return BUSY; /* in a host function */
            if (!pacl_park_awaits(s, &s, &number))
                return UNKNOWN;
            break;
        default:
            return BUSY;
        }
    }
    return BUSY; /* streams that wait for each other */
}

static bool run_oldest(void)
{
    struct pacl_stream *s = take_oldest();
    return s != NULL && run_one(s, UINT64_MAX);
}

static bool lazy_help(struct pacl_stream *s, uint64_t number)
{
    const uint32_t steps = pacl_load_seq_cst(&schedule.steps);
    const enum advance step = advance(s, number);
    if (step == BUSY) /* mostly in a host function: the next step follows at once */
        os_futex_wait(&schedule.steps, steps, os_now_ns() + LOOK_AGAIN_NS);
    return step == RAN || (step == UNKNOWN && run_oldest());
}

/* --- random ------------------------------------------------------------------------------------------------------ */

/* One task. The choice is made in the turn too, so that the order of choices is that of runs. */
static bool random_step(void)
{
    pthread_mutex_lock(&schedule.turn);
    struct pacl_stream *s = take_random();
    const bool ran = s != NULL && run(s, UINT64_MAX, true);
    pthread_mutex_unlock(&schedule.turn);
    return ran;
}

static void random_steps(unsigned least)
{
    if (running)
        return;
    pthread_mutex_lock(&schedule.lock);
    unsigned steps = least + steps_after[draw() % MOST_STEPS];
    pthread_mutex_unlock(&schedule.lock);
    while (steps-- > 0 && random_step())
        continue;
}

/* --- what a program notices without a call ----------------------------------------------------------------------- */

/* A program may wait for a host function by means of its own, a semaphore or a flag, and hear of a failure by a callback.
 * Copies it cannot wait for so. */
static bool is_noticed(const struct pacl_work *work)
{
    switch (work->op) {
    case PACL_OP_COPY:
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
    case PACL_OP_RECORD:
    case PACL_OP_WAIT:
    case PACL_OP_REDUCE:
    case PACL_OP_VALUE_WRITE:
    case PACL_OP_VALUE_WAIT:
    case PACL_OP_COPY_BY_CELLS:
    case PACL_OP_COPY_BY_DESC:
        return false;
    default:
        return true;
    }
}

/* The watching thread cannot look for it in the queue, whose places are used again as soon as a task has finished. */
void pacl_schedule_note(struct pacl_stream *s, uint64_t number, const struct pacl_work *work)
{
    uint64_t before = pacl_load_seq_cst(&s->noticed);
    while (is_noticed(work) && before < number && !pacl_cas_seq_cst(&s->noticed, &before, number))
        continue;
}

/* Brings every stream up to the last task that the program may be waiting for. True if some are still to come. */
static bool run_noticed(void)
{
    struct pacl_stream *s;
    bool left = false;
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL && !pacl_runtime_is_exiting(); i++) {
        const uint64_t last = pacl_load_seq_cst(&s->noticed);
        while (!pacl_stream_reached(s, last) && lazy_help(s, last))
            continue;
        left = left || !pacl_stream_reached(s, last);
    }
    return left;
}

static void sleep_until_submission(uint32_t seen)
{
    pacl_store_seq_cst(&schedule.watch_sleeps, 1); /* paired with the look in tell_watch, after the counter's change */
    os_futex_wait(&schedule.submissions, seen, OS_NEVER);
    pacl_store_seq_cst(&schedule.watch_sleeps, 0);
}

/* Looks, while there may be such tasks, whether all threads of the program sleep: then it waits for one of them. */
static void watch(void *unused)
{
    static _Atomic uint32_t never;
    (void)unused;
    for (;;) {
        const uint32_t seen = pacl_load_seq_cst(&schedule.submissions), steps = pacl_load_seq_cst(&schedule.steps);
        bool left = true;
        for (unsigned quiet = 0, ticks = 0; left && ticks < BUSY_TICKS; ticks++) {
            os_futex_wait(&never, 0, os_now_ns() + TICK_NS);
            if (pacl_load_seq_cst(&schedule.submissions) != seen || pacl_load_seq_cst(&schedule.steps) != steps)
                break;
            quiet = os_others_sleep() ? quiet + 1 : 0;
            if (quiet == QUIET_TICKS || ticks + 1 == BUSY_TICKS) {
                left = run_noticed();
                break;
            }
        }
        if (pacl_runtime_is_exiting())
            return;
        if (!left)
            sleep_until_submission(seen);
    }
}

/* With the first task. A seed that nobody knows is told: what was found with it can be found again. */
static void start_watch(void)
{
    if (schedule.draws_seed)
        fprintf(stderr, "pacl: schedule random:%llu\n", (unsigned long long)schedule.seed);
    (void)os_thread_start(watch, NULL, "pacl-schedule", STACK_BYTES); /* without it only such programs hang */
}

static void tell_watch(void)
{
    pthread_once(&schedule.watch_once, start_watch);
    pacl_add_seq_cst(&schedule.submissions, 1);
    if (pacl_load_seq_cst(&schedule.watch_sleeps) != 0)
        os_futex_wake(&schedule.submissions, 1);
}

/* --- what the runtime tells -------------------------------------------------------------------------------------- */

void pacl_schedule_offer(struct pacl_stream *s)
{
    link_ready(s);
    if (pacl_schedule_policy == PACL_SCHEDULE_EAGER)
        (void)drain();
}

void pacl_schedule_submitted(struct pacl_stream *s, uint64_t number)
{
    uint32_t held = PACL_HELD;
    if (pacl_cas_seq_cst(&s->state, &held, PACL_READY))
        pacl_schedule_offer(s);
    if (pacl_schedule_policy == PACL_SCHEDULE_EAGER) {
        eager_submitted(s, number);
        return;
    }
    tell_watch();
    if (pacl_schedule_policy == PACL_SCHEDULE_RANDOM)
        random_steps(0);
}

bool pacl_schedule_help(struct pacl_stream *s, uint64_t number)
{
    if (running)
        return false;
    switch (pacl_schedule_policy) {
    case PACL_SCHEDULE_EAGER:
        return drain();
    case PACL_SCHEDULE_LAZY:
        return lazy_help(s, number);
    default:
        return random_step();
    }
}

bool pacl_schedule_help_any(void)
{
    if (running)
        return false;
    switch (pacl_schedule_policy) {
    case PACL_SCHEDULE_EAGER:
        return drain();
    case PACL_SCHEDULE_LAZY:
        return run_oldest();
    default:
        return random_step();
    }
}

/* One task, and one more with each query of this thread that found nothing done: a program that queues work between its
 * queries gets its answer, too. */
static void lazy_poll(struct pacl_stream *s, uint64_t number)
{
    static _Thread_local unsigned in_vain;
    for (unsigned left = in_vain + 1; left > 0 && !pacl_stream_reached(s, number) && lazy_help(s, number); left--)
        continue;
    in_vain = pacl_stream_reached(s, number) ? 0 : in_vain + 1;
}

void pacl_schedule_poll(struct pacl_stream *s, uint64_t number)
{
    if (running)
        return;
    if (pacl_schedule_policy == PACL_SCHEDULE_EAGER)
        (void)drain();
    else if (pacl_schedule_policy == PACL_SCHEDULE_RANDOM)
        random_steps(1);
    else if (s != NULL)
        lazy_poll(s, number);
    else
        (void)run_oldest();
}

void pacl_schedule_adopt_host_thread(void)
{
    runs_host_functions = true;
}

void pacl_schedule_host_function_ended(struct pacl_stream *s)
{
    if (!pacl_schedule_is_on())
        return;
    pacl_add_seq_cst(&schedule.steps, 1);
    os_futex_wake(&schedule.steps, INT32_MAX);
    pacl_add_seq_cst(&s->host_functions_ended, 1);
    os_futex_wake(&s->host_functions_ended, INT32_MAX);
}

void pacl_schedule_settle(void)
{
    const uint64_t end = os_now_ns() + SETTLE_NS;
    while (pacl_load_seq_cst(&schedule.inside) > 0 && os_now_ns() < end)
        os_yield();
}
