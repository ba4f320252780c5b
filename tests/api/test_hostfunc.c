/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtLaunchHostFunc: order with the other work of its stream, threads, arguments. */
#include "support.h"

static void count_up(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

/* CAL-241 [code] */
START_TEST(cal_241_null_function)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtLaunchHostFunc(fx.stream, NULL, NULL));
    ASSERT_MESSAGE_NAMES("aclrtLaunchHostFunc", "fn");
}
END_TEST

/* What the host function saw between the two copies. */
struct witness {
    uint8_t seen[64];
    const uint8_t *watched;
};

static void look(void *arg)
{
    struct witness *const witness = arg;
    memcpy(witness->seen, witness->watched, sizeof(witness->seen));
}

/* CAL-242 [doc] */
START_TEST(cal_242_copy_function_copy)
{
    struct witness witness = { .watched = fx.pinned2 };
    ASSERT_OK(aclrtMemset(fx.device, 64, 1, 64));
    ASSERT_OK(aclrtMemset(fx.device2, 64, 2, 64));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, look, &witness));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device2, 64, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(witness.seen, 64, 1);
    ASSERT_ALL_BYTES(fx.pinned2, 64, 2);
}
END_TEST

START_TEST(later_tasks_wait_for_the_function)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, POISON));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 1));
}
END_TEST

START_TEST(a_function_runs_without_anyone_waiting)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    gate_await(&gate); /* the test's time limit ends it otherwise */
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

struct sequence {
    atomic_size_t next;
    atomic_size_t disorder;
};

struct step {
    struct sequence *sequence;
    size_t number;
};

static void take_step(void *arg)
{
    const struct step *const step = arg;
    if (atomic_fetch_add(&step->sequence->next, 1) != step->number)
        atomic_fetch_add(&step->sequence->disorder, 1);
}

START_TEST(functions_of_a_stream_run_in_order)
{
    enum { STEPS = 1000 };
    static struct sequence sequence;
    static struct step steps[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        steps[i] = (struct step){ .sequence = &sequence, .number = i };
        ASSERT_OK(aclrtLaunchHostFunc(fx.stream, take_step, &steps[i]));
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_uint_eq(atomic_load(&sequence.next), STEPS);
    ck_assert_uint_eq(atomic_load(&sequence.disorder), 0);
}
END_TEST

START_TEST(functions_of_many_streams_all_run)
{
    enum { STREAMS = 40, EACH = 25 };
    static atomic_int count;
    for (int i = 0; i < STREAMS; i++) {
        aclrtStream stream;
        ASSERT_OK(aclrtCreateStream(&stream));
        for (int k = 0; k < EACH; k++)
            ASSERT_OK(aclrtLaunchHostFunc(stream, count_up, &count));
    }
    ASSERT_OK(aclrtSynchronizeDevice());
    ck_assert_int_eq(atomic_load(&count), STREAMS * EACH);
}
END_TEST

static void note_thread(void *arg)
{
    *(pthread_t *)arg = pthread_self();
}

/* A thread that synchronizes may run copies itself, but never the program's functions. */
START_TEST(functions_have_a_thread_of_their_own)
{
    pthread_t first;
    pthread_t second;
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, note_thread, &first));
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, note_thread, &second));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert(!pthread_equal(first, pthread_self()));
    ck_assert(pthread_equal(first, second));
}
END_TEST

/* A blocked function holds up its own context's functions at most, never the copies of another stream. */
START_TEST(a_blocked_function_does_not_hold_up_copies_of_other_streams)
{
    struct gate gate;
    aclrtStream other;
    fill_sources();
    ASSERT_OK(aclrtCreateStream(&other));
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(null_stream_is_the_default_stream)
{
    static atomic_int count;
    ASSERT_OK(aclrtLaunchHostFunc(NULL, count_up, &count));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    ck_assert_int_eq(atomic_load(&count), 1);
}
END_TEST

START_TEST(stream_of_another_context)
{
    static atomic_int count;
    aclrtContext other;
    ASSERT_OK(aclrtCreateContext(&other, 0));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtLaunchHostFunc(fx.stream, count_up, &count));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&count), 0);
}
END_TEST

/* The function changes the source of the copy behind it: the copy reads when it runs. */
static void fill_with_9(void *arg)
{
    memset(arg, 9, 64);
}

START_TEST(a_function_prepares_the_next_copy)
{
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, fill_with_9, fx.pinned));
    ASSERT_OK(aclrtMemcpy2dAsync(fx.device, 8, fx.pinned, 8, 8, 8, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 9));
}
END_TEST

static void end_thread(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    pthread_exit(NULL);
}

/* Such a function has ended; what comes after it runs, here and on other streams of the context. */
START_TEST(a_function_ends_its_thread)
{
    atomic_int count = 0;
    aclrtStream other;
    ASSERT_OK(aclrtCreateStream(&other));
    for (unsigned i = 1; i <= 3; i++) {
        ASSERT_OK(aclrtLaunchHostFunc(fx.stream, end_thread, &count));
        ASSERT_OK(aclrtMemsetAsync(fx.device, 64, (int32_t)i, 64, fx.stream));
        ASSERT_OK(aclrtLaunchHostFunc(fx.stream, count_up, &count));
        ASSERT_OK(aclrtLaunchHostFunc(other, end_thread, &count));
        ASSERT_OK(aclrtLaunchHostFunc(other, count_up, &count));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, (uint8_t)i));
        ASSERT_OK(aclrtSynchronizeStream(other));
        ck_assert_int_eq(atomic_load(&count), (int)(4 * i));
    }
    ASSERT_OK(aclrtDestroyStream(other));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("hostfunc", fixture_open, fixture_close);
    tcase_add_test(tc, cal_241_null_function);
    tcase_add_test(tc, cal_242_copy_function_copy);
    tcase_add_test(tc, later_tasks_wait_for_the_function);
    tcase_add_test(tc, a_function_runs_without_anyone_waiting);
    tcase_add_test(tc, functions_of_a_stream_run_in_order);
    tcase_add_test(tc, functions_of_many_streams_all_run);
    tcase_add_test(tc, functions_have_a_thread_of_their_own);
    tcase_add_test(tc, a_blocked_function_does_not_hold_up_copies_of_other_streams);
    tcase_add_test(tc, null_stream_is_the_default_stream);
    tcase_add_test(tc, stream_of_another_context);
    tcase_add_test(tc, a_function_prepares_the_next_copy);
    tcase_add_test(tc, a_function_ends_its_thread);
    return run_cases("hostfunc", tc, (TCase *)NULL);
}
