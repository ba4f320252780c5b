/* SPDX-License-Identifier: Apache-2.0 */
#include "os/share.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A name in the abstract space: it starts with a NUL and vanishes with its last socket. */
static socklen_t address_of(const char *name, struct sockaddr_un *address)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    const int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s", name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int make(void)
{
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int os_socket_listen(const char *name)
{
    enum { WAITING = 64 };
    struct sockaddr_un address;
    const socklen_t length = address_of(name, &address);
    const int fd = make();
    if (fd < 0)
        return -1;
    if (bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, WAITING) == 0)
        return fd;
    const int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

int os_socket_connect(const char *name)
{
    enum { TRIES = 5000 };
    struct sockaddr_un address;
    const socklen_t length = address_of(name, &address);
    const int fd = make();
    if (fd < 0)
        return -1;
    /* Many connect at once: the other end takes them in a moment. */
    for (unsigned tries = 0; tries < TRIES; tries++) {
        if (connect(fd, (struct sockaddr *)&address, length) == 0)
            return fd;
        if (errno != EAGAIN && errno != EINTR)
            break;
        (void)poll(NULL, 0, 1);
    }
    close(fd);
    return -1;
}

int os_socket_accept(int listener)
{
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int os_socket_peer(int fd)
{
    struct ucred other = { 0 };
    socklen_t length = sizeof other;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &length) == 0 ? other.pid : 0;
}

union control {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
};

int os_socket_send(int fd, const void *message, size_t bytes, int passed)
{
    struct iovec part = { .iov_base = (void *)(uintptr_t)message, .iov_len = bytes };
    struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
    union control control;
    if (passed >= 0) {
        memset(&control, 0, sizeof control);
        header.msg_control = control.space;
        header.msg_controllen = sizeof control.space;
        struct cmsghdr *item = CMSG_FIRSTHDR(&header);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(item), &passed, sizeof passed);
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)bytes ? 0 : errno;
}

int os_socket_receive(int fd, void *message, size_t bytes, int *passed)
{
    struct iovec part = { .iov_base = message, .iov_len = bytes };
    union control control;
    /* Room for one descriptor and none for a second, which the padding behind the first would hold: it would stay open. */
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = CMSG_LEN(sizeof *passed)
    };
    ssize_t got;
    *passed = -1;
    do {
        got = recvmsg(fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == ECONNRESET ? 0 : -1;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item != NULL; item = CMSG_NXTHDR(&header, item)) {
        if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS && item->cmsg_len >= CMSG_LEN(sizeof(int)))
            memcpy(passed, CMSG_DATA(item), sizeof *passed);
    }
    return (int)got;
}

bool os_socket_wait(int fd, int timeout_ms)
{
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    int ready;
    do {
        ready = poll(&wait, 1, timeout_ms);
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}
