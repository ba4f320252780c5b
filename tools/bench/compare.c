/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include <stdio.h>
#include <string.h>

struct metric {
    const char *name;
    const char *unit;
    size_t offset; /* of a double in struct point */
    bool more_is_better;
};

static const struct metric metrics[METRICS] = {
    { "bandwidth", "GB/s", offsetof(struct point, gb_s), true },
    { "submission", "ns", offsetof(struct point, submission_ns), false },
    { "completion", "ns", offsetof(struct point, completion_ns), false },
};

struct tally {
    size_t compared, regressions, added;
};

bool comparison_select(struct comparison *comparison, const char *name)
{
    for (size_t i = 0; i < METRICS; i++)
        if (strcmp(metrics[i].name, name) == 0) {
            comparison->selected[i] = true;
            return true;
        }
    return false;
}

static double value_of(const struct point *point, const struct metric *metric)
{
    return *(const double *)(const void *)((const char *)point + metric->offset);
}

static void compare_metric(const struct metric *metric, double tolerance, const struct point *now,
                           const struct point *before, struct tally *tally)
{
    const double new = value_of(now, metric);
    const double old = value_of(before, metric);
    char title[POINT_TITLE_MAX];

    if (metric->more_is_better ? new >= old *(1 - tolerance) : new <= old *(1 + tolerance))
        return;
    tally->regressions++;
    fprintf(stderr, "regression: %s: %s %.3f %s, baseline %.3f %s (%+.1f %%)\n", point_title(now, title), metric->name,
            new, metric->unit, old, metric->unit, 100 * (new / old - 1));
}

static const struct point *find(const struct points *points, const struct point *key)
{
    for (size_t i = 0; i < points->count; i++)
        if (point_same_key(&points->at[i], key))
            return &points->at[i];
    return NULL;
}

static void compare_point(const struct comparison *comparison, const struct point *now, const struct point *before,
                          struct tally *tally)
{
    char title[POINT_TITLE_MAX];
    bool any = false;

    tally->compared++;
    if (!point_has_status(now, STATUS_PASSED)) {
        tally->regressions++;
        fprintf(stderr, "regression: %s: not measured any more: %s\n", point_title(now, title), now->reason);
        return;
    }
    for (size_t i = 0; i < METRICS; i++)
        if (comparison->selected[i]) {
            any = true;
            compare_metric(&metrics[i], comparison->tolerance, now, before, tally);
        }
    if (!any)
        compare_metric(&metrics[0], comparison->tolerance, now, before, tally);
}

static size_t count_missing(const struct points *points, const struct points *baseline)
{
    size_t missing = 0;

    for (size_t i = 0; i < baseline->count; i++)
        if (find(points, &baseline->at[i]) == NULL)
            missing++;
    return missing;
}

bool comparison_regressed(const struct comparison *comparison, const struct points *points,
                          const struct points *baseline)
{
    struct tally tally = { 0 };

    for (size_t i = 0; i < points->count; i++) {
        const struct point *before = find(baseline, &points->at[i]);
        if (before == NULL)
            tally.added++;
        else if (point_has_status(before, STATUS_PASSED))
            compare_point(comparison, &points->at[i], before, &tally);
    }
    fprintf(stderr, "baseline: %zu compared, %zu regressed by more than %g %%, %zu only here, %zu only there\n",
            tally.compared, tally.regressions, 100 * comparison->tolerance, tally.added,
            count_missing(points, baseline));
    if (tally.compared == 0)
        fputs("baseline: nothing to compare\n", stderr);
    return tally.regressions > 0 || tally.compared == 0;
}
