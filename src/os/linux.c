/* SPDX-License-Identifier: Apache-2.0 */
#include "os/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool os_fence_is_asymmetric;

uint64_t os_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

void os_futex_wait(_Atomic uint32_t *word, uint32_t expected, uint64_t deadline_ns)
{
    const struct timespec deadline = { .tv_sec = (time_t)(deadline_ns / 1000000000U),
                                       .tv_nsec = (long)(deadline_ns % 1000000000U) };
    const int saved = errno;
    /* WAIT_BITSET takes an absolute monotonic deadline. */
    (void)syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline_ns == OS_NEVER ? NULL : &deadline,
                  NULL, FUTEX_BITSET_MATCH_ANY);
    errno = saved;
}

void os_futex_wake(_Atomic uint32_t *word, int count)
{
    const int saved = errno;
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
    errno = saved;
}

void os_fence_heavy(void)
{
    if (!os_fence_is_asymmetric || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        pacl_fence_seq_cst();
}

void os_init(void)
{
    os_fence_is_asymmetric = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

struct start {
    void (*run)(void *);
    void *argument;
    char name[16]; /* what the system keeps, its NUL included */
};

static void *run_start(void *boxed)
{
    const struct start start = *(struct start *)boxed;
    free(boxed);
    pthread_setname_np(pthread_self(), start.name); /* here, as the creator may find a detached thread gone */
    start.run(start.argument);
    return NULL;
}

/* All signals but those that a thread causes itself: a program's crash handler runs for its host functions, too. */
static void block_signals(sigset_t *mask)
{
    static const int own_faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
    sigfillset(mask);
    for (size_t i = 0; i < sizeof own_faults / sizeof own_faults[0]; i++)
        sigdelset(mask, own_faults[i]);
}

int os_thread_start(void (*run)(void *), void *argument, const char *name, size_t stack)
{
    struct start *start = malloc(sizeof *start);
    if (start == NULL)
        return ENOMEM;
    *start = (struct start){ .run = run, .argument = argument };
    snprintf(start->name, sizeof start->name, "%s", name);

    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack != 0)
        pthread_attr_setstacksize(&attributes, stack);

    sigset_t mask, before; /* a new thread inherits the mask of its creator */
    block_signals(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    pthread_t thread;
    const int err = pthread_create(&thread, &attributes, run_start, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (err != 0)
        free(start);
    return err;
}

uint32_t os_thread_id(void)
{
    static _Thread_local uint32_t id;
    if (id == 0)
        id = (uint32_t)syscall(SYS_gettid);
    return id;
}

void os_yield(void)
{
    sched_yield();
}

int os_cancel_disable(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void os_cancel_restore(int before)
{
    int unused;
    (void)pthread_setcancelstate(before, &unused);
}

/* The processors that the quota of one control group amounts to, rounded up; UINT_MAX without a quota. */
static unsigned quota_of(const char *group)
{
    char path[PATH_MAX + 32];
    unsigned long long quota = 0, period = 0;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    FILE *limit = fopen(path, "re");
    const bool found = limit != NULL && fscanf(limit, "%llu %llu", &quota, &period) == 2 && period > 0;
    if (limit != NULL)
        fclose(limit);
    return found ? (unsigned)((quota + period - 1) / period) : UINT_MAX;
}

/* The lowest quota on the way from this process's control group to the root. */
static unsigned cpus_by_quota(void)
{
    char line[PATH_MAX] = "";
    unsigned lowest = UINT_MAX;
    FILE *own = fopen("/proc/self/cgroup", "re");
    if (own == NULL)
        return lowest;
    while (fgets(line, sizeof line, own) != NULL && strncmp(line, "0::", 3) != 0)
        line[0] = '\0';
    fclose(own);
    line[strcspn(line, "\n")] = '\0';
    char *group = line[0] != '\0' ? line + 3 : line;
    for (char *slash; (slash = strrchr(group, '/')) != NULL; *slash = '\0') {
        const unsigned quota = quota_of(group);
        lowest = quota < lowest ? quota : lowest;
    }
    return lowest;
}

unsigned os_usable_cpus(void)
{
    cpu_set_t set;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned cpus = online > 0 ? (unsigned)online : 1; /* for machines whose set does not fit */
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cpus = (unsigned)CPU_COUNT(&set);
    const int cancels = os_cancel_disable(); /* files are read, once, while the runtime or engines start */
    const unsigned quota = cpus_by_quota();
    os_cancel_restore(cancels);
    if (quota < cpus)
        cpus = quota;
    return cpus > 0 ? cpus : 1;
}

/* One word of a file that describes one of this processor's caches; "" if there is none. */
static void read_cache_word(unsigned index, const char *file, char word[static 32])
{
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, file);
    FILE *f = fopen(path, "re");
    if (f == NULL || fscanf(f, "%31s", word) != 1)
        word[0] = '\0';
    if (f != NULL)
        fclose(f);
}

/* Not sysconf: it may add up the caches of a whole package. */
uint64_t os_cache_bytes(unsigned level)
{
    enum { CACHES_MAX = 8 };
    for (unsigned index = 0; index < CACHES_MAX; index++) {
        char which[32], type[32], size[32], *unit;
        read_cache_word(index, "level", which);
        read_cache_word(index, "type", type);
        if (strtoul(which, NULL, 10) != level || strcmp(type, "Instruction") == 0)
            continue;
        read_cache_word(index, "size", size);
        const uint64_t number = strtoull(size, &unit, 10);
        return *unit == 'K' ? number * 1024 : number;
    }
    return 0;
}

uint64_t os_memory_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* A program that has called mlockall(MCL_FUTURE) would have every page of a sparse range brought into being. */
void os_keep_unlocked(void *at, size_t bytes)
{
    (void)munlock(at, bytes);
}

void *os_reserve(size_t bytes, size_t align)
{
    const size_t slack = align > OS_PAGE ? align : 0;
    if (bytes > SIZE_MAX - slack)
        return NULL;
    char *raw = mmap(NULL, bytes + slack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    os_keep_unlocked(raw, bytes + slack);
    const size_t before = slack == 0 ? 0 : (align - (uintptr_t)raw % align) % align;
    if (before > 0)
        munmap(raw, before);
    if (slack > before)
        munmap(raw + before + bytes, slack - before);
    return raw + before;
}

void os_release(void *at, size_t bytes)
{
    munmap(at, bytes);
}

int os_commit(void *at, size_t bytes)
{
    return mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0 ? 0 : errno;
}

void os_protect(void *at, size_t bytes, enum os_rights rights)
{
    static const int protection[] = { PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE };
    (void)mprotect(at, bytes, protection[rights]);
}

void os_discard(void *at, size_t bytes)
{
    (void)madvise(at, bytes, MADV_DONTNEED);
}

void os_keep_from_children(void *at, size_t bytes)
{
    (void)madvise(at, bytes, MADV_DONTFORK); /* refused, the child has a copy that nobody looks at */
}

void os_want_huge_pages(void *at, size_t bytes)
{
    (void)madvise(at, bytes, MADV_HUGEPAGE); /* a kernel without them refuses; small pages serve as well */
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

void os_make_huge_pages(void *at, size_t bytes)
{
    (void)madvise(at, bytes, MADV_COLLAPSE);
}

/* Growing a file past RLIMIT_FSIZE does not only fail, it raises SIGXFSZ. */
bool os_file_may_have(uint64_t bytes)
{
    struct rlimit limit;
    return bytes <= INT64_MAX && (getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur);
}

int os_shared_create(const char *name, size_t bytes)
{
    if (!os_file_may_have(bytes))
        return -1;
    const int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)bytes) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

int os_shared_map(int fd, void *at, size_t bytes)
{
    void *mapped = mmap(at, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0);
    if (mapped == MAP_FAILED)
        return errno;
    os_keep_unlocked(at, bytes);
    return 0;
}

int os_private_map(int fd, void *at, size_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    return mmap(at, bytes, PROT_READ | PROT_WRITE, flags, fd, 0) != MAP_FAILED ? 0 : errno;
}

void os_shared_discard(void *at, size_t bytes)
{
    (void)madvise(at, bytes, MADV_REMOVE);
}

bool os_is_mapped(const void *at, size_t bytes)
{
    enum { PAGES_AT_A_TIME = 1024 };
    unsigned char resident[PAGES_AT_A_TIME];
    uintptr_t page = (uintptr_t)at & ~(uintptr_t)(OS_PAGE - 1);
    if (bytes == 0 || (uintptr_t)at > UINTPTR_MAX - bytes)
        return bytes == 0;
    const uintptr_t end = (uintptr_t)at + bytes;
    const int saved = errno;
    while (page < end) {
        size_t step = end - page;
        if (step > (size_t)PAGES_AT_A_TIME * OS_PAGE)
            step = (size_t)PAGES_AT_A_TIME * OS_PAGE;
        if (mincore((void *)page, step, resident) != 0) {
            const bool known = errno == ENOMEM; /* else a sandbox denies the question */
            errno = saved;
            return !known;
        }
        page += step;
    }
    return true;
}

/* The state's letter stands behind the name, which is in parentheses and may hold any. */
static char thread_state(const char *tid)
{
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", tid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 'X'; /* it has ended meanwhile */
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *end = strrchr(text, ')');
    if (end == NULL || end[1] == '\0')
        return 'X';
    return end[2];
}

bool os_others_sleep(void)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *entry;
    const long self = syscall(SYS_gettid);
    bool sleep = tasks != NULL;
    while (sleep && (entry = readdir(tasks)) != NULL) {
        if (entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) == self)
            continue;
        const char state = thread_state(entry->d_name);
        sleep = state != 'R' && state != 'D';
    }
    if (tasks != NULL)
        closedir(tasks);
    return sleep;
}
