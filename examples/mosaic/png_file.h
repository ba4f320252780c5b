/* SPDX-License-Identifier: Apache-2.0 */
/*
 * png_file.h: any PNG in, 8-bit RGBA in memory, PNG out.
 */
#ifndef MOSAIC_PNG_FILE_H
#define MOSAIC_PNG_FILE_H

#include <png.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PNG_FILE_SIDE_MAX = 1000000 }; /* pixels, the limit that libpng sets itself */

/* A PNG that is open for reading. */
struct png_file {
    const char *path;
    size_t width, height; /* pixels */
    FILE *stream;
    png_structp png;
    png_infop info;
};

/* Opens a file and reads its header. Returns false and reports to stderr if this is not a PNG. */
bool png_file_open(struct png_file *file, const char *path);

/* Reads the pixels, whatever their form in the file, as width * height * 4 bytes RGBA without gaps. Returns false and
 * reports to stderr if the file is broken. */
bool png_file_read(struct png_file *file, uint8_t *pixels);

void png_file_close(struct png_file *file);

/* True if png_file_write() can write a picture of this size: 1000000 pixels along each side, 4 GiB in all. */
bool png_file_can_hold(size_t width, size_t height);

/* Writes RGBA pixels without gaps. Returns false and reports to stderr if that is not possible. */
bool png_file_write(const char *path, const uint8_t *pixels, size_t width, size_t height);

#endif
