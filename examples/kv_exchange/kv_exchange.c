/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of a KV cache between device and host. The cache has one block per layer, and in each block one slot per page, so
 * a page is 64 rows that lie 256 MiB apart: 16 GiB of device memory in all. One aclrtMemcpy2dAsync moves a page, to or
 * from a host buffer where its layers lie one after the other.
 *
 * The program fills some pages, swaps them out, gives their slots to others, swaps them in again at new slots, and checks
 * every byte. Only the pages that are used take memory.
 */
#include <acl/acl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check((call), #call)

enum { LAYERS = 64, PAGES = 4096, PAGE_BYTES = 64 * 1024, SWAPPED = 12 };

#define PITCH ((size_t)PAGES * PAGE_BYTES)   /* from layer to layer */
#define CACHE_BYTES ((size_t)LAYERS * PITCH) /* 16 GiB */
#define HOST_PAGE ((size_t)LAYERS * PAGE_BYTES)

static void check(aclError err, const char *call)
{
    if (err == ACL_SUCCESS)
        return;
    const char *message = aclGetRecentErrMsg();
    fprintf(stderr, "kv_exchange: %s returned %d: %s\n", call, err, message != NULL ? message : "no message");
    exit(1);
}

/* What sequence `s` has at a place of its page: differs from page to page, layer to layer and byte to byte. */
static uint64_t word_at(unsigned s, unsigned layer, unsigned i)
{
    return (uint64_t)(s + 1) * 0x9E3779B97F4A7C15U ^ (uint64_t)layer << 40 ^ (uint64_t)i * 0xD1B54A32D192ED03U;
}

static void fill_page(uint64_t *page, unsigned s)
{
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        for (unsigned i = 0; i < PAGE_BYTES / 8; i++)
            *page++ = word_at(s, layer, i);
    }
}

static int is_page(const uint64_t *page, unsigned s)
{
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        for (unsigned i = 0; i < PAGE_BYTES / 8; i++) {
            if (*page++ != word_at(s, layer, i))
                return 0;
        }
    }
    return 1;
}

static void swap_in(char *cache, unsigned slot, const char *host, aclrtStream stream)
{
    CHECK(aclrtMemcpy2dAsync(cache + (size_t)slot * PAGE_BYTES, PITCH, host, PAGE_BYTES, PAGE_BYTES, LAYERS,
                             ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

static void swap_out(char *host, const char *cache, unsigned slot, aclrtStream stream)
{
    CHECK(aclrtMemcpy2dAsync(host, PAGE_BYTES, cache + (size_t)slot * PAGE_BYTES, PITCH, PAGE_BYTES, LAYERS,
                             ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

/* Slots all over the cache, the first and the last among them. */
static unsigned slot_of(unsigned s, unsigned turn)
{
    return (s * (PAGES - 1) / (SWAPPED - 1) + turn * 1777) % PAGES;
}

int main(void)
{
    char *cache, *host;
    aclrtStream in, out;
    aclrtEvent swapped_out;
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&in));
    CHECK(aclrtCreateStream(&out));
    CHECK(aclrtCreateEventExWithFlag(&swapped_out, ACL_EVENT_SYNC));
    CHECK(aclrtMalloc((void **)&cache, CACHE_BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
    CHECK(aclrtMallocHost((void **)&host, SWAPPED * HOST_PAGE));
    printf("cache of %d layers and %d pages: %zu MiB, %zu MiB from layer to layer; a page has %zu KiB\n", LAYERS, PAGES,
           CACHE_BYTES >> 20, PITCH >> 20, HOST_PAGE >> 10);

    for (unsigned s = 0; s < SWAPPED; s++) {
        fill_page((uint64_t *)(void *)(host + s * HOST_PAGE), s);
        swap_in(cache, slot_of(s, 0), host + s * HOST_PAGE, in);
    }
    CHECK(aclrtSynchronizeStream(in));
    memset(host, 0, SWAPPED * HOST_PAGE);

    /* Out by one stream, and in again at other slots by the other, which waits for the event. */
    for (unsigned s = 0; s < SWAPPED; s++)
        swap_out(host + s * HOST_PAGE, cache, slot_of(s, 0), out);
    CHECK(aclrtRecordEvent(swapped_out, out));
    CHECK(aclrtStreamWaitEvent(in, swapped_out));
    for (unsigned s = 0; s < SWAPPED; s++)
        swap_in(cache, slot_of(s, 1), host + s * HOST_PAGE, in);
    CHECK(aclrtSynchronizeStream(in));
    memset(host, 0, SWAPPED * HOST_PAGE);
    for (unsigned s = 0; s < SWAPPED; s++)
        swap_out(host + s * HOST_PAGE, cache, slot_of(s, 1), out);
    CHECK(aclrtSynchronizeStream(out));

    int wrong = 0;
    for (unsigned s = 0; s < SWAPPED; s++)
        wrong += !is_page((const uint64_t *)(const void *)(host + s * HOST_PAGE), s);
    printf("%d pages went in, out, in and out again: %d wrong\n", SWAPPED, wrong);
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtFree(cache));
    CHECK(aclrtDestroyEvent(swapped_out));
    CHECK(aclrtDestroyStream(out));
    CHECK(aclrtDestroyStream(in));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong != 0;
}
