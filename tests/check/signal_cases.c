/* SPDX-License-Identifier: Apache-2.0 */
/* Order by notifies and by callbacks in a subscribed thread, and what functions in place of kernels touch. */
#include <pacl/kernel.h>
#include <pthread.h>

#include "cases.h"

static aclrtNotify notify;

static int do_nothing(const void *arguments, uint32_t block, uint32_t blocks)
{
    (void)arguments;
    (void)block;
    (void)blocks;
    return 0;
}

/* A kernel that says what it touches; checking looks at that. */
static void launch(uint8_t *at, size_t width, size_t rows, int writes, aclrtStream stream)
{
    const struct pacl_kernel_access access = { at, 256, width, rows, writes };
    NEED(pacl_kernel_launch(do_nothing, 1, NULL, 0, &access, 1, stream));
}

static void fill_columns(size_t first, size_t width, aclrtStream stream)
{
    NEED(aclrtMemcpy2dAsync(dev + first, 256, pin, 256, width, 16, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void wait_for_both(void)
{
    open_gate();
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtSynchronizeStream(t));
}

/* --- kernels ----------------------------------------------------------------------------------------------------- */

WRONG(stream_race, a_kernel_that_reads_what_another_stream_writes)
{
    fill_columns(0, 100, s);
    launch(dev, 100, 16, 0, t);
    wait_for_both();
}

WRONG(stream_race, a_kernel_that_writes_one_common_byte)
{
    fill_columns(0, 100, s);
    launch(dev + 99, 10, 16, 1, t);
    wait_for_both();
}

CORRECT(stream_race, a_kernel_beside_the_columns)
{
    fill_columns(0, 100, s);
    launch(dev + 100, 10, 16, 1, t);
    wait_for_both();
}

CORRECT(stream_race, a_kernel_that_only_reads_what_is_read)
{
    NEED(aclrtMemcpyAsync(pin, 4096, dev, 4096, ACL_MEMCPY_DEVICE_TO_HOST, s));
    launch(dev, 256, 16, 0, t);
    wait_for_both();
}

/* --- notifies ---------------------------------------------------------------------------------------------------- */

CORRECT(stream_race, behind_a_notify)
{
    NEED(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    fill_columns(0, 100, s);
    NEED(aclrtRecordNotify(notify, s));
    NEED(aclrtWaitAndResetNotify(notify, t, 0));
    launch(dev, 100, 16, 1, t);
    wait_for_both();
    NEED(aclrtDestroyNotify(notify));
}

WRONG(stream_race, a_notify_recorded_too_early)
{
    NEED(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    NEED(aclrtRecordNotify(notify, s));
    fill_columns(0, 100, s);
    NEED(aclrtWaitAndResetNotify(notify, t, 0));
    launch(dev, 100, 16, 1, t);
    wait_for_both();
    NEED(aclrtDestroyNotify(notify));
}

/* --- callbacks --------------------------------------------------------------------------------------------------- */

static unsigned sum;

static void add_up(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < 64; i++)
        sum += ((const volatile uint8_t *)pin)[i];
}

static void copy_down(void)
{
    NEED(aclrtMemcpyAsync(pin, 4096, dev, 4096, ACL_MEMCPY_DEVICE_TO_HOST, s));
}

static void subscribe(void)
{
    NEED(aclrtSubscribeReport((uint64_t)pthread_self(), s));
}

static void unsubscribe(void)
{
    wait_for_both();
    NEED(aclrtUnSubscribeReport((uint64_t)pthread_self(), s));
}

CORRECT(host_race, read_in_a_callback_behind_the_copy)
{
    subscribe();
    copy_down();
    NEED(aclrtLaunchCallback(add_up, NULL, ACL_CALLBACK_BLOCK, s));
    NEED(aclrtProcessReport(-1));
    copy_down();
    NEED(aclrtLaunchCallback(add_up, NULL, ACL_CALLBACK_NO_BLOCK, s));
    NEED(aclrtProcessReport(-1));
    unsubscribe();
}

WRONG(host_race, read_in_a_callback_before_the_copy)
{
    subscribe();
    NEED(aclrtLaunchCallback(add_up, NULL, ACL_CALLBACK_NO_BLOCK, s));
    copy_down();
    NEED(aclrtProcessReport(-1));
    unsubscribe();
}

WRONG(host_race, read_before_the_stream_is_synchronized)
{
    copy_down();
    add_up(NULL);
    NEED(aclrtSynchronizeStream(s));
}

CORRECT(host_race, read_behind_the_stream)
{
    copy_down();
    NEED(aclrtSynchronizeStream(s));
    add_up(NULL);
}

/* The event stands before the copy. */
WRONG(host_race, read_behind_an_event_before_the_copy)
{
    NEED(aclrtRecordEvent(e, s));
    copy_down();
    NEED(aclrtSynchronizeEvent(e));
    add_up(NULL);
}

CORRECT(host_race, read_behind_an_event)
{
    copy_down();
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtSynchronizeEvent(e));
    add_up(NULL);
}
