/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: heavy_graph [EXECUTIONS]      under PACL_CHECK=1; 60 by default
 *
 * A correct program whose graph gives checking much to do: 10,000 tasks on eight streams, events between neighbours, a
 * record from inside. Three streams execute it without order between them. Prints the memory in use as it goes, and fails if
 * the second half of the run needs much more than the first.
 */
#include "heavy.h"

#include <stdint.h>

enum { LANES = 8, TASKS = 10000, BAND = 64 * 1024, CELL = 64, EXECUTING = 3, MORE_KIB = 48 * 1024 };

static aclrtStream lanes[LANES], executing[EXECUTING], other;
static aclrtEvent fork_event, inside, events[LANES];
static uint8_t *device;

static void make_event(aclrtEvent *event)
{
    NEED(aclrtCreateEventExWithFlag(event, ACL_EVENT_SYNC));
}

static void open_all(void)
{
    NEED(aclInit(NULL));
    NEED(aclrtSetDevice(0));
    NEED(aclrtMalloc((void **)&device, (LANES + 1) * BAND, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtMemset(device, (LANES + 1) * BAND, 0, (LANES + 1) * BAND));
    for (unsigned i = 0; i < LANES; i++) {
        NEED(aclrtCreateStream(&lanes[i]));
        make_event(&events[i]);
    }
    for (unsigned i = 0; i < EXECUTING; i++)
        NEED(aclrtCreateStream(&executing[i]));
    NEED(aclrtCreateStream(&other));
    make_event(&fork_event);
    make_event(&inside);
}

static void close_all(void)
{
    for (unsigned i = 0; i < LANES; i++) {
        NEED(aclrtDestroyStream(lanes[i]));
        NEED(aclrtDestroyEvent(events[i]));
    }
    for (unsigned i = 0; i < EXECUTING; i++)
        NEED(aclrtDestroyStream(executing[i]));
    NEED(aclrtDestroyStream(other));
    NEED(aclrtDestroyEvent(fork_event));
    NEED(aclrtDestroyEvent(inside));
    NEED(aclrtFree(device));
    NEED(aclrtResetDevice(0));
    NEED(aclFinalize());
}

/* Each stream sets cells of its band, in no order; now and then a neighbour reads one. */
static void add_task(unsigned t)
{
    const unsigned i = t % LANES, to = (i + 1) % LANES;
    uint8_t *const cell = device + i * BAND + t * 37 % (BAND / CELL) * CELL;
    NEED(aclrtMemsetAsync(cell, CELL, (int)t & 255, CELL, lanes[i]));
    if (t % 10 != 0)
        return;
    NEED(aclrtRecordEvent(events[i], lanes[i]));
    NEED(aclrtStreamWaitEvent(lanes[to], events[i]));
    NEED(aclrtMemcpyAsync(device + to * BAND, CELL, cell, CELL, ACL_MEMCPY_DEVICE_TO_DEVICE, lanes[to]));
    NEED(aclrtRecordEvent(events[to], lanes[to]));
    NEED(aclrtStreamWaitEvent(lanes[i], events[to]));
}

static aclmdlRI capture(void)
{
    aclmdlRI graph;
    NEED(aclmdlRICaptureBegin(lanes[0], ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    NEED(aclrtRecordEvent(fork_event, lanes[0]));
    for (unsigned i = 1; i < LANES; i++)
        NEED(aclrtStreamWaitEvent(lanes[i], fork_event));
    NEED(aclrtMemsetAsync(device + LANES * BAND, CELL, 1, CELL, lanes[LANES - 1]));
    NEED(aclrtRecordEventWithFlag(inside, lanes[LANES - 1], ACL_EVENT_RECORD_EXTERNAL));
    for (unsigned t = 0; t < TASKS; t++)
        add_task(t);
    for (unsigned i = 1; i < LANES; i++) {
        NEED(aclrtRecordEvent(events[i], lanes[i]));
        NEED(aclrtStreamWaitEvent(lanes[0], events[i]));
    }
    NEED(aclmdlRICaptureEnd(lanes[0], &graph));
    return graph;
}

int main(int argc, char **argv)
{
    const unsigned long executions = argc > 1 ? strtoul(argv[1], NULL, 10) : 60;
    unsigned long half = 0, now = 0;
    open_all();
    const aclmdlRI graph = capture();
    for (unsigned long x = 0; x < executions; x++) {
        NEED(aclmdlRIExecuteAsync(graph, executing[x % EXECUTING]));
        NEED(aclrtStreamWaitEventWithFlag(other, inside, 0, ACL_EVENT_WAIT_EXTERNAL));
        now = resident_kib();
        if (x == executions / 2)
            half = now;
        if (x % 10 == 9)
            printf("%lu executions of %d tasks: %lu KiB\n", x + 1, TASKS, now);
    }
    NEED(aclrtSynchronizeDevice());
    NEED(aclmdlRIDestroy(graph));
    close_all();
    if (now > half + MORE_KIB) {
        printf("the second half took %lu KiB more\n", now - half);
        return 1;
    }
    return 0;
}
