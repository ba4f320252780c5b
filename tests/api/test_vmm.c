/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory: reserved addresses, physical memory, mappings, who may use them, and copies across them. */
#include <sys/resource.h>

#include "support.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
#define TIB ((size_t)1 << 40)
#define UNIT (2 * MIB)

static const aclrtPhysicalMemProp on_device = { .memAttr = ACL_HBM_MEM_HUGE,
                                                .location = { .type = ACL_MEM_LOCATION_TYPE_DEVICE } };

static uint8_t *reserved(size_t bytes)
{
    void *at = NULL;
    ASSERT_OK(aclrtReserveMemAddress(&at, bytes, 0, NULL, 1));
    return at;
}

static aclrtDrvMemHandle physical(size_t bytes)
{
    aclrtDrvMemHandle handle = NULL;
    ASSERT_OK(aclrtMallocPhysical(&handle, bytes, &on_device, 0));
    return handle;
}

/* Memory at `at` without a handle that needs to be freed later. */
static void map_new(uint8_t *at, size_t bytes)
{
    const aclrtDrvMemHandle handle = physical(bytes);
    ASSERT_OK(aclrtMapMem(at, bytes, 0, handle, 0));
    ASSERT_OK(aclrtFreePhysical(handle));
}

static void unmap_all(uint8_t *at, size_t bytes, size_t step)
{
    for (size_t i = 0; i < bytes; i += step)
        ASSERT_OK(aclrtUnmapMem(at + i));
    ASSERT_OK(aclrtReleaseMemAddress(at));
}

static size_t free_hbm(void)
{
    size_t free = 0, total = 0;
    ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
}

/* --- arguments -------------------------------------------------------------------------------------------------- */

/* MEM-155 [code] */
START_TEST(mem_155_reserve_with_unknown_flags)
{
    void *at = &fx;
    ASSERT_CODE(E_INVALID_PARAM, aclrtReserveMemAddress(&at, UNIT, 0, NULL, 2));
    ASSERT_CODE(E_INVALID_PARAM, aclrtReserveMemAddress(NULL, UNIT, 0, NULL, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtReserveMemAddress(&at, 0, 0, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&at, UNIT, 64, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&at, UNIT + 1, 0, NULL, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&at, UNIT, 0, (void *)(15 * TIB), 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&at, UNIT, 0, (void *)(24 * TIB), 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&at, 9 * TIB, 0, (void *)(16 * TIB), 0));
    ASSERT_REFUSED(aclrtReserveMemAddress(&at, SIZE_MAX / UNIT * UNIT, 0, NULL, 0));
    ck_assert_ptr_eq(at, &fx);
    ASSERT_CODE(E_INVALID_PARAM, aclrtReleaseMemAddress(NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReleaseMemAddress(fx.device));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReleaseMemAddress(fx.pageable));
}
END_TEST

/* MEM-156 [code] */
START_TEST(mem_156_physical_with_flags)
{
    aclrtDrvMemHandle handle = &fx;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocPhysical(&handle, UNIT, &on_device, 1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocPhysical(NULL, UNIT, &on_device, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocPhysical(&handle, 0, &on_device, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMallocPhysical(&handle, UNIT, NULL, 0));
    const struct {
        aclrtPhysicalMemProp prop;
        int want;
    } rows[] = {
        { { .handleType = ACL_MEM_HANDLE_TYPE_POSIX, .location.type = 1, .memAttr = 4 }, E_INVALID_PARAM },
        { { .allocationType = (aclrtMemAllocationType)1, .location.type = 1, .memAttr = 4 }, E_INVALID_PARAM },
        { { .location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED, .memAttr = 4 }, E_INVALID_PARAM },
        { { .location.type = ACL_MEM_LOCATION_TYPE_MANAGED, .memAttr = 4 }, E_INVALID_PARAM },
        { { .location.type = 1, .memAttr = ACL_DDR_MEM_HUGE }, E_INVALID_PARAM },
        { { .location.type = 1, .memAttr = (aclrtMemAttr)18 }, E_INVALID_PARAM },
        { { .location.type = 1, .memAttr = (aclrtMemAttr)-1 }, E_INVALID_PARAM },
        { { .location = { .type = 1, .id = 8 }, .memAttr = 4 }, E_RT_INVALID_DEVICEID },
        { { .location = { .type = 1, .id = UINT32_MAX }, .memAttr = 4 }, E_RT_INVALID_DEVICEID },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_CODE_OF_ROW(rows[i].want, aclrtMallocPhysical(&handle, UNIT, &rows[i].prop, 0), "row %zu", i);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, UNIT + 4096, &on_device, 0));
    ck_assert_ptr_eq(handle, &fx);
    ASSERT_CODE(E_INVALID_PARAM, aclrtFreePhysical(NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreePhysical(fx.stream));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreePhysical(&fx));
}
END_TEST

/* MEM-157 [code] */
START_TEST(mem_157_map_with_flags)
{
    uint8_t *const at = reserved(4 * UNIT);
    const aclrtDrvMemHandle handle = physical(UNIT);
    ASSERT_CODE(E_INVALID_PARAM, aclrtMapMem(at, UNIT, 0, handle, 1));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMapMem(NULL, UNIT, 0, handle, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMapMem(at, UNIT, 0, NULL, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMapMem(at, 0, 0, handle, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemMapNoAccess(at, UNIT, 0, handle, 2));
    ASSERT_CODE(E_INVALID_PARAM, aclrtUnmapMem(NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtUnmapMem(at));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

/* MEM-158 [proposal] */
START_TEST(mem_158_map_another_size)
{
    uint8_t *const at = reserved(4 * UNIT);
    const aclrtDrvMemHandle handle = physical(2 * UNIT);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at, 3 * UNIT, 0, handle, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at + 3 * UNIT, 2 * UNIT, 0, handle, 0)); /* runs over the end */
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at + UNIT / 2, 2 * UNIT, 0, handle, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(fx.device, 2 * UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMapMem(at + UNIT, 2 * UNIT, 0, handle, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at + 2 * UNIT, 2 * UNIT, 0, handle, 0)); /* half of it is taken */
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReleaseMemAddress(at));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtUnmapMem(at + 2 * UNIT)); /* not its start */
    ASSERT_OK(aclrtUnmapMem(at + UNIT));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreePhysical(handle));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at, 2 * UNIT, 0, handle, 0));
    ASSERT_OK(aclrtReleaseMemAddress(at));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReleaseMemAddress(at));
}
END_TEST

