/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/quote_file.h"

#include "base/names.h"
#include "io/csv.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 64, WHERE_BYTES = 160 };

struct columns {
    size_t part, quantity, price, lead;
};

static size_t column(const struct ry_csv *csv, const char *const names[])
{
    for (size_t i = 0; names[i]; i++) {
        const size_t at = ry_csv_column(csv, names[i]);
        if (at != (size_t)-1)
            return at;
    }
    return (size_t)-1;
}

/* "$1,250.00" is 1250; "" is NaN. */
static bool number(const char *text, double *value)
{
    char plain[NUMBER_BYTES];
    size_t n = 0;
    char *end = NULL;

    *value = (double)NAN;
    for (; *text != '\0'; text++) {
        if (*text == ',' || *text == '$' || *text == ' ')
            continue;
        if (n + 1 == sizeof(plain))
            return false;
        plain[n++] = *text;
    }
    plain[n] = '\0';
    if (n == 0)
        return true;
    const double read = strtod(plain, &end);
    if (*end != '\0' || !isfinite(read) || read < 0.0)
        return false;
    *value = read;
    return true;
}

static double cell(const struct ry_csv *csv, const struct ry_csv_row *row, size_t at,
                   struct ry_problems *problems)
{
    char where[WHERE_BYTES], shown[RY_SHOWN_BYTES];
    double value = (double)NAN;
    const char *text = ry_csv_cell(row, at);

    if (number(text, &value))
        return value;
    (void)snprintf(where, sizeof(where), "%s:%u", csv->name, row->line);
    ry_problem(problems, RY_ERR_SYNTAX, where, "%s '%s' is not a number of 0 or more",
               csv->header.cells[at], ry_shown(text, shown));
    return (double)NAN;
}

static struct ry_quote_line line_of(struct ry_arena *arena, const struct ry_csv *csv,
                                    const struct ry_csv_row *row,
                                    const struct columns *at,
                                    struct ry_problems *problems)
{
    const double usd = cell(csv, row, at->price, problems);
    const char *part = ry_strdup(arena, ry_csv_cell(row, at->part));

    return (struct ry_quote_line){
        .part = part ? part : "",
        .quantity = cell(csv, row, at->quantity, problems),
        .price = {.usd = usd, .low_usd = usd, .high_usd = usd, .basis = "quote", .source = csv->name},
        .lead_time_weeks = cell(csv, row, at->lead, problems),
        .row = row->line,
    };
}

static enum ry_err find_columns(const struct ry_csv *csv, struct columns *at,
                                struct ry_problems *problems)
{
    static const char *const parts[] = {"part",        "name",        "sku",
                                        "part_number", "part number", NULL};
    static const char *const quantities[] = {"quantity", "qty", "count", NULL};
    static const char *const prices[] = {"unit_price_usd", "price_usd", "unit_price",
                                         "unit price",     "price",     NULL};
    static const char *const leads[] = {"lead_time_weeks", "lead_time", "lead time",
                                        NULL};

    *at = (struct columns){column(csv, parts), column(csv, quantities),
                           column(csv, prices), column(csv, leads)};
    if (at->part == (size_t)-1)
        ry_problem(problems, RY_ERR_SYNTAX, csv->name,
                   "no column 'part'; a quote has part,quantity,unit_price_usd");
    if (at->quantity == (size_t)-1)
        ry_problem(problems, RY_ERR_SYNTAX, csv->name,
                   "no column 'quantity'; a quote has part,quantity,unit_price_usd");
    return at->part == (size_t)-1 || at->quantity == (size_t)-1 ? RY_ERR_SYNTAX : RY_OK;
}

enum ry_err ry_quote_read(struct ry_arena *arena, const char *path,
                          struct ry_problems *problems, struct ry_quote *quote)
{
    struct ry_csv csv;
    struct columns at;
    const size_t before = problems->count;

    RY_TRY(ry_csv_open(arena, path, problems, &csv));
    RY_TRY(find_columns(&csv, &at, problems));
    struct ry_quote_line *lines = RY_NEW(arena, struct ry_quote_line, csv.n + 1);
    if (!lines)
        return RY_ERR_NOMEM;
    size_t n = 0;
    for (size_t i = 0; i < csv.n; i++) {
        lines[n] = line_of(arena, &csv, &csv.rows[i], &at, problems);
        n += lines[n].part[0] != '\0'; /* totals and remarks have no part */
    }
    if (problems->count > before)
        return problems->diags[before < RY_PROBLEMS_KEPT ? before : 0].code;
    *quote = (struct ry_quote){.source = csv.name, .n = n, .at = lines};
    return RY_OK;
}
