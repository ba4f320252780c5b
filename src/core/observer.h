/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one interface between the runtime and those who watch it (checking, tracing, fault injection). The core calls
 * it and knows nothing of what is behind it. Without an observer each point costs one predictable branch.
 */
#ifndef PACL_CORE_OBSERVER_H
#define PACL_CORE_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

struct pacl_event;
struct pacl_stream;
struct pacl_work;

/* Any member may be NULL. Calls come from the thread that does the thing, with none of the core's locks held, but for
 * `recorded` and `waited`, which come under the event's lock. An observer calls no public function. */
struct pacl_observer {
    /* With where the public function returns to and its canonical frame address, for call sites (check/site.h). */
    void (*entered)(const char *call, const void *return_address, const void *frame);
    void (*left)(const char *call);
    void (*allocated)(const void *base, size_t size, int device);
    void (*freed)(const void *base, size_t size, int device);
    void (*submitted)(struct pacl_stream *stream, const struct pacl_work *work); /* accepted; may have run already */
    void (*started)(struct pacl_stream *stream, const struct pacl_work *work);
    void (*finished)(struct pacl_stream *stream, const struct pacl_work *work, aclError result);
    void (*recorded)(struct pacl_event *event, struct pacl_stream *stream);
    void (*waited)(struct pacl_event *event, struct pacl_stream *stream);
    void (*synchronized)(struct pacl_stream *stream, uint64_t upto);
};

/* Set once, before the first stream exists. */
extern const struct pacl_observer *pacl_observer;

#define PACL_OBSERVE(point, ...) \
    do { \
        if (__builtin_expect(pacl_observer != NULL, 0) && pacl_observer->point != NULL) \
            pacl_observer->point(__VA_ARGS__); \
    } while (0)

#endif
