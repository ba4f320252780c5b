/* SPDX-License-Identifier: Apache-2.0 */
/* text.h: strings and sizes, as the command reads and prints them. */
#ifndef PACL_TOOLS_TEXT_H
#define PACL_TOOLS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As asprintf; ends the process when memory is short. The caller frees the result. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/* Reads the first line of a file, without its newline, cut to `size`. False if there is none. */
bool text_first_line(const char *path, char *line, size_t size);

/* Reads the decimal number that `text` starts with: digits, no sign, no space. `*rest` is what follows it. */
bool text_leading_number(const char *text, uint64_t *number, char **rest);

/* Reads a whole decimal number: digits only, no sign, no space. */
bool text_to_number(const char *text, uint64_t *number);

/* Reads a number of bytes with an optional suffix K, M, G or T (powers of 1024), for example "512M". */
bool text_to_size(const char *text, uint64_t *bytes);

/* Writes bytes in the largest fitting unit, for example "64.0 GiB", and returns `text`. */
enum { SIZE_TEXT_MAX = 24 };
const char *text_from_size(uint64_t bytes, char text[SIZE_TEXT_MAX]);

#endif
