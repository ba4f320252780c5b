/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "command.h"
#include "pacl/pacl.h"
#include "text.h"

static const char *product_value(const struct setting *setting, const char *text)
{
    (void)setting;
    for (size_t i = 0; i < pacl_product_count(); i++)
        if (strcmp(pacl_product_at(i)->name, text) == 0)
            return text;
    return NULL;
}

static const char *number_value(const struct setting *setting, const char *text)
{
    uint64_t number;

    return text_to_size(text, &number) && number >= setting->lowest && number <= setting->highest ? text : NULL;
}

/* `text` if it is one of the words of a NULL-terminated list. */
static const char *word_of(const char *const words[], const char *text)
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0)
            return text;
    return NULL;
}

static const char *access_value(const struct setting *setting, const char *text)
{
    static const char *const words[] = { "auto", "keys", "mapping", "open", NULL };

    (void)setting;
    return word_of(words, text);
}

static const char *cpu_value(const struct setting *setting, const char *text)
{
    static const char *const words[] = { "c", "sse2", "avx2", "avx512", "neon", "all", NULL };

    (void)setting;
    return word_of(words, text);
}

static const char *peer_value(const struct setting *setting, const char *text)
{
    static const char *const words[] = { "open", NULL };

    (void)setting;
    return word_of(words, text);
}

/* Ascending: the library stops reading at the first entry that is not. Whether the devices exist depends on the
 * product. */
static const char *devices_value(const struct setting *setting, const char *text)
{
    uint64_t before = 0;

    for (const char *at = text;;) {
        char *rest;
        uint64_t id;
        if (!text_leading_number(at, &id, &rest) || id > setting->highest || (at != text && id <= before))
            return NULL;
        if (*rest == '\0')
            return text;
        if (*rest != ',')
            return NULL;
        before = id;
        at = rest + 1;
    }
}

static bool is_category(const char *word, size_t length)
{
    static const char *const names[] = { "init", "memory", "stream", "event", "engine", "copy", "all" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i]) == length && strncasecmp(names[i], word, length) == 0)
            return true;
    return false;
}

static const char *debug_value(const struct setting *setting, const char *text)
{
    static const char separators[] = ", ";
    size_t found = 0;

    (void)setting;
    for (const char *at = text + strspn(text, separators); *at != '\0'; at += strspn(at, separators)) {
        size_t length = strcspn(at, separators);
        if (!is_category(at, length))
            return NULL;
        at += length;
        found++;
    }
    return found > 0 ? text : NULL;
}

static const char *log_level_value(const struct setting *setting, const char *text)
{
    static const struct {
        const char *name;
        const char *level; /* as the variable spells it */
    } levels[] = {
        { "debug", "0" }, { "info", "1" }, { "warning", "2" }, { "error", "3" }, { "none", "4" },
    };

    (void)setting;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        if (strcmp(levels[i].name, text) == 0 || strcmp(levels[i].level, text) == 0)
            return levels[i].level;
    return NULL;
}

/* The option comes without an argument; a variable that is set may also be 0. */
static const char *switch_value(const struct setting *setting, const char *text)
{
    static const char *const words[] = { "0", "1", NULL };

    (void)setting;
    return text != NULL ? word_of(words, text) : "1";
}

/* Without a unit: the library reads it so. */
static const char *plain_number_value(const struct setting *setting, const char *text)
{
    uint64_t number;

    return text_to_number(text, &number) && number >= setting->lowest && number <= setting->highest ? text : NULL;
}

static const char *any_value(const struct setting *setting, const char *text)
{
    (void)setting;
    return *text != '\0' ? text : NULL;
}

static const char *schedule_value(const struct setting *setting, const char *text)
{
    static const char *const words[] = { "eager", "lazy", "random", NULL }, random[] = "random:";
    uint64_t seed;

    (void)setting;
    if (strncmp(text, random, sizeof(random) - 1) == 0)
        return text_to_number(text + sizeof(random) - 1, &seed) ? text : NULL;
    return word_of(words, text);
}

static const char *readable_value(const struct setting *setting, const char *text)
{
    (void)setting;
    return access(text, R_OK) == 0 ? text : NULL;
}

#define CHECK_CLASSES \
    "out-of-bounds, use-after-free, host-race, stream-race, uninitialized-read, device-pointer-access, wrong-kind, " \
    "double-free, invalid-free, invalid-handle, leak, unchecked-error, deadlock, blocked-async, shape, queue-growth"

/* Whole words of the list above, separated by commas. */
static const char *classes_value(const struct setting *setting, const char *text)
{
    static const char separators[] = ", ", known[] = ", " CHECK_CLASSES ", ";
    size_t found = 0;

    (void)setting;
    for (const char *at = text + strspn(text, separators); *at != '\0'; at += strspn(at, separators)) {
        size_t length = strcspn(at, separators);
        char *word = text_format(" %.*s,", (int)length, at);
        found = strstr(known, word) != NULL ? found + 1 : 0;
        free(word);
        if (found == 0)
            return NULL;
        at += length;
    }
    return found > 0 ? text : NULL;
}

