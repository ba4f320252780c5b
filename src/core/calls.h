/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public calls, for those who count them, make them fail or watch them. While nobody does, entering and leaving a call
 * costs one predictable branch each: `pacl_calls_watched` is 0.
 *
 * Until the first call it is not 0: that call finds out who is there. So the first call of a program can fail already,
 * before the runtime has started.
 */
#ifndef PACL_CORE_CALLS_H
#define PACL_CORE_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "acl/acl_base.h"
#include "base/atomic.h"

/* One public function. All of them lie in one table, which the linker makes of what PACL_ENTER puts there. */
struct pacl_function {
    const char *name;
    bool can_fail;          /* it returns a code */
    _Atomic uint64_t calls; /* since the last reset; kept up only while the calls are watched */
};

/* The table, from the first to before the end. A unit test that links no public function finds it empty. */
extern struct pacl_function *const __start_pacl_functions[] __attribute__((weak, visibility("hidden")));
extern struct pacl_function *const __stop_pacl_functions[] __attribute__((weak, visibility("hidden")));
#define PACL_EACH_FUNCTION(at) \
    for (struct pacl_function *const *at = __start_pacl_functions; at != __stop_pacl_functions; at++)

/* The function of that name, or NULL. */
struct pacl_function *pacl_function_find(const char *name);

/* Any member may be NULL. Called from any thread, before anything of the call is done, with no lock held. */
struct pacl_call_watcher {
    aclError (*entered)(struct pacl_function *function); /* not ACL_SUCCESS: the call fails with it, if it can */
    aclError (*allocates)(size_t bytes); /* device or pinned memory is about to be allocated; likewise */
};

/* For watchers, while the library is loaded (from a constructor): `install` is called once, by the first call, and may
 * call pacl_calls_watch(). What it returns is why the process cannot run (constant or static storage), or NULL. */
void pacl_calls_offer(const char *(*install)(void));

/* From now on the watcher sees the calls. At any time; there is room for eight. */
void pacl_calls_watch(const struct pacl_call_watcher *watcher);

/* The same without a watcher: an observer wants to hear of the calls (observer.h), or they are to be counted. */
void pacl_calls_keep_watched(void);

/* Lets the watchers install themselves, if they did not yet. The first problem that one of them has, or NULL. */
const char *pacl_calls_start(void);

/* In the child of a fork: every call goes the slow way, where those that return a code are refused. None takes a lock that a
 * thread may hold which is not there. */
void pacl_calls_forget(void);

/* True for the functions that answer with another call's code: they do not fail themselves. */
bool pacl_function_only_reports(const struct pacl_function *function);

/* The slow way into a public function, for observers and watchers. ACL_SUCCESS, or what it is to fail with. */
aclError pacl_call_entered(struct pacl_function *function, const void *return_address, const void *frame);

/* For the functions that allocate: ACL_SUCCESS, or what the allocation is to fail with. */
aclError pacl_call_allocates(size_t bytes);

/* Relaxed: whoever finds it set looks again, with acquire, for whom. */
extern _Atomic uint32_t pacl_calls_watched;

static inline bool pacl_call_is_watched(void)
{
    return __builtin_expect(pacl_load_relaxed(&pacl_calls_watched) != 0, 0);
}

#endif
