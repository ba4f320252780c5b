/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engines' ready list, instruction by instruction: engine.c is compiled into this file, and a hook in its exchange
 * plays the producer that comes in the middle of a consumer's step.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"

struct pacl_stream;
static struct pacl_stream *exchange_back(_Atomic(struct pacl_stream *) *back, struct pacl_stream *s);

#undef pacl_exchange_seq_cst
#define pacl_exchange_seq_cst(p, v) \
    _Generic((p), _Atomic(struct pacl_stream *) * : exchange_back, default : exchange_word)((void *)(p), (v))

static uint32_t exchange_word(_Atomic uint32_t *word, uint32_t value)
{
    return atomic_exchange(word, value);
}

#include "core/engine.c"

static struct pacl_stream first, intruder;
static struct pacl_stream *before_intruder; /* the producer has not linked this one to the intruder yet */
static bool intrude;

static struct pacl_stream *exchange_back(_Atomic(struct pacl_stream *) *back, struct pacl_stream *s)
{
    if (intrude && s == &engines.stub) {
        intrude = false;
        pacl_store_relaxed(&intruder.ready_next, NULL);
        before_intruder = atomic_exchange(back, &intruder);
    }
    return atomic_exchange(back, s);
}

static void empty_list(void)
{
    engines.stub.ready_next = NULL;
    engines.front = &engines.stub;
    engines.back = &engines.stub;
}

/* The consumer puts the stub behind a producer that has not finished: the list is not empty, whatever its back says. */
START_TEST(a_producer_in_the_middle_of_a_step_is_not_forgotten)
{
    empty_list();
    link_back(&first);
    intrude = true;
    ck_assert_ptr_null(pop_front());
    ck_assert(!intrude);
    ck_assert_ptr_eq(before_intruder, &first);
    ck_assert_msg(has_ready(), "engines would sleep while a stream is on their list");

    pacl_store_release(&before_intruder->ready_next, &intruder);
    ck_assert(has_ready());
    ck_assert_ptr_eq(pop_front(), &first);
    ck_assert_msg(has_ready(), "no second engine would be called for the second stream");
    ck_assert_ptr_eq(pop_front(), &intruder);
    ck_assert(!has_ready());
    ck_assert_ptr_null(pop_front());
}
END_TEST

START_TEST(order_and_emptiness)
{
    struct pacl_stream *const s = aligned_alloc(_Alignof(struct pacl_stream), 100 * sizeof(*s));
    memset((void *)s, 0, 100 * sizeof(*s));
    empty_list();
    for (int round = 0; round < 3; round++) {
        ck_assert(!has_ready());
        for (int i = 0; i < 100; i++)
            link_back(&s[i]);
        for (int i = 0; i < 100; i++) {
            ck_assert(has_ready());
            ck_assert_ptr_eq(pop_front(), &s[i]);
        }
        ck_assert_ptr_null(pop_front());
    }
    free(s);
}
END_TEST

int main(void)
{
    TCase *const tcase = tcase_create("ready list");
    tcase_add_test(tcase, a_producer_in_the_middle_of_a_step_is_not_forgotten);
    tcase_add_test(tcase, order_and_emptiness);
    Suite *const suite = suite_create("stress_ready_list");
    suite_add_tcase(suite, tcase);
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
