/* SPDX-License-Identifier: Apache-2.0 */
#include "core/habit.h"

#include <stdint.h>

#include "copy/copy.h"
#include "os/os.h"

enum {
    ENOUGH_WAITS = 8,
    LOOK_EVERY = 16, /* to read the clock each time would take what the habit gains */
    SOON_NS = 5000,  /* an engine that was called would have begun about then */
};

static _Thread_local struct {
    const struct pacl_stream *last; /* where its last such copy went, while it has not waited since */
    bool queued;                    /* and that copy was left in the queue */
    uint32_t waits;                 /* of those that count, in a row */
    uint64_t looked_ns;             /* when the last copy was over, where that is looked at; else 0 */
} habit;

/* What several threads would share is not one thread's to do. */
bool pacl_habit_takes(const struct pacl_stream *s, size_t cost)
{
    if (cost > pacl_copy_share_from(&pacl_copy_tuning))
        return false;
    if (habit.last != NULL)
        habit.waits = 0;
    habit.last = s;
    habit.queued = habit.waits < ENOUGH_WAITS;
    habit.waits += !habit.queued;
    return !habit.queued;
}

void pacl_habit_taken(void)
{
    habit.looked_ns = habit.last != NULL && habit.waits % LOOK_EVERY == 0 ? os_now_ns() : 0;
}

bool pacl_habit_waits(const struct pacl_stream *s)
{
    if (habit.last != s)
        return false;
    habit.last = NULL;
    if (!habit.queued && habit.looked_ns != 0 && os_now_ns() - habit.looked_ns > SOON_NS)
        habit.waits = 0;
    return habit.queued;
}

void pacl_habit_learns(bool helped)
{
    habit.waits = helped ? habit.waits + 1 : 0;
}
