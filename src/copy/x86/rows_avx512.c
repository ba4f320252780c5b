/* SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#define VECTOR __m512i
#define VECTOR_BYTES ((size_t)64)
#define LOAD(p) _mm512_loadu_si512((const __m512i *)(const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((__m512i *)(void *)(p), (v))
#define STREAM(p, v) _mm512_stream_si512((__m512i *)(void *)(p), (v))
#define STREAM_END() _mm_sfence()
#define NAME(x) pacl_copy_##x##_avx512

#include "copy/rows_vector.h"
