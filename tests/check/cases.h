/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small programs with one mistake each, and their correct neighbours: one byte, one event, one call away. Each is a
 * function of a file *_cases.c and runs in a process of its own, under checking; run_cases.py compares what is reported
 * with what the case says.
 */
#ifndef PACL_TESTS_CHECK_CASES_H
#define PACL_TESTS_CHECK_CASES_H

#include <acl/acl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct check_case {
    const char *kind; /* its class, as reports name it */
    const char *name;
    bool wrong;
    void (*run)(void);
    struct check_case *next;
};

void add_case(struct check_case *one);

/* WRONG(class, name) { ... }: at least one finding of the class, none of another. CORRECT: none at all. The class has
 * underscores for its hyphens. */
#define CHECK_CASE(kind, case_name, is_wrong) \
    static void case_name##_run(void); \
    __attribute__((constructor)) static void case_name##_add(void) \
    { \
        static struct check_case one = { #kind, #case_name, is_wrong, case_name##_run, NULL }; \
        add_case(&one); \
    } \
    static void case_name##_run(void)
#define WRONG(kind, case_name) CHECK_CASE(kind, case_name, true)
#define CORRECT(kind, case_name) CHECK_CASE(kind, case_name, false)

/* Ends the case with a message unless the call has this code: what a case needs to be what it says. */
#define NEED_CODE(code, call) need_code(code, call, #call)
#define NEED(call) need_code(ACL_SUCCESS, call, #call)
void need_code(int code, int got, const char *call);

enum { BLOCK = 64 * 1024 };

/* There before a case runs, and taken down behind it. Both blocks are written. */
extern aclrtStream s, t;
extern aclrtEvent e;
extern uint8_t *dev, *pin; /* BLOCK bytes of device and of pinned memory */

/* Lets the stream wait for open_gate(): what is queued behind it is certain not to have run. At the end of a case all
 * gates are open. */
void close_gate(aclrtStream stream);
void open_gate(void);

/* Opens the gate from another thread, once the calling thread sleeps in a later call. */
void open_gate_when_asleep(void);

#endif
