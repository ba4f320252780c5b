/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory a work touches, for those who watch: rectangles in the program's addresses. */
#ifndef PACL_CORE_TOUCH_H
#define PACL_CORE_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pacl_work;

struct pacl_touch {
    const uint8_t *at;
    size_t pitch, width, height; /* bytes; height 1: pitch says nothing */
    bool writes;                 /* else reads */
    const char *captured;        /* by a graph's task: the call that was captured, a literal; else NULL */
    bool orders;                 /* a cell by which streams wait for each other: such accesses do not race */
};

/* Told for each rectangle that the work reads or writes, reads first; of a graph, task by task. Any number, none for work that touches no memory
 * of the program. */
typedef void pacl_touch_fn(void *context, const struct pacl_touch *touch);
void pacl_work_touches(const struct pacl_work *work, pacl_touch_fn *tell, void *context);

#endif
