/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for several processes: bytes, permission, and what is left when one of the processes is killed. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer.h"

#define MIB ((size_t)1 << 20)
#define UNIT (2 * MIB)
#define KEY_ROOM 65
#define ANYONE 1
enum { E_RT_IPC_ERROR = 507022 };

static const aclrtPhysicalMemProp on_device = { .memAttr = ACL_HBM_MEM_HUGE,
                                                .location = { .type = ACL_MEM_LOCATION_TYPE_DEVICE } };

static int sockets_before;

static void open_all(void)
{
    fixture_open();
    sockets_before = peer_own_sockets();
}

/* Nothing that processes share is left. A process that has exported keeps its socket; that of a connection goes when its
 * thread has seen the other end close, which nobody waits for. */
static void assert_nothing_left(int own_sockets)
{
    enum { LOOKS = 5000 };
    for (int looks = 0; peer_own_sockets() != own_sockets && looks < LOOKS; looks++)
        usleep(1000);
    ck_assert_int_eq(peer_shared_descriptors(), 0);
    ck_assert_int_eq(peer_own_sockets(), own_sockets);
    ck_assert_int_eq(peer_shared_files(), 0);
}

static void assert_filled(const void *at, size_t bytes, uint8_t value)
{
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, bytes, value));
}

static void assert_peer_reads(struct peer *peer, uint8_t value)
{
    struct peer_message m = { 0 };
    peer_tell(peer, PEER_READ, &m);
    ASSERT_OK(m.code);
    ck_assert_uint_eq(m.value[0], value);
}

static void peer_fills(struct peer *peer, uint8_t value)
{
    struct peer_message m = { .value = { value } };
    peer_tell(peer, PEER_FILL, &m);
    ASSERT_OK(m.code);
}

/* --- arguments -------------------------------------------------------------------------------------------------- */

START_TEST(export_refuses_what_is_wrong)
{
    char key[KEY_ROOM] = "untouched";
    uint8_t *const d = fx.device;
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemGetExportKey(NULL, 64, key, KEY_ROOM, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemGetExportKey(d, 64, NULL, KEY_ROOM, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d, 64, key, KEY_ROOM, 2));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d, 0, key, KEY_ROOM, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d, 64, key, 0, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d, 64, key, KEY_ROOM - 1, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d, FIXTURE_BYTES + 1, key, KEY_ROOM, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d, SIZE_MAX, key, KEY_ROOM, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(d + 64, 64, key, KEY_ROOM, 0)); /* inside a page */
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(fx.pinned, 64, key, KEY_ROOM, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(fx.pageable, 64, key, KEY_ROOM, 0));
    ck_assert_str_eq(key, "untouched");
    ck_assert_int_eq(peer_own_sockets(), sockets_before); /* nothing is started before something is exported */
}
END_TEST

START_TEST(keys_that_are_none_are_refused)
{
    void *at = &fx;
    int32_t pid = (int32_t)getpid();
    const char *const keys[] = { "",
                                 "x",
                                 "0123",
                                 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                                 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
                                 "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef" };
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtIpcMemImportByKey(&at, keys[i], 0), "key %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtIpcMemClose(keys[i]), "key %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(keys[i], &pid, 1), "key %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtIpcMemSetAttr(keys[i], ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0),
                           "key %zu", i);
    }
    ck_assert_ptr_eq(at, &fx);
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemImportByKey(NULL, keys[3], 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemImportByKey(&at, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemImportByKey(&at, keys[3], 2));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemClose(NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemSetImportPid(NULL, &pid, 1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemSetImportPid(keys[0], NULL, 1)); /* null comes first */
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemSetImportPid(keys[3], NULL, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(keys[3], &pid, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtIpcMemSetAttr(NULL, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0));
}
END_TEST

START_TEST(keys_differ_and_are_ones_own)
{
    char first[KEY_ROOM], second[KEY_ROOM];
    void *at;
    ASSERT_OK(aclrtIpcMemGetExportKey(fx.device, FIXTURE_BYTES, first, KEY_ROOM, ANYONE));
    ASSERT_OK(aclrtIpcMemGetExportKey(fx.device, FIXTURE_BYTES, second, KEY_ROOM, ANYONE));
    ck_assert_uint_eq(strlen(first), KEY_ROOM - 1);
    ck_assert_str_ne(first, second);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemImportByKey(&at, first, 0)); /* by the process that made it */
    ASSERT_OK(aclrtIpcMemSetAttr(first, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemSetAttr(first, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 4));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemSetAttr(first, (aclrtIpcMemAttrType)1, 1));
    ASSERT_OK(aclrtIpcMemClose(first));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemClose(first));
    ASSERT_OK(aclrtIpcMemClose(second));
    /* The memory is as it was, in all ways to reach it. */
    assert_fixture_untouched();
}
END_TEST

