/* SPDX-License-Identifier: Apache-2.0 */
#include "run_info.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acl/acl.h"
#include "text.h"

/* The caller frees it. */
static char *join(int argc, char **argv)
{
    char *command = text_format("%s", argv[0]);

    for (int i = 1; i < argc; i++) {
        char *longer = text_format("%s %s", command, argv[i]);
        free(command);
        command = longer;
    }
    return command;
}

/* The caller frees it. */
static char *cpu_name(void)
{
    char line[256];
    char *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "re");

    while (file != NULL && name == NULL && fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value != NULL && value[1] != '\0')
            name = text_format("%s", value + 2);
    }
    if (file != NULL)
        fclose(file);
    return name != NULL ? name : text_format("%s", "unknown"); /* not every architecture has the line */
}

static long usable_processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

/* The caller frees it. */
static char *library_file(void)
{
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "aclInit");

    if (function == NULL || dladdr(function, &info) == 0 || info.dli_fname == NULL)
        return text_format("%s", "unknown");
    return text_format("%s", info.dli_fname);
}

/* Looked up by name: older runtimes do not have the call, and the rest of the program needs nothing so new. */
static void set_version(struct run_info *info)
{
    aclError (*get_version)(char *package, char *version);
    char package[] = "runtime";
    char version[ACL_PKG_VERSION_MAX_SIZE] = "";

    *(void **)&get_version = dlsym(RTLD_DEFAULT, "aclsysGetVersionStr");
    /* Without an answer the package's file is not where the environment says. */
    const bool known = get_version != NULL && get_version(package, version) == ACL_SUCCESS;
    snprintf(info->runtime_version, sizeof(info->runtime_version), "%.31s", known ? version : "unknown");
}

void run_info_start(struct run_info *info, int argc, char **argv)
{
    const time_t now = time(NULL);
    struct tm utc;

    *info = (struct run_info){ 0 };
    strftime(info->date, sizeof(info->date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    info->command = join(argc, argv);
    info->cpu = cpu_name();
    info->processors = usable_processors();
    info->library = library_file();
    set_version(info);
}

void run_info_add_device(struct run_info *info, int32_t device, size_t memory)
{
    const char *name = aclrtGetSocName();

    snprintf(info->soc_name, sizeof(info->soc_name), "%s", name != NULL ? name : "unknown");
    info->device = device;
    info->device_memory = memory;
}

void run_info_release(struct run_info *info)
{
    free(info->command);
    free(info->cpu);
    free(info->library);
}
