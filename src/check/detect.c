/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges tasks and calls by their order: stream-race, use-after-free, uninitialized-read, and host-race for copies that
 * a call makes in the calling thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "check/checker.h"
#include "check/execution.h"
#include "check/host.h"
#include "check/ledger.h"
#include "check/observers.h"
#include "check/order.h"
#include "check/region.h"
#include "core/context.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/touch.h"

/* --- findings ---------------------------------------------------------------------------------------------------- */

static void add_execution(struct pacl_check_access *access, const struct pacl_run *run)
{
    if (run == NULL)
        return;
    access->graph = run->graph;
    access->executed_by = run->call;
    access->executed = run->site;
}

static struct pacl_check_access access_of_past(const struct pacl_past *past)
{
    struct pacl_check_access access = { .call = past->call,
                                        .writes = past->writes,
                                        .on_stream = true,
                                        .stream = past->stream,
                                        .base = (const void *)(uintptr_t)past->box.at,
                                        .pitch = past->box.pitch,
                                        .width = past->box.width,
                                        .height = past->box.height,
                                        .site = past->site };
    add_execution(&access, past->run);
    return access;
}

/* Who touches memory now: a task of a stream, or the calling thread. */
struct toucher {
    const struct pacl_order_stream *stream; /* NULL: this thread */
    const char *call;
    const struct pacl_site *site;
    bool quiet; /* what synchronizes through memory does not race */
};

static struct pacl_check_access access_of(const struct toucher *by, const struct pacl_box *box, bool writes)
{
    struct pacl_check_access access = { .call = by->call,
                                        .writes = writes,
                                        .on_stream = by->stream != NULL,
                                        .stream = by->stream != NULL ? by->stream->id : 0,
                                        .thread = by->stream != NULL ? 0 : (uint32_t)gettid(),
                                        .base = (const void *)(uintptr_t)box->at,
                                        .pitch = box->pitch,
                                        .width = box->width,
                                        .height = box->height,
                                        .site = by->site };
    add_execution(&access, by->stream != NULL ? by->stream->run : NULL);
    return access;
}

enum { NAME_MAX_BYTES = 128 };

/* "CALL on stream 1", "CALL in graph 2 on stream 1". */
static const char *name_of(const struct pacl_check_access *access, char *text)
{
    if (access->graph != 0)
        snprintf(text, NAME_MAX_BYTES, "%s in graph %u on stream %u", access->call, access->graph, access->stream);
    else
        snprintf(text, NAME_MAX_BYTES, "%s on stream %u", access->call, access->stream);
    return text;
}

static struct pacl_box box_of(const struct pacl_touch *touch)
{
    return (struct pacl_box){ .at = (uintptr_t)touch->at,
                              .pitch = touch->height == 1 ? touch->width : touch->pitch,
                              .width = touch->width,
                              .height = touch->height };
}

static const char *verb(bool writes)
{
    return writes ? "writes" : "reads";
}

/* Streams of a graph have the numbers of aclmdlRIDebugJsonPrint. */
static void say_missing_edge(struct pacl_check_finding *f, const struct toucher *by, const struct pacl_past *past)
{
    const uint32_t stream = by->stream->id;
    if (past->run != NULL && past->run == by->stream->run)
        pacl_check_say_missing(
            f,
            "no event within graph %u from its stream %u to its stream %u (0 is the one on which the "
            "capture began)",
            past->run->graph, past->lane, by->stream->lane);
    else
        pacl_check_say_missing(
            f, "no event from stream %u to stream %u, and the host did not wait for stream %u in between%s",
            past->stream, stream, past->stream,
            by->stream->is_default != past->on_default_stream ? "; the default stream is ordered with no other stream"
                                                              : "");
}

static void say_stream_race(const struct toucher *by, const struct pacl_past *past, const struct pacl_box *box,
                            bool writes, const struct pacl_common_byte *first, const struct pacl_check_region *region)
{
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_STREAM_RACE);
    char own[NAME_MAX_BYTES], other[NAME_MAX_BYTES];
    if (f == NULL)
        return;
    f->access[0] = access_of(by, box, writes);
    f->access[1] = access_of_past(past);
    if (past->run != NULL && past->run == by->stream->run)
        snprintf(other, sizeof other, "%s in another branch of the graph", past->call);
    else
        (void)name_of(&f->access[1], other);
    pacl_check_say(f, "%s %s bytes that %s %s, and nothing orders the two", name_of(&f->access[0], own), verb(writes),
                   other, verb(past->writes));
    say_missing_edge(f, by, past);
    f->common = (const void *)(uintptr_t)first->address;
    f->memory = pacl_check_region_says(region);
}

