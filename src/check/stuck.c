/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deadlock: a wait that nothing can satisfy.
 *
 * At once where it is certain: the event is destroyed before anybody recorded it; a host function waits without a time
 * limit for its own stream, or for the one that executes its graph.
 *
 * Else when the whole process is at rest, seen twice with nothing in between: every stream is parked without a time
 * limit or has nothing to do, and every thread of the program waits for such a stream, or sleeps in a futex without a
 * time limit, which only another thread of the process would end. What comes from outside is not foreseen: a signal,
 * another process that shares memory. A host function that waits then must also be part of a circle.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "check/checker.h"
#include "check/execution.h"
#include "check/observers.h"
#include "check/order.h"
#include "check/thread_sanitizer.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/notify.h"
#include "core/park.h"
#include "os/os.h"

enum { LOOK_MS = 150, CHAIN_MAX = 16, CHAIN_TEXT = 2048, HOPS_MAX = 1024, LANES_MAX = 16 };

/* A thread of the program that waits for a stream without a time limit. */
struct sleeper {
    struct pacl_list link;
    bool asleep;
    pid_t thread;
    struct pacl_stream *stream;
    const char *call;
    const struct pacl_site *site; /* of those that wait for what is not settled, or in a host function */
    bool suspect;                 /* ... which these are, but for what was told at once */
    bool told;
    const struct pacl_order_call *functions; /* that the thread runs, innermost first; NULL: none */
};

static _Thread_local struct sleeper self;
static struct {
    pthread_mutex_t lock; /* guards the rest; the checker's lock is taken after it */
    pthread_cond_t changed;
    struct pacl_list sleepers;
    unsigned suspects;
    bool has_watcher;
} stuck = { .lock = PTHREAD_MUTEX_INITIALIZER,
            .changed = PTHREAD_COND_INITIALIZER,
            .sleepers = { &stuck.sleepers, &stuck.sleepers } };

/* --- the finding ------------------------------------------------------------------------------------------------- */

static bool is_wait_for_event(const struct pacl_order_stream *s)
{
    return s->wait.op == PACL_OP_WAIT;
}

/* What the stream waits for: itself, or the lane that holds up its graph. */
static const struct pacl_order_stream *waiting_in(const struct pacl_order_stream *s)
{
    const struct pacl_order_stream *lane;
    for (unsigned i = 0; i < CHAIN_MAX && (lane = pacl_execution_holder(s)) != NULL; i++)
        s = lane;
    return s;
}

static const char *awaited_by(const struct pacl_order_stream *s)
{
    return is_wait_for_event(s) ? "an event" : s->wait.op == PACL_OP_VALUE_WAIT ? "a value" : "a notify";
}

/* The stream that has the awaited record, behind a wait of its own; NULL if nobody recorded it. */
static struct pacl_order_stream *next_in_chain(const struct pacl_order_stream *s)
{
    if (!is_wait_for_event(s) || !pacl_order_is_recorded(s->wait.event.event, s->wait.event.record))
        return NULL;
    return pacl_order_source(s->wait.event.event);
}

static const char *owner_of(const struct pacl_order_stream *s, char *text, size_t size)
{
    if (s->run != NULL)
        snprintf(text, size, "graph %u on stream %u", s->run->graph, s->id);
    else
        snprintf(text, size, "stream %u", s->id);
    return text;
}

/* Who waits for whom, one line each. True if it ends where it began. */
static bool write_chain(const struct pacl_order_stream *first, char *text, size_t size)
{
    const struct pacl_order_stream *s = waiting_in(first);
    size_t used = 0;
    for (unsigned i = 0; i < CHAIN_MAX && s != NULL && s->waits && used < size; i++) {
        const struct pacl_order_stream *next = next_in_chain(s);
        char own[64];
        (void)owner_of(s, own, sizeof own);
        used += (size_t)(next != NULL
                             ? snprintf(text + used, size - used, "  %s waits in %s for a record on stream %u\n", own,
                                        s->wait.call, next->id)
                             : snprintf(text + used, size - used, "  %s waits in %s for %s that nobody has recorded\n",
                                        own, s->wait.call, awaited_by(s)));
        if (next == first)
            return true;
        s = next != NULL ? waiting_in(next) : NULL;
    }
    return false;
}

