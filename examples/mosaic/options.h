/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOSAIC_OPTIONS_H
#define MOSAIC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { TILES_MAX = 100 };

struct region {
    size_t x, y, width, height; /* pixels */
};

struct options {
    const char *input;
    const char *output;
    const char *region; /* as given, NULL: the middle */
    unsigned tiles, streams, device;
};

/* Reads the command line; ends the program if it is wrong or asks for help. */
struct options options_parse(int argc, char **argv);

/* Finds the part of a picture of `width` x `height` pixels that options.region asks for. Returns false and reports to
 * stderr if that is no region or does not lie inside the picture. */
bool options_region(const char *text, size_t width, size_t height, struct region *out);

#endif
