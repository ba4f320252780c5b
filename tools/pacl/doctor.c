/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl doctor`: starts pacl-probe as a user's program would be started, and looks at the machine. */
#include <argp.h>
#include <err.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl/acl.h"
#include "command.h"
#include "machine.h"
#include "probe.h"
#include "program.h"
#include "report.h"
#include "sdk.h"
#include "settings.h"

static bool probe_failed; /* pacl-probe has printed FAIL lines of its own, or could not */

/* The files to look at instead of the library and the machine. */
struct programs {
    char **paths;
    int count;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct programs *programs = state->input;

    (void)arg;
    if (key != ARGP_KEY_ARGS)
        return ARGP_ERR_UNKNOWN;
    programs->paths = &state->argv[state->next];
    programs->count = state->argc - state->next;
    return 0;
}

static FILE *open_output(void)
{
    FILE *file = tmpfile();

    if (file == NULL)
        err(STATUS_FAILED, "temporary file");
    return file;
}

/* Runs the probe in the present environment. Its standard error, and with PROBE_LOAD all it prints, goes into `output`,
 * its report lines to standard output. Returns its wait status. */
static int run_probe(const char *mode, FILE *output)
{
    const char *const argv[] = { sdk_get()->probe, mode, sdk_get()->library, NULL };
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    int error = posix_spawn_file_actions_init(&actions);

    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(output), STDERR_FILENO);
    if (error == 0 && strcmp(mode, PROBE_LOAD) == 0)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn(&child, argv[0], &actions, NULL, (char *const *)argv, environ);
    if (error != 0)
        errx(STATUS_FAILED, "%s: %s", argv[0], strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    if (waitpid(child, &status, 0) != child)
        err(STATUS_FAILED, "waitpid");
    return status;
}

/* Shows what the probe wrote, line by line below the report's line. */
static void show_output(FILE *output)
{
    char line[1024];

    rewind(output);
    while (fgets(line, sizeof(line), output) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        report_advice("%s", line);
    }
}

static bool exited_with(int status, int code)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/* `complain` is report_note or report_fail. */
static void report_end(const char *topic, int status, report_fn *complain)
{
    if (exited_with(status, PROBE_NOT_LOADED))
        complain(topic, "a program cannot load the library");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        complain(topic, "the program had not finished after %d s", PROBE_TIMEOUT_S);
    else if (WIFSIGNALED(status))
        complain(topic, "the program was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        complain(topic, "the program ended with status %d", WEXITSTATUS(status));
}

/* Returns false after complaining. */
static bool probe_load(const char *topic, report_fn *complain)
{
    FILE *output = open_output();
    int status = run_probe(PROBE_LOAD, output);

    bool loaded = exited_with(status, PROBE_OK);
    if (loaded)
        report_ok(topic, "a program loads %s", sdk_get()->library);
    else if (exited_with(status, PROBE_FAILED))
        complain(topic, "a program loads another library than %s:", sdk_get()->library);
    else
        report_end(topic, status, complain);
    if (!loaded)
        show_output(output);
    fclose(output);
    return loaded;
}

static void probe_use(void)
{
    FILE *output = open_output();
    int status = run_probe(PROBE_USE, output);

    probe_failed = !exited_with(status, PROBE_OK);
    if (probe_failed && !exited_with(status, PROBE_FAILED)) { /* it did not live to say why */
        report_end("use", status, report_fail);
        show_output(output);
    }
    fclose(output);
}

static void advise_on(const struct setting *setting)
{
    char *expected = setting_expected_of_variable(setting);

    report_advice("%s takes %s; 'unset %s' for the default", setting->variable, expected, setting->variable);
    free(expected);
}

/* Of a product that is NULL the library says why; the tool knows all values that the variable takes. */
static void check_product(const struct pacl_product *product)
{
    const struct setting *wrong = settings_find_wrong();
    const char *reason = aclGetRecentErrMsg();

    if (product != NULL)
        report_ok("product", "%s: %s, %s", product->name, product->family, product->soc_name);
    else
        report_fail("product", "%s", reason != NULL ? reason : "not valid");
    if (wrong != NULL && product != NULL)
        report_note("variables", "%s '%s' is not valid, the library passes over it", wrong->variable,
                    getenv(wrong->variable));
    if (wrong != NULL)
        advise_on(wrong);
    else if (product == NULL)
        report_advice("'pacl run --help' lists the variables with their values");
}

/* Whatever a plain start of a program lacks, `pacl run` provides: worth a note, no fault. */
static void check_plain_start(void)
{
    if (!probe_load("plain start", report_note))
        report_advice("'pacl run' starts programs with the right environment; for a whole shell: eval \"$(pacl env)\"");
    machine_check_library_path();
    machine_check_python();
}

/* What holds under `pacl run`. */
static void check_run(void)
{
    sdk_environment_apply();
    probe_load("pacl run", report_fail);
    const struct pacl_product *product = pacl_product_current();
    check_product(product);
    if (product == NULL)
        return;
    probe_use();
    machine_check(product);
}

int command_doctor(int argc, char **argv)
{
    const struct argp_child children[] = { { .argp = settings_argp(SETTINGS_OF_MACHINE) }, { 0 } };
    const struct argp argp = {
        .parser = parse,
        .children = children,
        .args_doc = "[PROGRAM...]",
        .doc = "Uses PACL as a program would: loads the library, copies in every way that the product supports, checks "
               "the bytes, tries events and the protection of device memory. Then looks at the machine's settings. "
               "With PROGRAMs (or shared libraries): says instead which functions of the interface they need that this "
               "version lacks or refuses, and whether their run paths lead past this library."
               "\vEach line starts with 'ok', 'FAIL' or 'note'. A note is no fault. Exit status: 0 nothing failed, "
               "1 something failed."
    };

    struct programs programs = { 0 };

    argp_parse(&argp, argc, argv, 0, NULL, &programs);
    for (int i = 0; i < programs.count; i++)
        program_check(programs.paths[i]);
    if (programs.count == 0) {
        check_plain_start();
        check_run();
    }
    return report_has_failed() || probe_failed ? STATUS_FAILED : STATUS_OK;
}
