/* SPDX-License-Identifier: Apache-2.0 */
/* Events and notifies of several processes: order, permission, and what becomes of waits when a process is killed. */
#include "peer.h"

#include <unistd.h>

#define KEY_ROOM 65
#define ANYONE 2
enum { E_RT_IPC_ERROR = 507022, E_RT_WAIT_TIMEOUT = 107019 };

static aclrtEventRecordedStatus status_of(aclrtEvent event)
{
    aclrtEventRecordedStatus status;
    ASSERT_OK(aclrtQueryEventStatus(event, &status));
    return status;
}

static aclrtEvent ipc_event(void)
{
    aclrtEvent event = NULL;
    ASSERT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
    return event;
}

static void peer_does(struct peer *peer, enum peer_op op)
{
    struct peer_message m = { 0 };
    peer_tell(peer, op, &m);
    ASSERT_OK(m.code);
}

/* The peer opens an event that is made here. */
static struct peer peer_with_event(aclrtEvent event)
{
    struct peer peer = peer_start();
    struct peer_message m = { 0 };
    aclrtIpcEventHandle handle;
    ASSERT_OK(aclrtIpcGetEventHandle(event, &handle));
    memcpy(m.text, &handle, sizeof handle);
    peer_tell(&peer, PEER_OPEN_EVENT, &m);
    ASSERT_OK(m.code);
    return peer;
}

/* The event is made by the peer and opened here. */
static struct peer peer_that_made(aclrtEvent *event)
{
    struct peer peer = peer_start();
    struct peer_message m = { 0 };
    aclrtIpcEventHandle handle;
    peer_tell(&peer, PEER_MAKE_EVENT, &m);
    ASSERT_OK(m.code);
    memcpy(&handle, m.text, sizeof handle);
    ASSERT_OK(aclrtIpcOpenEventHandle(handle, event));
    return peer;
}

static void assert_nothing_left(void)
{
    ck_assert_int_eq(peer_shared_descriptors(), 0);
    ck_assert_int_eq(peer_shared_files(), 0);
}

/* --- events: arguments ------------------------------------------------------------------------------------------ */

START_TEST(event_handles_refuse_what_is_wrong)
{
    aclrtIpcEventHandle handle = { .reserved = "none" };
    aclrtEvent plain, opened = &fx;
    aclrtEvent event = ipc_event();
    float ms;
    ASSERT_OK(aclrtCreateEvent(&plain));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcGetEventHandle(plain, &handle));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcGetEventHandle(NULL, &handle));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcGetEventHandle(event, NULL));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtIpcGetEventHandle(fx.stream, &handle));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcOpenEventHandle(handle, &opened));
    ASSERT_OK(aclrtIpcGetEventHandle(event, &handle));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcOpenEventHandle(handle, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcOpenEventHandle(handle, &opened)); /* its own */
    ck_assert_ptr_eq(opened, &fx);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtEventElapsedTime(&ms, event, event));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtResetEvent(event, fx.stream));
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtIpcGetEventHandle(event, &handle));
    ASSERT_OK(aclrtDestroyEvent(plain));
    assert_nothing_left();
}
END_TEST

START_TEST(some_products_have_no_such_events)
{
    static const char *const products[] = { "atlas-training", "atlas-inference", "atlas-200i-500-a2" };
    aclrtEvent event;
    aclrtIpcEventHandle handle = { .reserved = "" };
    fixture_open_on(products[_i]);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtIpcOpenEventHandle(handle, &event));
    fixture_close();
}
END_TEST

/* Within one process it is an event like others. */
START_TEST(such_an_event_works_within_its_process)
{
    aclrtEvent event = ipc_event();
    aclrtStream other;
    struct gate gate;
    ASSERT_OK(aclrtCreateStream(&other));
    ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_COMPLETE); /* never recorded */
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    ASSERT_OK(aclrtSynchronizeEvent(event));
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    ASSERT_OK(aclrtStreamWaitEvent(other, event));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, other));
    ASSERT_CODE(E_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 1));
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(other, 1));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeEvent(event));
    ASSERT_OK(aclrtSynchronizeStream(other));
    ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    ASSERT_OK(aclrtDestroyStream(other));
    ASSERT_OK(aclrtDestroyEvent(event));
}
END_TEST

