/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that synchronize as they must, with one thread and with several, give the right bytes under every schedule. */
#include "support.h"

#include <stdio.h>

static const char *const schedules[] = { "eager", "lazy", "random:1", "random:2", "random:3", "random:4" };

enum { CELLS = 8, CELL = 4096, STREAMS = 4 };

/* Cells in device memory, each copied to others on random streams; an event per cell orders the accesses. */
struct board {
    uint8_t *device, *host;
    uint8_t model[CELLS];
    aclrtStream streams[STREAMS];
    aclrtEvent touched[CELLS]; /* recorded after the last access to the cell */
};

static void board_open(struct board *b)
{
    ASSERT_OK(aclrtMalloc((void **)&b->device, (size_t)CELLS * CELL, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&b->host, (size_t)CELLS * CELL));
    for (unsigned i = 0; i < STREAMS; i++)
        ASSERT_OK(aclrtCreateStream(&b->streams[i]));
    for (unsigned i = 0; i < CELLS; i++) {
        b->model[i] = (uint8_t)i;
        ASSERT_OK(aclrtMemset(b->device + i * CELL, CELL, (int)i, CELL));
        ASSERT_OK(aclrtCreateEventExWithFlag(&b->touched[i], ACL_EVENT_SYNC));
    }
}

static void enter(struct board *b, size_t cell, aclrtStream stream)
{
    ASSERT_OK(aclrtStreamWaitEvent(stream, b->touched[cell]));
}

static void leave(struct board *b, size_t cell, aclrtStream stream)
{
    ASSERT_OK(aclrtRecordEvent(b->touched[cell], stream));
}

static void set_cell(struct board *b, size_t cell, uint8_t value, aclrtStream stream)
{
    enter(b, cell, stream);
    ASSERT_OK(aclrtMemsetAsync(b->device + cell * CELL, CELL, value, CELL, stream));
    leave(b, cell, stream);
    b->model[cell] = value;
}

static void copy_cell(struct board *b, size_t to, size_t from, aclrtStream stream)
{
    enter(b, to, stream);
    enter(b, from, stream);
    ASSERT_OK(aclrtMemcpyAsync(b->device + to * CELL, CELL, b->device + from * CELL, CELL, D2D, stream));
    leave(b, to, stream);
    leave(b, from, stream);
    b->model[to] = b->model[from];
}

static void assert_board(struct board *b)
{
    for (unsigned i = 0; i < CELLS; i++) {
        enter(b, i, b->streams[0]);
        ASSERT_OK(aclrtMemcpyAsync(b->host + i * CELL, CELL, b->device + i * CELL, CELL, D2H, b->streams[0]));
        leave(b, i, b->streams[0]);
    }
    ASSERT_OK(aclrtSynchronizeStream(b->streams[0]));
    for (unsigned i = 0; i < CELLS; i++)
        ASSERT_ALL_BYTES(b->host + i * CELL, CELL, b->model[i]);
}

START_TEST(events_order_accesses)
{
    struct board board;
    uint64_t random = test_seed();
    setenv("PACL_SCHEDULE", schedules[_i], 1);
    ASSERT_OK(aclInit(NULL));
    ASSERT_OK(aclrtSetDevice(0));
    board_open(&board);
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 30; i++) {
            aclrtStream stream = board.streams[random_in(&random, 0, STREAMS - 1)];
            const size_t to = random_in(&random, 0, CELLS - 1), from = random_in(&random, 0, CELLS - 1);
            if (to == from)
                set_cell(&board, to, (uint8_t)random_next(&random), stream);
            else
                copy_cell(&board, to, from, stream);
        }
        assert_board(&board);
    }
}
END_TEST

/* --- several threads -------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 40 };

struct player {
    uint8_t *device, *host;
    aclrtEvent mine, *before; /* recorded by this thread's stream; by the thread before it */
    unsigned number;
    atomic_int function_runs;
    const char *wrong;
};

static void count_run(void *runs)
{
    atomic_fetch_add((atomic_int *)runs, 1);
}

/* Each round: bytes to the device, a host function, bytes back into another place, wait in one of the ways. */
static const char *play_round(struct player *p, aclrtStream stream, unsigned round)
{
    const uint8_t value = (uint8_t)(p->number * ROUNDS + round);
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    memset(p->host, value, CELL);
    bool ok = aclrtMemcpyAsync(p->device, CELL, p->host, CELL, H2D, stream) == ACL_SUCCESS &&
              aclrtLaunchHostFunc(stream, count_run, &p->function_runs) == ACL_SUCCESS &&
              aclrtStreamWaitEvent(stream, *p->before) == ACL_SUCCESS &&
              aclrtMemcpyAsync(p->host + CELL, CELL, p->device, CELL, D2H, stream) == ACL_SUCCESS &&
              aclrtRecordEvent(p->mine, stream) == ACL_SUCCESS;
    if (round % 3 == 0)
        ok = ok && aclrtSynchronizeStream(stream) == ACL_SUCCESS;
    else if (round % 3 == 1)
        ok = ok && aclrtSynchronizeEvent(p->mine) == ACL_SUCCESS;
    while (round % 3 == 2 && ok && status != ACL_STREAM_STATUS_COMPLETE)
        ok = aclrtStreamQuery(stream, &status) == ACL_SUCCESS;
    if (!ok)
        return "a call failed";
    return memcmp(p->host, p->host + CELL, CELL) == 0 ? NULL : "wrong bytes";
}

static void *play(void *player)
{
    struct player *p = player;
    aclrtStream stream;
    if (aclrtSetDevice(0) != ACL_SUCCESS || aclrtCreateStream(&stream) != ACL_SUCCESS) {
        p->wrong = "no stream";
        return NULL;
    }
    for (unsigned round = 0; round < ROUNDS && p->wrong == NULL; round++)
        p->wrong = play_round(p, stream, round);
    if (aclrtDestroyStream(stream) != ACL_SUCCESS)
        p->wrong = "the stream could not be destroyed";
    return NULL;
}

START_TEST(several_threads)
{
    static struct player players[THREADS];
    pthread_t threads[THREADS];
    setenv("PACL_SCHEDULE", schedules[_i], 1);
    ASSERT_OK(aclInit(NULL));
    ASSERT_OK(aclrtSetDevice(0));
    for (unsigned i = 0; i < THREADS; i++) {
        struct player *p = &players[i];
        p->number = i;
        p->before = &players[(i + THREADS - 1) % THREADS].mine;
        ASSERT_OK(aclrtCreateEventExWithFlag(&p->mine, ACL_EVENT_SYNC));
        ASSERT_OK(aclrtMalloc((void **)&p->device, CELL, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_OK(aclrtMallocHost((void **)&p->host, 2 * CELL));
    }
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &players[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_msg(players[i].wrong == NULL, "thread %u: %s", i, players[i].wrong);
        ck_assert_int_eq(atomic_load(&players[i].function_runs), ROUNDS);
    }
}
END_TEST

int main(void)
{
    TCase *all = new_case("all", use_default_product, NULL);
    tcase_add_loop_test(all, events_order_accesses, 0, COUNT_OF(schedules));
    tcase_add_loop_test(all, several_threads, 0, COUNT_OF(schedules));
    return run_cases("schedule_correct", all, NULL);
}
