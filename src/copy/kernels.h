/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels by instruction set. Only pacl_copy_init and the unit tests name them. */
#ifndef PACL_COPY_KERNELS_H
#define PACL_COPY_KERNELS_H

#include "copy/copy.h"

#if defined(__x86_64__)
pacl_copy_rows_fn pacl_copy_rows_sse2, pacl_copy_rows_far_sse2, pacl_copy_rows_streamed_sse2;
pacl_copy_rows_fn pacl_copy_rows_avx2, pacl_copy_rows_far_avx2, pacl_copy_rows_streamed_avx2;
pacl_copy_rows_fn pacl_copy_rows_avx512, pacl_copy_rows_far_avx512, pacl_copy_rows_streamed_avx512;

/* By `rep movsb`, for any width; never chosen where it has slow alignments. */
pacl_copy_rows_fn pacl_copy_rows_string;

/* True if `rep movsb` is at no offset between source and destination much slower than `vectors`. Takes 20 to 300 us. */
bool pacl_copy_string_is_fast(pacl_copy_rows_fn *vectors);
#elif defined(__aarch64__)
pacl_copy_rows_fn pacl_copy_rows_neon, pacl_copy_rows_far_neon, pacl_copy_rows_streamed_neon;
#endif

#endif