/* --- events: order ---------------------------------------------------------------------------------------------- */

/* EVE-231 [doc] */
START_TEST(eve_231_a_wait_in_another_process_ends_with_the_record)
{
    aclrtEvent event = ipc_event();
    struct peer peer = peer_with_event(event);
    struct peer_message m = { 0 };
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    peer_tell(&peer, PEER_QUERY_EVENT, &m);
    ck_assert_uint_eq(m.value[0], ACL_EVENT_RECORDED_STATUS_NOT_READY);
    peer_does(&peer, PEER_WAIT_EVENT);
    peer_begin(&peer, PEER_SYNCHRONIZE, &m);
    gate_await(&gate);
    gate_open(&gate);
    peer_await(&peer, &m);
    ASSERT_OK(m.code);
    peer_tell(&peer, PEER_QUERY_EVENT, &m);
    ck_assert_uint_eq(m.value[0], ACL_EVENT_RECORDED_STATUS_COMPLETE);
    peer_does(&peer, PEER_SYNCHRONIZE_EVENT);
    peer_end(&peer);
    ASSERT_OK(aclrtDestroyEvent(event));
    assert_nothing_left();
}
END_TEST

/* The other way round, and a thread that waits by itself. */
START_TEST(a_record_of_the_peer_ends_waits_here)
{
    aclrtEvent event = NULL;
    struct peer peer = peer_that_made(&event);
    for (int round = 0; round < 3; round++) {
        peer_does(&peer, PEER_GATE_CLOSE);
        peer_does(&peer, PEER_RECORD_EVENT);
        ck_assert_int_eq(status_of(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
        ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
        ASSERT_OK(aclrtMemsetAsync(fx.device, 64, round, 64, fx.stream));
        ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
        ASSERT_CODE(E_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 1));
        peer_does(&peer, PEER_GATE_OPEN);
        ASSERT_OK(aclrtSynchronizeEvent(event));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, (uint8_t)round));
    }
    /* Records from this side, too. */
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    peer_does(&peer, PEER_WAIT_EVENT);
    peer_does(&peer, PEER_SYNCHRONIZE);
    ASSERT_OK(aclrtDestroyEvent(event));
    peer_end(&peer);
    assert_nothing_left();
}
END_TEST

