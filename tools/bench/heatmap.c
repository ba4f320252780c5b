/* SPDX-License-Identifier: Apache-2.0 */
#include "heatmap.h"

#include <math.h>
#include <string.h>

#include "sizes.h"
#include "testcase.h"

enum { /* pixels */
       CELL_WIDTH = 58,
       CELL_HEIGHT = 26,
       LEFT = 96,
       TOP = 64, /* of a panel: title, and the labels of the columns */
       PANEL_GAP = 18,
       LEGEND_STEPS = 32,
       LEGEND_STEP_WIDTH = 8,
       LEGEND_HEIGHT = 64
};

struct map {
    const struct points *points;
    struct sizes widths, heights;
    double least, most; /* GB/s */
    FILE *out;
};

/* --- colour ------------------------------------------------------------------------------------------------------- */

struct colour {
    double r, g, b; /* 0 to 255 */
};

/* From dark blue by green to yellow; the lightness rises evenly, so that the map can be read without the hue. */
static const struct colour scale[] = {
    { 48, 18, 88 }, { 43, 82, 138 }, { 33, 144, 140 }, { 94, 201, 98 }, { 253, 231, 37 }
};

enum { SCALE_LAST = sizeof(scale) / sizeof(scale[0]) - 1 };

static struct colour colour_at(double share)
{
    const double place = (share < 0 ? 0 : share > 1 ? 1 : share) * SCALE_LAST;
    const size_t below = place >= SCALE_LAST ? SCALE_LAST - 1 : (size_t)place;
    const double rest = place - (double)below;
    const struct colour a = scale[below];
    const struct colour b = scale[below + 1];

    return (struct colour){ a.r + rest * (b.r - a.r), a.g + rest * (b.g - a.g), a.b + rest * (b.b - a.b) };
}

