/* SPDX-License-Identifier: Apache-2.0 */
/* What a graph holds, for people and as JSON. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "core/event.h"
#include "core/graph.h"

const char *pacl_node_kind(const struct pacl_node *node)
{
    switch (node->work.op) {
    case PACL_OP_COPY:
        return "copy";
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
        return "set";
    case PACL_OP_RECORD:
        return node->inner ? "record" : "external record";
    case PACL_OP_WAIT:
        return node->inner ? "wait" : "external wait";
    case PACL_OP_HOST_FUNCTION:
        return "host function";
    case PACL_OP_KERNEL:
        return "kernel";
    case PACL_OP_REDUCE:
        return "reduce";
    case PACL_OP_VALUE_WRITE:
        return "value write";
    case PACL_OP_VALUE_WAIT:
        return "value wait";
    case PACL_OP_COPY_BY_CELLS:
        return "copy with offset";
    case PACL_OP_COPY_BY_DESC:
        return "copy with descriptor";
    default:
        return "task";
    }
}

static void say_copy(const struct pacl_work *w, char *text, size_t size)
{
    snprintf(text, size, "%u row(s) of %zu bytes, dst %p pitch %zu, src %p pitch %zu", w->height, w->copy.width,
             (void *)w->copy.dst, w->copy.dst_pitch, (const void *)w->copy.src, w->copy.src_pitch);
}

static void say_event(const struct pacl_node *node, char *text, size_t size)
{
    if (!node->inner)
        snprintf(text, size, "event %p", pacl_object_handle(&node->work.event.event->object));
    else if (node->work.op == PACL_OP_WAIT)
        snprintf(text, size, "for task %u", node->awaits);
}

const char *pacl_node_text(const struct pacl_node *node, char *text, size_t size)
{
    const struct pacl_work *w = &node->work;
    text[0] = '\0';
    switch (w->op) {
    case PACL_OP_COPY:
        say_copy(w, text, size);
        break;
    case PACL_OP_FILL_BYTES:
    case PACL_OP_FILL_WORDS:
        snprintf(text, size, "%zu %s at %p, value 0x%x", w->fill.count,
                 w->op == PACL_OP_FILL_BYTES ? "byte(s)" : "word(s)", (void *)w->fill.dst, w->fill.value);
        break;
    case PACL_OP_RECORD:
    case PACL_OP_WAIT:
        say_event(node, text, size);
        break;
    case PACL_OP_REDUCE:
        snprintf(text, size, "%zu element(s), dst %p, src %p, kind %d, type %d", w->reduce.count, (void *)w->reduce.dst,
                 (const void *)w->reduce.src, (int)w->reduce.kind, (int)w->reduce.type);
        break;
    case PACL_OP_VALUE_WRITE:
    case PACL_OP_VALUE_WAIT:
        snprintf(text, size, "at %p, value %llu, flag %u", (void *)w->value.cell, (unsigned long long)w->value.value,
                 w->value.flag);
        break;
    case PACL_OP_COPY_BY_CELLS:
        snprintf(text, size, "%zu byte(s), addresses at %p and %p", w->indirect.count, w->indirect.dst,
                 w->indirect.src);
        break;
    case PACL_OP_COPY_BY_DESC:
        snprintf(text, size, "descriptor %p", w->indirect.src);
        break;
    default:
        break;
    }
    return text;
}

void pacl_graph_print(const struct pacl_graph *g, FILE *file)
{
    char text[256];
    fprintf(file, "graph %u%s%s: %u task(s) on %u stream(s), %llu descriptor(s)\n", g->id, g->name != NULL ? " " : "",
            g->name != NULL ? g->name : "", g->node_count, g->lane_count, (unsigned long long)g->descriptors);
    for (uint32_t i = 0; i < g->node_count; i++) {
        const struct pacl_node *node = &g->nodes[i];
        pacl_node_text(node, text, sizeof text);
        fprintf(file, "  task %u, stream %u: %s (%s)%s%s%s\n", i, node->lane, pacl_node_kind(node), node->work.call,
                text[0] != '\0' ? ": " : "", text, node->disabled ? ", disabled" : "");
    }
    fflush(file);
}

static void add(struct json_object *object, const char *key, struct json_object *value)
{
    json_object_object_add(object, key, value);
}

static struct json_object *json_of_node(const struct pacl_graph *g, uint32_t i, bool verbose)
{
    char text[256];
    const struct pacl_node *node = &g->nodes[i];
    struct json_object *task = json_object_new_object();
    add(task, "task", json_object_new_int64(i));
    add(task, "stream", json_object_new_int64(node->lane));
    add(task, "kind", json_object_new_string(pacl_node_kind(node)));
    add(task, "call", json_object_new_string(node->work.call));
    if (node->inner && node->work.op == PACL_OP_WAIT)
        add(task, "waits_for", json_object_new_int64(node->awaits));
    if (node->disabled)
        add(task, "disabled", json_object_new_boolean(1));
    if (node->group != 0)
        add(task, "group", json_object_new_int64(node->group));
    if (node->info != NULL && node->info->text != NULL)
        add(task, "info", json_object_new_string(node->info->text));
    if (verbose)
        add(task, "detail", json_object_new_string(pacl_node_text(node, text, sizeof text)));
    return task;
}

static struct json_object *json_of_graph(const struct pacl_graph *g, bool verbose)
{
    struct json_object *graph = json_object_new_object(), *tasks = json_object_new_array();
    add(graph, "graph", json_object_new_int64(g->id));
    add(graph, "name", json_object_new_string(g->name != NULL ? g->name : ""));
    add(graph, "streams", json_object_new_int64(g->lane_count));
    add(graph, "descriptors", json_object_new_int64((int64_t)g->descriptors));
    for (uint32_t i = 0; i < g->node_count; i++)
        json_object_array_add(tasks, json_of_node(g, i, verbose));
    add(graph, "tasks", tasks);
    return graph;
}

aclError pacl_graph_print_json(const struct pacl_graph *g, const char *path, bool verbose)
{
    struct json_object *graph = json_of_graph(g, verbose);
    const int failed = json_object_to_file_ext(path, graph, JSON_C_TO_STRING_PRETTY);
    json_object_put(graph);
    return failed == 0 ? ACL_SUCCESS
                       : PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "path \"%.300s\" cannot be written: %s", path,
                                   json_util_get_last_err() != NULL ? json_util_get_last_err() : "unknown reason");
}
