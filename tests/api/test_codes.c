/* SPDX-License-Identifier: Apache-2.0 */
/* Codes that the headers' comments name and that no other test meets: calls without a context, with streams of another
 * context, on products that lack the function, with handles of streams that are gone. */
#include <stdio.h>

#include <acl/acl_prof.h>
#include <acl/acl_rt_memory_soma.h>

#include "support.h"

/* A row of calls that are all to return the same. They may run in a thread, where the checks of the harness may not. */
struct row {
    int want, count;
    char wrong[256];
};

static struct row row;

#define ROW(call) note(#call, (int)(call))

static void note(const char *text, int code)
{
    row.count++;
    if (code != row.want && row.wrong[0] == '\0')
        snprintf(row.wrong, sizeof row.wrong, "%.200s returned %d", text, code);
}

static void begin_row(int want)
{
    row = (struct row){ .want = want };
}

static void end_row(int least)
{
    ck_assert_msg(row.wrong[0] == '\0', "%s, expected %d", row.wrong, row.want);
    ck_assert_int_ge(row.count, least);
}

static struct {
    aclrtNotify notify;
    aclrtCntNotify counting;
    aclrtStream gone;
    aclprofStepInfo *step;
    void *cmo;
} have;

static void open_objects(void)
{
    size_t size;
    fixture_open();
    ASSERT_OK(aclrtCreateNotify(&have.notify, 0));
    ASSERT_OK(aclrtCntNotifyCreate(&have.counting, 0));
    ASSERT_OK(aclrtCreateStream(&have.gone));
    ASSERT_OK(aclrtDestroyStream(have.gone));
    have.step = aclprofCreateStepInfo();
    ck_assert_ptr_nonnull(have.step);
    ASSERT_OK(aclrtCmoGetDescSize(&size));
    ASSERT_OK(aclrtMalloc(&have.cmo, size + 64, ACL_MEM_MALLOC_HUGE_FIRST));
}

static void close_objects(void)
{
    ASSERT_OK(aclrtFree(have.cmo));
    aclprofDestroyStepInfo(have.step);
    ASSERT_OK(aclrtCntNotifyDestroy(have.counting));
    ASSERT_OK(aclrtDestroyNotify(have.notify));
    fixture_close();
}

/* --- no context -------------------------------------------------------------------------------------------------- */

static aclError ask_without_context(void)
{
    aclrtStream stream;
    uint32_t number;
    int32_t least, most;
    size_t bytes;
    aclrtFloatOverflowMode mode;
    ROW(aclrtSynchronizeDeviceWithTimeout(1));
    ROW(aclrtDeviceEnablePeerAccess(1, 0));
    ROW(aclrtDeviceDisablePeerAccess(1));
    ROW(aclrtCtxGetCurrentDefaultStream(&stream));
    ROW(aclrtCreateStreamWithConfig(&stream, 0, 0));
    ROW(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, 1024));
    ROW(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, &bytes));
    ROW(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
    ROW(aclrtGetDeviceSatMode(&mode));
    ROW(aclrtDeviceGetStreamPriorityRange(&least, &most));
    ROW(aclrtGetStreamAvailableNum(&number));
    ROW(aclrtGetEventAvailNum(&number));
    return ACL_SUCCESS;
}

/* The null stream is the current context's. */
static aclError use_null_stream(void)
{
    aclrtStreamAttrValue attribute = { 0 };
    aclrtCntNotifyRecordInfo record = { .value = 1 };
    aclrtBarrierTaskInfo barrier = { .barrierNum = 1 };
    uint32_t number;
    char mark[] = "m";
    ROW(aclprofGetStepTimestamp(have.step, ACL_STEP_START, NULL));
    ROW(aclprofMarkEx(mark, 1, NULL));
    ROW(aclrtProfTrace(mark, 1, NULL));
    ROW(aclrtSetStreamAttribute(NULL, ACL_STREAM_ATTR_FAILURE_MODE, &attribute));
    ROW(aclrtValueWrite(fx.device, 1, 0, NULL));
    ROW(aclrtGetStreamResLimit(NULL, ACL_RT_DEV_RES_CUBE_CORE, &number));
    ROW(aclrtSetStreamResLimit(NULL, ACL_RT_DEV_RES_CUBE_CORE, 1));
    ROW(aclrtResetStreamResLimit(NULL));
    ROW(aclrtUseStreamResInCurrentThread(NULL));
    ROW(aclrtUnuseStreamResInCurrentThread(NULL));
    ROW(aclrtSetStreamOverflowSwitch(NULL, 1));
    ROW(aclrtGetStreamOverflowSwitch(NULL, &number));
    ROW(aclrtGetOverflowStatus(fx.device, 64, NULL));
    ROW(aclrtResetOverflowStatus(NULL));
    ROW(aclrtRecordNotify(have.notify, NULL));
    ROW(aclrtCntNotifyRecord(have.counting, NULL, &record));
    ROW(aclrtSubscribeReport(1, NULL));
    ROW(aclrtUnSubscribeReport(1, NULL));
    ROW(aclrtCmoAsync(fx.device, 64, ACL_RT_CMO_TYPE_FLUSH, NULL));
    ROW(aclrtCmoWaitBarrier(&barrier, NULL, 0));
    ROW(aclrtCmoAsyncWithDesc(have.cmo, ACL_RT_CMO_TYPE_FLUSH, NULL, NULL));
    return ACL_SUCCESS;
}

