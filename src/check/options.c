/* SPDX-License-Identifier: Apache-2.0 */
#include "check/options.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/finding.h"

enum { MAX_FINDINGS = 1000, MOST_FINDINGS = 1000000, ERROR_EXITCODE = 86 };

static struct pacl_check_options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The first one counts. */
#define PROBLEM(...) \
    ((void)(options.problem[0] == '\0' && snprintf(options.problem, sizeof options.problem, __VA_ARGS__) < 0))

/* NULL for a variable that is not set, or empty. */
static const char *variable(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static uint64_t number(const char *name, uint64_t fallback, uint64_t highest)
{
    const char *text = variable(name);
    char *end;
    if (text == NULL)
        return fallback;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && value <= highest)
        return value;
    PROBLEM("%s is \"%.40s\"; it takes a number from 0 to %llu", name, text, (unsigned long long)highest);
    return fallback;
}

static bool is_on(const char *name)
{
    const char *text = variable(name);
    if (text != NULL && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        PROBLEM("%s is \"%.40s\"; it takes 0 or 1", name, text);
    return text != NULL && strcmp(text, "1") == 0;
}

/* The bits of a list of classes; `fallback` for no list. */
static uint32_t classes(const char *name, uint32_t fallback)
{
    static const char separators[] = ", ";
    const char *text = variable(name);
    uint32_t bits = 0;
    if (text == NULL)
        return fallback;
    for (const char *at = text + strspn(text, separators); *at != '\0'; at += strspn(at, separators)) {
        const size_t length = strcspn(at, separators);
        const enum pacl_check_class kind = pacl_check_class_of(at, length);
        if (kind == PACL_CHECK_CLASS_COUNT)
            PROBLEM("%s names \"%.*s\", which is no class of findings", name, (int)(length < 60 ? length : 60), at);
        else
            bits |= UINT32_C(1) << kind;
        at += length;
    }
    return bits;
}

static void read_all(void)
{
    options.on = is_on("PACL_CHECK");
    options.classes = classes("PACL_CHECK_ONLY", UINT32_MAX) & ~classes("PACL_CHECK_SKIP", 0);
    options.names_leaks = (classes("PACL_CHECK_ONLY", 0) >> PACL_CHECK_LEAK & 1) != 0;
    options.max_findings = number("PACL_CHECK_MAX_FINDINGS", MAX_FINDINGS, MOST_FINDINGS);
    options.error_exitcode = (int)number("PACL_CHECK_ERROR_EXITCODE", ERROR_EXITCODE, 255);
    options.report = variable("PACL_CHECK_REPORT");
    options.junit = variable("PACL_CHECK_JUNIT");
    options.suppressions = variable("PACL_CHECK_SUPPRESSIONS");
    options.status_signal = is_on("PACL_STATUS_SIGNAL");
    options.gen_suppressions = is_on("PACL_CHECK_GEN_SUPPRESSIONS");
}

const struct pacl_check_options *pacl_check_options(void)
{
    pthread_once(&once, read_all);
    return &options;
}
