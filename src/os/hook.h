/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts functions in front of the C library's: every object of the process that calls a function by its name has a word
 * with the function's address, which the loader has filled in; it is written again. What it does not reach: calls
 * within the C library, system calls without it, and addresses that a program has looked up or kept before.
 */
#ifndef PACL_OS_HOOK_H
#define PACL_OS_HOOK_H

#include <stdbool.h>
#include <stddef.h>

typedef void os_any_fn(void);

struct os_hook {
    const char *name;
    os_any_fn *replacement;
    os_any_fn *
        *original; /* set to what the name means without the hook; stays NULL where the process has no such name */
};

/* Hooks all objects but this library. `hooks` stays in use. At most one call in a process; the replacements may be called
 * before it returns. */
void os_hooks_install(const struct os_hook *hooks, size_t count);

/* Hooks objects that were loaded since. Cheap when there are none. Not for signal handlers. */
void os_hooks_refresh(void);

#endif
