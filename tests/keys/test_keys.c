/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device memory under protection keys (PACL_DEVICE_ACCESS=keys or auto): closed to the program's own code in every
 * thread and at every moment, while the threads that copy open it for themselves. x86-64 only.
 */
#include <cpuid.h>
#include <errno.h>
#include <pacl/pacl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "support.h"

#define BIG ((size_t)24 << 20) /* bytes; a copy of this size is cut into pieces */

/* --- touching ---------------------------------------------------------------------------------------------------- */

static _Thread_local sigjmp_buf after_fault;
static _Thread_local volatile sig_atomic_t fault_is_expected;
static _Thread_local volatile int fault_code;
static _Thread_local void *volatile fault_address;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (!fault_is_expected) {
        signal(number, SIG_DFL); /* happens again, and ends the test */
        return;
    }
    fault_code = info->si_code;
    fault_address = info->si_addr;
    siglongjmp(after_fault, 1);
}

/* The si_code of the fault, 0 if there was none, -1 if it was at another address. */
static int touch(volatile uint8_t *at, bool write)
{
    int code = 0;
    fault_is_expected = true;
    if (sigsetjmp(after_fault, 1) == 0) {
        if (write)
            *at = (uint8_t)~POISON;
        else
            (void)*at;
    } else {
        code = fault_address == at ? fault_code : -1;
    }
    fault_is_expected = false;
    return code;
}

/* What became of the calling thread's accesses to a byte. */
struct attempt {
    int read, write; /* as touch() answers */
};

static struct attempt try_to_access(uint8_t *at)
{
    const struct attempt attempt = { .read = touch(at, false), .write = touch(at, true) };
    return attempt;
}

static bool is_closed(struct attempt attempt)
{
    return attempt.read == SEGV_PKUERR && attempt.write == SEGV_PKUERR;
}

#define ASSERT_CLOSED(made) \
    do { \
        const struct attempt attempt_ = (made); \
        ck_assert_msg(is_closed(attempt_), "%s: reading ended with si_code %d, writing with %d, expected %d", #made, \
                      attempt_.read, attempt_.write, SEGV_PKUERR); \
    } while (0)

/* The calling thread's rights to all keys, two bits each. */
static uint32_t own_rights(void)
{
    uint32_t rights = 0;
    for (int key = 0; key < 16; key++)
        rights |= (uint32_t)pkey_get(key) << (2 * key);
    return rights;
}

/* Rights first: a fault that is caught closes every key. */
#define ASSERT_STILL_CLOSED(rights, at) \
    do { \
        ck_assert_uint_eq(own_rights(), (rights)); \
        ASSERT_CLOSED(try_to_access(at)); \
    } while (0)

static void catch_faults(void)
{
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL), 0);
}

static void open_fixture(void)
{
    catch_faults();
    fixture_open();
    fill_sources();
}

static uint8_t *device_memory(size_t bytes)
{
    void *at = NULL;
    ASSERT_OK(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return at;
}

static uint8_t *pinned_memory(size_t bytes)
{
    void *at = NULL;
    ASSERT_OK(aclrtMallocHost(&at, bytes));
    return at;
}

static struct pacl_counters counters(void)
{
    struct pacl_counters now = { .size = sizeof(now) };
    ck_assert_int_eq(pacl_counters_get(&now), 0);
    return now;
}

/* --- closed to whom ---------------------------------------------------------------------------------------------- */

START_TEST(the_library_says_that_it_uses_keys)
{
    ck_assert_str_eq(pacl_isolation(), "protection-keys");
}
END_TEST

START_TEST(every_size_is_closed_from_allocation_to_after_free)
{
    static const size_t sizes[] = { 1, 64, 4096, 1 << 20, (2 << 20) + 1, 5 << 20 };
    const size_t bytes = sizes[_i];
    uint8_t *const at = device_memory(bytes);
    uint8_t *const pattern = malloc(bytes);
    memset(pattern, POISON, bytes);
    ASSERT_CLOSED(try_to_access(at));
    ASSERT_CLOSED(try_to_access(at + bytes - 1));
    upload(at, pattern, bytes); /* now the pages exist */
    ASSERT_CLOSED(try_to_access(at));
    ASSERT_CLOSED(try_to_access(at + bytes - 1));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, bytes, POISON));
    ASSERT_OK(aclrtFree(at));
    ASSERT_CLOSED(try_to_access(at));
    free(pattern);
}
END_TEST

