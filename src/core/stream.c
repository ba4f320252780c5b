/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue is a ring with room for twice the depth. The word `tail` names, at once, how many tasks were ever queued
 * (46 bits), where in the ring the next one goes (17 bits) and whether the stream is closed (1 bit): a producer claims
 * number and place with one compare-and-swap, and the owner of an empty stream moves the place back to the start of
 * the ring, so that a stream that is never deep never touches more than the ring's first page.
 */
#include "core/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/invariant.h"
#include "base/log.h"
#include "core/callback.h"
#include "core/capture.h"
#include "core/context.h"
#include "core/device.h"
#include "core/engine.h"
#include "core/event.h"
#include "core/execute.h"
#include "core/habit.h"
#include "core/kernel.h"
#include "core/observer.h"
#include "core/park.h"
#include "core/quiet.h"
#include "core/runtime.h"
#include "core/schedule.h"
#include "core/state_callback.h"
#include "os/os.h"

#define TAIL_NUMBER_BITS 46
#define TAIL_NUMBER_MASK (((uint64_t)1 << TAIL_NUMBER_BITS) - 1)
#define TAIL_CLOSED ((uint64_t)1 << 63)

enum {
    RING_SLOTS = 1 << 17,   /* twice the deepest queue, so that the ring's other half can be trimmed meanwhile */
    RESET_PLACE = 64,       /* an empty queue goes back to the start of the ring past its first page */
    WAITER_SPIN_NS = 20000, /* a waiter spins about as long as the last pieces of a copy take */
    STAND_IN_NS = 1000000,  /* without engines nobody calls a waiter to work that others made ready: it looks itself */
};
#define RING_BYTES (RING_SLOTS * sizeof(struct pacl_task))

_Static_assert(sizeof(struct pacl_task) == 64, "a task fills one cache line");

struct pacl_stream_totals pacl_stream_totals;

/* --- the tail word ----------------------------------------------------------------------------------------------- */

static uint32_t tail_place(uint64_t tail)
{
    return (uint32_t)(tail >> TAIL_NUMBER_BITS) & (RING_SLOTS - 1);
}

/* The full number behind a tail, given any value of done at most 2^46 tasks older. */
static uint64_t tail_number(uint64_t tail, uint64_t done)
{
    return done + ((tail - done) & TAIL_NUMBER_MASK);
}

static uint64_t tail_with(uint64_t number, uint32_t place)
{
    return (number & TAIL_NUMBER_MASK) | (uint64_t)place << TAIL_NUMBER_BITS;
}

uint64_t pacl_stream_queued(const struct pacl_stream *s)
{
    const uint64_t done = pacl_load_acquire(&s->done);
    return tail_number(pacl_load_acquire(&s->tail), done);
}

/* The number is read first: were the slot another stream's by then, the handle would not be found any more. */
aclError pacl_stream_queued_as(const struct pacl_stream *s, const void *handle, uint64_t *number)
{
    *number = pacl_stream_queued(s);
    if (pacl_object_handle(&s->object) != handle)
        return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "stream %p was destroyed by another thread", handle);
    return ACL_SUCCESS;
}

bool pacl_stream_is_busy(struct pacl_stream *s)
{
    return !pacl_stream_reached(s, pacl_stream_queued(s)) || pacl_load_acquire(&s->state) == PACL_RUNNING;
}

/* A stream that is destroyed keeps its last owner, who closed it when it was empty. */
bool pacl_stream_is_running(const struct pacl_stream *s)
{
    return pacl_load_seq_cst(&s->state) == PACL_RUNNING && (pacl_load_seq_cst(&s->tail) & TAIL_CLOSED) == 0;
}

/* --- running: the queue ------------------------------------------------------------------------------------------ */

/* The next task if it is complete, else NULL: its producer may have claimed the place and not filled it yet. */
static const struct pacl_task *head(const struct pacl_stream *s)
{
    const struct pacl_task *task = &s->ring[s->head_place];
    /* Acquire, paired with the release in try_push. */
    return pacl_load_acquire(&task->number) == pacl_load_relaxed(&s->done) + 1 ? task : NULL;
}

