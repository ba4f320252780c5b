/* SPDX-License-Identifier: Apache-2.0 */
/* What a hostile tester broke once. */
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crew.h"

enum { PAGE = 4096 };

static aclrtStream waiting_stream(aclrtEvent *event)
{
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateEvent(event));
    ASSERT_OK(aclrtStreamWaitEvent(stream, *event));
    return stream;
}

/* --- a stream that waits stops no other's memory ------------------------------------------------------------------- */

START_TEST(memory_that_no_queued_work_names_is_given_back_at_once)
{
    enum { ROUNDS = 300 };
    const size_t bytes = (size_t)1 << 30; /* 300 times that is four times the device's addresses */
    aclrtEvent event;
    void *block;
    (void)waiting_stream(&event);
    for (int i = 0; i < ROUNDS; i++) {
        ASSERT_OK(aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_OK(aclrtFree(block));
    }
}
END_TEST

START_TEST(a_device_that_is_empty_again_can_be_allocated_whole)
{
    static void *blocks[900];
    size_t count = 0, free_bytes, total;
    for (size_t size = 1; size <= (size_t)1 << 20 && count < 900; size = size * 9 / 8 + 1)
        ASSERT_OK(aclrtMalloc(&blocks[count++], size, ACL_MEM_MALLOC_NORMAL_ONLY));
    for (size_t i = 0; i < count; i++)
        ASSERT_OK(aclrtFree(blocks[i]));
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    ck_assert_uint_eq(free_bytes, total);
    ASSERT_OK(aclrtMalloc(&blocks[0], total, ACL_MEM_MALLOC_NORMAL_ONLY));
}
END_TEST

START_TEST(a_device_full_of_the_smallest_blocks)
{
    size_t free_bytes, total, before;
    void *block;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
    for (size_t i = 0; i < total / 64; i++)
        ASSERT_OK(aclrtMalloc(&block, 40, ACL_MEM_MALLOC_NORMAL_ONLY)); /* counts 64, takes 128 */
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    ck_assert_uint_eq(free_bytes, 0);
}
END_TEST

/* --- two that destroy one stream ----------------------------------------------------------------------------------- */

static aclrtStream shared_stream;
static aclrtContext shared_context;
static _Atomic bool destroying;

static void *destroy_and_wait(void *unused)
{
    (void)unused;
    (void)aclrtSetCurrentContext(shared_context);
    atomic_store(&destroying, true);
    return (void *)(intptr_t)aclrtDestroyStream(shared_stream);
}

/* The destroying thread has the handle; the forced reset must still make the stream drop its wait. */
START_TEST(a_forced_reset_ends_another_threads_destroy)
{
    aclrtEvent event;
    pthread_t thread;
    void *result;
    int32_t id;
    shared_stream = waiting_stream(&event);
    ASSERT_OK(aclrtGetCurrentContext(&shared_context));
    ck_assert_int_eq(pthread_create(&thread, NULL, destroy_and_wait, NULL), 0);
    while (!atomic_load(&destroying) || aclrtStreamGetId(shared_stream, &id) == ACL_SUCCESS)
        sched_yield();
    ASSERT_OK(aclrtResetDeviceForce(0));
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_int_eq((int)(intptr_t)result, ACL_SUCCESS);
}
END_TEST

/* --- memory that is not the program's ------------------------------------------------------------------------------ */

/* A range that begins in the program's own page and runs into what lies behind it. */
START_TEST(a_pageable_range_never_reaches_an_arena)
{
    void *device;
    ASSERT_OK(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_NORMAL_ONLY));
    uint8_t *const before = (uint8_t *)((uintptr_t)device & ~(uintptr_t)(PAGE - 1)) - PAGE;
    uint8_t *const page =
        mmap(before, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page == before) /* the guard has left a place after all */
        ASSERT_CODE(E_RT_SYS_DMA, aclrtMemset(page, 2 * PAGE, 1, 2 * PAGE));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemset((uint8_t *)device - 1, 1, 0, 1));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemset((uint8_t *)device - PAGE, PAGE, 0, PAGE));
}
END_TEST