/* MEM-159 [proposal] */
START_TEST(mem_159_map_from_an_offset)
{
    uint8_t *const at = reserved(4 * UNIT);
    const aclrtDrvMemHandle handle = physical(2 * UNIT);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at, 2 * UNIT, 1, handle, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMapMem(at, UNIT, UNIT, handle, 0));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

START_TEST(granularity_and_properties)
{
    aclrtPhysicalMemProp prop = on_device, read = { 0 };
    size_t granularity = 0;
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAllocationGranularity(NULL, 0, &granularity));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAllocationGranularity(&prop, 0, NULL));
    ASSERT_CODE(E_INVALID_PARAM,
                aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &granularity));
    ASSERT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
    ck_assert_uint_eq(granularity, UNIT);
    prop.memAttr = ACL_HBM_MEM_HUGE1G;
    ASSERT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &granularity));
    ck_assert_uint_eq(granularity, GIB);

    prop.location.id = 3;
    aclrtDrvMemHandle handle;
    ASSERT_OK(aclrtMallocPhysical(&handle, GIB, &prop, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAllocationPropertiesFromHandle(NULL, &read));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAllocationPropertiesFromHandle(handle, NULL));
    ASSERT_OK(aclrtMemGetAllocationPropertiesFromHandle(handle, &read));
    ck_assert_mem_eq(&read, &prop, sizeof prop);
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemGetAllocationPropertiesFromHandle(handle, &read));
}
END_TEST

/* What another tool has mapped there (a sanitizer's shadow) makes the wish fail, never something be overwritten. */
START_TEST(wished_addresses_are_the_ones_or_none)
{
    void *at = NULL, *again = NULL;
    void *const wish = (void *)(20 * TIB);
    const aclError code = aclrtReserveMemAddress(&at, UNIT, 0, wish, 0);
    if (code != ACL_SUCCESS) {
        ASSERT_CODE(E_RT_PARAM_INVALID, code);
        return;
    }
    ck_assert_ptr_eq(at, wish);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&again, UNIT, 0, wish, 0));
    ASSERT_OK(aclrtReleaseMemAddress(at));
    ASSERT_OK(aclrtReserveMemAddress(&again, UNIT, 0, wish, 0));
    ASSERT_OK(aclrtReleaseMemAddress(again));
}
END_TEST

START_TEST(atlas_350_takes_no_wishes)
{
    void *at = NULL;
    fixture_open_on("atlas-350");
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtReserveMemAddress(&at, UNIT, 0, (void *)(20 * TIB), 0));
    ASSERT_MESSAGE_NAMES("aclrtReserveMemAddress", "expectPtr", "atlas-350");
    ck_assert_ptr_null(at);
    ASSERT_OK(aclrtReserveMemAddress(&at, UNIT, 0, NULL, 0));
    ASSERT_OK(aclrtReleaseMemAddress(at));
    fixture_close();
}
END_TEST