void pacl_stream_wake(struct pacl_stream *s)
{
    pacl_store_seq_cst(&s->wake_at, UINT64_MAX);
    pacl_add_seq_cst(&s->wake_word, 1);
    os_futex_wake(&s->wake_word, INT32_MAX);
}

void pacl_stream_finish_head(struct pacl_stream *s)
{
    const uint64_t number = pacl_load_relaxed(&s->done) + 1;
    s->head_place = (s->head_place + 1) & (RING_SLOTS - 1);
    pacl_count(&s->tasks_queued, 1);
    /* Release, paired with the acquire in pacl_stream_reached: a thread that sees done >= n also sees every byte that
     * tasks 1..n wrote. */
    pacl_store_release(&s->done, number);
    os_fence_light(); /* paired with the heavy fence in sleep_until: one of the two sees the other's store */
    if (number >= pacl_load_relaxed(&s->wake_at))
        pacl_stream_wake(s);
}

static void finish(struct pacl_stream *s, const struct pacl_work *work, bool helping)
{
    PACL_OBSERVE(finished, s, work, s->result);
    if (helping)
        pacl_count(&s->tasks_helped, 1);
    if ((work->flags & PACL_KEPT) == 0) {
        pacl_work_release(work);
        if (work->op == PACL_OP_KERNEL)
            free(work->kernel.call);
    }
    pacl_stream_finish_head(s);
}

/* Runs tasks of an owned stream within the bounds. False when the stream is no more the caller's. */
static bool run(struct pacl_stream *s, const struct pacl_visit *visit)
{
    size_t spent = 0;
    const struct pacl_task *task;
    while (pacl_load_relaxed(&s->done) < visit->upto && spent <= visit->budget && (task = head(s)) != NULL) {
        const struct pacl_work *work = &task->work;
        const size_t cost = pacl_work_cost(work);
        PACL_INVARIANT(pacl_stream_is_valid(s));
        /* After the stream was taken, both sequentially consistent: whoever wants it quiet sees one or is seen. */
        const uint32_t halt = pacl_load_seq_cst(&pacl_runtime_halt);
        if (__builtin_expect(halt != 0, 0)) {
            if ((halt & PACL_HALT_EXIT) != 0)
                return false; /* nobody runs this stream any more */
            break;            /* given up to those who wait in pacl_quiet_pass */
        }
        if (visit->light_only && !pacl_cost_is_light(cost))
            break;
        s->result = ACL_SUCCESS;
        PACL_OBSERVE(started, s, work);
        if (work->op == PACL_OP_RECORD) {
            pacl_event_run_record(s, work);
        } else {
            if (pacl_work_execute(s, work) != PACL_TASK_FINISHED)
                return false;
            finish(s, work, visit->helping);
        }
        spent += cost + PACL_LINE;
    }
    return true;
}

/* --- running: ownership ------------------------------------------------------------------------------------------ */

static bool take(struct pacl_stream *s, uint32_t from)
{
    return pacl_cas_seq_cst(&s->state, &from, PACL_RUNNING);
}

/* Moves an empty queue to another place of its ring. Only producers change the tail meanwhile; then it is not empty. */
static void move_if_empty(struct pacl_stream *s, uint32_t place)
{
    const uint64_t done = pacl_load_relaxed(&s->done);
    uint64_t tail = pacl_load_acquire(&s->tail);
    if ((tail & TAIL_CLOSED) != 0 || tail_number(tail, done) != done)
        return;
    if (pacl_cas_seq_cst(&s->tail, &tail, tail_with(done, place)))
        s->head_place = place;
}

static bool is_head_urgent(const struct pacl_stream *s)
{
    const struct pacl_task *task = head(s);
    return task != NULL && pacl_work_cost(&task->work) > PACL_URGENT_COST;
}

/* Gives the stream up: to idle, or to the engines if a task has come. The store and the look that follows it pair with
 * the store of a task's number and the look at `state` in pacl_stream_kick: one of the two sees the other. */
