/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: configuration handles, attributes, how many are left, callbacks on creation and destruction, task numbers. */
#include "support.h"

#define SET_OPTION(handle, attr, value) aclrtSetStreamConfigOpt(handle, attr, &(value), sizeof(value))

static uint32_t priority_of(aclrtStream stream)
{
    uint32_t priority;
    ASSERT_OK(aclrtStreamGetPriority(stream, &priority));
    return priority;
}

static uint32_t flags_of(aclrtStream stream)
{
    uint32_t flags;
    ASSERT_OK(aclrtStreamGetFlags(stream, &flags));
    return flags;
}

START_TEST(a_stream_by_configuration)
{
    aclrtStream stream;
    const uint32_t priority = 3;
    const size_t flags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC;
    const size_t work_size = 4096;
    void *const work = fx.device;
    aclrtStreamConfigHandle *const config = aclrtCreateStreamConfigHandle();
    ck_assert_ptr_nonnull(config);
    ASSERT_OK(aclrtCreateStreamV2(&stream, config));
    ck_assert_uint_eq(priority_of(stream), 0);
    ck_assert_uint_eq(flags_of(stream), 0);
    ASSERT_OK(aclrtDestroyStream(stream));

    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_PRIORITY, priority));
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_FLAG, flags));
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_WORK_SIZE, work_size));
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_WORK_ADDR_PTR, work));
    ASSERT_OK(aclrtCreateStreamV2(&stream, config));
    ASSERT_OK(aclrtDestroyStreamConfigHandle(config)); /* the stream stays */
    ck_assert_uint_eq(priority_of(stream), 3);
    ck_assert_uint_eq(flags_of(stream), ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 1));
    ASSERT_OK(aclrtDestroyStream(stream));
}
END_TEST

/* As with aclrtCreateStreamWithConfig; flags of 32 bits are taken, too. */
START_TEST(flags_by_configuration)
{
    aclrtStream stream = NULL;
    const uint32_t narrow = ACL_STREAM_FAST_SYNC;
    const size_t huge = ACL_STREAM_HUGE;
    const size_t mixed = ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_FAST_SYNC;
    const uint32_t lowest = UINT32_MAX;
    aclrtStreamConfigHandle *const config = aclrtCreateStreamConfigHandle();
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_FLAG, huge));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtCreateStreamV2(&stream, config));
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_FLAG, mixed));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtCreateStreamV2(&stream, config));
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_FLAG, narrow));
    ASSERT_OK(SET_OPTION(config, ACL_RT_STREAM_PRIORITY, lowest));
    ASSERT_OK(aclrtCreateStreamV2(&stream, config));
    ck_assert_uint_eq(flags_of(stream), ACL_STREAM_FAST_SYNC);
    ck_assert_uint_eq(priority_of(stream), 7);
    ASSERT_OK(aclrtDestroyStream(stream));
    ASSERT_OK(aclrtDestroyStreamConfigHandle(config));
}
END_TEST

START_TEST(configurations_refused)
{
    aclrtStream stream;
    const uint32_t four = 4;
    const size_t eight = 8;
    aclrtStreamConfigHandle made_up = { .priority = 1 };
    aclrtStreamConfigHandle *const config = aclrtCreateStreamConfigHandle();
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStreamV2(NULL, config));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStreamV2(&stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStreamV2(&stream, &made_up));
    ASSERT_CODE(E_INVALID_PARAM, SET_OPTION(NULL, ACL_RT_STREAM_PRIORITY, four));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, NULL, 4));
    ASSERT_CODE(E_INVALID_PARAM, SET_OPTION(&made_up, ACL_RT_STREAM_PRIORITY, four));
    ASSERT_CODE(E_INVALID_PARAM, SET_OPTION(config, ACL_RT_STREAM_PRIORITY, eight));
    ASSERT_MESSAGE_NAMES("valueSize 8", "4 bytes");
    ASSERT_CODE(E_INVALID_PARAM, SET_OPTION(config, ACL_RT_STREAM_WORK_SIZE, four));
    ASSERT_CODE(E_INVALID_PARAM, SET_OPTION(config, (aclrtStreamConfigAttr)4, four));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyStreamConfigHandle(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyStreamConfigHandle(&made_up));
    ASSERT_OK(aclrtDestroyStreamConfigHandle(config));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyStreamConfigHandle(config));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateStreamV2(&stream, config));
}
END_TEST

