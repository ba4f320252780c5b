/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TEST_SECONDS 300
#define CHILD_SECONDS 120
#define MARGIN 64 /* bytes behind a rectangle */
#define PAGE ((size_t)4096)

static char text[512];

struct fixture fx;

/* --- messages --------------------------------------------------------------------------------------------------- */

const char *last_message(void)
{
    const char *const message = aclGetRecentErrMsg();
    return message != NULL ? message : "(no message)";
}

const char *row_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return text;
}

const char *first_missing(const char *message, ...)
{
    const char *part;
    va_list args;
    va_start(args, message);
    do
        part = va_arg(args, const char *);
    while (part != NULL && strstr(message, part) != NULL);
    va_end(args);
    return part;
}

/* --- running ---------------------------------------------------------------------------------------------------- */

TCase *new_case(const char *name, void (*setup)(void), void (*teardown)(void))
{
    TCase *const tcase = tcase_create(name);
    tcase_set_timeout(tcase, TEST_SECONDS);
    if (setup != NULL || teardown != NULL)
        tcase_add_checked_fixture(tcase, setup, teardown);
    return tcase;
}

int run_cases(const char *name, TCase *first, ...)
{
    Suite *const suite = suite_create(name);
    va_list args;
    va_start(args, first);
    for (TCase *tcase = first; tcase != NULL; tcase = va_arg(args, TCase *))
        suite_add_tcase(suite, tcase);
    va_end(args);

    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

struct thread_call {
    aclError (*fn)(void);
    aclError code;
};

static void *run_thread_call(void *arg)
{
    struct thread_call *const call = arg;
    call->code = call->fn();
    return NULL;
}

aclError in_new_thread(aclError (*fn)(void))
{
    struct thread_call call = { .fn = fn, .code = -1 };
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, run_thread_call, &call), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    return call.code;
}

int in_child(void (*body)(void))
{
    fflush(NULL); /* or the child's exit would write the parent's buffers a second time */
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        alarm(CHILD_SECONDS);
        body();
        _exit(0);
    }
    int status = -1;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

/* --- random numbers --------------------------------------------------------------------------------------------- */

