/* SPDX-License-Identifier: Apache-2.0 */
/* The language of PACL_FAULT. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/codes.h"
#include "base/error.h"
#include "core/calls.h"
#include "fault/rules.h"

static struct pacl_fault_rule rules[PACL_FAULT_RULES_MAX];
static char problem[512];

static size_t parse(const char *list)
{
    size_t count = 0;
    ck_assert_msg(pacl_fault_parse(list, rules, &count, problem, sizeof problem), "%s: %s", list, problem);
    return count;
}

static void assert_rule(const struct pacl_fault_rule *rule, enum pacl_fault_kind kind, uint64_t first, uint64_t last,
                        aclError code)
{
    ck_assert_int_eq(rule->kind, kind);
    ck_assert_uint_eq(rule->first, first);
    ck_assert_uint_eq(rule->last, last);
    ck_assert_int_eq(rule->code, code);
}

START_TEST(what_is_understood)
{
    ck_assert_uint_eq(parse("aclrtMalloc,aclrtMalloc:3,aclrtMalloc:3+:5,aclrtMalloc:*:ACL_ERROR_RT_AICORE_EXCEPTION"),
                      4);
    assert_rule(&rules[0], PACL_FAULT_CALL, 1, UINT64_MAX, 0);
    assert_rule(&rules[1], PACL_FAULT_CALL, 3, 3, 0);
    assert_rule(&rules[2], PACL_FAULT_CALL, 3, UINT64_MAX, 5);
    assert_rule(&rules[3], PACL_FAULT_CALL, 1, UINT64_MAX, 507015);
    ck_assert_ptr_eq(rules[0].function, pacl_function_find("aclrtMalloc"));
    ck_assert_str_eq(rules[2].text, "aclrtMalloc:3+:5");
    ck_assert_uint_eq(parse("aclrtMemcpyAsync:2:async,aclrtMemcpyAsync:2:async:507015"), 2);
    assert_rule(&rules[0], PACL_FAULT_TASK, 2, 2, 0);
    assert_rule(&rules[1], PACL_FAULT_TASK, 2, 2, 507015);
    ck_assert_str_eq(rules[1].mark, "aclrtMemcpyAsync");
    ck_assert_uint_eq(parse("alloc,alloc:7,alloc:2+:207000"), 3);
    assert_rule(&rules[0], PACL_FAULT_ALLOCATION, 1, UINT64_MAX, ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_rule(&rules[1], PACL_FAULT_ALLOCATION, 7, 7, ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_rule(&rules[2], PACL_FAULT_ALLOCATION, 2, UINT64_MAX, 207000);
    ck_assert_uint_eq(parse("random:0.25:9,random:1:18446744073709551615:100000"), 2);
    ck_assert_int_eq(rules[0].kind, PACL_FAULT_RANDOM);
    ck_assert_uint_eq(rules[0].limit, UINT64_C(1) << 62);
    ck_assert_uint_eq(rules[1].limit, UINT64_MAX);
    ck_assert_uint_eq(rules[1].seed, UINT64_MAX);
}
END_TEST

START_TEST(what_is_refused_and_why)
{
    static const struct {
        const char *list, *why;
    } wrong[] = {
        { "aclrtMaloc", "there is no function aclrtMaloc" },
        { "aclrtGetSocName", "returns no code" },
        { "aclrtMalloc:0", "\"0\" does not say which" },
        { "aclrtMalloc:x", "\"x\" does not say which" },
        { "aclrtMalloc:-1", "does not say which" },
        { "aclrtMalloc:99999999999999999999999", "does not say which" },
        { "aclrtMalloc:+", "does not say which" },
        { "aclrtMalloc:1:0", "\"0\" is no error code" },
        { "aclrtMalloc:1:ACL_ERROR_RT_NOTHING", "is no error code" },
        { "aclrtMalloc:1:ACL_SUCCESS", "is no error code" },
        { "aclrtMalloc:1:sync:507013", "\"sync\" stands where async" },
        { "aclrtMalloc:1:async:507013:2", "more than 4 fields" },
        { "aclrtMalloc:", "a field is empty" },
        { ":1", "a field is empty" },
        { "aclrtMalloc,,alloc", "a field is empty" },
        { "alloc:2:207001:4", "alloc takes two more fields" },
        { "random", "random needs" },
        { "random:0.5", "random needs" },
        { "random:2:1", "no probability" },
        { "random:-1:1", "no probability" },
        { "random:nan:1", "no probability" },
        { "random:0.5:seed", "no seed" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        size_t count;
        problem[0] = '\0';
        ck_assert_msg(!pacl_fault_parse(wrong[i].list, rules, &count, problem, sizeof problem), "%s", wrong[i].list);
        ck_assert_msg(strstr(problem, wrong[i].why) != NULL, "%s: %s", wrong[i].list, problem);
        ck_assert_ptr_nonnull(strstr(problem, "PACL_FAULT"));
    }
}
END_TEST

/* The table of codes has numbers; the headers have the last word. */
START_TEST(the_table_of_codes_agrees_with_the_headers)
{
#define COMPARE(name, number) ck_assert_msg((long long)(name) == (number), #name " is not " #number);
    PACL_CODES(COMPARE)
    aclError code = 0;
    ck_assert(pacl_error_code("ACL_ERROR_RT_SYS_DMA", &code) && code == ACL_ERROR_RT_SYS_DMA);
    ck_assert(!pacl_error_code("ACL_ERROR_RT_SYS_DM", &code));
    ck_assert_str_eq(pacl_error_name(0), "ACL_SUCCESS");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fault_rules");
    TCase *all = tcase_create("all");
    tcase_add_test(all, what_is_understood);
    tcase_add_test(all, what_is_refused_and_why);
    tcase_add_test(all, the_table_of_codes_agrees_with_the_headers);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
