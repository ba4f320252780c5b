/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ready list is an intrusive queue with many producers and one consumer at a time: a producer swaps itself in at
 * the back and links its predecessor, two stores and no lock; consumers, engines only, share a lock.
 *
 * No wake-up is lost: a producer links its stream and then looks for engines that search or sleep; an engine that goes
 * to sleep says so first and then looks at the list again. Both orders are sequentially consistent.
 *
 * Waking a thread costs its waker 5 to 10 us and takes 25 us until it works, more than most copies. So one engine does not
 * sleep at once when work runs out: it naps, and looks by itself every 50 us for some milliseconds. Meanwhile nobody wakes
 * it but for much work; a thread that waits does small work itself.
 */
#include "core/engine.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "base/log.h"
#include "core/job.h"
#include "core/park.h"
#include "core/runtime.h"
#include "core/schedule.h"
#include "core/stream.h"
#include "os/os.h"

enum {
    SPIN_NS = 20000,       /* how long one engine looks for work before it naps or sleeps: about four wake-ups */
    GRACE_NS = 2000,       /* a program that waits for what it has queued comes within some hundred */
    NAP_NS = 50000,        /* twice what a wake-up takes */
    NAPS_FOR_NS = 5000000, /* since there was work; then the process costs nothing */
    STACK_BYTES = 256 * 1024,
    VISIT_BUDGET =
        4 * 1024 * 1024, /* bytes of tasks before the next stream has its turn; a longer task runs to its end */
};
#define TRIM_AFTER_NS ((uint64_t)1000000000) /* idle time after which deep queues give their pages back */

static struct {
    _Alignas(64) _Atomic(struct pacl_stream *) back;  /* producers; NULL: only the stub is linked */
    _Alignas(64) _Atomic(struct pacl_stream *) front; /* consumers; written under pop_lock */
    struct pacl_stream stub;
    pthread_mutex_t pop_lock;

    _Alignas(64) _Atomic uint32_t searching; /* engines awake that look for work */
    _Atomic uint32_t napping;                /* 1 while an engine naps */
    _Atomic uint32_t sleeping;
    _Atomic uint32_t wake_word; /* futex of sleeping engines */
    _Atomic uint32_t inside;    /* engines that may be touching memory of the program */
    _Atomic uint64_t wakeups;

    /* Hardly ever written: off the line that engines write all the time. */
    _Alignas(64) _Atomic bool started;
    _Atomic bool one_cpu; /* settled when they start */
    _Atomic bool missing; /* not one thread could be started */
    pthread_once_t start_once;

    pthread_mutex_t timer_lock;
    struct pacl_list timers;      /* parked streams with a deadline; guarded by timer_lock */
    _Atomic uint32_t timer_count; /* how many; lets engines pass by */
} engines = { .pop_lock = PTHREAD_MUTEX_INITIALIZER,
              .timer_lock = PTHREAD_MUTEX_INITIALIZER,
              .start_once = PTHREAD_ONCE_INIT };

static void start(void);

/* --- ready list -------------------------------------------------------------------------------------------------- */

static void link_back(struct pacl_stream *s)
{
    pacl_store_relaxed(&s->ready_next, NULL);
    struct pacl_stream *before = pacl_exchange_seq_cst(&engines.back, s);
    pacl_store_release(&before->ready_next, s); /* paired with the acquire in pop_front */
}

/* Under pop_lock. NULL when the list is empty, or when its next member is still being linked: then its producer will
 * look for an engine after it has linked it. */
static struct pacl_stream *pop_front(void)
{
    struct pacl_stream *front = pacl_load_relaxed(&engines.front), *next = pacl_load_acquire(&front->ready_next);
    if (front == &engines.stub) {
        if (next == NULL)
            return NULL;
        front = next;
        pacl_store_seq_cst(&engines.front, front);
        next = pacl_load_acquire(&front->ready_next);
    }
    if (next == NULL) {
        if (front != pacl_load_acquire(&engines.back))
            return NULL;
        link_back(&engines.stub);
        next = pacl_load_acquire(&front->ready_next);
        if (next == NULL)
            return NULL;
    }
    pacl_store_seq_cst(&engines.front, next);
    return front;
}

