/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every function of the headers that returns a code can be made to fail, before it looks at its arguments. One that
 * cannot has PACL_ENTER() as its first line, which wants to be PACL_ENTER_OR_RETURN().
 */
#include <acl/acl_base.h>
#include <check.h>
#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 507899, FEWEST = 400 };

/* Passes zeros for whatever the function takes, in registers and beyond. */
typedef aclError any_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t);

/* The name of a function that returns a code, if the line declares one. */
static bool declared_in(const char *line, char *name, size_t size)
{
    const char *at = strstr(line, "ACL_FUNC_VISIBILITY aclError ");
    if (at == NULL)
        return false;
    at += strlen("ACL_FUNC_VISIBILITY aclError ");
    const size_t length = strcspn(at, "( ");
    ck_assert_uint_lt(length, size);
    memcpy(name, at, length);
    name[length] = '\0';
    return true;
}

static void *library; /* the test itself names no function of it, so it is not linked to it either */

static bool fails_as_told(const char *name)
{
    void *symbol = dlsym(library, name);
    any_function *function;
    memcpy(&function, &symbol, sizeof function);
    ck_assert_msg(symbol != NULL, "%s is declared and not exported", name);
    const aclError code = function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (code != CODE)
        printf("%s returned %d: its first line must be PACL_ENTER_OR_RETURN()\n", name, (int)code);
    return code == CODE;
}

static void try_header(const char *path, unsigned *tried, unsigned *wrong)
{
    char line[1024], name[128];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (!declared_in(line, name, sizeof name))
            continue;
        ++*tried;
        *wrong += !fails_as_told(name);
    }
    fclose(file);
}

START_TEST(every_function_that_returns_a_code_can_fail)
{
    glob_t headers;
    unsigned tried = 0, wrong = 0;
    setenv("PACL_FAULT", "random:1:0:507899,aclrtGetLastError:*:507899,aclrtPeekAtLastError:*:507899", 1);
    library = dlopen(LIBRARY, RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
    ck_assert_int_eq(glob(HEADERS "/*.h", 0, NULL, &headers), 0);
    for (size_t i = 0; i < headers.gl_pathc; i++)
        try_header(headers.gl_pathv[i], &tried, &wrong);
    globfree(&headers);
    printf("%u functions\n", tried);
    ck_assert_uint_ge(tried, FEWEST);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fault_every_function");
    TCase *all = tcase_create("all");
    tcase_add_test(all, every_function_that_returns_a_code_can_fail);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
