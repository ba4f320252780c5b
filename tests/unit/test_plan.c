/* SPDX-License-Identifier: Apache-2.0 */
/* How a rectangle is cut into pieces, and that the pieces, in any order, are the copy. */
#include "../api/support.h"
#include "copy/copy.h"
#include "os/os.h"

#define KIB ((size_t)1024)
#define MIB ((size_t)1 << 20)

/* --- the table -------------------------------------------------------------------------------------------------- */

/* The machine of the table: not this one. */
static const struct pacl_copy_tuning machine = {
    .first_cache = 48 * KIB, .second_cache = 512 * KIB, .last_cache = 32 * MIB, .string_is_fast = true
};

#define PLAIN PACL_ROWS_PLAIN
#define BEYOND PACL_ROWS_BEYOND
#define FAR PACL_ROWS_FAR
#define STREAMED PACL_ROWS_STREAMED
#define STRING PACL_ROWS_STRING

/* clang-format off */
static const struct row {
    size_t width, height, dst_pitch, src_pitch;
    bool one_long_row;
    size_t pieces;
    size_t rows_per_piece; /* of the first piece */
    size_t piece_width;    /* of the first piece */
    enum pacl_rows_way way;
} rows[] = {
    /* width,     height,   dpitch,    spitch,    long,  pieces, rows,   piece width,  way */
    { 1,          1,        1,         1,         true,  1,      1,      1,            PLAIN },
    { 64,         10,       64,        64,        true,  1,      1,      640,          PLAIN },
    { 64,         10,       65,        64,        false, 1,      10,     64,           PLAIN },
    { 64,         10,       64,        65,        false, 1,      10,     64,           PLAIN },
    { 64,         10,       80,        80,        false, 1,      10,     64,           PLAIN },
    /* a narrow row costs a cache line, so a piece of any narrow width has 4096 rows */
    { 1,          4096,     64,        64,        false, 1,      4096,   1,            PLAIN },
    { 1,          4097,     64,        64,        false, 2,      4096,   1,            PLAIN },
    { 64,         4097,     100,       64,        false, 2,      4096,   64,           PLAIN },
    { 65,         4097,     100,       100,       false, 2,      4032,   65,           BEYOND },
    { 1,          5242880,  4,         4,         false, 1280,   4096,   1,            PLAIN },
    /* KV-cache pages: rows of 128 KiB, two to a piece */
    { 128 * KIB,  64,       16 * MIB,  128 * KIB, false, 32,     2,      128 * KIB,    STRING },
    { 128 * KIB,  129,      16 * MIB,  128 * KIB, false, 65,     2,      128 * KIB,    STREAMED },
    { 256 * KIB,  7,        MIB,       MIB,       false, 7,      1,      256 * KIB,    STRING },
    { 300 * KIB,  7,        MIB,       MIB,       false, 7,      1,      300 * KIB,    STRING },
    /* rows are cut from 512 KiB on */
    { 512 * KIB - 1, 3,     MIB,       MIB,       false, 3,      1,      512 * KIB - 1, STRING },
    { 512 * KIB,  3,        MIB,       MIB,       false, 6,      1,      256 * KIB,    STRING },
    { 512 * KIB + 1, 3,     MIB,       MIB,       false, 9,      1,      256 * KIB,    STRING },
    { 5000000,    2,        5000000,   5000001,   false, 40,     1,      256 * KIB,    STRING },
    /* whole matrices become one long row */
    { MIB,        16,       MIB,       MIB,       true,  64,     1,      256 * KIB,    STRING },
    { MIB,        17,       MIB,       MIB,       true,  68,     1,      256 * KIB,    STREAMED },
    { 1,          MIB,      1,         1,         true,  4,      1,      256 * KIB,    STRING },
    { 5000000,    1,        5000000,   5000000,   true,  20,     1,      256 * KIB,    STRING },
    /* streamed: more than half of the last cache, in rows of at least two lines */
    { 4 * KIB,    4096,     4160,      4160,      false, 64,     64,     4 * KIB,      STRING },
    { 4 * KIB,    4097,     4160,      4160,      false, 65,     64,     4 * KIB,      STREAMED },
    { 128,        131072,   192,       192,       false, 64,     2048,   128,          BEYOND },
    { 128,        131073,   192,       192,       false, 65,     2048,   128,          STREAMED },
    { 127,        400000,   192,       192,       false, 194,    2064,   127,          PLAIN },
    { 127,        4128,     192,       192,       false, 2,      2064,   127,          BEYOND }, /* 524,256 bytes */
    { 127,        4129,     192,       192,       false, 3,      2064,   127,          PLAIN },
    { 5000000,    1,        6000000,   6000000,   false, 20,     1,      256 * KIB,    STRING },
    /* and where rows are far apart, over more than the last cache, from a 64th on */
    { 128,        4096,     16 * KIB,  128,       false, 2,      2048,   128,          BEYOND },
    { 128,        4097,     16 * KIB,  128,       false, 3,      2048,   128,          STREAMED },
    { 1024,       2048,     1024,      16 * KIB,  false, 8,      256,    1024,         BEYOND },
    { 1024,       2049,     1024,      16 * KIB,  false, 9,      256,    1024,         STREAMED },
    { 576,        20000,    576,       4 * 576 - 1, false, 44,   455,    576,          BEYOND },
    { 300,        8192,     300,       1199,      false, 10,     873,    300,          BEYOND },
    { 300,        30000,    300,       1200,      false, 35,     873,    300,          STREAMED },
    { 2 * KIB,    4096,     2 * KIB,   8 * KIB,   false, 32,     128,    2 * KIB,      STRING },
    { 2 * KIB,    4097,     2 * KIB,   8 * KIB,   false, 33,     128,    2 * KIB,      STREAMED },
    { 2 * KIB + 1, 4097,    3 * KIB,   9 * KIB,   false, 33,     127,    2 * KIB + 1,  STRING },
    /* narrow rows with 256 bytes and more from one to the next, if half of the second cache does not hold their lines */
    { 8,          4096,     8,         256,       false, 1,      4096,   8,            PLAIN },
    { 8,          4097,     8,         256,       false, 2,      4096,   8,            FAR },
    { 8,          4097,     8,         255,       false, 2,      4096,   8,            PLAIN },
    { 64,         4097,     KIB,       64,        false, 2,      4096,   64,           FAR },
    { 65,         4097,     KIB,       65,        false, 2,      4032,   65,           BEYOND },
    /* what half of the first cache holds goes through the widest registers, else wide rows by the instruction */
    { 2 * KIB,    12,       2112,      2112,      false, 1,      12,     2 * KIB,      PLAIN },
    { 2 * KIB,    13,       2112,      2112,      false, 1,      13,     2 * KIB,      STRING },
    { 2 * KIB - 1, 13,      2112,      2112,      false, 1,      13,     2 * KIB - 1,  BEYOND },
    { 24 * KIB,   1,        24 * KIB,  24 * KIB,  true,  1,      1,      24 * KIB,     PLAIN },
    { 24 * KIB + 1, 1,      32 * KIB,  32 * KIB,  false, 1,      1,      24 * KIB + 1, STRING },
    { 384,        64,       512,       384,       false, 1,      64,     384,          PLAIN },
    { 384,        65,       512,       384,       false, 1,      65,     384,          BEYOND },
    /* the limits of the calls */
    { 5000000,    5242880,  5000001,   5000000,   false, 104857600, 1,   256 * KIB,    STREAMED },
};
/* clang-format on */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

