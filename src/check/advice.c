/* SPDX-License-Identifier: Apache-2.0 */
#include "check/advice.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/checker.h"
#include "check/order.h"
#include "core/copy_request.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "os/os.h"

/* --- asynchronous calls that wait -------------------------------------------------------------------------------- */

static _Thread_local struct {
    struct pacl_check_access pageable; /* the present call, while it is such a one; call NULL: it is not */
    bool has_to_wait;                  /* for what the stream has got since somebody waited for it */
    uint64_t blocked_ns;               /* since when it does */
} self;

/* The host has not waited for all that the stream has got. Whether it has run by now is luck. */
static bool has_pending(struct pacl_stream *stream)
{
    pacl_checker_lock();
    const bool pending = pacl_order_has_pending(stream);
    pacl_checker_unlock();
    return pending;
}

static void note_pageable(const struct pacl_copy_ask *ask)
{
    const bool to_host = ask->dst->memory == PACL_MEMORY_PAGEABLE;
    self.pageable = (struct pacl_check_access){
        .call = pacl_self.call,
        .writes = to_host,
        .on_stream = true,
        .stream = ask->stream->id,
        .base = to_host ? ask->rect->dst : ask->rect->src,
        .pitch = to_host ? ask->rect->dst_pitch : ask->rect->src_pitch,
        .width = ask->rect->width,
        .height = ask->rect->height,
        .site = pacl_site_capture(),
    };
    self.has_to_wait = has_pending(ask->stream);
}

static void say_blocked(const char *waits)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_BLOCKED_ASYNC, .access[0] = self.pageable };
    pacl_check_say(&finding,
                   "%s %s for stream %u, because its host memory is pageable; pinned memory "
                   "(aclrtMallocHost, aclrtHostRegister) lets it return at once",
                   self.pageable.call, waits, self.pageable.stream);
    (void)pacl_check_report(&finding);
}

void pacl_advice_blocked(struct pacl_stream *stream, uint64_t upto, uint64_t deadline_ns)
{
    (void)stream;
    (void)upto;
    (void)deadline_ns;
    if (self.pageable.call != NULL)
        self.blocked_ns = os_now_ns();
}

void pacl_advice_unblocked(struct pacl_stream *stream, uint64_t upto, bool reached)
{
    char text[64];
    (void)stream;
    (void)upto;
    if (self.pageable.call == NULL || !reached) /* not: the process ends */
        return;
    snprintf(text, sizeof text, "waited %.3f ms", (double)(os_now_ns() - self.blocked_ns) / 1e6);
    say_blocked(text);
    self.has_to_wait = false;
}

void pacl_advice_left(aclError result)
{
    if (self.pageable.call != NULL && self.has_to_wait && result == ACL_SUCCESS)
        say_blocked("waits, although not for long this time,");
    self.pageable.call = NULL;
}

/* --- shapes ------------------------------------------------------------------------------------------------------ */

enum {
    BUCKETS = 1024,
    PLACES_MAX = 1 << 16,
    ROWS_MIN = 16,      /* so many rows one by one are a loop */
    SMALL_MIN = 256,    /* so many small copies are a case for a batch */
    SMALL_BYTES = 4096, /* payload of a small copy */
    SMALL_HEIGHT = 8,   /* a batch takes each row by itself */
};

/* Copies that look like the rows of one rectangle. */
struct run {
    const uint8_t *dst, *src; /* of the first */
    size_t width, dst_step, src_step;
    uint64_t rows;
};

/* All copies from one place. */
struct place {
    struct place *next;
    const struct pacl_site *site;
    const char *call;
    bool asynchronous;
    enum pacl_copy_form form;
    enum pacl_direction direction;
    uint64_t copies, one_row, small, small_bytes;
    const struct pacl_stream *stream; /* of the last copy */
    const uint8_t *dst, *src;         /* of the last copy */
    struct run run, longest;
};

static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct place *buckets[BUCKETS];
    unsigned count;
} places = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Under the lock. NULL when memory is short, or there are too many. */
static struct place *place_of(const struct pacl_copy_ask *ask, const struct pacl_site *site)
{
    struct place **bucket = &places.buckets[(uint64_t)(uintptr_t)site * 0x9e3779b97f4a7c15 >> (64 - 10)];
    struct place *place = *bucket;
    while (place != NULL && place->site != site)
        place = place->next;
    if (place != NULL || places.count == PLACES_MAX)
        return place;
    place = calloc(1, sizeof *place);
    if (place == NULL)
        return NULL;
    places.count++;
    place->site = site;
    place->call = pacl_self.call;
    place->asynchronous = ask->stream != NULL;
    place->form = ask->form;
    place->direction = ask->direction;
    place->next = *bucket;
    *bucket = place;
    return place;
}

static bool is_one_row(const struct pacl_rect *rect)
{
    return rect->height == 1 || (rect->width == rect->dst_pitch && rect->width == rect->src_pitch);
}

