/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of devices and software, what it sets and asks back, and what is accepted without effect. */
#include "support.h"

#include <acl/acl_platform.h>
#include <acl/acl_prof.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Deprecated functions are part of the interface and are tested with it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { E_PROF_NOT_RUN = 100043, E_RT_WAIT_TIMEOUT = 107019, E_RT_SYSPARAMOPT_NOT_SET = 107021, NO_DEVICE = 99 };

static void *const made_up = (void *)(uintptr_t)0xABCDEF0; /* no handle, and never followed */

/* --- data buffers ------------------------------------------------------------------------------------------------ */

START_TEST(a_data_buffer_names_bytes)
{
    char bytes[8];
    aclDataBuffer *const buffer = aclCreateDataBuffer(bytes, ((size_t)1 << 32) + 7);
    ck_assert_ptr_nonnull(buffer);
    ck_assert_ptr_eq(aclGetDataBufferAddr(buffer), bytes);
    ck_assert_uint_eq(aclGetDataBufferSizeV2(buffer), ((size_t)1 << 32) + 7);
    ck_assert_uint_eq(aclGetDataBufferSize(buffer), 7);
    ASSERT_OK(aclUpdateDataBuffer(buffer, bytes + 1, 3));
    ck_assert_ptr_eq(aclGetDataBufferAddr(buffer), bytes + 1);
    ck_assert_uint_eq(aclGetDataBufferSizeV2(buffer), 3);
    ASSERT_OK(aclDestroyDataBuffer(buffer));
    ASSERT_CODE(E_INVALID_PARAM, aclDestroyDataBuffer(buffer));
    ck_assert_ptr_null(aclGetDataBufferAddr(buffer));
    ASSERT_MESSAGE_NAMES("aclGetDataBufferAddr", "dataBuffer");
}
END_TEST

START_TEST(what_is_no_data_buffer_is_refused)
{
    void *const stamp = aclprofCreateStamp();
    const void *const wrong[] = { NULL, made_up, fx.stream, stamp };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        aclDataBuffer *const buffer = (aclDataBuffer *)wrong[i];
        ck_assert_ptr_null(aclGetDataBufferAddr(buffer));
        ck_assert_uint_eq(aclGetDataBufferSizeV2(buffer), 0);
        ASSERT_CODE(E_INVALID_PARAM, aclUpdateDataBuffer(buffer, NULL, 0));
        ASSERT_CODE(E_INVALID_PARAM, aclDestroyDataBuffer(buffer));
    }
    aclprofDestroyStamp(stamp);
}
END_TEST

/* --- software ---------------------------------------------------------------------------------------------------- */

START_TEST(attributes_of_the_software)
{
    const aclCannAttr *list = NULL;
    size_t count = 0;
    int32_t value = -1;
    ASSERT_CODE(E_INVALID_PARAM, aclGetCannAttributeList(NULL, &count));
    ASSERT_CODE(E_INVALID_PARAM, aclGetCannAttributeList(&list, NULL));
    ASSERT_OK(aclGetCannAttributeList(&list, &count));
    ck_assert_uint_eq(count, 3);
    for (size_t i = 0; i < count; i++) {
        ASSERT_OK(aclGetCannAttribute(list[i], &value));
        ck_assert_int_eq(value, list[i] != ACL_CANN_ATTR_JIT_COMPILE);
    }
    ASSERT_CODE(E_INVALID_PARAM, aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value));
    ASSERT_CODE(E_INVALID_PARAM, aclGetCannAttribute(ACL_CANN_ATTR_BF16, NULL));
}
END_TEST

START_TEST(chips_of_one_family_are_compatible)
{
    static const struct {
        const char *chip;
        int32_t compatible;
    } rows[] = { { "Ascend910B1", 1 }, { "Ascend910B4-1", 1 },  { "Ascend910B", 0 }, { "Ascend910A", 0 },
                 { "Ascend310P3", 0 }, { "Ascend910_9391", 0 }, { "Gaudi", 0 },      { "", 0 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t compatible = -1;
        ASSERT_OK(aclrtCheckArchCompatibility(rows[i].chip, &compatible));
        ck_assert_msg(compatible == rows[i].compatible, "%s: %d", rows[i].chip, compatible);
    }
    ASSERT_CODE(E_INVALID_PARAM, aclrtCheckArchCompatibility(NULL, &(int32_t){ 0 }));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCheckArchCompatibility("Ascend910B1", NULL));
}
END_TEST

/* A folder for $ASCEND_HOME_PATH with a version.info of the package "toolkit". */
struct home {
    char at[24], file[128];
};

static const char *const home_folders[] = { "", "/share", "/share/info", "/share/info/toolkit" };