/* Bytes that were written before the record are there after the wait, in memory of both. */
START_TEST(an_event_orders_shared_bytes)
{
    const size_t bytes = 1 << 20;
    aclrtEvent event = NULL;
    struct peer peer = peer_that_made(&event);
    struct peer_message m = { .value = { bytes } };
    uint8_t *at, *host;
    ASSERT_OK(aclrtMallocHost((void **)&host, bytes));
    ASSERT_OK(aclrtMalloc((void **)&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtIpcMemGetExportKey(at, bytes, m.text, KEY_ROOM, 1));
    peer_tell(&peer, PEER_IMPORT, &m);
    ASSERT_OK(m.code);
    for (size_t round = 1; round <= test_rounds(50); round++) {
        struct peer_message fill = { .value = { round & 0xFF } };
        peer_begin(&peer, PEER_FILL, &fill);
        peer_await(&peer, &fill);
        ASSERT_OK(fill.code);
        peer_does(&peer, PEER_RECORD_EVENT);
        ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
        ASSERT_OK(aclrtMemcpyAsync(host, bytes, at, bytes, D2H, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_ALL_BYTES(host, bytes, (uint8_t)round);
    }
    ASSERT_OK(aclrtDestroyEvent(event));
    peer_end(&peer);
    ASSERT_OK(aclrtFree(at));
    ASSERT_OK(aclrtFreeHost(host));
}
END_TEST

/* More records than the page has entries, each waited for by both. */
START_TEST(many_records)
{
    aclrtEvent event = ipc_event();
    struct peer peer = peer_with_event(event);
    for (int i = 0; i < 600; i++) {
        ASSERT_OK(aclrtRecordEvent(event, fx.stream));
        ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
        if (i % 20 == 0) {
            peer_does(&peer, PEER_WAIT_EVENT);
            peer_does(&peer, PEER_RECORD_EVENT);
            ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
        }
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    peer_does(&peer, PEER_SYNCHRONIZE);
    peer_end(&peer);
    ASSERT_OK(aclrtDestroyEvent(event));
}
END_TEST

/* A third process learns of the second one's record. */
START_TEST(three_processes_have_one_event)
{
    aclrtEvent event = ipc_event();
    struct peer second = peer_with_event(event), third = peer_with_event(event);
    struct peer_message m = { 0 };
    peer_does(&second, PEER_GATE_CLOSE);
    peer_does(&second, PEER_RECORD_EVENT);
    peer_does(&third, PEER_WAIT_EVENT);
    peer_begin(&third, PEER_SYNCHRONIZE, &m);
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    peer_does(&second, PEER_GATE_OPEN);
    peer_await(&third, &m);
    ASSERT_OK(m.code);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    peer_end(&second);
    peer_end(&third);
    ASSERT_OK(aclrtDestroyEvent(event));
    assert_nothing_left();
}
END_TEST

/* --- events: death ---------------------------------------------------------------------------------------------- */

/* The process that was to reach the record is killed: whoever waits learns it, in this process and in a third. */
START_TEST(a_killed_recorder_fails_the_waits_for_its_record)
{
    aclrtEvent event = ipc_event();
    struct peer peer = peer_with_event(event), third = peer_with_event(event);
    struct peer_message m = { 0 };
    peer_does(&peer, PEER_GATE_CLOSE);
    peer_does(&peer, PEER_RECORD_EVENT);
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 0x3F, 64, fx.stream));
    peer_does(&third, PEER_WAIT_EVENT);
    peer_begin(&third, PEER_SYNCHRONIZE, &m);
    peer_kill(&peer);
    ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 0x3F)); /* what follows the wait runs */
    ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeEvent(event));
    peer_await(&third, &m);
    ck_assert_int_eq(m.code, E_RT_IPC_ERROR);
    /* The event lives on: the next record is as good as the first. */
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    ASSERT_OK(aclrtSynchronizeEvent(event));
    peer_does(&third, PEER_WAIT_EVENT);
    peer_does(&third, PEER_SYNCHRONIZE);
    peer_end(&third);
    ASSERT_OK(aclrtDestroyEvent(event));
    assert_nothing_left();
}
END_TEST

/* The maker is killed after each of its steps. */
START_TEST(a_killed_maker_of_an_event)
{
    for (int step = 0; step < 4; step++) {
        aclrtEvent event = NULL;
        struct peer peer = peer_that_made(&event);
        if (step == 1) {
            peer_does(&peer, PEER_RECORD_EVENT);
            peer_does(&peer, PEER_SYNCHRONIZE);
        }
        if (step >= 2) {
            peer_does(&peer, PEER_GATE_CLOSE);
            peer_does(&peer, PEER_RECORD_EVENT);
            ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
        }
        if (step == 3)
            ASSERT_CODE(E_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 1));
        peer_kill(&peer);
        if (step >= 2) {
            ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeStream(fx.stream));
            ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeEvent(event));
        } else {
            ASSERT_OK(aclrtSynchronizeEvent(event)); /* reached, or never recorded */
        }
        ASSERT_OK(aclrtMemsetAsync(fx.device, 64, step, 64, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        aclrtIpcEventHandle handle;
        ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcGetEventHandle(event, &handle)); /* it was not made here */
        ASSERT_OK(aclrtDestroyEvent(event));
        assert_nothing_left();
    }
}
END_TEST

