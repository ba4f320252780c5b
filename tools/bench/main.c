/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pacl-bench: what `pacl bench` starts.
 *
 * A program of its own that uses nothing but the public ACL interface: started with another libascendcl.so in the
 * environment, it measures that one.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "compare.h"
#include "heatmap.h"
#include "measure.h"
#include "options.h"
#include "plan.h"
#include "report_csv.h"
#include "report_json.h"
#include "report_table.h"
#include "run_info.h"
#include "shape.h"
#include "text.h"

/* Nanoseconds for the samples of a point. */
#define BUDGET_NORMAL 5e8
#define BUDGET_GRID 6e7
#define BUDGET_QUICK 2.5e7

static int print_lists(void)
{
    puts("Index, Name (Alias):\n\tDescription\n=======================");
    for (size_t i = 0; i < TESTCASES; i++)
        printf("%zu, %s (%s):\n\t%s\n", i, testcases[i].name, testcases[i].alias, testcases[i].description);
    puts("\nShape:\n\tDescription\n\tWidth x Height, pitch on the device\n=======================");
    for (size_t i = 0; i < shapes_count; i++) {
        const struct shape *shape = &shapes[i];
        if (i == 0 || strcmp(shape->name, shapes[i - 1].name) != 0)
            printf("%s:\n\t%s\n", shape->name, shape_about(shape->name));
        printf("\t%zu x %zu, %zu\n", shape->width, shape->height,
               shape->pages != 0 ? shape->pages * shape->width : shape->device_pitch);
    }
    return STATUS_OK;
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

static void show_progress(const struct points *points, size_t i)
{
    char title[POINT_TITLE_MAX];

    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K[%zu/%zu] %s", i + 1, points->count, point_title(&points->at[i], title));
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

static bool shows_table(const struct options *options)
{
    return !(options->json.wanted && options->json.path == NULL) && !(options->csv.wanted && options->csv.path == NULL);
}

static void print_needs(const struct points *points, size_t device_free)
{
    struct needs most = { 0 };
    char texts[3][SIZE_TEXT_MAX];

    for (size_t i = 0; i < points->count; i++) {
        const struct needs needs = point_needs(&points->at[i], testcase_find(points->at[i].testcase));
        most.device = needs.device > most.device ? needs.device : most.device;
        most.resident = needs.resident > most.resident ? needs.resident : most.resident;
    }
    printf("%zu %s; reserved are up to %s of device memory at a time (%s are free), used up to %s of memory\n",
           points->count, points->count == 1 ? "point" : "points", text_from_size(most.device, texts[0]),
           text_from_size(device_free, texts[1]), text_from_size(most.resident, texts[2]));
}

static struct effort effort_of(const struct options *options)
{
    const bool grid = options->heatmap != NULL && options->shape_count == 0;

    return (struct effort){ .samples = options->samples,
                            .budget_ns = options->quick ? BUDGET_QUICK
                                         : grid         ? BUDGET_GRID
                                                        : BUDGET_NORMAL,
                            .verify = !options->no_verify,
                            .mean = options->mean,
                            .print_samples = options->verbose };
}

static void measure_all(struct points *points, struct session *session, const struct options *options)
{
    const struct effort effort = effort_of(options);
    const bool table = shows_table(options);

    for (size_t i = 0; i < points->count; i++) {
        struct point *point = &points->at[i];
        show_progress(points, i);
        point_measure(point, testcase_find(point->testcase), session, &effort);
        clear_progress();
        if (table)
            table_print_point(point, i == 0 ? NULL : point - 1);
        else if (!point_has_status(point, STATUS_PASSED)) {
            char title[POINT_TITLE_MAX];
            warnx("%s: %s: %s", point_title(point, title), point->status, point->reason);
        }
    }
}

static void run(struct points *points, struct run_info *info, const struct options *options)
{
    struct session session;
    size_t total;
    const bool both = options->selected[testcase_find("bidir") - testcases];

    plan_create(points, options);
    session_open(&session, options->device, options->host, options->streams * (both ? 2 : 1));
    const size_t device_free = session_device_memory(&total);
    plan_fit(points, device_free);
    run_info_add_device(info, options->device, total);
    if (shows_table(options)) {
        table_print_info(info);
        print_needs(points, device_free);
    }
    measure_all(points, &session, options);
    session_close(&session);
}

static void load(struct points *points, const struct options *options)
{
    json_read(points, options->load);
    for (size_t i = 0; shows_table(options) && i < points->count; i++)
        table_print_point(&points->at[i], i == 0 ? NULL : &points->at[i - 1]);
}

/* --- results ------------------------------------------------------------------------------------------------------ */

typedef void print_fn(const struct points *points, const struct run_info *info, FILE *out);

static void print_csv(const struct points *points, const struct run_info *info, FILE *out)
{
    (void)info;
    csv_print(points, out);
}

static void print_heatmap(const struct points *points, const struct run_info *info, FILE *out)
{
    (void)info;
    heatmap_print(points, out);
}

/* `path` null: standard output. */
static void write_result(const char *path, print_fn *print, const struct points *points, const struct run_info *info)
{
    if (path == NULL) {
        print(points, info, stdout);
        return;
    }
    FILE *file = fopen(path, "we");
    if (file == NULL)
        err(STATUS_FAILED, "%s", path);
    print(points, info, file);
    if (fclose(file) != 0)
        err(STATUS_FAILED, "%s", path);
}

/* Before a run that takes long. What an earlier run has left there stays until there is something to put in its place. */
static void check_result(const char *path)
{
    struct stat before;
    const bool is_new = path != NULL && stat(path, &before) != 0;

    if (path == NULL || (!is_new && !S_ISREG(before.st_mode)))
        return;
    FILE *file = fopen(path, "ae");
    if (file == NULL)
        err(STATUS_FAILED, "%s", path);
    fclose(file);
    if (is_new)
        unlink(path);
}

static void write_results(const struct points *points, const struct run_info *info, const struct options *options)
{
    if (shows_table(options))
        table_print_cliffs(points);
    if (options->json.wanted)
        write_result(options->json.path, json_print, points, info);
    if (options->csv.wanted)
        write_result(options->csv.path, print_csv, points, info);
    if (options->heatmap != NULL)
        write_result(options->heatmap, print_heatmap, points, info);
    if (fflush(stdout) != 0)
        err(STATUS_FAILED, "standard output");
}

/* A point that the product does not support is no failure, a run in which nothing had enough memory is. */
static bool has_failed(const struct points *points)
{
    size_t passed = 0;
    size_t unsupported = 0;

    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->at[i];
        if (point_has_status(point, STATUS_ERROR))
            return true;
        passed += point_has_status(point, STATUS_PASSED);
        unsupported += strncmp(point->reason, "not supported", 13) == 0;
    }
    return passed == 0 && unsupported < points->count;
}

/* Measures or loads, writes what is wanted, compares; the exit status. */
static int bench(const struct options *options, int argc, char **argv)
{
    struct points points = { 0 };
    struct points baseline = { 0 };
    struct run_info info;

    if (options->baseline != NULL) /* before the run: a wrong file is told at once */
        json_read(&baseline, options->baseline);
    check_result(options->json.path);
    check_result(options->csv.path);
    check_result(options->heatmap);
    run_info_start(&info, argc, argv);
    if (options->load != NULL)
        load(&points, options);
    else
        run(&points, &info, options);
    points_find_cliffs(&points);
    write_results(&points, &info, options);
    bool failed = has_failed(&points);
    if (options->baseline != NULL && comparison_regressed(&options->comparison, &points, &baseline))
        failed = true;
    points_release(&points);
    points_release(&baseline);
    run_info_release(&info);
    return failed ? STATUS_FAILED : STATUS_OK;
}

int main(int argc, char **argv)
{
    struct options options;

    options_parse(&options, argc, argv);
    const int status = options.list ? print_lists() : bench(&options, argc, argv);
    options_release(&options);
    return status;
}
