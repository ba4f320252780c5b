/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows by vectors: the body of every kernel, included once by each file that stands for an instruction set. That file
 * defines before it
 *
 *   VECTOR                   the vector type           VECTOR_BYTES        its size, 16 to 64
 *   LOAD(p), STORE(p, v)     at any address            STREAM(p, v)        past the caches, to an aligned address
 *   STREAM_END()             orders streamed stores before later ones
 *   NAME(x)                  the exported name of function x
 *
 * Three ways to copy rows (enum pacl_rows_way): plain; `far`, with software prefetch, for narrow rows so far apart that
 * the processor does not follow them; `streamed`, for payloads that no cache will hold.
 */
#include <string.h>

#include "copy/kernels.h"
#include "copy/rows_short.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define TWO_LINES ((size_t)2 * LINE)

enum {
    LINE = 64,
    ALIGN_FROM =
        768, /* rows from here on are stored to whole vectors' addresses; the edges cost less than that gains */
};

/* Past the last row as well: to fetch what is not there does no harm. By number, for the sum may be no address. */
ALWAYS_INLINE void prefetch_read(const uint8_t *p, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)p + ahead), 0, 0);
}

ALWAYS_INLINE void prefetch_write(const uint8_t *p, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)p + ahead), 1, 3);
}

/* --- one row ----------------------------------------------------------------------------------------------------- */

/* The compiler unrolls this for a constant width into register moves. */
ALWAYS_INLINE void copy_fixed(uint8_t *dst, const uint8_t *src, size_t width)
{
    memcpy(dst, src, width);
}

ALWAYS_INLINE void copy_four(uint8_t *dst, const uint8_t *src)
{
    const VECTOR a = LOAD(src), b = LOAD(src + VECTOR_BYTES);
    const VECTOR c = LOAD(src + 2 * VECTOR_BYTES), d = LOAD(src + 3 * VECTOR_BYTES);
    STORE(dst, a);
    STORE(dst + VECTOR_BYTES, b);
    STORE(dst + 2 * VECTOR_BYTES, c);
    STORE(dst + 3 * VECTOR_BYTES, d);
}

/* More than a line: whole vectors, then one that ends where the row ends. */
ALWAYS_INLINE void copy_row(uint8_t *dst, const uint8_t *src, size_t width)
{
    size_t at = 0;
    for (; at + 4 * VECTOR_BYTES <= width; at += 4 * VECTOR_BYTES)
        copy_four(dst + at, src + at);
    for (; at + VECTOR_BYTES <= width; at += VECTOR_BYTES)
        STORE(dst + at, LOAD(src + at));
    if (at < width)
        STORE(dst + width - VECTOR_BYTES, LOAD(src + width - VECTOR_BYTES));
}

/* At least ALIGN_FROM bytes: the same with whole vectors at aligned addresses between two edges. The last four vectors
 * are written whatever is left, which is cheaper than to ask. */
ALWAYS_INLINE void copy_row_aligned(uint8_t *dst, const uint8_t *src, size_t width)
{
    size_t at = VECTOR_BYTES - (uintptr_t)dst % VECTOR_BYTES;
    STORE(dst, LOAD(src));
    for (; at + 4 * VECTOR_BYTES < width; at += 4 * VECTOR_BYTES)
        copy_four(dst + at, src + at);
    copy_four(dst + width - 4 * VECTOR_BYTES, src + width - 4 * VECTOR_BYTES);
}

ALWAYS_INLINE void stream_lines(uint8_t *dst, const uint8_t *src, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += VECTOR_BYTES)
        STREAM(dst + at, LOAD(src + at));
}

/* Streams the row's whole lines; its edges are stored plainly and exactly: a plain store that touches a streamed line
 * costs more than the rest of the row. */
ALWAYS_INLINE void stream_row(uint8_t *dst, const uint8_t *src, size_t width)
{
    const size_t misplaced = (uintptr_t)dst % LINE, head = misplaced == 0 ? 0 : LINE - misplaced;
    const size_t tail = (width - head) % LINE;
    pacl_copy_short(dst, src, head);
    stream_lines(dst + head, src + head, width - head - tail);
    pacl_copy_short(dst + width - tail, src + width - tail, tail);
}

/* --- narrow rows: one loop per width ------------------------------------------------------------------------------ */

