/* SPDX-License-Identifier: Apache-2.0 */
/* The direction that kind and addresses make: every kind with every pair of places. */
#include "../api/support.h"
#include "core/copy_request.h"

enum { KINDS = 8 };

/* 0 to 5 are kinds, the others are numbers that name none. */
static const int kinds[KINDS] = { H2H, H2D, D2H, D2D, DEFAULT, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, 77, 0x7fffffff };

#define PAGEABLE PACL_MEMORY_PAGEABLE
#define PINNED PACL_MEMORY_PINNED
#define DEVICE PACL_MEMORY_DEVICE

#define HH PACL_H2H
#define HD PACL_H2D
#define DH PACL_D2H
#define DD PACL_D2D
#define NO PACL_NO_DIRECTION

/* clang-format off */
static const struct row {
    enum pacl_memory src, dst;
    enum pacl_direction by_kind[KINDS];
} rows[] = {
    /*                       H2H H2D D2H D2D DEF BUF  77 max */
    /* addresses that the runtime knows overrule the kind */
    { DEVICE, DEVICE,     { DD, DD, DD, DD, DD, DD, DD, DD } },
    { PINNED, DEVICE,     { HD, HD, HD, HD, HD, HD, HD, HD } },
    { DEVICE, PINNED,     { DH, DH, DH, DH, DH, DH, DH, DH } },
    { PINNED, PINNED,     { HH, HH, HH, HH, HH, HH, HH, HH } },
    /* pageable memory must not contradict it; D2D is what the addresses imply (decision 6) */
    { PAGEABLE, DEVICE,   { NO, HD, NO, HD, HD, HD, NO, NO } },
    { DEVICE, PAGEABLE,   { NO, NO, DH, DH, DH, NO, NO, NO } },
    /* no device side: the kinds that name one are refused (decision 6) */
    { PINNED, PAGEABLE,   { HH, NO, NO, NO, HH, NO, NO, NO } },
    { PAGEABLE, PINNED,   { HH, NO, NO, NO, HH, NO, NO, NO } },
    { PAGEABLE, PAGEABLE, { HH, NO, NO, NO, HH, NO, NO, NO } },
};
/* clang-format on */

START_TEST(direction_of_every_kind)
{
    const struct row *const row = &rows[_i];
    for (size_t i = 0; i < KINDS; i++) {
        const enum pacl_direction got = pacl_direction_of((aclrtMemcpyKind)kinds[i], row->dst, row->src);
        ck_assert_msg(got == row->by_kind[i], "kind %d from %s to %s: direction %d, expected %d", kinds[i],
                      pacl_memory_name(row->src), pacl_memory_name(row->dst), (int)got, (int)row->by_kind[i]);
    }
}
END_TEST

START_TEST(every_pair_of_places_has_a_row)
{
    unsigned seen = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        seen |= 1U << (3 * rows[i].src + rows[i].dst);
    ck_assert_uint_eq(seen, 0x1FF);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("direction", NULL, NULL);
    tcase_add_loop_test(tc, direction_of_every_kind, 0, (int)COUNT_OF(rows));
    tcase_add_test(tc, every_pair_of_places_has_a_row);
    return run_cases("direction", tc, (TCase *)NULL);
}
