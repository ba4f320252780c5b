/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mistakes that one call shows: wrong bounds, kinds, handles, frees; and what is left at the end. Races and whatever
 * else takes an order of events is found elsewhere.
 */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "check/advice.h"
#include "check/finding.h"
#include "check/leak.h"
#include "check/ledger.h"
#include "check/observers.h"
#include "check/site.h"
#include "check/unchecked.h"
#include "copy/copy.h"
#include "core/context.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/event.h"
#include "core/graph.h"
#include "core/notify.h"
#include "core/observer.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "core/touch.h"

static _Thread_local struct {
    bool named;     /* the present call's mistake is reported: that its error was dropped is not another one */
    bool on_stream; /* the present call is an asynchronous copy on `stream` */
    uint32_t stream;
} self;

/* This call, without a rectangle. */
static struct pacl_check_access present_call(void)
{
    return (struct pacl_check_access){
        .call = pacl_self.call,
        .on_stream = self.on_stream,
        .stream = self.stream,
        .thread = (uint32_t)syscall(SYS_gettid),
        .site = pacl_site_capture(),
    };
}

/* Reports what is the reason of the call's failure. */
static void name(const struct pacl_check_finding *finding)
{
    self.named = true;
    (void)pacl_check_report(finding);
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

static const char *place_name(const struct pacl_place *place)
{
    return place->registered ? "registered host memory" : pacl_memory_name(place->memory);
}

/* The first row that is not inside `avail` bytes and the first byte of it that is not. A row that begins outside is
 * `*behind` bytes away from the end. */
static void first_outside(const struct pacl_touch *touch, size_t avail, size_t *row, size_t *byte, size_t *behind)
{
    *row = touch->height > 1 ? pacl_pitched_first_outside(touch->pitch, touch->width, touch->height, avail) : 0;
    const size_t start = touch->height > 1 ? *row * touch->pitch : 0; /* the rows before it are inside: no wrap */
    *byte = start < avail ? avail - start : 0;
    *behind = start < avail ? 0 : start - avail;
}

static void say_outside(struct pacl_check_finding *finding, const struct pacl_touch *touch,
                        const struct pacl_place *place)
{
    const char *verb = touch->writes ? "writes" : "reads";
    size_t row, byte, behind;
    if (place->memory == PACL_MEMORY_PAGEABLE) {
        pacl_check_say(finding, "%s %s memory that is not mapped, or that runs into what PACL gave out", pacl_self.call,
                       verb);
        return;
    }
    const size_t offset = (size_t)(touch->at - place->base);
    if (offset >= place->size) {
        pacl_check_say(finding, "%s %s %s that is not allocated", pacl_self.call, verb, place_name(place));
        return;
    }
    first_outside(touch, place->size - offset, &row, &byte, &behind);
    pacl_check_say(finding, "%s %s outside of %zu bytes of %s: first in row %zu, byte %zu, %zu bytes past the end",
                   pacl_self.call, verb, place->size, place_name(place), row, byte, behind);
    finding->common = touch->at + (touch->height > 1 ? row * touch->pitch : 0) + byte;
}

/* What was freed before is another mistake than what was never there. */
static void outside(const struct pacl_touch *touch, const struct pacl_place *place)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_OUT_OF_BOUNDS, .access[0] = present_call() };
    struct pacl_check_access *access = &finding.access[0];
    access->writes = touch->writes;
    access->base = touch->at;
    access->pitch = touch->pitch;
    access->width = touch->width;
    access->height = touch->height;
    if (place->memory != PACL_MEMORY_PAGEABLE && place->size == 0 &&
        pacl_ledger_ended_memory(touch->at, &finding.memory)) {
        finding.kind = PACL_CHECK_USE_AFTER_FREE;
        pacl_check_say(&finding, "%s %s %s that was freed before", pacl_self.call, touch->writes ? "writes" : "reads",
                       finding.memory.kind);
    } else {
        say_outside(&finding, touch, place);
        if (place->size > 0)
            (void)pacl_ledger_memory(place->base, &finding.memory);
    }
    name(&finding);
}

/* --- frees ------------------------------------------------------------------------------------------------------- */

/* Why `p` is nothing that the call frees. */
static void say_invalid(struct pacl_check_finding *finding, const void *p, enum pacl_memory wanted, bool registered)
{
    const struct pacl_place place = pacl_place_of(p);
    const char *const call = pacl_self.call;
    const bool is_block = place.size > 0 && (size_t)((const uint8_t *)p - place.base) < place.size;
    if (registered)
        pacl_check_say(finding, "%s gets %p, which is not the start of a registered range", call, p);
    else if (place.registered)
        pacl_check_say(finding, "%s gets registered host memory; aclrtHostUnregister ends that", call);
    else if (is_block && place.memory != wanted)
        pacl_check_say(finding, "%s gets %s; %s frees it", call, pacl_memory_name(place.memory),
                       place.memory == PACL_MEMORY_DEVICE ? "aclrtFree" : "aclrtFreeHost");
    else if (is_block)
        pacl_check_say(finding, "%s gets a pointer %zu bytes inside of a block; only its start can be freed", call,
                       (size_t)((const uint8_t *)p - place.base));
    else
        pacl_check_say(finding, "%s gets %p, which is not %s that PACL gave out", call, p, pacl_memory_name(wanted));
    if (is_block)
        (void)pacl_ledger_memory(p, &finding->memory);
}