static void release(struct pacl_stream *s)
{
    if (s->head_place >= RESET_PLACE) {
        s->touched = s->head_place > s->touched ? s->head_place : s->touched;
        move_if_empty(s, 0);
    }
    const struct pacl_task *next = &s->ring[s->head_place];
    const uint64_t awaited = pacl_load_relaxed(&s->done) + 1;
    const bool urgent = is_head_urgent(s); /* asked while the task is still this thread's to look at */
    uint32_t rest = s->rest;
    (void)pacl_exchange_seq_cst(&s->state, rest);
    if (pacl_load_seq_cst(&next->number) == awaited && pacl_cas_seq_cst(&s->state, &rest, PACL_READY))
        pacl_engines_offer(s, urgent);
}

bool pacl_stream_visit(struct pacl_stream *s, const struct pacl_visit *visit)
{
    if (pacl_quiet_is_wanted())
        pacl_quiet_pass();
    if (!take(s, PACL_READY) && !take(s, PACL_IDLE))
        return false;
    if (run(s, visit))
        release(s);
    return true;
}

void pacl_stream_end_park(struct pacl_stream *s)
{
    pacl_store_seq_cst(&s->state, PACL_READY);
    pacl_engines_offer(s, false);
}

/* The thread that ends a park or a job finishes the head and leaves what follows to the engines. */
static void finish_and_release(struct pacl_stream *s)
{
    finish(s, pacl_stream_head_work(s), false);
    release(s);
}

void pacl_stream_end_host_function(struct pacl_stream *s)
{
    pacl_store_seq_cst(&s->state, PACL_RUNNING);
    finish_and_release(s);
    pacl_schedule_host_function_ended(s);
}

void pacl_stream_end_job(struct pacl_stream *s)
{
    const struct pacl_work *work = pacl_stream_head_work(s);
    if (work->op == PACL_OP_KERNEL)
        pacl_kernel_end(s, work);
    else
        pacl_work_end_copy(s, work, !pacl_load_relaxed(&s->job.failed));
    finish_and_release(s);
}

/* While this thread owns the stream, producers fill at most half of the ring from where it stands, so the other half
 * is nobody's. */
void pacl_stream_trim(struct pacl_stream *s)
{
    const uint32_t half = RING_SLOTS / 2;
    /* Acquire, paired with the release in pacl_object_open: the slot is complete, and its state not about to be reset. */
    if (pacl_load_acquire(&s->object.handle) == 0 || pacl_stream_is_busy(s) || !take(s, PACL_IDLE))
        return;
    if (s->touched > RESET_PLACE && s->head_place == 0) {
        os_discard(s->ring + half, RING_BYTES / 2);
        move_if_empty(s, half);
        if (s->head_place == half) {
            os_discard(s->ring, RING_BYTES / 2);
            move_if_empty(s, 0);
            s->touched = s->head_place;
        }
    }
    release(s);
}

bool pacl_stream_is_valid(const struct pacl_stream *s)
{
    const uint64_t done = pacl_load_relaxed(&s->done), queued = pacl_stream_queued(s);
    return pacl_load_relaxed(&s->state) == PACL_RUNNING && s->head_place < RING_SLOTS && queued >= done &&
           queued - done <= RING_SLOTS / 2;
}

/* --- submission -------------------------------------------------------------------------------------------------- */

static bool is_open_as(const struct pacl_stream *s, uint64_t tail, const void *handle)
{
    return (tail & TAIL_CLOSED) == 0 && pacl_load_acquire(&s->object.handle) == (uint64_t)(uintptr_t)handle;
}

static bool is_full(struct pacl_stream *s, uint64_t tail)
{
    const uint32_t depth = pacl_runtime()->queue_depth;
    uint64_t done = pacl_load_acquire(&s->done_seen);
    if (tail_number(tail, done) - done < depth)
        return false;
    done = pacl_load_acquire(&s->done);
    pacl_store_release(&s->done_seen, done);
    return tail_number(tail, done) - done >= depth;
}