START_TEST(products_of_the_310b_class_have_none)
{
    void *at;
    aclrtDrvMemHandle handle;
    fixture_open_on("atlas-200i-500-a2");
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtReserveMemAddress(&at, UNIT, 0, NULL, 0));
    ASSERT_CODE(E_RT_FEATURE_NOT_SUPPORT, aclrtMallocPhysical(&handle, UNIT, &on_device, 0));
    fixture_close();
}
END_TEST

/* --- references and accounting ---------------------------------------------------------------------------------- */

START_TEST(physical_memory_counts_until_nobody_has_it)
{
    const size_t before = free_hbm();
    uint8_t *const at = reserved(4 * UNIT);
    ck_assert_uint_eq(free_hbm(), before); /* addresses are free */
    aclrtDrvMemHandle handle = physical(UNIT), retained;
    ck_assert_uint_eq(free_hbm(), before - UNIT);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemRetainAllocationHandle(at, &retained));
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemRetainAllocationHandle(NULL, &retained));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemRetainAllocationHandle(at, NULL));
    ASSERT_OK(aclrtMemRetainAllocationHandle(at + 12345, &retained));
    ck_assert_ptr_eq(retained, handle);
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_OK(aclrtFreePhysical(retained));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreePhysical(handle)); /* both references are back */
    ck_assert_uint_eq(free_hbm(), before - UNIT);               /* but it is mapped */
    ASSERT_OK(aclrtMemRetainAllocationHandle(at, &retained));   /* and can be had again */
    ASSERT_OK(aclrtMapMem(at + 2 * UNIT, UNIT, 0, retained, 0));
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtFreePhysical(retained));
    ck_assert_uint_eq(free_hbm(), before - UNIT);
    ASSERT_OK(aclrtUnmapMem(at + 2 * UNIT));
    ck_assert_uint_eq(free_hbm(), before);
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

START_TEST(physical_memory_ends_with_the_device)
{
    aclrtDrvMemHandle most, more;
    const size_t rest = free_hbm() / UNIT * UNIT;
    ASSERT_OK(aclrtMallocPhysical(&most, rest, &on_device, 0));
    ASSERT_CODE(E_RT_MEMORY_ALLOCATION, aclrtMallocPhysical(&more, UNIT, &on_device, 0));
    ASSERT_OK(aclrtFreePhysical(most));
    ASSERT_OK(aclrtMallocPhysical(&more, UNIT, &on_device, 0));
    ASSERT_OK(aclrtFreePhysical(more));
}
END_TEST

START_TEST(new_physical_memory_is_zero_and_two_mappings_show_the_same)
{
    uint8_t *const at = reserved(4 * UNIT);
    aclrtDrvMemHandle handle = physical(UNIT);
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMapMem(at + 2 * UNIT, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMemset(at, UNIT, 0x11, UNIT));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at + 2 * UNIT, UNIT, 0x11));
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtUnmapMem(at + 2 * UNIT));
    ASSERT_OK(aclrtMapMem(at + UNIT, UNIT, 0, handle, 0)); /* bytes belong to the memory, not to the address */
    ASSERT_NO_DIFFERENCE(device_fill_difference(at + UNIT, UNIT, 0x11));
    ASSERT_OK(aclrtUnmapMem(at + UNIT));
    ASSERT_OK(aclrtFreePhysical(handle));
    handle = physical(UNIT); /* the same place in the file, perhaps */
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, UNIT, 0));
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtFreePhysical(handle));
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

/* --- what addresses are ----------------------------------------------------------------------------------------- */

START_TEST(mapped_addresses_are_device_memory)
{
    uint8_t *const at = reserved(4 * UNIT);
    aclrtPtrAttributes attributes;
    void *base;
    size_t size;
    ASSERT_OK(aclrtPointerGetAttributes(at, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemGetAddressRange(at, &base, &size));
    map_new(at, UNIT);
    map_new(at + UNIT, 2 * UNIT);
    ASSERT_OK(aclrtPointerGetAttributes(at + UNIT + 7, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    ck_assert_uint_eq(attributes.location.id, 0);
    ck_assert_uint_eq(attributes.pageSize, UNIT);
    ASSERT_OK(aclrtMemGetAddressRange(at + UNIT + 7, &base, &size));
    ck_assert_ptr_eq(base, at + UNIT);
    ck_assert_uint_eq(size, 2 * UNIT);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemGetAddressRange(at + 3 * UNIT, &base, &size));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFree(at));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtFreeHost(at));
    void *registered;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtHostRegister(at, UNIT, ACL_HOST_REGISTER_MAPPED, &registered));
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtUnmapMem(at + UNIT));
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

