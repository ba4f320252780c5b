/* SPDX-License-Identifier: Apache-2.0 */
#include "report_table.h"

#include <stdio.h>
#include <string.h>

#include "testcase.h"
#include "text.h"

void table_print_info(const struct run_info *info)
{
    char memory[SIZE_TEXT_MAX];

    printf("library %s, version %s\n", info->library, info->runtime_version);
    printf("device %d: %s, %s; host: %s, %ld processors\n", info->device, info->soc_name,
           text_from_size(info->device_memory, memory), info->cpu, info->processors);
}

/* "940 ns", "1.25 us", ... */
enum { TIME_TEXT_MAX = 24 };
static const char *time_text(double ns, char text[TIME_TEXT_MAX])
{
    static const char *const units[] = { "ns", "us", "ms", "s" };
    size_t unit = 0;

    while (ns >= 1000 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    snprintf(text, TIME_TEXT_MAX, ns < 10 ? "%.2f %s" : ns < 100 ? "%.1f %s" : "%.0f %s", ns, units[unit]);
    return text;
}

static void print_head(const struct point *point)
{
    const struct testcase *testcase = testcase_find(point->testcase);

    printf("\n%s (%s), %s host memory, %zu stream%s\n", testcase->name, testcase->alias, point->host, point->streams,
           point->streams == 1       ? ""
           : testcase->bidirectional ? "s each way"
                                     : "s");
    printf("%-12s %8s %8s %10s %10s %8s %8s %8s %9s %9s %9s %7s %8s %7s\n", "SHAPE", "WIDTH", "HEIGHT", "DPITCH",
           "SPITCH", "GB/S", "NS/ROW", "SUBMIT", "COMPLETE", "P50", "P95", "SPREAD", "1D GB/S", "2D EFF");
}

static void print_measured(const struct point *p)
{
    char submission[TIME_TEXT_MAX];
    char completion[TIME_TEXT_MAX];
    char p50[TIME_TEXT_MAX];
    char p95[TIME_TEXT_MAX];

    printf(" %8.3f %8.3g %8s %9s %9s %9s %6.1f%% %8.3f %6.1f%%%s\n", p->gb_s, p->ns_per_row,
           time_text(p->submission_ns, submission), time_text(p->completion_ns, completion),
           time_text(p->copy_ns_p50, p50), time_text(p->copy_ns_p95, p95), p->spread_percent, p->line_gb_s,
           100 * p->efficiency, p->verified ? "" : "  not verified");
}

void table_print_point(const struct point *point, const struct point *before)
{
    if (before == NULL || strcmp(before->testcase, point->testcase) != 0)
        print_head(point);
    printf("%-12s %8zu %8zu %10zu %10zu", point->shape, point->width, point->height, point->dpitch, point->spitch);
    if (point_has_status(point, STATUS_PASSED))
        print_measured(point);
    else
        printf("  %s: %s\n", point->status, point->reason);
    fflush(stdout);
}

void table_print_cliffs(const struct points *points)
{
    size_t cliffs = 0;
    size_t swept = 0;
    char title[POINT_TITLE_MAX];

    for (size_t i = 0; i < points->count; i++) {
        const struct point *p = &points->at[i];
        swept += p->sweep;
        if (!p->cliff)
            continue;
        cliffs++;
        printf("%scliff: %s, dpitch %zu, spitch %zu: %.3g ns per row, more than twice its neighbours\n",
               cliffs == 1 ? "\n" : "", point_title(p, title), p->dpitch, p->spitch, p->ns_per_row);
    }
    if (swept != 0 && cliffs == 0)
        puts("\nno pitch is more than twice as slow as its neighbours");
}