/* The tail is read before the handle is looked at and claimed after: had the stream been closed in between, and even
 * opened again, the tail would differ, so a task never lands in another stream of the same slot. */
uint64_t pacl_stream_try_push(struct pacl_stream *s, void *handle, const struct pacl_work *work)
{
    uint64_t tail = pacl_load_acquire(&s->tail), number;
    do {
        if (!is_open_as(s, tail, handle) || is_full(s, tail))
            return 0;
        number = tail_number(tail, pacl_load_acquire(&s->done_seen)) + 1;
    } while (!pacl_cas_seq_cst(&s->tail, &tail, tail_with(number, (tail_place(tail) + 1) & (RING_SLOTS - 1))));
    struct pacl_task *task = &s->ring[tail_place(tail)];
    task->work = *work;
    pacl_store_release(&task->number, number); /* paired with the acquire in head() */
    pacl_self.last_task = (uint32_t)number;
    return number;
}

void pacl_stream_kick(struct pacl_stream *s, uint64_t number, const struct pacl_work *work)
{
    pacl_fence_seq_cst(); /* paired with the exchange in release() */
    if (pacl_load_relaxed(&s->state) != PACL_IDLE || !take(s, PACL_IDLE)) {
        if (pacl_schedule_is_on()) {
            pacl_schedule_note(s, number, work);
            pacl_schedule_submitted(s, number);
        }
        return; /* whoever has the stream looks at the queue again before it gives it up */
    }
    const struct pacl_visit visit = { .upto = number, .budget = SIZE_MAX, .light_only = true };
    if (run(s, &visit))
        release(s);
}

/* A full queue: the submitting thread does the stream's work, or waits where it cannot. Half of the queue at a time, so
 * that a fast producer does not come back for every task. */
aclError pacl_stream_make_room(struct pacl_stream *s, void *handle)
{
    const uint64_t tail = pacl_load_acquire(&s->tail);
    if (!is_open_as(s, tail, handle) && !pacl_stream_is_capturing(s))
        return PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "stream %p is not a stream any more; it was destroyed", handle);
    const uint64_t queued = pacl_stream_queued(s), keep = pacl_runtime()->queue_depth / 2;
    if (queued > keep && !pacl_stream_wait_untold(s, queued - keep, OS_NEVER))
        return PACL_FAIL(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "stream %u is full, and the process is exiting", s->id);
    return ACL_SUCCESS;
}

static bool is_empty(const struct pacl_stream *s)
{
    const uint64_t done = pacl_load_relaxed(&s->done);
    return tail_number(pacl_load_acquire(&s->tail), done) == done;
}

static bool is_tiny(const struct pacl_work *work)
{
    return work->op <= PACL_OP_FILL_WORDS && pacl_cost_is_light(pacl_work_cost(work));
}

/* A tiny copy on an idle stream is over sooner than a place in the queue is filled. False: queue it. */
static bool run_at_once(struct pacl_stream *s, const void *handle, const struct pacl_work *work)
{
    if (pacl_load_relaxed(&s->state) != PACL_IDLE || !is_empty(s) || !take(s, PACL_IDLE))
        return false;
    const bool first = is_open_as(s, pacl_load_acquire(&s->tail), handle) && is_empty(s) &&
                       pacl_load_seq_cst(&pacl_runtime_halt) == 0; /* as in run() */
    if (first) {
        s->result = ACL_SUCCESS;
        PACL_OBSERVE(started, s, work);
        (void)pacl_work_execute(s, work);
        PACL_OBSERVE(finished, s, work, s->result);
        pacl_count(&s->tasks_inline, 1);
        pacl_self.last_task = (uint32_t)pacl_load_relaxed(&s->done); /* it had no number of its own */
    }
    release(s);
    return first;
}

/* Apart, so that a tiny copy saves no registers for it. */
static __attribute__((noinline)) void copy_longer(const struct pacl_rect *rect)
{
    pacl_copy_alone(rect);
    pacl_habit_taken();
}