/* A call that touches the memory itself: pinned memory is the host's, so the call races as host code would. */
static void say_host_race(const struct toucher *by, const struct pacl_past *past, const struct pacl_box *box,
                          bool writes, const struct pacl_common_byte *first, const struct pacl_check_region *region)
{
    const bool is_host = region->is.memory != PACL_MEMORY_DEVICE;
    struct pacl_check_finding *f = pacl_checker_find(is_host ? PACL_CHECK_HOST_RACE : PACL_CHECK_STREAM_RACE);
    char other[NAME_MAX_BYTES];
    if (f == NULL)
        return;
    f->access[0] = access_of(by, box, writes);
    f->access[1] = access_of_past(past);
    pacl_check_say(f, "%s %s bytes that %s %s, and nothing has ordered the two", by->call, verb(writes),
                   name_of(&f->access[1], other), verb(past->writes));
    pacl_check_say_missing(f, "no synchronization of the host with stream %u since %s was submitted there",
                           past->stream, past->run != NULL ? past->run->call : past->call);
    f->common = (const void *)(uintptr_t)first->address;
    f->memory = pacl_check_region_says(region);
}

static void say_uninitialized(const struct toucher *by, const struct pacl_box *box, uint64_t missing,
                              const struct pacl_check_region *region)
{
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_UNINITIALIZED_READ);
    if (f == NULL)
        return;
    pacl_check_say(f, "%s reads bytes of %s that nothing has written; the first is byte %llu of the allocation",
                   by->call, pacl_memory_name(region->is.memory), (unsigned long long)missing);
    f->access[0] = access_of(by, box, false);
    f->common = region->is.base + missing;
    f->memory = pacl_check_region_says(region);
}

/* --- races ------------------------------------------------------------------------------------------------------- */

struct comparison {
    const struct toucher *by;
    const struct pacl_check_region *region;
    const struct pacl_box *box;
    const struct pacl_knowledge *known; /* of the task's stream */
    bool writes;
    bool only_ask, races;
};

/* What is queued behind a host function that runs in this thread comes after whatever the function does. Of a graph's the
 * other executions do not overlap either. */
static bool is_behind(const struct pacl_past *past, const struct pacl_order_call *call)
{
    if (call->runs_for == NULL || call->at.tick == 0)
        return false;
    if (pacl_runs_exclude(past->run, call->run))
        return true;
    return past->when.slot == call->at.slot ? past->when.tick > call->at.tick : pacl_knows(past->known, call->at);
}

static bool is_behind_host_function(const struct pacl_past *past)
{
    const struct pacl_order_call *call = pacl_order_self.call;
    while (call != NULL && !is_behind(past, call))
        call = call->outer;
    return call != NULL;
}

static bool is_ordered(const struct comparison *c, const struct pacl_past *past)
{
    if (pacl_host_knows(past->when))
        return true;
    if (c->by->stream != NULL)
        return past->when.slot == c->by->stream->slot || pacl_runs_exclude(past->run, c->by->stream->run) ||
               pacl_knows(c->known, past->when);
    return is_behind_host_function(past);
}

static void compare(void *context, struct pacl_past *past)
{
    struct comparison *c = context;
    struct pacl_common_byte first;
    if ((!c->writes && !past->writes) || is_ordered(c, past) || !pacl_boxes_overlap(c->box, &past->box, &first))
        return;
    c->races = true;
    if (c->only_ask)
        return;
    if (c->by->stream != NULL)
        say_stream_race(c->by, past, c->box, c->writes, &first, c->region);
    else
        say_host_race(c->by, past, c->box, c->writes, &first, c->region);
}

static void look_for_races(const struct toucher *by, const struct pacl_check_region *region, const struct pacl_box *box,
                           bool writes)
{
    struct comparison c = { .by = by, .region = region, .box = box, .writes = writes };
    if (by->quiet || region->history.count == 0)
        return;
    if (by->stream != NULL)
        c.known = pacl_clock_of(by->stream->slot)->known;
    pacl_history_each(&region->history, box->at, pacl_box_end(box), compare, &c);
}

