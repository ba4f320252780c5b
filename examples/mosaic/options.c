/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "copies.h"

/* Pixels: what is taken from the middle of a large picture, unless --region says otherwise. */
enum { REGION_WIDTH = 1200, REGION_HEIGHT = 900 };

static unsigned number(const char *text, unsigned min, unsigned max, const char *what, struct argp_state *state)
{
    char *rest;
    unsigned long value = strtoul(text, &rest, 10);
    if (*text < '0' || *text > '9' || *rest != '\0' || value < min || value > max)
        argp_error(state, "%s must be a number from %u to %u, not '%s'", what, min, max, text);
    return (unsigned)value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o':
        o->output = arg;
        return 0;
    case 'r':
        o->region = arg;
        return 0;
    case 't':
        o->tiles = number(arg, 1, TILES_MAX, "--tiles", state);
        return 0;
    case 's':
        o->streams = number(arg, 1, STREAMS_MAX, "--streams", state);
        return 0;
    case 'd':
        o->device = number(arg, 0, 1024, "--device", state);
        return 0;
    case ARGP_KEY_ARG:
        if (o->input)
            argp_error(state, "one INPUT only, '%s' is too many", arg);
        o->input = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "INPUT is missing");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

struct options options_parse(int argc, char **argv)
{
    static const struct argp_option known[] = {
        { "output", 'o', "FILE", 0, "Write the mosaic here (mosaic.png)", 0 },
        { "region", 'r', "WxH[+X+Y]", 0,
          "Take this part of the picture, in pixels, without X and Y from its middle (1200x900 or less)", 0 },
        { "tiles", 't', "N", 0, "Draw so many tiles, 1 to 100 (9)", 0 },
        { "streams", 's', "N", 0, "Spread them over so many streams, 1 to 32 (3)", 0 },
        { "device", 'd', "N", 0, "Use this device (0)", 0 },
        { 0 }
    };
    static const struct argp parser = {
        .options = known,
        .parser = parse_option,
        .args_doc = "INPUT",
        .doc = "Draws a mosaic of the PNG file INPUT with 2D copies on an Ascend device.",
    };
    struct options o = { .output = "mosaic.png", .tiles = 9, .streams = 3 };
    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    return o;
}

bool options_region(const char *text, size_t width, size_t height, struct region *out)
{
    struct region r = { .width = width < REGION_WIDTH ? width : REGION_WIDTH,
                        .height = height < REGION_HEIGHT ? height : REGION_HEIGHT };
    int fields = 2, used = 0;
    if (text) {
        fields = sscanf(text, "%zux%zu%n+%zu+%zu%n", &r.width, &r.height, &used, &r.x, &r.y, &used);
        if ((fields != 2 && fields != 4) || text[used] != '\0') {
            fprintf(stderr, "mosaic: --region must look like 640x480 or 640x480+10+20, not '%s'\n", text);
            return false;
        }
    }
    bool fits = r.width > 0 && r.width <= width && r.height > 0 && r.height <= height;
    if (fits && fields == 2) {
        r.x = (width - r.width) / 2;
        r.y = (height - r.height) / 2;
    }
    if (!fits || r.x > width - r.width || r.y > height - r.height) {
        fprintf(stderr, "mosaic: --region %s does not lie inside the picture of %zux%zu pixels\n", text, width, height);
        return false;
    }
    *out = r;
    return true;
}
