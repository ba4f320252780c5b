/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.h: nine ways to draw a picture with nothing but pitched copies.
 */
#ifndef MOSAIC_TILES_H
#define MOSAIC_TILES_H

#include "copies.h"

enum { PIXEL = 4 }; /* bytes of one RGBA pixel */

/* What an effect needs to draw one tile. All planes are in device memory. */
struct tile {
    struct copier *copier;
    unsigned stream;
    size_t width, height; /* pixels, the same for the picture and for every tile */
    struct plane picture; /* read only; its pitch is a multiple of two pixels, its padding has been written */
    struct plane earlier; /* the tile that the effect builds upon, if it has one */
    struct plane scratch; /* picture.pitch * height bytes that belong to the stream */
    struct plane to;      /* the tile's place in the mosaic */
};

struct point {
    size_t x, y;
};

struct effect {
    const char *name;
    size_t builds_on;                                           /* reads the tile so many places before; 0: none */
    const struct step *(*draw)(const struct tile *t);           /* queues the copies, returns their last step */
    struct point (*source)(size_t w, size_t h, struct point p); /* the picture's pixel that belongs at `p` */
};

/* The effect of the tile at `index`; they repeat after nine. */
const struct effect *effect_of_tile(size_t index);

/* The plane that begins at a row and a pixel of another. */
struct plane plane_at(struct plane p, size_t x, size_t y);

#endif
