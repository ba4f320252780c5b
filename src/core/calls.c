/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/observer.h"
#include "core/runtime.h"

enum { WATCHERS_MAX = 8 };

_Atomic uint32_t pacl_calls_watched = 1;

static const char *(*offers[WATCHERS_MAX])(void); /* written while the library is loaded */
static unsigned offer_count;
static const struct pacl_call_watcher *watchers[WATCHERS_MAX]; /* written under add_lock */
static _Atomic unsigned watcher_count;
static pthread_mutex_t add_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static const char *problem; /* written under start_once */
static bool kept;           /* guarded by add_lock */

static void require_room(unsigned count)
{
    if (count < WATCHERS_MAX)
        return;
    fputs("pacl: too many watchers of calls\n", stderr);
    abort();
}

void pacl_calls_offer(const char *(*install)(void))
{
    require_room(offer_count);
    offers[offer_count++] = install;
}

void pacl_calls_watch(const struct pacl_call_watcher *watcher)
{
    pthread_mutex_lock(&add_lock);
    const unsigned count = pacl_load_relaxed(&watcher_count);
    require_room(count);
    watchers[count] = watcher;
    pacl_store_release(&watcher_count, count + 1); /* paired with the acquire in the loops below */
    pacl_store_relaxed(&pacl_calls_watched, 1);
    pthread_mutex_unlock(&add_lock);
}

void pacl_calls_keep_watched(void)
{
    pthread_mutex_lock(&add_lock);
    kept = true;
    pacl_store_relaxed(&pacl_calls_watched, 1);
    pthread_mutex_unlock(&add_lock);
}

static void start(void)
{
    for (unsigned i = 0; i < offer_count; i++) {
        const char *why = offers[i]();
        if (problem == NULL)
            problem = why;
    }
    pthread_mutex_lock(&add_lock);
    pacl_store_relaxed(&pacl_calls_watched, kept || pacl_load_relaxed(&watcher_count) > 0);
    pthread_mutex_unlock(&add_lock);
}

const char *pacl_calls_start(void)
{
    pthread_once(&start_once, start);
    return problem;
}

struct pacl_function *pacl_function_find(const char *name)
{
    PACL_EACH_FUNCTION(at)
    {
        if (strcmp((*at)->name, name) == 0)
            return *at;
    }
    return NULL;
}

void pacl_calls_forget(void)
{
    pacl_store_relaxed(&pacl_calls_watched, 1);
}

bool pacl_function_only_reports(const struct pacl_function *function)
{
    return strcmp(function->name, "aclrtGetLastError") == 0 || strcmp(function->name, "aclrtPeekAtLastError") == 0;
}

aclError pacl_call_entered(struct pacl_function *function, const void *return_address, const void *frame)
{
    if (pacl_runtime_is_forked())
        return function->can_fail && !pacl_function_only_reports(function) ? pacl_runtime_refuse_child() : ACL_SUCCESS;
    (void)pacl_calls_start();
    pacl_self.failure = ACL_SUCCESS;
    pacl_add_relaxed(&function->calls, 1);
    PACL_OBSERVE(entered, function->name, return_address, frame);
    aclError err = ACL_SUCCESS;
    const unsigned count = pacl_load_acquire(&watcher_count);
    for (unsigned i = 0; i < count && err == ACL_SUCCESS; i++)
        err = watchers[i]->entered != NULL ? watchers[i]->entered(function) : ACL_SUCCESS;
    return err;
}

aclError pacl_call_allocates(size_t bytes)
{
    aclError err = ACL_SUCCESS;
    const unsigned count = pacl_load_acquire(&watcher_count);
    for (unsigned i = 0; i < count && err == ACL_SUCCESS; i++)
        err = watchers[i]->allocates != NULL ? watchers[i]->allocates(bytes) : ACL_SUCCESS;
    return err;
}
