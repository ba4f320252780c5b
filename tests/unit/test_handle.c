/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: a value that names no open object is never followed. */
#include "../api/support.h"
#include "core/context.h"
#include "core/event.h"
#include "core/handle.h"
#include "core/stream.h"

#define FULL ((size_t)PACL_POOL_MAX)

static struct pacl_object *take(struct pacl_pool *pool)
{
    struct pacl_object *const object = pacl_pool_take(pool);
    ck_assert_ptr_nonnull(object);
    return object;
}

static void close_and_give(struct pacl_pool *pool, struct pacl_object *object)
{
    ck_assert(pacl_object_close(object, pacl_object_handle(object)));
    pacl_pool_give(pool, object);
}

static uint64_t bits(const void *handle)
{
    return (uint64_t)(uintptr_t)handle;
}

static const void *as_handle(uint64_t value)
{
    return (const void *)(uintptr_t)value;
}

/* --- what a handle says ----------------------------------------------------------------------------------------- */

START_TEST(a_handle_holds_kind_generation_and_index)
{
    struct pacl_pool *const pools[] = { &pacl_contexts, &pacl_streams, &pacl_events };
    const uint64_t kinds[] = { PACL_KIND_CONTEXT, PACL_KIND_STREAM, PACL_KIND_EVENT };
    for (size_t i = 0; i < COUNT_OF(pools); i++) {
        struct pacl_object *const first = take(pools[i]), *const second = take(pools[i]);
        const uint64_t handle = bits(pacl_object_open(pools[i], second));
        ck_assert_uint_eq(handle >> 56, kinds[i]);
        ck_assert_uint_eq(handle >> 24 & UINT32_MAX, 1);
        ck_assert_uint_eq(handle >> 4 & (PACL_POOL_MAX - 1), 1);
        ck_assert_uint_eq(handle & 0xF, 0);
        ck_assert_ptr_eq(pacl_pool_find(pools[i], as_handle(handle)), second);
        ck_assert_ptr_eq(pacl_object_handle(second), as_handle(handle));
        ck_assert_ptr_null(pacl_object_handle(first));
    }
}
END_TEST

START_TEST(an_object_is_found_only_while_it_is_open)
{
    struct pacl_object *const object = take(&pacl_events);
    ck_assert_ptr_null(pacl_object_handle(object));
    const void *const handle = pacl_object_open(&pacl_events, object);
    ck_assert_ptr_eq(pacl_pool_find(&pacl_events, handle), object);
    ck_assert(pacl_object_close(object, handle));
    ck_assert_ptr_null(pacl_pool_find(&pacl_events, handle));
    ck_assert(!pacl_object_close(object, handle)); /* the second of two closers loses */
    ck_assert_ptr_eq(pacl_pool_at(&pacl_events, object->index), object);
}
END_TEST

START_TEST(a_late_closer_leaves_the_slot_s_next_object_alone)
{
    struct pacl_object *const object = take(&pacl_events);
    const void *const stale = pacl_object_open(&pacl_events, object);
    ck_assert(pacl_object_close(object, stale));
    const void *const handle = pacl_object_open(&pacl_events, object);
    ck_assert(!pacl_object_close(object, stale));
    ck_assert_ptr_eq(pacl_pool_find(&pacl_events, handle), object);
    ck_assert(pacl_object_close(object, handle));
}
END_TEST

START_TEST(reuse_changes_the_handle)
{
    struct pacl_object *const object = take(&pacl_events);
    uint64_t stale[100];
    for (size_t i = 0; i < COUNT_OF(stale); i++) {
        stale[i] = bits(pacl_object_open(&pacl_events, object));
        ck_assert_uint_eq(stale[i] >> 24 & UINT32_MAX, i + 1);
        for (size_t older = 0; older < i; older++)
            ck_assert_ptr_null(pacl_pool_find(&pacl_events, as_handle(stale[older])));
        ck_assert_ptr_eq(pacl_pool_find(&pacl_events, as_handle(stale[i])), object);
        ck_assert(pacl_object_close(object, as_handle(stale[i])));
    }
}
END_TEST

/* --- foreign values --------------------------------------------------------------------------------------------- */

