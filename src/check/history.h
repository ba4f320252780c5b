/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accesses to one allocation that something may still race with, as rectangles. An access goes when the host knows
 * it to be done (whatever is submitted later comes after it), and when a later one of its stream says at least as much.
 * Together all allocations keep at most PACL_HISTORY_MAX; then the oldest are forgotten, and counted.
 *
 * Guarded by the checker's lock.
 */
#ifndef PACL_CHECK_HISTORY_H
#define PACL_CHECK_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "check/clock.h"
#include "check/overlap.h"

struct pacl_run;
struct pacl_site;

enum { PACL_HISTORY_MAX = 1 << 18 };

struct pacl_past {
    struct pacl_box box; /* in the program's addresses */
    struct pacl_tick when;
    struct pacl_knowledge *known; /* what its stream knew of others; counted */
    const struct pacl_site *site; /* where it was submitted */
    const char *call;
    struct pacl_run *run; /* the execution of a graph that it is of, or NULL; counted */
    uint32_t lane;        /* of the graph, for reports; */
    uint32_t stream;      /* id, too */
    bool writes;
    bool on_default_stream;

    /* The history's own. A search tree by the box's first byte, a heap by `rank`, which is random. */
    uint32_t rank;
    uint64_t end, end_below; /* behind the box's last byte; the highest in the subtree */
    struct pacl_past *left, *right;
    struct pacl_past *next_done; /* while done ones are collected */
    struct pacl_history *history;
    struct pacl_list by_age;
};

struct pacl_history {
    struct pacl_past *root;
    struct pacl_past *last[2]; /* the newest read and write, or NULL */
    uint64_t stride[2];        /* how far that was from the one before */
    uint32_t count, sweep_at;
    uint64_t swept; /* the host's generation then */
};

/* Tells of every access with a byte or gap in [low, high). `tell` changes no history. */
typedef void pacl_past_fn(void *context, struct pacl_past *past);
void pacl_history_each(const struct pacl_history *history, uint64_t low, uint64_t high, pacl_past_fn *tell,
                       void *context);

/* Enters a copy of `past`, whose `known` and `run` are shared. */
void pacl_history_add(struct pacl_history *history, const struct pacl_past *past);

/* Forgets everything. */
void pacl_history_clear(struct pacl_history *history);

struct pacl_history_counts {
    uint32_t kept, most; /* now, and at any time */
    uint64_t forgotten;  /* for want of room, while something could still race with them */
    size_t bytes;        /* memory that holds them */
};
struct pacl_history_counts pacl_history_counts(void);

#endif
