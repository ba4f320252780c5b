/* SPDX-License-Identifier: Apache-2.0 */
#include "check/order.h"

#include <stdlib.h>
#include <string.h>

#include "core/callback.h"
#include "core/context.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/notify.h"

enum { RECORDS_KEPT = 4 };

/* An event's records: the number of the newest, and where their streams were at the last ones whose places are settled. */
struct event_order {
    uint64_t newest;                  /* 0: none */
    struct pacl_order_stream *source; /* of the newest */
    struct {
        uint64_t number; /* 0: free */
        struct pacl_moment moment;
    } kept[RECORDS_KEPT];
    unsigned next;    /* the one that gives way */
    uint64_t highest; /* number that was settled */
};

struct host_function {
    struct pacl_list link;
    struct pacl_moment moment;
    const struct pacl_callback *callback; /* NULL: the context's thread runs it, in the order of the list */
    const struct pacl_site *site;
};

_Thread_local struct pacl_order_self pacl_order_self;

/* By slot. Objects are never freed: slots are used again. */
static struct pacl_order_stream **streams;
static uint32_t stream_room;
static struct event_order **events;
static uint32_t event_room;
static struct pacl_knowledge **notifies; /* what their records have left, by slot */
static uint32_t notify_room;
static struct pacl_knowledge **graphs; /* what their executions have left, by slot */
static uint32_t graph_room;
static unsigned waiting; /* streams with `waits` */

static void settle(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site);

/* --- tables ------------------------------------------------------------------------------------------------------ */

static bool make_room(void **table, uint32_t *room, uint32_t index)
{
    if (index < *room)
        return true;
    uint32_t larger = *room == 0 ? 64 : *room;
    while (larger <= index)
        larger *= 2;
    void **grown = realloc(*table, larger * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + *room, 0, (larger - *room) * sizeof *grown);
    *table = grown;
    *room = larger;
    return true;
}

struct pacl_order_stream *pacl_order_stream_of(struct pacl_stream *stream)
{
    const uint32_t slot = stream->object.index;
    if (slot < stream_room && streams[slot] != NULL)
        return streams[slot];
    if (!make_room((void **)&streams, &stream_room, slot) || pacl_clock_of(slot) == NULL)
        return NULL;
    struct pacl_order_stream *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->stream = stream;
    s->slot = slot;
    s->id = stream->id;
    pacl_list_init(&s->steps);
    pacl_list_init(&s->host_functions);
    streams[slot] = s;
    return s;
}

static struct event_order *event_of(const struct pacl_event *event)
{
    const uint32_t index = event->object.index;
    if (!make_room((void **)&events, &event_room, index))
        return NULL;
    if (events[index] == NULL)
        events[index] = calloc(1, sizeof *events[index]);
    return events[index];
}

static struct pacl_knowledge **notify_of(const struct pacl_notify *notify)
{
    const uint32_t index = notify->object.index;
    return make_room((void **)&notifies, &notify_room, index) ? &notifies[index] : NULL;
}

/* The record, or if `or_later` the first that is known of those from it on. */
static const struct pacl_moment *find_record(const struct event_order *e, uint64_t number, bool or_later)
{
    const struct pacl_moment *found = NULL;
    uint64_t best = or_later ? UINT64_MAX : number;
    for (unsigned i = 0; i < RECORDS_KEPT; i++) {
        if (e->kept[i].number >= number && e->kept[i].number <= best) {
            best = e->kept[i].number;
            found = &e->kept[i].moment;
        }
    }
    return found;
}

/* True if the record stands behind a wait of its stream, not settled yet. */
static bool is_to_come(const struct pacl_event *event, uint64_t number)
{
    for (uint32_t i = 0; waiting > 0 && i < stream_room; i++) {
        if (streams[i] == NULL || !streams[i]->waits)
            continue;
        PACL_LIST_EACH(node, &streams[i]->steps)
        {
            const struct pacl_work *work = &PACL_CONTAINER(node, struct pacl_order_step, link)->work;
            if (work->op == PACL_OP_RECORD && work->event.event == event && work->event.record == number)
                return true;
        }
    }
    return false;
}

/* --- waits ------------------------------------------------------------------------------------------------------- */

static void begin_wait(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    s->waits = true;
    s->wait = *work;
    s->wait_site = site;
    waiting++;
}

/* NOLINTBEGIN(misc-no-recursion): a wait that ends settles what stood behind it; one level for each stream */
/* What stood behind the wait is settled, up to the next wait. */
static void end_wait(struct pacl_order_stream *s)
{
    s->waits = false;
    waiting--;
    while (!s->waits && !pacl_list_empty(&s->steps)) {
        struct pacl_order_step *step = PACL_CONTAINER(s->steps.next, struct pacl_order_step, link);
        pacl_list_remove(&step->link);
        settle(s, &step->work, step->site);
        free(step);
    }
}

