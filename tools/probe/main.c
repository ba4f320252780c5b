/* SPDX-License-Identifier: Apache-2.0 */
/* pacl-probe: what a user's program would meet. Started by `pacl doctor`; see probe.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acl/acl.h"
#include "pacl/pacl.h"
#include "probe.h"
#include "report.h"
#include "use.h"

static bool same_file(const char *one, const char *other)
{
    struct stat a;
    struct stat b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int load(const char *expected)
{
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "aclInit");

    if (function == NULL || dladdr(function, &info) == 0 || info.dli_fname == NULL) {
        puts("cannot tell where the library was loaded from");
        return PROBE_FAILED;
    }
    puts(info.dli_fname);
    return same_file(info.dli_fname, expected) ? PROBE_OK : PROBE_FAILED;
}

bool use_succeeded(const char *topic, const char *call, aclError error)
{
    if (error == ACL_SUCCESS)
        return true;
    const char *reason = aclGetRecentErrMsg();
    report_fail(topic, "%s: error %d%s%s", call, error, reason != NULL ? ": " : "", reason != NULL ? reason : "");
    return false;
}

static void use_device(void)
{
    const struct pacl_product *product = pacl_product_current();
    aclrtStream stream;

    if (!use_succeeded("device", "aclrtSetDevice(0)", aclrtSetDevice(0)))
        return;
    if (use_succeeded("device", "aclrtCreateStream", aclrtCreateStream(&stream))) {
        report_ok("device", "aclInit, device 0, one stream");
        use_copies(product, stream);
        use_event(stream);
        use_protection();
        use_succeeded("device", "aclrtDestroyStream", aclrtDestroyStream(stream));
    }
    use_succeeded("device", "aclrtResetDevice(0)", aclrtResetDevice(0));
}

static int use(void)
{
    alarm(PROBE_TIMEOUT_S);
    if (use_succeeded("device", "aclInit", aclInit(NULL))) {
        use_device();
        use_succeeded("device", "aclFinalize", aclFinalize());
    }
    return report_has_failed() ? PROBE_FAILED : PROBE_OK;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], PROBE_LOAD) == 0)
        return load(argv[2]);
    if (argc >= 2 && strcmp(argv[1], PROBE_USE) == 0)
        return use();
    fprintf(stderr, "pacl-probe is started by 'pacl doctor'\n");
    return PROBE_USAGE;
}
