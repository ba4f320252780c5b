/* SPDX-License-Identifier: Apache-2.0 */
#include "report_json.h"

#include <err.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "field.h"
#include "testcase.h"
#include "text.h"

enum { FORMAT = 1 }; /* raised when a reader of the old form would misread the new one */

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void add_text(json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, json_object_new_string(text));
}

static json_object *number(double value)
{
    char *text = text_format("%.10g", value);
    json_object *object = json_object_new_double_s(value, text);

    free(text);
    return object;
}

static json_object *field_value(const struct point *point, const struct field *field)
{
    const void *at = (const char *)point + field->offset;

    if (field->measured && !point_has_status(point, STATUS_PASSED))
        return NULL;
    switch (field->type) {
    case FIELD_TEXT:
        return json_object_new_string(at);
    case FIELD_SIZE:
        return json_object_new_uint64(*(const size_t *)at);
    case FIELD_FLAG:
        return json_object_new_boolean(*(const bool *)at);
    default:
        return number(*(const double *)at);
    }
}

static json_object *point_object(const struct point *point)
{
    json_object *object = json_object_new_object();

    for (size_t i = 0; i < fields_count; i++)
        json_object_object_add(object, fields[i].name, field_value(point, &fields[i]));
    return object;
}

/* A test case as nvbandwidth writes it: one row, a column per point. */
struct summary {
    json_object *points;
    json_object *columns;
    json_object *row; /* of the matrix */
    size_t count;     /* points with a bandwidth */
    double sum, least, most;
    bool error;
};

static void summarize(struct summary *summary, const struct point *point)
{
    const bool passed = point_has_status(point, STATUS_PASSED);
    char *title = text_format("%s %zux%zu", point->shape, point->width, point->height);
    char *bandwidth = passed ? text_format("%.2f", point->gb_s) : text_format("N/A");

    json_object_array_add(summary->points, point_object(point));
    json_object_array_add(summary->columns, json_object_new_string(title));
    json_object_array_add(summary->row, json_object_new_string(bandwidth));
    free(title);
    free(bandwidth);
    summary->error = summary->error || point_has_status(point, STATUS_ERROR);
    if (!passed)
        return;
    summary->least = summary->count == 0 || point->gb_s < summary->least ? point->gb_s : summary->least;
    summary->most = summary->count == 0 || point->gb_s > summary->most ? point->gb_s : summary->most;
    summary->sum += point->gb_s;
    summary->count++;
}

static json_object *summary_object(const struct testcase *testcase, const struct summary *summary)
{
    json_object *object = json_object_new_object();
    json_object *matrix = json_object_new_array();

    json_object_array_add(matrix, summary->row);
    add_text(object, "name", testcase->name);
    add_text(object, "status", summary->error ? STATUS_ERROR : summary->count != 0 ? STATUS_PASSED : STATUS_WAIVED);
    add_text(object, "bandwidth_description", testcase->description);
    json_object_object_add(object, "bandwidth_columns", summary->columns);
    json_object_object_add(object, "bandwidth_matrix", matrix);
    if (summary->count != 0) {
        json_object_object_add(object, "average", number(summary->sum / (double)summary->count));
        json_object_object_add(object, "min", number(summary->least));
        json_object_object_add(object, "max", number(summary->most));
    }
    json_object_object_add(object, "points", summary->points);
    return object;
}

static json_object *testcases_array(const struct points *points)
{
    json_object *array = json_object_new_array();

    for (size_t i = 0; i < TESTCASES; i++) {
        struct summary summary = { 0 };
        for (size_t k = 0; k < points->count; k++)
            if (strcmp(points->at[k].testcase, testcases[i].name) == 0) {
                if (summary.points == NULL) {
                    summary.points = json_object_new_array();
                    summary.columns = json_object_new_array();
                    summary.row = json_object_new_array();
                }
                summarize(&summary, &points->at[k]);
            }
        if (summary.points != NULL)
            json_object_array_add(array, summary_object(&testcases[i], &summary));
    }
    return array;
}