START_TEST(products_of_the_310b_class_share_nothing)
{
    char key[KEY_ROOM];
    fixture_open_on("atlas-200i-500-a2");
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtIpcMemGetExportKey(fx.device, 64, key, KEY_ROOM, 0));
    fixture_close();
}
END_TEST

/* --- bytes ------------------------------------------------------------------------------------------------------ */

static void share_both_ways(size_t bytes)
{
    struct peer peer = peer_start();
    struct peer_message m = { .value = { bytes } };
    void *at;
    ASSERT_OK(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(at, bytes, 0x21, bytes));
    ASSERT_OK(aclrtIpcMemGetExportKey(at, bytes, m.text, KEY_ROOM, 0));
    int32_t pid = (int32_t)peer.pid;
    ASSERT_OK(aclrtIpcMemSetImportPid(m.text, &pid, 1));
    assert_filled(at, bytes, 0x21); /* moved, with its bytes */
    peer_tell(&peer, PEER_IMPORT, &m);
    ASSERT_OK(m.code);
    assert_peer_reads(&peer, 0x21);
    peer_fills(&peer, 0x43);
    assert_filled(at, bytes, 0x43);
    ASSERT_OK(aclrtMemset(at, bytes, 0x65, bytes));
    assert_peer_reads(&peer, 0x65);
    peer_tell(&peer, PEER_CLOSE, &m);
    ASSERT_OK(m.code);
    peer_tell(&peer, PEER_CLOSE, &m);
    ck_assert_int_eq(m.code, E_RT_PARAM_INVALID);
    ASSERT_OK(aclrtIpcMemClose(m.text));
    assert_filled(at, bytes, 0x65);
    ASSERT_OK(aclrtFree(at));
    peer_end(&peer);
}

START_TEST(both_processes_have_the_same_bytes)
{
    const size_t sizes[] = { 4096, 1000, 40 * 1024, MIB, 3 * MIB + 12345, 64 * MIB };
    share_both_ways(sizes[_i]);
    assert_nothing_left(sockets_before + 1);
}
END_TEST