START_TEST(plan_of_a_row)
{
    const struct row *const row = &rows[_i];
    /* Only numbers: the plan follows no pointer. */
    const struct pacl_rect rect = { .dst = (uint8_t *)((uintptr_t)1 << 40),
                                    .src = (const uint8_t *)((uintptr_t)1 << 46),
                                    .dst_pitch = row->dst_pitch,
                                    .src_pitch = row->src_pitch,
                                    .width = row->width,
                                    .height = row->height };
    const struct pacl_plan plan = pacl_copy_plan(&rect, PACL_SOMEWHERE, &machine);
    ck_assert(!plan.overlapping);
    ck_assert_uint_eq(plan.rect.width, row->one_long_row ? row->width * row->height : row->width);
    ck_assert_uint_eq(plan.rect.height, row->one_long_row ? 1 : row->height);
    ck_assert_uint_eq(plan.pieces, row->pieces);
    ck_assert_uint_eq(smaller(plan.rows_per_piece, plan.rect.height), row->rows_per_piece);
    ck_assert_uint_eq(plan.piece_width, row->piece_width);
    ck_assert_uint_eq(plan.way, row->way);
}
END_TEST

/* Rows that would go by the instruction go through registers where it is slow; the rest is the same. */
START_TEST(without_a_fast_instruction_rows_go_through_registers)
{
    struct pacl_copy_tuning other = machine;
    other.string_is_fast = false;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct pacl_rect rect = { .dst = (uint8_t *)((uintptr_t)1 << 40),
                                        .src = (const uint8_t *)((uintptr_t)1 << 46),
                                        .dst_pitch = rows[i].dst_pitch,
                                        .src_pitch = rows[i].src_pitch,
                                        .width = rows[i].width,
                                        .height = rows[i].height };
        ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &other).way,
                          rows[i].way == STRING ? BEYOND : rows[i].way);
    }
}
END_TEST

