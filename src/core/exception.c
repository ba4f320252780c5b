/* SPDX-License-Identifier: Apache-2.0 */
#include "core/exception.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/atomic.h"
#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "os/os.h"

enum { MOST = 64 };

struct failure {
    struct pacl_list link;
    uint64_t number;
    uint32_t task, stream, thread, device, code;
};

/* Taken while no other lock is held but a stream's fail_lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t raised = PTHREAD_COND_INITIALIZER, told = PTHREAD_COND_INITIALIZER;

/* Guarded by lock. */
static aclrtExceptionInfoCallback single, others[MOST];
static uint32_t other_count;
static struct pacl_list failures = { &failures, &failures }; /* not told yet, oldest first */
static uint64_t last_raised, last_told;
static bool thread_runs;

static _Atomic bool wanted;            /* somebody wants to hear; written under lock */
static struct rtExceptionInfo current; /* what is told now */
static _Thread_local bool is_telling;  /* this is the thread that tells */

/* --- telling ----------------------------------------------------------------------------------------------------- */

static void set_current(const struct failure *f)
{
    pacl_store_relaxed(&current.task, f->task);
    pacl_store_relaxed(&current.stream, f->stream);
    pacl_store_relaxed(&current.thread, f->thread);
    pacl_store_relaxed(&current.device, f->device);
    pacl_store_relaxed(&current.code, f->code);
}

/* Under the lock: a copy to call without it. */
static uint32_t snapshot(aclrtExceptionInfoCallback *out)
{
    uint32_t count = 0;
    if (single != NULL)
        out[count++] = single;
    for (uint32_t i = 0; i < other_count; i++)
        out[count++] = others[i];
    return count;
}

/* Under the lock, which is released meanwhile. */
static void tell(struct failure *f)
{
    aclrtExceptionInfoCallback functions[MOST + 1];
    const uint32_t count = snapshot(functions);
    pthread_mutex_unlock(&lock);
    set_current(f);
    for (uint32_t i = 0; i < count; i++)
        functions[i](&current);
    pthread_mutex_lock(&lock);
    last_told = f->number;
    free(f);
    pthread_cond_broadcast(&told);
}

static void thread_main(void *unused)
{
    (void)unused;
    is_telling = true;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (pacl_list_empty(&failures))
            pthread_cond_wait(&raised, &lock);
        struct failure *f = PACL_CONTAINER(failures.next, struct failure, link);
        pacl_list_remove(&f->link);
        tell(f);
    }
}

const struct rtExceptionInfo *pacl_exception_of(const aclrtExceptionInfo *info)
{
    return info == &current ? info : NULL;
}

/* --- who hears --------------------------------------------------------------------------------------------------- */

/* Under the lock. The program's code runs in the thread: the system's full stack size. */
static aclError require_thread(void)
{
    if (!thread_runs)
        thread_runs = os_thread_start(thread_main, NULL, "pacl-exception", 0) == 0;
    return thread_runs ? ACL_SUCCESS
                       : PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "the thread for exceptions could not be started");
}

/* Under the lock. */
static void update_wanted(void)
{
    pacl_store_seq_cst(&wanted, single != NULL || other_count > 0);
}

aclError pacl_exception_set(aclrtExceptionInfoCallback function)
{
    pthread_mutex_lock(&lock);
    const aclError err = function != NULL ? require_thread() : ACL_SUCCESS;
    if (err == ACL_SUCCESS)
        single = function;
    update_wanted();
    pthread_mutex_unlock(&lock);
    return err;
}

static uint32_t find(aclrtExceptionInfoCallback function)
{
    uint32_t i = 0;
    while (i < other_count && others[i] != function)
        i++;
    return i;
}

/* Under the lock. */
static aclError add(aclrtExceptionInfoCallback function)
{
    if (find(function) < other_count)
        return ACL_SUCCESS;
    if (other_count == MOST)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%d callbacks are registered, the most there can be", MOST);
    const aclError err = require_thread();
    if (err == ACL_SUCCESS)
        others[other_count++] = function;
    return err;
}

aclError pacl_exception_add(aclrtExceptionInfoCallback function)
{
    if (function == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "callback is null");
    pthread_mutex_lock(&lock);
    const aclError err = add(function);
    update_wanted();
    pthread_mutex_unlock(&lock);
    return err;
}

aclError pacl_exception_remove(aclrtExceptionInfoCallback function)
{
    if (function == NULL)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "callback is null");
    pthread_mutex_lock(&lock);
    const uint32_t at = find(function);
    const bool found = at < other_count;
    if (found) {
        for (uint32_t i = at; i + 1 < other_count; i++)
            others[i] = others[i + 1];
        other_count--;
    }
    update_wanted();
    pthread_mutex_unlock(&lock);
    return found ? ACL_SUCCESS : PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "the callback is not registered");
}

/* --- raising ----------------------------------------------------------------------------------------------------- */

uint64_t pacl_exception_raise(uint32_t task, uint32_t stream, uint32_t thread, uint32_t device, aclError code)
{
    if (!pacl_load_seq_cst(&wanted))
        return 0;
    struct failure *f = malloc(sizeof *f);
    if (f == NULL) {
        pacl_log(PACL_LOG_ERROR, "no memory to tell that task %u of stream %u failed with %d", task, stream, code);
        return 0;
    }
    *f = (struct failure){ .task = task, .stream = stream, .thread = thread, .device = device, .code = (uint32_t)code };
    pthread_mutex_lock(&lock);
    const uint64_t number = f->number = ++last_raised;
    pacl_list_append(&failures, &f->link);
    pthread_cond_signal(&raised);
    pthread_mutex_unlock(&lock);
    return number;
}

void pacl_exception_await(uint64_t number)
{
    if (number == 0 || is_telling)
        return;
    pthread_mutex_lock(&lock);
    while (last_told < number)
        pthread_cond_wait(&told, &lock);
    pthread_mutex_unlock(&lock);
}
