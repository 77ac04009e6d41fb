/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/quote_file.h"

#include "base/names.h"
#include "io/catalog_exchange.h"
#include "io/csv.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 64, WHERE_BYTES = 160, LINES_MOST = 20000 };

struct columns {
    size_t part, quantity, price, lead, currency;
};

struct reading {
    struct ry_arena *arena;
    const struct ry_catalog *catalog;
    const struct ry_csv *csv;
    struct columns at;
    struct ry_problems *problems;
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

/* A comma parts thousands: three digits after it, and no fraction before. */
static bool is_grouping(const char *comma, bool fraction)
{
    size_t digits = 0;

    while (comma[1 + digits] >= '0' && comma[1 + digits] <= '9')
        digits++;
    return digits == 3 && !fraction;
}

/* "$1,250.00" is 1250; "" is NaN.  "1.250,00" and "1,25" are refused: not 1.25 nor
 * 125. */
static bool number(const char *text, double *value)
{
    char plain[NUMBER_BYTES];
    size_t n = 0;
    char *end = NULL;
    bool fraction = false;

    *value = (double)NAN;
    for (; *text != '\0'; text++) {
        if (*text == ',' && (n == 0 || !is_grouping(text, fraction)))
            return false;
        if (*text == ',' || *text == '$' || *text == ' ')
            continue;
        if (n + 1 == sizeof(plain) || !strchr("0123456789.", *text))
            return false;
        fraction = fraction || *text == '.';
        plain[n++] = *text;
    }
    plain[n] = '\0';
    if (n == 0)
        return true;
    const double read = strtod(plain, &end);
    if (*end != '\0' || !isfinite(read))
        return false;
    *value = read;
    return true;
}

static void wrong(const struct reading *r, const struct ry_csv_row *row, const char *text)
{
    char where[WHERE_BYTES];

    (void)snprintf(where, sizeof(where), "%s:%u", r->csv->name, row->line);
    ry_problem(r->problems, RY_ERR_SYNTAX, where, "%s", text);
}

static double cell(const struct reading *r, const struct ry_csv_row *row, size_t at)
{
    char shown[RY_SHOWN_BYTES], why[WHERE_BYTES];
    double value = (double)NAN;
    const char *text = ry_csv_cell(row, at);

    if (number(text, &value))
        return value;
    (void)snprintf(why, sizeof(why),
                   "%.40s '%s' is not a number such as 1250 or 1,250.00",
                   r->csv->header.cells[at], ry_shown(text, shown));
    wrong(r, row, why);
    return (double)NAN;
}

static double whole(const struct reading *r, const struct ry_csv_row *row, size_t at)
{
    const double value = cell(r, row, at);
    char why[WHERE_BYTES];

    if (isnan(value) || value == floor(value))
        return value;
    (void)snprintf(why, sizeof(why), "%.40s %g is not a whole number",
                   r->csv->header.cells[at], value);
    wrong(r, row, why);
    return (double)NAN;
}

/* The currency of a row; NULL: dollars, or one that is told to be unknown. */
static const struct ry_currency *currency_of(const struct reading *r,
                                             const struct ry_csv_row *row, bool *known)
{
    const char *code = ry_csv_cell(row, r->at.currency);
    char why[RY_CURRENCY_WHY_BYTES];

    *known = true;
    if (code[0] == '\0' || ry_name_eq(code, "USD"))
        return NULL;
    const struct ry_currency *currency = ry_currency_of(r->catalog, code);
    if (!currency)
        wrong(r, row, ry_currency_unknown(r->catalog, code, why));
    else if (strstr(r->csv->header.cells[r->at.price], "usd"))
        wrong(r, row, "a price in dollars by its column, and a currency beside it");
    *known = currency != NULL;
    return currency;
}

/* "$295000", or "250000 EUR = $293750". */
static const char *said(const struct reading *r, const struct ry_currency *currency,
                        double price, double usd)
{
    const char *text = currency ? ry_strfmt(r->arena, "%.15g %s = $%.0f", price,
                                            currency->part.name, usd)
                                : ry_strfmt(r->arena, "$%.15g", price);

    return text ? text : "";
}

static struct ry_quote_line line_of(const struct reading *r, const struct ry_csv_row *row)
{
    const double price = cell(r, row, r->at.price);
    const char *part = ry_strdup(r->arena, ry_csv_cell(row, r->at.part));
    bool known = true;
    const struct ry_currency *currency =
        part && part[0] ? currency_of(r, row, &known) : NULL;
    const double usd = currency ? price * currency->usd_per_unit
                       : known  ? price
                                : (double)NAN;

    return (struct ry_quote_line){
        .part = part ? part : "",
        .quantity = whole(r, row, r->at.quantity),
        .price = {usd, usd, usd, 0, "quote", r->csv->name, false, NULL},
        .lead_time_weeks = cell(r, row, r->at.lead),
        .row = row->line,
        .said = said(r, currency, price, usd),
        .currency = currency,
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
    static const char *const currencies[] = {"currency", "curr", "ccy", NULL};

    *at =
        (struct columns){column(csv, parts), column(csv, quantities), column(csv, prices),
                         column(csv, leads), column(csv, currencies)};
    if (at->part == (size_t)-1)
        ry_problem(problems, RY_ERR_SYNTAX, csv->name,
                   "no column 'part'; a quote has part,quantity,unit_price_usd");
    if (at->quantity == (size_t)-1)
        ry_problem(problems, RY_ERR_SYNTAX, csv->name,
                   "no column 'quantity'; a quote has part,quantity,unit_price_usd");
    return at->part == (size_t)-1 || at->quantity == (size_t)-1 ? RY_ERR_SYNTAX : RY_OK;
}

enum ry_err ry_quote_read(struct ry_arena *arena, const struct ry_catalog *catalog,
                          const char *path, struct ry_problems *problems,
                          struct ry_quote *quote)
{
    struct ry_csv csv;
    struct reading r = {arena, catalog, &csv, {0}, problems};
    const size_t before = problems->count;

    RY_TRY(ry_csv_open(arena, path, problems, &csv));
    RY_TRY(find_columns(&csv, &r.at, problems));
    if (csv.n > LINES_MOST)
        ry_problem(problems, RY_ERR_RANGE, csv.name, "%zu rows, at most %d of a quote",
                   csv.n, LINES_MOST);
    if (problems->count > before)
        return RY_ERR_RANGE;
    struct ry_quote_line *lines = RY_NEW(arena, struct ry_quote_line, csv.n + 1);
    if (!lines)
        return RY_ERR_NOMEM;
    size_t n = 0;
    for (size_t i = 0; i < csv.n; i++) {
        char why[WHERE_BYTES];
        (void)snprintf(why, sizeof(why),
                       "%zu cells, the header has %zu; a cell with a "
                       "comma stands in quotes",
                       csv.rows[i].n, csv.header.n);
        if (csv.rows[i].n > csv.header.n)
            wrong(&r, &csv.rows[i], why);
        lines[n] = line_of(&r, &csv.rows[i]);
        n += lines[n].part[0] != '\0'; /* totals and remarks have no part */
    }
    RY_TRY(ry_problems_since(problems, before));
    *quote = (struct ry_quote){.source = csv.name, .n = n, .at = lines};
    return RY_OK;
}