static void make_home(struct home *home)
{
    char path[128];
    snprintf(home->at, sizeof home->at, "/tmp/pacl-info-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(home->at));
    for (size_t i = 1; i < COUNT_OF(home_folders); i++) {
        snprintf(path, sizeof path, "%s%s", home->at, home_folders[i]);
        ck_assert_int_eq(mkdir(path, 0700), 0);
    }
    snprintf(home->file, sizeof home->file, "%s/share/info/toolkit/version.info", home->at);
    setenv("ASCEND_HOME_PATH", home->at, 1);
}

static void write_version(const struct home *home, const char *version)
{
    FILE *const file = fopen(home->file, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "package_name=toolkit\nVersion=%s\r\nversion_dir=8\n", version);
    fclose(file);
}

static void remove_home(const struct home *home)
{
    char path[128];
    unlink(home->file);
    for (size_t i = COUNT_OF(home_folders); i-- > 0;) {
        snprintf(path, sizeof path, "%s%s", home->at, home_folders[i]);
        rmdir(path);
    }
}

START_TEST(versions_in_parts)
{
    struct home home;
    make_home(&home);
    write_version(&home, "8.0.RC1.alpha001.2");
    aclCANNPackageVersion version;
    ASSERT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_TOOLKIT, &version));
    ck_assert_str_eq(version.version, "8.0.RC1.alpha001.2");
    ck_assert_str_eq(version.majorVersion, "8");
    ck_assert_str_eq(version.minorVersion, "0");
    ck_assert_str_eq(version.releaseVersion, "RC1");
    ck_assert_str_eq(version.patchVersion, "alpha001.2");
    ASSERT_CODE(E_INVALID_FILE, aclsysGetCANNVersion(ACL_PKG_NAME_HCCL, &version));
    ASSERT_CODE(E_INVALID_PARAM, aclsysGetCANNVersion((aclCANNPackageName)8, &version));
    ASSERT_CODE(E_INVALID_PARAM, aclsysGetCANNVersion(ACL_PKG_NAME_TOOLKIT, NULL));
    remove_home(&home);
}
END_TEST

/* major * 1e7 + minor * 1e5 + patch * 1e3, less 300, 200, 100 for alpha, beta and rc, and their number [C]. */
START_TEST(versions_as_text_and_number)
{
    static const struct {
        const char *text;
        int32_t number;
    } rows[] = { { "8.5.0", 80500000 },          { "9.1.2", 90102000 },        { "8.0.RC1", 79999901 },
                 { "8.5.0.alpha001", 80499701 }, { "8.5.1-beta.2", 80500802 }, { "8.5.0.rc3", 80499903 },
                 { "10.12", 101200000 },         { "213.99.99", 2139999000 } };
    char package[] = "toolkit", text[ACL_PKG_VERSION_MAX_SIZE];
    int32_t number;
    struct home home;
    make_home(&home);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        write_version(&home, rows[i].text);
        ASSERT_OK(aclsysGetVersionStr(package, text));
        ck_assert_str_eq(text, rows[i].text);
        ASSERT_OK(aclsysGetVersionNum(package, &number));
        ck_assert_msg(number == rows[i].number, "%s is %d, not %d", rows[i].text, number, rows[i].number);
    }
    remove_home(&home);
}
END_TEST

START_TEST(versions_that_are_no_number)
{
    static const char *const rows[] = { "8",         "eight.5",   "8.5.0.gamma1",
                                        "999.99.99", "214.99.99", "8.0.rc99999999999999",
                                        "" };
    char package[] = "toolkit", text[ACL_PKG_VERSION_MAX_SIZE];
    int32_t number = 7;
    struct home home;
    make_home(&home);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        write_version(&home, rows[i]);
        ASSERT_CODE_OF_ROW(E_INVALID_FILE, aclsysGetVersionNum(package, &number), "%s", rows[i]);
    }
    ck_assert_int_eq(number, 7);
    ASSERT_CODE(E_INVALID_FILE, aclsysGetVersionStr(package, text)); /* the last has none */
    remove_home(&home);
}
END_TEST

static void log_lines(void)
{
    aclAppLog(ACL_ERROR, "fn", "file.c", 42, "%s %d", "seven", 7);
    aclAppLog(ACL_DEBUG, "fn", "file.c", 43, "too low");
    aclAppLog((aclLogLevel)4, NULL, NULL, 0, "no level");
    aclAppLog(ACL_ERROR, NULL, NULL, 0, NULL);
    aclAppLog(ACL_ERROR, NULL, NULL, 0, "no place");
    fflush(stdout);
    _exit(0);
}

/* The log is set up when the library starts, so a program of its own looks at the variables. */
START_TEST(a_program_writes_into_the_log)
{
    int ends[2];
    char text[2048] = "";
    size_t used = 0;
    ck_assert_int_eq(pipe(ends), 0);
    use_default_product();
    setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1", 1);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        int32_t value;
        (void)aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value); /* starts the library */
        log_lines();
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && used < sizeof text - 1; used += (size_t)got)
        got = read(ends[0], text + used, sizeof text - 1 - used);
    ck_assert_ptr_nonnull(strstr(text, "file.c:42 fn: seven 7"));
    ck_assert_ptr_nonnull(strstr(text, "?:0 ?: no place"));
    ck_assert_ptr_null(strstr(text, "too low"));
    ck_assert_ptr_null(strstr(text, "no level"));
}
END_TEST

