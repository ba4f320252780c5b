/* SPDX-License-Identifier: Apache-2.0 */
#include "interpose.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "crew.h"

_Thread_local uint64_t allocations, failing_allocation, own_system_calls;
_Thread_local void (*on_allocation)(void);
_Atomic uint64_t system_calls;
_Atomic bool threads_fail;

bool can_interpose(void)
{
    return !is_sanitized();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* The C library's own, under names that are not interposed. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *at, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

/* The next definition of a name, the C library's. */
static void find_next(const char *name, void *function)
{
    void *const found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof(found));
}

static bool fails(void)
{
    void (*const hook)(void) = on_allocation;
    allocations++;
    if (hook != NULL) {
        on_allocation = NULL;
        hook();
    }
    if (failing_allocation == 0 || --failing_allocation > 0)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *at, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(at, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(align, bytes);
}

typedef long syscall_function(long number, ...);
syscall_function syscall;

long syscall(long number, ...)
{
    static _Atomic(syscall_function *) known;
    syscall_function *next = atomic_load(&known);
    if (next == NULL) {
        find_next("syscall", &next);
        atomic_store(&known, next);
    }
    long a[6];
    va_list args;
    va_start(args, number);
    for (unsigned i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    atomic_fetch_add(&system_calls, 1);
    own_system_calls++;
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (atomic_load(&threads_fail))
        return EAGAIN;
    find_next("pthread_create", &next);
    return next(thread, attributes, run, argument);
}

#endif
