/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures on purpose. A call fails at its entry, before anything is done. A task is chosen at its call too: the call's
 * name in what it queues is then the rule's own copy (`mark`), and whoever runs the task knows it by that address.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/calls.h"
#include "core/observer.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "fault/rules.h"

/* Written by the first call, constant from then on but for the counters. */
static struct pacl_fault_rule rules[PACL_FAULT_RULES_MAX];
static size_t rule_count;

static bool hits(const struct pacl_fault_rule *rule, uint64_t n)
{
    return n >= rule->first && n <= rule->last;
}

/* --- tasks ------------------------------------------------------------------------------------------------------- */

static _Thread_local bool has_queued; /* the call that runs in this thread has queued a task */

/* Every call counts until it turns out, when it ends, that it has queued nothing. */
static void choose_task(struct pacl_fault_rule *rule)
{
    has_queued = false;
    if (hits(rule, pacl_add_relaxed(&rule->seen, 1) + 1))
        pacl_self.call = rule->mark;
}

static void submitted(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    (void)work;
    has_queued = true;
}

static void left(const char *call, aclError result)
{
    (void)result;
    for (size_t i = 0; i < rule_count && !has_queued; i++) {
        if (rules[i].kind == PACL_FAULT_TASK && rules[i].function->name == call)
            pacl_sub_seq_cst(&rules[i].seen, 1);
    }
}

static struct pacl_fault_rule *rule_of_mark(const char *mark)
{
    const uintptr_t at = (uintptr_t)mark, first = (uintptr_t)rules;
    return at >= first && at < first + sizeof rules ? &rules[(at - first) / sizeof rules[0]] : NULL;
}

static void started(struct pacl_stream *stream, const struct pacl_work *work)
{
    char text[PACL_TEXT_MAX], which[32] = "a task";
    struct pacl_fault_rule *rule = rule_of_mark(work->call);
    if (rule == NULL)
        return;
    pacl_store_relaxed(&rule->fired, true);
    if (rule->first == rule->last)
        snprintf(which, sizeof which, "task %llu", (unsigned long long)rule->first);
    snprintf(text, sizeof text, "%s, queued earlier: made to fail: %s of %s (PACL_FAULT=%s)", work->call, which,
             work->call, rule->text);
    pacl_stream_fail_started(stream, work, rule->code != ACL_SUCCESS ? rule->code : ACL_ERROR_RT_SYS_DMA, text);
}

static void observe(void)
{
    static const struct pacl_observer observer = { .left = left, .submitted = submitted, .started = started };
    for (size_t i = 0; i < rule_count; i++) {
        if (rules[i].kind == PACL_FAULT_TASK) {
            pacl_observer_add(&observer);
            return;
        }
    }
}

/* --- calls ------------------------------------------------------------------------------------------------------- */

static aclError usual_code(const struct pacl_function *function)
{
    const bool allocates = strstr(function->name, "Malloc") != NULL || strstr(function->name, "Alloc") != NULL;
    return allocates ? ACL_ERROR_RT_MEMORY_ALLOCATION : ACL_ERROR_RT_INTERNAL_ERROR;
}

/* SplitMix64: a number for each place in a sequence, without a state that threads would share. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/* By the function and by which call of it this is, so that other threads' calls of other functions change nothing. */
static bool draws(const struct pacl_fault_rule *rule, const struct pacl_function *function)
{
    uint64_t x = mix(rule->seed);
    for (const char *at = function->name; *at != '\0'; at++)
        x = mix(x ^ (uint64_t)(unsigned char)*at);
    x = mix(x ^ pacl_load_relaxed(&function->calls));
    return rule->limit == UINT64_MAX || x < rule->limit;
}

static aclError fail_call(struct pacl_fault_rule *rule, const struct pacl_function *function, uint64_t n)
{
    pacl_store_relaxed(&rule->fired, true);
    const aclError code = rule->code != ACL_SUCCESS ? rule->code : usual_code(function);
    return PACL_FAIL(code, "made to fail: call %llu of %s (PACL_FAULT=%s)", (unsigned long long)n, function->name,
                     rule->text);
}

