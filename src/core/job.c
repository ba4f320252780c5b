/* SPDX-License-Identifier: Apache-2.0 */
#include "core/job.h"

#include <pthread.h>

#include "core/engine.h"
#include "core/hostmem.h"
#include "core/kernel.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "os/os.h"

/* Jobs with pieces left or participants at work. The lock is held for a few instructions per participant and job, never
 * on the way of a submission. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list jobs = { &jobs, &jobs };
static _Atomic uint32_t open_jobs; /* how many have pieces that nobody has taken; lets others look without the lock */

/* Engines that are awake come by themselves; to wake one is worth so many pieces, 1 MiB. */
enum { PIECES_PER_WAKE = 4 };

static bool holds(const uint8_t *at, size_t pitch, size_t width, size_t height)
{
    const struct pacl_range range = pacl_hostmem_find(at);
    return range.base != NULL && pacl_pitched_fits(pitch, width, height, range.size - (size_t)(at - range.base));
}

static bool sides_are_registered(const struct pacl_rect *r, unsigned registered)
{
    return ((registered & PACL_REGISTERED_SRC) == 0 || holds(r->src, r->src_pitch, r->width, r->height)) &&
           ((registered & PACL_REGISTERED_DST) == 0 || holds(r->dst, r->dst_pitch, r->width, r->height));
}

bool pacl_copy_one_piece(const struct pacl_plan *plan, size_t index, unsigned registered)
{
    if (registered != 0) {
        pacl_hostmem_hold();
        if (!sides_are_registered(&plan->rect, registered)) {
            pacl_hostmem_release();
            return false;
        }
    }
    const uint32_t rights = os_guard_open();
    pacl_copy_piece(plan, index);
    os_guard_close(rights);
    if (registered != 0)
        pacl_hostmem_release();
    return true;
}

void pacl_job_open(struct pacl_job *job)
{
    pacl_store_relaxed(&job->failed, false);
    pacl_store_relaxed(&job->next, 0);
    pacl_store_relaxed(&job->over, 0);
    job->participants = 1;
    pthread_mutex_lock(&lock);
    pacl_list_append(&jobs, &job->link);
    pacl_add_seq_cst(&open_jobs, 1);
    pthread_mutex_unlock(&lock);
    const size_t worth = job->kernel != NULL ? job->plan.pieces - 1 : job->plan.pieces / PIECES_PER_WAKE;
    pacl_engines_call(worth < UINT32_MAX ? (unsigned)worth : UINT32_MAX);
}

static bool has_pieces(const struct pacl_job *job)
{
    return pacl_load_relaxed(&job->next) < job->plan.pieces;
}

/* The last participant to leave an exhausted job takes it off the list; from then on it is that thread's alone. The
 * lock makes every piece that others copied visible to it. */
static bool leave(struct pacl_job *job)
{
    pthread_mutex_lock(&lock);
    const bool last = --job->participants == 0 && !has_pieces(job);
    if (last)
        pacl_list_remove(&job->link);
    pthread_mutex_unlock(&lock);
    return last;
}

/* The pieces that nobody has taken yet are not copied. */
static void give_up(struct pacl_job *job)
{
    pacl_store_relaxed(&job->failed, true);
    if (pacl_exchange_seq_cst(&job->next, job->plan.pieces) < job->plan.pieces)
        pacl_sub_seq_cst(&open_jobs, 1);
}

static bool do_piece(struct pacl_job *job, uint64_t piece)
{
    return job->kernel != NULL ? pacl_kernel_run_block(job->kernel, (uint32_t)piece)
                               : pacl_copy_one_piece(&job->plan, piece, job->registered);
}

bool pacl_job_work(struct pacl_job *job, uint64_t deadline_ns)
{
    const bool queued = job->stream != NULL; /* dropped at exit; a caller that waits gets its copy even then */
    while (!(queued && pacl_runtime_is_exiting()) && (deadline_ns == OS_NEVER || os_now_ns() < deadline_ns)) {
        const uint64_t piece = pacl_add_relaxed(&job->next, 1);
        if (piece >= job->plan.pieces)
            break;
        if (piece == job->plan.pieces - 1)
            pacl_sub_seq_cst(&open_jobs, 1);
        if (!do_piece(job, piece))
            give_up(job);
    }
    return leave(job);
}

/* A job with pieces left, with the caller as participant; NULL if there is none. */
static struct pacl_job *join(bool is_engine)
{
    struct pacl_job *found = NULL;
    if (!pacl_jobs_any())
        return NULL;
    pthread_mutex_lock(&lock);
    PACL_LIST_EACH(node, &jobs)
    {
        struct pacl_job *job = PACL_CONTAINER(node, struct pacl_job, link);
        if (has_pieces(job) && (is_engine || job->kernel == NULL)) {
            job->participants++;
            found = job;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool pacl_jobs_any(void)
{
    return pacl_load_acquire(&open_jobs) > 0;
}

/* What the last participant owes to whom the job belongs. A synchronous caller may return the moment `over` is set, so
 * nothing of the job is touched after. */
static void complete(struct pacl_job *job)
{
    if (job->stream != NULL) {
        pacl_stream_end_job(job->stream);
        return;
    }
    _Atomic uint32_t *over = &job->over;
    pacl_store_seq_cst(over, 1);
    os_futex_wake(over, 1); /* an address in a frame that may be gone: a wake-up of nobody, or one too many */
}

bool pacl_jobs_help(uint64_t deadline_ns, bool is_engine)
{
    struct pacl_job *job = join(is_engine);
    if (job == NULL)
        return false;
    if (pacl_job_work(job, deadline_ns))
        complete(job);
    return true;
}

/* Registered memory may be gone at any moment but while a piece is copied: nobody looks where its lines are. */
struct pacl_plan pacl_copy_plan_for(const struct pacl_rect *rect, unsigned registered)
{
    return registered != 0 ? pacl_copy_plan(rect, PACL_SOMEWHERE, &pacl_copy_tuning) : pacl_copy_plan_now(rect);
}

bool pacl_copy_now(const struct pacl_rect *rect, unsigned registered)
{
    struct pacl_job job = { .plan = pacl_copy_plan_for(rect, registered), .registered = registered };
    if (job.plan.pieces == 1)
        return pacl_copy_one_piece(&job.plan, 0, registered);
    pacl_list_init(&job.link);
    pacl_job_open(&job);
    if (!pacl_job_work(&job, OS_NEVER)) {
        while (pacl_load_acquire(&job.over) == 0)
            os_futex_wait(&job.over, 0, OS_NEVER);
    }
    return !pacl_load_relaxed(&job.failed);
}