static void free_refused(const void *p, enum pacl_memory wanted, bool registered)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_INVALID_FREE, .access[0] = present_call() };
    struct pacl_owned owned;
    const bool lives = pacl_ledger_find((uintptr_t)p, &owned);
    if (!lives && pacl_ledger_find_ended((uintptr_t)p, &owned) && owned.size > 0) {
        finding.kind = PACL_CHECK_DOUBLE_FREE;
        finding.memory = pacl_owned_memory(&owned);
        pacl_check_say(&finding, "%s gets %s that %s took already", pacl_self.call, finding.memory.kind,
                       owned.ended_by);
    } else {
        say_invalid(&finding, p, wanted, registered);
    }
    name(&finding);
}

/* --- handles ----------------------------------------------------------------------------------------------------- */

/* The stream lives, and belongs elsewhere. */
static void say_foreign(struct pacl_check_finding *finding, const void *handle)
{
    const struct pacl_stream *stream = pacl_pool_find(&pacl_streams, handle);
    const struct pacl_context *current = pacl_self.ctx;
    if (stream != NULL && current != NULL)
        pacl_check_say(finding,
                       "%s gets stream %u of another context (on device %d) than this thread's current one (on device "
                       "%d)",
                       pacl_self.call, stream->id, stream->device->id, current->device->id);
    else
        pacl_check_say(finding, "%s gets a stream of another context than this thread's current one", pacl_self.call);
}

static void handle_refused(const void *handle, bool foreign)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_INVALID_HANDLE, .access[0] = present_call() };
    const uintptr_t key = (uintptr_t)handle;
    struct pacl_owned owned;
    if (foreign) {
        say_foreign(&finding, handle);
        if (pacl_ledger_find(key, &owned))
            finding.memory = pacl_owned_memory(&owned);
    } else if (pacl_ledger_find(key, &owned)) {
        finding.memory = pacl_owned_memory(&owned);
        pacl_check_say(&finding, "%s gets the handle of another kind of object, %s %p", pacl_self.call,
                       finding.memory.kind, handle);
    } else if (pacl_ledger_find_ended(key, &owned)) {
        finding.memory = pacl_owned_memory(&owned);
        pacl_check_say(&finding, "%s gets a handle that %s made invalid, of %s %s", pacl_self.call, owned.ended_by,
                       owned.kind == PACL_OWNED_EVENT ? "an" : "a", finding.memory.kind);
    } else if (pacl_pool_find(&pacl_notifies, handle) != NULL || pacl_pool_find(&pacl_physicals, handle) != NULL) {
        pacl_check_say(&finding, "%s gets the handle of another kind of object, %p", pacl_self.call, handle);
    } else {
        pacl_check_say(&finding, "%s gets %p, which never was a handle in this process", pacl_self.call, handle);
    }
    name(&finding);
}

/* --- kinds ------------------------------------------------------------------------------------------------------- */

static const char *kind_name(aclrtMemcpyKind kind)
{
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
        return "ACL_MEMCPY_HOST_TO_HOST";
    case ACL_MEMCPY_HOST_TO_DEVICE:
        return "ACL_MEMCPY_HOST_TO_DEVICE";
    case ACL_MEMCPY_DEVICE_TO_HOST:
        return "ACL_MEMCPY_DEVICE_TO_HOST";
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
        return "ACL_MEMCPY_DEVICE_TO_DEVICE";
    default:
        return NULL; /* special kinds say more than a direction */
    }
}

static enum pacl_direction direction_of(aclrtMemcpyKind kind)
{
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
        return PACL_H2H;
    case ACL_MEMCPY_HOST_TO_DEVICE:
        return PACL_H2D;
    case ACL_MEMCPY_DEVICE_TO_HOST:
        return PACL_D2H;
    default:
        return PACL_D2D;
    }
}

static void check_kind(const struct pacl_copy_ask *ask)
{
    static const char *const directions[] = { "host to host", "host to device", "device to host", "device to device" };
    /* A host that is its own device has only one kind of memory. */
    if (kind_name(ask->kind) == NULL || ask->direction == PACL_NO_DIRECTION || pacl_runtime()->product.runs_on_device ||
        direction_of(ask->kind) == ask->direction)
        return;
    struct pacl_check_finding finding = { .kind = PACL_CHECK_WRONG_KIND, .access[0] = present_call() };
    struct pacl_check_access *access = &finding.access[0];
    access->writes = true;
    access->base = ask->rect->dst;
    access->pitch = ask->rect->dst_pitch;
    access->width = ask->rect->width;
    access->height = ask->rect->height;
    pacl_check_say(&finding, "%s is given %s, but the addresses go from %s; the runtime follows the addresses",
                   pacl_self.call, kind_name(ask->kind), directions[ask->direction]);
    (void)pacl_ledger_memory(ask->dst->size > 0 ? ask->rect->dst : ask->rect->src, &finding.memory);
    (void)pacl_check_report(&finding);
}

