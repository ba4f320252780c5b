/* SPDX-License-Identifier: Apache-2.0 */
/* Checking mode hangs itself on the runtime: PACL_CHECK=1, read when the runtime starts. ThreadSanitizer is told in any
 * case, where the program has it. */
#include "check/host_fault.h"
#include "check/observers.h"
#include "check/session.h"
#include "check/site.h"
#include "check/thread_sanitizer.h"

static void entered(const char *call, const void *return_address, const void *frame)
{
    (void)call;
    pacl_site_enter(return_address, frame);
}

static void left(const char *call, aclError result)
{
    (void)call;
    (void)result;
    pacl_site_leave();
}

static const struct pacl_observer enters = { .entered = entered };
static const struct pacl_observer leaves = { .left = left };

/* In the order in which they are told: the site of a call is known before anybody asks, and until all have. */
static const struct pacl_observer *const observers[] = {
    &enters, &pacl_check_order, &pacl_check_stuck, &pacl_check_growth, &pacl_check_misuse, &leaves
};

static void install(void)
{
    const struct pacl_observer *sanitizer = pacl_thread_sanitizer();
    if (sanitizer != NULL)
        pacl_observer_add(sanitizer);
    if (!pacl_check_begin())
        return;
    for (unsigned i = 0; i < sizeof observers / sizeof observers[0]; i++)
        pacl_observer_add(observers[i]);
    if (pacl_host_checks_start())
        pacl_observer_add(&pacl_host_observer); /* behind the order, which knows what is in flight */
}

__attribute__((constructor)) static void offer(void)
{
    pacl_observer_offer(install);
}