/* What a larger second cache holds on both sides is one piece. */
START_TEST(the_second_cache_says_what_is_shared)
{
    struct pacl_copy_tuning large = machine;
    large.second_cache = 2 * MIB;
    struct pacl_rect rect = { .dst = (uint8_t *)((uintptr_t)1 << 40),
                              .src = (const uint8_t *)((uintptr_t)1 << 46),
                              .dst_pitch = 4160,
                              .src_pitch = 4160,
                              .width = 4 * KIB,
                              .height = 256 };
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &large).pieces, 1);
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &machine).pieces, 4);
    rect.height++;
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &large).pieces, 5);
}
END_TEST

/* Streaming begins where the last cache says. */
START_TEST(the_last_cache_moves_the_threshold)
{
    const struct pacl_copy_tuning small = { .first_cache = 32 * KIB, .last_cache = 2 * MIB };
    struct pacl_rect rect = { .dst = (uint8_t *)((uintptr_t)1 << 40),
                              .src = (const uint8_t *)((uintptr_t)1 << 46),
                              .dst_pitch = 4160,
                              .src_pitch = 4160,
                              .width = 4 * KIB,
                              .height = 256 };
    ck_assert_uint_eq(pacl_copy_stream_from(&small), MIB);
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &small).way, BEYOND);
    rect.height++;
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &small).way, STREAMED);
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_SOMEWHERE, &machine).way, STRING);
}
END_TEST

/* Where the rectangle was found decides between stores to memory and stores to a cache, whatever the size. */
/* clang-format off */
static const struct found {
    size_t width, height, pitch;
    bool probed;
    enum pacl_rows_way cached, from_memory;
} found[] = {
    /* width,     height,   pitch,     probed, in a cache, in memory */
    { 64,         100000,   64 + 1,    false,  PLAIN,      PLAIN },
    { 65,         4032,     128,       false,  BEYOND,     PLAIN },    /* 262,080 bytes */
    { 65,         4033,     128,       true,   BEYOND,     PLAIN },    /* 262,145 */
    { 127,        4128,     128,       true,   BEYOND,     PLAIN },
    { 127,        4129,     128,       true,   PLAIN,      PLAIN },
    { 128,        2048,     192,       false,  BEYOND,     STREAMED }, /* half of the second cache */
    { 128,        2049,     192,       true,   BEYOND,     STREAMED },
    { 2 * KIB,    129,      2112,      true,   STRING,     STREAMED },
    { 128 * KIB,  64,       16 * MIB,  true,   STRING,     STREAMED },
    { 4 * KIB,    4096,     4160,      true,   STRING,     STREAMED }, /* half of the last cache */
    { 4 * KIB,    4097,     4160,      false,  STRING,     STREAMED },
    { 128,        60,       192,       false,  PLAIN,      PLAIN },    /* in the first cache there is nothing to ask */
};
/* clang-format on */

