/* SPDX-License-Identifier: Apache-2.0 */
/* Shared bytes of pitched rectangles against brute force. */
#include "../api/support.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/overlap.h"

/* Bytes of a small address space, one flag each. */
enum { SPACE = 4096 };

static const char *text_of(const struct pacl_box *a, const struct pacl_box *b)
{
    static char text[256];
    snprintf(text, sizeof text,
             "at %" PRIu64 " pitch %" PRIu64 " width %" PRIu64 " height %" PRIu64 " and at %" PRIu64 " pitch %" PRIu64
             " width %" PRIu64 " height %" PRIu64,
             a->at, a->pitch, a->width, a->height, b->at, b->pitch, b->width, b->height);
    return text;
}

/* Row by row of both: the lowest shared address, or UINT64_MAX. */
static uint64_t slow_first(const struct pacl_box *a, const struct pacl_box *b)
{
    uint64_t best = UINT64_MAX;
    for (uint64_t i = 0; i < a->height; i++) {
        for (uint64_t j = 0; j < b->height; j++) {
            const uint64_t x = a->at + i * a->pitch, y = b->at + j * b->pitch, low = x > y ? x : y;
            if (low < x + a->width && low < y + b->width && low < best)
                best = low;
        }
    }
    return best;
}

static void check_first(const struct pacl_box *a, const struct pacl_box *b, uint64_t expected)
{
    struct pacl_common_byte first;
    const bool found = pacl_boxes_overlap(a, b, &first);
    ck_assert_msg(found == (expected != UINT64_MAX), "%s: found %d", text_of(a, b), found);
    ck_assert_msg(pacl_boxes_overlap(a, b, NULL) == found, "%s: differs without a place", text_of(a, b));
    if (!found)
        return;
    ck_assert_msg(first.address == expected, "%s: first byte %" PRIu64 ", expected %" PRIu64, text_of(a, b),
                  first.address, expected);
    ck_assert_msg(first.row[0] < a->height && first.column[0] < a->width &&
                      a->at + first.row[0] * a->pitch + first.column[0] == expected,
                  "%s: wrong place in the first", text_of(a, b));
    ck_assert_msg(first.row[1] < b->height && first.column[1] < b->width &&
                      b->at + first.row[1] * b->pitch + first.column[1] == expected,
                  "%s: wrong place in the second", text_of(a, b));
}

static struct pacl_box random_box(uint64_t *state, uint64_t pitch_max, uint64_t height_max)
{
    struct pacl_box box;
    box.width = random_in(state, 1, random_in(state, 1, pitch_max));
    box.pitch = random_in(state, box.width, pitch_max);
    box.height = random_in(state, 1, height_max);
    box.at = random_in(state, 0, 200);
    if (box.height == 1 && random_in(state, 0, 1) == 0)
        box.pitch = 0; /* says nothing */
    return box;
}

START_TEST(a_million_random_pairs_agree_with_brute_force)
{
    uint64_t state = test_seed();
    size_t sharing = 0;
    const size_t pairs = test_rounds(1000000);
    for (size_t i = 0; i < pairs; i++) {
        const uint64_t pitch = random_in(&state, 1, 60), height = random_in(&state, 1, 12);
        const struct pacl_box a = random_box(&state, pitch, height), b = random_box(&state, pitch, height);
        const uint64_t expected = slow_first(&a, &b);
        check_first(&a, &b, expected);
        sharing += expected != UINT64_MAX;
    }
    ck_assert_msg(sharing > pairs / 10 && sharing < pairs / 10 * 9, "%zu of %zu share a byte", sharing, pairs);
}
END_TEST

