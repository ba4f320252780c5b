/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows by `rep movsb`. On recent processors it moves whole lines between the caches and beats every loop on rows from
 * about 2 KiB on; on others it is slow by 3 to 20 times when (dst - src) mod 4096 is 1 to 31. Which is the case is tried
 * at start, not looked up: processors report the same feature bits with and without that cliff.
 */
#include <string.h>

#include "copy/kernels.h"
#include "os/os.h"

enum {
    PAGE = 4096,
    TRIED_BYTES = PAGE,
    TRIES = 5,
    ROUNDS = 4,
    SLOW = 3, /* times as long as the vectors; the cliff is at 17 times in the first cache, and 1.3 is usual */
};

static inline void move(uint8_t *dst, const uint8_t *src, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

/* The instruction starts at a line of the destination, which gains up to a third where source and destination lie badly;
 * what is before is read first and written last. */
void pacl_copy_rows_string(uint8_t *dst, size_t dst_pitch, const uint8_t *src, size_t src_pitch, size_t width,
                           size_t height)
{
    for (size_t row = 0; row < height; row++) {
        uint8_t *to = dst + row * dst_pitch;
        const uint8_t *from = src + row * src_pitch;
        const size_t misplaced = (uintptr_t)to % PACL_LINE, head = PACL_LINE - misplaced;
        if (misplaced == 0 || width < PACL_LINE) {
            move(to, from, width);
            continue;
        }
        unsigned char first[PACL_LINE];
        memcpy(first, from, PACL_LINE);
        move(to + head, from + head, width - head);
        memcpy(to, first, PACL_LINE);
    }
}

/* The shortest of some tries: whatever else the machine does only adds to them. */
static uint64_t time_of(pacl_copy_rows_fn *rows, uint8_t *dst, const uint8_t *src)
{
    uint64_t best = UINT64_MAX;
    for (unsigned try = 0; try < TRIES; try++) {
        const uint64_t start = os_now_ns();
        for (unsigned round = 0; round < ROUNDS; round++)
            rows(dst, TRIED_BYTES, src, TRIED_BYTES, TRIED_BYTES, 1);
        const uint64_t taken = os_now_ns() - start;
        best = taken < best ? taken : best;
    }
    return best;
}

bool pacl_copy_string_is_fast(pacl_copy_rows_fn *vectors)
{
    static const unsigned offsets[] = { 0, 1, 17, 31 };
    static uint8_t memory[4 * PAGE] __attribute__((aligned(4096)));
    const uint8_t *src = memory;
    uint8_t *dst = memory + 2 * (size_t)PAGE;
    for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        if (time_of(pacl_copy_rows_string, dst + offsets[i], src) > SLOW * time_of(vectors, dst + offsets[i], src))
            return false;
    }
    return true;
}