/* Small blocks share their span: neighbours keep their bytes when it moves, and when it is exported again. */
START_TEST(neighbours_of_an_exported_block_are_not_touched)
{
    enum { BLOCKS = 40, BYTES = 5000 };
    uint8_t *blocks[BLOCKS];
    char keys[BLOCKS][KEY_ROOM];
    for (unsigned i = 0; i < BLOCKS; i++) {
        ASSERT_OK(aclrtMalloc((void **)&blocks[i], BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
        ASSERT_OK(aclrtMemset(blocks[i], BYTES, (int32_t)i, BYTES));
    }
    for (unsigned i = 0; i < BLOCKS; i += 3)
        ASSERT_OK(aclrtIpcMemGetExportKey(blocks[i], BYTES, keys[i], KEY_ROOM, ANYONE));
    for (unsigned i = 0; i < BLOCKS; i++)
        assert_filled(blocks[i], BYTES, (uint8_t)i);
    struct peer peer = peer_start();
    for (unsigned i = 0; i < BLOCKS; i += 3) {
        struct peer_message m = { .value = { BYTES } };
        memcpy(m.text, keys[i], KEY_ROOM);
        peer_tell(&peer, PEER_IMPORT, &m);
        ASSERT_OK(m.code);
        assert_peer_reads(&peer, (uint8_t)i);
        peer_fills(&peer, (uint8_t)(i + 100));
    }
    for (unsigned i = 0; i < BLOCKS; i++)
        assert_filled(blocks[i], BYTES, (uint8_t)(i % 3 == 0 ? i + 100 : i));
    peer_end(&peer);
    for (unsigned i = 0; i < BLOCKS; i++)
        ASSERT_OK(aclrtFree(blocks[i]));
}
END_TEST

/* What was freed here is fresh memory for the next one; the other process keeps what it has. */
START_TEST(freed_memory_is_not_shared_any_more)
{
    struct peer peer = peer_start();
    struct peer_message m = { .value = { 4 * MIB } };
    void *at, *again;
    ASSERT_OK(aclrtMalloc(&at, 4 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(at, 4 * MIB, 0x11, 4 * MIB));
    ASSERT_OK(aclrtIpcMemGetExportKey(at, 4 * MIB, m.text, KEY_ROOM, ANYONE));
    peer_tell(&peer, PEER_IMPORT, &m);
    ASSERT_OK(m.code);
    ASSERT_OK(aclrtFree(at));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemClose(m.text)); /* the key went with the block */
    ASSERT_OK(aclrtMalloc(&again, 4 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_filled(again, 4 * MIB, 0);
    ASSERT_OK(aclrtMemset(again, 4 * MIB, 0x99, 4 * MIB));
    assert_peer_reads(&peer, 0x11);
    peer_fills(&peer, 0x22);
    assert_filled(again, 4 * MIB, 0x99);
    peer_end(&peer);
    ASSERT_OK(aclrtFree(again));
    assert_nothing_left(sockets_before + 1);
}
END_TEST

/* A stream works on the block while it moves. Each round of copies leaves its number in every byte. */
START_TEST(a_block_moves_while_streams_use_it)
{
    const size_t bytes = 8 * MIB;
    uint8_t *at, *host, *back;
    char key[KEY_ROOM];
    ASSERT_OK(aclrtMallocHost((void **)&host, bytes));
    ASSERT_OK(aclrtMallocHost((void **)&back, bytes));
    for (size_t round = 0; round < test_rounds(10); round++) {
        const uint8_t value = (uint8_t)(round + 1);
        ASSERT_OK(aclrtMalloc((void **)&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        memset(host, value, bytes);
        for (size_t i = 0; i < 64; i++)
            ASSERT_OK(aclrtMemcpyAsync(at + i * bytes / 64, bytes / 64, host, bytes / 64, H2D, fx.stream));
        ASSERT_OK(aclrtIpcMemGetExportKey(at, bytes, key, KEY_ROOM, 0));
        ASSERT_OK(aclrtMemcpyAsync(back, bytes, at, bytes, D2H, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_ALL_BYTES(back, bytes, value);
        ASSERT_OK(aclrtFree(at));
    }
    ASSERT_OK(aclrtFreeHost(host));
    ASSERT_OK(aclrtFreeHost(back));
}
END_TEST

/* 32 GiB of addresses, a few bytes: neither side has more than these. */
START_TEST(sparse_memory_stays_sparse)
{
    const size_t bytes = (size_t)32 << 30, page = 4096;
    struct peer peer = peer_start();
    struct peer_message m = { .value = { page } };
    uint8_t *at;
    ASSERT_OK(aclrtMalloc((void **)&at, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    ASSERT_OK(aclrtMemset(at, page, 0x31, page));
    ASSERT_OK(aclrtMemset(at + bytes - page, page, 0x32, page));
    ASSERT_OK(aclrtIpcMemGetExportKey(at, bytes, m.text, KEY_ROOM, ANYONE));
    peer_tell(&peer, PEER_IMPORT, &m); /* looks at the first page only */
    ASSERT_OK(m.code);
    assert_peer_reads(&peer, 0x31);
    assert_filled(at + bytes - page, page, 0x32);
    peer_end(&peer);
    ASSERT_OK(aclrtFree(at));
}
END_TEST

START_TEST(imported_memory_is_device_memory_with_its_own_bounds)
{
    struct peer peer = peer_start();
    struct peer_message m = { .value = { 5000, ANYONE, 0x5D } };
    uint8_t *at, *again;
    void *base;
    size_t size;
    aclrtPtrAttributes attributes;
    peer_tell(&peer, PEER_EXPORT, &m);
    ASSERT_OK(m.code);
    ASSERT_OK(aclrtIpcMemImportByKey((void **)&at, m.text, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
    assert_filled(at, 5000, 0x5D);
    ASSERT_OK(aclrtPointerGetAttributes(at + 4999, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    ck_assert_uint_eq(attributes.location.id, 0);
    ASSERT_OK(aclrtMemGetAddressRange(at + 100, &base, &size));
    ck_assert_ptr_eq(base, at);
    ck_assert_uint_eq(size, 5000);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemset(at, 5001, 0, 5001));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(at));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtUnmapMem(at));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReleaseMemAddress(at));
    ASSERT_OK(aclrtIpcMemImportByKey((void **)&again, m.text, 0)); /* the same memory: the same address */
    ck_assert_ptr_eq(again, at);
    ASSERT_OK(aclrtIpcMemClose(m.text));
    assert_filled(at, 5000, 0x5D);
    struct gate gate;
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned, 5000, at, 5000, D2H, fx.stream));
    gate_await(&gate);
    ASSERT_OK(aclrtIpcMemClose(m.text));
    gate_open(&gate);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemClose(m.text));
    peer_end(&peer);
    assert_nothing_left(sockets_before);
}
END_TEST

/* --- permission ------------------------------------------------------------------------------------------------- */

START_TEST(only_allowed_processes_import)
{
    struct peer peer = peer_start();
    struct peer_message m = { .value = { FIXTURE_BYTES } };
    int32_t pids[2] = { (int32_t)getpid(), (int32_t)getppid() };
    ASSERT_OK(aclrtIpcMemGetExportKey(fx.device, FIXTURE_BYTES, m.text, KEY_ROOM, 0));
    peer_tell(&peer, PEER_IMPORT, &m);
    ck_assert_int_eq(m.code, E_RT_IPC_ERROR);
    ASSERT_OK(aclrtIpcMemSetImportPid(m.text, pids, 2));
    peer_tell(&peer, PEER_IMPORT, &m);
    ck_assert_int_eq(m.code, E_RT_IPC_ERROR);
    pids[0] = (int32_t)peer.pid;
    ASSERT_OK(aclrtIpcMemSetImportPid(m.text, pids, 1));
    peer_tell(&peer, PEER_IMPORT, &m);
    ASSERT_OK(m.code);
    assert_peer_reads(&peer, POISON);
    /* Neither key nor memory of another kind, nor a key that differs in its last digit. */
    struct peer_message other = m;
    char *const last = &other.text[KEY_ROOM - 2];
    *last = *last == '0' ? '1' : '0';
    other.value[0] = FIXTURE_BYTES;
    peer_tell(&peer, PEER_IMPORT, &other);
    ck_assert_int_eq(other.code, E_RT_PARAM_INVALID);
    memcpy(other.text, m.text, KEY_ROOM);
    peer_tell(&peer, PEER_TAKE_NOTIFY, &other);
    ck_assert_int_ne(other.code, ACL_SUCCESS);
    ASSERT_OK(aclrtIpcMemClose(m.text));
    struct peer late = peer_start(); /* the key is closed */
    pids[0] = (int32_t)late.pid;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemSetImportPid(m.text, pids, 1));
    peer_tell(&late, PEER_IMPORT, &m);
    ck_assert_int_eq(m.code, E_RT_PARAM_INVALID);
    peer_end(&late);
    peer_end(&peer);
}
END_TEST

/* --- physical memory -------------------------------------------------------------------------------------------- */

/* MEM-161 [code] */
START_TEST(mem_161_export_with_unknown_flags)
{
    aclrtDrvMemHandle handle;
    uint64_t number = 7;
    aclrtMemFabricHandle fabric;
    int32_t pid = (int32_t)getpid();
    ASSERT_OK(aclrtMallocPhysical(&handle, UNIT, &on_device, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 2, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemExportToShareableHandle(NULL, ACL_MEM_HANDLE_TYPE_NONE, 0, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_POSIX, 0, &number));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemExportToShareableHandle(&fx, ACL_MEM_HANDLE_TYPE_NONE, 0, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemExportToShareableHandleV2(handle, 0, (aclrtMemSharedHandleType)0, &fabric));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemExportToShareableHandleV2(handle, 0, (aclrtMemSharedHandleType)3, &fabric));
    ck_assert_uint_eq(number, 7);
    ASSERT_OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &number));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &number));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemSetPidToShareableHandle(number, NULL, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetPidToShareableHandle(number, &pid, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetPidToShareableHandle(number + 1, &pid, 1));
    ASSERT_OK(aclrtMemSetPidToShareableHandle(number, &pid, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(handle)); /* a failed call: the export stays */
    ASSERT_OK(aclrtMemSetPidToShareableHandle(number, &pid, 1));
    aclrtDrvMemHandle taken;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemImportFromShareableHandle(number, 0, &taken)); /* its own */
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtMemImportFromShareableHandle(number, 8, &taken));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemImportFromShareableHandle(number, 0, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemImportFromShareableHandle(0, 0, &taken));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemImportFromShareableHandle(UINT64_MAX, 0, &taken));
    ASSERT_CODE(E_INVALID_PARAM,
                aclrtMemImportFromShareableHandleV2(NULL, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &taken));
    ASSERT_CODE(E_INVALID_PARAM,
                aclrtMemImportFromShareableHandleV2(&number, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 1, &taken));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetPidToShareableHandle(number, &pid, 1)); /* gone with the memory */
    assert_nothing_left(sockets_before + 1);
}
END_TEST

