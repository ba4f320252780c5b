/* SPDX-License-Identifier: Apache-2.0 */
/* What a stream keeps of the failures of its tasks, until a call returns them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "core/device.h"
#include "core/exception.h"
#include "core/execute.h"
#include "core/stream.h"
#include "os/os.h"

/* Work that runs at once runs in the thread that submits it, and has no number of its own: see aclrtGetThreadLastTaskId. */
static uint64_t raise_exception(const struct pacl_stream *s, const struct pacl_work *work, aclError code)
{
    if (s->inner)
        return 0;
    const bool queued = work == pacl_stream_head_work(s), said = work->op != PACL_OP_COPY && work->thread != 0;
    const uint64_t done = pacl_load_relaxed(&s->done);
    const uint32_t thread = said ? work->thread : queued ? UINT32_MAX : os_thread_id();
    return pacl_exception_raise((uint32_t)(queued ? done + 1 : done), s->id, thread, (uint32_t)s->device->id, code);
}

void pacl_stream_fail(struct pacl_stream *s, const struct pacl_work *work, aclError code, const char *text)
{
    pthread_mutex_lock(&s->fail_lock);
    const uint64_t exception = raise_exception(s, work, code);
    s->exception = exception != 0 ? exception : s->exception;
    if (pacl_load_relaxed(&s->error) == ACL_SUCCESS) {
        s->error_text = text != NULL ? strdup(text) : NULL;
        pacl_store_release(&s->error, code);
        if (pacl_load_relaxed(&s->stops))
            (void)atomic_fetch_or(&s->stopped, PACL_STOPPED_BY_FAILURE);
    }
    pthread_mutex_unlock(&s->fail_lock);
    s->result = code;
    pacl_count(&s->tasks_failed, 1);
    pacl_log(PACL_LOG_ERROR, "stream %u: %s (%d): %s", s->id, pacl_error_name(code), code, text != NULL ? text : "");
    PACL_TRACE(STREAM, "stream %u: failure %d: %s", s->id, code, text != NULL ? text : "");
}

void pacl_stream_fail_task(struct pacl_stream *s, const struct pacl_work *work, aclError code, const char *what)
{
    char text[PACL_TEXT_MAX];
    snprintf(text, sizeof text, "%s, queued earlier: %.*s", work->call, (int)(sizeof text - 64), what);
    pacl_stream_fail(s, work, code, text);
}

void pacl_stream_fail_started(struct pacl_stream *s, const struct pacl_work *work, aclError code, const char *text)
{
    pacl_stream_fail(s, work, code, text);
    if (work->op != PACL_OP_RECORD && !pacl_work_is_never_skipped(work))
        (void)atomic_fetch_or(&s->stopped, PACL_STOPPED_ONCE);
}

aclError pacl_stream_forget_error(struct pacl_stream *s, char **text, uint64_t *exception)
{
    pthread_mutex_lock(&s->fail_lock);
    *exception = s->exception;
    s->exception = 0;
    const aclError code = pacl_load_relaxed(&s->error);
    *text = s->error_text;
    s->error_text = NULL;
    pacl_store_relaxed(&s->error, ACL_SUCCESS);
    (void)atomic_fetch_and(&s->stopped, ~(uint32_t)PACL_STOPPED_BY_FAILURE);
    pthread_mutex_unlock(&s->fail_lock);
    return code;
}

aclError pacl_stream_take_error(struct pacl_stream *s, const void *handle)
{
    char *text;
    if (pacl_load_acquire(&s->error) == ACL_SUCCESS || pacl_object_handle(&s->object) != handle)
        return ACL_SUCCESS;
    uint64_t exception;
    const aclError code = pacl_stream_forget_error(s, &text, &exception);
    pacl_exception_await(exception);
    if (code != ACL_SUCCESS)
        (void)PACL_FAIL(code, "stream %u: %s", s->id,
                        text != NULL ? text : "a task failed; no memory was left for its message");
    free(text);
    return code;
}

/* Nobody has asked: the failure is not returned by any call, so the log says so. */
void pacl_stream_drop_error(struct pacl_stream *s)
{
    char *text;
    uint64_t exception;
    const aclError code = pacl_stream_forget_error(s, &text, &exception);
    if (code != ACL_SUCCESS)
        pacl_log(PACL_LOG_WARNING,
                 "stream %u is destroyed with a failure that no synchronize has returned: %s (%d): %s", s->id,
                 pacl_error_name(code), code, text != NULL ? text : "");
    free(text);
}

void pacl_stream_set_stops(struct pacl_stream *s)
{
    pacl_store_relaxed(&s->stops, true);
}
