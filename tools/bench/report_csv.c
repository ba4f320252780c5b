/* SPDX-License-Identifier: Apache-2.0 */
#include "report_csv.h"

#include <string.h>

#include "field.h"

static void print_text(const char *text, FILE *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

static void print_value(const struct point *point, const struct field *field, FILE *out)
{
    const void *at = (const char *)point + field->offset;

    if (field->measured && !point_has_status(point, STATUS_PASSED))
        return;
    switch (field->type) {
    case FIELD_TEXT:
        print_text(at, out);
        break;
    case FIELD_SIZE:
        fprintf(out, "%zu", *(const size_t *)at);
        break;
    case FIELD_FLAG:
        fputs(*(const bool *)at ? "true" : "false", out);
        break;
    default:
        fprintf(out, "%.10g", *(const double *)at);
    }
}

void csv_print(const struct points *points, FILE *out)
{
    for (size_t i = 0; i < fields_count; i++)
        fprintf(out, "%s%s", i == 0 ? "" : ",", fields[i].name);
    fputc('\n', out);
    for (size_t k = 0; k < points->count; k++) {
        for (size_t i = 0; i < fields_count; i++) {
            fputs(i == 0 ? "" : ",", out);
            print_value(&points->at[k], &fields[i], out);
        }
        fputc('\n', out);
    }
}
