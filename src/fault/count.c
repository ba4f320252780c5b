/* SPDX-License-Identifier: Apache-2.0 */
/* How often each public function was called: PACL_COUNT=1 for a list at exit, pacl_call_count() for tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/calls.h"
#include "core/runtime.h"
#include "pacl/pacl.h"

static bool prints; /* written by the first call */

uint64_t pacl_call_count(const char *function)
{
    const struct pacl_function *found = function != NULL ? pacl_function_find(function) : NULL;
    return found != NULL ? pacl_load_relaxed(&found->calls) : 0;
}

void pacl_call_count_reset(void)
{
    (void)pacl_calls_start();
    pacl_calls_keep_watched();
    PACL_EACH_FUNCTION(at)
    pacl_store_relaxed(&(*at)->calls, 0);
}

static const char *install(void)
{
    static char problem[128];
    const char *text = getenv("PACL_COUNT");
    if (text == NULL || text[0] == '\0' || strcmp(text, "0") == 0)
        return NULL;
    if (strcmp(text, "1") != 0) {
        snprintf(problem, sizeof problem, "PACL_COUNT is \"%.40s\"; it takes 0 or 1", text);
        return problem;
    }
    prints = true;
    pacl_calls_keep_watched();
    return NULL;
}

__attribute__((constructor)) static void offer(void)
{
    pacl_calls_offer(install);
}

static int by_name(const void *a, const void *b)
{
    const struct pacl_function *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

/* A child made by fork() has its parent's counts and no business here. */
__attribute__((destructor)) static void print(void)
{
    if (!prints || pacl_runtime_is_forked())
        return;
    size_t count = 0;
    PACL_EACH_FUNCTION(at)
    count += pacl_load_relaxed(&(*at)->calls) > 0;
    struct pacl_function **called = calloc(count + 1, sizeof(struct pacl_function *));
    if (called == NULL)
        return;
    size_t n = 0;
    PACL_EACH_FUNCTION(at)
    {
        if (n < count && pacl_load_relaxed(&(*at)->calls) > 0)
            called[n++] = *at;
    }
    qsort(called, n, sizeof(struct pacl_function *), by_name);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "pacl-count: %s %llu\n", called[i]->name,
                (unsigned long long)pacl_load_relaxed(&called[i]->calls));
    free(called);
}
