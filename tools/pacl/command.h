/* SPDX-License-Identifier: Apache-2.0 */
/* command.h: the subcommands of `pacl`. Each gets its own argv, with "pacl NAME" first, and returns the exit status. */
#ifndef PACL_TOOLS_COMMAND_H
#define PACL_TOOLS_COMMAND_H

enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1,           /* the command was understood and could not be done, or found a fault */
    STATUS_USAGE = 2,            /* wrong options or arguments, as in a shell; argp's own default would be 64 */
    STATUS_NOT_EXECUTABLE = 126, /* `run`: the program was found and cannot be executed, as in a shell */
    STATUS_NOT_FOUND = 127       /* `run`: no such program, as in a shell */
};

int command_run(int argc, char **argv);
int command_info(int argc, char **argv);
int command_env(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_explain(int argc, char **argv);

#endif
