/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry: what fits, the first row outside, whether source and destination share bytes. */
#include "../api/support.h"
#include "copy/copy.h"

#define MAX SIZE_MAX
#define HALF ((size_t)1 << 63)

__extension__ typedef unsigned __int128 wide; /* holds every product of two sizes */

/* --- fits, first outside ---------------------------------------------------------------------------------------- */

static const struct extent {
    size_t pitch, width, height, avail;
    bool fits;
    size_t first_outside; /* not looked at where width or height is 0 */
} extents[] = {
    { 0, 0, 0, 0, true, 0 },
    { 0, 0, MAX, 0, true, 0 },
    { MAX, MAX, 0, 0, true, 0 },
    { 1, 1, 1, 0, false, 0 },
    { 1, 1, 1, 1, true, 1 },
    { 1, 1, 2, 1, false, 1 },
    { 64, 32, 4, 224, true, 4 }, /* the last row needs no pitch behind it */
    { 64, 32, 4, 223, false, 3 },
    { 64, 32, 4, 32, false, 1 },
    { 64, 32, 4, 31, false, 0 },
    { 64, 64, 4, 256, true, 4 },
    { 64, 64, 4, 255, false, 3 },
    { MAX, 1, 1, 1, true, 1 },
    { MAX, 1, 2, MAX, false, 1 }, /* the second row would end at 2^64 */
    { MAX - 1, 1, 2, MAX, true, 2 },
    { MAX, MAX, 1, MAX, true, 1 },
    { MAX, MAX, 1, MAX - 1, false, 0 },
    { MAX, MAX, MAX, MAX, false, 1 },
    { 1, 1, MAX, MAX, true, MAX },
    { 1, 1, MAX, MAX - 1, false, MAX - 1 },
    { HALF, 1, 3, MAX, false, 2 }, /* 2 * 2^63 wraps to 0 */
    { HALF, 1, 2, HALF + 1, true, 2 },
    { HALF, 1, 2, HALF, false, 1 },
    { (size_t)1 << 32, 1, ((size_t)1 << 32) + 1, MAX, false, (size_t)1 << 32 },
    { (size_t)1 << 32, 1, (size_t)1 << 32, MAX, true, (size_t)1 << 32 },
    { 303872, 5000000, 1, MAX, false, 1 }, /* wider than its pitch: refused even for one row */
};

START_TEST(extents_at_the_edges)
{
    const struct extent *const e = &extents[_i];
    ck_assert_int_eq(pacl_pitched_fits(e->pitch, e->width, e->height, e->avail), e->fits);
    if (e->width > 0 && e->height > 0)
        ck_assert_uint_eq(pacl_pitched_first_outside(e->pitch, e->width, e->height, e->avail), e->first_outside);
}
END_TEST

/* Small numbers, powers of two and numbers just below 2^64, in equal parts. */
static size_t any_size(uint64_t *state)
{
    switch (random_in(state, 0, 2)) {
    case 0:
        return random_in(state, 1, 100);
    case 1:
        return ((size_t)1 << random_in(state, 1, 63)) + random_in(state, 0, 2) - 1;
    default:
        return MAX - random_in(state, 0, 100);
    }
}

START_TEST(extents_against_wide_numbers)
{
    uint64_t state = test_seed();
    for (size_t i = 0; i < test_rounds(200000); i++) {
        const size_t pitch = any_size(&state), height = any_size(&state), avail = any_size(&state);
        const size_t width = 1 + (any_size(&state) - 1) % pitch;
        const bool fits = (wide)(height - 1) * pitch + width <= avail;
        const size_t row = pacl_pitched_first_outside(pitch, width, height, avail);
        const char *const which = row_text("pitch %zu, width %zu, height %zu, avail %zu", pitch, width, height, avail);
        ck_assert_msg(pacl_pitched_fits(pitch, width, height, avail) == fits, "fits: %s", which);
        ck_assert_msg(row <= height && (row == height) == fits, "row %zu: %s", row, which);
        ck_assert_msg(fits || (wide)row * pitch + width > avail, "row %zu lies inside: %s", row, which);
        ck_assert_msg(row == 0 || (wide)(row - 1) * pitch + width <= avail, "row %zu is not the first: %s", row, which);
    }
}
END_TEST

/* --- overlap ---------------------------------------------------------------------------------------------------- */

