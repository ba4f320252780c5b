/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that other threads destroy in the middle of calls: codes, never a crash, a hang or somebody else's object. */
#include <stdio.h>

#include "crew.h"

enum { USERS = 4, SLOTS = 64 /* objects that the library makes together */ };

struct shared {
    _Atomic(void *) stream, event;
    _Atomic bool stop;
    uint8_t *device, *pinned;
};

static bool is_allowed(aclError code)
{
    return code == ACL_SUCCESS || code == E_RT_INVALID_HANDLE;
}

#define ALLOWED(m, call) allowed((m), #call, (call))
static void allowed(struct member *m, const char *call, aclError code)
{
    if (!is_allowed(code))
        give_up(m, "%s returned %d: %s", call, (int)code, last_message());
}

/* --- streams and events ------------------------------------------------------------------------------------------ */

static void do_nothing(void *arg)
{
    (void)arg;
}

static void use_once(struct member *m, uint64_t *state)
{
    struct shared *const s = m->shared;
    uint8_t *const device = s->device + m->index * 65536, *const pinned = s->pinned + m->index * 65536;
    aclrtStream const stream = atomic_load(&s->stream);
    aclrtEvent const event = atomic_load(&s->event);
    const size_t bytes = random_in(state, 1, 65536);
    aclrtStreamStatus stream_status;
    aclrtEventRecordedStatus event_status;
    switch (random_in(state, 0, 9)) {
    case 0:
        ALLOWED(m, aclrtSynchronizeStream(stream));
        break;
    case 1:
        ALLOWED(m, aclrtStreamQuery(stream, &stream_status));
        break;
    case 2:
        ALLOWED(m, aclrtRecordEvent(event, stream));
        break;
    case 3:
        ALLOWED(m, aclrtStreamWaitEvent(stream, event));
        break;
    case 4:
        ALLOWED(m, aclrtSynchronizeEvent(event));
        break;
    case 5:
        ALLOWED(m, aclrtQueryEventStatus(event, &event_status));
        break;
    case 6:
        ALLOWED(m, aclrtLaunchHostFunc(stream, do_nothing, NULL));
        break;
    case 7:
        ALLOWED(m, aclrtMemsetAsync(device, bytes, 1, bytes, stream));
        break;
    default:
        ALLOWED(m, aclrtMemcpyAsync(device, bytes, pinned, bytes, H2D, stream));
        break;
    }
}

static void use(struct member *m)
{
    struct shared *const s = m->shared;
    uint64_t state = m->seed;
    WANT(m, aclrtSetDevice(0));
    while (!atomic_load(&s->stop) && !failed(m))
        use_once(m, &state);
}

static struct shared open_shared(const char *depth)
{
    struct shared s = { .stop = false };
    aclrtStream stream;
    aclrtEvent event;
    open_with(depth, NULL);
    ASSERT_OK(aclrtMalloc((void **)&s.device, USERS * 65536, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&s.pinned, USERS * 65536));
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    atomic_store(&s.stream, stream);
    atomic_store(&s.event, event);
    return s;
}

static void destroy_stream(struct shared *s, bool by_force)
{
    aclrtStream const old = atomic_load(&s->stream);
    aclrtStream fresh;
    ASSERT_OK(by_force ? aclrtDestroyStreamForce(old) : aclrtDestroyStream(old));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(old));
    ASSERT_OK(aclrtCreateStream(&fresh));
    atomic_store(&s->stream, fresh);
}

static void destroy_event(struct shared *s)
{
    aclrtEvent fresh;
    ASSERT_OK(aclrtDestroyEvent(atomic_load(&s->event)));
    ASSERT_OK(aclrtCreateEventExWithFlag(&fresh, ACL_EVENT_SYNC));
    atomic_store(&s->event, fresh);
}

static const char *const depths[] = { "2", "65536" };

START_TEST(destroyed_in_the_middle_of_calls)
{
    static struct crew crew;
    struct shared s = open_shared(depths[_i]);
    crew_start(&crew, USERS, use, &s);
    for (size_t round = stress_rounds(4000); round > 0; round--) {
        destroy_event(&s);
        destroy_stream(&s, round % 2 == 0);
    }
    atomic_store(&s.stop, true);
    crew_join(&crew);
    ASSERT_OK(aclrtSynchronizeDevice());
    ASSERT_OK(aclrtDestroyStream(atomic_load(&s.stream)));
    ASSERT_OK(aclrtDestroyEvent(atomic_load(&s.event)));
    ck_assert_uint_eq(counters().events_live, 0);
    ck_assert_uint_eq(counters().streams_live, 1);
}
END_TEST

/* The stream is parked when it goes; a submitter that waits for room must be let go. */
START_TEST(destroyed_by_force_under_a_waiting_submitter)
{
    static struct crew crew;
    struct shared s = open_shared("4");
    crew_start(&crew, USERS, use, &s);
    for (size_t round = stress_rounds(1000); round > 0; round--) {
        aclrtEvent never;
        ASSERT_OK(aclrtCreateEvent(&never));
        ASSERT_OK(aclrtStreamWaitEvent(atomic_load(&s.stream), never));
        destroy_stream(&s, true);
        ASSERT_OK(aclrtDestroyEvent(never));
    }
    atomic_store(&s.stop, true);
    crew_join(&crew);
}
END_TEST

