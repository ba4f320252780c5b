/* SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#define VECTOR __m256i
#define VECTOR_BYTES ((size_t)32)
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), (v))
#define STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), (v))
#define STREAM_END() _mm_sfence()
#define NAME(x) pacl_copy_##x##_avx2

#include "copy/rows_vector.h"
