/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h: rectangles that programs copy, by name. Sizes and pitches in bytes. */
#ifndef PACL_BENCH_SHAPE_H
#define PACL_BENCH_SHAPE_H

#include <stddef.h>

/* The limits of the 2D calls. */
enum { WIDTH_LIMIT = 5000000, HEIGHT_LIMIT = 5 * 1024 * 1024 };

struct shape {
    const char *name; /* several rows of the table may share one */
    size_t width, height;
    size_t device_pitch;
    size_t staging_pitch; /* of the other side: the host, or the destination within a device; 0 is `width` */
    size_t pages;         /* the device pitch is pages * width, with fewer pages on a device with less memory; 0: not */
};

extern const struct shape shapes[];
extern const size_t shapes_count;

/* A name of the table, as a pointer that is the same for all its rows; null if there is none. */
const char *shape_find_name(const char *word);

/* What a name stands for. */
const char *shape_about(const char *name);

/* "NAME, NAME, ...", for a message. The caller frees it. */
char *shape_names(void);

#endif
