/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNIT ((size_t)2 << 20)
#define HANDLE_BYTES 128

/* --- this side -------------------------------------------------------------------------------------------------- */

struct peer peer_start(void)
{
    int to[2], from[2];
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe(to), 0);
    ck_assert_int_eq(pipe(from), 0);
    fflush(NULL);
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        if (dup2(to[0], STDIN_FILENO) < 0 || dup2(from[1], 3) < 0)
            _exit(1);
        for (int fd = 4; fd < 64; fd++)
            close(fd);
        execl("/proc/self/exe", "peer", "--peer", (char *)NULL);
        _exit(1);
    }
    close(to[0]);
    close(from[1]);
    struct peer peer = { .pid = pid, .to = to[1], .from = from[0] };
    struct peer_message hello;
    peer_await(&peer, &hello);
    ASSERT_OK(hello.code);
    return peer;
}

void peer_begin(struct peer *peer, enum peer_op op, struct peer_message *message)
{
    message->op = (int32_t)op;
    ck_assert_int_eq(write(peer->to, message, sizeof *message), sizeof *message);
}

void peer_await(struct peer *peer, struct peer_message *message)
{
    size_t got = 0;
    while (got < sizeof *message) {
        const ssize_t step = read(peer->from, (char *)message + got, sizeof *message - got);
        ck_assert_msg(step > 0, "the peer has ended");
        got += (size_t)step;
    }
}

void peer_tell(struct peer *peer, enum peer_op op, struct peer_message *message)
{
    peer_begin(peer, op, message);
    peer_await(peer, message);
}

static int reap(struct peer *peer)
{
    int status = -1;
    close(peer->to);
    ck_assert_int_eq(waitpid(peer->pid, &status, 0), peer->pid);
    close(peer->from);
    return status;
}

void peer_kill(struct peer *peer)
{
    ck_assert_int_eq(kill(peer->pid, SIGKILL), 0);
    const int status = reap(peer);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void peer_end(struct peer *peer)
{
    const int status = reap(peer);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the peer ended with status %d", status);
}

/* --- what is left behind ---------------------------------------------------------------------------------------- */

/* Own descriptors whose name has one of the parts. */
static int count_descriptors(const char *part, const char *other)
{
    int found = 0;
    DIR *const directory = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[300], target[256] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, target, sizeof target - 1) > 0)
            found += strstr(target, part) != NULL || strstr(target, other) != NULL;
    }
    closedir(directory);
    return found;
}

int peer_shared_descriptors(void)
{
    return count_descriptors("memfd:pacl-shared", "memfd:pacl-object");
}

int peer_own_sockets(void)
{
    return count_descriptors("socket:", "socket:");
}

/* A key begins with the number that is in the socket's name. */
bool peer_socket_exists(const char *key)
{
    char line[512], name[32];
    bool found = false;
    FILE *const table = fopen("/proc/net/unix", "re");
    ck_assert_ptr_nonnull(table);
    snprintf(name, sizeof name, "@pacl-ipc-%.4s\n", key);
    while (fgets(line, sizeof line, table) != NULL)
        found |= strstr(line, name) != NULL;
    fclose(table);
    return found;
}

int peer_shared_files(void)
{
    int found = 0;
    DIR *const directory = opendir("/dev/shm");
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        found += strstr(entry->d_name, "pacl") != NULL;
    if (directory != NULL)
        closedir(directory);
    return found;
}

/* --- the peer --------------------------------------------------------------------------------------------------- */

/* What the peer has. Nothing of the harness's checks is used in it: it is no test. */
static struct {
    aclrtStream stream;
    sem_t entered, release; /* the gate */
    uint8_t *at;
    size_t bytes;
    aclrtDrvMemHandle physical;
    aclrtEvent event;
    aclrtNotify notify;
} own;

static aclError fill(uint8_t value)
{
    aclError err = aclrtMemsetAsync(own.at, own.bytes, value, own.bytes, own.stream);
    return err == ACL_SUCCESS ? aclrtSynchronizeStream(own.stream) : err;
}

static aclError read_all(uint64_t *value)
{
    uint8_t *const host = malloc(own.bytes);
    const aclError err = aclrtMemcpy(host, own.bytes, own.at, own.bytes, D2H);
    *value = host[0];
    for (size_t i = 0; err == ACL_SUCCESS && i < own.bytes; i++) {
        if (host[i] != host[0])
            *value = 256;
    }
    free(host);
    return err;
}

