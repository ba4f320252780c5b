/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protection keys (x86 PKU): device memory carries a key whose rights each thread holds for itself. pkey_alloc gives
 * the calling thread none, other threads have none from their start, so host code faults on device memory; a thread
 * that copies opens the key around the kernel.
 */
#include "os/os.h"

#include <errno.h>
#include <sys/mman.h>

int os_guard_key = -1;

#if defined(__x86_64__)

/* rdpkru and wrpkru by their bytes: the compiler's intrinsics need -mpku for the whole file. */
static inline uint32_t read_rights(void)
{
    uint32_t rights, zero;
    __asm__ volatile(".byte 0x0f,0x01,0xee" : "=a"(rights), "=d"(zero) : "c"(0));
    return rights;
}

/* The memory clobber keeps the copy's loads and stores between opening and closing. */
static inline void write_rights(uint32_t rights)
{
    __asm__ volatile(".byte 0x0f,0x01,0xef" : : "a"(rights), "c"(0), "d"(0) : "memory");
}

bool os_guard_create(void)
{
    const int key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    if (key < 0)
        return false;
    os_guard_key = key;
    return true;
}

int os_guard_commit(void *at, size_t bytes)
{
    return pkey_mprotect(at, bytes, PROT_READ | PROT_WRITE, os_guard_key) == 0 ? 0 : errno;
}

uint32_t os_guard_open_key(void)
{
    const uint32_t saved = read_rights();
    write_rights(saved & ~((uint32_t)3 << (2 * os_guard_key)));
    return saved;
}

void os_guard_restore(uint32_t saved)
{
    write_rights(saved);
}

#else

bool os_guard_create(void)
{
    return false;
}

int os_guard_commit(void *at, size_t bytes)
{
    (void)at;
    (void)bytes;
    return ENOTSUP;
}

uint32_t os_guard_open_key(void)
{
    return 0;
}

void os_guard_restore(uint32_t saved)
{
    (void)saved;
}

#endif
