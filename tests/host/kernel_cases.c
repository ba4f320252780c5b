/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel touches pinned memory on the program's behalf while a copy is in flight. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "accesses.h"

enum { GAP = PITCH - WIDTH };

static int pipe_ends[2];

static void fill_pipe(int value, size_t bytes)
{
    unsigned char text[4096];
    memset(text, value, sizeof text);
    MUST(pipe(pipe_ends) == 0);
    MUST(write(pipe_ends[1], text, bytes) == (ssize_t)bytes);
}

static FILE *file_of(int value, size_t bytes)
{
    FILE *const file = tmpfile();
    MUST(file != NULL);
    for (size_t i = 0; i < bytes; i++)
        MUST(fputc(value, file) == value);
    rewind(file);
    return file;
}

static unsigned char *gap_behind_row(int row)
{
    return host + AT + row * PITCH + WIDTH;
}

/* --- wrong: found, and the bytes are where they belong ------------------------------------------------------------ */

static void read_into_destination(void)
{
    fill_pipe(5, GAP + 1);
    download_rows();
    MUST(read(pipe_ends[0], gap_behind_row(0), GAP + 1) == GAP + 1); /* one byte into the next row */
    MUST(gap_behind_row(0)[0] == 5 && gap_behind_row(0)[GAP - 1] == 5);
}

static void write_from_destination(void)
{
    unsigned char text[PITCH];
    download_rows();
    MUST(pipe(pipe_ends) == 0);
    MUST(write(pipe_ends[1], host + AT, PITCH) == PITCH);
    MUST(read(pipe_ends[0], text, PITCH) == PITCH && text[0] == OLD && text[PITCH - 1] == OLD);
}

static void read_into_source(void)
{
    fill_pipe(5, 1);
    upload_rows();
    MUST(read(pipe_ends[0], host + END - 1, 1) == 1);
    MUST(*(volatile unsigned char *)(host + END - 1) == 5);
}

static void fread_into_destination(void)
{
    FILE *const file = file_of(6, BYTES);
    download_rows();
    MUST(fread(host, 1, BYTES, file) == BYTES);
    MUST(host[BYTES - 1] == 6);
    fclose(file);
}

static void fwrite_from_destination(void)
{
    FILE *const file = tmpfile();
    download_rows();
    MUST(file != NULL && fwrite(host, 1, BYTES, file) == BYTES && fflush(file) == 0 && ftell(file) == BYTES);
    fclose(file);
}

static void second_part_of_a_list(void)
{
    unsigned char own[8];
    struct iovec parts[] = { { own, sizeof own }, { host + AT, 4 } };
    fill_pipe(5, 12);
    download_rows();
    MUST(readv(pipe_ends[0], parts, 2) == 12 && own[7] == 5);
}

/* --- right ------------------------------------------------------------------------------------------------------ */

static void read_into_gap(void)
{
    fill_pipe(5, GAP);
    download_rows();
    MUST(read(pipe_ends[0], gap_behind_row(3), GAP) == GAP);
    for (int i = 0; i < GAP; i++)
        MUST(gap_behind_row(3)[i] == 5);
    finish();
    MUST(host[AT] == NEW && gap_behind_row(3)[0] == 5);
}

/* Its calls are hooked when pages are guarded next. */
static void a_library_loaded_later_reads_into_gap(void)
{
    void *const library = dlopen(LATE_LIBRARY, RTLD_NOW);
    MUST(library != NULL);
    ssize_t (*late_read)(int, void *, size_t);
    *(void **)&late_read = dlsym(library, "late_read");
    MUST(late_read != NULL);
    fill_pipe(7, 64);
    download_rows();
    MUST(late_read(pipe_ends[0], gap_behind_row(1), 64) == 64 && gap_behind_row(1)[63] == 7);
}

/* Only what is there is read: asked for more, the rows are not touched. */
static void short_read_ends_before_the_row(void)
{
    fill_pipe(5, GAP);
    download_rows();
    MUST(read(pipe_ends[0], gap_behind_row(0), BYTES / 2) == GAP);
    MUST(gap_behind_row(0)[GAP - 1] == 5);
}

