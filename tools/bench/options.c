/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "shape.h"
#include "text.h"

enum { OFFSET_MAX = 1 << 20, STREAMS_MAX = 1024, SAMPLES_LIMIT = 1000000, DEVICES_MAX = 1024 };

/* Options without a short form. */
enum key {
    KEY_SHAPE = 0x100,
    KEY_WIDTH,
    KEY_HEIGHT,
    KEY_DPITCH,
    KEY_SPITCH,
    KEY_OFFSET,
    KEY_SWEEP,
    KEY_HOST,
    KEY_STREAMS,
    KEY_BIDIR,
    KEY_DEVICE,
    KEY_CSV,
    KEY_HEATMAP,
    KEY_LOAD,
    KEY_BASELINE,
    KEY_TOLERANCE,
    KEY_COMPARE,
    KEY_QUICK
};

static const struct argp_option descriptions[] = {
    { .doc = "What is measured:", .group = 1 },
    { "list", 'l', NULL, 0, "List the test cases and the shapes", 0 },
    { "testcase", 't', "NAME", 0,
      "Run this test case: name, alias (h2d, d2h, d2d, bidir) or index. Lists, several -t "
      "and further names as arguments add up. Default: all",
      0 },
    { "testcasePrefixes", 'p', "PREFIX", 0, "Run the test cases whose names start so", 0 },
    { "prefix", 0, NULL, OPTION_ALIAS, NULL, 0 },
    { "shape", KEY_SHAPE, "NAME", 0, "Run these shapes. Default: all, unless --width or --height is given", 0 },
    { "width", KEY_WIDTH, "LIST", 0, "Bytes per row. 64,4K; 1K:64K doubles; 64:512:64 is in steps. Default: 4096", 0 },
    { "height", KEY_HEIGHT, "LIST", 0, "Rows. Each height is run with each width. Default: 1024", 0 },
    { "dpitch", KEY_DPITCH, "SIZE", 0,
      "Pitch of the destination; +SIZE adds to the width. Default: the shape's; with "
      "--width, packed on the host and padded on the device",
      0 },
    { "spitch", KEY_SPITCH, "SIZE", 0, "Pitch of the source", 0 },
    { "offset", KEY_OFFSET, "DST[,SRC]", 0, "Bytes from the start of a block to the first row, up to 1M. Default: 0",
      0 },
    { "pitch-sweep", KEY_SWEEP, "LIST", OPTION_ARG_OPTIONAL,
      "Run each shape (default: 64 x 4096) at many pitches of the device's side, and mark those that are more than "
      "twice as slow as their neighbours",
      0 },
    { "host", KEY_HOST, "MEMORY", 0, "Host memory: pinned (the default), pageable or registered", 0 },
    { "streams", KEY_STREAMS, "N", 0, "Streams per direction, each with blocks of its own. Default: 1", 0 },
    { "bidir", KEY_BIDIR, NULL, 0, "Run both host directions at once in place of h2d and d2h", 0 },
    { "device", KEY_DEVICE, "N", 0, "Device. Default: 0", 0 },
    { .doc = "How:", .group = 2 },
    { "testSamples", 'i', "N", 0, "Samples per point. Default: 3 to 200, as time allows", 0 },
    { "samples", 0, NULL, OPTION_ALIAS, NULL, 0 },
    { "bufferSize", 'b', "MIB", 0, "Cut shapes to fewer rows so that a copy has at most this payload", 0 },
    { "buffer-size", 0, NULL, OPTION_ALIAS, NULL, 0 },
    { "useMean", 'm', NULL, 0, "Conclude from the mean instead of the median", 0 },
    { "mean", 0, NULL, OPTION_ALIAS, NULL, 0 },
    { "skipVerification", 's', NULL, 0, "Do not compare the bytes", 0 },
    { "no-verify", 0, NULL, OPTION_ALIAS, NULL, 0 },
    { "quick", KEY_QUICK, NULL, 0, "About 5 seconds: fewer rows, fewer samples", 0 },
    { .doc = "Results:", .group = 3 },
    { "json", 'j', "FILE", OPTION_ARG_OPTIONAL, "Write JSON, without FILE to standard output in place of tables", 0 },
    { "csv", KEY_CSV, "FILE", OPTION_ARG_OPTIONAL, "Write CSV, in the same way", 0 },
    { "heatmap", KEY_HEATMAP, "FILE", 0, "Draw payload speed by width and height (SVG). Without shapes a grid is run",
      0 },
    { "load", KEY_LOAD, "FILE", 0, "Take the results from the JSON of an earlier run instead of measuring", 0 },
    { "baseline", KEY_BASELINE, "FILE", 0, "Compare with the JSON of an earlier run; status 1 on a regression", 0 },
    { "tolerance", KEY_TOLERANCE, "PERCENT", 0, "What is no regression yet. Default: 10%", 0 },
    { "compare", KEY_COMPARE, "LIST", 0, "Compare bandwidth (the default), submission, completion", 0 },
    { "verbose", 'v', NULL, 0, "Print every sample on standard error", 0 },
    { .doc = "Options:", .group = -1 },
    { 0 }
};

