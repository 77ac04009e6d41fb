/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_csv.h"

#include "base/date.h"
#include "base/names.h"
#include "catalog/currency.h"
#include "io/data.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MOST = 10000,  /* of a file; they are looked up one by one */
    QUOTES_MOST = 20000,
};

struct taking {
    struct ry_arena *arena;
    struct ry_catalog *catalog;
    const struct ry_csv *csv;
    struct ry_problems *problems;
    const char *file; /* as shown: the name without its folders for shipped files */
};

static void wrong(const struct taking *taking, unsigned line, const char *column,
                  const char *text)
{
    char where[160];

    (void)snprintf(where, sizeof(where), "%s:%u%s%s", taking->csv->name, line,
                   column ? ": " : "", column ? column : "");
    ry_problem(taking->problems, RY_ERR_SYNTAX, where, "%s", text);
}

static void check_rows(const struct taking *taking, size_t most)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "%zu rows, at most %zu are read", taking->csv->n,
                   most);
    if (taking->csv->n > most)
        wrong(taking, taking->csv->rows[most].line, NULL, text);
}

static bool plain_number(const char *cell, double *number)
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

static bool read_number(const struct taking *taking, unsigned line, const char *cell,
                        const struct ry_field *field, double *si)
{
    char shown[RY_SHOWN_BYTES];
    char text[192];
    double number = NAN;

    if (!plain_number(cell, &number))
        (void)snprintf(text, sizeof(text), "'%s' is not a plain number such as 1234.5",
                       ry_shown(cell, shown));
    else if (number < field->least || number > field->most)
        (void)snprintf(text, sizeof(text), "%s is not between %.6g and %.6g",
                       ry_shown(cell, shown), field->least, field->most);
    else {
        *si = in_si(number, field->si);
        return true;
    }
    wrong(taking, line, field->column, text);
    return false;
}

/* An empty cell leaves what is there: NAN and "" in a new part. */
static void set_field(const struct taking *taking, struct ry_part *part, unsigned line,
                      const struct ry_field *field, const char *cell)
{
    char *at = (char *)part + field->offset;
    double si = NAN;

    if (cell[0] == '\0')
        return;
    if (field->kind == RY_FIELD_TEXT)
        memcpy(at, &cell, sizeof(cell));
    else if (read_number(taking, line, cell, field, &si))
        memcpy(at, &si, sizeof(si));
}

static const char *field_at(const void *ctx, size_t i)
{
    const struct ry_kind_info *info = ctx;
    return i < info->n ? info->fields[i].column : NULL;
}

/* The column of each field; a problem for every column that is no field, or stands twice. */
static void match_columns(const struct taking *taking, const struct ry_kind_info *info,
                          size_t columns[])
{
    const struct ry_csv_row *header = &taking->csv->header;
    char shown[RY_SHOWN_BYTES];
    char text[192];

    for (size_t i = 0; i < info->n; i++)
        columns[i] = ry_csv_column(taking->csv, info->fields[i].column);
    for (size_t c = 0; c < header->n; c++) {
        size_t i = 0;
        while (i < info->n && !ry_name_eq(info->fields[i].column, header->cells[c]))
            i++;
        if (i < info->n && columns[i] == c)
            continue;
        const size_t near = ry_name_nearest(header->cells[c], field_at, info);
        (void)snprintf(text, sizeof(text), "%s '%s'%s%s%s",
                       i < info->n ? "a second column" : "unknown column",
                       ry_shown(header->cells[c], shown),
                       i == info->n && near != (size_t)-1 ? ", did you mean '" : "",
                       i == info->n && near != (size_t)-1 ? info->fields[near].column : "",
                       i == info->n && near != (size_t)-1 ? "'?" : "");
        wrong(taking, header->line, NULL, text);
    }
    if (columns[0] == (size_t)-1)
        wrong(taking, header->line, NULL, "no column 'name', which is needed");
}

static struct ry_part *find_own(const struct ry_catalog *catalog, enum ry_kind kind,
                                const char *name)
{
    const struct ry_part *part = ry_catalog_find(catalog, kind, name);
    struct ry_part *same = NULL;

    memcpy(&same, &part, sizeof(part)); /* the catalog is ours to change while loading */
    return same;
}

static void check_row(const struct taking *taking, const struct ry_csv_row *row)
{
    char text[96];

    if (row->n == taking->csv->header.n)
        return;
    (void)snprintf(text, sizeof(text), "%zu cells, the header has %zu columns", row->n,
                   taking->csv->header.n);
    wrong(taking, row->line, NULL, text);
}