const struct setting settings[] = {
    { "product", "PACL_PRODUCT", "NAME", "Product to stand for", NULL, NULL, 0, 0, product_value },
    { "devices", "PACL_DEVICES", "N", "Number of devices", "a number from 1 to 64", NULL, 1, 64, number_value },
    { "device-memory", "PACL_DEVICE_MEMORY", "SIZE", "Memory of each device, for example 512M or 64G",
      "bytes, or a number with K, M, G or T (powers of 1024), 1M to 1T", NULL, 1 << 20, UINT64_C(1) << 40,
      number_value },
    { "device-access", "PACL_DEVICE_ACCESS", "HOW", "How device memory is kept from host code",
      "auto, keys, mapping or open", NULL, 0, 0, access_value },
    { "engines", "PACL_ENGINES", "N", "Number of threads that do the devices' work", "a number from 1 to 64", NULL, 1,
      64, number_value },
    { "queue-depth", "PACL_QUEUE_DEPTH", "N", "Most pending tasks of a stream", "a number from 2 to 65536", NULL, 2,
      65536, number_value },
    { "graph-descriptors", "PACL_GRAPH_DESCRIPTORS", "N", "Most descriptors of a captured graph, one per row of a copy",
      "a number from 1 to 65535", NULL, 1, 65535, number_value },
    { "cpu", "PACL_CPU", "SET", "The most that the copy kernels may use of the processor",
      "c, sse2, avx2, avx512, neon or all", NULL, 0, 0, cpu_value },
    { "peer", "PACL_PEER", "open", "Let devices copy from each other without asking for access", "open", NULL, 0, 0,
      peer_value },
    { "visible-devices", "ASCEND_RT_VISIBLE_DEVICES", "LIST", "Devices that the program sees, for example 0,2",
      "device numbers from 0 to 63, ascending, separated by commas", NULL, 0, 63, devices_value },
    { "debug", "PACL_DEBUG", "CATEGORIES", "What the library tells about itself",
      "init, memory, stream, event, engine, copy, separated by commas, or all", NULL, 0, 0, debug_value },
    { "log-level", "ASCEND_GLOBAL_LOG_LEVEL", "LEVEL", "Least severe message to log",
      "debug, info, warning, error or none, or 0 to 4", "0 (debug), 1 (info), 2 (warning), 3 (error) or 4 (none)", 0, 0,
      log_level_value },
    { "log-stdout", "ASCEND_SLOG_PRINT_TO_STDOUT", NULL, "Log to standard output", "no value", "0 or 1", 0, 0,
      switch_value },
    { "schedule", "PACL_SCHEDULE", "WHEN", "When tasks run, out of what the order allows; the seed is a number",
      "eager, lazy, random or random:SEED", NULL, 0, 0, schedule_value },
    { "fault", "PACL_FAULT", "RULE", "What is to fail, for example aclrtMalloc:3:207001; several times or with commas",
      "FUNCTION[:N[:CODE]], FUNCTION:N:async[:CODE], alloc[:N], random:P:SEED", NULL, 0, 0, any_value },
    { "count", "PACL_COUNT", NULL, "Print at exit how often each function was called", "no value", "0 or 1", 0, 0,
      switch_value },
    { "trace", "PACL_TRACE_FILE", "FILE", "Write a timeline of every task; %p is the process number", "FILE", NULL, 0,
      0, any_value },
    { "check", "PACL_CHECK", NULL, "Name every misuse of the interface", "no value", "0 or 1", 0, 0, switch_value },
    { "report", "PACL_CHECK_REPORT", "FILE", "Write the findings as lines of JSON; %p is the process number", "FILE",
      NULL, 0, 0, any_value },
    { "junit", "PACL_CHECK_JUNIT", "FILE", "Write the findings as a JUnit document; %p is the process number", "FILE",
      NULL, 0, 0, any_value },
    { "only", "PACL_CHECK_ONLY", "CLASSES", "Look for these classes alone", CHECK_CLASSES, NULL, 0, 0, classes_value },
    { "skip", "PACL_CHECK_SKIP", "CLASSES", "Do not look for these classes", "classes as --only does", CHECK_CLASSES, 0,
      0, classes_value },
    { "suppressions", "PACL_CHECK_SUPPRESSIONS", "FILE", "Findings not to report", "a file that can be read", NULL, 0,
      0, readable_value },
    { "gen-suppressions", "PACL_CHECK_GEN_SUPPRESSIONS", NULL, "Print behind each finding the line that suppresses it",
      "no value", "0 or 1", 0, 0, switch_value },
    { "max-findings", "PACL_CHECK_MAX_FINDINGS", "N", "Most findings to print; further ones are counted",
      "a number from 0 to 1000000", NULL, 0, 1000000, plain_number_value },
    { "error-exitcode", "PACL_CHECK_ERROR_EXITCODE", "N", "Exit status when there are errors; 0 leaves the program's",
      "a number from 0 to 255", NULL, 0, 255, plain_number_value },
    { "status-signal", "PACL_STATUS_SIGNAL", NULL,
      "SIGUSR2 prints streams, what they wait for, and memory; --check does it anyway", "no value", "0 or 1", 0, 0,
      switch_value },
};

