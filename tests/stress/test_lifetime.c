/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed or unregistered, and threads that end, while work that needs them is queued or runs. */
#include <sys/mman.h>

#include "crew.h"

enum { BYTES = 1024 * 1024 };

/* --- freed while parked ------------------------------------------------------------------------------------------ */

/* Allocations that would get the freed addresses, were they given back too early. */
static void reuse(size_t bytes, uint8_t value, void *device[16], void *pinned[16])
{
    for (unsigned i = 0; i < 16; i++) {
        ASSERT_OK(aclrtMalloc(&device[i], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_OK(aclrtMallocHost(&pinned[i], bytes));
        ASSERT_OK(aclrtMemset(device[i], bytes, value, bytes));
        memset(pinned[i], value, bytes);
    }
}

static void assert_reused(size_t bytes, uint8_t value, void *device[16], void *pinned[16])
{
    for (unsigned i = 0; i < 16; i++) {
        ASSERT_NO_DIFFERENCE(device_fill_difference(device[i], bytes, value));
        ASSERT_ALL_BYTES(pinned[i], bytes, value);
        ASSERT_OK(aclrtFree(device[i]));
        ASSERT_OK(aclrtFreeHost(pinned[i]));
    }
}

static const size_t sizes[] = { 100, 5000, BYTES, 3 * BYTES };

START_TEST(memory_lives_until_parked_work_is_done)
{
    const size_t bytes = sizes[_i];
    aclrtStream stream, idle;
    void *source, *middle, *result, *device[16], *pinned[16];
    struct latch latch;
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateStream(&idle)); /* streams before and behind the busy one */
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtMallocHost(&source, bytes));
    ASSERT_OK(aclrtMallocHost(&result, bytes));
    ASSERT_OK(aclrtMalloc(&middle, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    memset(source, 0x11, bytes);
    latch_close(&latch, stream);
    ASSERT_OK(aclrtMemcpyAsync(middle, bytes, source, bytes, H2D, stream));
    ASSERT_OK(aclrtMemcpyAsync(result, bytes, middle, bytes, D2H, stream));
    ASSERT_OK(aclrtFree(middle));
    ASSERT_OK(aclrtFreeHost(source));
    const struct pacl_counters freed = counters();
    ck_assert_uint_eq(freed.device_bytes_live, 0);
    ck_assert_uint_eq(freed.pinned_bytes_live, bytes);
    reuse(bytes, 0x22, device, pinned);
    ASSERT_OK(latch_open(&latch));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_ALL_BYTES(result, bytes, 0x11);
    assert_reused(bytes, 0x22, device, pinned);
    ASSERT_REFUSED(aclrtFree(middle));
    ASSERT_REFUSED(aclrtFreeHost(source));
}
END_TEST

/* Freed while parked, done, and again: neither memory nor addresses may grow. */
START_TEST(freed_memory_comes_back)
{
    enum { ROUNDS = 40 };
    open_with(NULL, NULL);
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    size_t first = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        void *device, *pinned;
        struct latch latch;
        ASSERT_OK(aclrtMalloc(&device, 4 * BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_OK(aclrtMallocHost(&pinned, 4 * BYTES));
        memset(pinned, 1, 4 * BYTES);
        latch_close(&latch, stream);
        ASSERT_OK(aclrtMemcpyAsync(device, 4 * BYTES, pinned, 4 * BYTES, H2D, stream));
        ASSERT_OK(aclrtFree(device));
        ASSERT_OK(aclrtFreeHost(pinned));
        ASSERT_OK(latch_open(&latch));
        ASSERT_OK(aclrtSynchronizeStream(stream));
        latch_free(&latch);
        if (round == 4)
            first = resident_bytes();
    }
    ck_assert_uint_eq(counters().device_bytes_live, 0);
    ck_assert_uint_eq(counters().pinned_bytes_live, 0);
    if (!is_sanitized())
        ck_assert_uint_le(resident_bytes(), first + 16 * BYTES);
}
END_TEST

/* Each thread frees at once what its stream, often parked behind another thread's, still copies. */
struct relay {
    aclrtEvent event[4];
};

static void free_at_once(struct member *m)
{
    const struct relay *const relay = m->shared;
    uint64_t state = m->seed;
    aclrtStream stream;
    uint8_t *result;
    WANT(m, aclrtSetDevice(0));
    WANT(m, aclrtCreateStream(&stream));
    WANT(m, aclrtMallocHost((void **)&result, BYTES));
    for (size_t round = stress_rounds(150); round > 0 && !failed(m); round--) {
        const size_t bytes = random_in(&state, 1, round % 8 == 0 ? BYTES : 4096);
        const uint8_t value = (uint8_t)random_in(&state, 0, 255);
        void *source, *middle;
        WANT(m, aclrtMallocHost(&source, bytes));
        WANT(m, aclrtMalloc(&middle, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
        if (failed(m))
            break;
        memset(source, value, bytes);
        WANT(m, aclrtStreamWaitEvent(stream, relay->event[random_in(&state, 0, 3)]));
        WANT(m, aclrtMemcpyAsync(middle, bytes, source, bytes, H2D, stream));
        WANT(m, aclrtMemcpyAsync(result, bytes, middle, bytes, D2H, stream));
        WANT(m, aclrtFree(middle));
        WANT(m, aclrtFreeHost(source));
        WANT(m, aclrtRecordEvent(relay->event[m->index], stream));
        if (random_in(&state, 0, 3) != 0)
            continue;
        WANT(m, aclrtSynchronizeStream(stream));
        if (fill_difference(result, bytes, value) != NULL)
            give_up(m, "%zu bytes of 0x%02x came back different", bytes, value);
    }
    WANT(m, aclrtDestroyStream(stream));
    WANT(m, aclrtFreeHost(result));
}

START_TEST(threads_free_at_once)
{
    struct relay relay;
    open_with(NULL, NULL);
    for (unsigned i = 0; i < 4; i++)
        ASSERT_OK(aclrtCreateEventExWithFlag(&relay.event[i], ACL_EVENT_SYNC));
    crew_run(4, free_at_once, &relay);
    ck_assert_uint_eq(counters().device_bytes_live, 0);
    ck_assert_uint_eq(counters().pinned_bytes_live, 0);
}
END_TEST

/* --- unregistered ------------------------------------------------------------------------------------------------ */

static uint8_t *map(size_t bytes)
{
    uint8_t *const at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *view;
    ck_assert_ptr_ne(at, MAP_FAILED);
    memset(at, 0x33, bytes);
    ASSERT_OK(aclrtHostRegister(at, bytes, ACL_HOST_REGISTER_MAPPED, &view));
    return at;
}

START_TEST(unregistered_while_parked)
{
    aclrtStream stream;
    void *device;
    struct latch latch;
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtMalloc(&device, 2 * BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(device, 2 * BYTES, POISON, 2 * BYTES));
    uint8_t *const at = map(BYTES);
    latch_close(&latch, stream);
    ASSERT_OK(aclrtMemcpyAsync(device, BYTES, at, BYTES, H2D, stream));
    ASSERT_OK(aclrtMemcpyAsync((uint8_t *)device + BYTES, 100, at, 100, H2D, stream));
    ASSERT_OK(aclrtHostUnregister(at));
    ck_assert_int_eq(munmap(at, BYTES), 0);
    ASSERT_OK(latch_open(&latch));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(device, 2 * BYTES, POISON));
    ck_assert_uint_eq(counters().tasks_failed, 2);
}
END_TEST

struct registered {
    uint8_t *_Atomic at;
    _Atomic bool stop;
};

/* Copies whatever is registered at the moment; what vanishes under a copy fails it. */
static void copy_registered(struct member *m)
{
    enum { SIZE = 8 * BYTES };
    struct registered *const r = m->shared;
    aclrtStream stream;
    void *device;
    WANT(m, aclrtSetDevice(0));
    WANT(m, aclrtCreateStream(&stream));
    WANT(m, aclrtMalloc(&device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST));
    while (!atomic_load(&r->stop) && !failed(m)) {
        uint8_t *const at = atomic_load(&r->at);
        if (at == NULL)
            continue;
        /* Pageable by the time of the call, and gone: the call itself says so. */
        WANT_OR(m, E_RT_SYS_DMA, aclrtMemcpyAsync(device, SIZE, at, SIZE, H2D, stream));
        WANT_OR(m, E_RT_SYS_DMA, aclrtSynchronizeStream(stream));
    }
    (void)aclrtSynchronizeStream(stream);
    WANT(m, aclrtDestroyStream(stream));
}

/* The memory stays mapped: a copy that takes it for pageable memory would otherwise read what the test has unmapped.
 * That no registered copy runs on after the call shows in the bytes: they change at once. */
START_TEST(unregistered_while_running)
{
    static struct crew crew;
    struct registered r = { .at = NULL };
    open_with(NULL, NULL);
    uint8_t *const at = map(8 * BYTES);
    ASSERT_OK(aclrtHostUnregister(at));
    crew_start(&crew, 3, copy_registered, &r);
    for (size_t round = stress_rounds(100); round > 0; round--) {
        void *view;
        ASSERT_OK(aclrtHostRegister(at, 8 * BYTES, ACL_HOST_REGISTER_MAPPED, &view));
        atomic_store(&r.at, at);
        for (volatile unsigned i = 0; i < 20000; i++)
            continue;
        atomic_store(&r.at, NULL);
        ASSERT_OK(aclrtHostUnregister(at));
    }
    atomic_store(&r.stop, true);
    crew_join(&crew);
}
END_TEST

/* One stream copies from registered memory for certain when it is unregistered: after the call nothing touches it. */
START_TEST(unregistered_and_unmapped_while_running)
{
    enum { SIZE = 16 * BYTES };
    aclrtStream stream;
    void *device;
    open_with(NULL, NULL);
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtMalloc(&device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t round = stress_rounds(20); round > 0; round--) {
        uint8_t *const at = map(SIZE);
        for (unsigned i = 0; i < 8; i++)
            ASSERT_OK(aclrtMemcpyAsync(device, SIZE, at, SIZE, H2D, stream));
        ASSERT_OK(aclrtHostUnregister(at));
        ck_assert_int_eq(munmap(at, SIZE), 0);
        const aclError code = aclrtSynchronizeStream(stream);
        ck_assert_msg(code == ACL_SUCCESS || code == E_RT_SYS_DMA, "%d", (int)code);
    }
}
END_TEST

/* --- threads that end -------------------------------------------------------------------------------------------- */

struct estate {
    aclrtStream stream[8];
    uint8_t *device, *pinned;
};

static void leave_work(struct member *m)
{
    const struct estate *const e = m->shared;
    uint8_t *const from = e->pinned + m->index * BYTES, *const to = e->device + m->index * BYTES;
    WANT(m, aclrtSetDevice(0));
    memset(from, (int)m->index + 1, BYTES);
    WANT(m, aclrtMemcpyAsync(to, BYTES, from, BYTES, H2D, e->stream[m->index]));
    (void)aclrtMemcpyAsync(NULL, 1, from, 1, H2D, e->stream[m->index]); /* leaves a message unread */
}

START_TEST(threads_end_with_work_pending)
{
    struct estate e;
    struct latch latch[8];
    open_with(NULL, NULL);
    ASSERT_OK(aclrtMalloc((void **)&e.device, 8 * BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost((void **)&e.pinned, 8 * BYTES));
    for (unsigned i = 0; i < 8; i++) {
        ASSERT_OK(aclrtCreateStream(&e.stream[i]));
        latch_close(&latch[i], e.stream[i]);
    }
    crew_run(8, leave_work, &e);
    for (unsigned i = 0; i < 8; i++)
        ASSERT_OK(latch_open(&latch[i]));
    for (unsigned i = 0; i < 8; i++) {
        ASSERT_OK(aclrtSynchronizeStream(e.stream[i]));
        ASSERT_NO_DIFFERENCE(device_fill_difference(e.device + i * BYTES, BYTES, (uint8_t)(i + 1)));
    }
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("lifetime", NULL, NULL);
    tcase_add_loop_test(tcase, memory_lives_until_parked_work_is_done, 0, COUNT_OF(sizes));
    tcase_add_test(tcase, freed_memory_comes_back);
    tcase_add_test(tcase, threads_free_at_once);
    tcase_add_test(tcase, unregistered_while_parked);
    tcase_add_test(tcase, unregistered_while_running);
    tcase_add_test(tcase, unregistered_and_unmapped_while_running);
    tcase_add_test(tcase, threads_end_with_work_pending);
    return run_cases("stress_lifetime", tcase, NULL);
}
