/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A use of a block that is counted while its span becomes another class's, step by step: before each atomic operation of
 * the counting, by a hook, queued work lets go of the span's last block and somebody else gets the span. The address lies
 * in the new block then. Either the use is the new block's, or it is refused.
 */
#include <stdio.h>

#include "core/arena.h"
#include "crew.h"

void jitter(void); /* the hook: jitter.h calls it before each atomic operation */

#define MIB ((size_t)1 << 20)

enum { SMALL = 64 << 10 };

static struct {
    struct pacl_arena *arena;
    uint8_t *kept;  /* retired, and used by queued work that is about to end: the last block of its span */
    uint8_t *freed; /* its neighbour, of which a call still has the address */
    uint8_t *block; /* who has the span then */
    size_t size;    /* ... and how large it is */
    unsigned at;    /* the operation before which all that happens */
    unsigned count;
    bool counts;
} try;

static uint8_t *alloc(size_t size)
{
    uint8_t *const p = pacl_arena_alloc(try.arena, size, size, 0);
    ck_assert_msg(p != NULL, "%zu bytes", size);
    return p;
}

static bool retire(const uint8_t *p)
{
    struct pacl_block block;
    ck_assert(pacl_arena_retire(try.arena, p, &block));
    return block.held;
}

static void release(const uint8_t *p)
{
    if (pacl_arena_release(try.arena, p))
        pacl_arena_recycle(try.arena, p);
}

static void change_hands(void)
{
    release(try.kept);
    try.block = alloc(try.size);
}

void jitter(void)
{
    if (!try.counts)
        return;
    try.counts = false; /* what is done there does not count */
    if (++try.count == try.at)
        change_hands();
    try.counts = true;
}

/* A class keeps its last span: there is another one of that class. */
static void prepare(void)
{
    uint8_t *blocks[2 * MIB / SMALL] = { NULL };
    try.arena = pacl_arena_create(64 * MIB, PACL_PINNED, PACL_ACCESS_OPEN);
    ck_assert_ptr_nonnull(try.arena);
    for (size_t i = 0; i < COUNT_OF(blocks); i++)
        blocks[i] = alloc(SMALL);
    (void)alloc(SMALL);
    try.kept = blocks[0];
    try.freed = blocks[1];
    while (pacl_arena_alloc(try.arena, 2 * MIB, 2 * MIB, 0) != NULL)
        continue; /* the span will be the only free one */
    ck_assert(pacl_arena_hold(try.arena, try.kept));
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        if (!retire(blocks[i]))
            pacl_arena_recycle(try.arena, blocks[i]);
    }
}

/* True if the operation was reached. */
static bool try_before(unsigned at)
{
    prepare();
    try.at = at;
    try.count = 0;
    try.counts = true;
    const bool held = pacl_arena_hold(try.arena, try.freed);
    try.counts = false;
    if (try.count < at) {
        ck_assert(!held);
        return false;
    }
    ck_assert_msg(try.block <= try.freed && try.freed < try.block + try.size, "the span was not used again");
    ck_assert_msg(retire(try.block) == held, "before operation %u: %s", at,
                  held ? "the use is not counted" : "a use that was refused is counted");
    if (held)
        ck_assert_msg(pacl_arena_release(try.arena, try.freed), "before operation %u: it was not the last use", at);
    return true;
}

/* The same span as slots of another class, and as a large block. */
static const size_t sizes[] = { 128 << 10, 2 * MIB };

START_TEST(the_use_is_the_new_block_s_or_nobody_s)
{
    unsigned at = 1;
    try.size = sizes[_i];
    while (try_before(at))
        at++;
    ck_assert_msg(at > 4, "only %u operations: are they counted?", at - 1);
}
END_TEST

int main(void)
{
    TCase *const tcase = new_case("steps", NULL, NULL);
    tcase_add_loop_test(tcase, the_use_is_the_new_block_s_or_nobody_s, 0, (int)COUNT_OF(sizes));
    return run_cases("stress_hold_steps", tcase, NULL);
}
