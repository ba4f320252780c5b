/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and the last error: what a thread, or the process, remembers of its failures. */
#include "../api/support.h"

#include <malloc.h>
#include <stdio.h>

#include "base/error.h"

enum { KEPT = 16 }; /* unread messages that a store keeps */

/* Fails with a text of the form "test: ACL_ERROR_RT_PARAM_INVALID (107000): <what> <number>". */
static void fail_numbered(const char *what, int number)
{
    ck_assert_int_eq(PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s %d", what, number), E_RT_PARAM_INVALID);
}

static void name_call(void)
{
    pacl_self.call = "test";
}

#define PREFIX "test: ACL_ERROR_RT_PARAM_INVALID (107000): "

/* --- messages --------------------------------------------------------------------------------------------------- */

START_TEST(a_message_names_call_code_and_values)
{
    ck_assert_ptr_null(pacl_error_take_texts());
    fail_numbered("width", 7);
    ck_assert_str_eq(pacl_error_take_texts(), PREFIX "width 7");
    ck_assert_ptr_null(pacl_error_take_texts());
}
END_TEST

START_TEST(a_message_without_a_call)
{
    pacl_self.call = NULL;
    fail_numbered("width", 7);
    ck_assert_str_eq(pacl_error_take_texts(), "pacl: ACL_ERROR_RT_PARAM_INVALID (107000): width 7");
}
END_TEST

/* What the caller passes in is an argument of the message, never its format. */
START_TEST(a_text_with_percent_signs_is_kept_as_it_is)
{
    pacl_self.call = NULL;
    ck_assert_int_eq(PACL_FAIL(ACL_ERROR_RT_SYS_DMA, "%s", "100% queued %s earlier"), E_RT_SYS_DMA);
    ck_assert_str_eq(pacl_error_take_texts(), "pacl: ACL_ERROR_RT_SYS_DMA (507013): 100% queued %s earlier");
    ck_assert_int_eq(pacl_error_last(false), E_RT_SYS_DMA);
}
END_TEST

static void assert_newest_first(const char *what, int newest, int count)
{
    char want[KEPT * PACL_TEXT_MAX] = "";
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(want);
        snprintf(want + used, sizeof want - used, "%s" PREFIX "%s %d", i > 0 ? "\n" : "", what, newest - i);
    }
    ck_assert_pstr_eq(pacl_error_take_texts(), count > 0 ? want : NULL);
}

START_TEST(unread_messages_come_newest_first)
{
    for (int count = 1; count <= KEPT; count++) {
        for (int i = 1; i <= count; i++)
            fail_numbered("row", i);
        assert_newest_first("row", count, count);
        ck_assert_ptr_null(pacl_error_take_texts());
    }
}
END_TEST

START_TEST(the_oldest_message_makes_room)
{
    for (int i = 1; i <= 3 * KEPT + 5; i++) {
        fail_numbered("row", i);
        if (i == 7 || i == 2 * KEPT + 1) /* read at odd places of the ring */
            assert_newest_first("row", i, i == 7 ? 7 : KEPT);
    }
    assert_newest_first("row", 3 * KEPT + 5, KEPT);
}
END_TEST

START_TEST(a_long_message_is_cut)
{
    char value[2 * PACL_TEXT_MAX];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (size_t length = PACL_TEXT_MAX - 2 - strlen(PREFIX); length < sizeof value;
         length += length < PACL_TEXT_MAX ? 1 : 100) {
        const size_t whole = strlen(PREFIX) + length;
        (void)PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%.*s", (int)length, value);
        const char *const text = pacl_error_take_texts();
        ck_assert_ptr_nonnull(text);
        ck_assert_uint_eq(strlen(text), whole < PACL_TEXT_MAX ? whole : PACL_TEXT_MAX - 1);
        ck_assert_int_eq(strncmp(text, PREFIX "xxx", strlen(PREFIX) + 3), 0);
    }
}
END_TEST

START_TEST(a_full_store_of_long_messages_is_handed_out_whole)
{
    char value[2 * PACL_TEXT_MAX];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (int i = 0; i < KEPT + 1; i++)
        (void)PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s", value);
    const char *const text = pacl_error_take_texts();
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(strlen(text), (size_t)KEPT * PACL_TEXT_MAX - 1); /* 16 texts and 15 newlines */
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

static void *run_body(void *body)
{
    void (*const *const fn)(void) = body;
    name_call();
    (*fn)();
    return NULL;
}

static void in_thread(void (*body)(void))
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, run_body, (void *)&body), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static const char *seen; /* what the other thread took */
static char seen_text[KEPT * PACL_TEXT_MAX];

