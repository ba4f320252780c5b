/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suppressions: findings that the user knows and does not want to hear of. One per line:
 *
 *   CLASS PATTERN...       # comment
 *
 * CLASS is a class or *. The patterns (those of the shell) stand for frames, innermost first; frames between them may
 * be missing. A pattern is compared with a frame's function, with its FILE:LINE with and without folders, and with its
 * object. It is enough if one stack of the finding fits.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "check/record.h"
#include "check/symbol.h"

struct suppression {
    struct suppression *next;
    enum pacl_check_class kind; /* PACL_CHECK_CLASS_COUNT: every class */
    unsigned count;
    char *patterns[]; /* into the line's text, which is kept */
};

static struct suppression *all; /* constant once read */

enum { PATTERNS_MAX = 32, FRAMES_SHOWN = 4 };

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* A line that ends up empty is none. False with `*wrong` set to the word at fault. */
static bool parse_line(char *line, const char **wrong)
{
    char *words[PATTERNS_MAX + 1], *rest = NULL;
    unsigned count = 0;
    line[strcspn(line, "#\n")] = '\0';
    for (char *word = strtok_r(line, " \t\r", &rest); word != NULL; word = strtok_r(NULL, " \t\r", &rest)) {
        *wrong = word;
        if (count > PATTERNS_MAX)
            return false;
        words[count++] = word;
    }
    if (count == 0)
        return true;
    const enum pacl_check_class kind = pacl_check_class_of(words[0], strlen(words[0]));
    *wrong = words[0];
    if (kind == PACL_CHECK_CLASS_COUNT && strcmp(words[0], "*") != 0)
        return false;
    struct suppression *one = calloc(1, sizeof *one + (count - 1) * sizeof one->patterns[0]);
    if (one == NULL)
        return true;
    one->kind = kind;
    one->next = all;
    for (unsigned i = 1; i < count; i++) {
        one->patterns[one->count] = strdup(words[i]);
        one->count += one->patterns[one->count] != NULL;
    }
    all = one;
    return true;
}

/* A file that is none, a device for example, may have no end. */
enum { LINES_MAX = 100000, LINE_MAX_BYTES = 4096 };

const char *pacl_suppressions_read(const char *path)
{
    static char problem[512];
    FILE *file = fopen(path, "re");
    char line[LINE_MAX_BYTES];
    const char *wrong = NULL;
    unsigned number = 0;
    if (file == NULL) {
        snprintf(problem, sizeof problem, "%s: %s", path, strerror(errno));
        return problem;
    }
    while (problem[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        if (++number > LINES_MAX) {
            snprintf(problem, sizeof problem, "%s: more than %d lines", path, LINES_MAX);
            break;
        }
        if (!parse_line(line, &wrong))
            snprintf(problem, sizeof problem, "%s:%u: \"%.60s\" is no class of findings, or the line has over %d words",
                     path, number, wrong, PATTERNS_MAX);
    }
    fclose(file);
    return problem[0] != '\0' ? problem : NULL;
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

/* With and without folders. Paths below the working directory are relative; to a pattern they begin with a slash, too. */
static bool path_fits(const char *pattern, const char *path)
{
    char below[600];
    const char *slash = strrchr(path, '/');
    snprintf(below, sizeof below, "/%s", path);
    return fnmatch(pattern, path, 0) == 0 || fnmatch(pattern, below, 0) == 0 ||
           (slash != NULL && fnmatch(pattern, slash + 1, 0) == 0);
}

static bool fits(const char *pattern, const struct pacl_symbol *symbol)
{
    char place[sizeof symbol->file + 16];
    snprintf(place, sizeof place, "%s:%d", symbol->file, symbol->line);
    if (symbol->function[0] != '\0' && fnmatch(pattern, symbol->function, 0) == 0)
        return true;
    if (symbol->file[0] != '\0' && (path_fits(pattern, place) || path_fits(pattern, symbol->file)))
        return true;
    return symbol->object[0] != '\0' && path_fits(pattern, symbol->object);
}

struct comparison {
    const struct suppression *one;
    unsigned done; /* patterns that have found their frame */
};

static bool compare(void *context, const struct pacl_symbol *symbol, unsigned number)
{
    struct comparison *c = context;
    (void)number;
    if (c->done < c->one->count)
        c->done += fits(c->one->patterns[c->done], symbol);
    return c->done < c->one->count;
}

static bool site_fits(const struct suppression *one, const struct pacl_site *site)
{
    struct comparison c = { .one = one };
    pacl_site_each_frame(site, compare, &c);
    return c.done == one->count;
}

static bool finding_fits(const struct suppression *one, const struct pacl_check_finding *finding)
{
    if (one->kind != PACL_CHECK_CLASS_COUNT && one->kind != finding->kind)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (site_fits(one, finding->access[i].site) || site_fits(one, finding->access[i].executed))
            return true;
    }
    return site_fits(one, finding->memory.allocated) || site_fits(one, finding->memory.freed);
}

bool pacl_suppressions_take(const struct pacl_check_finding *finding)
{
    for (const struct suppression *one = all; one != NULL; one = one->next) {
        if (finding_fits(one, finding))
            return true;
    }
    return false;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static const struct pacl_site *first_site(const struct pacl_check_finding *finding)
{
    const struct pacl_site *const sites[] = { finding->access[0].site, finding->access[1].site,
                                              finding->memory.allocated, finding->memory.freed };
    for (unsigned i = 0; i < sizeof sites / sizeof sites[0]; i++) {
        if (sites[i] != NULL)
            return sites[i];
    }
    return NULL;
}

/* The frame as a pattern: what would end a word, or mean something to the shell, becomes a question mark. */
static void write_pattern(FILE *out, const struct pacl_symbol *symbol)
{
    const char *text = symbol->function[0] != '\0' ? symbol->function : symbol->object;
    fputc(' ', out);
    for (; *text != '\0'; text++)
        fputc(isspace((unsigned char)*text) || strchr("*[]#\\", *text) != NULL ? '?' : *text, out);
}

static bool write_frame(void *out, const struct pacl_symbol *symbol, unsigned number)
{
    if ((symbol->function[0] != '\0' || symbol->object[0] != '\0') && !pacl_site_is_library(symbol, number))
        write_pattern(out, symbol);
    return number + 1 < FRAMES_SHOWN && strcmp(symbol->function, "main") != 0;
}

void pacl_suppressions_write(FILE *out, const struct pacl_check_finding *finding)
{
    fprintf(out, "%s", pacl_check_class_name(finding->kind));
    pacl_site_each_frame(first_site(finding), write_frame, out);
    fprintf(out, "\n");
}
