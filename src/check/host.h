/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host code and pinned memory in flight: what the guards of pages need to know. A rectangle is in flight from its
 * submission until a synchronizing call has put its task before the host; that the task has run changes nothing.
 *
 * All host threads count as one here: how they order each other (locks, joins, atomics) is not seen, so what one of them
 * has synchronized with, all may rely on.
 */
#ifndef PACL_CHECK_HOST_H
#define PACL_CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether host code that reads or writes [address, address + size) in this thread touches a byte of a rectangle in
 * flight that it must not touch: a destination, or for a write also a source. Reports it as host-race; `pc` is the
 * instruction (NULL: the call stack as it is, for bytes that a call of PACL or of the system touches for the program).
 * Safe in a handler of a fault that the program's own code raised. */
bool pacl_check_host_access(const void *address, size_t size, bool writes, const void *pc);

/* The same question without a report. */
bool pacl_check_host_access_races(const void *address, size_t size, bool writes);

/* A rectangle in flight. */
struct pacl_check_flight {
    const uint8_t *at;
    size_t pitch, width, height; /* height 1: pitch says nothing */
    bool writes;                 /* the task writes it: host reads are wrong too */
};

/* Told for every rectangle in flight that has a row or gap in [from, from + bytes), in no order. `tell` must not ask
 * anything of this header. */
typedef void pacl_check_flight_fn(void *context, const struct pacl_check_flight *flight);
void pacl_check_each_flight(const void *from, size_t bytes, pacl_check_flight_fn *tell, void *context);

#endif