bool pacl_stream_copy_at_once(struct pacl_stream *s, const void *handle, const struct pacl_rect *rect)
{
    const size_t cost = pacl_rows_cost(rect->width, rect->height);
    if (pacl_is_observed() || pacl_load_relaxed(&s->state) != PACL_IDLE ||
        !(pacl_cost_is_light(cost) || pacl_habit_takes(s, cost)) || !take(s, PACL_IDLE))
        return false;
    const bool first = is_open_as(s, pacl_load_acquire(&s->tail), handle) && is_empty(s) &&
                       !pacl_stream_is_skipping(s) && pacl_load_seq_cst(&pacl_runtime_halt) == 0; /* as in run() */
    if (first) {
        const uint32_t rights = os_guard_open();
        if (cost <= PACL_SMALL_COST)
            pacl_copy_small(rect);
        else
            copy_longer(rect);
        os_guard_close(rights);
        pacl_count(&s->bytes_copied, rect->width * rect->height);
        pacl_count(&s->tasks_inline, 1);
        pacl_self.last_task = (uint32_t)pacl_load_relaxed(&s->done); /* it had no number of its own */
    }
    release(s);
    return first;
}

/* One task after the other by one thread, the graph's: a plain store would do. */
void pacl_stream_push_inner(struct pacl_stream *s, const struct pacl_work *work)
{
    uint64_t tail = pacl_load_acquire(&s->tail), number;
    do {
        number = tail_number(tail, pacl_load_acquire(&s->done)) + 1;
    } while (!pacl_cas_seq_cst(&s->tail, &tail, tail_with(number, (tail_place(tail) + 1) & (RING_SLOTS - 1))));
    struct pacl_task *task = &s->ring[tail_place(tail)];
    task->work = *work;
    pacl_store_release(&task->number, number); /* paired with the acquire in head() */
    if (pacl_schedule_is_on())
        pacl_schedule_note(s, number, work);
}

/* A submission that read the tail before fails at its compare-and-swap; one that was faster is before the capture. */
bool pacl_stream_close_for_capture(struct pacl_stream *s, const void *handle)
{
    uint64_t tail = pacl_load_acquire(&s->tail);
    do {
        if (!is_open_as(s, tail, handle))
            return false;
    } while (!pacl_cas_seq_cst(&s->tail, &tail, tail | TAIL_CLOSED));
    return true;
}

void pacl_stream_reopen(struct pacl_stream *s)
{
    uint64_t tail = pacl_load_acquire(&s->tail);
    while (!pacl_cas_seq_cst(&s->tail, &tail, tail & ~TAIL_CLOSED))
        continue;
}

static aclError push(struct pacl_stream *s, void *handle, const struct pacl_work *work)
{
    uint64_t number;
    if (!pacl_work_hold(work))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "another thread freed memory that the call names");
    while ((number = pacl_stream_try_push(s, handle, work)) == 0) {
        bool recorded = false;
        size_t bad;
        aclError err =
            pacl_stream_is_capturing(s) ? pacl_capture_add(s, handle, work, 1, &bad, &recorded) : ACL_SUCCESS;
        if (recorded)
            return ACL_SUCCESS;
        if (err == ACL_SUCCESS)
            err = pacl_stream_make_room(s, handle);
        if (err != ACL_SUCCESS) {
            pacl_work_release(work);
            return err;
        }
    }
    pacl_stream_kick(s, number, work);
    return ACL_SUCCESS;
}

aclError pacl_stream_submit(struct pacl_stream *s, void *handle, const struct pacl_work *work)
{
    const bool told = pacl_is_observed() && !pacl_stream_is_capturing(s);
    if (told)
        PACL_OBSERVE(submitted, s, work);
    if (is_tiny(work) && run_at_once(s, handle, work))
        return ACL_SUCCESS;
    const aclError err = push(s, handle, work);
    if (told && err != ACL_SUCCESS)
        PACL_OBSERVE(withdrawn, s, work);
    return err;
}

/* --- waiting ----------------------------------------------------------------------------------------------------- */

static void ask_for_wake_up(struct pacl_stream *s, uint64_t number)
{
    uint64_t at = pacl_load_relaxed(&s->wake_at);
    while (number < at && !pacl_cas_seq_cst(&s->wake_at, &at, number))
        continue;
}

