/* SPDX-License-Identifier: Apache-2.0 */
#include "check/history.h"

#include <stdlib.h>

#include "check/execution.h"

enum { CHUNK = 256, SWEEP_LEAST = 32, NEAR_WIDTHS = 64 };

static struct pacl_list ages = { &ages, &ages }; /* oldest first */
static struct pacl_past *free_list;              /* linked by `right` */
static struct pacl_history_counts counts;

/* --- the tree ---------------------------------------------------------------------------------------------------- */

static void update(struct pacl_past *p)
{
    p->end_below = p->end;
    if (p->left != NULL && p->left->end_below > p->end_below)
        p->end_below = p->left->end_below;
    if (p->right != NULL && p->right->end_below > p->end_below)
        p->end_below = p->right->end_below;
}

/* By address, and by their own address where that is the same, so that each has its place. */
static bool is_less(const struct pacl_past *a, const struct pacl_past *b)
{
    return a->box.at != b->box.at ? a->box.at < b->box.at : (uintptr_t)a < (uintptr_t)b;
}

/* NOLINTBEGIN(misc-no-recursion): the tree is as deep as the logarithm of its size */
static void split(struct pacl_past *tree, const struct pacl_past *at, struct pacl_past **left, struct pacl_past **right)
{
    if (tree == NULL) {
        *left = *right = NULL;
        return;
    }
    if (is_less(tree, at)) {
        split(tree->right, at, &tree->right, right);
        *left = tree;
    } else {
        split(tree->left, at, left, &tree->left);
        *right = tree;
    }
    update(tree);
}

static struct pacl_past *merge(struct pacl_past *left, struct pacl_past *right)
{
    if (left == NULL || right == NULL)
        return left != NULL ? left : right;
    if (left->rank > right->rank) {
        left->right = merge(left->right, right);
        update(left);
        return left;
    }
    right->left = merge(left, right->left);
    update(right);
    return right;
}

static struct pacl_past *insert(struct pacl_past *tree, struct pacl_past *p)
{
    if (tree == NULL || p->rank > tree->rank) {
        split(tree, p, &p->left, &p->right);
        update(p);
        return p;
    }
    if (is_less(p, tree))
        tree->left = insert(tree->left, p);
    else
        tree->right = insert(tree->right, p);
    update(tree);
    return tree;
}

static struct pacl_past *erase(struct pacl_past *tree, struct pacl_past *p)
{
    if (tree == p)
        return merge(p->left, p->right);
    if (is_less(p, tree))
        tree->left = erase(tree->left, p);
    else
        tree->right = erase(tree->right, p);
    update(tree);
    return tree;
}

static void each(struct pacl_past *tree, uint64_t low, uint64_t high, pacl_past_fn *tell, void *context)
{
    while (tree != NULL && tree->end_below > low) {
        each(tree->left, low, high, tell, context);
        if (tree->box.at >= high)
            return;
        if (tree->end > low)
            tell(context, tree);
        tree = tree->right;
    }
}
/* NOLINTEND(misc-no-recursion) */

void pacl_history_each(const struct pacl_history *h, uint64_t low, uint64_t high, pacl_past_fn *tell, void *context)
{
    each(h->root, low, high, tell, context);
}

/* --- members ----------------------------------------------------------------------------------------------------- */

