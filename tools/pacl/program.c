/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <ctype.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report.h"
#include "sdk.h"
#include "text.h"

struct program {
    const char *path;
    int fd;
    Elf *elf;
    GElf_Ehdr header;
    bool has_dynamic; /* it is linked dynamically: the loader reads its run path and looks its symbols up */
};

static bool program_open(struct program *program, const char *path)
{
    *program = (struct program){ .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC) };
    if (program->fd < 0) {
        report_fail("program", "%s: %s", path, strerror(errno));
        return false;
    }
    program->elf = elf_begin(program->fd, ELF_C_READ_MMAP, NULL);
    if (program->elf != NULL && elf_kind(program->elf) == ELF_K_ELF && gelf_getehdr(program->elf, &program->header))
        return true;
    report_fail("program", "%s: neither a program nor a shared library", path);
    report_advice("of a script, give the binary modules that it loads");
    elf_end(program->elf);
    close(program->fd);
    return false;
}

static void program_close(struct program *program)
{
    elf_end(program->elf);
    close(program->fd);
}

/* The first section of a type, with its header; NULL if there is none. */
static Elf_Data *find_section(const struct program *program, uint32_t type, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(program->elf, section)) != NULL)
        if (gelf_getshdr(section, header) != NULL && header->sh_type == type)
            return elf_getdata(section, NULL);
    return NULL;
}

/* Calls `visit` for each entry of the dynamic section whose value is a string. */
typedef void visit_fn(int64_t tag, const char *text, void *data);

static void visit_dynamic(struct program *program, visit_fn *visit, void *data)
{
    GElf_Shdr header;
    Elf_Data *entries = find_section(program, SHT_DYNAMIC, &header);
    GElf_Dyn entry;

    program->has_dynamic = entries != NULL;
    for (int i = 0; entries != NULL && gelf_getdyn(entries, i, &entry) != NULL && entry.d_tag != DT_NULL; i++) {
        if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH)
            continue;
        const char *text = elf_strptr(program->elf, header.sh_link, entry.d_un.d_val);
        if (text != NULL)
            visit(entry.d_tag, text, data);
    }
}

/* What the loader learns from the dynamic section. The strings belong to the file. */
struct linkage {
    const char *needed; /* the library's name that the program is linked with; NULL: none of ours */
    const char *rpath;
    const char *runpath;
};

static void note_entry(int64_t tag, const char *text, void *data)
{
    static const char *const names[] = { "libascendcl.so", "libacl_rt.so", "libruntime.so", "libascend_hal.so" };
    struct linkage *linkage = data;

    if (tag == DT_RPATH)
        linkage->rpath = text;
    else if (tag == DT_RUNPATH)
        linkage->runpath = text;
    for (size_t i = 0; tag == DT_NEEDED && i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i]) == 0 && linkage->needed == NULL)
            linkage->needed = names[i];
}

/* aclInit, aclrtMalloc, aclmdlLoadFromFile, rtMalloc; not acl_get_file, which is another library's. */
static bool is_of_interface(const char *name)
{
    return (strncmp(name, "acl", 3) == 0 && isalpha((unsigned char)name[3])) ||
           (strncmp(name, "rt", 2) == 0 && isupper((unsigned char)name[2]));
}

/* A weak symbol may stay unresolved: the program asks for it before it uses it. */
static const char *name_if_needed(const struct program *program, const GElf_Shdr *header, const GElf_Sym *symbol)
{
    if (symbol->st_shndx != SHN_UNDEF || GELF_ST_BIND(symbol->st_info) == STB_WEAK)
        return NULL;
    const char *name = elf_strptr(program->elf, header->sh_link, symbol->st_name);
    return name != NULL && is_of_interface(name) ? name : NULL;
}

struct names {
    size_t count;
    const char **at; /* they belong to the file */
};

struct symbols {
    size_t needed;
    struct names missing, refused;
};

static void add_name(struct names *names, const char *name)
{
    const char **at = realloc(names->at, (names->count + 1) * sizeof(*at));

    if (at == NULL)
        err(STATUS_FAILED, "symbols");
    at[names->count++] = name;
    names->at = at;
}

/* True if the library has the function only to refuse each call. */
static bool is_refused(const char *name)
{
    static const char *const refused[] = {
#include "refused_names.inc"
        NULL
    };
    size_t i = 0;

    while (refused[i] != NULL && strcmp(refused[i], name) != 0)
        i++;
    return refused[i] != NULL;
}

