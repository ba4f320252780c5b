/* SPDX-License-Identifier: Apache-2.0 */
/* Host code that dereferences device memory. */
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>

#include "accesses.h"

static void without_core_file(void)
{
    const struct rlimit none = { 0, 0 };
    MUST(setrlimit(RLIMIT_CORE, &none) == 0);
}

/* --- wrong: found, and dies as it would have ------------------------------------------------------------------------- */

static void host_reads_device_memory(void)
{
    without_core_file();
    sink += *(volatile unsigned char *)(device + 16);
}

static void host_writes_device_memory(void)
{
    without_core_file();
    *(volatile uint32_t *)(void *)(device + 32) = 1;
}

static void memcpy_from_device_memory(void)
{
    without_core_file();
    memcpy(host, device + 100, 1000);
    sink += host[3];
}

static void host_reads_behind_the_block(void)
{
    unsigned char *large;
    without_core_file();
    OK(aclrtMalloc((void **)&large, 3 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    sink += *(volatile unsigned char *)(large + (4 << 20));
}

static void host_reads_a_freed_block(void)
{
    unsigned char *large;
    without_core_file();
    OK(aclrtMalloc((void **)&large, 3 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtFree(large));
    sink += *(volatile unsigned char *)large;
}

static void host_reads_mapped_memory(void)
{
    enum { UNIT = 2 << 20 };
    const aclrtPhysicalMemProp on_device = {
        .handleType = ACL_MEM_HANDLE_TYPE_NONE,
        .allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED,
        .memAttr = ACL_HBM_MEM_HUGE,
        .location = { .id = 0, .type = ACL_MEM_LOCATION_TYPE_DEVICE },
    };
    aclrtDrvMemHandle handle;
    void *at;
    without_core_file();
    OK(aclrtReserveMemAddress(&at, UNIT, 0, NULL, 1));
    OK(aclrtMallocPhysical(&handle, UNIT, &on_device, 0));
    OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    sink += *((volatile unsigned char *)at + 5);
}

static sigjmp_buf back;

static void come_back(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

/* Found; the program's own handler decides what comes next. */
static void handler_of_the_program_goes_on(void)
{
    const struct sigaction action = { .sa_handler = come_back };
    MUST(sigaction(SIGSEGV, &action, NULL) == 0);
    if (sigsetjmp(back, 1) == 0) {
        sink += *(volatile unsigned char *)device;
        MUST(!"the access was possible");
    }
}

/* --- right ------------------------------------------------------------------------------------------------------ */

static void copies_of_device_memory(void)
{
    OK(aclrtMemcpy(host, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    MUST(host[0] == NEW && host[BYTES - 1] == NEW);
    OK(aclrtMemcpy(device, 64, device + 64, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
    OK(aclrtMemset(device, BYTES, 4, BYTES));
}

static void arithmetic_on_device_pointers(void)
{
    const unsigned char *const end = device + BYTES;
    MUST(end > device && (size_t)(end - device) == BYTES);
    OK(aclrtMemcpy(host, 64, end - 64, 64, ACL_MEMCPY_DEVICE_TO_HOST));
    MUST(host[63] == NEW);
}

static void a_fault_that_is_none_of_it(void)
{
    const struct sigaction action = { .sa_handler = come_back };
    MUST(sigaction(SIGSEGV, &action, NULL) == 0);
    volatile uintptr_t nowhere = 64; /* the compiler must not see that it is none */
    if (sigsetjmp(back, 1) == 0) {
        sink += *(volatile unsigned char *)nowhere;
        MUST(!"the access was possible");
    }
}

const struct access_case device_cases[] = {
    CASE(host_reads_device_memory),
    CASE(host_writes_device_memory),
    CASE(memcpy_from_device_memory),
    CASE(host_reads_behind_the_block),
    CASE(host_reads_a_freed_block),
    CASE(host_reads_mapped_memory),
    CASE(handler_of_the_program_goes_on),
    CASE(copies_of_device_memory),
    CASE(arithmetic_on_device_pointers),
    CASE(a_fault_that_is_none_of_it),
    { NULL, NULL },
};
