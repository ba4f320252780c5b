/* SPDX-License-Identifier: Apache-2.0 */
/* Notifies and counting notifies within one process: what they order, what a record lets pass, limits, misuse. */
#include "support.h"

enum { E_RT_WAIT_TIMEOUT = 107019, E_RT_NO_NOTIFY_RESOURCE = 207009 };

static aclrtStream other; /* a second stream beside the fixture's */
static aclrtNotify notify;

static void setup(void)
{
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
}

static void teardown(void)
{
    ASSERT_OK(aclrtSynchronizeDevice());
    ASSERT_OK(aclrtDestroyNotify(notify));
    ASSERT_OK(aclrtDestroyStream(other));
    fixture_close();
}

static void set_bytes(int value, aclrtStream stream)
{
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, value, 64, stream));
}

static void assert_bytes(uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, value));
}

static aclrtStreamStatus status_of(aclrtStream stream)
{
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    ASSERT_OK(aclrtStreamQuery(stream, &status));
    return status;
}

static void assert_waits(aclrtStream stream)
{
    ck_assert_int_eq(status_of(stream), ACL_STREAM_STATUS_NOT_READY);
}

/* NOT-232 [code] */
START_TEST(not_232_create_without_a_place_for_the_handle)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateNotify(NULL, ACL_NOTIFY_DEFAULT));
    ASSERT_MESSAGE_NAMES("aclrtCreateNotify", "notify");
}
END_TEST

/* NOT-233 [doc] */
START_TEST(not_233_a_record_lets_the_waiting_stream_proceed)
{
    struct gate gate;
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    gate_close(&gate, other);
    set_bytes(7, other);
    ASSERT_OK(aclrtRecordNotify(notify, other));
    gate_await(&gate);
    assert_waits(fx.stream);
    ASSERT_ALL_BYTES(fx.pinned2, 64, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, 64, 7); /* what was queued before the record */
}
END_TEST

START_TEST(a_record_before_the_wait_counts)
{
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* The wait has cleared it: a second wait is for a second record. */
START_TEST(one_wait_consumes_one_record)
{
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    set_bytes(1, fx.stream);
    assert_waits(fx.stream);
    assert_bytes(POISON);
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_bytes(1);
}
END_TEST

/* A flag, not a counter. */
START_TEST(two_records_without_a_wait_between_them_count_once)
{
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    assert_waits(fx.stream);
    ASSERT_OK(aclrtRecordNotify(notify, other));
}
END_TEST

START_TEST(of_several_waiting_streams_each_record_lets_one_pass)
{
    enum { STREAMS = 8 };
    aclrtStream stream[STREAMS];
    for (unsigned i = 0; i < STREAMS; i++) {
        ASSERT_OK(aclrtCreateStream(&stream[i]));
        ASSERT_OK(aclrtWaitAndResetNotify(notify, stream[i], 0));
    }
    for (unsigned passed = 0; passed < STREAMS; passed++) {
        unsigned waiting = 0;
        for (unsigned i = 0; i < STREAMS; i++)
            waiting += status_of(stream[i]) == ACL_STREAM_STATUS_NOT_READY;
        ck_assert_uint_eq(waiting, STREAMS - passed);
        ASSERT_OK(aclrtRecordNotify(notify, other));
        ASSERT_OK(aclrtSynchronizeStream(other));
        ASSERT_OK(aclrtSynchronizeStream(stream[passed])); /* the one that began first */
    }
    for (unsigned i = 0; i < STREAMS; i++)
        ASSERT_OK(aclrtDestroyStream(stream[i]));
}
END_TEST

START_TEST(a_stream_may_wait_for_its_own_record)
{
    ASSERT_OK(aclrtRecordNotify(notify, fx.stream));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(the_default_stream_is_the_null_stream)
{
    ASSERT_OK(aclrtWaitAndResetNotify(notify, NULL, 0));
    assert_waits(NULL);
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    ASSERT_OK(aclrtRecordNotify(notify, NULL));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(across_devices)
{
    aclrtStream far;
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_OK(aclrtCreateStream(&far));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, far, 0));
    assert_waits(far);
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtRecordNotify(notify, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(far));
    ASSERT_OK(aclrtResetDevice(1));
    ASSERT_OK(aclrtSetDevice(0));
}
END_TEST

/* The failure is the stream's; what follows runs, and the record that comes late is there for the next wait. */
START_TEST(a_wait_whose_time_is_over_fails)
{
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 1));
    set_bytes(3, fx.stream);
    ASSERT_CODE(E_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtWaitAndResetNotify", "1 s", "notify");
    assert_bytes(3);
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 1000));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(batch_reset_clears_at_once)
{
    aclrtNotify second;
    ASSERT_OK(aclrtCreateNotify(&second, ACL_NOTIFY_DEVICE_USE_ONLY));
    aclrtNotify both[] = { notify, second };
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtRecordNotify(second, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_OK(aclrtNotifyBatchReset(both, 2));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtWaitAndResetNotify(second, fx.stream, 0));
    assert_waits(fx.stream);
    ASSERT_OK(aclrtRecordNotify(second, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    assert_waits(fx.stream); /* the first is cleared as well */
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtDestroyNotify(second));
}
END_TEST

/* A failed call changes nothing: the good one stays set. */
START_TEST(batch_reset_refused)
{
    aclrtNotify mixed[] = { notify, fx.stream };
    aclrtNotify with_null[] = { notify, NULL };
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifyBatchReset(NULL, 2));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyBatchReset(mixed, 0));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtNotifyBatchReset(mixed, 2));
    ASSERT_MESSAGE_NAMES("aclrtNotifyBatchReset", "a stream");
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifyBatchReset(with_null, 2));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(ids_are_unique)
{
    aclrtNotify second;
    uint32_t first_id;
    uint32_t second_id;
    ASSERT_OK(aclrtCreateNotify(&second, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtGetNotifyId(notify, &first_id));
    ASSERT_OK(aclrtGetNotifyId(second, &second_id));
    ck_assert_uint_ne(first_id, second_id);
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetNotifyId(notify, NULL));
    ASSERT_OK(aclrtDestroyNotify(second));
}
END_TEST

