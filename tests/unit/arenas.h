/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of arenas share. Every test makes its own arena in its own process. */
#ifndef PACL_TESTS_UNIT_ARENAS_H
#define PACL_TESTS_UNIT_ARENAS_H

#include "../api/support.h"
#include "core/arena.h"
#include "os/os.h"

#define KIB ((size_t)1024)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

enum { SKIPPED = 77, DEVICE = 3 };

/* How device memory is kept from the host: as PACL_TEST_ACCESS names it, open, keys, mapping or view. */
extern enum pacl_access access_kind;

/* Sets it. False, and a reason printed, where this machine lacks what the access needs. */
bool choose_access(void);

struct pacl_arena *new_arena(size_t bytes);
uint8_t *alloc(struct pacl_arena *arena, size_t size);
void retire(struct pacl_arena *arena, const uint8_t *p);
void give_back(struct pacl_arena *arena, const uint8_t *p);

/* True if the address lies in the block that was found for it. */
bool is_inside(const struct pacl_block *block, const uint8_t *p);
void assert_found(const struct pacl_arena *arena, const uint8_t *p, const uint8_t *base, size_t size);
void assert_nobody_s(const struct pacl_arena *arena, const uint8_t *p);

/* As an engine touches device memory. */
void write_byte(const struct pacl_arena *arena, uint8_t *p, uint8_t value);
uint8_t read_byte(const struct pacl_arena *arena, const uint8_t *p);

#endif
