/* SPDX-License-Identifier: Apache-2.0 */
/* Values in memory that streams write and wait for, and reductions. */
#include "support.h"

static aclrtStream other; /* a second stream beside the fixture's */
static uint64_t *cell;    /* device memory, zero */

static void setup(void)
{
    const uint64_t zero = 0;
    fixture_open();
    ASSERT_OK(aclrtCreateStream(&other));
    cell = (uint64_t *)(void *)fx.device2;
    upload(cell, &zero, sizeof zero);
}

static void teardown(void)
{
    ASSERT_OK(aclrtDestroyStream(other));
    fixture_close();
}

static bool is_waiting(aclrtStream stream)
{
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    ASSERT_OK(aclrtStreamQuery(stream, &status));
    return status == ACL_STREAM_STATUS_NOT_READY;
}

/* COP-123 [code] */
START_TEST(cop_123_value_wait_without_an_address)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtValueWait(NULL, 1, 0, fx.stream));
    ASSERT_CODE(E_INVALID_PARAM, aclrtValueWrite(NULL, 1, 0, fx.stream));
}
END_TEST

/* COP-124 [code] */
START_TEST(cop_124_value_write_with_a_flag)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtValueWrite(cell, 1, 1, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtValueWrite(cell, 1, UINT32_MAX, fx.stream));
}
END_TEST

/* COP-125 [code] */
START_TEST(cop_125_value_wait_with_an_unknown_flag)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtValueWait(cell, 1, 4, fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtValueWait(cell, 1, UINT32_MAX, fx.stream));
}
END_TEST

/* COP-126 [doc] */
START_TEST(cop_126_value_write_lets_a_waiting_stream_proceed)
{
    struct gate gate;
    ASSERT_OK(aclrtValueWait(cell, 5, ACL_STREAM_WAIT_VALUE_GEQ, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, 64, fx.device, 64, D2H, fx.stream));
    gate_close(&gate, other);
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 7, 64, other));
    ASSERT_OK(aclrtValueWrite(cell, 5, 0, other));
    gate_await(&gate);
    ck_assert(is_waiting(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, 64, POISON);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(fx.pinned2, 64, 7); /* what the other stream did before */
}
END_TEST

START_TEST(value_cells_lie_in_device_memory)
{
    void *const wrong[] = { fx.pinned, fx.pageable, fx.device + 4, fx.device + FIXTURE_BYTES };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtValueWrite(wrong[i], 1, 0, fx.stream), "write %zu", i);
        ASSERT_CODE_OF_ROW(E_RT_PARAM_INVALID, aclrtValueWait(wrong[i], 1, 0, fx.stream), "wait %zu", i);
    }
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtValueWrite(cell, 1, 0, (aclrtStream)fx.pinned));
    ASSERT_OK(aclrtValueWrite(cell, 1, 0, NULL)); /* the default stream */
    ASSERT_OK(aclrtSynchronizeStream(NULL));
}
END_TEST

