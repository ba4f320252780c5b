/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of copies, copies described in device memory, copies by addresses in cells, and the pinned-only form. */
#include "support.h"

enum { ENTRIES = 4, BYTES = 256, E_CAPACITY = 4096 };

static aclError memcpy_async_with_condition(void *dst, size_t room, const void *src, size_t count, int kind);

/* A good batch: four blocks from pinned to device memory. Tests spoil one member. */
struct batch {
    void *dsts[ENTRIES];
    size_t dest_maxs[ENTRIES];
    void *srcs[ENTRIES];
    size_t sizes[ENTRIES];
    size_t count;
    aclrtMemcpyBatchAttr attrs[2];
    size_t indexes[2];
    size_t attr_count;
    size_t fail;
};

static aclrtMemLocation at(enum aclrtMemLocationType type)
{
    return (aclrtMemLocation){ .type = type };
}

static struct batch batch_of(uint8_t *dst, uint8_t *src, enum aclrtMemLocationType to, enum aclrtMemLocationType from)
{
    struct batch b = { .count = ENTRIES, .attr_count = 1, .fail = 77 };
    for (size_t i = 0; i < ENTRIES; i++) {
        b.dsts[i] = dst + 2 * i * BYTES;
        b.srcs[i] = src + (ENTRIES - i) * BYTES;
        b.dest_maxs[i] = b.sizes[i] = BYTES - i;
    }
    b.attrs[0] = b.attrs[1] = (aclrtMemcpyBatchAttr){ .dstLoc = at(to), .srcLoc = at(from) };
    return b;
}

static struct batch good(void)
{
    return batch_of(fx.device, fx.pinned, ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST);
}

static aclError run_v1(struct batch *b, bool async)
{
    if (async)
        return aclrtMemcpyBatchAsync(b->dsts, b->dest_maxs, b->srcs, b->sizes, b->count, b->attrs, b->indexes,
                                     b->attr_count, &b->fail, fx.stream);
    return aclrtMemcpyBatch(b->dsts, b->dest_maxs, b->srcs, b->sizes, b->count, b->attrs, b->indexes, b->attr_count,
                            &b->fail);
}

static aclError run_v2(struct batch *b, bool async)
{
    if (async)
        return aclrtMemcpyBatchAsyncV2(b->dsts, b->dest_maxs, b->srcs, b->sizes, b->count, b->attrs, b->indexes,
                                       b->attr_count, fx.stream);
    return aclrtMemcpyBatchV2(b->dsts, b->dest_maxs, b->srcs, b->sizes, b->count, b->attrs, b->indexes, b->attr_count);
}

/* All four functions answer the same; the first versions name the entry. */
static void assert_refused(const struct batch *spoilt, aclError code, size_t fail)
{
    for (int async = 0; async < 2; async++) {
        struct batch b = *spoilt;
        ASSERT_CODE(code, run_v1(&b, async != 0));
        ck_assert_uint_eq(b.fail, fail);
        ASSERT_CODE(code, run_v2(&b, async != 0));
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}

/* COP-108 [code] */
START_TEST(cop_108_batch_without_sizes)
{
    size_t fail = 77;
    struct batch b = good();
    ASSERT_CODE(E_INVALID_PARAM,
                aclrtMemcpyBatch(b.dsts, b.dest_maxs, b.srcs, NULL, b.count, b.attrs, b.indexes, b.attr_count, &fail));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyBatchAsyncV2(b.dsts, b.dest_maxs, b.srcs, NULL, b.count, b.attrs, b.indexes,
                                                         b.attr_count, fx.stream));
    ASSERT_MESSAGE_NAMES("sizes");
}
END_TEST

/* COP-109 [code] */
START_TEST(cop_109_batch_without_fail_index)
{
    struct batch b = good();
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyBatch(b.dsts, b.dest_maxs, b.srcs, b.sizes, b.count, b.attrs, b.indexes,
                                                  b.attr_count, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyBatchAsync(b.dsts, b.dest_maxs, b.srcs, b.sizes, b.count, b.attrs,
                                                       b.indexes, b.attr_count, NULL, fx.stream));
}
END_TEST