START_TEST(a_handle_of_another_kind_names_nothing)
{
    struct pacl_pool *const pools[] = { &pacl_contexts, &pacl_streams, &pacl_events };
    const void *handles[COUNT_OF(pools)];
    for (size_t i = 0; i < COUNT_OF(pools); i++)
        handles[i] = pacl_object_open(pools[i], take(pools[i]));
    for (size_t i = 0; i < COUNT_OF(pools); i++) {
        for (size_t other = 0; other < COUNT_OF(pools); other++) {
            const bool found = pacl_pool_find(pools[i], handles[other]) != NULL;
            ck_assert_msg(found == (i == other), "pool %zu, handle of pool %zu", i, other);
        }
    }
}
END_TEST

START_TEST(a_wrong_bit_anywhere_names_nothing)
{
    uint64_t handle = 0;
    for (unsigned i = 0; i < PACL_POOL_CHUNK; i++)
        handle = bits(pacl_object_open(&pacl_streams, take(&pacl_streams)));
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t wrong = handle ^ (uint64_t)1 << bit;
        const bool another_index = bit >= 4 && bit < 4 + 6; /* an open object of the same generation */
        ck_assert_msg((pacl_pool_find(&pacl_streams, as_handle(wrong)) != NULL) == another_index, "bit %u", bit);
    }
}
END_TEST

START_TEST(addresses_and_numbers_name_nothing)
{
    int on_the_stack;
    void *const allocated = malloc(64);
    const void *const values[] = {
        NULL,      as_handle(1),  as_handle(0x10),       &on_the_stack,
        allocated, &pacl_streams, as_handle(UINT64_MAX), as_handle((uint64_t)PACL_KIND_STREAM << 56)
    };
    for (size_t i = 0; i < COUNT_OF(values); i++)
        ck_assert_msg(pacl_pool_find(&pacl_streams, values[i]) == NULL, "empty pool, value %zu", i);
    pacl_object_open(&pacl_streams, take(&pacl_streams));
    for (size_t i = 0; i < COUNT_OF(values); i++)
        ck_assert_msg(pacl_pool_find(&pacl_streams, values[i]) == NULL, "value %zu", i);
    free(allocated);
}
END_TEST

/* --- the pool --------------------------------------------------------------------------------------------------- */

START_TEST(indices_end_with_the_last_chunk)
{
    ck_assert_ptr_null(pacl_pool_at(&pacl_events, 0));
    take(&pacl_events);
    ck_assert_ptr_nonnull(pacl_pool_at(&pacl_events, 0));
    ck_assert_ptr_nonnull(pacl_pool_at(&pacl_events, PACL_POOL_CHUNK - 1));
    ck_assert_ptr_null(pacl_pool_at(&pacl_events, PACL_POOL_CHUNK));
    ck_assert_ptr_null(pacl_pool_at(&pacl_events, PACL_POOL_MAX - 1));
    ck_assert_ptr_null(pacl_pool_at(&pacl_events, UINT32_MAX));
}
END_TEST

START_TEST(objects_are_zeroed_apart_and_aligned)
{
    struct pacl_object *before = NULL;
    for (uint32_t i = 0; i < 3 * PACL_POOL_CHUNK + 1; i++) {
        struct pacl_object *const object = take(&pacl_streams);
        ck_assert_uint_eq((uintptr_t)object % 64, 0);
        ck_assert_uint_eq(object->index, i);
        ASSERT_ALL_BYTES(object + 1, sizeof(struct pacl_stream) - sizeof *object, 0);
        ck_assert(before == NULL || labs((char *)object - (char *)before) >= (long)sizeof(struct pacl_stream));
        memset(object + 1, 0xFF, sizeof(struct pacl_stream) - sizeof *object);
        before = object;
    }
}
END_TEST

/* A pointer to an object and its handle stay good while the pool grows. */
START_TEST(growth_keeps_objects_in_place)
{
    enum { MANY = 1000 };
    static struct pacl_object *objects[MANY];
    static const void *handles[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        objects[i] = take(&pacl_events);
        handles[i] = pacl_object_open(&pacl_events, objects[i]);
        ck_assert_ptr_eq(pacl_pool_at(&pacl_events, i), objects[i]);
    }
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_ptr_eq(pacl_pool_find(&pacl_events, handles[i]), objects[i]);
    for (uint32_t i = 0; i < MANY; i += 2)
        close_and_give(&pacl_events, objects[i]);
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_ptr_eq(pacl_pool_find(&pacl_events, handles[i]), i % 2 == 0 ? NULL : objects[i]);
}
END_TEST

