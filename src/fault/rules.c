/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/rules.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/calls.h"

enum { FIELDS_MAX = 4 };

struct reader {
    char text[PACL_FAULT_TEXT_MAX]; /* one rule, its fields ended by NUL */
    const char *field[FIELDS_MAX];
    size_t fields;
    const char *whole; /* the rule as given */
    char *problem;
    size_t size;
};

#define REFUSE(r, ...) (refuse((r), __VA_ARGS__), false)

__attribute__((format(printf, 2, 3))) static void refuse(struct reader *r, const char *format, ...)
{
    const int used = snprintf(r->problem, r->size, "PACL_FAULT \"%s\": ", r->whole);
    va_list args;
    va_start(args, format);
    if (used > 0 && (size_t)used < r->size)
        vsnprintf(r->problem + used, r->size - (size_t)used, format, args);
    va_end(args);
}

static bool whole_number(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0;
}

/* "3": the third; "3+": the third and all after it; "*": all. */
static bool read_which(struct reader *r, const char *text, struct pacl_fault_rule *rule)
{
    char number[24];
    rule->first = 1;
    rule->last = UINT64_MAX;
    if (strcmp(text, "*") == 0)
        return true;
    const size_t length = strlen(text);
    const bool open = length > 0 && text[length - 1] == '+';
    snprintf(number, sizeof number, "%.*s", (int)(open ? length - 1 : length), text);
    if (length >= sizeof number || !whole_number(number, &rule->first) || rule->first == 0)
        return REFUSE(
            r, "\"%s\" does not say which; it takes a number from 1, a number with + for it and all after, or *", text);
    if (!open)
        rule->last = rule->first;
    return true;
}

static bool read_code(struct reader *r, const char *text, struct pacl_fault_rule *rule)
{
    uint64_t number;
    if (whole_number(text, &number) && number > 0 && number <= INT32_MAX)
        rule->code = (aclError)number;
    else if (!pacl_error_code(text, &rule->code) || rule->code == ACL_SUCCESS)
        return REFUSE(r,
                      "\"%s\" is no error code; it takes a number such as 507899 or a name such as "
                      "ACL_ERROR_RT_MEMORY_ALLOCATION",
                      text);
    return true;
}

/* FUNCTION[:WHICH[:CODE]] or FUNCTION:WHICH:async[:CODE] */
static bool read_function(struct reader *r, struct pacl_fault_rule *rule)
{
    rule->function = pacl_function_find(r->field[0]);
    if (rule->function == NULL)
        return REFUSE(r, "there is no function %s; it takes a function's name, alloc or random", r->field[0]);
    rule->first = 1;
    rule->last = UINT64_MAX;
    const bool async = r->fields > 2 && strcmp(r->field[2], "async") == 0;
    rule->kind = async ? PACL_FAULT_TASK : PACL_FAULT_CALL;
    snprintf(rule->mark, sizeof rule->mark, "%s", rule->function->name);
    if (!rule->function->can_fail)
        return REFUSE(r, "%s returns no code, so it cannot fail", r->field[0]);
    if (r->fields > 1 && !read_which(r, r->field[1], rule))
        return false;
    if (r->fields == 4 && !async)
        return REFUSE(r, "\"%s\" stands where async may stand", r->field[2]);
    const size_t code_at = async ? 3 : 2;
    return r->fields <= code_at || read_code(r, r->field[code_at], rule);
}

/* alloc[:WHICH[:CODE]] */
static bool read_allocation(struct reader *r, struct pacl_fault_rule *rule)
{
    rule->kind = PACL_FAULT_ALLOCATION;
    rule->code = ACL_ERROR_RT_MEMORY_ALLOCATION;
    if (r->fields > 3)
        return REFUSE(r, "alloc takes two more fields, alloc:WHICH:CODE");
    return read_which(r, r->fields > 1 ? r->field[1] : "*", rule) && (r->fields < 3 || read_code(r, r->field[2], rule));
}

/* random:P:SEED[:CODE] */
static bool read_random(struct reader *r, struct pacl_fault_rule *rule)
{
    char *end;
    rule->kind = PACL_FAULT_RANDOM;
    if (r->fields < 3)
        return REFUSE(r, "random needs a probability and a seed, random:P:SEED");
    const double p = strtod(r->field[1], &end);
    if (*end != '\0' || end == r->field[1] || !(p >= 0 && p <= 1))
        return REFUSE(r, "\"%s\" is no probability from 0 to 1", r->field[1]);
    if (!whole_number(r->field[2], &rule->seed))
        return REFUSE(r, "\"%s\" is no seed; it takes a number", r->field[2]);
    rule->limit = p >= 1 ? UINT64_MAX : (uint64_t)ldexp(p, 64);
    return r->fields < 4 || read_code(r, r->field[3], rule);
}

static bool split(struct reader *r)
{
    char *at = r->text;
    for (r->fields = 0; at != NULL; r->fields++) {
        char *end = strchr(at, ':');
        if (end != NULL)
            *end++ = '\0';
        if (r->fields == FIELDS_MAX)
            return REFUSE(r, "it has more than %d fields", FIELDS_MAX);
        if (*at == '\0')
            return REFUSE(r, "a field is empty");
        r->field[r->fields] = at;
        at = end;
    }
    return true;
}

static bool read_rule(struct reader *r, struct pacl_fault_rule *rule)
{
    if (!split(r))
        return false;
    if (strcmp(r->field[0], "alloc") == 0)
        return read_allocation(r, rule);
    return strcmp(r->field[0], "random") == 0 ? read_random(r, rule) : read_function(r, rule);
}

bool pacl_fault_parse(const char *list, struct pacl_fault_rule *rules, size_t *count, char *problem, size_t size)
{
    *count = 0;
    for (const char *at = list; at != NULL;) {
        const char *comma = strchr(at, ',');
        const size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
        struct reader r = { .whole = list, .problem = problem, .size = size };
        struct pacl_fault_rule *rule = &rules[*count];
        if (*count == PACL_FAULT_RULES_MAX || length >= sizeof r.text)
            return REFUSE(&r, "there are more than %d rules, or one has more than %d characters", PACL_FAULT_RULES_MAX,
                          PACL_FAULT_TEXT_MAX - 1);
        snprintf(r.text, sizeof r.text, "%.*s", (int)length, at);
        *rule = (struct pacl_fault_rule){ .code = ACL_SUCCESS };
        snprintf(rule->text, sizeof rule->text, "%s", r.text);
        r.whole = rule->text;
        if (!read_rule(&r, rule))
            return false;
        ++*count;
        at = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}
