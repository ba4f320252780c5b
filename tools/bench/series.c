/* SPDX-License-Identifier: Apache-2.0 */
#include "series.h"

#include <err.h>
#include <stdlib.h>

#include "command.h"

void series_add(struct series *series, double value)
{
    double *values = reallocarray(series->values, series->count + 1, sizeof(*values));

    if (values == NULL)
        err(STATUS_FAILED, "samples");
    values[series->count++] = value;
    series->values = values;
}

void series_release(struct series *series)
{
    free(series->values);
    *series = (struct series){ 0 };
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one;
    const double b = *(const double *)other;

    return (a > b) - (a < b);
}

double series_quantile(struct series *series, double share)
{
    const double place = share * (double)(series->count - 1);
    const size_t below = (size_t)place;

    qsort(series->values, series->count, sizeof(series->values[0]), compare);
    if (below + 1 >= series->count)
        return series->values[series->count - 1];
    return series->values[below] + (place - (double)below) * (series->values[below + 1] - series->values[below]);
}

double series_mean(const struct series *series)
{
    double sum = 0;

    for (size_t i = 0; i < series->count; i++)
        sum += series->values[i];
    return sum / (double)series->count;
}