static aclError do_export(struct peer_message *m)
{
    own.bytes = m->value[0];
    aclError err = aclrtMalloc((void **)&own.at, own.bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    if (err == ACL_SUCCESS)
        err = fill((uint8_t)m->value[2]);
    return err == ACL_SUCCESS ? aclrtIpcMemGetExportKey(own.at, own.bytes, m->text, 65, m->value[1]) : err;
}

static aclError do_import(const struct peer_message *m)
{
    own.bytes = m->value[0];
    return aclrtIpcMemImportByKey((void **)&own.at, m->text, 0);
}

static aclError map_own(void)
{
    aclError err = aclrtReserveMemAddress((void **)&own.at, own.bytes, 0, NULL, 0);
    return err == ACL_SUCCESS ? aclrtMapMem(own.at, own.bytes, 0, own.physical, 0) : err;
}

static aclError do_make_handle(struct peer_message *m)
{
    const aclrtPhysicalMemProp prop = { .memAttr = ACL_HBM_MEM_HUGE, .location.type = ACL_MEM_LOCATION_TYPE_DEVICE };
    own.bytes = m->value[0];
    aclError err = aclrtMallocPhysical(&own.physical, own.bytes, &prop, 0);
    if (err == ACL_SUCCESS)
        err = map_own();
    if (err == ACL_SUCCESS)
        err = fill((uint8_t)m->value[2]);
    if (err != ACL_SUCCESS)
        return err;
    if (m->value[3] == 0)
        return aclrtMemExportToShareableHandle(own.physical, ACL_MEM_HANDLE_TYPE_NONE, m->value[1],
                                               (uint64_t *)(void *)m->text);
    return aclrtMemExportToShareableHandleV2(own.physical, m->value[1], (aclrtMemSharedHandleType)m->value[3], m->text);
}

static aclError do_allow_handle(struct peer_message *m)
{
    int32_t pid = (int32_t)m->value[0];
    uint64_t number;
    memcpy(&number, m->text, sizeof number);
    return m->value[3] == 0
               ? aclrtMemSetPidToShareableHandle(number, &pid, 1)
               : aclrtMemSetPidToShareableHandleV2(m->text, (aclrtMemSharedHandleType)m->value[3], &pid, 1);
}

static aclError do_take_handle(struct peer_message *m)
{
    uint64_t number;
    memcpy(&number, m->text, sizeof number);
    own.bytes = m->value[0];
    const aclError err =
        m->value[3] == 0
            ? aclrtMemImportFromShareableHandle(number, 0, &own.physical)
            : aclrtMemImportFromShareableHandleV2(m->text, (aclrtMemSharedHandleType)m->value[3], 0, &own.physical);
    return err == ACL_SUCCESS ? map_own() : err;
}

static aclError do_drop_handle(void)
{
    aclError err = aclrtUnmapMem(own.at);
    if (err == ACL_SUCCESS)
        err = aclrtFreePhysical(own.physical);
    return err == ACL_SUCCESS ? aclrtReleaseMemAddress(own.at) : err;
}

/* The names of the layer below, looked up as programs do. */
static aclError do_open_name(const struct peer_message *m)
{
    int32_t (*open_memory)(void **, const char *);
    void *const at = dlsym(RTLD_DEFAULT, "rtIpcOpenMemory");
    memcpy(&open_memory, &at, sizeof at);
    own.bytes = m->value[0];
    return at != NULL ? open_memory((void **)&own.at, m->text) : -1;
}

static aclError do_close_name(void)
{
    int32_t (*close_memory)(const void *);
    void *const at = dlsym(RTLD_DEFAULT, "rtIpcCloseMemory");
    memcpy(&close_memory, &at, sizeof at);
    return at != NULL ? close_memory(own.at) : -1;
}

static aclError do_memory(struct peer_message *m)
{
    int32_t pid = (int32_t)m->value[0];
    switch (m->op) {
    case PEER_EXPORT:
        return do_export(m);
    case PEER_ALLOW:
        return aclrtIpcMemSetImportPid(m->text, &pid, 1);
    case PEER_IMPORT:
        return do_import(m);
    case PEER_CLOSE:
        return aclrtIpcMemClose(m->text);
    case PEER_FREE:
        return aclrtFree(own.at);
    case PEER_FILL:
        return fill((uint8_t)m->value[0]);
    case PEER_READ:
        return read_all(&m->value[0]);
    case PEER_MAKE_HANDLE:
        return do_make_handle(m);
    case PEER_ALLOW_HANDLE:
        return do_allow_handle(m);
    case PEER_TAKE_HANDLE:
        return do_take_handle(m);
    case PEER_OPEN_NAME:
        return do_open_name(m);
    case PEER_CLOSE_NAME:
        return do_close_name();
    default:
        return do_drop_handle();
    }
}

static aclError do_make_event(struct peer_message *m)
{
    aclrtIpcEventHandle handle = { 0 };
    aclError err = aclrtCreateEventExWithFlag(&own.event, ACL_EVENT_IPC);
    if (err == ACL_SUCCESS)
        err = aclrtIpcGetEventHandle(own.event, &handle);
    memcpy(m->text, &handle, sizeof handle);
    return err;
}

static aclError do_open_event(const struct peer_message *m)
{
    aclrtIpcEventHandle handle;
    memcpy(&handle, m->text, sizeof handle);
    return aclrtIpcOpenEventHandle(handle, &own.event);
}

static aclError do_query_event(struct peer_message *m)
{
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    const aclError err = aclrtQueryEventStatus(own.event, &status);
    m->value[0] = status;
    return err;
}

static aclError do_event(struct peer_message *m)
{
    switch (m->op) {
    case PEER_MAKE_EVENT:
        return do_make_event(m);
    case PEER_OPEN_EVENT:
        return do_open_event(m);
    case PEER_RECORD_EVENT:
        return aclrtRecordEvent(own.event, own.stream);
    case PEER_WAIT_EVENT:
        return aclrtStreamWaitEvent(own.stream, own.event);
    case PEER_QUERY_EVENT:
        return do_query_event(m);
    case PEER_SYNCHRONIZE_EVENT:
        return aclrtSynchronizeEvent(own.event);
    default:
        return aclrtDestroyEvent(own.event);
    }
}

static aclError do_make_notify(struct peer_message *m)
{
    const aclError err = aclrtCreateNotify(&own.notify, 0);
    return err == ACL_SUCCESS ? aclrtNotifyGetExportKey(own.notify, m->text, 65, m->value[1]) : err;
}

static aclError do_notify(struct peer_message *m)
{
    int32_t pid = (int32_t)m->value[0];
    switch (m->op) {
    case PEER_MAKE_NOTIFY:
        return do_make_notify(m);
    case PEER_ALLOW_NOTIFY:
        return aclrtNotifySetImportPid(own.notify, &pid, 1);
    case PEER_TAKE_NOTIFY:
        return aclrtNotifyImportByKey(&own.notify, m->text, 0);
    case PEER_RECORD_NOTIFY:
        return aclrtRecordNotify(own.notify, own.stream);
    case PEER_WAIT_NOTIFY:
        return aclrtWaitAndResetNotify(own.notify, own.stream, (uint32_t)m->value[0]);
    default:
        return aclrtDestroyNotify(own.notify);
    }
}

static void wait_at_gate(void *unused)
{
    (void)unused;
    sem_post(&own.entered);
    while (sem_wait(&own.release) != 0)
        continue;
}

static aclError close_gate(void)
{
    sem_init(&own.entered, 0, 0);
    sem_init(&own.release, 0, 0);
    const aclError err = aclrtLaunchHostFunc(own.stream, wait_at_gate, NULL);
    while (err == ACL_SUCCESS && sem_wait(&own.entered) != 0)
        continue;
    return err;
}

static aclError do_stream(const struct peer_message *m)
{
    switch (m->op) {
    case PEER_GATE_CLOSE:
        return close_gate();
    case PEER_GATE_OPEN:
        return sem_post(&own.release);
    default:
        return aclrtSynchronizeStream(own.stream);
    }
}

static aclError perform(struct peer_message *m)
{
    if (m->op < PEER_GATE_CLOSE)
        return do_memory(m);
    if (m->op < PEER_MAKE_EVENT)
        return do_stream(m);
    return m->op < PEER_MAKE_NOTIFY ? do_event(m) : do_notify(m);
}

/* Ends when the other side has closed its end, or when it is gone. */
void peer_main(int argc, char **argv)
{
    struct peer_message m = { 0 };
    if (argc != 2 || strcmp(argv[1], "--peer") != 0)
        return;
    m.code = aclrtSetDevice(0);
    if (m.code == ACL_SUCCESS)
        m.code = aclrtCreateStream(&own.stream);
    do {
        if (write(3, &m, sizeof m) != (ssize_t)sizeof m)
            exit(1);
        if (read(STDIN_FILENO, &m, sizeof m) != (ssize_t)sizeof m)
            exit(0);
        m.code = perform(&m);
    } while (true);
}
