/* SPDX-License-Identifier: Apache-2.0 */
/* Notifies, callbacks, kernels and aborts, from many threads at once. */
#include <pacl/kernel.h>

#include "crew.h"

enum { THREADS = 6, MOST = 64 };

/* --- a notify as a lock ------------------------------------------------------------------------------------------ */

static struct {
    aclrtContext context;
    aclrtNotify lock;
    unsigned count; /* not atomic: whoever has taken the notify has it alone */
    size_t rounds;
} turnstile;

static int count_one(const void *arguments, uint32_t block, uint32_t blocks)
{
    (void)arguments;
    (void)block;
    (void)blocks;
    turnstile.count++;
    return 0;
}

static void pass_the_turnstile(struct member *m)
{
    aclrtStream stream;
    if (!WANT(m, aclrtSetCurrentContext(turnstile.context)) || !WANT(m, aclrtCreateStream(&stream)))
        return;
    for (size_t i = 0; i < turnstile.rounds && !failed(m); i++) {
        WANT(m, aclrtWaitAndResetNotify(turnstile.lock, stream, random_next(&m->seed) % 2 == 0 ? 0 : 1000));
        WANT(m, pacl_kernel_launch(count_one, 1, NULL, 0, NULL, 0, stream));
        WANT(m, aclrtRecordNotify(turnstile.lock, stream));
        if (random_next(&m->seed) % 16 == 0)
            WANT(m, aclrtSynchronizeStream(stream));
    }
    WANT(m, aclrtDestroyStream(stream));
}

