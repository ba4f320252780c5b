/* SPDX-License-Identifier: Apache-2.0 */
/* Every kernel that pacl_copy_ops can hold, against a loop over single bytes. */
#include "../api/support.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/cpu.h"
#include "copy/copy.h"

enum {
    ALIGNMENTS = 64,
    WIDTH_MAX_TESTED = 9000,
    ROWS_MAX = 4,
    PITCH_MAX = WIDTH_MAX_TESTED + 200,
    FIELD_BYTES = 3 * ALIGNMENTS + ROWS_MAX * PITCH_MAX,
    FEATURE_SETS = 32, /* every set of the five features */
};

/* --- kernels ---------------------------------------------------------------------------------------------------- */

/* One way of copying rows, of one instruction set. */
struct kernel {
    pacl_copy_rows_fn *rows;
    const char *name; /* of the instruction set */
    unsigned way;     /* enum pacl_rows_way */
};

enum { WAYS = PACL_ROWS_WAYS };

static struct kernel kernels[FEATURE_SETS * WAYS];
static size_t kernel_count;

static void add_kernel(unsigned way)
{
    for (size_t i = 0; i < kernel_count; i++) {
        if (kernels[i].rows == pacl_copy_ops.rows[way])
            return;
    }
    kernels[kernel_count++] = (struct kernel){ pacl_copy_ops.rows[way], pacl_copy_ops.name, way };
}

/* Whatever pacl_copy_init chooses for any part of this processor's features. */
static void find_kernels(void)
{
    const unsigned found = pacl_cpu_detect();
    for (unsigned set = 0; set < FEATURE_SETS; set++) {
        if ((set & found) != set)
            continue;
        pacl_copy_init(set);
        for (unsigned way = 0; way < WAYS; way++)
            add_kernel(way);
    }
}

START_TEST(the_plain_kernel_serves_a_processor_without_features)
{
    pacl_copy_init(0);
    for (unsigned way = 0; way < WAYS; way++)
        ck_assert_ptr_eq((void *)(uintptr_t)pacl_copy_ops.rows[way], (void *)(uintptr_t)pacl_copy_rows_c);
    ck_assert_str_eq(pacl_copy_ops.name, "c");
    ck_assert(!pacl_copy_tuning.string_is_fast);
}
END_TEST

/* The plan chooses the way by the same word. */
START_TEST(the_string_kernel_is_used_only_where_it_is_fast)
{
    const unsigned found = pacl_cpu_detect();
    pacl_copy_init(found);
    const struct pacl_copy_ops all = pacl_copy_ops;
    const bool fast = pacl_copy_tuning.string_is_fast;
    pacl_copy_init(found & ~(unsigned)PACL_CPU_ERMS);
    ck_assert_str_eq(all.name, pacl_copy_ops.name);
    ck_assert(!pacl_copy_tuning.string_is_fast);
    ck_assert(pacl_copy_ops.rows[PACL_ROWS_STRING] == pacl_copy_ops.rows[PACL_ROWS_PLAIN]);
    ck_assert((all.rows[PACL_ROWS_STRING] != all.rows[PACL_ROWS_PLAIN]) == fast);
}
END_TEST

/* --- widths ----------------------------------------------------------------------------------------------------- */

static size_t widths[1000], width_count;

/* 1 to 300, and three to both sides of each power of two and of each half way to the next, up to 9000. */
static void list_widths(void)
{
    for (size_t width = 1; width <= 300; width++)
        widths[width_count++] = width;
    for (size_t power = 512; power <= 8192; power *= 2) {
        for (size_t width = power - 3; width <= power + 3; width++) {
            widths[width_count++] = width;
            if (width + power / 2 <= WIDTH_MAX_TESTED)
                widths[width_count++] = width + power / 2;
        }
    }
    widths[width_count++] = WIDTH_MAX_TESTED;
}

/* --- against the byte loop -------------------------------------------------------------------------------------- */

static _Alignas(4096) uint8_t dst_field[FIELD_BYTES], src_field[FIELD_BYTES], want[FIELD_BYTES];

