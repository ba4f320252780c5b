/* SPDX-License-Identifier: Apache-2.0 */
#include "check/thread_sanitizer.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/atomic.h"
#include "core/observer.h"

/* The sanitizer's functions, from the program or not at all. */
#define WEAK __attribute__((weak))
void *__tsan_get_current_fiber(void) WEAK;

bool pacl_thread_sanitizer_has(uintptr_t instruction)
{
    Dl_info ours, theirs;
    return __tsan_get_current_fiber != NULL && dladdr((void *)(uintptr_t)__tsan_get_current_fiber, &theirs) != 0 &&
           dladdr((void *)instruction, &ours) != 0 && ours.dli_fbase == theirs.dli_fbase;
}

bool pacl_has_thread_sanitizer(void)
{
    return dlsym(RTLD_DEFAULT, "__tsan_init") != NULL;
}

#if defined(__SANITIZE_THREAD__)

const struct pacl_observer *pacl_thread_sanitizer(void)
{
    return NULL;
}

#else

#include "core/arena.h"
#include "core/graph.h"
#include "core/place.h"
#include "core/stream.h"
#include "core/touch.h"

void __tsan_acquire(void *address) WEAK;
void __tsan_release(void *address) WEAK;
void __tsan_read_range_pc(void *address, unsigned long bytes, void *pc) WEAK;
void __tsan_write_range_pc(void *address, unsigned long bytes, void *pc) WEAK;
void *__tsan_create_fiber(unsigned flags) WEAK;
void __tsan_switch_to_fiber(void *fiber, unsigned flags) WEAK;
void __tsan_set_fiber_name(void *fiber, const char *name) WEAK;
void __tsan_ignore_thread_begin(void) WEAK;
void __tsan_ignore_thread_end(void) WEAK;

enum {
    NO_SYNC = 1,       /* a switch to a fiber orders nothing */
    FIBERS_MAX = 2048, /* streams with a fiber; the sanitizer has room for 8,000 threads */
    TICKETS = 4096,
};

/* --- what stands for an order -------------------------------------------------------------------------------------- */

/* From a submission to the run of what was submitted: found by what the work is, because its number is not known yet.
 * Works that share a ticket are ordered more than they are, which hides races and never makes one up. */
static struct {
    _Atomic(void *) pc; /* where it was submitted last */
} tickets[TICKETS];

/* From the end of a stream's tasks to whoever synchronizes with it, and from elsewhere to its next task. */
static void *done_of(struct pacl_stream *stream)
{
    return &stream->done;
}

static void *next_of(struct pacl_stream *stream)
{
    return &stream->tail;
}

static _Atomic(void *) fibers[FIBERS_MAX]; /* by the streams' numbers, kept when a slot is used again */

/* A thread of the program, or of the library. */
static _Thread_local struct {
    unsigned depth; /* public functions that it is in */
    bool ignored;   /* its accesses are the library's own */
    void *pc;       /* where the outermost public function returns to */
    void *relay;    /* a fiber to hand an order from one place to another without taking part in it */
    unsigned callbacks;
} self;

static void set_ignored(bool ignored)
{
    if (ignored && !self.ignored)
        __tsan_ignore_thread_begin();
    if (!ignored && self.ignored)
        __tsan_ignore_thread_end();
    self.ignored = ignored;
}

/* --- accesses -------------------------------------------------------------------------------------------------------- */

struct teller {
    void *pc;
};

/* Device memory is left out: the program cannot touch it, and the sanitizer has no room for its addresses. */
static void tell(void *context, const struct pacl_touch *touch)
{
    void *const pc = ((const struct teller *)context)->pc;
    if (touch->orders || pacl_place_of(touch->at).memory == PACL_MEMORY_DEVICE)
        return;
    for (size_t row = 0; row < touch->height; row++) {
        void *const at = (void *)(uintptr_t)(touch->at + row * touch->pitch);
        if (touch->writes)
            __tsan_write_range_pc(at, touch->width, pc);
        else
            __tsan_read_range_pc(at, touch->width, pc);
    }
}

static void mix(void *hash, const struct pacl_touch *touch)
{
    uint64_t *const sum = hash;
    *sum = (*sum ^ (uintptr_t)touch->at ^ touch->width << 8 ^ touch->height << 32) * UINT64_C(0x9E3779B97F4A7C15);
}