static void run_turnstile(void)
{
    turnstile.rounds = stress_rounds(400);
    ASSERT_OK(aclrtGetCurrentContext(&turnstile.context));
    ASSERT_OK(aclrtCreateNotify(&turnstile.lock, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtRecordNotify(turnstile.lock, NULL));
    crew_run(THREADS, pass_the_turnstile, NULL);
    ck_assert_uint_eq(turnstile.count, THREADS * turnstile.rounds);
    ASSERT_OK(aclrtDestroyNotify(turnstile.lock));
}

START_TEST(one_record_lets_one_pass)
{
    open_with(NULL, NULL);
    run_turnstile();
}
END_TEST

START_TEST(one_record_lets_one_pass_with_many_engines_and_a_short_queue)
{
    open_with("64", "8");
    run_turnstile();
}
END_TEST

/* --- callbacks --------------------------------------------------------------------------------------------------- */

/* One stream: its callbacks count up a number that is not atomic, in their order. */
struct line {
    aclrtStream stream;
    unsigned next; /* written by the stream's thread */
    atomic_uint disorder;
};

struct ticket {
    struct line *line;
    unsigned number;
};

static struct {
    aclrtContext context;
    struct line lines[THREADS];
    struct ticket *tickets; /* `rounds` per line */
    size_t rounds;
    pthread_t workers[2];
    atomic_bool quit;
    sem_t subscribed;
    atomic_uint *flags; /* times that a callback ran; freed after the workers have ended */
} office;

static void serve(void *argument)
{
    const struct ticket *const t = argument;
    if (t->line->next++ != t->number)
        atomic_fetch_add(&t->line->disorder, 1);
}

static void *work(void *unused)
{
    (void)unused;
    sem_wait(&office.subscribed);
    while (!atomic_load(&office.quit))
        (void)aclrtProcessReport(20);
    return NULL;
}

static void launch_callbacks(struct member *m)
{
    struct line *const line = &office.lines[m->index];
    if (!WANT(m, aclrtSetCurrentContext(office.context)))
        return;
    for (unsigned i = 0; i < office.rounds && !failed(m); i++) {
        struct ticket *const t = &office.tickets[m->index * office.rounds + i];
        *t = (struct ticket){ .line = line, .number = i };
        WANT(m, aclrtLaunchCallback(serve, t, (aclrtCallbackBlockType)(random_next(&m->seed) % 2), line->stream));
        if (random_next(&m->seed) % 32 == 0)
            WANT(m, aclrtSynchronizeStream(line->stream));
    }
    /* What does not block is over when a blocking one behind it is. */
    struct ticket *const last = &office.tickets[THREADS * office.rounds + m->index];
    *last = (struct ticket){ .line = line, .number = (unsigned)office.rounds };
    WANT(m, aclrtLaunchCallback(serve, last, ACL_CALLBACK_BLOCK, line->stream));
    WANT(m, aclrtSynchronizeStream(line->stream));
    if (line->next != office.rounds + 1)
        give_up(m, "%u callbacks have run, %zu were launched", line->next, office.rounds + 1);
}

static void open_office(const char *queue_depth)
{
    open_with(queue_depth, NULL);
    office.rounds = stress_rounds(1000);
    office.tickets = calloc(THREADS * (office.rounds + 1), sizeof *office.tickets);
    ck_assert_ptr_nonnull(office.tickets);
    ck_assert_int_eq(sem_init(&office.subscribed, 0, 0), 0);
    ASSERT_OK(aclrtGetCurrentContext(&office.context));
    for (unsigned i = 0; i < COUNT_OF(office.workers); i++)
        ck_assert_int_eq(pthread_create(&office.workers[i], NULL, work, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        ASSERT_OK(aclrtCreateStream(&office.lines[i].stream));
        ASSERT_OK(aclrtSubscribeReport((uint64_t)office.workers[i % 2], office.lines[i].stream));
    }
    sem_post(&office.subscribed);
    sem_post(&office.subscribed);
}

static void close_office(void)
{
    atomic_store(&office.quit, true);
    for (unsigned i = 0; i < COUNT_OF(office.workers); i++)
        ck_assert_int_eq(pthread_join(office.workers[i], NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ASSERT_OK(aclrtDestroyStream(office.lines[i].stream));
    free(office.tickets);
}

START_TEST(callbacks_of_many_threads)
{
    open_office("128");
    crew_run(THREADS, launch_callbacks, NULL);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_uint_eq(atomic_load(&office.lines[i].disorder), 0);
    close_office();
}
END_TEST

/* --- callbacks that are dropped ---------------------------------------------------------------------------------- */

static atomic_uint served; /* each callback at most once */

static void serve_once(void *argument)
{
    if (atomic_fetch_add((atomic_uint *)argument, 1) == 0)
        atomic_fetch_add(&served, 1);
    else
        abort();
}

/* Launches, aborts, subscribes anew and destroys, in any order, while the workers process. */
static void disturb(struct member *m)
{
    atomic_uint *const flags = office.flags + m->index * office.rounds * MOST;
    const uint64_t worker = (uint64_t)office.workers[m->index % 2];
    aclrtStream stream;
    size_t used = 0;
    if (!WANT(m, aclrtSetCurrentContext(office.context)) || !WANT(m, aclrtCreateStream(&stream)) ||
        !WANT(m, aclrtSubscribeReport(worker, stream)))
        return;
    for (size_t i = 0; i < office.rounds && !failed(m); i++) {
        const size_t burst = random_in(&m->seed, 1, MOST);
        for (size_t k = 0; k < burst; k++)
            WANT(m, aclrtLaunchCallback(serve_once, &flags[used++], (aclrtCallbackBlockType)(random_next(&m->seed) % 2),
                                        stream));
        switch (random_next(&m->seed) % 4) {
        case 0:
            WANT(m, aclrtStreamAbort(stream));
            break;
        case 1: /* those that had not begun fail with 107015 */
            WANT(m, aclrtUnSubscribeReport(worker, stream));
            WANT(m, aclrtSubscribeReport(worker, stream));
            WANT_OR(m, 107015, aclrtSynchronizeStream(stream));
            break;
        case 2:
            WANT(m, aclrtDestroyStreamForce(stream));
            WANT(m, aclrtCreateStream(&stream));
            WANT(m, aclrtSubscribeReport(worker, stream));
            break;
        default:
            WANT_OR(m, 107015, aclrtSynchronizeStream(stream));
            break;
        }
    }
    WANT(m, aclrtStreamAbort(stream));
    WANT(m, aclrtDestroyStream(stream));
}

START_TEST(callbacks_that_are_dropped)
{
    open_office(NULL);
    office.rounds = stress_rounds(64);
    office.flags = calloc(THREADS * office.rounds * MOST, sizeof *office.flags);
    ck_assert_ptr_nonnull(office.flags);
    crew_run(THREADS, disturb, NULL);
    ck_assert_uint_gt(atomic_load(&served), 0);
    close_office();
    free(office.flags);
}
END_TEST

/* --- aborts ------------------------------------------------------------------------------------------------------ */

static struct {
    aclrtContext context;
    aclrtStream stream;
    aclrtNotify notify;
    aclrtEvent never;
    size_t rounds;
    uint8_t *device;
} target;

static void use_target(struct member *m)
{
    if (!WANT(m, aclrtSetCurrentContext(target.context)))
        return;
    for (size_t i = 0; i < target.rounds && !failed(m); i++) {
        switch (random_next(&m->seed) % 5) {
        case 0:
            WANT(m, aclrtWaitAndResetNotify(target.notify, target.stream, 1000));
            break;
        case 1:
            WANT(m, aclrtStreamWaitEvent(target.stream, target.never));
            break;
        case 2:
            WANT(m, aclrtMemsetAsync(target.device, 4096, 1, 4096, target.stream));
            break;
        case 3:
            WANT(m, aclrtStreamAbort(target.stream));
            break;
        default:
            WANT(m, aclrtRecordNotify(target.notify, target.stream));
            break;
        }
    }
    WANT(m, aclrtStreamAbort(target.stream));
}

START_TEST(aborts_while_others_queue_and_wait)
{
    open_with("256", NULL);
    target.rounds = stress_rounds(2000);
    ASSERT_OK(aclrtGetCurrentContext(&target.context));
    ASSERT_OK(aclrtCreateStream(&target.stream));
    ASSERT_OK(aclrtCreateNotify(&target.notify, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtCreateEvent(&target.never));
    ASSERT_OK(aclrtMalloc((void **)&target.device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    crew_run(THREADS, use_target, NULL);
    ASSERT_OK(aclrtStreamAbort(target.stream));
    ASSERT_OK(aclrtSynchronizeStream(target.stream));
    ASSERT_OK(aclrtMemsetAsync(target.device, 4096, 7, 4096, target.stream));
    ASSERT_OK(aclrtSynchronizeStream(target.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(target.device, 4096, 7));
    ASSERT_OK(aclrtFree(target.device));
    ASSERT_OK(aclrtDestroyStream(target.stream));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("signals", NULL, NULL);
    tcase_add_test(tc, one_record_lets_one_pass);
    tcase_add_test(tc, one_record_lets_one_pass_with_many_engines_and_a_short_queue);
    tcase_add_test(tc, callbacks_of_many_threads);
    tcase_add_test(tc, callbacks_that_are_dropped);
    tcase_add_test(tc, aborts_while_others_queue_and_wait);
    return run_cases("stress_signals", tc, (TCase *)NULL);
}
