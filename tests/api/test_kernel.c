/* SPDX-License-Identifier: Apache-2.0 */
/* pacl_kernel_launch: functions of the program in place of kernels, ordered like any task. */
#include <pacl/kernel.h>

#include "support.h"

enum { ROWS = 64, WIDTH = 40, PITCH = 100 };

/* Adds `add` to the bytes of its rows, those whose number modulo the number of blocks is the block's. */
struct job {
    uint8_t *at; /* device memory */
    uint8_t add;
    atomic_int *ran; /* blocks */
};

static int add_to_rows(const void *arguments, uint32_t block, uint32_t blocks)
{
    const struct job *const job = arguments;
    uint8_t *const at = pacl_kernel_view(job->at);
    for (uint32_t row = block; row < ROWS; row += blocks) {
        for (uint32_t i = 0; i < WIDTH; i++)
            at[row * PITCH + i] = (uint8_t)(at[row * PITCH + i] + job->add);
    }
    atomic_fetch_add(job->ran, 1);
    return 0;
}

static int launch(const struct job *job, uint32_t blocks, aclrtStream stream)
{
    const struct pacl_kernel_access accesses[] = {
        { .at = job->at, .pitch = PITCH, .width = WIDTH, .height = ROWS },
        { .at = job->at, .pitch = PITCH, .width = WIDTH, .height = ROWS, .writes = 1 },
    };
    return pacl_kernel_launch(add_to_rows, blocks, job, sizeof *job, accesses, 2, stream);
}

static const char *rows_difference(uint8_t value)
{
    uint8_t expected[ROWS * PITCH];
    memset(expected, POISON, sizeof expected);
    for (size_t row = 0; row < ROWS; row++)
        memset(expected + row * PITCH, value, WIDTH);
    return device_bytes_difference(fx.device, expected, sizeof expected);
}

START_TEST(a_kernel_stands_between_copies)
{
    static const uint32_t numbers[] = { 1, 2, 7, ROWS, 500 };
    memset(fx.pinned, 10, ROWS * PITCH);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        struct gate gate;
        atomic_int ran = 0;
        struct job job = { .at = fx.device, .add = 5, .ran = &ran };
        gate_close(&gate, fx.stream);
        ASSERT_OK(aclrtMemcpy2dAsync(fx.device, PITCH, fx.pinned, PITCH, WIDTH, ROWS, H2D, fx.stream));
        ASSERT_OK(launch(&job, numbers[i], fx.stream));
        ASSERT_OK(launch(&job, numbers[i], fx.stream));
        job.add = 99; /* the arguments were copied */
        ASSERT_OK(aclrtMemcpy2dAsync(fx.pinned2, PITCH, fx.device, PITCH, WIDTH, ROWS, D2H, fx.stream));
        ck_assert_int_eq(atomic_load(&ran), 0);
        gate_open(&gate);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ck_assert_int_eq(atomic_load(&ran), 2 * (int)numbers[i]);
        ASSERT_NO_DIFFERENCE(rows_difference(20));
        ASSERT_ALL_BYTES(fx.pinned2, WIDTH, 20);
    }
}
END_TEST

START_TEST(a_kernel_waits_for_an_event)
{
    aclrtStream other;
    aclrtEvent event;
    atomic_int ran = 0;
    const struct job job = { .at = fx.device, .add = 1, .ran = &ran };
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    ASSERT_OK(launch(&job, 3, fx.stream));
    ASSERT_OK(aclrtMemset(fx.device2, 64, 1, 64));
    ck_assert_int_eq(atomic_load(&ran), 0);
    ASSERT_OK(aclrtRecordEvent(event, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&ran), 3);
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtDestroyStream(other));
}
END_TEST

static int note_thread(const void *arguments, uint32_t block, uint32_t blocks)
{
    struct {
        pthread_t *thread;
        sem_t *ran;
    } a;
    (void)block;
    (void)blocks;
    memcpy(&a, arguments, sizeof a);
    *a.thread = pthread_self();
    sem_post(a.ran);
    return 0;
}

/* The launch does not run it, even on an idle stream; an engine does without anybody waiting for the stream. */
START_TEST(not_in_the_thread_that_launches)
{
    pthread_t thread = pthread_self();
    sem_t ran;
    struct {
        pthread_t *thread;
        sem_t *ran;
    } const a = { &thread, &ran };
    ck_assert_int_eq(sem_init(&ran, 0, 0), 0);
    ASSERT_OK(pacl_kernel_launch(note_thread, 1, &a, sizeof a, NULL, 0, fx.stream));
    sem_wait(&ran);
    ck_assert(!pthread_equal(thread, pthread_self()));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    sem_destroy(&ran);
}
END_TEST

/* Two blocks that wait for each other: they run at the same time, with two engines. */
struct meeting {
    pthread_barrier_t barrier;
};

static int meet(const void *arguments, uint32_t block, uint32_t blocks)
{
    struct meeting *m;
    (void)block;
    (void)blocks;
    memcpy(&m, arguments, sizeof(struct meeting *));
    (void)pthread_barrier_wait(&m->barrier);
    return 0;
}

