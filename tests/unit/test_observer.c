/* SPDX-License-Identifier: Apache-2.0 */
/* Observers: what they are told, in which order, and that several hear the same. */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "core/event.h"
#include "core/observer.h"
#include "core/stream.h"
#include "core/touch.h"

/* What an observer heard, one word per point, separated by spaces. */
struct diary {
    pthread_mutex_t lock;
    size_t length;
    char text[4096];
};
static struct diary first = { .lock = PTHREAD_MUTEX_INITIALIZER }, second = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void note(struct diary *d, const char *word)
{
    pthread_mutex_lock(&d->lock);
    d->length += (size_t)snprintf(d->text + d->length, sizeof d->text - d->length, "%s ", word);
    pthread_mutex_unlock(&d->lock);
}

static void first_entered(const char *call, const void *return_address, const void *frame)
{
    ck_assert_ptr_nonnull(return_address);
    ck_assert_ptr_nonnull(frame);
    note(&first, call);
}

static void first_left(const char *call, aclError result)
{
    (void)call;
    note(&first, result == ACL_SUCCESS ? "ok" : "failed");
}

static void first_allocated(const struct pacl_region *region)
{
    note(&first, region->memory == PACL_MEMORY_DEVICE ? "device+" : "pinned+");
}

static void first_freed(const struct pacl_region *region)
{
    note(&first, region->memory == PACL_MEMORY_DEVICE ? "device-" : "pinned-");
}

static void first_registered(const struct pacl_region *region)
{
    ck_assert(region->registered);
    note(&first, "registered");
}

static void first_unregistered(const struct pacl_region *region)
{
    ck_assert_uint_eq(region->size, 4096);
    note(&first, "unregistered");
}

static void count_touch(void *context, const struct pacl_touch *touch)
{
    int *seen = context;
    *seen += touch->writes ? 10 : 1;
}

static void first_submitted(struct pacl_stream *stream, const struct pacl_work *work)
{
    static const char *const names[] = { "copy", "fill", "words", "record", "wait", "host", "fault" };
    int seen = 0;
    (void)stream;
    note(&first, names[work->op]);
    pacl_work_touches(work, count_touch, &seen);
    ck_assert_int_eq(seen, work->op == PACL_OP_COPY ? 11 : work->op <= PACL_OP_FILL_WORDS ? 10 : 0);
    if (work->op == PACL_OP_RECORD || work->op == PACL_OP_WAIT)
        ck_assert_uint_eq(work->event.record, 1);
}

static void second_submitted(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    (void)work;
    note(&second, "submitted");
}

static void first_passed(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    ck_assert_uint_eq(work->event.record, 1);
    note(&first, "passed");
}

static void first_host_function(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    ck_assert_int_eq(work->op, PACL_OP_HOST_FUNCTION);
    note(&second, "runs");
}

static void first_synchronized(struct pacl_stream *stream, uint64_t upto)
{
    (void)stream;
    (void)upto;
    note(&first, "synchronized");
}

static void first_event_synchronized(struct pacl_event *event, uint64_t record)
{
    (void)event;
    ck_assert_uint_eq(record, 1);
    note(&first, "reached");
}

static void first_outside(const struct pacl_touch *touch, const struct pacl_place *place)
{
    ck_assert(touch->writes && place->memory == PACL_MEMORY_DEVICE);
    note(&first, "outside");
}

static void first_now_begins(const struct pacl_work *work)
{
    ck_assert_int_eq(work->op, PACL_OP_COPY);
    note(&first, "now");
}

static const struct pacl_observer one = {
    .entered = first_entered,
    .left = first_left,
    .allocated = first_allocated,
    .freed = first_freed,
    .registered = first_registered,
    .unregistered = first_unregistered,
    .submitted = first_submitted,
    .passed = first_passed,
    .synchronized = first_synchronized,
    .event_synchronized = first_event_synchronized,
    .outside = first_outside,
    .now_begins = first_now_begins,
};
static const struct pacl_observer other = {
    .submitted = second_submitted,
    .host_function_begins = first_host_function,
    .host_function_ends = first_host_function,
};

static void install(void)
{
    pacl_observer_add(&one);
    pacl_observer_add(&other);
}

__attribute__((constructor)) static void offer(void)
{
    pacl_observer_offer(install);
}

