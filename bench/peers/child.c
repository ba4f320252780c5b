/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_setaffinity, environ */
#include "child.h"

#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

struct request {
    int shape;
    int repeats; /* 0: verify instead */
};

struct answer {
    struct child_times ns;
    bool verified;
};

static pid_t child;
static int to_child, from_child;

/* --- in the child ------------------------------------------------------------------------------------------------ */

static void keep_to_one_processor(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
        if (CPU_ISSET(cpu, &all)) {
            CPU_SET(cpu, &one);
            (void)sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

static struct answer answer_to(const struct request *request, bool quick, const struct memory *memory)
{
    const struct shape shape = shape_at(request->shape, quick);
    struct answer answer = { .verified = false };
    if (request->repeats == 0) {
        answer.verified = measure_verify(&peer_loop, &shape, memory) && measure_verify(&peer_pacl, &shape, memory) &&
                          measure_verify(&peer_kernels, &shape, memory);
    } else {
        answer.ns.loop = measure(&peer_loop, &shape, request->repeats);
        answer.ns.kernels = measure(&peer_kernels, &shape, request->repeats);
        answer.ns.pacl = measure(&peer_pacl, &shape, request->repeats);
    }
    return answer;
}

int child_main(bool quick)
{
    keep_to_one_processor();
    BENCH_CHECK(aclInit(NULL));
    BENCH_CHECK(aclrtSetDevice(0));
    struct memory memory = measure_memory(quick);
    peer_loop.open(&memory);
    peer_kernels.open(&memory);
    peer_pacl.open(&memory);
    struct request request;
    while (read(STDIN_FILENO, &request, sizeof request) == sizeof request) {
        const struct answer answer = answer_to(&request, quick, &memory);
        if (write(STDOUT_FILENO, &answer, sizeof answer) != sizeof answer)
            return 1;
    }
    peer_pacl.close();
    measure_memory_free(&memory);
    BENCH_CHECK(aclrtResetDevice(0));
    return 0;
}

/* --- in the parent ----------------------------------------------------------------------------------------------- */

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(1);
}

void child_start(const char *program, bool quick)
{
    int requests[2], answers[2];
    if (pipe(requests) != 0 || pipe(answers) != 0)
        give_up("pipe");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, requests[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, answers[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, requests[1]); /* else it would never see the end of its input */
    posix_spawn_file_actions_addclose(&files, answers[0]);

    char option[] = CHILD_ARGUMENT, size[] = "quick";
    if (!quick)
        snprintf(size, sizeof size, "full");
    char *const arguments[] = { (char *)(uintptr_t)program, option, size, NULL };
    setenv("PACL_ENGINES", "1", 1);
    if (posix_spawn(&child, "/proc/self/exe", &files, NULL, arguments, environ) != 0)
        give_up("posix_spawn");
    unsetenv("PACL_ENGINES");
    posix_spawn_file_actions_destroy(&files);
    close(requests[0]);
    close(answers[1]);
    to_child = requests[1];
    from_child = answers[0];
}

static struct answer ask(const struct request *request)
{
    struct answer answer;
    if (write(to_child, request, sizeof *request) != sizeof *request ||
        read(from_child, &answer, sizeof answer) != sizeof answer)
        give_up("the process with one thread");
    return answer;
}

struct child_times child_measure(int shape, int repeats)
{
    const struct request request = { .shape = shape, .repeats = repeats };
    return ask(&request).ns;
}

bool child_verify(int shape)
{
    const struct request request = { .shape = shape, .repeats = 0 };
    return ask(&request).verified;
}

void child_stop(void)
{
    int status = 0;
    close(to_child);
    close(from_child);
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "the process with one thread ended with status 0x%x\n", status);
        exit(1);
    }
}