/* --- start and end ------------------------------------------------------------------------------------------------- */

START_TEST(a_configuration_that_is_a_pipe)
{
    char path[] = "/tmp/pacl-fifo-XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    const aclError err = aclInit(path);
    unlink(path);
    ck_assert_int_eq(err, 100003);
}
END_TEST

START_TEST(a_refused_finalize_leaves_its_output_alone)
{
    uint64_t references = 77;
    ASSERT_CODE(100037, aclFinalizeReference(&references));
    ck_assert_uint_eq(references, 77);
}
END_TEST

static _Atomic bool stop_registering;

static void *register_for_ever(void *page)
{
    void *view;
    while (!atomic_load(&stop_registering)) {
        if (aclrtHostRegister(page, PAGE, ACL_HOST_REGISTER_MAPPED, &view) == ACL_SUCCESS)
            (void)aclrtHostUnregister(page);
    }
    return NULL;
}

/* The parent may be in the middle of a change to the registered ranges; the child must not wait for its end. */
START_TEST(the_child_of_a_fork_in_the_middle_of_a_registration)
{
    enum { FORKS = 150 };
    uint8_t *const page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, register_for_ever, page), 0);
    for (int i = 0; i < FORKS; i++) {
        int status;
        const pid_t child = fork();
        if (child == 0) {
            alarm(120);
            _exit(aclrtFree(page) != ACL_SUCCESS && aclrtHostUnregister(page) != ACL_SUCCESS ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "fork %d: status 0x%x", i, status);
    }
    atomic_store(&stop_registering, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

/* Runs after the library's own end, as the destructor of a plugin that was loaded late does. */
static void exit_with_work_then_reset(void)
{
    enum { BYTES = 16 << 20, COPIES = 100 };
    void *pinned, *device;
    if (aclrtMallocHost(&pinned, BYTES) != ACL_SUCCESS ||
        aclrtMalloc(&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        _exit(1);
    for (int i = 0; i < COPIES; i++) {
        if (aclrtMemcpyAsync(device, BYTES, pinned, BYTES, H2D, fx.stream) != ACL_SUCCESS)
            _exit(1);
    }
    (void)setenv("PACL_TEST_RESET_LATE", "1", 1);
    exit(0);
}

START_TEST(a_reset_after_the_librarys_end)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        alarm(120);
        fixture_open();
        exit_with_work_then_reset();
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}
END_TEST

/* Destructors run in the reverse order of their priorities' constructors; this one may run before or after the library's:
 * in neither case may it hang. */
__attribute__((destructor(101))) static void reset_late(void)
{
    if (getenv("PACL_TEST_RESET_LATE") != NULL)
        (void)aclrtResetDevice(0);
}

static void small_device(void)
{
    setenv("PACL_DEVICE_MEMORY", "64M", 1);
    ASSERT_OK(aclrtSetDevice(0));
}

int main(void)
{
    TCase *const tc = new_case("broken", fixture_open, NULL);
    tcase_add_test(tc, memory_that_no_queued_work_names_is_given_back_at_once);
    tcase_add_test(tc, a_forced_reset_ends_another_threads_destroy);
    tcase_add_test(tc, a_pageable_range_never_reaches_an_arena);
    tcase_add_test(tc, a_configuration_that_is_a_pipe);
    tcase_add_test(tc, the_child_of_a_fork_in_the_middle_of_a_registration);
    TCase *const small = new_case("small device", small_device, NULL);
    tcase_add_test(small, a_device_that_is_empty_again_can_be_allocated_whole);
    tcase_add_test(small, a_device_full_of_the_smallest_blocks);
    TCase *const bare = new_case("bare", NULL, NULL);
    tcase_add_test(bare, a_refused_finalize_leaves_its_output_alone);
    tcase_add_test(bare, a_reset_after_the_librarys_end);
    return run_cases("stress_broken", tc, small, bare, (TCase *)NULL);
}
