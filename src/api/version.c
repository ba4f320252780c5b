/* SPDX-License-Identifier: Apache-2.0 */
/* Versions: of the interface, and of installed packages by their version.info files. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"

enum { API_MAJOR = 1, API_MINOR = 17, API_PATCH = 0, MAJOR_MOST = 213 /* a larger one makes no int32_t */ };

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
    PACL_ENTER_OR_RETURN();
    if (majorVersion == NULL || minorVersion == NULL || patchVersion == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "an output is null: major %p, minor %p, patch %p",
                         (void *)majorVersion, (void *)minorVersion, (void *)patchVersion);
    *majorVersion = API_MAJOR;
    *minorVersion = API_MINOR;
    *patchVersion = API_PATCH;
    return ACL_SUCCESS;
}

/* The value of `key` in a file of key=value lines; false if there is no such line. */
static bool find_value(FILE *file, const char *key, char *value, size_t size)
{
    char line[512];
    const size_t length = strlen(key);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncasecmp(line, key, length) != 0 || line[length] != '=')
            continue;
        const char *start = line + length + 1;
        snprintf(value, size, "%.*s", (int)strcspn(start, "\r\n"), start);
        return value[0] != '\0';
    }
    return false;
}

/* The driver says where it lives in a file of its own; every other package lies under the SDK. */
static bool info_path(const char *package, char *path, size_t size)
{
    const char *home = getenv("ASCEND_HOME_PATH");
    char driver[384];
    if (strcmp(package, "driver") == 0) {
        FILE *install = fopen("/etc/ascend_install.info", "re");
        const bool found = install != NULL && find_value(install, "Driver_Install_Path_Param", driver, sizeof driver);
        if (install != NULL)
            fclose(install);
        snprintf(path, size, "%s/driver/version.info", found ? driver : "");
        return found;
    }
    if (home == NULL || home[0] == '\0')
        return false;
    snprintf(path, size, "%s/share/info/%s/version.info", home, package);
    return true;
}

static bool is_plain_name(const char *package)
{
    for (const char *c = package; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("_-.", *c) == NULL)
            return false;
    }
    return package[0] != '\0' && package[0] != '.' && strlen(package) < ACL_PKG_VERSION_MAX_SIZE;
}

static aclError read_version(const char *package, char version[ACL_PKG_VERSION_MAX_SIZE])
{
    char path[1024];
    if (!is_plain_name(package) || !info_path(package, path, sizeof path))
        return PACL_FAIL(
            ACL_ERROR_INVALID_FILE,
            "pkgName \"%.80s\" has no version.info: ASCEND_HOME_PATH is not set, or there is no such package", package);
    FILE *file = fopen(path, "re");
    const bool found = file != NULL && find_value(file, "Version", version, ACL_PKG_VERSION_MAX_SIZE);
    if (file != NULL)
        fclose(file);
    return found ? ACL_SUCCESS : PACL_FAIL(ACL_ERROR_INVALID_FILE, "%s cannot be read, or has no line Version=", path);
}

aclError aclsysGetVersionStr(char *pkgName, char *versionStr)
{
    PACL_ENTER_OR_RETURN();
    char version[ACL_PKG_VERSION_MAX_SIZE];
    if (pkgName == NULL || versionStr == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", pkgName == NULL ? "pkgName" : "versionStr");
    const aclError err = read_version(pkgName, version);
    if (err == ACL_SUCCESS)
        memcpy(versionStr, version, strlen(version) + 1);
    return err;
}

/* What a pre-release is worth: it comes before the release of the same number [C]. */
static bool suffix_value(const char *suffix, int32_t *value)
{
    static const struct {
        const char *name;
        int32_t before;
    } stages[] = { { "alpha", 300 }, { "beta", 200 }, { "rc", 100 } };
    suffix += strspn(suffix, ".-");
    if (*suffix == '\0') {
        *value = 0;
        return true;
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        const size_t length = strlen(stages[i].name);
        if (strncasecmp(suffix, stages[i].name, length) != 0)
            continue;
        suffix += length;
        suffix += strspn(suffix, ".-");
        const unsigned long number = strtoul(suffix, NULL, 10); /* none: 0 */
        *value = (int32_t)(number % 1000) - stages[i].before;
        return number < 1000;
    }
    return false;
}

aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum)
{
    PACL_ENTER_OR_RETURN();
    char version[ACL_PKG_VERSION_MAX_SIZE];
    unsigned major = 0, minor = 0, patch = 0;
    int used = 0;
    int32_t stage = 0;
    if (pkgName == NULL || versionNum == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", pkgName == NULL ? "pkgName" : "versionNum");
    const aclError err = read_version(pkgName, version);
    if (err != ACL_SUCCESS)
        return err;
    if (sscanf(version, "%3u.%2u%n", &major, &minor, &used) < 2 || major > MAJOR_MOST)
        return PACL_FAIL(ACL_ERROR_INVALID_FILE, "version \"%s\" of %s is not major.minor, major at most %d", version,
                         pkgName, MAJOR_MOST);
    int more = 0;
    if (sscanf(version + used, ".%2u%n", &patch, &more) == 1)
        used += more;
    if (!suffix_value(version + used, &stage))
        return PACL_FAIL(ACL_ERROR_INVALID_FILE,
                         "version \"%s\" of %s ends in an unknown stage, or one of more than 999", version, pkgName);
    *versionNum = (int32_t)(major * 10000000U + minor * 100000U + patch * 1000U) + stage;
    return ACL_SUCCESS;
}

/* Up to four parts of a version between dots, e.g. 8, 0, RC1, alpha001. */
static void split_version(aclCANNPackageVersion *version)
{
    char *const parts[] = { version->majorVersion, version->minorVersion, version->releaseVersion,
                            version->patchVersion };
    const char *at = version->version;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t length = i + 1 < sizeof parts / sizeof parts[0] ? strcspn(at, ".") : strlen(at);
        snprintf(parts[i], ACL_PKG_VERSION_PARTS_MAX_SIZE, "%.*s", (int)length, at);
        at += length;
        at += *at == '.';
    }
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{
    PACL_ENTER_OR_RETURN();
    static const char *const packages[] = { "cann",    "runtime", "compiler",   "hccl",
                                            "toolkit", "opp",     "opp_kernel", "driver" };
    char text[ACL_PKG_VERSION_MAX_SIZE];
    aclError err = PACL_REFUSE_NULL(version);
    if (err != ACL_SUCCESS)
        return err;
    if ((unsigned)name >= sizeof packages / sizeof packages[0])
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "name %d; it takes 0 to 7", (int)name);
    err = read_version(packages[name], text);
    if (err != ACL_SUCCESS)
        return err;
    memset(version, 0, sizeof *version);
    memcpy(version->version, text, strlen(text) + 1);
    split_version(version);
    return ACL_SUCCESS;
}