/* --- devices ----------------------------------------------------------------------------------------------------- */

/* Each call with a null output, then with a device that does not exist. */
START_TEST(questions_about_devices_check_their_arguments)
{
    const aclrtAtomicOperation add = ACL_RT_ATOMIC_OPERATION_INTEGER_ADD;
    aclrtDeviceStatus status;
    aclrtUtilizationInfo load;
    aclrtErrorInfo error = { .errorType = ACL_RT_NO_ERROR };
    aclrtMemUceInfo broken[1];
    aclrtHostMemMapCapability map;
    aclrtUuid uuid;
    int32_t number;
    uint32_t word;
    uint64_t topo;
    int64_t large;
    size_t count;
    const struct {
        aclError without_output, without_device;
    } rows[] = {
        { aclrtQueryDeviceStatus(0, NULL), aclrtQueryDeviceStatus(NO_DEVICE, &status) },
        { aclrtGetDeviceUtilizationRate(0, NULL), aclrtGetDeviceUtilizationRate(-1, &load) },
        { aclrtGetErrorVerbose(0, NULL), aclrtGetErrorVerbose(NO_DEVICE, &error) },
        { aclrtRepairError(0, NULL), aclrtRepairError(NO_DEVICE, &error) },
        { aclrtGetMemUceInfo(0, broken, 1, NULL), aclrtGetMemUceInfo(NO_DEVICE, broken, 1, &count) },
        { aclrtMemUceRepair(0, NULL, 1), aclrtMemUceRepair(NO_DEVICE, broken, 1) },
        { aclrtGetPrimaryCtxState(0, NULL, NULL), aclrtGetPrimaryCtxState(NO_DEVICE, NULL, &number) },
        { aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, NULL),
          aclrtGetDeviceCapability(NO_DEVICE, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &number) },
        { aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, NULL),
          aclGetDeviceCapability(NO_DEVICE, ACL_DEVICE_INFO_AI_CORE_NUM, &large) },
        { aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_SDMA, NULL),
          aclrtHostMemMapCapabilities(UINT32_MAX, ACL_RT_HAC_TYPE_SDMA, &map) },
        { aclrtDeviceGetHostAtomicCapabilities(NULL, &add, 1, 0),
          aclrtDeviceGetHostAtomicCapabilities(&word, &add, 1, NO_DEVICE) },
        { aclrtDeviceGetP2PAtomicCapabilities(&word, NULL, 1, 0, 1),
          aclrtDeviceGetP2PAtomicCapabilities(&word, &add, 1, 0, NO_DEVICE) },
        { aclrtDeviceGetUuid(0, NULL), aclrtDeviceGetUuid(NO_DEVICE, &uuid) },
        { aclrtGetDevicesTopo(0, 1, NULL), aclrtGetDevicesTopo(0, NO_DEVICE, &topo) },
        { aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, NULL),
          aclrtGetDeviceResLimit(NO_DEVICE, ACL_RT_DEV_RES_CUBE_CORE, &word) },
        { aclrtGetLogicDevIdByUserDevId(0, NULL), aclrtGetLogicDevIdByUserDevId(NO_DEVICE, &number) },
        { aclrtGetUserDevIdByLogicDevId(0, NULL), aclrtGetUserDevIdByLogicDevId(-1, &number) },
        { aclrtGetLogicDevIdByPhyDevId(0, NULL), aclrtGetLogicDevIdByPhyDevId(NO_DEVICE, &number) },
        { aclrtGetPhyDevIdByLogicDevId(0, NULL), aclrtGetPhyDevIdByLogicDevId(NO_DEVICE, &number) },
        { aclrtGetUserDevIdByPhyDevId(0, NULL), aclrtGetUserDevIdByPhyDevId(NO_DEVICE, &number) },
        { aclrtGetPhyDevIdByUserDevId(0, NULL), aclrtGetPhyDevIdByUserDevId(NO_DEVICE, &number) },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ASSERT_CODE_OF_ROW(E_INVALID_PARAM, rows[i].without_output, "row %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_INVALID_DEVICEID, rows[i].without_device, "row %zu", i);
    }
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceGetHostAtomicCapabilities(&word, &add, UINT32_MAX, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetPrimaryCtxState(0, &word, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemUceRepair(0, broken, MAX_MEM_UCE_INFO_ARRAY_SIZE + 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtGetDeviceCapability(0, (aclrtDevFeatureType)2, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &large));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtHostMemMapCapabilities(0, (aclrtHacType)10, &map));
    error.errorType = ACL_RT_ERROR_MEMORY;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtRepairError(0, &error));
}
END_TEST

