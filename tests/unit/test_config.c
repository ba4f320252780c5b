/* SPDX-License-Identifier: Apache-2.0 */
/* The environment's options: what they accept, and what the runtime says about those that it cannot use. */
#include "../api/support.h"

#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "core/runtime.h"
#include "os/os.h"

#define GIB ((uint64_t)1 << 30)
#define DEFAULT_MEMORY 68719476736 /* of atlas-a2 */

/* Each test is a process of its own, and starts without any option. */
static void clear_options(void)
{
    static const char *const names[] = { "PACL_PRODUCT",
                                         "PACL_DEVICES",
                                         "PACL_DEVICE_MEMORY",
                                         "PACL_DEVICE_ACCESS",
                                         "PACL_ENGINES",
                                         "PACL_QUEUE_DEPTH",
                                         "PACL_PEER",
                                         "PACL_DEBUG",
                                         "ASCEND_RT_VISIBLE_DEVICES",
                                         "ASCEND_GLOBAL_LOG_LEVEL",
                                         "ASCEND_SLOG_PRINT_TO_STDOUT",
                                         "ASCEND_LOG_PRINT_TO_STDOUT" };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        unsetenv(names[i]);
}

static const struct pacl_runtime *start_with(const char *name, const char *value)
{
    ck_assert_int_eq(setenv(name, value, 1), 0);
    return pacl_runtime();
}

static void assert_usable(const struct pacl_runtime *rt)
{
    ck_assert_str_eq(rt->problem, "");
    ASSERT_OK(pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR));
}

/* The problem names the option and its value, and is what every call fails with. */
static void assert_refused(const struct pacl_runtime *rt, const char *name, const char *value)
{
    ck_assert_msg(strstr(rt->problem, name) != NULL, "\"%s\" does not name %s", rt->problem, name);
    ck_assert_msg(strstr(rt->problem, value) != NULL, "\"%s\" does not name %s", rt->problem, value);
    ASSERT_CODE(ACL_ERROR_RT_DEV_SETUP_ERROR, pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR));
    const char *const text = pacl_error_take_texts();
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(strstr(text, rt->problem) != NULL, "%s", text);
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static const struct number {
    const char *name, *value;
    uint64_t number; /* 0: refused */
} numbers[] = {
    { "PACL_DEVICES", "1", 1 },
    { "PACL_DEVICES", "64", 64 },
    { "PACL_DEVICES", "", 8 },
    { "PACL_DEVICES", "0", 0 },
    { "PACL_DEVICES", "65", 0 },
    { "PACL_DEVICES", "-1", 0 },
    { "PACL_DEVICES", "+1", 0 },
    { "PACL_DEVICES", " 1", 0 },
    { "PACL_DEVICES", "1 ", 0 },
    { "PACL_DEVICES", "two", 0 },
    { "PACL_DEVICES", "2,3", 0 },
    { "PACL_DEVICES", "0x2", 0 },
    { "PACL_DEVICES", "2.0", 0 },
    { "PACL_DEVICES", "4294967297", 0 },           /* 1 in 32 bits */
    { "PACL_DEVICES", "18446744073709551617", 0 }, /* 1 in 64 bits */

    { "PACL_DEVICE_MEMORY", "1048576", 1048576 },
    { "PACL_DEVICE_MEMORY", "1048577", 1048577 },
    { "PACL_DEVICE_MEMORY", "1024K", 1048576 },
    { "PACL_DEVICE_MEMORY", "1M", 1048576 },
    { "PACL_DEVICE_MEMORY", "1m", 1048576 },
    { "PACL_DEVICE_MEMORY", "3G", 3 * GIB },
    { "PACL_DEVICE_MEMORY", "1T", 1024 * GIB },
    { "PACL_DEVICE_MEMORY", "1099511627776", 1024 * GIB },
    { "PACL_DEVICE_MEMORY", "", DEFAULT_MEMORY },
    { "PACL_DEVICE_MEMORY", "1048575", 0 },
    { "PACL_DEVICE_MEMORY", "1099511627777", 0 },
    { "PACL_DEVICE_MEMORY", "2T", 0 },
    { "PACL_DEVICE_MEMORY", "0", 0 },
    { "PACL_DEVICE_MEMORY", "M", 0 },
    { "PACL_DEVICE_MEMORY", "1MB", 0 },
    { "PACL_DEVICE_MEMORY", "1 M", 0 },
    { "PACL_DEVICE_MEMORY", "1P", 0 },
    { "PACL_DEVICE_MEMORY", "-1M", 0 },
    { "PACL_DEVICE_MEMORY", "16777217T", 0 }, /* 1 TiB more than 2^64 */
    { "PACL_DEVICE_MEMORY", "18446744073709551616", 0 },

    { "PACL_ENGINES", "1", 1 },
    { "PACL_ENGINES", "64", 64 },
    { "PACL_ENGINES", "0", 0 },
    { "PACL_ENGINES", "65", 0 },
    { "PACL_ENGINES", "all", 0 },

    { "PACL_QUEUE_DEPTH", "2", 2 },
    { "PACL_QUEUE_DEPTH", "1000", 1000 },
    { "PACL_QUEUE_DEPTH", "64K", 65536 },
    { "PACL_QUEUE_DEPTH", "65536", 65536 },
    { "PACL_QUEUE_DEPTH", "", 65536 },
    { "PACL_QUEUE_DEPTH", "0", 0 },
    { "PACL_QUEUE_DEPTH", "1", 0 },
    { "PACL_QUEUE_DEPTH", "65537", 0 },
    { "PACL_QUEUE_DEPTH", "deep", 0 },
};

