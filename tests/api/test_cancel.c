/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled while it is in a call: the call comes to its end, and no lock goes with the thread. */
#include "support.h"

#define MIB ((size_t)1 << 20)

static aclrtContext context;

static aclError map_and_unmap(void)
{
    static const aclrtPhysicalMemProp prop = { .memAttr = ACL_HBM_MEM_HUGE,
                                               .location = { .type = ACL_MEM_LOCATION_TYPE_DEVICE } };
    aclrtDrvMemHandle handle;
    void *at;
    aclError err = aclrtReserveMemAddress(&at, 2 * MIB, 0, NULL, 1);
    if (err == ACL_SUCCESS)
        err = aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0);
    if (err == ACL_SUCCESS)
        err = aclrtMapMem(at, 2 * MIB, 0, handle, 0);
    if (err == ACL_SUCCESS)
        err = aclrtUnmapMem(at);
    if (err == ACL_SUCCESS)
        err = aclrtFreePhysical(handle);
    return err == ACL_SUCCESS ? aclrtReleaseMemAddress(at) : err;
}

static aclError allocate(void)
{
    void *device, *pinned = NULL;
    aclError err = aclrtMalloc(&device, 3 * MIB, ACL_MEM_MALLOC_HUGE_FIRST);
    if (err == ACL_SUCCESS)
        err = aclrtMallocHost(&pinned, 3 * MIB);
    if (err == ACL_SUCCESS)
        err = aclrtFree(device);
    return err == ACL_SUCCESS ? aclrtFreeHost(pinned) : err;
}

static aclError allocate_managed(void)
{
    void *p;
    const aclError err = aclrtMemAllocManaged(&p, 2 * MIB, 1);
    return err == ACL_SUCCESS ? aclrtFree(p) : err;
}

static aclError export_memory(void)
{
    char key[65];
    void *device;
    aclError err = aclrtMalloc(&device, 3 * MIB, ACL_MEM_MALLOC_HUGE_FIRST);
    if (err == ACL_SUCCESS)
        err = aclrtIpcMemGetExportKey(device, 3 * MIB, key, sizeof key, 0);
    if (err == ACL_SUCCESS)
        err = aclrtIpcMemClose(key);
    return err == ACL_SUCCESS ? aclrtFree(device) : err;
}

static aclError export_notify(void)
{
    char key[65];
    aclrtNotify notify;
    aclError err = aclrtCreateNotify(&notify, 0);
    if (err == ACL_SUCCESS)
        err = aclrtNotifyGetExportKey(notify, key, sizeof key, 0);
    return err == ACL_SUCCESS ? aclrtDestroyNotify(notify) : err;
}

static aclError print_graph(void)
{
    aclmdlRI graph = NULL;
    aclError err = aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpyAsync(fx.device, 64, fx.pinned, 64, H2D, fx.stream);
    if (err == ACL_SUCCESS)
        err = aclmdlRICaptureEnd(fx.stream, &graph);
    if (err == ACL_SUCCESS)
        err = aclmdlRIDebugJsonPrint(graph, "/dev/null", 0);
    return err == ACL_SUCCESS ? aclmdlRIDestroy(graph) : err;
}

static aclError create_context(void)
{
    aclrtContext own;
    aclrtStream stream;
    aclError err = aclrtCreateContext(&own, 0);
    if (err == ACL_SUCCESS)
        err = aclrtCreateStream(&stream);
    if (err == ACL_SUCCESS)
        err = aclrtDestroyStream(stream);
    return err == ACL_SUCCESS ? aclrtDestroyContext(own) : err;
}

static aclError copy(void)
{
    aclrtEvent event;
    aclError err = aclrtCreateEvent(&event);
    for (unsigned i = 0; i < 3 && err == ACL_SUCCESS; i++)
        err = aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 64, 1024, H2D, fx.stream);
    if (err == ACL_SUCCESS)
        err = aclrtMemcpy(fx.pageable, 4096, fx.device, 4096, D2H);
    if (err == ACL_SUCCESS)
        err = aclrtRecordEvent(event, fx.stream);
    if (err == ACL_SUCCESS)
        err = aclrtSynchronizeEvent(event);
    if (err == ACL_SUCCESS)
        err = aclrtSynchronizeStream(fx.stream);
    return err == ACL_SUCCESS ? aclrtDestroyEvent(event) : err;
}

/* A message is printed. */
static aclError be_refused(void)
{
    return aclrtFree(fx.pageable) == E_RT_PARAM_INVALID ? ACL_SUCCESS : E_INTERNAL_ERROR;
}

static const struct {
    const char *what;
    aclError (*run)(void);
} works[] = { { "map", map_and_unmap },
              { "allocate", allocate },
              { "managed", allocate_managed },
              { "export memory", export_memory },
              { "export a notify", export_notify },
              { "print a graph", print_graph },
              { "context", create_context },
              { "copy", copy },
              { "refused", be_refused } };

/* What the thread got, if it came so far before it ended. */
struct attempt {
    aclError (*run)(void);
    aclError setup, code;
    atomic_bool returned;
};

/* The thread cancels itself: it would end in the first system call in which that may be. */
static void *run_cancelled(void *argument)
{
    struct attempt *const a = argument;
    a->setup = aclrtSetCurrentContext(context);
    pthread_cancel(pthread_self());
    a->code = a->run();
    atomic_store(&a->returned, true);
    pthread_testcancel();
    return NULL;
}

START_TEST(a_call_comes_to_its_end)
{
    pthread_t thread;
    void *result;
    struct attempt attempt = { .run = works[_i].run };
    ASSERT_OK(aclrtGetCurrentContext(&context));
    ck_assert_int_eq(pthread_create(&thread, NULL, run_cancelled, &attempt), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_msg(atomic_load(&attempt.returned), "%s: the thread ended in a call", works[_i].what);
    ck_assert_ptr_eq(result, PTHREAD_CANCELED);
    ASSERT_OK(attempt.setup);
    ASSERT_CODE_OF_ROW(ACL_SUCCESS, attempt.code, "%s", works[_i].what);
    ASSERT_CODE_OF_ROW(ACL_SUCCESS, works[_i].run(), "%s, after it", works[_i].what);
}
END_TEST

static void open_with_log(void)
{
    setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1", 1);
    fixture_open();
}

int main(void)
{
    TCase *const c = new_case("cancel", open_with_log, fixture_close);
    tcase_add_loop_test(c, a_call_comes_to_its_end, 0, (int)COUNT_OF(works));
    return run_cases("cancel", c, NULL);
}