/* --- copies ----------------------------------------------------------------------------------------------------- */

/* Rows that lie across the seams of three pieces, both ways, by the stream and at once. */
START_TEST(copies_run_across_pieces_that_adjoin)
{
    const size_t pitch = 12000, width = 11000, height = 400; /* 4.6 MiB from 0.7 MiB on: two seams */
    uint8_t *const at = reserved(4 * UNIT);
    for (size_t i = 0; i < 4; i++)
        map_new(at + i * UNIT, UNIT);
    struct rect there = rect_random(PLACE_PINNED, width, height, width, 0);
    struct rect back = rect_poisoned(PLACE_PINNED, width, height, width + 100, 0);
    uint8_t *const start = at + 700000;
    ASSERT_OK(aclrtMemcpy2dAsync(start, pitch, there.at, there.pitch, width, height, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(back.at, back.pitch, start, pitch, width, height, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&back, &there);
    ASSERT_GAPS_ARE(&back, POISON);

    struct rect pageable = rect_poisoned(PLACE_PAGEABLE, width, height, width, 0);
    ASSERT_OK(aclrtMemcpy2d(pageable.at, width, start, pitch, width, height, D2H));
    ASSERT_RECT_EQ(&pageable, &there);
    ASSERT_OK(aclrtMemsetAsync(at, 4 * UNIT, 0x5C, 4 * UNIT, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, 4 * UNIT, 0x5C));
    rect_free(&there);
    rect_free(&back);
    rect_free(&pageable);
    unmap_all(at, 4 * UNIT, UNIT);
}
END_TEST

START_TEST(a_hole_fails_when_the_copy_runs)
{
    uint8_t *const at = reserved(4 * UNIT);
    map_new(at, UNIT);
    map_new(at + 2 * UNIT, UNIT);
    ASSERT_OK(aclrtMemset(at, UNIT, 0x22, UNIT));
    uint8_t *const seam = at + UNIT - 64; /* half in the hole */
    ASSERT_OK(aclrtMemcpyAsync(seam, 128, fx.pinned, 128, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "nothing is mapped");
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpy(seam, 128, fx.pageable, 128, H2D));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemset(at + UNIT, 64, 0, 64));
    ASSERT_OK(aclrtMemsetAsync(seam, 128, 0, 128, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, UNIT, 0x22));
    /* Rows on either side of the hole touch it nowhere. */
    ASSERT_OK(aclrtMemcpy2dAsync(at, 2 * UNIT, fx.pinned, 4096, 4096, 2, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    /* With half the pitch the second row lies in it. */
    ASSERT_OK(aclrtMemcpy2dAsync(at, UNIT, fx.pinned, 4096, 4096, 3, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    /* Past the last piece, and past the reservation. */
    ASSERT_OK(aclrtMemcpyAsync(at + 4 * UNIT - 1, 2, fx.pinned, 2, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpy(at + 4 * UNIT, 2, fx.pageable, 2, H2D));
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtUnmapMem(at + 2 * UNIT));
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

START_TEST(unmapping_under_queued_work_fails_that_work)
{
    struct gate gate;
    uint8_t *const at = reserved(2 * UNIT);
    map_new(at, UNIT);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemcpyAsync(at, 4096, fx.pinned, 4096, H2D, fx.stream));
    ASSERT_OK(aclrtMemsetAsync(at, UNIT, 1, UNIT, fx.stream));
    gate_await(&gate);
    ASSERT_OK(aclrtUnmapMem(at)); /* does not wait for what is queued */
    gate_open(&gate);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemcpyAsync", "nothing is mapped");

    /* What is mapped there when the turn comes is what counts. */
    map_new(at, UNIT);
    gate_close(&gate, fx.stream);
    ASSERT_OK(aclrtMemsetAsync(at, UNIT, 0x77, UNIT, fx.stream));
    gate_await(&gate);
    ASSERT_OK(aclrtUnmapMem(at));
    map_new(at, UNIT);
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(at, UNIT, 0x77));
    unmap_all(at, UNIT, UNIT);
}
END_TEST

/* A page of a cache over all layers: 64 rows, hundreds of MiB apart, 18 GiB of addresses, 8 MiB of bytes. */
START_TEST(sparse_rows_lie_hundreds_of_mebibytes_apart)
{
    const size_t layers = 64, page = 128 * 1024, pitch = 300 * MIB;
    uint8_t *const at = reserved(layers * pitch);
    map_new(at, layers * pitch);
    struct rect there = rect_random(PLACE_PINNED, page, layers, page, 0);
    struct rect back = rect_poisoned(PLACE_PINNED, page, layers, page, 0);
    ASSERT_OK(aclrtMemcpy2dAsync(at + 77 * page, pitch, there.at, page, page, layers, H2D, fx.stream));
    ASSERT_OK(aclrtMemcpy2dAsync(back.at, page, at + 77 * page, pitch, page, layers, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_RECT_EQ(&back, &there);
    rect_free(&there);
    rect_free(&back);
    unmap_all(at, layers * pitch, layers * pitch);
}
END_TEST

/* --- access ----------------------------------------------------------------------------------------------------- */

static aclrtMemAccessDesc access_of(uint32_t device, aclrtMemAccessFlags flags)
{
    return (aclrtMemAccessDesc){ .flags = flags, .location = { .id = device, .type = ACL_MEM_LOCATION_TYPE_DEVICE } };
}

static uint64_t access_at(uint8_t *at, uint32_t device)
{
    aclrtMemLocation location = { .id = device, .type = ACL_MEM_LOCATION_TYPE_DEVICE };
    uint64_t flags = 99;
    ASSERT_OK(aclrtMemGetAccess(at, &location, &flags));
    return flags;
}

START_TEST(access_is_what_was_set)
{
    uint8_t *const at = reserved(2 * UNIT);
    const aclrtDrvMemHandle handle = physical(UNIT);
    aclrtMemAccessDesc desc = access_of(0, ACL_RT_MEM_ACCESS_FLAGS_READ);
    ASSERT_OK(aclrtMemMapNoAccess(at, UNIT, 0, handle, 0));
    ck_assert_uint_eq(access_at(at, 0), ACL_RT_MEM_ACCESS_FLAGS_NONE);
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemset(at, 64, 0, 64));

    ASSERT_OK(aclrtMemSetAccess(at, UNIT, &desc, 1));
    ck_assert_uint_eq(access_at(at + 5, 0), ACL_RT_MEM_ACCESS_FLAGS_READ);
    ASSERT_OK(aclrtMemcpyAsync(fx.pinned, 64, at, 64, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(at, 64, fx.pinned, 64, H2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    ASSERT_MESSAGE_NAMES("aclrtMemSetAccess", "write");
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpy(at, 64, fx.pageable, 64, H2D));

    desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    ASSERT_OK(aclrtMemSetAccess(at, UNIT, &desc, 1));
    ASSERT_OK(aclrtMemcpy(at, 64, fx.pageable, 64, H2D));
    ASSERT_OK(aclrtUnmapMem(at));
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ck_assert_uint_eq(access_at(at, 0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    ck_assert_uint_eq(access_at(at, 1), ACL_RT_MEM_ACCESS_FLAGS_NONE);
    ASSERT_OK(aclrtFreePhysical(handle));
    unmap_all(at, UNIT, UNIT);
}
END_TEST

START_TEST(access_calls_refuse_what_is_wrong)
{
    uint8_t *const at = reserved(4 * UNIT);
    aclrtMemAccessDesc desc = access_of(0, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    aclrtMemLocation location = desc.location;
    uint64_t flags;
    map_new(at, UNIT);
    map_new(at + UNIT, UNIT);
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(NULL, UNIT, &desc, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at, UNIT, NULL, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at, UNIT, &desc, 0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at, 2 * UNIT, &desc, 1)); /* two mappings */
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at + 64, UNIT - 64, &desc, 1));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at + 2 * UNIT, UNIT, &desc, 1));
    desc.flags = (aclrtMemAccessFlags)2;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at, UNIT, &desc, 1));
    desc = access_of(64, ACL_RT_MEM_ACCESS_FLAGS_READ);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtMemSetAccess(at, UNIT, &desc, 1));
    desc.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    const char *const way = getenv("PACL_DEVICE_ACCESS");
    const bool is_open = way != NULL && strcmp(way, "open") == 0; /* then the host has access in any case */
    ASSERT_CODE(is_open ? ACL_SUCCESS : E_RT_FEATURE_NOT_SUPPORT, aclrtMemSetAccess(at, UNIT, &desc, 1));
    desc.location.type = ACL_MEM_LOCATION_TYPE_MANAGED;
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemSetAccess(at, UNIT, &desc, 1));
    ck_assert_uint_eq(access_at(at, 0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE); /* nothing has changed it */

    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAccess(NULL, &location, &flags));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAccess(at, NULL, &flags));
    ASSERT_CODE(E_INVALID_PARAM, aclrtMemGetAccess(at, &location, NULL));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtMemGetAccess(at + 2 * UNIT, &location, &flags));
    location.id = 64;
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtMemGetAccess(at, &location, &flags));
    unmap_all(at, 2 * UNIT, UNIT);
}
END_TEST

