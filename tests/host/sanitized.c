/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that is built with ThreadSanitizer and uses the library as it is. usage: sanitized CASE. What a case does is
 * wrong, or right, on every run; ThreadSanitizer's exit status says what it found. 2: no such case.
 */
#include <acl/acl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call) \
    do { \
        const int code_ = (int)(call); \
        if (code_ != 0) { \
            fprintf(stderr, "%s: %d\n", #call, code_); \
            exit(3); \
        } \
    } while (0)

enum { BYTES = 4 << 20, ROWS = 100, PITCH = 256, WIDTH = 64 };

static unsigned char *device, *host;
static aclrtStream stream, other_stream;
static aclrtEvent event;
static volatile unsigned sink;

static void download(aclrtStream on)
{
    MUST(aclrtMemcpyAsync(host, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, on));
}

static void upload(aclrtStream on)
{
    MUST(aclrtMemcpyAsync(device, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, on));
}

static void download_columns(void)
{
    MUST(aclrtMemcpy2dAsync(host, PITCH, device, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

static void sync(aclrtStream on)
{
    MUST(aclrtSynchronizeStream(on));
}

/* --- wrong ------------------------------------------------------------------------------------------------------ */

static void read_before_sync(void)
{
    download(stream);
    sink += host[5];
    sync(stream);
}

static void write_source_before_sync(void)
{
    upload(stream);
    host[BYTES - 1] = 3;
    sync(stream);
}

static void read_last_column_before_sync(void)
{
    download_columns();
    sink += host[(ROWS - 1) * PITCH + WIDTH - 1];
    sync(stream);
}

static void read_after_the_other_sync(void)
{
    download(other_stream);
    sync(stream);
    sink += host[5];
    sync(other_stream);
}

static void tiny_copy_that_has_run(void)
{
    MUST(aclrtMemcpyAsync(host, 16, device, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    sink += host[15];
    sync(stream);
}

static void *read_one(void *unused)
{
    sink += host[1];
    return unused;
}

static void thread_reads_before_sync(void)
{
    pthread_t thread;
    download(stream);
    MUST(pthread_create(&thread, NULL, read_one, NULL));
    MUST(pthread_join(thread, NULL));
    sync(stream);
}

static void two_streams_write(void)
{
    MUST(aclrtMemcpyAsync(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    MUST(aclrtMemcpyAsync(host + 63, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, other_stream));
    MUST(aclrtSynchronizeDevice());
}

/* A graph on two streams: each uploads a half of the first 128 bytes, the first one downloads both behind them. */
static aclmdlRI captured(void)
{
    static aclrtEvent fork_event, join_event;
    aclmdlRI graph;
    if (fork_event == NULL) {
        MUST(aclrtCreateEventExWithFlag(&fork_event, ACL_EVENT_SYNC));
        MUST(aclrtCreateEventExWithFlag(&join_event, ACL_EVENT_SYNC));
    }
    MUST(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    MUST(aclrtRecordEvent(fork_event, stream));
    MUST(aclrtStreamWaitEvent(other_stream, fork_event));
    MUST(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    MUST(aclrtMemcpyAsync(device + 64, 64, host + 64, 64, ACL_MEMCPY_HOST_TO_DEVICE, other_stream));
    MUST(aclrtMemcpyAsync(host + 128, 64, device + 64, 64, ACL_MEMCPY_DEVICE_TO_HOST, other_stream));
    MUST(aclrtRecordEvent(join_event, other_stream));
    MUST(aclrtStreamWaitEvent(stream, join_event));
    MUST(aclrtMemcpyAsync(host + 128, 128, device, 128, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    MUST(aclmdlRICaptureEnd(stream, &graph));
    return graph;
}

static void write_source_of_a_graph_before_sync(void)
{
    const aclmdlRI graph = captured();
    MUST(aclmdlRIExecuteAsync(graph, stream));
    host[64] = 3;
    sync(stream);
    MUST(aclmdlRIDestroy(graph));
}

/* --- right ------------------------------------------------------------------------------------------------------ */

static void read_after_sync(void)
{
    download(stream);
    sync(stream);
    sink += host[5];
    host[6] = 1;
}

static void read_source_before_sync(void)
{
    upload(stream);
    sink += host[5];
    sync(stream);
}

static void touch_padding_before_sync(void)
{
    download_columns();
    sink += host[WIDTH];
    host[PITCH - 1] = 1;
    sync(stream);
}

static void event_between_streams(void)
{
    download(other_stream);
    MUST(aclrtRecordEvent(event, other_stream));
    MUST(aclrtStreamWaitEvent(stream, event));
    sync(stream);
    sink += host[5];
}

static void event_then_copy_back(void)
{
    download(other_stream);
    MUST(aclrtRecordEvent(event, other_stream));
    MUST(aclrtStreamWaitEvent(stream, event));
    upload(stream);
    sync(stream);
    host[9] = 1;
}

static void host_waits_for_event(void)
{
    download(stream);
    MUST(aclrtRecordEvent(event, stream));
    MUST(aclrtSynchronizeEvent(event));
    sink += host[5];
}

static void fill(void *at)
{
    memset(at, 7, WIDTH);
}

static void host_function_fills(void)
{
    MUST(aclrtLaunchHostFunc(stream, fill, host));
    upload(stream);
    sync(stream);
    host[3] = 1;
}

static void thread_reads_after_sync(void)
{
    pthread_t thread;
    download(stream);
    sync(stream);
    MUST(pthread_create(&thread, NULL, read_one, NULL));
    MUST(pthread_join(thread, NULL));
    host[1] = 2;
}

static void synchronous_copies(void)
{
    MUST(aclrtMemcpy(device, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    host[4] = 4;
    MUST(aclrtMemcpy(host, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    sink += host[4];
}

static void executions_of_a_graph(void)
{
    const aclmdlRI graph = captured();
    for (unsigned char i = 0; i < 3; i++) {
        memset(host, i, 256);
        MUST(aclmdlRIExecuteAsync(graph, stream));
        sync(stream);
        sink += host[128] + host[255];
        memset(host, i, 256);
        MUST(aclmdlRIExecuteAsync(graph, other_stream));
        MUST(aclmdlRIExecuteAsync(graph, other_stream));
        MUST(aclrtRecordEvent(event, other_stream));
        MUST(aclrtSynchronizeEvent(event));
        sink += host[128] + host[255];
    }
    MUST(aclmdlRIDestroy(graph));
}

static void host_function_of_a_graph_fills(void)
{
    aclmdlRI graph;
    MUST(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    MUST(aclrtLaunchHostFunc(stream, fill, host));
    upload(stream);
    MUST(aclrtLaunchHostFunc(stream, fill, host));
    MUST(aclmdlRICaptureEnd(stream, &graph));
    host[3] = 1;
    MUST(aclmdlRIExecuteAsync(graph, stream));
    sync(stream);
    host[3] = 1;
    MUST(aclmdlRIDestroy(graph));
}

#define CASE(name) \
    { \
#name, name \
    }
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    CASE(read_before_sync),
    CASE(write_source_before_sync),
    CASE(read_last_column_before_sync),
    CASE(read_after_the_other_sync),
    CASE(tiny_copy_that_has_run),
    CASE(thread_reads_before_sync),
    CASE(two_streams_write),
    CASE(read_after_sync),
    CASE(read_source_before_sync),
    CASE(touch_padding_before_sync),
    CASE(event_between_streams),
    CASE(event_then_copy_back),
    CASE(host_waits_for_event),
    CASE(host_function_fills),
    CASE(thread_reads_after_sync),
    CASE(synchronous_copies),
    CASE(executions_of_a_graph),
    CASE(host_function_of_a_graph_fills),
    CASE(write_source_of_a_graph_before_sync),
};

static void run(void (*body)(void))
{
    MUST(aclInit(NULL));
    MUST(aclrtSetDevice(0));
    MUST(aclrtCreateStream(&stream));
    MUST(aclrtCreateStream(&other_stream));
    MUST(aclrtCreateEvent(&event));
    MUST(aclrtMalloc((void **)&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMallocHost((void **)&host, BYTES));
    memset(host, 1, BYTES);
    MUST(aclrtMemcpy(device, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    for (unsigned i = 0; i < 10; i++)
        body();
    MUST(aclrtSynchronizeDevice());
    MUST(aclrtFreeHost(host));
    MUST(aclrtFree(device));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtDestroyStream(other_stream));
    MUST(aclFinalize());
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(argv[1], cases[i].name) == 0) {
            run(cases[i].run);
            return 0;
        }
    }
    fprintf(stderr, "usage: sanitized CASE\n");
    return 2;
}