START_TEST(value_is_written_as_64_bits_in_stream_order)
{
    uint64_t value = 0;
    ASSERT_OK(aclrtValueWrite(cell, UINT64_C(0x123456789ABCDEF0), 0, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned, 16, cell, 16, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    memcpy(&value, fx.pinned, sizeof value);
    ck_assert_uint_eq(value, UINT64_C(0x123456789ABCDEF0));
    ASSERT_ALL_BYTES(fx.pinned + 8, 8, POISON);
}
END_TEST

static const struct {
    uint32_t flag;
    uint64_t awaited, before, after;
    const char *what;
} conditions[] = {
    { 0, 10, 9, 10, "at least: one less, equal" },
    { 0, 10, 9, 1000, "at least: more" },
    { 0, 1, UINT64_MAX, 1, "at least, cyclic: below zero is less" },
    { 0, UINT64_MAX, UINT64_MAX - 1, 3, "at least, cyclic: past zero is more" },
    { 1, 10, 11, 10, "equal" },
    { 1, 0, 1, 0, "equal to zero" },
    { 2, 6, 8, 2, "a common bit" },
    { 2, UINT64_C(1) << 63, 1, UINT64_C(3) << 62, "the highest bit" },
    { 3, UINT64_C(0xFF), ~UINT64_C(0xF), ~UINT64_C(0x1FF), "nor: a bit that neither has" },
};

START_TEST(value_conditions)
{
    const size_t i = (size_t)_i;
    upload(cell, &conditions[i].before, sizeof(uint64_t));
    ASSERT_OK(aclrtValueWait(cell, conditions[i].awaited, conditions[i].flag, fx.stream));
    ck_assert_msg(is_waiting(fx.stream), "%s: does not wait", conditions[i].what);
    ASSERT_OK(aclrtValueWrite(cell, conditions[i].after, 0, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtValueWait(cell, conditions[i].awaited, conditions[i].flag, fx.stream)); /* it is there already */
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(value_that_a_copy_or_the_host_brings_is_noticed)
{
    const uint64_t one = 1, two = 2, three = 3;
    ASSERT_OK(aclrtValueWait(cell, one, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    ck_assert(is_waiting(fx.stream));
    upload(cell, &one, sizeof one); /* a synchronous copy of the host */
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));

    memcpy(fx.pinned, &two, sizeof two);
    ASSERT_OK(aclrtValueWait(cell, two, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(cell, sizeof two, fx.pinned, sizeof two, H2D, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));

    upload(fx.device, &three, sizeof three);
    ASSERT_OK(aclrtValueWait(cell, three, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(cell, sizeof three, fx.device, sizeof three, D2D, other));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

START_TEST(many_streams_wait_for_one_cell_and_no_engine_does)
{
    enum { STREAMS = 100 };
    aclrtStream streams[STREAMS];
    for (size_t i = 0; i < STREAMS; i++) {
        ASSERT_OK(aclrtCreateStream(&streams[i]));
        ASSERT_OK(aclrtValueWait(cell, i + 1, ACL_STREAM_WAIT_VALUE_GEQ, streams[i]));
        ASSERT_OK(aclrtMemsetAsync(fx.device + i, 1, (int32_t)i, 1, streams[i]));
    }
    ASSERT_OK(aclrtMemsetAsync(fx.device + 1000, 64, 3, 64, other)); /* others go on */
    ASSERT_OK(aclrtSynchronizeStream(other));
    for (size_t i = 0; i < STREAMS; i++)
        ck_assert(is_waiting(streams[i]));
    ASSERT_OK(aclrtValueWrite(cell, STREAMS / 2, 0, other));
    for (size_t i = 0; i < STREAMS / 2; i++)
        ASSERT_OK(aclrtSynchronizeStream(streams[i]));
    for (size_t i = STREAMS / 2; i < STREAMS; i++)
        ck_assert(is_waiting(streams[i]));
    ASSERT_OK(aclrtValueWrite(cell, STREAMS, 0, other));
    for (size_t i = 0; i < STREAMS; i++)
        ASSERT_OK(aclrtDestroyStream(streams[i]));
    for (size_t i = 0; i < STREAMS; i++)
        ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + i, 1, (uint8_t)i));
}
END_TEST

START_TEST(value_wait_that_nothing_ends_is_dropped_by_force)
{
    aclrtStream stream;
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 1, 64, stream));
    ASSERT_OK(aclrtDestroyStreamForce(stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 64, POISON));
}
END_TEST

START_TEST(value_cell_is_kept_while_a_stream_waits)
{
    void *block = NULL;
    const uint64_t zero = 0;
    ASSERT_OK(aclrtMalloc(&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    upload(block, &zero, sizeof zero);
    ASSERT_OK(aclrtValueWait(block, 9, ACL_STREAM_WAIT_VALUE_EQ, fx.stream));
    ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, other));
    ASSERT_OK(aclrtValueWrite(block, 9, 0, other));
    ASSERT_OK(aclrtFree(block));
    ASSERT_OK(aclrtValueWrite(cell, 1, 0, NULL));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
}
END_TEST

/* --- reductions -------------------------------------------------------------------------------------------------- */

enum { SUM = 10, MAX = 11, MIN = 12, EQUAL = 13, COUNT = 37 };

static aclError reduce(void *dst, const void *src, uint64_t count, int kind, int type, void *reserve)
{
    return aclrtReduceAsync(dst, src, count, (aclrtReduceKind)kind, (aclDataType)type, fx.stream, reserve);
}

START_TEST(reduce_arguments)
{
    ASSERT_CODE(E_INVALID_PARAM, reduce(NULL, fx.device2, 64, SUM, ACL_FLOAT, NULL));
    ASSERT_CODE(E_INVALID_PARAM, reduce(fx.device, NULL, 64, SUM, ACL_FLOAT, NULL));
    ASSERT_CODE(E_INVALID_PARAM, reduce(fx.device, fx.device2, 64, SUM, ACL_FLOAT, fx.pinned));
    ASSERT_CODE(E_INVALID_PARAM, reduce(fx.device, fx.device2, 64, 9, ACL_FLOAT, NULL));
    ASSERT_CODE(E_INVALID_PARAM, reduce(fx.device, fx.device2, 64, 14, ACL_FLOAT, NULL));
    ASSERT_CODE(E_INVALID_PARAM, reduce(fx.device, fx.device2, 64, SUM, ACL_STRING, NULL));
    ASSERT_CODE(E_INVALID_PARAM, reduce(fx.device, fx.device2, 64, SUM, -1, NULL));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, reduce(fx.device, fx.device2, 64, EQUAL, ACL_FLOAT, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, reduce(fx.device, fx.device2, 63, SUM, ACL_FLOAT, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, reduce(fx.device, fx.device2, 0, SUM, ACL_FLOAT, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, reduce(fx.pinned, fx.device2, 64, SUM, ACL_FLOAT, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, reduce(fx.device, fx.pageable, 64, SUM, ACL_FLOAT, NULL));
    ASSERT_OK(reduce(fx.device, fx.device2 + FIXTURE_BYTES - 60, 64, SUM, ACL_FLOAT, NULL));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
}
END_TEST

/* Numbers that are exact in every type, positive ones only where it has no others. */
static double number_of(uint64_t *seed, bool is_signed)
{
    return (double)random_in(seed, 0, 60) - (is_signed ? 30 : 0);
}

static uint16_t to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16); /* exact for the numbers used */
}

#define PUT(type, value) \
    do { \
        const type typed_ = (type)(value); \
        memcpy(at, &typed_, sizeof typed_); \
        return sizeof typed_; \
    } while (0)

static size_t put(uint8_t *at, int type, double value)
{
    switch (type) {
    case ACL_FLOAT:
        PUT(float, value);
    case ACL_INT8:
        PUT(int8_t, value);
    case ACL_INT16:
        PUT(int16_t, value);
    case ACL_INT32:
        PUT(int32_t, value);
    case ACL_UINT8:
        PUT(uint8_t, value);
    case ACL_UINT16:
        PUT(uint16_t, value);
    case ACL_UINT32:
        PUT(uint32_t, value);
    case ACL_FLOAT16:
        PUT(aclFloat16, aclFloatToFloat16((float)value));
    default:
        PUT(uint16_t, to_bf16((float)value));
    }
}

static double combined(double a, double b, int kind)
{
    if (kind == SUM)
        return a + b;
    return (kind == MAX) == (a > b) ? a : b;
}

START_TEST(reduce_every_type_and_kind_at_odd_addresses)
{
    static const int types[] = { ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_INT8,  ACL_INT16,
                                 ACL_INT32, ACL_UINT8,   ACL_UINT16, ACL_UINT32 };
    uint64_t seed = test_seed();
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        for (int kind = SUM; kind <= MIN; kind++) {
            const bool is_signed = types[t] != ACL_UINT8 && types[t] != ACL_UINT16 && types[t] != ACL_UINT32;
            uint8_t dst[COUNT * 4], src[COUNT * 4], want[COUNT * 4];
            size_t bytes = 0;
            for (size_t i = 0; i < COUNT; i++) {
                const double a = number_of(&seed, is_signed), b = number_of(&seed, is_signed);
                put(dst + bytes, types[t], a);
                put(src + bytes, types[t], b);
                bytes += put(want + bytes, types[t], combined(a, b, kind));
            }
            ASSERT_OK(aclrtMemset(fx.device, 512, POISON, 512));
            upload(fx.device + 1, dst, bytes);
            memcpy(fx.pinned + 3, src, bytes);
            ASSERT_OK(reduce(fx.device + 1, fx.pinned + 3, bytes, kind, types[t], NULL));
            ASSERT_OK(aclrtSynchronizeStream(fx.stream));
            ASSERT_NO_DIFFERENCE(device_bytes_difference(fx.device + 1, want, bytes));
            ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, 1, POISON));
            ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device + 1 + bytes, 16, POISON));
        }
    }
}
END_TEST

