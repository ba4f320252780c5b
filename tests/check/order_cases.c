/* SPDX-License-Identifier: Apache-2.0 */
/* Order: between streams, between work and frees, between writing and reading. */
#include "cases.h"

static void up(uint8_t *to, const uint8_t *from, size_t bytes, aclrtStream stream)
{
    NEED(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void down(uint8_t *to, const uint8_t *from, size_t bytes, aclrtStream stream)
{
    NEED(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

static void wait_for_both(void)
{
    open_gate();
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtSynchronizeStream(t));
}

/* --- stream-race ------------------------------------------------------------------------------------------------- */

WRONG(stream_race, written_and_read_at_once)
{
    up(dev, pin, 4096, s);
    down(pin + 8192, dev, 4096, t);
    wait_for_both();
}

/* The last byte of one is the first of the other. */
WRONG(stream_race, one_common_byte)
{
    NEED(aclrtMemcpy2dAsync(dev, 256, pin, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(dev + 99, 256, pin + 8192, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, t));
    wait_for_both();
}

WRONG(stream_race, an_event_that_nobody_waits_for)
{
    up(dev, pin, 4096, s);
    NEED(aclrtRecordEvent(e, s));
    down(pin + 8192, dev, 4096, t);
    wait_for_both();
}

WRONG(stream_race, recorded_before_the_work)
{
    NEED(aclrtRecordEvent(e, s));
    up(dev, pin, 4096, s);
    NEED(aclrtStreamWaitEvent(t, e));
    down(pin + 8192, dev, 4096, t);
    wait_for_both();
}

/* R44: the stream of one copy was forgotten. */
WRONG(stream_race, the_default_stream_among_others)
{
    up(dev, pin, 4096, NULL);
    down(pin + 8192, dev, 4096, s);
    NEED(aclrtSynchronizeStream(NULL));
    wait_for_both();
}

CORRECT(stream_race, ordered_by_an_event)
{
    up(dev, pin, 4096, s);
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(t, e));
    down(pin + 8192, dev, 4096, t);
    wait_for_both();
}

CORRECT(stream_race, columns_side_by_side)
{
    NEED(aclrtMemcpy2dAsync(dev, 256, pin, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(dev + 100, 256, pin + 8192, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, t));
    wait_for_both();
}

CORRECT(stream_race, both_only_read)
{
    down(pin, dev, 4096, s);
    down(pin + 8192, dev, 4096, t);
    wait_for_both();
}

CORRECT(stream_race, synchronized_in_between)
{
    up(dev, pin, 4096, s);
    NEED(aclrtSynchronizeStream(s));
    down(pin + 8192, dev, 4096, t);
    wait_for_both();
}

/* R13: allowed, and of no use. */
WRONG(shape, an_event_waited_for_on_its_own_stream)
{
    up(dev, pin, 4096, s);
    NEED(aclrtRecordEvent(e, s));
    NEED(aclrtStreamWaitEvent(s, e));
    down(pin + 8192, dev, 4096, s);
    wait_for_both();
}

/* --- use-after-free ---------------------------------------------------------------------------------------------- */

WRONG(use_after_free, pinned_memory_of_queued_work) /* R08 R35 R36 */
{
    uint8_t *p;
    NEED(aclrtMallocHost((void **)&p, 4096));
    memset(p, 0, 4096);
    close_gate(s);
    up(dev, p, 4096, s);
    NEED(aclrtFreeHost(p));
    wait_for_both();
}

WRONG(use_after_free, device_memory_of_queued_work) /* R30 */
{
    uint8_t *p;
    NEED(aclrtMalloc((void **)&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    close_gate(s);
    NEED(aclrtMemcpyAsync(p, 4096, dev, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    NEED(aclrtFree(p));
    wait_for_both();
}

WRONG(use_after_free, freed_before_it_is_named)
{
    uint8_t *p;
    NEED(aclrtMalloc((void **)&p, 1 << 22, ACL_MEM_MALLOC_HUGE_FIRST));
    NEED(aclrtFree(p));
    up(p, pin, 4096, s);
    NEED_CODE(507013, aclrtSynchronizeStream(s));
}

CORRECT(use_after_free, freed_behind_the_wait)
{
    uint8_t *p;
    NEED(aclrtMallocHost((void **)&p, 4096));
    memset(p, 0, 4096);
    up(dev, p, 4096, s);
    NEED(aclrtSynchronizeStream(s));
    NEED(aclrtFreeHost(p));
}

CORRECT(use_after_free, freed_by_a_call_that_waits)
{
    uint8_t *p;
    NEED(aclrtMalloc((void **)&p, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    up(p, pin, 4096, s);
    NEED(aclrtFreeWithDevSync(p));
}

CORRECT(use_after_free, a_neighbour_is_freed)
{
    uint8_t *p, *q;
    NEED(aclrtMallocHost((void **)&p, 64));
    NEED(aclrtMallocHost((void **)&q, 64));
    memset(p, 0, 64);
    close_gate(s);
    up(dev, p, 64, s);
    NEED(aclrtFreeHost(q));
    wait_for_both();
    NEED(aclrtFreeHost(p));
}

/* --- uninitialized-read ------------------------------------------------------------------------------------------ */

static uint8_t *fresh;

static void get_fresh(void)
{
    NEED(aclrtMalloc((void **)&fresh, 16 * 256, ACL_MEM_MALLOC_HUGE_FIRST));
}

static void give_back(void)
{
    wait_for_both();
    NEED(aclrtFree(fresh));
}

WRONG(uninitialized_read, of_fresh_device_memory) /* R10 */
{
    get_fresh();
    NEED(aclrtMemcpy2dAsync(pin, 256, fresh, 256, 100, 16, ACL_MEMCPY_DEVICE_TO_HOST, s));
    give_back();
}

WRONG(uninitialized_read, one_byte_too_wide)
{
    get_fresh();
    NEED(aclrtMemcpy2dAsync(fresh, 256, pin, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(pin, 256, fresh, 256, 101, 16, ACL_MEMCPY_DEVICE_TO_HOST, s));
    give_back();
}

WRONG(uninitialized_read, on_the_device)
{
    get_fresh();
    NEED(aclrtMemcpyAsync(dev, 256, fresh, 256, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    give_back();
}

CORRECT(uninitialized_read, exactly_what_was_written)
{
    get_fresh();
    NEED(aclrtMemcpy2dAsync(fresh, 256, pin, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(pin, 256, fresh, 256, 100, 16, ACL_MEMCPY_DEVICE_TO_HOST, s));
    give_back();
}

CORRECT(uninitialized_read, set_before)
{
    get_fresh();
    NEED(aclrtMemsetAsync(fresh, 16 * 256, 0, 16 * 256, s));
    NEED(aclrtMemcpyAsync(pin, 16 * 256, fresh, 16 * 256, ACL_MEMCPY_DEVICE_TO_HOST, s));
    give_back();
}

/* Row gaps are read by nobody. */
CORRECT(uninitialized_read, padding_only)
{
    get_fresh();
    NEED(aclrtMemcpy2dAsync(fresh + 8, 256, pin, 256, 100, 16, ACL_MEMCPY_HOST_TO_DEVICE, s));
    NEED(aclrtMemcpy2dAsync(pin, 128, fresh + 8, 512, 100, 8, ACL_MEMCPY_DEVICE_TO_HOST, s));
    give_back();
}
