/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl explain`: how a pitched copy of one shape is made on this machine, and why. */
#include <argp.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "acl/acl.h"
#include "command.h"
#include "pacl/pacl.h"
#include "text.h"

enum { KEY_WIDTH = 0x100, KEY_HEIGHT, KEY_DPITCH, KEY_SPITCH, KEY_JSON };

struct shape {
    uint64_t width, height, dpitch, spitch; /* 0: not given */
    bool json;
};

static void read_size(uint64_t *number, const char *name, const char *text, struct argp_state *state)
{
    if (!text_to_size(text, number) || *number == 0)
        argp_error(state, "--%s takes a number of at least 1, K, M or G behind it; not '%s'", name, text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct shape *shape = state->input;

    switch (key) {
    case KEY_WIDTH:
        read_size(&shape->width, "width", arg, state);
        return 0;
    case KEY_HEIGHT:
        read_size(&shape->height, "height", arg, state);
        return 0;
    case KEY_DPITCH:
        read_size(&shape->dpitch, "dpitch", arg, state);
        return 0;
    case KEY_SPITCH:
        read_size(&shape->spitch, "spitch", arg, state);
        return 0;
    case KEY_JSON:
        shape->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", arg);
        return 0;
    case ARGP_KEY_END:
        if (shape->width == 0 || shape->height == 0)
            argp_error(state, "--width and --height are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_text(const struct shape *shape, const struct pacl_copy_explanation *e)
{
    char size[SIZE_TEXT_MAX];

    printf("%-10s%" PRIu64 " x %" PRIu64 " bytes, dpitch %" PRIu64 ", spitch %" PRIu64 ": %s\n", "shape", shape->width,
           shape->height, shape->dpitch, shape->spitch, text_from_size(e->payload_bytes, size));
    printf("%-10s%" PRIu64 " row(s) of %" PRIu64 " bytes; %s\n", "rows", e->height, e->width, e->why_rows);
    printf("%-10s%s; %s\n", "way", e->way, e->why_way);
    printf("%-10s%s\n", "kernel", e->kernel);
    if (e->prefetch_rows > 0)
        printf("%-10s%" PRIu32 " rows ahead\n", "prefetch", e->prefetch_rows);
    printf("%-10s%" PRIu64 " of %" PRIu64 " row(s), %" PRIu64 " bytes wide; %s\n", "pieces", e->pieces,
           e->rows_per_piece, e->piece_width, e->why_pieces);
    printf("%-10s%s\n", "thread",
           e->at_once ? "the submitting one, if the stream is idle and no engine awake" : "engines");
    if (e->advice[0] != '\0')
        printf("%-10s%s\n", "advice", e->advice);
}

static void add_number(json_object *object, const char *key, uint64_t number)
{
    json_object_object_add(object, key, json_object_new_uint64(number));
}

static void add_text(json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, text[0] != '\0' ? json_object_new_string(text) : NULL);
}

static void print_json(const struct shape *shape, const struct pacl_copy_explanation *e)
{
    json_object *object = json_object_new_object();

    add_number(object, "width", shape->width);
    add_number(object, "height", shape->height);
    add_number(object, "dpitch", shape->dpitch);
    add_number(object, "spitch", shape->spitch);
    add_number(object, "payload_bytes", e->payload_bytes);
    add_number(object, "touched_bytes", e->touched_bytes);
    add_number(object, "row_bytes", e->width);
    add_number(object, "rows", e->height);
    add_text(object, "why_rows", e->why_rows);
    add_text(object, "way", e->way);
    add_text(object, "why_way", e->why_way);
    add_text(object, "kernel", e->kernel);
    add_number(object, "prefetch_rows", e->prefetch_rows);
    add_number(object, "pieces", e->pieces);
    add_number(object, "rows_per_piece", e->rows_per_piece);
    add_number(object, "piece_width", e->piece_width);
    add_text(object, "why_pieces", e->why_pieces);
    json_object_object_add(object, "at_once", json_object_new_boolean(e->at_once != 0));
    add_text(object, "advice", e->advice);
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

int command_explain(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "width", KEY_WIDTH, "BYTES", 0, "Bytes of a row; 1 to 5000000", 0 },
        { "height", KEY_HEIGHT, "ROWS", 0, "Rows; 1 to 5242880", 0 },
        { "dpitch", KEY_DPITCH, "BYTES", 0, "From row to row of the destination; default: the width", 0 },
        { "spitch", KEY_SPITCH, "BYTES", 0, "From row to row of the source; default: the width", 0 },
        { "json", KEY_JSON, NULL, 0, "Print JSON", 0 },
        { 0 }
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc =
            "Explains how a pitched copy of one shape is made on this machine: which kernel, past the caches or not, in "
            "how many pieces, and why. Numbers take K, M and G. PACL_CPU counts."
    };
    struct shape shape = { 0 };
    struct pacl_copy_explanation explanation = { .size = sizeof explanation };

    argp_parse(&argp, argc, argv, 0, NULL, &shape);
    shape.dpitch = shape.dpitch != 0 ? shape.dpitch : shape.width;
    shape.spitch = shape.spitch != 0 ? shape.spitch : shape.width;
    if (pacl_copy_explain(shape.width, shape.height, shape.dpitch, shape.spitch, &explanation) != 0) {
        const char *reason = aclGetRecentErrMsg();
        fprintf(stderr, "pacl explain: %s\n", reason != NULL ? reason : "wrong shape");
        return STATUS_USAGE;
    }
    (shape.json ? print_json : print_text)(&shape, &explanation);
    return STATUS_OK;
}
