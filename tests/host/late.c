/* SPDX-License-Identifier: Apache-2.0 */
/* A library that a program loads behind its first calls. */
#include <unistd.h>

ssize_t late_read(int fd, void *buffer, size_t bytes);

ssize_t late_read(int fd, void *buffer, size_t bytes)
{
    return read(fd, buffer, bytes);
}
