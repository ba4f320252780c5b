/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of pitched rectangles between addresses that the caller may touch: geometry, plan, kernels. Knows nothing of
 * streams, devices or errors.
 */
#ifndef PACL_COPY_COPY_H
#define PACL_COPY_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `height` rows of `width` bytes; rows start `*_pitch` bytes apart. A plain run of bytes is one row. */
struct pacl_rect {
    uint8_t *dst;
    const uint8_t *src;
    size_t dst_pitch, src_pitch;
    size_t width, height;
};

/* --- geometry (rect.c) ------------------------------------------------------------------------------------------- */

/* True if a pitched block lies inside `avail` bytes, that is (height - 1) * pitch + width <= avail; cannot wrap. A
 * multiplication that tells when it wraps costs a fifth of the division that could not. */
static inline bool pacl_pitched_fits(size_t pitch, size_t width, size_t height, size_t avail)
{
    size_t last_row; /* where it starts */
    if (width == 0 || height == 0)
        return true;
    return width <= pitch && width <= avail && !__builtin_mul_overflow(height - 1, pitch, &last_row) &&
           last_row <= avail - width;
}

/* The first row that does not lie inside `avail` bytes; `height` if all do. pitch >= width > 0. */
size_t pacl_pitched_first_outside(size_t pitch, size_t width, size_t height, size_t avail);

/* True if a row of the source and a row of the destination may share a byte. Never false when they do; columns side by
 * side in one matrix are told apart when both pitches agree. Spans must not wrap. */
bool pacl_rect_overlaps(const struct pacl_rect *rect);

/* --- plan (plan.c) ----------------------------------------------------------------------------------------------- */

/* How a kernel treats rows. */
enum pacl_rows_way {
    PACL_ROWS_PLAIN,    /* through the widest vector registers */
    PACL_ROWS_BEYOND,   /* more than the first cache holds: through registers of half a line where those are better */
    PACL_ROWS_FAR,      /* narrow rows far apart: the same with software prefetch */
    PACL_ROWS_STREAMED, /* to memory rather than to a cache: stores go past the caches */
    PACL_ROWS_STRING,   /* by the processor's own instruction for copying */
    PACL_ROWS_WAYS,
};

/* What the plan knows of the machine, in bytes. */
struct pacl_copy_tuning {
    size_t first_cache;    /* level 1, data */
    size_t second_cache;   /* level 2, a core's own */
    size_t last_cache;     /* the largest */
    bool string_is_fast;   /* the processor's copy instruction has no alignment at which it is slow */
    uint32_t memory_ticks; /* a load that takes longer comes from memory; 0: loads cannot be timed */
};

/* Where a rectangle's lines are. */
enum pacl_residence { PACL_SOMEWHERE, PACL_IN_CACHE, PACL_IN_MEMORY };

/* Of this machine; set by pacl_copy_init. */
extern struct pacl_copy_tuning pacl_copy_tuning;

/* How a rectangle is copied: in pieces, numbered from 0, that any thread may copy in any order, each once. */
struct pacl_plan {
    struct pacl_rect rect; /* as given, or as one long row when width and both pitches agree */
    bool overlapping;      /* source and destination share bytes: one piece, rows in ascending order */
    size_t rows_per_piece; /* at least 1 */
    size_t piece_width;    /* bytes of a row in one piece; the whole width unless rows are very long */
    size_t pieces_per_row; /* above 1 only when rows_per_piece is 1 */
    size_t pieces;
    enum pacl_rows_way way;
};

enum {
    PACL_LINE = 64,
    PACL_PIECE_BYTES = 256 * 1024, /* touched by one piece: long against a hand-over (1 us), short against a slice */
    PACL_FAR_ROWS = 24,            /* FAR fetches so many rows ahead; 16 to 32 are alike */
    PACL_GATHER_ROWS = 16,         /* STREAMED so many where rows of the source are far apart and short */
};

/* True for rows of the source that are over before the processor has found out where they lie: STREAMED fetches them
 * ahead. */
static inline bool pacl_copy_is_gather(size_t width, size_t src_pitch, size_t height)
{
    enum { GATHER_WIDTH = 2048, GATHER_APART = 4 };
    return height > 1 && width <= GATHER_WIDTH && src_pitch / GATHER_APART >= width;
}

struct pacl_plan pacl_copy_plan(const struct pacl_rect *given, enum pacl_residence residence,
                                const struct pacl_copy_tuning *tuning);

/* True if the way depends on where the rectangle is, and the copy takes long enough to find out. */
bool pacl_copy_is_probed(const struct pacl_rect *rect, const struct pacl_copy_tuning *tuning);

/* --- residence (residence.c) ------------------------------------------------------------------------------------- */

/* Times loads of a few bytes of both sides, which must be there. */
enum pacl_residence pacl_copy_probe(const struct pacl_rect *rect, const struct pacl_copy_tuning *tuning);

/* How long the load of a line that no cache has may take at least, in the ticks of pacl_copy_probe; 0 where loads cannot
 * be timed. */
uint32_t pacl_copy_memory_ticks(void);

/* The plan for this machine, with a look at the rectangle where that is worth it. */
struct pacl_plan pacl_copy_plan_now(const struct pacl_rect *given);

/* Up to how many bytes of touched lines on one side a copy is one piece. */
size_t pacl_copy_share_from(const struct pacl_copy_tuning *tuning);

/* From how many bytes of payload on rows of two lines and more are streamed. */
size_t pacl_copy_stream_from(const struct pacl_copy_tuning *tuning);

/* SIZE_MAX where the product is larger. */
static inline size_t pacl_multiply(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* About how many bytes of cache lines the copy touches on one side: what it costs, also for narrow rows. */
static inline size_t pacl_rows_cost(size_t width, size_t height)
{
    return pacl_multiply(width > PACL_LINE ? width : PACL_LINE, height);
}

/* --- kernels ----------------------------------------------------------------------------------------------------- */

/* Copies `height` rows of `width` bytes. Any alignment; blocks do not overlap; 0 < width; height > 0; width <= both
 * pitches unless height is 1. Writes exactly `width` bytes per row, the gaps keep their content. */
typedef void pacl_copy_rows_fn(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width,
                               size_t height);

pacl_copy_rows_fn pacl_copy_rows_c; /* portable reference (rows_c.c) */

struct pacl_copy_ops {
    pacl_copy_rows_fn *rows[PACL_ROWS_WAYS];
    const char *name; /* of the instruction set, for reports */
};

/* Chosen once by pacl_copy_init for the features in `cpu` (enum pacl_cpu_feature), pacl_copy_tuning with them. */
extern struct pacl_copy_ops pacl_copy_ops;
void pacl_copy_init(unsigned cpu);

/* Copies a rectangle of at most PACL_PIECE_BYTES of touched lines, in one piece; its sides do not overlap. */
void pacl_copy_small(const struct pacl_rect *rect);

/* Copies a rectangle whose sides do not overlap, of any size, in the calling thread. */
void pacl_copy_alone(const struct pacl_rect *rect);

/* Copies piece `index` of the plan. */
void pacl_copy_piece(const struct pacl_plan *plan, size_t index);

/* Fills `count` elements with a byte or with a 32-bit word (any alignment). */
void pacl_fill_bytes(uint8_t *dst, uint8_t value, size_t count);
void pacl_fill_words(uint8_t *dst, uint32_t value, size_t count);

#endif