/* Memory of device 1, used by a stream of device 0. */
START_TEST(another_device_needs_access)
{
    aclrtPhysicalMemProp prop = on_device;
    aclrtDrvMemHandle handle;
    uint8_t *const at = reserved(UNIT);
    prop.location.id = 1;
    ASSERT_OK(aclrtMallocPhysical(&handle, UNIT, &prop, 0));
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtMemcpyAsync(at, 64, fx.device, 64, D2D, fx.stream));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtSynchronizeStream(fx.stream));
    aclrtMemAccessDesc desc = access_of(0, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    ASSERT_OK(aclrtMemSetAccess(at, UNIT, &desc, 1));
    ASSERT_OK(aclrtMemcpyAsync(at, 64, fx.device, 64, D2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_OK(aclrtMemcpy(fx.device2, 64, at, 64, D2D));
    desc.flags = ACL_RT_MEM_ACCESS_FLAGS_NONE;
    ASSERT_OK(aclrtMemSetAccess(at, UNIT, &desc, 1));
    ASSERT_CODE(E_RT_SYS_DMA, aclrtMemcpy(fx.device2, 64, at, 64, D2D));
    ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0)); /* peers have what the memory's own device has */
    ASSERT_OK(aclrtMemcpy(fx.device2, 64, at, 64, D2D));
    ASSERT_OK(aclrtFreePhysical(handle));
    unmap_all(at, UNIT, UNIT);
}
END_TEST

