/* SPDX-License-Identifier: Apache-2.0 */
/* Names and source lines of code addresses, by libdw. It is loaded when the first name is asked for, so that programs
 * that are not checked do not carry it. Without it, or without debug information, names come from symbol tables. */
#ifndef PACL_CHECK_SYMBOL_H
#define PACL_CHECK_SYMBOL_H

#include <stdint.h>

struct pacl_symbol {
    char function[256]; /* "" for unknown */
    char file[512];     /* "": no debug information */
    int line;
    char object[256]; /* path of the program or shared object; "" for unknown */
    uintptr_t address;
};

enum { PACL_INLINED_MAX = 16 };

/* The functions that the address is in, innermost first: those that the compiler has put into each other, as if they had
 * been called, and the one that it made code of. Writes at most PACL_INLINED_MAX, and returns how many: at least one. One
 * thread at a time. */
unsigned pacl_symbols_of(uintptr_t address, struct pacl_symbol *symbols);

/* The path as reports show it: below the working directory it is short, for a reader and an editor to follow. */
const char *pacl_symbol_path(const char *path);

/* Looks at what is loaded now; without it, objects loaded since the last look are unknown. */
void pacl_symbols_refresh(void);

#endif
