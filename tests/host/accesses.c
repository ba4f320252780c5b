/* SPDX-License-Identifier: Apache-2.0 */
/* usage: accesses CASE. One case of accesses.h in this process; 2: no such case, 3: the case went wrong. */
#include "accesses.h"

#include <semaphore.h>

unsigned char *device, *host, *other_host;
aclrtStream stream, other_stream;
aclrtEvent event;
volatile unsigned sink;

static sem_t gate;
static bool is_closed;

static void wait_for_gate(void *unused)
{
    (void)unused;
    while (sem_wait(&gate) != 0)
        continue;
}

void close_gate(aclrtStream on)
{
    OK(aclrtLaunchHostFunc(on, wait_for_gate, NULL));
    is_closed = true;
}

void open_gate(void)
{
    if (is_closed)
        sem_post(&gate);
    is_closed = false;
}

void download_rows(void)
{
    close_gate(stream);
    OK(aclrtMemcpy2dAsync(host + AT, PITCH, device, WIDTH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

void upload_rows(void)
{
    close_gate(stream);
    OK(aclrtMemcpy2dAsync(device, WIDTH, host + AT, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

void finish(void)
{
    open_gate();
    OK(aclrtSynchronizeDevice());
}

bool rows_are(int value, int others)
{
    for (int i = 0; i < BYTES; i++) {
        const bool inside = i >= AT && i < END && (i - AT) % PITCH < WIDTH;
        if (host[i] != (inside ? value : others)) {
            fprintf(stderr, "byte %d is %d\n", i, host[i]);
            return false;
        }
    }
    return true;
}

static void open_all(void)
{
    OK(aclInit(NULL));
    OK(aclrtSetDevice(0));
    OK(aclrtCreateStream(&stream));
    OK(aclrtCreateStream(&other_stream));
    OK(aclrtCreateEvent(&event));
    OK(aclrtMalloc((void **)&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtMallocHost((void **)&host, BYTES));
    OK(aclrtMallocHost((void **)&other_host, BYTES));
    memset(host, OLD, BYTES);
    memset(other_host, OLD, BYTES);
    OK(aclrtMemset(device, BYTES, NEW, BYTES));
    MUST(sem_init(&gate, 0, 0) == 0);
}

static void close_all(void)
{
    finish();
    if (host != NULL)
        OK(aclrtFreeHost(host));
    OK(aclrtFreeHost(other_host));
    OK(aclrtFree(device));
    OK(aclrtDestroyEvent(event));
    OK(aclrtDestroyStream(stream));
    OK(aclrtDestroyStream(other_stream));
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
}

static bool run_in(const struct access_case *cases, const char *name)
{
    while (cases->name != NULL && strcmp(cases->name, name) != 0)
        cases++;
    if (cases->name == NULL)
        return false;
    open_all();
    cases->run();
    close_all();
    return true;
}

int main(int argc, char **argv)
{
    const char *const name = argc == 2 ? argv[1] : "";
    if (run_in(memory_cases, name) || run_in(kernel_cases, name) || run_in(device_cases, name))
        return 0;
    fprintf(stderr, "usage: accesses CASE\n");
    return 2;
}