/* Share types: 0 is the first version of the calls. */
START_TEST(physical_memory_is_shared)
{
    struct peer peer = peer_start();
    struct peer_message m = { .value = { 3 * UNIT, 0, 0x71, (uint64_t)_i } };
    peer_tell(&peer, PEER_MAKE_HANDLE, &m);
    ASSERT_OK(m.code);

    aclrtDrvMemHandle handle = NULL;
    uint64_t number;
    memcpy(&number, m.text, sizeof number);
    const bool first = m.value[3] == 0;
    const aclrtMemSharedHandleType type = (aclrtMemSharedHandleType)m.value[3];
    ASSERT_CODE(E_RT_IPC_ERROR, first ? aclrtMemImportFromShareableHandle(number, 0, &handle)
                                      : aclrtMemImportFromShareableHandleV2(m.text, type, 0, &handle));
    m.value[0] = (uint64_t)getpid();
    peer_tell(&peer, PEER_ALLOW_HANDLE, &m);
    ASSERT_OK(m.code);
    ASSERT_OK(first ? aclrtMemImportFromShareableHandle(number, 0, &handle)
                    : aclrtMemImportFromShareableHandleV2(m.text, type, 0, &handle));

    uint8_t *at;
    ASSERT_OK(aclrtReserveMemAddress((void **)&at, 4 * UNIT, 0, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMapMem(at + UNIT, 3 * UNIT, 0, handle, 0));
    assert_filled(at + UNIT, 3 * UNIT, 0x71);
    ASSERT_OK(aclrtMemset(at + UNIT, 3 * UNIT, 0x72, 3 * UNIT));
    assert_peer_reads(&peer, 0x72);
    peer_tell(&peer, PEER_DROP_HANDLE, &m); /* the bytes stay while anybody has them */
    ASSERT_OK(m.code);
    assert_filled(at + UNIT, 3 * UNIT, 0x72);
    peer_end(&peer);
    ASSERT_OK(aclrtUnmapMem(at + UNIT));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_OK(aclrtReleaseMemAddress(at));
    assert_nothing_left(sockets_before);
}
END_TEST

/* Memory that is mapped at two places here moves under both. */
START_TEST(mapped_memory_moves_when_it_is_exported)
{
    struct peer peer = peer_start();
    struct peer_message m = { .value = { UNIT } };
    aclrtDrvMemHandle handle;
    uint8_t *at;
    ASSERT_OK(aclrtMallocPhysical(&handle, UNIT, &on_device, 0));
    ASSERT_OK(aclrtReserveMemAddress((void **)&at, 2 * UNIT, 0, NULL, 0));
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMapMem(at + UNIT, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMemset(at, UNIT, 0x0F, UNIT));
    ASSERT_OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, ANYONE, (uint64_t *)(void *)m.text));
    assert_filled(at, 2 * UNIT, 0x0F);
    peer_tell(&peer, PEER_TAKE_HANDLE, &m);
    ASSERT_OK(m.code);
    peer_fills(&peer, 0x1E);
    assert_filled(at, 2 * UNIT, 0x1E);
    peer_tell(&peer, PEER_DROP_HANDLE, &m);
    ASSERT_OK(m.code);
    peer_end(&peer);
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtUnmapMem(at + UNIT));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_OK(aclrtReleaseMemAddress(at));
    assert_nothing_left(sockets_before + 1);
}
END_TEST

