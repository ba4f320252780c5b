/* SPDX-License-Identifier: Apache-2.0 */
/* testcase.h: the directions that are measured. Each is run on every shape. */
#ifndef PACL_BENCH_TESTCASE_H
#define PACL_BENCH_TESTCASE_H

#include <stdbool.h>
#include <stddef.h>

#include "acl/acl.h"

struct testcase {
    const char *name;  /* in the style of nvbandwidth */
    const char *alias; /* as ascend-dmi calls the direction */
    const char *description;
    aclrtMemcpyKind kind;
    bool bidirectional; /* a second set of streams copies the other way at the same time */
};

enum { TESTCASES = 4 };

extern const struct testcase testcases[TESTCASES];

/* By name, alias or index; null if there is none. */
const struct testcase *testcase_find(const char *word);

/* "NAME (ALIAS), ...": what testcase_find knows, for a message. The caller frees it. */
char *testcase_names(void);

#endif