/* COP-110 [code] */
START_TEST(cop_110_batch_of_nothing)
{
    struct batch b = good();
    b.count = 0;
    assert_refused(&b, E_INVALID_PARAM, SIZE_MAX);
}
END_TEST

/* COP-111 [code] */
START_TEST(cop_111_batch_of_empty_entries)
{
    size_t sizes[ENTRIES] = { 0 }, fail = 77;
    ASSERT_OK(aclrtMemcpyBatch(NULL, NULL, NULL, sizes, ENTRIES, NULL, NULL, 0, &fail));
    ck_assert_uint_eq(fail, SIZE_MAX);
    fail = 77;
    ASSERT_OK(aclrtMemcpyBatchAsync(NULL, NULL, NULL, sizes, ENTRIES, NULL, NULL, 0, &fail, fx.stream));
    ck_assert_uint_eq(fail, SIZE_MAX);
    ASSERT_OK(aclrtMemcpyBatchV2(NULL, NULL, NULL, sizes, ENTRIES, NULL, NULL, 0));
    ASSERT_OK(aclrtMemcpyBatchAsyncV2(NULL, NULL, NULL, sizes, ENTRIES, NULL, NULL, 0, fx.stream));
}
END_TEST

/* COP-112 [code] */
START_TEST(cop_112_batch_with_too_little_room)
{
    struct batch b = good();
    b.dest_maxs[2] = b.sizes[2] - 1;
    assert_refused(&b, E_INVALID_PARAM, 2);
    ASSERT_MESSAGE_NAMES("entry 2", "254", "253");
}
END_TEST

/* COP-113 [code] */
START_TEST(cop_113_batch_whose_attributes_begin_late)
{
    struct batch b = good();
    b.indexes[0] = 1;
    assert_refused(&b, E_RT_PARAM_INVALID, SIZE_MAX);
}
END_TEST

/* COP-114 [code] */
START_TEST(cop_114_batch_with_a_reserved_byte)
{
    for (size_t i = 0; i < sizeof((aclrtMemcpyBatchAttr *)0)->rsv; i += 5) {
        struct batch b = good();
        b.attrs[0].rsv[i] = 1;
        assert_refused(&b, E_INVALID_PARAM, SIZE_MAX);
    }
}
END_TEST

START_TEST(batch_attributes_must_cover_the_entries_in_order)
{
    struct batch b = good();
    b.attr_count = 0;
    assert_refused(&b, E_RT_PARAM_INVALID, SIZE_MAX);
    b = good();
    b.attr_count = ENTRIES + 1;
    assert_refused(&b, E_RT_PARAM_INVALID, SIZE_MAX);
    b = good();
    b.attr_count = 2; /* both begin at entry 0 */
    assert_refused(&b, E_RT_PARAM_INVALID, SIZE_MAX);
    b.indexes[1] = ENTRIES;
    assert_refused(&b, E_RT_PARAM_INVALID, SIZE_MAX);
}
END_TEST

