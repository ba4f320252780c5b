/* SPDX-License-Identifier: Apache-2.0 */
/* libascendcl.so, libacl_rt.so and libruntime.so are one file: a process that loads several has one runtime. */
#define _GNU_SOURCE /* dladdr */
#include "support.h"

#include <dlfcn.h>
#include <stdio.h>

static const char *const names[] = { "libascendcl.so", "libacl_rt.so", "libruntime.so" };

/* Loads the library of this name that lies beside the one that the test is linked with. */
static void *load(const char *name)
{
    Dl_info info;
    char path[4096];
    ck_assert_int_ne(dladdr((void *)(uintptr_t)aclrtMemcpy2dAsync, &info), 0);
    const char *const slash = strrchr(info.dli_fname, '/');
    ck_assert_ptr_nonnull(slash);
    snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, name);
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    return library;
}

/* ISO C has no conversion from an object pointer to a function pointer; POSIX defines it. */
static void *symbol(void *library, const char *name)
{
    void *const at = dlsym(library, name);
    ck_assert_msg(at != NULL, "%s", dlerror());
    return at;
}

START_TEST(every_name_gives_the_same_functions)
{
    static const char *const functions[] = { "aclrtMemcpy2dAsync", "aclInit", "aclrtSetDevice", "pacl_version" };
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        void *const first = symbol(load(names[0]), functions[i]);
        for (size_t n = 1; n < COUNT_OF(names); n++)
            ck_assert_msg(symbol(load(names[n]), functions[i]) == first, "%s of %s", functions[i], names[n]);
    }
}
END_TEST

START_TEST(every_name_sees_the_same_runtime)
{
    int32_t id = -1;
    aclError (*set_device)(int32_t);
    aclError (*get_device)(int32_t *);
    void *const setter = symbol(load("libruntime.so"), "aclrtSetDevice");
    void *const getter = symbol(load("libacl_rt.so"), "aclrtGetDevice");
    memcpy(&set_device, &setter, sizeof(set_device));
    memcpy(&get_device, &getter, sizeof(get_device));
    use_default_product();
    ASSERT_OK(set_device(2));
    ASSERT_OK(get_device(&id));
    ck_assert_int_eq(id, 2);
    id = -1;
    ASSERT_OK(aclrtGetDevice(&id));
    ck_assert_int_eq(id, 2);
}
END_TEST

/* A plug-in that is unloaded does not take the runtime along. */
START_TEST(closing_one_name_leaves_the_runtime)
{
    fixture_open();
    void *const library = load("libacl_rt.so");
    ck_assert_int_eq(dlclose(library), 0);
    const struct call2d call = good_call2d();
    fill_sources();
    ASSERT_OK(submit2d(&call));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_device_rows(&call);
    fixture_close();
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("link names", NULL, NULL);
    tcase_add_test(tc, every_name_gives_the_same_functions);
    tcase_add_test(tc, every_name_sees_the_same_runtime);
    tcase_add_test(tc, closing_one_name_leaves_the_runtime);
    return run_cases("link_names", tc, (TCase *)NULL);
}
