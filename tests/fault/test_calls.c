/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and allocations that fail on purpose, and how often functions were called. */
#include "support.h"

#include <pacl/pacl.h>
#include <stdio.h>
#include <unistd.h>

static void set_fault(const char *rules)
{
    use_default_product();
    setenv("PACL_FAULT", rules, 1);
}

static void begin(void)
{
    ASSERT_OK(aclInit(NULL));
    ASSERT_OK(aclrtSetDevice(0));
}

/* Five allocations of device memory; bit i of the result is set if number i failed with `code`. */
static unsigned five_mallocs(aclError code)
{
    unsigned failed = 0;
    for (unsigned i = 1; i <= 5; i++) {
        void *p = NULL;
        const aclError err = aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST);
        ck_assert(err == ACL_SUCCESS || err == code);
        ck_assert((p != NULL) == (err == ACL_SUCCESS)); /* a failed call changes nothing */
        if (err != ACL_SUCCESS)
            failed |= 1U << i;
    }
    return failed;
}

START_TEST(the_nth_call_fails)
{
    set_fault("aclrtMalloc:3:ACL_ERROR_RT_FEATURE_NOT_SUPPORT");
    begin();
    ck_assert_uint_eq(five_mallocs(E_RT_FEATURE_NOT_SUPPORT), 1U << 3);
    ASSERT_MESSAGE_NAMES("aclrtMalloc", "ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000)", "call 3", "PACL_FAULT");
    ck_assert_int_eq(aclrtGetLastError(ACL_RT_THREAD_LEVEL), E_RT_FEATURE_NOT_SUPPORT);
}
END_TEST

START_TEST(without_more_every_call_fails_with_the_usual_code)
{
    set_fault("aclrtMalloc");
    begin();
    ck_assert_uint_eq(five_mallocs(E_RT_MEMORY_ALLOCATION), 0x3e);
}
END_TEST

START_TEST(from_the_nth_call_on)
{
    set_fault("aclrtMalloc:4+");
    begin();
    ck_assert_uint_eq(five_mallocs(E_RT_MEMORY_ALLOCATION), 0x30);
}
END_TEST

START_TEST(the_first_call_of_a_process_can_fail)
{
    set_fault("aclInit:1:500000");
    ASSERT_CODE(E_INTERNAL_ERROR, aclInit(NULL));
    ASSERT_OK(aclInit(NULL));
}
END_TEST