static aclError make_without_context(void)
{
    static const char key[] = "0000000000000000000000000000000000000000000000000000000000000000";
    aclrtIpcEventHandle handle = { .reserved = "" };
    aclrtEvent event;
    aclrtNotify notify;
    void *memory;
    ROW(aclrtMemsetD32(fx.device, 64, 1, 16));
    ROW(aclrtIpcOpenEventHandle(handle, &event));
    ROW(aclrtNotifyImportByKey(&notify, key, 0));
    ROW(aclrtIpcMemImportByKey(&memory, key, 0));
    ROW(aclrtMemAllocManaged(&memory, 4096, ACL_RT_MEM_ATTACH_GLOBAL));
    ROW(aclrtSetMemcpyDesc(fx.device, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, fx.device2, fx.device2 + 64, 64, NULL));
    return ACL_SUCCESS;
}

START_TEST(calls_without_a_context)
{
    begin_row(E_RT_CONTEXT_NULL);
    ASSERT_OK(in_new_thread(ask_without_context));
    ASSERT_OK(in_new_thread(use_null_stream));
    ASSERT_OK(in_new_thread(make_without_context));
    end_row(35);
}
END_TEST

/* --- streams ----------------------------------------------------------------------------------------------------- */

START_TEST(streams_of_another_context)
{
    aclrtContext home, other;
    aclrtStreamAttrValue attribute = { 0 };
    aclrtCntNotifyRecordInfo record = { .value = 1 };
    aclrtEvent event;
    aclmdlRI graph;
    void *pooled;
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_OK(aclrtMalloc(&pooled, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtGetCurrentContext(&home));
    ASSERT_OK(aclrtCreateContext(&other, 0));
    begin_row(E_RT_STREAM_CONTEXT);
    ROW(aclrtDestroyStreamForce(fx.stream));
    ROW(aclrtResetEvent(event, fx.stream));
    ROW(aclrtMemsetD32Async(fx.device, 64, 1, 16, fx.stream));
    ROW(aclrtSetStreamAttribute(fx.stream, ACL_STREAM_ATTR_FAILURE_MODE, &attribute));
    ROW(aclrtValueWrite(fx.device, 1, 0, fx.stream));
    ROW(aclrtCntNotifyRecord(have.counting, fx.stream, &record));
    ROW(aclmdlRIExecuteAsync(graph, fx.stream));
    ROW(aclrtMemPoolFreeAsync(pooled, fx.stream));
    end_row(8);
    ASSERT_OK(aclrtDestroyContext(other));
    ASSERT_OK(aclrtSetCurrentContext(home));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, fx.stream)); /* none of them has done anything */
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtFree(pooled));
    ASSERT_OK(aclrtDestroyEvent(event));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(streams_that_are_gone)
{
    aclrtBarrierTaskInfo barrier = { .barrierNum = 1 };
    aclrtMemManagedLocation location = { .type = ACL_MEM_LOCATIONTYPE_DEVICE, .id = 0 };
    void *managed;
    ASSERT_OK(aclrtMemAllocManaged(&managed, 4096, ACL_RT_MEM_ATTACH_GLOBAL));
    begin_row(E_RT_INVALID_HANDLE);
    ROW(aclprofGetStepTimestamp(have.step, ACL_STEP_START, have.gone));
    ROW(aclrtMemManagedPrefetchAsync(managed, 4096, location, 0, have.gone));
    ROW(aclrtCmoWaitBarrier(&barrier, have.gone, 0));
    ROW(aclrtCmoAsyncWithDesc(have.cmo, ACL_RT_CMO_TYPE_FLUSH, have.gone, NULL));
    end_row(4);
    ASSERT_OK(aclrtFree(managed));
}
END_TEST

