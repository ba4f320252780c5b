/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *text_format(const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        fputs("pacl: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return text;
}

bool text_first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return false;
    bool read = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (read)
        line[strcspn(line, "\n")] = '\0';
    return read;
}

bool text_leading_number(const char *text, uint64_t *number, char **rest)
{
    if (!isdigit((unsigned char)text[0])) /* strtoull would take spaces and signs */
        return false;
    errno = 0;
    *number = strtoull(text, rest, 10);
    return errno == 0;
}

bool text_to_number(const char *text, uint64_t *number)
{
    char *rest;

    return text_leading_number(text, number, &rest) && *rest == '\0';
}

bool text_to_size(const char *text, uint64_t *bytes)
{
    static const char suffixes[] = "KMGT";
    uint64_t number;
    char *rest;

    if (!text_leading_number(text, &number, &rest))
        return false;
    unsigned shift = 0;
    if (*rest != '\0') {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*rest));
        if (suffix == NULL || rest[1] != '\0')
            return false;
        shift = 10 * (unsigned)(suffix - suffixes + 1);
    }
    if (number > UINT64_MAX >> shift)
        return false;
    *bytes = number << shift;
    return true;
}

const char *text_from_size(uint64_t bytes, char text[SIZE_TEXT_MAX])
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double amount = (double)bytes;
    size_t unit = 0;

    while (amount >= 1024) {
        amount /= 1024;
        unit++;
    }
    snprintf(text, SIZE_TEXT_MAX, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
    return text;
}