uint64_t test_seed(void)
{
    const char *const given = getenv("PACL_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t seed =
        given != NULL ? strtoull(given, NULL, 0) : (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    printf("PACL_TEST_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    return seed;
}

size_t test_rounds(size_t base)
{
    const char *const given = getenv("PACL_TEST_ROUNDS");
    const unsigned long long factor = given != NULL ? strtoull(given, NULL, 0) : 1;
    return base * (size_t)(factor > 0 ? factor : 1);
}

uint64_t random_next(uint64_t *state) /* splitmix64 */
{
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

size_t random_in(uint64_t *state, size_t low, size_t high)
{
    return low + (size_t)(random_next(state) % (high - low + 1));
}

void random_fill(uint64_t *state, void *at, size_t bytes)
{
    uint8_t *out = at;
    while (bytes > 0) {
        const uint64_t value = random_next(state);
        const size_t part = bytes < sizeof(value) ? bytes : sizeof(value);
        memcpy(out, &value, part);
        out += part;
        bytes -= part;
    }
}

/* --- memory ----------------------------------------------------------------------------------------------------- */

const char *place_name(enum place place)
{
    static const char *const names[PLACE_COUNT] = { "pinned", "registered", "pageable", "device" };
    return names[place];
}

bool place_is_host(enum place place)
{
    return place != PLACE_DEVICE;
}

void upload(void *device, const void *host, size_t bytes)
{
    ASSERT_OK(aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

void download(void *host, const void *device, size_t bytes)
{
    ASSERT_OK(aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

static size_t round_to_page(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static uint8_t *allocate(enum place place, size_t bytes)
{
    void *at = NULL;
    void *device_view = NULL;
    switch (place) {
    case PLACE_PINNED:
        ASSERT_OK(aclrtMallocHost(&at, bytes));
        break;
    case PLACE_REGISTERED:
        at = aligned_alloc(PAGE, round_to_page(bytes));
        ASSERT_OK(aclrtHostRegister(at, round_to_page(bytes), ACL_HOST_REGISTER_MAPPED, &device_view));
        break;
    case PLACE_PAGEABLE:
        at = malloc(bytes);
        break;
    default:
        ASSERT_OK(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        break;
    }
    ck_assert_ptr_nonnull(at);
    return at;
}

static void write_block(struct block *block)
{
    if (place_is_host(block->place))
        memcpy(block->at, block->model, block->bytes);
    else
        upload(block->at, block->model, block->bytes);
}

struct block block_new(enum place place, size_t bytes)
{
    struct block block = { .place = place, .bytes = bytes, .at = allocate(place, bytes), .model = malloc(bytes) };
    ck_assert_ptr_nonnull(block.model);
    memset(block.model, POISON, bytes);
    write_block(&block);
    return block;
}

void block_free(struct block *block)
{
    switch (block->place) {
    case PLACE_PINNED:
        ASSERT_OK(aclrtFreeHost(block->at));
        break;
    case PLACE_REGISTERED:
        ASSERT_OK(aclrtHostUnregister(block->at));
        free(block->at);
        break;
    case PLACE_PAGEABLE:
        free(block->at);
        break;
    default:
        ASSERT_OK(aclrtFree(block->at));
        break;
    }
    block_forget(block);
}

void block_forget(struct block *block)
{
    free(block->model);
    *block = (struct block){ 0 };
}

void block_randomise(struct block *block, uint64_t *state)
{
    random_fill(state, block->model, block->bytes);
    write_block(block);
}

/* A copy of the block's bytes; the caller frees it. */
static uint8_t *snapshot(const struct block *block)
{
    uint8_t *const bytes = malloc(block->bytes);
    ck_assert_ptr_nonnull(bytes);
    if (place_is_host(block->place))
        memcpy(bytes, block->at, block->bytes);
    else
        download(bytes, block->at, block->bytes);
    return bytes;
}

const char *bytes_difference(const void *at, const void *expected, size_t bytes)
{
    const uint8_t *const got = at;
    const uint8_t *const want = expected;
    size_t i = 0;
    if (memcmp(got, want, bytes) == 0)
        return NULL;
    while (got[i] == want[i])
        i++;
    snprintf(text, sizeof(text), "byte %zu of %zu is 0x%02x, expected 0x%02x", i, bytes, got[i], want[i]);
    return text;
}

const char *fill_difference(const void *at, size_t bytes, uint8_t value)
{
    const uint8_t *const got = at;
    for (size_t i = 0; i < bytes; i++) {
        if (got[i] == value)
            continue;
        snprintf(text, sizeof(text), "byte %zu of %zu is 0x%02x, expected 0x%02x", i, bytes, got[i], value);
        return text;
    }
    return NULL;
}

const char *block_difference(const struct block *block)
{
    uint8_t *const got = snapshot(block);
    const char *const difference = bytes_difference(got, block->model, block->bytes);
    free(got);
    return difference;
}

const char *device_fill_difference(const void *device, size_t bytes, uint8_t value)
{
    uint8_t *const got = malloc(bytes);
    ck_assert_ptr_nonnull(got);
    download(got, device, bytes);
    const char *const difference = fill_difference(got, bytes, value);
    free(got);
    return difference;
}

const char *device_bytes_difference(const void *device, const void *expected, size_t bytes)
{
    uint8_t *const got = malloc(bytes);
    ck_assert_ptr_nonnull(got);
    download(got, device, bytes);
    const char *const difference = bytes_difference(got, expected, bytes);
    free(got);
    return difference;
}

void model_copy2d(uint8_t *dst, size_t dpitch, const uint8_t *src, size_t spitch, size_t width, size_t height)
{
    for (size_t row = 0; row < height; row++) {
        uint8_t *const to = dst + row * dpitch;
        const uint8_t *const from = src + row * spitch;
        const bool upwards = (uintptr_t)to <= (uintptr_t)from;
        for (size_t i = 0; i < width; i++) {
            const size_t column = upwards ? i : width - 1 - i;
            to[column] = from[column];
        }
    }
}

/* --- rectangles ------------------------------------------------------------------------------------------------- */

struct rect rect_poisoned(enum place place, size_t width, size_t height, size_t pitch, size_t shift)
{
    struct rect rect = { .width = width, .height = height, .pitch = pitch };
    rect.block = block_new(place, shift + (height - 1) * pitch + width + MARGIN);
    rect.at = rect.block.at + shift;
    return rect;
}

struct rect rect_random(enum place place, size_t width, size_t height, size_t pitch, size_t shift)
{
    struct rect rect = rect_poisoned(place, width, height, pitch, shift);
    uint64_t state = width * 31 + height * 17 + pitch * 7 + shift;
    block_randomise(&rect.block, &state);
    return rect;
}

void rect_free(struct rect *rect)
{
    block_free(&rect->block);
}

static size_t rect_shift(const struct rect *rect)
{
    return (size_t)(rect->at - rect->block.at);
}

static const char *compare_rows(const struct rect *dst, const uint8_t *got, const struct rect *src, const uint8_t *want)
{
    for (size_t row = 0; row < dst->height; row++) {
        for (size_t column = 0; column < dst->width; column++) {
            const uint8_t g = got[row * dst->pitch + column];
            const uint8_t w = want[row * src->pitch + column];
            if (g == w)
                continue;
            snprintf(text, sizeof(text), "row %zu column %zu is 0x%02x, expected 0x%02x (%zu x %zu, pitches %zu, %zu)",
                     row, column, g, w, dst->width, dst->height, dst->pitch, src->pitch);
            return text;
        }
    }
    return NULL;
}

const char *rect_difference(const struct rect *dst, const struct rect *src)
{
    uint8_t *const got = snapshot(&dst->block);
    uint8_t *const want = snapshot(&src->block);
    const char *const difference = compare_rows(dst, got + rect_shift(dst), src, want + rect_shift(src));
    free(got);
    free(want);
    return difference;
}

static bool in_rows(const struct rect *rect, size_t offset)
{
    const size_t shift = rect_shift(rect);
    if (offset < shift)
        return false;
    return (offset - shift) / rect->pitch < rect->height && (offset - shift) % rect->pitch < rect->width;
}

const char *rect_gap_difference(const struct rect *rect, uint8_t value)
{
    uint8_t *const got = snapshot(&rect->block);
    const char *difference = NULL;
    for (size_t i = 0; i < rect->block.bytes && difference == NULL; i++) {
        if (got[i] == value || in_rows(rect, i))
            continue;
        snprintf(text, sizeof(text), "byte %zu, outside the rows, is 0x%02x, expected 0x%02x (row 0 starts at %zu)", i,
                 got[i], value, rect_shift(rect));
        difference = text;
    }
    free(got);
    return difference;
}

const char *rect_fill_difference(const struct rect *rect, uint8_t value)
{
    uint8_t *const got = snapshot(&rect->block);
    const char *const difference = fill_difference(got, rect->block.bytes, value);
    free(got);
    return difference;
}

/* --- fixture ---------------------------------------------------------------------------------------------------- */

void use_product(const char *name)
{
    static const char *const others[] = { "PACL_DEVICES", "PACL_DEVICE_MEMORY", "PACL_QUEUE_DEPTH", "PACL_PEER",
                                          "ASCEND_RT_VISIBLE_DEVICES" };
    for (size_t i = 0; i < COUNT_OF(others); i++)
        unsetenv(others[i]);
    setenv("PACL_PRODUCT", name, 1);
}

void use_default_product(void)
{
    use_product("atlas-a2");
}

/* PACL_TEST_AGAIN: a test's own copies are not the thread's first ones between these blocks. All bytes are POISON. */
static void copy_beforehand(void)
{
    for (unsigned i = 0; i < 2; i++) {
        (void)aclrtMemcpyAsync(fx.device, 16, fx.pinned, 16, ACL_MEMCPY_HOST_TO_DEVICE, fx.stream);
        (void)aclrtMemcpyAsync(fx.pinned, 16, fx.device, 16, ACL_MEMCPY_DEVICE_TO_HOST, fx.stream);
    }
    for (unsigned i = 0; i < 2; i++) { /* not on every product */
        (void)aclrtMemcpy2dAsync(fx.device, 64, fx.pinned, 64, 16, 4, ACL_MEMCPY_HOST_TO_DEVICE, fx.stream);
        (void)aclrtMemcpy2dAsync(fx.pinned, 64, fx.device, 64, 16, 4, ACL_MEMCPY_DEVICE_TO_HOST, fx.stream);
    }
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    (void)aclGetRecentErrMsg();
}

/* PACL_PRODUCT and the rest of the environment are as the caller wants them. */
static void open_device(void)
{
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&fx.stream));
    fx.pinned = allocate(PLACE_PINNED, FIXTURE_BYTES);
    fx.pinned2 = allocate(PLACE_PINNED, FIXTURE_BYTES);
    fx.pageable = allocate(PLACE_PAGEABLE, FIXTURE_BYTES);
    fx.pageable2 = allocate(PLACE_PAGEABLE, FIXTURE_BYTES);
    fx.device = allocate(PLACE_DEVICE, FIXTURE_BYTES);
    fx.device2 = allocate(PLACE_DEVICE, FIXTURE_BYTES);
    memset(fx.pinned, POISON, FIXTURE_BYTES);
    memset(fx.pinned2, POISON, FIXTURE_BYTES);
    memset(fx.pageable, POISON, FIXTURE_BYTES);
    memset(fx.pageable2, POISON, FIXTURE_BYTES);
    upload(fx.device, fx.pageable, FIXTURE_BYTES);
    upload(fx.device2, fx.pageable, FIXTURE_BYTES);
    if (getenv("PACL_TEST_AGAIN") != NULL)
        copy_beforehand();
}

void fixture_open_on(const char *product)
{
    use_product(product);
    open_device();
}

void fixture_open(void)
{
    fixture_open_on("atlas-a2");
}

/* Tests may have freed parts or left another context current: only what the process owns is given back. */
void fixture_close(void)
{
    free(fx.pageable);
    free(fx.pageable2);
}

struct call2d good_call2d(void)
{
    return (struct call2d){ .dst = fx.device,
                            .dpitch = 64,
                            .src = fx.pinned,
                            .spitch = 64,
                            .width = 32,
                            .height = 16,
                            .kind = ACL_MEMCPY_HOST_TO_DEVICE,
                            .stream = fx.stream };
}

struct call2d between(uint8_t *dst, const uint8_t *src, int kind)
{
    return (struct call2d){
        .dst = dst, .dpitch = 64, .src = src, .spitch = 48, .width = 40, .height = 20, .kind = kind, .stream = fx.stream
    };
}

void fill_sources(void)
{
    uint64_t state = 1;
    random_fill(&state, fx.pinned, FIXTURE_BYTES);
    random_fill(&state, fx.pageable, FIXTURE_BYTES);
}

void assert_fixture_untouched(void)
{
    ASSERT_OK(aclrtSynchronizeStream(fx.stream));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device, FIXTURE_BYTES, POISON));
    ASSERT_NO_DIFFERENCE(device_fill_difference(fx.device2, FIXTURE_BYTES, POISON));
    ASSERT_ALL_BYTES(fx.pinned2, FIXTURE_BYTES, POISON);
    ASSERT_ALL_BYTES(fx.pageable2, FIXTURE_BYTES, POISON);
}

void assert_device_rows(const struct call2d *call)
{
    uint8_t *const want = malloc(FIXTURE_BYTES);
    memset(want, POISON, FIXTURE_BYTES);
    model_copy2d(want, call->dpitch, call->src, call->spitch, call->width, call->height);
    ASSERT_NO_DIFFERENCE(device_bytes_difference(call->dst, want, FIXTURE_BYTES));
    free(want);
}

void assert_host_rows(const struct call2d *call)
{
    uint8_t *const want = malloc(FIXTURE_BYTES);
    uint8_t *const from = malloc(FIXTURE_BYTES);
    memset(want, POISON, FIXTURE_BYTES);
    download(from, call->src, FIXTURE_BYTES);
    model_copy2d(want, call->dpitch, from, call->spitch, call->width, call->height);
    ASSERT_SAME_BYTES(call->dst, want, FIXTURE_BYTES);
    free(from);
    free(want);
}

aclError submit2d(const struct call2d *call)
{
    return aclrtMemcpy2dAsync(call->dst, call->dpitch, call->src, call->spitch, call->width, call->height,
                              (aclrtMemcpyKind)call->kind, call->stream);
}

aclError copy2d(const struct call2d *call)
{
    return aclrtMemcpy2d(call->dst, call->dpitch, call->src, call->spitch, call->width, call->height,
                         (aclrtMemcpyKind)call->kind);
}

/* --- gate ------------------------------------------------------------------------------------------------------- */

static void wait_for(sem_t *sem)
{
    while (sem_wait(sem) != 0)
        continue; /* a signal */
}

static void stand_in_gate(void *arg)
{
    struct gate *const gate = arg;
    sem_post(&gate->entered);
    wait_for(&gate->release);
    atomic_store(&gate->passed, true);
}

void gate_close(struct gate *gate, aclrtStream stream)
{
    ck_assert_int_eq(sem_init(&gate->entered, 0, 0), 0);
    ck_assert_int_eq(sem_init(&gate->release, 0, 0), 0);
    atomic_init(&gate->passed, false);
    atomic_init(&gate->opened, false);
    ASSERT_OK(aclrtLaunchHostFunc(stream, stand_in_gate, gate));
}

void gate_await(struct gate *gate)
{
    wait_for(&gate->entered);
}

void gate_open(struct gate *gate)
{
    if (!atomic_exchange(&gate->opened, true))
        sem_post(&gate->release);
}

bool gate_passed(struct gate *gate)
{
    return atomic_load(&gate->passed);
}

/* State letter of a thread of this process ('S' sleeps), 0 if it cannot be read. */
static char thread_state(long tid)
{
    char path[64];
    char line[256];
    snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", tid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t got = read(fd, line, sizeof(line) - 1);
    close(fd);
    if (got <= 0)
        return 0;
    line[got] = '\0';
    const char *const name_end = strrchr(line, ')');
    if (name_end == NULL || name_end[1] != ' ')
        return 0;
    return name_end[2];
}

#define LOOKS_MOST 20000 /* a call that spins instead of sleeping gets its gate opened after this many looks */
#define LOOKS_ASLEEP 20  /* in a row: a short wait for a lock is not the wait that is meant */

static void *open_once_blocked(void *arg)
{
    struct gate *const gate = arg;
    int asleep = 0;
    for (int look = 0; look < LOOKS_MOST && asleep < LOOKS_ASLEEP && !atomic_load(&gate->opened); look++) {
        asleep = thread_state(gate->blocked_tid) == 'S' ? asleep + 1 : 0;
        sched_yield();
    }
    gate_open(gate);
    return NULL;
}

void gate_open_once_blocked(struct gate *gate)
{
    gate->blocked_tid = syscall(SYS_gettid);
    ck_assert_int_eq(pthread_create(&gate->opener, NULL, open_once_blocked, gate), 0);
}

void gate_join(struct gate *gate)
{
    ck_assert_int_eq(pthread_join(gate->opener, NULL), 0);
}
