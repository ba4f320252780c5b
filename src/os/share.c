/* SPDX-License-Identifier: Apache-2.0 */
#include "os/share.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/os.h"

enum { CHUNK = 256 * 1024 };

/* --- address space ------------------------------------------------------------------------------------------------ */

/* There if ThreadSanitizer is in the process: it ends a program that maps memory where it wants its own to be. */
extern void __tsan_init(void) __attribute__((weak));

/* Old kernels do not know MAP_FIXED_NOREPLACE and take the address as a wish. */
void *os_reserve_at(void *at, size_t bytes)
{
    if (__tsan_init != NULL)
        return NULL;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *got = mmap(at, bytes, PROT_NONE, flags, -1, 0);
    if (got == MAP_FAILED)
        return NULL;
    if (got != at) {
        munmap(got, bytes);
        return NULL;
    }
    os_keep_unlocked(at, bytes);
    return at;
}

static int map_over(void *at, size_t bytes, int protection, int flags, int fd, uint64_t offset)
{
    if (mmap(at, bytes, protection, flags | MAP_FIXED | MAP_NORESERVE, fd, (off_t)offset) == MAP_FAILED)
        return errno;
    os_keep_unlocked(at, bytes);
    return 0;
}

int os_shared_map_from(int fd, uint64_t offset, void *at, size_t bytes)
{
    return map_over(at, bytes, PROT_NONE, MAP_SHARED, fd, offset);
}

int os_shared_map_open(int fd, uint64_t offset, void *at, size_t bytes)
{
    return map_over(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
}

int os_private_fresh(void *at, size_t bytes)
{
    return map_over(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int os_unmap_reserved(void *at, size_t bytes)
{
    return map_over(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

int os_file_grow(int fd, uint64_t bytes)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return errno;
    if ((uint64_t)now.st_size >= bytes)
        return 0;
    if (!os_file_may_have(bytes))
        return EFBIG;
    return ftruncate(fd, (off_t)bytes) == 0 ? 0 : errno;
}

void os_file_punch(int fd, uint64_t offset, uint64_t bytes)
{
    (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

static int write_all(int fd, uint64_t offset, const char *from, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t written = pwrite(fd, from, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : EIO;
        from += written;
        offset += (uint64_t)written;
        bytes -= (size_t)written;
    }
    return 0;
}

/* Copies one stretch that has pages, through a window onto the source. */
static int copy_stretch(int to, uint64_t to_offset, int from, uint64_t from_offset, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes;) {
        const uint64_t start = (from_offset + done) / OS_PAGE * OS_PAGE, skip = from_offset + done - start;
        const uint64_t step = bytes - done < CHUNK ? bytes - done : CHUNK;
        char *window = mmap(NULL, skip + step, PROT_READ, MAP_SHARED, from, (off_t)start);
        if (window == MAP_FAILED)
            return errno;
        const int err = write_all(to, to_offset + done, window + skip, step);
        munmap(window, skip + step);
        if (err != 0)
            return err;
        done += step;
    }
    return 0;
}

int os_file_copy(int to, uint64_t to_offset, int from, uint64_t from_offset, uint64_t bytes)
{
    const uint64_t end = from_offset + bytes;
    uint64_t at = from_offset;
    while (at < end) {
        const off_t data = lseek(from, (off_t)at, SEEK_DATA);
        if (data < 0)
            return errno == ENXIO ? 0 : errno; /* nothing but a hole up to the end */
        if ((uint64_t)data >= end)
            return 0;
        const off_t hole = lseek(from, data, SEEK_HOLE);
        const uint64_t stop = hole > 0 && (uint64_t)hole < end ? (uint64_t)hole : end;
        const int err =
            copy_stretch(to, to_offset + ((uint64_t)data - from_offset), from, (uint64_t)data, stop - (uint64_t)data);
        if (err != 0)
            return err;
        at = stop;
    }
    return 0;
}

/* Finds the next run of pages that have memory, from *at on. A page's word in /proc/self/pagemap has bit 63 if it is
 * present and bit 62 if it is swapped out; without the file every page counts. */
static size_t next_run(int pagemap, const char *from, size_t bytes, size_t *at)
{
    enum { WORDS = 1024 };
    uint64_t words[WORDS];
    size_t run = 0;
    for (size_t offset = *at; offset < bytes; offset += (size_t)WORDS * OS_PAGE) {
        const size_t pages = (bytes - offset + OS_PAGE - 1) / OS_PAGE, count = pages < WORDS ? pages : WORDS;
        const off_t place = (off_t)((uintptr_t)(from + offset) / OS_PAGE * sizeof words[0]);
        const ssize_t want = (ssize_t)(count * sizeof words[0]);
        const bool known = pagemap >= 0 && pread(pagemap, words, (size_t)want, place) == want;
        for (size_t i = 0; i < count; i++) {
            const bool there = !known || words[i] >> 62 != 0;
            if (there && run == 0)
                *at = offset + i * OS_PAGE;
            if (!there && run > 0)
                return run;
            run += there ? OS_PAGE : 0;
        }
    }
    return run;
}

static int copy_touched(int to, int pagemap, const char *from, size_t bytes)
{
    size_t at = 0, run;
    while (at < bytes && (run = next_run(pagemap, from, bytes, &at)) > 0) {
        const size_t left = bytes - at, step = run < left ? run : left;
        const int err = write_all(to, at, from + at, step);
        if (err != 0)
            return err;
        at += step;
    }
    return 0;
}

int os_file_copy_private(int to, const void *from, size_t bytes)
{
    const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const int err = copy_touched(to, pagemap, from, bytes);
    if (pagemap >= 0)
        close(pagemap);
    return err;
}

/* --- between processes -------------------------------------------------------------------------------------------- */

int os_random(void *at, size_t bytes)
{
    char *to = at;
    while (bytes > 0) {
        const ssize_t got = getrandom(to, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        to += got;
        bytes -= (size_t)got;
    }
    return 0;
}
