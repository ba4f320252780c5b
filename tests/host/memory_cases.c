/* SPDX-License-Identifier: Apache-2.0 */
/* Host code that touches pinned memory while a copy is in flight, by instructions of its own or of the C library. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "accesses.h"

/* At any address, by one instruction. */
struct eight {
    uint64_t value;
} __attribute__((packed));

static uint64_t read_eight(const unsigned char *at)
{
    return ((const volatile struct eight *)(const void *)at)->value;
}

static void write_eight(unsigned char *at, uint64_t value)
{
    ((volatile struct eight *)(void *)at)->value = value;
}

/* --- wrong ------------------------------------------------------------------------------------------------------ */

static void R11_read_before_synchronize(void)
{
    download_rows();
    sink += *(volatile unsigned char *)(host + AT);
    finish();
    MUST(rows_are(NEW, OLD));
}

static void R09_memset_source_before_synchronize(void)
{
    upload_rows();
    memset(host, 0xFF, BYTES);
    MUST(host[BYTES - 1] == 0xFF);
}

static void R21_synchronize_another_stream(void)
{
    close_gate(other_stream);
    OK(aclrtMemcpyAsync(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, other_stream));
    OK(aclrtSynchronizeStream(stream));
    sink += *(volatile unsigned char *)(host + 5);
}

/* The free is what is wrong, and is found by who looks at frees. */
static void R08_free_source_in_flight(void)
{
    upload_rows();
    OK(aclrtFreeHost(host));
    host = NULL;
}

static void last_byte_of_last_row(void)
{
    download_rows();
    sink += *(volatile unsigned char *)(host + END - 1);
}

static void eight_bytes_of_which_the_last(void)
{
    download_rows();
    sink += (unsigned)read_eight(host + AT - 7);
}

static void eight_bytes_of_which_the_first(void)
{
    download_rows();
    write_eight(host + AT + WIDTH - 1, 0);
}

