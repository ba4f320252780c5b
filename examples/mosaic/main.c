/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mosaic: a picture goes to the device by one 2D copy, is drawn nine times over by device-to-device 2D copies on
 * several streams, comes back by one 2D copy, and is compared with what the CPU computes.
 *
 * The way of the data, each arrow a call of aclrtMemcpy2dAsync:
 *
 *   PNG file -> pinned memory --> picture --> tiles of the mosaic --> pinned memory -> PNG file
 *                             (on the device)   (on the device)
 */
#include <acl/acl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "acl_check.h"
#include "copies.h"
#include "options.h"
#include "png_file.h"
#include "tiles.h"

enum {
    GAP = 8,           /* pixels between the tiles and around them */
    BACKGROUND = 0xFF, /* every byte: opaque white */
    PITCH_STEP = 64,   /* bytes: rows in device memory begin on a cache line */
};

_Static_assert((size_t)PNG_FILE_SIDE_MAX <= COPY_WIDTH_MAX / PIXEL, "any row of a picture fits into one 2D copy");
_Static_assert((size_t)PNG_FILE_SIDE_MAX <= COPY_ROWS_MAX, "and so does any number of its rows");

struct layout {
    size_t columns, rows; /* of tiles */
    size_t width, height; /* of the whole mosaic, pixels */
};

/* Everything that the program holds while it draws. */
struct mosaic {
    struct options options;
    struct region region; /* of the input; each tile has its size */
    struct layout layout;
    struct plane input;   /* pinned: the whole PNG */
    struct plane output;  /* pinned: the finished mosaic */
    struct plane picture; /* on the device: the region */
    struct plane canvas;  /* on the device: the mosaic */
    struct copier copier;
    void *scratch[STREAMS_MAX]; /* on the device, one per stream */
};

static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool plan_layout(unsigned tiles, const struct region *tile, struct layout *out)
{
    struct layout l = { .columns = 1 };
    while (l.columns * l.columns < tiles)
        l.columns++;
    l.rows = (tiles + l.columns - 1) / l.columns;
    l.width = l.columns * (tile->width + GAP) + GAP;
    l.height = l.rows * (tile->height + GAP) + GAP;
    if (!png_file_can_hold(l.width, l.height)) {
        fprintf(stderr,
                "mosaic: %u tiles of %zux%zu pixels make %zux%zu pixels, more than a PNG file takes here "
                "(%d along a side, 4 GiB in all); choose a smaller --region or fewer --tiles\n",
                tiles, tile->width, tile->height, l.width, l.height, PNG_FILE_SIDE_MAX);
        return false;
    }
    *out = l;
    return true;
}

/* Decides everything that follows from the options and the size of the picture. */
static bool plan(struct mosaic *m, size_t width, size_t height)
{
    if (same_file(m->options.input, m->options.output)) {
        fprintf(stderr, "mosaic: %s is the input; choose another --output\n", m->options.output);
        return false;
    }
    return options_region(m->options.region, width, height, &m->region) &&
           plan_layout(m->options.tiles, &m->region, &m->layout);
}

/* The left upper corner of a tile in the mosaic. */
static struct point tile_corner(const struct mosaic *m, size_t index)
{
    return (struct point){ GAP + index % m->layout.columns * (m->region.width + GAP),
                           GAP + index / m->layout.columns * (m->region.height + GAP) };
}

static struct plane tile_plane(const struct mosaic *m, struct plane mosaic, size_t index)
{
    struct point corner = tile_corner(m, index);
    return plane_at(mosaic, corner.x, corner.y);
}

static struct plane pinned_plane(size_t width, size_t height)
{
    void *at;
    CHECK(aclrtMallocHost(&at, width * PIXEL * height));
    return (struct plane){ at, width * PIXEL };
}

/* Its rows are padded, and the padding is white as everything else: the memory comes uninitialised. */
static struct plane device_plane(size_t width, size_t height, aclrtStream stream)
{
    void *at;
    size_t pitch = (width * PIXEL + PITCH_STEP - 1) / PITCH_STEP * PITCH_STEP;
    size_t bytes = pitch * height;
    CHECK(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemsetAsync(at, bytes, BACKGROUND, bytes, stream));
    return (struct plane){ at, pitch };
}

