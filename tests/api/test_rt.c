/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the layer below ACL: programs open the library, look them up, and call what they find. */
#include "peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static void *library;

static void open_library(void)
{
    fixture_open();
    library = dlopen("libascendcl.so", RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
}

/* Types as a program that loads the library writes them down. */
typedef int32_t bare_tgid_fn(uint32_t *);
typedef int32_t device_info_fn(uint32_t, int32_t, int32_t, int64_t *);
typedef int32_t number_fn(int32_t, int32_t *);
typedef int32_t enable_fn(uint32_t, uint32_t, uint32_t);
typedef int32_t disable_fn(uint32_t, uint32_t);
typedef int32_t set_name_fn(const void *, uint64_t, char *, uint32_t);
typedef int32_t set_pid_fn(const char *, uint32_t, int32_t *, int32_t);
typedef int32_t destroy_name_fn(const char *);
typedef int32_t open_fn(void **, const char *);
typedef int32_t close_fn(const void *);
typedef int32_t copy_fn(void *, uint64_t, const void *, uint64_t, int32_t, aclrtStream);
typedef int32_t synchronize_fn(aclrtStream);

/* ISO C has no conversion from an object pointer to a function pointer; POSIX defines it. */
#define LOOK_UP(type, name) \
    type *name; \
    do { \
        void *const at_ = dlsym(library, #name); \
        ck_assert_msg(at_ != NULL, "%s", dlerror()); \
        memcpy(&name, &at_, sizeof name); \
    } while (0)

START_TEST(every_name_is_there)
{
    static const char *const names[] = {
        "rtDeviceGetBareTgid",
        "rtGetDeviceInfo",
        "rtSetIpcMemorySuperPodPid",
        "rtIpcSetMemoryName",
        "rtIpcDestroyMemoryName",
        "rtIpcOpenMemory",
        "rtIpcCloseMemory",
        "rtEnableP2P",
        "rtDisableP2P",
        "rtGetLogicDevIdByUserDevId",
        "rtMemcpyAsyncWithoutCheckKind",
        "rtStreamSynchronize",
    };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ck_assert_msg(dlsym(library, names[i]) != NULL, "%s", names[i]);
}
END_TEST

START_TEST(numbers)
{
    LOOK_UP(bare_tgid_fn, rtDeviceGetBareTgid);
    LOOK_UP(number_fn, rtGetLogicDevIdByUserDevId);
    LOOK_UP(device_info_fn, rtGetDeviceInfo);
    uint32_t pid = 0;
    int32_t logic = -1;
    int64_t value = -1;
    ASSERT_OK(rtDeviceGetBareTgid(&pid));
    ck_assert_int_eq((pid_t)pid, getpid());
    ASSERT_OK(rtGetLogicDevIdByUserDevId(3, &logic));
    ck_assert_int_eq(logic, 3);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, rtGetLogicDevIdByUserDevId(99, &logic));
    ASSERT_MESSAGE_NAMES("rtGetLogicDevIdByUserDevId", "99");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtGetLogicDevIdByUserDevId(3, NULL));
    ASSERT_MESSAGE_NAMES("rtGetLogicDevIdByUserDevId", "logicDevId");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtDeviceGetBareTgid(NULL));
    ASSERT_MESSAGE_NAMES("rtDeviceGetBareTgid", "pid");
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, rtGetDeviceInfo(0, 4, 3, &value));
    ASSERT_MESSAGE_NAMES("rtGetDeviceInfo", "moduleType 4", "aclrtGetDeviceInfo");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtGetDeviceInfo(0, 4, 3, NULL));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, rtGetDeviceInfo(99, 4, 3, &value));
    ck_assert_int_eq(value, -1);
}
END_TEST

