/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels serve this processor: chosen once, before the first copy. */
#include "base/cpu.h"
#include "copy/kernels.h"
#include "os/os.h"

enum { CACHE_SHARE = 2 };

struct pacl_copy_ops pacl_copy_ops = { .rows = { pacl_copy_rows_c, pacl_copy_rows_c, pacl_copy_rows_c }, .name = "c" };

#define OPS(set) \
    ((struct pacl_copy_ops){ \
        .rows = { pacl_copy_rows_##set, pacl_copy_rows_far_##set, pacl_copy_rows_streamed_##set }, .name = #set })

static struct pacl_copy_ops choose(unsigned cpu)
{
#if defined(__x86_64__)
    if ((cpu & PACL_CPU_AVX2) != 0)
        return OPS(avx2);
    if ((cpu & PACL_CPU_SSE2) != 0)
        return OPS(sse2);
#endif
    (void)cpu;
    return (struct pacl_copy_ops){ .rows = { pacl_copy_rows_c, pacl_copy_rows_c, pacl_copy_rows_c }, .name = "c" };
}

void pacl_copy_init(unsigned cpu)
{
    const uint64_t last_cache = os_last_cache_bytes();
    if (last_cache > 0)
        pacl_copy_stream_from = last_cache / CACHE_SHARE;
    pacl_copy_ops = choose(cpu);
}
