/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable rows: fixed-size blocks that the compiler turns into register moves, the last one overlapping its
 * predecessor, so that no row needs a loop over single bytes. Never the C library's memcpy for long rows: it may take
 * `rep movsb`, which is 17 to 20 times slower when source and destination differ by 1 to 31 modulo 4096.
 */
#include "copy/copy.h"
#include "copy/rows_short.h"

#include <string.h>

static inline void copy_long(uint8_t *dst, const uint8_t *src, size_t width)
{
    const size_t last = width - 64;
    for (size_t at = 0; at < last; at += 64)
        memcpy(dst + at, src + at, 64);
    memcpy(dst + last, src + last, 64);
}

void pacl_copy_rows_c(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width, size_t height)
{
    if (width >= 64) {
        for (size_t row = 0; row < height; row++)
            copy_long(dst + row * dst_pitch, src + row * src_pitch, width);
        return;
    }
    for (size_t row = 0; row < height; row++)
        pacl_copy_short(dst + row * dst_pitch, src + row * src_pitch, width);
}
