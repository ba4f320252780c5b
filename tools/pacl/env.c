/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl env`: prints the environment of set_env.sh, for a shell or for a program. */
#include <argp.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "sdk.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    bool *json = state->input;

    switch (key) {
    case 's':
        *json = strcmp(arg, "json") == 0;
        if (!*json && strcmp(arg, "sh") != 0)
            argp_error(state, "--shell: '%s' is not sh or json", arg);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* In single quotes nothing is special but the quote itself, which has to stand outside of them. */
static void print_export(const char *name, const char *value, void *data)
{
    (void)data;
    printf("export %s='", name);
    for (const char *c = value; *c != '\0'; c++)
        if (*c == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*c);
    puts("'");
}

static void add_member(const char *name, const char *value, void *data)
{
    json_object_object_add(data, name, json_object_new_string(value));
}

static void print_json(void)
{
    json_object *variables = json_object_new_object();

    sdk_environment(add_member, variables);
    puts(json_object_to_json_string_ext(variables, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(variables);
}

int command_env(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "shell", 's', "FORM", 0, "Form of the output: sh (the default) or json", 0 }, { 0 }
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Prints the environment variables that make programs find PACL, with their new values."
               "\vTo set them in a shell: eval \"$(pacl env)\""
    };
    bool json = false;

    argp_parse(&argp, argc, argv, 0, NULL, &json);
    if (json)
        print_json();
    else
        sdk_environment(print_export, NULL);
    return STATUS_OK;
}
