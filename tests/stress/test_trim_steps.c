/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine that gives a slot's memory back, against a thread that makes the slot a stream, step by step: each atomic
 * operation of the library calls a hook, where this test stops the one thread and lets the other go on. All
 * places are tried. What must never be is that both own the slot: a stream that waits would be at rest.
 */
#include <stdio.h>

#include "core/stream.h"
#include "crew.h"

void jitter(void); /* the hook: jitter.h calls it before each atomic operation */

/* A thread whose operations are counted. Before numbers `at` and `again` it does something. */
struct steps {
    unsigned count, at, again;
    void (*act)(void);
};

static _Thread_local struct steps *steps;

static struct {
    struct pacl_stream *slot;
    sem_t go_on, stopped;
    struct steps of_trimmer, of_creator;
    _Atomic bool ended; /* the trimmer came to its end */
    _Atomic bool waits; /* from here on the slot is a stream that waits */
    _Atomic bool lost;  /* ... and was something else */
} try;

void jitter(void)
{
    struct steps *const own = steps;
    if (own == NULL)
        return;
    if (own == &try.of_trimmer && atomic_load(&try.waits) && atomic_load(&try.slot->state) != PACL_PARKED)
        atomic_store(&try.lost, true);
    steps = NULL; /* what is done there does not count */
    own->count++;
    if (own->count == own->at || own->count == own->again)
        own->act();
    steps = own;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        continue;
}

/* --- the trimmer ------------------------------------------------------------------------------------------------- */

static void stop_there(void)
{
    sem_post(&try.stopped);
    wait_for(&try.go_on);
}

static void *trim(void *unused)
{
    (void)unused;
    wait_for(&try.go_on);
    steps = &try.of_trimmer;
    pacl_stream_trim(try.slot);
    steps = NULL;
    atomic_store(&try.ended, true);
    sem_post(&try.stopped);
    return NULL;
}

/* Lets the trimmer go on to its next stop or its end. */
static void let_go_on(void)
{
    if (atomic_load(&try.ended))
        return;
    sem_post(&try.go_on);
    wait_for(&try.stopped);
}

/* The trimmer will stop before its operations `at` and `again`. */
static pthread_t start_trimmer(struct pacl_stream *slot, unsigned at, unsigned again)
{
    pthread_t thread;
    try.slot = slot;
    sem_init(&try.go_on, 0, 0);
    sem_init(&try.stopped, 0, 0);
    try.of_trimmer = (struct steps){ .at = at, .again = again, .act = stop_there };
    atomic_store(&try.ended, false);
    atomic_store(&try.waits, false);
    atomic_store(&try.lost, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, trim, NULL), 0);
    return thread;
}

static void end_trimmer(pthread_t thread)
{
    while (!atomic_load(&try.ended))
        let_go_on();
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* --- the creator ------------------------------------------------------------------------------------------------- */

static aclrtEvent event;
static aclrtStream opener;
static uint8_t *device, *pinned;

static void open_all(void)
{
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtCreateStream(&opener));
    ASSERT_OK(aclrtMalloc((void **)&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, 64));
}

/* The slot that is a stream next; NULL: one that does not exist yet. */
static struct pacl_stream *next_slot(void)
{
    struct pacl_object *object = NULL;
    pthread_mutex_lock(&pacl_streams.lock);
    if (!pacl_list_empty(&pacl_streams.free))
        object = PACL_CONTAINER(pacl_streams.free.next, struct pacl_object, free);
    pthread_mutex_unlock(&pacl_streams.lock);
    return (struct pacl_stream *)object;
}

static aclrtStream create(void)
{
    aclrtStream stream;
    steps = &try.of_creator;
    const aclError err = aclrtCreateStream(&stream);
    steps = NULL;
    ASSERT_OK(err);
    ck_assert_ptr_eq(pacl_pool_find(&pacl_streams, stream), try.slot);
    return stream;
}

/* If the trimmer has the stream, rightly, it finds the wait when it gives the stream up. */
static void park(aclrtStream stream)
{
    ASSERT_OK(aclrtResetEvent(event, opener));
    ASSERT_OK(aclrtSynchronizeStream(opener));
    ASSERT_OK(aclrtStreamWaitEvent(stream, event));
    atomic_store(&try.waits, atomic_load(&try.slot->state) == PACL_PARKED);
}

