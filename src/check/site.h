/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call sites: where in the program something happened, as a stack of return addresses without this library's own
 * frames. Taking one is cheap, because a stack that was seen before is recognised by a few words in it; names and lines
 * are looked up when a report is written, not before.
 *
 * Sites are interned: the same stack is the same pointer, which lives as long as the process. NULL is an unknown site.
 */
#ifndef PACL_CHECK_SITE_H
#define PACL_CHECK_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pacl_site;

/* The observer's `entered` and `left` call these: the thread is in a public function that returns to `return_address`;
 * `frame` is that function's canonical frame address. Calls of public functions within public functions nest. */
void pacl_site_enter(const void *return_address, const void *frame);
void pacl_site_leave(void);

/* Where the program called the public function that this thread is in. Outside of one: the stack as it is, without the
 * library's innermost frames (NULL in a thread of the library). */
const struct pacl_site *pacl_site_capture(void);

/* True in the public function that the program called, false in one that it called in turn, and outside. */
bool pacl_site_is_outermost(void);

/* For handlers of signals: the stack from the instruction `pc` on, that the signal interrupted. */
const struct pacl_site *pacl_site_capture_fault(const void *pc);

/* True if the two differ at most in frames that are far from the call: one place for a reader of reports. */
bool pacl_site_same_place(const struct pacl_site *a, const struct pacl_site *b);

/* For sites that are no stack of the machine (place.c): what a frame's address points to. */
struct pacl_place_frame {
    struct pacl_place_frame *next;
    int line;
    const char *file;
    char function[];
};

/* The site of such frames. */
const struct pacl_site *pacl_site_of_place(struct pacl_place_frame *const *frames, unsigned count, bool drops_result);

/* All captures of the calling thread are this site; NULL: they are its stack. */
void pacl_site_use(const struct pacl_site *site);

/* Who knows the place of a thread outside of public functions. */
void pacl_site_ask(const struct pacl_site *(*present)(void));

/* True for a site of pacl_site_of_place(), with what it says of the result. */
bool pacl_site_is_place(const struct pacl_site *site, bool *drops_result);

/* One line per frame, innermost first: "at FUNCTION (FILE:LINE)", then "by ..."; each after `indent`. */
void pacl_site_write(FILE *out, const struct pacl_site *site, const char *indent);

/* The frames of the machine. */
unsigned pacl_site_frames(const struct pacl_site *site);
uintptr_t pacl_site_address(const struct pacl_site *site, unsigned index); /* where the frame goes on */

/* The frames as the program's source has them, for reports that are no text: functions that were inlined are frames, too.
 * `tell` is given each with its number, innermost first, until it returns false. One thread at a time: the caller holds
 * the reports' lock. */
struct pacl_symbol;
typedef bool pacl_site_frame_fn(void *context, const struct pacl_symbol *symbol, unsigned number);
void pacl_site_each_frame(const struct pacl_site *site, pacl_site_frame_fn *tell, void *context);

/* A frame of the library, further out than another: it has called a function of the program, in a task. */
bool pacl_site_is_library(const struct pacl_symbol *symbol, unsigned number);

#endif