static uint32_t next_rank(void)
{
    static uint32_t state = 2463534242U; /* xorshift32 */
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static struct pacl_past *take(void)
{
    if (free_list == NULL) {
        struct pacl_past *chunk = calloc(CHUNK, sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        counts.bytes += CHUNK * sizeof *chunk;
        for (unsigned i = 0; i < CHUNK; i++) {
            chunk[i].right = free_list;
            free_list = &chunk[i];
        }
    }
    struct pacl_past *p = free_list;
    free_list = p->right;
    return p;
}

static void give(struct pacl_past *p)
{
    pacl_knowledge_drop(p->known);
    pacl_run_drop(p->run);
    pacl_list_remove(&p->by_age);
    p->right = free_list;
    free_list = p;
    counts.kept--;
}

static void forget(struct pacl_past *p)
{
    struct pacl_history *h = p->history;
    for (unsigned i = 0; i < 2; i++) {
        if (h->last[i] == p)
            h->last[i] = NULL;
    }
    h->root = erase(h->root, p);
    h->count--;
    give(p);
}

/* NOLINTBEGIN(misc-no-recursion): as deep as the tree */
static void give_tree(struct pacl_past *tree)
{
    if (tree == NULL)
        return;
    struct pacl_past *right = tree->right;
    give_tree(tree->left);
    give(tree);
    give_tree(right);
}
/* NOLINTEND(misc-no-recursion) */

void pacl_history_clear(struct pacl_history *h)
{
    give_tree(h->root);
    *h = (struct pacl_history){ 0 };
}

/* --- what need not be kept --------------------------------------------------------------------------------------- */

/* Members found while the tree must not change. */
struct found {
    struct pacl_past *member[32];
    unsigned count;
    bool redundant; /* `by` says nothing that a member does not say */
    const struct pacl_past *by;
};

static void find_done(void *context, struct pacl_past *p)
{
    struct pacl_past **done = context;
    if (!pacl_host_knows(p->when))
        return;
    p->next_done = *done;
    *done = p;
}

/* Once the host has learned something, and the history has doubled since the last time. */
static void sweep(struct pacl_history *h)
{
    struct pacl_past *done = NULL;
    if (h->count < h->sweep_at || h->swept == pacl_host_generation())
        return;
    each(h->root, 0, UINT64_MAX, find_done, &done);
    while (done != NULL) {
        struct pacl_past *next = done->next_done;
        forget(done);
        done = next;
    }
    h->swept = pacl_host_generation();
    h->sweep_at = h->count * 2 > SWEEP_LEAST ? h->count * 2 : SWEEP_LEAST;
}

/* A later access of the same stream says as much as `old` if it covers its bytes and does not only read where that
 * wrote: whatever is not ordered after `old` is not ordered after the later one either. */
static void find_covered(void *context, struct pacl_past *old)
{
    struct found *found = context;
    const struct pacl_past *by = found->by;
    if (old == by)
        return;
    const bool covered =
        old->when.slot == by->when.slot && (by->writes || !old->writes) && pacl_box_contains(&by->box, &old->box);
    if (found->count < sizeof found->member / sizeof found->member[0] && (covered || pacl_host_knows(old->when)))
        found->member[found->count++] = old;
    else if (old->when.slot == by->when.slot && old->when.tick == by->when.tick && old->known == by->known &&
             old->run == by->run && (old->writes || !by->writes) && pacl_box_contains(&old->box, &by->box))
        found->redundant = true;
}

static bool same_box(const struct pacl_box *a, const struct pacl_box *b)
{
    return a->at == b->at && a->width == b->width && a->height == b->height && (a->height == 1 || a->pitch == b->pitch);
}

static void renew(struct pacl_past *old, const struct pacl_past *by)
{
    if (old->known != by->known) {
        pacl_knowledge_drop(old->known);
        old->known = pacl_knowledge_share(by->known);
    }
    if (old->run != by->run) {
        pacl_run_drop(old->run);
        old->run = pacl_run_share(by->run);
    }
    old->when = by->when;
    old->lane = by->lane;
    old->stream = by->stream;
    old->site = by->site;
    old->call = by->call;
    old->on_default_stream = by->on_default_stream;
    pacl_list_remove(&old->by_age);
    pacl_list_append(&ages, &old->by_age);
}

/* The box of both, if that has exactly their bytes: a longer run, or rows one after the other. Two single rows are taken
 * for the start of more only if they are near and as far apart as the two before: what is scattered must not become wide,
 * or every question would meet it. */
static bool grow(struct pacl_box *a, const struct pacl_box *b, uint64_t stride)
{
    if (b->at <= a->at)
        return false;
    const uint64_t distance = b->at - a->at;
    if (a->height == 1 && b->height == 1 && distance == a->width) {
        a->width += b->width;
        return true;
    }
    if (a->width != b->width || distance < a->width)
        return false;
    if (a->height == 1 &&
        (b->height == 1 ? distance == stride && distance / a->width <= NEAR_WIDTHS : b->pitch == distance)) {
        a->pitch = distance;
        a->height += b->height;
        return true;
    }
    if (a->height == 1 || distance % a->pitch != 0 || distance / a->pitch != a->height ||
        (b->height > 1 && b->pitch != a->pitch))
        return false;
    a->height += b->height;
    return true;
}

/* What a member that has grown covers now. */
static void forget_covered(struct pacl_history *h, const struct pacl_past *by)
{
    struct found found = { .by = by };
    each(h->root, by->box.at, by->end, find_covered, &found);
    for (unsigned i = 0; i < found.count; i++)
        forget(found.member[i]);
}

/* The newest of its kind grows by the new one: loops that copy row after row stay one rectangle. Only within a tick: to
 * others its parts are then one. */
static bool append_to_last(struct pacl_history *h, const struct pacl_past *past)
{
    struct pacl_past *last = h->last[past->writes];
    struct pacl_box box;
    if (last == NULL || last->when.slot != past->when.slot || last->when.tick != past->when.tick ||
        last->site != past->site || last->known != past->known || last->run != past->run)
        return false;
    const uint64_t stride = h->stride[past->writes];
    h->stride[past->writes] = past->box.at - (last->box.at + (last->box.height - 1) * last->box.pitch);
    box = last->box;
    if (!grow(&box, &past->box, stride))
        return false;
    h->root = erase(h->root, last);
    last->box = box;
    last->end = pacl_box_end(&box);
    last->left = last->right = NULL;
    h->root = insert(h->root, last);
    forget_covered(h, last);
    return true;
}

/* --- entering ---------------------------------------------------------------------------------------------------- */

static void enter(struct pacl_history *h, const struct pacl_past *past)
{
    if (counts.kept >= PACL_HISTORY_MAX) {
        struct pacl_past *oldest = PACL_CONTAINER(ages.next, struct pacl_past, by_age);
        counts.forgotten += !pacl_host_knows(oldest->when);
        forget(oldest);
    }
    struct pacl_past *p = take();
    if (p == NULL) {
        counts.forgotten++;
        return;
    }
    *p = *past;
    pacl_knowledge_share(p->known);
    pacl_run_share(p->run);
    p->rank = next_rank();
    p->end = pacl_box_end(&p->box);
    p->left = p->right = NULL;
    p->history = h;
    pacl_list_append(&ages, &p->by_age);
    h->root = insert(h->root, p);
    h->last[p->writes] = p;
    h->count++;
    if (++counts.kept > counts.most)
        counts.most = counts.kept;
}

void pacl_history_add(struct pacl_history *h, const struct pacl_past *past)
{
    struct found found = { .by = past };
    each(h->root, past->box.at, pacl_box_end(&past->box), find_covered, &found);
    bool entered = false;
    for (unsigned i = 0; i < found.count; i++) {
        struct pacl_past *old = found.member[i];
        if (!entered && old->when.slot == past->when.slot && old->writes == past->writes &&
            same_box(&old->box, &past->box)) {
            renew(old, past);
            h->last[old->writes] = old;
            entered = true;
        } else {
            forget(old);
        }
    }
    if (entered || found.redundant || append_to_last(h, past))
        return;
    sweep(h);
    enter(h, past);
}

struct pacl_history_counts pacl_history_counts(void)
{
    return counts;
}
