/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h: what a user can choose about the runtime. One row per setting: option of the command and variable. */
#ifndef PACL_TOOLS_SETTINGS_H
#define PACL_TOOLS_SETTINGS_H

#include <argp.h>
#include <stddef.h>
#include <stdint.h>

struct setting {
    const char *option;   /* without dashes */
    const char *variable; /* environment variable that the library reads */
    const char *argument; /* as --help names it; NULL: the option takes none */
    const char *help;
    const char *expected; /* what the option takes, for messages; NULL: the names of the products */
    const char *stored;   /* what the variable takes; NULL: the same as the option */
    uint64_t lowest;      /* limits of a number */
    uint64_t highest;
    /* The variable's value for the option's argument; NULL if that is not valid. Constant, or `text` itself. */
    const char *(*value)(const struct setting *setting, const char *text);
};

extern const struct setting settings[];
extern const size_t settings_count;

/* The part of a command's options that sets variables, for use as an argp child: the first `count` settings. Kept for
 * the life of the process. */
enum { SETTINGS_OF_MACHINE = 2 }; /* --product and --devices, which all commands take that use the library */
const struct argp *settings_argp(size_t count);

/* The first setting whose variable is set to what it does not take; NULL if there is none. An empty variable counts as
 * not set. */
const struct setting *settings_find_wrong(void);

/* What the variable of a setting takes. The caller frees it. */
char *setting_expected_of_variable(const struct setting *setting);

#endif