/* Compares rows, gaps, and ALIGNMENTS bytes to both sides. */
static void try_copy(const struct kernel *kernel, const struct pacl_rect *r)
{
    const size_t before = (size_t)(r->dst - dst_field);
    const size_t bytes = before + (r->height - 1) * r->dst_pitch + r->width + ALIGNMENTS;
    memset(dst_field, POISON, bytes);
    memset(want, POISON, bytes);
    for (size_t row = 0; row < r->height; row++) {
        for (size_t i = 0; i < r->width; i++)
            want[before + row * r->dst_pitch + i] = r->src[row * r->src_pitch + i];
    }
    kernel->rows(r->dst, r->dst_pitch, r->src, r->src_pitch, r->width, r->height);
    const char *const difference = bytes_difference(dst_field, want, bytes);
    ck_assert_msg(difference == NULL, "kernel %s way %u, %zu x %zu, dst +%zu pitch %zu, src +%td pitch %zu: %s",
                  kernel->name, kernel->way, r->width, r->height, before, r->dst_pitch, r->src - src_field,
                  r->src_pitch, difference);
}

static size_t any_pitch(uint64_t *state, size_t width)
{
    switch (random_in(state, 0, 3)) {
    case 0:
        return width;
    case 1:
        return (width + 63) / 64 * 64;
    default:
        return width + random_in(state, 1, 130);
    }
}

/* Each width with each alignment of either side; the other side, pitches and height are random. */
static void try_alignments(const struct kernel *kernel, size_t width, uint64_t *state)
{
    for (size_t alignment = 0; alignment < ALIGNMENTS; alignment++) {
        for (unsigned side = 0; side < 2; side++) {
            const size_t other = random_in(state, 0, ALIGNMENTS - 1);
            const struct pacl_rect r = { .dst = dst_field + ALIGNMENTS + (side == 0 ? alignment : other),
                                         .src = src_field + ALIGNMENTS + (side == 0 ? other : alignment),
                                         .dst_pitch = any_pitch(state, width),
                                         .src_pitch = any_pitch(state, width),
                                         .width = width,
                                         .height = random_in(state, 1, ROWS_MAX) };
            try_copy(kernel, &r);
        }
    }
}

START_TEST(widths_and_alignments)
{
    uint64_t state = test_seed();
    random_fill(&state, src_field, sizeof src_field);
    for (size_t i = 0; i < width_count; i++)
        try_alignments(&kernels[_i], widths[i], &state);
}
END_TEST

/* Narrow rows, where each width may have its own code: every pair of alignments. */
START_TEST(every_pair_of_alignments)
{
    uint64_t state = test_seed();
    random_fill(&state, src_field, sizeof src_field);
    for (size_t width = 1; width <= 130; width += width < 40 ? 1 : 9) {
        for (size_t pair = 0; pair < (size_t)ALIGNMENTS * ALIGNMENTS; pair++) {
            const struct pacl_rect r = { .dst = dst_field + ALIGNMENTS + pair / ALIGNMENTS,
                                         .src = src_field + ALIGNMENTS + pair % ALIGNMENTS,
                                         .dst_pitch = width + 3,
                                         .src_pitch = width + 5,
                                         .width = width,
                                         .height = 2 };
            try_copy(&kernels[_i], &r);
        }
    }
}
END_TEST

/* One row needs no pitch: the kernel must not use it. */
START_TEST(pitches_of_a_single_row_do_not_count)
{
    static const size_t pitches[] = { 0, 1, (size_t)1 << 63, SIZE_MAX };
    uint64_t state = test_seed();
    random_fill(&state, src_field, sizeof src_field);
    for (size_t i = 0; i < width_count; i++) {
        for (size_t p = 0; p < COUNT_OF(pitches); p++) {
            struct pacl_rect r = { .dst = dst_field + ALIGNMENTS,
                                   .src = src_field + ALIGNMENTS,
                                   .width = widths[i],
                                   .dst_pitch = pitches[p],
                                   .src_pitch = pitches[p],
                                   .height = 1 };
            try_copy(&kernels[_i], &r);
        }
    }
}
END_TEST

/* --- guard pages ------------------------------------------------------------------------------------------------ */