/* --- death ------------------------------------------------------------------------------------------------------ */

/* The importer is killed after each of its steps: this process, which exported, goes on. */
START_TEST(a_killed_importer_takes_nothing_with_it)
{
    for (int step = 0; step < 5; step++) {
        struct peer peer = peer_start();
        struct peer_message m = { .value = { 4 * MIB } };
        uint8_t *at;
        ASSERT_OK(aclrtMalloc((void **)&at, 4 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
        ASSERT_OK(aclrtMemset(at, 4 * MIB, 0x13, 4 * MIB));
        ASSERT_OK(aclrtIpcMemGetExportKey(at, 4 * MIB, m.text, KEY_ROOM, ANYONE));
        if (step >= 1) {
            peer_tell(&peer, PEER_IMPORT, &m);
            ASSERT_OK(m.code);
        }
        if (step >= 2)
            peer_fills(&peer, 0x24);
        if (step >= 3) {
            struct peer_message gate = { 0 };
            peer_tell(&peer, PEER_GATE_CLOSE, &gate);
        }
        if (step >= 4) {
            peer_tell(&peer, PEER_CLOSE, &m);
            ASSERT_OK(m.code);
        }
        peer_kill(&peer);
        assert_filled(at, 4 * MIB, step >= 2 ? 0x24 : 0x13);
        ASSERT_OK(aclrtMemset(at, 4 * MIB, 0x35, 4 * MIB));
        assert_filled(at, 4 * MIB, 0x35);
        struct peer next = peer_start(); /* the key still works for others */
        m.value[0] = 4 * MIB;
        peer_tell(&next, PEER_IMPORT, &m);
        ASSERT_OK(m.code);
        assert_peer_reads(&next, 0x35);
        peer_end(&next);
        ASSERT_OK(aclrtIpcMemClose(m.text));
        ASSERT_OK(aclrtFree(at));
        assert_nothing_left(sockets_before + 1);
    }
}
END_TEST

/* The exporter is killed after each of its steps: this process, which imports, keeps what it has and gets no more. */
START_TEST(a_killed_exporter_takes_nothing_with_it)
{
    for (int step = 0; step < 3; step++) {
        struct peer peer = peer_start();
        struct peer_message m = { .value = { 4 * MIB, 0, 0x13 } };
        uint8_t *at = NULL;
        peer_tell(&peer, PEER_EXPORT, &m);
        ASSERT_OK(m.code);
        if (step >= 1) {
            struct peer_message allow = m;
            allow.value[0] = (uint64_t)getpid();
            peer_tell(&peer, PEER_ALLOW, &allow);
            ASSERT_OK(allow.code);
        }
        if (step >= 2)
            ASSERT_OK(aclrtIpcMemImportByKey((void **)&at, m.text, 0));
        ck_assert(peer_socket_exists(m.text));
        peer_kill(&peer);
        ck_assert(!peer_socket_exists(m.text));
        if (step < 2) {
            ASSERT_CODE(E_RT_PARAM_INVALID, aclrtIpcMemImportByKey((void **)&at, m.text, 0));
        } else {
            assert_filled(at, 4 * MIB, 0x13);
            ASSERT_OK(aclrtMemset(at, 4 * MIB, 0x24, 4 * MIB));
            assert_filled(at, 4 * MIB, 0x24);
            ASSERT_OK(aclrtIpcMemClose(m.text));
        }
        assert_nothing_left(sockets_before);
    }
}
END_TEST

START_TEST(killed_owners_of_physical_memory)
{
    for (int step = 0; step < 2; step++) {
        struct peer peer = peer_start();
        struct peer_message m = { .value = { UNIT, ANYONE, 0x13 } };
        aclrtDrvMemHandle handle;
        uint8_t *at;
        peer_tell(&peer, PEER_MAKE_HANDLE, &m);
        ASSERT_OK(m.code);
        uint64_t number;
        memcpy(&number, m.text, sizeof number);
        if (step == 0) {
            peer_kill(&peer);
            ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemImportFromShareableHandle(number, 0, &handle));
            continue;
        }
        ASSERT_OK(aclrtMemImportFromShareableHandle(number, 0, &handle));
        peer_kill(&peer); /* before it is mapped */
        ASSERT_OK(aclrtReserveMemAddress((void **)&at, UNIT, 0, NULL, 0));
        ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
        assert_filled(at, UNIT, 0x13);
        ASSERT_OK(aclrtUnmapMem(at));
        ASSERT_OK(aclrtFreePhysical(handle));
        ASSERT_OK(aclrtReleaseMemAddress(at));
    }
    assert_nothing_left(sockets_before);
}
END_TEST

/* Free bytes of the device; what physical memory counts is given back when the last handle and mapping are gone. */
static size_t free_bytes(void)
{
    size_t available = 0, total = 0;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &available, &total));
    return available;
}

