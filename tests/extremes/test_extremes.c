/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every function of the public headers with every pointer null, every handle wrong, and every integer at its extremes:
 * no crash, no hang, and an error that the function's comment names, with a message that names the function; a call that
 * fails has written no answer.
 *
 * Each function has a child process of its own. What a call was given is written down before it is made, in memory that
 * the parent sees, so that a crash names it.
 *
 * usage: test_extremes [FUNCTION]
 */
#include <acl/acl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

enum { PARAMETERS_MAX = 16, SCRATCH_BYTES = 65536, SECONDS_PER_FUNCTION = 60 };

/* What the parent sees of a child. */
struct shared {
    char trying[1024];
    unsigned made, wrong;
};

static struct shared *shared;

static struct fixture {
    aclrtContext context;
    aclrtStream stream, stale;
    aclrtEvent event;
    uint8_t *scratch[PARAMETERS_MAX];
} fx;

static void do_nothing(void)
{
}

static void require(aclError code, const char *what)
{
    if (code == ACL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)code);
    _exit(2);
}

static void open_fixture(void)
{
    require(aclrtSetDevice(0), "aclrtSetDevice");
    require(aclrtGetCurrentContext(&fx.context), "aclrtGetCurrentContext");
    require(aclrtCreateStream(&fx.stream), "aclrtCreateStream");
    require(aclrtCreateStream(&fx.stale), "aclrtCreateStream");
    require(aclrtDestroyStream(fx.stale), "aclrtDestroyStream");
    require(aclrtCreateEvent(&fx.event), "aclrtCreateEvent");
    for (size_t i = 0; i < PARAMETERS_MAX; i++)
        fx.scratch[i] = calloc(1, SCRATCH_BYTES);
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static bool is_address(enum kind kind)
{
    return kind <= POINTER;
}

static bool is_handle(enum kind kind)
{
    return kind <= HANDLE;
}

static bool is_integer(enum kind kind)
{
    return kind >= I8 && kind <= U64;
}

/* A value that a program might pass. Scratch memory is fresh for each call: what one call has written must not lead the
 * next one astray. */
static union value usual(const struct parameter *p, size_t index)
{
    union value v;
    memset(&v, 0, sizeof v);
    switch (p->kind) {
    case STREAM:
        v.pointer = fx.stream;
        break;
    case EVENT:
        v.pointer = fx.event;
        break;
    case CONTEXT:
        v.pointer = fx.context;
        break;
    case HANDLE:
        v.pointer = (void *)(uintptr_t)0x10;
        break;
    case CALLBACK:
        v.callback = do_nothing;
        break;
    case TEXT:
        v.pointer = fx.scratch[index];
        memset(fx.scratch[index], 0, SCRATCH_BYTES);
        fx.scratch[index][0] = 'x';
        break;
    case POINTER:
        v.pointer = fx.scratch[index];
        memset(fx.scratch[index], 0, SCRATCH_BYTES);
        break;
    case FLOAT:
        v.number = 1;
        break;
    case STRUCT:
        break;
    default:
        v.integer = 1;
        break;
    }
    return v;
}

static void set_usual(const struct call *call, union value *v)
{
    for (unsigned i = 0; i < call->count; i++)
        v[i] = usual(&call->parameters[i], i);
}

/* All addresses null, all else usual. */
static void set_null(const struct call *call, union value *v)
{
    set_usual(call, v);
    for (unsigned i = 0; i < call->count; i++) {
        if (is_address(call->parameters[i].kind))
            memset(&v[i], 0, sizeof v[i]);
    }
}

enum { EXTREMES = 5 };

static int64_t extreme(enum kind kind, unsigned n)
{
    static const int64_t of_kind[][EXTREMES] = {
        [I8] = { 0, -1, INT8_MIN, INT8_MAX, 2 },
        [U8] = { 0, UINT8_MAX, 128, 127, 2 },
        [U16] = { 0, UINT16_MAX, 32768, 32767, 2 },
        [I32] = { 0, -1, INT32_MIN, INT32_MAX, 65535 },
        [U32] = { 0, UINT32_MAX, 0x80000000, INT32_MAX, 65535 },
        [I64] = { 0, -1, INT64_MIN, INT64_MAX, UINT32_MAX },
        [U64] = { 0, -1, INT64_MIN, INT64_MAX, UINT32_MAX },
    };
    return of_kind[kind][n];
}

/* --- one call ---------------------------------------------------------------------------------------------------- */

static void write_down(const struct call *call, const union value *v)
{
    size_t used = (size_t)snprintf(shared->trying, sizeof shared->trying, "%s(", call->name);
    for (unsigned i = 0; i < call->count; i++) {
        char *const at = shared->trying + used;
        const size_t room = sizeof shared->trying - used;
        const struct parameter *const p = &call->parameters[i];
        const char *const comma = i > 0 ? ", " : "";
        if (is_address(p->kind))
            used += (size_t)snprintf(at, room, "%s%s %p", comma, p->name, v[i].pointer);
        else if (p->kind == FLOAT)
            used += (size_t)snprintf(at, room, "%s%s %g", comma, p->name, (double)v[i].number);
        else
            used += (size_t)snprintf(at, room, "%s%s %lld", comma, p->name, (long long)v[i].integer);
    }
    snprintf(shared->trying + used, sizeof shared->trying - used, ")");
}

/* Holds for every function: acl_rt.h says so at its top. */
static bool is_general(int code)
{
    return code == 107017 || code == 107002;
}

static bool is_documented(const struct call *call, int code)
{
    for (const int *c = call->codes; *c != 0; c++) {
        if (*c == code)
            return true;
    }
    return is_general(code);
}

static void complain(const char *what, int64_t answer)
{
    printf("%s -> %lld: %s\n", shared->trying, (long long)answer, what);
    shared->wrong++;
}

/* The newest message is the call's own, whatever functions it is made of. */
static bool names_first(const char *message, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(message, name, length) == 0 && message[length] == ':';
}

/* The last error is the runtime layer's; 207000 of asynchronous copies is one that does not set it. */
static void check_failure(const struct call *call, int code)
{
    const aclError last = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    const char *const message = aclGetRecentErrMsg();
    const bool runtime = code / 1000 % 100 == 7;
    if (!is_documented(call, code))
        complain("the comment in the header names no such code", code);
    if (message == NULL)
        complain("no message", code);
    else if (strstr(message, "ACL_ERROR_") == NULL || !names_first(message, call->name))
        complain(message, code);
    if (strcmp(call->name, "aclrtGetLastError") == 0 || code == 207000)
        return;
    if (last != (runtime ? code : ACL_SUCCESS))
        complain("the last error is another one", last);
}

/* What a program gets back in its callback; null is as good as anything. */
static bool is_passed_on(const struct parameter *p)
{
    return strcmp(p->name, "args") == 0 || strcmp(p->name, "userData") == 0;
}

enum { ANSWER_BYTES = 64, MARK = 0x5A };

static bool may_answer(const struct call *call, const union value *v, unsigned i)
{
    return call->parameters[i].is_answer && v[i].pointer == fx.scratch[i] &&
           strcmp(call->parameters[i].name, "failIndex") != 0; /* which tells of the failure */
}

/* Once more, after the call has failed, with marks where it may write: a failed call writes nothing. */
static void check_answers(const struct call *call, const union value *v)
{
    bool any = false;
    for (unsigned i = 0; i < call->count; i++) {
        if (may_answer(call, v, i)) {
            memset(fx.scratch[i], MARK, ANSWER_BYTES);
            any = true;
        }
    }
    if (!any || call->make(v) == ACL_SUCCESS)
        return;
    for (unsigned i = 0; i < call->count; i++) {
        for (unsigned k = 0; may_answer(call, v, i) && k < ANSWER_BYTES; k++) {
            if (fx.scratch[i][k] != MARK) {
                complain("the call fails, and has written an answer", i);
                break;
            }
        }
    }
}

/* `nulled`: an address that is null, where that is the one thing wrong; else NULL. */
static void make(const struct call *call, union value *v, const struct parameter *nulled)
{
    write_down(call, v);
    (void)aclGetRecentErrMsg();
    (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    const int64_t answer = call->make(v);
    shared->made++;
    if (call->result != CODE)
        return;
    if (answer != ACL_SUCCESS) {
        check_failure(call, (int)answer);
        check_answers(call, v);
    } else if (nulled != NULL && nulled->kind != STREAM && !is_passed_on(nulled) && !call->null_is_told) {
        complain("a null is accepted, and the comment in the header does not say so", answer);
    }
}

/* --- one function ------------------------------------------------------------------------------------------------ */

static void try_nulls(const struct call *call)
{
    union value v[PARAMETERS_MAX];
    set_null(call, v);
    make(call, v, NULL);
    for (unsigned i = 0; i < call->count; i++) {
        if (!is_address(call->parameters[i].kind))
            continue;
        set_usual(call, v);
        memset(&v[i], 0, sizeof v[i]);
        make(call, v, &call->parameters[i]);
    }
}

static void try_handles(const struct call *call)
{
    union value v[PARAMETERS_MAX];
    void *const wrong[] = { (void *)(uintptr_t)0x10,
                            (void *)UINTPTR_MAX,
                            (void *)(uintptr_t)0xABCDEF00,
                            fx.stale,
                            fx.stream,
                            fx.event,
                            fx.context,
                            &fx,
                            (void *)((uintptr_t)fx.stream ^ 0x10) };
    for (unsigned i = 0; i < call->count; i++) {
        const enum kind kind = call->parameters[i].kind;
        for (unsigned n = 0; is_handle(kind) && n < sizeof wrong / sizeof wrong[0]; n++) {
            set_usual(call, v);
            const bool right = wrong[n] == v[i].pointer && kind != HANDLE;
            v[i].pointer = wrong[n];
            if (!right)
                make(call, v, NULL);
        }
    }
}

/* With null addresses any number; with real ones what does not claim that more is there than is. */
static void try_integers(const struct call *call)
{
    union value v[PARAMETERS_MAX];
    for (unsigned n = 0; n < EXTREMES; n++) {
        set_null(call, v);
        for (unsigned i = 0; i < call->count; i++) {
            if (is_integer(call->parameters[i].kind))
                v[i].integer = extreme(call->parameters[i].kind, n);
        }
        make(call, v, NULL);
        for (unsigned i = 0; i < call->count; i++) {
            const struct parameter *const p = &call->parameters[i];
            if (!is_integer(p->kind))
                continue;
            set_null(call, v);
            v[i].integer = extreme(p->kind, n);
            make(call, v, NULL);
            set_usual(call, v);
            v[i].integer = extreme(p->kind, n);
            if (!p->is_amount || v[i].integer == 0)
                make(call, v, NULL);
        }
    }
}

static void try_structs(const struct call *call)
{
    union value v[PARAMETERS_MAX];
    for (unsigned i = 0; i < call->count; i++) {
        if (call->parameters[i].kind != STRUCT)
            continue;
        set_usual(call, v);
        v[i].integer = 0xFF;
        make(call, v, NULL);
    }
}

static void run_child(const struct call *call)
{
    alarm(SECONDS_PER_FUNCTION);
    open_fixture();
    if (call->count == 0)
        make(call, NULL, NULL);
    try_nulls(call);
    try_handles(call);
    try_integers(call);
    try_structs(call);
    fflush(stdout);
    _exit(0);
}

static bool passes(const struct call *call)
{
    int status;
    shared->trying[0] = '\0';
    shared->wrong = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        run_child(call);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFSIGNALED(status))
        printf("%s: %s\n", shared->trying, WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        printf("%s: the process ended with %d\n", shared->trying, WEXITSTATUS(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && shared->wrong == 0;
}

int main(int argc, char **argv)
{
    unsigned functions = 0, failed = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    for (size_t i = 0; i < call_count; i++) {
        if (argc > 1 && strcmp(argv[1], calls[i].name) != 0)
            continue;
        functions++;
        failed += !passes(&calls[i]);
    }
    printf("%u functions, %u calls, %u functions fail\n", functions, shared->made, failed);
    return functions > 0 && failed == 0 ? 0 : 1;
}