START_TEST(batch_entries_go_one_way_and_as_their_attributes_say)
{
    struct batch b = good();
    b.attrs[0].dstLoc = at(ACL_MEM_LOCATION_TYPE_HOST);
    b.attrs[0].srcLoc = at(ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_refused(&b, E_RT_PARAM_INVALID, 0);
    b = good();
    b.attrs[0].srcLoc = at(ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_refused(&b, E_RT_PARAM_INVALID, 0);
    b = good();
    b.srcs[3] = fx.device2;
    assert_refused(&b, E_RT_PARAM_INVALID, 3);
    b = good();
    b.attr_count = 2;
    b.indexes[1] = 2;
    b.attrs[1] =
        (aclrtMemcpyBatchAttr){ .dstLoc = at(ACL_MEM_LOCATION_TYPE_HOST), .srcLoc = at(ACL_MEM_LOCATION_TYPE_DEVICE) };
    assert_refused(&b, E_RT_PARAM_INVALID, 2);
}
END_TEST

START_TEST(batch_pointers_are_not_null)
{
    struct batch b = good();
    b.dsts[1] = NULL;
    assert_refused(&b, E_INVALID_PARAM, 1);
    b = good();
    b.srcs[2] = NULL;
    assert_refused(&b, E_INVALID_PARAM, 2);
}
END_TEST

START_TEST(batch_of_4096_and_of_one_more)
{
    const size_t n = E_CAPACITY + 1;
    void **dsts = calloc(n, sizeof *dsts), **srcs = calloc(n, sizeof *srcs);
    size_t *sizes = calloc(n, sizeof *sizes), *maxs = calloc(n, sizeof *maxs), index = 0, fail = 77;
    aclrtMemcpyBatchAttr attr = good().attrs[0];
    for (size_t i = 0; i < n; i++) {
        dsts[i] = fx.device + 15 * (i % E_CAPACITY);
        srcs[i] = fx.pinned + 15 * (i % E_CAPACITY);
        sizes[i] = maxs[i] = 15;
    }
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID,
                aclrtMemcpyBatchAsync(dsts, maxs, srcs, sizes, n, &attr, &index, 1, &fail, fx.stream));
    ASSERT_MESSAGE_NAMES("4097", "4096");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyBatchV2(dsts, maxs, srcs, sizes, SIZE_MAX, &attr, &index, 1));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_OK(aclrtMemcpyBatchAsync(dsts, maxs, srcs, sizes, n - 1, &attr, &index, 1, &fail, fx.stream));
    ck_assert_uint_eq(fail, SIZE_MAX);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, (size_t)15 * E_CAPACITY));
    free(dsts);
    free(srcs);
    free(sizes);
    free(maxs);
}
END_TEST

/* Whatever is not an entry's bytes keeps the poison. */
static void assert_entries(const uint8_t *host_dst, const uint8_t *host_src)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        const size_t size = BYTES - i;
        ASSERT_SAME_BYTES(host_dst + 2 * i * BYTES, host_src + (ENTRIES - i) * BYTES, size);
        ASSERT_ALL_BYTES(host_dst + 2 * i * BYTES + size, 2 * BYTES - size, POISON);
    }
}

START_TEST(batch_copies_from_pinned_and_pageable_memory)
{
    uint8_t back[2 * BYTES * ENTRIES];
    fill_sources();
    for (int async = 0; async < 2; async++) {
        for (int pageable = 0; pageable < 2; pageable++) {
            uint8_t *src = pageable != 0 ? fx.pageable : fx.pinned;
            struct batch b = batch_of(fx.device, src, ACL_MEM_LOCATION_TYPE_DEVICE,
                                      pageable != 0 ? ACL_MEM_LOCATION_TYPE_UNREGISTERED : ACL_MEM_LOCATION_TYPE_HOST);
            ASSERT_OK(aclrtMemset(fx.device, FIXTURE_BYTES, POISON, FIXTURE_BYTES));
            b.sizes[1] = 0;
            ASSERT_OK(run_v1(&b, async != 0));
            ASSERT_OK(aclrtSynchronizeStream(fx.stream));
            b.sizes[1] = BYTES - 1;
            ASSERT_OK(run_v2(&b, async != 0));
            ASSERT_OK(aclrtSynchronizeStream(fx.stream));
            download(back, fx.device, sizeof back);
            assert_entries(back, src);
        }
    }
}
END_TEST

START_TEST(batch_to_host_waits_for_its_stream)
{
    struct gate gate;
    struct batch b = batch_of(fx.pinned, fx.device, ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_DEVICE);
    fill_sources();
    upload(fx.device, fx.pageable, FIXTURE_BYTES);
    memset(fx.pinned, POISON, FIXTURE_BYTES);
    gate_close(&gate, fx.stream);
    ASSERT_OK(run_v1(&b, true));
    gate_await(&gate);
    ASSERT_ALL_BYTES(fx.pinned, FIXTURE_BYTES, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    assert_entries(fx.pinned, fx.pageable);
}
END_TEST

START_TEST(batch_with_pageable_memory_is_complete_at_return)
{
    struct gate gate;
    struct batch b = batch_of(fx.pageable2, fx.device, ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_DEVICE);
    b.dsts[3] = fx.pinned2; /* one entry that is queued */
    fill_sources();
    upload(fx.device, fx.pageable, FIXTURE_BYTES);
    gate_close(&gate, fx.stream);
    gate_open_once_blocked(&gate);
    ASSERT_OK(run_v2(&b, true));
    ck_assert(gate_passed(&gate));
    ASSERT_SAME_BYTES(fx.pageable2, fx.pageable + ENTRIES * BYTES, BYTES);
    ASSERT_SAME_BYTES(fx.pinned2, fx.pageable + BYTES, BYTES - 3);
    gate_join(&gate);
}
END_TEST

START_TEST(batch_entry_outside_its_allocation)
{
    struct batch b = good();
    b.dsts[2] = fx.device + FIXTURE_BYTES - 10;
    ASSERT_CODE(E_RT_SYS_DMA, run_v1(&b, false));
    ck_assert_uint_eq(b.fail, 2);
    ASSERT_MESSAGE_NAMES("aclrtMemcpyBatch", "entry 2", "leaves its allocation");
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON)); /* nothing is copied */
    ASSERT_OK(run_v1(&b, true));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyBatchAsync");
}
END_TEST

