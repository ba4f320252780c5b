/* SPDX-License-Identifier: Apache-2.0 */
#include "core/observer.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/calls.h"

enum { OBSERVERS_MAX = 8 };

const struct pacl_observer *_Atomic pacl_observer;

/* Written while the library is loaded or while the runtime starts, both in one thread. */
static void (*offers[OBSERVERS_MAX])(void);
static unsigned offer_count;
static const struct pacl_observer *observers[OBSERVERS_MAX];
static _Atomic unsigned observer_count;

/* --- one that stands for several --------------------------------------------------------------------------------- */

#define PASS_ON(point, parameters, arguments) \
    static void pass_on_##point parameters \
    { \
        const unsigned count = pacl_load_acquire(&observer_count); \
        for (unsigned i = 0; i < count; i++) { \
            if (observers[i]->point != NULL) \
                observers[i]->point arguments; \
        } \
    }
PACL_OBSERVER_POINTS(PASS_ON)

#define MEMBER(point, parameters, arguments) .point = pass_on_##point,
static const struct pacl_observer all = { PACL_OBSERVER_POINTS(MEMBER) };

/* --- setting up -------------------------------------------------------------------------------------------------- */

static void require_room(unsigned count)
{
    if (count < OBSERVERS_MAX)
        return;
    fputs("pacl: too many observers\n", stderr);
    abort();
}

void pacl_observer_offer(void (*install)(void))
{
    require_room(offer_count);
    offers[offer_count++] = install;
}

void pacl_observer_add(const struct pacl_observer *observer)
{
    const unsigned count = pacl_load_relaxed(&observer_count);
    require_room(count);
    observers[count] = observer;
    pacl_store_release(&observer_count, count + 1);
    pacl_store_release(&pacl_observer, count == 0 ? observer : &all);
    pacl_calls_keep_watched();
}

void pacl_observers_install(void)
{
    for (unsigned i = 0; i < offer_count; i++)
        offers[i]();
}

void pacl_observers_forget(void)
{
    pacl_store_release(&pacl_observer, NULL);
}