static uint64_t option_of(const struct pacl_runtime *rt, const char *name)
{
    if (strcmp(name, "PACL_DEVICES") == 0)
        return rt->product.devices;
    if (strcmp(name, "PACL_DEVICE_MEMORY") == 0)
        return rt->product.memory_bytes;
    return strcmp(name, "PACL_ENGINES") == 0 ? rt->engines : rt->queue_depth;
}

START_TEST(a_number)
{
    const struct number *const n = &numbers[_i];
    const struct pacl_runtime *const rt = start_with(n->name, n->value);
    if (n->number == 0) {
        assert_refused(rt, n->name, n->value);
        return;
    }
    assert_usable(rt);
    ck_assert_uint_eq(option_of(rt, n->name), n->number);
    ck_assert_uint_eq(rt->device_count, rt->product.devices);
}
END_TEST

START_TEST(the_defaults)
{
    const struct pacl_runtime *const rt = pacl_runtime();
    assert_usable(rt);
    ck_assert_str_eq(rt->product.name, "atlas-a2");
    ck_assert_uint_eq(rt->product.memory_bytes, DEFAULT_MEMORY);
    ck_assert_uint_eq(rt->device_count, 8);
    ck_assert_uint_eq(rt->engines, os_usable_cpus() < 64 ? os_usable_cpus() : 64);
    ck_assert_uint_eq(rt->queue_depth, 65536);
    ck_assert(!rt->peer_open);
    ck_assert_uint_eq(pacl_debug_mask, 0);
    ck_assert_ptr_eq(pacl_runtime(), rt);
}
END_TEST

START_TEST(a_number_s_message)
{
    ck_assert_str_eq(start_with("PACL_QUEUE_DEPTH", "many")->problem,
                     "PACL_QUEUE_DEPTH is \"many\"; it takes a number from 2 to 65536");
}
END_TEST

