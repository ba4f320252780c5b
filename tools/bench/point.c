/* SPDX-License-Identifier: Apache-2.0 */
#include "point.h"

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

void points_add(struct points *points, const struct point *point)
{
    struct point *at = reallocarray(points->at, points->count + 1, sizeof(*at));

    if (at == NULL)
        err(STATUS_FAILED, "points");
    at[points->count] = *point;
    points->at = at;
    points->count++;
}

void points_release(struct points *points)
{
    free(points->at);
    *points = (struct points){ 0 };
}

bool point_has_status(const struct point *point, const char *status)
{
    return strcmp(point->status, status) == 0;
}

void point_set_status(struct point *point, const char *status, const char *format, ...)
{
    va_list args;

    if (point->status[0] != '\0')
        return;
    snprintf(point->status, sizeof(point->status), "%s", status);
    va_start(args, format);
    vsnprintf(point->reason, sizeof(point->reason), format, args);
    va_end(args);
}

bool point_called(struct point *point, const char *call, aclError error)
{
    if (error == ACL_SUCCESS)
        return true;
    const char *text = aclGetRecentErrMsg();
    if (error == ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
        point_set_status(point, STATUS_WAIVED, "not supported by this product (%s: error %d)", call, error);
    else
        point_set_status(point, STATUS_ERROR, "%s: error %d%s%s", call, error, text != NULL ? ": " : "",
                         text != NULL ? text : "");
    return false;
}

const char *point_title(const struct point *point, char title[POINT_TITLE_MAX])
{
    snprintf(title, POINT_TITLE_MAX, "%s %s %zu x %zu", point->testcase, point->shape, point->width, point->height);
    return title;
}

bool point_same_key(const struct point *one, const struct point *other)
{
    return strcmp(one->testcase, other->testcase) == 0 && strcmp(one->shape, other->shape) == 0 &&
           strcmp(one->host, other->host) == 0 && one->width == other->width && one->height == other->height &&
           one->dpitch == other->dpitch && one->spitch == other->spitch && one->dst_offset == other->dst_offset &&
           one->src_offset == other->src_offset && one->streams == other->streams;
}

/* Points of one sweep stand side by side, in the order of the pitch; null at its ends. */
static const struct point *neighbour(const struct points *points, size_t i, bool next)
{
    const struct point *point = &points->at[i];

    if (next ? i + 1 == points->count : i == 0)
        return NULL;
    const struct point *other = next ? point + 1 : point - 1;
    bool same = other->sweep && point_has_status(other, STATUS_PASSED) &&
                strcmp(other->testcase, point->testcase) == 0 && strcmp(other->shape, point->shape) == 0 &&
                other->width == point->width && other->height == point->height;
    return same ? other : NULL;
}

void points_find_cliffs(struct points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        struct point *point = &points->at[i];
        const struct point *before = neighbour(points, i, false);
        const struct point *after = neighbour(points, i, true);
        point->cliff = point->sweep && point_has_status(point, STATUS_PASSED) && (before != NULL || after != NULL) &&
                       (before == NULL || point->ns_per_row > 2 * before->ns_per_row) &&
                       (after == NULL || point->ns_per_row > 2 * after->ns_per_row);
    }
}
