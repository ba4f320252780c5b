/* SPDX-License-Identifier: Apache-2.0 */
/* aclInit, aclFinalize, aclFinalizeReference, versions and the small conversions. Nothing is set up before a test. */
#include "support.h"

#include <stdio.h>
#include <unistd.h>

/* Deprecated functions are part of the interface and are tested with it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FILES_MOST 8

static char config_paths[FILES_MOST][64];
static size_t config_count;

/* A configuration file with this content; remove_configs() deletes it. */
static const char *config(const char *content)
{
    ck_assert_uint_lt(config_count, FILES_MOST);
    char *const path = config_paths[config_count++];
    snprintf(path, sizeof(config_paths[0]), "/tmp/pacl-test-XXXXXX");
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    const size_t length = strlen(content);
    ck_assert_int_eq(write(fd, content, length), (ssize_t)length);
    close(fd);
    return path;
}

static void remove_configs(void)
{
    while (config_count > 0)
        unlink(config_paths[--config_count]);
}

/* INI-166 [doc] */
START_TEST(ini_166_init_with_null)
{
    ASSERT_OK(aclInit(NULL));
}
END_TEST

START_TEST(init_with_an_empty_path)
{
    ASSERT_OK(aclInit(""));
}
END_TEST

/* INI-167 [code] */
START_TEST(ini_167_init_again)
{
    ASSERT_OK(aclInit(NULL));
    ASSERT_CODE(E_REPEAT_INITIALIZE, aclInit(NULL));
    ASSERT_MESSAGE_NAMES("aclInit");
}
END_TEST

/* INI-168 [code] */
START_TEST(ini_168_init_with_a_missing_file)
{
    ASSERT_CODE(E_INVALID_FILE, aclInit("/nonexistent"));
    ASSERT_MESSAGE_NAMES("aclInit", "/nonexistent");
    ASSERT_OK(aclInit(NULL)); /* the failure changed nothing */
}
END_TEST

/* INI-169 [code] */
START_TEST(ini_169_finalize_without_init)
{
    ASSERT_OK(aclFinalize());
    ASSERT_CODE(E_REPEAT_FINALIZE, aclFinalize());
    ASSERT_MESSAGE_NAMES("aclFinalize");
}
END_TEST

/* INI-170 [code] */
START_TEST(ini_170_finalize_twice)
{
    ASSERT_OK(aclInit(NULL));
    ASSERT_OK(aclFinalize());
    ASSERT_CODE(E_REPEAT_FINALIZE, aclFinalize());
}
END_TEST

START_TEST(finalize_ends_several_inits)
{
    ASSERT_OK(aclInit(NULL));
    ASSERT_CODE(E_REPEAT_INITIALIZE, aclInit(NULL));
    ASSERT_OK(aclFinalize());
    ASSERT_CODE(E_REPEAT_FINALIZE, aclFinalize());
}
END_TEST

START_TEST(finalize_reference_counts_down)
{
    uint64_t count = 99;
    ASSERT_OK(aclInit(NULL));
    ASSERT_CODE(E_REPEAT_INITIALIZE, aclInit(NULL));
    ASSERT_OK(aclFinalizeReference(&count));
    ck_assert_uint_eq(count, 1);
    ASSERT_CODE(E_REPEAT_INITIALIZE, aclInit(NULL)); /* still initialised */
    ASSERT_OK(aclFinalizeReference(&count));
    ASSERT_OK(aclFinalizeReference(&count));
    ck_assert_uint_eq(count, 0);
    ASSERT_CODE(E_REPEAT_FINALIZE, aclFinalizeReference(&count));
    ASSERT_MESSAGE_NAMES("aclFinalizeReference");
}
END_TEST

START_TEST(finalize_reference_without_init)
{
    uint64_t count;
    ASSERT_CODE(E_REPEAT_FINALIZE, aclFinalizeReference(&count));
}
END_TEST