/* A value that leaves no room for the text is cut, not overrun. */
START_TEST(a_long_value)
{
    char value[2000];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    const struct pacl_runtime *const rt = start_with("PACL_ENGINES", value);
    ck_assert_ptr_nonnull(strstr(rt->problem, "PACL_ENGINES is \"xxx"));
    ck_assert_uint_lt(strlen(rt->problem), sizeof rt->problem);
    ASSERT_CODE(ACL_ERROR_RT_DEV_SETUP_ERROR, pacl_runtime_require(ACL_ERROR_RT_DEV_SETUP_ERROR));
}
END_TEST

/* --- visible devices -------------------------------------------------------------------------------------------- */

static const struct visible {
    const char *list;
    uint32_t count;
    uint32_t physical[PACL_DEVICES_MAX];
} lists[] = {
    { "0", 1, { 0 } },
    { "7", 1, { 7 } },
    { "1,2,3", 3, { 1, 2, 3 } },
    { "0,2,7", 3, { 0, 2, 7 } },
    { "0,1,2,3,4,5,6,7", 8, { 0, 1, 2, 3, 4, 5, 6, 7 } },
    { "", 0, { 0 } },
    { "8", 0, { 0 } },
    { "-1", 0, { 0 } },
    { "none", 0, { 0 } },
    { ",1", 0, { 0 } },
    { "3,2", 1, { 3 } },
    { "1,1,2", 1, { 1 } },
    { "1,8,2", 1, { 1 } },
    { "1,x,2", 1, { 1 } },
    { "1,,2", 1, { 1 } },
    { "1,2,", 2, { 1, 2 } },
    { "1, 2", 1, { 1 } },
    { "1,2x,3", 1, { 1 } },
    { "1,4294967298", 1, { 1 } },           /* 2 in 32 bits */
    { "1,18446744073709551618", 1, { 1 } }, /* 2 in 64 bits */
};

