/* SPDX-License-Identifier: Apache-2.0 */
/* The report as a JUnit document, which CI servers show: one test case per class; it fails if the class has errors. */
#include "check/record.h"

/* What XML cannot hold becomes a question mark: control characters, and bytes that are no UTF-8. */
static size_t utf8_length(const char *at)
{
    const unsigned char *u = (const unsigned char *)at;
    const size_t length = u[0] < 0x80 ? 1 : u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc2 ? 2 : 0;
    if (u[0] >= 0xf5 || (u[0] < 0x20 && u[0] != '\n' && u[0] != '\t'))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\n':
        return "&#10;"; /* kept in attributes, too */
    default:
        return NULL;
    }
}

static void write_escaped(FILE *out, const char *text)
{
    while (*text != '\0') {
        const size_t length = utf8_length(text);
        if (entity(*text) != NULL)
            fputs(entity(*text), out);
        else if (length == 0)
            fputc('?', out);
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
}

static void write_record(FILE *out, const struct pacl_check_record *record)
{
    const char *element = pacl_check_class_is_advice(record->finding.kind) ? "system-out" : "failure";
    fprintf(out, "    <%s", element);
    if (!pacl_check_class_is_advice(record->finding.kind)) {
        fprintf(out, " type=\"%s\" message=\"", pacl_check_class_name(record->finding.kind));
        write_escaped(out, record->finding.text);
        fputc('"', out);
    }
    fputc('>', out);
    write_escaped(out, record->text != NULL ? record->text : record->finding.text);
    fprintf(out, "(%llu time%s)</%s>\n", (unsigned long long)record->count, record->count == 1 ? "" : "s", element);
}

static void write_class(FILE *out, enum pacl_check_class kind, const struct pacl_check_record *first)
{
    fprintf(out, "  <testcase classname=\"pacl-check\" name=\"%s\">\n", pacl_check_class_name(kind));
    if (!pacl_check_wants(kind))
        fprintf(out, "    <skipped/>\n");
    for (const struct pacl_check_record *record = first; record != NULL; record = record->next) {
        if (record->finding.kind == kind && record->id != 0)
            write_record(out, record);
    }
    fprintf(out, "  </testcase>\n");
}

/* Classes with errors: a test case fails once, however many findings it has. */
static unsigned failing_classes(const struct pacl_check_record *first)
{
    uint32_t bits = 0;
    for (const struct pacl_check_record *record = first; record != NULL; record = record->next) {
        if (record->id != 0 && !pacl_check_class_is_advice(record->finding.kind))
            bits |= UINT32_C(1) << record->finding.kind;
    }
    return (unsigned)__builtin_popcount(bits);
}

void pacl_check_write_junit(FILE *out, const struct pacl_check_record *first, const struct pacl_check_counts *counts)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    fprintf(out, "<testsuite name=\"pacl-check\" tests=\"%d\" failures=\"%u\" errors=\"0\">\n", PACL_CHECK_CLASS_COUNT,
            failing_classes(first));
    for (unsigned kind = 0; kind < PACL_CHECK_CLASS_COUNT; kind++)
        write_class(out, (enum pacl_check_class)kind, first);
    fprintf(out, "  <system-out>%llu errors, %llu advice, %llu suppressed</system-out>\n",
            (unsigned long long)counts->errors, (unsigned long long)counts->advice,
            (unsigned long long)counts->suppressed);
    fprintf(out, "</testsuite>\n");
}