static void write_from_gap(void)
{
    unsigned char text[GAP];
    download_rows();
    memset(gap_behind_row(9), 8, GAP);
    MUST(pipe(pipe_ends) == 0);
    MUST(write(pipe_ends[1], gap_behind_row(9), GAP) == GAP);
    MUST(read(pipe_ends[0], text, GAP) == GAP && text[0] == 8 && text[GAP - 1] == 8);
}

static void write_from_source(void)
{
    FILE *const file = tmpfile();
    MUST(file != NULL);
    upload_rows();
    MUST(write(fileno(file), host, BYTES) == BYTES);
    MUST(pwrite(fileno(file), host, BYTES, 0) == BYTES);
    MUST(fwrite(host, 1, BYTES, file) == BYTES && fflush(file) == 0);
    fclose(file);
}

static void file_calls_beside_the_rows(void)
{
    FILE *const file = file_of(6, BYTES);
    const size_t bytes = BYTES - END;
    download_rows();
    MUST(fread(host + END, 1, bytes, file) == bytes && host[BYTES - 1] == 6);
    MUST(pread(fileno(file), host + END, bytes, 0) == (ssize_t)bytes);
    MUST(fwrite(host + END, bytes, 1, file) == 1 && fflush(file) == 0);
    MUST(pwrite(fileno(file), host + END, bytes, 0) == (ssize_t)bytes);
    fclose(file);
}

static void socket_calls_beside_the_rows(void)
{
    int ends[2];
    struct iovec part = { gap_behind_row(1), GAP };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    download_rows();
    MUST(send(ends[0], gap_behind_row(2), GAP, 0) == GAP && recv(ends[1], gap_behind_row(3), GAP, 0) == GAP);
    MUST(sendmsg(ends[0], &message, 0) == GAP && recvmsg(ends[1], &message, 0) == GAP);
    MUST(writev(ends[0], &part, 1) == GAP && readv(ends[1], &part, 1) == GAP);
    MUST(sendto(ends[0], gap_behind_row(2), GAP, 0, NULL, 0) == GAP &&
         recvfrom(ends[1], gap_behind_row(2), GAP, 0, NULL, NULL) == GAP);
    close(ends[0]);
    close(ends[1]);
}

static void bare_system_calls_beside_the_rows(void)
{
    fill_pipe(5, GAP);
    download_rows();
    MUST(syscall(SYS_read, pipe_ends[0], gap_behind_row(4), (size_t)GAP) == GAP);
    MUST(syscall(SYS_write, pipe_ends[1], gap_behind_row(4), (size_t)GAP) == GAP);
    MUST(syscall(SYS_getpid) == getpid());
}

static void read_after_synchronize(void)
{
    fill_pipe(5, PITCH);
    download_rows();
    finish();
    MUST(read(pipe_ends[0], host + AT, PITCH) == PITCH);
    MUST(host[AT] == 5);
}

static void a_call_that_fails_still_fails(void)
{
    download_rows();
    errno = 0;
    MUST(read(-1, gap_behind_row(0), GAP) == -1 && errno == EBADF);
    errno = 0;
    MUST(write(-1, host + AT, PITCH) == -1 && errno == EBADF);
}

const struct access_case kernel_cases[] = {
    CASE(read_into_destination),
    CASE(write_from_destination),
    CASE(read_into_source),
    CASE(fread_into_destination),
    CASE(fwrite_from_destination),
    CASE(second_part_of_a_list),
    CASE(read_into_gap),
    CASE(a_library_loaded_later_reads_into_gap),
    CASE(short_read_ends_before_the_row),
    CASE(write_from_gap),
    CASE(write_from_source),
    CASE(file_calls_beside_the_rows),
    CASE(socket_calls_beside_the_rows),
    CASE(bare_system_calls_beside_the_rows),
    CASE(read_after_synchronize),
    CASE(a_call_that_fails_still_fails),
    { NULL, NULL },
};