/* INI-172 [code] */
START_TEST(ini_172_init_again_with_different_content)
{
    ASSERT_OK(aclInit(config("{\"err_msg_mode\": \"0\"}")));
    ASSERT_OK(aclFinalize());
    ASSERT_CODE(E_INVALID_PARAM, aclInit(config("{\"err_msg_mode\": \"1\"}")));
    ASSERT_MESSAGE_NAMES("aclInit");
    ASSERT_CODE(E_INVALID_PARAM, aclInit(NULL));
}
END_TEST

/* INI-173 [code]: the content counts, not the path. */
START_TEST(ini_173_init_again_with_equal_content)
{
    ASSERT_OK(aclInit(config("{\"err_msg_mode\": \"0\"}")));
    ASSERT_OK(aclFinalize());
    ASSERT_OK(aclInit(config("{\"err_msg_mode\": \"0\"}")));
    ASSERT_OK(aclFinalize());
}
END_TEST

START_TEST(other_keys_are_accepted)
{
    ASSERT_OK(aclInit(config("{\"dump\": {\"dump_mode\": \"all\", \"list\": [1, 2.5, true, null]}, "
                             "\"unknown\": \"\\u00e9\"}")));
}
END_TEST

START_TEST(err_msg_mode_must_be_0_or_1)
{
    ASSERT_CODE(E_INVALID_PARAM, aclInit(config("{\"err_msg_mode\": \"2\"}")));
    ASSERT_MESSAGE_NAMES("aclInit", "err_msg_mode");
}
END_TEST

START_TEST(nesting_over_10_levels)
{
    ASSERT_CODE(E_INVALID_PARAM, aclInit(config("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{"
                                                "\"a\":{\"a\":{}}}}}}}}}}}}")));
}
END_TEST

START_TEST(text_that_is_not_json)
{
    static const char *const texts[] = { "{", "{\"a\" 1}", "not json at all" };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const aclError err = aclInit(config(texts[i]));
        ck_assert_msg(err == E_INVALID_PARAM || err == E_INTERNAL_ERROR, "text %zu: %d", i, err);
    }
}
END_TEST

static aclError fail_in_thread(void)
{
    return aclrtSetDevice(999);
}

START_TEST(err_msg_mode_1_makes_messages_process_wide)
{
    use_default_product();
    ASSERT_OK(aclInit(config("{\"err_msg_mode\": \"1\"}")));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, in_new_thread(fail_in_thread));
    ASSERT_MESSAGE_NAMES("aclrtSetDevice", "999");
}
END_TEST

START_TEST(err_msg_mode_0_keeps_messages_in_their_thread)
{
    use_default_product();
    ASSERT_OK(aclInit(config("{\"err_msg_mode\": \"0\"}")));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, in_new_thread(fail_in_thread));
    ck_assert_ptr_null(aclGetRecentErrMsg());
}
END_TEST

static aclError malloc_in_thread(void)
{
    void *at;
    const aclError err = aclrtMalloc(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    return err != ACL_SUCCESS ? err : aclrtFree(at);
}

static const char *const default_devices[] = {
    "{\"defaultDevice\": {\"default_device\": \"1\"}}",
    "{\"defaultDevice\": {\"default_device\": 1}}",
    "{\"defaultDevice\": \"1\"}",
    "{\"defaultDevice\": 1}",
};

/* Each thread that gets it this way counts as one aclrtSetDevice. */
START_TEST(default_device_is_set_by_the_first_call_that_needs_a_context)
{
    int32_t device = -1;
    use_default_product();
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtGetDevice(&device));
    ASSERT_OK(aclInit(config(default_devices[_i])));
    ASSERT_OK(aclrtGetDevice(&device));
    ck_assert_int_eq(device, 1);
    ASSERT_OK(in_new_thread(malloc_in_thread));
    ASSERT_OK(aclrtResetDevice(1));
    ASSERT_OK(aclrtResetDevice(1));
    ASSERT_CODE(E_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(1));
    ASSERT_OK(aclrtSetDevice(0)); /* what the program sets itself comes first */
    ASSERT_OK(aclrtGetDevice(&device));
    ck_assert_int_eq(device, 0);
}
END_TEST