/* A thread that waits until there is memory to try. */
struct visitor {
    pthread_t thread;
    sem_t go;
    uint8_t *at;
    struct attempt attempt;
};

static void *visit(void *arg)
{
    struct visitor *const visitor = arg;
    while (sem_wait(&visitor->go) != 0)
        continue; /* a signal */
    visitor->attempt = try_to_access(visitor->at);
    return NULL;
}

static void visitor_start(struct visitor *visitor)
{
    ck_assert_int_eq(sem_init(&visitor->go, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&visitor->thread, NULL, visit, visitor), 0);
}

static struct attempt visitor_try(struct visitor *visitor, uint8_t *at)
{
    visitor->at = at;
    sem_post(&visitor->go);
    ck_assert_int_eq(pthread_join(visitor->thread, NULL), 0);
    return visitor->attempt;
}

START_TEST(threads_from_before_and_after_the_first_call_are_refused)
{
    struct visitor early = { 0 }, late = { 0 };
    catch_faults();
    use_default_product();
    visitor_start(&early);
    ASSERT_OK(aclrtSetDevice(0));
    uint8_t *const at = device_memory(4096);
    visitor_start(&late);
    ASSERT_CLOSED(visitor_try(&early, at));
    ASSERT_CLOSED(visitor_try(&late, at));
    ASSERT_CLOSED(try_to_access(at));
}
END_TEST

/* The library's threads have every signal blocked, and a blocked SIGSEGV ends the process. */
static void try_in_host_function(void *arg)
{
    struct visitor *const visitor = arg;
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
    visitor->attempt = try_to_access(visitor->at);
}

START_TEST(host_functions_are_refused)
{
    struct visitor visitor = { .at = fx.device };
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_OK(aclrtLaunchHostFunc(fx.stream, try_in_host_function, &visitor));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_CLOSED(visitor.attempt);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, FIXTURE_BYTES));
}
END_TEST

static void try_in_child(void)
{
    if (!is_closed(try_to_access(fx.device)))
        _exit(1);
}

START_TEST(the_child_of_a_fork_is_refused)
{
    ck_assert_int_eq(in_child(try_in_child), 0);
}
END_TEST

START_TEST(system_calls_answer_efault)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq((int)write(ends[1], fx.device, 16), -1);
    ck_assert_int_eq(errno, EFAULT);
    ck_assert_int_eq((int)write(ends[1], fx.pinned, 16), 16);
    ck_assert_int_eq((int)read(ends[0], fx.device, 16), -1);
    ck_assert_int_eq(errno, EFAULT);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

/* --- rights of a thread that copies ------------------------------------------------------------------------------ */