START_TEST(a_device_without_faults)
{
    aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
    aclrtErrorInfo error;
    aclrtMemUceInfo broken[1];
    size_t count = 1;
    memset(&error, POISON, sizeof error);
    ASSERT_OK(aclrtQueryDeviceStatus(7, &status));
    ck_assert_int_eq(status, ACL_RT_DEVICE_STATUS_NORMAL);
    ASSERT_OK(aclrtGetErrorVerbose(0, &error));
    ck_assert_int_eq(error.errorType, ACL_RT_NO_ERROR);
    ck_assert_int_eq(error.tryRepair, 0);
    ck_assert_int_eq(error.hasDetail, 0);
    ASSERT_OK(aclrtRepairError(0, &error));
    ASSERT_OK(aclrtGetMemUceInfo(0, broken, 1, &count));
    ck_assert_uint_eq(count, 0);
    ASSERT_OK(aclrtMemUceRepair(0, broken, 1));
}
END_TEST

START_TEST(a_primary_context_is_there_while_its_device_is_set)
{
    int32_t active = -1;
    ASSERT_OK(aclrtGetPrimaryCtxState(0, NULL, &active));
    ck_assert_int_eq(active, 1);
    ASSERT_OK(aclrtGetPrimaryCtxState(3, NULL, &active));
    ck_assert_int_eq(active, 0);
    ASSERT_OK(aclrtSetDevice(3));
    ASSERT_OK(aclrtGetPrimaryCtxState(3, NULL, &active));
    ck_assert_int_eq(active, 1);
    ASSERT_OK(aclrtResetDevice(3));
    ASSERT_OK(aclrtGetPrimaryCtxState(3, NULL, &active));
    ck_assert_int_eq(active, 0);
}
END_TEST

START_TEST(the_load_is_that_of_the_memory)
{
    aclrtUtilizationInfo load = { -1, -1, -1, -1, NULL };
    void *half = NULL;
    ASSERT_OK(aclrtMalloc(&half, (size_t)32 << 30, ACL_MEM_MALLOC_NORMAL_ONLY));
    ASSERT_OK(aclrtGetDeviceUtilizationRate(0, &load));
    ck_assert_int_eq(load.cubeUtilization, 0);
    ck_assert_int_eq(load.vectorUtilization, 0);
    ck_assert_int_eq(load.aicpuUtilization, 0);
    ck_assert_int_ge(load.memoryUtilization, 50);
    ck_assert_int_le(load.memoryUtilization, 51);
    ASSERT_OK(aclrtFree(half));
    ASSERT_OK(aclrtGetDeviceUtilizationRate(0, &load));
    ck_assert_int_le(load.memoryUtilization, 1);
}
END_TEST

START_TEST(abilities)
{
    int32_t feature = -1, least = -1, greatest = -1;
    int64_t cores = -1;
    uint32_t atomics[2] = { 1, 1 };
    const aclrtAtomicOperation operations[2] = { ACL_RT_ATOMIC_OPERATION_AND, ACL_RT_ATOMIC_OPERATION_CAS };
    aclrtHostMemMapCapability map = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
    ASSERT_OK(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &feature));
    ck_assert_int_eq(feature, ACL_DEV_FEATURE_NOT_SUPPORT);
    ASSERT_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &cores));
    ck_assert_int_eq(cores, 24);
    ASSERT_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &cores));
    ck_assert_int_eq(cores, 48);
    ASSERT_OK(aclrtDeviceGetP2PAtomicCapabilities(atomics, operations, 2, 0, 1));
    ck_assert_uint_eq(atomics[0] | atomics[1], 0);
    ASSERT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_SDMA, &map));
    ck_assert_int_eq(map, ACL_RT_HOST_MEM_MAP_SUPPORTED);
    ASSERT_OK(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
    ck_assert_int_eq(least, 7);
    ck_assert_int_eq(greatest, 0);
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceGetStreamPriorityRange(NULL, &greatest));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceGetStreamPriorityRange(&least, NULL));
}
END_TEST

/* With ASCEND_RT_VISIBLE_DEVICES=2,5 the program's devices 0 and 1 are the machine's 2 and 5. */
START_TEST(numbers_of_devices)
{
    int32_t number = -1;
    use_default_product();
    setenv("ASCEND_RT_VISIBLE_DEVICES", "2,5", 1);
    ASSERT_OK(aclrtGetLogicDevIdByUserDevId(1, &number));
    ck_assert_int_eq(number, 5);
    ASSERT_OK(aclrtGetPhyDevIdByUserDevId(0, &number));
    ck_assert_int_eq(number, 2);
    ASSERT_OK(aclrtGetUserDevIdByLogicDevId(5, &number));
    ck_assert_int_eq(number, 1);
    ASSERT_OK(aclrtGetUserDevIdByPhyDevId(2, &number));
    ck_assert_int_eq(number, 0);
    ASSERT_OK(aclrtGetLogicDevIdByPhyDevId(5, &number));
    ck_assert_int_eq(number, 5);
    ASSERT_OK(aclrtGetPhyDevIdByLogicDevId(2, &number));
    ck_assert_int_eq(number, 2);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtGetUserDevIdByLogicDevId(3, &number));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtGetLogicDevIdByUserDevId(2, &number));
}
END_TEST