/* The importer is killed before it takes the handle, when it has mapped the memory, and while it writes there. */
START_TEST(a_killed_importer_of_physical_memory)
{
    for (uint64_t step = 0; step < 3; step++) {
        const aclrtPhysicalMemProp prop = { .memAttr = ACL_HBM_MEM_HUGE,
                                            .location.type = ACL_MEM_LOCATION_TYPE_DEVICE };
        const size_t before = free_bytes();
        struct peer peer = peer_start();
        struct peer_message m = { .value = { UNIT } }, fill = { .value = { 0x25 } };
        aclrtDrvMemHandle handle;
        int32_t pid = (int32_t)peer.pid;
        uint64_t number;
        uint8_t *at;
        ASSERT_OK(aclrtMallocPhysical(&handle, UNIT, &prop, 0));
        ASSERT_OK(aclrtReserveMemAddress((void **)&at, UNIT, 0, NULL, 0));
        ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
        ASSERT_OK(aclrtMemset(at, UNIT, 0x24, UNIT));
        ASSERT_OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &number));
        ASSERT_OK(aclrtMemSetPidToShareableHandle(number, &pid, 1));
        memcpy(m.text, &number, sizeof number);
        if (step > 0) {
            peer_tell(&peer, PEER_TAKE_HANDLE, &m);
            ASSERT_OK(m.code);
        }
        if (step == 2)
            peer_begin(&peer, PEER_FILL, &fill);
        peer_kill(&peer);
        if (step < 2)
            assert_filled(at, UNIT, 0x24);
        ASSERT_OK(aclrtMemset(at, UNIT, 0x26, UNIT)); /* here it goes on */
        assert_filled(at, UNIT, 0x26);
        peer = peer_start(); /* and others may have it */
        pid = (int32_t)peer.pid;
        ASSERT_OK(aclrtMemSetPidToShareableHandle(number, &pid, 1));
        peer_tell(&peer, PEER_TAKE_HANDLE, &m);
        ASSERT_OK(m.code);
        struct peer_message read = { 0 };
        peer_tell(&peer, PEER_READ, &read);
        ck_assert_uint_eq(read.value[0], 0x26);
        peer_kill(&peer);
        ASSERT_OK(aclrtUnmapMem(at));
        ck_assert_uint_lt(free_bytes(), before);
        ASSERT_OK(aclrtFreePhysical(handle));
        ASSERT_OK(aclrtReleaseMemAddress(at));
        ck_assert_uint_eq(free_bytes(), before);
        assert_nothing_left(sockets_before + 1);
    }
}
END_TEST

