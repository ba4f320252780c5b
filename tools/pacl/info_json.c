/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl info` for programs. Sizes are in bytes; what a product does not state is null. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "sdk.h"

static void add_string(json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, text != NULL ? json_object_new_string(text) : NULL);
}

static void add_number(json_object *object, const char *key, uint64_t number)
{
    json_object_object_add(object, key, json_object_new_uint64(number));
}

static void add_stated_number(json_object *object, const char *key, uint64_t number)
{
    json_object_object_add(object, key, number != 0 ? json_object_new_uint64(number) : NULL);
}

static void add_flag(json_object *object, const char *key, int flag)
{
    json_object_object_add(object, key, json_object_new_boolean(flag != 0));
}

static json_object *copies_object(const struct pacl_product *product)
{
    json_object *object = json_object_new_object();

    add_flag(object, "h2d", product->copy2d_h2d);
    add_flag(object, "d2h", product->copy2d_d2h);
    add_flag(object, "d2d", product->copy2d_d2d);
    return object;
}

static json_object *product_object(const struct pacl_product *product)
{
    json_object *object = json_object_new_object();

    add_string(object, "name", product->name);
    add_string(object, "family", product->family);
    add_string(object, "soc_name", product->soc_name);
    add_string(object, "form", product->form);
    add_string(object, "memory_type", product->memory_type);
    add_number(object, "memory_bytes", product->memory_bytes);
    add_number(object, "devices", product->devices);
    add_number(object, "streams", product->streams);
    add_number(object, "events", product->events);
    add_number(object, "notifies", product->notifies);
    add_stated_number(object, "ai_cores", product->ai_cores);
    add_stated_number(object, "vector_cores", product->vector_cores);
    add_flag(object, "runs_on_device", product->runs_on_device);
    json_object_object_add(object, "copy2d", copies_object(product));
    return object;
}

static json_object *devices_array(const struct info *info)
{
    json_object *array = json_object_new_array();

    for (uint32_t i = 0; i < info->device_count; i++) {
        json_object *device = json_object_new_object();
        json_object_object_add(device, "id", json_object_new_int(info->devices[i].id));
        add_string(device, "soc_name", info->soc_name);
        add_number(device, "memory_total", info->devices[i].memory_total);
        add_number(device, "memory_free", info->devices[i].memory_free);
        json_object_array_add(array, device);
    }
    return array;
}

/* "sse2 avx2" as an array. */
static json_object *words_array(const char *words)
{
    json_object *array = json_object_new_array();

    for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        json_object_array_add(array, json_object_new_string_len(words, (int)length));
        words += length;
    }
    return array;
}

static void add_variable(const char *name, const char *value, void *data)
{
    add_string(data, name, value);
}

static void print_and_release(json_object *object)
{
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

void info_print_json(const struct info *info)
{
    json_object *object = json_object_new_object();
    json_object *environment = json_object_new_object();

    add_string(object, "version", pacl_version());
    add_string(object, "library", sdk_get()->library);
    json_object_object_add(object, "product", product_object(info->product));
    json_object_object_add(object, "devices", devices_array(info));
    add_number(object, "engines", pacl_engine_count());
    json_object_object_add(object, "cpu_features", words_array(pacl_cpu_features()));
    add_string(object, "isolation", pacl_isolation());
    info_environment(add_variable, environment);
    json_object_object_add(object, "environment", environment);
    print_and_release(object);
}

void products_print_json(void)
{
    json_object *object = json_object_new_object();
    json_object *array = json_object_new_array();

    for (size_t i = 0; i < pacl_product_count(); i++)
        json_object_array_add(array, product_object(pacl_product_at(i)));
    json_object_object_add(object, "products", array);
    print_and_release(object);
}
