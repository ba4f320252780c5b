/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static size_t memory_bytes(bool quick)
{
    size_t most = 0;
    for (int i = 0; i < shape_count(); i++) {
        const struct shape shape = shape_at(i, quick);
        const size_t span = shape_span(&shape);
        most = span > most ? span : most;
    }
    return (most + BENCH_MARGIN + PAGE - 1) / PAGE * PAGE;
}

static uint8_t *pinned; /* as allocated */

struct memory measure_memory(bool quick)
{
    struct memory memory = { .bytes = memory_bytes(quick) };
    BENCH_CHECK(aclrtMallocHost((void **)&pinned, memory.bytes + PAGE));
    uint8_t *src = pinned + (PAGE - (uintptr_t)pinned % PAGE) % PAGE;
    bench_pattern(src, memory.bytes);
    memory.src = src;
    memory.dst = mmap(NULL, memory.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory.dst == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    memset(memory.dst, BENCH_POISON, memory.bytes);
    return memory;
}

void measure_memory_free(struct memory *memory)
{
    munmap(memory->dst, memory->bytes);
    BENCH_CHECK(aclrtFreeHost(pinned));
}

double measure(const struct peer *peer, const struct shape *shape, int repeats)
{
    static unsigned step;
    struct bench_rect rects[RECTS_MAX];
    shape_rects(shape, rects);
    const unsigned steps = (unsigned)shape->steps;
    peer->copy2d(rects, (int)(step++ % steps));
    const double start = bench_now_ns();
    for (int i = 0; i < repeats; i++)
        peer->copy2d(rects, (int)(step++ % steps));
    return (bench_now_ns() - start) / repeats;
}

int measure_repeats(const struct shape *shape, bool quick)
{
    const double sample_ns = 2e6, most = 100000;
    const double copies = quick ? 1 : sample_ns / measure(&peer_loop, shape, quick ? 1 : 3);
    return copies < 1 ? 1 : copies > most ? (int)most : (int)copies;
}

static bool verify_step(const struct peer *peer, const struct bench_rect *rects, int index, const struct memory *memory)
{
    const struct bench_rect *r = &rects[index];
    const size_t begin = bench_margin_begin(r), bytes = bench_margin_end(r) - begin;
    if (peer->poison != NULL)
        peer->poison(begin, bytes);
    else
        memset(memory->dst + begin, BENCH_POISON, bytes);
    peer->copy2d(rects, index);
    if (peer->fetch != NULL)
        peer->fetch(begin, bytes);
    return bench_verify(peer->name, memory->dst, memory->src, r) && bench_verify_margins(peer->name, memory->dst, r);
}

bool measure_verify(const struct peer *peer, const struct shape *shape, const struct memory *memory)
{
    struct bench_rect rects[RECTS_MAX];
    shape_rects(shape, rects);
    const int last = shape->steps - 1;
    return verify_step(peer, rects, 0, memory) && (last == 0 || verify_step(peer, rects, last, memory));
}
