/* SPDX-License-Identifier: Apache-2.0 */
#include "tiles.h"

enum { STRIPS = 8 };

struct plane plane_at(struct plane p, size_t x, size_t y)
{
    return (struct plane){ p.at + y * p.pitch + x * PIXEL, p.pitch };
}

/* The same memory, seen as rows that are twice as far apart: one copy takes every second row. */
static struct plane every_second_row(struct plane p, size_t first)
{
    return (struct plane){ p.at + first * p.pitch, 2 * p.pitch };
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copies `w` x `h` pixels within the device. */
static void copy(const struct tile *t, struct step *step, struct plane dst, struct plane src, size_t w, size_t h)
{
    copier_copy(t->copier, step, dst, src, w * PIXEL, h, ACL_MEMCPY_DEVICE_TO_DEVICE);
}

static struct step *begin(const struct tile *t, const char *what)
{
    return copier_begin(t->copier, what, t->stream);
}

static const struct step *end(const struct tile *t, struct step *step)
{
    copier_end(t->copier, step);
    return step;
}

static const struct step *draw_plain(const struct tile *t)
{
    struct step *step = begin(t, "plain");
    copy(t, step, t->to, t->picture, t->width, t->height);
    return end(t, step);
}

static struct point source_plain(size_t w, size_t h, struct point p)
{
    (void)w, (void)h;
    return p;
}

/* Left and right exchanged: one copy for each column, a pixel wide. */
static const struct step *draw_mirror(const struct tile *t)
{
    struct step *step = begin(t, "mirror");
    for (size_t x = 0; x < t->width; x++)
        copy(t, step, plane_at(t->to, x, 0), plane_at(t->picture, t->width - 1 - x, 0), 1, t->height);
    return end(t, step);
}

static struct point source_mirror(size_t w, size_t h, struct point p)
{
    (void)h;
    return (struct point){ w - 1 - p.x, p.y };
}

/* The two halves change places. */
static const struct step *draw_halves(const struct tile *t)
{
    size_t right = t->width / 2, left = t->width - right;
    struct step *step = begin(t, "halves");
    copy(t, step, plane_at(t->to, right, 0), t->picture, left, t->height);
    copy(t, step, t->to, plane_at(t->picture, left, 0), right, t->height);
    return end(t, step);
}

static struct point source_halves(size_t w, size_t h, struct point p)
{
    (void)h;
    return (struct point){ (p.x + w - w / 2) % w, p.y };
}

static void copy_rows_upwards(const struct tile *t, struct step *step, struct plane from)
{
    for (size_t y = 0; y < t->height; y++)
        copy(t, step, plane_at(t->to, 0, y), plane_at(from, 0, t->height - 1 - y), t->width, 1);
}

/* Upside down: one copy for each row, because a pitch cannot be negative. */
static const struct step *draw_flip(const struct tile *t)
{
    struct step *step = begin(t, "flip");
    copy_rows_upwards(t, step, t->picture);
    return end(t, step);
}

static struct point source_flip(size_t w, size_t h, struct point p)
{
    (void)w;
    return (struct point){ p.x, h - 1 - p.y };
}

/* Half a turn: the mirrored tile upside down. */
static const struct step *draw_turn(const struct tile *t)
{
    struct step *step = begin(t, "turn");
    copy_rows_upwards(t, step, t->earlier);
    return end(t, step);
}

static struct point source_turn(size_t w, size_t h, struct point p)
{
    return (struct point){ w - 1 - p.x, h - 1 - p.y };
}

/* The even rows above, the odd rows below. */
static const struct step *draw_fields(const struct tile *t)
{
    size_t even = (t->height + 1) / 2, odd = t->height / 2;
    struct step *step = begin(t, "fields");
    copy(t, step, t->to, every_second_row(t->picture, 0), t->width, even);
    copy(t, step, plane_at(t->to, 0, even), every_second_row(t->picture, 1), t->width, odd);
    return end(t, step);
}

/* 0, 2, 4 ... and then 1, 3, 5 ... */
static size_t evens_then_odds(size_t n, size_t i)
{
    size_t evens = (n + 1) / 2;
    return i < evens ? 2 * i : 2 * (i - evens) + 1;
}

static struct point source_fields(size_t w, size_t h, struct point p)
{
    (void)w;
    return (struct point){ p.x, evens_then_odds(h, p.y) };
}

/* Takes every second pixel of the picture, beginning with `first`, into rows half as long. To this copy each pair of
 * pixels is a row, so that one call does many rows of the picture: as many as stay below the limit of rows. */
static void thin_out(const struct tile *t, struct step *step, struct plane dst, size_t first)
{
    size_t pairs = t->picture.pitch / (2 * PIXEL);
    size_t band = COPY_ROWS_MAX / pairs;
    for (size_t y = 0; y < t->height; y += band) {
        struct plane to = { dst.at + y * dst.pitch, PIXEL };
        struct plane from = { plane_at(t->picture, first, y).at, 2 * PIXEL };
        copy(t, step, to, from, 1, smaller(band, t->height - y) * pairs);
    }
}

/* Four small pictures: every second pixel of every second row. */
static const struct step *draw_quarters(const struct tile *t)
{
    size_t left = (t->width + 1) / 2, right = t->width / 2;
    size_t above = (t->height + 1) / 2, below = t->height / 2;
    struct plane even = { t->scratch.at, t->picture.pitch / 2 };
    struct plane odd = { even.at + t->height * even.pitch, even.pitch };

    struct step *step = begin(t, "quarters: columns");
    thin_out(t, step, even, 0);
    thin_out(t, step, odd, 1);
    copier_end(t->copier, step);

    step = begin(t, "quarters: rows");
    copy(t, step, t->to, every_second_row(even, 0), left, above);
    copy(t, step, plane_at(t->to, left, 0), every_second_row(odd, 0), right, above);
    copy(t, step, plane_at(t->to, 0, above), every_second_row(even, 1), left, below);
    copy(t, step, plane_at(t->to, left, above), every_second_row(odd, 1), right, below);
    return end(t, step);
}

static struct point source_quarters(size_t w, size_t h, struct point p)
{
    return (struct point){ evens_then_odds(w, p.x), evens_then_odds(h, p.y) };
}

/* Upright strips in reverse order, each of them unchanged. */
static const struct step *draw_strips(const struct tile *t)
{
    size_t strip = (t->width + STRIPS - 1) / STRIPS;
    struct step *step = begin(t, "strips");
    for (size_t x = 0; x < t->width; x += strip) {
        size_t w = smaller(strip, t->width - x);
        copy(t, step, plane_at(t->to, t->width - x - w, 0), plane_at(t->picture, x, 0), w, t->height);
    }
    return end(t, step);
}

static struct point source_strips(size_t w, size_t h, struct point p)
{
    (void)h;
    size_t strip = (w + STRIPS - 1) / STRIPS;
    size_t begins = (w - 1 - p.x) / strip * strip;
    size_t drawn_at = w - smaller(w, begins + strip);
    return (struct point){ begins + p.x - drawn_at, p.y };
}

/* Two pictures in one: the even rows of the picture, the odd rows of the tile that stands on its head. */
static const struct step *draw_weave(const struct tile *t)
{
    struct step *step = begin(t, "weave");
    copy(t, step, every_second_row(t->to, 0), every_second_row(t->picture, 0), t->width, (t->height + 1) / 2);
    copy(t, step, every_second_row(t->to, 1), every_second_row(t->earlier, 1), t->width, t->height / 2);
    return end(t, step);
}

static struct point source_weave(size_t w, size_t h, struct point p)
{
    return p.y % 2 == 0 ? p : source_flip(w, h, p);
}

const struct effect *effect_of_tile(size_t index)
{
    static const struct effect effects[] = {
        { "plain", 0, draw_plain, source_plain },    { "mirror", 0, draw_mirror, source_mirror },
        { "halves", 0, draw_halves, source_halves }, { "flip", 0, draw_flip, source_flip },
        { "turn", 3, draw_turn, source_turn }, /* upon the mirror */
        { "fields", 0, draw_fields, source_fields }, { "quarters", 0, draw_quarters, source_quarters },
        { "strips", 0, draw_strips, source_strips }, { "weave", 5, draw_weave, source_weave }, /* with the flip */
    };
    return &effects[index % (sizeof(effects) / sizeof(effects[0]))];
}
