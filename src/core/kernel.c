/* SPDX-License-Identifier: Apache-2.0 */
#include "core/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "copy/copy.h"
#include "core/memory.h"
#include "core/place.h"
#include "core/stream.h"
#include "os/os.h"

/* --- launching --------------------------------------------------------------------------------------------------- */

static aclError check_access(const struct pacl_kernel_access *a, size_t index)
{
    const struct pacl_place place = pacl_place_of(a->at);
    if (place.memory == PACL_MEMORY_PAGEABLE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "accesses[%zu]: %p is pageable host memory; kernels reach device and pinned memory", index,
                         a->at);
    const size_t offset = place.size > 0 ? (size_t)((const uint8_t *)a->at - place.base) : 0;
    if (place.size > 0 && pacl_pitched_fits(a->pitch, a->width, a->height, place.size - offset))
        return ACL_SUCCESS;
    return PACL_FAIL(
        ACL_ERROR_RT_PARAM_INVALID,
        "accesses[%zu]: %zu row(s) of %zu bytes with pitch %zu at %p do not lie inside one allocation of %s", index,
        a->height, a->width, a->pitch, a->at, pacl_memory_name(place.memory));
}

struct pacl_kernel_call *pacl_kernel_copy(const struct pacl_kernel_call *call, size_t size)
{
    const size_t accesses = call->count * sizeof *call->accesses;
    struct pacl_kernel_call *own = malloc(sizeof *own + accesses + size);
    if (own == NULL)
        return NULL;
    *own = *call;
    own->size = size;
    uint8_t *const behind = (uint8_t *)(own + 1);
    if (accesses > 0)
        memcpy(behind, call->accesses, accesses);
    if (size > 0)
        memcpy(behind + accesses, call->arguments, size);
    own->accesses = (const struct pacl_kernel_access *)(const void *)behind;
    own->arguments = size > 0 ? behind + accesses : NULL;
    return own;
}

aclError pacl_kernel_submit(struct pacl_stream *s, void *handle, const struct pacl_kernel_call *call, size_t size)
{
    aclError err = ACL_SUCCESS;
    for (size_t i = 0; err == ACL_SUCCESS && i < call->count; i++)
        err = check_access(&call->accesses[i], i);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_kernel_call *own = pacl_kernel_copy(call, size);
    if (own == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a kernel with %zu bytes of arguments", size);
    const struct pacl_work work = {
        .call = pacl_self.call, .op = PACL_OP_KERNEL, .thread = os_thread_id(), .kernel.call = own
    };
    err = pacl_stream_submit(s, handle, &work);
    if (err != ACL_SUCCESS)
        free(own);
    return err;
}

bool pacl_kernel_hold(const struct pacl_kernel_call *call)
{
    for (size_t i = 0; i < call->count; i++) {
        if (pacl_memory_hold(call->accesses[i].at))
            continue;
        while (i-- > 0)
            pacl_memory_release(call->accesses[i].at);
        return false;
    }
    return true;
}

void pacl_kernel_release(const struct pacl_kernel_call *call)
{
    for (size_t i = 0; i < call->count; i++)
        pacl_memory_release(call->accesses[i].at);
}

/* --- running ----------------------------------------------------------------------------------------------------- */

bool pacl_kernel_run_block(struct pacl_kernel_call *call, uint32_t block)
{
    int32_t none = 0;
    const uint32_t rights = os_guard_open();
    const int code = call->run(call->arguments, block, call->blocks);
    os_guard_close(rights);
    if (code == 0)
        return true;
    if (pacl_cas_seq_cst(&call->code, &none, code))
        pacl_store_seq_cst(&call->failed_block, block);
    return false;
}

void pacl_kernel_end(struct pacl_stream *s, const struct pacl_work *work)
{
    struct pacl_kernel_call *call = work->kernel.call;
    char what[96];
    const int32_t code = pacl_load_seq_cst(&call->code);
    if (code == 0)
        return;
    snprintf(what, sizeof what, "block %u of %u of the kernel returned %d", pacl_load_seq_cst(&call->failed_block),
             call->blocks, code);
    pacl_stream_fail_task(s, work, code, what);
}
