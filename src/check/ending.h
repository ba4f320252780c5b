/* SPDX-License-Identifier: Apache-2.0 */
/* How the process ends, as far as a library can follow it: exit() with its status, _exit(), and signals that end a process
 * which does not handle them. */
#ifndef PACL_CHECK_ENDING_H
#define PACL_CHECK_ENDING_H

/* Once, when checking begins. */
void pacl_endings_watch(void);

/* The status that exit() was called with; -1: it was not called, or not seen. */
int pacl_ending_status(void);

/* The process is about to end without its exit handlers, `how` says by what: writes the summary and the files of the
 * report. In any thread and in signal handlers, whatever the thread holds: another thread writes, and is waited for a
 * second at most. Nothing happens in another process than the one that was watched, or if all is written. */
void pacl_ending_now(const char *how);

/* For the hooks of the C library's functions: _exit and _Exit; sigaction and signal, in front of os_front_*. A program that
 * gives a signal its default back (Python does so at the end of an interrupted program) gets our handler again, and sees
 * the default. */
void pacl_ending_by_exit(int status) __attribute__((noreturn));
struct sigaction;
int pacl_ending_sigaction(int number, const struct sigaction *action, struct sigaction *old);
void (*pacl_ending_signal(int number, void (*handler)(int)))(int);

#endif