START_TEST(visible_devices)
{
    const struct visible *const v = &lists[_i];
    const struct pacl_runtime *const rt = start_with("ASCEND_RT_VISIBLE_DEVICES", v->list);
    assert_usable(rt);
    ck_assert_msg(rt->device_count == v->count, "\"%s\": %u devices, expected %u", v->list, rt->device_count, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        ck_assert_msg(rt->device_physical[i] == v->physical[i], "\"%s\": device %u is %u, expected %u", v->list, i,
                      rt->device_physical[i], v->physical[i]);
    ck_assert_uint_eq(rt->product.devices, 8); /* what the machine has does not change */
}
END_TEST

START_TEST(visible_devices_count_up_to_pacl_devices)
{
    setenv("PACL_DEVICES", "64", 1);
    const struct pacl_runtime *const rt = start_with("ASCEND_RT_VISIBLE_DEVICES", "9,63,64");
    assert_usable(rt);
    ck_assert_uint_eq(rt->device_count, 2);
    ck_assert_uint_eq(rt->device_physical[1], 63);
}
END_TEST

START_TEST(all_devices_are_visible_without_a_list)
{
    const struct pacl_runtime *const rt = start_with("PACL_DEVICES", "64");
    ck_assert_uint_eq(rt->device_count, 64);
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_uint_eq(rt->device_physical[i], i);
}
END_TEST

/* --- access ----------------------------------------------------------------------------------------------------- */

START_TEST(access_by_name)
{
    static const struct {
        const char *value;
        enum pacl_access access;
    } cases[] = { { "open", PACL_ACCESS_OPEN }, { "mapping", PACL_ACCESS_MAPPING } };
    const struct pacl_runtime *const rt = start_with("PACL_DEVICE_ACCESS", cases[_i].value);
    assert_usable(rt);
    ck_assert_int_eq(rt->access, cases[_i].access);
    ck_assert_int_eq(os_guard_key, -1);
}
END_TEST

/* Keys where the machine has them; the second mapping stands in, and for "keys" that is a problem. */
START_TEST(access_by_keys)
{
    static const char *const values[] = { "keys", "auto", "" };
    const struct pacl_runtime *const rt = start_with("PACL_DEVICE_ACCESS", values[_i]);
    const bool has_keys = os_guard_key >= 0;
    ck_assert_int_eq(rt->access, has_keys ? PACL_ACCESS_KEYS : PACL_ACCESS_MAPPING);
    ck_assert_int_eq(os_guard_key >= 0 || os_guard_create(), has_keys);
    if (!has_keys && _i == 0)
        assert_refused(rt, "PACL_DEVICE_ACCESS", "keys");
    else
        assert_usable(rt);
}
END_TEST

START_TEST(access_that_is_none)
{
    static const char *const values[] = { "closed", "OPEN", "open ", "keys,mapping" };
    assert_refused(start_with("PACL_DEVICE_ACCESS", values[_i]), "PACL_DEVICE_ACCESS", values[_i]);
    ck_assert_ptr_nonnull(strstr(pacl_runtime()->problem, "auto, keys, mapping or open"));
}
END_TEST

START_TEST(a_form_that_is_its_own_device_is_open)
{
    const struct pacl_runtime *const rt = start_with("PACL_PRODUCT", "atlas-200i-500-a2-rc");
    assert_usable(rt);
    ck_assert_int_eq(rt->access, PACL_ACCESS_OPEN);
}
END_TEST

START_TEST(peers)
{
    static const char *const refused[] = { "closed", "Open", "1" };
    if (_i == (int)COUNT_OF(refused)) {
        ck_assert(start_with("PACL_PEER", "open")->peer_open);
        assert_usable(pacl_runtime());
        return;
    }
    assert_refused(start_with("PACL_PEER", refused[_i]), "PACL_PEER", refused[_i]);
    ck_assert(!pacl_runtime()->peer_open);
}
END_TEST

/* --- debug categories ------------------------------------------------------------------------------------------- */

static const struct debug {
    const char *list;
    unsigned mask;
    const char *unknown; /* NULL: accepted */
} debugs[] = {
    { "", 0, NULL },
    { "init", PACL_DEBUG_INIT, NULL },
    { "memory", PACL_DEBUG_MEMORY, NULL },
    { "stream,event", PACL_DEBUG_STREAM | PACL_DEBUG_EVENT, NULL },
    { "engine copy", PACL_DEBUG_ENGINE | PACL_DEBUG_COPY, NULL },
    { " stream , , event,", PACL_DEBUG_STREAM | PACL_DEBUG_EVENT, NULL },
    { "STREAM", PACL_DEBUG_STREAM, NULL },
    { "all", ~0U, NULL },
    { "streams", 0, "streams" },
    { "stream,colour,shape", PACL_DEBUG_STREAM, "colour" },
    { "1", 0, "1" },
};

START_TEST(debug_categories)
{
    const struct debug *const d = &debugs[_i];
    const struct pacl_runtime *const rt = start_with("PACL_DEBUG", d->list);
    ck_assert_uint_eq(pacl_debug_mask, d->mask);
    if (d->unknown == NULL) {
        assert_usable(rt);
        return;
    }
    assert_refused(rt, "PACL_DEBUG", d->unknown);
    ck_assert_ptr_nonnull(strstr(rt->problem, "init, memory, stream, event, engine, copy, all"));
}
END_TEST

START_TEST(log_levels)
{
    static const struct {
        const char *level, *to_stdout;
        enum pacl_log_level lowest; /* that prints */
    } cases[] = {
        { "0", "1", PACL_LOG_DEBUG },    { "1", "1", PACL_LOG_INFO },    { "2", "1", PACL_LOG_WARNING },
        { "3", "1", PACL_LOG_ERROR },    { "4", "1", PACL_LOG_NONE },    { "5", "1", PACL_LOG_ERROR },
        { "x", "1", PACL_LOG_ERROR },    { "", "1", PACL_LOG_ERROR },    { "11", "1", PACL_LOG_ERROR },
        { "0", "0", PACL_LOG_NONE + 1 }, { "0", "", PACL_LOG_NONE + 1 }, { "0", "yes", PACL_LOG_NONE + 1 },
    };
    setenv("ASCEND_SLOG_PRINT_TO_STDOUT", cases[_i].to_stdout, 1);
    assert_usable(start_with("ASCEND_GLOBAL_LOG_LEVEL", cases[_i].level));
    for (enum pacl_log_level level = PACL_LOG_DEBUG; level < PACL_LOG_NONE; level++)
        ck_assert_int_eq(pacl_log_wants(level), level >= cases[_i].lowest);
}
END_TEST

/* --- product ---------------------------------------------------------------------------------------------------- */

START_TEST(an_unknown_product_lists_the_known)
{
    const struct pacl_runtime *const rt = start_with("PACL_PRODUCT", "atlas-9000");
    assert_refused(rt, "PACL_PRODUCT", "atlas-9000");
    ck_assert_ptr_nonnull(strstr(rt->problem, pacl_product_names()));
}
END_TEST

START_TEST(a_long_product_name_leaves_room_for_the_list)
{
    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert_ptr_nonnull(strstr(start_with("PACL_PRODUCT", name)->problem, pacl_product_names()));
}
END_TEST

START_TEST(a_selected_product_wins_over_the_environment)
{
    setenv("PACL_PRODUCT", "atlas-9000", 1);
    ck_assert(pacl_runtime_select("atlas-training"));
    const struct pacl_runtime *const rt = pacl_runtime();
    assert_usable(rt);
    ck_assert_str_eq(rt->product.name, "atlas-training");
    ck_assert(!pacl_runtime_select("atlas-a3"));
    ck_assert_str_eq(rt->product.name, "atlas-training");
}
END_TEST

START_TEST(options_change_only_what_they_name)
{
    setenv("PACL_PRODUCT", "atlas-inference", 1);
    setenv("PACL_DEVICE_MEMORY", "1G", 1);
    const struct pacl_runtime *const rt = start_with("PACL_DEVICES", "3");
    const struct pacl_product *const row = pacl_product_find("atlas-inference");
    assert_usable(rt);
    ck_assert_uint_eq(rt->product.devices, 3);
    ck_assert_uint_eq(rt->product.memory_bytes, GIB);
    ck_assert_str_eq(rt->product.soc_name, row->soc_name);
    ck_assert_uint_eq(rt->product.streams, row->streams);
    ck_assert_uint_eq(row->devices, 1);
    ck_assert_uint_eq(row->memory_bytes, 24000000000);
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("config", clear_options, NULL);
    tcase_add_test(tc, the_defaults);
    tcase_add_loop_test(tc, a_number, 0, (int)COUNT_OF(numbers));
    tcase_add_test(tc, a_number_s_message);
    tcase_add_test(tc, a_long_value);
    tcase_add_loop_test(tc, visible_devices, 0, (int)COUNT_OF(lists));
    tcase_add_test(tc, visible_devices_count_up_to_pacl_devices);
    tcase_add_test(tc, all_devices_are_visible_without_a_list);
    tcase_add_loop_test(tc, access_by_name, 0, 2);
    tcase_add_loop_test(tc, access_by_keys, 0, 3);
    tcase_add_loop_test(tc, access_that_is_none, 0, 4);
    tcase_add_test(tc, a_form_that_is_its_own_device_is_open);
    tcase_add_loop_test(tc, peers, 0, 4);
    tcase_add_loop_test(tc, debug_categories, 0, (int)COUNT_OF(debugs));
    tcase_add_loop_test(tc, log_levels, 0, 12);
    tcase_add_test(tc, an_unknown_product_lists_the_known);
    tcase_add_test(tc, a_long_product_name_leaves_room_for_the_list);
    tcase_add_test(tc, a_selected_product_wins_over_the_environment);
    tcase_add_test(tc, options_change_only_what_they_name);
    return run_cases("config", tc, (TCase *)NULL);
}