static void take_texts(void)
{
    const char *const text = pacl_error_take_texts();
    seen = text != NULL ? strcpy(seen_text, text) : NULL;
}

static void fail_and_take(void)
{
    (void)PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "of the other thread");
    take_texts();
}

#define OTHER "test: ACL_ERROR_RT_INVALID_HANDLE (107017): of the other thread"

START_TEST(each_thread_has_its_own_messages)
{
    fail_numbered("own", 1);
    in_thread(take_texts);
    ck_assert_ptr_null(seen);
    in_thread(fail_and_take);
    ck_assert_str_eq(seen, OTHER);
    ck_assert_int_eq(pacl_error_last(false), E_RT_PARAM_INVALID);
    assert_newest_first("own", 1, 1);
}
END_TEST

START_TEST(a_process_wide_store_serves_all_threads)
{
    pacl_error_share_texts(true);
    fail_numbered("own", 1);
    in_thread(take_texts);
    ck_assert_str_eq(seen, PREFIX "own 1");
    ck_assert_ptr_null(pacl_error_take_texts());
    ck_assert_int_eq(pacl_error_last(false), E_RT_PARAM_INVALID); /* the last error stays the thread's */
}
END_TEST

/* What was handed out stays valid until the same thread's next call, whatever other threads do. */
START_TEST(a_text_of_the_process_wide_store_outlives_other_threads_calls)
{
    pacl_error_share_texts(true);
    fail_numbered("own", 1);
    const char *const text = pacl_error_take_texts();
    in_thread(fail_and_take);
    ck_assert_str_eq(seen, OTHER);
    ck_assert_str_eq(text, PREFIX "own 1");
}
END_TEST

START_TEST(the_mode_chooses_the_store)
{
    fail_numbered("thread's", 1);
    pacl_error_share_texts(true);
    ck_assert_ptr_null(pacl_error_take_texts());
    fail_numbered("process's", 2);
    pacl_error_share_texts(false);
    assert_newest_first("thread's", 1, 1);
    pacl_error_share_texts(true);
    assert_newest_first("process's", 2, 1);
}
END_TEST

enum { FAILURES = 500 };

static void fail_often(void)
{
    for (int i = 0; i < FAILURES; i++)
        (void)PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "of the other thread");
}

/* Failures of several threads at once leave whole messages. */
START_TEST(threads_fail_into_one_store)
{
    pthread_t threads[4];
    void (*const body)(void) = fail_often;
    char want[KEPT * PACL_TEXT_MAX] = OTHER;
    pacl_error_share_texts(true);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_body, (void *)(uintptr_t)&body), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 1; i < KEPT; i++)
        strcat(want, "\n" OTHER);
    ck_assert_str_eq(pacl_error_take_texts(), want);
}
END_TEST

/* --- the end of a thread ---------------------------------------------------------------------------------------- */

static void fail_once(void)
{
    fail_numbered("row", 1);
}

static size_t allocated_bytes(void)
{
    return mallinfo2().uordblks; /* 0 under a sanitizer that brings its own malloc; it looks for leaks itself */
}

START_TEST(a_thread_s_end_frees_its_messages)
{
    in_thread(fail_once);
    const size_t before = allocated_bytes();
    for (int i = 0; i < 300; i++)
        in_thread(fail_once);
    ck_assert_uint_lt(allocated_bytes(), before + 300 * PACL_TEXT_MAX);
}
END_TEST

static pthread_key_t late_key;

static void fail_late(void *argument)
{
    (void)argument;
    name_call();
    fail_and_take();
}

static void fail_and_leave_the_rest_to_the_destructor(void)
{
    fail_numbered("early", 1);
    ck_assert_int_eq(pthread_setspecific(late_key, &late_key), 0);
}

/* A program's own thread-specific data may call the library when the thread's messages are gone already. */
START_TEST(a_destructor_that_runs_after_ours_may_fail)
{
    in_thread(fail_once); /* makes the library's key, so that the program's key comes after it */
    ck_assert_int_eq(pthread_key_create(&late_key, fail_late), 0);
    in_thread(fail_and_leave_the_rest_to_the_destructor);
    ck_assert_pstr_eq(seen, OTHER);
}
END_TEST

static void take_in_child(void)
{
    pacl_error_after_fork();
    fail_numbered("child", 1);
    assert_newest_first("child", 1, 1);
}

START_TEST(the_child_of_a_fork_has_a_working_store)
{
    pacl_error_share_texts(true);
    ck_assert_int_eq(in_child(take_in_child), 0);
}
END_TEST

/* --- the last error --------------------------------------------------------------------------------------------- */

