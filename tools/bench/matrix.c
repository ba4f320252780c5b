/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include <string.h>

#include "shape.h"

enum {
    GUARD = 4096,
    TAIL = 64,            /* bytes of the block behind the last row */
    PIECE = 4 << 20,      /* about as many bytes are handled at once */
    OFFSET_MAX = 1 << 20, /* as the options allow */
    HUGE_PAGE = 2 << 20
};

enum {
    POISON = 0xA5,
    SOURCE_GAP = 0x3C /* what a copy that is wider than asked for would bring along */
};

/* A prime: no error of a multiple of a power of two, of a page for example, meets the same bytes again. */
enum { TABLE_SIZE = 65521 };

static uint8_t table[TABLE_SIZE];
static uint8_t expected[PIECE + WIDTH_LIMIT + GUARD + OFFSET_MAX + TAIL];
static uint8_t found[sizeof(expected)];

/* --- the parts of a block that are touched, in order -------------------------------------------------------------- */

struct piece {
    size_t row, rows;
    size_t begin, length; /* bytes of the block */
};

static size_t window_of(size_t pitch, size_t width)
{
    return pitch - width <= GUARD ? pitch : width + GUARD;
}

/* Starts with a piece of zeros. Rows whose gaps are touched as a whole go together. */
static bool next_piece(const struct matrix *m, struct piece *piece)
{
    const size_t row = piece->row + piece->rows;
    if (row == m->height)
        return false;

    const size_t window = window_of(m->pitch, m->width);
    size_t rows = window == m->pitch && PIECE > window ? PIECE / window : 1;
    if (rows > m->height - row)
        rows = m->height - row;
    const size_t begin = row == 0 ? 0 : m->offset + row * m->pitch;
    const size_t end = row + rows == m->height ? m->block.size : m->offset + (row + rows - 1) * m->pitch + window;
    *piece = (struct piece){ .row = row, .rows = rows, .begin = begin, .length = end - begin };
    return true;
}

size_t matrix_size(size_t offset, size_t pitch, size_t width, size_t height)
{
    return offset + (height - 1) * pitch + width + TAIL;
}

size_t matrix_touched(size_t offset, size_t pitch, size_t width, size_t height)
{
    return offset + height * window_of(pitch, width);
}

/* A row that lies alone may take huge pages of its own. */
size_t matrix_resident(size_t offset, size_t pitch, size_t width, size_t height)
{
    const size_t pages = (window_of(pitch, width) + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;

    return offset + height * (pages < pitch ? pages : pitch);
}

uint8_t *matrix_first_row(const struct matrix *matrix)
{
    return matrix->block.at + matrix->offset;
}

/* --- content ------------------------------------------------------------------------------------------------------ */

static void fill_table(void)
{
    uint32_t number = 1;

    if (table[0] != 0)
        return;
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        number = number * 1664525 + 1013904223;
        const uint8_t byte = (uint8_t)(number >> 24);
        table[i] = byte == POISON || byte == SOURCE_GAP || byte == 0 ? 1 : byte;
    }
}

/* Each row is the table from another place on. */
static void render_row(uint8_t *bytes, size_t width, size_t row, unsigned seed)
{
    size_t from = (row * 40503 + seed * 7919UL) % TABLE_SIZE;

    while (width > 0) {
        const size_t run = width < TABLE_SIZE - from ? width : TABLE_SIZE - from;
        memcpy(bytes, table + from, run);
        bytes += run;
        width -= run;
        from = 0;
    }
}

static void render_piece(const struct matrix *m, const struct piece *piece, unsigned seed, int gap)
{
    fill_table();
    memset(expected, gap, piece->length);
    for (size_t row = piece->row; row < piece->row + piece->rows; row++)
        render_row(expected + (m->offset + row * m->pitch - piece->begin), m->width, row, seed);
}

bool matrix_fill(const struct matrix *m, unsigned seed, struct point *point)
{
    struct piece piece = { 0 };

    while (next_piece(m, &piece)) {
        render_piece(m, &piece, seed, SOURCE_GAP);
        if (!block_write(&m->block, piece.begin, expected, piece.length, point))
            return false;
    }
    return true;
}

bool matrix_poison(const struct matrix *m, struct point *point)
{
    struct piece piece = { 0 };

    memset(expected, POISON, sizeof(expected));
    while (next_piece(m, &piece))
        if (!block_write(&m->block, piece.begin, expected, piece.length, point))
            return false;
    return true;
}

/* --- check -------------------------------------------------------------------------------------------------------- */

static void report_difference(const struct matrix *m, const struct piece *piece, struct point *point)
{
    size_t i = 0;

    while (found[i] == expected[i])
        i++;
    const size_t at = piece->begin + i;
    if (at < m->offset) {
        point_set_status(point, STATUS_ERROR, "verification: byte %zu before the first row was written",
                         m->offset - at);
        return;
    }
    const size_t row = (at - m->offset) / m->pitch;
    const size_t column = (at - m->offset) % m->pitch;
    if (column < m->width)
        point_set_status(point, STATUS_ERROR, "verification: row %zu, byte %zu is 0x%02x, not 0x%02x", row, column,
                         found[i], expected[i]);
    else
        point_set_status(point, STATUS_ERROR,
                         "verification: the gap behind row %zu was written, byte %zu behind its end", row,
                         column - m->width);
}

bool matrix_check(const struct matrix *m, unsigned seed, struct point *point)
{
    struct piece piece = { 0 };

    while (next_piece(m, &piece)) {
        render_piece(m, &piece, seed, POISON);
        if (!block_read(&m->block, piece.begin, found, piece.length, point))
            return false;
        if (memcmp(found, expected, piece.length) != 0) {
            report_difference(m, &piece, point);
            return false;
        }
    }
    return true;
}