/* --- attributes -------------------------------------------------------------------------------------------------- */

START_TEST(attributes_are_kept)
{
    static const aclrtStreamAttr kept[] = { ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, ACL_STREAM_ATTR_USER_CUSTOM_TAG,
                                            ACL_STREAM_ATTR_CACHE_OP_INFO, ACL_STREAM_ATTR_PRIORITY };
    aclrtStreamAttrValue value;
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        memset(&value, 0xFF, sizeof value);
        ASSERT_OK(aclrtGetStreamAttribute(fx.stream, kept[i], &value));
        for (size_t k = 0; k < 4; k++)
            ck_assert_uint_eq(value.reserve[k], 0); /* the whole value is written */
        value.userCustomTag = (uint32_t)i + 1;      /* 1 is what the switches take */
        ASSERT_OK(aclrtSetStreamAttribute(fx.stream, kept[i], &value));
    }
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        ASSERT_OK(aclrtGetStreamAttribute(fx.stream, kept[i], &value));
        ck_assert_uint_eq(value.userCustomTag, i + 1);
    }
    ck_assert_uint_eq(priority_of(fx.stream), 4);
}
END_TEST

START_TEST(the_failure_mode_is_an_attribute)
{
    aclrtStreamAttrValue value = { .failureMode = ACL_STOP_ON_FAILURE };
    ASSERT_OK(aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
    value.failureMode = 9;
    ASSERT_OK(aclrtGetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
    ck_assert_uint_eq(value.failureMode, ACL_STOP_ON_FAILURE);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtSetStreamFailureMode(fx.stream, ACL_CONTINUE_ON_FAILURE));
    value.failureMode = 2;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
}
END_TEST

START_TEST(attributes_of_the_default_stream_and_of_a_new_one)
{
    aclrtStream stream;
    aclrtStreamAttrValue value = { .userCustomTag = 77 };
    ASSERT_OK(aclrtSetStreamAttribute(NULL, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
    ASSERT_OK(aclrtGetStreamAttribute(NULL, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
    ck_assert_uint_eq(value.userCustomTag, 77);
    /* A slot that is used again starts anew. */
    for (unsigned i = 0; i < 200; i++) {
        ASSERT_OK(aclrtCreateStream(&stream));
        ASSERT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
        ck_assert_uint_eq(value.userCustomTag, 0);
        value.userCustomTag = 5;
        ASSERT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
        ASSERT_OK(aclrtDestroyStream(stream));
    }
}
END_TEST

START_TEST(attributes_refused)
{
    aclrtStreamAttrValue value = { .streamPriority = 8 };
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_PRIORITY, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetStreamAttribute(fx.stream, ACL_STREAM_ATTR_PRIORITY, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_PRIORITY, &value));
    ASSERT_MESSAGE_NAMES("streamPriority 8");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetStreamAttribute(fx.stream, (aclrtStreamAttr)0, &value));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtGetStreamAttribute(fx.stream, (aclrtStreamAttr)6, &value));
    ck_assert_uint_eq(value.streamPriority, 8); /* left as it was */
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtGetStreamAttribute(fx.pinned, ACL_STREAM_ATTR_PRIORITY, &value));
}
END_TEST

START_TEST(how_many_are_left)
{
    aclrtStream stream;
    aclrtEvent event;
    uint32_t before;
    uint32_t after;
    ASSERT_OK(aclrtGetStreamAvailableNum(&before));
    ck_assert_uint_eq(before, 1984 - 1); /* the fixture's; the default stream does not count */
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtGetStreamAvailableNum(&after));
    ck_assert_uint_eq(after, before - 1);
    ASSERT_OK(aclrtDestroyStream(stream));
    ASSERT_OK(aclrtGetStreamAvailableNum(&after));
    ck_assert_uint_eq(after, before);

    ASSERT_OK(aclrtGetEventAvailNum(&before));
    ck_assert_uint_eq(before, 65536);
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ASSERT_OK(aclrtGetEventAvailNum(&after));
    ck_assert_uint_eq(after, before);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_OK(aclrtGetEventAvailNum(&after));
    ck_assert_uint_eq(after, before - 1);
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetStreamAvailableNum(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetEventAvailNum(NULL));
}
END_TEST

