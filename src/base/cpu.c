/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cpu.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
/* The compiler's check does not know this one. */
static bool has_erms(void)
{
    enum { ERMS = 1 << 9 };
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & ERMS) != 0;
}
#endif

unsigned pacl_cpu_detect(void)
{
    unsigned found = 0;
#if defined(__x86_64__)
    /* The compiler's check looks at XGETBV as well, so an unsaved register file does not count as a feature. */
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse2"))
        found |= PACL_CPU_SSE2;
    if (__builtin_cpu_supports("avx2"))
        found |= PACL_CPU_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        found |= PACL_CPU_AVX512;
    if (has_erms())
        found |= PACL_CPU_ERMS;
#elif defined(__aarch64__)
    found |= PACL_CPU_NEON; /* part of the base architecture */
#endif
    return found;
}

static char description[64];

static void describe(void)
{
    static const char *const names[] = { "sse2", "avx2", "avx512", "neon", "erms" };
    const unsigned found = pacl_cpu_detect();
    int used = 0;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((found & 1U << i) != 0)
            used +=
                snprintf(description + used, sizeof description - (size_t)used, "%s%s", used > 0 ? " " : "", names[i]);
    }
}

const char *pacl_cpu_describe(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, describe);
    return description;
}
