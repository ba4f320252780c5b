/* SPDX-License-Identifier: Apache-2.0 */
#include "check/kernel_access.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "check/ending.h"
#include "check/guard_pages.h"
#include "check/host.h"
#include "check/host_fault.h"
#include "os/fault.h"
#include "os/hook.h"

/* --- one buffer, or a list of them -------------------------------------------------------------------------------- */

static bool is_concerned(const void *at, size_t bytes)
{
    if (pacl_guard_pages_idle() || bytes == 0)
        return false;
    return pacl_guard_pages_cover(at) || pacl_guard_pages_cover((const uint8_t *)at + bytes - 1);
}

/* True if the pages were opened, and must be closed again. */
static bool open_for(const void *at, size_t bytes)
{
    if (!is_concerned(at, bytes))
        return false;
    pacl_host_lift(at, bytes);
    return true;
}

/* `moved` bytes were read or written. Any errno of the call stays. */
static void close_after(bool opened, const void *at, size_t bytes, size_t moved, bool writes)
{
    if (!opened)
        return;
    const int saved = errno;
    pacl_host_restore(at, bytes);
    if (moved > 0)
        pacl_host_touched(at, moved < bytes ? moved : bytes, writes);
    errno = saved;
}

static bool open_all_for(const struct iovec *parts, int count)
{
    bool any = false;
    for (int i = 0; i < count && !pacl_guard_pages_idle(); i++)
        any |= open_for(parts[i].iov_base, parts[i].iov_len);
    return any;
}

/* The parts are filled one after the other. */
static void close_all_after(bool opened, const struct iovec *parts, int count, size_t moved, bool writes)
{
    for (int i = 0; i < count && opened; i++) {
        const size_t bytes = parts[i].iov_len, part = moved < bytes ? moved : bytes;
        close_after(is_concerned(parts[i].iov_base, bytes), parts[i].iov_base, bytes, part, writes);
        moved -= part;
    }
}

static size_t moved_by(ssize_t result)
{
    return result > 0 ? (size_t)result : 0;
}

/* --- the functions ------------------------------------------------------------------------------------------------ */

/* `name` with a buffer as second argument: how it is declared, how it is passed on, and whether the kernel writes. */
#define BUFFER_CALL(name, parameters, arguments, buffer, length, kernel_writes) \
    static ssize_t(*real_##name) parameters; \
    static ssize_t hooked_##name parameters \
    { \
        const bool opened = open_for(buffer, length); \
        const ssize_t result = real_##name arguments; \
        close_after(opened, buffer, length, moved_by(result), kernel_writes); \
        return result; \
    }

#define LIST_CALL(name, parameters, arguments, parts, count, kernel_writes) \
    static ssize_t(*real_##name) parameters; \
    static ssize_t hooked_##name parameters \
    { \
        const bool opened = open_all_for(parts, count); \
        const ssize_t result = real_##name arguments; \
        close_all_after(opened, parts, count, moved_by(result), kernel_writes); \
        return result; \
    }

#define ITEMS_CALL(name, parameters, arguments, buffer, item, count, kernel_writes) \
    static size_t(*real_##name) parameters; \
    static size_t hooked_##name parameters \
    { \
        const bool opened = open_for(buffer, (item) * (count)); \
        const size_t result = real_##name arguments; \
        close_after(opened, buffer, (item) * (count), (item)*result, kernel_writes); \
        return result; \
    }

BUFFER_CALL(read, (int fd, void *at, size_t bytes), (fd, at, bytes), at, bytes, true)
BUFFER_CALL(__read_chk, (int fd, void *at, size_t bytes, size_t room), (fd, at, bytes, room), at, bytes, true)
BUFFER_CALL(pread, (int fd, void *at, size_t bytes, off_t from), (fd, at, bytes, from), at, bytes, true)
BUFFER_CALL(pread64, (int fd, void *at, size_t bytes, off_t from), (fd, at, bytes, from), at, bytes, true)
BUFFER_CALL(__pread_chk, (int fd, void *at, size_t bytes, off_t from, size_t room), (fd, at, bytes, from, room), at,
            bytes, true)
BUFFER_CALL(__pread64_chk, (int fd, void *at, size_t bytes, off_t from, size_t room), (fd, at, bytes, from, room), at,
            bytes, true)
BUFFER_CALL(recv, (int fd, void *at, size_t bytes, int flags), (fd, at, bytes, flags), at, bytes, true)
BUFFER_CALL(__recv_chk, (int fd, void *at, size_t bytes, size_t room, int flags), (fd, at, bytes, room, flags), at,
            bytes, true)
BUFFER_CALL(recvfrom, (int fd, void *at, size_t bytes, int flags, void *address, void *length),
            (fd, at, bytes, flags, address, length), at, bytes, true)
BUFFER_CALL(__recvfrom_chk, (int fd, void *at, size_t bytes, size_t room, int flags, void *address, void *length),
            (fd, at, bytes, room, flags, address, length), at, bytes, true)
BUFFER_CALL(getrandom, (void *at, size_t bytes, unsigned flags), (at, bytes, flags), at, bytes, true)
BUFFER_CALL(write, (int fd, const void *at, size_t bytes), (fd, at, bytes), at, bytes, false)
BUFFER_CALL(pwrite, (int fd, const void *at, size_t bytes, off_t to), (fd, at, bytes, to), at, bytes, false)
BUFFER_CALL(pwrite64, (int fd, const void *at, size_t bytes, off_t to), (fd, at, bytes, to), at, bytes, false)
BUFFER_CALL(send, (int fd, const void *at, size_t bytes, int flags), (fd, at, bytes, flags), at, bytes, false)
BUFFER_CALL(sendto, (int fd, const void *at, size_t bytes, int flags, const void *address, socklen_t length),
            (fd, at, bytes, flags, address, length), at, bytes, false)

LIST_CALL(readv, (int fd, const struct iovec *parts, int count), (fd, parts, count), parts, count, true)
LIST_CALL(preadv, (int fd, const struct iovec *parts, int count, off_t from), (fd, parts, count, from), parts, count,
          true)
LIST_CALL(preadv64, (int fd, const struct iovec *parts, int count, off_t from), (fd, parts, count, from), parts, count,
          true)
LIST_CALL(preadv2, (int fd, const struct iovec *parts, int count, off_t from, int flags),
          (fd, parts, count, from, flags), parts, count, true)
LIST_CALL(preadv64v2, (int fd, const struct iovec *parts, int count, off_t from, int flags),
          (fd, parts, count, from, flags), parts, count, true)
LIST_CALL(writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), parts, count, false)
LIST_CALL(pwritev, (int fd, const struct iovec *parts, int count, off_t to), (fd, parts, count, to), parts, count,
          false)
LIST_CALL(pwritev64, (int fd, const struct iovec *parts, int count, off_t to), (fd, parts, count, to), parts, count,
          false)
LIST_CALL(pwritev2, (int fd, const struct iovec *parts, int count, off_t to, int flags), (fd, parts, count, to, flags),
          parts, count, false)
LIST_CALL(pwritev64v2, (int fd, const struct iovec *parts, int count, off_t to, int flags),
          (fd, parts, count, to, flags), parts, count, false)
LIST_CALL(recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), message->msg_iov,
          (int)message->msg_iovlen, true)
LIST_CALL(sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags), message->msg_iov,
          (int)message->msg_iovlen, false)

