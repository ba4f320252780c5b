/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas against a model, and with threads that look up while others allocate and free. */
#include "arenas.h"

/* --- against a model -------------------------------------------------------------------------------------------- */

enum { BLOCKS_MAX = 400 };

struct model_block {
    uint8_t *base;
    size_t size, room;
    unsigned policy;
    bool retired;
    uint8_t first, last; /* bytes written at both ends */
};

struct model {
    struct pacl_arena *arena;
    uint8_t *base; /* the arena's first byte */
    struct model_block blocks[BLOCKS_MAX];
    size_t count;
};

static size_t any_size(uint64_t *state)
{
    const size_t power = (size_t)1 << random_in(state, 0, 23);
    return random_in(state, power, 2 * power - 1);
}

static void assert_apart(const struct model *m, const struct model_block *fresh)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct model_block *const b = &m->blocks[i];
        ck_assert_msg(fresh->base + fresh->room <= b->base || b->base + b->room <= fresh->base,
                      "%p, %zu bytes, shares bytes with %p, %zu bytes", (void *)fresh->base, fresh->room,
                      (void *)b->base, b->room);
    }
}

static void model_alloc(struct model *m, uint64_t *state)
{
    struct model_block b = { .size = any_size(state),
                             .policy = (unsigned)random_in(state, 0, 15),
                             .first = (uint8_t)random_next(state),
                             .last = (uint8_t)random_next(state) };
    if (m->count == BLOCKS_MAX)
        return;
    b.room = b.size + random_in(state, 0, 64);
    b.base = pacl_arena_alloc(m->arena, b.size, b.room, b.policy);
    if (b.base == NULL) {
        ck_assert_uint_gt(b.room, 2 * MIB); /* only a long run of spans can be lacking */
        return;
    }
    assert_apart(m, &b);
    write_byte(m->arena, b.base, b.first);
    if (b.size > 1)
        write_byte(m->arena, b.base + b.size - 1, b.last);
    m->blocks[m->count++] = b;
}

static void assert_content(const struct model *m, const struct model_block *b)
{
    ck_assert_uint_eq(read_byte(m->arena, b->base), b->first);
    if (b->size > 1)
        ck_assert_uint_eq(read_byte(m->arena, b->base + b->size - 1), b->last);
}

static void model_retire(struct model *m, struct model_block *b)
{
    struct pacl_block got;
    ck_assert(pacl_arena_retire(m->arena, b->base, &got) == !b->retired);
    if (b->retired)
        return;
    ck_assert(got.base == b->base && got.size == b->size && got.policy == b->policy);
    assert_content(m, b); /* retired memory keeps its bytes */
    b->retired = true;
}

static void model_recycle(struct model *m, struct model_block *b)
{
    if (!b->retired)
        return;
    assert_content(m, b);
    pacl_arena_recycle(m->arena, b->base);
    *b = m->blocks[--m->count];
}

static const struct model_block *owner_in_model(const struct model *m, const uint8_t *p)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct model_block *const b = &m->blocks[i];
        if (!b->retired && p >= b->base && p < b->base + b->size)
            return b;
    }
    return NULL;
}

/* In, at both ends of, and one past a block; any other address of the arena now and then. */
static void model_look_up(const struct model *m, const struct model_block *b, uint64_t *state)
{
    const uint8_t *const addresses[] = { b->base,
                                         b->base + random_in(state, 0, b->size - 1),
                                         b->base + b->size - 1,
                                         b->base + b->size,
                                         b->base + b->room - 1,
                                         m->base + random_in(state, 0, GIB - 1) };
    for (size_t i = 0; i < COUNT_OF(addresses); i++) {
        const uint8_t *const p = addresses[i];
        if (pacl_arena_of(p) != m->arena)
            continue; /* one past the arena's last block */
        const struct model_block *const want = owner_in_model(m, p);
        const struct pacl_block got = pacl_arena_find(m->arena, p);
        if (want == NULL)
            ck_assert_msg(!is_inside(&got, p), "address %zu of a block of %zu: in nobody's block", i, b->size);
        else
            ck_assert_msg(got.base == want->base && got.size == want->size && got.policy == want->policy,
                          "address %zu of a block of %zu: %zu bytes, expected %zu", i, b->size, got.size, want->size);
    }
}