/* --- tasks and calls --------------------------------------------------------------------------------------------- */

static void look_for_unwritten(const struct toucher *by, const struct pacl_check_region *region,
                               const struct pacl_box *box)
{
    struct pacl_box inside = *box;
    uint64_t missing;
    inside.at -= (uintptr_t)region->is.base;
    if (!region->written.all && !pacl_written_covers(&region->written, &inside, &missing))
        say_uninitialized(by, box, missing, region);
}

static void note_written(struct pacl_check_region *region, const struct pacl_box *box)
{
    struct pacl_box inside = *box;
    inside.at -= (uintptr_t)region->is.base;
    pacl_written_add(&region->written, &inside, region->is.size);
}

/* The task's access can race with what comes later. */
static void remember(const struct toucher *by, struct pacl_check_region *region, const struct pacl_box *box,
                     bool writes)
{
    const struct pacl_clock *clock = pacl_clock_of(by->stream->slot);
    const struct pacl_past past = { .box = *box,
                                    .when = { .slot = by->stream->slot, .tick = clock->tick },
                                    .known = clock->known,
                                    .site = by->site,
                                    .call = by->call,
                                    .run = by->stream->run,
                                    .lane = by->stream->lane,
                                    .stream = by->stream->id,
                                    .writes = writes,
                                    .on_default_stream = by->stream->is_default };
    pacl_history_add(&region->history, &past);
}

static bool is_inside(const struct pacl_check_region *region, const struct pacl_box *box)
{
    const uint64_t offset = box->at - (uintptr_t)region->is.base;
    return offset < region->is.size && pacl_box_end(box) - (uintptr_t)region->is.base <= region->is.size;
}

static void judge(void *context, const struct pacl_touch *touch)
{
    const struct toucher *by = context;
    if (touch->width == 0 || touch->height == 0)
        return;
    const struct pacl_box box = box_of(touch);
    struct pacl_check_region *region = pacl_check_region_find(touch->at);
    if (region == NULL || !is_inside(region, &box))
        return;
    if (!touch->orders)
        look_for_races(by, region, &box, touch->writes);
    if (touch->writes)
        note_written(region, &box);
    else
        look_for_unwritten(by, region, &box);
    if (by->stream != NULL && !by->quiet && !touch->orders)
        remember(by, region, &box, touch->writes);
}

static void say_overlap(const struct toucher *by, const struct pacl_work *work)
{
    const struct pacl_touch dst_touch = {
        .at = work->copy.dst, .pitch = work->copy.dst_pitch, .width = work->copy.width, .height = work->height
    };
    const struct pacl_touch src_touch = {
        .at = work->copy.src, .pitch = work->copy.src_pitch, .width = work->copy.width, .height = work->height
    };
    const struct pacl_box dst = box_of(&dst_touch), src = box_of(&src_touch);
    struct pacl_common_byte first;
    if (!pacl_boxes_overlap(&dst, &src, &first))
        return;
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_SHAPE);
    if (f == NULL)
        return;
    pacl_check_say(
        f, "%s copies between rectangles that share bytes: defined here, row after row, and undefined on an NPU",
        by->call);
    f->access[0] = access_of(by, &dst, true);
    f->access[1] = access_of(by, &src, false);
    f->common = (const void *)(uintptr_t)first.address;
}

static void judge_work(const struct toucher *by, const struct pacl_work *work)
{
    pacl_work_touches(work, judge, (void *)(uintptr_t)by);
    if (work->op == PACL_OP_COPY)
        say_overlap(by, work);
}

/* Waits and writes of values in memory are order themselves. */
static bool is_quiet(const struct pacl_work *work)
{
    return work->op == PACL_OP_VALUE_WRITE || work->op == PACL_OP_VALUE_WAIT;
}

/* True for work that may write where nothing tells: what is written is not known any more. */
static bool writes_anywhere(const struct pacl_work *work)
{
    switch (work->op) {
    case PACL_OP_COPY:
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
    case PACL_OP_FAULT:
    case PACL_OP_REDUCE:
    case PACL_OP_VALUE_WRITE:
        return false;
    default: /* copies whose addresses lie in memory, functions in place of kernels */
        return true;
    }
}