START_TEST(devices_and_processes_are_told_apart)
{
    aclrtUuid first, again, second;
    uint64_t topo = 0;
    int32_t pid = 0;
    ASSERT_OK(aclrtDeviceGetUuid(0, &first));
    ASSERT_OK(aclrtDeviceGetUuid(0, &again));
    ASSERT_OK(aclrtDeviceGetUuid(1, &second));
    ASSERT_SAME_BYTES(&first, &again, sizeof first);
    ck_assert_mem_ne(&first, &second, sizeof first);
    ASSERT_OK(aclrtGetDevicesTopo(0, 7, &topo));
    ck_assert_uint_eq(topo, ACL_RT_DEVS_TOPOLOGY_HCCS);
    ASSERT_OK(aclrtDeviceGetBareTgid(&pid));
    ck_assert_int_eq(pid, getpid());
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceGetBareTgid(NULL));
}
END_TEST

START_TEST(the_chip_as_texts)
{
    static const struct {
        aclplatformDevInfo what;
        const char *text;
    } rows[] = { { ACL_PLATFORM_AICORE_CNT, "24" },      { ACL_PLATFORM_CUBE_CORE_CNT, "24" },
                 { ACL_PLATFORM_VECTOR_CORE_CNT, "48" }, { ACL_PLATFORM_MEMORY_SIZE, "68719476736" },
                 { ACL_PLATFORM_MEMORY_TYPE, "HBM" },    { ACL_PLATFORM_SOC_VERSION, "Ascend910B1" } };
    char text[32];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ASSERT_OK(aclplatformGetDeviceInfo(rows[i].what, text, sizeof text));
        ck_assert_str_eq(text, rows[i].text);
        memset(text, POISON, sizeof text);
        ASSERT_CODE(E_INVALID_PARAM, aclplatformGetDeviceInfo(rows[i].what, text, (uint32_t)strlen(rows[i].text)));
        ASSERT_ALL_BYTES(text, sizeof text, POISON);
    }
    ASSERT_CODE(E_INVALID_PARAM, aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, NULL, 32));
    ASSERT_CODE(E_INVALID_PARAM, aclplatformGetDeviceInfo(ACL_PLATFORM_L1_SIZE, text, sizeof text));
}
END_TEST

/* --- settings ---------------------------------------------------------------------------------------------------- */

START_TEST(options_are_kept)
{
    int64_t value = -1;
    aclrtContext other;
    ASSERT_CODE(E_RT_SYSPARAMOPT_NOT_SET, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    ASSERT_CODE(E_RT_SYSPARAMOPT_NOT_SET, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    ck_assert_int_eq(value, -1);
    ASSERT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    ASSERT_OK(aclrtSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, INT64_MIN));
    ASSERT_OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    ck_assert_int_eq(value, 1);
    ASSERT_OK(aclrtGetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, &value));
    ck_assert_int_eq(value, INT64_MIN);
    ASSERT_CODE(E_RT_SYSPARAMOPT_NOT_SET, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));

    ASSERT_OK(aclrtCreateContext(&other, 0));
    ASSERT_CODE(E_RT_SYSPARAMOPT_NOT_SET, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    ASSERT_OK(aclrtDestroyContext(other));
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));

    ASSERT_CODE(E_INVALID_PARAM, aclrtSetSysParamOpt((aclSysParamOpt)4, 1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetSysParamOpt((aclSysParamOpt)-1, &value));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCtxGetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, &value));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, NULL));
}
END_TEST

START_TEST(limits_of_the_device_are_kept)
{
    size_t bytes = 1;
    aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
    ASSERT_OK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, &bytes));
    ck_assert_uint_eq(bytes, 0);
    ASSERT_OK(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, SIZE_MAX));
    ASSERT_OK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, &bytes));
    ck_assert_uint_eq(bytes, SIZE_MAX);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtDeviceSetLimit((aclrtDeviceLimit)5, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtDeviceGetLimit((aclrtDeviceLimit)-1, &bytes));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, NULL));

    ASSERT_OK(aclrtGetDeviceSatMode(&mode));
    ck_assert_int_eq(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
    ASSERT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
    ASSERT_OK(aclrtGetDeviceSatMode(&mode));
    ck_assert_int_eq(mode, ACL_RT_OVERFLOW_MODE_SATURATION);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetDeviceSatMode(NULL));

    ASSERT_OK(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetTsDevice(ACL_TS_ID_RESERVED));
}
END_TEST

static uint32_t cores_of_thread(void)
{
    uint32_t cores = UINT32_MAX;
    ASSERT_OK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &cores));
    return cores;
}

static aclError ask_for_cores(void)
{
    return aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &(uint32_t){ 0 });
}

