/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: created, shared by threads, destroyed, and their default streams. */
#include "support.h"

static void default_product(void)
{
    use_default_product();
}

static aclrtContext new_context(int32_t device)
{
    aclrtContext context = NULL;
    ASSERT_OK(aclrtCreateContext(&context, device));
    ck_assert_ptr_nonnull(context);
    return context;
}

static aclrtContext current_context(void)
{
    aclrtContext context = NULL;
    ASSERT_OK(aclrtGetCurrentContext(&context));
    return context;
}

/* CON-190 [code] */
START_TEST(con_190_create_on_a_device_that_does_not_exist)
{
    aclrtContext context = &fx;
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtCreateContext(&context, 999));
    ASSERT_MESSAGE_NAMES("aclrtCreateContext", "999");
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtCreateContext(&context, -1));
    ck_assert_ptr_eq(context, &fx);
}
END_TEST

/* CON-191 [code] */
START_TEST(con_191_create_without_output)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtCreateContext(NULL, 0));
    ASSERT_MESSAGE_NAMES("aclrtCreateContext", "context");
}
END_TEST

START_TEST(a_new_context_is_current_and_needs_no_set_device)
{
    int32_t device = -1;
    const aclrtContext context = new_context(2);
    ck_assert_ptr_eq(current_context(), context);
    ASSERT_OK(aclrtGetDevice(&device));
    ck_assert_int_eq(device, 2);
}
END_TEST

/* CON-192 [code] */
START_TEST(con_192_destroy_twice)
{
    const aclrtContext context = new_context(0);
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtDestroyContext(context));
    ASSERT_MESSAGE_NAMES("aclrtDestroyContext");
    ASSERT_CODE(E_INVALID_PARAM, aclrtDestroyContext(NULL));
}
END_TEST

/* CON-193 [code] */
START_TEST(con_193_destroy_the_primary_context)
{
    ASSERT_OK(aclrtSetDevice(0));
    const aclrtContext primary = current_context();
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtDestroyContext(primary));
    ck_assert_ptr_eq(current_context(), primary);
}
END_TEST

/* CON-195 [code] */
START_TEST(con_195_set_a_destroyed_context)
{
    aclrtContext none;
    const aclrtContext context = new_context(0);
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetCurrentContext(context));
    ASSERT_MESSAGE_NAMES("aclrtSetCurrentContext");
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetCurrentContext(NULL));
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtGetCurrentContext(&none));
}
END_TEST

/* CON-196 [code] */
START_TEST(con_196_no_current_context)
{
    aclrtContext context;
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtGetCurrentContext(&context));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetCurrentContext(NULL));
}
END_TEST

static aclError get_context(void)
{
    aclrtContext context;
    return aclrtGetCurrentContext(&context);
}

/* CON-197 [doc] */
START_TEST(con_197_a_new_thread_has_no_context)
{
    new_context(0);
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(get_context));
}
END_TEST

static aclrtContext shared_context;
static aclrtStream shared_stream;

static aclError use_shared_context(void)
{
    aclrtContext context;
    void *device;
    uint8_t host[64] = { 7 };
    aclError err = aclrtSetCurrentContext(shared_context);
    if (err == ACL_SUCCESS)
        err = aclrtGetCurrentContext(&context);
    if (err == ACL_SUCCESS && context != shared_context)
        err = -2;
    if (err == ACL_SUCCESS)
        err = aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpy2dAsync(device, 8, host, 8, 8, 8, H2D, shared_stream);
    return err != ACL_SUCCESS ? err : aclrtSynchronizeStream(shared_stream);
}

START_TEST(threads_share_a_context_and_its_stream)
{
    shared_context = new_context(0);
    ASSERT_OK(aclrtCreateStream(&shared_stream));
    ASSERT_OK(in_new_thread(use_shared_context));
    ck_assert_ptr_eq(current_context(), shared_context);
}
END_TEST

START_TEST(set_device_shares_one_primary_context_per_device)
{
    ASSERT_OK(aclrtSetDevice(0));
    const aclrtContext first = current_context();
    ASSERT_OK(aclrtSetDevice(1));
    ck_assert_ptr_ne(current_context(), first);
    ASSERT_OK(aclrtSetDevice(0));
    ck_assert_ptr_eq(current_context(), first);
}
END_TEST

