/* SPDX-License-Identifier: Apache-2.0 */
#include "check/symbol.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is used of libdw, by name. */
#define LIBDW_FUNCTIONS(X) \
    X(dwfl_begin) \
    X(dwfl_report_begin) \
    X(dwfl_report_end) \
    X(dwfl_linux_proc_report) \
    X(dwfl_linux_proc_find_elf) \
    X(dwfl_standard_find_debuginfo) \
    X(dwfl_addrmodule) \
    X(dwfl_module_addrname) \
    X(dwfl_module_getsrc) \
    X(dwfl_module_info) \
    X(dwfl_lineinfo) \
    X(dwfl_module_addrdie) \
    X(dwarf_getscopes) \
    X(dwarf_getscopes_die) \
    X(dwarf_tag) \
    X(dwarf_attr_integrate) \
    X(dwarf_formstring) \
    X(dwarf_formudata) \
    X(dwarf_getsrcfiles) \
    X(dwarf_filesrc)

static struct {
#define LIBDW_POINTER(name) __typeof__(name) *name;
    LIBDW_FUNCTIONS(LIBDW_POINTER)
#undef LIBDW_POINTER
} dw;

static Dwfl *loaded; /* the process as libdw sees it; NULL before, and without libdw */
static bool tried;

static bool load_library(void)
{
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return false;
#define LIBDW_LOAD(name) \
    *(void **)&dw.name = dlsym(library, #name); \
    if (dw.name == NULL) \
        return false;
    LIBDW_FUNCTIONS(LIBDW_LOAD)
#undef LIBDW_LOAD
    return true;
}

static char *no_debug_path;
static Dwfl_Callbacks callbacks;

void pacl_symbols_refresh(void)
{
    if (!tried) {
        tried = true;
        if (!load_library())
            return;
        callbacks.find_elf = dw.dwfl_linux_proc_find_elf;
        callbacks.find_debuginfo = dw.dwfl_standard_find_debuginfo;
        callbacks.debuginfo_path = &no_debug_path;
        loaded = dw.dwfl_begin(&callbacks);
    }
    if (loaded == NULL)
        return;
    dw.dwfl_report_begin(loaded);
    (void)dw.dwfl_linux_proc_report(loaded, getpid());
    (void)dw.dwfl_report_end(loaded, NULL, NULL);
}

const char *pacl_symbol_path(const char *path)
{
    char here[512];
    if (getcwd(here, sizeof here) == NULL || here[1] == '\0')
        return path;
    const size_t length = strlen(here);
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* "???" for C++ that cannot be read would help nobody: the mangled name stays where the program has no demangler. */
static void set_function(struct pacl_symbol *symbol, const char *name)
{
    typedef char *demangle_fn(const char *, char *, size_t *, int *);
    demangle_fn *demangle = NULL;
    int status = -1;
    if (name[0] == '_' && name[1] == 'Z')
        *(void **)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    char *readable = demangle != NULL ? demangle(name, NULL, NULL, &status) : NULL;
    snprintf(symbol->function, sizeof symbol->function, "%s", readable != NULL && status == 0 ? readable : name);
    free(readable);
}

static bool ask_libdw(uintptr_t address, struct pacl_symbol *symbol)
{
    Dwfl_Module *module = loaded != NULL ? dw.dwfl_addrmodule(loaded, address) : NULL;
    if (module == NULL)
        return false;
    const char *path = NULL;
    const char *object = dw.dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
    if (path == NULL)
        path = object;
    const char *name = dw.dwfl_module_addrname(module, address);
    Dwfl_Line *at = dw.dwfl_module_getsrc(module, address);
    const char *file = at != NULL ? dw.dwfl_lineinfo(at, NULL, &symbol->line, NULL, NULL, NULL) : NULL;
    if (name != NULL)
        set_function(symbol, name);
    snprintf(symbol->object, sizeof symbol->object, "%s", path != NULL ? pacl_symbol_path(path) : "");
    snprintf(symbol->file, sizeof symbol->file, "%s", file != NULL ? pacl_symbol_path(file) : "");
    return true;
}

static void ask_loader(uintptr_t address, struct pacl_symbol *symbol)
{
    Dl_info info;
    if (dladdr((void *)address, &info) == 0)
        return;
    if (info.dli_sname != NULL)
        set_function(symbol, info.dli_sname);
    snprintf(symbol->object, sizeof symbol->object, "%s",
             info.dli_fname != NULL ? pacl_symbol_path(info.dli_fname) : "");
}

/* --- functions within functions ---------------------------------------------------------------------------------- */

/* What the debug information has of an attribute, the abstract function's included. */
static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    return dw.dwarf_formstring(dw.dwarf_attr_integrate(die, attribute, &found));
}

static uint64_t number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word number = 0;
    return dw.dwarf_formudata(dw.dwarf_attr_integrate(die, attribute, &found), &number) == 0 ? number : 0;
}

/* The function of the code has called one that was put into it: `outer` gets its place, `inner` the inner one's name. */
static void step_into(struct pacl_symbol *inner, struct pacl_symbol *outer, Dwarf_Die *call, Dwarf_Die *unit)
{
    Dwarf_Files *files = NULL;
    size_t count = 0;
    const char *linked = text_of(call, DW_AT_linkage_name), *name = linked != NULL ? linked : text_of(call, DW_AT_name);
    const uint64_t file = number_of(call, DW_AT_call_file);
    const bool has_file = dw.dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count;
    const char *path = has_file ? dw.dwarf_filesrc(files, (size_t)file, NULL, NULL) : NULL;
    *outer = *inner;
    set_function(inner, name != NULL ? name : "");
    outer->line = (int)number_of(call, DW_AT_call_line);
    snprintf(outer->file, sizeof outer->file, "%s", path != NULL ? pacl_symbol_path(path) : "");
}

/* The innermost function is symbols[0], with the name of the one that it is in at last. */
static unsigned ask_scopes(uintptr_t address, struct pacl_symbol *symbols)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *scopes = NULL, innermost;
    unsigned count = 1;
    Dwfl_Module *module = dw.dwfl_addrmodule(loaded, address);
    Dwarf_Die *unit = module != NULL ? dw.dwfl_module_addrdie(module, address, &bias) : NULL;
    int depth = unit != NULL ? dw.dwarf_getscopes(unit, address - bias, &scopes) : 0;
    if (depth <= 0)
        return count;
    innermost = scopes[0];
    free(scopes);
    /* Of an inlined function the scopes so far are those of its source: what is wanted is what it was put into. */
    depth = dw.dwarf_getscopes_die(&innermost, &scopes);
    for (int i = 0; i < depth && count < PACL_INLINED_MAX && dw.dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
        if (dw.dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) {
            step_into(&symbols[count - 1], &symbols[count], &scopes[i], unit);
            count++;
        }
    }
    if (depth > 0)
        free(scopes);
    return count;
}

unsigned pacl_symbols_of(uintptr_t address, struct pacl_symbol *symbols)
{
    memset(symbols, 0, sizeof *symbols);
    symbols->address = address;
    if (!tried)
        pacl_symbols_refresh();
    if (ask_libdw(address, symbols))
        return ask_scopes(address, symbols);
    ask_loader(address, symbols);
    return 1;
}
