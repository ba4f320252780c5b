/* SPDX-License-Identifier: Apache-2.0 */
/* The pair store STNP is only a hint and has no intrinsic; plain stores serve the streamed way, too. */
#include <arm_neon.h>

#define VECTOR uint8x16_t
#define VECTOR_BYTES ((size_t)16)
#define LOAD(p) vld1q_u8(p)
#define STORE(p, v) vst1q_u8((p), (v))
#define STREAM(p, v) vst1q_u8((p), (v))
#define STREAM_END() ((void)0)
#define NAME(x) pacl_copy_##x##_neon

#include "copy/rows_vector.h"
