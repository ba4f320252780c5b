/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's features that matter to copying, the operating system's support for their registers included. */
#ifndef PACL_BASE_CPU_H
#define PACL_BASE_CPU_H

enum pacl_cpu_feature {
    PACL_CPU_SSE2 = 1 << 0,
    PACL_CPU_AVX2 = 1 << 1,
    PACL_CPU_AVX512 = 1 << 2, /* F, BW, DQ and VL */
    PACL_CPU_NEON = 1 << 3,
    PACL_CPU_ERMS = 1 << 4, /* `rep movsb` copies by whole lines */
};

unsigned pacl_cpu_detect(void);

/* The features by name, separated by spaces; "" for none. Static storage, the same text for the life of the process. */
const char *pacl_cpu_describe(void);

#endif