static unsigned ticket_of(const struct pacl_work *work)
{
    uint64_t hash = (uintptr_t)work->call;
    if (work->op == PACL_OP_HOST_FUNCTION)
        hash ^= (uintptr_t)work->host.run ^ (uintptr_t)work->host.argument << 1;
    else if (work->op == PACL_OP_CALLBACK)
        hash ^= (uintptr_t)work->callback.callback;
    pacl_work_touches(work, mix, &hash);
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return (unsigned)(hash >> 32) % TICKETS;
}

/* --- streams as threads ---------------------------------------------------------------------------------------------- */

static void *new_fiber(const char *name, uint32_t number)
{
    char text[32];
    void *const fiber = __tsan_create_fiber(0);
    snprintf(text, sizeof text, "%s %u", name, number);
    __tsan_set_fiber_name(fiber, text);
    return fiber;
}

/* NULL for a stream that has none: what it does is then told of the thread that runs it, without accesses. */
static void *fiber_of(const struct pacl_stream *stream)
{
    if (stream->id >= FIBERS_MAX)
        return NULL;
    void *fiber = pacl_load_acquire(&fibers[stream->id]);
    if (fiber == NULL) { /* only the stream's owner comes here */
        fiber = new_fiber("ACL stream", stream->id);
        pacl_store_release(&fibers[stream->id], fiber);
    }
    return fiber;
}

/* Goes into a fiber, and answers where the thread came from. */
static void *go_into(void *fiber)
{
    void *const from = __tsan_get_current_fiber();
    if (fiber != NULL)
        __tsan_switch_to_fiber(fiber, NO_SYNC);
    return from;
}

static void *relay(void)
{
    if (self.relay == NULL)
        self.relay = new_fiber("ACL call", 0);
    return self.relay;
}

/* --- the points ------------------------------------------------------------------------------------------------------ */

static void entered(const char *call, const void *return_address, const void *frame)
{
    (void)call;
    (void)frame;
    if (self.depth++ == 0) {
        self.pc = (void *)(uintptr_t)return_address;
        set_ignored(true);
    }
}

static void left(const char *call, aclError result)
{
    (void)call;
    (void)result;
    if (self.depth > 0 && --self.depth == 0)
        set_ignored(false);
}

/* Freed memory may be another thread's next, which the sanitizer knows of malloc and not of us. */
static void allocated(const struct pacl_region *region)
{
    if (region->memory == PACL_MEMORY_PINNED)
        __tsan_acquire((void *)(uintptr_t)region->base);
}

static void freed(const struct pacl_region *region)
{
    if (region->memory == PACL_MEMORY_PINNED)
        __tsan_release((void *)(uintptr_t)region->base);
}

static void give_ticket(void *unused, uint32_t lane, const struct pacl_work *work, const void *place)
{
    const unsigned ticket = ticket_of(work);
    (void)unused;
    (void)lane;
    (void)place;
    pacl_store_relaxed(&tickets[ticket].pc, self.pc);
    __tsan_release(&tickets[ticket]);
}

/* The place of a graph's tasks is the call that queued its execution. */
static void submitted(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    give_ticket(NULL, 0, work, NULL);
    if (work->op == PACL_OP_GRAPH)
        pacl_graph_each_task(work, give_ticket, NULL);
}

/* Nothing was queued, so the stream's fiber, which another thread may be in, is told by its next task. */
static void passed(struct pacl_stream *stream, const struct pacl_work *work)
{
    void *const from = go_into(relay());
    if (work->op == PACL_OP_WAIT)
        __tsan_acquire(work->event.event);
    __tsan_release(next_of(stream));
    __tsan_switch_to_fiber(from, NO_SYNC);
}

/* Behind the last tasks of the graph's streams: its end, which let the stream go on, is told later. */
static void follow_graph(const struct pacl_work *work)
{
    const struct pacl_graph *graph = pacl_graph_of(work);
    for (uint32_t i = 0; i < graph->lane_count; i++)
        __tsan_acquire(done_of(graph->lanes[i].stream));
}

static void order(const struct pacl_work *work)
{
    switch (work->op) {
    case PACL_OP_COPY:
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
    case PACL_OP_HOST_FUNCTION:
    case PACL_OP_CALLBACK:
    case PACL_OP_FAULT:
        return;
    case PACL_OP_RECORD:
        __tsan_release(work->event.event);
        return;
    case PACL_OP_WAIT:
    case PACL_OP_GRAPH_JOIN:
        __tsan_acquire(work->event.event);
        return;
    case PACL_OP_GRAPH:
        follow_graph(work);
        return;
    default: /* whatever else waits or lets others go on: all of it is one */
        __tsan_acquire(tickets);
        __tsan_release(tickets);
        return;
    }
}

