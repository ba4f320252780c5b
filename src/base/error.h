/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a call fails: PACL_FAIL at the place that finds the fault, once, with every value; callers pass the code on.
 * It stores the text for aclGetRecentErrMsg, sets the thread's last error where the original does, logs, and yields
 * the code.
 */
#ifndef PACL_BASE_ERROR_H
#define PACL_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

enum { PACL_TEXT_MAX = 640 }; /* bytes of one message, its NUL included; longer ones are cut */

/* What a thread carries from call to call. Small on purpose: it lives in the static thread-local block. */
struct pacl_thread {
    const char *call;         /* the public function that runs in this thread, for messages; a literal */
    struct pacl_context *ctx; /* current context, or NULL; valid only while ctx_handle is its handle */
    void *ctx_handle;
    struct pacl_texts *texts; /* messages not yet read, or NULL; owned by the thread */
    aclError last_error;
    uint32_t last_task; /* number, in its stream, of the task that the thread queued last; 0 before */
    aclError failure;   /* of the public function that runs: its last PACL_FAIL. Kept up only while someone watches */
};

extern _Thread_local struct pacl_thread pacl_self;

/* Yields the code itself, so that compilers and analyzers see that it is not ACL_SUCCESS. */
#define PACL_FAIL(code, ...) (pacl_fail((code), true, __VA_ARGS__), (code))

/* For the few codes that the original returns without setting the thread's last error. */
#define PACL_FAIL_QUIETLY(code, ...) (pacl_fail((code), false, __VA_ARGS__), (code))

void pacl_fail(aclError code, bool sets_last_error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The name of a code, e.g. "ACL_ERROR_INVALID_PARAM". */
const char *pacl_error_name(aclError code);

/* The code of a name; false if no code has it. */
bool pacl_error_code(const char *name, aclError *code);

/* All unread messages of the thread (or process), newest first, joined by newlines; NULL when there are none. The text
 * stays valid until the thread's next call. */
const char *pacl_error_take_texts(void);

/* The thread's newest unread message, NULL without one (or where the process shares one store); it stays unread. Valid until the thread's next failure. */
const char *pacl_error_newest(void);

/* err_msg_mode: messages per thread (the default) or one store for the process. */
void pacl_error_share_texts(bool process_wide);

/* In the child of a fork: another thread may have held the store's lock. */
void pacl_error_after_fork(void);

/* Reads, and if `clear` resets, the thread's last error. */
aclError pacl_error_last(bool clear);

#endif