const size_t settings_count = sizeof(settings) / sizeof(settings[0]);

enum { FIRST_KEY = 0x1000 }; /* above all characters and the commands' own keys: no short options */

static const struct setting *setting_of_key(int key)
{
    return key >= FIRST_KEY && (size_t)(key - FIRST_KEY) < settings_count ? &settings[key - FIRST_KEY] : NULL;
}

/* "NAME, NAME, ...": the products, for a message. The caller frees it. */
static char *product_names(void)
{
    char *names = text_format("%s", "");

    for (size_t i = 0; i < pacl_product_count(); i++) {
        char *longer = text_format("%s%s%s", names, i > 0 ? ", " : "", pacl_product_at(i)->name);
        free(names);
        names = longer;
    }
    return names;
}

static char *expected_of_option(const struct setting *setting)
{
    if (setting->value == classes_value) /* help has the list once, a message whenever it is needed */
        return text_format("%s", CHECK_CLASSES);
    return setting->expected != NULL ? text_format("%s", setting->expected) : product_names();
}

char *setting_expected_of_variable(const struct setting *setting)
{
    return setting->stored != NULL ? text_format("%s", setting->stored) : expected_of_option(setting);
}

/* The option may be given several times: each adds rules. The first takes the place of what was set before. */
static const char *join_faults(const char *rules)
{
    static char *all;
    char *longer = all != NULL ? text_format("%s,%s", all, rules) : text_format("%s", rules);

    free(all);
    return all = longer;
}

static void apply(const struct argp_state *state, const struct setting *setting, const char *text)
{
    const char *value = setting->value(setting, text);

    if (value != NULL && strcmp(setting->variable, "PACL_FAULT") == 0)
        value = join_faults(value);

    if (value == NULL) {
        char *expected = expected_of_option(setting);
        argp_error(state, "--%s '%s' is not valid; it takes %s", setting->option, text, expected);
        free(expected);
    } else if (setenv(setting->variable, value, 1) != 0) {
        argp_failure(state, STATUS_FAILED, errno, "%s", setting->variable);
    } else if (strncmp(setting->variable, "PACL_CHECK_", 11) == 0 && setenv("PACL_CHECK", "1", 1) != 0) {
        argp_failure(state, STATUS_FAILED, errno, "PACL_CHECK");
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const struct setting *setting = setting_of_key(key);

    if (setting == NULL)
        return ARGP_ERR_UNKNOWN;
    apply(state, setting, arg);
    return 0;
}

/* Adds the values and the variable to the help of each option. Argp frees what is returned. */
static char *help_with_variable(int key, const char *text, void *input)
{
    const struct setting *setting = setting_of_key(key);

    (void)input;
    if (setting == NULL)
        return (char *)text;
    if (setting->argument == NULL)
        return text_format("%s (%s=1)", text, setting->variable);
    if (setting->expected == NULL || strcmp(setting->expected, setting->argument) == 0)
        return text_format("%s (%s)", text, setting->variable);
    return text_format("%s: %s (%s)", text, setting->expected, setting->variable);
}

const struct argp *settings_argp(size_t count)
{
    static struct argp argp = { .parser = parse, .help_filter = help_with_variable };
    struct argp_option *options = calloc(count + 1, sizeof(*options)); /* a row of zeros ends the list */

    if (options == NULL)
        err(STATUS_FAILED, "options");
    for (size_t i = 0; i < count; i++)
        options[i] = (struct argp_option){
            .name = settings[i].option, .key = FIRST_KEY + (int)i, .arg = settings[i].argument, .doc = settings[i].help
        };
    argp.options = options;
    return &argp;
}

const struct setting *settings_find_wrong(void)
{
    for (size_t i = 0; i < settings_count; i++) {
        const char *text = getenv(settings[i].variable);
        if (text == NULL || *text == '\0')
            continue;
        const char *value = settings[i].value(&settings[i], text);
        if (value == NULL || strcmp(value, text) != 0) /* names of log levels are for the option only */
            return &settings[i];
    }
    return NULL;
}