/* Sparse rows far beyond each other's period: where the search has to go deep. */
START_TEST(narrow_columns_of_different_pitches)
{
    uint64_t state = test_seed();
    for (size_t i = 0; i < test_rounds(20000); i++) {
        const struct pacl_box a = { .at = random_in(&state, 0, 2000),
                                    .pitch = random_in(&state, 20, 400),
                                    .width = random_in(&state, 1, 3),
                                    .height = random_in(&state, 1, 90) };
        const struct pacl_box b = { .at = random_in(&state, 0, 2000),
                                    .pitch = random_in(&state, 20, 400),
                                    .width = random_in(&state, 1, 3),
                                    .height = random_in(&state, 1, 90) };
        check_first(&a, &b, slow_first(&a, &b));
    }
}
END_TEST

/* Heights of 2^40 rows with pitches that meet in one known row, and one byte beside it never. */
START_TEST(huge_rectangles_meet_in_one_byte)
{
    const uint64_t p = (UINT64_C(1) << 20) + 7, q = UINT64_C(1) << 20;
    for (uint64_t k = 1; k < 64; k++) {
        /* Row i of A starts 7i into a row of B; 7i = target for i = k*1000 below q. */
        const uint64_t i = k * 1000, target = 7 * i;
        struct pacl_box a = { .at = 0, .pitch = p, .width = 1, .height = UINT64_C(1) << 40 };
        struct pacl_box b = { .at = target, .pitch = q, .width = 1, .height = UINT64_C(1) << 40 };
        struct pacl_common_byte first;
        ck_assert(pacl_boxes_overlap(&a, &b, &first));
        ck_assert_uint_eq(first.row[0], i);
        ck_assert_uint_eq(first.row[1], i);
        ck_assert_uint_eq(first.address, i * p);
        a.height = i; /* one row less: the next meeting is far beyond */
        ck_assert(!pacl_boxes_overlap(&a, &b, &first));
        a.height = UINT64_C(1) << 40;
        b.height = i;
        ck_assert(!pacl_boxes_overlap(&a, &b, &first) || first.row[0] != i);
    }
}
END_TEST

START_TEST(interleaved_columns_never_meet)
{
    const uint64_t pitches[] = { 8, 4096, 6144, UINT64_C(1) << 31, (UINT64_C(1) << 40) + 8 };
    for (size_t i = 0; i < COUNT_OF(pitches); i++) {
        const uint64_t p = pitches[i], rows = (UINT64_C(1) << 62) / p;
        const struct pacl_box left = { .at = 64, .pitch = p, .width = p / 2, .height = rows };
        struct pacl_box right = { .at = 64 + p / 2, .pitch = p, .width = p / 2, .height = rows };
        struct pacl_common_byte first;
        ck_assert(!pacl_boxes_overlap(&left, &right, NULL));
        right.at--; /* one byte of every row */
        ck_assert(pacl_boxes_overlap(&left, &right, &first));
        ck_assert_uint_eq(first.row[0], 0);
        ck_assert_uint_eq(first.column[0], p / 2 - 1);
        ck_assert_uint_eq(first.column[1], 0);
        right = (struct pacl_box){ .at = 64 + p / 2, .pitch = 2 * p, .width = p / 2, .height = rows / 2 };
        ck_assert(!pacl_boxes_overlap(&left, &right, NULL));
    }
}
END_TEST

/* The whole of 64 bits: no sum may wrap. Both orders, so that each formula sees the large numbers. */
START_TEST(the_ends_of_the_address_space)
{
    const uint64_t top = UINT64_MAX;
    const struct pacl_box whole = { .at = 0, .pitch = top, .width = top, .height = 1 };
    const struct pacl_box last = { .at = top - 1, .pitch = 1, .width = 1, .height = 1 };
    const struct pacl_box odd = { .at = 1, .pitch = 2, .width = 1, .height = UINT64_C(1) << 62 };
    const struct pacl_box even = { .at = 0, .pitch = 2, .width = 1, .height = UINT64_C(1) << 62 };
    const struct pacl_box two = { .at = 3, .pitch = (UINT64_C(1) << 63) - 1, .width = 2, .height = 2 };
    struct pacl_common_byte first;
    ck_assert(pacl_boxes_overlap(&whole, &last, &first));
    ck_assert_uint_eq(first.address, top - 1);
    ck_assert(pacl_boxes_overlap(&last, &whole, &first));
    ck_assert_uint_eq(first.column[1], top - 1);
    ck_assert(!pacl_boxes_overlap(&odd, &even, NULL));
    ck_assert(!pacl_boxes_overlap(&even, &odd, NULL));
    ck_assert(pacl_boxes_overlap(&two, &whole, &first));
    ck_assert_uint_eq(first.address, 3);
    ck_assert(pacl_boxes_overlap(&odd, &two, &first));
    ck_assert_uint_eq(first.address, 3);
}
END_TEST

