/* SPDX-License-Identifier: Apache-2.0 */
#include "check/finding.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/options.h"
#include "check/record.h"
#include "check/symbol.h"
#include "core/runtime.h"

static const struct {
    const char *name;
    bool is_advice;
} classes[] = {
#define PACL_CHECK_ROW(id, name, is_advice) { name, is_advice },
    PACL_CHECK_CLASSES(PACL_CHECK_ROW)
#undef PACL_CHECK_ROW
};

/* Under the lock. A record is small and there is one per pair of places, so all stay until the end. */
static struct {
    pthread_mutex_t lock;
    struct pacl_check_record *first, **last;
    unsigned written;
    int report_fd; /* -1: none */
    bool closed;   /* the summary is written: what threads find that still run is nobody's */
    struct pacl_check_counts counts;
    uint64_t of_class[PACL_CHECK_CLASS_COUNT];
} all = { .lock = PTHREAD_MUTEX_INITIALIZER, .last = &all.first, .report_fd = -1 };

const char *pacl_check_class_name(enum pacl_check_class kind)
{
    return classes[kind].name;
}

bool pacl_check_class_is_advice(enum pacl_check_class kind)
{
    return classes[kind].is_advice;
}

enum pacl_check_class pacl_check_class_of(const char *name, size_t length)
{
    unsigned kind = 0;
    while (kind < PACL_CHECK_CLASS_COUNT &&
           (strlen(classes[kind].name) != length || memcmp(classes[kind].name, name, length) != 0))
        kind++;
    return (enum pacl_check_class)kind;
}

bool pacl_check_wants(enum pacl_check_class kind)
{
    return (pacl_check_options()->classes >> kind & 1) != 0;
}

void pacl_check_say(struct pacl_check_finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}

void pacl_check_say_missing(struct pacl_check_finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(finding->missing, sizeof finding->missing, format, args);
    va_end(args);
}

static bool has_access(const struct pacl_check_finding *finding)
{
    return finding->access[0].call != NULL || finding->access[1].call != NULL;
}

/* A line of Python is one place, whatever it makes. */
static bool is_same_memory(const struct pacl_check_memory *a, const struct pacl_check_memory *b)
{
    return pacl_site_same_place(a->allocated, b->allocated) && pacl_site_same_place(a->freed, b->freed) &&
           (a->kind == NULL || b->kind == NULL || strcmp(a->kind, b->kind) == 0);
}

/* The same class at the same places. Findings without any place are told apart by what they say. */
static bool is_same(const struct pacl_check_finding *a, const struct pacl_check_finding *b)
{
    if (a->kind != b->kind || has_access(a) != has_access(b))
        return false;
    if (has_access(a))
        return pacl_site_same_place(a->access[0].site, b->access[0].site) &&
               pacl_site_same_place(a->access[1].site, b->access[1].site);
    if (a->memory.allocated == NULL && a->memory.freed == NULL)
        return strcmp(a->text, b->text) == 0;
    return is_same_memory(&a->memory, &b->memory);
}

static struct pacl_check_record *find(const struct pacl_check_finding *finding)
{
    struct pacl_check_record *record = all.first;
    while (record != NULL && !is_same(&record->finding, finding))
        record = record->next;
    return record;
}