static void expect(struct diary *d, const char *text)
{
    pthread_mutex_lock(&d->lock);
    ck_assert_str_eq(d->text, text);
    d->length = 0;
    d->text[0] = '\0';
    pthread_mutex_unlock(&d->lock);
}

static void nothing(void *argument)
{
    (void)argument;
}

/* The first call starts the runtime, which adds the observers. */
static void begin(void)
{
    ck_assert_int_eq(aclrtSetDevice(0), 0);
    first.length = second.length = 0;
    first.text[0] = second.text[0] = '\0';
}

START_TEST(memory_is_told)
{
    void *device, *pinned, *again;
    begin();
    ck_assert_int_eq(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ck_assert_int_eq(aclrtMallocHost(&pinned, 4096), 0);
    expect(&first, "aclrtMalloc device+ ok aclrtMallocHost pinned+ ok ");
    ck_assert_int_ne(aclrtFree(pinned), 0);
    ck_assert_int_eq(aclrtFree(device), 0);
    ck_assert_int_eq(aclrtFreeHost(pinned), 0);
    expect(&first, "aclrtFree failed aclrtFree device- ok aclrtFreeHost pinned- ok ");
    ck_assert_int_eq(aclrtMalloc(&again, 4096, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ck_assert_ptr_eq(again, device); /* what was freed while watched is used again */
    ck_assert_int_eq(aclrtFree(again), 0);

    void *own = aligned_alloc(4096, 4096);
    ck_assert_int_eq(aclrtHostRegisterV2(own, 4096, ACL_HOST_REG_MAPPED), 0);
    ck_assert_int_eq(aclrtHostUnregister(own), 0);
    expect(&first, "aclrtMalloc device+ ok aclrtFree device- ok aclrtHostRegisterV2 registered ok "
                   "aclrtHostUnregister unregistered ok ");
    free(own);
}
END_TEST

START_TEST(tasks_are_told)
{
    void *device, *pinned;
    aclrtStream stream;
    aclrtEvent event;
    begin();
    ck_assert_int_eq(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ck_assert_int_eq(aclrtMallocHost(&pinned, 4096), 0);
    ck_assert_int_eq(aclrtCreateStream(&stream), 0);
    ck_assert_int_eq(aclrtCreateEvent(&event), 0);
    first.length = 0;
    ck_assert_int_eq(aclrtMemsetAsync(device, 4096, 1, 4096, stream), 0);
    ck_assert_int_eq(aclrtMemcpyAsync(pinned, 4096, device, 4096, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0);
    ck_assert_int_eq(aclrtRecordEvent(event, stream), 0);
    ck_assert_int_eq(aclrtSynchronizeEvent(event), 0);
    ck_assert_int_eq(aclrtStreamWaitEvent(stream, event), 0);
    ck_assert_int_eq(aclrtLaunchHostFunc(stream, nothing, NULL), 0);
    ck_assert_int_eq(aclrtSynchronizeStream(stream), 0);
    expect(&first, "aclrtMemsetAsync fill ok aclrtMemcpyAsync copy ok aclrtRecordEvent record ok "
                   "aclrtSynchronizeEvent reached ok aclrtStreamWaitEvent passed ok "
                   "aclrtLaunchHostFunc host ok aclrtSynchronizeStream synchronized ok ");
    expect(&second, "submitted submitted submitted submitted runs runs ");
    ck_assert_int_eq(aclrtDestroyEvent(event), 0);
    ck_assert_int_eq(aclrtDestroyStream(stream), 0);
    ck_assert_int_eq(aclrtFree(device), 0);
    ck_assert_int_eq(aclrtFreeHost(pinned), 0);
}
END_TEST

START_TEST(copies_in_the_caller_are_told)
{
    void *device;
    char own[64] = { 0 };
    begin();
    ck_assert_int_eq(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ck_assert_int_eq(aclrtMemcpy(device, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    ck_assert_int_ne(aclrtMemcpy((char *)device + 1, 64, own, 64, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    expect(&first, "aclrtMalloc device+ ok aclrtMemcpy now ok aclrtMemcpy outside failed ");
    ck_assert_int_eq(aclrtFree(device), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("observer");
    TCase *tests = tcase_create("observer");
    tcase_add_test(tests, memory_is_told);
    tcase_add_test(tests, tasks_are_told);
    tcase_add_test(tests, copies_in_the_caller_are_told);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
