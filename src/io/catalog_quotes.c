/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_quotes.h"

#include "base/names.h"
#include "io/catalog_exchange.h"
#include "io/catalog_taking.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>

enum { QUOTES_MOST = 20000 };

enum {
    QUOTE_NAME,
    QUOTE_USD,
    QUOTE_DATE,
    QUOTE_SOURCE,
    QUOTE_LEAD,
    QUOTE_PRICE,
    QUOTE_CURRENCY,
    QUOTE_COLUMNS
};

static const char *const quote_columns[QUOTE_COLUMNS] = {
    "name", "price_usd", "date", "source", "lead_time_weeks", "price", "currency"};

static const struct ry_field quote_usd = {.key = "price_usd",
                                          .column = "price_usd",
                                          .kind = RY_FIELD_USD,
                                          .si = 1.0,
                                          .least = 0.01,
                                          .most = 1e10};
static const struct ry_field quote_price = {.key = "price",
                                            .column = "price",
                                            .kind = RY_FIELD_NUMBER,
                                            .si = 1.0,
                                            .least = 0.01,
                                            .most = 1e12};
static const struct ry_field quote_lead = {.key = "lead_time_weeks",
                                           .column = "lead_time_weeks",
                                           .kind = RY_FIELD_NUMBER,
                                           .si = 1.0,
                                           .least = 0.0,
                                           .most = 1000.0};

static const char *nearest_part(const struct ry_catalog *catalog, const char *name)
{
    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        const char *near = ry_kind_info((enum ry_kind)kind)->priced
                               ? ry_catalog_nearest(catalog, (enum ry_kind)kind, name)
                               : NULL;
        if (near)
            return near;
    }
    return NULL;
}