START_TEST(memory_of_the_host_is_the_programs_too)
{
    aclrtPhysicalMemProp prop = { .memAttr = ACL_DDR_MEM_NORMAL, .location.type = ACL_MEM_LOCATION_TYPE_HOST };
    aclrtDrvMemHandle handle;
    aclrtPtrAttributes attributes;
    uint8_t *const at = reserved(UNIT);
    const size_t before = free_hbm();
    ASSERT_OK(aclrtMallocPhysical(&handle, UNIT, &prop, 0));
    ck_assert_uint_eq(free_hbm(), before);
    ASSERT_OK(aclrtMapMem(at, UNIT, 0, handle, 0));
    ASSERT_OK(aclrtPointerGetAttributes(at, &attributes));
    ck_assert_int_eq(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
    memset(at, 0x3B, UNIT);
    ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, at, FIXTURE_BYTES, H2D, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, 0x3B));
    ASSERT_OK(aclrtMemsetAsync(fx.device, 64, 0x4C, 64, fx.stream));
    ASSERT_OK(aclrtMemcpyAsync(at + 64, 64, fx.device, 64, D2H, fx.stream));
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_ALL_BYTES(at + 64, 64, 0x4C);
    ASSERT_ALL_BYTES(at + 128, 64, 0x3B);
    ASSERT_OK(aclrtFreePhysical(handle));
    unmap_all(at, UNIT, UNIT);
}
END_TEST

/* --- many ------------------------------------------------------------------------------------------------------- */

/* Thousands of handles at once, each with its bytes, in one process. */
START_TEST(many_pieces_need_few_descriptors)
{
    enum { PIECES = 2000 };
    uint8_t *const at = reserved(PIECES * UNIT);
    for (size_t i = 0; i < PIECES; i++) {
        map_new(at + i * UNIT, UNIT);
        const uint32_t number = (uint32_t)i;
        ASSERT_OK(aclrtMemcpy(at + i * UNIT + 4096, 4, &number, 4, H2D));
    }
    uint32_t *const numbers = calloc(PIECES, sizeof *numbers);
    ASSERT_OK(aclrtMemcpy2d(numbers, 4, at + 4096, UNIT, 4, PIECES, D2H));
    for (uint32_t i = 0; i < PIECES; i++)
        ck_assert_uint_eq(numbers[i], i);
    free(numbers);
    unmap_all(at, PIECES * UNIT, UNIT);
}
END_TEST

struct mover {
    pthread_t thread;
    uint64_t state;
    size_t rounds;
    aclError code;
};

