/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "matrix.h"
#include "measure.h"
#include "shape.h"

enum {
    LINE = 64,                    /* bytes of a cache line */
    QUICK_TOUCHED_MAX = 12 << 20, /* bytes of a side, with --quick */
    GRID_PAYLOAD_MAX = 16 << 20,  /* bytes of a copy in the grid of the heat map */
    SWEEP_PITCH_MIN_TOP = 16384,  /* a sweep goes at least to this pitch */
    SWEEP_WIDTH = 64,
    SWEEP_HEIGHT = 4096,
    CUSTOM_WIDTH = 4096,
    CUSTOM_HEIGHT = 1024
};

/* --- pitches ------------------------------------------------------------------------------------------------------ */

static bool device_is_destination(const struct testcase *testcase)
{
    return testcase->kind == ACL_MEMCPY_HOST_TO_DEVICE;
}

/* Within a device the source has the device's pitch, the destination the other one. */
static size_t *device_pitch(struct point *point, const struct testcase *testcase)
{
    return device_is_destination(testcase) ? &point->dpitch : &point->spitch;
}

static size_t *staging_pitch(struct point *point, const struct testcase *testcase)
{
    return device_is_destination(testcase) ? &point->spitch : &point->dpitch;
}

static void apply_pitch(const struct pitch *pitch, size_t width, size_t *bytes)
{
    if (pitch->how == PITCH_BYTES)
        *bytes = pitch->bytes;
    else if (pitch->how == PITCH_PADDING)
        *bytes = width + pitch->bytes;
}

/* Padded by a line, so that rows do not all start in the same cache sets. */
static size_t padded(size_t width)
{
    return (width + LINE - 1) / LINE * LINE + LINE;
}

/* --- refusals ----------------------------------------------------------------------------------------------------- */

static void check_pitch(const struct point *point, const char *option, size_t pitch)
{
    char title[POINT_TITLE_MAX];

    if (pitch < point->width)
        errx(STATUS_USAGE, "%s: %s %zu is smaller than the width %zu", point_title(point, title), option, pitch,
             point->width);
    if (pitch > (SIZE_MAX >> 16) / point->height)
        errx(STATUS_USAGE, "%s: %zu rows with %s %zu do not fit into any memory", point_title(point, title),
             point->height, option, pitch);
}

static void check(const struct point *point)
{
    if (point->width > WIDTH_LIMIT)
        errx(STATUS_USAGE, "--width %zu: the 2D calls allow at most %d bytes", point->width, WIDTH_LIMIT);
    if (point->height > HEIGHT_LIMIT)
        errx(STATUS_USAGE, "--height %zu: the 2D calls allow at most %d rows", point->height, HEIGHT_LIMIT);
    check_pitch(point, "dpitch", point->dpitch);
    check_pitch(point, "spitch", point->spitch);
}

/* --- points ------------------------------------------------------------------------------------------------------- */

struct plan {
    struct points *points;
    const struct options *options;
    const struct testcase *testcase;
};

static void cut_rows(struct point *point, const struct options *options)
{
    size_t rows = point->height;

    if (options->payload_max != 0 && rows > options->payload_max / point->width)
        rows = options->payload_max / point->width;
    const size_t touched =
        matrix_touched(0, point->dpitch > point->spitch ? point->dpitch : point->spitch, point->width, 1);
    if (options->quick && rows > QUICK_TOUCHED_MAX / touched)
        rows = QUICK_TOUCHED_MAX / touched;
    point->height = rows > 0 ? rows : 1;
}

static void add(const struct plan *plan, struct point *point)
{
    const struct options *options = plan->options;

    point->dst_offset = options->dst_offset;
    point->src_offset = options->src_offset;
    point->streams = options->streams;
    snprintf(point->testcase, sizeof(point->testcase), "%s", plan->testcase->name);
    snprintf(point->host, sizeof(point->host), "%s", place_names[options->host]);
    check(point);
    cut_rows(point, options);
    points_add(plan->points, point);
}

/* The powers of two, what lies a line beside them, and what lies in the middle. */
static void default_sweep(struct sizes *pitches, size_t width)
{
    size_t power = LINE;

    while (power < width)
        power *= 2;
    const size_t top = power * 4 > SWEEP_PITCH_MIN_TOP ? power * 4 : SWEEP_PITCH_MIN_TOP;
    for (; power <= top; power *= 2) {
        if (power - LINE >= width)
            sizes_add(pitches, power - LINE);
        sizes_add(pitches, power);
        sizes_add(pitches, power + LINE);
        sizes_add(pitches, power + power / 2);
    }
}