/* --- values ------------------------------------------------------------------------------------------------------- */

static size_t number(const struct argp_state *state, const char *option, const char *text, size_t least, size_t most)
{
    uint64_t value = 0;

    if (!text_to_number(text, &value) || value < least || value > most)
        argp_error(state, "%s: '%s' is not a number from %zu to %zu", option, text, least, most);
    return value;
}

static void parse_sizes(const struct argp_state *state, const char *option, struct sizes *sizes, const char *text)
{
    if (!sizes_parse(sizes, text))
        argp_error(state, "%s: '%s' is not " SIZES_EXPECTED, option, text);
}

static void parse_pitch(const struct argp_state *state, const char *option, struct pitch *pitch, const char *text)
{
    const bool padding = text[0] == '+';
    uint64_t bytes = 0;

    if (!text_to_size(text + padding, &bytes))
        argp_error(state, "%s: '%s' is not a number of bytes, or +SIZE", option, text);
    *pitch = (struct pitch){ .how = padding ? PITCH_PADDING : PITCH_BYTES, .bytes = bytes };
}

static void select_testcase(const struct argp_state *state, struct options *options, const char *word)
{
    const struct testcase *testcase = testcase_find(word);

    if (testcase == NULL)
        argp_error(state, "unknown test case '%s'; the test cases are: %s", word, testcase_names());
    else
        options->selected[testcase - testcases] = true;
}

static void select_prefix(const struct argp_state *state, struct options *options, const char *prefix)
{
    bool found = false;

    for (size_t i = 0; i < TESTCASES; i++)
        if (strncmp(testcases[i].name, prefix, strlen(prefix)) == 0)
            options->selected[i] = found = true;
    if (!found)
        argp_error(state, "no test case starts with '%s'; the test cases are: %s", prefix, testcase_names());
}

static void select_shape(const struct argp_state *state, struct options *options, const char *word)
{
    const char *name = shape_find_name(word);

    if (name == NULL)
        argp_error(state, "unknown shape '%s'; the shapes are: %s", word, shape_names());
    for (size_t i = 0; i < options->shape_count; i++)
        if (options->shapes[i] == name)
            return;
    if (options->shape_count < SHAPE_NAMES_MAX) /* there are fewer names */
        options->shapes[options->shape_count++] = name;
}

static void select_metric(const struct argp_state *state, struct options *options, const char *word)
{
    if (!comparison_select(&options->comparison, word))
        argp_error(state, "--compare: '%s' is not one of " METRIC_NAMES, word);
}

typedef void select_fn(const struct argp_state *state, struct options *options, const char *word);

/* Hands over each word of a list that is separated by commas. */
static void select_each(const struct argp_state *state, struct options *options, const char *list, select_fn *select)
{
    char *copy = text_format("%s", list);
    char *rest = copy;

    for (char *word; (word = strsep(&rest, ",")) != NULL;)
        select(state, options, word);
    free(copy);
}

static void parse_offset(const struct argp_state *state, struct options *options, const char *text)
{
    char *copy = text_format("%s", text);
    char *src = copy;
    const char *dst = strsep(&src, ",");
    uint64_t bytes[2] = { 0, 0 };

    if (!text_to_size(dst, &bytes[0]) || (src != NULL && !text_to_size(src, &bytes[1])) || bytes[0] > OFFSET_MAX ||
        bytes[1] > OFFSET_MAX)
        argp_error(state, "--offset: '%s' is not DST or DST,SRC, each at most 1M", text);
    free(copy);
    options->dst_offset = bytes[0];
    options->src_offset = bytes[1];
}

static void parse_host(const struct argp_state *state, struct options *options, const char *text)
{
    for (int place = 0; place < HOST_PLACES; place++)
        if (strcmp(place_names[place], text) == 0) {
            options->host = (enum place)place;
            return;
        }
    argp_error(state, "--host: '%s' is not pinned, pageable or registered", text);
}