/* A process that waits is killed: nobody notices. */
START_TEST(a_killed_waiter_of_an_event)
{
    aclrtEvent event = ipc_event();
    struct peer peer = peer_with_event(event);
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtRecordEvent(event, fx.stream));
    peer_does(&peer, PEER_WAIT_EVENT);
    gate_await(&gate);
    peer_kill(&peer);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeEvent(event));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    struct peer next = peer_with_event(event);
    peer_does(&next, PEER_SYNCHRONIZE_EVENT);
    peer_end(&next);
    ASSERT_OK(aclrtDestroyEvent(event));
    assert_nothing_left();
}
END_TEST

/* Two processes, each with a key of its own: what one was to record does not go with the other. */
START_TEST(a_killed_process_loses_its_own_records_only)
{
    aclrtEvent event = ipc_event();
    struct peer recorder = peer_with_event(event), bystander = peer_with_event(event);
    peer_does(&recorder, PEER_GATE_CLOSE);
    peer_does(&recorder, PEER_RECORD_EVENT);
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    peer_kill(&bystander);
    struct peer next = peer_with_event(event); /* by then the end of the other one has been heard of */
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
    peer_does(&recorder, PEER_GATE_OPEN);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    peer_end(&recorder);
    peer_end(&next);
    ASSERT_OK(aclrtDestroyEvent(event));
    assert_nothing_left();
}
END_TEST

/* The program destroys the event while its stream waits for the other process: the wait stays. */
START_TEST(destroying_an_opened_event_keeps_its_waits)
{
    aclrtEvent event = NULL;
    struct peer peer = peer_that_made(&event);
    peer_does(&peer, PEER_GATE_CLOSE);
    peer_does(&peer, PEER_RECORD_EVENT);
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
    peer_does(&peer, PEER_GATE_OPEN);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    peer_end(&peer);
    assert_nothing_left();
}
END_TEST

/* --- notifies --------------------------------------------------------------------------------------------------- */

static struct peer peer_with_notify(aclrtNotify notify)
{
    struct peer peer = peer_start();
    struct peer_message m = { 0 };
    int32_t pid = (int32_t)peer.pid;
    ASSERT_OK(aclrtNotifyGetExportKey(notify, m.text, KEY_ROOM, 0));
    ASSERT_OK(aclrtNotifySetImportPid(notify, &pid, 1));
    peer_tell(&peer, PEER_TAKE_NOTIFY, &m);
    ASSERT_OK(m.code);
    return peer;
}