/* Logarithmic: speeds of small and large copies differ by orders of magnitude. */
static double share_of(const struct map *map, double gb_s)
{
    return map->most > map->least ? log(gb_s / map->least) / log(map->most / map->least) : 1;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static void print_size(FILE *out, size_t size)
{
    if (size >= 1 << 20 && size % (1 << 20) == 0)
        fprintf(out, "%zuM", size >> 20);
    else if (size >= 1 << 10 && size % (1 << 10) == 0)
        fprintf(out, "%zuK", size >> 10);
    else
        fprintf(out, "%zu", size);
}

static void print_label(FILE *out, size_t x, size_t y, const char *anchor, size_t size)
{
    fprintf(out, "<text x=\"%zu\" y=\"%zu\" text-anchor=\"%s\">", x, y, anchor);
    print_size(out, size);
    fputs("</text>\n", out);
}

static void print_rectangle(FILE *out, size_t x, size_t y, int width, int height, struct colour colour)
{
    fprintf(out, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"rgb(%.0f,%.0f,%.0f)\"", x, y, width,
            height, colour.r, colour.g, colour.b);
}

static const struct point *find(const struct map *map, const char *testcase, size_t width, size_t height)
{
    for (size_t i = 0; i < map->points->count; i++) {
        const struct point *p = &map->points->at[i];
        if (p->width == width && p->height == height && strcmp(p->testcase, testcase) == 0 &&
            point_has_status(p, STATUS_PASSED))
            return p;
    }
    return NULL;
}

static void print_cell(const struct map *map, const struct point *p, size_t x, size_t y)
{
    const struct colour colour = colour_at(share_of(map, p->gb_s));
    const bool dark = 0.3 * colour.r + 0.6 * colour.g + 0.1 * colour.b < 128;

    print_rectangle(map->out, x, y, CELL_WIDTH - 1, CELL_HEIGHT - 1, colour);
    fprintf(map->out, "><title>%s %zu x %zu, dpitch %zu, spitch %zu: %.3f GB/s, %.3g ns per row</title></rect>\n",
            p->shape, p->width, p->height, p->dpitch, p->spitch, p->gb_s, p->ns_per_row);
    fprintf(map->out,
            "<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\" fill=\"%s\" pointer-events=\"none\">%.3g</text>\n",
            x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2 + 4, dark ? "white" : "black", p->gb_s);
}

static size_t panel_height(const struct map *map)
{
    return TOP + map->heights.count * CELL_HEIGHT + PANEL_GAP;
}

static bool has_points(const struct map *map, const struct testcase *testcase)
{
    for (size_t i = 0; i < map->points->count; i++)
        if (strcmp(map->points->at[i].testcase, testcase->name) == 0 &&
            point_has_status(&map->points->at[i], STATUS_PASSED))
            return true;
    return false;
}

static void print_panel(const struct map *map, const struct testcase *testcase, size_t top)
{
    fprintf(map->out, "<text x=\"8\" y=\"%zu\" font-size=\"15\">%s: payload, GB/s</text>\n", top + 20, testcase->name);
    fprintf(map->out, "<text x=\"8\" y=\"%zu\">height \\ width</text>\n", top + TOP - 8);
    for (size_t w = 0; w < map->widths.count; w++)
        print_label(map->out, LEFT + w * CELL_WIDTH + CELL_WIDTH / 2, top + TOP - 8, "middle", map->widths.at[w]);
    for (size_t h = 0; h < map->heights.count; h++) {
        const size_t y = top + TOP + h * CELL_HEIGHT;
        print_label(map->out, LEFT - 8, y + CELL_HEIGHT / 2 + 4, "end", map->heights.at[h]);
        for (size_t w = 0; w < map->widths.count; w++) {
            const struct point *p = find(map, testcase->name, map->widths.at[w], map->heights.at[h]);
            if (p != NULL)
                print_cell(map, p, LEFT + w * CELL_WIDTH, y);
        }
    }
}

static void print_legend(const struct map *map, size_t top)
{
    for (size_t i = 0; i < LEGEND_STEPS; i++) {
        print_rectangle(map->out, LEFT + i * LEGEND_STEP_WIDTH, top + 8, LEGEND_STEP_WIDTH, 14,
                        colour_at((double)i / (LEGEND_STEPS - 1)));
        fputs("/>\n", map->out);
    }
    fprintf(map->out, "<text x=\"%d\" y=\"%zu\">%.3g</text>\n", LEFT, top + 38, map->least);
    fprintf(map->out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">%.3g GB/s, logarithmic</text>\n",
            LEFT + LEGEND_STEPS * LEGEND_STEP_WIDTH, top + 38, map->most);
}

static void collect(struct map *map)
{
    for (size_t i = 0; i < map->points->count; i++) {
        const struct point *p = &map->points->at[i];
        if (!point_has_status(p, STATUS_PASSED))
            continue;
        sizes_add(&map->widths, p->width);
        sizes_add(&map->heights, p->height);
        map->least = map->least == 0 || p->gb_s < map->least ? p->gb_s : map->least;
        map->most = p->gb_s > map->most ? p->gb_s : map->most;
    }
}

static size_t count_panels(const struct map *map)
{
    size_t panels = 0;

    for (size_t i = 0; i < TESTCASES; i++)
        panels += has_points(map, &testcases[i]);
    return panels;
}

void heatmap_print(const struct points *points, FILE *out)
{
    struct map map = { .points = points, .out = out };
    size_t top = 0;

    collect(&map);
    const size_t legend = (size_t)LEFT + (size_t)LEGEND_STEPS * LEGEND_STEP_WIDTH;
    const size_t cells = LEFT + map.widths.count * CELL_WIDTH;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            (cells > legend ? cells : legend) + LEFT / 2, count_panels(&map) * panel_height(&map) + LEGEND_HEIGHT);
    for (size_t i = 0; i < TESTCASES; i++)
        if (has_points(&map, &testcases[i])) {
            print_panel(&map, &testcases[i], top);
            top += panel_height(&map);
        }
    print_legend(&map, top);
    fputs("</svg>\n", out);
    sizes_release(&map.widths);
    sizes_release(&map.heights);
}
