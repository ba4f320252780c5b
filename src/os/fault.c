/* SPDX-License-Identifier: Apache-2.0 */
#include "os/fault.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/atomic.h"
#include "os/decode.h"
#include "os/os.h"

static const struct os_fault_watch *watcher;

/* This thread's next instruction is let through alone. */
static _Thread_local bool stepping;

/* --- what the program has asked for ------------------------------------------------------------------------------ */

/* The signals that are handled here, and the actions that the program sees for them. A copy that was shown to readers
 * is never changed or freed: handlers read them without a lock. */
static const int watched[] = { SIGSEGV, SIGTRAP };
enum { WATCHED = sizeof watched / sizeof watched[0] };
static _Atomic(struct sigaction *) program[WATCHED];
static struct sigaction first_seen[WATCHED];
static struct sigaction by_default;                      /* all zero: SIG_DFL; never changed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* writers of `program` */
static struct sigaction ours;                            /* constant once watching */

static int index_of(int signal)
{
    for (int i = 0; i < WATCHED; i++) {
        if (watched[i] == signal && ours.sa_sigaction != NULL)
            return i;
    }
    return -1;
}

/* --- handing on -------------------------------------------------------------------------------------------------- */

/* The system's own answer to a fault is what comes when the instruction runs again; a signal that was sent is sent
 * again. It comes when the handler returns. */
static void take_default(int signal, const siginfo_t *info)
{
    const struct sigaction none = { .sa_handler = SIG_DFL };
    (void)sigaction(signal, &none, NULL);
    if (info->si_code <= 0)
        (void)syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal);
}