static const struct code {
    aclError code;
    bool is_last;
} codes[] = {
    { 107000, true },  { 107002, true },  { 107017, true },  { 107999, true },  { 207000, true },  { 207001, true },
    { 207008, true },  { 507000, true },  { 507013, true },  { 507046, true },  { 507910, true },  { 100000, false },
    { 100001, false }, { 100002, false }, { 100037, false }, { 106999, false }, { 108000, false }, { 145000, false },
    { 200000, false }, { 200006, false }, { 500000, false }, { 500005, false },
};

START_TEST(codes_of_the_runtime_set_the_last_error)
{
    const aclError code = codes[_i].code;
    ck_assert_int_eq(pacl_error_last(false), ACL_SUCCESS);
    ck_assert_int_eq(PACL_FAIL(code, "x"), code);
    ck_assert_int_eq(pacl_error_last(false), codes[_i].is_last ? code : ACL_SUCCESS);
    ck_assert_ptr_nonnull(pacl_error_take_texts()); /* a message comes with every code */
}
END_TEST

START_TEST(a_quiet_failure_leaves_only_its_message)
{
    ck_assert_int_eq(PACL_FAIL_QUIETLY(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "x"), E_RT_FEATURE_NOT_SUPPORT);
    ck_assert_int_eq(pacl_error_last(false), ACL_SUCCESS);
    ck_assert_ptr_nonnull(pacl_error_take_texts());
    fail_numbered("row", 1);
    (void)PACL_FAIL_QUIETLY(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "x");
    ck_assert_int_eq(pacl_error_last(false), E_RT_PARAM_INVALID);
}
END_TEST

START_TEST(the_last_error_stays_until_it_is_cleared)
{
    fail_numbered("row", 1);
    (void)PACL_FAIL(ACL_ERROR_INVALID_PARAM, "of the layer above: not a last error");
    ck_assert_int_eq(pacl_error_last(false), E_RT_PARAM_INVALID);
    (void)PACL_FAIL(ACL_ERROR_RT_INVALID_HANDLE, "newer");
    ck_assert_int_eq(pacl_error_last(false), E_RT_INVALID_HANDLE);
    ck_assert_int_eq(pacl_error_last(true), E_RT_INVALID_HANDLE);
    ck_assert_int_eq(pacl_error_last(false), ACL_SUCCESS);
    ck_assert_int_eq(pacl_error_last(true), ACL_SUCCESS);
}
END_TEST

START_TEST(names_of_codes)
{
    ck_assert_str_eq(pacl_error_name(0), "ACL_SUCCESS");
    ck_assert_str_eq(pacl_error_name(E_INVALID_PARAM), "ACL_ERROR_INVALID_PARAM");
    ck_assert_str_eq(pacl_error_name(E_RT_NO_STREAM_RESOURCE), "ACL_ERROR_RT_NO_STREAM_RESOURCE");
    ck_assert_str_eq(pacl_error_name(E_HOST_MEMORY_NOT_REGISTERED), "ACL_ERROR_HOST_MEMORY_NOT_REGISTERED");
    ck_assert_str_eq(pacl_error_name(-1), "unlisted code");
    ck_assert_str_eq(pacl_error_name(123456), "unlisted code");
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("error", name_call, NULL);
    tcase_add_test(tc, a_message_names_call_code_and_values);
    tcase_add_test(tc, a_message_without_a_call);
    tcase_add_test(tc, a_text_with_percent_signs_is_kept_as_it_is);
    tcase_add_test(tc, unread_messages_come_newest_first);
    tcase_add_test(tc, the_oldest_message_makes_room);
    tcase_add_test(tc, a_long_message_is_cut);
    tcase_add_test(tc, a_full_store_of_long_messages_is_handed_out_whole);
    tcase_add_test(tc, each_thread_has_its_own_messages);
    tcase_add_test(tc, a_process_wide_store_serves_all_threads);
    tcase_add_test(tc, a_text_of_the_process_wide_store_outlives_other_threads_calls);
    tcase_add_test(tc, the_mode_chooses_the_store);
    tcase_add_test(tc, threads_fail_into_one_store);
    tcase_add_test(tc, a_thread_s_end_frees_its_messages);
    tcase_add_test(tc, a_destructor_that_runs_after_ours_may_fail);
    tcase_add_test(tc, the_child_of_a_fork_has_a_working_store);
    tcase_add_loop_test(tc, codes_of_the_runtime_set_the_last_error, 0, (int)COUNT_OF(codes));
    tcase_add_test(tc, a_quiet_failure_leaves_only_its_message);
    tcase_add_test(tc, the_last_error_stays_until_it_is_cleared);
    tcase_add_test(tc, names_of_codes);
    return run_cases("error", tc, (TCase *)NULL);
}
