/* SPDX-License-Identifier: Apache-2.0 */
/* The table that generate.py writes, and what a row of it means. */
#ifndef PACL_TESTS_EXTREMES_CALLS_H
#define PACL_TESTS_EXTREMES_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* STRUCT: passed by value, every byte of it the lowest byte of the chosen integer. */
enum kind { STREAM, EVENT, CONTEXT, HANDLE, CALLBACK, TEXT, POINTER, I8, U8, U16, I32, U32, I64, U64, FLOAT, STRUCT };

union value {
    void *pointer;
    int64_t integer;
    float number;
    void (*callback)(void);
};

struct parameter {
    const char *name;
    enum kind kind;
    bool is_amount; /* an integer that says how much is at an address */
    bool is_answer; /* an address where the call may write numbers or handles */
};

enum result { CODE, ADDRESS, NUMBER, NOTHING };

struct call {
    const char *name, *header;
    enum result result;
    unsigned count;
    const struct parameter *parameters;
    const int *codes;  /* that the function's comment names; ends with 0 */
    bool null_is_told; /* the comment says something of null */
    int64_t (*make)(const union value *);
};

extern const struct call calls[];
extern const size_t call_count;

#endif
