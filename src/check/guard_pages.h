/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of pinned memory that the host may not touch at the moment, because queued work names bytes on them. Engines
 * use the other mapping (PACL_ACCESS_VIEW) and are not concerned.
 *
 * Guards are raised when work is submitted and lowered lazily: by an access that turns out to be ordered, or when there
 * are too many of them. So a buffer that is copied again and again costs no system call.
 */
#ifndef PACL_CHECK_GUARD_PAGES_H
#define PACL_CHECK_GUARD_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pacl_guard {
    PACL_GUARD_NONE,
    PACL_GUARD_WRITES, /* queued work reads the bytes: the host may read them, too */
    PACL_GUARD_ALL,
};

/* Which guard a range needs at present, by what is queued. Called under the guards' lock. */
typedef enum pacl_guard pacl_guard_needed_fn(const uint8_t *at, size_t bytes);

/* Before the first pinned allocation. */
void pacl_guard_pages_start(pacl_guard_needed_fn *needed);

/* For the child of a fork, whose pinned memory is all open. */
void pacl_guard_pages_forget(void);

/* True if the range can be guarded: it begins in pinned memory of PACL's own that has a second mapping. */
bool pacl_guard_pages_cover(const void *at);

/* True while no page is guarded. One load. */
bool pacl_guard_pages_idle(void);

/* Raises the guard of all pages of the range. A guard that is higher stays. */
void pacl_guard_raise(const void *at, size_t bytes, enum pacl_guard guard);

/* What a page's guard was found to be. */
enum pacl_guard_found {
    PACL_GUARD_FOUND_OPEN,   /* it allowed the access already */
    PACL_GUARD_OPENED,       /* it allows it now: nothing that is queued minds */
    PACL_GUARD_FOUND_CLOSED, /* it stays: the page has bytes of queued work that do not go with the access */
};

/* For an access that faulted: lowers guards that are not needed any more, of this page and of those around it. */
enum pacl_guard_found pacl_guard_examine(const void *at, bool writes);

/* Opens the pages of the range to the host whatever their guard is, and puts them back. In between every thread may
 * touch them. A range is as wide as its pages. */
void pacl_guard_lift(const void *at, size_t bytes);
void pacl_guard_restore(const void *at, size_t bytes);

/* The same for a signal handler that may have interrupted anything of this library: takes no lock, so a guard that
 * changes at the same moment may be left open. */
void pacl_guard_peek(const void *at, size_t bytes, bool lift);

/* Takes the guards away until the next ones are raised. */
void pacl_guard_drop(const void *at, size_t bytes);
void pacl_guard_drop_all(void);

/* True if the thread holds the guards' lock: a signal handler that interrupted it must not come here. */
bool pacl_guard_pages_busy(void);

#endif