START_TEST(slots_come_again_oldest_first)
{
    struct pacl_object *objects[PACL_POOL_CHUNK];
    for (size_t i = 0; i < COUNT_OF(objects); i++) {
        objects[i] = take(&pacl_events);
        pacl_object_open(&pacl_events, objects[i]);
    }
    for (size_t i = COUNT_OF(objects); i-- > 0;)
        close_and_give(&pacl_events, objects[i]);
    for (size_t i = COUNT_OF(objects); i-- > 0;)
        ck_assert_ptr_eq(take(&pacl_events), objects[i]);
    ck_assert_uint_eq(take(&pacl_events)->index, PACL_POOL_CHUNK); /* none was left: a new chunk */
}
END_TEST

/* A pool of its own, of the smallest objects, filled until the index can name no more. */
START_TEST(the_index_bounds_a_pool)
{
    static struct pacl_pool pool = { .kind = PACL_KIND_EVENT, .object_size = 64, .lock = PTHREAD_MUTEX_INITIALIZER };
    struct pacl_object *last = NULL;
    ck_assert_uint_le(sizeof *last, pool.object_size);
    pacl_list_init(&pool.free);
    for (size_t i = 0; i < FULL; i++)
        last = take(&pool);
    ck_assert_uint_eq(last->index, FULL - 1);
    ck_assert_ptr_null(pacl_pool_take(&pool));
    const void *const handle = pacl_object_open(&pool, last);
    ck_assert_ptr_eq(pacl_pool_find(&pool, handle), last);
    close_and_give(&pool, last);
    ck_assert_ptr_eq(pacl_pool_take(&pool), last);
    ck_assert_ptr_null(pacl_pool_take(&pool));
}
END_TEST

START_TEST(a_forgotten_pool_finds_nothing)
{
    const void *const handle = pacl_object_open(&pacl_streams, take(&pacl_streams));
    pacl_pools_forget();
    ck_assert_ptr_null(pacl_pool_find(&pacl_streams, handle));
    ck_assert_ptr_null(pacl_pool_at(&pacl_streams, 0));
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------------------- */

static _Atomic uint64_t published; /* the newest handle */
static atomic_bool stop;

/* Who finds an object sees what was written before it was opened: its records, here the index in other bits. */
static void *look_up(void *argument)
{
    _Atomic uint64_t *const wrong = argument;
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        const uint64_t handle = atomic_load_explicit(&published, memory_order_relaxed);
        const struct pacl_event *const event = pacl_pool_find(&pacl_events, as_handle(handle));
        if (event != NULL && event->records != ~event->object.index)
            atomic_fetch_add(wrong, 1);
    }
    return NULL;
}

/* A slot's records are written once, so that a reader with an object of a former life does not race with the writer. */
static struct pacl_object *take_with_records(void)
{
    struct pacl_event *const event = pacl_pool_take(&pacl_events);
    ck_assert_ptr_nonnull(event);
    if (event->records == 0)
        event->records = ~event->object.index;
    return &event->object;
}

