/* SPDX-License-Identifier: Apache-2.0 */
/*
 * async_copy: what an asynchronous copy costs its caller, and what it moves, against a loop of one memcpy per row in the
 * same process. Every figure is the median of interleaved rounds; ratios are what counts, machines are noisy.
 *
 * usage: async_copy [ROUNDS]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acl/acl.h"

enum { ROUNDS_MAX = 101, BIG = 256 << 20, TINY_CALLS = 200000 };

#define CHECK(call) \
    do { \
        const aclError code = (call); \
        if (code != ACL_SUCCESS) { \
            const char *text = aclGetRecentErrMsg(); \
            fprintf(stderr, "%s: %d %s\n", #call, code, text != NULL ? text : ""); \
            exit(1); \
        } \
    } while (0)

static int rounds = 9;
static aclrtStream stream;
static uint8_t *device, *pinned, *back, *pageable;

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], by_value);
    return values[count / 2];
}

/* --- how long the call keeps its caller -------------------------------------------------------------------------- */

/* One copy of BIG bytes to the device: microseconds until the call returned, and until the stream had finished. */
static void time_big(const uint8_t *from, double *call_us, double *whole_us)
{
    const double start = now_us();
    CHECK(aclrtMemcpyAsync(device, BIG, from, BIG, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    *call_us = now_us() - start;
    CHECK(aclrtSynchronizeStream(stream));
    *whole_us = now_us() - start;
}

static void show_big(const char *what, const uint8_t *from)
{
    double call[ROUNDS_MAX] = { 0 }, whole[ROUNDS_MAX] = { 0 };
    for (int i = 0; i < rounds; i++)
        time_big(from, &call[i], &whole[i]);
    const double c = median(call, rounds), w = median(whole, rounds);
    printf("%-22s call returns after %10.1f us of %10.1f us: %6.2f %%   %6.2f GB/s\n", what, c, w, 100 * c / w,
           BIG / w / 1e3);
}

static void show_tiny(void)
{
    double submit[ROUNDS_MAX] = { 0 }, round_trip[ROUNDS_MAX] = { 0 }, direct[ROUNDS_MAX] = { 0 };
    for (int r = 0; r < rounds; r++) {
        double start = now_us();
        for (int i = 0; i < TINY_CALLS; i++)
            CHECK(aclrtMemcpy2dAsync(device, 64, pinned, 64, 16, 16, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        submit[r] = (now_us() - start) * 1e3 / TINY_CALLS;
        CHECK(aclrtSynchronizeStream(stream));
        start = now_us();
        for (int i = 0; i < TINY_CALLS; i++) {
            CHECK(aclrtMemcpy2dAsync(device, 64, pinned, 64, 16, 16, ACL_MEMCPY_HOST_TO_DEVICE, stream));
            CHECK(aclrtSynchronizeStream(stream));
        }
        round_trip[r] = (now_us() - start) * 1e3 / TINY_CALLS;
        start = now_us();
        for (int i = 0; i < TINY_CALLS; i++) {
            for (int row = 0; row < 16; row++)
                memcpy(back + row * 64, pinned + row * 64, 16);
            __asm__ volatile("" : : "r"(back) : "memory");
        }
        direct[r] = (now_us() - start) * 1e3 / TINY_CALLS;
    }
    printf("16 x 16 bytes, pinned   submit %.1f ns, submit and synchronize %.1f ns; the memcpy loop alone %.1f ns\n",
           median(submit, rounds), median(round_trip, rounds), median(direct, rounds));
}

/* --- what is moved ----------------------------------------------------------------------------------------------- */

struct shape {
    const char *name;
    size_t width, height, dpitch, spitch;
};

static const struct shape shapes[] = {
    { "KV page, all layers", 131072, 64, 131072, 2097152 },
    { "MLA rows", 576, 8192, 576, 4608 },
    { "logits rows", 24000, 512, 24000, 303872 },
    { "image crop", 5760, 1080, 5760, 6144 },
    { "narrow, pitch 256", 8, 100000, 8, 256 },
    { "wide rows, padded", 1000000, 64, 1000064, 1000064 },
};

static void row_loop(const struct shape *s)
{
    for (size_t row = 0; row < s->height; row++)
        memcpy(back + row * s->dpitch, pinned + row * s->spitch, s->width);
    __asm__ volatile("" : : "r"(back) : "memory");
}

static void verify(const struct shape *s)
{
    CHECK(
        aclrtMemcpy2dAsync(back, s->dpitch, device, s->dpitch, s->width, s->height, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStream(stream));
    for (size_t row = 0; row < s->height; row++) {
        if (memcmp(back + row * s->dpitch, pinned + row * s->spitch, s->width) != 0) {
            fprintf(stderr, "%s: row %zu differs\n", s->name, row);
            exit(1);
        }
    }
}

static void show_shape(const struct shape *s)
{
    double pacl[ROUNDS_MAX] = { 0 }, loop[ROUNDS_MAX] = { 0 };
    for (int i = 0; i < rounds; i++) {
        double start = now_us();
        CHECK(aclrtMemcpy2dAsync(device, s->dpitch, pinned, s->spitch, s->width, s->height, ACL_MEMCPY_HOST_TO_DEVICE,
                                 stream));
        CHECK(aclrtSynchronizeStream(stream));
        pacl[i] = now_us() - start;
        start = now_us();
        row_loop(s);
        loop[i] = now_us() - start;
    }
    verify(s);
    const double p = median(pacl, rounds), l = median(loop, rounds), bytes = (double)s->width * (double)s->height;
    printf("%-22s %9zu x %-7zu %9.1f us %7.2f GB/s   loop %9.1f us   x %.2f\n", s->name, s->width, s->height, p,
           bytes / p / 1e3, l, l / p);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        rounds = atoi(argv[1]);
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: async_copy [ROUNDS], 1 to %d\n", ROUNDS_MAX);
        return 2;
    }
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclrtMalloc((void **)&device, BIG, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMallocHost((void **)&pinned, BIG));
    CHECK(aclrtMallocHost((void **)&back, BIG));
    pageable = malloc(BIG);
    if (pageable == NULL)
        return 1;
    for (size_t i = 0; i < BIG; i++)
        pinned[i] = pageable[i] = (uint8_t)(i * 2654435761U >> 13);
    memset(back, 0, BIG);
    CHECK(aclrtMemset(device, BIG, 0, BIG)); /* every page is there before anything is timed */

    printf("median of %d rounds\n", rounds);
    show_big("256 MiB from pinned", pinned);
    show_big("256 MiB from pageable", pageable);
    show_tiny();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        show_shape(&shapes[i]);

    free(pageable);
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(pinned));
    CHECK(aclrtFreeHost(back));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    return 0;
}
