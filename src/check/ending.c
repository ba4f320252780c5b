/* SPDX-License-Identifier: Apache-2.0 */
#include "check/ending.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "check/session.h"
#include "check/thread_sanitizer.h"
#include "os/fault.h"
#include "os/os.h"

enum { PATIENCE_S = 1, HOW_MAX = 64 };

static sem_t asked, written;
static pid_t watched; /* the process; 0: none. Constant once watching */
static _Atomic int exit_status = -1;
static char how_it_ends[HOW_MAX]; /* published by `asked` */
static _Atomic bool is_asked;

/* --- exit() ------------------------------------------------------------------------------------------------------ */

static void note_status(int status, void *unused)
{
    (void)unused;
    pacl_store_relaxed(&exit_status, status);
}

int pacl_ending_status(void)
{
    return pacl_load_relaxed(&exit_status);
}

/* --- without exit handlers --------------------------------------------------------------------------------------- */

/* What a signal has interrupted may hold any lock, the allocator's too, so the handler's thread writes nothing itself. */
static void serve(void *unused)
{
    (void)unused;
    while (sem_wait(&asked) != 0)
        continue;
    (void)pacl_check_end(how_it_ends);
    (void)sem_post(&written);
}

/* Children of vfork() have this memory and must leave it alone; getpid() tells them apart. A second thread that ends the
 * process waits for the first one's reports, too. */
void pacl_ending_now(const char *how)
{
    static const char late[] = "pacl-check: the process ends, and its reports cannot be completed\n";
    const int saved = errno;
    struct timespec end;
    if (watched == 0 || getpid() != watched)
        return;
    if (!atomic_exchange(&is_asked, true)) {
        strncpy(how_it_ends, how, sizeof how_it_ends - 1);
        (void)sem_post(&asked);
    }
    (void)clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE_S;
    int got;
    while ((got = sem_timedwait(&written, &end)) != 0 && errno == EINTR)
        continue;
    if (got == 0)
        (void)sem_post(&written);
    else
        (void)!write(STDERR_FILENO, late, sizeof late - 1);
    errno = saved;
}

static void exit_now(int status)
{
    (void)syscall(SYS_exit_group, status);
}

void pacl_ending_by_exit(int status)
{
    char how[HOW_MAX];
    snprintf(how, sizeof how, "_exit(%d)", status);
    pacl_ending_now(how);
    const int instead = watched != 0 && getpid() == watched ? pacl_check_status() : -1;
    for (;;)
        exit_now(instead >= 0 ? instead : status);
}

/* --- signals ----------------------------------------------------------------------------------------------------- */

/* After the handler the signal comes again, and does what it would have done. abort() sends its own again itself. */
static void end_by(int number)
{
    char how[HOW_MAX];
    const char *name = sigabbrev_np(number);
    snprintf(how, sizeof how, "SIG%s", name != NULL ? name : "");
    pacl_ending_now(how);
    const struct sigaction none = { .sa_handler = SIG_DFL };
    (void)sigaction(number, &none, NULL);
    (void)syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

/* Those that a program may get from its user or from itself; a program that handles one, now or later, keeps it. */
static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGALRM, SIGTERM, SIGXCPU };
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
static const struct sigaction ours = { .sa_handler = end_by };
static _Atomic bool watches_signals;

static void watch_signals(void)
{
    struct sigaction present;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (sigaction(numbers[i], NULL, &present) == 0 && present.sa_handler == SIG_DFL)
            (void)sigaction(numbers[i], &ours, NULL);
    }
    pacl_store_relaxed(&watches_signals, true);
}

static bool is_ours_by_default(int number)
{
    size_t i = 0;
    while (i < NUMBERS && numbers[i] != number)
        i++;
    return i < NUMBERS && pacl_load_relaxed(&watches_signals) && getpid() == watched;
}

int pacl_ending_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    const bool gives_back = action != NULL && action->sa_handler == SIG_DFL && is_ours_by_default(number);
    const int result = os_front_sigaction(number, gives_back ? &ours : action, old);
    if (result == 0 && old != NULL && old->sa_handler == end_by)
        *old = (struct sigaction){ .sa_handler = SIG_DFL };
    return result;
}

void (*pacl_ending_signal(int number, void (*handler)(int)))(int)
{
    const bool gives_back = handler == SIG_DFL && is_ours_by_default(number);
    void (*const old)(int) = os_front_signal(number, gives_back ? end_by : handler);
    return old == end_by ? SIG_DFL : old;
}

void pacl_endings_watch(void)
{
    (void)on_exit(note_status, NULL);
    if (sem_init(&asked, 0, 0) != 0 || sem_init(&written, 0, 0) != 0 ||
        os_thread_start(serve, NULL, "pacl-check-end", 0) != 0)
        return;
    watched = getpid();
    /* It keeps signals back from handlers while a thread waits: such a program could not be ended. */
    if (!pacl_has_thread_sanitizer())
        watch_signals();
}
