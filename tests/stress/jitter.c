/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

void jitter(void);

static _Thread_local uint64_t state;

/* Threads differ in their number; PACL_TEST_SEED moves all of them. */
static void seed(void)
{
    static _Atomic uint64_t threads;
    const char *const text = getenv("PACL_TEST_SEED");
    const uint64_t base = text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
    state = (base + atomic_fetch_add(&threads, 1)) * 0x9E3779B97F4A7C15u | 1;
}

static void nap(uint64_t ns)
{
    const struct timespec time = { .tv_nsec = (long)ns };
    nanosleep(&time, NULL);
}

static void spin(uint64_t turns)
{
    for (volatile uint64_t i = 0; i < turns; i++)
        continue;
}

void jitter(void)
{
    if (state == 0)
        seed();
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const uint64_t roll = state >> 32 & 4095, amount = state & 0xFFFF;
    if (roll == 0)
        nap(amount);
    else if (roll < 24)
        sched_yield();
    else if (roll < 256)
        spin(amount & 511);
}