static void find_symbols(const struct program *program, void *library, struct symbols *symbols)
{
    GElf_Shdr header;
    Elf_Data *table = find_section(program, SHT_DYNSYM, &header);
    GElf_Sym symbol;

    for (int i = 0; table != NULL && gelf_getsym(table, i, &symbol) != NULL; i++) {
        const char *name = name_if_needed(program, &header, &symbol);
        if (name == NULL)
            continue;
        symbols->needed++;
        if (dlsym(library, name) == NULL)
            add_name(&symbols->missing, name);
        else if (is_refused(name))
            add_name(&symbols->refused, name);
    }
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* By name: the order of the program's table means nothing to a reader. */
static void list_names(struct names *names)
{
    qsort(names->at, names->count, sizeof(names->at[0]), compare_names);
    for (size_t i = 0; i < names->count; i++)
        report_advice("%s", names->at[i]);
}

static void check_symbols(const struct program *program)
{
    static const char topic[] = "functions";
    struct symbols symbols = { 0 };
    void *library = dlopen(sdk_get()->library, RTLD_LAZY);

    if (library == NULL)
        errx(STATUS_FAILED, "%s", dlerror());
    find_symbols(program, library, &symbols);
    if (symbols.needed == 0) {
        report_ok(topic, "needs none of the interface");
    } else if (symbols.missing.count == 0) {
        report_ok(topic, "needs %zu of the interface, all are there", symbols.needed);
    } else {
        report_fail(topic, "needs %zu of the interface; this version does not have %zu of them:", symbols.needed,
                    symbols.missing.count);
        list_names(&symbols.missing);
    }
    if (symbols.refused.count > 0) {
        report_note(topic, "%zu of them %s every call (api-support.md):", symbols.refused.count,
                    symbols.refused.count == 1 ? "refuses" : "refuse");
        list_names(&symbols.refused);
    }
    free(symbols.missing.at);
    free(symbols.refused.at);
    dlclose(library);
}

/* A directory of a run path as the loader reads it: $ORIGIN is where the program lies. The caller frees it. */
static char *expand_origin(const char *dir, const char *path)
{
    static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
    const char *slash = strrchr(path, '/');

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *word = strstr(dir, words[i]);
        if (word != NULL)
            return text_format("%.*s%.*s%s", (int)(word - dir), dir, slash != NULL ? (int)(slash - path) : 1,
                               slash != NULL ? path : ".", word + strlen(words[i]));
    }
    return text_format("%s", dir);
}

static bool same_file(const char *one, const char *other)
{
    struct stat a;
    struct stat b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The first file with the library's name in a list of directories; NULL if none has one. The caller frees it. */
static char *find_in_path(const char *list, const char *name, const char *program)
{
    char *dirs = text_format("%s", list);
    char *found = NULL;
    char *rest;

    for (char *dir = strtok_r(dirs, ":", &rest); dir != NULL && found == NULL; dir = strtok_r(NULL, ":", &rest)) {
        char *expanded = expand_origin(dir, program);
        found = text_format("%s/%s", expanded, name);
        free(expanded);
        if (access(found, R_OK) == 0)
            continue;
        free(found);
        found = NULL;
    }
    free(dirs);
    return found;
}

/* DT_RPATH goes before LD_LIBRARY_PATH unless there is a DT_RUNPATH too; that one goes after it. */
static void check_run_path(const struct program *program, const struct linkage *linkage)
{
    static const char topic[] = "run path";
    bool old_style = linkage->runpath == NULL;
    const char *list = old_style ? linkage->rpath : linkage->runpath;
    char *found = list != NULL && linkage->needed != NULL ? find_in_path(list, linkage->needed, program->path) : NULL;

    if (list == NULL)
        report_ok(topic, "none: LD_LIBRARY_PATH leads to the library");
    else if (found == NULL || same_file(found, sdk_get()->library))
        report_ok(topic, "'%s' leads to no other library", list);
    else if (old_style) {
        report_fail(topic, "DT_RPATH '%s' leads to %s, whatever LD_LIBRARY_PATH says", list, found);
        report_advice("'patchelf --remove-rpath', or: LD_PRELOAD=%s PROGRAM", sdk_get()->library);
    } else {
        report_note(topic, "DT_RUNPATH '%s' leads to %s if LD_LIBRARY_PATH does not come first", list, found);
        report_advice("start it with 'pacl run', or in a shell after set_env.sh");
    }
    free(found);
}

/* The library is the measure of what this process, and so `pacl run`, can start. */
static bool is_for_this_machine(const struct program *program)
{
    struct program library;

    if (!program_open(&library, sdk_get()->library))
        return false;
    bool same = library.header.e_machine == program->header.e_machine &&
                library.header.e_ident[EI_CLASS] == program->header.e_ident[EI_CLASS];
    program_close(&library);
    return same;
}

static void check_opened(struct program *program)
{
    struct linkage linkage = { 0 };

    visit_dynamic(program, note_entry, &linkage);
    if (!is_for_this_machine(program)) {
        report_fail("program", "%s: built for another processor than %s", program->path, sdk_get()->library);
    } else if (!program->has_dynamic) {
        report_fail("program", "%s: linked statically, it loads no library", program->path);
    } else {
        if (linkage.needed != NULL)
            report_ok("program", "%s: linked with %s", program->path, linkage.needed);
        else
            report_note("program", "%s: not linked with the library itself; look at the libraries it loads, too",
                        program->path);
        check_symbols(program);
        check_run_path(program, &linkage);
    }
}

void program_check(const char *path)
{
    struct program program;

    if (elf_version(EV_CURRENT) == EV_NONE)
        errx(STATUS_FAILED, "libelf: %s", elf_errmsg(-1));
    if (!program_open(&program, path))
        return;
    check_opened(&program);
    program_close(&program);
}