/* The wake word is read before the wish is registered: a wake-up that overlooks the wish changes the word first. */
static void sleep_until(struct pacl_stream *s, uint64_t number, uint64_t deadline_ns)
{
    const uint32_t word = pacl_load_seq_cst(&s->wake_word);
    ask_for_wake_up(s, number);
    os_fence_heavy(); /* paired with the light fence in pacl_stream_finish_head */
    const uint64_t look_again = pacl_engines_are_missing() ? os_now_ns() + STAND_IN_NS : OS_NEVER;
    if (!pacl_stream_reached(s, number))
        os_futex_wait(&s->wake_word, word, deadline_ns < look_again ? deadline_ns : look_again);
}

/* Does some of the work that the caller waits for. A deadline forbids to take on a stream: its tasks may be long. */
static bool help(struct pacl_stream *s, uint64_t number, uint64_t deadline_ns)
{
    const uint64_t before = pacl_load_relaxed(&s->done);
    if (pacl_schedule_is_on())
        return (deadline_ns == OS_NEVER || os_now_ns() < deadline_ns) && pacl_schedule_help(s, number);
    const struct pacl_visit visit = { .upto = number, .budget = SIZE_MAX, .helping = true };
    if (deadline_ns == OS_NEVER && pacl_stream_visit(s, &visit) && pacl_load_relaxed(&s->done) != before)
        return true;
    return pacl_jobs_help(deadline_ns, false) || pacl_engines_stand_in();
}

void pacl_stream_poll(struct pacl_stream *s, uint64_t number)
{
    if (pacl_schedule_is_on())
        pacl_schedule_poll(s, number);
    else
        (void)pacl_engines_stand_in();
}

static bool spin_for(struct pacl_stream *s, uint64_t number)
{
    const uint64_t end = os_now_ns() + WAITER_SPIN_NS;
    do {
        for (unsigned i = 0; i < 16; i++) {
            if (pacl_stream_reached(s, number))
                return true;
            pacl_cpu_relax();
        }
    } while (pacl_load_relaxed(&s->state) == PACL_RUNNING && !pacl_jobs_any() && os_now_ns() < end);
    return false;
}

static bool wait_until(struct pacl_stream *s, uint64_t number, uint64_t deadline_ns)
{
    while (!pacl_stream_reached(s, number)) {
        if (pacl_runtime_is_exiting())
            return false; /* what is queued is dropped: nobody would wake this thread */
        if (help(s, number, deadline_ns) || spin_for(s, number))
            continue;
        sleep_until(s, number, deadline_ns);
        if (deadline_ns != OS_NEVER && os_now_ns() >= deadline_ns && !pacl_stream_reached(s, number))
            return false;
    }
    return true;
}

bool pacl_stream_wait_untold(struct pacl_stream *s, uint64_t number, uint64_t deadline_ns)
{
    const bool has_left = pacl_habit_waits(s);
    if (pacl_stream_reached(s, number)) {
        if (has_left)
            pacl_habit_learns(false);
        return true;
    }
    PACL_OBSERVE(blocked, s, number, deadline_ns);
    const uint64_t helped = pacl_load_relaxed(&s->tasks_helped);
    const bool reached = wait_until(s, number, deadline_ns);
    if (has_left)
        pacl_habit_learns(pacl_load_relaxed(&s->tasks_helped) != helped);
    PACL_OBSERVE(unblocked, s, number, reached);
    return reached;
}

bool pacl_stream_wait(struct pacl_stream *s, uint64_t number, uint64_t deadline_ns)
{
    const bool reached = pacl_stream_wait_untold(s, number, deadline_ns);
    if (reached)
        PACL_OBSERVE(synchronized, s, number);
    return reached;
}

/* --- life -------------------------------------------------------------------------------------------------------- */

