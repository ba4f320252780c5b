/* SPDX-License-Identifier: Apache-2.0 */
/* usage: check_cases             lists the cases: class, "wrong" or "correct", name
 *        check_cases NAME        runs one */
#include "cases.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

aclrtStream s, t;
aclrtEvent e;
uint8_t *dev, *pin;

static struct check_case *cases;
static sem_t gate;
static unsigned closed;

void add_case(struct check_case *one)
{
    one->next = cases;
    cases = one;
}

void need_code(int code, int got, const char *call)
{
    if (got == code)
        return;
    printf("%s returned %d, not %d: %s\n", call, got, code, aclGetRecentErrMsg());
    fflush(stdout);
    _exit(1);
}

/* --- gates ------------------------------------------------------------------------------------------------------- */

static void wait_for_gate(void *unused)
{
    (void)unused;
    while (sem_wait(&gate) != 0)
        continue;
}

void close_gate(aclrtStream stream)
{
    closed++;
    NEED(aclrtLaunchHostFunc(stream, wait_for_gate, NULL));
}

void open_gate(void)
{
    for (; closed > 0; closed--)
        sem_post(&gate);
}

/* The state of a thread as the system gives it: S while it sleeps. */
static char state_of(long thread)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", thread);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL)
            line[0] = '\0';
        fclose(file);
    }
    const char *end = strrchr(line, ')');
    return (char)(end != NULL && end[1] == ' ' ? end[2] : '?');
}

static _Atomic bool watching;

static void *open_later(void *thread)
{
    watching = true;
    while (state_of((long)(intptr_t)thread) != 'S')
        usleep(100);
    sem_post(&gate);
    return NULL;
}

void open_gate_when_asleep(void)
{
    pthread_t helper;
    closed = 0;
    if (pthread_create(&helper, NULL, open_later, (void *)(intptr_t)syscall(SYS_gettid)) != 0)
        abort();
    pthread_detach(helper);
    while (!watching)
        continue; /* awake, so that the helper does not take this wait for the call's */
}

/* --- a case ------------------------------------------------------------------------------------------------------ */

__attribute__((noinline)) static void set_up(void)
{
    sem_init(&gate, 0, 0);
    NEED(aclInit(NULL));
    NEED(aclrtSetDevice(0));
    NEED(aclrtCreateStream(&s));
    NEED(aclrtCreateStream(&t));
    NEED(aclrtCreateEvent(&e));
    NEED(aclrtMalloc((void **)&dev, BLOCK, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtMallocHost((void **)&pin, BLOCK));
    NEED(aclrtMemset(dev, BLOCK, 1, BLOCK));
    memset(pin, 2, BLOCK);
}

/* A case may have left an error on a stream. */
static void take_down(void)
{
    volatile int code;
    open_gate();
    code = aclrtSynchronizeStream(s);
    code = aclrtSynchronizeStream(t);
    (void)code;
    NEED(aclrtFree(dev));
    NEED(aclrtFreeHost(pin));
    NEED(aclrtDestroyEvent(e));
    NEED(aclrtDestroyStream(t));
    NEED(aclrtDestroyStream(s));
    NEED(aclrtResetDevice(0));
    NEED(aclFinalize());
}

int main(int argc, char **argv)
{
    for (const struct check_case *one = cases; one != NULL; one = one->next) {
        if (argc < 2) {
            printf("%s %s %s\n", one->kind, one->wrong ? "wrong" : "correct", one->name);
        } else if (strcmp(one->name, argv[1]) == 0) {
            set_up();
            one->run();
            take_down();
            return 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