static void forget_unwritten(void *unused, struct pacl_check_region *region)
{
    (void)unused;
    if (!region->written.all)
        pacl_written_set_all(&region->written);
}

void pacl_order_settled(struct pacl_order_stream *stream, const struct pacl_work *work, const struct pacl_site *site)
{
    const struct toucher by = { .stream = stream, .call = work->call, .site = site, .quiet = is_quiet(work) };
    judge_work(&by, work);
    if (writes_anywhere(work))
        pacl_check_region_each(forget_unwritten, NULL);
}

/* --- memory that has ended ---------------------------------------------------------------------------------------- */

/* A graph holds the blocks that it names, so that nobody else gets their addresses: what is there no more was freed behind
 * the capture. */
static void look_for_freed(void *context, const struct pacl_touch *touch)
{
    const struct toucher *by = context;
    const struct pacl_place place = pacl_place_of(touch->at);
    const bool lives = (size_t)(touch->at - place.base) < place.size;
    struct pacl_check_memory memory;
    if (lives || touch->width == 0 || touch->height == 0 || !pacl_ledger_ended_memory(touch->at, &memory))
        return;
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_USE_AFTER_FREE);
    if (f == NULL)
        return;
    const struct pacl_box box = box_of(touch);
    pacl_check_say(f, "%s on stream %u executes a graph whose %s %s %s that was %s before", by->call, by->stream->id,
                   touch->captured, verb(touch->writes), memory.kind,
                   place.memory == PACL_MEMORY_PAGEABLE ? "unregistered" : "freed");
    f->access[0] = access_of(by, &box, touch->writes);
    f->memory = memory;
}

static void check_graph(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site)
{
    const struct toucher by = { .stream = pacl_order_stream_of(stream), .call = work->call, .site = site };
    if (work->op == PACL_OP_GRAPH && by.stream != NULL)
        pacl_work_touches(work, look_for_freed, (void *)(uintptr_t)&by);
}

/* --- the end of memory ------------------------------------------------------------------------------------------- */

struct ending {
    const struct pacl_check_region *region;
    const char *call;
    const struct pacl_site *site;
};

static void say_freed(const struct ending *e, const struct pacl_check_access *used)
{
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_USE_AFTER_FREE);
    char name[NAME_MAX_BYTES];
    if (f == NULL)
        return;
    pacl_check_say(f, "%s takes away %s that %s still %s", e->call, pacl_check_region_says(e->region).kind,
                   name_of(used, name), verb(used->writes));
    pacl_check_say_missing(f, "no synchronization of the host with stream %u since %s was submitted there",
                           used->stream, used->graph != 0 ? used->executed_by : used->call);
    f->access[0] =
        (struct pacl_check_access){ .call = e->call, .writes = true, .thread = (uint32_t)gettid(), .site = e->site };
    f->access[1] = *used;
    f->memory = pacl_check_region_says(e->region);
    f->memory.freed = e->site;
}

static void end_past(void *context, struct pacl_past *past)
{
    const struct pacl_check_access used = access_of_past(past);
    if (!pacl_host_knows(past->when) && !is_behind_host_function(past))
        say_freed(context, &used);
}

/* Tasks that are not settled have left no past yet. */
struct step_end {
    const struct ending *ending;
    const struct pacl_order_stream *stream;
    const struct pacl_order_step *step;
};

static void end_step_touch(void *context, const struct pacl_touch *touch)
{
    const struct step_end *s = context;
    const struct pacl_region *is = &s->ending->region->is;
    if ((size_t)(touch->at - is->base) >= is->size)
        return;
    const struct toucher by = { .stream = s->stream, .call = s->step->work.call, .site = s->step->site };
    const struct pacl_box box = box_of(touch);
    const struct pacl_check_access used = access_of(&by, &box, touch->writes);
    say_freed(s->ending, &used);
}

static void end_steps(void *context, struct pacl_order_stream *stream)
{
    PACL_LIST_EACH(node, &stream->steps)
    {
        const struct pacl_order_step *step = PACL_CONTAINER(node, struct pacl_order_step, link);
        struct step_end s = { .ending = context, .stream = stream, .step = step };
        pacl_work_touches(&step->work, end_step_touch, &s);
    }
}