/* A refused file sets nothing, its other keys included. */
START_TEST(default_device_must_be_one_that_there_is)
{
    static const struct {
        const char *value, *named;
    } wrong[] = { { "\"x\"", "\"x\"" }, { "-1", "-1" },
                  { "99", "99" },       { "{}", "default_device" },
                  { "null", "null" },   { "{\"default_device\": \"1x\"}", "\"1x\"" },
                  { "[0]", "[" } };
    char text[120];
    int32_t device;
    use_default_product();
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        snprintf(text, sizeof text, "{\"err_msg_mode\": \"1\", \"defaultDevice\": %s}", wrong[i].value);
        ASSERT_CODE_OF_ROW(E_INVALID_PARAM, aclInit(config(text)), "%s", wrong[i].value);
        ASSERT_MESSAGE_NAMES("aclInit", "default", wrong[i].named);
        ASSERT_CODE_OF_ROW(E_RT_CONTEXT_NULL, aclrtGetDevice(&device), "%s", wrong[i].value);
        ck_assert_ptr_nonnull(aclGetRecentErrMsg());
        ASSERT_CODE(E_RT_INVALID_DEVICEID, in_new_thread(fail_in_thread));
        ck_assert_ptr_null(aclGetRecentErrMsg());
    }
}
END_TEST

/* "aclInit is not required by the aclrt functions." */
START_TEST(copies_without_init)
{
    void *device;
    uint8_t host[16] = { 1, 2, 3 };
    uint8_t back[16] = { 0 };
    use_default_product();
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtMalloc(&device, 16, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemcpy2d(device, 4, host, 4, 4, 4, H2D));
    ASSERT_OK(aclrtMemcpy2d(back, 4, device, 4, 4, 4, D2H));
    ASSERT_SAME_BYTES(back, host, 16);
}
END_TEST

START_TEST(a_device_after_finalize_and_a_second_init)
{
    void *device;
    use_default_product();
    for (int round = 0; round < 3; round++) {
        ASSERT_OK(aclInit(NULL));
        ASSERT_OK(aclrtSetDevice(0));
        ASSERT_OK(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_OK(aclrtMemset(device, 64, round, 64));
        ASSERT_OK(aclrtFree(device));
        ASSERT_OK(aclrtResetDevice(0));
        ASSERT_OK(aclFinalize());
    }
}
END_TEST

/* --- versions --------------------------------------------------------------------------------------------------- */

START_TEST(runtime_version)
{
    int32_t major = -1;
    int32_t minor = -1;
    int32_t patch = -1;
    ASSERT_OK(aclrtGetVersion(&major, &minor, &patch));
    ck_assert_int_eq(major, 1);
    ck_assert_int_eq(minor, 17);
    ck_assert_int_eq(patch, 0);
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetVersion(NULL, &minor, &patch));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetVersion(&major, NULL, &patch));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetVersion(&major, &minor, NULL));
    ASSERT_MESSAGE_NAMES("aclrtGetVersion");
}
END_TEST

/* ERR-249 [code] */
START_TEST(err_249_package_version_without_a_file)
{
    char package[] = "runtime";
    char version[256];
    int32_t number;
    setenv("ASCEND_HOME_PATH", "/nonexistent", 1);
    ASSERT_CODE(E_INVALID_FILE, aclsysGetVersionStr(package, version));
    ASSERT_CODE(E_INVALID_FILE, aclsysGetVersionNum(package, &number));
    unsetenv("ASCEND_HOME_PATH");
    ASSERT_CODE(E_INVALID_FILE, aclsysGetVersionStr(package, version));
    ASSERT_MESSAGE_NAMES("aclsysGetVersionStr");
}
END_TEST