/* --- callbacks --------------------------------------------------------------------------------------------------- */

/* What a callback saw. */
struct witness {
    int calls;
    aclrtStream stream;
    int state;
    int32_t device;
    aclError query; /* what the stream answered inside the callback */
};

static void watch_stream(aclrtStream stream, aclrtStreamState state, void *argument)
{
    struct witness *const w = argument;
    aclrtStreamStatus status;
    w->calls++;
    w->stream = stream;
    w->state = (int)state;
    w->query = aclrtStreamQuery(stream, &status);
}

START_TEST(callbacks_on_streams)
{
    struct witness w = { .calls = 0 };
    struct witness second = { .calls = 0 };
    aclrtStream stream;
    aclrtStream kept;
    ASSERT_OK(aclrtRegStreamStateCallback("first", watch_stream, &w));
    ASSERT_OK(aclrtRegStreamStateCallback("second", watch_stream, &second));
    ASSERT_OK(aclrtCreateStream(&stream));
    ck_assert_int_eq(w.calls, 1);
    ck_assert_int_eq(w.state, ACL_RT_STREAM_STATE_CREATE_POST);
    ck_assert_ptr_eq(w.stream, stream);
    ck_assert_int_eq(w.query, ACL_SUCCESS);
    ASSERT_OK(aclrtCreateStreamWithConfig(&kept, 1, 0));
    ck_assert_int_eq(w.calls, 2);
    ASSERT_OK(aclrtDestroyStream(stream));
    ck_assert_int_eq(w.calls, 3);
    ck_assert_int_eq(w.state, ACL_RT_STREAM_STATE_DESTROY_PRE);
    ck_assert_ptr_eq(w.stream, stream);
    ck_assert_int_eq(w.query, ACL_SUCCESS); /* it still lives */
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyStream(stream));
    ck_assert_int_eq(w.calls, 3);
    ASSERT_OK(aclrtRegStreamStateCallback("first", NULL, NULL));
    ASSERT_OK(aclrtDestroyStreamForce(kept));
    ck_assert_int_eq(w.calls, 3);
    ck_assert_int_eq(second.calls, 4);
    ASSERT_OK(aclrtRegStreamStateCallback("second", NULL, NULL));
}
END_TEST

/* Its streams one by one, the default stream not. */
START_TEST(callbacks_when_a_context_goes)
{
    struct witness w = { .calls = 0 };
    aclrtContext mine;
    aclrtContext context;
    aclrtStream stream;
    ASSERT_OK(aclrtGetCurrentContext(&mine));
    ASSERT_OK(aclrtRegStreamStateCallback("watch", watch_stream, &w));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ck_assert_int_eq(w.calls, 0);
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtDestroyContext(context));
    ck_assert_int_eq(w.calls, 2);
    ck_assert_int_eq(w.state, ACL_RT_STREAM_STATE_DESTROY_PRE);
    ck_assert_ptr_eq(w.stream, stream);
    ASSERT_OK(aclrtSetCurrentContext(mine));
    ASSERT_OK(aclrtRegStreamStateCallback("watch", NULL, NULL));
}
END_TEST

static void watch_device(int32_t device, aclrtDeviceState state, void *argument)
{
    struct witness *const w = argument;
    w->calls++;
    w->device = device;
    w->state = w->state * 10 + (int)state + 1; /* the states in their order, from 1 on */
}

