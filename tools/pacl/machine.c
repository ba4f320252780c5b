/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"
#include "sdk.h"
#include "text.h"

/* The address space, in bytes, that a process which uses all devices takes for their memory: three times the memory, as
 * docs/design/memory.md says, and all of that again for the addresses that engines use. */
static uint64_t reserved_bytes(const struct pacl_product *product)
{
    unsigned mappings = strcmp(pacl_isolation(), "dual-mapping") == 0 ? 2 : 1;

    return 3 * mappings * product->memory_bytes * product->devices;
}

static void check_overcommit(void)
{
    static const char topic[] = "overcommit";
    char mode[16];

    if (!text_first_line("/proc/sys/vm/overcommit_memory", mode, sizeof(mode))) {
        report_note(topic, "cannot read /proc/sys/vm/overcommit_memory");
    } else if (strcmp(mode, "2") == 0) {
        report_note(topic, "vm.overcommit_memory is 2: the kernel may refuse to reserve device memory");
        report_advice("'sysctl vm.overcommit_memory=0', or smaller devices: pacl run --device-memory 1G");
    } else {
        report_ok(topic, "vm.overcommit_memory is %s: device memory can be reserved without being used", mode);
    }
}

static void check_address_space(const struct pacl_product *product)
{
    static const char topic[] = "address space";
    char limit_text[SIZE_TEXT_MAX];
    char need_text[SIZE_TEXT_MAX];
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0) {
        report_note(topic, "cannot read the limit: %s", strerror(errno));
        return;
    }
    if (limit.rlim_cur == RLIM_INFINITY) {
        report_ok(topic, "no limit");
        return;
    }
    text_from_size(limit.rlim_cur, limit_text);
    text_from_size(reserved_bytes(product), need_text);
    if (limit.rlim_cur > reserved_bytes(product)) {
        report_ok(topic, "limited to %s, the devices take %s of it", limit_text, need_text);
        return;
    }
    report_note(topic, "limited to %s, all devices together would take %s and get less", limit_text, need_text);
    report_advice("'ulimit -v unlimited', or smaller devices: pacl run --devices 1 --device-memory 1G");
}

static void check_mappings(void)
{
    static const char topic[] = "mappings";
    enum { KERNEL_DEFAULT = 65530 };
    char line[32];
    uint64_t limit;

    if (!text_first_line("/proc/sys/vm/max_map_count", line, sizeof(line)) || !text_to_number(line, &limit))
        report_note(topic, "cannot read /proc/sys/vm/max_map_count");
    else if (limit >= KERNEL_DEFAULT)
        report_ok(topic, "vm.max_map_count is %" PRIu64, limit);
    else {
        report_note(topic, "vm.max_map_count is %" PRIu64 ": programs with many allocations may run into it", limit);
        report_advice("'sysctl vm.max_map_count=%d' (the kernel's default) or more", KERNEL_DEFAULT);
    }
}

/* Asking the kernel covers processor, kernel and virtual machine at once. */
static void check_protection_keys(void)
{
    static const char topic[] = "protection keys";
    int key = pkey_alloc(0, 0);

    if (key < 0) {
        report_note(topic, "not available; device memory can be kept from the host by dual mapping");
        return;
    }
    pkey_free(key);
    report_ok(topic, "available");
}

/* The word that a file like "always [madvise] never" has in brackets. */
static bool read_choice(const char *path, char *word, size_t size)
{
    char line[128];

    if (!text_first_line(path, line, sizeof(line)))
        return false;
    const char *start = strchr(line, '[');
    if (start == NULL)
        return false;
    snprintf(word, size, "%.*s", (int)strcspn(start + 1, "]"), start + 1);
    return true;
}

static void check_huge_pages(void)
{
    static const char topic[] = "huge pages";
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    char choice[16];

    if (!read_choice(path, choice, sizeof(choice))) {
        report_note(topic, "this kernel has none; copies of rows far apart are slower");
    } else if (strcmp(choice, "never") == 0) {
        report_note(topic, "switched off; copies of rows far apart are slower");
        report_advice("as root: echo madvise > %s", path);
    } else {
        report_ok(topic, "transparent huge pages: %s", choice);
    }
}

/* Dual mapping puts device memory into a memory file, whose pages have a setting of their own. */
static void check_shared_huge_pages(void)
{
    static const char topic[] = "shared huge pages";
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
    bool used = strcmp(pacl_isolation(), "dual-mapping") == 0;
    char choice[16];

    if (!read_choice(path, choice, sizeof(choice)))
        snprintf(choice, sizeof(choice), "not there");
    if (!used) {
        report_ok(topic, "%s; not used with isolation '%s'", choice, pacl_isolation());
    } else if (strcmp(choice, "never") == 0 || strcmp(choice, "deny") == 0 || strcmp(choice, "not there") == 0) {
        report_note(topic, "%s: device memory has small pages, copies of rows far apart are slower", choice);
        report_advice("as root: echo advise > %s", path);
    } else {
        report_ok(topic, "%s", choice);
    }
}