static void hand_on(int signal, siginfo_t *info, void *context)
{
    const int i = index_of(signal);
    struct sigaction *present = pacl_load_acquire(&program[i]);
    const struct sigaction action = *present;
    const bool is_sent = info->si_code <= 0;
    if (action.sa_handler == SIG_IGN && is_sent)
        return;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) { /* a fault cannot be ignored */
        if (!is_sent)
            watcher->dying();
        take_default(signal, info);
        return;
    }
    sigset_t mask = action.sa_mask;
    if ((action.sa_flags & SA_NODEFER) == 0)
        sigaddset(&mask, signal);
    (void)pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
    (void)pthread_sigmask(SIG_BLOCK, &mask, NULL);
    if ((action.sa_flags & (int)SA_RESETHAND) != 0) /* no lock and no malloc: the fault may be in the middle of one */
        (void)pacl_cas_seq_cst(&program[i], &present, &by_default);
    if ((action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(signal, info, context);
    else
        action.sa_handler(signal);
}

/* --- the processor ----------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)

const bool os_can_step = true;

enum { PAGE_FAULT = 14, ERROR_WRITE = 2 };
#define TRAP_FLAG 0x100LL

static bool read_access(const siginfo_t *info, const ucontext_t *context, struct os_access *access)
{
    const greg_t *const registers = context->uc_mcontext.gregs;
    if (info->si_code <= 0 || registers[REG_TRAPNO] != PAGE_FAULT)
        return false;
    *access = (struct os_access){ .fault = info->si_addr,
                                  .first = info->si_addr,
                                  .size = 1,
                                  .writes = (registers[REG_ERR] & ERROR_WRITE) != 0,
                                  .pc = (const void *)registers[REG_RIP],
                                  .registers = registers };
    return true;
}

static void set_stepping(ucontext_t *context, bool on)
{
    if (on)
        context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    else
        context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    stepping = on;
}

#elif defined(__aarch64__)

const bool os_can_step = false;

/* The syndrome is the only place that tells a write; it lies among the records behind the registers. */
static bool is_write(const ucontext_t *context)
{
    const uint64_t data_abort_low = 0x24, data_abort_high = 0x25, write_not_read = (uint64_t)1 << 6;
    const uint8_t *at = context->uc_mcontext.__reserved;
    const uint8_t *const end = at + sizeof context->uc_mcontext.__reserved;
    for (const struct _aarch64_ctx *record; at + sizeof *record <= end; at += record->size) {
        record = (const struct _aarch64_ctx *)(const void *)at;
        if (record->magic == ESR_MAGIC) {
            const uint64_t syndrome = ((const struct esr_context *)(const void *)record)->esr;
            const uint64_t class_ = syndrome >> 26 & 0x3F;
            return (class_ == data_abort_low || class_ == data_abort_high) && (syndrome & write_not_read) != 0;
        }
        if (record->magic == 0 || record->size == 0)
            break;
    }
    return false;
}

static bool read_access(const siginfo_t *info, const ucontext_t *context, struct os_access *access)
{
    if (info->si_code <= 0)
        return false;
    *access = (struct os_access){ .fault = info->si_addr,
                                  .first = info->si_addr,
                                  .size = 1,
                                  .writes = is_write(context),
                                  .pc = (const void *)context->uc_mcontext.pc };
    return true;
}

static void set_stepping(ucontext_t *context, bool on)
{
    (void)context;
    (void)on;
}

#else

const bool os_can_step = false;

static bool read_access(const siginfo_t *info, const ucontext_t *context, struct os_access *access)
{
    (void)info;
    (void)context;
    (void)access;
    return false;
}

static void set_stepping(ucontext_t *context, bool on)
{
    (void)context;
    (void)on;
}

#endif

void os_access_measure(struct os_access *access)
{
    os_decode_access(access->registers, access);
}

/* --- the handlers ------------------------------------------------------------------------------------------------ */

static void end_step(ucontext_t *context)
{
    if (!stepping)
        return;
    set_stepping(context, false);
    watcher->stepped();
}

static void on_segv(siginfo_t *info, ucontext_t *context)
{
    struct os_access access;
    const enum os_verdict verdict = read_access(info, context, &access) ? watcher->faulted(&access) : OS_FAULT_FOREIGN;
    if (verdict == OS_FAULT_STEP) {
        set_stepping(context, true);
    } else if (verdict == OS_FAULT_FOREIGN) {
        end_step(context);
        hand_on(SIGSEGV, info, context);
    } /* RETRY: an instruction that is being stepped goes on being stepped */
}

static void handle(int signal, siginfo_t *info, void *context)
{
    const int saved = errno;
    if (signal == SIGSEGV)
        on_segv(info, context);
    else if (stepping && info->si_code > 0)
        end_step(context);
    else
        hand_on(signal, info, context);
    errno = saved;
}

int os_faults_watch(const struct os_fault_watch *watch)
{
    watcher = watch;
    (void)os_decode_start();
    for (int i = 0; i < WATCHED; i++) {
        if (sigaction(watched[i], NULL, &first_seen[i]) != 0)
            return errno;
        pacl_store_release(&program[i], &first_seen[i]);
    }
    /* Not on the program's alternate stack: those are small, and what follows writes a report. */
    ours.sa_flags = SA_SIGINFO;
    ours.sa_sigaction = handle;
    sigfillset(&ours.sa_mask); /* a handler of the program's may itself touch what is guarded */
    for (int i = 0; i < WATCHED; i++) {
        if (sigaction(watched[i], &ours, NULL) != 0)
            return errno;
    }
    return 0;
}

/* Under the lock. False when there is no memory. */
static bool note(int i, const struct sigaction *action)
{
    /* Bytes between the members only cost a copy. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    if (memcmp(pacl_load_relaxed(&program[i]), action, sizeof *action) == 0)
        return true;
    struct sigaction *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return false;
    *copy = *action;
    pacl_store_release(&program[i], copy); /* paired with the acquire in hand_on */
    return true;
}

/* --- the program's side ------------------------------------------------------------------------------------------ */

int os_front_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    const int i = index_of(signal);
    if (i < 0)
        return sigaction(signal, action, old);
    pthread_mutex_lock(&lock);
    const struct sigaction before = *pacl_load_relaxed(&program[i]);
    const bool noted = action == NULL || note(i, action);
    pthread_mutex_unlock(&lock);
    if (!noted) {
        errno = ENOMEM;
        return -1;
    }
    if (old != NULL)
        *old = before;
    return 0;
}

void (*os_front_signal(int number, void (*handler)(int)))(int)
{
    const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    struct sigaction before;
    if (index_of(number) < 0)
        return signal(number, handler);
    return os_front_sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/* A thread that blocks them would die at the first innocent access. */
static const sigset_t *without_ours(const sigset_t *set, sigset_t *copy)
{
    if (set == NULL)
        return NULL;
    *copy = *set;
    for (int i = 0; i < WATCHED; i++)
        sigdelset(copy, watched[i]);
    return copy;
}

int os_front_pthread_sigmask(int how, const void *set, void *old)
{
    sigset_t copy;
    return pthread_sigmask(how, how == SIG_UNBLOCK ? set : without_ours(set, &copy), old);
}

int os_front_sigprocmask(int how, const void *set, void *old)
{
    const int err = os_front_pthread_sigmask(how, set, old);
    if (err != 0)
        errno = err;
    return err == 0 ? 0 : -1;
}