static struct pacl_stream *next_ready(void)
{
    pthread_mutex_lock(&engines.pop_lock);
    struct pacl_stream *s = pop_front();
    pthread_mutex_unlock(&engines.pop_lock);
    if (s != NULL)
        pacl_store_seq_cst(&s->queued, 0); /* before its state is looked at: see pacl_engines_offer */
    return s;
}

/* The list is empty when the stub is its only member. The back alone does not say so: pop_front() may have put the stub
 * behind a stream whose producer had not linked it yet. */
static bool has_ready(void)
{
    return pacl_load_seq_cst(&engines.back) != &engines.stub || pacl_load_seq_cst(&engines.front) != &engines.stub;
}

/* --- sleeping and waking ----------------------------------------------------------------------------------------- */

static void wake_one(void)
{
    PACL_TRACE(ENGINE, "waking an engine: %u asleep, %u searching", pacl_load_relaxed(&engines.sleeping),
               pacl_load_relaxed(&engines.searching));
    pacl_add_seq_cst(&engines.wake_word, 1);
    pacl_add_relaxed(&engines.wakeups, 1);
    os_futex_wake(&engines.wake_word, 1);
}

static void wake_if_none_is_awake(bool urgent)
{
    if (pacl_load_seq_cst(&engines.searching) > 0)
        return;
    const bool one_naps = pacl_load_seq_cst(&engines.napping) > 0;
    if (one_naps ? urgent : pacl_load_seq_cst(&engines.sleeping) > 0)
        wake_one();
}

bool pacl_engines_are_looking(void)
{
    return pacl_load_relaxed(&engines.searching) > 0; /* a guess: either answer is right */
}

bool pacl_engines_share_one_cpu(void)
{
    return pacl_load_relaxed(&engines.one_cpu);
}

uint64_t pacl_engines_wakeups(void)
{
    return pacl_load_relaxed(&engines.wakeups);
}

/* --- timers ------------------------------------------------------------------------------------------------------ */

void pacl_engines_add_timer(struct pacl_stream *s)
{
    pthread_once(&engines.start_once, start);
    pthread_mutex_lock(&engines.timer_lock);
    pacl_list_append(&engines.timers, &s->in_timers);
    pacl_add_seq_cst(&engines.timer_count, 1);
    pthread_mutex_unlock(&engines.timer_lock);
    wake_one(); /* some engine must learn of the new deadline */
}

void pacl_engines_remove_timer(struct pacl_stream *s)
{
    pthread_mutex_lock(&engines.timer_lock);
    pacl_list_remove(&s->in_timers);
    pacl_sub_seq_cst(&engines.timer_count, 1);
    pthread_mutex_unlock(&engines.timer_lock);
}

/* The stream whose deadline comes first, or NULL. */
static struct pacl_stream *first_timer(uint64_t *deadline_ns)
{
    struct pacl_stream *first = NULL;
    *deadline_ns = OS_NEVER;
    pthread_mutex_lock(&engines.timer_lock);
    PACL_LIST_EACH(node, &engines.timers)
    {
        struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_timers);
        const uint64_t at = pacl_load_relaxed(&s->wait_deadline);
        if (at < *deadline_ns) {
            *deadline_ns = at;
            first = s;
        }
    }
    pthread_mutex_unlock(&engines.timer_lock);
    return first;
}

/* Ends waits whose time is up; answers when the next one is due. */
static uint64_t run_timers(void)
{
    uint64_t deadline_ns;
    struct pacl_stream *s;
    if (pacl_load_seq_cst(&engines.timer_count) == 0)
        return OS_NEVER;
    while ((s = first_timer(&deadline_ns)) != NULL && os_now_ns() >= deadline_ns)
        pacl_park_interrupt(s, true);
    return deadline_ns;
}

/* --- engines ----------------------------------------------------------------------------------------------------- */

/* False if there was nothing to do any more: a waiting thread came first. */
static bool run_stream(struct pacl_stream *s)
{
    const struct pacl_visit visit = { .upto = UINT64_MAX, .budget = VISIT_BUDGET };
    const uint64_t done = pacl_load_relaxed(&s->done);
    return pacl_stream_visit(s, &visit) && pacl_load_relaxed(&s->done) != done;
}

