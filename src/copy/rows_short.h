/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and edges of up to 64 bytes, for every kernel. */
#ifndef PACL_COPY_ROWS_SHORT_H
#define PACL_COPY_ROWS_SHORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Both ends by moves of a fixed size, which the compiler keeps in registers; they may overlap, inside the row. Read
 * whole before anything is written. */
#define PACL_COPY_ENDS(bytes) \
    do { \
        unsigned char first[bytes], last[bytes]; \
        memcpy(first, src, bytes); \
        memcpy(last, src + width - (bytes), bytes); \
        memcpy(dst, first, bytes); \
        memcpy(dst + width - (bytes), last, bytes); \
    } while (0)

/* 0 to 64 bytes. */
static inline __attribute__((always_inline)) void pacl_copy_short(uint8_t *dst, const uint8_t *src, size_t width)
{
    if (width >= 32)
        PACL_COPY_ENDS(32);
    else if (width >= 16)
        PACL_COPY_ENDS(16);
    else if (width >= 8)
        PACL_COPY_ENDS(8);
    else if (width >= 4)
        PACL_COPY_ENDS(4);
    else if (width >= 2)
        PACL_COPY_ENDS(2);
    else if (width == 1)
        *dst = *src;
}

#endif
