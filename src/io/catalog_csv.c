/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/catalog_csv.h"

#include "base/names.h"
#include "io/catalog_exchange.h"
#include "io/catalog_quotes.h"
#include "io/catalog_taking.h"
#include "io/data.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MOST = 10000 }; /* of a file; they are looked up one by one */

/* An empty cell leaves what is there: NAN and "" in a new part. */
static void set_field(const struct ry_catalog_taking *taking, struct ry_part *part,
                      unsigned line, const struct ry_field *field, const char *cell)
{
    char *at = (char *)part + field->offset;
    double si = NAN;

    if (cell[0] == '\0')
        return;
    if (field->kind == RY_FIELD_TEXT)
        memcpy(at, &cell, sizeof(cell));
    else if (ry_taking_number(taking, line, cell, field, &si))
        memcpy(at, &si, sizeof(si));
}

static const char *field_at(const void *ctx, size_t i)
{
    const struct ry_kind_info *info = ctx;
    return i < info->n ? info->fields[i].column : NULL;
}

/* The column of each field; a problem for every column that is no field, or stands
 * twice. */
static void match_columns(const struct ry_catalog_taking *taking,
                          const struct ry_kind_info *info, size_t columns[])
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
                       i == info->n && near != (size_t)-1 ? info->fields[near].column
                                                          : "",
                       i == info->n && near != (size_t)-1 ? "'?" : "");
        ry_taking_wrong(taking, header->line, NULL, text);
    }
    if (columns[0] == (size_t)-1)
        ry_taking_wrong(taking, header->line, NULL, "no column 'name', which is needed");
}

static void check_words(const struct ry_catalog_taking *taking,
                        const struct ry_part *part, unsigned line)
{
    char shown[RY_SHOWN_BYTES];
    char text[128];

    if (part->verified[0] == '\0' || strcmp(part->verified, "yes") == 0 ||
        strcmp(part->verified, "no") == 0)
        return;
    (void)snprintf(text, sizeof(text), "'%s' is not yes or no",
                   ry_shown(part->verified, shown));
    ry_taking_wrong(taking, line, "verified", text);
}

/* The price of the row with its own year and basis, or all three as they were. */
static void settle_price(const struct ry_catalog_taking *taking, struct ry_part *part,
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

static void take_row(const struct ry_catalog_taking *taking, enum ry_kind kind,
                     const struct ry_csv_row *row, const size_t columns[], bool own)
{
    const struct ry_kind_info *info = ry_kind_info(kind);
    const char *name = ry_csv_cell(row, columns[0]);
    char shown[RY_SHOWN_BYTES];
    char text[160];

    ry_taking_check_row(taking, row);
    if (name[0] == '\0') {
        ry_taking_wrong(taking, row->line, "name", "is empty");
        return;
    }
    if (ry_has_control(name)) {
        ry_taking_wrong(taking, row->line, "name",
                        "has a control character (a line break, an escape)");
        return;
    }
    struct ry_part *part = ry_catalog_find_own(taking->catalog, kind, name);
    if (part && part->own == own && strcmp(part->file, taking->file) == 0) {
        (void)snprintf(text, sizeof(text), "'%s' stands twice, first on line %u",
                       ry_shown(name, shown), part->line);
        ry_taking_wrong(taking, row->line, "name", text);
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
        set_field(taking, part, row->line, &info->fields[i],
                  ry_csv_cell(row, columns[i]));
    settle_price(taking, part, &before, row->line, own);
    part->file = taking->file;
    part->line = row->line;
    part->own = own;
    check_words(taking, part, row->line);
}

void ry_catalog_take(struct ry_arena *arena, struct ry_catalog *catalog,
                     enum ry_kind kind, const struct ry_csv *csv, bool own,
                     struct ry_problems *problems)
{
    const struct ry_kind_info *info = ry_kind_info(kind);
    struct ry_catalog_taking taking = {arena, catalog, csv, problems, NULL};
    size_t *columns = RY_NEW(arena, size_t, info->n);

    taking.file = ry_taking_file(&taking, own);
    if (!columns || !taking.file) {
        ry_problem(problems, RY_ERR_NOMEM, csv->name, "its columns");
        return;
    }
    const size_t before = problems->count;
    match_columns(&taking, info, columns);
    ry_taking_check_rows(&taking, PARTS_MOST);
    if (problems->count > before)
        return; /* each row would say the same again */
    for (size_t i = 0; i < csv->n; i++)
        take_row(&taking, kind, &csv->rows[i], columns, own);
}

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
        const char *path =
            ry_strfmt(arena, "%s/%s.csv", folder, ry_kind_info((enum ry_kind)kind)->many);
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
    const char *folder =
        sources->folder ? sources->folder : ry_data_path(arena, "catalog");

    if (!folder) {
        ry_problem(problems, RY_ERR_NOMEM, "catalog", "its path");
        return RY_ERR_NOMEM;
    }
    load_folder(arena, &loaded, folder, false, problems);
    if (sources->own)
        load_folder(arena, &loaded, sources->own, true, problems);
    if (sources->exchange)
        ry_catalog_take_rates(arena, &loaded, sources->exchange, problems);
    if (sources->currency)
        ry_catalog_show_in(&loaded, sources->currency, problems);
    struct ry_csv quotes = {0};
    if (sources->prices &&
        ry_csv_open(arena, sources->prices, problems, &quotes) == RY_OK)
        ry_catalog_take_quotes(arena, &loaded, &quotes, problems);
    RY_TRY(ry_problems_since(problems, before));
    *catalog = loaded;
    return RY_OK;
}
