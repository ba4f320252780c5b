/* SPDX-License-Identifier: Apache-2.0 */
/* What PACL asks of the operating system. */
#include "../api/support.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"

#define PAGES(n) ((size_t)(n)*OS_PAGE)

/* --- waiting ---------------------------------------------------------------------------------------------------- */

START_TEST(the_clock_does_not_go_back)
{
    uint64_t before = os_now_ns();
    for (size_t i = 0; i < 100000; i++) {
        const uint64_t now = os_now_ns();
        ck_assert_uint_ge(now, before);
        before = now;
    }
}
END_TEST

/* A wait that ignored its deadline would hang, and the harness would end the test. */
START_TEST(a_futex_wait_ends_at_its_deadline)
{
    static const uint64_t delays_ns[] = { 0, 1, 1000, 1000000, 20000000 };
    _Atomic uint32_t word = 5;
    for (size_t i = 0; i < COUNT_OF(delays_ns); i++) {
        const uint64_t deadline = os_now_ns() + delays_ns[i];
        while (os_now_ns() < deadline)
            os_futex_wait(&word, 5, deadline);
        os_futex_wait(&word, 5, deadline); /* past it */
    }
    os_futex_wait(&word, 5, 0);
}
END_TEST

START_TEST(a_futex_wait_for_another_value_returns)
{
    _Atomic uint32_t word = 5;
    os_futex_wait(&word, 4, OS_NEVER);
    os_futex_wait(&word, 4, os_now_ns() + (uint64_t)1000000000 * 3600);
}
END_TEST

START_TEST(futex_calls_leave_errno_alone)
{
    _Atomic uint32_t word = 5;
    errno = ENOTTY;
    os_futex_wait(&word, 4, OS_NEVER);
    os_futex_wait(&word, 5, 1);
    os_futex_wake(&word, 1);
    ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

struct ping_pong {
    _Atomic uint32_t ball, returned;
};

enum { BALLS = 2000 };

static void *return_balls(void *argument)
{
    struct ping_pong *const game = argument;
    for (uint32_t i = 0; i < BALLS; i++) {
        while (pacl_load_seq_cst(&game->ball) == i)
            os_futex_wait(&game->ball, i, OS_NEVER);
        pacl_store_seq_cst(&game->returned, i + 1);
        os_futex_wake(&game->returned, 1);
    }
    return NULL;
}

START_TEST(a_wake_ends_a_wait_without_a_deadline)
{
    struct ping_pong game = { 0 };
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, return_balls, &game), 0);
    for (uint32_t i = 0; i < BALLS; i++) {
        pacl_store_seq_cst(&game.ball, i + 1);
        os_futex_wake(&game.ball, 1);
        while (pacl_load_seq_cst(&game.returned) == i)
            os_futex_wait(&game.returned, i, OS_NEVER);
    }
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

/* --- fences ----------------------------------------------------------------------------------------------------- */

/* Each round both threads store, fence and load the other's word: one of them must see the other's store. Words have
 * cache lines of their own, so that a store is under way for long, and each value is a round's number. */
struct side {
    _Alignas(64) _Atomic uint32_t arrived;
    _Alignas(64) _Atomic uint32_t word;
    _Alignas(64) _Atomic uint32_t seen; /* in the other side's word */
    _Atomic uint32_t finished;
};

static struct side light, heavy;

enum { ROUNDS = 30000 };

static void await(_Atomic uint32_t *word, uint32_t value)
{
    for (unsigned looks = 0; pacl_load_acquire(word) < value; looks++) {
        if (looks > 1000)
            sched_yield(); /* the other thread may share this processor */
    }
}

/* Both sides leave at about the same time; a wait between here and the stores would hide what is looked for. */
static void meet(struct side *own, struct side *other, uint32_t round)
{
    pacl_store_release(&own->arrived, round);
    await(&other->arrived, round);
}