/* Under the checker's lock. `asleep`: who waits for the stream, or NULL. */
static void say_stuck(const struct pacl_order_stream *s, const struct sleeper *asleep, const char *why)
{
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_DEADLOCK);
    char *chain = calloc(1, CHAIN_TEXT), own[64];
    if (f == NULL || chain == NULL) {
        free(chain);
        return;
    }
    const bool circle = write_chain(s, chain, CHAIN_TEXT);
    s = waiting_in(s);
    (void)owner_of(s, own, sizeof own);
    if (circle)
        pacl_check_say(f, "%s waits for a record that stands behind this very wait%s", own, why);
    else if (next_in_chain(s) != NULL)
        pacl_check_say(f, "%s of %s waits for a record that stands behind a wait that nothing ends%s", s->wait.call,
                       own, why);
    else
        pacl_check_say(f, "%s on %s waits for %s that nobody has recorded%s", s->wait.call, own, awaited_by(s), why);
    if (!circle && next_in_chain(s) == NULL)
        pacl_check_say_missing(f, "a record of %s that the stream waits for", awaited_by(s));
    f->access[0] =
        (struct pacl_check_access){ .call = s->wait.call, .on_stream = true, .stream = s->id, .site = s->wait_site };
    if (s->run != NULL) {
        f->access[0].graph = s->run->graph;
        f->access[0].executed_by = s->run->call;
        f->access[0].executed = s->run->site;
    }
    if (asleep != NULL)
        f->access[1] = (struct pacl_check_access){ .call = asleep->call,
                                                   .thread = (uint32_t)asleep->thread,
                                                   .site = asleep->site };
    f->details = chain;
}

/* --- host functions that wait ------------------------------------------------------------------------------------ */

enum hold { FREE, BY_RECORD, BY_FUNCTION, BY_GRAPH, BY_THREAD, BY_TASKS };

/* What a stream cannot go on without: the function that a sleeping thread runs, a record on another stream, or tasks of its
 * graph. */
struct hop {
    enum hold how;
    struct sleeper *by;
    const struct pacl_order_call *function; /* one of his */
    struct pacl_stream *source;
    const char *call; /* of the stream's head */
    struct pacl_stream *lanes[LANES_MAX];
    unsigned lane_count;
};

/* `head`: of the stream if it is parked, under the lock of its parking; else NULL. */
static enum hold held_by_function(const struct pacl_stream *s, const struct pacl_work *head,
                                  const struct pacl_order_call *by)
{
    const struct pacl_stream *own = by->runs_for;
    if (own == NULL || own == s)
        return own == NULL ? FREE : BY_FUNCTION;
    if (head == NULL)
        return FREE;
    if (head->op == PACL_OP_GRAPH && pacl_graph_has_inner(head, own))
        return BY_GRAPH;
    if (head->op == PACL_OP_HOST_FUNCTION && !by->subscribed && s->context == own->context)
        return BY_THREAD;
    if (head->op == PACL_OP_CALLBACK && by->subscribed && s->subscriber == own->subscriber)
        return BY_THREAD;
    return FREE;
}

/* By any of the functions that the thread is in: none returns before those that it has called. */
static enum hold held_by(const struct pacl_stream *s, const struct pacl_work *head, const struct sleeper *by,
                         const struct pacl_order_call **function)
{
    for (const struct pacl_order_call *call = by->functions; call != NULL; call = call->outer) {
        const enum hold how = held_by_function(s, head, call);
        *function = call;
        if (how != FREE)
            return how;
    }
    return FREE;
}