static void check_words(const struct taking *taking, const struct ry_part *part,
                        unsigned line)
{
    char shown[RY_SHOWN_BYTES];
    char text[128];

    if (part->verified[0] == '\0' || strcmp(part->verified, "yes") == 0 ||
        strcmp(part->verified, "no") == 0)
        return;
    (void)snprintf(text, sizeof(text), "'%s' is not yes or no",
                   ry_shown(part->verified, shown));
    wrong(taking, line, "verified", text);
}

/* The price of the row with its own year and basis, or all three as they were. */
static void settle_price(const struct taking *taking, struct ry_part *part,
                         const struct ry_part *before, unsigned line, bool own)
{
    if (isnan(part->price_usd) && !isnan(before->price_usd)) {
        part->price_usd = before->price_usd;
        part->price_year = before->price_year;
        part->price_basis = before->price_basis;
        return;
    }
    part->price_file = taking->file;
    part->price_line = line;
    if (own && !isnan(part->price_usd) && part->price_basis[0] == '\0')
        part->price_basis = "own catalog";
}

static void take_row(const struct taking *taking, enum ry_kind kind,
                     const struct ry_csv_row *row, const size_t columns[], bool own)
{
    const struct ry_kind_info *info = ry_kind_info(kind);
    const char *name = ry_csv_cell(row, columns[0]);
    char shown[RY_SHOWN_BYTES];
    char text[160];

    check_row(taking, row);
    if (name[0] == '\0') {
        wrong(taking, row->line, "name", "is empty");
        return;
    }
    if (ry_has_control(name)) {
        wrong(taking, row->line, "name", "has a control character (a line break, an escape)");
        return;
    }
    struct ry_part *part = find_own(taking->catalog, kind, name);
    if (part && part->own == own && strcmp(part->file, taking->file) == 0) {
        (void)snprintf(text, sizeof(text), "'%s' stands twice, first on line %u",
                       ry_shown(name, shown), part->line);
        wrong(taking, row->line, "name", text);
        return;
    }
    if (!part)
        part = ry_catalog_add(taking->catalog, taking->arena, kind);
    if (!part) {
        ry_problem(taking->problems, RY_ERR_NOMEM, taking->csv->name, "its rows");
        return;
    }
    const struct ry_part before = *part;
    part->price_usd = NAN;
    part->price_year = NAN;
    part->price_basis = "";
    for (size_t i = 0; i < info->n; i++)
        set_field(taking, part, row->line, &info->fields[i], ry_csv_cell(row, columns[i]));
    settle_price(taking, part, &before, row->line, own);
    part->file = taking->file;
    part->line = row->line;
    part->own = own;
    check_words(taking, part, row->line);
}

/* "catalog/gpus.csv" of a shipped file, the path as given of the user's own. */
static const char *shown_file(const struct taking *taking, bool own)
{
    const char *name = taking->csv->name;
    const char *base = strrchr(name, '/');
    const char *shown = own || !base ? ry_strdup(taking->arena, name)
                                     : ry_strfmt(taking->arena, "catalog%s", base);
    return shown;
}

void ry_catalog_take(struct ry_arena *arena, struct ry_catalog *catalog,
                     enum ry_kind kind, const struct ry_csv *csv, bool own,
                     struct ry_problems *problems)
{
    const struct ry_kind_info *info = ry_kind_info(kind);
    struct taking taking = {arena, catalog, csv, problems, NULL};
    size_t *columns = RY_NEW(arena, size_t, info->n);

    taking.file = shown_file(&taking, own);
    if (!columns || !taking.file) {
        ry_problem(problems, RY_ERR_NOMEM, csv->name, "its columns");
        return;
    }
    const size_t before = problems->count;
    match_columns(&taking, info, columns);
    check_rows(&taking, PARTS_MOST);
    if (problems->count > before)
        return; /* each row would say the same again */
    for (size_t i = 0; i < csv->n; i++)
        take_row(&taking, kind, &csv->rows[i], columns, own);
}

/* ----------------------------------------------------------------- quotes */

enum { QUOTE_NAME, QUOTE_USD, QUOTE_DATE, QUOTE_SOURCE, QUOTE_LEAD, QUOTE_PRICE, QUOTE_CURRENCY,
       QUOTE_COLUMNS };

static const char *const quote_columns[QUOTE_COLUMNS] = {
    "name", "price_usd", "date", "source", "lead_time_weeks", "price", "currency"};

