/* SPDX-License-Identifier: Apache-2.0 */
/* Captures, executions, aborts and waits for values in several threads at once. */
#include <stdio.h>

#include "crew.h"

enum { THREADS = 4, TASKS = 12, CELL = 64 };

static uint8_t *device; /* a page for each thread */
static uint8_t *pinned; /* the same */
static aclmdlRI shared; /* a graph that all threads execute */
static int entered;     /* not atomic: executions do not overlap */

static void open_memory(void)
{
    open_with(NULL, NULL);
    ASSERT_OK(aclrtMalloc((void **)&device, 4096 * (THREADS + 1), ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&pinned, 4096 * (THREADS + 1)));
    ASSERT_OK(aclrtMemset(device, 4096 * (THREADS + 1), 0, 4096 * (THREADS + 1)));
    memset(pinned, 0, 4096 * (THREADS + 1));
}

static void close_memory(void)
{
    ASSERT_OK(aclrtFree(device));
    ASSERT_OK(aclrtFreeHost(pinned));
}

/* --- each thread its own graphs ---------------------------------------------------------------------------------- */

struct kit {
    aclrtStream stream, side;
    aclrtEvent fork, join;
};

static bool kit_open(struct member *m, struct kit *kit)
{
    return WANT(m, aclrtSetDevice(0)) && WANT(m, aclrtCreateStream(&kit->stream)) &&
           WANT(m, aclrtCreateStream(&kit->side)) && WANT(m, aclrtCreateEventExWithFlag(&kit->fork, ACL_EVENT_SYNC)) &&
           WANT(m, aclrtCreateEventExWithFlag(&kit->join, ACL_EVENT_SYNC));
}

static void kit_close(struct member *m, const struct kit *kit)
{
    WANT(m, aclrtDestroyStream(kit->stream));
    WANT(m, aclrtDestroyStream(kit->side));
    WANT(m, aclrtDestroyEvent(kit->fork));
    WANT(m, aclrtDestroyEvent(kit->join));
}

/* One half goes by each stream; the result is read back on the first. */
static bool capture(struct member *m, const struct kit *kit, aclmdlRI *graph)
{
    uint8_t *const at = device + 4096 * m->index, *const host = pinned + 4096 * m->index;
    return WANT(m, aclmdlRICaptureBegin(kit->stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL)) &&
           WANT(m, aclrtRecordEvent(kit->fork, kit->stream)) && WANT(m, aclrtStreamWaitEvent(kit->side, kit->fork)) &&
           WANT(m, aclrtMemcpy2dAsync(at, 128, host, CELL, CELL, 4, H2D, kit->stream)) &&
           WANT(m, aclrtMemcpy2dAsync(at + 64, 128, host + 4 * CELL, CELL, CELL, 4, H2D, kit->side)) &&
           WANT(m, aclrtRecordEvent(kit->join, kit->side)) && WANT(m, aclrtStreamWaitEvent(kit->stream, kit->join)) &&
           WANT(m, aclrtMemcpy2dAsync(host + 1024, 128, at, 128, 128, 4, D2H, kit->stream)) &&
           WANT(m, aclmdlRICaptureEnd(kit->stream, graph));
}

static bool is_replayed(const uint8_t *host)
{
    for (unsigned row = 0; row < 4; row++) {
        if (memcmp(host + 1024 + row * 128, host + row * CELL, CELL) != 0 ||
            memcmp(host + 1024 + row * 128 + 64, host + (4 + row) * CELL, CELL) != 0)
            return false;
    }
    return true;
}

static void capture_and_replay(struct member *m)
{
    struct kit kit = { 0 };
    uint8_t *const host = pinned + 4096 * m->index;
    bool going = kit_open(m, &kit);
    for (size_t round = 0; going && round < stress_rounds(40); round++) {
        aclmdlRI graph = NULL;
        going = capture(m, &kit, &graph);
        for (unsigned i = 0; going && i < 20; i++) {
            random_fill(&m->seed, host, 512);
            going = WANT(m, aclmdlRIExecuteAsync(graph, i % 2 == 0 ? kit.stream : kit.side)) &&
                    WANT(m, aclrtSynchronizeStream(i % 2 == 0 ? kit.stream : kit.side));
            if (going && !is_replayed(host)) {
                give_up(m, "round %zu, execution %u: wrong bytes", round, i);
                going = false;
            }
        }
        going = going && WANT(m, aclmdlRIDestroy(graph));
    }
    kit_close(m, &kit);
}