START_TEST(null_and_stale_handles)
{
    aclrtNotify gone;
    uint32_t id;
    ASSERT_OK(aclrtCreateNotify(&gone, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtDestroyNotify(gone));
    const aclrtNotify bad[] = { gone, fx.stream, (void *)(uintptr_t)0x1234, fx.pinned };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ASSERT_CODE_OF_ROW(E_RT_INVALID_HANDLE, aclrtRecordNotify(bad[i], fx.stream), "%zu", i);
        ASSERT_CODE_OF_ROW(E_RT_INVALID_HANDLE, aclrtWaitAndResetNotify(bad[i], fx.stream, 0), "%zu", i);
        ASSERT_CODE_OF_ROW(E_RT_INVALID_HANDLE, aclrtGetNotifyId(bad[i], &id), "%zu", i);
        ASSERT_CODE_OF_ROW(E_RT_INVALID_HANDLE, aclrtDestroyNotify(bad[i]), "%zu", i);
    }
    ASSERT_CODE(E_INVALID_PARAM, aclrtRecordNotify(NULL, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtWaitAndResetNotify(NULL, fx.stream, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetNotifyId(NULL, &id));
    ASSERT_MESSAGE_NAMES("aclrtGetNotifyId", "notify is null");
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetNotifyId(fx.stream, NULL)); /* null comes first */
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyNotify(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtDestroyNotify", "notify 0x", "is a stream");
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyNotify(NULL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtRecordNotify(notify, notify));
    ASSERT_MESSAGE_NAMES("a notify", "stream");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtCreateNotify(&gone, 2));
}
END_TEST

START_TEST(on_a_stream_of_another_context)
{
    aclrtContext mine;
    aclrtContext context;
    aclrtStream foreign;
    ASSERT_OK(aclrtGetCurrentContext(&mine));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&foreign));
    ASSERT_OK(aclrtSetCurrentContext(mine));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtRecordNotify(notify, foreign));
    ASSERT_CODE(E_RT_STREAM_CONTEXT, aclrtWaitAndResetNotify(notify, foreign, 0));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetCurrentContext(mine));
}
END_TEST

START_TEST(a_context_takes_its_notifies_along)
{
    aclrtContext mine;
    aclrtContext context;
    aclrtNotify owned;
    uint32_t id;
    ASSERT_OK(aclrtGetCurrentContext(&mine));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateNotify(&owned, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtGetNotifyId(owned, &id));
    ASSERT_OK(aclrtSetCurrentContext(mine));
}
END_TEST

