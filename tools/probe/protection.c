/* SPDX-License-Identifier: Apache-2.0 */
/* On an NPU, host code that follows a device pointer dies. Here the fault is caught and counted instead. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "report.h"
#include "use.h"

enum { LENGTH = 4096 }; /* bytes */

static const char topic[] = "device memory";

static sigjmp_buf after_fault;
static uint8_t *volatile target; /* device memory that is being touched; LENGTH bytes */

static void on_fault(int number, siginfo_t *info, void *context)
{
    uint8_t *address = info->si_addr;

    (void)context;
    if (address >= target && address < target + LENGTH)
        siglongjmp(after_fault, 1);
    signal(number, SIG_DFL); /* a fault elsewhere is a crash: let it happen again, and be one */
}

static void read_byte(void)
{
    (void)*(volatile uint8_t *)target;
}

static void write_byte(void)
{
    *(volatile uint8_t *)target = 1;
}

/* True if touching the memory faults. */
static bool is_refused(void (*touch)(void))
{
    struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    struct sigaction before;
    volatile bool refused = true;

    sigaction(SIGSEGV, &action, &before);
    if (sigsetjmp(after_fault, 1) == 0) {
        touch();
        refused = false;
    }
    sigaction(SIGSEGV, &before, NULL);
    return refused;
}

static void report(bool read_refused, bool write_refused)
{
    const char *isolation = pacl_isolation();
    bool open = strcmp(isolation, "open") == 0;

    if (read_refused && write_refused && !open)
        report_ok(topic, "refused to host code (isolation %s)", isolation);
    else if (!read_refused && !write_refused && open)
        report_note(topic, "open to host code, by PACL_DEVICE_ACCESS or because the product shares its memory");
    else
        report_fail(topic, "isolation is %s, but host code %s read and %s write it", isolation,
                    read_refused ? "cannot" : "can", write_refused ? "cannot" : "can");
}

void use_protection(void)
{
    void *memory;

    if (!use_succeeded(topic, "aclrtMalloc", aclrtMalloc(&memory, LENGTH, ACL_MEM_MALLOC_HUGE_FIRST)))
        return;
    target = memory;
    bool read_refused = is_refused(read_byte);
    bool write_refused = is_refused(write_byte);
    report(read_refused, write_refused);
    use_succeeded(topic, "aclrtFree", aclrtFree(memory));
}
