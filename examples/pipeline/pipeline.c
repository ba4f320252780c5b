/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline: frames are uploaded on one stream, cropped on the device on a second, downloaded on a third, and handed to
 * a callback in a thread of the program's own, which checks the result. Three frames are on their way at the same time: a
 * slot is used again once the event behind its callback has been reached.
 *
 * usage: pipeline [FRAMES]
 */
#include <acl/acl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 360, PITCH = 2048 }; /* a frame: bytes, rows, bytes from row to row on the device */
enum { LEFT = 320, TOP = 90, CROP_WIDTH = 640, CROP_HEIGHT = 180 }; /* the part that is kept */
enum { SLOTS = 3 };

static void check(aclError err, const char *call)
{
    if (err == ACL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d: %s\n", call, err, aclGetRecentErrMsg());
    exit(1);
}
#define CHECK(call) check((call), #call)

/* What one frame needs on its way. */
struct slot {
    int frame;
    unsigned char *in, *out; /* pinned */
    unsigned char *device, *cropped;
    aclrtEvent uploaded, is_cropped, over;
};

struct pipeline {
    aclrtStream upload, crop, download;
    struct slot slot[SLOTS];
    pthread_t reports;
    sem_t subscribed; /* the thread of reports may begin */
    aclrtContext context;
    atomic_int ending, checked, wrong;
};
static struct pipeline pipeline;

static unsigned char pixel(int frame, int x, int y)
{
    return (unsigned char)(frame * 13 + x + 5 * y);
}

/* --- the program's own thread, in which callbacks run ------------------------------------------------------------ */

static void *process_reports(void *unused)
{
    (void)unused;
    sem_wait(&pipeline.subscribed);
    CHECK(aclrtSetCurrentContext(pipeline.context));
    while (!atomic_load(&pipeline.ending)) {
        const aclError err = aclrtProcessReport(100); /* returns after one callback, or when none came for 100 ms */
        if (err != ACL_ERROR_RT_REPORT_TIMEOUT)
            CHECK(err);
    }
    return NULL;
}

/* Runs once the frame's download has finished. */
static void frame_is_done(void *user)
{
    const struct slot *slot = user;
    int wrong = 0;
    for (int y = 0; y < CROP_HEIGHT; y++)
        for (int x = 0; x < CROP_WIDTH; x++)
            wrong |= slot->out[y * CROP_WIDTH + x] != pixel(slot->frame, LEFT + x, TOP + y);
    atomic_fetch_add(&pipeline.wrong, wrong);
    atomic_fetch_add(&pipeline.checked, 1);
}

/* --- the stages ---------------------------------------------------------------------------------------------------- */

static void submit(struct slot *s)
{
    CHECK(
        aclrtMemcpy2dAsync(s->device, PITCH, s->in, WIDTH, WIDTH, HEIGHT, ACL_MEMCPY_HOST_TO_DEVICE, pipeline.upload));
    CHECK(aclrtRecordEvent(s->uploaded, pipeline.upload));
    CHECK(aclrtStreamWaitEvent(pipeline.crop, s->uploaded));
    CHECK(aclrtMemcpy2dAsync(s->cropped, PITCH, s->device + TOP * PITCH + LEFT, PITCH, CROP_WIDTH, CROP_HEIGHT,
                             ACL_MEMCPY_DEVICE_TO_DEVICE, pipeline.crop));
    CHECK(aclrtRecordEvent(s->is_cropped, pipeline.crop));
    CHECK(aclrtStreamWaitEvent(pipeline.download, s->is_cropped));
    CHECK(aclrtMemcpy2dAsync(s->out, CROP_WIDTH, s->cropped, PITCH, CROP_WIDTH, CROP_HEIGHT, ACL_MEMCPY_DEVICE_TO_HOST,
                             pipeline.download));
    CHECK(aclrtLaunchCallback(frame_is_done, s, ACL_CALLBACK_BLOCK, pipeline.download));
    CHECK(
        aclrtRecordEvent(s->over, pipeline.download)); /* the callback blocks the stream, so it has returned by then */
}

static void run(int frames)
{
    for (int frame = 0; frame < frames; frame++) {
        struct slot *s = &pipeline.slot[frame % SLOTS];
        if (frame >= SLOTS)
            CHECK(aclrtSynchronizeEvent(s->over));
        s->frame = frame;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                s->in[y * WIDTH + x] = pixel(frame, x, y);
        submit(s);
    }
    CHECK(aclrtSynchronizeStream(pipeline.download));
}

/* --- life ------------------------------------------------------------------------------------------------------------ */

static void open_slot(struct slot *s)
{
    CHECK(aclrtMallocHost((void **)&s->in, WIDTH * HEIGHT));
    CHECK(aclrtMallocHost((void **)&s->out, CROP_WIDTH * CROP_HEIGHT));
    CHECK(aclrtMalloc((void **)&s->device, PITCH * HEIGHT, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc((void **)&s->cropped, PITCH * CROP_HEIGHT, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtCreateEventWithFlag(&s->uploaded, ACL_EVENT_SYNC));
    CHECK(aclrtCreateEventWithFlag(&s->is_cropped, ACL_EVENT_SYNC));
    CHECK(aclrtCreateEventWithFlag(&s->over, ACL_EVENT_SYNC));
}

static void close_slot(const struct slot *s)
{
    CHECK(aclrtDestroyEvent(s->uploaded));
    CHECK(aclrtDestroyEvent(s->is_cropped));
    CHECK(aclrtDestroyEvent(s->over));
    CHECK(aclrtFree(s->device));
    CHECK(aclrtFree(s->cropped));
    CHECK(aclrtFreeHost(s->in));
    CHECK(aclrtFreeHost(s->out));
}

static void open_pipeline(void)
{
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtGetCurrentContext(&pipeline.context));
    CHECK(aclrtCreateStream(&pipeline.upload));
    CHECK(aclrtCreateStream(&pipeline.crop));
    CHECK(aclrtCreateStream(&pipeline.download));
    for (int i = 0; i < SLOTS; i++)
        open_slot(&pipeline.slot[i]);
    sem_init(&pipeline.subscribed, 0, 0);
    pthread_create(&pipeline.reports, NULL, process_reports, NULL);
    CHECK(aclrtSubscribeReport((uint64_t)pipeline.reports, pipeline.download));
    sem_post(&pipeline.subscribed);
}

static void close_pipeline(void)
{
    atomic_store(&pipeline.ending, 1);
    pthread_join(pipeline.reports, NULL);
    CHECK(aclrtUnSubscribeReport((uint64_t)pipeline.reports, pipeline.download));
    for (int i = 0; i < SLOTS; i++)
        close_slot(&pipeline.slot[i]);
    CHECK(aclrtDestroyStream(pipeline.upload));
    CHECK(aclrtDestroyStream(pipeline.crop));
    CHECK(aclrtDestroyStream(pipeline.download));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : 100;
    open_pipeline();
    run(frames);
    close_pipeline();
    printf("%d frames of %d went through %d slots, %d wrong\n", atomic_load(&pipeline.checked), frames, SLOTS,
           atomic_load(&pipeline.wrong));
    return atomic_load(&pipeline.checked) != frames || atomic_load(&pipeline.wrong) != 0;
}
