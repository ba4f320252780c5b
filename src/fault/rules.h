/* SPDX-License-Identifier: Apache-2.0 */
/* What is to fail, as PACL_FAULT says it: rules separated by commas (docs/faults.md has the language). */
#ifndef PACL_FAULT_RULES_H
#define PACL_FAULT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "base/atomic.h"

struct pacl_function;

enum pacl_fault_kind {
    PACL_FAULT_CALL,       /* the call returns the code and does nothing */
    PACL_FAULT_TASK,       /* the call queues a task that fails when its turn comes */
    PACL_FAULT_ALLOCATION, /* device or pinned memory */
    PACL_FAULT_RANDOM,     /* any call */
};

enum { PACL_FAULT_RULES_MAX = 256, PACL_FAULT_TEXT_MAX = 128 };

struct pacl_fault_rule {
    enum pacl_fault_kind kind;
    struct pacl_function *function; /* of CALL and TASK */
    uint64_t first, last;           /* which calls, tasks or allocations fail, counted from 1 */
    aclError code;                  /* ACL_SUCCESS: the function's usual one */
    uint64_t limit;                 /* RANDOM: a call fails whose random number is below it */
    uint64_t seed;                  /* RANDOM */
    _Atomic uint64_t seen;          /* calls, tasks or allocations so far */
    _Atomic bool fired;             /* something has failed by it */
    char text[PACL_FAULT_TEXT_MAX]; /* as it was given */
    /* TASK: the function's name at an address of its own. A call that queues a failing task carries it in place of its
     * literal, from the call to the engine, so the way of a task needs neither a member nor a branch for faults. */
    char mark[64];
};

/* Fills at most PACL_FAULT_RULES_MAX rules. False if the list is wrong; `problem` then says where and what is right. */
bool pacl_fault_parse(const char *list, struct pacl_fault_rule *rules, size_t *count, char *problem, size_t size);

#endif
