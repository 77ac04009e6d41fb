/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_csv.h"

#include "base/names.h"
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
    struct ry_part *part = find_own(taking->catalog, kind, name);
    if (part && strcmp(part->file, taking->file) == 0) {
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

enum { QUOTE_NAME, QUOTE_PRICE, QUOTE_DATE, QUOTE_SOURCE, QUOTE_COLUMNS };

static const char *const quote_columns[] = {"name", "price_usd", "date", "source", NULL};

static const struct ry_field quote_price = {.key = "price_usd", .column = "price_usd",
                                            .kind = RY_FIELD_USD, .si = 1.0,
                                            .least = 0.01, .most = 1e10};

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
        if (shapes[s][i] != '\0' || text[i] != '\0' || month < 1 || month > 12 || day < 1 ||
            day > 31)
            continue;
        const unsigned year = (unsigned)strtoul(text, NULL, 10);
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

static void take_quote(const struct taking *taking, const struct ry_csv_row *row,
                       const size_t columns[QUOTE_COLUMNS])
{
    const char *name = ry_csv_cell(row, columns[QUOTE_NAME]);
    const char *date = ry_csv_cell(row, columns[QUOTE_DATE]);
    const char *source = ry_csv_cell(row, columns[QUOTE_SOURCE]);
    const unsigned year = read_date(date);
    double usd = NAN;
    size_t found = 0;

    check_row(taking, row);
    if (year == 0)
        wrong(taking, row->line, "date", "is not a date such as 2026-11-30");
    if (source[0] == '\0')
        wrong(taking, row->line, "source", "is empty, say who quoted");
    if (!read_number(taking, row->line, ry_csv_cell(row, columns[QUOTE_PRICE]),
                     &quote_price, &usd))
        return;
    for (int k = 0; k < RY_KIND_COUNT; k++) {
        struct ry_part *part = ry_kind_info((enum ry_kind)k)->priced
                                   ? find_own(taking->catalog, (enum ry_kind)k, name)
                                   : NULL;
        if (!part)
            continue;
        found++;
        part->price_usd = usd;
        part->price_year = year;
        part->price_basis = "quote";
        part->price_date = date;
        part->price_source = source;
        part->price_file = taking->file;
        part->price_line = row->line;
        part->quoted = true;
    }
    if (found == 0)
        unknown_part(taking, row, name);
}

void ry_catalog_take_quotes(struct ry_arena *arena, struct ry_catalog *catalog,
                            const struct ry_csv *csv, struct ry_problems *problems)
{
    struct taking taking = {arena, catalog, csv, problems, NULL};
    size_t columns[QUOTE_COLUMNS];
    char text[96];
    const size_t before = problems->count;

    taking.file = shown_file(&taking, true);
    if (!taking.file) {
        ry_problem(problems, RY_ERR_NOMEM, csv->name, "its name");
        return;
    }
    for (size_t i = 0; i < QUOTE_COLUMNS; i++) {
        columns[i] = ry_csv_column(csv, quote_columns[i]);
        (void)snprintf(text, sizeof(text),
                       "no column '%s'; a quote file has name,price_usd,date,source",
                       quote_columns[i]);
        if (columns[i] == (size_t)-1)
            wrong(&taking, csv->header.line, NULL, text);
    }
    check_rows(&taking, QUOTES_MOST);
    if (problems->count > before)
        return;
    for (size_t i = 0; i < csv->n; i++)
        take_quote(&taking, &csv->rows[i], columns);
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
    struct ry_csv quotes = {0};
    if (sources->prices && ry_csv_open(arena, sources->prices, problems, &quotes) == RY_OK)
        ry_catalog_take_quotes(arena, &loaded, &quotes, problems);
    if (problems->count > before)
        return before < RY_PROBLEMS_KEPT ? problems->diags[before].code : RY_ERR_SYNTAX;
    *catalog = loaded;
    return RY_OK;
}
