/* SPDX-License-Identifier: Apache-2.0 */
#include <emmintrin.h>

#define VECTOR __m128i
#define VECTOR_BYTES ((size_t)16)
#define LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), (v))
#define STREAM(p, v) _mm_stream_si128((__m128i *)(void *)(p), (v))
#define STREAM_END() _mm_sfence()
#define NAME(x) pacl_copy_##x##_sse2

#include "copy/rows_vector.h"
