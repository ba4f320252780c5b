/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Row i of A (base a, pitch p, width w, m rows) and row j of B (base b, pitch q, width v, n rows) share a byte exactly
 * if a + ip <= b + jq + v - 1 and b + jq <= a + ip + w - 1.
 *
 * 1. The lowest i that has a partner gives the first common byte: w <= p, so every byte of row i lies below row i + 1;
 *    and for that i the lowest j.
 *
 * 2. Rows of A that start below b. Only the last of them can reach b, and it shares b itself with row 0 if it does.
 *
 * 3. Rows of A that start in [b, end of B). For these, 0 <= j < n needs no look:
 *    - j < 0 never fits: the row would end at b + jq + v - 1 <= b - q + v - 1 < b, below row i's start.
 *    - If some j >= n fits, so does n - 1: row i starts below B's end and reaches b + nq, so it starts inside row n - 1
 *      or covers its start.
 *    So row i has a partner exactly if some multiple of q lies in [x - (v - 1), x + (w - 1)] for x = a + ip - b, that is
 *    if (x + w - 1) mod q <= w + v - 2. The question is the lowest t >= 0 with (c + t*p) mod q in [0, R].
 *
 * 4. first_multiple answers: the lowest t >= 0 with (t*k) mod M in [low, high], 0 < low <= high < M.
 *    If a multiple of k lies in [low, high], the lowest such t is ceil(low / k): t*k has not wrapped before.
 *    Else t*k - s*M is in [low, high] for some s > 0, which asks for a multiple of k in [low + s*M, high + s*M], that is
 *    (-s*M) mod k in [low mod k, high mod k]; no multiple of k lies between the two, so this range is not torn. t rises
 *    with s: the lowest s gives the lowest t, and finding it is the same question about (-M mod k) and the modulus k.
 *    Where k > M/2 the mirror image is asked, (t*(M - k)) mod M in [M - high, M - low]. Then the modulus at least
 *    halves in each step, so there are at most 64 of them.
 */
#include "check/overlap.h"

__extension__ typedef unsigned __int128 wide;

enum { STEPS_MAX = 64 };

/* Point 4. False if there is no such t. */
static bool first_multiple(uint64_t k, uint64_t modulus, uint64_t low, uint64_t high, wide *t)
{
    struct {
        uint64_t k, modulus, low;
    } step[STEPS_MAX];
    unsigned depth = 0;
    wide found;
    for (;;) {
        if (k > modulus - k) {
            const uint64_t mirrored = modulus - high;
            k = modulus - k;
            high = modulus - low;
            low = mirrored;
        }
        if (k == 0)
            return false;
        found = ((wide)low + k - 1) / k;
        if (found * k <= high)
            break;
        step[depth].k = k;
        step[depth].modulus = modulus;
        step[depth++].low = low;
        const uint64_t rest = modulus % k;
        low %= k;
        high %= k;
        modulus = k;
        k = rest == 0 ? 0 : modulus - rest;
    }
    while (depth > 0) { /* from s back to t */
        depth--;
        found = (step[depth].low + found * step[depth].modulus + step[depth].k - 1) / step[depth].k;
    }
    *t = found;
    return true;
}

/* Point 3 from row `from` on: the lowest row of `a` with a partner. False if it is past `last` or does not exist. */
static bool first_row(const struct pacl_box *a, const struct pacl_box *b, uint64_t from, uint64_t last, uint64_t *row)
{
    const wide reach = (wide)a->width + b->width - 2;
    const uint64_t q = b->pitch;
    *row = from;
    if (reach >= q - 1)
        return true;
    const uint64_t c = (uint64_t)(((wide)a->at + (wide)from * a->pitch - b->at + a->width - 1) % q);
    if (c <= reach)
        return true;
    wide t;
    const uint64_t low = q - c;
    if (!first_multiple(a->pitch % q, q, low, low + (uint64_t)reach, &t) || t > last - from)
        return false;
    *row = from + (uint64_t)t;
    return true;
}

/* A single row has no pitch; any that holds it will do. */
static struct pacl_box normal(const struct pacl_box *box)
{
    struct pacl_box n = *box;
    if (n.height == 1)
        n.pitch = n.width;
    return n;
}

static bool find(const struct pacl_box *a, const struct pacl_box *b, uint64_t *row)
{
    const uint64_t a_end = pacl_box_end(a), b_end = pacl_box_end(b);
    if (a->at >= b_end || b->at >= a_end)
        return false;
    uint64_t from = 0;
    if (a->at < b->at) {
        const uint64_t distance = b->at - a->at, before = (distance - 1) / a->pitch; /* the last row below b */
        if (before < a->height && distance - before * a->pitch < a->width) {
            *row = before;
            return true;
        }
        from = before + 1;
    }
    const uint64_t inside = (b_end - 1 - a->at) / a->pitch;
    const uint64_t last = inside < a->height ? inside : a->height - 1;
    return from <= last && first_row(a, b, from, last, row);
}

bool pacl_boxes_overlap(const struct pacl_box *one, const struct pacl_box *other, struct pacl_common_byte *first)
{
    const struct pacl_box a = normal(one), b = normal(other);
    uint64_t i;
    if (!find(&a, &b, &i))
        return false;
    if (first == NULL)
        return true;
    /* The lowest row of B that ends behind row i's start. */
    const uint64_t start = a.at + i * a.pitch;
    const uint64_t j = start < b.at + b.width ? 0 : (start - b.at - b.width) / b.pitch + 1;
    const uint64_t partner = b.at + j * b.pitch;
    first->address = start > partner ? start : partner;
    first->row[0] = i;
    first->row[1] = j;
    first->column[0] = first->address - start;
    first->column[1] = first->address - partner;
    return true;
}

bool pacl_box_contains(const struct pacl_box *outer, const struct pacl_box *inner)
{
    const struct pacl_box a = normal(outer), b = normal(inner);
    if (b.at < a.at || pacl_box_end(&b) > pacl_box_end(&a))
        return false;
    if (a.height == 1 || a.width == a.pitch)
        return true;
    const uint64_t column = (b.at - a.at) % a.pitch;
    return column + b.width <= a.width && (b.height == 1 || b.pitch % a.pitch == 0);
}
