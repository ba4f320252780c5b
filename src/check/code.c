/* SPDX-License-Identifier: Apache-2.0 */
#include "check/code.h"

#include "check/site.h"

#if defined(__x86_64__)

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "os/os.h"

enum { STEPS_MAX = 400, CALLS_MAX = 4, BRANCHES_MAX = 64, INSTRUCTION_MAX = 16 };

/* What is used of capstone, by name. */
#define CAPSTONE_FUNCTIONS(X) \
    X(cs_open) \
    X(cs_option) \
    X(cs_malloc) \
    X(cs_disasm_iter) \
    X(cs_regs_access)

static struct {
#define CAPSTONE_POINTER(name) __typeof__(name) *name;
    CAPSTONE_FUNCTIONS(CAPSTONE_POINTER)
#undef CAPSTONE_POINTER
} cs;

static csh engine;
static cs_insn *instruction; /* NULL: no capstone */

static bool load_library(void)
{
    void *library = dlopen("libcapstone.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return false;
#define CAPSTONE_LOAD(name) \
    *(void **)&cs.name = dlsym(library, #name); \
    if (cs.name == NULL) \
        return false;
    CAPSTONE_FUNCTIONS(CAPSTONE_LOAD)
#undef CAPSTONE_LOAD
    return true;
}

static bool is_ready(void)
{
    static bool tried;
    if (!tried) {
        tried = true;
        if (load_library() && cs.cs_open(CS_ARCH_X86, CS_MODE_64, &engine) == CS_ERR_OK &&
            cs.cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK)
            instruction = cs.cs_malloc(engine);
    }
    return instruction != NULL;
}

/* A way through the code. Functions that it enters on the way return to `calls`; further ones to the site's frames. */
struct way {
    uint64_t pc;
    uint64_t calls[CALLS_MAX];
    unsigned depth;
    unsigned frame; /* of the site, in which the way is */
};

struct search {
    const struct pacl_site *site;
    unsigned steps;
    unsigned count, followed;          /* of the ways; those from `followed` on are still to be followed */
    struct way ways[1 + BRANCHES_MAX]; /* each target of a branch once, so that loops end */
};

/* An instruction may end a mapping: nothing behind its page is read unless it needs to be. */
static bool decode(uint64_t pc)
{
    const uint64_t left = OS_PAGE - pc % OS_PAGE;
    const uint8_t *code = (const uint8_t *)pc;
    size_t size = left < INSTRUCTION_MAX ? left : INSTRUCTION_MAX;
    uint64_t address = pc;
    if (cs.cs_disasm_iter(engine, &code, &size, &address, instruction))
        return true;
    code = (const uint8_t *)pc;
    size = INSTRUCTION_MAX;
    address = pc;
    return left < INSTRUCTION_MAX && cs.cs_disasm_iter(engine, &code, &size, &address, instruction);
}

static bool is_result(uint16_t reg)
{
    return reg == X86_REG_RAX || reg == X86_REG_EAX || reg == X86_REG_AX || reg == X86_REG_AL || reg == X86_REG_AH;
}

/* `xor eax, eax` reads nothing. */
static bool is_zeroing(const cs_x86 *x86)
{
    return (instruction->id == X86_INS_XOR || instruction->id == X86_INS_SUB) && x86->op_count == 2 &&
           x86->operands[0].type == X86_OP_REG && x86->operands[1].type == X86_OP_REG &&
           x86->operands[0].reg == x86->operands[1].reg && is_result((uint16_t)x86->operands[0].reg);
}

enum use { NONE, READ, OVERWRITTEN };

static enum use use_of_result(void)
{
    cs_regs read, written;
    uint8_t reads = 0, writes = 0;
    if (cs.cs_regs_access(engine, instruction, read, &reads, written, &writes) != CS_ERR_OK)
        return READ;
    for (unsigned i = 0; i < reads && !is_zeroing(&instruction->detail->x86); i++) {
        if (is_result(read[i]))
            return READ;
    }
    for (unsigned i = 0; i < writes; i++) {
        if (written[i] == X86_REG_RAX || written[i] == X86_REG_EAX)
            return OVERWRITTEN;
    }
    return NONE;
}

static bool in_group(uint8_t group)
{
    for (unsigned i = 0; i < instruction->detail->groups_count; i++) {
        if (instruction->detail->groups[i] == group)
            return true;
    }
    return false;
}

/* The way from here on, if it is a new one. False if there are too many. */
static bool note_way(struct search *search, const struct way *way, uint64_t pc)
{
    for (unsigned i = 0; i < search->count; i++) {
        if (search->ways[i].pc == pc)
            return true;
    }
    if (search->count == 1 + BRANCHES_MAX)
        return false;
    search->ways[search->count] = *way;
    search->ways[search->count++].pc = pc;
    return true;
}

/* A call or jump through a register or memory. Functions that are called so keep to the calling convention, in which the
 * result's register is the callee's to overwrite. A jump may also be within the function, by a table. */
static bool indirect_drops(const cs_x86_op *to)
{
    return in_group(CS_GRP_CALL) || (to->type == X86_OP_MEM && to->mem.base == X86_REG_RIP);
}

/* The compiler knows what a function of the same file leaves alone, so calls are followed into the function. */
static bool enter(struct way *way, uint64_t target, uint64_t next)
{
    if (in_group(CS_GRP_CALL)) {
        if (way->depth == CALLS_MAX)
            return false;
        way->calls[way->depth++] = next;
    }
    way->pc = target;
    return true;
}

static bool leave(const struct search *search, struct way *way)
{
    if (way->depth > 0) {
        way->pc = way->calls[--way->depth];
        return true;
    }
    if (++way->frame >= pacl_site_frames(search->site))
        return false;
    way->pc = pacl_site_address(search->site, way->frame);
    return true;
}

/* True if the result is overwritten on this way before anything reads it; branches are noted as further ways. */
static bool follow(struct search *search, struct way way)
{
    while (search->steps++ < STEPS_MAX && decode(way.pc)) {
        const cs_x86_op *to = &instruction->detail->x86.operands[0];
        const uint64_t next = way.pc + instruction->size;
        const bool is_call = in_group(CS_GRP_CALL), is_jump = in_group(CS_GRP_JUMP);
        const bool is_direct = to->type == X86_OP_IMM;
        const enum use use = is_call && is_direct ? NONE : use_of_result();
        if (use != NONE)
            return use == OVERWRITTEN;
        if ((is_call || is_jump) && !is_direct)
            return indirect_drops(to);
        bool goes_on = true;
        if (in_group(CS_GRP_RET))
            goes_on = leave(search, &way);
        else if (is_call || instruction->id == X86_INS_JMP)
            goes_on = enter(&way, (uint64_t)to->imm, next);
        else if (is_jump)
            goes_on = note_way(search, &way, (uint64_t)to->imm);
        if (!goes_on)
            return false;
        if (!is_call && !in_group(CS_GRP_RET) && instruction->id != X86_INS_JMP)
            way.pc = next;
    }
    return false;
}

bool pacl_code_drops_result(const struct pacl_site *site)
{
    bool drops_it;
    if (pacl_site_is_place(site, &drops_it))
        return drops_it;
    struct search search = { .site = site };
    if (pacl_site_frames(site) == 0 || !is_ready())
        return false;
    (void)note_way(&search, &(struct way){ 0 }, pacl_site_address(site, 0));
    while (search.followed < search.count) {
        if (!follow(&search, search.ways[search.followed++]))
            return false;
    }
    return true;
}

#else

bool pacl_code_drops_result(const struct pacl_site *site)
{
    bool drops_it;
    return pacl_site_is_place(site, &drops_it) && drops_it;
}

#endif
