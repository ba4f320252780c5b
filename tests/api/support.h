/* SPDX-License-Identifier: Apache-2.0 */
/*
 * support.h: what the tests of the public API share.
 *
 * Each test is one process: libcheck forks it from a parent that never called the library. The checks below may be
 * used in a test's own thread only; other threads hand their result codes back.
 */
#ifndef PACL_TESTS_API_SUPPORT_H
#define PACL_TESTS_API_SUPPORT_H

#include <acl/acl.h>
#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Short names of the directions. */
#define H2H ACL_MEMCPY_HOST_TO_HOST
#define H2D ACL_MEMCPY_HOST_TO_DEVICE
#define D2H ACL_MEMCPY_DEVICE_TO_HOST
#define D2D ACL_MEMCPY_DEVICE_TO_DEVICE
#define DEFAULT ACL_MEMCPY_DEFAULT

/* The codes as the specification's tables give them, on purpose not as the headers do. */
enum {
    E_INVALID_PARAM = 100000,
    E_REPEAT_INITIALIZE = 100002,
    E_INVALID_FILE = 100003,
    E_REPEAT_FINALIZE = 100037,
    E_FEATURE_UNSUPPORTED = 200006,
    E_RT_PARAM_INVALID = 107000,
    E_RT_INVALID_DEVICEID = 107001,
    E_RT_CONTEXT_NULL = 107002,
    E_RT_STREAM_CONTEXT = 107003,
    E_RT_EVENT_TIMESTAMP_INVALID = 107006,
    E_RT_INVALID_MEMORY_TYPE = 107016,
    E_RT_INVALID_HANDLE = 107017,
    E_RT_FEATURE_NOT_SUPPORT = 207000,
    E_RT_MEMORY_ALLOCATION = 207001,
    E_RT_NO_STREAM_RESOURCE = 207008,
    E_INTERNAL_ERROR = 500000,
    E_RT_INTERNAL_ERROR = 507000,
    E_RT_CONTEXT_RELEASE_ERROR = 507007,
    E_RT_SYS_DMA = 507013,
    E_RT_STREAM_SYNC_TIMEOUT = 507046,
    E_RT_EVENT_SYNC_TIMEOUT = 507047,
    E_RT_DRV_INTERNAL_ERROR = 507899,
    E_HOST_MEMORY_ALREADY_REGISTERED = 507910,
    E_HOST_MEMORY_NOT_REGISTERED = 507911,
};

/* Limits of the 2D calls. */
#define WIDTH_MAX ((size_t)5000000)
#define HEIGHT_MAX ((size_t)5242880)

