/* SPDX-License-Identifier: Apache-2.0 */
#include "check/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"

static struct pacl_clock **clocks; /* by slot */
static uint32_t clock_room;
static _Atomic uint64_t generation;

/* --- clocks ------------------------------------------------------------------------------------------------------ */

static bool make_room(uint32_t slot)
{
    if (slot < clock_room)
        return true;
    uint32_t room = clock_room == 0 ? 64 : clock_room;
    while (room <= slot)
        room *= 2;
    struct pacl_clock **grown = realloc(clocks, room * sizeof(struct pacl_clock *));
    if (grown == NULL)
        return false;
    memset(grown + clock_room, 0, (room - clock_room) * sizeof(struct pacl_clock *));
    clocks = grown;
    clock_room = room;
    return true;
}

struct pacl_clock *pacl_clock_of(uint32_t slot)
{
    if (!make_room(slot))
        return NULL;
    if (clocks[slot] == NULL) {
        clocks[slot] = calloc(1, sizeof *clocks[slot]);
        if (clocks[slot] != NULL)
            clocks[slot]->tick = 1;
    }
    return clocks[slot];
}

bool pacl_host_knows(struct pacl_tick tick)
{
    return tick.slot >= clock_room || clocks[tick.slot] == NULL || clocks[tick.slot]->host >= tick.tick;
}

uint64_t pacl_host_generation(void)
{
    return pacl_load_acquire(&generation);
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
    struct pacl_clock *clock = pacl_clock_of(tick.slot);
    if (clock == NULL || clock->host >= tick.tick)
        return;
    clock->host = tick.tick;
    pacl_store_release(&generation, pacl_load_relaxed(&generation) + 1);
}

static void host_learn(const struct pacl_knowledge *known)
{
    for (uint32_t i = 0; known != NULL && i < known->count; i++)
        host_learn_one(known->ticks[i]);
}

/* When memory is short the host learns it for all: an order too many overlooks a mistake, one too few would make one up. */
static void learn(uint32_t slot, const struct pacl_knowledge *known)
{
    struct pacl_clock *clock = pacl_clock_of(slot);
    struct pacl_knowledge *both;
    if (clock == NULL || !adds_something(clock, known, slot))
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
    struct pacl_clock *clock = pacl_clock_of(slot);
    if (clock == NULL)
        return (struct pacl_moment){ 0 };
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
    for (uint32_t i = 0; i < clock_room; i++) {
        if (clocks[i] == NULL || i == slot)
            continue;
        struct pacl_moment moment = pacl_clock_mark(i);
        pacl_clock_learn(slot, &moment);
        pacl_moment_drop(&moment);
    }
}

void pacl_host_learn_all(void)
{
    for (uint32_t i = 0; i < clock_room; i++) {
        if (clocks[i] != NULL)
            host_learn_one((struct pacl_tick){ .slot = i, .tick = clocks[i]->tick++ });
    }
}