static void parse_tolerance(const struct argp_state *state, struct options *options, const char *text)
{
    char *end;
    const double percent = strtod(text, &end);

    if (end == text || (*end != '\0' && strcmp(end, "%") != 0) || !(percent >= 0 && percent < 100))
        argp_error(state, "--tolerance: '%s' is not a percentage from 0 to less than 100", text);
    options->comparison.tolerance = percent / 100;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void apply_bidirectional(struct options *options)
{
    bool any = false;

    for (size_t i = 0; i < TESTCASES; i++)
        if (!testcases[i].bidirectional && testcases[i].kind != ACL_MEMCPY_DEVICE_TO_DEVICE) {
            any = any || options->selected[i];
            options->selected[i] = false;
        }
    if (any)
        options->selected[testcase_find("bidir") - testcases] = true;
}

static void finish(const struct argp_state *state, struct options *options)
{
    bool any = false;

    for (size_t i = 0; i < TESTCASES; i++)
        any = any || options->selected[i];
    for (size_t i = 0; i < TESTCASES && !any; i++)
        options->selected[i] = true;
    if (options->bidirectional)
        apply_bidirectional(options);
    if (options->shape_count > 0 && (options->widths.count > 0 || options->heights.count > 0))
        argp_error(state, "--shape has its own width and height");
    if (options->load != NULL && options->json.wanted)
        argp_error(state, "--load and --json: the results are JSON already");
    if (options->json.wanted && options->json.path == NULL && options->csv.wanted && options->csv.path == NULL)
        argp_error(state, "--json and --csv cannot both go to standard output: give one a FILE");
}

static error_t parse_shape(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case KEY_SHAPE:
        select_each(state, options, arg, select_shape);
        return 0;
    case KEY_WIDTH:
        parse_sizes(state, "--width", &options->widths, arg);
        return 0;
    case KEY_HEIGHT:
        parse_sizes(state, "--height", &options->heights, arg);
        return 0;
    case KEY_DPITCH:
        parse_pitch(state, "--dpitch", &options->dpitch, arg);
        return 0;
    case KEY_SPITCH:
        parse_pitch(state, "--spitch", &options->spitch, arg);
        return 0;
    case KEY_OFFSET:
        parse_offset(state, options, arg);
        return 0;
    case KEY_SWEEP:
        options->sweep = true;
        if (arg != NULL)
            parse_sizes(state, "--pitch-sweep", &options->sweep_pitches, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case KEY_HOST:
        parse_host(state, options, arg);
        return 0;
    case KEY_STREAMS:
        options->streams = number(state, "--streams", arg, 1, STREAMS_MAX);
        return 0;
    case KEY_BIDIR:
        options->bidirectional = true;
        return 0;
    case KEY_DEVICE:
        options->device = (int32_t)number(state, "--device", arg, 0, DEVICES_MAX);
        return 0;
    case 'i':
        options->samples = number(state, "--testSamples", arg, 1, SAMPLES_LIMIT);
        return 0;
    case 'b':
        options->payload_max = number(state, "--bufferSize", arg, 1, 1 << 20) << 20;
        return 0;
    case 'm':
        options->mean = true;
        return 0;
    case 's':
        options->no_verify = true;
        return 0;
    case KEY_QUICK:
        options->quick = true;
        return 0;
    default:
        return parse_shape(key, arg, state);
    }
}

static error_t parse_result(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'j':
        options->json = (struct output){ .wanted = true, .path = arg };
        return 0;
    case KEY_CSV:
        options->csv = (struct output){ .wanted = true, .path = arg };
        return 0;
    case KEY_HEATMAP:
        options->heatmap = arg;
        return 0;
    case KEY_LOAD:
        options->load = arg;
        return 0;
    case KEY_BASELINE:
        options->baseline = arg;
        return 0;
    case KEY_TOLERANCE:
        parse_tolerance(state, options, arg);
        return 0;
    case KEY_COMPARE:
        select_each(state, options, arg, select_metric);
        return 0;
    case 'v':
        options->verbose = true;
        return 0;
    default:
        return parse_run(key, arg, state);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'l':
        options->list = true;
        return 0;
    case 't':
    case ARGP_KEY_ARG:
        select_each(state, options, arg, select_testcase);
        return 0;
    case 'p':
        select_each(state, options, arg, select_prefix);
        return 0;
    case ARGP_KEY_END:
        finish(state, options);
        return 0;
    default:
        return parse_result(key, arg, state);
    }
}

static void print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    fputs("pacl bench " PACL_BENCH_VERSION "\n", out);
}

void options_parse(struct options *options, int argc, char **argv)
{
    static const struct argp argp = {
        .options = descriptions,
        .parser = parse,
        .args_doc = "[TESTCASE...]",
        .doc =
            "Measures asynchronous pitched copies through the public ACL interface, and compares the bytes."
            "\vSizes are bytes, or have a suffix K, M, G (powers of 1024). GB/s is payload in 10^9 bytes per second. "
            "Exit status: 0 done, 1 a copy was wrong or failed, nothing could be measured, or a regression was "
            "found, 2 wrong usage."
    };

    *options = (struct options){ .streams = 1, .comparison.tolerance = 0.1 };
    argp_err_exit_status = STATUS_USAGE;
    argp_program_version_hook = print_version;
    argp_parse(&argp, argc, argv, 0, NULL, options);
}

void options_release(struct options *options)
{
    sizes_release(&options->widths);
    sizes_release(&options->heights);
    sizes_release(&options->sweep_pitches);
}
