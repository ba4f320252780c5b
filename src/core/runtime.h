/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for the whole process: the product, the options, start and end. */
#ifndef PACL_CORE_RUNTIME_H
#define PACL_CORE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "base/atomic.h"
#include "core/arena.h"
#include "core/product.h"

enum { PACL_DEVICES_MAX = 64 };

/* Fixed by the first call that needs it, constant from then on. */
struct pacl_runtime {
    struct pacl_product product;                /* with PACL_DEVICES and PACL_DEVICE_MEMORY applied */
    uint32_t device_count;                      /* visible ones */
    uint32_t device_physical[PACL_DEVICES_MAX]; /* what a visible device's number stands for */
    uint32_t engines;                           /* threads that serve streams */
    uint32_t queue_depth;                       /* tasks that a stream holds */
    uint32_t graph_descriptors;                 /* what a captured graph may take, one per row of a copy */
    enum pacl_access access;                    /* how device memory is kept from the host */
    bool peer_open;                             /* PACL_PEER=open: no peer access needed */
    char problem[512];                          /* why the options cannot be used; "" if they can */
};

extern struct pacl_runtime pacl_runtime_options;
extern _Atomic bool pacl_runtime_is_started;
const struct pacl_runtime *pacl_runtime_start(void);

/* The runtime, started if it was not; never NULL. Look at `problem` before relying on the rest: pacl_runtime_require
 * does. Acquire, paired with the release at the end of the start. */
static inline const struct pacl_runtime *pacl_runtime(void)
{
    return __builtin_expect(pacl_load_acquire(&pacl_runtime_is_started), 1) ? &pacl_runtime_options
                                                                            : pacl_runtime_start();
}

/* ACL_SUCCESS, or fails with `code` and the problem; 107002 in the child of a fork. */
aclError pacl_runtime_require(aclError code);

/* For a handle or pointer that names nothing: 107002 in the child of a fork, where none does; else `code` with the text. */
#define PACL_FAIL_UNKNOWN(code, ...) \
    (pacl_runtime_is_forked() ? pacl_runtime_refuse_child() : PACL_FAIL((code), __VA_ARGS__))
bool pacl_runtime_is_forked(void);
aclError pacl_runtime_refuse_child(void);

/* Chooses the product before the runtime starts. False once it has started. */
bool pacl_runtime_select(const char *name);

/* Why streams do not go on; 0: they do. Looked at before each task. */
enum {
    PACL_HALT_EXIT = 1,  /* the process runs its exit handlers: running work ends, queued work is dropped */
    PACL_HALT_QUIET = 2, /* a thread wants a moment without any (core/quiet.h) */
};
extern _Atomic uint32_t pacl_runtime_halt;

static inline bool pacl_runtime_is_exiting(void)
{
    return (pacl_load_relaxed(&pacl_runtime_halt) & PACL_HALT_EXIT) != 0;
}

#endif