static void end_memory(const struct pacl_region *is)
{
    const struct pacl_site *site = pacl_site_capture();
    pacl_checker_lock();
    struct pacl_check_region *region = pacl_check_region_at(is->base);
    if (region != NULL) {
        struct ending ending = { .region = region, .call = pacl_self.call, .site = site };
        pacl_history_each(&region->history, 0, UINT64_MAX, end_past, &ending);
        pacl_order_each_waiting(end_steps, &ending);
        pacl_check_region_free(region);
    }
    pacl_checker_unlock();
}

static void begin_memory(const struct pacl_region *is)
{
    const struct pacl_site *site = pacl_site_capture();
    pacl_checker_lock();
    (void)pacl_check_region_add(is, site);
    pacl_checker_unlock();
}

/* --- what the runtime tells -------------------------------------------------------------------------------------- */

/* The rule of pinned memory's copies in the calling thread: they are the host's accesses. */
static void now_begins(const struct pacl_work *work)
{
    const struct toucher by = { .call = work->call, .site = pacl_site_capture() };
    pacl_checker_lock();
    judge_work(&by, work);
    pacl_checker_unlock();
}

/* A stream that waits for its own record is in order anyhow. */
static void say_redundant_wait(struct pacl_stream *stream, const struct pacl_work *work, const struct pacl_site *site)
{
    if (work->op != PACL_OP_WAIT || !pacl_order_is_own_record(stream, work))
        return;
    struct pacl_check_finding *f = pacl_checker_find(PACL_CHECK_SHAPE);
    if (f == NULL)
        return;
    pacl_check_say(f,
                   "%s is redundant: stream %u waits for an event that it recorded itself, and its tasks run in order",
                   work->call, stream->id);
    f->access[0] =
        (struct pacl_check_access){ .call = work->call, .on_stream = true, .stream = stream->id, .site = site };
}

static void submitted(struct pacl_stream *stream, const struct pacl_work *work)
{
    const struct pacl_site *site = pacl_site_capture();
    pacl_checker_lock();
    say_redundant_wait(stream, work, site);
    check_graph(stream, work, site);
    pacl_order_submit(stream, work, site);
    pacl_checker_unlock();
}

static void passed(struct pacl_stream *stream, const struct pacl_work *work)
{
    const struct pacl_site *site = pacl_site_capture();
    pacl_checker_lock();
    say_redundant_wait(stream, work, site);
    pacl_order_pass(stream, work, site);
    pacl_checker_unlock();
}

static void withdrawn(struct pacl_stream *stream, const struct pacl_work *work)
{
    pacl_checker_lock();
    pacl_order_withdraw(stream, work);
    pacl_checker_unlock();
}

static void finished(struct pacl_stream *stream, const struct pacl_work *work, aclError result)
{
    if (!pacl_order_cares_for_end(work))
        return;
    pacl_checker_lock();
    pacl_order_finish(stream, work, result == ACL_SUCCESS);
    pacl_checker_unlock();
}

static void blocked(struct pacl_stream *stream, uint64_t upto, uint64_t deadline_ns)
{
    (void)deadline_ns;
    pacl_checker_lock();
    pacl_order_block(stream, upto);
    pacl_checker_unlock();
}

static void unblocked(struct pacl_stream *stream, uint64_t upto, bool reached)
{
    (void)stream;
    (void)upto;
    if (reached)
        return;
    pacl_checker_lock();
    pacl_order_forget_block();
    pacl_checker_unlock();
}

static void synchronized(struct pacl_stream *stream, uint64_t upto)
{
    pacl_checker_lock();
    pacl_order_synchronize(stream, upto);
    pacl_checker_unlock();
}

static void event_synchronized(struct pacl_event *event, uint64_t record)
{
    pacl_checker_lock();
    pacl_order_synchronize_event(event, record);
    pacl_checker_unlock();
}

static void host_function_begins(struct pacl_stream *stream, const struct pacl_work *work)
{
    pacl_checker_lock();
    pacl_order_host_function_begins(stream, work);
    pacl_checker_unlock();
}

static void host_function_ends(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    (void)work;
    pacl_order_host_function_ends();
}

static void stream_created(struct pacl_stream *stream)
{
    pacl_checker_lock();
    pacl_order_stream_begins(stream);
    pacl_checker_unlock();
}

static void stream_destroyed(struct pacl_stream *stream)
{
    pacl_checker_lock();
    pacl_order_stream_ends(stream);
    pacl_checker_unlock();
}