enum { FIELD = 512 };

static bool rows_share_a_byte(const struct pacl_rect *r, const uint8_t *field)
{
    bool written[FIELD] = { false };
    for (size_t row = 0; row < r->height; row++)
        memset(written + (r->dst - field) + row * r->dst_pitch, true, r->width);
    for (size_t row = 0; row < r->height; row++) {
        for (size_t column = 0; column < r->width; column++) {
            if (written[(size_t)(r->src - field) + row * r->src_pitch + column])
                return true;
        }
    }
    return false;
}

static bool spans_are_apart(const struct pacl_rect *r)
{
    const uint8_t *const dst_end = r->dst + (r->height - 1) * r->dst_pitch + r->width;
    const uint8_t *const src_end = r->src + (r->height - 1) * r->src_pitch + r->width;
    return dst_end <= r->src || src_end <= r->dst;
}

static struct pacl_rect random_rect(uint64_t *state, uint8_t *field)
{
    struct pacl_rect r = { .dst_pitch = random_in(state, 1, 24), .height = random_in(state, 1, 6) };
    r.src_pitch = random_in(state, 0, 1) == 0 ? r.dst_pitch : random_in(state, 1, 24);
    const size_t narrow = r.dst_pitch < r.src_pitch ? r.dst_pitch : r.src_pitch;
    r.width = random_in(state, 1, narrow);
    r.dst = field + random_in(state, 0, 200);
    r.src = field + random_in(state, 0, 200);
    return r;
}

START_TEST(overlap_against_brute_force)
{
    static uint8_t field[FIELD];
    uint64_t state = test_seed();
    size_t sharing = 0, side_by_side = 0;
    for (size_t i = 0; i < test_rounds(200000); i++) {
        const struct pacl_rect r = random_rect(&state, field);
        const bool got = pacl_rect_overlaps(&r), share = rows_share_a_byte(&r, field);
        const bool same_pitch = r.dst_pitch == r.src_pitch, apart = spans_are_apart(&r);
        const char *const which = row_text("dst +%td pitch %zu, src +%td pitch %zu, %zu x %zu", r.dst - field,
                                           r.dst_pitch, r.src - field, r.src_pitch, r.width, r.height);
        ck_assert_msg(got || !share, "a shared byte was missed: %s", which);
        ck_assert_msg(!same_pitch || got == share, "equal pitches and not exact: %s", which);
        ck_assert_msg(!apart || !got, "spans apart: %s", which);
        sharing += share;
        side_by_side += same_pitch && !share && !apart;
    }
    ck_assert_uint_gt(sharing, 1000); /* the field is small enough that both answers are common */
    ck_assert_uint_gt(side_by_side, 1000);
}
END_TEST

/* One row may be wider than its pitches: only its bytes count. */
START_TEST(overlap_of_one_row)
{
    static uint8_t field[FIELD];
    for (size_t pitch = 1; pitch <= 40; pitch++) {
        for (size_t dst = 0; dst < 60; dst++) {
            const struct pacl_rect r = {
                .dst = field + dst, .src = field + 30, .dst_pitch = pitch, .src_pitch = pitch, .width = 20, .height = 1
            };
            ck_assert_msg(pacl_rect_overlaps(&r) == (dst > 10 && dst < 50), "dst +%zu, pitch %zu", dst, pitch);
        }
    }
}
END_TEST

START_TEST(overlap_over_long_spans)
{
    struct pacl_rect r = { .dst = (uint8_t *)0x100000,
                           .src = (const uint8_t *)0x100000 + 512,
                           .dst_pitch = (size_t)1 << 40,
                           .src_pitch = (size_t)1 << 40,
                           .width = 512,
                           .height = 1024 };
    ck_assert(!pacl_rect_overlaps(&r)); /* two columns of one matrix of 2^50 bytes */
    r.src -= 1;
    ck_assert(pacl_rect_overlaps(&r));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("rect", NULL, NULL);
    tcase_add_loop_test(tc, extents_at_the_edges, 0, (int)COUNT_OF(extents));
    tcase_add_test(tc, extents_against_wide_numbers);
    tcase_add_test(tc, overlap_against_brute_force);
    tcase_add_test(tc, overlap_of_one_row);
    tcase_add_test(tc, overlap_over_long_spans);
    return run_cases("rect", tc, (TCase *)NULL);
}