/* What a slot gets once: the ring's memory stays with it. */
static bool prepare_slot(struct pacl_stream *s)
{
    if (s->ring != NULL)
        return true;
    void *ring = os_reserve(RING_BYTES, OS_PAGE);
    if (ring == NULL)
        return false;
    if (os_commit(ring, RING_BYTES) != 0) {
        os_release(ring, RING_BYTES);
        return false;
    }
    s->ring = ring;
    s->id = s->object.index;
    pthread_mutex_init(&s->fail_lock, NULL);
    pacl_list_init(&s->in_parking);
    pacl_list_init(&s->in_timers);
    pacl_list_init(&s->in_schedule);
    s->rest = pacl_schedule_is_on() ? PACL_HELD : PACL_IDLE;
    pacl_list_init(&s->job.link);
    pacl_store_relaxed(&s->wake_at, UINT64_MAX);
    return true;
}

static void reset_slot(struct pacl_stream *s)
{
    const uint64_t done = pacl_load_relaxed(&s->done);
    s->head_place = 0;
    s->touched = 0;
    s->wait_end = PACL_WAIT_OPEN;
    pacl_store_relaxed(&s->stops, false);
    pacl_store_relaxed(&s->drop_upto, 0);
    pacl_store_relaxed(&s->callback_way, PACL_CALLBACK_OPEN);
    /* One number is skipped: the tail must differ from every tail of the slot's last life. */
    pacl_store_relaxed(&s->done, done + 1);
    pacl_store_release(&s->done_seen, done + 1);
    pacl_store_release(&s->tail, tail_with(done + 1, 0));
    pacl_store_seq_cst(&s->state, s->rest);
}

/* The pool gives the slot that is free for longest. Where there is no address space for the ring of a new one, the
 * others have their turn: slots that were used before have a ring. */
static struct pacl_stream *take_slot(void)
{
    struct pacl_stream *s;
    uint32_t tries = 0;
    do {
        s = pacl_pool_take(&pacl_streams);
        if (s == NULL || prepare_slot(s))
            return s;
        pacl_pool_give(&pacl_streams, &s->object);
    } while (++tries < pacl_load_relaxed(&pacl_streams.count));
    return NULL;
}

static aclError create(struct pacl_context *context, struct pacl_stream **out)
{
    struct pacl_stream *s = take_slot();
    if (s == NULL)
        return pacl_pool_is_full(&pacl_streams)
                   ? PACL_FAIL(ACL_ERROR_RT_NO_STREAM_RESOURCE, "there are %d streams already", PACL_POOL_MAX)
                   : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a stream");
    reset_slot(s);
    s->context = context;
    s->device = context->device;
    s->priority = s->flags = 0;
    s->cores[0] = s->cores[1] = 0;
    s->overflow_switch = s->user_tag = s->cache_op_info = 0;
    s->counted = false;
    s->inner = false;
    *out = s;
    return ACL_SUCCESS;
}

/* Waits until the queue is empty, then becomes the owner for good and closes the tail: nothing can be queued after.
 * False if the process exits first. */
static bool drain_and_close(struct pacl_stream *s)
{
    for (;;) {
        if (!pacl_stream_wait(s, pacl_stream_queued(s), OS_NEVER))
            return false;
        if (!take(s, s->rest) && !take(s, PACL_READY)) {
            os_yield(); /* a thread is about to give it up */
            continue;
        }
        uint64_t tail = pacl_load_acquire(&s->tail);
        if (is_empty(s) && pacl_cas_seq_cst(&s->tail, &tail, tail | TAIL_CLOSED))
            return true;
        release(s);
    }
}

/* Fails, and gives the stream back, if another thread destroys the context. */
static aclError open_in_context(struct pacl_stream *s)
{
    struct pacl_context *context = s->context;
    const aclError err = pacl_context_adopt(context, &context->streams, &s->in_context);
    if (err != ACL_SUCCESS) {
        drain_and_close(s);
        pacl_pool_give(&pacl_streams, &s->object);
        return err;
    }
    PACL_OBSERVE(stream_created, s);
    pacl_object_open(&pacl_streams, &s->object);
    PACL_TRACE(STREAM, "stream %u created on device %d", s->id, s->device->id);
    return ACL_SUCCESS;
}

