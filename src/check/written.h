/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of an allocation anything has written: as few rectangles as they can be said with, not bytes. When a
 * program's writes are too ragged for that, all of the allocation counts as written: this may overlook a mistake and
 * never makes one up.
 */
#ifndef PACL_CHECK_WRITTEN_H
#define PACL_CHECK_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "check/overlap.h"

enum { PACL_WRITTEN_PITCHES = 4 };

/* Bytes [low, high) of the allocation. */
struct pacl_written_run {
    uint64_t low, high;
};

/* The allocation seen as lines of `pitch` bytes: lines [top, bottom), columns [left, right). */
struct pacl_written_tile {
    uint64_t top, bottom, left, right;
};

/* Zeroed: nothing is written. Guarded by whoever owns it. */
struct pacl_written {
    bool all; /* every byte is, or counts as, written; the rest is empty then */
    uint32_t run_count, run_room;
    struct pacl_written_run *runs; /* sorted, apart from each other */
    struct {
        uint64_t pitch; /* 0: free */
        uint32_t count, room;
        struct pacl_written_tile *tiles; /* may overlap */
    } pitched[PACL_WRITTEN_PITCHES];
};

/* Boxes count from the allocation's start and lie inside its `size` bytes. */
void pacl_written_add(struct pacl_written *written, const struct pacl_box *box, uint64_t size);

/* True if every byte of the box is written; else *missing is the lowest that is not. */
bool pacl_written_covers(const struct pacl_written *written, const struct pacl_box *box, uint64_t *missing);

void pacl_written_set_all(struct pacl_written *written); /* also frees what it holds */

#endif