/* Maps, fills, reads and unmaps in its own reservation. */
static void *run_mover(void *argument)
{
    struct mover *const m = argument;
    uint8_t value = 0;
    void *at = NULL;
    m->code = aclrtSetDevice(0);
    if (m->code == ACL_SUCCESS)
        m->code = aclrtReserveMemAddress(&at, 8 * UNIT, 0, NULL, 0);
    for (size_t i = 0; i < m->rounds && m->code == ACL_SUCCESS; i++) {
        uint8_t *const place = (uint8_t *)at + random_in(&m->state, 0, 7) * UNIT;
        const uint8_t want = (uint8_t)random_next(&m->state);
        aclrtDrvMemHandle handle;
        if ((m->code = aclrtMallocPhysical(&handle, UNIT, &on_device, 0)) != ACL_SUCCESS ||
            (m->code = aclrtMapMem(place, UNIT, 0, handle, 0)) != ACL_SUCCESS ||
            (m->code = aclrtMemset(place, 8192, want, 8192)) != ACL_SUCCESS ||
            (m->code = aclrtMemcpy(&value, 1, place + 8191, 1, D2H)) != ACL_SUCCESS ||
            (m->code = aclrtUnmapMem(place)) != ACL_SUCCESS || (m->code = aclrtFreePhysical(handle)) != ACL_SUCCESS)
            break;
        if (value != want)
            m->code = -1;
    }
    if (m->code == ACL_SUCCESS)
        m->code = aclrtReleaseMemAddress(at);
    return NULL;
}

/* Streams keep running while other threads change mappings, which stops them for a moment each time. */
START_TEST(threads_map_and_unmap_while_streams_run)
{
    struct mover movers[3];
    const uint64_t seed = test_seed();
    for (size_t i = 0; i < COUNT_OF(movers); i++) {
        movers[i] = (struct mover){ .state = seed + i, .rounds = test_rounds(100) };
        ck_assert_int_eq(pthread_create(&movers[i].thread, NULL, run_mover, &movers[i]), 0);
    }
    for (size_t i = 0; i < test_rounds(200); i++) {
        memset(fx.pinned, (int)(i & 0xFF), FIXTURE_BYTES);
        ASSERT_OK(aclrtMemcpyAsync(fx.device, FIXTURE_BYTES, fx.pinned, FIXTURE_BYTES, H2D, fx.stream));
        ASSERT_OK(aclrtMemcpyAsync(fx.pinned2, FIXTURE_BYTES, fx.device, FIXTURE_BYTES, D2H, fx.stream));
        ASSERT_OK(aclrtSynchronizeStream(fx.stream));
        ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, (uint8_t)i);
    }
    for (size_t i = 0; i < COUNT_OF(movers); i++) {
        ck_assert_int_eq(pthread_join(movers[i].thread, NULL), 0);
        ASSERT_OK(movers[i].code);
    }
}
END_TEST

struct toggler {
    pthread_t thread;
    uint8_t *at;
    aclrtDrvMemHandle handle;
    _Atomic bool over;
    aclError code;
};

static void *run_toggler(void *argument)
{
    struct toggler *const t = argument;
    t->code = aclrtSetDevice(0);
    while (t->code == ACL_SUCCESS && !t->over) {
        if ((t->code = aclrtMapMem(t->at, UNIT, 0, t->handle, 0)) == ACL_SUCCESS)
            t->code = aclrtUnmapMem(t->at);
    }
    return NULL;
}

/* Whatever a copy finds: the mapping's bytes, or nothing and 507013. */
START_TEST(copies_while_their_addresses_are_mapped_and_unmapped)
{
    struct toggler toggler = { .at = reserved(UNIT), .handle = physical(UNIT) };
    uint8_t *host;
    ASSERT_OK(aclrtMallocHost((void **)&host, UNIT));
    ASSERT_OK(aclrtMapMem(toggler.at, UNIT, 0, toggler.handle, 0));
    ASSERT_OK(aclrtMemset(toggler.at, UNIT, 7, UNIT));
    ASSERT_OK(aclrtUnmapMem(toggler.at));
    ck_assert_int_eq(pthread_create(&toggler.thread, NULL, run_toggler, &toggler), 0);
    for (size_t i = 0; i < test_rounds(20000); i++) {
        const size_t bytes = i % 64 == 0 ? UNIT : 64;
        memset(host, 0, bytes);
        const aclError code = i % 3 == 0 ? aclrtMemcpy2d(host, bytes / 4, toggler.at, bytes / 4, bytes / 4, 4, D2H)
                                         : aclrtMemcpy(host, bytes, toggler.at, bytes, D2H);
        if (code != ACL_SUCCESS)
            ASSERT_CODE(E_RT_SYS_DMA, code);
        else
            ASSERT_ALL_BYTES(host, bytes, 7);
    }
    toggler.over = true;
    ck_assert_int_eq(pthread_join(toggler.thread, NULL), 0);
    ASSERT_OK(toggler.code);
    ASSERT_OK(aclrtMapMem(toggler.at, UNIT, 0, toggler.handle, 0));
    ASSERT_OK(aclrtMemcpy(host, UNIT, toggler.at, UNIT, D2H));
    ASSERT_ALL_BYTES(host, UNIT, 7);
    ASSERT_OK(aclrtUnmapMem(toggler.at));
    ASSERT_OK(aclrtFreePhysical(toggler.handle));
    ASSERT_OK(aclrtReleaseMemAddress(toggler.at));
    ASSERT_OK(aclrtFreeHost(host));
}
END_TEST

