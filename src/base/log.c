/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

unsigned pacl_debug_mask;

static enum pacl_log_level threshold = PACL_LOG_ERROR;
static bool to_stdout;

static const struct {
    const char *name;
    unsigned mask;
} categories[] = {
    { "init", PACL_DEBUG_INIT },
    { "memory", PACL_DEBUG_MEMORY },
    { "stream", PACL_DEBUG_STREAM },
    { "event", PACL_DEBUG_EVENT },
    { "engine", PACL_DEBUG_ENGINE },
    { "copy", PACL_DEBUG_COPY },
    { "all", ~0U },
};

static unsigned category_mask(const char *word)
{
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++) {
        if (strcasecmp(word, categories[i].name) == 0)
            return categories[i].mask;
    }
    return 0;
}

static bool env_is_one(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && strcmp(value, "1") == 0;
}

const char *pacl_log_init(void)
{
    static char unknown[64];
    const char *level = getenv("ASCEND_GLOBAL_LOG_LEVEL");
    if (level != NULL && level[0] >= '0' && level[0] <= '4' && level[1] == '\0')
        threshold = (enum pacl_log_level)(level[0] - '0');
    to_stdout = env_is_one("ASCEND_SLOG_PRINT_TO_STDOUT") || env_is_one("ASCEND_LOG_PRINT_TO_STDOUT");

    const char *list = getenv("PACL_DEBUG");
    char copy[1024], *rest = NULL;
    if (list == NULL)
        return NULL;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word = strtok_r(copy, ", ", &rest); word != NULL; word = strtok_r(NULL, ", ", &rest)) {
        const unsigned mask = category_mask(word);
        if (mask == 0 && unknown[0] == '\0')
            snprintf(unknown, sizeof unknown, "%.63s", word);
        pacl_debug_mask |= mask;
    }
    return unknown[0] != '\0' ? unknown : NULL;
}

bool pacl_log_wants(enum pacl_log_level level)
{
    return to_stdout && level >= threshold;
}

/* One write per line, so that lines of several threads do not mix. */
static void write_line(FILE *to, const char *tag, const char *format, va_list args)
{
    char text[1024];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    vsnprintf(text, sizeof text, format, args);
    int before = PTHREAD_CANCEL_ENABLE, unused;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); /* the caller may hold a lock */
    fprintf(to, "[%s] PACL(%d,%ld) %lld.%06ld %s\n", tag, getpid(), syscall(SYS_gettid), (long long)now.tv_sec,
            now.tv_nsec / 1000, text);
    fflush(to);
    (void)pthread_setcancelstate(before, &unused);
}

void pacl_log(enum pacl_log_level level, const char *format, ...)
{
    static const char *const tags[] = { "DEBUG", "INFO", "WARNING", "ERROR", "" };
    if (!pacl_log_wants(level))
        return;
    va_list args;
    va_start(args, format);
    write_line(stdout, tags[level], format, args);
    va_end(args);
}

void pacl_debug_line(const char *category, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(stderr, category, format, args);
    va_end(args);
}
