/* SPDX-License-Identifier: Apache-2.0 */
#include "check/order.h"

#include <stdlib.h>
#include <string.h>

#include "check/execution.h"
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

_Thread_local struct pacl_order_self pacl_order_self;

/* By slot. Objects are never freed: slots are used again. */
static struct pacl_order_stream **streams;
static uint32_t stream_room;
static struct event_order **events;
static uint32_t event_room;
static struct pacl_knowledge **notifies; /* what their records have left, by slot */
static uint32_t notify_room;
static struct pacl_list waiting = { &waiting, &waiting }; /* streams with `waits` */

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
    struct pacl_order_stream *s = make_room((void **)&streams, &stream_room, slot) ? calloc(1, sizeof *s) : NULL;
    const uint32_t clock = s != NULL ? pacl_clock_open() : PACL_CLOCK_NONE;
    if (clock == PACL_CLOCK_NONE) {
        free(s);
        return NULL;
    }
    s->stream = stream;
    s->slot = clock;
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
    PACL_LIST_EACH(in_waiting, &waiting)
    {
        PACL_LIST_EACH(node, &PACL_CONTAINER(in_waiting, struct pacl_order_stream, in_waiting)->steps)
        {
            const struct pacl_work *work = &PACL_CONTAINER(node, struct pacl_order_step, link)->work;
            if (work->op == PACL_OP_RECORD && work->event.event == event && work->event.record == number)
                return true;
        }
    }
    return false;
}

/* --- waits ------------------------------------------------------------------------------------------------------- */

void pacl_order_begin_wait(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    s->waits = true;
    s->wait = *work;
    s->wait_site = site;
    pacl_list_append(&waiting, &s->in_waiting);
}

/* NOLINTBEGIN(misc-no-recursion): a wait that ends settles what stood behind it; one level for each stream */
/* What stood behind the wait is settled, up to the next wait. */
void pacl_order_end_wait(struct pacl_order_stream *s)
{
    s->waits = false;
    pacl_list_remove(&s->in_waiting);
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
        pacl_order_begin_wait(s, work, site);
}

static struct pacl_order_stream *find_waiting(const struct pacl_event *event, uint64_t number)
{
    PACL_LIST_EACH(node, &waiting)
    {
        struct pacl_order_stream *s = PACL_CONTAINER(node, struct pacl_order_stream, in_waiting);
        if (s->wait.op == PACL_OP_WAIT && s->wait.event.event == event && is_for(&s->wait, number))
            return s;
    }
    return NULL;
}

/* The list is another one when a wait has ended. */
static void end_waits_for(const struct pacl_event *event, uint64_t number, const struct pacl_moment *moment)
{
    struct pacl_order_stream *s;
    while ((s = find_waiting(event, number)) != NULL) {
        pacl_clock_learn(s->slot, moment);
        pacl_order_end_wait(s);
    }
}

/* Where the event's newest record is, though its place may not be settled. */
static void note_newest(struct event_order *e, struct pacl_order_stream *s, uint64_t number)
{
    if (number < e->newest)
        return;
    e->newest = number;
    e->source = s->run != NULL ? pacl_order_stream_of(s->stream) : s; /* lanes come and go */
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
    note_newest(e, s, number);
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
    struct pacl_order_function *f = malloc(sizeof *f);
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    if (f == NULL) {
        pacl_moment_drop(&moment);
        return;
    }
    f->moment = moment;
    f->lane = s->lane;
    f->run = s->run;
    f->callback = callback;
    f->site = site;
    pacl_list_append(s->run != NULL ? pacl_execution_functions(s) : &s->host_functions, &f->link);
}

static void drop_function(struct pacl_order_function *f)
{
    if (f == NULL)
        return;
    pacl_list_remove(&f->link);
    pacl_moment_drop(&f->moment);
    free(f);
}

void pacl_order_drop_functions(struct pacl_list *functions)
{
    while (!pacl_list_empty(functions))
        drop_function(PACL_CONTAINER(functions->next, struct pacl_order_function, link));
}

/* Of a stream that runs one; NULL: unknown. */
static struct pacl_list *functions_of(struct pacl_stream *stream, uint32_t *lane)
{
    if (stream->inner)
        return pacl_execution_running_functions(stream, lane);
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    *lane = 0;
    return s != NULL ? &s->host_functions : NULL;
}

