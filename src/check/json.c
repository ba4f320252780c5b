/* SPDX-License-Identifier: Apache-2.0 */
/* Reports as JSON, one object per line (docs/checking.md lists the members). */
#include <json-c/json.h>
#include <unistd.h>

#include "check/record.h"
#include "check/symbol.h"

static void add(json_object *to, const char *key, json_object *value)
{
    json_object_object_add(to, key, value);
}

static void add_text(json_object *to, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0')
        add(to, key, json_object_new_string(text));
}

static void add_number(json_object *to, const char *key, uint64_t number)
{
    add(to, key, json_object_new_uint64(number));
}

/* Numbers of JSON are doubles to many readers; addresses do not fit. */
static void add_address(json_object *to, const char *key, const void *address)
{
    char text[32];
    snprintf(text, sizeof text, "%p", address);
    add(to, key, json_object_new_string(text));
}

static bool add_frame(void *frames, const struct pacl_symbol *symbol, unsigned number)
{
    json_object *frame = json_object_new_object();
    (void)number;
    add_text(frame, "function", symbol->function);
    add_text(frame, "file", symbol->file);
    if (symbol->file[0] != '\0')
        add_number(frame, "line", (uint64_t)symbol->line);
    add_text(frame, "object", symbol->object);
    json_object_array_add(frames, frame);
    return true;
}

static json_object *stack(const struct pacl_site *site)
{
    json_object *frames = json_object_new_array();
    pacl_site_each_frame(site, add_frame, frames);
    return frames;
}

static json_object *access_of(const struct pacl_check_access *access)
{
    json_object *to = json_object_new_object();
    add_text(to, "call", access->call);
    add_text(to, "access", access->writes ? "write" : "read");
    if (access->on_stream)
        add_number(to, "stream", access->stream);
    else if (access->thread != 0)
        add_number(to, "thread", access->thread);
    if (access->height > 0) {
        add_address(to, "base", access->base);
        add_number(to, "pitch", access->height > 1 ? access->pitch : access->width);
        add_number(to, "width", access->width);
        add_number(to, "height", access->height);
    }
    add(to, "stack", stack(access->site));
    if (access->graph == 0)
        return to;
    add_number(to, "graph", access->graph);
    add_text(to, "executed_by", access->executed_by);
    add(to, "executed", stack(access->executed));
    return to;
}

static void add_common(json_object *to, const struct pacl_check_finding *finding)
{
    if (finding->common == NULL)
        return;
    json_object *common = json_object_new_object(), *spots = json_object_new_array();
    add_address(common, "address", finding->common);
    for (unsigned i = 0; i < 2; i++) {
        if (finding->access[i].call == NULL || finding->access[i].height == 0)
            continue;
        const struct pacl_check_spot spot = pacl_check_spot_of(&finding->access[i], finding->common);
        json_object *place = json_object_new_object();
        add_number(place, "row", spot.row);
        add_number(place, "column", spot.column);
        json_object_array_add(spots, place);
    }
    add(common, "in", spots);
    add(to, "common", common);
}

static void add_memory(json_object *to, const struct pacl_check_memory *memory)
{
    if (memory->base == NULL)
        return;
    json_object *block = json_object_new_object();
    add_address(block, "base", memory->base);
    add_number(block, "size", memory->size);
    add_text(block, "kind", memory->kind);
    add(block, "allocated", stack(memory->allocated));
    if (memory->freed != NULL)
        add(block, "freed", stack(memory->freed));
    add(to, "memory", block);
}

static void write_line(FILE *out, json_object *line)
{
    fprintf(out, "%s\n", json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(line);
}

void pacl_check_write_json(FILE *out, const struct pacl_check_finding *finding, unsigned id)
{
    json_object *line = json_object_new_object(), *accesses = json_object_new_array();
    add_text(line, "event", "finding");
    add_number(line, "pid", (uint64_t)getpid());
    add_number(line, "id", id);
    add_text(line, "severity", pacl_check_class_is_advice(finding->kind) ? "advice" : "error");
    add_text(line, "class", pacl_check_class_name(finding->kind));
    add_text(line, "text", finding->text);
    for (unsigned i = 0; i < 2; i++) {
        if (finding->access[i].call != NULL)
            json_object_array_add(accesses, access_of(&finding->access[i]));
    }
    add(line, "accesses", accesses);
    add_common(line, finding);
    add_text(line, "missing", finding->missing);
    add_text(line, "details", finding->details);
    add_memory(line, &finding->memory);
    write_line(out, line);
}

void pacl_check_write_json_summary(FILE *out, const struct pacl_check_record *first,
                                   const struct pacl_check_counts *counts, const char *how)
{
    json_object *line = json_object_new_object(), *findings = json_object_new_array();
    add_text(line, "event", "summary");
    add_number(line, "pid", (uint64_t)getpid());
    add_number(line, "errors", counts->errors);
    add_number(line, "advice", counts->advice);
    add_number(line, "error_events", counts->error_events);
    add_number(line, "advice_events", counts->advice_events);
    add_number(line, "suppressed", counts->suppressed);
    add_number(line, "dropped", counts->dropped);
    add_text(line, "ended", how);
    for (const struct pacl_check_record *record = first; record != NULL; record = record->next) {
        if (record->id == 0)
            continue;
        json_object *one = json_object_new_object();
        add_number(one, "id", record->id);
        add_number(one, "count", record->count);
        json_object_array_add(findings, one);
    }
    add(line, "findings", findings);
    write_line(out, line);
}

void pacl_check_write_json_note(FILE *out, const char *text)
{
    json_object *line = json_object_new_object();
    add_text(line, "event", "note");
    add_number(line, "pid", (uint64_t)getpid());
    add_text(line, "text", text);
    write_line(out, line);
}