static void tiny_copy_that_has_run(void)
{
    OK(aclrtMemcpyAsync(host, 16, device, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    sink += *(volatile unsigned char *)(host + 15);
}

static void *read_row(void *unused)
{
    sink += *(volatile unsigned char *)(host + AT + PITCH);
    return unused;
}

static void another_thread_reads(void)
{
    pthread_t thread;
    download_rows();
    MUST(pthread_create(&thread, NULL, read_row, NULL) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

static void *read_row_with_signals_blocked(void *unused)
{
    sigset_t all;
    sigfillset(&all);
    MUST(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
    return read_row(unused);
}

static void thread_that_blocks_signals_reads(void)
{
    pthread_t thread;
    download_rows();
    MUST(pthread_create(&thread, NULL, read_row_with_signals_blocked, NULL) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

/* Touching its neighbours first must not take the guard from the block in between. */
static void small_block_between_others(void)
{
    unsigned char *block[3];
    for (int i = 0; i < 3; i++)
        OK(aclrtMallocHost((void **)&block[i], 64));
    close_gate(stream);
    OK(aclrtMemcpyAsync(block[1], 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    memset(block[0], 5, 64);
    memset(block[2], 5, 64);
    sink += *(volatile unsigned char *)(block[1] + 63);
}

static void memcpy_from_destination(void)
{
    static unsigned char copy[BYTES];
    download_rows();
    memcpy(copy, host, BYTES);
    MUST(copy[AT] == OLD); /* the access goes on as it would have */
    sink += copy[17];
}

/* --- right ------------------------------------------------------------------------------------------------------ */

static void R11_read_after_synchronize(void)
{
    download_rows();
    open_gate();
    OK(aclrtSynchronizeStream(stream));
    MUST(rows_are(NEW, OLD));
    memset(host, 7, BYTES);
    MUST(rows_are(7, 7));
}

static void R32_pageable_destination_is_complete(void)
{
    static unsigned char pageable[BYTES];
    for (int i = 0; i < 20; i++) {
        OK(aclrtMemsetAsync(device, BYTES, i, BYTES, stream));
        OK(aclrtMemcpyAsync(pageable, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        MUST(pageable[0] == i && pageable[BYTES - 1] == i);
        pageable[1] = 0xEE;
    }
}

static void R21_synchronize_the_right_stream(void)
{
    close_gate(other_stream);
    OK(aclrtMemcpyAsync(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, other_stream));
    open_gate();
    OK(aclrtSynchronizeStream(other_stream));
    MUST(host[5] == NEW);
}

static void neighbours_by_one_byte(void)
{
    download_rows();
    volatile unsigned char *const bytes = host;
    for (int row = 0; row < ROWS; row++) {
        MUST(bytes[AT + row * PITCH - 1] == OLD && bytes[AT + row * PITCH + WIDTH] == OLD);
        bytes[AT + row * PITCH - 1] = 5;
        bytes[AT + row * PITCH + WIDTH] = 6;
    }
    for (int row = 0; row < ROWS; row++)
        MUST(bytes[AT + row * PITCH - 1] == 5 && bytes[AT + row * PITCH + WIDTH] == 6);
    MUST(read_eight(host + AT + WIDTH) != 0);
    write_eight(host + AT - 8, read_eight(host + AT + WIDTH));
    finish();
    MUST(host[AT] == NEW && host[END - 1] == NEW && host[AT - 8] == 6 && host[AT + WIDTH] == 6);
}

/* Through pages and past them, with whatever instructions the C library has for each size. */
static void padding_by_the_c_library(void)
{
    unsigned char copy[PITCH - WIDTH];
    download_rows();
    for (size_t bytes = 1; bytes <= sizeof copy; bytes++) {
        for (int row = 0; row < ROWS; row += 33) {
            unsigned char *const gap = host + AT + row * PITCH + WIDTH;
            memset(gap, (int)bytes, bytes);
            memcpy(copy, gap, bytes);
            MUST(copy[0] == (unsigned char)bytes && copy[bytes - 1] == (unsigned char)bytes);
        }
    }
    memset(host + END, 9, BYTES - END);
    MUST(host[BYTES - 1] == 9);
}

static void length_of_a_string_beside(void)
{
    download_rows();
    for (size_t bytes = 0; bytes < PITCH - WIDTH; bytes++) {
        char *const text = (char *)host + AT + WIDTH;
        memset(text, 'x', bytes);
        text[bytes] = '\0';
        MUST(strlen(text) == bytes && strchr(text, 'y') == NULL);
    }
}

static void read_source_in_flight(void)
{
    upload_rows();
    MUST(rows_are(OLD, OLD));
    MUST(read_eight(host + AT) != 0);
}

/* A set of host memory is made by the call itself. */
static void set_of_host_memory(void)
{
    OK(aclrtMemsetAsync(host, BYTES, 3, 64, stream));
    MUST(host[63] == 3);
}

/* Small blocks share a page; one of them is in flight. */
static void small_blocks_on_one_page(void)
{
    unsigned char *block[3];
    for (int i = 0; i < 3; i++) {
        OK(aclrtMallocHost((void **)&block[i], 64));
        memset(block[i], OLD, 64);
    }
    close_gate(stream);
    OK(aclrtMemcpyAsync(block[1], 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    for (int i = 0; i < 3; i += 2) {
        memset(block[i], 5, 64);
        MUST(block[i][0] == 5 && block[i][63] == 5);
    }
    finish();
    MUST(block[1][0] == NEW && block[1][63] == NEW);
    for (int i = 0; i < 3; i++)
        OK(aclrtFreeHost(block[i]));
}

static void other_block_in_flight(void)
{
    download_rows();
    memset(other_host, 9, BYTES);
    MUST(other_host[0] == 9 && other_host[BYTES - 1] == 9);
}

static void event_of_another_stream(void)
{
    close_gate(other_stream);
    OK(aclrtMemcpyAsync(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, other_stream));
    OK(aclrtRecordEvent(event, other_stream));
    OK(aclrtStreamWaitEvent(stream, event));
    open_gate();
    OK(aclrtSynchronizeStream(stream));
    MUST(host[5] == NEW);
    host[6] = 7;
}

static void host_waits_for_event(void)
{
    download_rows();
    OK(aclrtRecordEvent(event, stream));
    open_gate();
    OK(aclrtSynchronizeEvent(event));
    MUST(rows_are(NEW, OLD));
}

static void query_says_complete(void)
{
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    download_rows();
    open_gate();
    while (status != ACL_STREAM_STATUS_COMPLETE)
        OK(aclrtStreamQuery(stream, &status));
    MUST(rows_are(NEW, OLD));
}

static void use_result(void *unused)
{
    (void)unused;
    MUST(host[AT] == NEW);
    host[AT + 1] = 3;
}

static void host_function_reads_the_result(void)
{
    download_rows();
    OK(aclrtLaunchHostFunc(stream, use_result, NULL));
    OK(aclrtMemcpyAsync(device, WIDTH, host + AT, WIDTH, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void *read_all_rows(void *unused)
{
    MUST(rows_are(NEW, OLD));
    return unused;
}

static void one_thread_synchronizes_and_starts_another(void)
{
    pthread_t thread;
    download_rows();
    open_gate();
    OK(aclrtSynchronizeStream(stream));
    MUST(pthread_create(&thread, NULL, read_all_rows, NULL) == 0);
    MUST(pthread_join(thread, NULL) == 0);
}

/* Two threads let through on the same page again and again, each at its own byte. */
static void *count_up(void *at)
{
    volatile unsigned *const counter = at;
    for (unsigned i = 0; i < 2000; i++)
        ++*counter;
    return NULL;
}

static void threads_count_in_one_gap(void)
{
    pthread_t threads[2];
    download_rows();
    memset(host + AT + WIDTH, 0, 16);
    for (int i = 0; i < 2; i++)
        MUST(pthread_create(&threads[i], NULL, count_up, host + AT + WIDTH + i * 8) == 0);
    for (int i = 0; i < 2; i++)
        MUST(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < 2; i++)
        MUST(*(unsigned *)(void *)(host + AT + WIDTH + i * 8) == 2000);
}

/* A handler that interrupts the library wherever it is. */
static void touch_gap(int signal)
{
    (void)signal;
    ++*(volatile unsigned char *)(host + AT + WIDTH);
}

static void signal_handler_touches_a_gap(void)
{
    const struct sigaction action = { .sa_handler = touch_gap, .sa_flags = SA_RESTART };
    const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
    MUST(sigaction(SIGALRM, &action, NULL) == 0);
    MUST(setitimer(ITIMER_REAL, &often, NULL) == 0);
    download_rows();
    for (int i = 0; i < 3000; i++) {
        OK(aclrtMemcpyAsync(other_host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, other_stream));
        OK(aclrtSynchronizeStream(other_stream));
        other_host[1] = 1;
    }
    MUST(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void catch_it(int signal)
{
    caught = signal;
    siglongjmp(back, 1);
}

static void fault_and_come_back(void)
{
    void *const nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(nothing != MAP_FAILED);
    caught = 0;
    if (sigsetjmp(back, 1) == 0)
        sink += *(volatile unsigned char *)nothing;
    MUST(caught == SIGSEGV);
    MUST(munmap(nothing, 4096) == 0);
}

/* The program's own handler has the program's own faults, and ours go on beside it. */
static void own_handler_of_faults(void)
{
    struct sigaction action = { .sa_handler = catch_it }, before;
    download_rows();
    MUST(*(volatile unsigned char *)(host + AT - 1) == OLD);
    MUST(sigaction(SIGSEGV, &action, &before) == 0);
    MUST(before.sa_handler == SIG_DFL);
    fault_and_come_back();
    MUST(*(volatile unsigned char *)(host + AT - 1) == OLD);
    fault_and_come_back();
    MUST(sigaction(SIGSEGV, NULL, &action) == 0 && action.sa_handler == catch_it);
    MUST(signal(SIGSEGV, SIG_DFL) == catch_it);
    *(volatile unsigned char *)(host + AT - 1) = 4;
    MUST(host[AT - 1] == 4);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static volatile sig_atomic_t in_fault, allocations_in_fault;

extern void *__libc_malloc(size_t size);

/* In place of the C library's, for the whole process. */
void *malloc(size_t size)
{
    allocations_in_fault += in_fault;
    return __libc_malloc(size);
}

/* A handler that is to be called once. The fault may be anywhere, in malloc itself: nothing on the way to the handler may
 * call that. */
static void handler_for_one_fault(void)
{
    const struct sigaction once = { .sa_handler = catch_it, .sa_flags = (int)SA_RESETHAND };
    struct sigaction now;
    download_rows();
    MUST(sigaction(SIGSEGV, &once, NULL) == 0);
    in_fault = 1;
    fault_and_come_back();
    in_fault = 0;
    MUST(allocations_in_fault == 0);
    MUST(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
    MUST(*(volatile unsigned char *)(host + AT - 1) == OLD);
}
#else
static void handler_for_one_fault(void)
{
}
#endif

/* Private memory is what pinned memory is without checking. */
static void child_has_its_own_copy(void)
{
    int status = 0;
    download_rows();
    host[0] = 42;
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        const bool same = host[0] == 42 && host[AT] == OLD;
        memset(host, 99, BYTES);
        _exit(same && host[AT] == 99 ? 0 : 1);
    }
    MUST(waitpid(child, &status, 0) == child);
    MUST(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    MUST(host[0] == 42 && host[BYTES - 1] == OLD);
}

/* The same buffer again and again; and one that is given back and comes again. */
static void buffers_used_again(void)
{
    for (int i = 0; i < 200; i++) {
        unsigned char *block;
        OK(aclrtMallocHost((void **)&block, BYTES));
        memset(block, i, BYTES);
        OK(aclrtMemcpyAsync(device, BYTES, block, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        OK(aclrtMemcpyAsync(host, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        OK(aclrtSynchronizeStream(stream));
        MUST(host[0] == (unsigned char)i && host[BYTES - 1] == (unsigned char)i);
        memset(host, 0, BYTES);
        OK(aclrtFreeHost(block));
    }
}

/* More stretches in flight than mappings can be cut into: some are not guarded, and nothing else changes. */
static void scattered_over_many_pages(void)
{
    enum { PAGE = 4096, COUNT = 12000 };
    unsigned char *large;
    OK(aclrtMallocHost((void **)&large, (size_t)COUNT * 2 * PAGE));
    close_gate(stream);
    for (size_t i = 0; i < COUNT; i++) {
        large[i * 2 * PAGE + 1] = OLD;
        OK(aclrtMemcpyAsync(large + i * 2 * PAGE, 1, device, 1, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        large[i * 2 * PAGE + PAGE] = OLD;
    }
    finish();
    for (size_t i = 0; i < COUNT; i++)
        MUST(large[i * 2 * PAGE] == NEW && large[i * 2 * PAGE + 1] == OLD && large[i * 2 * PAGE + PAGE] == OLD);
    OK(aclrtFreeHost(large));
}

const struct access_case memory_cases[] = {
    CASE(R11_read_before_synchronize),
    CASE(R09_memset_source_before_synchronize),
    CASE(R21_synchronize_another_stream),
    CASE(R08_free_source_in_flight),
    CASE(last_byte_of_last_row),
    CASE(eight_bytes_of_which_the_last),
    CASE(eight_bytes_of_which_the_first),
    CASE(tiny_copy_that_has_run),
    CASE(another_thread_reads),
    CASE(thread_that_blocks_signals_reads),
    CASE(small_block_between_others),
    CASE(memcpy_from_destination),
    CASE(R11_read_after_synchronize),
    CASE(R32_pageable_destination_is_complete),
    CASE(R21_synchronize_the_right_stream),
    CASE(neighbours_by_one_byte),
    CASE(padding_by_the_c_library),
    CASE(length_of_a_string_beside),
    CASE(read_source_in_flight),
    CASE(set_of_host_memory),
    CASE(small_blocks_on_one_page),
    CASE(other_block_in_flight),
    CASE(event_of_another_stream),
    CASE(host_waits_for_event),
    CASE(query_says_complete),
    CASE(host_function_reads_the_result),
    CASE(one_thread_synchronizes_and_starts_another),
    CASE(threads_count_in_one_gap),
    CASE(signal_handler_touches_a_gap),
    CASE(own_handler_of_faults),
    CASE(handler_for_one_fault),
    CASE(child_has_its_own_copy),
    CASE(buffers_used_again),
    CASE(scattered_over_many_pages),
    { NULL, NULL },
};