/* --- two that destroy the same ------------------------------------------------------------------------------------ */

/* One of the two wins; the winner makes a new object at once, in the slot that is the only free one. The loser must not
 * hit that one. */
struct twins {
    _Atomic(void *) handle;
    void *fresh[2];
    aclError (*destroy)(void *);
    aclError (*create)(void **);
    pthread_barrier_t turn;
};

static void destroy_and_create(struct member *m)
{
    struct twins *const t = m->shared;
    WANT(m, aclrtSetDevice(0));
    for (size_t round = stress_rounds(10000); round > 0; round--) {
        pthread_barrier_wait(&t->turn);
        void *const handle = atomic_load(&t->handle);
        const aclError code = t->destroy(handle);
        t->fresh[m->index] = NULL;
        if (code == ACL_SUCCESS)
            WANT(m, t->create(&t->fresh[m->index]));
        else if (code != E_RT_INVALID_HANDLE)
            give_up(m, "destroying it returned %d", (int)code);
        pthread_barrier_wait(&t->turn);
        if (m->index != 0)
            continue;
        if ((t->fresh[0] == NULL) == (t->fresh[1] == NULL))
            give_up(m, "%s of two calls destroyed the object", t->fresh[0] == NULL ? "none" : "both");
        atomic_store(&t->handle, t->fresh[0] != NULL ? t->fresh[0] : t->fresh[1]);
    }
}

static aclError create_stream(void **out)
{
    return aclrtCreateStream(out);
}

static aclError create_event(void **out)
{
    return aclrtCreateEvent(out);
}

static void run_twins(aclError (*create)(void **), aclError (*destroy)(void *), unsigned others)
{
    struct twins t = { .create = create, .destroy = destroy };
    void *first, *other[SLOTS];
    open_with(NULL, NULL);
    for (unsigned i = 0; i < others; i++)
        ASSERT_OK(create(&other[i]));
    ASSERT_OK(create(&first));
    atomic_store(&t.handle, first);
    ck_assert_int_eq(pthread_barrier_init(&t.turn, NULL, 2), 0);
    crew_run(2, destroy_and_create, &t);
    ASSERT_OK(destroy(atomic_load(&t.handle)));
    for (unsigned i = 0; i < others; i++)
        ASSERT_OK(destroy(other[i]));
}

START_TEST(two_destroy_one_stream)
{
    run_twins(create_stream, aclrtDestroyStream, SLOTS - 2); /* the default stream has a slot as well */
}
END_TEST

START_TEST(two_destroy_one_event)
{
    run_twins(create_event, aclrtDestroyEvent, SLOTS - 1);
}
END_TEST

/* --- contexts ----------------------------------------------------------------------------------------------------- */

struct contexts {
    _Atomic(void *) context;
    _Atomic bool stop;
};

/* Whatever the thread's context was, it may be gone at any time. */
static void use_context(struct member *m)
{
    struct contexts *const c = m->shared;
    uint64_t state = m->seed;
    while (!atomic_load(&c->stop)) {
        aclrtStream stream;
        aclrtEvent event;
        if (aclrtSetCurrentContext(atomic_load(&c->context)) != ACL_SUCCESS)
            continue;
        const aclError code = aclrtCreateStream(&stream);
        if (code == ACL_SUCCESS) {
            (void)aclrtSynchronizeStream(stream);
            if (aclrtCreateEvent(&event) == ACL_SUCCESS) {
                (void)aclrtRecordEvent(event, stream);
                (void)aclrtDestroyEvent(event);
            }
            if (random_in(&state, 0, 1) == 0)
                (void)aclrtDestroyStream(stream);
        } else if (code != E_RT_CONTEXT_NULL) {
            give_up(m, "aclrtCreateStream returned %d: %s", (int)code, last_message());
        }
    }
}

START_TEST(contexts_destroyed_in_the_middle_of_calls)
{
    static struct crew crew;
    struct contexts c = { .stop = false };
    aclrtContext context;
    open_with(NULL, NULL);
    const struct pacl_counters before = counters();
    ASSERT_OK(aclrtCreateContext(&context, 0));
    atomic_store(&c.context, context);
    crew_start(&crew, USERS, use_context, &c);
    for (size_t round = stress_rounds(2000); round > 0; round--) {
        ASSERT_OK(aclrtDestroyContext(context));
        ASSERT_OK(aclrtCreateContext(&context, 0));
        atomic_store(&c.context, context);
    }
    atomic_store(&c.stop, true);
    crew_join(&crew);
    ASSERT_OK(aclrtDestroyContext(context));
    const struct pacl_counters after = counters();
    ck_assert_uint_eq(after.streams_live, before.streams_live);
    ck_assert_uint_eq(after.events_live, before.events_live);
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("handles", NULL, NULL);
    tcase_add_loop_test(tcase, destroyed_in_the_middle_of_calls, 0, COUNT_OF(depths));
    tcase_add_test(tcase, destroyed_by_force_under_a_waiting_submitter);
    tcase_add_test(tcase, two_destroy_one_stream);
    tcase_add_test(tcase, two_destroy_one_event);
    tcase_add_test(tcase, contexts_destroyed_in_the_middle_of_calls);
    return run_cases("stress_handles", tcase, NULL);
}