START_TEST(what_was_found_decides_the_way)
{
    const struct found *const f = &found[_i];
    struct pacl_copy_tuning timed = machine;
    timed.memory_ticks = 100;
    const struct pacl_rect rect = { .dst = (uint8_t *)((uintptr_t)1 << 40),
                                    .src = (const uint8_t *)((uintptr_t)1 << 46),
                                    .dst_pitch = f->pitch,
                                    .src_pitch = f->pitch,
                                    .width = f->width,
                                    .height = f->height };
    ck_assert(pacl_copy_is_probed(&rect, &timed) == f->probed);
    ck_assert(!pacl_copy_is_probed(&rect, &machine)); /* where loads cannot be timed */
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_IN_CACHE, &timed).way, f->cached);
    ck_assert_uint_eq(pacl_copy_plan(&rect, PACL_IN_MEMORY, &timed).way, f->from_memory);
}
END_TEST

/* With bounds that no load can miss, any probe finds what they say; it reads bytes of the rectangle only: the pages behind
 * both blocks have no access. */
START_TEST(a_probe_stays_inside)
{
    enum { PAGE = 4096, PAGES = 4 };
    uint8_t *const at[] = { os_reserve(PAGES * PAGE, PAGE), os_reserve(PAGES * PAGE, PAGE) };
    static const size_t sizes[][2] = {
        { 1, 1 }, { 1, 8 }, { 7, 3 }, { 65, 63 }, { PAGE, 1 }, { 100, 40 }, { 1, PAGE }
    };
    const struct pacl_copy_tuning never = { .memory_ticks = UINT32_MAX }, always = { .memory_ticks = 1 };
    ck_assert(at[0] != NULL && at[1] != NULL);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(os_commit(at[i] + PAGE, PAGE), 0);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const size_t width = sizes[i][0], height = sizes[i][1], bytes = width * height;
        struct pacl_rect r = { .dst_pitch = width, .src_pitch = width, .width = width, .height = height };
        r.dst = at[0] + PAGE; /* against the page before, then against the one behind */
        r.src = at[1] + PAGE;
        const enum pacl_residence first = pacl_copy_probe(&r, &never);
        r.dst = at[0] + 2 * PAGE - bytes;
        r.src = at[1] + 2 * PAGE - bytes;
        const enum pacl_residence second = pacl_copy_probe(&r, &always);
        if (pacl_copy_memory_ticks() > 0) {
            ck_assert_uint_eq(first, PACL_IN_CACHE);
            ck_assert_uint_eq(second, PACL_IN_MEMORY);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        os_release(at[i], PAGES * PAGE);
}
END_TEST

START_TEST(an_overlapping_rectangle_is_one_piece)
{
    uint8_t *const at = (uint8_t *)((uintptr_t)1 << 40);
    const struct pacl_rect rect = {
        .dst = at + 1, .src = at, .dst_pitch = MIB, .src_pitch = MIB, .width = MIB, .height = 64
    };
    const struct pacl_plan plan = pacl_copy_plan(&rect, PACL_SOMEWHERE, &machine);
    ck_assert(plan.overlapping);
    ck_assert_uint_eq(plan.pieces, 1);
    ck_assert_uint_eq(plan.rect.height, 64);
}
END_TEST

START_TEST(cost_of_a_rectangle)
{
    const struct {
        size_t width, height, cost;
    } cases[] = {
        { 1, 1, 64 },
        { 64, 1, 64 },
        { 65, 1, 65 },
        { 1, 1000, 64000 },
        { 5000000, 2, 10000000 },
        { 1, SIZE_MAX, SIZE_MAX },
        { SIZE_MAX, 1, SIZE_MAX },
        { SIZE_MAX, 2, SIZE_MAX },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct pacl_rect rect = { .width = cases[i].width, .height = cases[i].height };
        ck_assert_uint_eq(pacl_rows_cost(rect.width, rect.height), cases[i].cost);
    }
}
END_TEST

/* --- random rectangles ------------------------------------------------------------------------------------------ */

/* Source and destination of their own, of a size that takes several pieces. */
struct field {
    uint8_t *dst, *src;
    size_t dst_bytes, src_bytes;
    struct pacl_rect rect;
};

static size_t any_width(uint64_t *state)
{
    static const size_t most[] = { 8, 70, 2000, 300 * KIB, 3 * MIB };
    return random_in(state, 1, most[random_in(state, 0, COUNT_OF(most) - 1)]);
}

static size_t any_pitch(uint64_t *state, size_t width)
{
    return width + (random_in(state, 0, 1) == 0 ? 0 : random_in(state, 1, 100));
}

static struct field field_new(uint64_t *state)
{
    struct field f = { 0 };
    const size_t width = any_width(state), touched = width > PACL_LINE ? width : PACL_LINE;
    f.rect.width = width;
    f.rect.height = random_in(state, 1, 1 + MIB / touched);
    f.rect.dst_pitch = any_pitch(state, width);
    f.rect.src_pitch = any_pitch(state, width);
    f.dst_bytes = f.rect.height * f.rect.dst_pitch;
    f.src_bytes = f.rect.height * f.rect.src_pitch;
    f.dst = calloc(f.dst_bytes, 1);
    f.src = malloc(f.src_bytes);
    ck_assert(f.dst != NULL && f.src != NULL);
    f.rect.dst = f.dst;
    f.rect.src = f.src;
    return f;
}

static void field_free(struct field *f)
{
    free(f->dst);
    free(f->src);
}

static const char *describe(const struct pacl_rect *r)
{
    return row_text("%zu x %zu, dpitch %zu, spitch %zu", r->width, r->height, r->dst_pitch, r->src_pitch);
}

/* All pieces, each once, in random order. */
static void copy_pieces(const struct pacl_plan *plan, uint64_t *state)
{
    size_t *const order = malloc(plan->pieces * sizeof *order);
    ck_assert_ptr_nonnull(order);
    for (size_t i = 0; i < plan->pieces; i++) {
        const size_t other = random_in(state, 0, i);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < plan->pieces; i++)
        pacl_copy_piece(plan, order[i]);
    free(order);
}

/* In place of a kernel: counts how often each byte of the destination is written. */
static void count_rows(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width,
                       size_t height)
{
    (void)src;
    (void)src_pitch;
    for (size_t row = 0; row < height; row++) {
        for (size_t column = 0; column < width; column++)
            dst[row * dst_pitch + column]++;
    }
}

static void assert_counts(const struct field *f)
{
    const struct pacl_rect *const r = &f->rect;
    for (size_t row = 0; row < r->height; row++) {
        const uint8_t *const at = f->dst + row * r->dst_pitch;
        const char *difference = fill_difference(at, r->width, 1);
        if (difference == NULL)
            difference = fill_difference(at + r->width, r->dst_pitch - r->width, 0);
        ck_assert_msg(difference == NULL, "row %zu of %s: %s", row, describe(r), difference);
    }
}

START_TEST(pieces_cover_each_byte_once)
{
    uint64_t state = test_seed();
    size_t in_pieces = 0;
    for (unsigned way = 0; way < PACL_ROWS_WAYS; way++)
        pacl_copy_ops.rows[way] = count_rows;
    for (size_t i = 0; i < test_rounds(150); i++) {
        struct field f = field_new(&state);
        const struct pacl_plan plan = pacl_copy_plan(&f.rect, PACL_SOMEWHERE, &machine);
        copy_pieces(&plan, &state);
        assert_counts(&f);
        in_pieces += plan.pieces > 1;
        field_free(&f);
    }
    ck_assert_uint_gt(in_pieces, 10);
}
END_TEST

START_TEST(pieces_in_random_order_are_the_copy)
{
    uint64_t state = test_seed();
    for (size_t i = 0; i < test_rounds(150); i++) {
        struct field f = field_new(&state);
        uint8_t *const want = malloc(f.dst_bytes);
        ck_assert_ptr_nonnull(want);
        random_fill(&state, f.src, f.src_bytes);
        memset(f.dst, POISON, f.dst_bytes);
        memset(want, POISON, f.dst_bytes);
        for (size_t row = 0; row < f.rect.height; row++)
            memcpy(want + row * f.rect.dst_pitch, f.src + row * f.rect.src_pitch, f.rect.width);
        const struct pacl_plan plan = pacl_copy_plan(&f.rect, PACL_SOMEWHERE, &machine);
        copy_pieces(&plan, &state);
        const char *const difference = bytes_difference(f.dst, want, f.dst_bytes);
        ck_assert_msg(difference == NULL, "%s", difference);
        free(want);
        field_free(&f);
    }
}
END_TEST

/* --- overlap ---------------------------------------------------------------------------------------------------- */

enum { SMALL = 400 };

/* Decision 7: as if the rows were copied in ascending order, each by memmove. */
START_TEST(overlap_is_ascending_memmove)
{
    uint64_t state = test_seed();
    uint8_t field[SMALL], want[SMALL];
    size_t overlapping = 0;
    for (size_t i = 0; i < test_rounds(50000); i++) {
        const size_t dst_pitch = random_in(&state, 1, 30);
        const size_t src_pitch = random_in(&state, 0, 2) == 0 ? dst_pitch : random_in(&state, 1, 30);
        const size_t width = random_in(&state, 1, smaller(dst_pitch, src_pitch));
        const size_t dst_at = random_in(&state, 0, 150), src_at = random_in(&state, 0, 150);
        const struct pacl_rect rect = { .dst = field + dst_at,
                                        .src = field + src_at,
                                        .dst_pitch = dst_pitch,
                                        .src_pitch = src_pitch,
                                        .width = width,
                                        .height = random_in(&state, 1, 8) };
        random_fill(&state, field, sizeof field);
        memcpy(want, field, sizeof field);
        model_copy2d(want + dst_at, dst_pitch, want + src_at, src_pitch, width, rect.height);
        const struct pacl_plan plan = pacl_copy_plan(&rect, PACL_SOMEWHERE, &machine);
        copy_pieces(&plan, &state);
        const bool same = memcmp(field, want, sizeof field) == 0;
        ck_assert_msg(same, "dst +%zu, src +%zu: %s", dst_at, src_at, describe(&rect));
        overlapping += plan.overlapping;
    }
    ck_assert_uint_gt(overlapping, 1000);
}
END_TEST

/* Too big for one piece if it did not overlap: the order of its rows still holds. */
START_TEST(a_large_overlap_is_ascending_memmove)
{
    const ptrdiff_t shifts[] = { 1, -1, 64, -64, 4096, -4096, 70000, -70000 };
    const size_t width = 60000, pitch = 65000, height = 20, margin = 70000, bytes = 2 * margin + height * pitch;
    uint64_t state = 7;
    uint8_t *const field = malloc(bytes), *const want = malloc(bytes);
    ck_assert(field != NULL && want != NULL);
    for (size_t i = 0; i < COUNT_OF(shifts); i++) {
        random_fill(&state, field, bytes);
        memcpy(want, field, bytes);
        model_copy2d(want + margin + shifts[i], pitch, want + margin, pitch, width, height);
        const struct pacl_rect rect = { .dst = field + margin + shifts[i],
                                        .src = field + margin,
                                        .dst_pitch = pitch,
                                        .src_pitch = pitch,
                                        .width = width,
                                        .height = height };
        const struct pacl_plan plan = pacl_copy_plan(&rect, PACL_SOMEWHERE, &machine);
        copy_pieces(&plan, &state);
        const char *const difference = bytes_difference(field, want, bytes);
        ck_assert_msg(difference == NULL, "shift %td: %s", shifts[i], difference);
    }
    free(field);
    free(want);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("plan", NULL, NULL);
    tcase_add_loop_test(tc, plan_of_a_row, 0, (int)COUNT_OF(rows));
    tcase_add_test(tc, without_a_fast_instruction_rows_go_through_registers);
    tcase_add_test(tc, the_second_cache_says_what_is_shared);
    tcase_add_test(tc, the_last_cache_moves_the_threshold);
    tcase_add_loop_test(tc, what_was_found_decides_the_way, 0, (int)COUNT_OF(found));
    tcase_add_test(tc, a_probe_stays_inside);
    tcase_add_test(tc, an_overlapping_rectangle_is_one_piece);
    tcase_add_test(tc, cost_of_a_rectangle);
    tcase_add_test(tc, pieces_cover_each_byte_once);
    tcase_add_test(tc, pieces_in_random_order_are_the_copy);
    tcase_add_test(tc, overlap_is_ascending_memmove);
    tcase_add_test(tc, a_large_overlap_is_ascending_memmove);
    return run_cases("plan", tc, (TCase *)NULL);
}