static void *run_heavy_side(void *argument)
{
    (void)argument;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        meet(&heavy, &light, round);
        pacl_store_relaxed(&heavy.word, round);
        os_fence_heavy();
        pacl_store_relaxed(&heavy.seen, pacl_load_relaxed(&light.word));
        pacl_store_release(&heavy.finished, round);
    }
    return NULL;
}

static void run_litmus(void)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, run_heavy_side, NULL), 0);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        meet(&light, &heavy, round);
        pacl_store_relaxed(&light.word, round);
        os_fence_light();
        const uint32_t seen = pacl_load_relaxed(&heavy.word);
        await(&heavy.finished, round);
        ck_assert_msg(seen == round || pacl_load_relaxed(&heavy.seen) == round, "round %u: neither saw the other",
                      round);
    }
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

START_TEST(light_and_heavy_fence)
{
    os_init();
    run_litmus();
}
END_TEST

START_TEST(fences_without_membarrier)
{
    os_fence_is_asymmetric = false;
    run_litmus();
}
END_TEST

/* --- threads and the machine ------------------------------------------------------------------------------------ */

struct started {
    sem_t done;
    sigset_t blocked;
    char name[16];
};

static void look_around(void *argument)
{
    struct started *const s = argument;
    pthread_sigmask(SIG_SETMASK, NULL, &s->blocked);
    sem_post(&s->done);
}

static void ask_for_name(void *argument)
{
    struct started *const s = argument;
    prctl(PR_GET_NAME, s->name);
    sem_post(&s->done);
}

static void start_and_wait(void (*run)(void *), struct started *s, size_t stack)
{
    sem_init(&s->done, 0, 0);
    ck_assert_int_eq(os_thread_start(run, s, "pacl-test", stack), 0);
    while (sem_wait(&s->done) != 0)
        ck_assert_int_eq(errno, EINTR);
}

