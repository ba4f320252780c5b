/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The `pacl` command: finds the subcommand and hands over.
 *
 * All parsing is glibc's argp: it ships with the C library, and gives --help, --usage, --version and the wording of
 * errors in the same form to every subcommand. Library and headers are for Linux and glibc in any case.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "pacl/pacl.h"

struct command {
    const char *name;
    const char *title; /* argv[0] of the subcommand, which argp puts in front of its messages */
    int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    { .name = "run", .title = "pacl run", .run = command_run },
    { .name = "info", .title = "pacl info", .run = command_info },
    { .name = "env", .title = "pacl env", .run = command_env },
    { .name = "doctor", .title = "pacl doctor", .run = command_doctor },
    { .name = "bench", .title = "pacl bench", .run = command_bench },
    { .name = "explain", .title = "pacl explain", .run = command_explain },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* OPTION_DOC rows are listed by --help like options, without dashes, and never parsed. */
static const struct argp_option options[] = {
    { .doc = "Commands:", .group = 1 },
    { .name = "run", .flags = OPTION_DOC, .doc = "Run a program on PACL" },
    { .name = "info", .flags = OPTION_DOC, .doc = "Show version, product, devices, engines and limits" },
    { .name = "env", .flags = OPTION_DOC, .doc = "Print the environment that programs need to find PACL" },
    { .name = "doctor", .flags = OPTION_DOC, .doc = "Try PACL on this machine and say what is wrong" },
    { .name = "bench", .flags = OPTION_DOC, .doc = "Measure pitched copies" },
    { .name = "explain", .flags = OPTION_DOC, .doc = "Say how a pitched copy of one shape is made, and why" },
    { .doc = "Options:", .group = -1 },
    { 0 }
};

struct choice {
    const struct command *command;
    int argc;
    char **argv;
};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void refuse_unknown(const struct argp_state *state, const char *name)
{
    char names[128] = "";

    for (size_t i = 0; i < COMMANDS; i++) {
        strncat(names, i == 0 ? "" : ", ", sizeof(names) - strlen(names) - 1);
        strncat(names, commands[i].name, sizeof(names) - strlen(names) - 1);
    }
    argp_error(state, "unknown command '%s'; the commands are: %s", name, names);
}

/* `pacl help` is `pacl --help`, `pacl help COMMAND` is `pacl COMMAND --help`. */
static void help(struct argp_state *state, struct choice *choice)
{
    static char option[] = "--help";
    static char *arguments[] = { NULL, option, NULL };

    if (state->next == state->argc)
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    const char *name = state->argv[state->next];
    choice->command = find_command(name);
    if (choice->command == NULL)
        refuse_unknown(state, name);
    choice->argv = arguments;
    choice->argc = 2;
    state->next = state->argc;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct choice *choice = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        if (strcmp(arg, "help") == 0) {
            help(state, choice);
            return 0;
        }
        choice->command = find_command(arg);
        if (choice->command == NULL)
            refuse_unknown(state, arg);
        choice->argv = &state->argv[state->next - 1];
        choice->argc = state->argc - (state->next - 1);
        state->next = state->argc; /* the rest belongs to the subcommand */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no command given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    fprintf(out, "pacl %s\n", pacl_version());
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc =
            "PACL runs programs written for the Ascend ACL runtime on ordinary processors."
            "\v'pacl COMMAND --help' or 'pacl help COMMAND' describes a command. Exit status: 0 done, 1 failed, 2 wrong "
            "usage; 'pacl run' ends with the status of the program that it runs."
    };
    struct choice choice = { 0 };

    argp_err_exit_status = STATUS_USAGE;
    argp_program_version_hook = print_version;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
    choice.argv[0] = (char *)choice.command->title;
    program_invocation_short_name = choice.argv[0]; /* for err() and warn(), as argp's messages begin */
    return choice.command->run(choice.argc, choice.argv);
}
