/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that lies in nameless files, so that several addresses and several processes can have it, and the local sockets
 * that pass such files on. Linux is behind it (share.c, socket.c). As in os.h, functions return 0 or an errno value
 * unless they say otherwise, and none sets a thread's last error.
 */
#ifndef PACL_OS_SHARE_H
#define PACL_OS_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

/* --- address space ------------------------------------------------------------------------------------------------ */

/* Reserves exactly [at, at + bytes) without access; NULL if any of it is taken. */
void *os_reserve_at(void *at, size_t bytes);

/* Maps bytes of the file from `offset` on, in place of what is there; without access, os_commit gives it. */
int os_shared_map_from(int fd, uint64_t offset, void *at, size_t bytes);

/* The same with access at once, so that no thread meets the addresses without. */
int os_shared_map_open(int fd, uint64_t offset, void *at, size_t bytes);

/* Fresh private memory in place of what is there, zeroed, with access. */
int os_private_fresh(void *at, size_t bytes);

/* Takes the mapping away; the addresses stay reserved. */
int os_unmap_reserved(void *at, size_t bytes);

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Lets the file have at least `bytes`. */
int os_file_grow(int fd, uint64_t bytes);

/* Gives pages back; they read as zero. */
void os_file_punch(int fd, uint64_t offset, uint64_t bytes);

/* Copies what the source holds; where it has no pages, the target gets none. */
int os_file_copy(int to, uint64_t to_offset, int from, uint64_t from_offset, uint64_t bytes);

/* The same from memory: private pages that were never touched are left out. */
int os_file_copy_private(int to, const void *from, size_t bytes);

/* --- between processes -------------------------------------------------------------------------------------------- */

/* Random bytes that nobody can guess. */
int os_random(void *at, size_t bytes);

/* Sockets carry whole messages and have a name that is no file: nothing is left behind when a process dies. Each returns
 * a descriptor or -1. */
int os_socket_listen(const char *name);
int os_socket_connect(const char *name);
int os_socket_accept(int listener);

/* The process at the other end, by its number here; 0 if unknown. */
int os_socket_peer(int fd);

/* Sends one message with an optional descriptor (-1: none). Never blocks, never raises a signal. */
int os_socket_send(int fd, const void *message, size_t bytes, int passed);

/* Receives one message, without blocking, into `message`; returns its length, 0 at the end, -1 if there is none or it is
 * broken. *passed is the descriptor that came with it, or -1; the caller closes it. */
int os_socket_receive(int fd, void *message, size_t bytes, int *passed);

/* True once there is something to read, or the other end is gone; false after `timeout_ms`. */
bool os_socket_wait(int fd, int timeout_ms);

#endif