START_TEST(package_version_null)
{
    char package[] = "runtime";
    char version[256];
    int32_t number;
    ASSERT_CODE(E_INVALID_PARAM, aclsysGetVersionStr(NULL, version));
    ASSERT_CODE(E_INVALID_PARAM, aclsysGetVersionStr(package, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclsysGetVersionNum(NULL, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclsysGetVersionNum(package, NULL));
}
END_TEST

/* --- conversions ------------------------------------------------------------------------------------------------ */

START_TEST(float16_values)
{
    static const struct {
        float value;
        aclFloat16 bits;
    } rows[] = {
        { 0.0f, 0x0000 },     { -0.0f, 0x8000 },    { 1.0f, 0x3C00 },     { -2.0f, 0xC000 }, { 0.5f, 0x3800 },
        { 65504.0f, 0x7BFF }, { 0x1p-14f, 0x0400 }, { 0x1p-24f, 0x0001 }, { 0.25f, 0x3400 }, { 1024.0f, 0x6400 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ck_assert_uint_eq(aclFloatToFloat16(rows[i].value), rows[i].bits);
        ck_assert(aclFloat16ToFloat(rows[i].bits) == rows[i].value);
    }
}
END_TEST

START_TEST(float16_round_trip_of_every_finite_number)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        if ((bits & 0x7C00) != 0x7C00)
            ck_assert_uint_eq(aclFloatToFloat16(aclFloat16ToFloat((aclFloat16)bits)), bits);
    }
}
END_TEST

START_TEST(data_type_sizes)
{
    static const struct {
        aclDataType type;
        size_t bytes;
    } rows[] = {
        { ACL_FLOAT, 4 },  { ACL_FLOAT16, 2 }, { ACL_INT8, 1 },   { ACL_INT32, 4 },     { ACL_UINT8, 1 },
        { ACL_INT16, 2 },  { ACL_UINT16, 2 },  { ACL_UINT32, 4 }, { ACL_INT64, 8 },     { ACL_UINT64, 8 },
        { ACL_DOUBLE, 8 }, { ACL_BOOL, 1 },    { ACL_BF16, 2 },   { ACL_COMPLEX64, 8 }, { ACL_COMPLEX128, 16 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ck_assert_uint_eq(aclDataTypeSize(rows[i].type), rows[i].bytes);
    ck_assert_uint_eq(aclDataTypeSize(ACL_DT_UNDEFINED), 0);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("init", NULL, remove_configs);
    tcase_add_test(tc, ini_166_init_with_null);
    tcase_add_test(tc, init_with_an_empty_path);
    tcase_add_test(tc, ini_167_init_again);
    tcase_add_test(tc, ini_168_init_with_a_missing_file);
    tcase_add_test(tc, ini_169_finalize_without_init);
    tcase_add_test(tc, ini_170_finalize_twice);
    tcase_add_test(tc, finalize_ends_several_inits);
    tcase_add_test(tc, finalize_reference_counts_down);
    tcase_add_test(tc, finalize_reference_without_init);
    tcase_add_test(tc, ini_172_init_again_with_different_content);
    tcase_add_test(tc, ini_173_init_again_with_equal_content);
    tcase_add_test(tc, other_keys_are_accepted);
    tcase_add_test(tc, err_msg_mode_must_be_0_or_1);
    tcase_add_test(tc, nesting_over_10_levels);
    tcase_add_test(tc, text_that_is_not_json);
    tcase_add_test(tc, err_msg_mode_1_makes_messages_process_wide);
    tcase_add_test(tc, err_msg_mode_0_keeps_messages_in_their_thread);
    tcase_add_loop_test(tc, default_device_is_set_by_the_first_call_that_needs_a_context, 0, COUNT_OF(default_devices));
    tcase_add_test(tc, default_device_must_be_one_that_there_is);
    tcase_add_test(tc, copies_without_init);
    tcase_add_test(tc, a_device_after_finalize_and_a_second_init);
    tcase_add_test(tc, runtime_version);
    tcase_add_test(tc, err_249_package_version_without_a_file);
    tcase_add_test(tc, package_version_null);
    tcase_add_test(tc, float16_values);
    tcase_add_test(tc, float16_round_trip_of_every_finite_number);
    tcase_add_test(tc, data_type_sizes);
    return run_cases("init", tc, (TCase *)NULL);
}
