/* SPDX-License-Identifier: Apache-2.0 */
/* The nine products: names, limits, what their 2D calls support, and how a product is chosen. */
#include "support.h"

#include <pacl/pacl.h>
#include <stdio.h>

static const struct product {
    const char *name;
    const char *soc_name;
    int run_mode;
    uint32_t devices;
    uint64_t memory_bytes;
    bool hbm;       /* else DDR */
    bool copies_2d; /* H2D and D2H */
    bool copies_2d_d2d;
    size_t streams;
    size_t events;
    bool newest; /* Atlas 350, A3 and A2: registration and 32-bit sets */
} products[] = {
    { "atlas-350", "Ascend950PR_9589", ACL_HOST, 1, 137438953472, true, true, true, 1984, 65536, true },
    { "atlas-a3", "Ascend910_9391", ACL_HOST, 16, 68719476736, true, true, true, 1984, 65536, true },
    { "atlas-a2", "Ascend910B1", ACL_HOST, 8, 68719476736, true, true, true, 1984, 65536, true },
    { "atlas-training", "Ascend910A", ACL_HOST, 8, 34359738368, true, true, false, 2048, 65535, false },
    { "atlas-inference", "Ascend310P3", ACL_HOST, 1, 24000000000, false, true, false, 1024, 1023, false },
    { "atlas-inference-module", "Ascend310P3", ACL_HOST, 1, 24000000000, false, false, false, 1024, 1023, false },
    { "atlas-inference-ctrlcpu", "Ascend310P3", ACL_DEVICE, 1, 24000000000, false, false, false, 1024, 1023, false },
    { "atlas-200i-500-a2", "Ascend310B1", ACL_HOST, 1, 34359738368, false, true, false, 512, 65536, false },
    { "atlas-200i-500-a2-rc", "Ascend310B1", ACL_DEVICE, 1, 34359738368, false, false, false, 512, 65536, false },
};

static const struct product *open_product(int row)
{
    fixture_open_on(products[row].name);
    return &products[row];
}

START_TEST(what_a_product_looks_like)
{
    const struct product *const product = &products[_i];
    aclrtRunMode mode = (aclrtRunMode)99;
    uint32_t count = 0;
    size_t free_bytes;
    size_t total = 0;
    use_product(product->name);
    ck_assert_str_eq(aclrtGetSocName(), product->soc_name);
    ASSERT_OK(aclrtGetDeviceCount(&count));
    ck_assert_uint_eq(count, product->devices);
    ASSERT_OK(aclrtGetRunMode(&mode));
    ck_assert_int_eq(mode, product->run_mode);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice((int32_t)count));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total)); /* answered from DDR if that is all there is */
    ck_assert_uint_eq(total, product->memory_bytes);
    ASSERT_OK(aclrtGetMemInfo(ACL_DDR_MEM, &free_bytes, &total));
    ck_assert_uint_eq(total, product->hbm ? 0 : product->memory_bytes);
}
END_TEST

/* "200I/500 A2 in RC form: 207000" and its kin; checked for every product and every direction. */
START_TEST(decision_01_2d_copies_by_product)
{
    const struct product *const product = open_product(_i);
    const int plain = product->copies_2d ? ACL_SUCCESS : E_RT_FEATURE_NOT_SUPPORT;
    struct call2d call = good_call2d();
    fill_sources();
    ASSERT_CODE_OF_ROW(plain, submit2d(&call), "%s H2D", product->name);
    ASSERT_CODE_OF_ROW(plain, copy2d(&call), "%s H2D", product->name);
    call = between(fx.pinned2, fx.device, D2H);
    ASSERT_CODE_OF_ROW(plain, submit2d(&call), "%s D2H", product->name);
    ASSERT_CODE_OF_ROW(plain, copy2d(&call), "%s D2H", product->name);
    call = between(fx.pageable2, fx.device, D2H);
    ASSERT_CODE_OF_ROW(plain, submit2d(&call), "%s D2H to pageable", product->name);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    if (product->copies_2d)
        assert_host_rows(&call);
    else
        assert_fixture_untouched();
}
END_TEST

