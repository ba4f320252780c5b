/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes an instruction touches, and from where. */
#ifndef PACL_OS_DECODE_H
#define PACL_OS_DECODE_H

#include "os/fault.h"

/* Loads the decoder; false where there is none. Once, before the handlers are there. */
bool os_decode_start(void);

/* Sets `first` and `size` of an access whose other members are set, from the instruction at `pc` and the registers
 * (greg_t[] of x86-64). Leaves them where it cannot tell: no decoder in this build, masked accesses, gathers. For
 * signal handlers. */
void os_decode_access(const void *registers, struct os_access *access);

#endif