START_TEST(set_device_replaces_an_explicit_context)
{
    const aclrtContext context = new_context(0);
    ASSERT_OK(aclrtSetDevice(0));
    ck_assert_ptr_ne(current_context(), context);
    ASSERT_OK(aclrtSetCurrentContext(context));
    ck_assert_ptr_eq(current_context(), context);
    ASSERT_OK(aclrtDestroyContext(context));
}
END_TEST

START_TEST(a_destroyed_context_takes_its_streams_and_events_along)
{
    aclrtStream stream;
    aclrtEvent event;
    void *device;
    const aclrtContext context = new_context(0);
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_CODE(E_RT_CONTEXT_NULL, get_context());
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event));
}
END_TEST

static aclError destroy_shared_context(void)
{
    return aclrtDestroyContext(shared_context);
}

START_TEST(a_context_destroyed_by_another_thread)
{
    void *device;
    uint8_t host[8] = { 0 };
    shared_context = new_context(0);
    ASSERT_OK(aclrtCreateStream(&shared_stream));
    ASSERT_OK(in_new_thread(destroy_shared_context));
    ASSERT_REFUSED(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_REFUSED(aclrtCreateStream(&shared_stream));
    ASSERT_REFUSED(aclrtSynchronizeDevice());
    ASSERT_REFUSED(aclrtMemcpy(host, 8, host + 1, 4, H2H));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
}
END_TEST

START_TEST(handles_that_are_no_contexts)
{
    aclrtStream stream;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&stream));
    void *const wrong[] = { stream, &stream, (void *)(uintptr_t)0x10, (void *)~(uintptr_t)0 };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtSetCurrentContext(wrong[i]), "row %zu", i);
        ASSERT_REFUSED(aclrtDestroyContext(wrong[i]));
    }
    ASSERT_OK(aclrtSynchronizeStream(stream));
}
END_TEST

/* --- default streams -------------------------------------------------------------------------------------------- */

START_TEST(default_stream_is_one_per_context)
{
    aclrtStream of_primary;
    aclrtStream again;
    aclrtStream of_other;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&of_primary));
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&again));
    ck_assert_ptr_nonnull(of_primary);
    ck_assert_ptr_eq(again, of_primary);
    new_context(0);
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&of_other));
    ck_assert_ptr_ne(of_other, of_primary);
}
END_TEST

START_TEST(default_stream_handle_and_null_are_the_same_stream)
{
    struct gate gate;
    aclrtStream stream;
    aclrtStreamStatus status;
    int32_t by_handle = -1;
    int32_t by_null = -2;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
    ASSERT_OK(aclrtStreamGetId(stream, &by_handle));
    ASSERT_OK(aclrtStreamGetId(NULL, &by_null));
    ck_assert_int_eq(by_handle, by_null);
    gate_close(&gate, stream);
    ASSERT_OK(aclrtStreamQuery(NULL, &status));
    ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    ck_assert(gate_passed(&gate));
}
END_TEST

START_TEST(default_stream_without_context_or_output)
{
    aclrtStream stream;
    ASSERT_REFUSED(aclrtCtxGetCurrentDefaultStream(&stream));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_REFUSED(aclrtCtxGetCurrentDefaultStream(NULL));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("context", default_product, NULL);
    tcase_add_test(tc, con_190_create_on_a_device_that_does_not_exist);
    tcase_add_test(tc, con_191_create_without_output);
    tcase_add_test(tc, a_new_context_is_current_and_needs_no_set_device);
    tcase_add_test(tc, con_192_destroy_twice);
    tcase_add_test(tc, con_193_destroy_the_primary_context);
    tcase_add_test(tc, con_195_set_a_destroyed_context);
    tcase_add_test(tc, con_196_no_current_context);
    tcase_add_test(tc, con_197_a_new_thread_has_no_context);
    tcase_add_test(tc, threads_share_a_context_and_its_stream);
    tcase_add_test(tc, set_device_shares_one_primary_context_per_device);
    tcase_add_test(tc, set_device_replaces_an_explicit_context);
    tcase_add_test(tc, a_destroyed_context_takes_its_streams_and_events_along);
    tcase_add_test(tc, a_context_destroyed_by_another_thread);
    tcase_add_test(tc, handles_that_are_no_contexts);
    tcase_add_test(tc, default_stream_is_one_per_context);
    tcase_add_test(tc, default_stream_handle_and_null_are_the_same_stream);
    tcase_add_test(tc, default_stream_without_context_or_output);
    return run_cases("context", tc, (TCase *)NULL);
}