START_TEST(peers)
{
    LOOK_UP(enable_fn, rtEnableP2P);
    LOOK_UP(disable_fn, rtDisableP2P);
    int32_t status = -1;
    ASSERT_OK(rtEnableP2P(1, 2, 0));
    ASSERT_OK(aclrtDevicePeerAccessStatus(1, 2, &status));
    ck_assert_int_eq(status, 1);
    ASSERT_OK(aclrtDevicePeerAccessStatus(2, 1, &status));
    ck_assert_int_eq(status, 0);
    ASSERT_OK(rtDisableP2P(1, 2));
    ASSERT_OK(aclrtDevicePeerAccessStatus(1, 2, &status));
    ck_assert_int_eq(status, 0);
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, rtEnableP2P(1, 2, 1));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, rtEnableP2P(1, 1, 0));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, rtEnableP2P(99, 1, 0));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, rtDisableP2P(1, 99));
}
END_TEST

/* Kind 3 is device to device; the addresses say otherwise. */
START_TEST(copies_follow_the_addresses)
{
    LOOK_UP(copy_fn, rtMemcpyAsyncWithoutCheckKind);
    LOOK_UP(synchronize_fn, rtStreamSynchronize);
    memset(fx.pinned, 0x31, 256);
    ASSERT_OK(rtMemcpyAsyncWithoutCheckKind(fx.device, 256, fx.pinned, 256, 3, fx.stream));
    ASSERT_OK(rtMemcpyAsyncWithoutCheckKind(fx.pinned2, 256, fx.device, 256, 3, fx.stream));
    ASSERT_OK(rtStreamSynchronize(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, 256, 0x31);
    ASSERT_CODE(E_RT_PARAM_INVALID, rtMemcpyAsyncWithoutCheckKind(fx.device, 1, fx.pinned, 2, 1, fx.stream));
    ASSERT_MESSAGE_NAMES("rtMemcpyAsyncWithoutCheckKind", "destMax 1");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtMemcpyAsyncWithoutCheckKind(NULL, 2, fx.pinned, 2, 1, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtMemcpyAsyncWithoutCheckKind(fx.device, 2, NULL, 2, 1, fx.stream));
    ASSERT_MESSAGE_NAMES("rtMemcpyAsyncWithoutCheckKind", "src");
    ASSERT_CODE(E_RT_INVALID_HANDLE, rtStreamSynchronize((aclrtStream)(uintptr_t)0x10));
    ASSERT_MESSAGE_NAMES("rtStreamSynchronize", "0x10");
    ASSERT_OK(rtMemcpyAsyncWithoutCheckKind(fx.device + FIXTURE_BYTES - 8, 64, fx.pinned, 64, 1, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, rtStreamSynchronize(fx.stream));
    ASSERT_MESSAGE_NAMES("rtMemcpyAsyncWithoutCheckKind", "leaves its allocation");
}
END_TEST

START_TEST(memory_between_processes_refuses_what_is_wrong)
{
    LOOK_UP(set_name_fn, rtIpcSetMemoryName);
    LOOK_UP(set_pid_fn, rtSetIpcMemorySuperPodPid);
    LOOK_UP(destroy_name_fn, rtIpcDestroyMemoryName);
    LOOK_UP(open_fn, rtIpcOpenMemory);
    LOOK_UP(close_fn, rtIpcCloseMemory);
    char name[65] = "";
    int32_t pid = 1;
    void *at = NULL;
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcSetMemoryName(NULL, 4096, name, sizeof name));
    ASSERT_MESSAGE_NAMES("rtIpcSetMemoryName", "ptr");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcSetMemoryName(fx.device, 4096, NULL, sizeof name));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcSetMemoryName(fx.device, 4096, name, sizeof name - 1));
    ASSERT_MESSAGE_NAMES("rtIpcSetMemoryName", "len 64");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcOpenMemory(&at, "no such name"));
    ASSERT_MESSAGE_NAMES("rtIpcOpenMemory");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcOpenMemory(NULL, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcOpenMemory(&at, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtSetIpcMemorySuperPodPid("no such name", 0, &pid, -1));
    ASSERT_MESSAGE_NAMES("rtSetIpcMemorySuperPodPid", "num -1");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtSetIpcMemorySuperPodPid("no such name", 0, &pid, 1));
    ASSERT_MESSAGE_NAMES("rtSetIpcMemorySuperPodPid");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtSetIpcMemorySuperPodPid(NULL, 0, &pid, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtSetIpcMemorySuperPodPid("no such name", 0, NULL, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcDestroyMemoryName(NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcDestroyMemoryName("no such name"));
    ASSERT_MESSAGE_NAMES("rtIpcDestroyMemoryName");
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcCloseMemory(fx.device));
    ASSERT_CODE(E_RT_PARAM_INVALID, rtIpcCloseMemory(NULL));
    ck_assert_ptr_null(at);
}
END_TEST