START_TEST(threads_capture_and_replay_at_once)
{
    open_memory();
    crew_run(THREADS, capture_and_replay, NULL);
    close_memory();
}
END_TEST

/* --- one graph for all --------------------------------------------------------------------------------------------- */

static void enter(void *unused)
{
    (void)unused;
    entered++;
}

/* Adds one to a number in device memory, twice, on two streams one after the other. */
static aclmdlRI counting_graph(void)
{
    const int32_t numbers[2] = { 0, 1 };
    aclrtStream stream, side;
    aclrtEvent fork, join;
    aclmdlRI graph = NULL;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateStream(&side));
    ASSERT_OK(aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateEventExWithFlag(&join, ACL_EVENT_SYNC));
    upload(device, numbers, sizeof numbers);
    ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_OK(aclrtLaunchHostFunc(stream, enter, NULL));
    ASSERT_OK(aclrtReduceAsync(device, device + 4, 4, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32, stream, NULL));
    ASSERT_OK(aclrtRecordEvent(fork, stream));
    ASSERT_OK(aclrtStreamWaitEvent(side, fork));
    ASSERT_OK(aclrtReduceAsync(device, device + 4, 4, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32, side, NULL));
    ASSERT_OK(aclrtRecordEvent(join, side));
    ASSERT_OK(aclrtStreamWaitEvent(stream, join));
    ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
    ASSERT_OK(aclrtDestroyEvent(fork));
    ASSERT_OK(aclrtDestroyEvent(join));
    ASSERT_OK(aclrtDestroyStream(stream));
    ASSERT_OK(aclrtDestroyStream(side));
    return graph;
}

static int32_t counted(void)
{
    int32_t number = -1;
    download(&number, device, sizeof number);
    return number;
}

static void execute_shared(struct member *m)
{
    aclrtStream stream = NULL;
    bool going = WANT(m, aclrtSetDevice(0)) && WANT(m, aclrtCreateStream(&stream));
    for (size_t i = 0; going && i < stress_rounds(800); i++) {
        going = WANT(m, aclmdlRIExecuteAsync(shared, stream));
        if (going && random_in(&m->seed, 0, 9) == 0)
            going = WANT(m, aclrtSynchronizeStream(stream));
    }
    WANT(m, aclrtSynchronizeStream(stream));
    WANT(m, aclrtDestroyStream(stream));
}

START_TEST(executions_of_one_graph_by_many_threads_do_not_overlap)
{
    open_memory();
    shared = counting_graph();
    crew_run(THREADS, execute_shared, NULL);
    const int runs = (int)(THREADS * stress_rounds(800));
    ck_assert_int_eq(entered, runs);
    ck_assert_int_eq(counted(), 2 * runs);
    ASSERT_OK(aclmdlRIDestroy(shared));
    close_memory();
}
END_TEST

/* Streams are destroyed by force and executions aborted in the middle: nothing hangs, and the graph is whole after. */
static void execute_and_drop(struct member *m)
{
    bool going = WANT(m, aclrtSetDevice(0));
    for (size_t i = 0; going && i < stress_rounds(200); i++) {
        aclrtStream stream = NULL;
        going = WANT(m, aclrtCreateStream(&stream));
        for (size_t k = random_in(&m->seed, 1, 6); going && k > 0; k--)
            going = WANT(m, aclmdlRIExecuteAsync(shared, stream));
        if (random_in(&m->seed, 0, 3) == 0)
            WANT(m, aclmdlRIAbort(shared));
        if (random_in(&m->seed, 0, 3) == 0)
            WANT(m, aclrtSynchronizeStream(stream));
        WANT(m, random_in(&m->seed, 0, 1) == 0 ? aclrtDestroyStreamForce(stream) : aclrtDestroyStream(stream));
    }
}

