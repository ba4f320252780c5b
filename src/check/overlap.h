/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two pitched rectangles of memory share a byte, and which is the first. */
#ifndef PACL_CHECK_OVERLAP_H
#define PACL_CHECK_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row r is [at + r*pitch, at + r*pitch + width). width and height > 0; width <= pitch where there is a second row; the
 * last byte's address fits into 64 bits. */
struct pacl_box {
    uint64_t at;
    uint64_t pitch, width, height;
};

/* The byte behind the last one. */
static inline uint64_t pacl_box_end(const struct pacl_box *box)
{
    return box->at + (box->height - 1) * box->pitch + box->width;
}

/* The shared byte with the lowest address, as seen from both boxes. */
struct pacl_common_byte {
    uint64_t address;
    uint64_t row[2], column[2];
};

/* In time that grows with the logarithm of the pitches, not with the heights. `first` may be NULL. */
bool pacl_boxes_overlap(const struct pacl_box *a, const struct pacl_box *b, struct pacl_common_byte *first);

/* True if every byte of `inner` is a byte of `outer`. May answer false for shapes that nobody writes (an outer row made
 * of several rows of another pitch). */
bool pacl_box_contains(const struct pacl_box *outer, const struct pacl_box *inner);

#endif