ALWAYS_INLINE void copy_narrow(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width,
                               size_t height, bool far)
{
    for (size_t row = 0; row < height; row++) {
        uint8_t *to = dst + row * dst_pitch;
        const uint8_t *from = src + row * src_pitch;
        if (far) {
            prefetch_read(from, PACL_FAR_ROWS * src_pitch);
            prefetch_write(to, PACL_FAR_ROWS * dst_pitch);
        }
        copy_fixed(to, from, width);
    }
}

#define NARROW(width) \
    static void narrow_##width(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t height, \
                               bool far) \
    { \
        if (far) \
            copy_narrow(dst, dst_pitch, src, src_pitch, width, height, true); \
        else \
            copy_narrow(dst, dst_pitch, src, src_pitch, width, height, false); \
    }

#define EIGHT(X, a, b, c, d, e, f, g, h) X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h)
#define WIDTHS(X) \
    EIGHT(X, 1, 2, 3, 4, 5, 6, 7, 8) \
    EIGHT(X, 9, 10, 11, 12, 13, 14, 15, 16) \
    EIGHT(X, 17, 18, 19, 20, 21, 22, 23, 24) \
    EIGHT(X, 25, 26, 27, 28, 29, 30, 31, 32) \
    EIGHT(X, 33, 34, 35, 36, 37, 38, 39, 40) \
    EIGHT(X, 41, 42, 43, 44, 45, 46, 47, 48) \
    EIGHT(X, 49, 50, 51, 52, 53, 54, 55, 56) \
    EIGHT(X, 57, 58, 59, 60, 61, 62, 63, 64)

WIDTHS(NARROW)

typedef void narrow_fn(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t height, bool far);
#define NARROW_ENTRY(width) [width] = narrow_##width,
static narrow_fn *const narrow[LINE + 1] = { WIDTHS(NARROW_ENTRY) };

/* --- the kernels ------------------------------------------------------------------------------------------------- */

/* Apart from the narrow ones, which are often over in as many instructions as this saves registers with. */
static __attribute__((noinline)) void wide(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch,
                                           size_t width, size_t height)
{
    if (width < ALIGN_FROM) {
        for (size_t row = 0; row < height; row++)
            copy_row(dst + row * dst_pitch, src + row * src_pitch, width);
    } else {
        for (size_t row = 0; row < height; row++)
            copy_row_aligned(dst + row * dst_pitch, src + row * src_pitch, width);
    }
}

void NAME(rows)(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width, size_t height)
{
    if (width <= LINE)
        narrow[width](dst, dst_pitch, src, src_pitch, height, false);
    else
        wide(dst, dst_pitch, src, src_pitch, width, height);
}

/* For rows of up to a line. */
void NAME(rows_far)(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width, size_t height)
{
    if (width <= LINE)
        narrow[width](dst, dst_pitch, src, src_pitch, height, true);
    else
        NAME(rows)(dst, dst_pitch, src, src_pitch, width, height);
}

ALWAYS_INLINE void prefetch_row(const uint8_t *src, size_t ahead, size_t width)
{
    for (size_t at = 0; at < width; at += LINE)
        prefetch_read(src, ahead + at);
}

/* Lines that start and end where rows do need no edges; a loop without them is more than twice as fast. `ahead`: bytes
 * from a row to the one that is fetched meanwhile, 0 to leave that to the processor. */
ALWAYS_INLINE void stream_rows(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width,
                               size_t height, bool whole_lines, size_t ahead)
{
    for (size_t row = 0; row < height; row++) {
        const uint8_t *from = src + row * src_pitch;
        if (ahead != 0)
            prefetch_row(from, ahead, width);
        if (whole_lines)
            stream_lines(dst + row * dst_pitch, from, width);
        else
            stream_row(dst + row * dst_pitch, from, width);
    }
}

/* For rows of at least two lines, so that each has a whole one. Rows far apart, and soon over, are fetched ahead. */
void NAME(rows_streamed)(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width,
                         size_t height)
{
    const bool whole_lines = ((uintptr_t)dst | width | (height == 1 ? 0 : dst_pitch)) % LINE == 0;
    const size_t ahead = pacl_copy_is_gather(width, src_pitch, height) ? PACL_GATHER_ROWS * src_pitch : 0;
    if (width < TWO_LINES)
        NAME(rows)(dst, dst_pitch, src, src_pitch, width, height);
    else if (whole_lines && ahead != 0)
        stream_rows(dst, dst_pitch, src, src_pitch, width, height, true, ahead);
    else if (whole_lines)
        stream_rows(dst, dst_pitch, src, src_pitch, width, height, true, 0);
    else
        stream_rows(dst, dst_pitch, src, src_pitch, width, height, false, ahead);
    STREAM_END();
}