START_TEST(limits_of_cores)
{
    const aclrtDevResLimitType type = ACL_RT_DEV_RES_VECTOR_CORE;
    uint32_t cores = 0;
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    ck_assert_uint_eq(cores_of_thread(), 48);
    ASSERT_OK(aclrtSetDeviceResLimit(0, type, 40));
    ck_assert_uint_eq(cores_of_thread(), 40);
    ASSERT_OK(aclrtSetStreamResLimit(stream, type, 8));
    ck_assert_uint_eq(cores_of_thread(), 40);
    ASSERT_OK(aclrtGetStreamResLimit(stream, type, &cores));
    ck_assert_uint_eq(cores, 8);
    ASSERT_OK(aclrtGetStreamResLimit(NULL, type, &cores));
    ck_assert_uint_eq(cores, 40);
    ASSERT_OK(aclrtUseStreamResInCurrentThread(stream));
    ck_assert_uint_eq(cores_of_thread(), 8);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtUnuseStreamResInCurrentThread(fx.stream));
    ASSERT_OK(aclrtUnuseStreamResInCurrentThread(stream));
    ck_assert_uint_eq(cores_of_thread(), 40);
    ASSERT_OK(aclrtUseStreamResInCurrentThread(stream));
    ASSERT_OK(aclrtResetStreamResLimit(stream));
    ck_assert_uint_eq(cores_of_thread(), 40);
    ASSERT_OK(aclrtSetStreamResLimit(stream, type, 8));
    ASSERT_OK(aclrtDestroyStream(stream));
    ck_assert_uint_eq(cores_of_thread(), 40);
    ASSERT_OK(aclrtResetDeviceResLimit(0));
    ck_assert_uint_eq(cores_of_thread(), 48);

    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetDeviceResLimit(0, type, 49));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetDeviceResLimit(0, type, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetDeviceResLimit(0, (aclrtDevResLimitType)2, 1));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDeviceResLimit(NO_DEVICE, type, 1));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtResetDeviceResLimit(NO_DEVICE));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSetStreamResLimit(stream, type, 1));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtResetStreamResLimit(made_up));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtUseStreamResInCurrentThread(stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetResInCurrentThread(type, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtGetResInCurrentThread((aclrtDevResLimitType)-1, &cores));
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(ask_for_cores));
}
END_TEST

START_TEST(time_limits_of_kernels_are_kept)
{
    uint64_t us = 1;
    uint32_t ms = 1;
    ASSERT_OK(aclrtGetOpExecuteTimeout(&ms));
    ck_assert_uint_eq(ms, 0);
    ASSERT_OK(aclrtSetOpExecuteTimeOut(3));
    ASSERT_OK(aclrtGetOpExecuteTimeout(&ms));
    ck_assert_uint_eq(ms, 3000);
    ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(17));
    ASSERT_OK(aclrtGetOpExecuteTimeout(&ms));
    ck_assert_uint_eq(ms, 17);
    ASSERT_OK(aclrtGetOpTimeOutInterval(&us));
    ck_assert_uint_eq(us, 1000);
    ASSERT_OK(aclrtSetOpExecuteTimeOutV2(1001, &us));
    ck_assert_uint_eq(us, 2000);
    ASSERT_OK(aclrtGetOpExecuteTimeout(&ms));
    ck_assert_uint_eq(ms, 2);
    ASSERT_OK(aclrtSetOpExecuteTimeOutV2(UINT64_MAX, &us));
    ck_assert_uint_eq(us, UINT32_MAX * (uint64_t)1000);
    ASSERT_OK(aclrtSetOpExecuteTimeOut(UINT32_MAX));
    ASSERT_OK(aclrtGetOpExecuteTimeout(&ms));
    ck_assert_uint_eq(ms, UINT32_MAX);
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetOpExecuteTimeOutV2(1, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetOpTimeOutInterval(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetOpExecuteTimeout(NULL));
}
END_TEST

START_TEST(the_overflow_switch_of_a_stream_is_kept)
{
    uint32_t flag = 7;
    aclrtStreamAttrValue value;
    ASSERT_OK(aclrtGetStreamOverflowSwitch(fx.stream, &flag));
    ck_assert_uint_eq(flag, 0);
    ASSERT_OK(aclrtSetStreamOverflowSwitch(fx.stream, 1));
    ASSERT_OK(aclrtGetStreamOverflowSwitch(fx.stream, &flag));
    ck_assert_uint_eq(flag, 1);
    ASSERT_OK(aclrtGetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
    ck_assert_uint_eq(value.overflowSwitch, 1);
    flag = 7;
    ASSERT_OK(aclrtGetStreamOverflowSwitch(NULL, &flag));
    ck_assert_uint_eq(flag, 0);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetStreamOverflowSwitch(fx.stream, 2));
    ASSERT_MESSAGE_NAMES("aclrtSetStreamOverflowSwitch", "flag 2");
    value.overflowSwitch = 2;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
    ASSERT_MESSAGE_NAMES("aclrtSetStreamAttribute", "overflowSwitch 2");
    ASSERT_OK(aclrtGetStreamOverflowSwitch(fx.stream, &flag));
    ck_assert_uint_eq(flag, 1);
    value.overflowSwitch = 0;
    ASSERT_OK(aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
    ASSERT_OK(aclrtGetStreamOverflowSwitch(fx.stream, &flag));
    ck_assert_uint_eq(flag, 0);
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSetStreamOverflowSwitch(made_up, 1));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtGetStreamOverflowSwitch(made_up, &flag));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetStreamOverflowSwitch(fx.stream, NULL));
}
END_TEST