START_TEST(look_ups_while_objects_come_and_go)
{
    _Atomic uint64_t wrong = 0;
    pthread_t readers[2];
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        ck_assert_int_eq(pthread_create(&readers[i], NULL, look_up, &wrong), 0);
    struct pacl_object *kept = NULL;
    for (size_t i = 0; i < test_rounds(20000); i++) {
        struct pacl_object *const object = take_with_records();
        const uint64_t handle = bits(pacl_object_open(&pacl_events, object));
        atomic_store_explicit(&published, handle, memory_order_relaxed); /* the look-up alone gives the order */
        if (kept != NULL && i % 10 != 0) /* every tenth stays open, so that the pool grows too */
            close_and_give(&pacl_events, kept);
        kept = object;
    }
    atomic_store(&stop, true);
    for (size_t i = 0; i < COUNT_OF(readers); i++)
        pthread_join(readers[i], NULL);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

struct closer {
    pthread_barrier_t *both;
    struct pacl_object *object;
    const void *handle;
    bool won;
};

static void *close_once(void *argument)
{
    struct closer *const closer = argument;
    pthread_barrier_wait(closer->both);
    closer->won = pacl_object_close(closer->object, closer->handle);
    return NULL;
}

START_TEST(one_of_two_closers_wins)
{
    pthread_barrier_t both;
    ck_assert_int_eq(pthread_barrier_init(&both, NULL, 2), 0);
    struct pacl_object *const object = take(&pacl_events);
    for (size_t round = 0; round < test_rounds(300); round++) {
        const struct closer closer = { .both = &both,
                                       .object = object,
                                       .handle = pacl_object_open(&pacl_events, object) };
        struct closer closers[2] = { closer, closer };
        pthread_t threads[2];
        for (size_t i = 0; i < 2; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, close_once, &closers[i]), 0);
        for (size_t i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        ck_assert_int_eq(closers[0].won + closers[1].won, 1);
    }
    pthread_barrier_destroy(&both);
}
END_TEST

/* --- as many as a handle can name -------------------------------------------------------------------------------- */

static aclError create_event(void)
{
    aclrtEvent event;
    return aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC);
}

static aclError create_plain_event(void)
{
    aclrtEvent event;
    return aclrtCreateEvent(&event);
}

static aclError create_stream(void)
{
    aclrtStream stream;
    return aclrtCreateStream(&stream);
}

static aclError create_context(void)
{
    aclrtContext context;
    return aclrtCreateContext(&context, 0);
}

static aclError create_notify(void)
{
    aclrtNotify notify;
    return aclrtCreateNotify(&notify, 0);
}

static const struct {
    const char *what;
    struct pacl_pool *pool;
    aclError (*create)(void);
    int code;
} fulls[] = {
    { "event", &pacl_events, create_event, 207007 },     { "plain event", &pacl_events, create_plain_event, 207007 },
    { "stream", &pacl_streams, create_stream, 207008 },  { "default stream", &pacl_streams, create_context, 207008 },
    { "notify", &pacl_notifies, create_notify, 207009 },
};

/* A pool of that many slots, without their memory: none is free, and nobody looks for any. */
START_TEST(a_full_pool_is_not_short_of_memory)
{
    struct pacl_pool *const pool = fulls[_i].pool;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(fulls[_i].create());
    while (!pacl_list_empty(&pool->free))
        (void)take(pool);
    const uint32_t count = atomic_exchange(&pool->count, PACL_POOL_MAX);
    const aclError err = fulls[_i].create();
    atomic_store(&pool->count, count);
    ASSERT_CODE_OF_ROW(fulls[_i].code, err, "%s", fulls[_i].what);
    ASSERT_MESSAGE_NAMES("1048576");
    ASSERT_OK(fulls[_i].create());
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("handle", pacl_pools_init, NULL);
    tcase_add_test(tc, a_handle_holds_kind_generation_and_index);
    tcase_add_test(tc, an_object_is_found_only_while_it_is_open);
    tcase_add_test(tc, a_late_closer_leaves_the_slot_s_next_object_alone);
    tcase_add_test(tc, reuse_changes_the_handle);
    tcase_add_test(tc, a_handle_of_another_kind_names_nothing);
    tcase_add_test(tc, a_wrong_bit_anywhere_names_nothing);
    tcase_add_test(tc, addresses_and_numbers_name_nothing);
    tcase_add_test(tc, indices_end_with_the_last_chunk);
    tcase_add_test(tc, objects_are_zeroed_apart_and_aligned);
    tcase_add_test(tc, growth_keeps_objects_in_place);
    tcase_add_test(tc, slots_come_again_oldest_first);
    tcase_add_test(tc, the_index_bounds_a_pool);
    tcase_add_test(tc, a_forgotten_pool_finds_nothing);
    tcase_add_test(tc, look_ups_while_objects_come_and_go);
    tcase_add_test(tc, one_of_two_closers_wins);
    TCase *const full = new_case("full", use_default_product, NULL);
    tcase_add_loop_test(full, a_full_pool_is_not_short_of_memory, 0, (int)COUNT_OF(fulls));
    return run_cases("handle", tc, full, (TCase *)NULL);
}