/* Large pitches with small remainders, built so that the answer is known: A's row t starts where B's row s does. */
START_TEST(adversarial_64_bit_pairs)
{
    uint64_t state = test_seed();
    for (size_t round = 0; round < test_rounds(20000); round++) {
        const uint64_t p = random_in(&state, UINT64_C(1) << 30, UINT64_C(1) << 42);
        const uint64_t q = random_in(&state, UINT64_C(1) << 30, UINT64_C(1) << 42);
        const uint64_t t = random_in(&state, 0, 100000), s = random_in(&state, 0, 100000);
        struct pacl_box a = {
            .at = UINT64_C(1) << 60, .pitch = p, .width = 1 + (random_next(&state) & 3), .height = t + 1
        };
        struct pacl_box b = {
            .at = a.at + t * p - s * q, .pitch = q, .width = 1 + (random_next(&state) & 3), .height = s + 1
        };
        struct pacl_common_byte first;
        ck_assert_msg(pacl_boxes_overlap(&a, &b, &first), "%s", text_of(&a, &b));
        ck_assert_uint_le(first.row[0], t);
        ck_assert_uint_eq(a.at + first.row[0] * p + first.column[0], first.address);
        ck_assert_uint_eq(b.at + first.row[1] * q + first.column[1], first.address);
        /* No row below the one found has a partner: the question once more, for these rows only. */
        a.height = first.row[0];
        if (a.height > 0)
            ck_assert_msg(!pacl_boxes_overlap(&a, &b, NULL), "%s", text_of(&a, &b));
    }
}
END_TEST

START_TEST(containing_is_never_claimed_wrongly)
{
    uint64_t state = test_seed();
    size_t contained = 0;
    for (size_t i = 0; i < test_rounds(100000); i++) {
        const struct pacl_box a = random_box(&state, 40, 8), b = random_box(&state, 20, 4);
        if (!pacl_box_contains(&a, &b))
            continue;
        contained++;
        bool in[SPACE] = { false };
        for (uint64_t r = 0; r < a.height; r++)
            memset(in + a.at + r * a.pitch, true, a.width);
        for (uint64_t r = 0; r < b.height; r++) {
            for (uint64_t c = 0; c < b.width; c++)
                ck_assert_msg(in[b.at + r * b.pitch + c], "%s", text_of(&a, &b));
        }
    }
    ck_assert_uint_gt(contained, 100);
    const struct pacl_box wide = { .at = 0, .pitch = 64, .width = 48, .height = 10 };
    const struct pacl_box rows = { .at = 64 + 8, .pitch = 128, .width = 40, .height = 4 };
    ck_assert(pacl_box_contains(&wide, &wide));
    ck_assert(pacl_box_contains(&wide, &rows));
}
END_TEST

int main(void)
{
    TCase *tests = new_case("overlap", NULL, NULL);
    tcase_add_test(tests, a_million_random_pairs_agree_with_brute_force);
    tcase_add_test(tests, narrow_columns_of_different_pitches);
    tcase_add_test(tests, huge_rectangles_meet_in_one_byte);
    tcase_add_test(tests, interleaved_columns_never_meet);
    tcase_add_test(tests, the_ends_of_the_address_space);
    tcase_add_test(tests, adversarial_64_bit_pairs);
    tcase_add_test(tests, containing_is_never_claimed_wrongly);
    return run_cases("overlap", tests, NULL);
}
