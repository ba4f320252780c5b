/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host accesses to memory that is in flight, or a device's: the program's own faults on guarded pages and on device
 * memory, and accesses that the kernel makes for it. Innocent ones go on as if nothing had been; the others are
 * reported, and go on as well.
 */
#ifndef PACL_CHECK_HOST_FAULT_H
#define PACL_CHECK_HOST_FAULT_H

#include <stdbool.h>
#include <stddef.h>

struct pacl_observer;

/* Before the first allocation. False where there is nothing to watch: nobody wants the findings, or the program has
 * ThreadSanitizer, whose own handlers must stay. Else `pacl_host_observer` is to be added, behind the observer that
 * knows what is in flight. */
bool pacl_host_checks_start(void);
extern const struct pacl_observer pacl_host_observer;

/* Opens the pages of a range to the host, and puts their guards back; pacl_host_touched() then tells what was touched in
 * between. From any thread, in a signal handler, too. */
void pacl_host_lift(const void *at, size_t bytes);
void pacl_host_restore(const void *at, size_t bytes);
void pacl_host_touched(const void *at, size_t bytes, bool writes);

#endif