/* One piece of work, if there is any. An engine that finds work while others may be left calls the next one, so that
 * engines wake one after the other and only as many as there is work for. True as well for a stream that a waiting thread
 * has emptied, which is no work: to look for more of those would only take that thread's lines and processor away. */
static bool work_once(bool *worked)
{
    struct pacl_stream *s = next_ready();
    if (s == NULL && !pacl_jobs_any())
        return false;
    pacl_sub_seq_cst(&engines.searching, 1);
    if (has_ready())
        wake_if_none_is_awake(false);
    *worked = s != NULL ? run_stream(s) : pacl_jobs_help(OS_NEVER, true);
    pacl_add_seq_cst(&engines.searching, 1);
    return true;
}

static bool has_work(void)
{
    return has_ready() || pacl_jobs_any();
}

static bool look_until(uint64_t end_ns, bool (*is_there)(void))
{
    do {
        for (unsigned i = 0; i < 32; i++) {
            if (is_there())
                return true;
            pacl_cpu_relax();
        }
    } while (os_now_ns() < end_ns);
    return false;
}

/* Looks for work a little longer, unless another engine does already, or the threads that make work need this processor.
 * A stream that was just filled is left to its thread for a moment: if that waits now, it does the work sooner, with the
 * bytes in its own cache. */
static bool spin(uint64_t last_work_ns)
{
    if (pacl_load_relaxed(&engines.searching) > 1 || pacl_engines_share_one_cpu() ||
        !look_until(last_work_ns + SPIN_NS, has_work))
        return false;
    if (!pacl_jobs_any())
        (void)look_until(os_now_ns() + GRACE_NS, pacl_jobs_any);
    return true;
}

/* Sleeps for a moment as the one engine that naps. False if another does, or there was no work for long. Like a producer
 * and a sleeper, a producer and the napper cannot miss each other: it says that it naps before it looks again, and says
 * that it searches before it says that it does not nap. */
static bool nap(uint64_t last_work_ns)
{
    uint32_t nobody = 0;
    const uint64_t now = os_now_ns();
    if (now > last_work_ns + NAPS_FOR_NS)
        return false;
    const uint32_t word = pacl_load_seq_cst(&engines.wake_word); /* before the timers are read, as below */
    if (!pacl_cas_seq_cst(&engines.napping, &nobody, 1))
        return false;
    const uint64_t timer = run_timers(), end = now + NAP_NS;
    pacl_sub_seq_cst(&engines.searching, 1);
    pacl_sub_seq_cst(&engines.inside, 1);
    if (!has_work() && !pacl_runtime_is_exiting())
        os_futex_wait(&engines.wake_word, word, timer < end ? timer : end);
    pacl_add_seq_cst(&engines.inside, 1);
    pacl_add_seq_cst(&engines.searching, 1);
    pacl_store_seq_cst(&engines.napping, 0);
    return true;
}

static void trim_streams(void)
{
    struct pacl_stream *s;
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++)
        pacl_stream_trim(s);
}

/* Sleeps until called or until a timer is due. Returns false after a second of silence, once. */
static bool sleep_until_called(bool trimmed)
{
    const uint32_t word = pacl_load_seq_cst(&engines.wake_word); /* before the timers are read: a new one changes it */
    const uint64_t timer = run_timers(), trim = trimmed ? OS_NEVER : os_now_ns() + TRIM_AFTER_NS;
    pacl_sub_seq_cst(&engines.searching, 1);
    pacl_add_seq_cst(&engines.sleeping, 1);
    pacl_sub_seq_cst(&engines.inside, 1);
    if (!has_work() && !pacl_runtime_is_exiting())
        os_futex_wait(&engines.wake_word, word, timer < trim ? timer : trim);
    pacl_add_seq_cst(&engines.inside, 1);
    pacl_sub_seq_cst(&engines.sleeping, 1);
    pacl_add_seq_cst(&engines.searching, 1);
    return trimmed || os_now_ns() < trim || has_work();
}

static void stay_out(void)
{
    static _Atomic uint32_t never;
    pacl_sub_seq_cst(&engines.inside, 1);
    for (;;)
        os_futex_wait(&never, 0, OS_NEVER);
}