START_TEST(notify_keys_refuse_what_is_wrong)
{
    char key[KEY_ROOM] = "untouched";
    aclrtNotify notify, taken = &fx;
    int32_t pid = (int32_t)getpid();
    ASSERT_OK(aclrtCreateNotify(&notify, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifyGetExportKey(NULL, key, KEY_ROOM, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifyGetExportKey(notify, NULL, KEY_ROOM, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyGetExportKey(notify, key, KEY_ROOM - 1, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyGetExportKey(notify, key, KEY_ROOM, 1));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtNotifyGetExportKey(fx.stream, key, KEY_ROOM, 0));
    ck_assert_str_eq(key, "untouched");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifySetImportPid(notify, &pid, 1)); /* not exported yet */
    ASSERT_OK(aclrtNotifyGetExportKey(notify, key, KEY_ROOM, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifySetImportPid(NULL, &pid, 1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifySetImportPid(notify, NULL, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifySetImportPid(notify, &pid, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifyImportByKey(NULL, key, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtNotifyImportByKey(&taken, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyImportByKey(&taken, key, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyImportByKey(&taken, "no key", 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyImportByKey(&taken, key, 0)); /* its own */
    ck_assert_ptr_eq(taken, &fx);
    ASSERT_OK(aclrtDestroyNotify(notify));
    assert_nothing_left();
}
END_TEST

START_TEST(only_allowed_processes_take_a_notify)
{
    aclrtNotify notify;
    struct peer peer = peer_start();
    struct peer_message m = { 0 };
    int32_t pid = (int32_t)getpid();
    ASSERT_OK(aclrtCreateNotify(&notify, 0));
    ASSERT_OK(aclrtNotifyGetExportKey(notify, m.text, KEY_ROOM, 0));
    ASSERT_OK(aclrtNotifySetImportPid(notify, &pid, 1));
    peer_tell(&peer, PEER_TAKE_NOTIFY, &m);
    ck_assert_int_eq(m.code, E_RT_IPC_ERROR);
    struct peer_message open = { 0 };
    ASSERT_OK(aclrtNotifyGetExportKey(notify, open.text, KEY_ROOM, ANYONE));
    peer_tell(&peer, PEER_TAKE_NOTIFY, &open);
    ASSERT_OK(open.code);
    peer_end(&peer);
    ASSERT_OK(aclrtDestroyNotify(notify));
    assert_nothing_left();
}
END_TEST

/* A record before it is exported counts; after that, records and waits go both ways, each record for one wait. */
START_TEST(records_and_waits_go_both_ways)
{
    aclrtNotify notify;
    ASSERT_OK(aclrtCreateNotify(&notify, 0));
    ASSERT_OK(aclrtRecordNotify(notify, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    struct peer peer = peer_with_notify(notify);
    struct peer_message m = { 0 };
    peer_does(&peer, PEER_WAIT_NOTIFY);
    peer_does(&peer, PEER_SYNCHRONIZE);
    for (int round = 0; round < 10; round++) {
        peer_does(&peer, PEER_WAIT_NOTIFY);
        peer_begin(&peer, PEER_SYNCHRONIZE, &m);
        ASSERT_OK(aclrtRecordNotify(notify, fx.stream));
        peer_await(&peer, &m);
        ASSERT_OK(m.code);
        ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
        ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1)); /* it was used up */
        peer_does(&peer, PEER_RECORD_NOTIFY);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    }
    peer_end(&peer);
    ASSERT_OK(aclrtDestroyNotify(notify));
    assert_nothing_left();
}
END_TEST

START_TEST(a_killed_maker_of_a_notify)
{
    for (int step = 0; step < 3; step++) {
        struct peer peer = peer_start();
        struct peer_message m = { .value = { 0, ANYONE } };
        aclrtNotify notify;
        peer_tell(&peer, PEER_MAKE_NOTIFY, &m);
        ASSERT_OK(m.code);
        ASSERT_OK(aclrtNotifyImportByKey(&notify, m.text, ANYONE));
        if (step == 0)
            peer_does(&peer, PEER_RECORD_NOTIFY);
        if (step == 1)
            ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
        peer_kill(&peer);
        if (step == 1) {
            ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeStream(fx.stream));
        } else if (step == 0) { /* what it recorded stays */
            ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
            ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        }
        ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0)); /* nobody is there to record it */
        ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeStream(fx.stream));
        ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNotifyGetExportKey(notify, m.text, KEY_ROOM, 0));
        ASSERT_OK(aclrtDestroyNotify(notify));
        assert_nothing_left();
    }
}
END_TEST

START_TEST(a_killed_importer_of_a_notify)
{
    for (int step = 0; step < 2; step++) {
        aclrtNotify notify;
        ASSERT_OK(aclrtCreateNotify(&notify, 0));
        struct peer peer = peer_with_notify(notify);
        if (step == 1)
            peer_does(&peer, PEER_WAIT_NOTIFY);
        peer_kill(&peer);
        /* Another one may come and record, so waits that begin now stay; a time limit ends them. */
        ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 1));
        ASSERT_CODE(E_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(fx.stream));
        ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
        struct peer next = peer_with_notify(notify);
        peer_does(&next, PEER_RECORD_NOTIFY);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        peer_end(&next);
        ASSERT_OK(aclrtDestroyNotify(notify));
        assert_nothing_left();
    }
}
END_TEST

enum { LOST_PARKED, LOST_LATER, LOST_AFTER_OTHERS, LOST_STEPS };

/* Waits that were queued before the process was killed that was to record: they end, whether their turn had come or not. */
START_TEST(waits_for_a_killed_importer_of_a_notify)
{
    aclrtNotify notify;
    struct gate gate;
    struct peer other;
    ASSERT_OK(aclrtCreateNotify(&notify, 0));
    struct peer peer = peer_with_notify(notify);
    if (_i == LOST_AFTER_OTHERS)
        other = peer_with_notify(notify);
    if (_i == LOST_LATER)
        gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    if (_i != LOST_LATER)
        ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
    peer_kill(&peer);
    if (_i == LOST_LATER)
        gate_open(&gate);
    if (_i == LOST_AFTER_OTHERS) { /* the other may still record */
        ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
        peer_kill(&other);
    }
    ASSERT_CODE(E_RT_IPC_ERROR, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtRecordNotify(notify, fx.stream)); /* here it works on */
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtDestroyNotify(notify));
    assert_nothing_left();
}
END_TEST

/* What is recorded here ends a wait as ever, though the other process is gone; and one that destroyed the notify has left
 * it to others. */
START_TEST(waits_that_outlive_an_importer_of_a_notify)
{
    aclrtNotify notify;
    aclrtStream other;
    struct gate gate;
    ASSERT_OK(aclrtCreateStream(&other));
    ASSERT_OK(aclrtCreateNotify(&notify, 0));
    struct peer peer = peer_with_notify(notify);
    gate_close(&gate, other);
    ASSERT_OK(aclrtRecordNotify(notify, other));
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    peer_kill(&peer);
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    peer = peer_with_notify(notify);
    ASSERT_OK(aclrtWaitAndResetNotify(notify, fx.stream, 0));
    peer_does(&peer, PEER_DESTROY_NOTIFY);
    peer_end(&peer);
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(fx.stream, 1));
    peer = peer_with_notify(notify);
    peer_does(&peer, PEER_RECORD_NOTIFY);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    peer_end(&peer);
    ASSERT_OK(aclrtDestroyNotify(notify));
    ASSERT_OK(aclrtDestroyStream(other));
    assert_nothing_left();
}
END_TEST

int main(int argc, char **argv)
{
    peer_main(argc, argv);
    TCase *const tc = new_case("ipc_objects", fixture_open, fixture_close);
    tcase_add_test(tc, event_handles_refuse_what_is_wrong);
    tcase_add_test(tc, such_an_event_works_within_its_process);
    tcase_add_test(tc, eve_231_a_wait_in_another_process_ends_with_the_record);
    tcase_add_test(tc, a_record_of_the_peer_ends_waits_here);
    tcase_add_test(tc, an_event_orders_shared_bytes);
    tcase_add_test(tc, many_records);
    tcase_add_test(tc, three_processes_have_one_event);
    tcase_add_test(tc, a_killed_recorder_fails_the_waits_for_its_record);
    tcase_add_test(tc, a_killed_maker_of_an_event);
    tcase_add_test(tc, a_killed_waiter_of_an_event);
    tcase_add_test(tc, a_killed_process_loses_its_own_records_only);
    tcase_add_test(tc, destroying_an_opened_event_keeps_its_waits);
    tcase_add_test(tc, notify_keys_refuse_what_is_wrong);
    tcase_add_test(tc, only_allowed_processes_take_a_notify);
    tcase_add_test(tc, records_and_waits_go_both_ways);
    tcase_add_test(tc, a_killed_maker_of_a_notify);
    tcase_add_test(tc, a_killed_importer_of_a_notify);
    tcase_add_loop_test(tc, waits_for_a_killed_importer_of_a_notify, 0, LOST_STEPS);
    tcase_add_test(tc, waits_that_outlive_an_importer_of_a_notify);
    TCase *const others = new_case("ipc_object_products", NULL, NULL);
    tcase_add_loop_test(others, some_products_have_no_such_events, 0, 3);
    return run_cases("ipc_objects", tc, others, (TCase *)NULL);
}
