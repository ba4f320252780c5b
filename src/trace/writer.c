/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic.h"
#include "core/runtime.h"

enum { BUFFER_BYTES = 256 * 1024, EVENT_MAX = 1024, FLUSH_AFTER_NS = 100000000 };

static struct {
    pthread_mutex_t lock; /* guards the rest; nothing else is taken while it is held */
    int file;             /* -1: none */
    bool any;             /* an event was written */
    size_t used;
    uint64_t flushed_ns;
    char buffer[BUFFER_BYTES];
} out = { .lock = PTHREAD_MUTEX_INITIALIZER, .file = -1 };

/* A path with each %p replaced by the process number. False if that is longer than a path may be. */
static bool expand(const char *path, char *expanded, size_t size)
{
    size_t used = 0;
    for (const char *at = path; *at != '\0' && used < size;) {
        const bool number = at[0] == '%' && at[1] == 'p';
        const int length = number ? snprintf(expanded + used, size - used, "%d", (int)getpid())
                                  : snprintf(expanded + used, size - used, "%c", *at);
        used += (size_t)length;
        at += number ? 2 : 1;
    }
    if (used >= size)
        errno = ENAMETOOLONG;
    return used < size;
}

bool pacl_trace_open(const char *path)
{
    char expanded[4096] = "";
    if (!expand(path, expanded, sizeof expanded))
        return false;
    out.file = open(expanded, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return out.file >= 0;
}

/* Under the lock. A file system that is full loses the rest of the timeline, not the program. */
static void flush(void)
{
    size_t done = 0;
    while (done < out.used) {
        const ssize_t written = write(out.file, out.buffer + done, out.used - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        done += (size_t)written;
    }
    out.used = 0;
}

/* A child made by fork() has its parent's buffer, and perhaps a locked lock. */
static bool enter(void)
{
    if (pacl_runtime_is_forked())
        return false;
    pthread_mutex_lock(&out.lock);
    if (out.file >= 0)
        return true;
    pthread_mutex_unlock(&out.lock);
    return false;
}

void pacl_trace_event(uint64_t now_ns, const char *format, ...)
{
    const int saved = errno; /* the program's, in whose calls this happens */
    if (!enter())
        return;
    if (out.used + EVENT_MAX > BUFFER_BYTES || now_ns - out.flushed_ns > FLUSH_AFTER_NS) {
        flush();
        out.flushed_ns = now_ns;
    }
    const size_t before = out.used;
    out.used += (size_t)snprintf(out.buffer + out.used, 3, "%s", out.any ? ",\n" : "[\n");
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(out.buffer + out.used, EVENT_MAX - 8, format, args);
    va_end(args);
    if (length < EVENT_MAX - 8) {
        out.used += (size_t)length;
        out.buffer[out.used++] = '}';
        out.any = true;
    } else {
        out.used = before; /* half an event would spoil the file */
    }
    pthread_mutex_unlock(&out.lock);
    errno = saved;
}

void pacl_trace_flush(void)
{
    if (!enter())
        return;
    flush();
    pthread_mutex_unlock(&out.lock);
}

void pacl_trace_close(void)
{
    if (!enter())
        return;
    const char *end = out.any ? "\n]\n" : "[]\n";
    memcpy(out.buffer + out.used, end, strlen(end)); /* an event leaves more room than that */
    out.used += strlen(end);
    flush();
    close(out.file);
    out.file = -1;
    pthread_mutex_unlock(&out.lock);
}
