/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of the program's own code on pages that PACL has closed. Linux is behind it (fault.c): handlers of SIGSEGV and
 * SIGTRAP that the program does not see; what is not ours goes to the handlers that the program has installed, before
 * or after.
 */
#ifndef PACL_OS_FAULT_H
#define PACL_OS_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An access that faulted. */
struct os_access {
    uint8_t *fault; /* the address that the processor names */
    uint8_t *first; /* the access's first byte and size: one byte at `fault` until it is measured */
    size_t size;
    bool writes;           /* true also for an instruction that reads and writes */
    const void *pc;        /* the instruction */
    const void *registers; /* the interrupted thread's */
};

/* Sets `first` and `size` to what the instruction touches, where it can be told. */
void os_access_measure(struct os_access *access);

enum os_verdict {
    OS_FAULT_FOREIGN, /* not ours: the program's handler has it, or the process dies as it would have */
    OS_FAULT_RETRY,   /* the access is possible now */
    OS_FAULT_STEP,    /* ... for this one instruction; `stepped` is called after it, in the same thread */
};

/* True where a single instruction can be let through. Elsewhere a verdict of STEP acts as RETRY, and `stepped` is not
 * called. */
extern const bool os_can_step;

/* What a watcher is told, in a signal handler, in the thread whose code faulted. */
struct os_fault_watch {
    enum os_verdict (*faulted)(struct os_access *access);
    void (*stepped)(void);
    void (*dying)(void); /* after a verdict of FOREIGN, if the program has no handler: the process is about to end */
};

/* Once per process; 0 or an errno value. `watch` stays in use. */
int os_faults_watch(const struct os_fault_watch *watch);

/* What the program's calls of functions with these names must go to: they keep the handlers above in front, and the
 * signals that they handle unblocked. As sigaction(2), signal(2) and pthread_sigmask(3). */
struct sigaction;
int os_front_sigaction(int signal, const struct sigaction *action, struct sigaction *old);
void (*os_front_signal(int signal, void (*handler)(int)))(int);
int os_front_sigprocmask(int how, const void *set, void *old);     /* of sigset_t */
int os_front_pthread_sigmask(int how, const void *set, void *old); /* of sigset_t */

#endif
