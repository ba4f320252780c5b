/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph of copies, captured once and replayed a thousand times: each round a picture is uploaded, its halves change
 * places on the device, one on each of two streams, and the result comes back. The host changes the picture between
 * replays and checks each result.
 *
 * usage: graph [REPLAYS]
 */
#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 600,
    HALF = WIDTH / 2,
    HEIGHT = 100,
    PITCH = 1024
}; /* bytes, rows, bytes from row to row on the device */

static void check(aclError err, const char *call)
{
    if (err == ACL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d: %s\n", call, err, aclGetRecentErrMsg());
    exit(1);
}
#define CHECK(call) check((call), #call)

struct picture {
    unsigned char *in, *out; /* pinned: a graph reads and writes no other host memory */
    unsigned char *device, *swapped;
};

static struct picture make_picture(void)
{
    struct picture p;
    CHECK(aclrtMallocHost((void **)&p.in, WIDTH * HEIGHT));
    CHECK(aclrtMallocHost((void **)&p.out, WIDTH * HEIGHT));
    CHECK(aclrtMalloc((void **)&p.device, PITCH * HEIGHT, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc((void **)&p.swapped, PITCH * HEIGHT, ACL_MEM_MALLOC_HUGE_FIRST));
    return p;
}

static void free_picture(const struct picture *p)
{
    CHECK(aclrtFree(p->device));
    CHECK(aclrtFree(p->swapped));
    CHECK(aclrtFreeHost(p->in));
    CHECK(aclrtFreeHost(p->out));
}

/* Nothing of this runs before the graph is executed. */
static aclmdlRI capture(const struct picture *p, aclrtStream left, aclrtStream right)
{
    aclrtEvent uploaded, moved;
    aclmdlRI graph;
    CHECK(aclrtCreateEventExWithFlag(&uploaded, ACL_EVENT_SYNC));
    CHECK(aclrtCreateEventExWithFlag(&moved, ACL_EVENT_SYNC));
    CHECK(aclmdlRICaptureBegin(left, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    CHECK(aclrtMemcpy2dAsync(p->device, PITCH, p->in, WIDTH, WIDTH, HEIGHT, ACL_MEMCPY_HOST_TO_DEVICE, left));
    CHECK(aclrtRecordEvent(uploaded, left));
    CHECK(aclrtStreamWaitEvent(right, uploaded)); /* the second stream joins the capture */
    CHECK(aclrtMemcpy2dAsync(p->swapped + HALF, PITCH, p->device, PITCH, HALF, HEIGHT, ACL_MEMCPY_DEVICE_TO_DEVICE,
                             left));
    CHECK(aclrtMemcpy2dAsync(p->swapped, PITCH, p->device + HALF, PITCH, HALF, HEIGHT, ACL_MEMCPY_DEVICE_TO_DEVICE,
                             right));
    CHECK(aclrtRecordEvent(moved, right));
    CHECK(aclrtStreamWaitEvent(left, moved)); /* and joins back */
    CHECK(aclrtMemcpy2dAsync(p->out, WIDTH, p->swapped, PITCH, WIDTH, HEIGHT, ACL_MEMCPY_DEVICE_TO_HOST, left));
    CHECK(aclmdlRICaptureEnd(left, &graph));
    CHECK(aclmdlRISetName(graph, "swap halves"));
    CHECK(aclrtDestroyEvent(uploaded)); /* the graph keeps what it needs */
    CHECK(aclrtDestroyEvent(moved));
    return graph;
}

static void draw(unsigned char *picture, int round)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            picture[y * WIDTH + x] = (unsigned char)(x + 3 * y + 7 * round);
}

static int is_swapped(const struct picture *p)
{
    for (int y = 0; y < HEIGHT; y++) {
        const unsigned char *in = p->in + y * WIDTH, *out = p->out + y * WIDTH;
        if (memcmp(out, in + HALF, HALF) != 0 || memcmp(out + HALF, in, HALF) != 0)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const int replays = argc > 1 ? atoi(argv[1]) : 1000;
    aclrtStream left, right;
    int wrong = 0;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&left));
    CHECK(aclrtCreateStream(&right));
    struct picture p = make_picture();
    aclmdlRI graph = capture(&p, left, right);
    for (int i = 0; i < replays; i++) {
        draw(p.in, i);
        CHECK(aclmdlRIExecuteAsync(graph, left));
        CHECK(aclrtSynchronizeStream(left)); /* the next round draws into the memory that the graph reads */
        wrong += !is_swapped(&p);
    }
    printf("%d replays of 4 copies each, %d wrong\n", replays, wrong);
    CHECK(aclmdlRIDestroy(graph));
    free_picture(&p);
    CHECK(aclrtDestroyStream(left));
    CHECK(aclrtDestroyStream(right));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong != 0;
}