/* Cells are there to be written and looked at without any other order; a graph's tasks are told one by one. */
static bool has_accesses(const struct pacl_work *work)
{
    return work->op != PACL_OP_VALUE_WRITE && work->op != PACL_OP_VALUE_WAIT && work->op != PACL_OP_GRAPH;
}

/* A task's accesses are told when it has finished and nobody knows of it yet: until then they may be any time. */
static void finished(struct pacl_stream *stream, const struct pacl_work *work, aclError result)
{
    const unsigned ticket = ticket_of(work);
    void *const fiber = fiber_of(stream), *const from = go_into(fiber);
    struct teller teller = { pacl_load_relaxed(&tickets[ticket].pc) };
    __tsan_acquire(&tickets[ticket]);
    __tsan_acquire(next_of(stream));
    if (fiber != NULL && result == ACL_SUCCESS && has_accesses(work))
        pacl_work_touches(work, tell, &teller);
    order(work);
    __tsan_release(done_of(stream));
    if (fiber != NULL)
        __tsan_switch_to_fiber(from, NO_SYNC);
}

/* A graph's streams go on from where the one is that executes it. Nothing of theirs runs yet. */
static void lead_into_graph(struct pacl_stream *stream, const struct pacl_work *work)
{
    const struct pacl_graph *graph = pacl_graph_of(work);
    void *const fiber = fiber_of(stream), *const from = go_into(fiber);
    __tsan_acquire(&tickets[ticket_of(work)]);
    __tsan_acquire(next_of(stream));
    for (uint32_t i = 0; i < graph->lane_count; i++)
        __tsan_release(next_of(graph->lanes[i].stream));
    if (fiber != NULL)
        __tsan_switch_to_fiber(from, NO_SYNC);
}

/* A thread of the library that runs tasks: nothing that it touches is the program's doing. */
static void started(struct pacl_stream *stream, const struct pacl_work *work)
{
    if (self.depth == 0 && self.callbacks == 0)
        set_ignored(true);
    if (work->op == PACL_OP_GRAPH)
        lead_into_graph(stream, work);
}

/* The caller's own work: it is in a public function, where its accesses are ignored. */
static void now_ends(const struct pacl_work *work, aclError result)
{
    struct teller teller = { self.pc };
    const bool ignored = self.ignored;
    if (result != ACL_SUCCESS)
        return;
    set_ignored(false);
    pacl_work_touches(work, tell, &teller);
    set_ignored(ignored);
}

static void host_function_begins(struct pacl_stream *stream, const struct pacl_work *work)
{
    self.callbacks++;
    __tsan_acquire(&tickets[ticket_of(work)]);
    __tsan_acquire(done_of(stream));
    __tsan_acquire(next_of(stream)); /* it may be the first that the stream does after something else */
    set_ignored(false);
}

static void host_function_ends(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)work;
    self.callbacks--;
    set_ignored(self.depth > 0);
    __tsan_release(next_of(stream));
}

static void synchronized(struct pacl_stream *stream, uint64_t upto)
{
    (void)upto;
    __tsan_acquire(done_of(stream));
    __tsan_acquire(next_of(stream)); /* a wait that had nothing to wait for may have been the last call */
}

static void event_synchronized(struct pacl_event *event, uint64_t record)
{
    (void)record;
    __tsan_acquire(event);
}

static const struct pacl_observer observer = {
    .entered = entered,
    .left = left,
    .allocated = allocated,
    .freed = freed,
    .submitted = submitted,
    .passed = passed,
    .started = started,
    .finished = finished,
    .now_ends = now_ends,
    .host_function_begins = host_function_begins,
    .host_function_ends = host_function_ends,
    .synchronized = synchronized,
    .event_synchronized = event_synchronized,
};

const struct pacl_observer *pacl_thread_sanitizer(void)
{
    const bool present = __tsan_acquire != NULL && __tsan_release != NULL && __tsan_read_range_pc != NULL &&
                         __tsan_write_range_pc != NULL && __tsan_get_current_fiber != NULL &&
                         __tsan_create_fiber != NULL && __tsan_switch_to_fiber != NULL &&
                         __tsan_set_fiber_name != NULL && __tsan_ignore_thread_begin != NULL &&
                         __tsan_ignore_thread_end != NULL;
    return present ? &observer : NULL;
}

#endif
