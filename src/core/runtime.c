/* SPDX-License-Identifier: Apache-2.0 */
#include "core/runtime.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/log.h"
#include "copy/copy.h"
#include "core/calls.h"
#include "core/capture.h"
#include "core/device.h"
#include "core/engine.h"
#include "core/handle.h"
#include "core/hostmem.h"
#include "core/observer.h"
#include "core/schedule.h"
#include "os/os.h"

enum { ENGINES_MAX = 64, QUEUE_DEPTH_MAX = 65536, GRAPH_DESCRIPTORS = 32768, GRAPH_DESCRIPTORS_MAX = 65535 };

struct pacl_runtime pacl_runtime_options;
_Atomic bool pacl_runtime_is_started;
_Atomic uint32_t pacl_runtime_halt;

#define runtime pacl_runtime_options /* constant once started; written here only */
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t select_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *selected; /* guarded by select_lock */
static bool started;         /* guarded by select_lock */
static _Atomic bool forked;  /* this is the child of a fork */

/* The first one counts. */
#define PROBLEM(...) \
    ((void)(runtime.problem[0] == '\0' && snprintf(runtime.problem, sizeof runtime.problem, __VA_ARGS__) < 0))

/* A decimal number with an optional K, M, G or T (powers of 1024). False if `text` is anything else. */
static bool parse_size(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno != 0)
        return false;
    unsigned shift = 0;
    if (*end != '\0') {
        const char *unit = strchr("KMGT", toupper((unsigned char)*end));
        if (unit == NULL || end[1] != '\0')
            return false;
        shift = 10 * ((unsigned)(strchr("KMGT", *unit) - "KMGT") + 1);
    }
    *value = number << shift;
    return *value >> shift == number;
}

static uint64_t number_option(const char *name, uint64_t fallback, uint64_t lowest, uint64_t highest)
{
    const char *text = getenv(name);
    uint64_t value = fallback;
    if (text == NULL || text[0] == '\0')
        return fallback;
    if (!parse_size(text, &value) || value < lowest || value > highest) {
        PROBLEM("%s is \"%.80s\"; it takes a number from %llu to %llu", name, text, (unsigned long long)lowest,
                (unsigned long long)highest);
        return fallback;
    }
    return value;
}

static void choose_product(void)
{
    const char *name = selected != NULL ? selected : getenv("PACL_PRODUCT");
    if (name == NULL || name[0] == '\0')
        name = "atlas-a2";
    const struct pacl_product *product = pacl_product_find(name);
    if (product == NULL) {
        PROBLEM("PACL_PRODUCT \"%.80s\" is no product; known are %s", name, pacl_product_names());
        product = pacl_product_find("atlas-a2");
    }
    runtime.product = *product;
    runtime.product.devices = (uint32_t)number_option("PACL_DEVICES", product->devices, 1, PACL_DEVICES_MAX);
    runtime.product.memory_bytes =
        number_option("PACL_DEVICE_MEMORY", product->memory_bytes, 1 << 20, (uint64_t)1 << 40);
}

/* ASCEND_RT_VISIBLE_DEVICES: ascending numbers; reading stops at the first entry that is none; empty hides all. */
static void choose_devices(void)
{
    const char *list = getenv("ASCEND_RT_VISIBLE_DEVICES");
    if (list == NULL) {
        runtime.device_count = runtime.product.devices;
        for (uint32_t i = 0; i < runtime.device_count; i++)
            runtime.device_physical[i] = i;
        return;
    }
    const char *at = list;
    while (isdigit((unsigned char)*at)) {
        char *end;
        const unsigned long id = strtoul(at, &end, 10);
        const uint32_t n = runtime.device_count;
        const bool rises = n == 0 || id > runtime.device_physical[n - 1];
        if (id >= runtime.product.devices || !rises || (*end != ',' && *end != '\0'))
            return;
        runtime.device_physical[runtime.device_count++] = (uint32_t)id;
        if (*end == '\0')
            return;
        at = end + 1;
    }
}

/* Device memory is kept from the host by keys where the machine has them, else by addresses of its own. */
static void choose_access(void)
{
    const char *text = getenv("PACL_DEVICE_ACCESS");
    const char *want = text != NULL && text[0] != '\0' ? text : "auto";
    runtime.access = PACL_ACCESS_MAPPING;
    if (strcmp(want, "open") == 0 || (strcmp(want, "auto") == 0 && runtime.product.runs_on_device))
        runtime.access = PACL_ACCESS_OPEN;
    else if ((strcmp(want, "auto") == 0 || strcmp(want, "keys") == 0) && os_guard_create())
        runtime.access = PACL_ACCESS_KEYS;
    else if (strcmp(want, "keys") == 0)
        PROBLEM("PACL_DEVICE_ACCESS is \"keys\", and this machine has no memory protection keys");
    else if (strcmp(want, "auto") != 0 && strcmp(want, "mapping") != 0)
        PROBLEM("PACL_DEVICE_ACCESS is \"%.40s\"; it takes auto, keys, mapping or open", want);
}