static void add_sweep(const struct plan *plan, const struct point *point)
{
    struct sizes chosen = { 0 };
    const struct sizes *pitches = &plan->options->sweep_pitches;

    if (pitches->count == 0) {
        default_sweep(&chosen, point->width);
        pitches = &chosen;
    }
    for (size_t i = 0; i < pitches->count; i++) {
        struct point one = *point;
        one.sweep = true;
        *device_pitch(&one, plan->testcase) = pitches->at[i];
        add(plan, &one);
    }
    sizes_release(&chosen);
}

static void add_or_sweep(const struct plan *plan, struct point *point)
{
    apply_pitch(&plan->options->dpitch, point->width, &point->dpitch);
    apply_pitch(&plan->options->spitch, point->width, &point->spitch);
    if (plan->options->sweep)
        add_sweep(plan, point);
    else
        add(plan, point);
}

static void add_shape(const struct plan *plan, const struct shape *shape)
{
    struct point point = { .width = shape->width, .height = shape->height };

    snprintf(point.shape, sizeof(point.shape), "%s", shape->name);
    *device_pitch(&point, plan->testcase) = shape->pages != 0 ? shape->pages * shape->width : shape->device_pitch;
    *staging_pitch(&point, plan->testcase) = shape->staging_pitch != 0 ? shape->staging_pitch : shape->width;
    add_or_sweep(plan, &point);
}

static void add_custom(const struct plan *plan, size_t width, size_t height)
{
    struct point point = { .shape = "custom", .width = width, .height = height };

    *device_pitch(&point, plan->testcase) = padded(width);
    *staging_pitch(&point, plan->testcase) = width;
    add_or_sweep(plan, &point);
}

static void add_shapes(const struct plan *plan)
{
    const struct options *options = plan->options;

    for (size_t i = 0; i < shapes_count; i++) {
        bool wanted = options->shape_count == 0;
        for (size_t k = 0; k < options->shape_count; k++)
            wanted = wanted || options->shapes[k] == shape_find_name(shapes[i].name);
        if (wanted)
            add_shape(plan, &shapes[i]);
    }
}

static void add_lists(const struct plan *plan)
{
    const struct options *options = plan->options;
    const size_t heights = options->heights.count > 0 ? options->heights.count : 1;
    const size_t widths = options->widths.count > 0 ? options->widths.count : 1;

    for (size_t h = 0; h < heights; h++)
        for (size_t w = 0; w < widths; w++)
            add_custom(plan, options->widths.count > 0 ? options->widths.at[w] : CUSTOM_WIDTH,
                       options->heights.count > 0 ? options->heights.at[h] : CUSTOM_HEIGHT);
}

static void add_grid(const struct plan *plan)
{
    for (size_t height = 1; height <= 4096; height *= 4)
        for (size_t width = 16; width <= 1 << 20; width *= 4)
            if (width * height <= GRID_PAYLOAD_MAX)
                add_custom(plan, width, height);
}

static void add_points(const struct plan *plan)
{
    const struct options *options = plan->options;

    if (options->widths.count > 0 || options->heights.count > 0)
        add_lists(plan);
    else if (options->shape_count == 0 && options->sweep)
        add_custom(plan, SWEEP_WIDTH, SWEEP_HEIGHT);
    else if (options->shape_count == 0 && options->heatmap != NULL)
        add_grid(plan);
    else
        add_shapes(plan);
}

void plan_create(struct points *points, const struct options *options)
{
    for (size_t i = 0; i < TESTCASES; i++)
        if (options->selected[i])
            add_points(&(struct plan){ .points = points, .options = options, .testcase = &testcases[i] });
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

static const struct shape *shape_with_pages(const struct point *point)
{
    for (size_t i = 0; i < shapes_count; i++)
        if (strcmp(shapes[i].name, point->shape) == 0 && shapes[i].width == point->width && shapes[i].pages != 0)
            return &shapes[i];
    return NULL;
}

static void fit(struct point *point, const struct shape *shape, size_t device_free)
{
    const struct testcase *testcase = testcase_find(point->testcase);
    size_t *pitch = device_pitch(point, testcase);

    if (*pitch != shape->pages * shape->width) /* chosen by an option */
        return;
    for (size_t pages = shape->pages; pages > 1 && point_needs(point, testcase).device > device_free; pages /= 2)
        *pitch = pages / 2 * shape->width;
}

void plan_fit(struct points *points, size_t device_free)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct shape *shape = shape_with_pages(&points->at[i]);
        if (shape != NULL)
            fit(&points->at[i], shape, device_free);
    }
}