static void free_all(const aclrtDrvMemHandle *handles, const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ASSERT_OK(aclrtFreePhysical(handles[order[i]]));
}

/* All physical memory lies in one file. What was given back in pieces, in any order, can be had again whole, and reads as
 * zero: a limit of file sizes is one of the memory in use. */
START_TEST(pieces_that_were_given_back_are_one)
{
    enum { PIECES = 4, STEP = 8 };
    static const size_t orders[][PIECES] = {
        { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 0, 2, 1, 3 }, { 1, 3, 2, 0 }, { 2, 0, 3, 1 }
    };
    const struct rlimit limit = { PIECES * STEP * MIB, PIECES * STEP * MIB };
    uint8_t *const at = reserved(PIECES * STEP * MIB);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        aclrtDrvMemHandle pieces[PIECES];
        for (size_t k = 0; k < PIECES; k++)
            pieces[k] = physical(STEP * MIB);
        free_all(pieces, orders[i], PIECES);
        map_new(at, PIECES * STEP * MIB);
        ASSERT_NO_DIFFERENCE(device_fill_difference(at + (PIECES * STEP - 1) * MIB, MIB, 0));
        ASSERT_OK(aclrtMemset(at, PIECES * STEP * MIB, 1, PIECES * STEP * MIB));
        ASSERT_OK(aclrtUnmapMem(at));
        /* A hole between two that stay, and the end. */
        for (size_t k = 0; k < PIECES; k++)
            pieces[k] = physical(STEP * MIB);
        ASSERT_OK(aclrtFreePhysical(pieces[2]));
        ASSERT_OK(aclrtFreePhysical(pieces[1]));
        pieces[1] = physical(2 * STEP * MIB);
        ASSERT_OK(aclrtFreePhysical(pieces[3]));
        ASSERT_OK(aclrtFreePhysical(pieces[1]));
        pieces[1] = physical((PIECES - 1) * STEP * MIB);
        ASSERT_OK(aclrtFreePhysical(pieces[1]));
        ASSERT_OK(aclrtFreePhysical(pieces[0]));
    }
    ASSERT_OK(aclrtReleaseMemAddress(at));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("vmm", fixture_open, fixture_close);
    tcase_add_test(tc, mem_155_reserve_with_unknown_flags);
    tcase_add_test(tc, mem_156_physical_with_flags);
    tcase_add_test(tc, mem_157_map_with_flags);
    tcase_add_test(tc, mem_158_map_another_size);
    tcase_add_test(tc, mem_159_map_from_an_offset);
    tcase_add_test(tc, granularity_and_properties);
    tcase_add_test(tc, wished_addresses_are_the_ones_or_none);
    tcase_add_test(tc, physical_memory_counts_until_nobody_has_it);
    tcase_add_test(tc, physical_memory_ends_with_the_device);
    tcase_add_test(tc, new_physical_memory_is_zero_and_two_mappings_show_the_same);
    tcase_add_test(tc, mapped_addresses_are_device_memory);
    tcase_add_test(tc, copies_run_across_pieces_that_adjoin);
    tcase_add_test(tc, a_hole_fails_when_the_copy_runs);
    tcase_add_test(tc, unmapping_under_queued_work_fails_that_work);
    tcase_add_test(tc, sparse_rows_lie_hundreds_of_mebibytes_apart);
    tcase_add_test(tc, access_is_what_was_set);
    tcase_add_test(tc, access_calls_refuse_what_is_wrong);
    tcase_add_test(tc, another_device_needs_access);
    tcase_add_test(tc, memory_of_the_host_is_the_programs_too);
    tcase_add_test(tc, many_pieces_need_few_descriptors);
    tcase_add_test(tc, pieces_that_were_given_back_are_one);
    tcase_add_test(tc, threads_map_and_unmap_while_streams_run);
    tcase_add_test(tc, copies_while_their_addresses_are_mapped_and_unmapped);
    TCase *const others = new_case("vmm_products", NULL, NULL);
    tcase_add_test(others, atlas_350_takes_no_wishes);
    tcase_add_test(others, products_of_the_310b_class_have_none);
    return run_cases("vmm", tc, others, (TCase *)NULL);
}