static void count_event(enum pacl_check_class kind, bool is_new)
{
    const bool is_advice = pacl_check_class_is_advice(kind);
    *(is_advice ? &all.counts.advice_events : &all.counts.error_events) += 1;
    *(is_advice ? &all.counts.advice : &all.counts.errors) += is_new;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

/* All at once, so that lines of several threads and processes do not mix. Without a FILE of the program: its lock may
 * be held by a thread that waits for us. */
static void write_out(int fd, const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(fd, text + done, length - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

/* What `compose` writes, as a string that the caller frees; NULL when memory is short. */
static char *composed(void (*compose)(FILE *, const void *), const void *argument)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    compose(out, argument);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Composes, and writes at once. Returns the text. */
static char *compose_to(int fd, void (*compose)(FILE *, const void *), const void *argument)
{
    char *text = composed(compose, argument);
    if (text != NULL)
        write_out(fd, text, strlen(text));
    return text;
}

static void compose_text(FILE *out, const void *argument)
{
    const struct pacl_check_finding *finding = argument;
    pacl_check_write_text(out, finding);
    if (pacl_check_options()->gen_suppressions) {
        fprintf(out, "suppression: ");
        pacl_suppressions_write(out, finding);
    }
    fprintf(out, "\n");
}

static void compose_json(FILE *out, const void *argument)
{
    pacl_check_write_json(out, argument, all.written);
}

static void compose_json_summary(FILE *out, const void *argument)
{
    pacl_check_write_json_summary(out, all.first, &all.counts, argument);
}

static void compose_note(FILE *out, const void *argument)
{
    fprintf(out, "pacl-check: %s\n", (const char *)argument);
}

static void compose_json_note(FILE *out, const void *argument)
{
    pacl_check_write_json_note(out, argument);
}

static void compose_junit(FILE *out, const void *argument)
{
    (void)argument;
    pacl_check_write_junit(out, all.first, &all.counts);
}

/* "3 errors (7 times)". */
static void write_count(FILE *out, uint64_t count, uint64_t events, const char *one, const char *many)
{
    fprintf(out, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
    if (events > count)
        fprintf(out, " (%llu times)", (unsigned long long)events);
}

static void compose_summary(FILE *out, const void *argument)
{
    const struct pacl_check_counts *c = &all.counts;
    fprintf(out, "pacl-check: ");
    write_count(out, c->errors, c->error_events, "error", "errors");
    fprintf(out, ", ");
    write_count(out, c->advice, c->advice_events, "advice", "advice");
    if (c->suppressed > 0)
        fprintf(out, ", %llu suppressed", (unsigned long long)c->suppressed);
    if (c->dropped > 0)
        fprintf(out, ", %llu not shown", (unsigned long long)c->dropped);
    if (argument != NULL)
        fprintf(out, "; ended by %s", (const char *)argument);
    fprintf(out, "\n");
}

/* A path with each %p replaced by the process number. */
static void file_name(char *name, size_t size, const char *pattern)
{
    size_t used = 0;
    for (const char *at = pattern; *at != '\0' && used + 1 < size; at++) {
        if (at[0] == '%' && at[1] == 'p') {
            used += (size_t)snprintf(name + used, size - used, "%d", getpid());
            at++;
        } else {
            name[used++] = *at;
        }
    }
    name[used < size ? used : size - 1] = '\0';
}

/* -1 for no pattern, or with a message. */
static int open_file(const char *pattern, int flags)
{
    char name[4096];
    if (pattern == NULL)
        return -1;
    file_name(name, sizeof name, pattern);
    const int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (fd < 0)
        dprintf(STDERR_FILENO, "pacl-check: %s: %s\n", name, strerror(errno));
    return fd;
}

/* Appended to: programs that a program starts write to the same file. */
void pacl_check_open_report(void)
{
    pthread_mutex_lock(&all.lock);
    all.report_fd = open_file(pacl_check_options()->report, O_APPEND);
    pthread_mutex_unlock(&all.lock);
}

void pacl_check_close_report(const char *how)
{
    pthread_mutex_lock(&all.lock);
    all.closed = true;
    free(compose_to(STDERR_FILENO, compose_summary, how));
    if (all.report_fd >= 0)
        free(compose_to(all.report_fd, compose_json_summary, how));
    const int junit = open_file(pacl_check_options()->junit, O_TRUNC);
    if (junit >= 0) {
        free(compose_to(junit, compose_junit, NULL));
        close(junit);
    }
    pthread_mutex_unlock(&all.lock);
}

void pacl_check_note(const char *text)
{
    pthread_mutex_lock(&all.lock);
    free(compose_to(STDERR_FILENO, compose_note, text));
    if (all.report_fd >= 0)
        free(compose_to(all.report_fd, compose_json_note, text));
    pthread_mutex_unlock(&all.lock);
}

/* --- reporting --------------------------------------------------------------------------------------------------- */

/* Under the lock, as what follows. NULL when memory is short. */
static struct pacl_check_record *add(const struct pacl_check_finding *finding)
{
    struct pacl_check_record *record = calloc(1, sizeof *record);
    if (record == NULL)
        return NULL;
    record->finding = *finding;
    record->finding.details = NULL;
    record->count = 1;
    *all.last = record;
    all.last = &record->next;
    return record;
}

static void count_again(struct pacl_check_record *record)
{
    record->count++;
    if (record->id == 0)
        all.counts.suppressed++;
    else
        count_event(record->finding.kind, false);
}

/* False once there are as many as were asked for. */
static bool has_room(void)
{
    const uint64_t max = pacl_check_options()->max_findings;
    if (all.written < max)
        return true;
    if (all.counts.dropped++ == 0)
        dprintf(STDERR_FILENO, "pacl-check: more than %llu finding%s; the others are counted only\n",
                (unsigned long long)max, max == 1 ? "" : "s");
    return false;
}

static bool take(const struct pacl_check_finding *finding)
{
    struct pacl_check_record *record = find(finding);
    if (record != NULL) {
        count_again(record);
        return false;
    }
    pacl_symbols_refresh();
    if (pacl_suppressions_take(finding)) {
        all.counts.suppressed++;
        (void)add(finding);
        return false;
    }
    count_event(finding->kind, true);
    all.of_class[finding->kind]++;
    if (!has_room())
        return false;
    record = add(finding);
    all.written++;
    char *text = compose_to(STDERR_FILENO, compose_text, finding);
    if (all.report_fd >= 0)
        free(compose_to(all.report_fd, compose_json, finding));
    if (record != NULL) {
        record->id = all.written;
        record->text = text;
    } else {
        free(text);
    }
    return true;
}

bool pacl_check_report(const struct pacl_check_finding *finding)
{
    if (!pacl_check_wants(finding->kind) || pacl_runtime_is_forked())
        return false;
    const int saved = errno; /* also called from handlers of faults */
    pthread_mutex_lock(&all.lock);
    const bool is_new = !all.closed && take(finding);
    pthread_mutex_unlock(&all.lock);
    errno = saved;
    return is_new;
}

struct pacl_check_counts pacl_check_counts(void)
{
    pthread_mutex_lock(&all.lock);
    const struct pacl_check_counts counts = all.counts;
    pthread_mutex_unlock(&all.lock);
    return counts;
}

uint64_t pacl_check_counts_of(enum pacl_check_class kind)
{
    pthread_mutex_lock(&all.lock);
    const uint64_t count = all.of_class[kind];
    pthread_mutex_unlock(&all.lock);
    return count;
}