START_TEST(decision_01_unsupported_form_comes_after_the_zero_size_only)
{
    const struct product *const product = open_product(_i);
    struct call2d call = { .dst = NULL,
                           .src = NULL,
                           .dpitch = 1,
                           .spitch = 1,
                           .width = 9,
                           .height = HEIGHT_MAX + 1,
                           .kind = 77,
                           .stream = (aclrtStream)(uintptr_t)0x10 };
    if (product->copies_2d)
        return;
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, submit2d(&call));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, copy2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2d");
    ASSERT_OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    call.width = 0;
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(copy2d(&call));
}
END_TEST

START_TEST(decision_04_d2d_given_or_resolved)
{
    const struct product *const product = open_product(_i);
    static const int kinds[] = { D2D, DEFAULT, H2D, D2H };
    if (!product->copies_2d)
        return;
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct call2d call = between(fx.device2, fx.device, kinds[i]);
        const int want = product->copies_2d_d2d ? ACL_SUCCESS : E_INVALID_PARAM;
        ASSERT_CODE_OF_ROW(want, submit2d(&call), "%s, kind %d", product->name, kinds[i]);
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        call.src = fx.pinned;
        if (want == ACL_SUCCESS)
            assert_device_rows(&call);
        else
            ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
        upload(fx.device2, fx.pageable2, FIXTURE_BYTES);
    }
}
END_TEST

START_TEST(decision_01_1d_copies_work_everywhere)
{
    open_product(_i);
    fill_sources();
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.device2, FIXTURE_BYTES, fx.device, FIXTURE_BYTES, D2D, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, FIXTURE_BYTES, fx.device2, FIXTURE_BYTES, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_SAME_BYTES(fx.pinned2, fx.pinned, FIXTURE_BYTES);
    ASSERT_OK(aclrtMemcpy(fx.pageable2, FIXTURE_BYTES, fx.device2, FIXTURE_BYTES, D2H));
    ASSERT_SAME_BYTES(fx.pageable2, fx.pinned, FIXTURE_BYTES);
}
END_TEST

/* Where host and device share memory, H2H runs like D2D; elsewhere it is not supported. */
START_TEST(async_h2h_by_form)
{
    const struct product *const product = open_product(_i);
    const bool shared = product->run_mode == ACL_DEVICE;
    const int want = shared ? ACL_SUCCESS : E_RT_FEATURE_NOT_SUPPORT;
    fill_sources();
    ASSERT_CODE_OF_ROW(want, aclrtMemcpyAsync(fx.pinned2, 100, fx.pinned, 100, H2H, fx.stream), "%s", product->name);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    if (shared)
        ASSERT_SAME_BYTES(fx.pinned2, fx.pinned, 100);
    else
        ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
}
END_TEST

START_TEST(decision_03_null_stream_on_every_product)
{
    const struct product *const product = open_product(_i);
    struct call2d call = good_call2d();
    call.stream = NULL;
    if (!product->copies_2d)
        return;
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    assert_device_rows(&call);
}
END_TEST

START_TEST(as_many_streams_as_the_product_has)
{
    const struct product *const product = &products[_i];
    aclrtStream stream;
    use_product(product->name);
    ASSERT_OK(aclrtSetDevice(0));
    for (size_t i = 0; i < product->streams; i++)
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtCreateStream(&stream), "%s, stream %zu", product->name, i);
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, aclrtCreateStream(&stream));
}
END_TEST

/* The code for one event too many is open. */
START_TEST(as_many_events_as_the_product_has)
{
    const struct product *const product = &products[_i];
    aclrtEvent event = NULL;
    aclrtEvent one_more;
    if (product->events > 2000)
        return; /* the small limits show the same */
    use_product(product->name);
    ASSERT_OK(aclrtSetDevice(0));
    for (size_t i = 0; i < product->events; i++)
        ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtCreateEvent(&event), "%s, event %zu", product->name, i);
    ASSERT_REFUSED(aclrtCreateEvent(&one_more));
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclrtCreateEvent(&event));
}
END_TEST