static void check_stream(aclrtStream stream, unsigned number)
{
    ck_assert_msg(!atomic_load(&try.lost), "the trimmer took a stream that waits for its own");
    memset(pinned, (int)number, 64);
    ASSERT_OK(aclrtMemcpyAsync(device, 64, pinned, 64, H2D, stream));
    ASSERT_OK(aclrtRecordEvent(event, opener));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    memset(pinned, POISON, 64);
    ASSERT_OK(aclrtMemcpy(pinned, 64, device, 64, D2H));
    ASSERT_ALL_BYTES(pinned, 64, (uint8_t)number);
}

/* --- a slot that was never used ---------------------------------------------------------------------------------- */

struct came {
    bool creator, trimmer; /* to the places that were asked for */
};

/* The trimmer begins before the creator's operation `begin`, stops before its own `stop`, and goes on when the stream is
 * made and waits. Streams stay open: a slot is new once. */
static struct came try_new_slot(unsigned begin, unsigned stop)
{
    struct pacl_stream *slot = next_slot();
    if (slot == NULL) {
        aclrtStream other;
        ASSERT_OK(aclrtCreateStream(&other)); /* slots are made in chunks */
        slot = next_slot();
    }
    const pthread_t thread = start_trimmer(slot, stop, 0);
    try.of_creator = (struct steps){ .at = begin, .act = let_go_on };
    aclrtStream stream = create();
    const struct came came = { try.of_creator.count >= begin, !atomic_load(&try.ended) };
    park(stream);
    end_trimmer(thread);
    check_stream(stream, begin + stop);
    return came;
}

START_TEST(a_new_slot)
{
    unsigned tries = 0;
    struct came came = { true, true };
    open_all();
    for (unsigned begin = 1; came.creator; begin++) {
        came.trimmer = true;
        for (unsigned stop = 1; came.creator && came.trimmer; stop++, tries++)
            came = try_new_slot(begin, stop);
    }
    ck_assert_msg(tries >= 20, "only %u tries: are the operations counted?", tries);
}
END_TEST

/* --- a slot that is used again ----------------------------------------------------------------------------------- */

/* Other slots have their turn first. */
static void come_to(const struct pacl_stream *slot)
{
    while (next_slot() != slot) {
        aclrtStream other;
        ASSERT_OK(aclrtCreateStream(&other));
        ASSERT_OK(aclrtDestroyStream(other));
    }
}

/* The trimmer begins in the slot's earlier life and stops before its operation `stop`. Unless it owns the stream there,
 * which is then not destroyed, it goes on before operation `go_on` of the thread that makes the slot anew, stops after
 * `more` operations, and goes on when the stream is made and waits. */
static struct came try_used_slot(unsigned stop, unsigned go_on, unsigned more, bool *early)
{
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    struct pacl_stream *slot = pacl_pool_find(&pacl_streams, stream);
    const pthread_t thread = start_trimmer(slot, stop, stop + more);
    let_go_on();
    *early = !atomic_load(&try.ended) && atomic_load(&slot->state) != PACL_RUNNING;
    if (!*early) {
        end_trimmer(thread);
        ASSERT_OK(aclrtDestroyStream(stream));
        return (struct came){ false, false };
    }
    ASSERT_OK(aclrtDestroyStream(stream));
    come_to(slot);
    try.of_creator = (struct steps){ .at = go_on, .act = let_go_on };
    stream = create();
    const struct came came = { try.of_creator.count >= go_on, !atomic_load(&try.ended) };
    park(stream);
    end_trimmer(thread);
    check_stream(stream, stop + go_on + more);
    ASSERT_OK(aclrtDestroyStream(stream));
    return came;
}

START_TEST(a_used_slot)
{
    unsigned tries = 0;
    bool early = true;
    open_all();
    for (unsigned stop = 1; early; stop++) {
        struct came came = { true, true };
        for (unsigned go_on = 1; early && came.creator; go_on++) {
            came.trimmer = true;
            for (unsigned more = 1; early && came.creator && came.trimmer; more++, tries++)
                came = try_used_slot(stop, go_on, more, &early);
        }
    }
    ck_assert_msg(tries >= 20, "only %u tries: are the operations counted?", tries);
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("steps", NULL, NULL);
    tcase_add_test(tcase, a_new_slot);
    tcase_add_test(tcase, a_used_slot);
    return run_cases("stress_trim_steps", tcase, NULL);
}
