/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a cache has a rectangle, by how long a few loads take. It decides between stores that go past the caches,
 * which gain up to a half where everything comes from memory and lose as much where a cache has it, and ordinary ones;
 * a copy's size alone says little about it. Source and destination must both be in memory: stores past the caches
 * leave the destination there, and a copy that is repeated would never find it anywhere else.
 */
#include "copy/copy.h"
#include "os/os.h"

#if defined(__x86_64__)

/* The fences keep the load between the two readings. It is no access that a compiler or a tool follows: what it reads
 * is not looked at, and the bytes may never have been written. */
static uint64_t ticks_of_load(const uint8_t *p)
{
    uint32_t low, high, unused;
    uint64_t start;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    start = (uint64_t)high << 32 | low;
    __asm__ volatile("movzbl (%3), %2\n\tlfence\n\trdtsc" : "=a"(low), "=d"(high), "=&r"(unused) : "r"(p) : "memory");
    return ((uint64_t)high << 32 | low) - start;
}

static void flush(const uint8_t *p)
{
    __asm__ volatile("clflush (%0)\n\tmfence" : : "r"(p) : "memory");
}

/* Half-way between a load from the first cache and one from memory: the caches between take a third of the time at
 * most. The shortest of some tries, for whatever else the machine does only adds to them. */
uint32_t pacl_copy_memory_ticks(void)
{
    enum { TRIES = 16, LINE = PACL_LINE };
    static uint8_t lines[TRIES * LINE] __attribute__((aligned(LINE)));
    uint64_t hit = UINT64_MAX, miss = UINT64_MAX;
    for (unsigned i = 0; i < TRIES; i++) {
        const uint8_t *p = lines + (size_t)i * LINE;
        flush(p);
        const uint64_t first = ticks_of_load(p), second = ticks_of_load(p);
        miss = first < miss ? first : miss;
        hit = second < hit ? second : hit;
    }
    const bool tells = miss > 2 * hit; /* an emulator's loads all take the same */
    return tells ? (uint32_t)(hit + (miss - hit) / 2) : 0;
}

static bool is_in_memory(const struct pacl_rect *r, size_t row, size_t column, uint64_t ticks)
{
    return ticks_of_load(r->src + row * r->src_pitch + column) > ticks &&
           ticks_of_load(r->dst + row * r->dst_pitch + column) > ticks;
}

enum pacl_residence pacl_copy_probe(const struct pacl_rect *r, const struct pacl_copy_tuning *tuning)
{
    static const uint8_t eighths[] = { 3, 6, 1, 5, 7 };
    enum { PROBES = sizeof eighths, MAJORITY = PROBES / 2 + 1 };
    const size_t payload = r->width * r->height;
    unsigned slow = 0, fast = 0;
    const uint32_t rights = os_guard_open();
    for (unsigned i = 0; slow < MAJORITY && fast < MAJORITY; i++) {
        const size_t at = payload / 8 * eighths[i];
        if (is_in_memory(r, at / r->width, at % r->width, tuning->memory_ticks))
            slow++;
        else
            fast++;
    }
    os_guard_close(rights);
    return slow == MAJORITY ? PACL_IN_MEMORY : PACL_IN_CACHE;
}

#else

uint32_t pacl_copy_memory_ticks(void)
{
    return 0;
}

enum pacl_residence pacl_copy_probe(const struct pacl_rect *rect, const struct pacl_copy_tuning *tuning)
{
    (void)rect;
    (void)tuning;
    return PACL_SOMEWHERE;
}

#endif
