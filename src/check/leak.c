/* SPDX-License-Identifier: Apache-2.0 */
#include "check/leak.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check/ending.h"
#include "check/finding.h"
#include "check/ledger.h"
#include "check/options.h"
#include "core/stream.h"

enum { GROUPS_MAX = 256 };

/* Things of one kind from one place. */
struct group {
    enum pacl_owned_kind kind;
    const struct pacl_site *begun;
    uint64_t count, bytes;
    uint64_t pending; /* tasks of the streams that have not run */
    uintptr_t first;
};

struct groups {
    unsigned count;
    struct group group[GROUPS_MAX];
};

static uint64_t pending_of(const struct pacl_owned *owned)
{
    const struct pacl_stream *stream =
        owned->kind == PACL_OWNED_STREAM ? pacl_pool_find(&pacl_streams, (const void *)owned->key) : NULL;
    if (stream == NULL)
        return 0;
    const uint64_t done = pacl_load_acquire(&stream->done), queued = pacl_stream_queued(stream);
    return queued > done ? queued - done : 0;
}

static void add_to_group(void *context, struct pacl_owned *owned)
{
    struct groups *groups = context;
    unsigned i = 0;
    if (owned->told)
        return;
    while (i < groups->count &&
           (groups->group[i].kind != owned->kind || !pacl_site_same_place(groups->group[i].begun, owned->begun)))
        i++;
    if (i == GROUPS_MAX)
        return;
    struct group *group = &groups->group[i];
    if (i == groups->count) {
        groups->count++;
        *group = (struct group){ .kind = owned->kind, .begun = owned->begun, .first = owned->key };
    }
    group->count++;
    group->bytes += owned->size;
    group->pending += pending_of(owned);
    owned->told = true;
}

static const char *name_of(enum pacl_owned_kind kind, uint64_t count, char *text, size_t size)
{
    const char *name = pacl_owned_name(kind);
    if (count == 1)
        return name;
    snprintf(text, size, "%ss", name);
    return kind == PACL_OWNED_NOTIFY ? "notifies" : text;
}

static void report_group(const struct group *group, const char *when)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_LEAK };
    const struct pacl_owned one = {
        .kind = group->kind, .key = group->first, .size = group->bytes, .begun = group->begun
    };
    const bool is_memory = group->kind <= PACL_OWNED_REGISTERED_MEMORY;
    char text[32];
    const char *name = name_of(group->kind, is_memory ? 1 : group->count, text, sizeof text);
    finding.memory = pacl_owned_memory(&one);
    if (is_memory)
        pacl_check_say(&finding, "%llu block%s of %s, %llu bytes in all, not %s at %s",
                       (unsigned long long)group->count, group->count == 1 ? "" : "s", name,
                       (unsigned long long)group->bytes,
                       group->kind == PACL_OWNED_REGISTERED_MEMORY ? "unregistered" : "freed", when);
    else if (group->pending > 0)
        pacl_check_say(&finding, "%llu %s not destroyed at %s, with %llu %s not run", (unsigned long long)group->count,
                       name, when, (unsigned long long)group->pending,
                       group->pending == 1 ? "task that has" : "tasks that have");
    else
        pacl_check_say(&finding, "%llu %s not destroyed at %s", (unsigned long long)group->count, name, when);
    (void)pacl_check_report(&finding);
}

/* One thread at a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct groups groups; /* guarded by it */

/* What was reported at aclFinalize is not reported again at the exit. */
static void collect(void)
{
    groups.count = 0;
    pacl_ledger_each(add_to_group, &groups);
}

void pacl_leaks_report(const char *when)
{
    if (!pacl_check_wants(PACL_CHECK_LEAK))
        return;
    pthread_mutex_lock(&lock);
    collect();
    for (unsigned i = 0; i < groups.count; i++)
        report_group(&groups.group[i], when);
    pthread_mutex_unlock(&lock);
}

/* "2 streams": all of a kind together, whatever places they come from. Returns the length. */
static size_t write_kind(char *text, size_t size, enum pacl_owned_kind kind)
{
    uint64_t count = 0, bytes = 0;
    for (unsigned i = 0; i < groups.count; i++) {
        count += groups.group[i].kind == kind ? groups.group[i].count : 0;
        bytes += groups.group[i].kind == kind ? groups.group[i].bytes : 0;
    }
    char name[32];
    text[0] = '\0';
    if (count > 0 && kind <= PACL_OWNED_REGISTERED_MEMORY)
        snprintf(text, size, ", %llu block%s of %s (%llu bytes)", (unsigned long long)count, count == 1 ? "" : "s",
                 pacl_owned_name(kind), (unsigned long long)bytes);
    else if (count > 0)
        snprintf(text, size, ", %llu %s", (unsigned long long)count, name_of(kind, count, name, sizeof name));
    return strlen(text);
}

/* A program that gives up frees nothing on its way out: its reason is what counts, not each thing that it held. */
static void sum_up(int status)
{
    char text[PACL_CHECK_TEXT_MAX] = "", note[PACL_CHECK_TEXT_MAX + 128];
    size_t used = 0;
    pthread_mutex_lock(&lock);
    collect();
    for (unsigned kind = 0; kind < PACL_OWNED_KINDS; kind++)
        used += write_kind(text + used, sizeof text - used, (enum pacl_owned_kind)kind);
    pthread_mutex_unlock(&lock);
    if (used == 0)
        return;
    snprintf(note, sizeof note, "exit with status %d, not freed or destroyed by then: %s (--only leak reports each)",
             status, text + strlen(", "));
    pacl_check_note(note);
}

void pacl_leaks_report_at_exit(void)
{
    const int status = pacl_ending_status();
    if (status > 0 && !pacl_check_options()->names_leaks && pacl_check_wants(PACL_CHECK_LEAK))
        sum_up(status);
    else
        pacl_leaks_report("exit");
}