/* The copy is the next row of the run, or begins another one. */
static void follow(struct place *place, const struct pacl_copy_ask *ask)
{
    const struct pacl_rect *rect = ask->rect;
    struct run *run = &place->run;
    const size_t width = rect->width * rect->height;
    const size_t dst_step = (size_t)(rect->dst - place->dst), src_step = (size_t)(rect->src - place->src);
    const bool goes_on = run->rows > 0 && width == run->width && ask->stream == place->stream && dst_step >= width &&
                         src_step >= width && dst_step < SIZE_MAX / 2 && src_step < SIZE_MAX / 2 &&
                         (run->rows == 1 || (dst_step == run->dst_step && src_step == run->src_step));
    if (goes_on) {
        run->dst_step = dst_step;
        run->src_step = src_step;
        run->rows++;
    } else {
        *run = (struct run){ .dst = rect->dst, .src = rect->src, .width = width, .rows = 1 };
    }
    if (run->rows > place->longest.rows)
        place->longest = *run;
}

static void count(struct place *place, const struct pacl_copy_ask *ask)
{
    const struct pacl_rect *rect = ask->rect;
    const bool one_row = is_one_row(rect);
    place->copies++;
    place->one_row += one_row;
    if (rect->height <= SMALL_HEIGHT && rect->width * rect->height <= SMALL_BYTES) {
        place->small++;
        place->small_bytes += rect->width * rect->height;
    }
    if (one_row)
        follow(place, ask);
    else
        place->run.rows = 0;
    place->stream = ask->stream;
    place->dst = rect->dst;
    place->src = rect->src;
}

void pacl_advice_copy_asked(const struct pacl_copy_ask *ask)
{
    if (ask->blocks && ask->stream != NULL)
        note_pageable(ask);
    const bool in_batch = strstr(pacl_self.call, "Batch") != NULL; /* that is a shape already */
    if (in_batch || !pacl_check_wants(PACL_CHECK_SHAPE) || ask->direction == PACL_H2H ||
        ask->direction == PACL_NO_DIRECTION)
        return;
    const struct pacl_site *site = pacl_site_capture();
    pthread_mutex_lock(&places.lock);
    struct place *place = place_of(ask, site);
    if (place != NULL)
        count(place, ask);
    pthread_mutex_unlock(&places.lock);
}

/* --- at the end -------------------------------------------------------------------------------------------------- */

/* False if the 2D call would refuse the rectangle. */
static bool has_2d(const struct place *place)
{
    const struct pacl_product *product = &pacl_runtime()->product;
    if (place->longest.width > PACL_WIDTH_MAX || place->longest.rows > PACL_HEIGHT_MAX)
        return false;
    return place->direction == PACL_D2D   ? product->copy2d_d2d && place->asynchronous
           : place->direction == PACL_H2D ? product->copy2d_h2d
                                          : product->copy2d_d2h;
}

/* False if the place's copies are as they should be. */
static bool say_shape(struct pacl_check_finding *finding, const struct place *place)
{
    const struct run *run = &place->longest;
    const char *suffix = place->asynchronous ? "Async" : "";
    const unsigned long long rows = run->rows, copies = place->copies, bytes = place->small_bytes;
    if (run->rows >= ROWS_MIN && run->dst_step == run->width && run->src_step == run->width)
        pacl_check_say(finding, "%llu copies of %zu bytes, one behind the other, are one copy of %llu bytes", rows,
                       run->width, rows * run->width);
    else if (run->rows >= ROWS_MIN && has_2d(place))
        pacl_check_say(finding,
                       "%llu copies of %zu bytes are one rectangle: aclrtMemcpy2d%s with dpitch %zu, spitch %zu, "
                       "width %zu, height %llu",
                       rows, run->width, suffix, run->dst_step, run->src_step, run->width, rows);
    else if (place->form == PACL_COPY_2D && place->one_row == place->copies && place->copies < SMALL_MIN)
        pacl_check_say(finding, "%llu 2D cop%s one contiguous row: aclrtMemcpy%s does the same", copies,
                       copies == 1 ? "y is" : "ies are each", suffix);
    else if (place->asynchronous && place->small >= SMALL_MIN && place->small * 10 >= place->copies * 9)
        pacl_check_say(finding,
                       "%llu small copies, %llu bytes on average: aclrtMemcpyBatchAsync submits up to 4096 in one call",
                       (unsigned long long)place->small, bytes / place->small);
    else
        return false;
    return true;
}

static void report_place(const struct place *place)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_SHAPE };
    const struct run *run = &place->longest;
    const bool is_run = run->rows >= ROWS_MIN;
    if (!say_shape(&finding, place))
        return;
    finding.access[0] = (struct pacl_check_access){
        .call = place->call,
        .writes = true,
        .base = is_run ? run->dst : place->dst,
        .pitch = run->dst_step,
        .width = run->width,
        .height = is_run ? run->rows : 0,
        .site = place->site,
    };
    (void)pacl_check_report(&finding);
}

void pacl_advice_report(void)
{
    if (!pacl_check_wants(PACL_CHECK_SHAPE))
        return;
    pthread_mutex_lock(&places.lock);
    for (unsigned i = 0; i < BUCKETS; i++) {
        for (const struct place *place = places.buckets[i]; place != NULL; place = place->next)
            report_place(place);
    }
    pthread_mutex_unlock(&places.lock);
}
