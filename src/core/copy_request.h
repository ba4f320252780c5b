/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy as a program asks for it, in its own addresses: what direction it has, whether it blocks, whether it stays in
 * its allocations. Here the rules that the 1D and 2D calls share are checked, each once.
 */
#ifndef PACL_CORE_COPY_REQUEST_H
#define PACL_CORE_COPY_REQUEST_H

#include "acl/acl_rt.h"
#include "copy/copy.h"
#include "core/place.h"
#include "core/vmm.h"

struct pacl_stream;
struct pacl_work;

/* The limits of the 2D calls: bytes of a row, and rows. */
enum { PACL_WIDTH_MAX = 5000000, PACL_HEIGHT_MAX = 5 * 1024 * 1024 };

enum pacl_direction {
    PACL_H2H, /* in this order: those before D2D have different kinds of memory, but for H2H, which is not queued */
    PACL_H2D,
    PACL_D2H,
    PACL_D2D,
    PACL_NO_DIRECTION, /* the kind contradicts the addresses, and the original refuses it */
};

/* The direction that a kind and two addresses make. Pinned and device addresses overrule the kind; pageable ones must
 * not contradict it. */
enum pacl_direction pacl_direction_of(aclrtMemcpyKind kind, enum pacl_memory dst, enum pacl_memory src);

/* Whether the call is one of the pair with 2D in its name: they differ in what they refuse. */
enum pacl_copy_form { PACL_COPY_1D, PACL_COPY_2D };

/* A copy as the observer sees it. */
struct pacl_copy_ask {
    const struct pacl_rect *rect;
    aclrtMemcpyKind kind;
    enum pacl_copy_form form;
    enum pacl_direction direction;
    const struct pacl_place *dst, *src;
    struct pacl_stream *stream; /* NULL: a synchronous call */
    bool blocks; /* pageable memory: an asynchronous call waits for its stream, and copies before it returns */
};

/* Checks from "no current context" on, then queues the copy, or makes it before returning where host memory is
 * pageable. A rectangle that leaves its allocation is accepted and fails when its turn comes. */
aclError pacl_copy_submit(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form,
                          struct pacl_stream *stream, void *handle);

/* The same checks for one of several copies that a graph is to have all or none of: what it would record, in `work`, which
 * holds the memory that it names until pacl_work_release(). Pageable memory and what leaves its allocation are refused. */
aclError pacl_copy_prepare(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form,
                           struct pacl_stream *stream, struct pacl_work *work);

/* The same as pacl_copy_submit, whole, for a call that differs from the thread's last one in numbers only: same context, kind and form, the
 * same two blocks, sizes in order. `stream` as the program gave it. PACL_LONG_WAY: nothing was done or said. */
enum { PACL_LONG_WAY = -1 }; /* no call's answer */
aclError pacl_copy_again(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form,
                         aclrtStream stream);

/* Waits for what the stream has queued, as a copy of pageable memory does before it begins; returns the stream's failure. */
aclError pacl_copy_await(struct pacl_stream *stream, void *handle);

/* The same for the synchronous calls; complete at return. */
aclError pacl_copy_run(const struct pacl_rect *rect, aclrtMemcpyKind kind, enum pacl_copy_form form);

/* ACL_SUCCESS if [p, p + bytes) lies in its allocation; else 507013 with `text` saying why, nothing reported yet. */
aclError pacl_check_inside(const char *what, bool writes, const void *p, size_t pitch, size_t width, size_t height,
                           const struct pacl_place *place, char *text, size_t text_size);

/* The same for mapped memory (place->mapped) when the work's turn has come: all of it is there, and the device may use
 * it so. */
aclError pacl_check_rights(const char *what, const void *p, size_t pitch, size_t width, size_t height, int device,
                           enum pacl_use use, char *text, size_t text_size);

/* For one row of a task whose turn has come: mapped memory is looked at again, another device's needs peer access. */
aclError pacl_check_turn(const char *what, const void *p, size_t bytes, int device, enum pacl_use use, char *text,
                         size_t text_size);

/* An asynchronous copy or set found outside its allocation: queues the failure. Consumes `text`. */
aclError pacl_submit_fault(struct pacl_stream *stream, void *handle, const char *text);

/* Copies that made their caller wait because of pageable memory, since the process started. */
uint64_t pacl_copies_pageable(void);

#endif
