/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the program that are called when streams, devices and their work begin or end, each registered under a
 * name. They run in the thread whose call makes the change, with none of the library's locks held, and may call ACL.
 */
#ifndef PACL_CORE_STATE_CALLBACK_H
#define PACL_CORE_STATE_CALLBACK_H

#include "acl/acl_rt.h"

enum pacl_state_kind { PACL_STATE_STREAM, PACL_STATE_DEVICE, PACL_STATE_ABORT, PACL_STATE_KINDS };

union pacl_state_function {
    aclrtStreamStateCallback stream;
    aclrtDeviceStateCallback device;
    aclrtDeviceTaskAbortCallback abort;
    void (*any)(void);
};

/* Registers the function under the name, or, if it is null, takes back the one of that name. 100000: null name; 107000: a
 * function of that name is there already, or to be taken back and not there, or there are 64. */
aclError pacl_state_register(enum pacl_state_kind kind, const char *name, union pacl_state_function function,
                             void *argument);

/* Call all functions of a kind, in the order of their registration. Cheap if there are none. */
void pacl_state_tell_stream(aclrtStream stream, aclrtStreamState state);
void pacl_state_tell_device(int32_t device, aclrtDeviceState state);

/* Stops at the first that does not answer 0, and returns what it answered. */
int32_t pacl_state_tell_abort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout_ms);

#endif