START_TEST(numbers_of_devices_and_kinds)
{
    aclrtMemManagedLocation location = { .type = ACL_MEM_LOCATIONTYPE_DEVICE, .id = 99 };
    aclrtMallocAttribute attribute = { .attr = (aclrtMallocAttrType)99 };
    aclrtMallocConfig config = { .attrs = &attribute, .numAttrs = 1 };
    void *managed, *memory = NULL;
    ASSERT_OK(aclrtMemAllocManaged(&managed, 4096, ACL_RT_MEM_ATTACH_GLOBAL));
    begin_row(E_RT_INVALID_DEVICEID);
    ROW(aclrtDeviceEnablePeerAccess(99, 0));
    ROW(aclrtDeviceEnablePeerAccess(-1, 0));
    ROW(aclrtMemManagedPrefetchAsync(managed, 4096, location, 0, fx.stream));
    end_row(3);
    begin_row(E_RT_PARAM_INVALID);
    ROW(aclrtMallocWithCfg(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config));
    ROW(aclrtCmoAsyncWithDesc(have.cmo, (aclrtCmoType)4, fx.stream, NULL));
    end_row(2);
    ck_assert_ptr_null(memory);
    ASSERT_OK(aclrtFree(managed));
}
END_TEST

START_TEST(pools_on_a_captured_stream)
{
    aclrtMemPoolProps props = { .location.type = ACL_MEM_LOCATION_TYPE_DEVICE };
    aclrtMemPool pool;
    void *memory = NULL, *pooled;
    aclmdlRI graph;
    ASSERT_OK(aclrtMemPoolCreate(&pool, &props));
    ASSERT_OK(aclrtMemPoolMallocAsync(&pooled, 4096, pool, fx.stream));
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    begin_row(E_RT_FEATURE_NOT_SUPPORT);
    ROW(aclrtMemPoolMallocAsync(&memory, 4096, pool, fx.stream));
    ROW(aclrtMemPoolFreeAsync(pooled, fx.stream));
    end_row(2);
    ck_assert_ptr_null(memory);
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_OK(aclmdlRIDestroy(graph));
    ASSERT_OK(aclrtMemPoolFreeAsync(pooled, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtMemPoolDestroy(pool));
}
END_TEST

START_TEST(as_many_streams_as_there_can_be)
{
    uint32_t left = 0, made = 0;
    ASSERT_OK(aclrtGetStreamAvailableNum(&left));
    aclrtStream *streams = calloc(left + 1, sizeof *streams);
    ck_assert_ptr_nonnull(streams);
    while (made < left)
        ASSERT_OK(aclrtCreateStreamWithConfig(&streams[made++], 0, 0));
    begin_row(E_RT_NO_STREAM_RESOURCE);
    ROW(aclrtCreateStreamWithConfig(&streams[made], 0, 0));
    end_row(1);
    while (made > 0)
        ASSERT_OK(aclrtDestroyStream(streams[--made]));
    free(streams);
}
END_TEST

/* --- products ---------------------------------------------------------------------------------------------------- */

START_TEST(products_of_the_310b_class)
{
    int32_t pid = 1;
    char key[65];
    aclrtDrvMemHandle handle;
    void *memory;
    fixture_open_on("atlas-200i-500-a2");
    memset(key, '0', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    begin_row(E_RT_FEATURE_NOT_SUPPORT);
    ROW(aclrtMemImportFromShareableHandle(1, 0, &handle));
    ROW(aclrtMemSetPidToShareableHandle(1, &pid, 1));
    ROW(aclrtIpcMemImportByKey(&memory, key, 0));
    end_row(3);
    fixture_close();
}
END_TEST

START_TEST(products_without_batches)
{
    void *dsts[1], *srcs[1];
    size_t sizes[1] = { 64 }, indexes[1] = { 0 }, wrong = 0;
    aclrtMemcpyBatchAttr attribute = { .dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE };
    fixture_open_on("atlas-training");
    dsts[0] = fx.device;
    srcs[0] = fx.pinned;
    begin_row(E_RT_FEATURE_NOT_SUPPORT);
    ROW(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 1, &attribute, indexes, 1, &wrong, fx.stream));
    end_row(1);
    fixture_close();
}
END_TEST

START_TEST(products_of_the_950_class)
{
    aclrtMemUsageInfo usage[1];
    size_t count = 0;
    fixture_open_on("atlas-350");
    begin_row(E_RT_FEATURE_NOT_SUPPORT);
    ROW(aclrtGetMemUsageInfo(0, usage, 1, &count));
    end_row(1);
    fixture_close();
}
END_TEST

int main(void)
{
    TCase *const calls = new_case("codes", open_objects, close_objects);
    tcase_add_test(calls, calls_without_a_context);
    tcase_add_test(calls, streams_of_another_context);
    tcase_add_test(calls, streams_that_are_gone);
    tcase_add_test(calls, numbers_of_devices_and_kinds);
    tcase_add_test(calls, pools_on_a_captured_stream);
    tcase_add_test(calls, as_many_streams_as_there_can_be);
    TCase *const products = new_case("products", NULL, NULL);
    tcase_add_test(products, products_of_the_310b_class);
    tcase_add_test(products, products_without_batches);
    tcase_add_test(products, products_of_the_950_class);
    return run_cases("codes", calls, products, (TCase *)NULL);
}
