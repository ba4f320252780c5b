/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels by instruction set. Only pacl_copy_init and the unit tests name them. */
#ifndef PACL_COPY_KERNELS_H
#define PACL_COPY_KERNELS_H

#include "copy/copy.h"

#if defined(__x86_64__)
pacl_copy_rows_fn pacl_copy_rows_sse2, pacl_copy_rows_far_sse2, pacl_copy_rows_streamed_sse2;
pacl_copy_rows_fn pacl_copy_rows_avx2, pacl_copy_rows_far_avx2, pacl_copy_rows_streamed_avx2;
#endif

#endif