aclError pacl_stream_create_default(struct pacl_context *context, struct pacl_stream **out)
{
    const aclError err = create(context, out);
    return err != ACL_SUCCESS ? err : open_in_context(*out);
}

aclError pacl_stream_create(struct pacl_context *context, uint32_t priority, uint32_t flags, struct pacl_stream **out)
{
    struct pacl_device *device = context->device;
    const uint32_t limit = pacl_runtime()->product.streams;
    if (!pacl_device_count_up(&device->streams, limit))
        return PACL_FAIL(ACL_ERROR_RT_NO_STREAM_RESOURCE,
                         "device %d has %u streams already, the most that product %s has", device->id, limit,
                         pacl_runtime()->product.name);
    aclError err = create(context, out);
    if (err == ACL_SUCCESS) {
        (*out)->priority = priority;
        (*out)->flags = flags;
        (*out)->counted = true;
        err = open_in_context(*out);
    }
    if (err != ACL_SUCCESS)
        pacl_sub_seq_cst(&device->streams, 1);
    else
        pacl_state_tell_stream(pacl_object_handle(&(*out)->object), ACL_RT_STREAM_STATE_CREATE_POST);
    return err;
}

struct pacl_stream *pacl_stream_create_inner(void)
{
    struct pacl_stream *s = take_slot();
    if (s == NULL)
        return NULL;
    reset_slot(s);
    /* Context and device of the slot's last life stay: a thread that found the stream of that life still looks at them. */
    s->priority = s->flags = 0;
    s->counted = false;
    s->inner = true;
    return s;
}

static void add_to_totals(struct pacl_stream *s)
{
    pacl_add_relaxed(&pacl_stream_totals.tasks_queued, atomic_exchange(&s->tasks_queued, 0));
    pacl_add_relaxed(&pacl_stream_totals.tasks_inline, atomic_exchange(&s->tasks_inline, 0));
    pacl_add_relaxed(&pacl_stream_totals.tasks_helped, atomic_exchange(&s->tasks_helped, 0));
    pacl_add_relaxed(&pacl_stream_totals.tasks_failed, atomic_exchange(&s->tasks_failed, 0));
    pacl_add_relaxed(&pacl_stream_totals.bytes_copied, atomic_exchange(&s->bytes_copied, 0));
}

void pacl_stream_drop_upto(struct pacl_stream *s, uint64_t number)
{
    uint64_t upto = pacl_load_relaxed(&s->drop_upto);
    while (upto < number && !pacl_cas_seq_cst(&s->drop_upto, &upto, number))
        continue;
    pacl_park_interrupt(s, false);
}

bool pacl_stream_destroy(struct pacl_stream *s, void *handle, bool drop)
{
    if (s->counted && handle != NULL && pacl_object_handle(&s->object) == handle)
        pacl_state_tell_stream(handle, ACL_RT_STREAM_STATE_DESTROY_PRE);
    if (!pacl_object_close(&s->object, handle))
        return false;
    pacl_capture_abandon(s);
    if (drop)
        pacl_stream_drop_upto(s, UINT64_MAX);
    if (!drain_and_close(s))
        return true; /* the slot stays as it is until the process is gone */
    pacl_callback_forget(s);
    pthread_mutex_lock(&s->context->lock);
    pacl_list_remove(&s->in_context);
    pthread_mutex_unlock(&s->context->lock);
    pacl_stream_drop_error(s);
    add_to_totals(s);
    if (s->counted)
        pacl_sub_seq_cst(&s->device->streams, 1);
    PACL_TRACE(STREAM, "stream %u destroyed", s->id);
    PACL_OBSERVE(stream_destroyed, s);
    pacl_pool_give(&pacl_streams, &s->object);
    return true;
}

void pacl_stream_release_inner(struct pacl_stream *s)
{
    if (!drain_and_close(s))
        return; /* the process exits */
    pacl_stream_drop_error(s);
    add_to_totals(s);
    pacl_pool_give(&pacl_streams, &s->object);
}
