/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copies.h: pitched copies on several streams, ordered and timed by events.
 *
 * Copies are queued in steps. A step is a run of copies on one stream between two events: the events give its time,
 * and the last one is what other streams wait for.
 */
#ifndef MOSAIC_COPIES_H
#define MOSAIC_COPIES_H

#include <acl/acl.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STREAMS_MAX = 32,
    STEPS_MAX = 256,
    COPY_ROWS_MAX = 5 * 1024 * 1024,  /* the most rows that one 2D copy may have */
    COPY_WIDTH_MAX = 5 * 1000 * 1000, /* bytes, the widest row that one 2D copy may have */
};

/* Rows somewhere in host or device memory, `pitch` bytes from the start of one to the start of the next. */
struct plane {
    uint8_t *at;
    size_t pitch;
};

struct step {
    const char *what;
    unsigned stream; /* index into copier.stream */
    size_t copies;
    size_t width, height;  /* bytes and rows of the step's first copy, which is its largest */
    size_t dpitch, spitch; /* of the first copy */
    size_t bytes;          /* all copies together */
    aclrtEvent begin, end;
};

/* How a rectangle gets from one place in device memory to another. */
enum route {
    ROUTE_DEVICE_2D, /* by one device-to-device 2D copy */
    ROUTE_HOST_2D,   /* through pinned host memory by two 2D copies */
    ROUTE_ROWS_1D,   /* row by row; so are the copies to and from the host */
};

struct copier {
    enum route route;
    unsigned streams;
    aclrtStream stream[STREAMS_MAX];
    void *bounce[STREAMS_MAX]; /* pinned, one per stream, only for ROUTE_HOST_2D */
    struct step step[STEPS_MAX];
    size_t steps;
};

/* Creates the streams. The calling thread's current device is the one that is used. */
void copier_open(struct copier *c, unsigned streams);

/* Finds the best route that the product offers, by trying: copies the first `bytes` of the pinned `host` to `device`,
 * and from there to `other`. `largest` is the size in bytes of the largest copy to come. */
void copier_choose_route(struct copier *c, struct plane host, struct plane device, struct plane other, size_t bytes,
                         size_t largest);

/* Opens a step; copies belong to it until copier_end(). The step lives as long as the copier. */
struct step *copier_begin(struct copier *c, const char *what, unsigned stream);
void copier_end(struct copier *c, struct step *step);

/* Queues one copy of `height` rows of `width` bytes. `kind` says where the planes are; host memory must be pinned. */
void copier_copy(struct copier *c, struct step *step, struct plane dst, struct plane src, size_t width, size_t height,
                 aclrtMemcpyKind kind);

/* Makes everything queued on `stream` from now on wait until `step` has been done. Does not block the caller. */
void copier_wait(struct copier *c, unsigned stream, const struct step *step);

/* Waits for all streams. */
void copier_synchronize(struct copier *c);

/* Prints one line per step, then the sums. All streams must have been synchronized. */
void copier_print(const struct copier *c);

/* Destroys events and streams. */
void copier_close(struct copier *c);

#endif
