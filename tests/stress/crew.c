/* SPDX-License-Identifier: Apache-2.0 */
#include "crew.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* --- threads ---------------------------------------------------------------------------------------------------- */

void give_up(struct member *member, const char *format, ...)
{
    va_list args;
    if (failed(member))
        return;
    va_start(args, format);
    vsnprintf(member->failure, sizeof(member->failure), format, args);
    va_end(args);
}

bool failed(const struct member *member)
{
    return member->failure[0] != '\0';
}

bool want2(struct member *member, const char *call, aclError code, aclError first, aclError second)
{
    const bool wanted = code == first || code == second;
    if (!wanted)
        give_up(member, "%s returned %d: %s", call, (int)code, last_message());
    return wanted;
}

static void *run_member(void *arg)
{
    struct member *const member = arg;
    pthread_barrier_wait(member->start);
    member->body(member);
    return NULL;
}

void crew_start(struct crew *crew, unsigned count, void (*body)(struct member *), void *shared)
{
    uint64_t state = test_seed();
    ck_assert_uint_le(count, COUNT_OF(crew->thread));
    crew->count = count;
    ck_assert_int_eq(pthread_barrier_init(&crew->start, NULL, count), 0);
    for (unsigned i = 0; i < count; i++) {
        crew->member[i] = (struct member){
            .index = i, .seed = random_next(&state), .shared = shared, .start = &crew->start, .body = body
        };
        ck_assert_int_eq(pthread_create(&crew->thread[i], NULL, run_member, &crew->member[i]), 0);
    }
}

void crew_join(struct crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++)
        ck_assert_int_eq(pthread_join(crew->thread[i], NULL), 0);
    for (unsigned i = 0; i < crew->count; i++)
        ck_assert_msg(!failed(&crew->member[i]), "thread %u: %s", i, crew->member[i].failure);
    pthread_barrier_destroy(&crew->start);
}

void crew_run(unsigned count, void (*body)(struct member *), void *shared)
{
    static struct crew crew; /* too big for a stack that a sanitizer pads */
    crew_start(&crew, count, body, shared);
    crew_join(&crew);
}

/* --- latch ------------------------------------------------------------------------------------------------------ */

void latch_close(struct latch *latch, aclrtStream stream)
{
    ASSERT_OK(aclrtCreateEvent(&latch->event));
    ASSERT_OK(aclrtCreateStream(&latch->opener));
    ASSERT_OK(aclrtStreamWaitEvent(stream, latch->event));
}

aclError latch_open(struct latch *latch)
{
    return aclrtRecordEvent(latch->event, latch->opener);
}

void latch_free(struct latch *latch)
{
    ASSERT_OK(aclrtDestroyStream(latch->opener));
    ASSERT_OK(aclrtDestroyEvent(latch->event));
}

/* --- the process ------------------------------------------------------------------------------------------------ */

struct pacl_counters counters(void)
{
    struct pacl_counters now = { .size = sizeof(now) };
    ck_assert_int_eq(pacl_counters_get(&now), 0);
    return now;
}

static void set_or_clear(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

void open_with(const char *queue_depth, const char *engines)
{
    use_default_product();
    set_or_clear("PACL_QUEUE_DEPTH", queue_depth);
    set_or_clear("PACL_ENGINES", engines);
    ASSERT_OK(aclrtSetDevice(0));
}

size_t stress_rounds(size_t base)
{
#if defined(__SANITIZE_THREAD__)
    return test_rounds((base + 7) / 8);
#else
    return test_rounds(base);
#endif
}

size_t resident_bytes(void)
{
    unsigned long all = 0, resident = 0;
    FILE *const statm = fopen("/proc/self/statm", "re");
    ck_assert_ptr_nonnull(statm);
    ck_assert_int_eq(fscanf(statm, "%lu %lu", &all, &resident), 2);
    fclose(statm);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}