static void copy_asked(const struct pacl_copy_ask *ask)
{
    self.on_stream = ask->stream != NULL;
    self.stream = ask->stream != NULL ? ask->stream->id : 0;
    if (pacl_check_wants(PACL_CHECK_WRONG_KIND))
        check_kind(ask);
    pacl_advice_copy_asked(ask);
}

/* --- the end ----------------------------------------------------------------------------------------------------- */

static void finalized(void)
{
    pacl_leaks_report("aclFinalize");
}

static void exiting(void)
{
    pacl_leaks_report_at_exit();
    pacl_unchecked_report();
    pacl_advice_report();
}

/* --- what there is ----------------------------------------------------------------------------------------------- */

static void entered(const char *call, const void *return_address, const void *frame)
{
    (void)return_address;
    (void)frame;
    self.on_stream = false;
    self.named = false;
    pacl_unchecked_entered(call);
}

static void left(const char *call, aclError result)
{
    pacl_advice_left(result);
    if (!self.named)
        pacl_unchecked_left(call, result);
}

static void begin_region(const struct pacl_region *region)
{
    const enum pacl_owned_kind kind = region->registered                     ? PACL_OWNED_REGISTERED_MEMORY
                                      : region->memory == PACL_MEMORY_DEVICE ? PACL_OWNED_DEVICE_MEMORY
                                                                             : PACL_OWNED_PINNED_MEMORY;
    pacl_ledger_begin(kind, (uintptr_t)region->base, region->size, 0);
}

static void end_region(const struct pacl_region *region)
{
    pacl_ledger_end((uintptr_t)region->base);
}

/* Before the object has its handle: the number that it will have. */
static uintptr_t next_handle(enum pacl_kind kind, const struct pacl_object *object)
{
    return (uintptr_t)pacl_handle_value(kind, object->generation + 1, object->index);
}

/* After it lost its handle, and before it can get another. */
static uintptr_t last_handle(enum pacl_kind kind, const struct pacl_object *object)
{
    return (uintptr_t)pacl_handle_value(kind, object->generation, object->index);
}

/* Default streams and primary contexts are not the program's to destroy. */
static void stream_created(struct pacl_stream *stream)
{
    if (stream->counted)
        pacl_ledger_begin(PACL_OWNED_STREAM, next_handle(PACL_KIND_STREAM, &stream->object), 0, stream->id);
}

static void stream_destroyed(struct pacl_stream *stream)
{
    pacl_ledger_end(last_handle(PACL_KIND_STREAM, &stream->object));
}

static void event_created(struct pacl_event *event)
{
    pacl_ledger_begin(PACL_OWNED_EVENT, next_handle(PACL_KIND_EVENT, &event->object), 0, 0);
}

static void event_destroyed(struct pacl_event *event)
{
    pacl_ledger_end(last_handle(PACL_KIND_EVENT, &event->object));
}

static void context_created(struct pacl_context *context)
{
    if (!context->primary)
        pacl_ledger_begin(PACL_OWNED_CONTEXT, next_handle(PACL_KIND_CONTEXT, &context->object), 0, 0);
}

static void context_destroyed(struct pacl_context *context)
{
    pacl_ledger_end(last_handle(PACL_KIND_CONTEXT, &context->object));
}

static void notify_created(struct pacl_notify *notify)
{
    pacl_ledger_begin(PACL_OWNED_NOTIFY, next_handle(PACL_KIND_NOTIFY, &notify->object), 0, 0);
}

static void notify_destroyed(struct pacl_notify *notify)
{
    pacl_ledger_end(last_handle(PACL_KIND_NOTIFY, &notify->object));
}

/* It has had its handle since its capture began. */
static void graph_created(struct pacl_graph *graph)
{
    pacl_ledger_begin(PACL_OWNED_GRAPH, last_handle(PACL_KIND_GRAPH, &graph->object), 0, 0);
}

static void graph_destroyed(struct pacl_graph *graph)
{
    pacl_ledger_end(last_handle(PACL_KIND_GRAPH, &graph->object));
}

const struct pacl_observer pacl_check_misuse = {
    .entered = entered,
    .left = left,
    .allocated = begin_region,
    .freed = end_region,
    .free_refused = free_refused,
    .registered = begin_region,
    .unregistered = end_region,
    .outside = outside,
    .copy_asked = copy_asked,
    .blocked = pacl_advice_blocked,
    .unblocked = pacl_advice_unblocked,
    .stream_created = stream_created,
    .stream_destroyed = stream_destroyed,
    .event_created = event_created,
    .event_destroyed = event_destroyed,
    .context_created = context_created,
    .context_destroyed = context_destroyed,
    .notify_created = notify_created,
    .notify_destroyed = notify_destroyed,
    .graph_created = graph_created,
    .graph_destroyed = graph_destroyed,
    .handle_refused = handle_refused,
    .finalized = finalized,
    .exiting = exiting,
};