START_TEST(reduce_rounds_halves_and_wraps_integers)
{
    const struct {
        int type;
        uint32_t a, b, sum;
    } rows[] = {
        { ACL_FLOAT16, 0x6800, 0x3C00, 0x6800 }, /* 2048 + 1: halfway, to even */
        { ACL_FLOAT16, 0x6801, 0x3C00, 0x6802 }, /* 2050 + 1: halfway, to even */
        { ACL_FLOAT16, 0x7BFF, 0x7BFF, 0x7C00 }, /* past the largest: infinity */
        { ACL_BF16, 0x4380, 0x3F80, 0x4380 },    /* 256 + 1: halfway, to even */
        { ACL_BF16, 0x4381, 0x3F80, 0x4382 },    /* 258 + 1 */
        { ACL_BF16, 0x7F80, 0xFF80, 0x7FC0 },    /* infinity - infinity: NaN, perhaps with a sign */
        { ACL_INT8, 0x7F, 1, 0x80 },
        { ACL_UINT16, 0xFFFF, 2, 1 },
        { ACL_INT32, 0x7FFFFFFF, 1, 0x80000000U },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const size_t size = aclDataTypeSize((aclDataType)rows[i].type);
        uint32_t result = 0;
        upload(fx.device, &rows[i].a, size);
        upload(fx.device2, &rows[i].b, size);
        ASSERT_OK(reduce(fx.device, fx.device2, size, SUM, rows[i].type, NULL));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        download(&result, fx.device, size);
        if (rows[i].type == ACL_BF16 && (rows[i].sum & 0x7FFF) > 0x7F80)
            result &= 0x7FFF;
        ck_assert_msg(result == rows[i].sum, "row %zu: 0x%x, expected 0x%x", i, result, rows[i].sum);
    }
}
END_TEST

