/* SPDX-License-Identifier: Apache-2.0 */
#include "check/symbol.h"

#include <dlfcn.h>
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
    X(dwfl_lineinfo)

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

void pacl_symbol_of(uintptr_t address, struct pacl_symbol *symbol)
{
    memset(symbol, 0, sizeof *symbol);
    if (!tried)
        pacl_symbols_refresh();
    if (!ask_libdw(address, symbol))
        ask_loader(address, symbol);
}
