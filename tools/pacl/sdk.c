/* SPDX-License-Identifier: Apache-2.0 */
#include "sdk.h"

#include <dlfcn.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text.h"

/* Everything before the last slash of an absolute path. The caller frees it. */
static char *directory_of(const char *path)
{
    int length = (int)(strrchr(path, '/') - path);

    return text_format("%.*s", length > 0 ? length : 1, path);
}

static char *resolve(const char *path)
{
    char *resolved = realpath(path, NULL);

    if (resolved == NULL)
        err(STATUS_FAILED, "%s", path);
    return resolved;
}

/* The address comes from dlsym, because that of `&pacl_version` may be a jump inside this executable. */
static char *find_library(void)
{
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "pacl_version");

    if (function == NULL || dladdr(function, &info) == 0 || info.dli_fname == NULL)
        errx(STATUS_FAILED, "cannot tell where the library was loaded from");
    return resolve(info.dli_fname);
}

/* The lists that these go into have no way to write a colon. */
static void refuse_colon(const char *path)
{
    if (strchr(path, ':') != NULL)
        errx(STATUS_FAILED, "%s: a path with a colon cannot be put into LD_LIBRARY_PATH", path);
}

/* A build tree has the installation's folders: bin, lib64, libexec. */
static void find(struct sdk *sdk)
{
    char *command = resolve("/proc/self/exe");

    sdk->bin = directory_of(command);
    sdk->library = find_library();
    sdk->library_dir = directory_of(sdk->library);
    sdk->home = directory_of(sdk->bin);
    sdk->probe = text_format("%s/libexec/pacl-probe", sdk->home);
    sdk->bench = text_format("%s/libexec/pacl-bench", sdk->home);
    sdk->pkgconfig_dir = text_format("%s/pkgconfig", sdk->library_dir);
    sdk->python_dir = text_format("%s/python/site-packages", sdk->home);
    refuse_colon(sdk->bin);
    refuse_colon(sdk->library_dir);
    refuse_colon(sdk->home);
    free(command);
}

const struct sdk *sdk_get(void)
{
    static struct sdk sdk;

    if (sdk.home == NULL)
        find(&sdk);
    return &sdk;
}

/* The elements of a colon-separated list that are not `dir`, each after a colon. The caller frees it. */
static char *without(const char *list, const char *dir)
{
    char *rest = text_format("%s", "");

    while (list != NULL) {
        const char *end = strchrnul(list, ':');
        size_t length = (size_t)(end - list);
        if (length != strlen(dir) || strncmp(list, dir, length) != 0) {
            char *longer = text_format("%s:%.*s", rest, (int)length, list);
            free(rest);
            rest = longer;
        }
        list = *end == ':' ? end + 1 : NULL;
    }
    return rest;
}

static void visit_with_first(const char *name, const char *dir, sdk_visit_fn *visit, void *data)
{
    const char *old = getenv(name);
    char *rest = without(old != NULL && *old != '\0' ? old : NULL, dir);
    char *value = text_format("%s%s", dir, rest);

    visit(name, value, data);
    free(value);
    free(rest);
}

void sdk_environment(sdk_visit_fn *visit, void *data)
{
    const struct sdk *sdk = sdk_get();

    visit("ASCEND_HOME_PATH", sdk->home, data);
    visit("ASCEND_TOOLKIT_HOME", sdk->home, data);
    visit_with_first("PATH", sdk->bin, visit, data);
    visit_with_first("LD_LIBRARY_PATH", sdk->library_dir, visit, data);
    visit_with_first("PYTHONPATH", sdk->python_dir, visit, data);
    visit_with_first("PKG_CONFIG_PATH", sdk->pkgconfig_dir, visit, data);
}

static void apply(const char *name, const char *value, void *data)
{
    (void)data;
    if (setenv(name, value, 1) != 0)
        err(STATUS_FAILED, "%s", name);
}

void sdk_environment_apply(void)
{
    sdk_environment(apply, NULL);
}