/* The lock of what the stream is parked on, which keeps its head; NULL if it is not parked. */
static struct pacl_parking *lock_parked(struct pacl_stream *s)
{
    struct pacl_parking *p = pacl_load_seq_cst(&s->parked_on);
    if (p == NULL)
        return NULL;
    pthread_mutex_lock(&p->lock);
    if (pacl_load_relaxed(&s->parked_on) == p && pacl_load_acquire(&s->state) == PACL_PARKED)
        return p;
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* The function of the sleeper that the stream waits for itself, or through its graph; NULL: none. */
static const struct pacl_order_call *function_awaited(struct pacl_stream *s, const struct sleeper *by)
{
    const struct pacl_order_call *function = NULL;
    struct pacl_parking *p = lock_parked(s);
    const enum hold how = held_by(s, p != NULL ? pacl_stream_head_work(s) : NULL, by, &function);
    if (p != NULL)
        pthread_mutex_unlock(&p->lock);
    return how == BY_FUNCTION || how == BY_GRAPH ? function : NULL;
}

/* Under the lock of the stream's parking. */
static struct pacl_stream *record_of(const struct pacl_work *head)
{
    pacl_checker_lock();
    const struct pacl_order_stream *s = head->op == PACL_OP_WAIT ? pacl_order_source(head->event.event) : NULL;
    pacl_checker_unlock();
    return s != NULL ? s->stream : NULL;
}

/* Lanes that wait for something else than each other, of the execution that runs: what the stream's head waits for. Under
 * the lock of the stream's parking, which is the graph's. */
static void find_lanes(struct hop *hop, const struct pacl_work *head)
{
    const struct pacl_graph *g = pacl_graph_of(head);
    for (uint32_t i = 0; i < g->lane_count && hop->lane_count < LANES_MAX; i++) {
        if (pacl_load_acquire(&g->lanes[i].stream->parked_on) != NULL)
            hop->lanes[hop->lane_count++] = g->lanes[i].stream;
    }
    hop->how = hop->lane_count > 0 ? BY_TASKS : FREE;
}

/* Under our lock. */
static struct hop next_hop(struct pacl_stream *s)
{
    struct hop hop = { .how = FREE };
    struct pacl_parking *p = lock_parked(s);
    const struct pacl_work *head = p != NULL ? pacl_stream_head_work(s) : NULL;
    PACL_LIST_EACH(node, &stuck.sleepers)
    {
        hop.by = PACL_CONTAINER(node, struct sleeper, link);
        hop.how = held_by(s, head, hop.by, &hop.function);
        if (hop.how != FREE)
            break;
    }
    if (head != NULL) {
        hop.call = head->call;
        hop.source = hop.how == FREE ? record_of(head) : NULL;
    }
    if (hop.source != NULL)
        hop.how = BY_RECORD;
    if (head != NULL && hop.how == FREE && head->op == PACL_OP_GRAPH)
        find_lanes(&hop, head);
    if (p != NULL)
        pthread_mutex_unlock(&p->lock);
    return hop;
}

static const char *name_of(const struct pacl_stream *s, char *text, size_t size)
{
    if (s->inner)
        snprintf(text, size, "a graph");
    else
        snprintf(text, size, "stream %u", s->id);
    return text;
}

static void write_hop(char *text, size_t size, const struct pacl_stream *s, const struct hop *hop)
{
    char own[32], other[32];
    (void)name_of(s, own, sizeof own);
    switch (hop->how) {
    case BY_RECORD: /* which has a source. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        snprintf(text, size, "  %s waits in %s for a record on stream %u\n", own, hop->call, hop->source->id);
        return;
    case BY_FUNCTION:
        snprintf(text, size, "  %s waits for its host function, which waits in %s for stream %u\n", own, hop->by->call,
                 hop->by->stream->id);
        return;
    case BY_GRAPH:
        snprintf(text, size, "  %s waits for its graph, a host function of which waits in %s for stream %u\n", own,
                 hop->by->call, hop->by->stream->id);
        return;
    case BY_THREAD:
        snprintf(
            text, size,
            "  %s waits for the thread of its host functions, which runs one of %s that waits in %s for stream %u\n",
            own, name_of(hop->function->runs_for, other, sizeof other), hop->by->call, hop->by->stream->id);
        return;
    case BY_TASKS:
        snprintf(text, size, "  %s waits for its graph\n", own);
        return;
    default:
        text[0] = '\0';
        return;
    }
}

/* A way through what holds up whom, from what a function waits for. */
struct way {
    struct sleeper *first;
    const struct pacl_order_call *function; /* of the first, which the way has come back to */
    unsigned left;                          /* hops */
    char *text;
    size_t size;
};

/* NOLINTBEGIN(misc-no-recursion): at most CHAIN_MAX hops deep */
/* True if it leads back to the first function's own return; all of the circle are told then. */
static bool leads_back(struct way *way, struct pacl_stream *s, unsigned depth, size_t used)
{
    if (depth == CHAIN_MAX || way->left == 0)
        return false;
    way->left--;
    const struct hop hop = next_hop(s);
    write_hop(way->text + used, way->size - used, s, &hop);
    used += strlen(way->text + used);
    if (hop.how == FREE)
        return false;
    if (hop.how == BY_RECORD)
        return leads_back(way, hop.source, depth + 1, used);
    for (unsigned i = 0; i < hop.lane_count; i++) {
        if (leads_back(way, hop.lanes[i], depth + 1, used))
            return true;
    }
    if (hop.how == BY_TASKS)
        return false;
    if (hop.by == way->first)
        way->function = hop.function;
    const bool back = hop.by == way->first || leads_back(way, hop.by->stream, depth + 1, used);
    if (back)
        hop.by->told = true;
    return back;
}
/* NOLINTEND(misc-no-recursion) */

/* The function of the thread whose own return what it waits for comes after; NULL: none. Under our lock, while the process
 * is at rest. */
static const struct pacl_order_call *find_circle(struct sleeper *first, char *text, size_t size)
{
    struct way way = { .first = first, .left = HOPS_MAX, .text = text, .size = size };
    return leads_back(&way, first->stream, 0, 0) ? way.function : NULL;
}

/* `details`, allocated: the circle, or NULL. */
static void say_function_waits(const struct sleeper *f, const struct pacl_order_call *call, char *details)
{
    const struct pacl_stream *runs_for = call->runs_for;
    char own[32];
    pacl_checker_lock();
    struct pacl_check_finding *finding = pacl_checker_find(PACL_CHECK_DEADLOCK);
    if (finding == NULL) {
        free(details);
    } else {
        (void)name_of(runs_for, own, sizeof own);
        pacl_check_say(
            finding,
            "%s in a host function of %s waits for stream %u%s, which cannot go on before the function returns%s",
            f->call, own, f->stream->id, f->stream == runs_for ? " itself" : "",
            details != NULL ? ", and all threads wait" : "");
        finding->access[0] =
            (struct pacl_check_access){ .call = f->call, .thread = (uint32_t)f->thread, .site = f->site };
        finding->access[1] = (struct pacl_check_access){
            .call = call->queued_by, .on_stream = !runs_for->inner, .stream = runs_for->id, .site = call->queued_at
        };
        finding->details = details;
    }
    pacl_checker_unlock();
}

static void say_circles(void)
{
    PACL_LIST_EACH(node, &stuck.sleepers)
    {
        struct sleeper *f = PACL_CONTAINER(node, struct sleeper, link);
        char *chain = f->functions != NULL && !f->told ? calloc(1, CHAIN_TEXT) : NULL;
        if (chain == NULL)
            continue;
        const struct pacl_order_call *function = find_circle(f, chain, CHAIN_TEXT);
        if (function != NULL)
            say_function_waits(f, function, chain);
        else
            free(chain);
    }
}

/* --- is the process at rest? ------------------------------------------------------------------------------------- */

/* What would differ if anything had happened. */
struct rest {
    bool still;
    uint64_t threads, switches, done;
};

enum { PATH_BYTES = 300 }; /* of a thread's files: any name of a folder fits */

/* The second word of a line like "voluntary_ctxt_switches:	42". */
static uint64_t switches_of(const char *thread)
{
    char path[PATH_BYTES], line[128];
    uint64_t sum = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (strstr(line, "ctxt_switches") != NULL && value != NULL)
            sum += strtoull(value + 1, NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    return sum;
}

/* The system call that a thread sleeps in. */
struct sleep {
    long number; /* -1: it runs */
    unsigned long long timeout, instruction;
};

static struct sleep sleep_of(const char *thread)
{
    char path[PATH_BYTES], line[256] = "";
    struct sleep in = { .number = -1 };
    unsigned long long stack;
    snprintf(path, sizeof path, "/proc/self/task/%s/syscall", thread);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return in;
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    if (!read ||
        sscanf(line, "%ld %*x %*x %*x %llx %*x %*x %llx %llx", &in.number, &in.timeout, &stack, &in.instruction) != 4)
        in.number = -1;
    return in;
}

static bool waits_for_others(const struct sleep *in)
{
    return in->number == SYS_futex && in->timeout == 0;
}

/* ThreadSanitizer's own thread looks around every few milliseconds, for ever. */
static bool is_sanitizers(const struct sleep *in)
{
    return (in->number == SYS_nanosleep || in->number == SYS_clock_nanosleep) &&
           pacl_thread_sanitizer_has((uintptr_t)in->instruction);
}

/* PACL's threads that begin nothing by themselves, or as the schedule's only what a stream has to do. */
static bool is_servant(const char *thread)
{
    static const char *const names[] = { "pacl-eng", "pacl-check", "pacl-status", "pacl-ipc", "pacl-schedule" };
    char path[PATH_BYTES], name[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", thread);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const bool read = fgets(name, sizeof name, file) != NULL;
    fclose(file);
    for (size_t i = 0; read && i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

/* Under the lock. */
static bool is_asleep(pid_t thread)
{
    PACL_LIST_EACH(node, &stuck.sleepers)
    {
        if (PACL_CONTAINER(node, struct sleeper, link)->thread == thread)
            return true;
    }
    return false;
}

static void look_at_threads(struct rest *rest)
{
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        rest->still = false;
        return;
    }
    const struct dirent *entry;
    while (rest->still && (entry = readdir(tasks)) != NULL) {
        if (entry->d_name[0] == '.' || is_servant(entry->d_name))
            continue;
        const struct sleep in = sleep_of(entry->d_name);
        if (is_sanitizers(&in))
            continue;
        const bool asleep = is_asleep((pid_t)strtol(entry->d_name, NULL, 10));
        rest->still = asleep || waits_for_others(&in);
        rest->threads++;
        if (!asleep) /* under a schedule one that waits for a stream looks again and again; what it does shows in `done` */
            rest->switches += switches_of(entry->d_name);
    }
    closedir(tasks);
}

/* Another process may end the wait. */
static bool awaits_others(const struct pacl_work *head)
{
    if (head->op == PACL_OP_NOTIFY_WAIT)
        return pacl_load_relaxed(&head->notify.notify->sharing.id) != 0;
    return head->op == PACL_OP_WAIT && pacl_load_relaxed(&head->event.event->sharing.id) != 0;
}

/* Parked without a time limit, for something of this process. Under the lock of its parking nobody takes the stream on,
 * so its head stays. */
static bool is_parked_for_ever(struct pacl_stream *s)
{
    struct pacl_parking *parking = pacl_load_acquire(&s->parked_on);
    if (parking == NULL) /* parked firmly, within a graph */
        return pacl_load_relaxed(&s->wait_deadline) == OS_NEVER;
    pthread_mutex_lock(&parking->lock);
    const bool parked = pacl_load_relaxed(&s->parked_on) == parking && pacl_load_acquire(&s->state) == PACL_PARKED &&
                        pacl_load_relaxed(&s->wait_deadline) == OS_NEVER && !awaits_others(pacl_stream_head_work(s));
    pthread_mutex_unlock(&parking->lock);
    return parked;
}

static bool is_still(struct pacl_stream *s)
{
    return pacl_load_acquire(&s->state) == PACL_PARKED ? is_parked_for_ever(s) : !pacl_stream_is_busy(s);
}

static void look_at_streams(struct rest *rest)
{
    struct pacl_stream *s;
    for (uint32_t i = 0; rest->still && (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++) {
        if (pacl_load_acquire(&s->object.handle) == 0 && pacl_load_acquire(&s->state) != PACL_PARKED)
            continue; /* free, or just being made or ended */
        rest->still = is_still(s);
        rest->done += pacl_load_relaxed(&s->done);
    }
}

static struct rest look(void)
{
    struct rest rest = { .still = true };
    look_at_streams(&rest);
    look_at_threads(&rest);
    return rest;
}

static void say_all(void)
{
    pacl_checker_lock();
    PACL_LIST_EACH(node, &stuck.sleepers)
    {
        const struct sleeper *asleep = PACL_CONTAINER(node, struct sleeper, link);
        const struct pacl_order_stream *s = pacl_order_stream_of(asleep->stream);
        if (s != NULL && s->waits)
            say_stuck(s, asleep, ", and all threads wait");
    }
    pacl_checker_unlock();
    say_circles();
}

/* --- the watcher ------------------------------------------------------------------------------------------------- */

static void pause_ms(long ms)
{
    const struct timespec span = { .tv_nsec = ms * 1000000L };
    (void)nanosleep(&span, NULL);
}

static void watch(void *unused)
{
    (void)unused;
    struct rest before = { 0 };
    bool said = false; /* once for each rest */
    for (;;) {
        pthread_mutex_lock(&stuck.lock);
        while (stuck.suspects == 0)
            pthread_cond_wait(&stuck.changed, &stuck.lock);
        const struct rest now = look();
        const bool same = now.still && before.still && now.threads == before.threads && now.done == before.done &&
                          now.switches == before.switches;
        if (same && !said)
            say_all();
        said = same;
        before = now;
        pthread_mutex_unlock(&stuck.lock);
        pause_ms(LOOK_MS);
    }
}

static bool is_unsettled(struct pacl_stream *stream)
{
    pacl_checker_lock();
    const struct pacl_order_stream *s = pacl_order_stream_of(stream);
    const bool waits = s != NULL && s->waits;
    pacl_checker_unlock();
    return waits;
}

static bool holds_a_stream(const struct pacl_order_call *call)
{
    while (call != NULL && call->runs_for == NULL)
        call = call->outer;
    return call != NULL;
}

static void blocked(struct pacl_stream *stream, uint64_t upto, uint64_t deadline_ns)
{
    (void)upto;
    if (deadline_ns != OS_NEVER || self.asleep)
        return;
    self = (struct sleeper){
        .asleep = true, .thread = gettid(), .stream = stream, .call = pacl_self.call, .functions = pacl_order_self.call
    };
    const struct pacl_order_call *function = self.functions != NULL ? function_awaited(stream, &self) : NULL;
    self.told = function != NULL;
    const bool suspect = self.suspect = !self.told && (holds_a_stream(self.functions) || is_unsettled(stream));
    if (suspect || self.told)
        self.site = pacl_site_capture();
    if (function != NULL)
        say_function_waits(&self, function, NULL);
    pthread_mutex_lock(&stuck.lock);
    pacl_list_append(&stuck.sleepers, &self.link);
    stuck.suspects += suspect;
    if (suspect && !stuck.has_watcher)
        stuck.has_watcher = os_thread_start(watch, NULL, "pacl-check", 0) == 0;
    pthread_cond_signal(&stuck.changed);
    pthread_mutex_unlock(&stuck.lock);
}

static void unblocked(struct pacl_stream *stream, uint64_t upto, bool reached)
{
    (void)stream;
    (void)upto;
    (void)reached;
    if (!self.asleep)
        return;
    pthread_mutex_lock(&stuck.lock);
    pacl_list_remove(&self.link);
    stuck.suspects -= self.suspect;
    self.asleep = false;
    pthread_mutex_unlock(&stuck.lock);
}

/* --- events that end --------------------------------------------------------------------------------------------- */

static void end_event(void *event, struct pacl_order_stream *s)
{
    if (!is_wait_for_event(s) || s->wait.event.event != event || s->wait.event.timeout_ns != 0 ||
        pacl_load_relaxed(&s->wait.event.event->sharing.id) != 0 || /* another process records it */
        pacl_order_is_recorded(event, s->wait.event.record))
        return;
    say_stuck(s, NULL, " before it was destroyed");
}

static void event_destroyed(struct pacl_event *event)
{
    pacl_checker_lock();
    pacl_order_each_waiting(end_event, event);
    pacl_checker_unlock();
}

const struct pacl_observer pacl_check_stuck = {
    .blocked = blocked,
    .unblocked = unblocked,
    .event_destroyed = event_destroyed,
};