/* One entry is pageable, so the whole is complete at return, or fails as a whole. */
START_TEST(batch_that_blocks_copies_all_or_nothing)
{
    struct batch b = good();
    fill_sources();
    b.srcs[1] = fx.pageable;
    b.dsts[3] = fx.device + FIXTURE_BYTES - 10;
    ASSERT_CODE(E_RT_SYS_DMA, run_v1(&b, true));
    ck_assert_uint_eq(b.fail, 3);
    ASSERT_MESSAGE_NAMES("aclrtMemcpyBatchAsync", "entry 3", "leaves its allocation");
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));

    b = good();
    b.srcs[1] = fx.pageable;
    ASSERT_OK(aclrtMemcpyAsync(fx.device2 + FIXTURE_BYTES - 8, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, run_v1(&b, true)); /* the failure of the copy before */
    ck_assert_uint_eq(b.fail, SIZE_MAX);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_OK(run_v1(&b, true));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(b.dsts[1], fx.pageable, b.sizes[1]));
}
END_TEST

/* A graph cannot hold the pageable entry, so the call fails, and none of the others is recorded. */
START_TEST(batch_with_pageable_memory_on_a_captured_stream)
{
    struct batch b = good();
    aclmdlRI graph;
    b.srcs[2] = fx.pageable;
    fill_sources();
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_CODE(E_RT_PARAM_INVALID, run_v1(&b, true));
    ck_assert_uint_eq(b.fail, 2);
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclmdlRIDestroy(graph));
    assert_fixture_untouched();
}
END_TEST

/* --- all of a batch is captured, or nothing ----------------------------------------------------------------------- */

static void open_with_room_for_six(void)
{
    setenv("PACL_GRAPH_DESCRIPTORS", "6", 1);
    fixture_open();
}

static uint32_t tasks_of(aclmdlRI graph)
{
    aclrtStream stream;
    uint32_t streams = 1, tasks = 0;
    ASSERT_OK(aclmdlRIGetStreams(graph, &stream, &streams));
    ASSERT_OK(aclmdlRIGetTasksByStream(stream, NULL, &tasks));
    return tasks;
}

