/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <string.h>
#include <time.h>

static _Noreturn void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--rounds=N] [--quick] [--seed=N] [--tsv]\n"
            "  --rounds=N  interleaved rounds, 1 to %d; every figure is the median of them\n"
            "  --quick     small sizes, one round: shows that it works, the figures mean nothing\n"
            "  --seed=N    of what is random\n"
            "  --tsv       tables as tab-separated lines\n",
            program, BENCH_ROUNDS_MAX);
    exit(2);
}

static uint64_t number(const char *program, const char *text, uint64_t low, uint64_t high)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-' || value < low || value > high)
        usage(program);
    return value;
}

struct bench_options bench_parse(int argc, char **argv, int default_rounds)
{
    static const struct option known[] = {
        { "rounds", required_argument, NULL, 'r' },
        { "quick", no_argument, NULL, 'q' },
        { "seed", required_argument, NULL, 's' },
        { "tsv", no_argument, NULL, 't' },
        { NULL, 0, NULL, 0 },
    };
    struct bench_options options = { .rounds = 0, .seed = 1 };
    int choice = 0;
    while ((choice = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (choice) {
        case 'r':
            options.rounds = (int)number(argv[0], optarg, 1, BENCH_ROUNDS_MAX);
            break;
        case 'q':
            options.quick = true;
            break;
        case 's':
            options.seed = number(argv[0], optarg, 0, UINT64_MAX);
            break;
        case 't':
            options.tsv = true;
            break;
        default:
            usage(argv[0]);
        }
    }
    if (optind != argc)
        usage(argv[0]);
    if (options.rounds == 0)
        options.rounds = options.quick ? 1 : default_rounds;
    return options;
}

double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void bench_sleep_ns(long ns)
{
    struct timespec left = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], by_value);
    return count % 2 != 0 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

uint64_t bench_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

size_t bench_random_size(uint64_t *state, size_t low, size_t high)
{
    const double part = (double)(bench_random(state) >> 11) / (double)(UINT64_C(1) << 53);
    const size_t size = (size_t)((double)low * pow((double)high / (double)low, part) + 0.5);
    return size < low ? low : size > high ? high : size;
}

void bench_pattern(uint8_t *at, size_t bytes)
{
    uint64_t state = 7;
    size_t i = 0;
    for (; i + sizeof state <= bytes; i += sizeof state) {
        const uint64_t word = bench_random(&state);
        memcpy(at + i, &word, sizeof word);
    }
    for (; i < bytes; i++)
        at[i] = (uint8_t)(i * 37);
}

size_t bench_extent(size_t pitch, size_t width, size_t height)
{
    return (height - 1) * pitch + width;
}

static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && a[i] == b[i])
        i++;
    return i;
}

static bool is_poison(const uint8_t *at, size_t bytes)
{
    return bytes == 0 || (at[0] == BENCH_POISON && memcmp(at, at + 1, bytes - 1) == 0);
}

bool bench_verify(const char *who, const uint8_t *dst, const uint8_t *src, const struct bench_rect *r)
{
    for (size_t row = 0; row < r->height; row++) {
        const uint8_t *have = dst + r->dst + row * r->dpitch, *want = src + r->src + row * r->spitch;
        if (memcmp(have, want, r->width) != 0) {
            const size_t column = first_difference(have, want, r->width);
            fprintf(stderr, "%s: %zu x %zu, row %zu, column %zu: 0x%02x instead of 0x%02x\n", who, r->width, r->height,
                    row, column, have[column], want[column]);
            return false;
        }
        if (row + 1 < r->height && !is_poison(have + r->width, r->dpitch - r->width)) {
            fprintf(stderr, "%s: %zu x %zu, the gap behind row %zu is overwritten\n", who, r->width, r->height, row);
            return false;
        }
    }
    return true;
}

size_t bench_margin_begin(const struct bench_rect *r)
{
    return r->dst > BENCH_MARGIN ? r->dst - BENCH_MARGIN : 0;
}

size_t bench_margin_end(const struct bench_rect *r)
{
    return r->dst + bench_extent(r->dpitch, r->width, r->height) + BENCH_MARGIN;
}

bool bench_verify_margins(const char *who, const uint8_t *dst, const struct bench_rect *r)
{
    const size_t begin = bench_margin_begin(r), end = bench_margin_end(r);
    const bool right = is_poison(dst + begin, r->dst - begin) && is_poison(dst + end - BENCH_MARGIN, BENCH_MARGIN);
    if (!right)
        fprintf(stderr, "%s: %zu x %zu, bytes around the block are overwritten\n", who, r->width, r->height);
    return right;
}

void bench_row_loop(uint8_t *dst, const uint8_t *src, const struct bench_rect *r)
{
    uint8_t *to = dst + r->dst;
    const uint8_t *from = src + r->src;
    for (size_t row = 0; row < r->height; row++)
        memcpy(to + row * r->dpitch, from + row * r->spitch, r->width);
    __asm__ volatile("" : : "r"(dst) : "memory"); /* the stores count as used */
}

void bench_title(const struct bench_options *options, const char *name, const char *title)
{
    if (options->tsv)
        printf("#%s\n", name);
    else
        printf("\n%s\n", title);
}

void bench_row(const struct bench_options *options, int cells, const char *const cell[])
{
    for (int i = 0; i < cells; i++) {
        if (options->tsv)
            printf("%s%s", i > 0 ? "\t" : "", cell[i]);
        else
            printf(i == 0 ? "%-44s" : "  %10s", cell[i]);
    }
    putchar('\n');
    fflush(stdout);
}

const char *bench_figure(char cell[BENCH_CELL], double value)
{
    if (isnan(value))
        return "-";
    const int decimals = fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 2;
    snprintf(cell, BENCH_CELL, "%.*f", decimals, value);
    return cell;
}

_Noreturn void bench_fail(const char *call, aclError code)
{
    const char *text = aclGetRecentErrMsg();
    fprintf(stderr, "%s: %d %s\n", call, code, text != NULL ? text : "");
    exit(1);
}
