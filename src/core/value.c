/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream that waits for a value is parked. Writes by aclrtValueWrite end the wait at once. A cell can also change by
 * a copy, a set, a kernel's stand-in or another process, which do not look for waiters: a parked stream looks itself,
 * after 50 us and from then on at intervals that double up to a millisecond.
 */
#include "core/value.h"

#include <pthread.h>

#include "acl/acl_rt.h"
#include "base/error.h"
#include "core/context.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/park.h"
#include "core/place.h"
#include "core/stream.h"
#include "os/os.h"

enum { LOOK_FIRST_NS = 50000, LOOK_LAST_NS = 1000000 };

/* All streams that wait for values: there are few. */
static struct pacl_parking waiting;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    pacl_parking_prepare(&waiting);
}

/* --- submission -------------------------------------------------------------------------------------------------- */

static aclError check_cell(const uint8_t *cell, const struct pacl_place *place)
{
    if (place->memory != PACL_MEMORY_DEVICE)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devAddr %p is %s, not device memory", (const void *)cell,
                         pacl_memory_name(place->memory));
    if ((uintptr_t)cell % sizeof(uint64_t) != 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devAddr %p is not aligned to 8 bytes", (const void *)cell);
    if (place->size < sizeof(uint64_t) || (size_t)(cell - place->base) > place->size - sizeof(uint64_t))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "devAddr %p: its 8 bytes do not lie in an allocation",
                         (const void *)cell);
    return ACL_SUCCESS;
}

aclError pacl_value_check(struct pacl_work *work)
{
    const struct pacl_place place = pacl_place_of(work->value.cell);
    work->peer[0] = place.mapped ? PACL_PEER_MAPPED : 0;
    return check_cell(work->value.cell, &place);
}

aclError pacl_value_submit(struct pacl_stream *s, void *handle, const struct pacl_work *given)
{
    struct pacl_work work = *given;
    aclError err = pacl_value_check(&work);
    if (err == ACL_SUCCESS)
        err = pacl_context_owns(s);
    pthread_once(&once, prepare);
    return err != ACL_SUCCESS ? err : pacl_stream_submit(s, handle, &work);
}

/* --- execution --------------------------------------------------------------------------------------------------- */

/* Copies write cells with ordinary stores, as the hardware does: ThreadSanitizer is not told of this look. */
__attribute__((no_sanitize("thread"))) static uint64_t look_at(const uint8_t *cell)
{
    const uint32_t rights = os_guard_open();
    const uint64_t value = __atomic_load_n((const uint64_t *)(const void *)pacl_engine_view(cell), __ATOMIC_ACQUIRE);
    os_guard_close(rights);
    return value;
}

static bool may_touch(struct pacl_stream *s, const struct pacl_work *work, enum pacl_use use)
{
    char text[PACL_TEXT_MAX];
    const aclError err =
        pacl_check_turn("devAddr", work->value.cell, sizeof(uint64_t), s->device->id, use, text, sizeof text);
    if (err != ACL_SUCCESS)
        pacl_stream_fail_task(s, work, err, text);
    return err == ACL_SUCCESS;
}

/* What the flags mean [D]. The cyclic comparison takes the difference as signed. */
static bool is_there(const struct pacl_work *work)
{
    const uint64_t cell = look_at(work->value.cell), value = work->value.value;
    switch (work->value.flag) {
    case ACL_STREAM_WAIT_VALUE_GEQ:
        return (int64_t)(cell - value) >= 0;
    case ACL_STREAM_WAIT_VALUE_EQ:
        return cell == value;
    case ACL_STREAM_WAIT_VALUE_AND:
        return (cell & value) != 0;
    default:
        return ~(cell | value) != 0;
    }
}

/* What is behind reserved addresses may go away; whoever waits for a cell there looks itself. */
static bool is_mapped(const struct pacl_work *work)
{
    return work->peer[0] == PACL_PEER_MAPPED;
}

static void collect_passing(struct pacl_list *passing)
{
    pthread_mutex_lock(&waiting.lock);
    PACL_LIST_EACH(node, &waiting.streams)
    {
        struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_parking);
        const struct pacl_work *work = pacl_stream_head_work(s);
        if (is_mapped(work) || !is_there(work))
            continue;
        pacl_park_leave(s);
        pacl_list_append(passing, &s->in_parking);
    }
    pthread_mutex_unlock(&waiting.lock);
}

/* Release, paired with the acquire of the look: who sees the value sees what the stream did before. Whoever is about to
 * park looks under the lock that is taken here, so it sees the value or is seen. */
void pacl_value_write(struct pacl_stream *s, const struct pacl_work *work)
{
    if (!may_touch(s, work, PACL_USE_WRITE))
        return;
    struct pacl_list passing;
    pacl_list_init(&passing);
    uint64_t *cell = (uint64_t *)(void *)pacl_engine_view(work->value.cell);
    const uint32_t rights = os_guard_open();
    __atomic_store_n(cell, work->value.value, __ATOMIC_RELEASE);
    os_guard_close(rights);
    collect_passing(&passing);
    pacl_park_end_all(&passing);
}

/* The next interval, told by how long the last one was: the stream keeps its deadline. */
static uint64_t next_look(struct pacl_stream *s)
{
    if (s->wait_end != PACL_WAIT_EXPIRED)
        s->look_again_ns = LOOK_FIRST_NS;
    else if (s->look_again_ns < LOOK_LAST_NS)
        s->look_again_ns *= 2;
    s->wait_end = PACL_WAIT_OPEN;
    return s->look_again_ns;
}

bool pacl_value_try_pass(struct pacl_stream *s, const struct pacl_work *work)
{
    const uint64_t interval_ns = next_look(s);
    if (!may_touch(s, work, PACL_USE_READ))
        return true;
    pthread_mutex_lock(&waiting.lock);
    const bool passes = is_there(work) || !pacl_park(&waiting, s, interval_ns);
    pthread_mutex_unlock(&waiting.lock);
    return passes;
}
