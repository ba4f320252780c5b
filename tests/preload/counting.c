/* SPDX-License-Identifier: Apache-2.0 */
/* A library that tools put in front with LD_PRELOAD: counts some of the calls and passes them on. At the end of the
 * process it writes "name count" lines into the file that COUNTS names. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <acl/acl.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED(X) \
    X(aclrtMemcpy2dAsync, \
      (void *a, size_t b, const void *c, size_t d, size_t e, size_t f, aclrtMemcpyKind g, aclrtStream h), \
      (a, b, c, d, e, f, g, h)) \
    X(aclrtMemcpyAsync, (void *a, size_t b, const void *c, size_t d, aclrtMemcpyKind e, aclrtStream f), \
      (a, b, c, d, e, f)) \
    X(aclrtMalloc, (void **a, size_t b, aclrtMemMallocPolicy c), (a, b, c)) \
    X(aclrtFree, (void *a), (a)) \
    X(aclrtSynchronizeStream, (aclrtStream a), (a)) \
    X(aclrtSetDevice, (int32_t a), (a)) \
    X(rtMemcpyAsyncWithoutCheckKind, (void *a, uint64_t b, const void *c, uint64_t d, int32_t e, aclrtStream f), \
      (a, b, c, d, e, f))

/* No public header declares it. */
aclError rtMemcpyAsyncWithoutCheckKind(void *, uint64_t, const void *, uint64_t, int32_t, aclrtStream);

#define WRAPPER(name, parameters, arguments) \
    static atomic_uint count_##name; \
    aclError name parameters \
    { \
        void *const at = dlsym(RTLD_NEXT, #name); \
        aclError(*next) parameters; \
        memcpy(&next, &at, sizeof next); \
        atomic_fetch_add(&count_##name, 1); \
        return next arguments; \
    }
COUNTED(WRAPPER)

__attribute__((destructor)) static void write_counts(void)
{
    const char *const path = getenv("COUNTS");
    FILE *const file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
#define LINE(name, parameters, arguments) fprintf(file, #name " %u\n", atomic_load(&count_##name));
    COUNTED(LINE)
    fclose(file);
}
