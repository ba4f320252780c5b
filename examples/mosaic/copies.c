/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include <stdio.h>
#include <stdlib.h>

#include "acl_check.h"

void acl_check(aclError err, const char *call)
{
    if (err == ACL_SUCCESS)
        return;
    const char *message = aclGetRecentErrMsg();
    fprintf(stderr, "mosaic: %s\n        returned %d: %s\n", call, (int)err, message ? message : "no message");
    exit(EXIT_FAILURE); /* the runtime releases what the process still holds */
}

void copier_open(struct copier *c, unsigned streams)
{
    *c = (struct copier){ .streams = streams };
    for (unsigned i = 0; i < streams; i++)
        CHECK(aclrtCreateStream(&c->stream[i]));
}

static void explain_detour(const char *what, const char *instead)
{
    const char *message = aclGetRecentErrMsg();
    printf("This product has no %s: %s.\n", what, instead);
    if (message)
        printf("    (%s)\n", message);
}

void copier_choose_route(struct copier *c, struct plane host, struct plane device, struct plane other, size_t bytes,
                         size_t largest)
{
    aclError err = aclrtMemcpy2dAsync(device.at, device.pitch, host.at, host.pitch, bytes, 1, ACL_MEMCPY_HOST_TO_DEVICE,
                                      c->stream[0]);
    if (err == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) {
        explain_detour("2D copies", "every row is a 1D copy of its own");
        c->route = ROUTE_ROWS_1D;
        return;
    }
    acl_check(err, "aclrtMemcpy2dAsync(ACL_MEMCPY_HOST_TO_DEVICE)");

    err = aclrtMemcpy2dAsync(other.at, other.pitch, device.at, device.pitch, bytes, 1, ACL_MEMCPY_DEVICE_TO_DEVICE,
                             c->stream[0]);
    if (err == ACL_ERROR_INVALID_PARAM) {
        explain_detour("device-to-device 2D copies", "tiles are downloaded to pinned memory and uploaded again");
        c->route = ROUTE_HOST_2D;
        for (unsigned i = 0; i < c->streams; i++)
            CHECK(aclrtMallocHost(&c->bounce[i], largest));
        return;
    }
    acl_check(err, "aclrtMemcpy2dAsync(ACL_MEMCPY_DEVICE_TO_DEVICE)");
    c->route = ROUTE_DEVICE_2D;
}

struct step *copier_begin(struct copier *c, const char *what, unsigned stream)
{
    if (c->steps == STEPS_MAX) {
        fprintf(stderr, "mosaic: more than %d steps\n", STEPS_MAX);
        exit(EXIT_FAILURE);
    }
    struct step *step = &c->step[c->steps++];
    *step = (struct step){ .what = what, .stream = stream };
    CHECK(aclrtCreateEvent(&step->begin));
    CHECK(aclrtCreateEvent(&step->end));
    CHECK(aclrtRecordEvent(step->begin, c->stream[stream]));
    return step;
}

void copier_end(struct copier *c, struct step *step)
{
    CHECK(aclrtRecordEvent(step->end, c->stream[step->stream]));
}

static void copy_rows(struct plane dst, struct plane src, size_t width, size_t height, aclrtMemcpyKind kind,
                      aclrtStream stream)
{
    for (size_t row = 0; row < height; row++)
        CHECK(aclrtMemcpyAsync(dst.at + row * dst.pitch, width, src.at + row * src.pitch, width, kind, stream));
}

static void copy_2d(struct plane dst, struct plane src, size_t width, size_t height, aclrtMemcpyKind kind,
                    aclrtStream stream)
{
    CHECK(aclrtMemcpy2dAsync(dst.at, dst.pitch, src.at, src.pitch, width, height, kind, stream));
}

static void count_copy(struct step *step, struct plane dst, struct plane src, size_t width, size_t height)
{
    if (step->copies == 0) {
        step->width = width;
        step->height = height;
        step->dpitch = dst.pitch;
        step->spitch = src.pitch;
    }
    step->copies++;
    step->bytes += width * height;
}

void copier_copy(struct copier *c, struct step *step, struct plane dst, struct plane src, size_t width, size_t height,
                 aclrtMemcpyKind kind)
{
    if (width == 0 || height == 0)
        return;
    count_copy(step, dst, src, width, height);

    aclrtStream stream = c->stream[step->stream];
    if (c->route == ROUTE_ROWS_1D) {
        copy_rows(dst, src, width, height, kind, stream);
    } else if (c->route == ROUTE_HOST_2D && kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
        /* The next copy of this stream may use the same buffer: the stream runs them one after the other. */
        struct plane bounce = { c->bounce[step->stream], width };
        copy_2d(bounce, src, width, height, ACL_MEMCPY_DEVICE_TO_HOST, stream);
        copy_2d(dst, bounce, width, height, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    } else {
        copy_2d(dst, src, width, height, kind, stream);
    }
}

void copier_wait(struct copier *c, unsigned stream, const struct step *step)
{
    if (stream != step->stream) /* within one stream the order is given */
        CHECK(aclrtStreamWaitEvent(c->stream[stream], step->end));
}

void copier_synchronize(struct copier *c)
{
    for (unsigned i = 0; i < c->streams; i++)
        CHECK(aclrtSynchronizeStream(c->stream[i]));
}

static void print_step(const struct step *s)
{
    char shape[48], speed[16] = "-";
    float ms;
    CHECK(aclrtEventElapsedTime(&ms, s->begin, s->end));
    snprintf(shape, sizeof(shape), "%zu x %zu", s->width, s->height);
    if (ms > 0)
        snprintf(speed, sizeof(speed), "%.2f", (double)s->bytes / ms / 1e6);
    printf("%-18s %6u %7zu  %-17s %8zu %8zu %10zu %10.1f %7s\n", s->what, s->stream, s->copies, shape, s->dpitch,
           s->spitch, s->bytes, ms * 1e3, speed);
}

void copier_print(const struct copier *c)
{
    size_t copies = 0, bytes = 0;
    printf("\n%-18s %6s %7s  %-17s %8s %8s %10s %10s %7s\n", "step", "stream", "copies", "width x height", "dpitch",
           "spitch", "bytes", "us", "GB/s");
    for (size_t i = 0; i < c->steps; i++) {
        print_step(&c->step[i]);
        copies += c->step[i].copies;
        bytes += c->step[i].bytes;
    }
    float ms;
    CHECK(aclrtEventElapsedTime(&ms, c->step[0].begin, c->step[c->steps - 1].end));
    printf("\n%zu copies, %.1f MB, on %u stream%s in %.2f ms from the first to the last.\n", copies,
           (double)bytes / 1e6, c->streams, c->streams == 1 ? "" : "s", ms);
    printf("Width, pitches and bytes are in bytes; the shape is that of the step's first and largest copy.\n\n");
}

void copier_close(struct copier *c)
{
    for (size_t i = 0; i < c->steps; i++) {
        CHECK(aclrtDestroyEvent(c->step[i].begin));
        CHECK(aclrtDestroyEvent(c->step[i].end));
    }
    for (unsigned i = 0; i < c->streams; i++) {
        CHECK(aclrtDestroyStream(c->stream[i]));
        if (c->bounce[i])
            CHECK(aclrtFreeHost(c->bounce[i]));
    }
}
