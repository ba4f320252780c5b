/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs that are built with -fsanitize=thread and linked with this library as it is: ThreadSanitizer hears of the
 * accesses that copies make to host memory, each stream as a thread of its own (a fiber), and of what orders them. It
 * then reports races of the program with its copies by itself.
 */
#ifndef PACL_CHECK_THREAD_SANITIZER_H
#define PACL_CHECK_THREAD_SANITIZER_H

#include <stdbool.h>
#include <stdint.h>

struct pacl_observer;

/* True in a process with ThreadSanitizer, whichever part of it is built with it. */
bool pacl_has_thread_sanitizer(void);

/* The observer that tells ThreadSanitizer; NULL in a process without it, and in a library that is built with it, whose
 * own accesses it sees. */
const struct pacl_observer *pacl_thread_sanitizer(void);

/* True for an instruction of ThreadSanitizer itself, as it sleeps in its own thread; false in a process without it. What a
 * program's function sleeps in belongs to the C library. */
bool pacl_thread_sanitizer_has(uintptr_t instruction);

#endif
