/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A producer and a consumer, two processes with one ring of frames in device memory. The producer uploads frames into the
 * ring's slots, the consumer downloads and checks them. Two notifies per slot keep the streams of both in step: "filled"
 * and "emptied". After the keys were exchanged the processes talk over the streams alone.
 *
 * usage: ipc_ring [FRAMES]
 */
#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(call) check((call), #call)

/* A slot begins on a page, so that no page holds bytes of two frames: of one that is being copied and of one that the
 * processor writes. Checking mode would step through such a page access by access. */
enum {
    SLOTS = 4,
    FRAME_BYTES = 1920 * 1080,
    PAGE = 4096,
    SLOT_BYTES = (FRAME_BYTES + PAGE - 1) / PAGE * PAGE,
    KEY_BYTES = 65
};

static const char *role;
static int frames = 200;

static void check(aclError err, const char *call)
{
    if (err == ACL_SUCCESS)
        return;
    const char *message = aclGetRecentErrMsg();
    fprintf(stderr, "ipc_ring: %s: %s returned %d: %s\n", role, call, err, message != NULL ? message : "no message");
    exit(1);
}

/* What the processes tell each other before they start: over pipes, as over any channel that both trust. */
struct keys {
    char memory[KEY_BYTES];
    char filled[SLOTS][KEY_BYTES];
    char emptied[SLOTS][KEY_BYTES];
};

static void put(int fd, const void *from, size_t bytes)
{
    if (write(fd, from, bytes) != (ssize_t)bytes)
        exit(1);
}

static void get(int fd, void *to, size_t bytes)
{
    for (size_t got = 0; got < bytes;) {
        const ssize_t step = read(fd, (char *)to + got, bytes - got);
        if (step <= 0)
            exit(1); /* the other process has ended and said why */
        got += (size_t)step;
    }
}

struct ring {
    char *memory;
    aclrtNotify filled[SLOTS], emptied[SLOTS];
    aclrtStream stream;
    char *host; /* one frame per slot */
};

static void open_device(struct ring *ring)
{
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&ring->stream));
    CHECK(aclrtMallocHost((void **)&ring->host, (size_t)SLOTS * SLOT_BYTES));
}

