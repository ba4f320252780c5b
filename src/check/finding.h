/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what is wrong with the program, as its author needs to hear it. Whoever finds something fills a struct and
 * hands it over; this module drops what is switched off, suppressed or known already, and writes the rest.
 *
 * From any thread, also in a handler of a fault that the program's own code raised. No lock of the core may be held.
 * Nothing here calls a public function.
 */
#ifndef PACL_CHECK_FINDING_H
#define PACL_CHECK_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/site.h"

/* Names, order and severity are part of the interface: reports, suppressions and options use them. */
#define PACL_CHECK_CLASSES(X) \
    X(OUT_OF_BOUNDS, "out-of-bounds", false) \
    X(USE_AFTER_FREE, "use-after-free", false) \
    X(HOST_RACE, "host-race", false) \
    X(STREAM_RACE, "stream-race", false) \
    X(UNINITIALIZED_READ, "uninitialized-read", false) \
    X(DEVICE_POINTER_ACCESS, "device-pointer-access", false) \
    X(WRONG_KIND, "wrong-kind", false) \
    X(DOUBLE_FREE, "double-free", false) \
    X(INVALID_FREE, "invalid-free", false) \
    X(INVALID_HANDLE, "invalid-handle", false) \
    X(LEAK, "leak", false) \
    X(UNCHECKED_ERROR, "unchecked-error", false) \
    X(DEADLOCK, "deadlock", false) \
    X(BLOCKED_ASYNC, "blocked-async", true) \
    X(SHAPE, "shape", true) \
    X(QUEUE_GROWTH, "queue-growth", true)

enum pacl_check_class {
#define PACL_CHECK_ENUM(id, name, is_advice) PACL_CHECK_##id,
    PACL_CHECK_CLASSES(PACL_CHECK_ENUM)
#undef PACL_CHECK_ENUM
        PACL_CHECK_CLASS_COUNT
};

enum { PACL_CHECK_TEXT_MAX = 512 }; /* bytes, the NUL included; longer ones are cut */

/* What one side did with the memory. */
struct pacl_check_access {
    const char *call; /* the public function, or "host code"; a literal. NULL: there is no such access */
    bool writes;
    bool on_stream;  /* `stream` is meant; else `thread`, a Linux thread number */
    uint32_t stream; /* its id */
    uint32_t thread;
    uint32_t graph;                   /* the task is one of this graph (its id): captured at `site`, */
    const char *executed_by;          /* in an execution by this call on the stream; graph 0: none */
    const struct pacl_site *executed; /* queued there */
    const void *base;                 /* the rectangle's first byte; height 0: none, height 1: a run of `width` bytes */
    size_t pitch, width, height;
    const struct pacl_site *site; /* where it was submitted or done; NULL: unknown */
};

/* An allocation that the finding is about. */
struct pacl_check_memory {
    const void *base; /* NULL: none */
    size_t size;      /* 0: an object with a handle, created and destroyed instead of allocated and freed */
    const char *kind; /* "device memory" (pacl_memory_name); a literal */
    const struct pacl_site *allocated; /* NULL: unknown */
    const struct pacl_site *freed;     /* NULL: it is not freed, or unknown where */
};

struct pacl_check_finding {
    enum pacl_check_class kind;
    char text[PACL_CHECK_TEXT_MAX];     /* one sentence, without a full stop; pacl_check_say */
    struct pacl_check_access access[2]; /* the one that completes the mistake first */
    const void *common;                 /* the first byte that both touch; NULL: does not apply */
    char missing[PACL_CHECK_TEXT_MAX];  /* "no event from stream 2 to stream 1"; "" if nothing is missing */
    const char *details;                /* more lines, each ending in a newline; NULL: none. The caller's */
    struct pacl_check_memory memory;
};

/* Writes the sentence, or the missing edge with pacl_check_say_missing. */
void pacl_check_say(struct pacl_check_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pacl_check_say_missing(struct pacl_check_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Hands the finding over; nothing of it is kept but sites and literals. One report per class and pair of places: the
 * sites of the accesses, or of allocation and free where there is no access. Repetitions are counted. True if it was
 * written now. */
bool pacl_check_report(const struct pacl_check_finding *finding);

/* Says what is no finding, but is to be known: one line, without a full stop. */
void pacl_check_note(const char *text);

/* False for a class that --only or --skip switched off, so that nobody needs to look for it. */
bool pacl_check_wants(enum pacl_check_class kind);

const char *pacl_check_class_name(enum pacl_check_class kind);
bool pacl_check_class_is_advice(enum pacl_check_class kind);

/* The class of a name of `length` bytes; PACL_CHECK_CLASS_COUNT for none. */
enum pacl_check_class pacl_check_class_of(const char *name, size_t length);

/* Findings written, and how often each happened, of errors and of advice. */
struct pacl_check_counts {
    uint64_t errors, advice;              /* different findings */
    uint64_t error_events, advice_events; /* with repetitions */
    uint64_t suppressed;                  /* findings that a suppression took, with repetitions */
    uint64_t dropped;                     /* different findings past --max-findings; counted among the others */
};
struct pacl_check_counts pacl_check_counts(void);

/* Different findings of one class. */
uint64_t pacl_check_counts_of(enum pacl_check_class kind);

#endif
