/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes are written: rectangles against a flag per byte. */
#include "../api/support.h"

#include <stdio.h>

#include "check/written.h"

enum { SIZE = 2048 };

struct model {
    struct pacl_written written;
    bool bytes[SIZE];
};

static void add(struct model *m, const struct pacl_box *box)
{
    pacl_written_add(&m->written, box, SIZE);
    for (uint64_t r = 0; r < box->height; r++)
        memset(m->bytes + box->at + r * box->pitch, true, box->width);
}

/* The lowest byte of the box that is not written, or SIZE. */
static uint64_t slow_missing(const struct model *m, const struct pacl_box *box)
{
    for (uint64_t r = 0; r < box->height; r++) {
        for (uint64_t c = 0; c < box->width; c++) {
            if (!m->bytes[box->at + r * box->pitch + c])
                return box->at + r * box->pitch + c;
        }
    }
    return SIZE;
}

static struct pacl_box random_box(uint64_t *state, const uint64_t *pitches, size_t count)
{
    struct pacl_box box;
    do {
        box.pitch = pitches[random_in(state, 0, count - 1)];
        box.width = random_in(state, 1, box.pitch);
        box.height = random_in(state, 1, 12);
        box.at = random_in(state, 0, SIZE - 1);
    } while (pacl_box_end(&box) > SIZE);
    return box;
}

/* Answers that say "missing" must be right; answers that say "written" must be right while nothing was given up. */
static void compare(uint64_t *state, const uint64_t *pitches, size_t count, size_t writes)
{
    struct model m = { 0 };
    for (size_t i = 0; i < writes; i++) {
        struct pacl_box box = random_box(state, pitches, count);
        add(&m, &box);
        for (unsigned k = 0; k < 4; k++) {
            uint64_t missing = SIZE;
            box = random_box(state, pitches, count);
            const uint64_t expected = slow_missing(&m, &box);
            if (pacl_written_covers(&m.written, &box, &missing))
                ck_assert_msg(expected == SIZE || m.written.all, "byte %zu is missing and counts as written",
                              (size_t)expected);
            else
                ck_assert_msg(missing == expected, "byte %zu is missing, %zu was told", (size_t)expected,
                              (size_t)missing);
        }
    }
    pacl_written_set_all(&m.written);
}

START_TEST(one_pitch)
{
    uint64_t state = test_seed();
    const uint64_t pitches[] = { 32 };
    for (size_t i = 0; i < test_rounds(3000); i++)
        compare(&state, pitches, 1, 20);
}
END_TEST

START_TEST(several_pitches)
{
    uint64_t state = test_seed();
    const uint64_t pitches[] = { 24, 32, 100, 7 };
    for (size_t i = 0; i < test_rounds(2000); i++)
        compare(&state, pitches, COUNT_OF(pitches), 8);
}
END_TEST

static struct pacl_box box_of(uint64_t at, uint64_t pitch, uint64_t width, uint64_t height)
{
    return (struct pacl_box){ .at = at, .pitch = pitch, .width = width, .height = height };
}

/* Columns side by side become lines, rows one after the other become blocks: the sets stay small. */
START_TEST(what_is_filled_piece_by_piece_stays_small)
{
    struct pacl_written w = { 0 };
    const uint64_t size = UINT64_C(64) << 30, pitch = UINT64_C(1) << 20;
    for (uint64_t column = 0; column < 8; column++) {
        const struct pacl_box box = box_of(column * (pitch / 8), pitch, pitch / 8, size / pitch - 1);
        pacl_written_add(&w, &box, size);
        ck_assert_uint_le(w.pitched[0].count, 1);
    }
    ck_assert_uint_eq(w.run_count, 1);
    ck_assert_uint_eq(w.runs[0].high, size - pitch);
    for (uint64_t row = 0; row < 1000; row++) {
        const struct pacl_box box = box_of(size - pitch + row * 1000, 0, 1000, 1);
        pacl_written_add(&w, &box, size);
        ck_assert_uint_eq(w.run_count, 1);
    }
    uint64_t missing;
    const struct pacl_box whole = box_of(0, pitch, pitch, size / pitch);
    ck_assert(!pacl_written_covers(&w, &whole, &missing));
    ck_assert_uint_eq(missing, size - pitch + 1000000);
    const struct pacl_box rest = box_of(size - pitch + 1000000, 0, pitch - 1000000, 1);
    pacl_written_add(&w, &rest, size);
    ck_assert(w.all);
    ck_assert(w.runs == NULL);
}
END_TEST

/* Rows of a tall rectangle in a pitch that is not the reader's. */
START_TEST(padding_is_not_payload)
{
    struct pacl_written w = { 0 };
    uint64_t missing;
    const struct pacl_box rows = box_of(0, 128, 100, 64), inner = box_of(128, 256, 100, 20),
                          wide = box_of(0, 128, 101, 64);
    pacl_written_add(&w, &rows, 8192);
    ck_assert(pacl_written_covers(&w, &rows, &missing));
    ck_assert(pacl_written_covers(&w, &inner, &missing));
    ck_assert(!pacl_written_covers(&w, &wide, &missing));
    ck_assert_uint_eq(missing, 100);
    pacl_written_set_all(&w);
}
END_TEST

/* Past the limits everything counts as written, and the memory is given back. */
START_TEST(ragged_writes_are_given_up)
{
    struct pacl_written w = { 0 };
    const uint64_t size = 1 << 20;
    uint64_t missing, at = 0;
    for (; !w.all; at += 3) {
        ck_assert_uint_lt(at, size);
        const struct pacl_box byte = box_of(at, 1, 1, 1);
        pacl_written_add(&w, &byte, size);
    }
    ck_assert_uint_gt(at, 3000);
    const struct pacl_box whole = box_of(0, size, size, 1);
    ck_assert(pacl_written_covers(&w, &whole, &missing));
    ck_assert(w.runs == NULL);
}
END_TEST

int main(void)
{
    TCase *tests = new_case("written", NULL, NULL);
    tcase_add_test(tests, one_pitch);
    tcase_add_test(tests, several_pitches);
    tcase_add_test(tests, what_is_filled_piece_by_piece_stays_small);
    tcase_add_test(tests, padding_is_not_payload);
    tcase_add_test(tests, ragged_writes_are_given_up);
    return run_cases("written", tests, NULL);
}