/* The oldest that is no callback; or the callback, the newest of its address, which those that never ran may have had. */
static struct pacl_order_function *find_function(const struct pacl_list *functions, uint32_t lane,
                                                 const struct pacl_callback *callback)
{
    struct pacl_order_function *found = NULL;
    if (functions == NULL)
        return NULL;
    PACL_LIST_EACH(node, functions)
    {
        struct pacl_order_function *f = PACL_CONTAINER(node, struct pacl_order_function, link);
        if (f->lane == lane && f->callback == callback)
            found = f;
        if (found != NULL && callback == NULL)
            break;
    }
    return found;
}

/* Which record a wait takes shows only when it passes, so all that were made by then count. */
static void leave(struct pacl_order_stream *s, struct pacl_knowledge **known)
{
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    if (known != NULL)
        pacl_knowledge_add(known, &moment);
    pacl_moment_drop(&moment);
}

static void settle(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    switch (work->op) {
    case PACL_OP_RECORD:
        if (work->event.event != NULL)
            record(s, work);
        else
            pacl_execution_record(s, work);
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
        pacl_execution_begin(s, work, site);
        return;
    case PACL_OP_GRAPH_JOIN:
        pacl_execution_join(s, work, site);
        return;
    case PACL_OP_GRAPH_END:
        pacl_execution_over(s);
        return;
    case PACL_OP_NOTIFY_WAIT:
    case PACL_OP_VALUE_WAIT:
        pacl_order_begin_wait(s, work, site);
        return;
    default:
        pacl_order_settled(s, work, site);
        return;
    }
}
/* NOLINTEND(misc-no-recursion) */

static void note_record(void *stream, uint32_t lane, const struct pacl_work *work, const void *place)
{
    struct event_order *e =
        work->op == PACL_OP_RECORD && work->event.event != NULL ? event_of(work->event.event) : NULL;
    (void)lane;
    (void)place;
    if (e != NULL)
        note_newest(e, stream, work->event.record);
}

/* When memory is short the step is forgotten: what it would have shown is overlooked. */
static void put_off(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    struct pacl_order_step *step = malloc(sizeof *step);
    if (step == NULL)
        return;
    step->work = *work;
    step->site = site;
    pacl_list_append(&s->steps, &step->link);
    note_record(s, 0, work, NULL);
    if (work->op == PACL_OP_GRAPH)
        pacl_graph_each_task(work, note_record, s);
}

void pacl_order_give(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    if (s->waits)
        put_off(s, work, site);
    else
        settle(s, work, site);
}

/* A wait that had nothing to wait for. */
void pacl_order_pass(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (s != NULL)
        pacl_order_give(s, work, site);
}

void pacl_order_submit(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site)
{
    struct pacl_order_stream *s = pacl_order_stream_of(stream);
    if (s != NULL)
        s->submitted_last = pacl_clock_of(s->slot)->tick; /* a record begins the next */
    pacl_order_pass(stream, work, site);
}

static void withdraw_graph(const struct pacl_order_stream *s, const struct pacl_work *work)
{
    PACL_LIST_EACH(node, &s->steps)
    {
        struct pacl_order_step *step = PACL_CONTAINER(node, struct pacl_order_step, link);
        if (step->work.op != PACL_OP_GRAPH || step->work.graph.execution != work->graph.execution)
            continue;
        pacl_list_remove(&step->link);
        free(step);
        return;
    }
    pacl_execution_end(work);
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
    if (s != NULL && work->op == PACL_OP_GRAPH)
        withdraw_graph(s, work);
    if (s == NULL || (work->op != PACL_OP_COPY && work->op != PACL_OP_FILL_BYTES && work->op != PACL_OP_FILL_WORDS &&
                      work->op != PACL_OP_GRAPH))
        return;
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    pacl_host_learn(&moment);
    pacl_moment_drop(&moment);
}

bool pacl_order_cares_for_end(const struct pacl_work *work)
{
    return work->op == PACL_OP_WAIT || work->op == PACL_OP_HOST_FUNCTION || work->op == PACL_OP_NOTIFY_WAIT ||
           work->op == PACL_OP_VALUE_WAIT || work->op == PACL_OP_GRAPH;
}

static void end_notify_wait(struct pacl_order_stream *s, const struct pacl_work *work, bool succeeded)
{
    struct pacl_knowledge **known = notify_of(work->notify.notify);
    if (pacl_load_relaxed(&work->notify.notify->sharing.id) != 0)
        pacl_clock_learn_all(s->slot); /* another process may have passed on any order */
    else if (succeeded && known != NULL)
        pacl_clock_learn_known(s->slot, *known);
    pacl_order_end_wait(s);
}