static void event_created(struct pacl_event *event)
{
    pacl_checker_lock();
    pacl_order_event_begins(event);
    pacl_checker_unlock();
}

static void captured(const void **place)
{
    *place = pacl_site_capture();
}

static void graph_destroyed(struct pacl_graph *graph)
{
    pacl_checker_lock();
    pacl_execution_graph_ends(graph);
    pacl_checker_unlock();
}

static void context_created(struct pacl_context *context)
{
    pacl_checker_lock();
    struct pacl_order_stream *s = pacl_order_stream_of(context->default_stream);
    if (s != NULL)
        s->is_default = true;
    pacl_checker_unlock();
}

static void exiting(void)
{
    pacl_checker_lock();
    const uint64_t forgotten = pacl_history_counts().forgotten;
    pacl_checker_unlock();
    char text[128];
    snprintf(text, sizeof text, "%llu accesses were forgotten for want of room; what races with them is not reported",
             (unsigned long long)forgotten);
    if (forgotten > 0)
        pacl_check_note(text);
}

const struct pacl_observer pacl_check_order = {
    .allocated = begin_memory,
    .registered = begin_memory,
    .freed = end_memory,
    .unregistered = end_memory,
    .submitted = submitted,
    .passed = passed,
    .withdrawn = withdrawn,
    .finished = finished,
    .now_begins = now_begins,
    .blocked = blocked,
    .unblocked = unblocked,
    .synchronized = synchronized,
    .event_synchronized = event_synchronized,
    .host_function_begins = host_function_begins,
    .host_function_ends = host_function_ends,
    .stream_created = stream_created,
    .stream_destroyed = stream_destroyed,
    .event_created = event_created,
    .captured = captured,
    .graph_destroyed = graph_destroyed,
    .context_created = context_created,
    .exiting = exiting,
};

/* --- host code --------------------------------------------------------------------------------------------------- */

static bool host_access(const void *address, size_t size, bool writes, const struct pacl_site *site, bool only_ask)
{
    const struct toucher by = { .call = "host code", .site = site };
    const struct pacl_box box = { .at = (uintptr_t)address, .pitch = size, .width = size, .height = 1 };
    struct comparison c = { .by = &by, .box = &box, .writes = writes, .only_ask = only_ask };
    pacl_checker_lock();
    struct pacl_check_region *region = size > 0 ? pacl_check_region_find(address) : NULL;
    if (region != NULL) {
        c.region = region;
        pacl_history_each(&region->history, box.at, box.at + size, compare, &c);
    }
    pacl_checker_unlock();
    return c.races;
}

bool pacl_check_host_access(const void *address, size_t size, bool writes, const void *pc)
{
    return host_access(address, size, writes, pc != NULL ? pacl_site_capture_fault(pc) : pacl_site_capture(), false);
}

bool pacl_check_host_access_races(const void *address, size_t size, bool writes)
{
    return host_access(address, size, writes, NULL, true);
}

struct flights {
    pacl_check_flight_fn *tell;
    void *context;
    const uint8_t *from;
    uint64_t low, high;
};

static void tell_flight(void *context, struct pacl_past *past)
{
    const struct flights *f = context;
    if (pacl_host_knows(past->when))
        return;
    const struct pacl_check_flight flight = { .at = (const uint8_t *)(uintptr_t)past->box.at,
                                              .pitch = past->box.pitch,
                                              .width = past->box.width,
                                              .height = past->box.height,
                                              .writes = past->writes };
    f->tell(f->context, &flight);
}

static void tell_region_flights(void *context, struct pacl_check_region *region)
{
    const struct flights *f = context;
    const uint64_t base = (uintptr_t)region->is.base;
    if (region->is.memory != PACL_MEMORY_DEVICE && base < f->high && f->low < base + region->is.size)
        pacl_history_each(&region->history, f->low, f->high, tell_flight, context);
}

void pacl_check_each_flight(const void *from, size_t bytes, pacl_check_flight_fn *tell, void *context)
{
    struct flights f = { .tell = tell, .context = context, .low = (uintptr_t)from, .high = (uintptr_t)from + bytes };
    pacl_checker_lock();
    pacl_check_region_each(tell_region_flights, &f);
    pacl_checker_unlock();
}
