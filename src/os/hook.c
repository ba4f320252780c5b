/* SPDX-License-Identifier: Apache-2.0 */
#include "os/hook.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/atomic.h"

#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#define IS_LAZY(type) ((type) == R_X86_64_JUMP_SLOT)
#elif defined(__aarch64__)
#define IS_ADDRESS(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#define IS_LAZY(type) ((type) == R_AARCH64_JUMP_SLOT)
#else
#define IS_ADDRESS(type) false
#define IS_LAZY(type) false
#endif

static const struct os_hook *hooks; /* constant once installed */
static size_t hook_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one thread writes into objects at a time */
static _Atomic unsigned long long seen;                  /* how many objects were ever loaded when we last looked */

/* What one object says of itself. */
struct object {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t bytes[2];
    ElfW(Addr) relro, relro_end; /* pages that the loader has made read-only */
};

/* The loader has replaced offsets by addresses in most objects, but not in the kernel's. */
static const void *address_in(const struct dl_phdr_info *info, ElfW(Addr) value)
{
    return (const void *)(value < info->dlpi_addr ? info->dlpi_addr + value : value);
}

static bool read_dynamic(const struct dl_phdr_info *info, const ElfW(Dyn) * entry, struct object *object)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            object->symbols = address_in(info, entry->d_un.d_ptr);
            break;
        case DT_STRTAB:
            object->names = address_in(info, entry->d_un.d_ptr);
            break;
        case DT_RELA:
            object->tables[0] = address_in(info, entry->d_un.d_ptr);
            break;
        case DT_RELASZ:
            object->bytes[0] = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            object->tables[1] = address_in(info, entry->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            object->bytes[1] = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return object->symbols != NULL && object->names != NULL;
}

static bool contains(const struct dl_phdr_info *info, const void *address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (uintptr_t)address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}

static bool read_object(const struct dl_phdr_info *info, struct object *object)
{
    const ElfW(Dyn) *dynamic = NULL;
    *object = (struct object){ .base = info->dlpi_addr };
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_DYNAMIC) {
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + part->p_vaddr);
        } else if (part->p_type == PT_GNU_RELRO) {
            const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE), start = info->dlpi_addr + part->p_vaddr;
            object->relro = start / page * page;
            object->relro_end = (start + part->p_memsz) / page * page;
        }
    }
    return dynamic != NULL && read_dynamic(info, dynamic, object);
}

static const struct os_hook *find_hook(const char *name)
{
    for (size_t i = 0; i < hook_count; i++) {
        if (strcmp(hooks[i].name, name) == 0)
            return *hooks[i].original != NULL ? &hooks[i] : NULL;
    }
    return NULL;
}

static void write_word(const struct object *object, os_any_fn *_Atomic *word, os_any_fn *value)
{
    const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)word;
    void *page = (void *)(at / page_bytes * page_bytes);
    const bool is_read_only = at >= object->relro && at < object->relro_end;
    if (is_read_only && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
        return;
    pacl_store_release(word, value);
    if (is_read_only)
        (void)mprotect(page, page_bytes, PROT_READ);
}

/* A word that holds neither the function nor, if it is filled in at the first call, the loader's stand-in, was given
 * another meaning by somebody. */
static void hook_word(const struct object *object, const ElfW(Rela) * entry)
{
    const unsigned type = (unsigned)ELF64_R_TYPE(entry->r_info);
    const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(entry->r_info)];
    if (!IS_ADDRESS(type) || symbol->st_name == 0 || entry->r_addend != 0)
        return;
    const struct os_hook *hook = find_hook(object->names + symbol->st_name);
    if (hook == NULL)
        return;
    os_any_fn *_Atomic *word = (os_any_fn * _Atomic *)(object->base + entry->r_offset);
    os_any_fn *const value = pacl_load_acquire(word);
    if (value == hook->replacement || (!IS_LAZY(type) && value != *hook->original))
        return;
    write_word(object, word, hook->replacement);
}

static int hook_object(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct object object;
    (void)size;
    (void)unused;
    if (contains(info, (const void *)&hooks) || !read_object(info, &object))
        return 0;
    for (unsigned i = 0; i < 2; i++) {
        const ElfW(Rela) *table = object.tables[i];
        for (size_t k = 0; table != NULL && k < object.bytes[i] / sizeof *table; k++)
            hook_word(&object, &table[k]);
    }
    return 0;
}

static int read_count(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    *(unsigned long long *)count = info->dlpi_adds;
    return 1;
}

void os_hooks_refresh(void)
{
    unsigned long long now = 0;
    (void)dl_iterate_phdr(read_count, &now);
    if (pacl_load_relaxed(&seen) == now)
        return;
    pthread_mutex_lock(&lock);
    (void)dl_iterate_phdr(hook_object, NULL);
    pacl_store_relaxed(&seen, now);
    pthread_mutex_unlock(&lock);
}

void os_hooks_install(const struct os_hook *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *(void **)all[i].original = dlsym(RTLD_DEFAULT, all[i].name);
    hooks = all;
    hook_count = count;
    os_hooks_refresh();
}
