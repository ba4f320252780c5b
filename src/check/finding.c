/* SPDX-License-Identifier: Apache-2.0 */
#include "check/finding.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/options.h"
#include "check/record.h"
#include "check/symbol.h"

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
    struct pacl_check_counts counts;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER, .last = &all.first };

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
    return pacl_site_same_place(a->memory.allocated, b->memory.allocated) &&
           pacl_site_same_place(a->memory.freed, b->memory.freed);
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

/* All at once, so that lines of several threads and processes do not mix. Without a FILE of the program: its lock may
 * be held by a thread that waits for us. */
static void write_out(const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(STDERR_FILENO, text + done, length - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

static void show(const struct pacl_check_finding *finding)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return;
    pacl_symbols_refresh();
    pacl_check_write_text(out, finding);
    if (fclose(out) == 0)
        write_out(text, length);
    free(text);
}

/* Under the lock. True if the finding is new and to be written. */
static bool keep(const struct pacl_check_finding *finding)
{
    struct pacl_check_record *record = find(finding);
    if (record != NULL) {
        record->count++;
        count_event(finding->kind, false);
        return false;
    }
    count_event(finding->kind, true);
    if (all.written >= pacl_check_options()->max_findings) {
        all.counts.dropped++;
        return false;
    }
    record = calloc(1, sizeof *record);
    if (record != NULL) {
        record->finding = *finding;
        record->finding.details = NULL;
        record->count = 1;
        record->id = all.written + 1;
        *all.last = record;
        all.last = &record->next;
    }
    all.written++;
    return true;
}

bool pacl_check_report(const struct pacl_check_finding *finding)
{
    if (!pacl_check_wants(finding->kind))
        return false;
    const int saved = errno; /* also called from handlers of faults */
    pthread_mutex_lock(&all.lock);
    const bool is_new = keep(finding);
    if (is_new)
        show(finding);
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