/* The event is never recorded. A wait with a time of its own, 0 for ever, does not look at the setting. */
START_TEST(waits_for_events_have_a_time_limit)
{
    aclrtEvent event;
    aclrtStream patient;
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtCreateStream(&patient));
    ASSERT_OK(aclrtSetOpWaitTimeout(1));
    ASSERT_OK(aclrtStreamWaitEventWithTimeout(patient, event, 0));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    ASSERT_CODE(E_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtSetOpWaitTimeout(0));
    ASSERT_OK(aclrtStreamWaitEvent(fx.stream, event));
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    ASSERT_OK(aclrtStreamQuery(patient, &status));
    ck_assert_int_eq(status, ACL_STREAM_STATUS_NOT_READY);
    ASSERT_OK(aclrtDestroyStreamForce(patient));
    ASSERT_OK(aclrtDestroyStreamForce(fx.stream));
    ASSERT_OK(aclrtCreateStream(&fx.stream));
}
END_TEST

/* --- without effect ---------------------------------------------------------------------------------------------- */

START_TEST(maintenance_of_caches_changes_nothing)
{
    aclrtBarrierTaskInfo barriers = { .barrierNum = 1 };
    size_t size = 0;
    ASSERT_OK(aclrtMemFlush(fx.device, 64));
    ASSERT_OK(aclrtMemInvalidate(fx.device, 64));
    ASSERT_OK(aclrtDeviceL2CacheFlush(NULL));
    ASSERT_OK(aclrtCmoAsync(fx.device, 64, ACL_RT_CMO_TYPE_INVALID, fx.stream));
    ASSERT_OK(aclrtCmoAsyncWithBarrier(fx.device, 64, ACL_RT_CMO_TYPE_FLUSH, 5, fx.stream));
    ASSERT_OK(aclrtCmoWaitBarrier(&barriers, fx.stream, 0));
    ASSERT_OK(aclrtCmoGetDescSize(&size));
    ck_assert_uint_gt(size, 0);
    ASSERT_OK(aclrtCmoSetDesc(fx.device2, fx.device, 64));
    ASSERT_OK(aclrtCmoAsyncWithDesc(fx.device2, ACL_RT_CMO_TYPE_PREFETCH, NULL, NULL));
    assert_fixture_untouched();

    ASSERT_CODE(E_INVALID_PARAM, aclrtMemFlush(NULL, 64));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemInvalidate(fx.device, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceL2CacheFlush(fx.device));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCmoAsync(NULL, 64, ACL_RT_CMO_TYPE_FLUSH, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCmoAsync(fx.device, 0, ACL_RT_CMO_TYPE_FLUSH, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtCmoAsync(fx.device, 64, (aclrtCmoType)4, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtCmoAsync(fx.device, 64, ACL_RT_CMO_TYPE_FLUSH, made_up));
    barriers.barrierNum = 7;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtCmoWaitBarrier(&barriers, fx.stream, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCmoWaitBarrier(NULL, fx.stream, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtCmoAsyncWithDesc(fx.device2, ACL_RT_CMO_TYPE_FLUSH, NULL, fx.device));
}
END_TEST

/* The status comes in the stream's order, so it overwrites what was queued before. */
START_TEST(nothing_ever_overflows)
{
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 128, 0x77, 128, fx.stream));
    ASSERT_OK(aclrtGetOverflowStatus(fx.device, 64, fx.stream));
    ASSERT_OK(aclrtResetOverflowStatus(fx.stream));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, 0));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 64, 64, 0x77));

    ASSERT_OK(aclrtGetFloatOverflowStatus(fx.device + 64, 64, NULL));
    ASSERT_OK(aclrtSynchronizeStream(NULL));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 128, 0));
    ASSERT_OK(aclrtNpuGetFloatOverFlowStatus(fx.device2, 64, 0, fx.stream));
    ASSERT_OK(aclrtNpuClearFloatOverFlowStatus(0, fx.stream));
    ASSERT_OK(aclrtResetFloatOverflowStatus(NULL));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, 64, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetOverflowStatus(NULL, 64, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetOverflowStatus(fx.device, 63, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtGetOverflowStatus(fx.device, 64, made_up));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtResetOverflowStatus(made_up));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtNpuClearFloatOverFlowStatus(1, fx.stream));
}
END_TEST