#define POISON 0xA5
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define ASSERT_CODE(want, call) \
    do { \
        const int code_ = (int)(call); \
        ck_assert_msg(code_ == (want), "%s returned %d, expected %d: %s", #call, code_, (int)(want), last_message()); \
    } while (0)

#define ASSERT_OK(call) ASSERT_CODE(ACL_SUCCESS, call)

/* As ASSERT_CODE, for a row of a table: the format and what follows say which row. */
#define ASSERT_CODE_OF_ROW(want, call, ...) \
    do { \
        const int code_ = (int)(call); \
        ck_assert_msg(code_ == (want), "%s: %s returned %d, expected %d: %s", row_text(__VA_ARGS__), #call, code_, \
                      (int)(want), last_message()); \
    } while (0)

/* For a failure whose code the specification leaves open. */
#define ASSERT_REFUSED(call) \
    do { \
        const int code_ = (int)(call); \
        ck_assert_msg(code_ != ACL_SUCCESS, "%s was accepted", #call); \
    } while (0)

/* Takes the thread's message and looks for each of the given parts in it. */
#define ASSERT_MESSAGE_NAMES(...) \
    do { \
        const char *const text_ = last_message(); \
        const char *const missing_ = first_missing(text_, __VA_ARGS__, (const char *)NULL); \
        ck_assert_msg(missing_ == NULL, "the message lacks \"%s\": %s", missing_, text_); \
    } while (0)

/* For functions that return NULL when all is well, else a text. */
#define ASSERT_NO_DIFFERENCE(call) \
    do { \
        const char *const difference_ = (call); \
        ck_assert_msg(difference_ == NULL, "%s: %s", #call, difference_); \
    } while (0)

#define ASSERT_RECT_EQ(dst, src) ASSERT_NO_DIFFERENCE(rect_difference((dst), (src)))
#define ASSERT_GAPS_ARE(rect, value) ASSERT_NO_DIFFERENCE(rect_gap_difference((rect), (value)))
#define ASSERT_AS_MODELLED(block) ASSERT_NO_DIFFERENCE(block_difference(block))
#define ASSERT_ALL_BYTES(at, bytes, value) ASSERT_NO_DIFFERENCE(fill_difference((at), (bytes), (value)))
#define ASSERT_SAME_BYTES(at, expected, bytes) ASSERT_NO_DIFFERENCE(bytes_difference((at), (expected), (bytes)))

/* The thread's message or "(no message)"; never NULL. Valid until the next call in this thread. */
const char *last_message(void);
const char *row_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *first_missing(const char *text, ...) __attribute__((sentinel));

/* --- running ---------------------------------------------------------------------------------------------------- */

/* A test case with a time limit; setup and teardown (NULL: none) run in each test's own process. */
TCase *new_case(const char *name, void (*setup)(void), void (*teardown)(void));
/* Runs the cases (ended by NULL); returns the process's exit status. */
int run_cases(const char *suite, TCase *first, ...) __attribute__((sentinel));

/* Runs fn in a thread that has no context; returns its code. */
aclError in_new_thread(aclError (*fn)(void));

/* Runs body in a child made by fork(); returns the child's wait status. A child that hangs ends with SIGALRM. */
int in_child(void (*body)(void));

/* --- random numbers --------------------------------------------------------------------------------------------- */

/* Seed of this run, printed; PACL_TEST_SEED gives it back. */
uint64_t test_seed(void);
/* `base` times PACL_TEST_ROUNDS (default 1). */
size_t test_rounds(size_t base);
uint64_t random_next(uint64_t *state);
/* A number in [low, high]. */
size_t random_in(uint64_t *state, size_t low, size_t high);
void random_fill(uint64_t *state, void *at, size_t bytes);

/* --- memory ----------------------------------------------------------------------------------------------------- */

enum place { PLACE_PINNED, PLACE_REGISTERED, PLACE_PAGEABLE, PLACE_DEVICE, PLACE_COUNT };

const char *place_name(enum place place);
bool place_is_host(enum place place);

/* An allocation and what it must contain. */
struct block {
    enum place place;
    uint8_t *at;
    size_t bytes;
    uint8_t *model; /* host memory, `bytes` long */
};

/* Every byte is POISON, in the memory and in the model. */
struct block block_new(enum place place, size_t bytes);
void block_free(struct block *block);
/* For memory that the test itself has freed: only the model is given back. */
void block_forget(struct block *block);
/* Fills memory and model with the same random bytes. */
void block_randomise(struct block *block, uint64_t *state);
/* NULL, or a text that names the first byte that differs from the model. */
const char *block_difference(const struct block *block);

/* The byte-by-byte model of a 2D copy: rows in ascending order, each as by memmove. */
void model_copy2d(uint8_t *dst, size_t dpitch, const uint8_t *src, size_t spitch, size_t width, size_t height);

/* A pitched rectangle that starts `shift` bytes into its own block and has a margin behind it. */
struct rect {
    struct block block;
    uint8_t *at; /* first byte of row 0 */
    size_t width;
    size_t height;
    size_t pitch;
};

struct rect rect_poisoned(enum place place, size_t width, size_t height, size_t pitch, size_t shift);
/* Random bytes everywhere, the gaps included. */
struct rect rect_random(enum place place, size_t width, size_t height, size_t pitch, size_t shift);
void rect_free(struct rect *rect);
/* NULL, or row, column and both bytes of the first difference. */
const char *rect_difference(const struct rect *dst, const struct rect *src);
/* NULL, or the first byte outside the rows that is not `value`. */
const char *rect_gap_difference(const struct rect *rect, uint8_t value);
/* NULL, or the first byte of the block (rows and gaps) that is not `value`. */
const char *rect_fill_difference(const struct rect *rect, uint8_t value);

const char *fill_difference(const void *at, size_t bytes, uint8_t value);
const char *bytes_difference(const void *at, const void *expected, size_t bytes);

/* Synchronous copies between ordinary and device memory. */
void upload(void *device, const void *host, size_t bytes);
void download(void *host, const void *device, size_t bytes);
const char *device_fill_difference(const void *device, size_t bytes, uint8_t value);
const char *device_bytes_difference(const void *device, const void *expected, size_t bytes);

/* --- fixture ---------------------------------------------------------------------------------------------------- */

#define FIXTURE_BYTES ((size_t)65536)

/* "A2 EP, dev 0 set, stream s, device d, pinned h, pageable p": two of each memory, every byte POISON. */
struct fixture {
    aclrtStream stream;
    uint8_t *device;
    uint8_t *device2;
    uint8_t *pinned;
    uint8_t *pinned2;
    uint8_t *pageable;
    uint8_t *pageable2;
};

extern struct fixture fx;

/* Removes every variable that changes the product, then names atlas-a2. */
void use_default_product(void);
void use_product(const char *name);
void fixture_open(void);
void fixture_close(void);
void fixture_open_on(const char *product);

/* The arguments of a 2D copy; kind is an int because tests give numbers that the enumeration lacks. */
struct call2d {
    void *dst;
    size_t dpitch;
    const void *src;
    size_t spitch;
    size_t width;
    size_t height;
    int kind;
    aclrtStream stream;
};

/* 16 rows of 32 bytes, pitch 64, pinned to device, on the fixture's stream. */
struct call2d good_call2d(void);
/* 20 rows of 40 bytes, destination pitch 64, source pitch 48, on the fixture's stream. */
struct call2d between(uint8_t *dst, const uint8_t *src, int kind);
aclError submit2d(const struct call2d *call);
/* The synchronous form; `stream` is not used. */
aclError copy2d(const struct call2d *call);

/* Gives fx.pinned and fx.pageable, the sources, bytes that differ from the poison of the destinations. */
void fill_sources(void);
/* Waits for the stream; all but the sources must hold the poison. */
void assert_fixture_untouched(void);
/* The rows of `call` are in device memory at call->dst (a whole fixture block), the gaps hold the poison. */
void assert_device_rows(const struct call2d *call);
/* As assert_device_rows, for a destination in host memory and a source in device memory. */
void assert_host_rows(const struct call2d *call);

/* --- gate ------------------------------------------------------------------------------------------------------- */

/* Parks a stream for certain: a host function that waits until the test opens the gate. */
struct gate {
    sem_t entered;
    sem_t release;
    atomic_bool passed; /* set inside the host function, after it was released */
    atomic_bool opened;
    pthread_t opener;
    long blocked_tid; /* thread that the opener watches */
};

void gate_close(struct gate *gate, aclrtStream stream);
/* Waits until the host function runs. */
void gate_await(struct gate *gate);
void gate_open(struct gate *gate);
/*
 * Starts a thread that opens the gate once the calling thread sleeps in a call, or after a bounded number of looks.
 * When it opens never decides a test: the tests look at `passed` or at bytes. The delay only gives a call that wrongly
 * returns early the time to do so. gate_join() ends it.
 */
void gate_open_once_blocked(struct gate *gate);
void gate_join(struct gate *gate);
bool gate_passed(struct gate *gate);

#endif
