/* SPDX-License-Identifier: Apache-2.0 */
#include "os/decode.h"

#if defined(__x86_64__) && defined(PACL_HAVE_ZYDIS)

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <ucontext.h>

#include "os/os.h"

enum { INSTRUCTION_MAX = 15 };

/* Loaded only where it is used: a machine without it runs programs as well. */
static struct {
    __typeof__(ZydisDecoderInit) *init;
    __typeof__(ZydisDecoderDecodeFull) *decode;
    __typeof__(ZydisCalcAbsoluteAddressEx) *address;
    bool ready;
} zydis;

bool os_decode_start(void)
{
    void *const library = dlopen("libZydis.so.4.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return false;
    *(void **)&zydis.init = dlsym(library, "ZydisDecoderInit");
    *(void **)&zydis.decode = dlsym(library, "ZydisDecoderDecodeFull");
    *(void **)&zydis.address = dlsym(library, "ZydisCalcAbsoluteAddressEx");
    zydis.ready = zydis.init != NULL && zydis.decode != NULL && zydis.address != NULL;
    return zydis.ready;
}

/* Zydis keeps nothing of its own and takes no memory, so it may be used in a signal handler. The next page may not be
 * there: it is looked at only for an instruction that goes on into it. */
static bool decode(const uint8_t *pc, ZydisDecodedInstruction *instruction, ZydisDecodedOperand *operands)
{
    ZydisDecoder decoder;
    const size_t on_page = OS_PAGE - (uintptr_t)pc % OS_PAGE;
    if (!ZYAN_SUCCESS(zydis.init(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
        return false;
    const size_t first_try = on_page < INSTRUCTION_MAX ? on_page : INSTRUCTION_MAX;
    ZyanStatus status = zydis.decode(&decoder, pc, first_try, instruction, operands);
    if (status == ZYDIS_STATUS_NO_MORE_DATA && first_try < INSTRUCTION_MAX)
        status = zydis.decode(&decoder, pc, INSTRUCTION_MAX, instruction, operands);
    return ZYAN_SUCCESS(status);
}

/* Part of the operand may be left alone: which bytes count is in the mask. */
static bool is_masked(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
        return true;
    default:
        return instruction->avx.mask.reg != ZYDIS_REGISTER_NONE && instruction->avx.mask.reg != ZYDIS_REGISTER_K0;
    }
}

static void copy_registers(const long long *from, ZydisRegisterContext *to)
{
    static const struct {
        int from;
        ZydisRegister to;
    } pairs[] = {
        { REG_RAX, ZYDIS_REGISTER_RAX }, { REG_RBX, ZYDIS_REGISTER_RBX }, { REG_RCX, ZYDIS_REGISTER_RCX },
        { REG_RDX, ZYDIS_REGISTER_RDX }, { REG_RSI, ZYDIS_REGISTER_RSI }, { REG_RDI, ZYDIS_REGISTER_RDI },
        { REG_RBP, ZYDIS_REGISTER_RBP }, { REG_RSP, ZYDIS_REGISTER_RSP }, { REG_R8, ZYDIS_REGISTER_R8 },
        { REG_R9, ZYDIS_REGISTER_R9 },   { REG_R10, ZYDIS_REGISTER_R10 }, { REG_R11, ZYDIS_REGISTER_R11 },
        { REG_R12, ZYDIS_REGISTER_R12 }, { REG_R13, ZYDIS_REGISTER_R13 }, { REG_R14, ZYDIS_REGISTER_R14 },
        { REG_R15, ZYDIS_REGISTER_R15 },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        to->values[pairs[i].to] = (ZyanU64)from[pairs[i].from];
}

/* The operand that the faulting address lies in: a string copy has two. */
void os_decode_access(const void *registers, struct os_access *access)
{
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisRegisterContext context;
    if (!zydis.ready || !decode(access->pc, &instruction, operands) || is_masked(&instruction))
        return;
    copy_registers(registers, &context);
    for (unsigned i = 0; i < instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        ZyanU64 at;
        if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || operand->mem.type != ZYDIS_MEMOP_TYPE_MEM ||
            !ZYAN_SUCCESS(zydis.address(&instruction, operand, (uintptr_t)access->pc, &context, &at)))
            continue;
        if ((uintptr_t)access->fault - at < operand->size / 8U) {
            access->first = (uint8_t *)at;
            access->size = operand->size / 8U;
            return;
        }
    }
}

#else

bool os_decode_start(void)
{
    return false;
}

void os_decode_access(const void *registers, struct os_access *access)
{
    (void)registers;
    (void)access;
}

#endif
