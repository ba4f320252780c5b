/* SPDX-License-Identifier: Apache-2.0 */
#include "check/clock.h"

#include <stdlib.h>
#include <string.h>

static struct pacl_clock **clocks; /* by slot; the first clock_count are there, and never freed */
static uint32_t clock_count, clock_room;
static uint32_t *closed; /* slots that are to be used again; has as much room */
static uint32_t closed_count;
static uint64_t generation;

/* --- clocks ------------------------------------------------------------------------------------------------------ */

static bool make_room(void)
{
    if (clock_count < clock_room)
        return true;
    const uint32_t room = clock_room == 0 ? 64 : 2 * clock_room;
    struct pacl_clock **grown = realloc(clocks, room * sizeof(struct pacl_clock *));
    if (grown == NULL)
        return false;
    clocks = grown;
    uint32_t *grown_closed = realloc(closed, room * sizeof *grown_closed);
    if (grown_closed == NULL)
        return false;
    closed = grown_closed;
    clock_room = room;
    return true;
}

uint32_t pacl_clock_open(void)
{
    if (closed_count > 0)
        return closed[--closed_count];
    struct pacl_clock *clock = make_room() ? calloc(1, sizeof *clock) : NULL;
    if (clock == NULL)
        return PACL_CLOCK_NONE;
    clock->tick = 1;
    clocks[clock_count] = clock;
    return clock_count++;
}

void pacl_clock_close(uint32_t slot)
{
    pacl_clock_begin(slot, NULL);
    closed[closed_count++] = slot;
}

struct pacl_clock *pacl_clock_of(uint32_t slot)
{
    return clocks[slot];
}

void pacl_clock_begin(uint32_t slot, struct pacl_knowledge *known)
{
    pacl_knowledge_share(known);
    pacl_knowledge_drop(clocks[slot]->known);
    clocks[slot]->known = known;
}

bool pacl_host_knows(struct pacl_tick tick)
{
    return clocks[tick.slot]->host >= tick.tick;
}

uint64_t pacl_host_generation(void)
{
    return generation;
}

/* --- knowledge --------------------------------------------------------------------------------------------------- */

struct pacl_knowledge *pacl_knowledge_share(struct pacl_knowledge *known)
{
    if (known != NULL)
        known->references++;
    return known;
}

void pacl_knowledge_drop(struct pacl_knowledge *known)
{
    if (known != NULL && --known->references == 0)
        free(known);
}