/* PACL_CPU: the most that kernels may use, for tests and for comparing. */
static unsigned choose_cpu(void)
{
    static const struct {
        const char *name;
        unsigned mask;
    } sets[] = { { "c", 0 },
                 { "sse2", PACL_CPU_SSE2 },
                 { "avx2", PACL_CPU_SSE2 | PACL_CPU_AVX2 },
                 { "avx512", PACL_CPU_SSE2 | PACL_CPU_AVX2 | PACL_CPU_AVX512 },
                 { "neon", PACL_CPU_NEON },
                 { "all", ~0U } };
    const char *text = getenv("PACL_CPU");
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        if (strcmp(text != NULL && text[0] != '\0' ? text : "all", sets[i].name) == 0)
            return pacl_cpu_detect() & sets[i].mask;
    }
    PROBLEM("PACL_CPU is \"%.40s\"; it takes c, sse2, avx2, avx512, neon or all", text);
    return 0;
}

static void choose_peer(void)
{
    const char *text = getenv("PACL_PEER");
    if (text == NULL || text[0] == '\0')
        return;
    runtime.peer_open = strcmp(text, "open") == 0;
    if (!runtime.peer_open)
        PROBLEM("PACL_PEER is \"%.40s\"; it takes open", text);
}

/* The child of a fork has none of the threads, and perhaps locked locks: it keeps its hands off everything. */
static void after_fork_in_child(void)
{
    pacl_store_release(&forked, true);
    pacl_observers_forget();
    pacl_calls_forget();
    pacl_self.ctx = NULL;
    pacl_pools_forget();
    pacl_arenas_forget();
    pacl_hostmem_forget();
    pacl_captures_forget();
    pacl_error_after_fork();
}

static void start(void)
{
    pthread_mutex_lock(&select_lock);
    started = true;
    pthread_mutex_unlock(&select_lock);

    os_init();
    const char *unknown = pacl_log_init();
    if (unknown != NULL)
        PROBLEM("PACL_DEBUG names \"%s\"; it takes init, memory, stream, event, engine, copy, all", unknown);
    const char *problem = pacl_calls_start();
    if (problem != NULL)
        PROBLEM("%s", problem);
    choose_product();
    choose_devices();
    choose_access();
    choose_peer();
    runtime.engines = (uint32_t)number_option("PACL_ENGINES", os_usable_cpus(), 1, ENGINES_MAX);
    runtime.queue_depth = (uint32_t)number_option("PACL_QUEUE_DEPTH", QUEUE_DEPTH_MAX, 2, QUEUE_DEPTH_MAX);
    runtime.graph_descriptors =
        (uint32_t)number_option("PACL_GRAPH_DESCRIPTORS", GRAPH_DESCRIPTORS, 1, GRAPH_DESCRIPTORS_MAX);
    const char *schedule = getenv("PACL_SCHEDULE");
    if (!pacl_schedule_choose(schedule))
        PROBLEM("PACL_SCHEDULE is \"%.80s\"; it takes eager, lazy, random or random:SEED", schedule);
    pacl_copy_init(choose_cpu());
    pacl_pools_init();
    pacl_devices_init(&runtime);
    pacl_observers_install();
    pthread_atfork(NULL, NULL, after_fork_in_child);
    PACL_TRACE(INIT, "%s: %u devices of %llu bytes, %u engines, queue depth %u", runtime.product.name,
               runtime.device_count, (unsigned long long)runtime.product.memory_bytes, runtime.engines,
               runtime.queue_depth);
    pacl_store_release(&pacl_runtime_is_started, true);
}

const struct pacl_runtime *pacl_runtime_start(void)
{
    pthread_once(&start_once, start);
    return &runtime;
}

bool pacl_runtime_is_forked(void)
{
    return pacl_load_acquire(&forked);
}

aclError pacl_runtime_refuse_child(void)
{
    return PACL_FAIL(ACL_ERROR_RT_CONTEXT_NULL,
                     "this process was forked from one that had initialised; the child may not use ACL");
}

aclError pacl_runtime_require(aclError code)
{
    const struct pacl_runtime *rt = pacl_runtime();
    if (pacl_runtime_is_forked())
        return pacl_runtime_refuse_child();
    if (rt->problem[0] != '\0')
        return PACL_FAIL(code, "%s", rt->problem);
    return ACL_SUCCESS;
}

bool pacl_runtime_select(const char *name)
{
    pthread_mutex_lock(&select_lock);
    const bool early = !started;
    if (early)
        selected = name;
    pthread_mutex_unlock(&select_lock);
    return early;
}

/* Running work ends so that nothing writes into memory that the rest of the exit takes apart; queued work is dropped. */
__attribute__((destructor)) static void stop(void)
{
    const bool ours = !pacl_runtime_is_forked();
    if (ours)
        PACL_OBSERVE(exiting, );
    (void)atomic_fetch_or(&pacl_runtime_halt, PACL_HALT_EXIT);
    if (ours) {
        pacl_engines_settle();
        pacl_schedule_settle();
    }
}
