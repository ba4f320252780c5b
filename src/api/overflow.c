/* SPDX-License-Identifier: Apache-2.0 */
/* The overflow status of floating-point arithmetic. No kernel computes here, so the status is 0 at any time: asking for
 * it queues a set of the program's memory, and clearing it has nothing to do. */
#include "api/api.h"
#include "api/stream.h"
#include "core/fill_request.h"

enum { STATUS_BYTES = 64 }; /* of device memory that the original writes */

/* `size` is what the program has there. */
static aclError write_status(void *output, uint64_t size, aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    void *handle;
    if (output == NULL || size < STATUS_BYTES)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "outputAddr %p, outputSize %llu; it takes at least %d bytes", output,
                         (unsigned long long)size, STATUS_BYTES);
    const aclError err = pacl_find_stream(stream, &s, &handle);
    if (err != ACL_SUCCESS)
        return err;
    const struct pacl_fill fill = { .dst = output, .value = 0, .count = STATUS_BYTES, .element = 1 };
    return pacl_fill_submit(&fill, s, handle);
}

static aclError check_stream(aclrtStream stream)
{
    struct pacl_stream *s = NULL;
    return pacl_find_stream(stream, &s, NULL);
}

static aclError check_mode(uint32_t mode)
{
    if (mode != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "checkMode %u; it takes 0 only", mode);
    return ACL_SUCCESS;
}

aclError pacl_set_overflow_switch(struct pacl_stream *s, uint32_t value, const char *name)
{
    if (value > 1)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s %u; it takes 0 (off) or 1 (on)", name, value);
    pacl_store_relaxed(&s->overflow_switch, value);
    return ACL_SUCCESS;
}

/* The stream's attribute ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, under its older name. */
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = pacl_find_stream(stream, &s, NULL);
    if (err == ACL_SUCCESS)
        err = pacl_set_overflow_switch(s, flag, "flag");
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = PACL_REFUSE_NULL(flag);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, NULL);
    if (err == ACL_SUCCESS)
        *flag = pacl_load_relaxed(&s->overflow_switch);
    return err;
}

aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return write_status(outputAddr, outputSize, stream);
}

aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    return write_status(outputAddr, outputSize, stream);
}

aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_mode(checkMode);
    return err != ACL_SUCCESS ? err : write_status(outputAddr, outputSize, stream);
}

aclError aclrtResetOverflowStatus(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_stream(stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = check_stream(stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}

aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream)
{
    PACL_ENTER_OR_RETURN();
    aclError err = check_mode(checkMode);
    if (err == ACL_SUCCESS)
        err = check_stream(stream);
    return err != ACL_SUCCESS ? err : PACL_WITHOUT_EFFECT;
}
