/* SPDX-License-Identifier: Apache-2.0 */
/* Plan and kernels by themselves, in one thread, as the library calls them: of its own sources, for no program could. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include "base/cpu.h"
#include "copy/copy.h"

static inline void bench_kernels_init(void)
{
    pacl_copy_init(pacl_cpu_detect());
}

static inline void bench_kernels_copy(const struct pacl_rect *rect)
{
    if (pacl_rows_cost(rect->width, rect->height) <= PACL_PIECE_BYTES) {
        pacl_copy_small(rect);
        return;
    }
    const struct pacl_plan plan = pacl_copy_plan_now(rect);
    for (size_t piece = 0; piece < plan.pieces; piece++)
        pacl_copy_piece(&plan, piece);
}

#endif