START_TEST(a_thread_starts_with_its_signals_blocked)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGCHLD, SIGPROF };
    static struct started s;
    sigset_t own, after;
    sigemptyset(&own);
    sigaddset(&own, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    start_and_wait(look_around, &s, (size_t)256 << 10);
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        ck_assert_msg(sigismember(&s.blocked, signals[i]) == 1, "signal %d", signals[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ck_assert_int_eq(sigismember(&after, SIGUSR1), 0);
    ck_assert_int_eq(sigismember(&after, SIGUSR2), 1);
}
END_TEST

START_TEST(a_thread_gets_its_name)
{
    static struct started s;
    start_and_wait(ask_for_name, &s, 0);
    ck_assert_str_eq(s.name, "pacl-test");
}
END_TEST

START_TEST(usable_processors_follow_the_affinity)
{
    const unsigned all = os_usable_cpus();
    cpu_set_t before, one;
    ck_assert_uint_ge(all, 1);
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    ck_assert_uint_le(all, (unsigned)CPU_COUNT(&before));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_uint_eq(os_usable_cpus(), 1);
}
END_TEST

START_TEST(the_machine_s_memory)
{
    ck_assert_uint_eq(os_memory_bytes(), (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    ck_assert_int_eq(sysconf(_SC_PAGESIZE), OS_PAGE);
}
END_TEST

/* --- address space ---------------------------------------------------------------------------------------------- */

static uint8_t *reserve(size_t bytes, size_t align)
{
    uint8_t *const at = os_reserve(bytes, align);
    ck_assert_ptr_nonnull(at);
    ck_assert_uint_eq((uintptr_t)at % align, 0);
    return at;
}

START_TEST(reserved_ranges_are_aligned)
{
    for (size_t align = OS_PAGE; align <= (size_t)1 << 30; align *= 2) {
        uint8_t *const at = reserve(PAGES(3), align);
        ck_assert(os_is_mapped(at, PAGES(3)));
        os_release(at, PAGES(3));
        ck_assert(!os_is_mapped(at, OS_PAGE));
    }
}
END_TEST

START_TEST(more_than_the_address_space_is_not_reserved)
{
    ck_assert_ptr_null(os_reserve((size_t)1 << 62, OS_PAGE));
    ck_assert_ptr_null(os_reserve(SIZE_MAX, (size_t)1 << 30));
    ck_assert_ptr_null(os_reserve(SIZE_MAX - ((size_t)1 << 30) + 1, (size_t)1 << 30));
}
END_TEST

START_TEST(committed_memory_is_zero_and_so_is_discarded_memory)
{
    uint8_t *const at = reserve(PAGES(8), OS_PAGE);
    ck_assert_int_eq(os_commit(at + PAGES(2), PAGES(4)), 0);
    ASSERT_ALL_BYTES(at + PAGES(2), PAGES(4), 0);
    memset(at + PAGES(2), POISON, PAGES(4));
    os_discard(at + PAGES(3), PAGES(2));
    ASSERT_ALL_BYTES(at + PAGES(2), PAGES(1), POISON);
    ASSERT_ALL_BYTES(at + PAGES(3), PAGES(2), 0);
    ASSERT_ALL_BYTES(at + PAGES(5), PAGES(1), POISON);
    os_want_huge_pages(at + PAGES(2), PAGES(4));
    ASSERT_ALL_BYTES(at + PAGES(5), PAGES(1), POISON);
    os_release(at, PAGES(8));
}
END_TEST

START_TEST(two_mappings_of_shared_memory)
{
    uint8_t *const one = reserve(PAGES(4), OS_PAGE), *const two = reserve(PAGES(4), OS_HUGE_PAGE);
    const int fd = os_shared_create("pacl-test", PAGES(4));
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(os_shared_map(fd, one, PAGES(4)), 0);
    ck_assert_int_eq(os_shared_map(fd, two, PAGES(4)), 0);
    ck_assert_int_eq(os_commit(one, PAGES(4)), 0);
    ck_assert_int_eq(os_commit(two, PAGES(4)), 0);
    close(fd);
    ASSERT_ALL_BYTES(one, PAGES(4), 0);
    memset(one, POISON, PAGES(4));
    ASSERT_ALL_BYTES(two, PAGES(4), POISON);
    os_shared_discard(two + PAGES(1), PAGES(2));
    ASSERT_ALL_BYTES(one, PAGES(1), POISON);
    ASSERT_ALL_BYTES(one + PAGES(1), PAGES(2), 0);
    ASSERT_ALL_BYTES(one + PAGES(3), PAGES(1), POISON);
}
END_TEST

START_TEST(shared_memory_that_cannot_be)
{
    ck_assert_int_eq(os_shared_create("pacl-test", SIZE_MAX), -1);
    ck_assert_int_ne(os_shared_map(-1, reserve(OS_PAGE, OS_PAGE), OS_PAGE), 0);
}
END_TEST

/* --- is it mapped ----------------------------------------------------------------------------------------------- */

/* `count` pages in a reservation of their own, of which page `hole` is not mapped. */
static uint8_t *pages_with_hole(size_t count, size_t hole)
{
    uint8_t *const at = reserve(PAGES(count), OS_PAGE);
    ck_assert_int_eq(os_commit(at, PAGES(count)), 0);
    os_release(at + PAGES(hole), OS_PAGE);
    return at;
}

START_TEST(mapped_to_the_byte)
{
    uint8_t *const at = pages_with_hole(8, 4);
    const struct {
        size_t from, bytes;
        bool mapped;
    } cases[] = {
        { 0, 1, true },
        { 0, PAGES(4), true },
        { 0, PAGES(4) + 1, false },
        { PAGES(4) - 1, 1, true },
        { PAGES(4) - 1, 2, false },
        { PAGES(4), 1, false },
        { PAGES(4) + 100, 1, false },
        { PAGES(5) - 1, 1, false },
        { PAGES(5) - 1, 2, false },
        { PAGES(5), 1, true },
        { PAGES(5), PAGES(3), true },
        { 1, PAGES(4) - 1, true },
        { 1, PAGES(4), false },
        { 0, PAGES(8), false },
        { PAGES(4), 0, true }, /* no byte is asked about */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const bool got = os_is_mapped(at + cases[i].from, cases[i].bytes);
        ck_assert_msg(got == cases[i].mapped, "%zu bytes from %zu", cases[i].bytes, cases[i].from);
    }
}
END_TEST

START_TEST(mapped_over_many_pages)
{
    static const size_t holes[] = { 1, 1023, 1024, 1025, 2047, 2048, 2999 };
    for (size_t i = 0; i < COUNT_OF(holes); i++) {
        uint8_t *const at = pages_with_hole(3001, holes[i]);
        ck_assert(os_is_mapped(at, PAGES(holes[i])));
        ck_assert_msg(!os_is_mapped(at, PAGES(3001)), "hole at page %zu", holes[i]);
        ck_assert_msg(!os_is_mapped(at + 17, PAGES(holes[i])), "hole at page %zu", holes[i]);
        ck_assert(os_is_mapped(at + PAGES(holes[i] + 1), PAGES(3000 - holes[i])));
    }
}
END_TEST

START_TEST(mapped_at_the_ends_of_the_address_space)
{
    errno = ENOTTY;
    ck_assert(!os_is_mapped(NULL, 1));
    ck_assert(!os_is_mapped((const void *)(UINTPTR_MAX - 10), 5));
    ck_assert(!os_is_mapped((const void *)(UINTPTR_MAX - 10), 100)); /* wraps */
    ck_assert(!os_is_mapped(&fx, SIZE_MAX));
    ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

/* --- keys ------------------------------------------------------------------------------------------------------- */

/* Without keys opening and closing must do nothing at all. */
START_TEST(an_open_guard_without_keys)
{
    ck_assert_int_eq(os_guard_key, -1);
    os_guard_close(os_guard_open());
    ck_assert_int_eq(os_guard_key, -1);
}
END_TEST

static uint8_t *keyed; /* a page under the key */

static void touch_closed(void)
{
    signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own handler */
    *(volatile uint8_t *)keyed = 1;
}

static void touch_open(void)
{
    const uint32_t saved = os_guard_open();
    *(volatile uint8_t *)keyed = 1;
    os_guard_close(saved);
}

START_TEST(a_key_opens_for_one_thread)
{
    if (!os_guard_create()) {
        printf("not run: this machine has no memory protection keys\n");
        return;
    }
    keyed = reserve(OS_PAGE, OS_PAGE);
    ck_assert_int_eq(os_guard_commit(keyed, OS_PAGE), 0);
    ck_assert_int_eq(in_child(touch_open), 0);
    const int status = in_child(touch_closed);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("os", NULL, NULL);
    tcase_add_test(tc, the_clock_does_not_go_back);
    tcase_add_test(tc, a_futex_wait_ends_at_its_deadline);
    tcase_add_test(tc, a_futex_wait_for_another_value_returns);
    tcase_add_test(tc, futex_calls_leave_errno_alone);
    tcase_add_test(tc, a_wake_ends_a_wait_without_a_deadline);
    tcase_add_test(tc, light_and_heavy_fence);
    tcase_add_test(tc, fences_without_membarrier);
    tcase_add_test(tc, a_thread_starts_with_its_signals_blocked);
    tcase_add_test(tc, a_thread_gets_its_name);
    tcase_add_test(tc, usable_processors_follow_the_affinity);
    tcase_add_test(tc, the_machine_s_memory);
    tcase_add_test(tc, reserved_ranges_are_aligned);
    tcase_add_test(tc, more_than_the_address_space_is_not_reserved);
    tcase_add_test(tc, committed_memory_is_zero_and_so_is_discarded_memory);
    tcase_add_test(tc, two_mappings_of_shared_memory);
    tcase_add_test(tc, shared_memory_that_cannot_be);
    tcase_add_test(tc, mapped_to_the_byte);
    tcase_add_test(tc, mapped_over_many_pages);
    tcase_add_test(tc, mapped_at_the_ends_of_the_address_space);
    tcase_add_test(tc, an_open_guard_without_keys);
    tcase_add_test(tc, a_key_opens_for_one_thread);
    return run_cases("os", tc, (TCase *)NULL);
}
