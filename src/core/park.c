/* SPDX-License-Identifier: Apache-2.0 */
#include "core/park.h"

#include "core/engine.h"
#include "core/stream.h"
#include "os/os.h"

void pacl_parking_prepare(struct pacl_parking *p)
{
    pthread_mutex_init(&p->lock, NULL);
    pacl_list_init(&p->streams);
}

bool pacl_park(struct pacl_parking *p, struct pacl_stream *s, uint64_t timeout_ns)
{
    /* Said before drop_upto is looked at, as whoever drops sets that before it looks here: one sees the other. */
    pacl_store_seq_cst(&s->parked_on, p);
    if (pacl_stream_is_dropping(s)) {
        pacl_store_relaxed(&s->parked_on, NULL);
        return false;
    }
    pacl_store_relaxed(&s->wait_deadline, timeout_ns == 0 ? OS_NEVER : os_now_ns() + timeout_ns);
    pacl_list_append(&p->streams, &s->in_parking);
    pacl_store_seq_cst(&s->state, PACL_PARKED);
    if (timeout_ns != 0)
        pacl_engines_add_timer(s);
    return true;
}

void pacl_park_firmly(struct pacl_parking *p, struct pacl_stream *s)
{
    pacl_store_relaxed(&s->wait_deadline, OS_NEVER);
    pacl_list_append(&p->streams, &s->in_parking);
    pacl_store_seq_cst(&s->state, PACL_PARKED);
}

void pacl_park_leave(struct pacl_stream *s)
{
    pacl_list_remove(&s->in_parking);
    pacl_store_relaxed(&s->parked_on, NULL);
    if (pacl_load_relaxed(&s->wait_deadline) != OS_NEVER)
        pacl_engines_remove_timer(s);
}

void pacl_park_end_all(struct pacl_list *left)
{
    PACL_LIST_EACH(node, left)
    {
        pacl_list_remove(node);
        pacl_stream_end_park(PACL_CONTAINER(node, struct pacl_stream, in_parking));
    }
}

/* What is waited for may be gone when its lock is taken; its memory is not, and then names no parked stream or another
 * wait. */
void pacl_park_interrupt(struct pacl_stream *s, bool only_if_due)
{
    struct pacl_parking *p = pacl_load_seq_cst(&s->parked_on);
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    const bool due = !only_if_due || os_now_ns() >= pacl_load_relaxed(&s->wait_deadline);
    const bool still_parked =
        pacl_load_relaxed(&s->parked_on) == p && due && pacl_load_relaxed(&s->state) == PACL_PARKED;
    if (still_parked) {
        pacl_park_leave(s);
        s->wait_end = only_if_due ? PACL_WAIT_EXPIRED : PACL_WAIT_OPEN;
    }
    pthread_mutex_unlock(&p->lock);
    if (still_parked)
        pacl_stream_end_park(s);
}

/* An event that was recorded: see prepare_wait() in event.c. */
bool pacl_park_awaits(struct pacl_stream *s, struct pacl_stream **source, uint64_t *number)
{
    struct pacl_parking *p = pacl_load_seq_cst(&s->parked_on);
    bool known = false;
    if (p == NULL)
        return false;
    pthread_mutex_lock(&p->lock);
    if (pacl_load_relaxed(&s->parked_on) == p && pacl_load_relaxed(&s->state) == PACL_PARKED) {
        const struct pacl_work *work = pacl_stream_head_work(s);
        known = work->op == PACL_OP_WAIT && work->event.source != NULL;
        if (known) {
            *source = work->event.source;
            *number = work->event.number;
        }
    }
    pthread_mutex_unlock(&p->lock);
    return known;
}
