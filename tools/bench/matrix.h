/* SPDX-License-Identifier: Apache-2.0 */
/*
 * matrix.h: rows in a block, their content, and the check of it.
 *
 * Around each row up to GUARD bytes of the gap to the next one are filled and checked too, so that a copy which writes
 * there is found. Pitches may be so large that only a small part of a block is ever touched.
 */
#ifndef PACL_BENCH_MATRIX_H
#define PACL_BENCH_MATRIX_H

#include "memory.h"

struct matrix {
    struct block block;
    size_t offset; /* of the first row in the block */
    size_t pitch;
    size_t width, height;
};

/* Bytes that a matrix reserves, bytes of them that it touches, and memory that comes into being for them. */
size_t matrix_size(size_t offset, size_t pitch, size_t width, size_t height);
size_t matrix_touched(size_t offset, size_t pitch, size_t width, size_t height);
size_t matrix_resident(size_t offset, size_t pitch, size_t width, size_t height);

uint8_t *matrix_first_row(const struct matrix *matrix);

/* Fills the rows with the bytes of `seed`, those of a source. On failure the point gets the reason. */
bool matrix_fill(const struct matrix *matrix, unsigned seed, struct point *point);

/* Fills rows and gaps with a byte that no source has: a destination before a copy. */
bool matrix_poison(const struct matrix *matrix, struct point *point);

/* Compares the rows of a destination with the bytes of `seed`, and the gaps with the poison. */
bool matrix_check(const struct matrix *matrix, unsigned seed, struct point *point);

#endif
