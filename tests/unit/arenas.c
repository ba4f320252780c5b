/* SPDX-License-Identifier: Apache-2.0 */
#include "arenas.h"

#include <stdio.h>

enum pacl_access access_kind;

bool choose_access(void)
{
    const char *const variable = getenv("PACL_TEST_ACCESS"), *const name = variable != NULL ? variable : "open";
    if (strcmp(name, "keys") == 0) {
        access_kind = PACL_ACCESS_KEYS;
        if (os_guard_create())
            return true;
        printf("skipped: this machine has no memory protection keys\n");
        return false;
    }
    if (strcmp(name, "view") == 0)
        access_kind = PACL_ACCESS_VIEW;
    else
        access_kind = strcmp(name, "mapping") == 0 ? PACL_ACCESS_MAPPING : PACL_ACCESS_OPEN;
    return true;
}

struct pacl_arena *new_arena(size_t bytes)
{
    struct pacl_arena *const arena = pacl_arena_create(bytes, DEVICE, access_kind);
    ck_assert_ptr_nonnull(arena);
    return arena;
}

uint8_t *alloc(struct pacl_arena *arena, size_t size)
{
    uint8_t *const p = pacl_arena_alloc(arena, size, size, 0);
    ck_assert_msg(p != NULL, "%zu bytes", size);
    return p;
}

void retire(struct pacl_arena *arena, const uint8_t *p)
{
    struct pacl_block block;
    ck_assert_msg(pacl_arena_retire(arena, p, &block), "%p", (const void *)p);
    ck_assert_ptr_eq(block.base, p);
}

void give_back(struct pacl_arena *arena, const uint8_t *p)
{
    retire(arena, p);
    pacl_arena_recycle(arena, p);
}

bool is_inside(const struct pacl_block *block, const uint8_t *p)
{
    return (size_t)(p - block->base) < block->size;
}

void assert_found(const struct pacl_arena *arena, const uint8_t *p, const uint8_t *base, size_t size)
{
    const struct pacl_block block = pacl_arena_find(arena, p);
    ck_assert_msg(block.base == base && block.size == size, "%p is found in %p, %zu bytes; expected %p, %zu",
                  (const void *)p, (void *)block.base, block.size, (const void *)base, size);
}

void assert_nobody_s(const struct pacl_arena *arena, const uint8_t *p)
{
    const struct pacl_block block = pacl_arena_find(arena, p);
    ck_assert_msg(!is_inside(&block, p), "%p is found in %p, %zu bytes", (const void *)p, (void *)block.base,
                  block.size);
}

void write_byte(const struct pacl_arena *arena, uint8_t *p, uint8_t value)
{
    const uint32_t saved = os_guard_open();
    p[pacl_arena_view(arena)] = value;
    os_guard_close(saved);
}

uint8_t read_byte(const struct pacl_arena *arena, const uint8_t *p)
{
    const uint32_t saved = os_guard_open();
    const uint8_t value = p[pacl_arena_view(arena)];
    os_guard_close(saved);
    return value;
}
