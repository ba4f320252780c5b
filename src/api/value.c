/* SPDX-License-Identifier: Apache-2.0 */
/* aclrtValueWrite, aclrtValueWait, aclrtReduceAsync. */
#include "core/value.h"
#include "api/api.h"
#include "core/reduce.h"

static aclError submit_value(void *cell, enum pacl_op op, uint64_t value, uint32_t flag, aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    void *handle;
    const aclError err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_work work = { .call = pacl_self.call,
                                    .op = (uint8_t)op,
                                    .value = { .cell = cell, .value = value, .flag = flag } };
    return pacl_value_submit(s, handle, &work);
}

aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(devAddr);
    if (err != ACL_SUCCESS)
        return err;
    if (flag != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag %u; it is reserved and takes 0", flag);
    return submit_value(devAddr, PACL_OP_VALUE_WRITE, value, flag, stream);
}

aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(devAddr);
    if (err != ACL_SUCCESS)
        return err;
    if (flag > ACL_STREAM_WAIT_VALUE_NOR)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "flag %u; it takes at least (0), equal (1), a common bit (2) or nor (3)", flag);
    return submit_value(devAddr, PACL_OP_VALUE_WAIT, value, flag, stream);
}

/* --- reductions -------------------------------------------------------------------------------------------------- */

static aclError check_reduction(const void *dst, const void *src, aclrtReduceKind kind, aclDataType type,
                                const void *reserve)
{
    if (dst == NULL || src == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s is null", dst == NULL ? "dst" : "src");
    if (reserve != NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "reserve %p; it takes NULL", reserve);
    if (kind < ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM || kind > ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "kind %d; it takes sum (10), max (11) or min (12)", (int)kind);
    if (pacl_reduce_element(type) == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "type %d is not reduced; float, float16, bfloat16 and integers of 8, 16 and 32 bits are",
                         (int)type);
    if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL)
        return PACL_FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                         "kind 13 (equal): PACL does not know what it computes; use a host function");
    return ACL_SUCCESS;
}

aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void *reserve)
{
    PACL_ENTER_OR_RETURN();
    aclError err = check_reduction(dst, src, kind, type, reserve);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_stream *s = NULL;
    void *handle;
    err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    const size_t element = pacl_reduce_element(type);
    if (count == 0 || count % element != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "count %llu is not a number of bytes of whole elements of %zu",
                         (unsigned long long)count, element);
    const struct pacl_work work = {
        .call = pacl_self.call,
        .op = PACL_OP_REDUCE,
        .reduce = { .dst = dst, .src = src, .count = count / element, .kind = kind, .type = type },
    };
    return pacl_reduce_submit(s, handle, &work, count);
}