/* A wait for a record that was submitted is for that one; else the first that comes will do. */
static bool is_for(const struct pacl_work *wait, uint64_t number)
{
    return wait->event.source != NULL ? wait->event.record == number : wait->event.record <= number;
}

/* True if what the wait is for has been settled; the stream has learned it then. A record that was settled and forgotten
 * meanwhile teaches all there is. */
static bool is_past(struct pacl_order_stream *s, const struct pacl_work *wait, const struct event_order *e)
{
    const bool or_later = wait->event.source == NULL;
    const struct pacl_moment *moment = find_record(e, wait->event.record, or_later);
    if (moment != NULL)
        pacl_clock_learn(s->slot, moment);
    else if (or_later ? e->highest >= wait->event.record : !is_to_come(wait->event.event, wait->event.record))
        pacl_clock_learn_all(s->slot);
    else
        return false;
    return true;
}

static void wait_for_record(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    const struct event_order *e = event_of(work->event.event);
    if (e != NULL && work->event.record != 0 && !is_past(s, work, e))
        begin_wait(s, work, site);
}

static void end_waits_for(const struct pacl_event *event, uint64_t number, const struct pacl_moment *moment)
{
    for (uint32_t i = 0; waiting > 0 && i < stream_room; i++) {
        struct pacl_order_stream *s = streams[i];
        if (s == NULL || !s->waits || s->wait.op != PACL_OP_WAIT || s->wait.event.event != event ||
            !is_for(&s->wait, number))
            continue;
        pacl_clock_learn(s->slot, moment);
        end_wait(s);
    }
}

static void record(struct pacl_order_stream *s, const struct pacl_work *work)
{
    const uint64_t number = work->event.record;
    struct event_order *e = event_of(work->event.event);
    if (e == NULL)
        return;
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    const unsigned place = e->next++ % RECORDS_KEPT;
    pacl_moment_drop(&e->kept[place].moment);
    e->kept[place].moment = pacl_moment_share(&moment);
    e->kept[place].number = number;
    if (number > e->highest)
        e->highest = number;
    if (number >= e->newest) {
        e->newest = number;
        e->source = s;
    }
    end_waits_for(work->event.event, number, &moment);
    pacl_moment_drop(&moment);
}

/* It was not queued after all; the next record may have its number. */
static void withdraw_record(struct event_order *e, uint64_t number)
{
    for (unsigned i = 0; i < RECORDS_KEPT; i++) {
        if (e->kept[i].number == number) {
            pacl_moment_drop(&e->kept[i].moment);
            e->kept[i].number = 0;
        }
    }
    if (e->newest == number)
        e->newest--;
    if (e->highest == number)
        e->highest--;
}

/* --- tasks ------------------------------------------------------------------------------------------------------- */

static void add_host_function(struct pacl_order_stream *s, const struct pacl_callback *callback,
                              const struct pacl_site *site)
{
    struct host_function *f = malloc(sizeof *f);
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    if (f == NULL) {
        pacl_moment_drop(&moment);
        return;
    }
    f->moment = moment;
    f->callback = callback;
    f->site = site;
    pacl_list_append(&s->host_functions, &f->link);
}

static void drop_host_function(struct pacl_order_stream *s)
{
    if (pacl_list_empty(&s->host_functions))
        return;
    struct host_function *f = PACL_CONTAINER(s->host_functions.next, struct host_function, link);
    pacl_list_remove(&f->link);
    pacl_moment_drop(&f->moment);
    free(f);
}

/* Which record a wait takes shows only when it passes, so all that were made by then count. */
static void leave(struct pacl_order_stream *s, struct pacl_knowledge **known)
{
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    if (known != NULL)
        pacl_knowledge_add(known, &moment);
    pacl_moment_drop(&moment);
}

/* One task, behind the earlier executions of the same graph. */
static void execute_graph(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    const uint32_t slot = pacl_graph_slot(work);
    struct pacl_knowledge **known = make_room((void **)&graphs, &graph_room, slot) ? &graphs[slot] : NULL;
    if (known != NULL)
        pacl_clock_learn_known(s->slot, *known);
    pacl_order_settled(s, work, site);
    leave(s, known);
}