START_TEST(destroyed_while_tasks_name_it)
{
    struct gate gate;
    aclrtNotify gone;
    ASSERT_OK(aclrtCreateNotify(&gone, ACL_NOTIFY_DEFAULT));
    gate_close(&gate, other);
    ASSERT_OK(aclrtRecordNotify(gone, other));
    ASSERT_OK(aclrtWaitAndResetNotify(gone, fx.stream, 0));
    ASSERT_OK(aclrtDestroyNotify(gone));
    gate_await(&gate);
    assert_waits(fx.stream);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* The record of a stream that is destroyed by force is carried out: others wait for it. */
START_TEST(a_stream_destroyed_by_force)
{
    aclrtStream doomed;
    ASSERT_OK(aclrtCreateStream(&doomed));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, doomed, 0));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, doomed));
    ASSERT_OK(aclrtRecordNotify(notify, doomed));
    assert_waits(doomed);
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtDestroyStreamForce(doomed));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_bytes(POISON);
}
END_TEST

static void use_small_product(void)
{
    fixture_open_on("atlas-inference");
}

START_TEST(as_many_as_the_product_has)
{
    enum { LIMIT = 1024 };
    static aclrtNotify all[LIMIT];
    aclrtNotify one_more = &one_more;
    aclrtCntNotify counting;
    for (size_t i = 0; i < LIMIT; i++)
        ASSERT_OK(aclrtCreateNotify(&all[i], ACL_NOTIFY_DEFAULT));
    ASSERT_CODE(E_RT_NO_NOTIFY_RESOURCE, aclrtCreateNotify(&one_more, ACL_NOTIFY_DEFAULT));
    ASSERT_MESSAGE_NAMES("1024", "atlas-inference");
    ck_assert_ptr_eq(one_more, &one_more); /* left as it was */
    ASSERT_CODE(E_RT_NO_NOTIFY_RESOURCE, aclrtCntNotifyCreate(&counting, 0));
    ASSERT_OK(aclrtDestroyNotify(all[0]));
    ASSERT_OK(aclrtCreateNotify(&all[0], ACL_NOTIFY_DEFAULT));
    for (size_t i = 0; i < LIMIT; i++)
        ASSERT_OK(aclrtDestroyNotify(all[i]));
}
END_TEST

static aclError create_without_context(void)
{
    aclrtNotify unused;
    return aclrtCreateNotify(&unused, ACL_NOTIFY_DEFAULT);
}

START_TEST(create_without_a_context)
{
    ck_assert_int_eq(in_new_thread(create_without_context), E_RT_CONTEXT_NULL);
}
END_TEST

/* --- counting notifies ------------------------------------------------------------------------------------------- */

static void change(aclrtCntNotify count, aclrtCntNotifyRecordMode mode, uint32_t value)
{
    aclrtCntNotifyRecordInfo info = { .mode = mode, .value = value };
    ASSERT_OK(aclrtCntNotifyRecord(count, other, &info));
    ASSERT_OK(aclrtSynchronizeStream(other));
}

static void wait_for(aclrtCntNotify count, aclrtCntNotifyWaitMode mode, uint32_t value, bool clears)
{
    aclrtCntNotifyWaitInfo info = { .mode = mode, .value = value, .isClear = clears };
    ASSERT_OK(aclrtCntNotifyWaitWithTimeout(count, fx.stream, &info));
}

START_TEST(the_number_is_changed_and_compared)
{
    static const struct {
        aclrtCntNotifyRecordMode record;
        uint32_t value; /* makes of 12 a number that does not pass, then of that one that passes */
        uint32_t second;
        aclrtCntNotifyWaitMode wait;
        uint32_t awaited;
    } rows[] = {
        { ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 5, 6, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 6 },
        { ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1, 1, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 14 },
        { ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 3, 1, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 15 },
        { ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 2, 1, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 15 },
        { ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 3, UINT32_MAX, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 14 },
        { ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, 0xC, 0x4, ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 12 },
        { ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, 0x10, 0x1, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 0x11 },
    };
    aclrtCntNotify count;
    ASSERT_OK(aclrtCntNotifyCreate(&count, ACL_NOTIFY_DEFAULT));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        change(count, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 12);
        wait_for(count, rows[i].wait, rows[i].awaited, false);
        assert_waits(fx.stream);
        change(count, rows[i].record, rows[i].value);
        ck_assert_msg(status_of(fx.stream) == ACL_STREAM_STATUS_NOT_READY, "row %zu passed too early", i);
        change(count, rows[i].record, rows[i].second);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    }
    ASSERT_OK(aclrtCntNotifyDestroy(count));
}
END_TEST

