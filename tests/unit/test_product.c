/* SPDX-License-Identifier: Apache-2.0 */
/* The product table is the one of the specification, field by field. */
#include "../api/support.h"

#include <stdio.h>

#include "core/product.h"

enum { SKIPPED = 77, FIELDS_MAX = 32, LINE_BYTES = 1024 };

static const char *table_path(void)
{
    static char path[4096];
    const char *const shared = getenv("PACL_SHARED");
    snprintf(path, sizeof path, "%s/spec/products.tsv", shared != NULL ? shared : "../shared");
    return path;
}

/* A table with a line of headings and tabs between its fields. */
struct table {
    FILE *file;
    char headings[LINE_BYTES], line[LINE_BYTES];
    char *heading[FIELDS_MAX], *field[FIELDS_MAX];
    size_t fields;
};

static size_t split(char *line, char *fields[FIELDS_MAX])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *rest = line; rest != NULL && count < FIELDS_MAX; count++)
        fields[count] = strsep(&rest, "\t");
    return count;
}

static struct table *open_table(void)
{
    static struct table t;
    t.file = fopen(table_path(), "r");
    ck_assert_ptr_nonnull(t.file);
    ck_assert_ptr_nonnull(fgets(t.headings, sizeof t.headings, t.file));
    t.fields = split(t.headings, t.heading);
    return &t;
}

static bool next_row(struct table *t)
{
    if (fgets(t->line, sizeof t->line, t->file) == NULL)
        return false;
    ck_assert_uint_eq(split(t->line, t->field), t->fields);
    return true;
}

static const char *text_of(const struct table *t, const char *heading)
{
    for (size_t i = 0; i < t->fields; i++) {
        if (strcmp(t->heading[i], heading) == 0)
            return t->field[i];
    }
    ck_abort_msg("%s has no column %s", table_path(), heading);
}

/* "-" stands for a number that the sources do not state. */
static uint64_t number_of(const struct table *t, const char *heading)
{
    const char *const text = text_of(t, heading);
    char *end;
    if (strcmp(text, "-") == 0)
        return 0;
    const uint64_t number = strtoull(text, &end, 10);
    ck_assert_msg(end != text && *end == '\0', "%s: %s is %s", t->field[0], heading, text);
    return number;
}

static bool truth_of(const struct table *t, const char *heading, const char *yes, const char *no)
{
    const char *const text = text_of(t, heading);
    ck_assert_msg(strcmp(text, yes) == 0 || strcmp(text, no) == 0, "%s: %s is %s", t->field[0], heading, text);
    return strcmp(text, yes) == 0;
}

#define ASSERT_TEXT(t, p, name) \
    ck_assert_msg(strcmp((p)->name, text_of(t, #name)) == 0, "%s: " #name " is %s, expected %s", (p)->name, (p)->name, \
                  text_of(t, #name))
#define ASSERT_NUMBER(t, p, name) \
    ck_assert_msg((p)->name == number_of(t, #name), "%s: " #name " is %llu, expected %s", (t)->field[0], \
                  (unsigned long long)(p)->name, text_of(t, #name))
#define ASSERT_TRUTH(t, p, name) \
    ck_assert_msg((p)->name == truth_of(t, #name, "y", "n"), "%s: " #name " is %d, expected %s", (t)->field[0], \
                  (int)(p)->name, text_of(t, #name))

static void assert_same(const struct table *t, const struct pacl_product *p)
{
    ASSERT_TEXT(t, p, name);
    ASSERT_TEXT(t, p, family);
    ASSERT_TEXT(t, p, soc_name);
    ASSERT_TEXT(t, p, form);
    ASSERT_TEXT(t, p, memory_type);
    ASSERT_NUMBER(t, p, memory_bytes);
    ASSERT_NUMBER(t, p, devices);
    ASSERT_NUMBER(t, p, streams);
    ASSERT_NUMBER(t, p, events);
    ASSERT_NUMBER(t, p, notifies);
    ASSERT_NUMBER(t, p, ai_cores);
    ASSERT_NUMBER(t, p, vector_cores);
    ASSERT_TRUTH(t, p, copy2d_h2d);
    ASSERT_TRUTH(t, p, copy2d_d2h);
    ASSERT_TRUTH(t, p, copy2d_d2d);
    ck_assert_msg(p->runs_on_device == truth_of(t, "run_mode", "device", "host"), "%s: run_mode", p->name);
}

START_TEST(the_table_equals_the_specification)
{
    struct table *const t = open_table();
    size_t rows = 0;
    while (next_row(t)) {
        const struct pacl_product *const p = pacl_product_at(rows++);
        ck_assert_msg(p != NULL, "%s is missing", t->field[0]);
        assert_same(t, p);
        ck_assert_ptr_eq(pacl_product_find(p->name), p);
    }
    fclose(t->file);
    ck_assert_uint_eq(rows, pacl_product_count());
}
END_TEST

START_TEST(names_in_the_order_of_the_table)
{
    struct table *const t = open_table();
    char names[LINE_BYTES] = "";
    while (next_row(t)) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", t->field[0]);
    }
    fclose(t->file);
    ck_assert_str_eq(pacl_product_names(), names);
}
END_TEST

START_TEST(what_follows_from_a_row)
{
    struct table *const t = open_table();
    while (next_row(t)) {
        const struct pacl_product *const p = pacl_product_find(t->field[0]);
        ck_assert_ptr_nonnull(p);
        const bool any = truth_of(t, "copy2d_h2d", "y", "n") || truth_of(t, "copy2d_d2h", "y", "n") ||
                         truth_of(t, "copy2d_d2d", "y", "n");
        ck_assert_msg(pacl_product_has_copy2d(p) == any, "%s", p->name);
        ck_assert_msg(pacl_product_pads_malloc(p) == (strcmp(p->name, "atlas-350") != 0), "%s", p->name);
    }
    fclose(t->file);
}
END_TEST

START_TEST(names_that_are_no_products)
{
    static const char *const names[] = { "", "atlas", "ATLAS-A2", "atlas-a2 ", "atlas-a22", "Ascend910B1" };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ck_assert_msg(pacl_product_find(names[i]) == NULL, "\"%s\"", names[i]);
    ck_assert_ptr_null(pacl_product_at(pacl_product_count()));
}
END_TEST

int main(void)
{
    FILE *const file = fopen(table_path(), "r");
    if (file == NULL) {
        printf("skipped: no %s (PACL_SHARED names the folder of the fact tables)\n", table_path());
        return SKIPPED;
    }
    fclose(file);
    TCase *const tc = new_case("product", NULL, NULL);
    tcase_add_test(tc, the_table_equals_the_specification);
    tcase_add_test(tc, names_in_the_order_of_the_table);
    tcase_add_test(tc, what_follows_from_a_row);
    tcase_add_test(tc, names_that_are_no_products);
    return run_cases("product", tc, (TCase *)NULL);
}
