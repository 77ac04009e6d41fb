/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_taking.h"

#include "base/date.h"
#include "base/names.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ry_taking_wrong(const struct ry_catalog_taking *taking, unsigned line,
                     const char *column, const char *text)
{
    char where[160];

    (void)snprintf(where, sizeof(where), "%s:%u%s%s", taking->csv->name, line,
                   column ? ": " : "", column ? column : "");
    ry_problem(taking->problems, RY_ERR_SYNTAX, where, "%s", text);
}

void ry_taking_check_rows(const struct ry_catalog_taking *taking, size_t most)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "%zu rows, at most %zu are read", taking->csv->n,
                   most);
    if (taking->csv->n > most)
        ry_taking_wrong(taking, taking->csv->rows[most].line, NULL, text);
}

void ry_taking_check_row(const struct ry_catalog_taking *taking,
                         const struct ry_csv_row *row)
{
    char text[96];

    if (row->n == taking->csv->header.n)
        return;
    (void)snprintf(text, sizeof(text), "%zu cells, the header has %zu columns", row->n,
                   taking->csv->header.n);
    ry_taking_wrong(taking, row->line, NULL, text);
}

bool ry_plain_number(const char *cell, double *number)
{
    char *end = NULL;

    if (cell[strspn(cell, "0123456789+-.eE")] != '\0')
        return false;
    *number = strtod(cell, &end);
    return end != cell && *end == '\0' && isfinite(*number);
}

/* 954 mm is 0.954 m, not 0.9540000000000001: divide where the inverse is whole. */
static double in_si(double number, double si)
{
    const double inverse = round(1.0 / si);

    return si < 1.0 && fabs(inverse * si - 1.0) < 1e-14 ? number / inverse : number * si;
}

bool ry_taking_number(const struct ry_catalog_taking *taking, unsigned line,
                      const char *cell, const struct ry_field *field, double *si)
{
    char shown[RY_SHOWN_BYTES];
    char text[192];
    double number = NAN;

    if (!ry_plain_number(cell, &number))
        (void)snprintf(text, sizeof(text), "'%s' is not a plain number such as 1234.5",
                       ry_shown(cell, shown));
    else if (number < field->least || number > field->most)
        (void)snprintf(text, sizeof(text), "%s is not between %.6g and %.6g",
                       ry_shown(cell, shown), field->least, field->most);
    else {
        *si = in_si(number, field->si);
        return true;
    }
    ry_taking_wrong(taking, line, field->column, text);
    return false;
}

struct ry_part *ry_catalog_find_own(const struct ry_catalog *catalog, enum ry_kind kind,
                                    const char *name)
{
    const struct ry_part *part = ry_catalog_find(catalog, kind, name);
    struct ry_part *same = NULL;

    memcpy(&same, &part, sizeof(part)); /* the catalog is ours to change while loading */
    return same;
}

const char *ry_taking_file(const struct ry_catalog_taking *taking, bool own)
{
    const char *name = taking->csv->name;
    const char *base = strrchr(name, '/');
    const char *shown = own || !base ? ry_strdup(taking->arena, name)
                                     : ry_strfmt(taking->arena, "catalog%s", base);
    return shown;
}

unsigned ry_date_year(const char *text)
{
    static const char *const shapes[] = {"dddd", "dddd-dd", "dddd-dd-dd"};

    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        size_t i = 0;
        while (shapes[s][i] == 'd' ? text[i] >= '0' && text[i] <= '9'
                                   : shapes[s][i] != '\0' && text[i] == '-')
            i++;
        const unsigned month =
            i >= 7 ? (unsigned)(text[5] - '0') * 10 + (unsigned)(text[6] - '0') : 1;
        const unsigned day =
            i >= 10 ? (unsigned)(text[8] - '0') * 10 + (unsigned)(text[9] - '0') : 1;
        const unsigned year = (unsigned)strtoul(text, NULL, 10);
        if (shapes[s][i] != '\0' || text[i] != '\0' || day < 1 ||
            day > ry_days_of_month(year, month))
            continue;
        return year >= 2000 && year <= 2100 ? year : 0;
    }
    return 0;
}