/* The batch is refused at entry `fail` and leaves no task; then a good one is captured whole, as the only one. */
static void assert_captured_whole(struct batch *spoilt, aclError code, size_t fail)
{
    aclmdlRI graph;
    struct batch b = good();
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_CODE(code, run_v1(spoilt, true));
    ck_assert_uint_eq(spoilt->fail, fail);
    ASSERT_CODE(code, run_v2(spoilt, true));
    ASSERT_OK(run_v1(&b, true));
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_uint_eq(tasks_of(graph), ENTRIES);
    fill_sources();
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclmdlRIDestroy(graph));
    for (size_t i = 0; i < ENTRIES; i++)
        ASSERT_NO_DIFFERENCE(device_bytes_difference(b.dsts[i], b.srcs[i], b.sizes[i]));
    /* Nothing holds the memory that the refused ones named. */
    ASSERT_OK(aclrtFree(fx.device));
    ASSERT_OK(aclrtMalloc((void **)&fx.device, FIXTURE_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
}

START_TEST(captured_batch_past_the_limit)
{
    struct batch b = good();
    aclmdlRI graph;
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    for (size_t i = ENTRIES; i <= 6; i++)
        ASSERT_OK(aclrtMemcpyAsync(fx.device2, BYTES, fx.pinned, BYTES, H2D, fx.stream));
    ASSERT_CODE(E_RT_NO_STREAM_RESOURCE, run_v1(&b, true));
    ck_assert_uint_eq(b.fail, ENTRIES - 1);
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ck_assert_uint_eq(tasks_of(graph), 6 + 1 - ENTRIES);
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

START_TEST(captured_batch_outside_its_allocation)
{
    struct batch b = good();
    b.dsts[ENTRIES - 1] = fx.device + FIXTURE_BYTES - 1;
    assert_captured_whole(&b, E_RT_SYS_DMA, ENTRIES - 1);
}
END_TEST

/* The tasks of a group are given anew by one batch, and one that has too many gives none. */
START_TEST(batch_that_updates_a_group)
{
    enum { E_RT_MODEL_UPDATE_FAILED = 107040 };
    struct batch b = good(), longer = good();
    aclmdlRI graph;
    aclrtTaskGrp group;
    b.count = ENTRIES - 1;
    ASSERT_OK(aclmdlRICaptureBegin(fx.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(fx.stream));
    ASSERT_OK(run_v1(&b, true));
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(fx.stream, &group));
    ASSERT_OK(aclmdlRICaptureEnd(fx.stream, &graph));
    ASSERT_OK(aclmdlRICaptureTaskUpdateBegin(fx.stream, group));
    ASSERT_CODE(E_RT_MODEL_UPDATE_FAILED, run_v1(&longer, true));
    ck_assert_uint_eq(longer.fail, ENTRIES - 1);
    b.srcs[0] = fx.pinned2;
    ASSERT_OK(run_v1(&b, true));
    ASSERT_OK(aclmdlRICaptureTaskUpdateEnd(fx.stream));
    memset(fx.pinned2, 3, FIXTURE_BYTES);
    ASSERT_OK(aclmdlRIUpdate(graph));
    ASSERT_OK(aclmdlRIExecuteAsync(graph, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(b.dsts[0], b.sizes[0], 3));
    ASSERT_OK(aclmdlRIDestroy(graph));
}
END_TEST

/* A capture elsewhere forbids to block, so nothing is queued. */
START_TEST(batch_that_would_block_during_a_capture)
{
    enum { E_RT_CAPTURE_MODE_BLOCK_ASYNC = 107041 };
    struct batch b = good();
    aclrtStream captured;
    aclmdlRI graph;
    b.srcs[2] = fx.pageable;
    fill_sources();
    ASSERT_OK(aclrtCreateStream(&captured));
    ASSERT_OK(aclmdlRICaptureBegin(captured, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    ASSERT_CODE(E_RT_CAPTURE_MODE_BLOCK_ASYNC, run_v1(&b, true));
    ck_assert_uint_eq(b.fail, 2);
    ASSERT_REFUSED(aclmdlRICaptureEnd(captured, &graph)); /* the capture is invalid now */
    ASSERT_OK(aclrtDestroyStream(captured));
    assert_fixture_untouched();
}
END_TEST

static void on_inference_series(void)
{
    fixture_open_on("atlas-inference");
}

START_TEST(other_products_refuse)
{
    size_t size = 0;
    struct batch b = good();
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, run_v1(&b, false));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, run_v2(&b, true));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT,
                aclrtMemcpyAsyncWithOffset((void **)fx.pinned, 64, 0, (const void **)fx.pinned2, 64, 0,
                                           ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, fx.stream));
}
END_TEST

/* --- descriptors -------------------------------------------------------------------------------------------------- */

#define INNER ACL_MEMCPY_INNER_DEVICE_TO_DEVICE

START_TEST(desc_size_arguments)
{
    size_t size = 77;
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemcpyDescSize(INNER, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemcpyDescSize((aclrtMemcpyKind)8, &size));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetMemcpyDescSize((aclrtMemcpyKind)-1, &size));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtGetMemcpyDescSize(D2D, &size));
    ck_assert_uint_eq(size, 77);
    ASSERT_OK(aclrtGetMemcpyDescSize(INNER, &size));
    ck_assert_uint_gt(size, 0);
}
END_TEST

