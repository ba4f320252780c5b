/* SPDX-License-Identifier: Apache-2.0 */
/* usage: endings HOW [NUMBER [mistake]]: a program that leaks a block of device memory, with `mistake` frees another one
 * twice, and then ends in this way. */
#include <acl/acl.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void leak(void)
{
    void *block;
    if (aclInit(NULL) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS ||
        aclrtMalloc(&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
        abort();
}

static void free_twice(void)
{
    void *block;
    if (aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS || aclrtFree(block) != ACL_SUCCESS ||
        aclrtFree(block) == ACL_SUCCESS)
        abort();
}

/* Freed by the last exit handler, so that there is no leak if findings are collected behind it. */
static void *late;

static void free_late(void)
{
    printf("handler\n");
    if (aclrtFree(late) != ACL_SUCCESS)
        abort();
}

static void *exit_here(void *status)
{
    exit(*(int *)status);
}

static void exit_in_thread(int status)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, exit_here, &status) == 0)
        pthread_join(thread, NULL);
    abort();
}

/* True also for a thread that is gone. */
static bool is_asleep(const char *thread)
{
    char path[300], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread);
    FILE *file = fopen(path, "r");
    const bool read = file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    if (file != NULL)
        fclose(file);
    return !read || state == 'S';
}

static bool others_sleep(void)
{
    bool all = true;
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *entry;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL)
        all =
            all && (entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) == getpid() || is_asleep(entry->d_name));
    if (tasks != NULL)
        closedir(tasks);
    return all;
}

/* A sanitizer's allocator in the child would wait for ever for a thread that is in it now. */
static int fork_and_exit(int status)
{
    int ended;
    while (!others_sleep())
        usleep(100);
    const pid_t child = fork();
    if (child == 0)
        exit(status);
    return waitpid(child, &ended, 0) == child && WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
}

/* The child has this memory until it ends. */
static void vfork_and_exit(void)
{
    int ended;
    const pid_t child = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork): its effect is what is tested */
    if (child == 0)
        _exit(0);
    if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        abort();
}

static void *end_when_asleep(void *thread)
{
    char name[32];
    snprintf(name, sizeof name, "%ld", (long)(intptr_t)thread);
    while (!is_asleep(name))
        usleep(100);
    kill(getpid(), SIGTERM);
    return NULL;
}

/* The signal comes while the main thread is in a call that waits. */
static void end_in_call(void)
{
    pthread_t thread;
    aclrtStream stream;
    aclrtEvent never;
    if (aclrtCreateStream(&stream) != ACL_SUCCESS || aclrtCreateEvent(&never) != ACL_SUCCESS ||
        aclrtStreamWaitEvent(stream, never) != ACL_SUCCESS ||
        pthread_create(&thread, NULL, end_when_asleep, (void *)(intptr_t)getpid()) != 0)
        abort();
    (void)aclrtSynchronizeStreamWithTimeout(stream, 100000);
}

static void own_handler(int number)
{
    (void)number;
    (void)!write(STDOUT_FILENO, "own\n", 4);
}

/* Two streams that wait for each other's event, until standard input ends. */
static void hang(void)
{
    aclrtStream first, second;
    aclrtEvent event, never;
    if (aclrtCreateStream(&first) != ACL_SUCCESS || aclrtCreateStream(&second) != ACL_SUCCESS ||
        aclrtCreateEvent(&event) != ACL_SUCCESS || aclrtCreateEvent(&never) != ACL_SUCCESS ||
        aclrtStreamWaitEvent(first, never) != ACL_SUCCESS || aclrtRecordEvent(event, first) != ACL_SUCCESS ||
        aclrtStreamWaitEvent(second, event) != ACL_SUCCESS)
        abort();
    printf("hangs\n");
    fflush(stdout);
    /* ThreadSanitizer keeps a signal back until the call that it has interrupted returns: none may wait for long. */
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    while (poll(&input, 1, 20) <= 0)
        continue;
    _exit(0);
}

/* A stream whose three tasks never run. */
static void leave_work(void)
{
    aclrtStream stream;
    aclrtEvent never;
    if (aclrtCreateStream(&stream) != ACL_SUCCESS || aclrtCreateEvent(&never) != ACL_SUCCESS ||
        aclrtStreamWaitEvent(stream, never) != ACL_SUCCESS || aclrtStreamWaitEvent(stream, never) != ACL_SUCCESS ||
        aclrtStreamWaitEvent(stream, never) != ACL_SUCCESS)
        abort();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "return";
    const int status = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(how, "own-handler") == 0)
        signal(SIGUSR2, own_handler);
    leak();
    if (argc > 3)
        free_twice();
    printf("buffered\n"); /* standard output is a pipe: it has to be flushed at the end */
    if (strcmp(how, "pending") == 0)
        leave_work();
    if (strcmp(how, "exit") == 0)
        exit(status);
    if (strcmp(how, "thread") == 0)
        exit_in_thread(status);
    if (strcmp(how, "_exit") == 0)
        _exit(status);
    if (strcmp(how, "signal") == 0)
        raise(SIGTERM);
    if (strcmp(how, "default") == 0 && signal(SIGTERM, own_handler) == SIG_DFL &&
        signal(SIGTERM, SIG_DFL) == own_handler && signal(SIGTERM, SIG_DFL) == SIG_DFL)
        raise(SIGTERM);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "fault") == 0)
        *(volatile int *)(uintptr_t)status = 0; /* NOLINT(clang-analyzer-core.*): meant */
    if (strcmp(how, "in-call") == 0)
        end_in_call();
    if (strcmp(how, "vfork") == 0)
        vfork_and_exit();
    if (strcmp(how, "fork") == 0)
        return fork_and_exit(status);
    if (strcmp(how, "own-handler") == 0)
        raise(SIGUSR2);
    if (strcmp(how, "hang") == 0)
        hang();
    if (strcmp(how, "handler") == 0 && aclrtMalloc(&late, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS)
        atexit(free_late);
    return status;
}