START_TEST(calls_of_the_newest_products)
{
    const struct product *const product = open_product(_i);
    const int want = product->newest ? ACL_SUCCESS : E_RT_FEATURE_NOT_SUPPORT;
    uint8_t *const page = aligned_alloc(4096, 4096);
    void *view;
    ASSERT_CODE_OF_ROW(want, aclrtHostRegister(page, 4096, ACL_HOST_REGISTER_MAPPED, &view), "%s", product->name);
    ASSERT_CODE_OF_ROW(want, aclrtMemsetD32(fx.device, 64, 1, 16), "%s", product->name);
    ASSERT_CODE_OF_ROW(ACL_SUCCESS, aclrtSetStreamFailureMode(NULL, 0), "%s", product->name); /* decision 3 */
    if (product->newest)
        ASSERT_OK(aclrtHostUnregister(page));
    free(page);
}
END_TEST

/* --- cases ------------------------------------------------------------------------------------------------------ */

/* MEM-041 [code, proposal followed] */
START_TEST(mem_041_null_stream_on_310p)
{
    fixture_open_on("atlas-inference");
    struct call2d call = good_call2d();
    call.stream = NULL;
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
}
END_TEST

static void assert_kind_3_refused(const char *product)
{
    fixture_open_on(product);
    const struct call2d calls[] = { between(fx.device2, fx.device, D2D), between(fx.device2, fx.pinned, D2D) };
    fill_sources();
    upload(fx.device, fx.pinned, FIXTURE_BYTES);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        ASSERT_CODE(E_INVALID_PARAM, submit2d(&calls[i]));
        ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync", "kind");
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
}

/* The synchronous call copies between two device addresses on no product, whatever the product says of the other one. */
START_TEST(sync_copies_between_two_device_addresses)
{
    static const char *const names[] = { "atlas-training", "atlas-inference", "atlas-200i-500-a2", "atlas-350" };
    static const int kinds[] = { H2D, D2H, DEFAULT };
    fixture_open_on(names[_i]);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const struct call2d call = between(fx.device2, fx.device, kinds[i]);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, copy2d(&call), "kind %d", kinds[i]);
        ASSERT_MESSAGE_NAMES("aclrtMemcpy2d", "device memory");
    }
    const struct call2d call = between(fx.device2, fx.device, D2D);
    ASSERT_CODE(E_INVALID_PARAM, copy2d(&call));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
}
END_TEST

/* MEM-069 [seed] */
START_TEST(mem_069_kind_3_on_the_inference_series)
{
    assert_kind_3_refused("atlas-inference");
}
END_TEST

/* MEM-070 [seed] */
START_TEST(mem_070_kind_3_on_310b)
{
    assert_kind_3_refused("atlas-200i-500-a2");
}
END_TEST

/* MEM-074 [seed] */
START_TEST(mem_074_the_acceleration_module)
{
    fixture_open_on("atlas-inference-module");
    const struct call2d call = good_call2d();
    fill_sources();
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, submit2d(&call));
    assert_fixture_untouched();
}
END_TEST

/* R05 */
START_TEST(r05_the_rc_form)
{
    fixture_open_on("atlas-200i-500-a2-rc");
    const struct call2d call = good_call2d();
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, submit2d(&call));
    ASSERT_MESSAGE_NAMES("aclrtMemcpy2dAsync");
}
END_TEST

/* --- choosing --------------------------------------------------------------------------------------------------- */

START_TEST(the_default_is_atlas_a2)
{
    use_default_product();
    unsetenv("PACL_PRODUCT");
    ck_assert_str_eq(aclrtGetSocName(), "Ascend910B1");
    ck_assert_ptr_nonnull(pacl_product_current());
    ck_assert_str_eq(pacl_product_current()->name, "atlas-a2");
}
END_TEST

START_TEST(an_unknown_product_fails_and_the_names_are_listed)
{
    use_product("atlas-9000");
    ASSERT_REFUSED(aclrtSetDevice(0));
    ASSERT_MESSAGE_NAMES("aclrtSetDevice", "atlas-9000", "atlas-350", "atlas-a2", "atlas-200i-500-a2-rc");
    ASSERT_REFUSED(aclInit(NULL));
    ASSERT_MESSAGE_NAMES("aclInit", "atlas-9000", "atlas-a3");
    ck_assert_ptr_null(pacl_product_current());
}
END_TEST