static void settle(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    switch (work->op) {
    case PACL_OP_RECORD:
        record(s, work);
        return;
    case PACL_OP_WAIT:
        wait_for_record(s, work, site);
        return;
    case PACL_OP_HOST_FUNCTION:
        add_host_function(s, NULL, site);
        return;
    case PACL_OP_CALLBACK:
        add_host_function(s, work->callback.callback, site);
        return;
    case PACL_OP_NOTIFY_RECORD:
        leave(s, notify_of(work->notify.notify));
        return;
    case PACL_OP_GRAPH:
        execute_graph(s, work, site);
        return;
    case PACL_OP_NOTIFY_WAIT:
    case PACL_OP_VALUE_WAIT:
        begin_wait(s, work, site);
        return;
    default:
        pacl_order_settled(s, work, site);
        return;
    }
}
/* NOLINTEND(misc-no-recursion) */

/* When memory is short the step is forgotten: what it would have shown is overlooked. */
static void put_off(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    struct pacl_order_step *step = malloc(sizeof *step);
    if (step == NULL)
        return;
    step->work = *work;
    step->site = site;
    pacl_list_append(&s->steps, &step->link);
    if (work->op != PACL_OP_RECORD)
        return;
    struct event_order *e = event_of(work->event.event);
    if (e != NULL && work->event.record >= e->newest) {
        e->newest = work->event.record;
        e->source = s;
    }
}

void pacl_order_submit(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (s == NULL)
        return;
    if (s->waits)
        put_off(s, work, site);
    else
        settle(s, work, site);
}

/* The stream is being destroyed, or the process ends: what it was to do is nobody's concern. */
void pacl_order_withdraw(struct pacl_stream *stream, const struct pacl_work *work)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (work->op == PACL_OP_RECORD) {
        struct event_order *e = event_of(work->event.event);
        if (e != NULL)
            withdraw_record(e, work->event.record);
        return;
    }
    if (s == NULL || (work->op != PACL_OP_COPY && work->op != PACL_OP_FILL_BYTES && work->op != PACL_OP_FILL_WORDS))
        return;
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    pacl_host_learn(&moment);
    pacl_moment_drop(&moment);
}

bool pacl_order_cares_for_end(const struct pacl_work *work)
{
    return work->op == PACL_OP_WAIT || work->op == PACL_OP_HOST_FUNCTION || work->op == PACL_OP_NOTIFY_WAIT ||
           work->op == PACL_OP_VALUE_WAIT;
}

static void end_notify_wait(struct pacl_order_stream *s, const struct pacl_work *work, bool succeeded)
{
    struct pacl_knowledge **known = notify_of(work->notify.notify);
    if (pacl_load_relaxed(&work->notify.notify->sharing.id) != 0)
        pacl_clock_learn_all(s->slot); /* another process may have passed on any order */
    else if (succeeded && known != NULL)
        pacl_clock_learn_known(s->slot, *known);
    end_wait(s);
}

/* A cell may be changed by any task, by the host, by another process: what the value stands for is not known, so
 * everything that was submitted counts. */
static void end_value_wait(struct pacl_order_stream *s, bool succeeded)
{
    if (succeeded)
        pacl_clock_learn_all(s->slot);
    end_wait(s);
}

/* A wait that ended although its record is not known ran out of time, or was dropped. */
void pacl_order_finish(struct pacl_stream *stream, const struct pacl_work *work, bool succeeded)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (s == NULL)
        return;
    if (work->op == PACL_OP_HOST_FUNCTION)
        drop_host_function(s);
    else if (s->waits && s->wait.op == work->op && work->op == PACL_OP_NOTIFY_WAIT)
        end_notify_wait(s, work, succeeded);
    else if (s->waits && s->wait.op == work->op && work->op == PACL_OP_VALUE_WAIT)
        end_value_wait(s, succeeded);
    else if (s->waits && s->wait.op == work->op && s->wait.event.event == work->event.event &&
             s->wait.event.record == work->event.record)
        end_wait(s);
}

/* --- the host ---------------------------------------------------------------------------------------------------- */

void pacl_order_block(struct pacl_stream *stream, uint64_t upto)
{
    const struct pacl_order_stream *s = pacl_order_stream_of(stream);
    pacl_moment_drop(&pacl_order_self.awaited);
    pacl_order_self.awaits = stream;
    pacl_order_self.upto = upto;
    if (s != NULL && !s->waits)
        pacl_order_self.awaited = pacl_clock_mark(s->slot);
}

/* A wait that was not for a synchronizing call (a full queue) leaves its mark behind; it was for an earlier task. */
void pacl_order_synchronize(struct pacl_stream *stream, uint64_t upto)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    struct pacl_moment moment = { 0 };
    if (s == NULL)
        return;
    if (pacl_order_self.awaits == stream && pacl_order_self.upto == upto && pacl_order_self.awaited.at.tick != 0)
        moment = pacl_moment_share(&pacl_order_self.awaited);
    else
        moment = pacl_clock_mark(s->slot);
    pacl_host_learn(&moment);
    pacl_moment_drop(&moment);
    pacl_order_forget_block();
}