static void child_does_nothing(void)
{
}

START_TEST(a_forked_child_has_no_part_in_it)
{
    char key[KEY_ROOM];
    void *at;
    ASSERT_OK(aclrtMalloc(&at, MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtIpcMemGetExportKey(at, MIB, key, KEY_ROOM, ANYONE));
    ck_assert_int_eq(in_child(child_does_nothing), 0);
    struct peer peer = peer_start();
    struct peer_message m = { .value = { MIB } };
    memcpy(m.text, key, KEY_ROOM);
    peer_tell(&peer, PEER_IMPORT, &m);
    ASSERT_OK(m.code);
    peer_end(&peer);
    ASSERT_OK(aclrtFree(at));
}
END_TEST

/* Opens descriptors up to well past those that the parent had, which the handler in the child has closed. */
static void child_forks_with_files_of_its_own(void)
{
    enum { FILES = 64 };
    int fds[FILES], status = 0;
    for (int i = 0; i < FILES; i++)
        fds[i] = dup(STDERR_FILENO);
    const pid_t grandchild = fork();
    if (grandchild == 0) {
        for (int i = 0; i < FILES; i++)
            status |= fcntl(fds[i], F_GETFD) < 0;
        _exit(status);
    }
    if (grandchild < 0 || waitpid(grandchild, &status, 0) != grandchild)
        _exit(2);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
}

START_TEST(a_child_of_a_forked_child_keeps_its_files)
{
    char key[KEY_ROOM];
    void *at;
    ASSERT_OK(aclrtMalloc(&at, MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtIpcMemGetExportKey(at, MIB, key, KEY_ROOM, ANYONE));
    ck_assert_int_eq(in_child(child_forks_with_files_of_its_own), 0);
    ASSERT_OK(aclrtFree(at));
}
END_TEST

int main(int argc, char **argv)
{
    peer_main(argc, argv);
    TCase *const tc = new_case("ipc_memory", open_all, fixture_close);
    tcase_add_test(tc, export_refuses_what_is_wrong);
    tcase_add_test(tc, keys_that_are_none_are_refused);
    tcase_add_test(tc, keys_differ_and_are_ones_own);
    tcase_add_loop_test(tc, both_processes_have_the_same_bytes, 0, 6);
    tcase_add_test(tc, neighbours_of_an_exported_block_are_not_touched);
    tcase_add_test(tc, freed_memory_is_not_shared_any_more);
    tcase_add_test(tc, a_block_moves_while_streams_use_it);
    tcase_add_test(tc, sparse_memory_stays_sparse);
    tcase_add_test(tc, imported_memory_is_device_memory_with_its_own_bounds);
    tcase_add_test(tc, only_allowed_processes_import);
    tcase_add_test(tc, mem_161_export_with_unknown_flags);
    tcase_add_loop_test(tc, physical_memory_is_shared, 0, 3);
    tcase_add_test(tc, mapped_memory_moves_when_it_is_exported);
    tcase_add_test(tc, a_killed_importer_takes_nothing_with_it);
    tcase_add_test(tc, a_killed_exporter_takes_nothing_with_it);
    tcase_add_test(tc, killed_owners_of_physical_memory);
    tcase_add_test(tc, a_killed_importer_of_physical_memory);
    tcase_add_test(tc, a_forked_child_has_no_part_in_it);
    tcase_add_test(tc, a_child_of_a_forked_child_keeps_its_files);
    TCase *const others = new_case("ipc_products", NULL, NULL);
    tcase_add_test(others, products_of_the_310b_class_share_nothing);
    return run_cases("ipc_memory", tc, others, (TCase *)NULL);
}
