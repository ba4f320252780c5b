/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of another architecture against a loop over single bytes, under user-mode emulation. By itself: no test
 * library is there for that architecture. test_rows.c asks the same of this machine's kernels.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cpu.h"
#include "copy/copy.h"

enum {
    POISON = 0xA5,
    ALIGNMENTS = 64,
    WIDTH_MAX = 5000,
    ROWS_MAX = 4,
    FIELD_BYTES = 2 * ALIGNMENTS + ROWS_MAX * (WIDTH_MAX + 200),
    PAGE = 4096,
};

static _Alignas(64) uint8_t dst_field[FIELD_BYTES], src_field[FIELD_BYTES], want[FIELD_BYTES];
static uint64_t state = 88172645463325252U;
static unsigned long copies;

static size_t any(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    exit(1);
}

static void try_copy(unsigned way, size_t width, size_t height, size_t dst_at, size_t src_at)
{
    const size_t dst_pitch = width + any(100), src_pitch = width + any(100);
    uint8_t *const dst = dst_field + dst_at;
    const uint8_t *const src = src_field + src_at;
    memset(dst_field, POISON, sizeof dst_field);
    memset(want, POISON, sizeof want);
    for (size_t row = 0; row < height; row++) {
        for (size_t i = 0; i < width; i++)
            want[dst_at + row * dst_pitch + i] = src[row * src_pitch + i];
    }
    pacl_copy_ops.rows[way](dst, dst_pitch, src, src_pitch, width, height);
    for (size_t i = 0; i < sizeof want; i++) {
        if (dst_field[i] != want[i])
            fail("kernel %s way %u, %zu x %zu, dst +%zu pitch %zu, src +%zu pitch %zu: byte %zu is %02x, not %02x",
                 pacl_copy_ops.name, way, width, height, dst_at, dst_pitch, src_at, src_pitch, i, dst_field[i],
                 want[i]);
    }
    copies++;
}

/* Each width at some alignments; few, because emulation is slow. */
static void try_widths(unsigned way)
{
    for (size_t width = 1; width <= WIDTH_MAX; width += width < 300 ? 1 : 97) {
        for (unsigned i = 0; i < 6; i++)
            try_copy(way, width, 1 + any(ROWS_MAX), any(ALIGNMENTS), any(ALIGNMENTS));
    }
    for (size_t at = 0; at < ALIGNMENTS; at++) {
        try_copy(way, 129 + at, 2, at, 0);
        try_copy(way, 1030 + at, 2, 0, at);
    }
}

static uint8_t *guarded(void)
{
    uint8_t *at = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE) != 0)
        fail("no guarded memory");
    return at + PAGE;
}

/* A byte before or behind the row ends the program by a signal. */
static void try_guards(unsigned way)
{
    uint8_t *const dst = guarded(), *const src = guarded();
    for (size_t width = 1; width <= 2 * PAGE; width += width < 300 ? 1 : 89) {
        for (unsigned ends = 0; ends < 4; ends++) {
            uint8_t *const to = (ends & 1) != 0 ? dst + 2 * PAGE - width : dst;
            const uint8_t *const from = (ends & 2) != 0 ? src + 2 * PAGE - width : src;
            pacl_copy_ops.rows[way](to, width, from, width, width, 1);
            copies++;
        }
    }
    (void)munmap(dst - PAGE, 4 * PAGE);
    (void)munmap(src - PAGE, 4 * PAGE);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof src_field; i++)
        src_field[i] = (uint8_t)any(256);
    pacl_copy_init(pacl_cpu_detect());
    if (argc != 2 || strcmp(pacl_copy_ops.name, argv[1]) != 0)
        fail("the kernels are those of %s, not of %s", pacl_copy_ops.name, argc == 2 ? argv[1] : "a given set");
    for (unsigned way = 0; way < PACL_ROWS_WAYS; way++) {
        try_widths(way);
        try_guards(way);
    }
    printf("%lu copies by %s kernels are right\n", copies, pacl_copy_ops.name);
    return 0;
}