void pacl_order_forget_block(void)
{
    pacl_moment_drop(&pacl_order_self.awaited);
    pacl_order_self.awaits = NULL;
}

void pacl_order_synchronize_event(struct pacl_event *event, uint64_t number)
{
    const struct event_order *e = event_of(event);
    const struct pacl_moment *moment = e != NULL ? find_record(e, number, false) : NULL;
    if (moment != NULL)
        pacl_host_learn(moment);
    else
        pacl_host_learn_all(); /* other threads have recorded it many times since */
    pacl_order_forget_block();
}

/* Callbacks of a stream begin in their order; those before this one have run, or never will. */
static void drop_before(struct pacl_order_stream *s, const struct pacl_callback *callback)
{
    while (!pacl_list_empty(&s->host_functions) &&
           PACL_CONTAINER(s->host_functions.next, struct host_function, link)->callback != callback)
        drop_host_function(s);
}

/* The program may tell any thread from here on that what stands before the function is done. */
void pacl_order_host_function_begins(struct pacl_stream *stream, const struct pacl_work *work)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    struct pacl_moment moment = { 0 };
    const struct host_function *f = NULL;
    if (s == NULL)
        return;
    if (work->op == PACL_OP_CALLBACK)
        drop_before(s, work->callback.callback);
    if (stream->inner)
        pacl_host_learn_all(); /* of a graph: the streams that it runs on behalf of are not known here */
    if (!pacl_list_empty(&s->host_functions))
        f = PACL_CONTAINER(s->host_functions.next, struct host_function, link);
    moment = f != NULL ? pacl_moment_share(&f->moment) : pacl_clock_mark(s->slot);
    pacl_host_learn(&moment);
    /* What stands behind a callback that does not block may run beside it. */
    pacl_order_self.in_host_function =
        work->op != PACL_OP_CALLBACK || pacl_callback_is_blocking(work->callback.callback);
    pacl_order_self.host_function = moment.at;
    pacl_order_self.runs_for = stream;
    pacl_order_self.subscribed = work->op == PACL_OP_CALLBACK;
    pacl_order_self.queued_by = work->call;
    pacl_order_self.queued_at = f != NULL ? f->site : NULL;
    pacl_moment_drop(&moment);
}

/* --- life -------------------------------------------------------------------------------------------------------- */

void pacl_order_stream_begins(struct pacl_stream *stream)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (s == NULL)
        return;
    s->id = stream->id;
    s->is_default = false;
}

static void forget_steps(struct pacl_order_stream *s)
{
    while (!pacl_list_empty(&s->steps)) {
        struct pacl_order_step *step = PACL_CONTAINER(s->steps.next, struct pacl_order_step, link);
        pacl_list_remove(&step->link);
        free(step);
    }
}

/* Its work is done or dropped, and whoever destroyed it knows that. */
void pacl_order_stream_ends(struct pacl_stream *stream)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (s == NULL)
        return;
    forget_steps(s);
    if (s->waits)
        end_wait(s);
    while (!pacl_list_empty(&s->host_functions))
        drop_host_function(s);
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    pacl_host_learn(&moment);
    pacl_moment_drop(&moment);
    struct pacl_clock *clock = pacl_clock_of(s->slot);
    pacl_knowledge_drop(clock->known);
    clock->known = NULL;
}

void pacl_order_event_begins(struct pacl_event *event)
{
    struct event_order *e = event_of(event);
    if (e == NULL)
        return;
    for (unsigned i = 0; i < RECORDS_KEPT; i++)
        pacl_moment_drop(&e->kept[i].moment);
    *e = (struct event_order){ 0 };
}

/* --- questions --------------------------------------------------------------------------------------------------- */

bool pacl_order_is_recorded(const struct pacl_event *event, uint64_t number)
{
    const struct event_order *e = event_of(event);
    return e != NULL && e->newest >= number;
}

struct pacl_order_stream *pacl_order_source(const struct pacl_event *event)
{
    const struct event_order *e = event_of(event);
    return e != NULL && e->newest > 0 ? e->source : NULL;
}

bool pacl_order_is_own_record(const struct pacl_stream *stream, const struct pacl_work *wait)
{
    return wait->event.record > 0 && wait->event.source == stream;
}

void pacl_order_each_waiting(pacl_order_stream_fn *tell, void *context)
{
    for (uint32_t i = 0; waiting > 0 && i < stream_room; i++) {
        if (streams[i] != NULL && streams[i]->waits)
            tell(context, streams[i]);
    }
}
