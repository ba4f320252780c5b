/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of pacl.h for checking mode: is it on, what was found, and places of interpreted programs. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "check/finding.h"
#include "check/options.h"
#include "check/site.h"
#include "pacl/pacl.h"

enum { BUCKETS = 1024, FRAMES_MAX = 24 };

/* Frames are interned, so that equal places have equal addresses. */
static struct {
    pthread_mutex_t lock; /* guards the rest */
    struct pacl_place_frame *buckets[BUCKETS];
} frames = { .lock = PTHREAD_MUTEX_INITIALIZER };

int pacl_check_is_on(void)
{
    return pacl_check_options()->on;
}

uint64_t pacl_check_count(const char *finding_class)
{
    if (finding_class == NULL)
        return pacl_check_counts().errors;
    const enum pacl_check_class kind = pacl_check_class_of(finding_class, strlen(finding_class));
    return kind == PACL_CHECK_CLASS_COUNT ? 0 : pacl_check_counts_of(kind);
}

static uint64_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3;
    return value;
}

static struct pacl_place_frame *make(const char *function, const char *file, int line)
{
    const size_t function_size = strlen(function) + 1, file_size = strlen(file) + 1;
    struct pacl_place_frame *frame = malloc(sizeof *frame + function_size + file_size);
    if (frame == NULL)
        return NULL;
    frame->line = line;
    frame->file = frame->function + function_size;
    memcpy(frame->function, function, function_size);
    memcpy(frame->function + function_size, file, file_size);
    return frame;
}

/* Under the lock. NULL when memory is short. */
static struct pacl_place_frame *intern(const char *function, const char *file, int line)
{
    const uint64_t mixed = (hash(function) ^ hash(file) * 31 ^ (uint64_t)line) * 0x9e3779b97f4a7c15;
    struct pacl_place_frame **bucket = &frames.buckets[mixed >> (64 - 10)], *frame = *bucket;
    while (frame != NULL &&
           (frame->line != line || strcmp(frame->function, function) != 0 || strcmp(frame->file, file) != 0))
        frame = frame->next;
    if (frame != NULL)
        return frame;
    frame = make(function, file, line);
    if (frame != NULL) {
        frame->next = *bucket;
        *bucket = frame;
    }
    return frame;
}

static const char *or_unknown(const char *text)
{
    return text != NULL ? text : "???";
}

/* A place is a site; the type has a name of its own outside. */
const struct pacl_place *pacl_place_make(const struct pacl_frame *stack, size_t count, int drops_result)
{
    struct pacl_place_frame *interned[FRAMES_MAX];
    const unsigned used = (unsigned)(count < FRAMES_MAX ? count : FRAMES_MAX);
    unsigned made = 0;
    if (stack == NULL || count == 0)
        return NULL;
    pthread_mutex_lock(&frames.lock);
    for (; made < used; made++) {
        interned[made] = intern(or_unknown(stack[made].function), or_unknown(stack[made].file), stack[made].line);
        if (interned[made] == NULL)
            break;
    }
    pthread_mutex_unlock(&frames.lock);
    return made < used ? NULL : (const struct pacl_place *)pacl_site_of_place(interned, made, drops_result != 0);
}

void pacl_place_use(const struct pacl_place *place)
{
    pacl_site_use((const struct pacl_site *)place);
}

static const struct pacl_place *(*_Atomic ask)(void);

static const struct pacl_site *present_site(void)
{
    const struct pacl_place *(*const present)(void) = pacl_load_acquire(&ask);
    return (const struct pacl_site *)present();
}

void pacl_place_ask(const struct pacl_place *(*present)(void))
{
    pacl_store_release(&ask, present); /* paired with the acquire in present_site */
    pacl_site_ask(present != NULL ? present_site : NULL);
}