static const struct ry_field quote_usd = {.key = "price_usd", .column = "price_usd",
                                          .kind = RY_FIELD_USD, .si = 1.0,
                                          .least = 0.01, .most = 1e10};
static const struct ry_field quote_price = {.key = "price", .column = "price",
                                            .kind = RY_FIELD_NUMBER, .si = 1.0,
                                            .least = 0.01, .most = 1e12};
static const struct ry_field quote_lead = {.key = "lead_time_weeks",
                                           .column = "lead_time_weeks",
                                           .kind = RY_FIELD_NUMBER, .si = 1.0,
                                           .least = 0.0, .most = 1000.0};

/* YYYY, YYYY-MM or YYYY-MM-DD; returns the year or 0. */
static unsigned read_date(const char *text)
{
    static const char *const shapes[] = {"dddd", "dddd-dd", "dddd-dd-dd"};

    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        size_t i = 0;
        while (shapes[s][i] == 'd' ? text[i] >= '0' && text[i] <= '9'
                                   : shapes[s][i] != '\0' && text[i] == '-')
            i++;
        const unsigned month = i >= 7 ? (unsigned)(text[5] - '0') * 10 + (unsigned)(text[6] - '0') : 1;
        const unsigned day = i >= 10 ? (unsigned)(text[8] - '0') * 10 + (unsigned)(text[9] - '0') : 1;
        const unsigned year = (unsigned)strtoul(text, NULL, 10);
        if (shapes[s][i] != '\0' || text[i] != '\0' || day < 1 ||
            day > ry_days_of_month(year, month))
            continue;
        return year >= 2000 && year <= 2100 ? year : 0;
    }
    return 0;
}

static const char *nearest_part(const struct ry_catalog *catalog, const char *name)
{
    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        const char *near =
            ry_kind_info((enum ry_kind)kind)->priced
                ? ry_catalog_nearest(catalog, (enum ry_kind)kind, name)
                : NULL;
        if (near)
            return near;
    }
    return NULL;
}