START_TEST(several_rules)
{
    set_fault("aclrtMalloc:2,aclrtMalloc:5:207000,aclrtSetDevice:1:507033");
    ASSERT_OK(aclInit(NULL));
    ASSERT_CODE(507033, aclrtSetDevice(0));
    ASSERT_OK(aclrtSetDevice(0));
    void *p;
    for (unsigned i = 1; i <= 5; i++) {
        const int want = i == 2 ? E_RT_MEMORY_ALLOCATION : i == 5 ? E_RT_FEATURE_NOT_SUPPORT : 0;
        ASSERT_CODE(want, aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    }
}
END_TEST

START_TEST(allocations_are_counted_together)
{
    void *p;
    set_fault("alloc:2,alloc:4");
    begin();
    ASSERT_OK(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMallocHost(&p, 64));
    ASSERT_MESSAGE_NAMES("aclrtMallocHost", "allocation 2", "64 bytes");
    ASSERT_OK(aclrtMallocAlign32(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMallocCached(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost(&p, 64));
}
END_TEST

/* Bit i: the i-th of 60 calls failed. */
static uint64_t random_pattern(void)
{
    uint64_t failed = 0;
    int32_t device;
    for (unsigned i = 0; i < 60; i++)
        failed |= (uint64_t)(aclrtGetDevice(&device) != ACL_SUCCESS) << i;
    return failed;
}

static void write_pattern(void)
{
    (void)aclInit(NULL);
    while (aclrtSetDevice(0) != ACL_SUCCESS)
        continue;
    const uint64_t pattern = random_pattern();
    FILE *file = fopen(getenv("PATTERN_FILE"), "wb");
    ck_assert(file != NULL && fwrite(&pattern, sizeof pattern, 1, file) == 1);
    fclose(file);
}

static uint64_t pattern_of(const char *rules)
{
    char path[] = "/tmp/pacl_pattern_XXXXXX";
    uint64_t pattern = 0;
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    set_fault(rules);
    setenv("PATTERN_FILE", path, 1);
    ck_assert_int_eq(in_child(write_pattern), 0);
    ck_assert_int_eq(read(fd, &pattern, sizeof pattern), sizeof pattern);
    close(fd);
    unlink(path);
    return pattern;
}

START_TEST(random_failures_are_the_seeds)
{
    const uint64_t one = pattern_of("random:0.3:1"), two = pattern_of("random:0.3:2");
    ck_assert_uint_eq(one, pattern_of("random:0.3:1"));
    ck_assert_uint_ne(one, two);
    const int bits = __builtin_popcountll(one) + __builtin_popcountll(two);
    ck_assert_msg(bits > 12 && bits < 60, "%d of 120 failed, expected about 36", bits);
    ck_assert_uint_eq(pattern_of("random:0:1"), 0);
}
END_TEST

START_TEST(a_wrong_rule_stops_the_program_at_its_start)
{
    set_fault("aclrtMaloc:3");
    ASSERT_CODE(E_INTERNAL_ERROR, aclInit(NULL));
    ASSERT_MESSAGE_NAMES("PACL_FAULT", "aclrtMaloc:3", "there is no function aclrtMaloc");
    ASSERT_CODE(507033, aclrtSetDevice(0));
}
END_TEST

/* --- counts ----------------------------------------------------------------------------------------------------- */

START_TEST(calls_are_counted_from_a_reset_on)
{
    int32_t device;
    use_default_product();
    begin();
    ck_assert_uint_eq(pacl_call_count("aclrtSetDevice"), 0);
    pacl_call_count_reset();
    for (unsigned i = 0; i < 3; i++)
        ASSERT_OK(aclrtGetDevice(&device));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMalloc(NULL, 1, ACL_MEM_MALLOC_HUGE_FIRST));
    (void)aclrtGetSocName();
    ck_assert_uint_eq(pacl_call_count("aclrtGetDevice"), 3);
    ck_assert_uint_eq(pacl_call_count("aclrtMalloc"), 1);
    ck_assert_uint_eq(pacl_call_count("aclrtGetSocName"), 1);
    ck_assert_uint_eq(pacl_call_count("aclrtSetDevice"), 0);
    ck_assert_uint_eq(pacl_call_count("no such function"), 0);
    ck_assert_uint_eq(pacl_call_count(NULL), 0);
    pacl_call_count_reset();
    ck_assert_uint_eq(pacl_call_count("aclrtGetDevice"), 0);
}
END_TEST

START_TEST(with_the_variable_calls_are_counted_from_the_start)
{
    use_default_product();
    setenv("PACL_COUNT", "1", 1);
    begin();
    ck_assert_uint_eq(pacl_call_count("aclInit"), 1);
    ck_assert_uint_eq(pacl_call_count("aclrtSetDevice"), 1);
}
END_TEST

START_TEST(calls_that_fail_on_purpose_count)
{
    set_fault("aclrtMalloc");
    begin();
    pacl_call_count_reset();
    (void)five_mallocs(E_RT_MEMORY_ALLOCATION);
    ck_assert_uint_eq(pacl_call_count("aclrtMalloc"), 5);
}
END_TEST

static void *many_mallocs(void *failures)
{
    void *p;
    for (unsigned i = 0; i < 1000; i++) {
        if (aclrtSetDevice(0) == ACL_SUCCESS && aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS)
            atomic_fetch_add((atomic_uint *)failures, 1);
    }
    return NULL;
}

/* Which thread's call is the n-th is open; that exactly one is, is not. */
START_TEST(one_of_several_threads_fails)
{
    pthread_t threads[4];
    atomic_uint failures = 0;
    set_fault("aclrtMalloc:1500,alloc:700");
    setenv("PACL_COUNT", "1", 1);
    begin();
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, many_mallocs, &failures), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(atomic_load(&failures), 2);
    ck_assert_uint_eq(pacl_call_count("aclrtMalloc"), 4000);
}
END_TEST

/* --- at exit ----------------------------------------------------------------------------------------------------- */

static const char *rules_of_child;

static void exit_after_work(void)
{
    void *p;
    ck_assert_ptr_nonnull(freopen(getenv("ERROR_FILE"), "w", stderr));
    set_fault(rules_of_child);
    begin();
    (void)five_mallocs(E_RT_MEMORY_ALLOCATION);
    ASSERT_OK(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemsetAsync(p, 64, 0, 64, NULL));
    (void)aclrtSynchronizeStream(NULL);
    exit(0);
}

/* What a process that works under the rules and then exits writes on standard error. */
static void read_errors(const char *rules, char *text, size_t size)
{
    char path[] = "/tmp/pacl_fault_XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    setenv("ERROR_FILE", path, 1);
    rules_of_child = rules;
    ck_assert_int_eq(in_child(exit_after_work), 0);
    const ssize_t got = read(fd, text, size - 1);
    ck_assert_int_ge(got, 0);
    text[got] = '\0';
    close(fd);
    unlink(path);
}

START_TEST(rules_by_which_nothing_failed_are_named_at_exit)
{
    char text[512];
    read_errors("aclrtMalloc:7,aclrtMalloc:2,alloc:6,aclrtFree,random:0:1,aclrtMemsetAsync:2:async", text, sizeof text);
    const char *line = strstr(text, "pacl-fault: ");
    ck_assert_ptr_nonnull(line);
    ck_assert_str_eq(line,
                     "pacl-fault: nothing has failed by aclrtMalloc:7 (6 calls), alloc:6 (5 allocations), aclrtFree (0 "
                     "calls), random:0:1 (10 calls), aclrtMemsetAsync:2:async (1 task)\n");
}
END_TEST

START_TEST(rules_that_have_hit_are_not)
{
    char text[512];
    read_errors("aclrtMalloc:5,alloc:1,aclrtMemsetAsync:1:async", text, sizeof text);
    ck_assert_ptr_null(strstr(text, "pacl-fault"));
}
END_TEST

int main(void)
{
    TCase *faults = new_case("faults", NULL, NULL), *counts = new_case("counts", NULL, NULL);
    tcase_add_test(faults, the_nth_call_fails);
    tcase_add_test(faults, without_more_every_call_fails_with_the_usual_code);
    tcase_add_test(faults, from_the_nth_call_on);
    tcase_add_test(faults, the_first_call_of_a_process_can_fail);
    tcase_add_test(faults, several_rules);
    tcase_add_test(faults, allocations_are_counted_together);
    tcase_add_test(faults, random_failures_are_the_seeds);
    tcase_add_test(faults, a_wrong_rule_stops_the_program_at_its_start);
    tcase_add_test(faults, one_of_several_threads_fails);
    tcase_add_test(faults, rules_by_which_nothing_failed_are_named_at_exit);
    tcase_add_test(faults, rules_that_have_hit_are_not);
    tcase_add_test(counts, calls_are_counted_from_a_reset_on);
    tcase_add_test(counts, with_the_variable_calls_are_counted_from_the_start);
    tcase_add_test(counts, calls_that_fail_on_purpose_count);
    return run_cases("fault_calls", faults, counts, NULL);
}
