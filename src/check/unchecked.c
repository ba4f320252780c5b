/* SPDX-License-Identifier: Apache-2.0 */
#include "check/unchecked.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "check/code.h"
#include "check/finding.h"

enum { JUDGED = 1024, PENDING_MAX = 4096 };

/* A failure that nobody has looked at yet. */
struct failure {
    struct failure *next;
    const struct pacl_site *site;
    const char *call;
    aclError code;
    long thread;
    uint64_t count;
    char text[PACL_TEXT_MAX]; /* its message; "" if there is none */
};

static struct {
    pthread_mutex_t lock; /* guards the rest, and the disassembler */
    struct failure *pending;
    unsigned count;
    struct {
        const struct pacl_site *site;
        bool drops;
    } judged[JUDGED]; /* by the site's address; a collision is judged anew */
} unchecked = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local bool has_pending; /* of this thread, perhaps */

static bool reads_errors(const char *call)
{
    return strcmp(call, "aclGetRecentErrMsg") == 0 || strcmp(call, "aclrtPeekAtLastError") == 0 ||
           strcmp(call, "aclrtGetLastError") == 0;
}

/* "There was nothing to run": a thread that serves callbacks asks in a loop until it is told to end, and its failures
 * are no work that was not done. */
static bool is_idle_report(const char *call, aclError code)
{
    return (code == ACL_ERROR_RT_REPORT_TIMEOUT || code == ACL_ERROR_RT_THREAD_SUBSCRIBE) &&
           (strcmp(call, "aclrtProcessReport") == 0 || strcmp(call, "aclrtProcessHostFunc") == 0);
}

/* The thread has seen that something failed. */
static void forget_own(void)
{
    const long thread = syscall(SYS_gettid);
    pthread_mutex_lock(&unchecked.lock);
    for (struct failure **at = &unchecked.pending; *at != NULL;) {
        struct failure *failure = *at;
        if (failure->thread != thread) {
            at = &failure->next;
            continue;
        }
        *at = failure->next;
        unchecked.count--;
        free(failure);
    }
    pthread_mutex_unlock(&unchecked.lock);
    has_pending = false;
}

/* Under the lock. */
static bool drops(const struct pacl_site *site)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)site * 0x9e3779b97f4a7c15;
    __typeof__(&unchecked.judged[0]) judged = &unchecked.judged[mixed >> (64 - 10)];
    if (judged->site != site) {
        judged->site = site;
        judged->drops = pacl_code_drops_result(site);
    }
    return judged->drops;
}

/* Under the lock. */
static void keep(const char *call, aclError code, const struct pacl_site *site)
{
    const long thread = syscall(SYS_gettid);
    struct failure **at = &unchecked.pending; /* in the order of their first time */
    while (*at != NULL && ((*at)->site != site || (*at)->thread != thread || (*at)->code != code))
        at = &(*at)->next;
    if (*at == NULL && unchecked.count < PENDING_MAX) {
        *at = calloc(1, sizeof **at);
        unchecked.count += *at != NULL;
    }
    if (*at == NULL)
        return;
    (*at)->site = site;
    (*at)->call = call;
    (*at)->code = code;
    (*at)->thread = thread;
    if ((*at)->count++ == 0) {
        const char *text = pacl_error_newest();
        snprintf((*at)->text, sizeof(*at)->text, "%s", text != NULL ? text : "");
    }
}

void pacl_unchecked_entered(const char *call)
{
    if (has_pending && reads_errors(call))
        forget_own();
}

void pacl_unchecked_left(const char *call, aclError result)
{
    if (result == ACL_SUCCESS || !pacl_check_wants(PACL_CHECK_UNCHECKED_ERROR) || !pacl_site_is_outermost())
        return;
    const struct pacl_site *site = pacl_site_capture();
    pthread_mutex_lock(&unchecked.lock);
    const bool dropped = site != NULL && drops(site), kept = dropped && !is_idle_report(call, result);
    if (kept)
        keep(call, result, site);
    pthread_mutex_unlock(&unchecked.lock);
    if (kept)
        has_pending = true;
    else if (!dropped && has_pending)
        forget_own();
}

void pacl_unchecked_report(void)
{
    pthread_mutex_lock(&unchecked.lock);
    for (const struct failure *failure = unchecked.pending; failure != NULL; failure = failure->next) {
        struct pacl_check_finding finding = { .kind = PACL_CHECK_UNCHECKED_ERROR };
        finding.access[0] = (struct pacl_check_access){ .call = failure->call,
                                                        .thread = (uint32_t)failure->thread,
                                                        .site = failure->site };
        pacl_check_say(&finding, "the program looked neither at this failure nor at a later one: %s",
                       failure->text[0] != '\0' ? failure->text : pacl_error_name(failure->code));
        (void)pacl_check_report(&finding);
    }
    pthread_mutex_unlock(&unchecked.lock);
}