START_TEST(a_wait_clears_the_number_only_if_told)
{
    aclrtCntNotify count;
    ASSERT_OK(aclrtCntNotifyCreate(&count, ACL_NOTIFY_DEFAULT));
    change(count, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 3);
    wait_for(count, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 3, false);
    wait_for(count, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 3, true);
    wait_for(count, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 0, false);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    change(count, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 9);
    wait_for(count, ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 9, false);
    assert_waits(fx.stream);
    ASSERT_OK(aclrtCntNotifyReset(count, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtCntNotifyDestroy(count));
}
END_TEST

START_TEST(counting_notifies_refused)
{
    aclrtCntNotify count;
    uint32_t id;
    aclrtCntNotifyRecordInfo record = { .mode = ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE };
    aclrtCntNotifyWaitInfo wait = { .mode = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE };
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyCreate(NULL, 0));
    ASSERT_OK(aclrtCntNotifyCreate(&count, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyRecord(count, fx.stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyWaitWithTimeout(count, fx.stream, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyRecord(NULL, fx.stream, &record));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyWaitWithTimeout(NULL, fx.stream, &wait));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyReset(NULL, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCntNotifyGetId(count, NULL));
    ASSERT_OK(aclrtCntNotifyGetId(count, &id));
    /* One kind's handle is not the other's. */
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtCntNotifyRecord(notify, fx.stream, &record));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtCntNotifyDestroy(notify));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtRecordNotify(count, fx.stream));
    ASSERT_MESSAGE_NAMES("a counting notify");
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyNotify(count));
    record.mode = (aclrtCntNotifyRecordMode)3;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtCntNotifyRecord(count, fx.stream, &record));
    wait.mode = (aclrtCntNotifyWaitMode)5;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtCntNotifyWaitWithTimeout(count, fx.stream, &wait));
    wait = (aclrtCntNotifyWaitInfo){ .mode = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, .value = 1, .timeout = 1 };
    ASSERT_OK(aclrtCntNotifyWaitWithTimeout(count, fx.stream, &wait));
    ASSERT_CODE(E_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtCntNotifyDestroy(count));
}
END_TEST

int main(void)
{
    TCase *const plain = new_case("notify", setup, teardown);
    tcase_add_test(plain, not_232_create_without_a_place_for_the_handle);
    tcase_add_test(plain, not_233_a_record_lets_the_waiting_stream_proceed);
    tcase_add_test(plain, a_record_before_the_wait_counts);
    tcase_add_test(plain, one_wait_consumes_one_record);
    tcase_add_test(plain, two_records_without_a_wait_between_them_count_once);
    tcase_add_test(plain, of_several_waiting_streams_each_record_lets_one_pass);
    tcase_add_test(plain, a_stream_may_wait_for_its_own_record);
    tcase_add_test(plain, the_default_stream_is_the_null_stream);
    tcase_add_test(plain, across_devices);
    tcase_add_test(plain, a_wait_whose_time_is_over_fails);
    tcase_add_test(plain, batch_reset_clears_at_once);
    tcase_add_test(plain, batch_reset_refused);
    tcase_add_test(plain, ids_are_unique);
    tcase_add_test(plain, null_and_stale_handles);
    tcase_add_test(plain, on_a_stream_of_another_context);
    tcase_add_test(plain, a_context_takes_its_notifies_along);
    tcase_add_test(plain, destroyed_while_tasks_name_it);
    tcase_add_test(plain, a_stream_destroyed_by_force);
    tcase_add_test(plain, create_without_a_context);
    TCase *const limits = new_case("limits", use_small_product, fixture_close);
    tcase_add_test(limits, as_many_as_the_product_has);
    TCase *const counting = new_case("counting", setup, teardown);
    tcase_add_test(counting, the_number_is_changed_and_compared);
    tcase_add_test(counting, a_wait_clears_the_number_only_if_told);
    tcase_add_test(counting, counting_notifies_refused);
    return run_cases("notify", plain, limits, counting, (TCase *)NULL);
}
