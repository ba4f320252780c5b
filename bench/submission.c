/* SPDX-License-Identifier: Apache-2.0 */
/*
 * submission: CALLS submissions of a copy of 16 x 16 bytes each way, for a tool that counts instructions inside
 * submit_at_once and submit_queued (bench/report.py runs it under callgrind). It measures nothing itself; the bytes are
 * verified.
 */
#include <semaphore.h>
#include <string.h>

#include "common/bench.h"

enum { CALLS = 1000, WARM = 100, BYTES = 4096 };

static const struct bench_rect tiny = { .dpitch = 64, .spitch = 64, .width = 16, .height = 16 };
static uint8_t *source, *host, *device;
static aclrtStream stream;
static sem_t gate;

static void submit(int calls)
{
    for (int i = 0; i < calls; i++)
        BENCH_CHECK(aclrtMemcpy2dAsync(device, tiny.dpitch, source, tiny.spitch, tiny.width, tiny.height,
                                       ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

/* The tool finds the two by their names: not in line, not merged. */
__attribute__((noinline)) static void submit_at_once(void)
{
    submit(CALLS);
    __asm__ volatile("");
}

__attribute__((noinline)) static void submit_queued(void)
{
    __asm__ volatile("");
    submit(CALLS);
}

static void wait_at_gate(void *unused)
{
    (void)unused;
    while (sem_wait(&gate) != 0) {
    }
}

static void poison(void)
{
    BENCH_CHECK(aclrtMemset(device, BYTES, BENCH_POISON, BYTES));
}

static void verify(const char *who)
{
    BENCH_CHECK(aclrtSynchronizeStream(stream));
    BENCH_CHECK(aclrtMemcpy(host, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    if (!bench_verify(who, host, source, &tiny))
        exit(1);
}

/* The stream is idle: the caller copies. */
static void run_at_once(void)
{
    poison();
    submit(WARM);
    submit_at_once();
    verify("at once");
}

/* A host function that does not return yet keeps the stream busy: all copies are queued. */
static void run_queued(void)
{
    poison();
    BENCH_CHECK(aclrtLaunchHostFunc(stream, wait_at_gate, NULL));
    submit(WARM);
    submit_queued();
    sem_post(&gate);
    verify("queued");
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_parse(argc, argv, 1);
    sem_init(&gate, 0, 0);
    BENCH_CHECK(aclInit(NULL));
    BENCH_CHECK(aclrtSetDevice(0));
    BENCH_CHECK(aclrtCreateStream(&stream));
    BENCH_CHECK(aclrtMalloc((void **)&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    BENCH_CHECK(aclrtMallocHost((void **)&source, BYTES));
    BENCH_CHECK(aclrtMallocHost((void **)&host, BYTES));
    bench_pattern(source, BYTES);
    run_at_once();
    run_queued();
    char calls[BENCH_CELL];
    snprintf(calls, sizeof calls, "%d", CALLS);
    bench_title(&options, "submission", "submissions of each kind");
    bench_row(&options, 2, (const char *[]){ "calls", calls });
    BENCH_CHECK(aclrtFreeHost(host));
    BENCH_CHECK(aclrtFreeHost(source));
    BENCH_CHECK(aclrtFree(device));
    BENCH_CHECK(aclrtDestroyStream(stream));
    BENCH_CHECK(aclrtResetDevice(0));
    sem_destroy(&gate);
    return 0;
}