/* A whole buffer of a FILE is not copied twice: the C library hands such reads and writes to the kernel as they are. */
ITEMS_CALL(fread, (void *at, size_t item, size_t count, FILE *file), (at, item, count, file), at, item, count, true)
ITEMS_CALL(fread_unlocked, (void *at, size_t item, size_t count, FILE *file), (at, item, count, file), at, item, count,
           true)
ITEMS_CALL(__fread_chk, (void *at, size_t room, size_t item, size_t count, FILE *file), (at, room, item, count, file),
           at, item, count, true)
ITEMS_CALL(__fread_unlocked_chk, (void *at, size_t room, size_t item, size_t count, FILE *file),
           (at, room, item, count, file), at, item, count, true)
ITEMS_CALL(fwrite, (const void *at, size_t item, size_t count, FILE *file), (at, item, count, file), at, item, count,
           false)
ITEMS_CALL(fwrite_unlocked, (const void *at, size_t item, size_t count, FILE *file), (at, item, count, file), at, item,
           count, false)

/* Six arguments are taken whatever the call has: they are in registers, or somewhere on the stack. */
static long (*real_syscall)(long number, ...);
static long hooked_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    const bool kernel_writes = number == SYS_read || number == SYS_pread64;
    const bool has_buffer = kernel_writes || number == SYS_write || number == SYS_pwrite64;
    const bool opened = has_buffer && open_for((const void *)b, (size_t)c);
    const long result = real_syscall(number, a, b, c, d, e, f);
    close_after(opened, (const void *)b, (size_t)c, moved_by(result), kernel_writes);
    return result;
}

/* The fronts of the signals and of the end of the process need no original. */
static os_any_fn *real__exit, *real__Exit;
#define hooked__exit pacl_ending_by_exit
#define hooked__Exit pacl_ending_by_exit
static os_any_fn *real_sigaction, *real_signal, *real_sigprocmask, *real_pthread_sigmask;
#define hooked_sigaction pacl_ending_sigaction
#define hooked_signal pacl_ending_signal
#define hooked_sigprocmask os_front_sigprocmask
#define hooked_pthread_sigmask os_front_pthread_sigmask

#define HOOK(name) \
    { \
#name, (os_any_fn *)hooked_##name, (os_any_fn **)&real_##name \
    }
static const struct os_hook hooks[] = {
    HOOK(read),
    HOOK(__read_chk),
    HOOK(pread),
    HOOK(pread64),
    HOOK(__pread_chk),
    HOOK(__pread64_chk),
    HOOK(recv),
    HOOK(__recv_chk),
    HOOK(recvfrom),
    HOOK(__recvfrom_chk),
    HOOK(getrandom),
    HOOK(write),
    HOOK(pwrite),
    HOOK(pwrite64),
    HOOK(send),
    HOOK(sendto),
    HOOK(readv),
    HOOK(preadv),
    HOOK(preadv64),
    HOOK(preadv2),
    HOOK(preadv64v2),
    HOOK(writev),
    HOOK(pwritev),
    HOOK(pwritev64),
    HOOK(pwritev2),
    HOOK(pwritev64v2),
    HOOK(recvmsg),
    HOOK(sendmsg),
    HOOK(fread),
    HOOK(fread_unlocked),
    HOOK(__fread_chk),
    HOOK(__fread_unlocked_chk),
    HOOK(fwrite),
    HOOK(fwrite_unlocked),
    HOOK(syscall),
    HOOK(sigaction),
    HOOK(signal),
    HOOK(sigprocmask),
    HOOK(pthread_sigmask),
    HOOK(_exit),
    HOOK(_Exit),
};

void pacl_kernel_access_start(void)
{
    os_hooks_install(hooks, sizeof hooks / sizeof hooks[0]);
}
