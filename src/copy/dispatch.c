/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels serve this processor, and its caches: settled once, before the first copy. */
#include "base/cpu.h"
#include "copy/kernels.h"
#include "os/os.h"

enum { USUAL_FIRST_CACHE = 32 << 10, USUAL_SECOND_CACHE = 512 << 10, USUAL_LAST_CACHE = 32 << 20 };

struct pacl_copy_tuning pacl_copy_tuning = { .first_cache = USUAL_FIRST_CACHE,
                                             .second_cache = USUAL_SECOND_CACHE,
                                             .last_cache = USUAL_LAST_CACHE };

#define PORTABLE \
    { \
        .rows = { pacl_copy_rows_c, pacl_copy_rows_c, pacl_copy_rows_c, pacl_copy_rows_c, pacl_copy_rows_c }, \
        .name = "c" \
    }

struct pacl_copy_ops pacl_copy_ops = PORTABLE;

/* STRING is the plain kernel where the plan never chooses it. */
#define OPS_BEYOND(set, beyond) \
    ((struct pacl_copy_ops){ .rows = { pacl_copy_rows_##set, pacl_copy_rows_##beyond, pacl_copy_rows_far_##set, \
                                       pacl_copy_rows_streamed_##set, pacl_copy_rows_##set }, \
                             .name = #set })
#define OPS(set) OPS_BEYOND(set, set)

static struct pacl_copy_ops choose(unsigned cpu)
{
#if defined(__x86_64__)
    if ((cpu & PACL_CPU_AVX512) != 0)
        return OPS_BEYOND(avx512, avx2); /* stores of a whole line, but for aligned ones, cross two each */
    if ((cpu & PACL_CPU_AVX2) != 0)
        return OPS(avx2);
    if ((cpu & PACL_CPU_SSE2) != 0)
        return OPS(sse2);
#elif defined(__aarch64__)
    if ((cpu & PACL_CPU_NEON) != 0)
        return OPS(neon);
#endif
    (void)cpu;
    return (struct pacl_copy_ops)PORTABLE;
}

void pacl_copy_init(unsigned cpu)
{
    const uint64_t first = os_cache_bytes(1), second = os_cache_bytes(2), last = os_cache_bytes(3);
    pacl_copy_tuning.first_cache = first > 0 ? first : USUAL_FIRST_CACHE;
    pacl_copy_tuning.second_cache = second > 0 ? second : USUAL_SECOND_CACHE;
    pacl_copy_tuning.last_cache = last > 0 ? last : USUAL_LAST_CACHE;
    pacl_copy_tuning.memory_ticks = pacl_copy_memory_ticks();
    pacl_copy_ops = choose(cpu);
    pacl_copy_tuning.string_is_fast = false;
#if defined(__x86_64__)
    if ((cpu & PACL_CPU_ERMS) != 0 && pacl_copy_string_is_fast(pacl_copy_ops.rows[PACL_ROWS_PLAIN])) {
        pacl_copy_ops.rows[PACL_ROWS_STRING] = pacl_copy_rows_string;
        pacl_copy_tuning.string_is_fast = true;
    }
#endif
}