START_TEST(a_product_may_be_selected_once)
{
    use_product("atlas-a3");
    ck_assert_int_eq(pacl_product_select(NULL), E_INVALID_PARAM);
    ck_assert_int_eq(pacl_product_select("atlas-9000"), E_INVALID_PARAM);
    ck_assert_int_eq(pacl_product_select("atlas-training"), 0);
    ck_assert_str_eq(aclrtGetSocName(), "Ascend910A");
    ck_assert_int_eq(pacl_product_select("atlas-a2"), E_REPEAT_INITIALIZE);
    ck_assert_str_eq(aclrtGetSocName(), "Ascend910A");
}
END_TEST

static const struct pacl_product *find_product(const char *name)
{
    for (size_t i = 0; i < pacl_product_count(); i++) {
        if (strcmp(pacl_product_at(i)->name, name) == 0)
            return pacl_product_at(i);
    }
    return NULL;
}

START_TEST(the_table_of_products)
{
    ck_assert_uint_eq(pacl_product_count(), COUNT_OF(products));
    ck_assert_ptr_null(pacl_product_at(pacl_product_count()));
    ck_assert_ptr_null(pacl_product_at(SIZE_MAX));
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        const struct product *const want = &products[i];
        const struct pacl_product *const got = find_product(want->name);
        ck_assert_msg(got != NULL, "%s", want->name);
        ck_assert_str_eq(got->soc_name, want->soc_name);
        ck_assert_str_eq(got->memory_type, want->hbm ? "HBM" : "DDR");
        ck_assert_uint_eq(got->memory_bytes, want->memory_bytes);
        ck_assert_uint_eq(got->devices, want->devices);
        ck_assert_uint_eq(got->streams, want->streams);
        ck_assert_uint_eq(got->events, want->events);
        ck_assert_uint_eq(got->runs_on_device, want->run_mode == ACL_DEVICE);
        ck_assert_uint_eq(got->copy2d_h2d, want->copies_2d);
        ck_assert_uint_eq(got->copy2d_d2h, want->copies_2d);
        ck_assert_uint_eq(got->copy2d_d2d, want->copies_2d_d2d);
    }
}
END_TEST

START_TEST(decision_13_pacl_device_memory_overrides_the_size)
{
    size_t free_bytes;
    size_t total = 0;
    void *at;
    use_default_product();
    setenv("PACL_DEVICE_MEMORY", "1073741824", 1);
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
    ck_assert_uint_eq(total, 1073741824);
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMalloc(&at, 1073741825, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMalloc(&at, 536870912, ACL_MEM_MALLOC_HUGE_FIRST));
    ck_assert_uint_eq(pacl_product_current()->memory_bytes, 1073741824);
}
END_TEST

START_TEST(overrides_that_are_no_numbers)
{
    use_default_product();
    setenv("PACL_DEVICES", "many", 1);
    ASSERT_REFUSED(aclrtSetDevice(0));
    ASSERT_MESSAGE_NAMES("PACL_DEVICES", "many");
}
END_TEST

/* --- counters --------------------------------------------------------------------------------------------------- */

static struct pacl_counters counters(void)
{
    struct pacl_counters now = { .size = sizeof(now) };
    ck_assert_int_eq(pacl_counters_get(&now), 0);
    return now;
}

START_TEST(counters_follow_the_work)
{
    fixture_open();
    const struct pacl_counters before = counters();
    const struct call2d call = good_call2d();
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(submit2d(&call));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    const struct pacl_counters after = counters();
    ck_assert_uint_eq(after.bytes_copied - before.bytes_copied, 32 * 16);
    ck_assert_uint_ge(after.tasks_queued, before.tasks_queued + 1);
    ck_assert_uint_eq(after.tasks_failed, before.tasks_failed);
    ASSERT_OK(aclrtFree(fx.device2));
    ASSERT_OK(aclrtDestroyStream(fx.stream));
    ck_assert_uint_le(counters().device_bytes_live + FIXTURE_BYTES, after.device_bytes_live);
    ck_assert_uint_eq(counters().streams_live + 1, after.streams_live);
}
END_TEST