int main(void)
{
    TCase *values = new_case("values", setup, teardown);
    tcase_add_test(values, cop_123_value_wait_without_an_address);
    tcase_add_test(values, cop_124_value_write_with_a_flag);
    tcase_add_test(values, cop_125_value_wait_with_an_unknown_flag);
    tcase_add_test(values, cop_126_value_write_lets_a_waiting_stream_proceed);
    tcase_add_test(values, value_cells_lie_in_device_memory);
    tcase_add_test(values, value_is_written_as_64_bits_in_stream_order);
    tcase_add_loop_test(values, value_conditions, 0, (int)COUNT_OF(conditions));
    tcase_add_test(values, value_that_a_copy_or_the_host_brings_is_noticed);
    tcase_add_test(values, many_streams_wait_for_one_cell_and_no_engine_does);
    tcase_add_test(values, value_wait_that_nothing_ends_is_dropped_by_force);
    tcase_add_test(values, value_cell_is_kept_while_a_stream_waits);
    TCase *reductions = new_case("reductions", setup, teardown);
    tcase_add_test(reductions, reduce_arguments);
    tcase_add_test(reductions, reduce_every_type_and_kind_at_odd_addresses);
    tcase_add_test(reductions, reduce_rounds_halves_and_wraps_integers);
    return run_cases("value", values, reductions, NULL);
}
