/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel touches memory on the program's behalf: read(2) into a pinned buffer, write(2) from one. It would fail with
 * EFAULT on a guarded page. So the functions that ask it for that are hooked: the pages are open during the call, and
 * the bytes that it has moved are looked at as the host's own access.
 */
#ifndef PACL_CHECK_KERNEL_ACCESS_H
#define PACL_CHECK_KERNEL_ACCESS_H

/* Once, before the first page is guarded. Hooks the functions around signals, too (os/fault.h). */
void pacl_kernel_access_start(void);

#endif