static aclError entered(struct pacl_function *function)
{
    if (!function->can_fail)
        return ACL_SUCCESS;
    struct pacl_fault_rule *chosen = NULL;
    uint64_t chosen_n = 0;
    for (size_t i = 0; i < rule_count; i++) {
        struct pacl_fault_rule *rule = &rules[i];
        if (rule->kind == PACL_FAULT_TASK && rule->function == function)
            choose_task(rule);
        const bool random = rule->kind == PACL_FAULT_RANDOM && !pacl_function_only_reports(function);
        if (!random && (rule->kind != PACL_FAULT_CALL || rule->function != function))
            continue;
        const uint64_t n = pacl_add_relaxed(&rule->seen, 1) + 1;
        const bool fails = random ? draws(rule, function) : hits(rule, n);
        if (!fails || chosen != NULL)
            continue;
        chosen = rule;
        chosen_n = random ? pacl_load_relaxed(&function->calls) : n;
    }
    return chosen != NULL ? fail_call(chosen, function, chosen_n) : ACL_SUCCESS;
}

static aclError allocates(size_t bytes)
{
    struct pacl_fault_rule *chosen = NULL;
    uint64_t chosen_n = 0;
    for (size_t i = 0; i < rule_count; i++) {
        struct pacl_fault_rule *rule = &rules[i];
        if (rule->kind != PACL_FAULT_ALLOCATION)
            continue;
        const uint64_t n = pacl_add_relaxed(&rule->seen, 1) + 1;
        if (chosen == NULL && hits(rule, n)) {
            chosen = rule;
            chosen_n = n;
        }
    }
    if (chosen == NULL)
        return ACL_SUCCESS;
    pacl_store_relaxed(&chosen->fired, true);
    return PACL_FAIL(chosen->code, "made to fail: allocation %llu, of %zu bytes (PACL_FAULT=%s)",
                     (unsigned long long)chosen_n, bytes, chosen->text);
}

/* --- start ------------------------------------------------------------------------------------------------------- */

static const char *install(void)
{
    static const struct pacl_call_watcher watcher = { .entered = entered, .allocates = allocates };
    static char problem[PACL_FAULT_TEXT_MAX + 256];
    const char *list = getenv("PACL_FAULT");
    if (list == NULL || list[0] == '\0')
        return NULL;
    if (!pacl_fault_parse(list, rules, &rule_count, problem, sizeof problem)) {
        rule_count = 0;
        return problem;
    }
    pacl_calls_watch(&watcher);
    return NULL;
}

__attribute__((constructor)) static void offer(void)
{
    pacl_calls_offer(install);
    pacl_observer_offer(observe); /* later: when the runtime starts */
}

/* --- end --------------------------------------------------------------------------------------------------------- */

static bool was_called(void)
{
    PACL_EACH_FUNCTION(at)
    {
        if (pacl_load_relaxed(&(*at)->calls) > 0)
            return true;
    }
    return false;
}

static void write_unfired(FILE *out)
{
    static const char *const units[] = { [PACL_FAULT_CALL] = "call",
                                         [PACL_FAULT_TASK] = "task",
                                         [PACL_FAULT_ALLOCATION] = "allocation",
                                         [PACL_FAULT_RANDOM] = "call" };
    bool any = false;
    for (size_t i = 0; i < rule_count; i++) {
        const uint64_t seen = pacl_load_relaxed(&rules[i].seen);
        if (pacl_load_relaxed(&rules[i].fired))
            continue;
        fprintf(out, "%s %s (%llu %s%s)", any ? "," : "pacl-fault: nothing has failed by", rules[i].text,
                (unsigned long long)seen, units[rules[i].kind], seen == 1 ? "" : "s");
        any = true;
    }
    if (any)
        fprintf(out, "\n");
}

/* A test that made nothing fail has tested nothing. After the runtime's own destructor, behind which no task runs, and before
 * checking's, which may end the process. Not in a child made by fork(), nor in one that has only asked whether the rules are
 * right, as `pacl run` does. */
__attribute__((destructor(102))) static void tell_unfired(void)
{
    char *text = NULL;
    size_t length = 0;
    if (rule_count == 0 || pacl_runtime_is_forked() || !was_called())
        return;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return;
    write_unfired(out);
    if (fclose(out) == 0 && length > 0)
        fputs(text, stderr);
    free(text);
}
