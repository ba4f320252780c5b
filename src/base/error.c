/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "base/codes.h"
#include "base/log.h"

_Thread_local struct pacl_thread pacl_self;

enum { TEXTS_KEPT = 16 }; /* unread messages a store keeps; the oldest makes room */

/* Unread messages, a ring in the order of their arrival, and the text that was handed out last. */
struct pacl_texts {
    unsigned first, count;
    char text[TEXTS_KEPT][PACL_TEXT_MAX];
    char taken[TEXTS_KEPT * PACL_TEXT_MAX];
};

static struct pacl_texts process_texts; /* used in process mode only */
static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
static bool process_wide; /* guarded by process_lock */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t texts_key; /* its destructor frees a thread's store */

/* A destructor of the program may run after this one and fail once more: it then gets a store of its own. */
static void forget_texts(void *texts)
{
    pacl_self.texts = NULL;
    free(texts);
}

static void make_key(void)
{
    (void)pthread_key_create(&texts_key, forget_texts);
}

static struct pacl_texts *thread_texts(void)
{
    if (pacl_self.texts != NULL)
        return pacl_self.texts;
    pthread_once(&key_once, make_key);
    struct pacl_texts *texts = calloc(1, sizeof *texts);
    if (texts != NULL && pthread_setspecific(texts_key, texts) == 0)
        pacl_self.texts = texts;
    else
        free(texts);
    return pacl_self.texts;
}

static void store(struct pacl_texts *texts, const char *text)
{
    if (texts == NULL)
        return;
    snprintf(texts->text[(texts->first + texts->count) % TEXTS_KEPT], PACL_TEXT_MAX, "%s", text);
    if (texts->count < TEXTS_KEPT)
        texts->count++;
    else
        texts->first = (texts->first + 1) % TEXTS_KEPT;
}

/* Moves all messages of a store, newest first, into the thread's own `taken`. */
static const char *take(struct pacl_texts *from, struct pacl_texts *own)
{
    if (from == NULL || own == NULL || from->count == 0)
        return NULL;
    size_t used = 0;
    for (unsigned i = from->count; i > 0; i--) {
        const char *text = from->text[(from->first + i - 1) % TEXTS_KEPT];
        used += (size_t)snprintf(own->taken + used, sizeof own->taken - used, "%s%s", used > 0 ? "\n" : "", text);
    }
    from->count = 0;
    return own->taken;
}

void pacl_error_share_texts(bool wide)
{
    pthread_mutex_lock(&process_lock);
    process_wide = wide;
    pthread_mutex_unlock(&process_lock);
}

void pacl_error_after_fork(void)
{
    pthread_mutex_init(&process_lock, NULL);
}

static void remember(const char *text)
{
    pthread_mutex_lock(&process_lock);
    const bool wide = process_wide;
    if (wide)
        store(&process_texts, text);
    pthread_mutex_unlock(&process_lock);
    if (!wide)
        store(thread_texts(), text);
}

const char *pacl_error_take_texts(void)
{
    pthread_mutex_lock(&process_lock);
    const bool wide = process_wide;
    const char *text = wide && process_texts.count > 0 ? take(&process_texts, thread_texts()) : NULL;
    pthread_mutex_unlock(&process_lock);
    return wide ? text : take(pacl_self.texts, pacl_self.texts);
}

const char *pacl_error_newest(void)
{
    const struct pacl_texts *texts = pacl_self.texts;
    return texts != NULL && texts->count > 0 ? texts->text[(texts->first + texts->count - 1) % TEXTS_KEPT] : NULL;
}

/* The runtime's own codes are 107xxx, 207xxx and 507xxx; only these set the thread's last error [C]. */
static bool is_runtime_code(aclError code)
{
    return code / 1000 % 100 == 7;
}

void pacl_fail(aclError code, bool sets_last_error, const char *format, ...)
{
    char text[PACL_TEXT_MAX];
    const int used = snprintf(text, sizeof text, "%s: %s (%d): ", pacl_self.call != NULL ? pacl_self.call : "pacl",
                              pacl_error_name(code), code);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, args);
    va_end(args);
    pacl_self.failure = code;
    if (sets_last_error && is_runtime_code(code))
        pacl_self.last_error = code;
    remember(text);
    pacl_log(PACL_LOG_ERROR, "%s", text);
}

aclError pacl_error_last(bool clear)
{
    const aclError code = pacl_self.last_error;
    if (clear)
        pacl_self.last_error = ACL_SUCCESS;
    return code;
}

static const struct {
    const char *name;
    aclError code;
} codes[] = {
#define PACL_ROW(name, code) { #name, code },
    PACL_CODES(PACL_ROW)
#undef PACL_ROW
};

const char *pacl_error_name(aclError code)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i].code == code)
            return codes[i].name;
    }
    return "unlisted code";
}

bool pacl_error_code(const char *name, aclError *code)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (strcmp(codes[i].name, name) == 0) {
            *code = codes[i].code;
            return true;
        }
    }
    return false;
}