START_TEST(random_allocations_against_a_model)
{
    static struct model m;
    uint64_t state = test_seed();
    m.arena = new_arena(GIB);
    m.base = pacl_arena_base(m.arena);
    for (size_t i = 0; i < test_rounds(20000); i++) {
        const bool grow = i / 500 % 2 == 0; /* the arena fills and empties by turns */
        const size_t action = random_in(&state, 0, 9);
        if (action < (grow ? 6U : 3U))
            model_alloc(&m, &state);
        if (m.count == 0)
            continue;
        struct model_block *const b = &m.blocks[random_in(&state, 0, m.count - 1)];
        model_look_up(&m, b, &state);
        if (action >= 6)
            model_retire(&m, b);
        else if (action == 5 || !grow)
            model_recycle(&m, b);
    }
    while (m.count > 0) {
        if (!m.blocks[0].retired)
            model_retire(&m, &m.blocks[0]);
        model_recycle(&m, &m.blocks[0]);
    }
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

enum { PERMANENT = 60, CHURNING = 40 };

struct shared {
    struct pacl_arena *arena;
    uint8_t *base; /* the arena's first byte */
    struct {
        uint8_t *base;
        size_t size;
    } permanent[PERMANENT];
    atomic_bool stop;
    atomic_uint wrong, looks, seeds;
};

/* Blocks that stay are found exactly, whatever happens to their neighbours in the same spans. */
static void *look_up(void *argument)
{
    struct shared *const s = argument;
    uint64_t state = atomic_fetch_add(&s->seeds, 1);
    while (!atomic_load(&s->stop)) {
        const size_t i = random_in(&state, 0, PERMANENT - 1);
        const uint8_t *const p = s->permanent[i].base + random_in(&state, 0, s->permanent[i].size - 1);
        const struct pacl_block block = pacl_arena_find(s->arena, p);
        if (block.base != s->permanent[i].base || block.size != s->permanent[i].size || block.policy != 7)
            atomic_fetch_add(&s->wrong, 1);
        (void)pacl_arena_find(s->arena, s->base + random_in(&state, 0, 200 * MIB)); /* found or not: no crash */
        atomic_fetch_add(&s->looks, 1);
    }
    return NULL;
}

/* Each thread's own blocks are its own: found while live, not found once retired. */
static void churn(struct shared *s, uint64_t *state)
{
    uint8_t *blocks[CHURNING] = { NULL };
    for (size_t i = 0; i < test_rounds(8000); i++) {
        const size_t at = random_in(state, 0, CHURNING - 1), size = any_size(state) % (3 * MIB) + 1;
        if (blocks[at] == NULL) {
            blocks[at] = pacl_arena_alloc(s->arena, size, size, 1);
            const struct pacl_block found =
                blocks[at] != NULL ? pacl_arena_find(s->arena, blocks[at]) : (struct pacl_block){ 0 };
            if (blocks[at] == NULL || found.base != blocks[at] || found.size != size)
                atomic_fetch_add(&s->wrong, 1);
            continue;
        }
        struct pacl_block block;
        if (!pacl_arena_retire(s->arena, blocks[at], &block) || pacl_arena_find(s->arena, blocks[at]).size != 0)
            atomic_fetch_add(&s->wrong, 1);
        pacl_arena_recycle(s->arena, blocks[at]);
        blocks[at] = NULL;
    }
}

static void *churn_in_thread(void *argument)
{
    struct shared *const s = argument;
    uint64_t state = atomic_fetch_add(&s->seeds, 1);
    churn(s, &state);
    return NULL;
}

START_TEST(look_ups_while_others_allocate_and_free)
{
    static struct shared s;
    pthread_t readers[2], writer;
    uint64_t state = test_seed();
    atomic_store(&s.seeds, (unsigned)state);
    s.arena = new_arena(GIB);
    s.base = pacl_arena_base(s.arena);
    for (size_t i = 0; i < PERMANENT; i++) {
        s.permanent[i].size = any_size(&state) % (3 * MIB) + 1;
        s.permanent[i].base = pacl_arena_alloc(s.arena, s.permanent[i].size, s.permanent[i].size, 7);
        ck_assert_ptr_nonnull(s.permanent[i].base);
    }
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        ck_assert_int_eq(pthread_create(&readers[i], NULL, look_up, &s), 0);
    while (atomic_load(&s.looks) == 0)
        os_yield();
    ck_assert_int_eq(pthread_create(&writer, NULL, churn_in_thread, &s), 0);
    churn(&s, &state);
    pthread_join(writer, NULL);
    atomic_store(&s.stop, true);
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        pthread_join(readers[i], NULL);
    ck_assert_uint_eq(s.wrong, 0);
}
END_TEST

int main(void)
{
    if (!choose_access())
        return SKIPPED;
    TCase *const tc = new_case("arena random", NULL, NULL);
    tcase_add_test(tc, random_allocations_against_a_model);
    tcase_add_test(tc, look_ups_while_others_allocate_and_free);
    return run_cases("arena_random", tc, (TCase *)NULL);
}