START_TEST(desc_arguments)
{
    void *const desc = fx.device, *const dst = fx.device + 1024, *const src = fx.device + 2048;
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetMemcpyDesc(NULL, INNER, src, dst, 64, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetMemcpyDesc(desc, INNER, NULL, dst, 64, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetMemcpyDesc(desc, INNER, src, NULL, 64, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetMemcpyDesc(desc, (aclrtMemcpyKind)8, src, dst, 64, NULL));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtSetMemcpyDesc(desc, H2D, src, dst, 64, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetMemcpyDesc(desc, INNER, src, dst, 0, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtSetMemcpyDesc(desc, INNER, src, dst, 64, desc));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSetMemcpyDesc(fx.pinned, INNER, src, dst, 64, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsyncWithDesc(NULL, INNER, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsyncWithDesc(desc, INNER, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsyncWithDesc(fx.device + 32, INNER, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsyncWithDesc(fx.pinned, INNER, fx.stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtMemcpyAsyncWithDesc(desc, INNER, (aclrtStream)fx.pinned));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

START_TEST(desc_describes_a_copy_that_is_read_when_it_runs)
{
    struct gate gate;
    uint8_t *const desc = fx.device2;
    fill_sources();
    upload(fx.device, fx.pageable, 4096);
    ASSERT_OK(aclrtSetMemcpyDesc(desc, INNER, fx.device, fx.device + 8192, 512, NULL));
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsyncWithDesc(desc, INNER, fx.stream));
    gate_await(&gate);
    ASSERT_OK(aclrtSetMemcpyDesc(desc, INNER, fx.device + 512, fx.device + 8192, 300, NULL));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + 8192, fx.pageable + 512, 300));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 8192 + 300, 1000, POISON));
}
END_TEST

START_TEST(desc_that_is_none_or_leaves_device_memory_fails_late)
{
    ASSERT_OK(aclrtMemcpyAsyncWithDesc(fx.device, INNER, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsyncWithDesc", "descriptor");
    ASSERT_OK(aclrtSetMemcpyDesc(fx.device, INNER, fx.device2, fx.device + FIXTURE_BYTES - 10, 11, NULL));
    ASSERT_OK(aclrtMemcpyAsyncWithDesc(fx.device, INNER, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtSetMemcpyDesc(fx.device, INNER, fx.pinned, fx.device + 1024, 11, NULL));
    ASSERT_OK(aclrtMemcpyAsyncWithDesc(fx.device, INNER, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 1024, FIXTURE_BYTES - 1024, POISON));
}
END_TEST

/* --- addresses in cells ------------------------------------------------------------------------------------------ */

START_TEST(offset_arguments)
{
    void **dst = (void **)(void *)fx.pinned;
    const void **src = (const void **)(void *)fx.pinned2;
    ASSERT_OK(aclrtMemcpyAsyncWithOffset(NULL, 0, 0, NULL, 0, 0, D2D, NULL));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsyncWithOffset(NULL, 64, 0, src, 64, 0, INNER, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemcpyAsyncWithOffset(dst, 64, 0, NULL, 64, 0, INNER, fx.stream));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtMemcpyAsyncWithOffset(dst, 64, 0, src, 64, 0, D2D, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsyncWithOffset(dst, 64, 1, src, 64, 0, INNER, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemcpyAsyncWithOffset(dst, 64, SIZE_MAX, src, SIZE_MAX, 0, INNER, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID,
                aclrtMemcpyAsyncWithOffset((void **)(void *)fx.pageable, 64, 0, src, 64, 0, INNER, fx.stream));
}
END_TEST

START_TEST(offset_copies_between_what_the_cells_name_when_it_runs)
{
    struct gate gate;
    void *dst = fx.device + 8192;
    const void *first = fx.device, *then = fx.device + 1024;
    void **cells = (void **)(void *)fx.device2;
    fill_sources();
    upload(fx.device, fx.pageable, 4096);
    upload(cells, &dst, sizeof dst);
    upload(cells + 1, &first, sizeof first);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsyncWithOffset(cells, 1024, 24, (const void **)(cells + 1), 1000, 8, INNER, fx.stream));
    gate_await(&gate);
    upload(cells + 1, &then, sizeof then);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 8192, 24, POISON));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + 8192 + 24, fx.pageable + 1024 + 8, 1000));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 8192 + 1024, 1024, POISON));
    /* An offset that leads out of the allocation, by wrapping too. */
    ASSERT_OK(
        aclrtMemcpyAsyncWithOffset(cells, 64, 0, (const void **)(cells + 1), 64, SIZE_MAX - 100000, INNER, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* --- pinned only -------------------------------------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static aclError memcpy_async_with_condition(void *dst, size_t room, const void *src, size_t count, int kind)
{
    return aclrtMemcpyAsyncWithCondition(dst, room, src, count, (aclrtMemcpyKind)kind, fx.stream);
}
#pragma GCC diagnostic pop

START_TEST(condition_copies_pinned_memory_and_refuses_pageable)
{
    fill_sources();
    ASSERT_CODE(E_RT_PARAM_INVALID, memcpy_async_with_condition(fx.device, 64, fx.pageable, 64, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsyncWithCondition", "pinned");
    ASSERT_CODE(E_INVALID_PARAM, memcpy_async_with_condition(NULL, 64, fx.pinned, 64, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsyncWithCondition");
    ASSERT_CODE(E_RT_PARAM_INVALID, memcpy_async_with_condition(fx.device, 63, fx.pinned, 64, H2D));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsyncWithCondition", "destMax 63");
    ASSERT_OK(memcpy_async_with_condition(fx.device + FIXTURE_BYTES - 8, 64, fx.pinned, 64, H2D));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsyncWithCondition", "leaves its allocation");
    ASSERT_OK(memcpy_async_with_condition(NULL, 0, NULL, 0, H2D));
    ASSERT_OK(memcpy_async_with_condition(fx.device, 64, fx.pinned, 64, H2D));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device, fx.pinned, 64));
}
END_TEST

int main(void)
{
    TCase *batches = new_case("batches", fixture_open, fixture_close);
    tcase_add_test(batches, cop_108_batch_without_sizes);
    tcase_add_test(batches, cop_109_batch_without_fail_index);
    tcase_add_test(batches, cop_110_batch_of_nothing);
    tcase_add_test(batches, cop_111_batch_of_empty_entries);
    tcase_add_test(batches, cop_112_batch_with_too_little_room);
    tcase_add_test(batches, cop_113_batch_whose_attributes_begin_late);
    tcase_add_test(batches, cop_114_batch_with_a_reserved_byte);
    tcase_add_test(batches, batch_attributes_must_cover_the_entries_in_order);
    tcase_add_test(batches, batch_entries_go_one_way_and_as_their_attributes_say);
    tcase_add_test(batches, batch_pointers_are_not_null);
    tcase_add_test(batches, batch_of_4096_and_of_one_more);
    tcase_add_test(batches, batch_copies_from_pinned_and_pageable_memory);
    tcase_add_test(batches, batch_to_host_waits_for_its_stream);
    tcase_add_test(batches, batch_with_pageable_memory_is_complete_at_return);
    tcase_add_test(batches, batch_entry_outside_its_allocation);
    tcase_add_test(batches, batch_that_blocks_copies_all_or_nothing);
    tcase_add_test(batches, batch_with_pageable_memory_on_a_captured_stream);
    tcase_add_test(batches, batch_that_would_block_during_a_capture);
    tcase_add_test(batches, captured_batch_outside_its_allocation);
    tcase_add_test(batches, batch_that_updates_a_group);
    TCase *const small = new_case("small", open_with_room_for_six, fixture_close);
    tcase_add_test(small, captured_batch_past_the_limit);
    TCase *products = new_case("products", on_inference_series, fixture_close);
    tcase_add_test(products, other_products_refuse);
    TCase *described = new_case("described", fixture_open, fixture_close);
    tcase_add_test(described, desc_size_arguments);
    tcase_add_test(described, desc_arguments);
    tcase_add_test(described, desc_describes_a_copy_that_is_read_when_it_runs);
    tcase_add_test(described, desc_that_is_none_or_leaves_device_memory_fails_late);
    tcase_add_test(described, offset_arguments);
    tcase_add_test(described, offset_copies_between_what_the_cells_name_when_it_runs);
    tcase_add_test(described, condition_copies_pinned_memory_and_refuses_pageable);
    return run_cases("batch", batches, small, products, described, NULL);
}