START_TEST(counters_arguments)
{
    struct pacl_counters partly;
    memset(&partly, 0xEE, sizeof(partly));
    partly.size = offsetof(struct pacl_counters, tasks_inline);
    ck_assert_int_eq(pacl_counters_get(&partly), 0);
    ASSERT_ALL_BYTES(&partly.tasks_inline, sizeof(partly) - offsetof(struct pacl_counters, tasks_inline), 0xEE);
    partly.size = 0;
    ck_assert_int_eq(pacl_counters_get(&partly), E_INVALID_PARAM);
    ck_assert_int_eq(pacl_counters_get(NULL), E_INVALID_PARAM);
}
END_TEST

/* Asked without a trace: no message, no last error. */
START_TEST(streams_that_exist)
{
    aclrtStream other, default_stream;
    aclrtContext own, context;
    fixture_open();
    ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
    ASSERT_OK(aclrtGetCurrentContext(&own));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&other));
    ck_assert_int_eq(pacl_stream_exists(fx.stream), 1);
    ck_assert_int_eq(pacl_stream_exists(default_stream), 1);
    ck_assert_int_eq(pacl_stream_exists(other), 1);
    ASSERT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetCurrentContext(own));
    ck_assert_int_eq(pacl_stream_exists(other), 0);
    const void *const none[] = { NULL, (void *)(uintptr_t)0x10, fx.pinned, fx.device, own, &other };
    for (size_t i = 0; i < COUNT_OF(none); i++)
        ck_assert_msg(pacl_stream_exists(none[i]) == 0, "row %zu", i);
    ck_assert_ptr_null(aclGetRecentErrMsg());
    ASSERT_OK(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}
END_TEST

START_TEST(what_pacl_says_about_itself)
{
    char version[32];
    snprintf(version, sizeof(version), "%d.%d.%d", PACL_VERSION_MAJOR, PACL_VERSION_MINOR, PACL_VERSION_PATCH);
    ck_assert_str_eq(pacl_version(), version);
    ck_assert_ptr_nonnull(pacl_cpu_features());
    ck_assert_uint_ge(pacl_engine_count(), 1);
    const char *const isolation = pacl_isolation();
    ck_assert(strcmp(isolation, "protection-keys") == 0 || strcmp(isolation, "dual-mapping") == 0 ||
              strcmp(isolation, "open") == 0);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("products", NULL, fixture_close);
    const int rows = (int)COUNT_OF(products);
    tcase_add_loop_test(tc, what_a_product_looks_like, 0, rows);
    tcase_add_loop_test(tc, decision_01_2d_copies_by_product, 0, rows);
    tcase_add_loop_test(tc, decision_01_unsupported_form_comes_after_the_zero_size_only, 0, rows);
    tcase_add_loop_test(tc, decision_04_d2d_given_or_resolved, 0, rows);
    tcase_add_loop_test(tc, decision_01_1d_copies_work_everywhere, 0, rows);
    tcase_add_loop_test(tc, async_h2h_by_form, 0, rows);
    tcase_add_loop_test(tc, decision_03_null_stream_on_every_product, 0, rows);
    tcase_add_loop_test(tc, as_many_streams_as_the_product_has, 0, rows);
    tcase_add_loop_test(tc, as_many_events_as_the_product_has, 0, rows);
    tcase_add_loop_test(tc, calls_of_the_newest_products, 0, rows);
    tcase_add_test(tc, mem_041_null_stream_on_310p);
    tcase_add_test(tc, mem_069_kind_3_on_the_inference_series);
    tcase_add_loop_test(tc, sync_copies_between_two_device_addresses, 0, 4);
    tcase_add_test(tc, mem_070_kind_3_on_310b);
    tcase_add_test(tc, mem_074_the_acceleration_module);
    tcase_add_test(tc, r05_the_rc_form);
    tcase_add_test(tc, the_default_is_atlas_a2);
    tcase_add_test(tc, an_unknown_product_fails_and_the_names_are_listed);
    tcase_add_test(tc, a_product_may_be_selected_once);
    tcase_add_test(tc, the_table_of_products);
    tcase_add_test(tc, decision_13_pacl_device_memory_overrides_the_size);
    tcase_add_test(tc, overrides_that_are_no_numbers);
    tcase_add_test(tc, counters_follow_the_work);
    tcase_add_test(tc, counters_arguments);
    tcase_add_test(tc, streams_that_exist);
    tcase_add_test(tc, what_pacl_says_about_itself);
    return run_cases("products", tc, (TCase *)NULL);
}