START_TEST(callbacks_on_devices)
{
    struct witness w = { .calls = 0 };
    ASSERT_OK(aclrtRegDeviceStateCallback("watch", watch_device, &w));
    ASSERT_OK(aclrtSetDevice(2));
    ck_assert_int_eq(w.device, 2);
    ASSERT_OK(aclrtResetDevice(2));
    ck_assert_int_eq(w.state, 1234);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice(8));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtResetDevice(-1));
    ck_assert_int_eq(w.calls, 4);
    ASSERT_CODE(E_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(2)); /* before, but not after */
    ck_assert_int_eq(w.calls, 5);
    ASSERT_OK(aclrtResetDeviceForce(2));
    ck_assert_int_eq(w.calls, 7);
    ASSERT_OK(aclrtRegDeviceStateCallback("watch", NULL, NULL));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtResetDevice(0));
    ck_assert_int_eq(w.calls, 7);
}
END_TEST

static int32_t watch_abort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void *argument)
{
    (void)device;
    (void)stage;
    (void)timeout;
    (void)argument;
    return 0;
}

START_TEST(callbacks_refused)
{
    struct witness w = { .calls = 0 };
    ASSERT_CODE(E_INVALID_PARAM, aclrtRegStreamStateCallback(NULL, watch_stream, &w));
    ASSERT_CODE(E_INVALID_PARAM, aclrtRegDeviceStateCallback(NULL, watch_device, &w));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetDeviceTaskAbortCallback(NULL, watch_abort, &w));
    ASSERT_OK(aclrtRegStreamStateCallback("name", watch_stream, &w));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtRegStreamStateCallback("name", watch_stream, &w));
    ASSERT_MESSAGE_NAMES("aclrtRegStreamStateCallback", "\"name\"");
    ASSERT_OK(aclrtRegDeviceStateCallback("name", watch_device, &w)); /* names are per kind */
    ASSERT_OK(aclrtRegStreamStateCallback("name", NULL, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtRegStreamStateCallback("name", NULL, NULL));
    ASSERT_OK(aclrtRegDeviceStateCallback("name", NULL, NULL));
}
END_TEST

/* --- task numbers ------------------------------------------------------------------------------------------------ */

static uint32_t last_task(void)
{
    uint32_t id = UINT32_MAX;
    ASSERT_OK(aclrtGetThreadLastTaskId(&id));
    return id;
}

static void *last_task_of_new_thread(void *unused)
{
    uint32_t id = UINT32_MAX;
    (void)unused;
    return (void *)(uintptr_t)(aclrtGetThreadLastTaskId(&id) == ACL_SUCCESS ? id : UINT32_MAX);
}

START_TEST(task_numbers_count_up_in_a_stream)
{
    struct gate gate;
    pthread_t thread;
    void *fresh;
    gate_close(&gate, fx.stream); /* so that everything is queued */
    const uint32_t first = last_task();
    for (uint32_t i = 1; i <= 5; i++) {
        ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, fx.stream));
        ck_assert_uint_eq(last_task(), first + i);
    }
    ck_assert_int_eq(pthread_create(&thread, NULL, last_task_of_new_thread, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, &fresh), 0);
    ck_assert_uint_eq((uintptr_t)fresh, 0);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ck_assert_uint_eq(last_task(), first + 5);
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetThreadLastTaskId(NULL));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("stream_config", fixture_open, fixture_close);
    tcase_add_test(tc, a_stream_by_configuration);
    tcase_add_test(tc, flags_by_configuration);
    tcase_add_test(tc, configurations_refused);
    tcase_add_test(tc, attributes_are_kept);
    tcase_add_test(tc, the_failure_mode_is_an_attribute);
    tcase_add_test(tc, attributes_of_the_default_stream_and_of_a_new_one);
    tcase_add_test(tc, attributes_refused);
    tcase_add_test(tc, how_many_are_left);
    tcase_add_test(tc, callbacks_on_streams);
    tcase_add_test(tc, callbacks_when_a_context_goes);
    tcase_add_test(tc, callbacks_on_devices);
    tcase_add_test(tc, callbacks_refused);
    tcase_add_test(tc, task_numbers_count_up_in_a_stream);
    return run_cases("stream_config", tc, (TCase *)NULL);
}