START_TEST(executions_that_are_aborted_and_dropped)
{
    aclrtStream stream = NULL;
    open_memory();
    shared = counting_graph();
    crew_run(THREADS, execute_and_drop, NULL);
    ASSERT_OK(aclrtCreateStream(&stream));
    const int32_t before = counted();
    ASSERT_OK(aclmdlRIExecuteAsync(shared, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ck_assert_int_eq(counted(), before + 2);
    ASSERT_OK(aclmdlRIDestroy(shared));
    ASSERT_OK(aclrtDestroyStream(stream));
    close_memory();
}
END_TEST

/* --- changes ------------------------------------------------------------------------------------------------------- */

static _Atomic(aclrtTaskGrp) group;
static _Atomic(aclmdlRITask) task;
static int mixed; /* not atomic: executions do not overlap */

static void compare(void *unused)
{
    (void)unused;
    if (pinned[0] != pinned[CELL] || pinned[0] != pinned[2 * CELL - 1])
        mixed++;
}

/* Two sets in a group, whose bytes are read back and compared. */
static aclmdlRI changing_graph(void)
{
    aclrtStream stream, inner;
    uint32_t streams = 1, tasks = 8;
    aclmdlRITask all[8];
    aclmdlRI graph = NULL;
    aclrtTaskGrp made = NULL;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_OK(aclrtValueWrite(device + 1024, 1, 0, stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(stream));
    ASSERT_OK(aclrtMemsetAsync(device, CELL, 1, CELL, stream));
    ASSERT_OK(aclrtMemsetAsync(device + CELL, CELL, 1, CELL, stream));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(stream, &made));
    ASSERT_OK(aclrtMemcpyAsync(pinned, 2 * CELL, device, 2 * CELL, D2H, stream));
    ASSERT_OK(aclrtLaunchHostFunc(stream, compare, NULL));
    ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
    ASSERT_OK(aclmdlRIGetStreams(graph, &inner, &streams));
    ASSERT_OK(aclmdlRIGetTasksByStream(inner, all, &tasks));
    task = all[0];
    group = made;
    ASSERT_OK(aclrtDestroyStream(stream));
    return graph;
}

static bool give_anew(struct member *m, aclrtStream stream)
{
    const int value = (int)random_in(&m->seed, 0, 255);
    return WANT(m, aclmdlRICaptureTaskUpdateBegin(stream, group)) &&
           WANT(m, aclrtMemsetAsync(device, CELL, value, CELL, stream)) &&
           WANT(m, aclrtMemsetAsync(device + CELL, CELL, value, CELL, stream)) &&
           WANT(m, aclmdlRICaptureTaskUpdateEnd(stream));
}

static bool give_too_little(struct member *m, aclrtStream stream)
{
    enum { UPDATE_FAILED = 107040 };
    return WANT(m, aclmdlRICaptureTaskUpdateBegin(stream, group)) &&
           WANT(m, aclrtMemsetAsync(device, CELL, 1, CELL, stream)) &&
           WANT_OR(m, UPDATE_FAILED, aclmdlRICaptureTaskUpdateEnd(stream));
}

static bool set_value(struct member *m)
{
    enum { MODEL_RUNNING = 107037 };
    aclmdlRITaskParams params;
    bool going = WANT(m, aclmdlRITaskGetParams(task, &params));
    params.valueWriteTaskParams.value++;
    going = going &&
            WANT(m, random_in(&m->seed, 0, 3) == 0 ? aclmdlRITaskDisable(task) : aclmdlRITaskSetParams(task, &params));
    return going && WANT_OR(m, MODEL_RUNNING, aclmdlRIUpdate(shared));
}

static void execute_and_change(struct member *m)
{
    aclrtStream stream = NULL;
    bool going = WANT(m, aclrtSetDevice(0)) && WANT(m, aclrtCreateStream(&stream));
    for (size_t i = 0; going && i < stress_rounds(400); i++) {
        switch (random_in(&m->seed, 0, 6)) {
        case 0:
            going = give_anew(m, stream);
            break;
        case 3:
            going = give_too_little(m, stream);
            break;
        case 4:
            going = WANT(m, aclmdlRIAbort(shared));
            break;
        case 5:
            going = WANT(m, aclrtDestroyStreamForce(stream)) && WANT(m, aclrtCreateStream(&stream));
            break;
        case 1:
            going = set_value(m);
            break;
        case 2:
            going = WANT(m, aclmdlRIExecuteAsync(shared, stream)) && WANT(m, aclrtSynchronizeStream(stream));
            break;
        default:
            going = WANT(m, aclmdlRIExecuteAsync(shared, stream));
            break;
        }
    }
    WANT(m, aclrtSynchronizeStream(stream));
    WANT(m, aclrtDestroyStream(stream));
}

/* Each execution runs the two sets of one change, whoever changes them meanwhile. */
START_TEST(executions_of_a_graph_that_changes)
{
    open_memory();
    shared = changing_graph();
    crew_run(THREADS, execute_and_change, NULL);
    ck_assert_int_eq(mixed, 0);
    ASSERT_OK(aclmdlRIDestroy(shared));
    close_memory();
}
END_TEST

/* The handles that others use go at any time. */
static void use_passing_tasks(struct member *m)
{
    _Atomic bool *const over = m->shared;
    bool going = WANT(m, aclrtSetDevice(0));
    aclrtStream stream = NULL;
    going = going && WANT(m, aclrtCreateStream(&stream));
    while (going && !*over) {
        aclmdlRITaskParams params;
        const aclmdlRITask one = task;
        const aclrtTaskGrp some = group;
        if (aclmdlRICaptureTaskUpdateBegin(stream, some) == ACL_SUCCESS) {
            (void)aclrtMemsetAsync(device, CELL, 1, CELL, stream);
            (void)aclrtMemsetAsync(device + CELL, CELL, 1, CELL, stream);
            going = WANT_OR(m, E_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateEnd(stream));
        }
        going = going && WANT_OR(m, E_RT_INVALID_HANDLE, aclmdlRITaskGetParams(one, &params)) &&
                WANT_OR(m, E_RT_INVALID_HANDLE, aclmdlRITaskDisable(one));
    }
    WANT(m, aclrtDestroyStream(stream));
}

START_TEST(tasks_of_graphs_that_go)
{
    static struct crew crew;
    _Atomic bool over = false;
    open_memory();
    aclmdlRI graph = changing_graph();
    crew_start(&crew, THREADS - 1, use_passing_tasks, (void *)&over);
    for (size_t i = 0; i < stress_rounds(300); i++) {
        ASSERT_OK(aclmdlRIDestroy(graph));
        graph = changing_graph();
    }
    over = true;
    crew_join(&crew);
    ASSERT_OK(aclmdlRIDestroy(graph));
    close_memory();
}
END_TEST

/* --- values -------------------------------------------------------------------------------------------------------- */

/* Two streams of each thread hand a token to and fro through two cells; what one wrote before, the other reads. */
static void hand_to_and_fro(struct member *m)
{
    uint8_t *const cell = device + 4096 * m->index, *const data = cell + 1024;
    uint8_t *const host = pinned + 4096 * m->index;
    aclrtStream there = NULL, back = NULL;
    bool going = WANT(m, aclrtSetDevice(0)) && WANT(m, aclrtCreateStream(&there)) && WANT(m, aclrtCreateStream(&back));
    const size_t rounds = stress_rounds(400);
    for (size_t i = 1; going && i <= rounds; i++)
        going = WANT(m, aclrtMemsetAsync(data, CELL, (int32_t)(i & 0xFF), CELL, there)) &&
                WANT(m, aclrtValueWrite(cell, i, 0, there)) &&
                WANT(m, aclrtValueWait(cell + 8, i, ACL_STREAM_WAIT_VALUE_GEQ, there)) &&
                WANT(m, aclrtValueWait(cell, i, ACL_STREAM_WAIT_VALUE_GEQ, back)) &&
                WANT(m, aclrtMemcpyAsync(host + i % 32 * CELL, CELL, data, CELL, D2H, back)) &&
                WANT(m, aclrtValueWrite(cell + 8, i, 0, back));
    WANT(m, aclrtSynchronizeStream(there));
    WANT(m, aclrtSynchronizeStream(back));
    for (size_t i = rounds; going && i > 0 && i > rounds - 32; i--) {
        if (host[i % 32 * CELL] != (i & 0xFF) || host[i % 32 * CELL + CELL - 1] != (i & 0xFF))
            give_up(m, "round %zu: %u", i, host[i % 32 * CELL]);
    }
    WANT(m, aclrtDestroyStream(there));
    WANT(m, aclrtDestroyStream(back));
}

START_TEST(streams_hand_values_to_and_fro)
{
    open_memory();
    crew_run(THREADS, hand_to_and_fro, NULL);
    close_memory();
}
END_TEST

/* Threads that make calls which a capture forbids, or not, while another captures: each gets one of two answers. */
static void copy_meanwhile(struct member *m)
{
    uint8_t *const at = device + 4096 * m->index;
    uint8_t bytes[CELL] = { 0 };
    bool going = WANT(m, aclrtSetDevice(0));
    for (size_t i = 0; going && i < stress_rounds(2000); i++)
        going = WANT_OR(m, 107030, aclrtMemcpy(at, CELL, bytes, CELL, H2D));
}

START_TEST(captures_and_forbidden_calls)
{
    static struct crew crew; /* too big for a stack that a sanitizer pads */
    aclrtStream stream = NULL;
    open_memory();
    ASSERT_OK(aclrtCreateStream(&stream));
    crew_start(&crew, THREADS - 1, copy_meanwhile, NULL);
    for (size_t i = 0; i < stress_rounds(300); i++) {
        aclmdlRI graph = NULL;
        ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
        (void)aclrtMemsetAsync(device + 4096 * THREADS, CELL, 1, CELL, stream); /* 507903 if it is invalid by now */
        if (aclmdlRICaptureEnd(stream, &graph) == ACL_SUCCESS)
            ASSERT_OK(aclmdlRIDestroy(graph));
    }
    crew_join(&crew);
    ASSERT_OK(aclrtMemsetAsync(device, CELL, 9, CELL, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(device, CELL, 9));
    ASSERT_OK(aclrtDestroyStream(stream));
    close_memory();
}
END_TEST

/* --- streams that end and become a graph's ------------------------------------------------------------------------- */

struct passing {
    _Atomic(aclrtStream) stream; /* lives, or was destroyed a moment ago */
    aclrtEvent event;
    _Atomic bool over;
};

static void nothing(void *unused)
{
    (void)unused;
}

static void use_passing_streams(struct member *m)
{
    struct passing *const p = m->shared;
    bool going = WANT(m, aclrtSetDevice(0));
    while (going && !p->over) {
        const aclrtStream stream = p->stream;
        going = WANT_OR(m, E_RT_INVALID_HANDLE, aclrtStreamWaitEvent(stream, p->event)) &&
                WANT_OR(m, E_RT_INVALID_HANDLE, aclrtLaunchHostFunc(stream, nothing, NULL));
    }
}

/* A stream of a graph takes the place of one that was destroyed; threads may still look at that one. */
START_TEST(streams_that_are_destroyed_while_graphs_are_made)
{
    struct crew crew;
    struct passing passing = { 0 };
    aclrtStream stream, first;
    aclmdlRI graph = NULL;
    open_memory();
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateEventExWithFlag(&passing.event, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtCreateStream(&first));
    passing.stream = first;
    crew_start(&crew, THREADS - 1, use_passing_streams, &passing);
    for (size_t i = 0; i < stress_rounds(600); i++) {
        aclrtStream next;
        ASSERT_OK(aclrtCreateStream(&next));
        passing.stream = next;
        ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
        ASSERT_OK(aclrtMemsetAsync(device, CELL, (int)(i & 0x7F), CELL, stream));
        ASSERT_OK(aclrtDestroyStream(next));
        ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
        ASSERT_OK(aclmdlRIExecuteAsync(graph, stream));
        ASSERT_OK(aclrtSynchronizeStream(stream));
        ASSERT_NO_DIFFERENCE(device_fill_difference(device, CELL, (uint8_t)(i & 0x7F)));
        ASSERT_OK(aclmdlRIDestroy(graph));
    }
    passing.over = true;
    crew_join(&crew);
    ASSERT_OK(aclrtDestroyEvent(passing.event));
    ASSERT_OK(aclrtDestroyStream(first));
    ASSERT_OK(aclrtDestroyStream(stream));
    close_memory();
}
END_TEST

int main(void)
{
    TCase *graphs = new_case("graphs", NULL, NULL);
    tcase_add_test(graphs, threads_capture_and_replay_at_once);
    tcase_add_test(graphs, executions_of_one_graph_by_many_threads_do_not_overlap);
    tcase_add_test(graphs, executions_that_are_aborted_and_dropped);
    tcase_add_test(graphs, executions_of_a_graph_that_changes);
    tcase_add_test(graphs, tasks_of_graphs_that_go);
    tcase_add_test(graphs, streams_hand_values_to_and_fro);
    tcase_add_test(graphs, captures_and_forbidden_calls);
    tcase_add_test(graphs, streams_that_are_destroyed_while_graphs_are_made);
    return run_cases("stress_graphs", graphs, NULL);
}
