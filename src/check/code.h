/* SPDX-License-Identifier: Apache-2.0 */
/* What the program's machine code does with a result, by the disassembler capstone, which is loaded when it is needed
 * first. */
#ifndef PACL_CHECK_CODE_H
#define PACL_CHECK_CODE_H

#include <stdbool.h>

struct pacl_site;

/* True if the code at the site, and where functions return without touching it, the code around, overwrites the result
 * of the call on every path before it reads it. False in doubt, without capstone, and on other processors than x86-64.
 * One thread at a time. */
bool pacl_code_drops_result(const struct pacl_site *site);

#endif
