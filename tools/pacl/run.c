/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl run`: turns options into environment variables and becomes the program. */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "acl/acl.h"
#include "command.h"
#include "pacl/pacl.h"
#include "sdk.h"
#include "settings.h"
#include "text.h"

/* Also what was set before: the library would stop at some wrong values in the middle of the program, and pass over
 * others in silence. */
static void refuse_wrong_variable(const struct argp_state *state)
{
    const struct setting *wrong = settings_find_wrong();

    if (wrong == NULL)
        return;
    char *expected = setting_expected_of_variable(wrong);
    argp_error(state, "%s '%s' is not valid; it takes %s", wrong->variable, getenv(wrong->variable), expected);
    free(expected);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    char ***program = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_ARG:
        *program = &state->argv[state->next - 1];
        state->next = state->argc; /* the program's own arguments are not ours to read */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no program given");
        return 0;
    case ARGP_KEY_END:
        refuse_wrong_variable(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The list ascends, so its last number is the largest. */
static void check_visible_devices(const struct pacl_product *product)
{
    const char *list = getenv("ASCEND_RT_VISIBLE_DEVICES");
    uint64_t last;

    if (list == NULL || *list == '\0')
        return;
    const char *comma = strrchr(list, ',');
    if (text_to_number(comma != NULL ? comma + 1 : list, &last) && last >= product->devices)
        errx(STATUS_USAGE, "--visible-devices (ASCEND_RT_VISIBLE_DEVICES) '%s' is not valid; %s has devices 0 to %u",
             list, product->name, product->devices - 1);
}

/* Takes the variable away; the caller frees what is returned. */
static char *withhold(const char *variable)
{
    const char *value = getenv(variable);
    char *kept = value != NULL ? text_format("%s", value) : NULL;

    unsetenv(variable);
    return kept;
}

static void give_back(const char *variable, char *kept)
{
    if (kept != NULL && setenv(variable, kept, 1) != 0)
        err(STATUS_FAILED, "%s", variable);
    free(kept);
}

/* What only the library can judge: whether the product has these devices, the machine can isolate their memory, and the
 * functions exist that are to fail.
 * What makes the library talk is withheld, so that its lines come from the program alone. */
static void check_with_library(void)
{
    char *debug = withhold("PACL_DEBUG"), *checks = withhold("PACL_CHECK"), *trace = withhold("PACL_TRACE_FILE");
    const struct pacl_product *product = pacl_product_current();

    if (product == NULL) {
        const char *message = aclGetRecentErrMsg(), *text = message != NULL ? strstr(message, "): ") : NULL;
        /* Without the call and its code, which are not the user's. */
        errx(STATUS_USAGE, "%s", text != NULL ? text + strlen("): ") : message != NULL ? message : "no message");
    }
    give_back("PACL_DEBUG", debug);
    give_back("PACL_CHECK", checks);
    give_back("PACL_TRACE_FILE", trace);
    check_visible_devices(product);
}

/* Of a name with %p only the folder is known. */
static bool folder_takes_files(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? text_format("%.*s", (int)(slash - path) + 1, path) : text_format(".");
    bool takes = strstr(folder, "%p") != NULL || access(folder, W_OK | X_OK) == 0;

    free(folder);
    return takes;
}

static bool is_emptied(const char *path)
{
    FILE *file = fopen(path, "w");

    return file != NULL && fclose(file) == 0;
}

/* A run begins with empty files: the library appends findings, so that the processes of one run share a file, and what an
 * earlier run has left says nothing of a program that is killed. And a file that cannot be written is found out before
 * the program runs. */
static void empty_file(const char *variable, const char *option)
{
    const char *path = getenv(variable);

    if (path == NULL || *path == '\0')
        return;
    if (!(strstr(path, "%p") != NULL ? folder_takes_files(path) : is_emptied(path)))
        err(STATUS_USAGE, "--%s (%s) '%s'", option, variable, path);
}

/* One seed for all processes of the run, told once: with it the run can be repeated. */
static void give_seed(void)
{
    const char *schedule = getenv("PACL_SCHEDULE");

    if (schedule == NULL || strncmp(schedule, "random", strlen("random")) != 0)
        return;
    if (strcmp(schedule, "random") == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        char *chosen =
            text_format("random:%u", (unsigned)now.tv_nsec ^ (unsigned)now.tv_sec ^ (unsigned)getpid() << 16);
        if (setenv("PACL_SCHEDULE", chosen, 1) != 0)
            err(STATUS_FAILED, "PACL_SCHEDULE");
        free(chosen);
    }
    fprintf(stderr, "pacl: schedule %s\n", getenv("PACL_SCHEDULE"));
}

int command_run(int argc, char **argv)
{
    const struct argp_child children[] = { { .argp = settings_argp(settings_count) }, { 0 } };
    const struct argp argp = {
        .children = children,
        .parser = parse,
        .args_doc = "[--] PROGRAM [ARGUMENT...]",
        .doc =
            "Runs PROGRAM on PACL. Each option sets the environment variable that its text names."
            "\v'pacl info --products' lists the products. The process becomes PROGRAM: process number, signals and "
            "exit status are the program's own; with --check "
            "the exit status is 86 if there were errors. Exit status before that: 2 wrong option or variable, 126 PROGRAM "
            "cannot be executed, 127 PROGRAM not found."
    };
    char **program = NULL;

    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &program);
    check_with_library();
    empty_file("PACL_CHECK_REPORT", "report");
    empty_file("PACL_CHECK_JUNIT", "junit");
    empty_file("PACL_TRACE_FILE", "trace");
    sdk_environment_apply();
    give_seed();
    execvp(program[0], program);
    int status = errno == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
    warn("%s", program[0]);
    return status;
}
