/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds, handles, dropped codes. */
#include <pthread.h>

#include "cases.h"

/* --- wrong-kind -------------------------------------------------------------------------------------------------- */

WRONG(wrong_kind, a_download_called_an_upload) /* R39 */
{
    NEED(aclrtMemcpy2dAsync(pin, 128, dev, 128, 64, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(wrong_kind, an_upload_called_a_download) /* R39 */
{
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(wrong_kind, on_the_device_called_an_upload)
{
    NEED(aclrtMemcpyAsync(dev, 4096, dev + 8192, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

WRONG(wrong_kind, a_synchronous_one)
{
    NEED(aclrtMemcpy(pin, 4096, dev, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

CORRECT(wrong_kind, the_right_ones)
{
    NEED(aclrtMemcpy2dAsync(dev, 128, pin, 128, 64, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(pin, 128, dev, 128, 64, 16, ACL_MEMCPY_DEVICE_TO_HOST, s));
    NEED(aclrtMemcpyAsync(dev, 4096, dev + 8192, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(wrong_kind, the_default_kind)
{
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_DEFAULT, s));
    NEED(aclrtMemcpyAsync(pin, 4096, dev, 4096, ACL_MEMCPY_DEFAULT, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(wrong_kind, host_to_host)
{
    NEED(aclrtMemcpy(pin, 4096, pin + 8192, 4096, ACL_MEMCPY_HOST_TO_HOST));
}

/* --- invalid-handle ---------------------------------------------------------------------------------------------- */

WRONG(invalid_handle, a_destroyed_stream)
{
    aclrtStream gone;
    NEED(aclrtCreateStream(&gone));
    NEED(aclrtDestroyStream(gone));
    NEED_CODE(107017, aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, gone));
}

WRONG(invalid_handle, a_destroyed_event)
{
    aclrtEvent gone;
    NEED(aclrtCreateEvent(&gone));
    NEED(aclrtDestroyEvent(gone));
    NEED_CODE(107017, aclrtStreamWaitEvent(s, gone));
}

WRONG(invalid_handle, a_destroyed_context)
{
    aclrtContext gone, before;
    NEED(aclrtGetCurrentContext(&before));
    NEED(aclrtCreateContext(&gone, 0));
    NEED(aclrtDestroyContext(gone));
    NEED_CODE(107000, aclrtSetCurrentContext(gone));
    NEED(aclrtSetCurrentContext(before));
}

WRONG(invalid_handle, an_event_for_a_stream)
{
    NEED_CODE(107017, aclrtSynchronizeStream((aclrtStream)e));
}

WRONG(invalid_handle, a_made_up_one)
{
    NEED_CODE(107017, aclrtSynchronizeStream((aclrtStream)pin));
}

WRONG(invalid_handle, a_stream_of_another_device) /* R01 */
{
    NEED(aclrtSetDevice(1));
    NEED_CODE(107003, aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtResetDevice(1));
    NEED(aclrtSetDevice(0));
    NEED(aclrtResetDevice(0));
}

CORRECT(invalid_handle, its_device_is_current_again)
{
    NEED(aclrtSetDevice(1));
    NEED(aclrtResetDevice(1));
    NEED(aclrtSetDevice(0));
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtResetDevice(0));
}

CORRECT(invalid_handle, destroyed_behind_the_last_use)
{
    aclrtStream stream;
    NEED(aclrtCreateStream(&stream));
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    NEED(aclrtDestroyStream(stream));
}

CORRECT(invalid_handle, a_new_event_in_the_place_of_an_old_one)
{
    for (int i = 0; i < 200; i++) {
        aclrtEvent event;
        NEED(aclrtCreateEvent(&event));
        NEED(aclrtRecordEvent(event, s));
        NEED(aclrtDestroyEvent(event));
    }
}

CORRECT(invalid_handle, null_is_the_default_stream)
{
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    NEED(aclrtSynchronizeStream(NULL));
}

/* --- unchecked-error --------------------------------------------------------------------------------------------- */

static void upload_and_forget(size_t dpitch)
{
    aclrtMemcpy2dAsync(dev, dpitch, pin, 64, 64, 16, ACL_MEMCPY_HOST_TO_DEVICE, s);
}

static aclError upload(size_t dpitch)
{
    return aclrtMemcpy2dAsync(dev, dpitch, pin, 64, 64, 16, ACL_MEMCPY_HOST_TO_DEVICE, s);
}

WRONG(unchecked_error, the_code_is_dropped) /* R19 */
{
    aclrtMemcpy2dAsync(dev, 32, pin, 64, 64, 16, ACL_MEMCPY_HOST_TO_DEVICE, s);
}

WRONG(unchecked_error, a_wrapper_drops_it)
{
    upload_and_forget(32);
    NEED(aclrtSynchronizeStream(s));
}

#ifndef __SANITIZE_THREAD__ /* which keeps the code across calls of its own behind each function: in doubt, looked at */
WRONG(unchecked_error, the_callers_caller_drops_it)
{
    upload(32);
    NEED(aclrtSynchronizeStream(s));
}
#endif

WRONG(unchecked_error, in_a_loop)
{
    for (int i = 0; i < 10; i++)
        upload_and_forget(32);
}

/* One that was looked at before says nothing about one that comes later. */
WRONG(unchecked_error, behind_one_that_was_looked_at)
{
    NEED_CODE(100000, upload(16));
    upload_and_forget(32);
}

CORRECT(unchecked_error, looked_at_and_gone_on)
{
    NEED_CODE(100000, upload(32));
    NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(unchecked_error, the_message_is_asked_for)
{
    upload_and_forget(32);
    (void)aclGetRecentErrMsg();
}

CORRECT(unchecked_error, the_last_error_is_asked_for)
{
    upload_and_forget(32);
    (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

CORRECT(unchecked_error, a_later_failure_is_looked_at)
{
    upload_and_forget(32);
    NEED_CODE(100000, upload(16));
}

static volatile int kept;

CORRECT(unchecked_error, the_code_is_kept)
{
    kept = upload(32);
}

/* Tries one way and takes the other: what programs for several products do. */
CORRECT(unchecked_error, another_way_is_taken)
{
    if (upload(32) != ACL_SUCCESS)
        NEED(aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtSynchronizeStream(s));
}

/* A thread that serves callbacks asks again and again, and most of the time there is nothing. */
CORRECT(unchecked_error, a_thread_of_callbacks_has_nothing_to_do)
{
    (void)aclrtProcessReport(1);
    NEED(aclrtSubscribeReport((uint64_t)pthread_self(), s));
    (void)aclrtProcessReport(1);
    NEED(aclrtUnSubscribeReport((uint64_t)pthread_self(), s));
    (void)aclrtProcessReport(1);
    (void)aclrtProcessHostFunc(1);
}

WRONG(unchecked_error, a_thread_of_callbacks_asks_with_no_time)
{
    aclrtProcessReport(0);
}

CORRECT(unchecked_error, calls_that_succeed_are_dropped)
{
    aclrtMemcpyAsync(dev, 4096, pin, 4096, ACL_MEMCPY_HOST_TO_DEVICE, s);
    aclrtSynchronizeStream(s);
}