static void close_device(struct ring *ring)
{
    for (int i = 0; i < SLOTS; i++) {
        CHECK(aclrtDestroyNotify(ring->filled[i]));
        CHECK(aclrtDestroyNotify(ring->emptied[i]));
    }
    CHECK(aclrtFreeHost(ring->host));
    CHECK(aclrtDestroyStream(ring->stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
}

/* --- producer ---------------------------------------------------------------------------------------------------- */

static void export_notify(aclrtNotify *notify, char *key, int32_t pid)
{
    CHECK(aclrtCreateNotify(notify, 0));
    CHECK(aclrtNotifyGetExportKey(*notify, key, KEY_BYTES, ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT));
    CHECK(aclrtNotifySetImportPid(*notify, &pid, 1));
}

static int produce(int to, int from)
{
    struct ring ring;
    struct keys keys = { 0 };
    int32_t consumer;
    char done;
    role = "producer";
    open_device(&ring);
    get(from, &consumer, sizeof consumer);
    CHECK(aclrtMalloc((void **)&ring.memory, (size_t)SLOTS * SLOT_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtIpcMemGetExportKey(ring.memory, (size_t)SLOTS * SLOT_BYTES, keys.memory, KEY_BYTES,
                                  ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));
    CHECK(aclrtIpcMemSetImportPid(keys.memory, &consumer, 1));
    for (int i = 0; i < SLOTS; i++) {
        export_notify(&ring.filled[i], keys.filled[i], consumer);
        export_notify(&ring.emptied[i], keys.emptied[i], consumer);
    }
    put(to, &keys, sizeof keys);

    aclrtEvent uploaded[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        CHECK(aclrtCreateEventExWithFlag(&uploaded[i], ACL_EVENT_SYNC));
    for (int frame = 0; frame < frames; frame++) {
        const int slot = frame % SLOTS;
        char *const host = ring.host + (size_t)slot * SLOT_BYTES;
        CHECK(aclrtSynchronizeEvent(uploaded[slot])); /* the host frame is free again */
        memset(host, frame & 0xFF, FRAME_BYTES);
        if (frame >= SLOTS)
            CHECK(aclrtWaitAndResetNotify(ring.emptied[slot], ring.stream, 0));
        CHECK(aclrtMemcpyAsync(ring.memory + (size_t)slot * SLOT_BYTES, FRAME_BYTES, host, FRAME_BYTES,
                               ACL_MEMCPY_HOST_TO_DEVICE, ring.stream));
        CHECK(aclrtRecordEvent(uploaded[slot], ring.stream));
        CHECK(aclrtRecordNotify(ring.filled[slot], ring.stream));
    }
    CHECK(aclrtSynchronizeStream(ring.stream));
    get(from, &done, 1); /* the importer closes first */
    for (int i = 0; i < SLOTS; i++)
        CHECK(aclrtDestroyEvent(uploaded[i]));
    CHECK(aclrtIpcMemClose(keys.memory));
    CHECK(aclrtFree(ring.memory));
    close_device(&ring);
    printf("producer: %d frames of %d bytes sent\n", frames, FRAME_BYTES);
    return 0;
}

/* --- consumer ---------------------------------------------------------------------------------------------------- */

static int is_frame(const char *at, int frame)
{
    for (int i = 0; i < FRAME_BYTES; i++) {
        if (at[i] != (char)(frame & 0xFF))
            return 0;
    }
    return 1;
}

static int consume(int to, int from)
{
    struct ring ring;
    struct keys keys;
    int32_t pid;
    int wrong = 0;
    role = "consumer";
    open_device(&ring);
    CHECK(aclrtDeviceGetBareTgid(&pid)); /* as the other process sees this one */
    put(to, &pid, sizeof pid);
    get(from, &keys, sizeof keys);
    CHECK(aclrtIpcMemImportByKey((void **)&ring.memory, keys.memory, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
    for (int i = 0; i < SLOTS; i++) {
        CHECK(aclrtNotifyImportByKey(&ring.filled[i], keys.filled[i], 0));
        CHECK(aclrtNotifyImportByKey(&ring.emptied[i], keys.emptied[i], 0));
    }
    for (int frame = 0; frame < frames; frame++) {
        const int slot = frame % SLOTS;
        char *const host = ring.host + (size_t)slot * SLOT_BYTES;
        CHECK(aclrtWaitAndResetNotify(ring.filled[slot], ring.stream, 0));
        CHECK(aclrtMemcpyAsync(host, FRAME_BYTES, ring.memory + (size_t)slot * SLOT_BYTES, FRAME_BYTES,
                               ACL_MEMCPY_DEVICE_TO_HOST, ring.stream));
        CHECK(aclrtRecordNotify(ring.emptied[slot], ring.stream));
        CHECK(aclrtSynchronizeStream(ring.stream));
        wrong += !is_frame(host, frame);
    }
    CHECK(aclrtIpcMemClose(keys.memory));
    close_device(&ring);
    put(to, "d", 1);
    printf("consumer: %d frames received, %d wrong\n", frames, wrong);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        frames = atoi(argv[1]);
    int down[2], up[2], status = 1;
    if (pipe(down) != 0 || pipe(up) != 0)
        return 1;
    fflush(NULL);
    const pid_t child = fork(); /* before ACL starts: a forked child may not use its parent's */
    if (child < 0)
        return 1;
    if (child == 0) {
        close(down[1]);
        close(up[0]);
        exit(consume(up[1], down[0]));
    }
    close(down[0]);
    close(up[1]);
    const int failed = produce(down[1], up[0]);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 1;
    return failed || WEXITSTATUS(status);
}