START_TEST(tiny_copies_at_once_leave_the_thread_closed)
{
    const uint32_t rights = own_rights();
    const uint64_t before = counters().tasks_inline;
    const size_t bytes = 33;
    ASSERT_OK(aclrtMemcpyAsync(fx.device, bytes, fx.pinned, bytes, H2D, fx.stream));
    ASSERT_STILL_CLOSED(rights, fx.device);
    ASSERT_OK(aclrtMemcpyAsync(fx.device2, bytes, fx.device, bytes, D2D, fx.stream));
    ASSERT_STILL_CLOSED(rights, fx.device2);
    ASSERT_OK(aclrtMemcpy2dAsync(fx.pinned2, 64, fx.device2, 11, 11, 3, D2H, fx.stream));
    ASSERT_STILL_CLOSED(rights, fx.device);
    ASSERT_OK(aclrtMemsetAsync(fx.device, FIXTURE_BYTES, POISON, 40, fx.stream));
    ASSERT_STILL_CLOSED(rights, fx.device);
    ck_assert_uint_eq(counters().tasks_inline - before, 4);
    for (size_t row = 0; row < 3; row++)
        ASSERT_SAME_BYTES(fx.pinned2 + row * 64, fx.pinned + row * 11, 11);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

START_TEST(synchronous_calls_leave_the_thread_closed)
{
    static const size_t sizes[] = { 1, 4097, FIXTURE_BYTES, BIG };
    const size_t bytes = sizes[_i], height = bytes > WIDTH_MAX ? 8 : 1, width = bytes / height;
    const uint32_t rights = own_rights();
    uint64_t state = bytes;
    uint8_t *const device = device_memory(2 * bytes);
    uint8_t *const from = malloc(bytes), *const to = malloc(bytes);
    random_fill(&state, from, bytes);
    memset(to, POISON, bytes);

    ASSERT_OK(aclrtMemset(device, 2 * bytes, POISON, 2 * bytes));
    ASSERT_STILL_CLOSED(rights, device);
    ASSERT_OK(aclrtMemcpy(device, bytes, from, bytes, H2D));
    ASSERT_STILL_CLOSED(rights, device);
    ASSERT_OK(aclrtMemcpy(device + bytes, bytes, device, bytes, D2D));
    ASSERT_STILL_CLOSED(rights, device + bytes);
    ASSERT_OK(aclrtMemcpy2d(to, width, device + bytes, width, width, height, D2H));
    ASSERT_STILL_CLOSED(rights, device + bytes);
    ASSERT_SAME_BYTES(to, from, bytes);
    free(from);
    free(to);
}
END_TEST

/* Enough bytes for several pieces. */
static const struct call2d big_call = { .dpitch = 64 << 10, .spitch = 48 << 10, .width = 48 << 10, .height = 512 };

static void submit_big(uint8_t *device, const uint8_t *pinned, uint8_t *back)
{
    struct call2d call = big_call;
    call.stream = fx.stream;
    call.dst = device;
    call.src = pinned;
    call.kind = H2D;
    ASSERT_OK(submit2d(&call));
    call.dst = back;
    call.src = device;
    call.dpitch = big_call.spitch;
    call.spitch = big_call.dpitch;
    call.kind = D2H;
    ASSERT_OK(submit2d(&call));
}

/* The scheduler chooses whether the waiting thread or an engine is first at a task: tried until it was the former. */
START_TEST(a_thread_that_helps_is_closed_afterwards)
{
    enum { ROUNDS_MOST = 500 };
    const uint32_t rights = own_rights();
    const uint64_t before = counters().tasks_helped;
    uint8_t *const device = device_memory(big_call.dpitch * big_call.height);
    uint8_t *const pinned = pinned_memory(BIG), *const back = pinned_memory(BIG);
    uint64_t state = 7;
    for (int round = 0; round < ROUNDS_MOST && counters().tasks_helped == before; round++) {
        random_fill(&state, pinned, BIG);
        memset(back, POISON, BIG);
        submit_big(device, pinned, back);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_STILL_CLOSED(rights, device);
        ASSERT_SAME_BYTES(back, pinned, BIG);
    }
    ck_assert_uint_gt(counters().tasks_helped, before);
}
END_TEST

/* --- signals in the middle of a copy ----------------------------------------------------------------------------- */

enum { PKRU_COMPONENT = 9, XSTATE_HEADER = 512 }; /* of the state that the kernel saves in a signal's frame */

static uint32_t pkru_offset;     /* in that state, in bytes */
static uint32_t rights_outside;  /* of the test's thread while it runs its own code */
static atomic_int in_the_middle; /* signals that found the key open */
static atomic_int not_closed;    /* handlers that were let at device memory */

/* A component that the header does not name is in its initial state, all zeros. */
static uint32_t interrupted_rights(const ucontext_t *context)
{
    const uint8_t *const state = (const uint8_t *)context->uc_mcontext.fpregs;
    uint64_t present;
    uint32_t rights = 0;
    memcpy(&present, state + XSTATE_HEADER, sizeof(present));
    if ((present >> PKRU_COMPONENT & 1) != 0)
        memcpy(&rights, state + pkru_offset, sizeof(rights));
    return rights;
}

static void on_tick(int number, siginfo_t *info, void *context)
{
    const int saved = errno;
    (void)number;
    (void)info;
    if (interrupted_rights(context) != rights_outside) {
        if (!is_closed(try_to_access(fx.device)))
            atomic_fetch_add(&not_closed, 1);
        atomic_fetch_add(&in_the_middle, 1);
    }
    errno = saved;
}

static void tick_every_us(suseconds_t us)
{
    const struct itimerval interval = { .it_interval.tv_usec = us, .it_value.tv_usec = us };
    ck_assert_int_eq(setitimer(ITIMER_REAL, &interval, NULL), 0);
}

START_TEST(a_signal_in_the_middle_of_a_copy_finds_memory_closed_and_does_no_harm)
{
    enum { WANTED = 5, ROUNDS_MOST = 500 };
    struct sigaction action = { .sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART };
    uint32_t size, unused_c, unused_d;
    ck_assert_int_ne(__get_cpuid_count(0xD, PKRU_COMPONENT, &size, &pkru_offset, &unused_c, &unused_d), 0);
    uint8_t *const device = device_memory(BIG);
    uint8_t *const from = malloc(BIG), *const to = malloc(BIG);
    uint64_t state = 9;
    random_fill(&state, from, BIG);
    rights_outside = own_rights();
    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);

    tick_every_us(700);
    for (int round = 0; round < ROUNDS_MOST && atomic_load(&in_the_middle) < WANTED; round++) {
        memset(to, POISON, BIG);
        upload(device, from, BIG);
        download(to, device, BIG);
        ck_assert_uint_eq(own_rights(), rights_outside);
        ASSERT_SAME_BYTES(to, from, BIG);
    }
    tick_every_us(0);

    const int found = atomic_load(&in_the_middle), let_in = atomic_load(&not_closed);
    ck_assert_int_ge(found, WANTED);
    ck_assert_int_eq(let_in, 0);
    ASSERT_CLOSED(try_to_access(device));
    free(from);
    free(to);
}
END_TEST