static void check_processors(void)
{
    static const char topic[] = "processors";
    cpu_set_t set;
    uint32_t engines = pacl_engine_count();

    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        report_note(topic, "cannot read the affinity: %s", strerror(errno));
        return;
    }
    uint32_t processors = (uint32_t)CPU_COUNT(&set);
    if (engines <= processors) {
        report_ok(topic, "%" PRIu32 " may be used, for %" PRIu32 " engines", processors, engines);
        return;
    }
    report_note(topic, "%" PRIu32 " may be used, for %" PRIu32 " engines, which then wait for each other", processors,
                engines);
    report_advice("pacl run --engines %" PRIu32 ", or allow more processors (taskset, cpuset)", processors);
}

/* The lowest number in ROOT/GROUP/FILE and the same file of the groups around it; UINT64_MAX if none has one. */
static uint64_t lowest_limit(const char *root, char *group, const char *file)
{
    uint64_t lowest = UINT64_MAX;

    for (;;) {
        char path[PATH_MAX];
        char line[32];
        uint64_t limit;
        int length = snprintf(path, sizeof(path), "%s%s/%s", root, group, file);
        if (length > 0 && (size_t)length < sizeof(path) && text_first_line(path, line, sizeof(line)) &&
            text_to_number(line, &limit) && limit < lowest) /* "max" is not a number */
            lowest = limit;
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return lowest;
        *slash = '\0';
    }
}

/* /proc/self/cgroup has lines "0::GROUP" (version 2) and "ID:memory:GROUP" (version 1). */
static uint64_t group_memory_limit(void)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    uint64_t lowest = UINT64_MAX;
    char line[PATH_MAX];

    if (file == NULL)
        return lowest;
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        uint64_t limit = UINT64_MAX;
        if (strcmp(line, "0:") == 0)
            limit = lowest_limit("/sys/fs/cgroup", group, "memory.max");
        else if (strcmp(controllers + 1, "memory") == 0)
            limit = lowest_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
        if (limit < lowest)
            lowest = limit;
    }
    fclose(file);
    return lowest;
}

static void check_memory(const struct pacl_product *product)
{
    static const char topic[] = "memory";
    uint64_t installed = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t group = group_memory_limit();
    uint64_t available = group < installed ? group : installed;
    const char *place = group < installed ? "allowed by the control group" : "in this machine";
    char have[SIZE_TEXT_MAX];
    char device[SIZE_TEXT_MAX];

    text_from_size(available, have);
    text_from_size(product->memory_bytes, device);
    if (product->memory_bytes <= available) {
        report_ok(topic, "%s %s, %s in a device", have, place, device);
        return;
    }
    report_note(topic, "%s %s, %s in a device: programs cannot use all of that", have, place, device);
    report_advice("to have aclrtMalloc fail in time: pacl run --device-memory SIZE");
}

void machine_check(const struct pacl_product *product)
{
    check_memory(product);
    check_address_space(product);
    check_overcommit();
    check_mappings();
    check_huge_pages();
    check_shared_huge_pages();
    check_protection_keys();
    check_processors();
}

static bool same_file(const char *path, const struct stat *other)
{
    struct stat status;

    return stat(path, &status) == 0 && status.st_dev == other->st_dev && status.st_ino == other->st_ino;
}

/* True if the loader's search ends in `dir`: with our library, or with another that is then reported. */
static bool search_ends(const char *dir, const struct stat *ours)
{
    char *path = text_format("%s/libascendcl.so", dir);
    bool found = access(path, R_OK) == 0;

    if (found && !same_file(path, ours)) {
        report_note("library path", "LD_LIBRARY_PATH leads to another library: %s", path);
        report_advice("start programs with 'pacl run', or put PACL in front: eval \"$(pacl env)\"");
    }
    free(path);
    return found;
}

void machine_check_library_path(void)
{
    const char *list = getenv("LD_LIBRARY_PATH");
    struct stat ours;

    if (stat(sdk_get()->library, &ours) != 0) {
        report_fail("library path", "%s: %s", sdk_get()->library, strerror(errno));
        return;
    }
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        char *dir = length == 0 ? text_format(".") : text_format("%.*s", (int)length, list);
        bool done = search_ends(dir, &ours);
        free(dir);
        if (done)
            return;
        list += length + (list[length] == ':');
    }
}

void machine_check_python(void)
{
    static const char topic[] = "python module";
    char *pattern = text_format("%s/acl*.so", sdk_get()->python_dir);
    glob_t found;

    if (glob(pattern, GLOB_NOESCAPE, NULL, &found) == 0) {
        report_ok(topic, "%s", found.gl_pathv[0]);
        globfree(&found);
    } else {
        report_note(topic, "no module 'acl' in %s; C and C++ programs do not need it", sdk_get()->python_dir);
    }
    free(pattern);
}