static void prepare(struct mosaic *m)
{
    copier_open(&m->copier, m->options.streams);
    m->output = pinned_plane(m->layout.width, m->layout.height);
    m->picture = device_plane(m->region.width, m->region.height, m->copier.stream[0]);
    m->canvas = device_plane(m->layout.width, m->layout.height, m->copier.stream[0]);

    size_t bytes = m->picture.pitch * m->region.height;
    for (unsigned i = 0; i < m->options.streams; i++)
        CHECK(aclrtMalloc(&m->scratch[i], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    copier_choose_route(&m->copier, m->input, m->picture, tile_plane(m, m->canvas, 0), PIXEL, bytes);
}

/* One copy, although the region is narrower than the picture: the source pitch steps over the rest of each row. */
static const struct step *upload(struct mosaic *m)
{
    struct step *step = copier_begin(&m->copier, "upload", 0);
    copier_copy(&m->copier, step, m->picture, plane_at(m->input, m->region.x, m->region.y), m->region.width * PIXEL,
                m->region.height, ACL_MEMCPY_HOST_TO_DEVICE);
    copier_end(&m->copier, step);
    return step;
}

static const struct step *draw_tile(struct mosaic *m, size_t index, const struct step *const *done)
{
    const struct effect *effect = effect_of_tile(index);
    struct tile tile = {
        .copier = &m->copier,
        .stream = (unsigned)index % m->options.streams,
        .width = m->region.width,
        .height = m->region.height,
        .picture = m->picture,
        .earlier = tile_plane(m, m->canvas, index - effect->builds_on),
        .to = tile_plane(m, m->canvas, index),
    };
    tile.scratch = (struct plane){ m->scratch[tile.stream], m->picture.pitch };
    if (effect->builds_on != 0)
        copier_wait(&m->copier, tile.stream, done[index - effect->builds_on]);
    return effect->draw(&tile);
}

static void download(struct mosaic *m)
{
    struct step *step = copier_begin(&m->copier, "download", 0);
    copier_copy(&m->copier, step, m->output, m->canvas, m->layout.width * PIXEL, m->layout.height,
                ACL_MEMCPY_DEVICE_TO_HOST);
    copier_end(&m->copier, step);
}

/* Queues everything, then waits once. */
static void draw(struct mosaic *m)
{
    const struct step *done[TILES_MAX];
    const struct step *uploaded = upload(m);
    for (unsigned i = 0; i < m->options.streams; i++)
        copier_wait(&m->copier, i, uploaded);
    for (size_t i = 0; i < m->options.tiles; i++)
        done[i] = draw_tile(m, i, done);
    for (size_t i = 0; i < m->options.tiles; i++)
        copier_wait(&m->copier, 0, done[i]);
    download(m);
    copier_synchronize(&m->copier);
}

/* The pixel that belongs at `p` of the mosaic; NULL where there is background. */
static const uint8_t *expected_pixel(const struct mosaic *m, struct point p, size_t *tile)
{
    size_t column = p.x / (m->region.width + GAP), row = p.y / (m->region.height + GAP);
    *tile = row * m->layout.columns + column;
    struct point corner = tile_corner(m, *tile);
    if (column >= m->layout.columns || *tile >= m->options.tiles || p.x < corner.x || p.y < corner.y)
        return NULL;
    struct point inside = { p.x - corner.x, p.y - corner.y };
    struct point from = effect_of_tile(*tile)->source(m->region.width, m->region.height, inside);
    return plane_at(m->input, m->region.x + from.x, m->region.y + from.y).at;
}

/* Compares the mosaic with the input, pixel by pixel, by where each effect says that a pixel comes from. */
static bool verify(const struct mosaic *m)
{
    static const uint8_t background[PIXEL] = { BACKGROUND, BACKGROUND, BACKGROUND, BACKGROUND };
    for (size_t y = 0; y < m->layout.height; y++) {
        for (size_t x = 0; x < m->layout.width; x++) {
            size_t tile;
            const uint8_t *want = expected_pixel(m, (struct point){ x, y }, &tile);
            if (memcmp(plane_at(m->output, x, y).at, want ? want : background, PIXEL) == 0)
                continue;
            fprintf(stderr, "mosaic: wrong pixel at %zu,%zu: %s\n", x, y,
                    want ? effect_of_tile(tile)->name : "background");
            return false;
        }
    }
    printf("Verified: all %zu pixels are what the CPU computes.\n", m->layout.width * m->layout.height);
    return true;
}

static void release(struct mosaic *m)
{
    for (unsigned i = 0; i < m->options.streams; i++)
        CHECK(aclrtFree(m->scratch[i]));
    CHECK(aclrtFree(m->canvas.at));
    CHECK(aclrtFree(m->picture.at));
    CHECK(aclrtFreeHost(m->output.at));
    copier_close(&m->copier);
}

/* From the picture in m->input to the file. A wrong mosaic is written as well: it shows what went wrong. */
static bool make_mosaic(struct mosaic *m)
{
    prepare(m);
    draw(m);
    copier_print(&m->copier);
    bool right = verify(m);
    bool written = png_file_write(m->options.output, m->output.at, m->layout.width, m->layout.height);
    if (written)
        printf("Written:  %s, %zux%zu pixels.\n", m->options.output, m->layout.width, m->layout.height);
    release(m);
    return right && written;
}

int main(int argc, char **argv)
{
    struct png_file png;
    struct mosaic m = { .options = options_parse(argc, argv) };
    const struct options *o = &m.options;
    if (!png_file_open(&png, o->input))
        return EXIT_FAILURE;
    if (!plan(&m, png.width, png.height)) {
        png_file_close(&png);
        return EXIT_FAILURE;
    }

    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice((int32_t)o->device));
    printf("%s: %zux%zu pixels; %zux%zu+%zu+%zu of them on device %u (%s)\n", o->input, png.width, png.height,
           m.region.width, m.region.height, m.region.x, m.region.y, o->device, aclrtGetSocName());
    m.input = pinned_plane(png.width, png.height);
    bool good = png_file_read(&png, m.input.at);
    png_file_close(&png);
    if (good)
        good = make_mosaic(&m);
    CHECK(aclrtFreeHost(m.input.at));
    CHECK(aclrtResetDevice((int32_t)o->device));
    CHECK(aclFinalize());
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
