/* SPDX-License-Identifier: Apache-2.0 */
/* Half-precision numbers and sizes of element types. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "acl/acl_base.h"

/* IEEE 754 binary16: sign, 5 bits of exponent with bias 15, 10 bits of fraction. */
enum { HALF_SIGN = 0x8000, HALF_INFINITY = 0x7C00, HALF_FRACTION = 0x3FF, HALF_QUIET = 0x200 };

float aclFloat16ToFloat(aclFloat16 value)
{
    const int exponent = (value & HALF_INFINITY) >> 10, fraction = value & HALF_FRACTION;
    float magnitude;
    if (exponent == 31)
        magnitude = fraction != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexpf((float)fraction, -24); /* zero and the subnormal numbers */
    else
        magnitude = ldexpf((float)(fraction + HALF_FRACTION + 1), exponent - 25);
    return (value & HALF_SIGN) != 0 ? -magnitude : magnitude;
}

/* The bits of a number below 2^17, rounded to nearest, ties to even: a carry out of the fraction lands in the exponent,
 * and out of the largest exponent in infinity. */
static unsigned round_half(float magnitude)
{
    int exponent;
    (void)frexpf(magnitude, &exponent); /* magnitude < 2^exponent */
    const bool normal = magnitude > 0 && exponent > -13;
    const int lowest = normal ? exponent - 11 : -24;                     /* the exponent of the last bit that is kept */
    const unsigned units = (unsigned)lrintf(ldexpf(magnitude, -lowest)); /* exact scaling, then one rounding */
    return normal ? ((unsigned)(lowest + 24) << 10) + units : units;
}

aclFloat16 aclFloatToFloat16(float value)
{
    const unsigned sign = signbit(value) ? HALF_SIGN : 0;
    const float magnitude = fabsf(value);
    if (isnan(value))
        return (aclFloat16)(sign | HALF_INFINITY | HALF_QUIET);
    if (magnitude >= 65536.0F)
        return (aclFloat16)(sign | HALF_INFINITY);
    return (aclFloat16)(sign | round_half(magnitude));
}

size_t aclDataTypeSize(aclDataType dataType)
{
    switch (dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
        return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
        return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
        return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
        return 8;
    case ACL_COMPLEX128:
        return 16;
    default:
        return 0; /* undefined, strings, types of less than a byte, unknown values */
    }
}