static void unknown_part(const struct ry_catalog_taking *taking,
                         const struct ry_csv_row *row, const char *name)
{
    char shown[RY_SHOWN_BYTES];
    char text[200];
    const bool kept = taking->problems->count < RY_PROBLEMS_KEPT;
    const char *near = kept ? nearest_part(taking->catalog, name) : NULL;

    (void)snprintf(text, sizeof(text), "no part is called '%s'%s%s%s",
                   ry_shown(name, shown), near ? ", did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
    ry_taking_wrong(taking, row->line, "name", text);
}

/* A row of a quote file, as it is read. */
struct quote {
    const char *date, *source;
    double usd, lead_time_weeks;
    unsigned year;
};

/* Dollars of a price in another currency; the source then says by which rate. */
static void convert(const struct ry_catalog_taking *taking, const struct ry_csv_row *row,
                    const size_t columns[QUOTE_COLUMNS], struct quote *quote)
{
    const char *code = ry_csv_cell(row, columns[QUOTE_CURRENCY]);
    const struct ry_currency *currency = ry_currency_of(taking->catalog, code);
    char why[RY_CURRENCY_WHY_BYTES];
    double price = NAN;

    if (!currency) {
        ry_taking_wrong(taking, row->line, "currency",
                        ry_currency_unknown(taking->catalog, code, why));
        return;
    }
    if (!ry_taking_number(taking, row->line, ry_csv_cell(row, columns[QUOTE_PRICE]),
                          &quote_price, &price))
        return;
    quote->usd = price * currency->usd_per_unit;
    quote->source = ry_strfmt(taking->arena, "%s; %.15g %s, %s", quote->source, price,
                              currency->part.name, ry_currency_rate(currency, why));
    if (!quote->source)
        ry_problem(taking->problems, RY_ERR_NOMEM, taking->csv->name, "its rows");
}

static void read_quote(const struct ry_catalog_taking *taking,
                       const struct ry_csv_row *row, const size_t columns[QUOTE_COLUMNS],
                       struct quote *quote)
{
    const char *lead = ry_csv_cell(row, columns[QUOTE_LEAD]);

    *quote = (struct quote){.date = ry_csv_cell(row, columns[QUOTE_DATE]),
                            .source = ry_csv_cell(row, columns[QUOTE_SOURCE]),
                            .usd = NAN,
                            .lead_time_weeks = NAN};
    quote->year = ry_date_year(quote->date);
    ry_taking_check_row(taking, row);
    if (quote->year == 0)
        ry_taking_wrong(taking, row->line, "date", "is not a date such as 2026-11-30");
    if (quote->source[0] == '\0')
        ry_taking_wrong(taking, row->line, "source", "is empty, say who quoted");
    if (lead[0] != '\0')
        (void)ry_taking_number(taking, row->line, lead, &quote_lead,
                               &quote->lead_time_weeks);
    if (columns[QUOTE_USD] == (size_t)-1)
        convert(taking, row, columns, quote);
    else
        (void)ry_taking_number(taking, row->line, ry_csv_cell(row, columns[QUOTE_USD]),
                               &quote_usd, &quote->usd);
}

static void set_quote(const struct ry_catalog_taking *taking, struct ry_part *part,
                      unsigned line, const struct quote *quote)
{
    part->price_usd = quote->usd;
    part->price_year = quote->year;
    part->price_basis = "quote";
    part->price_date = quote->date;
    part->price_source = quote->source;
    part->price_file = taking->file;
    part->price_line = line;
    part->quoted = true;
    if (isnan(quote->lead_time_weeks))
        return;
    const char *basis = ry_strfmt(taking->arena, "%s, %s, %s:%u", quote->source,
                                  quote->date, taking->file, line);
    part->lead_time_weeks = quote->lead_time_weeks;
    part->lead_time_basis = basis ? basis : "quote";
}

static void take_quote(const struct ry_catalog_taking *taking,
                       const struct ry_csv_row *row, const size_t columns[QUOTE_COLUMNS])
{
    const char *name = ry_csv_cell(row, columns[QUOTE_NAME]);
    struct quote quote;
    size_t found = 0;

    read_quote(taking, row, columns, &quote);
    if (isnan(quote.usd))
        return;
    for (int k = 0; k < RY_KIND_COUNT; k++) {
        struct ry_part *part =
            ry_kind_info((enum ry_kind)k)->priced
                ? ry_catalog_find_own(taking->catalog, (enum ry_kind)k, name)
                : NULL;
        if (!part)
            continue;
        found++;
        set_quote(taking, part, row->line, &quote);
    }
    if (found == 0)
        unknown_part(taking, row, name);
}

/* A price in dollars, or one in a currency that is named; both would contradict. */
static void check_quote_columns(const struct ry_catalog_taking *taking,
                                const size_t columns[QUOTE_COLUMNS])
{
    const bool usd = columns[QUOTE_USD] != (size_t)-1;
    const bool other = columns[QUOTE_PRICE] != (size_t)-1;
    const unsigned line = taking->csv->header.line;
    char text[128];

    for (size_t i = 0; i <= QUOTE_SOURCE; i++) {
        (void)snprintf(text, sizeof(text),
                       "no column '%s'; a quote file has name,price_usd,date,source",
                       quote_columns[i]);
        if (columns[i] == (size_t)-1 && !(i == QUOTE_USD && other))
            ry_taking_wrong(taking, line, NULL, text);
    }
    if (usd && (other || columns[QUOTE_CURRENCY] != (size_t)-1))
        ry_taking_wrong(
            taking, line, NULL,
            "price_usd is in dollars; a price in another currency has the columns "
            "price,currency instead");
    if (other && columns[QUOTE_CURRENCY] == (size_t)-1)
        ry_taking_wrong(taking, line, NULL,
                        "'price' without a column 'currency' (EUR, GBP, ...)");
}

void ry_catalog_take_quotes(struct ry_arena *arena, struct ry_catalog *catalog,
                            const struct ry_csv *csv, struct ry_problems *problems)
{
    struct ry_catalog_taking taking = {arena, catalog, csv, problems, NULL};
    size_t columns[QUOTE_COLUMNS];
    const size_t before = problems->count;

    taking.file = ry_taking_file(&taking, true);
    if (!taking.file) {
        ry_problem(problems, RY_ERR_NOMEM, csv->name, "its name");
        return;
    }
    for (size_t i = 0; i < QUOTE_COLUMNS; i++)
        columns[i] = ry_csv_column(csv, quote_columns[i]);
    check_quote_columns(&taking, columns);
    ry_taking_check_rows(&taking, QUOTES_MOST);
    if (problems->count > before)
        return;
    for (size_t i = 0; i < csv->n; i++)
        take_quote(&taking, &csv->rows[i], columns);
}