static void engine_main(void *unused)
{
    (void)unused;
    bool worked, trimmed = true, napped = false;
    uint64_t last_work_ns = 0;
    pacl_add_seq_cst(&engines.searching, 1);
    for (;;) {
        if (pacl_runtime_is_exiting())
            stay_out();
        if (work_once(&worked)) {
            trimmed = false;
            napped = napped && !worked;
            last_work_ns = worked ? os_now_ns() : last_work_ns;
            (void)run_timers();
        } else if (!napped && spin(last_work_ns)) {
            continue;
        } else if (nap(last_work_ns)) {
            napped = true; /* looks once between naps: spinning would keep a processor busy */
        } else if (!sleep_until_called(trimmed)) {
            trim_streams();
            trimmed = true;
        } else {
            napped = false;
        }
    }
}

/* Makes every thread that sleeps for a stream look again. */
static void wake_waiters(void)
{
    struct pacl_stream *s;
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++)
        pacl_stream_wake(s);
}

/* Threads that sleep already do not know yet that the work is theirs. */
static void do_without(void)
{
    pacl_store_seq_cst(&engines.missing, true);
    wake_waiters();
}

bool pacl_engines_are_missing(void)
{
    return pacl_load_seq_cst(&engines.missing) || pacl_schedule_is_on();
}

bool pacl_engines_stand_in(void)
{
    if (pacl_schedule_is_on())
        return pacl_schedule_help_any();
    if (!pacl_load_relaxed(&engines.missing))
        return false;
    (void)run_timers();
    struct pacl_stream *s = next_ready();
    if (s != NULL)
        (void)run_stream(s);
    return s != NULL;
}

static void start(void)
{
    pacl_list_init(&engines.timers);
    pacl_store_relaxed(&engines.one_cpu, os_usable_cpus() == 1);
    pacl_store_seq_cst(&engines.front, &engines.stub);
    pacl_store_seq_cst(&engines.back, &engines.stub);
    uint32_t running = 0;
    for (uint32_t i = 0; i < pacl_runtime()->engines; i++) {
        char name[24];
        snprintf(name, sizeof name, "pacl-eng-%u", i);
        pacl_add_seq_cst(&engines.inside, 1);
        if (os_thread_start(engine_main, NULL, name, STACK_BYTES) == 0) {
            running++;
        } else {
            pacl_sub_seq_cst(&engines.inside, 1);
            pacl_log(PACL_LOG_WARNING, "engine %u of %u could not be started; waiting threads do the work", i,
                     pacl_runtime()->engines);
        }
    }
    if (running == 0)
        do_without();
    pacl_store_seq_cst(&engines.started, true);
}

/* A stream is linked at most once: `queued` says that an engine will come to it. Were it claimed by a waiting thread
 * and offered again before that, it is still linked, and the engine finds it ready. */
void pacl_engines_offer(struct pacl_stream *s, bool urgent)
{
    if (pacl_schedule_is_on()) {
        pacl_schedule_offer(s);
        return;
    }
    pthread_once(&engines.start_once, start);
    if (pacl_exchange_seq_cst(&s->queued, 1) == 0)
        link_back(s);
    wake_if_none_is_awake(urgent);
}

void pacl_engines_call(unsigned most)
{
    pthread_once(&engines.start_once, start);
    const uint32_t asleep = pacl_load_seq_cst(&engines.sleeping) + pacl_load_seq_cst(&engines.napping);
    const uint32_t awake = pacl_load_seq_cst(&engines.searching);
    for (uint32_t i = awake; i < most && i < asleep + awake; i++)
        wake_one();
}

void pacl_engines_settle(void)
{
    const uint64_t end = os_now_ns() + 2 * TRIM_AFTER_NS; /* a piece takes microseconds; a starved machine some more */
    if (!pacl_load_seq_cst(&engines.started))
        return;
    pacl_add_seq_cst(&engines.wake_word, 1);
    os_futex_wake(&engines.wake_word, INT32_MAX);
    wake_waiters();
    while (pacl_load_seq_cst(&engines.inside) > 0 && os_now_ns() < end)
        os_yield();
}
