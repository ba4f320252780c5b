/* SPDX-License-Identifier: Apache-2.0 */
/* Reports as text. */
#include <string.h>

#include "check/record.h"

static const char site_indent[] = "    ";

static void write_side(FILE *out, const struct pacl_check_access *access, bool with_execution)
{
    if (access->call == NULL)
        return;
    fprintf(out, "  %s %s", access->height == 0 ? "call of" : access->writes ? "write by" : "read by", access->call);
    if (access->graph != 0)
        fprintf(out, " in graph %u", access->graph);
    else if (access->on_stream)
        fprintf(out, " on stream %u", access->stream);
    else if (access->thread != 0)
        fprintf(out, " in thread %u", access->thread);
    if (access->height == 1)
        fprintf(out, ": %zu byte%s, base %p", access->width, access->width == 1 ? "" : "s", access->base);
    else if (access->height > 1)
        fprintf(out, ": %zu rows of %zu bytes, base %p, pitch %zu", access->height, access->width, access->base,
                access->pitch);
    fprintf(out, "\n");
    pacl_site_write(out, access->site, site_indent);
    if (access->graph == 0 || !with_execution)
        return;
    fprintf(out, "  executed by %s on stream %u: graph %u\n", access->executed_by, access->stream, access->graph);
    pacl_site_write(out, access->executed, site_indent);
}

static bool same_execution(const struct pacl_check_access *a, const struct pacl_check_access *b)
{
    return a->graph == b->graph && a->stream == b->stream && a->executed == b->executed;
}

struct pacl_check_spot pacl_check_spot_of(const struct pacl_check_access *access, const void *common)
{
    const size_t offset = (size_t)((const uint8_t *)common - (const uint8_t *)access->base);
    if (access->height <= 1 || access->pitch == 0)
        return (struct pacl_check_spot){ .row = 0, .column = offset };
    return (struct pacl_check_spot){ .row = offset / access->pitch, .column = offset % access->pitch };
}

static void write_common(FILE *out, const struct pacl_check_finding *finding)
{
    const bool both_write = finding->access[0].writes == finding->access[1].writes;
    const char *joint = ":";
    if (finding->common == NULL)
        return;
    const bool is_outside = finding->kind == PACL_CHECK_OUT_OF_BOUNDS, both = finding->access[1].call != NULL;
    fprintf(out, "  first %s: %p", is_outside ? "byte outside" : both ? "common byte" : "byte", finding->common);
    for (unsigned i = 0; i < 2; i++) {
        const struct pacl_check_access *access = &finding->access[i];
        if (access->call == NULL || access->height == 0)
            continue;
        const struct pacl_check_spot spot = pacl_check_spot_of(access, finding->common);
        fprintf(out, "%s row %zu, column %zu of the %s%s", joint, spot.row, spot.column,
                i > 0 && both_write ? "other " : "", access->writes ? "write" : "read");
        joint = ";";
    }
    fprintf(out, "\n");
}

static void write_memory(FILE *out, const struct pacl_check_memory *memory)
{
    if (memory->base == NULL)
        return;
    if (memory->size > 0)
        fprintf(out, "  memory: %zu bytes of %s at %p", memory->size, memory->kind, memory->base);
    else
        fprintf(out, "  %s %p", memory->kind, memory->base);
    const bool is_registered = strncmp(memory->kind, "registered", strlen("registered")) == 0;
    const char *begun = memory->size == 0 ? "created" : is_registered ? "registered" : "allocated";
    const char *ended = memory->size == 0 ? "destroyed" : is_registered ? "unregistered" : "freed";
    fprintf(out, "%s%s\n", memory->allocated == NULL ? "" : ", ", memory->allocated == NULL ? "" : begun);
    pacl_site_write(out, memory->allocated, site_indent);
    if (memory->freed != NULL) {
        fprintf(out, "  %s\n", ended);
        pacl_site_write(out, memory->freed, site_indent);
    }
}

void pacl_check_write_text(FILE *out, const struct pacl_check_finding *finding)
{
    fprintf(out, "pacl-check: %s: %s: %s\n", pacl_check_class_is_advice(finding->kind) ? "advice" : "error",
            pacl_check_class_name(finding->kind), finding->text);
    write_side(out, &finding->access[0], !same_execution(&finding->access[0], &finding->access[1]));
    write_side(out, &finding->access[1], true);
    write_common(out, finding);
    if (finding->missing[0] != '\0')
        fprintf(out, "  missing: %s\n", finding->missing);
    if (finding->details != NULL)
        fprintf(out, "%s", finding->details);
    write_memory(out, &finding->memory);
}