static struct peer_message told(struct peer *peer, enum peer_op op, uint64_t value, const char *text)
{
    struct peer_message m = { .value = { value } };
    snprintf(m.text, sizeof m.text, "%s", text);
    peer_tell(peer, op, &m);
    return m;
}

/* A name made here is opened by another process, once it is allowed, and closed by its address. */
START_TEST(memory_goes_by_its_name_to_another_process)
{
    enum { E_RT_IPC_ERROR = 507022, BYTES = 8192 };
    LOOK_UP(set_name_fn, rtIpcSetMemoryName);
    LOOK_UP(set_pid_fn, rtSetIpcMemorySuperPodPid);
    LOOK_UP(destroy_name_fn, rtIpcDestroyMemoryName);
    char name[65] = "";
    struct peer peer = peer_start();
    int32_t pid = (int32_t)peer.pid;
    ASSERT_OK(aclrtMemset(fx.device, BYTES, 0x51, BYTES));
    ASSERT_OK(rtIpcSetMemoryName(fx.device, BYTES, name, sizeof name));
    ck_assert_int_eq(told(&peer, PEER_OPEN_NAME, BYTES, name).code, E_RT_IPC_ERROR); /* not allowed yet */
    ASSERT_OK(rtSetIpcMemorySuperPodPid(name, 0, &pid, 1));
    ASSERT_OK(told(&peer, PEER_OPEN_NAME, BYTES, name).code);
    ck_assert_uint_eq(told(&peer, PEER_READ, 0, "").value[0], 0x51);
    ASSERT_OK(told(&peer, PEER_FILL, 0x52, "").code);
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, BYTES, 0x52));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + BYTES, 64, POISON));
    ASSERT_OK(told(&peer, PEER_CLOSE_NAME, 0, "").code);
    ck_assert_int_eq(told(&peer, PEER_CLOSE_NAME, 0, "").code, E_RT_PARAM_INVALID); /* it is closed */
    ASSERT_OK(told(&peer, PEER_OPEN_NAME, BYTES, name).code);
    ASSERT_OK(rtIpcDestroyMemoryName(name));
    ck_assert_uint_eq(told(&peer, PEER_READ, 0, "").value[0], 0x52); /* what is open stays */
    ASSERT_OK(told(&peer, PEER_CLOSE_NAME, 0, "").code);
    ASSERT_REFUSED(told(&peer, PEER_OPEN_NAME, BYTES, name).code);
    peer_end(&peer);
}
END_TEST

int main(int argc, char **argv)
{
    peer_main(argc, argv);
    TCase *const tc = new_case("rt", open_library, fixture_close);
    tcase_add_test(tc, every_name_is_there);
    tcase_add_test(tc, numbers);
    tcase_add_test(tc, peers);
    tcase_add_test(tc, copies_follow_the_addresses);
    tcase_add_test(tc, memory_between_processes_refuses_what_is_wrong);
    tcase_add_test(tc, memory_goes_by_its_name_to_another_process);
    return run_cases("rt", tc, (TCase *)NULL);
}