/* --- running ----------------------------------------------------------------------------------------------------- */

static TCase *bare_case(void)
{
    TCase *const tc = new_case("nothing set up", NULL, NULL);
    tcase_add_test(tc, the_library_says_that_it_uses_keys);
    tcase_add_test(tc, threads_from_before_and_after_the_first_call_are_refused);
    return tc;
}

static TCase *closed_case(void)
{
    TCase *const tc = new_case("closed", open_fixture, fixture_close);
    tcase_add_loop_test(tc, every_size_is_closed_from_allocation_to_after_free, 0, 6);
    tcase_add_test(tc, host_functions_are_refused);
    tcase_add_test(tc, the_child_of_a_fork_is_refused);
    tcase_add_test(tc, system_calls_answer_efault);
    return tc;
}

static TCase *rights_case(void)
{
    TCase *const tc = new_case("rights", open_fixture, fixture_close);
    tcase_add_test(tc, tiny_copies_at_once_leave_the_thread_closed);
    tcase_add_loop_test(tc, synchronous_calls_leave_the_thread_closed, 0, 4);
    tcase_add_test(tc, a_thread_that_helps_is_closed_afterwards);
    tcase_add_test(tc, a_signal_in_the_middle_of_a_copy_finds_memory_closed_and_does_no_harm);
    return tc;
}

/* Leaves no right behind: the tests' processes inherit this one's. */
static bool machine_has_keys(void)
{
    const int key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    if (key >= 0)
        pkey_free(key);
    return key >= 0;
}

int main(void)
{
    if (!machine_has_keys()) {
        printf("skipped: no protection keys here (%s)\n", strerror(errno));
        return 77;
    }
    return run_cases("keys", bare_case(), closed_case(), rights_case(), (TCase *)NULL);
}
