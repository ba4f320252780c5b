/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that 2D copies move: every one is compared with a byte-by-byte model, the gaps included. */
#include "support.h"

/* --- overlap ---------------------------------------------------------------------------------------------------- */

START_TEST(decision_07_overlap_is_rows_in_ascending_order)
{
    enum { BYTES = 40000 };
    uint64_t state = test_seed();
    struct block block = block_new(PLACE_DEVICE, BYTES);
    const size_t rounds = test_rounds(300);
    for (size_t round = 0; round < rounds; round++) {
        const size_t width = random_in(&state, 1, 300);
        const size_t height = random_in(&state, 1, 40);
        const size_t dpitch = random_in(&state, width, width + 60);
        const size_t spitch = round % 2 != 0 ? dpitch : random_in(&state, width, width + 60);
        const size_t src = random_in(&state, 0, 20000);
        const size_t dst = random_in(&state, src > 2000 ? src - 2000 : 0, src + 2000);
        block_randomise(&block, &state);
        ASSERT_OK(aclrtMemcpy2dAsync(block.at + dst, dpitch, block.at + src, spitch, width, height, D2D, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        model_copy2d(block.model + dst, dpitch, block.model + src, spitch, width, height);
        ASSERT_AS_MODELLED(&block);
    }
    block_free(&block);
}
END_TEST

/* A rectangle that is big enough to be cut into pieces, moved by one row within itself. */
START_TEST(decision_07_big_overlap)
{
    enum { WIDTH = 4096, ROWS = 2048, BYTES = WIDTH * (ROWS + 1) };
    uint64_t state = 3;
    struct block block = block_new(PLACE_DEVICE, BYTES);
    block_randomise(&block, &state);
    ASSERT_OK(aclrtMemcpy2dAsync(block.at, WIDTH, block.at + WIDTH, WIDTH, WIDTH, ROWS, D2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    model_copy2d(block.model, WIDTH, block.model + WIDTH, WIDTH, WIDTH, ROWS);
    ASSERT_AS_MODELLED(&block);

    /* Downwards every row is overwritten before it is read, so row 0 repeats. */
    ASSERT_OK(aclrtMemcpy2dAsync(block.at + WIDTH, WIDTH, block.at, WIDTH, WIDTH, ROWS, D2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    model_copy2d(block.model + WIDTH, WIDTH, block.model, WIDTH, WIDTH, ROWS);
    ASSERT_AS_MODELLED(&block);
    block_free(&block);
}
END_TEST

START_TEST(decision_07_source_equal_to_destination)
{
    uint64_t state = 4;
    struct block block = block_new(PLACE_DEVICE, 8192);
    block_randomise(&block, &state);
    ASSERT_OK(aclrtMemcpy2dAsync(block.at, 64, block.at, 64, 48, 100, D2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(block.at, 80, block.at, 64, 48, 100, D2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    model_copy2d(block.model, 80, block.model, 64, 48, 100);
    ASSERT_AS_MODELLED(&block);
    block_free(&block);
}
END_TEST

/* --- random copies ---------------------------------------------------------------------------------------------- */

#define AREA_MOST ((size_t)300000) /* bytes from the first to the last row */
#define BLOCK_BYTES (AREA_MOST + 128)

struct shape {
    size_t width;
    size_t height;
    size_t dpitch;
    size_t spitch;
    size_t dst; /* offset in the block: alignments 0 to 63 */
    size_t src;
};

static size_t random_width(uint64_t *state)
{
    static const size_t most[] = { 16, 80, 600, 9000 };
    return random_in(state, 1, most[random_next(state) % COUNT_OF(most)]);
}

static size_t random_pitch(uint64_t *state, size_t width)
{
    static const size_t gap[] = { 0, 1, 64, 700 };
    return width + random_in(state, 0, gap[random_next(state) % COUNT_OF(gap)]);
}

static struct shape random_shape(uint64_t *state)
{
    struct shape shape = { .width = random_width(state) };
    shape.dpitch = random_pitch(state, shape.width);
    shape.spitch = random_pitch(state, shape.width);
    const size_t pitch = shape.dpitch > shape.spitch ? shape.dpitch : shape.spitch;
    const size_t most = AREA_MOST / pitch;
    shape.height = random_in(state, 1, most < 200 ? most : 200);
    shape.dst = random_in(state, 0, 63);
    shape.src = random_in(state, 0, 63);
    return shape;
}

static void model_shape(struct block *dst, const struct block *src, const struct shape *shape)
{
    model_copy2d(dst->model + shape->dst, shape->dpitch, src->model + shape->src, shape->spitch, shape->width,
                 shape->height);
}

static aclError submit_shape(const struct block *dst, const struct block *src, const struct shape *shape, int kind,
                             aclrtStream stream)
{
    const struct call2d call = { .dst = dst->at + shape->dst,
                                 .dpitch = shape->dpitch,
                                 .src = src->at + shape->src,
                                 .spitch = shape->spitch,
                                 .width = shape->width,
                                 .height = shape->height,
                                 .kind = kind,
                                 .stream = stream };
    return submit2d(&call);
}

static aclError copy_shape(const struct block *dst, const struct block *src, const struct shape *shape, int kind)
{
    const struct call2d call = { .dst = dst->at + shape->dst,
                                 .dpitch = shape->dpitch,
                                 .src = src->at + shape->src,
                                 .spitch = shape->spitch,
                                 .width = shape->width,
                                 .height = shape->height,
                                 .kind = kind };
    return copy2d(&call);
}

static const struct way {
    enum place src;
    enum place dst;
    int kind;
} ways[] = {
    { PLACE_PINNED, PLACE_DEVICE, H2D },   { PLACE_REGISTERED, PLACE_DEVICE, H2D },
    { PLACE_PAGEABLE, PLACE_DEVICE, H2D }, { PLACE_PINNED, PLACE_DEVICE, DEFAULT },
    { PLACE_DEVICE, PLACE_PINNED, D2H },   { PLACE_DEVICE, PLACE_REGISTERED, D2H },
    { PLACE_DEVICE, PLACE_PAGEABLE, D2H }, { PLACE_DEVICE, PLACE_PINNED, DEFAULT },
    { PLACE_DEVICE, PLACE_DEVICE, D2D },   { PLACE_DEVICE, PLACE_DEVICE, DEFAULT },
};

/* One loop per way: which way is the test's number. */
START_TEST(random_copies_match_the_model)
{
    const struct way *const way = &ways[_i];
    uint64_t state = test_seed() + (uint64_t)_i;
    struct block src = block_new(way->src, BLOCK_BYTES);
    struct block dst = block_new(way->dst, BLOCK_BYTES);
    const bool sync_allowed = way->src != way->dst;
    const size_t rounds = test_rounds(200);
    block_randomise(&src, &state);
    for (size_t round = 0; round < rounds; round++) {
        const struct shape shape = random_shape(&state);
        if (sync_allowed && round % 3 == 2) {
            ASSERT_OK(copy_shape(&dst, &src, &shape, way->kind));
        } else {
            ASSERT_OK(submit_shape(&dst, &src, &shape, way->kind, fx.stream));
            ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        }
        model_shape(&dst, &src, &shape);
        ASSERT_NO_DIFFERENCE(block_difference(&dst));
        if (round % 16 == 15)
            block_randomise(&dst, &state);
    }
    ASSERT_AS_MODELLED(&src);
    block_free(&src);
    block_free(&dst);
}
END_TEST

/* Every width of the fixed-width and small-vector classes at every alignment of the destination. */
START_TEST(every_small_width_at_every_alignment)
{
    enum { ROWS = 3, PITCH = 144 };
    uint64_t state = test_seed();
    struct block src = block_new(PLACE_PINNED, 1024);
    struct block dst = block_new(PLACE_DEVICE, 1024);
    block_randomise(&src, &state);
    for (size_t width = 1; width <= 130; width++) {
        for (size_t align = 0; align < 64; align++) {
            const struct shape shape = { .width = width,
                                         .height = ROWS,
                                         .dpitch = PITCH,
                                         .spitch = PITCH - 1,
                                         .dst = align,
                                         .src = (align * 5 + width) % 64 };
            ASSERT_OK(submit_shape(&dst, &src, &shape, H2D, fx.stream));
            model_shape(&dst, &src, &shape);
        }
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_NO_DIFFERENCE(block_difference(&dst));
    }
    block_free(&src);
    block_free(&dst);
}
END_TEST

/* --- chains on streams and threads ------------------------------------------------------------------------------ */

enum { CHAIN_BLOCKS = 4, CHAIN_LENGTH = 24, CHAIN_STREAMS = 2 };

/* Two pinned and two device blocks; copies among them depend on the ones before. */
struct chain {
    struct block blocks[CHAIN_BLOCKS];
    aclrtStream streams[CHAIN_STREAMS];
    aclrtEvent event;
    uint64_t state;
};

static void chain_open(struct chain *chain, uint64_t seed)
{
    chain->state = seed;
    for (size_t i = 0; i < CHAIN_BLOCKS; i++) {
        chain->blocks[i] = block_new(i < 2 ? PLACE_PINNED : PLACE_DEVICE, BLOCK_BYTES);
        block_randomise(&chain->blocks[i], &chain->state);
    }
    for (size_t i = 0; i < CHAIN_STREAMS; i++)
        ASSERT_OK(aclrtCreateStream(&chain->streams[i]));
    ASSERT_OK(aclrtCreateEventExWithFlag(&chain->event, ACL_EVENT_SYNC));
}

/* The next copy moves to the other stream; the event keeps the order. Returns the first code that is not 0. */
static aclError chain_hand_over(struct chain *chain, size_t from, size_t to)
{
    const aclError err = aclrtRecordEvent(chain->event, chain->streams[from]);
    return err != ACL_SUCCESS ? err : aclrtStreamWaitEvent(chain->streams[to], chain->event);
}

static aclError chain_step(struct chain *chain, aclrtStream stream)
{
    const size_t src = random_in(&chain->state, 0, CHAIN_BLOCKS - 1);
    const size_t dst = src < 2 ? random_in(&chain->state, 2, 3) : random_in(&chain->state, 0, 3);
    const struct shape shape = random_shape(&chain->state);
    const aclError err = submit_shape(&chain->blocks[dst], &chain->blocks[src], &shape, DEFAULT, stream);
    if (err == ACL_SUCCESS)
        model_shape(&chain->blocks[dst], &chain->blocks[src], &shape);
    return err;
}

static aclError chain_run(struct chain *chain)
{
    size_t at = 0;
    for (size_t i = 0; i < CHAIN_LENGTH; i++) {
        const size_t next = random_in(&chain->state, 0, CHAIN_STREAMS - 1);
        aclError err = next == at ? ACL_SUCCESS : chain_hand_over(chain, at, next);
        if (err == ACL_SUCCESS)
            err = chain_step(chain, chain->streams[next]);
        if (err != ACL_SUCCESS)
            return err;
        at = next;
    }
    for (size_t i = 0; i < CHAIN_STREAMS; i++) {
        const aclError err = aclrtSynchronizeStream(chain->streams[i]);
        if (err != ACL_SUCCESS)
            return err;
    }
    return ACL_SUCCESS;
}

static void chain_check(struct chain *chain)
{
    for (size_t i = 0; i < CHAIN_BLOCKS; i++)
        ASSERT_NO_DIFFERENCE(block_difference(&chain->blocks[i]));
}

static void chain_close(struct chain *chain)
{
    for (size_t i = 0; i < CHAIN_BLOCKS; i++)
        block_free(&chain->blocks[i]);
    for (size_t i = 0; i < CHAIN_STREAMS; i++)
        ASSERT_OK(aclrtDestroyStream(chain->streams[i]));
    ASSERT_OK(aclrtDestroyEvent(chain->event));
}

START_TEST(chains_over_two_streams_match_the_model)
{
    struct chain chain;
    chain_open(&chain, test_seed());
    const size_t rounds = test_rounds(25);
    for (size_t round = 0; round < rounds; round++) {
        ASSERT_OK(chain_run(&chain));
        chain_check(&chain);
    }
    chain_close(&chain);
}
END_TEST

struct chain_thread {
    struct chain chain;
    pthread_t thread;
    size_t rounds;
    aclError code;
};

static void *run_chain_thread(void *arg)
{
    struct chain_thread *const self = arg;
    self->code = aclrtSetDevice(0);
    for (size_t round = 0; round < self->rounds && self->code == ACL_SUCCESS; round++)
        self->code = chain_run(&self->chain);
    return NULL;
}

START_TEST(chains_on_threads_match_the_model)
{
    enum { THREADS = 4 };
    static struct chain_thread threads[THREADS];
    const uint64_t seed = test_seed();
    for (size_t i = 0; i < THREADS; i++) {
        threads[i].rounds = test_rounds(15);
        chain_open(&threads[i].chain, seed + i);
    }
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i].thread, NULL, run_chain_thread, &threads[i]), 0);
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i].thread, NULL), 0);
    for (size_t i = 0; i < THREADS; i++) {
        ASSERT_OK(threads[i].code);
        chain_check(&threads[i].chain);
        chain_close(&threads[i].chain);
    }
}
END_TEST

/* Threads that share one stream: each copies its own columns, rows interleave in memory. */
struct column_thread {
    pthread_t thread;
    size_t column;
    aclError code;
};

enum { COLUMN_THREADS = 4, COLUMN_WIDTH = 33, COLUMN_ROWS = 200, COLUMN_COPIES = 50 };

static struct block column_src;
static struct block column_dst;

static void *copy_columns(void *arg)
{
    struct column_thread *const self = arg;
    const size_t pitch = COLUMN_THREADS * COLUMN_WIDTH;
    self->code = aclrtSetDevice(0);
    for (size_t i = 0; i < COLUMN_COPIES && self->code == ACL_SUCCESS; i++)
        self->code = aclrtMemcpy2dAsync(column_dst.at + self->column, pitch, column_src.at + self->column, pitch,
                                        COLUMN_WIDTH, COLUMN_ROWS, H2D, fx.stream);
    return NULL;
}

START_TEST(threads_share_one_stream)
{
    struct column_thread threads[COLUMN_THREADS];
    const size_t bytes = (size_t)COLUMN_THREADS * COLUMN_WIDTH * COLUMN_ROWS;
    uint64_t state = test_seed();
    column_src = block_new(PLACE_PINNED, bytes);
    column_dst = block_new(PLACE_DEVICE, bytes);
    block_randomise(&column_src, &state);
    for (size_t i = 0; i < COLUMN_THREADS; i++) {
        threads[i] = (struct column_thread){ .column = i * COLUMN_WIDTH };
        ck_assert_int_eq(pthread_create(&threads[i].thread, NULL, copy_columns, &threads[i]), 0);
    }
    for (size_t i = 0; i < COLUMN_THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i].thread, NULL), 0);
        ASSERT_OK(threads[i].code);
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(column_dst.at, column_src.model, bytes));
}
END_TEST

/* --- registration ----------------------------------------------------------------------------------------------- */

int main(void)
{
    TCase *const tc = new_case("bytes", fixture_open, fixture_close);
    tcase_add_test(tc, decision_07_overlap_is_rows_in_ascending_order);
    tcase_add_test(tc, decision_07_big_overlap);
    tcase_add_test(tc, decision_07_source_equal_to_destination);
    tcase_add_loop_test(tc, random_copies_match_the_model, 0, (int)COUNT_OF(ways));
    tcase_add_test(tc, every_small_width_at_every_alignment);
    tcase_add_test(tc, chains_over_two_streams_match_the_model);
    tcase_add_test(tc, chains_on_threads_match_the_model);
    tcase_add_test(tc, threads_share_one_stream);
    return run_cases("memcpy2d_bytes", tc, (TCase *)NULL);
}
