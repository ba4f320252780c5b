/* SPDX-License-Identifier: Apache-2.0 */
#include "check/code.h"

#include "check/site.h"

#if defined(__x86_64__)

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "os/os.h"

enum { STEPS_MAX = 400, CALLS_MAX = 4, SEEN_MAX = 64, INSTRUCTION_MAX = 16 };

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
    unsigned steps, seen_count;
    uint64_t seen[SEEN_MAX]; /* targets of branches: a loop is followed once */
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

static bool drops(struct search *search, struct way way);

/* Both ways of a conditional branch; a target that was seen is judged where it was seen. */
static bool branch_drops(struct search *search, const struct way *way, uint64_t target)
{
    for (unsigned i = 0; i < search->seen_count; i++) {
        if (search->seen[i] == target)
            return true;
    }
    if (search->seen_count == SEEN_MAX)
        return false;
    search->seen[search->seen_count++] = target;
    struct way taken = *way;
    taken.pc = target;
    return drops(search, taken);
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

static bool drops(struct search *search, struct way way)
{
    while (search->steps++ < STEPS_MAX && decode(way.pc)) {
        const cs_x86 *x86 = &instruction->detail->x86;
        const uint64_t next = way.pc + instruction->size;
        const bool is_call = in_group(CS_GRP_CALL), is_jump = in_group(CS_GRP_JUMP);
        const enum use use = is_call && x86->operands[0].type == X86_OP_IMM ? NONE : use_of_result();
        if (use != NONE)
            return use == OVERWRITTEN;
        if (in_group(CS_GRP_RET)) {
            if (!leave(search, &way))
                return false;
        } else if ((is_call || is_jump) && x86->operands[0].type != X86_OP_IMM) {
            return indirect_drops(&x86->operands[0]);
        } else if (is_jump && instruction->id != X86_INS_JMP) {
            if (!branch_drops(search, &way, (uint64_t)x86->operands[0].imm))
                return false;
            way.pc = next;
        } else if (is_call || is_jump) {
            if (!enter(&way, (uint64_t)x86->operands[0].imm, next))
                return false;
        } else {
            way.pc = next;
        }
    }
    return false;
}

bool pacl_code_drops_result(const struct pacl_site *site)
{
    bool drops_it;
    if (pacl_site_is_place(site, &drops_it))
        return drops_it;
    struct search search = { .site = site };
    return pacl_site_frames(site) > 0 && is_ready() && drops(&search, (struct way){ .pc = pacl_site_address(site, 0) });
}

#else

bool pacl_code_drops_result(const struct pacl_site *site)
{
    bool drops_it;
    return pacl_site_is_place(site, &drops_it) && drops_it;
}

#endif