static void unknown_part(const struct taking *taking, const struct ry_csv_row *row,
                         const char *name)
{
    char shown[RY_SHOWN_BYTES];
    char text[200];
    const bool kept = taking->problems->count < RY_PROBLEMS_KEPT;
    const char *near = kept ? nearest_part(taking->catalog, name) : NULL;

    (void)snprintf(text, sizeof(text), "no part is called '%s'%s%s%s",
                   ry_shown(name, shown), near ? ", did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    wrong(taking, row->line, "name", text);
}

const char *ry_currency_unknown(const struct ry_catalog *catalog, const char *code,
                                char text[RY_CURRENCY_WHY_BYTES])
{
    char shown[RY_SHOWN_BYTES];
    const char *near = ry_catalog_nearest(catalog, RY_KIND_CURRENCY, code);

    (void)snprintf(text, RY_CURRENCY_WHY_BYTES, "no exchange rate of '%s'%s%s%s",
                   ry_shown(code, shown), near ? ", did you mean '" : "", near ? near : "",
                   near ? "'?" : "; 'railyard catalog list currencies' has those known");
    return text;
}

/* A row of a quote file, as it is read. */
struct quote {
    const char *date, *source;
    double usd, lead_time_weeks;
    unsigned year;
};

/* Dollars of a price in another currency; the source then says by which rate. */
static void convert(const struct taking *taking, const struct ry_csv_row *row,
                    const size_t columns[QUOTE_COLUMNS], struct quote *quote)
{
    const char *code = ry_csv_cell(row, columns[QUOTE_CURRENCY]);
    const struct ry_currency *currency = ry_currency_of(taking->catalog, code);
    char why[RY_CURRENCY_WHY_BYTES];
    double price = NAN;

    if (!currency) {
        wrong(taking, row->line, "currency", ry_currency_unknown(taking->catalog, code, why));
        return;
    }
    if (!read_number(taking, row->line, ry_csv_cell(row, columns[QUOTE_PRICE]),
                     &quote_price, &price))
        return;
    quote->usd = price * currency->usd_per_unit;
    quote->source = ry_strfmt(taking->arena, "%s; %.15g %s, %s", quote->source, price,
                              currency->part.name, ry_currency_rate(currency, why));
    if (!quote->source)
        ry_problem(taking->problems, RY_ERR_NOMEM, taking->csv->name, "its rows");
}

static void read_quote(const struct taking *taking, const struct ry_csv_row *row,
                       const size_t columns[QUOTE_COLUMNS], struct quote *quote)
{
    const char *lead = ry_csv_cell(row, columns[QUOTE_LEAD]);

    *quote = (struct quote){.date = ry_csv_cell(row, columns[QUOTE_DATE]),
                            .source = ry_csv_cell(row, columns[QUOTE_SOURCE]),
                            .usd = NAN,
                            .lead_time_weeks = NAN};
    quote->year = read_date(quote->date);
    check_row(taking, row);
    if (quote->year == 0)
        wrong(taking, row->line, "date", "is not a date such as 2026-11-30");
    if (quote->source[0] == '\0')
        wrong(taking, row->line, "source", "is empty, say who quoted");
    if (lead[0] != '\0')
        (void)read_number(taking, row->line, lead, &quote_lead, &quote->lead_time_weeks);
    if (columns[QUOTE_USD] == (size_t)-1)
        convert(taking, row, columns, quote);
    else
        (void)read_number(taking, row->line, ry_csv_cell(row, columns[QUOTE_USD]),
                          &quote_usd, &quote->usd);
}

static void set_quote(const struct taking *taking, struct ry_part *part, unsigned line,
                      const struct quote *quote)
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

static void take_quote(const struct taking *taking, const struct ry_csv_row *row,
                       const size_t columns[QUOTE_COLUMNS])
{
    const char *name = ry_csv_cell(row, columns[QUOTE_NAME]);
    struct quote quote;
    size_t found = 0;

    read_quote(taking, row, columns, &quote);
    if (isnan(quote.usd))
        return;
    for (int k = 0; k < RY_KIND_COUNT; k++) {
        struct ry_part *part = ry_kind_info((enum ry_kind)k)->priced
                                   ? find_own(taking->catalog, (enum ry_kind)k, name)
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
static void check_quote_columns(const struct taking *taking,
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
            wrong(taking, line, NULL, text);
    }
    if (usd && (other || columns[QUOTE_CURRENCY] != (size_t)-1))
        wrong(taking, line, NULL,
              "price_usd is in dollars; a price in another currency has the columns "
              "price,currency instead");
    if (other && columns[QUOTE_CURRENCY] == (size_t)-1)
        wrong(taking, line, NULL, "'price' without a column 'currency' (EUR, GBP, ...)");
}

void ry_catalog_take_quotes(struct ry_arena *arena, struct ry_catalog *catalog,
                            const struct ry_csv *csv, struct ry_problems *problems)
{
    struct taking taking = {arena, catalog, csv, problems, NULL};
    size_t columns[QUOTE_COLUMNS];
    const size_t before = problems->count;

    taking.file = shown_file(&taking, true);
    if (!taking.file) {
        ry_problem(problems, RY_ERR_NOMEM, csv->name, "its name");
        return;
    }
    for (size_t i = 0; i < QUOTE_COLUMNS; i++)
        columns[i] = ry_csv_column(csv, quote_columns[i]);
    check_quote_columns(&taking, columns);
    check_rows(&taking, QUOTES_MOST);
    if (problems->count > before)
        return;
    for (size_t i = 0; i < csv->n; i++)
        take_quote(&taking, &csv->rows[i], columns);
}

/* --------------------------------------------------------------- currency */

enum { RATE_BYTES = 64 };

/* One of "EUR=1.16@2026-11-30": dollars for one, with the day it is of where given. */
static void take_rate(struct ry_arena *arena, struct ry_catalog *catalog, const char *text,
                      struct ry_problems *problems)
{
    const size_t code_bytes = strcspn(text, "=");
    const char *number = text[code_bytes] == '=' ? text + code_bytes + 1 : "";
    const size_t number_bytes = strcspn(number, "@");
    const char *date = number[number_bytes] == '@' ? number + number_bytes + 1 : "";
    char *code = ry_strfmt(arena, "%.*s", (int)code_bytes, text);
    char *digits = ry_strfmt(arena, "%.*s", (int)number_bytes, number);
    char shown[RY_SHOWN_BYTES];
    char why[RY_CURRENCY_WHY_BYTES];
    double usd = NAN;

    if (!code || !digits) {
        ry_problem(problems, RY_ERR_NOMEM, "--exchange", "its rates");
        return;
    }
    struct ry_part *part = find_own(catalog, RY_KIND_CURRENCY, code);
    if (!part)
        ry_problem(problems, RY_ERR_NOTFOUND, "--exchange", "%s",
                   ry_currency_unknown(catalog, code, why));
    else if (!plain_number(digits, &usd) || !(usd >= 1e-9 && usd <= 1e6))
        ry_problem(problems, RY_ERR_RANGE, "--exchange",
                   "'%s' is not CODE=USD@DATE, such as EUR=1.16@2026-11-30",
                   ry_shown(text, shown));
    else if (date[0] != '\0' && read_date(date) == 0)
        ry_problem(problems, RY_ERR_RANGE, "--exchange",
                   "'%s' is not a date such as 2026-11-30", ry_shown(date, shown));
    else if (strcmp(part->source ? part->source : "", "--exchange") == 0)
        ry_problem(problems, RY_ERR_RANGE, "--exchange", "%s is given twice", part->name);
    else if (strcmp(part->name, "USD") == 0 && usd != 1.0)
        ry_problem(problems, RY_ERR_RANGE, "--exchange",
                   "'%s': rates are in dollars, a dollar is 1", ry_shown(text, shown));
    else {
        struct ry_currency *currency = (struct ry_currency *)(void *)part;
        currency->usd_per_unit = usd;
        currency->rate_date = date;
        currency->part.source = "--exchange";
        currency->part.own = true;
    }
}

static void take_rates(struct ry_arena *arena, struct ry_catalog *catalog, const char *rates,
                       struct ry_problems *problems)
{
    for (const char *at = rates; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char *one = ry_strfmt(arena, "%.*s", (int)strcspn(at, ","), at);
        if (one && strlen(one) < RATE_BYTES)
            take_rate(arena, catalog, one, problems);
        else
            ry_problem(problems, RY_ERR_RANGE, "--exchange", "a rate of %zu characters",
                       strcspn(at, ","));
    }
}

static void show_in(struct ry_catalog *catalog, const char *code, struct ry_problems *problems)
{
    char why[RY_CURRENCY_WHY_BYTES];
    const struct ry_currency *currency = ry_currency_of(catalog, code);

    if (!currency)
        ry_problem(problems, RY_ERR_NOTFOUND, "--currency", "%s",
                   ry_currency_unknown(catalog, code, why));
    else if (strcmp(currency->part.name, "USD") != 0)
        catalog->shown = currency;
}

/* ---------------------------------------------------------------- loading */

static void load_file(struct ry_arena *arena, struct ry_catalog *catalog,
                      enum ry_kind kind, const char *path, bool own,
                      struct ry_problems *problems)
{
    struct ry_csv csv = {0};

    if (ry_csv_open(arena, path, problems, &csv) == RY_OK)
        ry_catalog_take(arena, catalog, kind, &csv, own, problems);
}

static void load_folder(struct ry_arena *arena, struct ry_catalog *catalog,
                        const char *folder, bool own, struct ry_problems *problems)
{
    size_t found = 0;

    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        const char *path = ry_strfmt(arena, "%s/%s.csv", folder,
                                     ry_kind_info((enum ry_kind)kind)->many);
        if (!path) {
            ry_problem(problems, RY_ERR_NOMEM, folder, "the names of its files");
            return;
        }
        if (own && !ry_file_exists(path))
            continue;
        found++;
        load_file(arena, catalog, (enum ry_kind)kind, path, own, problems);
    }
    if (own && found == 0)
        ry_problem(problems, RY_ERR_NOTFOUND, folder,
                   "no catalog file in this folder, such as nodes.csv");
}

enum ry_err ry_catalog_load(struct ry_arena *arena,
                            const struct ry_catalog_sources *sources,
                            struct ry_problems *problems, struct ry_catalog *catalog)
{
    struct ry_catalog loaded = {0};
    const size_t before = problems->count;
    const char *folder = sources->folder ? sources->folder : ry_data_path(arena, "catalog");

    if (!folder) {
        ry_problem(problems, RY_ERR_NOMEM, "catalog", "its path");
        return RY_ERR_NOMEM;
    }
    load_folder(arena, &loaded, folder, false, problems);
    if (sources->own)
        load_folder(arena, &loaded, sources->own, true, problems);
    if (sources->exchange)
        take_rates(arena, &loaded, sources->exchange, problems);
    if (sources->currency)
        show_in(&loaded, sources->currency, problems);
    struct ry_csv quotes = {0};
    if (sources->prices && ry_csv_open(arena, sources->prices, problems, &quotes) == RY_OK)
        ry_catalog_take_quotes(arena, &loaded, &quotes, problems);
    RY_TRY(ry_problems_since(problems, before));
    *catalog = loaded;
    return RY_OK;
}