static json_object *device_array(const struct run_info *info)
{
    json_object *array = json_object_new_array();
    char *device = text_format("%d: %s", info->device, info->soc_name);

    json_object_array_add(array, json_object_new_string(device));
    free(device);
    return array;
}

/* The variables that change what a run measures. */
static json_object *environment_object(void)
{
    json_object *object = json_object_new_object();

    for (char **variable = environ; *variable != NULL; variable++)
        if (strncmp(*variable, "PACL_", 5) == 0 || strncmp(*variable, "ASCEND_", 7) == 0) {
            char *name = text_format("%.*s", (int)strcspn(*variable, "="), *variable);
            add_text(object, name, *variable + strlen(name) + 1);
            free(name);
        }
    return object;
}

void json_print(const struct points *points, const struct run_info *info, FILE *out)
{
    json_object *object = json_object_new_object();
    json_object *bench = json_object_new_object();

    json_object_object_add(object, "pacl_bench", bench);
    json_object_object_add(bench, "format", json_object_new_int(FORMAT));
    add_text(bench, "version", PACL_BENCH_VERSION);
    add_text(bench, "date", info->date);
    add_text(bench, "command", info->command);
    add_text(bench, "cpu", info->cpu);
    json_object_object_add(bench, "processors", json_object_new_int64(info->processors));
    add_text(bench, "library", info->library);
    add_text(bench, "runtime_version", info->runtime_version);
    json_object_object_add(bench, "device_list", device_array(info));
    json_object_object_add(bench, "device_memory_bytes", json_object_new_uint64(info->device_memory));
    json_object_object_add(bench, "environment", environment_object());
    json_object_object_add(bench, "testcases", testcases_array(points));
    fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE), out);
    fputc('\n', out);
    json_object_put(object);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* What is null or missing stays 0. False if a member has another type than it must have. */
static bool read_field(struct point *point, const struct field *field, json_object *value)
{
    void *at = (char *)point + field->offset;

    if (value == NULL)
        return field->measured;
    switch (field->type) {
    case FIELD_TEXT:
        return json_object_is_type(value, json_type_string) &&
               snprintf(at, field->size, "%s", json_object_get_string(value)) < (int)field->size;
    case FIELD_SIZE:
        *(size_t *)at = json_object_get_uint64(value);
        return json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0;
    case FIELD_FLAG:
        *(bool *)at = json_object_get_boolean(value);
        return json_object_is_type(value, json_type_boolean);
    default:
        *(double *)at = json_object_get_double(value);
        return json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int);
    }
}

static bool read_point(struct points *points, json_object *object)
{
    struct point point = { 0 };

    for (size_t i = 0; i < fields_count; i++)
        if (!read_field(&point, &fields[i], json_object_object_get(object, fields[i].name)))
            return false;
    if (testcase_find(point.testcase) == NULL || point.width == 0 || point.height == 0)
        return false;
    points_add(points, &point);
    return true;
}

static bool read_testcase(struct points *points, json_object *testcase)
{
    json_object *array = json_object_object_get(testcase, "points");

    if (!json_object_is_type(array, json_type_array))
        return false;
    for (size_t i = 0; i < json_object_array_length(array); i++)
        if (!read_point(points, json_object_array_get_idx(array, i)))
            return false;
    return true;
}

static bool read_all(struct points *points, json_object *object)
{
    json_object *bench = json_object_object_get(object, "pacl_bench"); /* null in what is no object, too */
    json_object *array = json_object_object_get(bench, "testcases");

    if (json_object_get_int(json_object_object_get(bench, "format")) != FORMAT ||
        !json_object_is_type(array, json_type_array))
        return false;
    for (size_t i = 0; i < json_object_array_length(array); i++)
        if (!read_testcase(points, json_object_array_get_idx(array, i)))
            return false;
    return points->count > 0;
}

void json_read(struct points *points, const char *path)
{
    if (access(path, R_OK) != 0)
        err(STATUS_FAILED, "%s", path);
    json_object *object = json_object_from_file(path);
    if (!read_all(points, object))
        errx(STATUS_FAILED, "%s: not the JSON of 'pacl bench'", path);
    json_object_put(object);
}