/* `bytes` of memory between two pages without access. */
static uint8_t *guarded(size_t bytes)
{
    const size_t page = 4096;
    uint8_t *const at = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(at != MAP_FAILED);
    ck_assert_int_eq(mprotect(at + page, bytes, PROT_READ | PROT_WRITE), 0);
    return at + page;
}

enum { GUARDED_BYTES = 12 * 4096 };

/* The rows touch the guard page before them or behind them, on each side; a byte too far ends the test by a signal. */
static void try_at_guards(const struct kernel *kernel, uint8_t *dst, uint8_t *src, size_t width, size_t height)
{
    const size_t pitch = width + 7, bytes = (height - 1) * pitch + width;
    for (unsigned ends = 0; ends < 4; ends++) {
        uint8_t *const to = dst + ((ends & 1) != 0 ? GUARDED_BYTES - bytes : 0);
        const uint8_t *const from = src + ((ends & 2) != 0 ? GUARDED_BYTES - bytes : 0);
        memset(dst, POISON, GUARDED_BYTES);
        kernel->rows(to, pitch, from, pitch, width, height);
        for (size_t row = 0; row < height; row++) {
            const char *const difference = bytes_difference(to + row * pitch, from + row * pitch, width);
            ck_assert_msg(difference == NULL, "kernel %s, width %zu, row %zu: %s", kernel->name, width, row,
                          difference);
            if (row + 1 < height)
                ASSERT_ALL_BYTES(to + row * pitch + width, pitch - width, POISON);
        }
    }
}

START_TEST(nothing_beyond_the_rows_is_touched)
{
    uint64_t state = test_seed();
    uint8_t *const dst = guarded(GUARDED_BYTES), *const src = guarded(GUARDED_BYTES);
    random_fill(&state, src, GUARDED_BYTES);
    for (size_t i = 0; i < width_count; i++) {
        try_at_guards(&kernels[_i], dst, src, widths[i], 1);
        try_at_guards(&kernels[_i], dst, src, widths[i], 3);
    }
}
END_TEST

/* --- fills ------------------------------------------------------------------------------------------------------ */

START_TEST(fill_bytes)
{
    for (size_t count = 0; count <= 300; count++) {
        uint8_t *const at = dst_field + ALIGNMENTS + count % ALIGNMENTS;
        memset(dst_field, POISON, 1000);
        pacl_fill_bytes(at, 0x3C, count);
        ASSERT_ALL_BYTES(at, count, 0x3C);
        ASSERT_ALL_BYTES(dst_field, (size_t)(at - dst_field), POISON);
        ASSERT_ALL_BYTES(at + count, 200, POISON);
    }
}
END_TEST

START_TEST(fill_words_at_any_alignment)
{
    static const uint8_t word[4] = { 0x11, 0x22, 0x33, 0x44 };
    uint32_t value;
    memcpy(&value, word, sizeof value);
    for (size_t count = 0; count <= 300; count++) {
        uint8_t *const at = dst_field + ALIGNMENTS + count % ALIGNMENTS;
        memset(dst_field, POISON, 2000);
        pacl_fill_words(at, value, count);
        for (size_t i = 0; i < count; i++)
            ASSERT_SAME_BYTES(at + 4 * i, word, 4);
        ASSERT_ALL_BYTES(dst_field, (size_t)(at - dst_field), POISON);
        ASSERT_ALL_BYTES(at + 4 * count, 200, POISON);
    }
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("rows", NULL, NULL);
    find_kernels();
    list_widths();
    const int count = (int)kernel_count;
    tcase_add_test(tc, the_plain_kernel_serves_a_processor_without_features);
    tcase_add_test(tc, the_string_kernel_is_used_only_where_it_is_fast);
    tcase_add_loop_test(tc, widths_and_alignments, 0, count);
    tcase_add_loop_test(tc, every_pair_of_alignments, 0, count);
    tcase_add_loop_test(tc, pitches_of_a_single_row_do_not_count, 0, count);
    tcase_add_loop_test(tc, nothing_beyond_the_rows_is_touched, 0, count);
    tcase_add_test(tc, fill_bytes);
    tcase_add_test(tc, fill_words_at_any_alignment);
    return run_cases("rows", tc, (TCase *)NULL);
}
