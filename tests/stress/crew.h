/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that work at the same time and hand back what went wrong, and a latch that parks a stream. */
#ifndef PACL_TESTS_STRESS_CREW_H
#define PACL_TESTS_STRESS_CREW_H

#include <pacl/pacl.h>

#include "support.h"

/* One thread of a crew. The first failure counts; a body looks at failed() where going on makes no sense. */
struct member {
    unsigned index;
    uint64_t seed;
    void *shared; /* what the test gave crew_run */
    pthread_barrier_t *start;
    void (*body)(struct member *);
    char failure[320];
};

/* Runs the body in `count` threads (at most 64) that start together, joins them, fails the test with their failure. */
void crew_run(unsigned count, void (*body)(struct member *), void *shared);

/* The same in two steps, so that the test's own thread can act meanwhile. */
struct crew {
    unsigned count;
    pthread_barrier_t start;
    pthread_t thread[64];
    struct member member[64];
};
void crew_start(struct crew *crew, unsigned count, void (*body)(struct member *), void *shared);
void crew_join(struct crew *crew);

void give_up(struct member *member, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool failed(const struct member *member);

/* Notes a failure unless `code` is one of the two. True if it is. */
bool want2(struct member *member, const char *call, aclError code, aclError first, aclError second);
#define WANT(member, call) want2((member), #call, (call), ACL_SUCCESS, ACL_SUCCESS)
#define WANT_OR(member, other, call) want2((member), #call, (call), ACL_SUCCESS, (other))

/* Parks a stream without a thread: it waits for an event that is not recorded before latch_open(). */
struct latch {
    aclrtEvent event;
    aclrtStream opener;
};
void latch_close(struct latch *latch, aclrtStream stream);
aclError latch_open(struct latch *latch);
void latch_free(struct latch *latch);

struct pacl_counters counters(void);

/* The environment is the default product's with the given values; device 0 is set. */
void open_with(const char *queue_depth, const char *engines);

/* As test_rounds, an eighth under ThreadSanitizer. */
size_t stress_rounds(size_t base);

size_t resident_bytes(void);
bool is_sanitized(void);

#endif