bool pacl_knows(const struct pacl_knowledge *known, struct pacl_tick tick)
{
    uint32_t low = 0, high = known != NULL ? known->count : 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (known->ticks[middle].slot == tick.slot)
            return known->ticks[middle].tick >= tick.tick;
        if (known->ticks[middle].slot < tick.slot)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Appends what is worth keeping: not the stream's own ticks, not what the host knows anyway. */
static void append(struct pacl_knowledge *to, struct pacl_tick tick, uint32_t own)
{
    if (tick.slot != own && !pacl_host_knows(tick))
        to->ticks[to->count++] = tick;
}

/* Both merged, without what needs no place; *both is NULL for nothing. False when memory is short. */
static bool merge(const struct pacl_knowledge *a, const struct pacl_knowledge *b, uint32_t own,
                  struct pacl_knowledge **both)
{
    const uint32_t a_count = a != NULL ? a->count : 0, b_count = b != NULL ? b->count : 0;
    struct pacl_knowledge *to = malloc(sizeof *to + (size_t)(a_count + b_count) * sizeof to->ticks[0]);
    *both = to;
    if (to == NULL)
        return false;
    to->references = 1;
    to->count = 0;
    for (uint32_t i = 0, k = 0; i < a_count || k < b_count;) {
        if (k == b_count || (i < a_count && a->ticks[i].slot < b->ticks[k].slot)) {
            append(to, a->ticks[i++], own);
        } else if (i == a_count || b->ticks[k].slot < a->ticks[i].slot) {
            append(to, b->ticks[k++], own);
        } else {
            append(to, a->ticks[i].tick > b->ticks[k].tick ? a->ticks[i] : b->ticks[k], own);
            i++;
            k++;
        }
    }
    if (to->count == 0) {
        free(to);
        *both = NULL;
    }
    return true;
}

static bool adds_something(const struct pacl_clock *clock, const struct pacl_knowledge *known, uint32_t own)
{
    for (uint32_t i = 0; known != NULL && i < known->count; i++) {
        const struct pacl_tick tick = known->ticks[i];
        if (tick.slot != own && !pacl_host_knows(tick) && !pacl_knows(clock->known, tick))
            return true;
    }
    return false;
}

static void host_learn_one(struct pacl_tick tick)
{
    struct pacl_clock *clock = clocks[tick.slot];
    if (clock->host >= tick.tick)
        return;
    clock->host = tick.tick;
    generation++;
}

static void host_learn(const struct pacl_knowledge *known)
{
    for (uint32_t i = 0; known != NULL && i < known->count; i++)
        host_learn_one(known->ticks[i]);
}

/* When memory is short the host learns it for all: an order too many overlooks a mistake, one too few would make one up. */
static void learn(uint32_t slot, const struct pacl_knowledge *known)
{
    struct pacl_clock *clock = clocks[slot];
    struct pacl_knowledge *both;
    if (!adds_something(clock, known, slot))
        return;
    if (!merge(clock->known, known, slot, &both)) {
        host_learn(clock->known);
        host_learn(known);
    }
    pacl_knowledge_drop(clock->known);
    clock->known = both;
}

/* --- moments ----------------------------------------------------------------------------------------------------- */

/* A moment's own tick as if it were knowledge. */
union one {
    struct pacl_knowledge known;
    char room[sizeof(struct pacl_knowledge) + sizeof(struct pacl_tick)];
};

static const struct pacl_knowledge *knowledge_of(union one *one, const struct pacl_moment *moment)
{
    one->known.references = 1;
    one->known.count = 1;
    one->known.ticks[0] = moment->at;
    return &one->known;
}

struct pacl_moment pacl_clock_mark(uint32_t slot)
{
    struct pacl_clock *clock = clocks[slot];
    return (struct pacl_moment){ .at = { .slot = slot, .tick = clock->tick++ },
                                 .known = pacl_knowledge_share(clock->known) };
}

void pacl_moment_drop(struct pacl_moment *moment)
{
    pacl_knowledge_drop(moment->known);
    *moment = (struct pacl_moment){ 0 };
}

struct pacl_moment pacl_moment_share(const struct pacl_moment *moment)
{
    pacl_knowledge_share(moment->known);
    return *moment;
}

void pacl_clock_learn(uint32_t slot, const struct pacl_moment *moment)
{
    union one one;
    if (moment->at.tick == 0)
        return;
    learn(slot, knowledge_of(&one, moment));
    learn(slot, moment->known);
}

void pacl_knowledge_add(struct pacl_knowledge **known, const struct pacl_moment *moment)
{
    union one one;
    struct pacl_knowledge *both;
    if (moment->at.tick == 0)
        return;
    const struct pacl_knowledge *parts[] = { knowledge_of(&one, moment), moment->known };
    for (unsigned i = 0; i < 2; i++) {
        if (!merge(*known, parts[i], UINT32_MAX, &both))
            host_learn(parts[i]);
        else {
            pacl_knowledge_drop(*known);
            *known = both;
        }
    }
}

void pacl_clock_learn_known(uint32_t slot, const struct pacl_knowledge *known)
{
    learn(slot, known);
}

void pacl_host_learn(const struct pacl_moment *moment)
{
    if (moment->at.tick == 0)
        return;
    host_learn_one(moment->at);
    host_learn(moment->known);
}

void pacl_clock_learn_all(uint32_t slot)
{
    struct pacl_knowledge *known = malloc(sizeof *known + clock_count * sizeof known->ticks[0]);
    if (known == NULL) {
        pacl_host_learn_all();
        return;
    }
    known->references = 1;
    known->count = clock_count;
    for (uint32_t i = 0; i < clock_count; i++)
        known->ticks[i] = (struct pacl_tick){ .slot = i, .tick = clocks[i]->tick++ };
    learn(slot, known);
    pacl_knowledge_drop(known);
}

void pacl_host_learn_all(void)
{
    for (uint32_t i = 0; i < clock_count; i++)
        host_learn_one((struct pacl_tick){ .slot = i, .tick = clocks[i]->tick++ });
}