/* A cell may be changed by any task, by the host, by another process: what the value stands for is not known, so
 * everything that was submitted counts. */
static void end_value_wait(struct pacl_order_stream *s, bool succeeded)
{
    if (succeeded)
        pacl_clock_learn_all(s->slot);
    pacl_order_end_wait(s);
}

static void drop_host_function(struct pacl_stream *stream)
{
    uint32_t lane = 0;
    const struct pacl_list *functions = functions_of(stream, &lane);
    drop_function(find_function(functions, lane, NULL));
}

/* A wait that ended although its record is not known ran out of time, or was dropped. */
void pacl_order_finish(struct pacl_stream *stream, const struct pacl_work *work, bool succeeded)
{
    if (work->op == PACL_OP_HOST_FUNCTION)
        drop_host_function(stream);
    if (work->op == PACL_OP_GRAPH)
        pacl_execution_end(work);
    struct pacl_order_stream *s = stream->inner ? pacl_execution_running_lane(stream) : pacl_order_stream_of(stream);
    if (s == NULL)
        return;
    if (s->waits && s->wait.op == work->op && work->op == PACL_OP_NOTIFY_WAIT)
        end_notify_wait(s, work, succeeded);
    else if (s->waits && s->wait.op == work->op && work->op == PACL_OP_VALUE_WAIT)
        end_value_wait(s, succeeded);
    else if (s->waits && s->wait.op == work->op && s->wait.event.event == work->event.event &&
             s->wait.event.record == work->event.record)
        pacl_order_end_wait(s);
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
static void drop_callbacks(struct pacl_list *functions, struct pacl_order_function *upto)
{
    PACL_LIST_EACH(node, functions)
    {
        struct pacl_order_function *f = PACL_CONTAINER(node, struct pacl_order_function, link);
        if (f->callback != NULL)
            drop_function(f);
        if (f == upto)
            return;
    }
}

static void push_call(const struct pacl_order_call *call)
{
    struct pacl_order_call *own = pacl_order_self.unknown == 0 ? malloc(sizeof *own) : NULL;
    if (own == NULL) {
        pacl_order_self.unknown++;
        return;
    }
    *own = *call;
    pacl_order_self.call = own;
}

/* The program may tell any thread from here on that what stands before the function is done. */
void pacl_order_host_function_begins(struct pacl_stream *stream, const struct pacl_work *work)
{
    const struct pacl_callback *callback = work->op == PACL_OP_CALLBACK ? work->callback.callback : NULL;
    struct pacl_order_call call = { .outer = pacl_order_self.call,
                                    .subscribed = callback != NULL,
                                    .queued_by = work->call };
    uint32_t lane = 0;
    struct pacl_list *functions = functions_of(stream, &lane);
    struct pacl_order_function *f = find_function(functions, lane, callback);
    if (f != NULL) {
        pacl_host_learn(&f->moment);
        call.at = f->moment.at;
        call.run = f->run;
        call.queued_at = f->site;
    } else {
        pacl_host_learn_all();
    }
    if (callback == NULL || pacl_callback_is_blocking(callback)) /* else what stands behind it may run beside it */
        call.runs_for = stream;
    if (f != NULL && callback != NULL)
        drop_callbacks(functions, f);
    push_call(&call);
}

void pacl_order_host_function_ends(void)
{
    struct pacl_order_call *call = pacl_order_self.call;
    if (pacl_order_self.unknown > 0) {
        pacl_order_self.unknown--;
        return;
    }
    pacl_order_self.call = call->outer;
    free(call);
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
        pacl_order_end_wait(s);
    pacl_order_drop_functions(&s->host_functions);
    struct pacl_moment moment = pacl_clock_mark(s->slot);
    pacl_host_learn(&moment);
    pacl_moment_drop(&moment);
    pacl_clock_begin(s->slot, NULL);
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

bool pacl_order_has_pending(struct pacl_stream *stream)
{
    const struct pacl_order_stream *s = pacl_order_stream_of(stream);
    return s != NULL && !pacl_host_knows((struct pacl_tick){ .slot = s->slot, .tick = s->submitted_last });
}

void pacl_order_each_waiting(pacl_order_stream_fn *tell, void *context)
{
    PACL_LIST_EACH(node, &waiting)
    {
        tell(context, PACL_CONTAINER(node, struct pacl_order_stream, in_waiting));
    }
}
