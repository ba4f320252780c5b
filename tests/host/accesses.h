/* SPDX-License-Identifier: Apache-2.0 */
/* What the cases of host accesses share. Each case is a process; check_accesses.py says what must be found in which. */
#ifndef PACL_TESTS_HOST_ACCESSES_H
#define PACL_TESTS_HOST_ACCESSES_H

#include <acl/acl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the process with 3. */
#define MUST(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "accesses: line %d of %s: %s\n", __LINE__, __FILE__, #condition); \
            exit(3); \
        } \
    } while (0)

#define OK(call) MUST((call) == ACL_SUCCESS)

enum {
    BYTES = 65536, /* of each block */
    AT = 128,      /* where the rectangle in flight starts in its block */
    PITCH = 256,
    WIDTH = 64,
    ROWS = 100,
    END = AT + (ROWS - 1) * PITCH + WIDTH, /* the first byte behind it */
    OLD = 1,                               /* what host memory holds at first */
    NEW = 2,                               /* what device memory holds */
};

extern unsigned char *device, *host, *other_host;
extern aclrtStream stream, other_stream;
extern aclrtEvent event;
extern volatile unsigned sink; /* what cases read goes here */

/* Keeps the stream where it is until open_gate(): a copy behind it is in flight for certain, its bytes not yet there. */
void close_gate(aclrtStream on);
void open_gate(void);

/* 100 rows of 64 bytes, pitch 256, at host + AT; the stream's gate is closed before. */
void download_rows(void);
void upload_rows(void);

/* Opens the gate and waits for all streams. */
void finish(void);

/* True if every row of the rectangle, and no byte beside, has the value. */
bool rows_are(int value, int others);

struct access_case {
    const char *name;
    void (*run)(void);
};
extern const struct access_case memory_cases[], kernel_cases[], device_cases[]; /* end with a name of NULL */

#define CASE(name) \
    { \
#name, name \
    }

#endif
