/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes come in two shapes. A run of bytes joins the runs that it touches. A pitched rectangle is a tile when the
 * allocation is seen as lines of its pitch (two tiles if its rows cross the end of a line); it joins a tile of the same
 * pitch beside or below it, and becomes a run when it fills whole lines.
 *
 * A read is answered by taking away from it what is written until nothing is left. A run is at most three tiles in any
 * pitch: the rest of its first line, whole lines, the start of its last. Between tiles of different pitches only single
 * lines can be compared; a limit on their number keeps the answer quick.
 */
#include "check/written.h"

#include <stdlib.h>
#include <string.h>

enum {
    RUNS_MAX = 1024, /* of one allocation; beyond, all of it counts as written */
    TILES_MAX = 128, /* of one pitch */
    PIECES_MAX = 96, /* of what is left of a read */
    LINES_MAX = 512, /* that are compared one by one */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void pacl_written_set_all(struct pacl_written *w)
{
    free(w->runs);
    for (unsigned i = 0; i < PACL_WRITTEN_PITCHES; i++)
        free(w->pitched[i].tiles);
    memset(w, 0, sizeof *w);
    w->all = true;
}

/* Room for one more. False past the limit, or when memory is short. */
static bool make_room(void **array, uint32_t count, uint32_t *room, uint32_t most_members, size_t member)
{
    if (count < *room)
        return true;
    const uint32_t larger = *room == 0 ? 4 : 2 * *room;
    void *grown = count < most_members ? realloc(*array, larger * member) : NULL;
    if (grown == NULL)
        return false;
    *array = grown;
    *room = larger;
    return true;
}

/* --- adding ------------------------------------------------------------------------------------------------------ */

/* The first run that ends at or behind `at`. */
static uint32_t run_from(const struct pacl_written *w, uint64_t at)
{
    uint32_t low = 0, high = w->run_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (w->runs[middle].high < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_run(struct pacl_written *w, uint64_t low, uint64_t high, uint64_t size)
{
    const uint32_t first = run_from(w, low);
    uint32_t behind = first;
    while (behind < w->run_count && w->runs[behind].low <= high) {
        low = least(low, w->runs[behind].low);
        high = most(high, w->runs[behind].high);
        behind++;
    }
    const bool whole = low == 0 && high >= size;
    if (whole ||
        (behind == first && !make_room((void **)&w->runs, w->run_count, &w->run_room, RUNS_MAX, sizeof *w->runs))) {
        pacl_written_set_all(w);
        return;
    }
    memmove(w->runs + first + 1, w->runs + behind, (w->run_count - behind) * sizeof *w->runs);
    w->run_count = w->run_count - (behind - first) + 1;
    w->runs[first] = (struct pacl_written_run){ .low = low, .high = high };
}

static bool holds(const struct pacl_written_tile *a, const struct pacl_written_tile *b)
{
    return a->top <= b->top && a->bottom >= b->bottom && a->left <= b->left && a->right >= b->right;
}

/* Joins `b` to `a` if together they are one tile. */
static bool join(struct pacl_written_tile *a, const struct pacl_written_tile *b)
{
    const bool same_columns = a->left == b->left && a->right == b->right;
    const bool same_lines = a->top == b->top && a->bottom == b->bottom;
    const bool touches = same_columns ? a->top <= b->bottom && b->top <= a->bottom
                                      : same_lines && a->left <= b->right && b->left <= a->right;
    if (!touches && !holds(a, b))
        return false;
    a->top = least(a->top, b->top);
    a->bottom = most(a->bottom, b->bottom);
    a->left = least(a->left, b->left);
    a->right = most(a->right, b->right);
    return true;
}

static void add_tile(struct pacl_written *w, unsigned class, struct pacl_written_tile tile, uint64_t size)
{
    const uint64_t pitch = w->pitched[class].pitch;
    struct pacl_written_tile *tiles = w->pitched[class].tiles;
    uint32_t count = w->pitched[class].count;
    for (uint32_t i = count; i-- > 0;) {
        if (holds(&tiles[i], &tile))
            return;
        if (!join(&tile, &tiles[i]))
            continue;
        tiles[i] = tiles[--count];
        i = count; /* it has grown: what did not fit before may fit now */
    }
    w->pitched[class].count = count;
    if (tile.left == 0 && tile.right == pitch) {
        add_run(w, tile.top * pitch, tile.bottom * pitch, size);
        return;
    }
    if (!make_room((void **)&w->pitched[class].tiles, count, &w->pitched[class].room, TILES_MAX, sizeof tile)) {
        pacl_written_set_all(w);
        return;
    }
    w->pitched[class].tiles[count] = tile;
    w->pitched[class].count = count + 1;
}

/* Where tiles of the pitch are kept; PACL_WRITTEN_PITCHES if there are too many pitches. */
static unsigned class_of(struct pacl_written *w, uint64_t pitch)
{
    unsigned class = PACL_WRITTEN_PITCHES;
    for (unsigned i = PACL_WRITTEN_PITCHES; i-- > 0;) {
        if (w->pitched[i].pitch == pitch)
            return i;
        if (w->pitched[i].count == 0)
            class = i;
    }
    if (class < PACL_WRITTEN_PITCHES)
        w->pitched[class].pitch = pitch;
    return class;
}

/* A box as tiles of its pitch: one, or two when its rows cross the ends of lines. */
static unsigned tiles_of(const struct pacl_box *box, struct pacl_written_tile tiles[2])
{
    const uint64_t top = box->at / box->pitch, left = box->at % box->pitch;
    const uint64_t in_line = least(box->width, box->pitch - left);
    tiles[0] = (struct pacl_written_tile){ top, top + box->height, left, left + in_line };
    if (in_line == box->width)
        return 1;
    tiles[1] = (struct pacl_written_tile){ top + 1, top + 1 + box->height, 0, box->width - in_line };
    return 2;
}

static bool is_run(const struct pacl_box *box)
{
    return box->height == 1 || box->width == box->pitch;
}

void pacl_written_add(struct pacl_written *w, const struct pacl_box *box, uint64_t size)
{
    if (w->all)
        return;
    const uint64_t end = pacl_box_end(box);
    const uint32_t near = run_from(w, box->at);
    if (near < w->run_count && w->runs[near].low <= box->at && w->runs[near].high >= end)
        return;
    if (is_run(box)) {
        add_run(w, box->at, end, size);
        return;
    }
    const unsigned class = class_of(w, box->pitch);
    if (class == PACL_WRITTEN_PITCHES) {
        pacl_written_set_all(w);
        return;
    }
    struct pacl_written_tile tiles[2];
    const unsigned count = tiles_of(box, tiles);
    for (unsigned i = 0; i < count && !w->all; i++)
        add_tile(w, class, tiles[i], size);
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

/* What is left of a read, as tiles of one pitch. */
struct rest {
    uint64_t pitch;
    unsigned count;
    bool overflow; /* too many pieces: nothing is said */
    struct pacl_written_tile piece[PIECES_MAX];
};

static void keep(struct rest *rest, uint64_t top, uint64_t bottom, uint64_t left, uint64_t right)
{
    if (top >= bottom || left >= right)
        return;
    if (rest->count == PIECES_MAX) {
        rest->overflow = true;
        return;
    }
    rest->piece[rest->count++] = (struct pacl_written_tile){ top, bottom, left, right };
}

static void take_away(struct rest *rest, const struct pacl_written_tile *cut)
{
    for (unsigned i = rest->count; i-- > 0;) {
        const struct pacl_written_tile p = rest->piece[i];
        const uint64_t top = most(p.top, cut->top), bottom = least(p.bottom, cut->bottom);
        if (top >= bottom || cut->left >= p.right || cut->right <= p.left)
            continue;
        rest->piece[i] = rest->piece[--rest->count];
        keep(rest, p.top, top, p.left, p.right);
        keep(rest, bottom, p.bottom, p.left, p.right);
        keep(rest, top, bottom, p.left, cut->left);
        keep(rest, top, bottom, cut->right, p.right);
    }
}

/* A run as at most three tiles. */
static unsigned cut_run(uint64_t low, uint64_t high, uint64_t pitch, struct pacl_written_tile tiles[3])
{
    unsigned count = 0;
    uint64_t line = low / pitch;
    const uint64_t last = high / pitch;
    if (line == last) {
        tiles[0] = (struct pacl_written_tile){ line, line + 1, low % pitch, high % pitch };
        return 1;
    }
    if (low % pitch != 0) {
        tiles[count++] = (struct pacl_written_tile){ line, line + 1, low % pitch, pitch };
        line++;
    }
    if (line < last)
        tiles[count++] = (struct pacl_written_tile){ line, last, 0, pitch };
    if (high % pitch != 0)
        tiles[count++] = (struct pacl_written_tile){ last, last + 1, 0, high % pitch };
    return count;
}

static void take_runs_away(const struct pacl_written *w, struct rest *rest, uint64_t low, uint64_t high)
{
    for (uint32_t i = run_from(w, low); i < w->run_count && w->runs[i].low < high && rest->count > 0; i++) {
        struct pacl_written_tile tiles[3];
        const unsigned count = cut_run(w->runs[i].low, w->runs[i].high, rest->pitch, tiles);
        for (unsigned k = 0; k < count; k++)
            take_away(rest, &tiles[k]);
    }
}

static void take_tiles_away(const struct pacl_written *w, unsigned class, struct rest *rest)
{
    for (uint32_t i = 0; i < w->pitched[class].count && rest->count > 0; i++)
        take_away(rest, &w->pitched[class].tiles[i]);
}

/* NOLINTBEGIN(misc-no-recursion): one level for each pitch */
/* Looks whether tiles of the classes from `class` on cover the run. `lines` counts down what may still be compared. */
static bool covers_run(const struct pacl_written *w, unsigned class, uint64_t low, uint64_t high, uint64_t skip_pitch,
                       unsigned *lines, uint64_t *missing);

/* The same for each line of what is left. Answers true, nothing to say, when it would take too long. */
static bool covers_rest(const struct pacl_written *w, unsigned class, const struct rest *rest, uint64_t skip_pitch,
                        unsigned *lines, uint64_t *missing)
{
    bool covered = true;
    for (unsigned i = 0; i < rest->count; i++) {
        const struct pacl_written_tile *p = &rest->piece[i];
        for (uint64_t line = p->top; line < p->bottom; line++) {
            uint64_t at;
            if (*lines == 0)
                return true;
            (*lines)--;
            if (covers_run(w, class, line * rest->pitch + p->left, line * rest->pitch + p->right, skip_pitch, lines,
                           &at))
                continue;
            *missing = covered ? at : least(*missing, at);
            covered = false;
            break; /* lower lines of this piece lie behind */
        }
    }
    return covered || *lines == 0;
}

static bool covers_run(const struct pacl_written *w, unsigned class, uint64_t low, uint64_t high, uint64_t skip_pitch,
                       unsigned *lines, uint64_t *missing)
{
    while (class < PACL_WRITTEN_PITCHES && (w->pitched[class].count == 0 || w->pitched[class].pitch == skip_pitch))
        class ++;
    if (class == PACL_WRITTEN_PITCHES) {
        *missing = low;
        return false;
    }
    struct rest rest;
    struct pacl_written_tile tiles[3];
    rest.pitch = w->pitched[class].pitch;
    rest.count = 0;
    rest.overflow = false;
    const unsigned count = cut_run(low, high, rest.pitch, tiles);
    for (unsigned i = 0; i < count; i++)
        keep(&rest, tiles[i].top, tiles[i].bottom, tiles[i].left, tiles[i].right);
    take_tiles_away(w, class, &rest);
    if (rest.overflow || rest.count == 0)
        return true;
    return covers_rest(w, class + 1, &rest, skip_pitch, lines, missing);
}
/* NOLINTEND(misc-no-recursion) */

/* A read that is one run of bytes: what the runs leave, one gap after the other. */
static bool covers_bytes(const struct pacl_written *w, uint64_t low, uint64_t high, uint64_t *missing)
{
    unsigned lines = LINES_MAX;
    for (uint32_t i = run_from(w, low); low < high; i++) {
        const uint64_t gap_end = i < w->run_count ? least(w->runs[i].low, high) : high;
        if (low < gap_end && !covers_run(w, 0, low, gap_end, 0, &lines, missing))
            return false;
        if (i >= w->run_count)
            return true;
        low = most(low, w->runs[i].high);
    }
    return true;
}

bool pacl_written_covers(const struct pacl_written *w, const struct pacl_box *box, uint64_t *missing)
{
    if (w->all)
        return true;
    const uint64_t end = pacl_box_end(box);
    if (is_run(box))
        return covers_bytes(w, box->at, end, missing);
    struct rest rest;
    rest.pitch = box->pitch;
    rest.overflow = false;
    rest.count = tiles_of(box, rest.piece);
    take_runs_away(w, &rest, box->at, end);
    for (unsigned i = 0; i < PACL_WRITTEN_PITCHES; i++) {
        if (w->pitched[i].pitch == box->pitch)
            take_tiles_away(w, i, &rest);
    }
    unsigned lines = LINES_MAX;
    return rest.overflow || rest.count == 0 || covers_rest(w, 0, &rest, box->pitch, &lines, missing);
}