START_TEST(a_session_of_the_profiler)
{
    uint32_t devices[] = { 0, 1 };
    ASSERT_CODE(E_PROF_NOT_RUN, aclprofFinalize());
    aclprofConfig *const config =
        aclprofCreateConfig(devices, 2, ACL_AICORE_PIPE_UTILIZATION, NULL, ACL_PROF_ACL_API | ACL_PROF_TASK_TIME);
    ck_assert_ptr_nonnull(config);
    ASSERT_CODE(E_PROF_NOT_RUN, aclprofStart(config));
    ASSERT_CODE(E_INVALID_PARAM, aclprofInit("/nowhere", 3));
    ASSERT_OK(aclprofInit("/nowhere", 8));
    ASSERT_CODE(E_REPEAT_INITIALIZE, aclprofInit("/nowhere", 8));
    ASSERT_OK(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200MB", 5));
    ASSERT_OK(aclprofStart(config));
    ASSERT_OK(aclprofStop(config));
    ASSERT_OK(aclprofDestroyConfig(config));
    ASSERT_CODE(E_INVALID_PARAM, aclprofStop(config));
    ASSERT_CODE(E_INVALID_PARAM, aclprofDestroyConfig(config));
    ASSERT_OK(aclprofFinalize());
    ASSERT_CODE(E_PROF_NOT_RUN, aclprofFinalize());
    devices[1] = NO_DEVICE;
    ck_assert_ptr_null(aclprofCreateConfig(devices, 2, ACL_AICORE_NONE, NULL, 0));
    ck_assert_ptr_null(aclprofCreateConfig(NULL, 1, ACL_AICORE_NONE, NULL, 0));
    ck_assert_int_ne(access("/nowhere", F_OK), 0);
}
END_TEST

START_TEST(marks_of_the_profiler)
{
    uint32_t range = 0;
    void *const stamp = aclprofCreateStamp();
    aclprofStepInfo *const step = aclprofCreateStepInfo();
    aclprofEventAttributes attributes = { .version = ACL_PROF_EVENT_ATTR_VERSION, .size = sizeof attributes };
    ASSERT_OK(aclprofSetStampTraceMessage(stamp, "step", 4));
    ASSERT_OK(aclprofMark(stamp));
    ASSERT_OK(aclprofPush(stamp));
    ASSERT_OK(aclprofRangePushEx(&attributes));
    ASSERT_OK(aclprofRangePop());
    ASSERT_OK(aclprofPop());
    ASSERT_CODE(E_INVALID_PARAM, aclprofPop());
    ASSERT_OK(aclprofRangeStart(stamp, &range));
    ASSERT_OK(aclprofRangeStop(range));
    ASSERT_CODE(E_INVALID_PARAM, aclprofRangeStop(range + 1));
    ASSERT_OK(aclprofMarkEx("mark", 4, fx.stream));
    ASSERT_OK(aclprofGetStepTimestamp(step, ACL_STEP_START, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclprofGetStepTimestamp(step, (aclprofStepTag)2, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclprofGetStepTimestamp((aclprofStepInfo *)stamp, ACL_STEP_START, fx.stream));
    ASSERT_OK(aclrtProfTrace(&range, sizeof range, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtProfTrace(&range, 0, fx.stream));
    ck_assert_uint_eq(aclprofStr2Id("a"), aclprofStr2Id("a"));
    ck_assert_uint_ne(aclprofStr2Id("a"), aclprofStr2Id("b"));
    ck_assert_uint_eq(aclprofStr2Id(NULL), 0);
    aclprofDestroyStamp(stamp);
    aclprofDestroyStepInfo(step);
    ASSERT_CODE(E_INVALID_PARAM, aclprofMark(stamp));
    aclprofDestroyStamp(stamp);
    ASSERT_MESSAGE_NAMES("aclprofDestroyStamp", "stamp");
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("info", fixture_open, fixture_close);
    tcase_add_test(tc, a_data_buffer_names_bytes);
    tcase_add_test(tc, what_is_no_data_buffer_is_refused);
    tcase_add_test(tc, attributes_of_the_software);
    tcase_add_test(tc, chips_of_one_family_are_compatible);
    tcase_add_test(tc, versions_in_parts);
    tcase_add_test(tc, versions_as_text_and_number);
    tcase_add_test(tc, versions_that_are_no_number);
    tcase_add_test(tc, questions_about_devices_check_their_arguments);
    tcase_add_test(tc, a_device_without_faults);
    tcase_add_test(tc, a_primary_context_is_there_while_its_device_is_set);
    tcase_add_test(tc, the_load_is_that_of_the_memory);
    tcase_add_test(tc, abilities);
    tcase_add_test(tc, devices_and_processes_are_told_apart);
    tcase_add_test(tc, the_chip_as_texts);
    tcase_add_test(tc, options_are_kept);
    tcase_add_test(tc, limits_of_the_device_are_kept);
    tcase_add_test(tc, limits_of_cores);
    tcase_add_test(tc, time_limits_of_kernels_are_kept);
    tcase_add_test(tc, the_overflow_switch_of_a_stream_is_kept);
    tcase_add_test(tc, waits_for_events_have_a_time_limit);
    tcase_add_test(tc, maintenance_of_caches_changes_nothing);
    tcase_add_test(tc, nothing_ever_overflows);
    tcase_add_test(tc, a_session_of_the_profiler);
    tcase_add_test(tc, marks_of_the_profiler);
    TCase *const bare = new_case("no context", NULL, NULL);
    tcase_add_test(bare, numbers_of_devices);
    tcase_add_test(bare, a_program_writes_into_the_log);
    return run_cases("info", tc, bare, (TCase *)NULL);
}