static void open_with_two_engines(void)
{
    setenv("PACL_ENGINES", "2", 1);
    fixture_open();
}

START_TEST(blocks_run_on_several_engines)
{
    struct meeting meeting;
    struct meeting *const m = &meeting;
    ck_assert_int_eq(pthread_barrier_init(&meeting.barrier, NULL, 2), 0);
    ASSERT_OK(pacl_kernel_launch(meet, 2, &m, sizeof(struct meeting *), NULL, 0, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    pthread_barrier_destroy(&meeting.barrier);
}
END_TEST

static int fail_in_block_2(const void *arguments, uint32_t block, uint32_t blocks)
{
    (void)arguments;
    (void)blocks;
    return block == 2 ? 507015 : 0;
}

START_TEST(a_block_that_fails)
{
    atomic_int ran = 0;
    const struct job job = { .at = fx.device, .add = 1, .ran = &ran };
    ASSERT_OK(pacl_kernel_launch(fail_in_block_2, 5, NULL, 0, NULL, 0, fx.stream));
    ASSERT_OK(launch(&job, 1, fx.stream)); /* the stream goes on */
    ASSERT_CODE(507015, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("pacl_kernel_launch", "block 2 of 5", "507015");
    ck_assert_int_eq(atomic_load(&ran), 1);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* It lives until the kernel has run. */
START_TEST(memory_that_is_freed_before_the_kernel_ran)
{
    struct gate gate;
    atomic_int ran = 0;
    struct job job = { .add = 1, .ran = &ran };
    ASSERT_OK(aclrtMalloc((void **)&job.at, ROWS * PITCH, ACL_MEM_MALLOC_HUGE_FIRST));
    gate_close(&gate, fx.stream);
    ASSERT_OK(launch(&job, 4, fx.stream));
    ASSERT_OK(aclrtFree(job.at));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&ran), 4);
}
END_TEST

START_TEST(dropped_by_an_abort)
{
    struct gate gate;
    atomic_int ran = 0;
    const struct job job = { .at = fx.device, .add = 1, .ran = &ran };
    gate_close(&gate, fx.stream);
    gate_await(&gate);
    ASSERT_OK(launch(&job, 4, fx.stream));
    gate_open_once_blocked(&gate);
    ASSERT_OK(aclrtStreamAbort(fx.stream));
    gate_join(&gate);
    ck_assert_int_eq(atomic_load(&ran), 0);
}
END_TEST

START_TEST(refused)
{
    static const char big[PACL_KERNEL_ARGUMENTS_MAX + 1];
    uint8_t *const pageable = fx.pageable;
    atomic_int ran = 0;
    struct pacl_kernel_access a = { .at = fx.device, .pitch = 64, .width = 64, .height = 1 };
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(NULL, 1, NULL, 0, NULL, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(fail_in_block_2, 0, NULL, 0, NULL, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(fail_in_block_2, 65536, NULL, 0, NULL, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(fail_in_block_2, 1, NULL, 8, NULL, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(fail_in_block_2, 1, big, sizeof big, NULL, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(fail_in_block_2, 1, NULL, 0, NULL, 1, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, pacl_kernel_launch(fail_in_block_2, 1, NULL, 0, NULL, 0, fx.pinned));
    a.height = 2;
    a.pitch = 63;
    ASSERT_CODE(E_INVALID_PARAM, pacl_kernel_launch(fail_in_block_2, 1, NULL, 0, &a, 1, fx.stream));
    ASSERT_MESSAGE_NAMES("accesses[0]", "pitch 63");
    a = (struct pacl_kernel_access){ .at = fx.device, .pitch = SIZE_MAX, .width = 64, .height = SIZE_MAX };
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_kernel_launch(fail_in_block_2, 1, NULL, 0, &a, 1, fx.stream));
    a = (struct pacl_kernel_access){ .at = fx.device, .pitch = 1, .width = FIXTURE_BYTES + 1, .height = 1 };
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_kernel_launch(fail_in_block_2, 1, NULL, 0, &a, 1, fx.stream));
    a = (struct pacl_kernel_access){ .at = pageable, .pitch = 1, .width = 1, .height = 1 };
    ASSERT_CODE(E_RT_PARAM_INVALID, pacl_kernel_launch(fail_in_block_2, 1, NULL, 0, &a, 1, fx.stream));
    ASSERT_MESSAGE_NAMES("pageable");
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_int_eq(atomic_load(&ran), 0);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, POISON));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("kernel", fixture_open, fixture_close);
    tcase_add_test(tc, a_kernel_stands_between_copies);
    tcase_add_test(tc, a_kernel_waits_for_an_event);
    tcase_add_test(tc, not_in_the_thread_that_launches);
    tcase_add_test(tc, a_block_that_fails);
    tcase_add_test(tc, memory_that_is_freed_before_the_kernel_ran);
    tcase_add_test(tc, dropped_by_an_abort);
    tcase_add_test(tc, refused);
    TCase *const engines = new_case("engines", open_with_two_engines, fixture_close);
    tcase_add_test(engines, blocks_run_on_several_engines);
    return run_cases("kernel", tc, engines, (TCase *)NULL);
}
