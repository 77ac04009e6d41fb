/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "catalog/price.h"
#include "cli/catalog_opts.h"
#include "io/problems_print.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

struct catalog_options {
    struct ry_catalog_sources catalog;
    int format;
};

struct listing {
    struct ry_arena *arena;
    const struct ry_catalog *catalog;
    enum ry_kind kind;
};

/* What people see of a kind in a list: keys of its fields, and their titles. */
static const char *const seen[RY_KIND_COUNT][18] = {
    [RY_KIND_GPU] = {"vendor", "vendor", "launch_year", "year", "bf16_flop_per_s", "bf16",
                     "hbm_usable_bytes", "usable memory", "hbm_bytes_per_s", "bandwidth",
                     "scaleup_bytes_per_s", "scale-up", "power_max_w", "power"},
    [RY_KIND_NODE] = {"kind", "kind", "gpu_count", "GPUs", "gpu_model", "GPU", "fabric",
                      "fabric", "scaleout_nic_count", "NICs", "scaleout_nic_bytes_per_s",
                      "each", "power_max_w", "power", "rack_units", "U"},
    [RY_KIND_SWITCH] = {"technology", "technology", "ports", "ports", "port_bytes_per_s",
                        "port", "latency_s", "latency", "power_max_w", "power",
                        "rack_units", "U"},
    [RY_KIND_NIC] = {"technology", "technology", "ports", "ports", "total_bytes_per_s",
                     "rate", "pcie_gen", "PCIe", "power_max_w", "power"},
    [RY_KIND_CABLE] = {"kind", "kind", "total_bytes_per_s", "rate", "connector_a",
                       "connector", "reach_max_m", "reach", "power_per_end_w", "power"},
    [RY_KIND_RACK] = {"kind", "kind", "standard", "standard", "rack_units", "U",
                      "max_static_load_kg", "load"},
    [RY_KIND_PDU] = {"kind", "kind", "input_voltage_v", "V", "phases", "phases",
                     "breaker_a", "A", "usable_w", "usable"},
    [RY_KIND_COOLING] = {"kind", "kind", "class_name", "class", "capacity_w", "capacity",
                         "power_typical_w", "power"},
    [RY_KIND_PLANT] = {"kind", "kind", "capacity_va", "VA", "capacity_w", "capacity",
                       "breaker_a", "A"},
    [RY_KIND_CURRENCY] = {"currency", "currency", "usd_per_unit", "USD each", "rate_date",
                          "of"},
    [RY_KIND_ELECTRICITY] = {"country", "country", "region", "region", "sector", "sector",
                             "price_usd_per_kwh", "USD/kWh", "year", "year"},
    [RY_KIND_RATE] = {"value", "value", "unit", "unit", "low", "low", "high", "high",
                      "year", "year"},
    [RY_KIND_PRICE_RULE] = {"rule", "rule", "match", "match", "of", "of", "value", "value",
                            "low_factor", "low", "high_factor", "high"},
};

static enum ry_show show_of(enum ry_field_kind kind)
{
    switch (kind) {
    case RY_FIELD_TEXT:
        return RY_SHOW_TEXT;
    case RY_FIELD_COUNT:
        return RY_SHOW_COUNT;
    case RY_FIELD_YEAR:
        return RY_SHOW_YEAR;
    case RY_FIELD_FRACTION:
        return RY_SHOW_FRACTION;
    case RY_FIELD_BYTES:
        return RY_SHOW_BYTES;
    case RY_FIELD_BYTES_PER_S:
        return RY_SHOW_BYTES_PER_S;
    case RY_FIELD_BITS_PER_S:
        return RY_SHOW_BITS_PER_S;
    case RY_FIELD_FLOP_PER_S:
        return RY_SHOW_FLOP_PER_S;
    case RY_FIELD_SECONDS:
        return RY_SHOW_SECONDS;
    case RY_FIELD_WATTS:
        return RY_SHOW_WATTS;
    case RY_FIELD_METRES:
        return RY_SHOW_METRES;
    case RY_FIELD_KILOGRAMS:
        return RY_SHOW_KILOGRAMS;
    case RY_FIELD_USD:
    case RY_FIELD_USD_PER_H:
        return RY_SHOW_USD;
    case RY_FIELD_NUMBER:
    case RY_FIELD_VOLTS:
    case RY_FIELD_AMPERES:
    case RY_FIELD_CELSIUS:
    case RY_FIELD_M3_PER_S:
    case RY_FIELD_USD_PER_KWH:
        break;
    }
    return RY_SHOW_NUMBER;
}

static const char *title_of(enum ry_kind kind, const char *key)
{
    for (size_t i = 0; i + 1 < 18 && seen[kind][i]; i += 2) {
        if (strcmp(seen[kind][i], key) == 0)
            return seen[kind][i + 1];
    }
    return strcmp(key, "name") == 0 ? "name" : NULL;
}

/* The row's own price is shown as the effective one, in the columns below. */
static bool is_own_price(const struct ry_field *field)
{
    return strcmp(field->key, "price_usd") == 0;
}

static const struct ry_column price_columns[] = {
    {.key = "price_usd", .title = "price", .show = RY_SHOW_USD},
    {.key = "price_low_usd", .show = RY_SHOW_USD},
    {.key = "price_high_usd", .show = RY_SHOW_USD},
    {.key = "price_kind", .title = "basis"},
    {.key = "price_origin"},
};

enum { PRICE_COLUMNS = sizeof(price_columns) / sizeof(price_columns[0]), ORIGIN_COLUMNS = 1 };

static size_t columns_of(const struct listing *of, struct ry_column *columns)
{
    const struct ry_kind_info *info = ry_kind_info(of->kind);
    size_t n = 0;

    for (size_t i = 0; i < info->n; i++) {
        const struct ry_field *field = &info->fields[i];
        if (!is_own_price(field))
            columns[n++] = (struct ry_column){.key = field->key,
                                              .title = title_of(of->kind, field->key),
                                              .show = show_of(field->kind)};
    }
    for (size_t i = 0; info->priced && i < PRICE_COLUMNS; i++)
        columns[n++] = price_columns[i];
    columns[n++] = (struct ry_column){.key = "row"};
    return n;
}

static void price_cells(const struct listing *of, const struct ry_part *part,
                        struct ry_cell *cells)
{
    char origin[RY_PRICE_ORIGIN_BYTES];
    const struct ry_price price = ry_price_of(of->catalog, of->kind, part);

    cells[0] = RY_NUM_AS(price.usd, price.kind == RY_PRICE_NONE ? "no price" : NULL);
    cells[1] = RY_NUM(price.low_usd);
    cells[2] = RY_NUM(price.high_usd);
    cells[3] = RY_TEXT(price.kind == RY_PRICE_NONE ? NULL : ry_price_kind_text(price.kind));
    cells[4] = RY_TEXT(ry_strdup(of->arena, ry_price_origin(&price, origin)));
}

static void add_row(const struct listing *of, struct ry_table *table, struct ry_cell *cells,
                    const struct ry_part *part)
{
    const struct ry_kind_info *info = ry_kind_info(of->kind);
    size_t n = 0;

    for (size_t i = 0; i < info->n; i++) {
        const struct ry_field *field = &info->fields[i];
        if (is_own_price(field))
            continue;
        cells[n++] = field->kind == RY_FIELD_TEXT ? RY_TEXT(ry_field_text(field, part))
                                                  : RY_NUM(ry_field_number(field, part));
    }
    if (info->priced) {
        price_cells(of, part, &cells[n]);
        n += PRICE_COLUMNS;
    }
    cells[n] = RY_TEXT(ry_strfmt(of->arena, "%s:%u", part->file, part->line));
    ry_table_row(table, cells);
}

static enum ry_err print_parts(const struct listing *of, const struct ry_part *only,
                               int format, struct ry_diag *diag)
{
    const size_t most = ry_kind_info(of->kind)->n + PRICE_COLUMNS + ORIGIN_COLUMNS;
    struct ry_column *columns = RY_NEW(of->arena, struct ry_column, most);
    struct ry_cell *cells = RY_NEW(of->arena, struct ry_cell, most);

    if (!columns || !cells)
        return ry_fail(diag, RY_ERR_NOMEM, "catalog", "its columns");
    struct ry_table *table =
        ry_table_create(of->arena, columns, columns_of(of, columns));
    const struct ry_part *part = NULL;
    for (size_t i = 0; (part = ry_catalog_at(of->catalog, of->kind, i)) != NULL; i++) {
        if (!only || only == part)
            add_row(of, table, cells, part);
    }
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}

/* ---------------------------------------------------------------- show */

static const struct ry_column show_columns[] = {
    {.key = "field", .title = "field"},
    {.key = "note", .title = "note"},
    {.key = "value", .title = "value", .wrap = true},
};

static bool is_unverified(const struct ry_part *part, const char *column)
{
    const size_t bytes = strlen(column);

    for (const char *at = part->unverified_fields; *at != '\0';) {
        const size_t n = strcspn(at, ";");
        if ((n == bytes && memcmp(at, column, n) == 0) ||
            (n == 3 && memcmp(at, "all", 3) == 0))
            return true;
        at += n + (at[n] == ';');
    }
    return false;
}

static const char *shown_value(const struct listing *of, const struct ry_field *field,
                               const struct ry_part *part)
{
    char text[RY_NUMBER_BYTES];

    if (field->kind == RY_FIELD_TEXT)
        return ry_field_text(field, part);
    return ry_strdup(of->arena, ry_number_show(show_of(field->kind),
                                               ry_field_number(field, part), text));
}

static void show_row(struct ry_table *table, const char *field, const char *value,
                     const char *note)
{
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(field), RY_TEXT(note), RY_TEXT(value)});
}

static void show_price(const struct listing *of, struct ry_table *table,
                       const struct ry_part *part)
{
    char low[RY_NUMBER_BYTES];
    char high[RY_NUMBER_BYTES];
    char usd[RY_NUMBER_BYTES];
    char origin[RY_PRICE_ORIGIN_BYTES];
    const struct ry_price price = ry_price_of(of->catalog, of->kind, part);

    if (price.kind == RY_PRICE_NONE) {
        show_row(table, "price", "no price", NULL);
        return;
    }
    show_row(table, "price",
             ry_strfmt(of->arena, "%s (%s to %s)",
                       ry_number_show(RY_SHOW_USD, price.usd, usd),
                       ry_number_show(RY_SHOW_USD, price.low_usd, low),
                       ry_number_show(RY_SHOW_USD, price.high_usd, high)),
             ry_price_kind_text(price.kind));
    show_row(table, "price from", ry_strdup(of->arena, ry_price_origin(&price, origin)),
             NULL);
}

static enum ry_err show_part(const struct listing *of, const struct ry_part *part,
                             struct ry_diag *diag)
{
    const struct ry_kind_info *info = ry_kind_info(of->kind);
    struct ry_table *table = ry_table_create(of->arena, show_columns, 3);

    for (size_t i = 0; i < info->n; i++) {
        const struct ry_field *field = &info->fields[i];
        const bool empty = field->kind == RY_FIELD_TEXT
                               ? ry_field_text(field, part)[0] == '\0'
                               : isnan(ry_field_number(field, part));
        if (!empty && !is_own_price(field))
            show_row(table, field->key, shown_value(of, field, part),
                     is_unverified(part, field->column) ? "unverified" : NULL);
    }
    if (info->priced)
        show_price(of, table, part);
    show_row(table, "row", ry_strfmt(of->arena, "%s:%u", part->file, part->line),
             part->own ? "own" : NULL);
    return ry_table_print(table, stdout, RY_TABLE_HUMAN, diag);
}

/* --------------------------------------------------------------- check */

static const struct ry_column check_columns[] = {
    {.key = "kind", .title = "kind"},
    {.key = "parts", .title = "parts", .show = RY_SHOW_COUNT},
    {.key = "priced", .title = "priced", .show = RY_SHOW_COUNT},
    {.key = "estimated", .title = "estimated", .show = RY_SHOW_COUNT},
    {.key = "unpriced", .title = "no price", .show = RY_SHOW_COUNT},
    {.key = "unverified", .title = "unverified", .show = RY_SHOW_COUNT},
    {.key = "findings", .title = "findings", .show = RY_SHOW_COUNT},
};

static void check_kind(const struct listing *of, struct ry_table *table,
                       struct ry_problems *problems)
{
    double priced[RY_PRICE_ESTIMATE + 1] = {0};
    double unverified = 0.0;
    const size_t before = problems->count;
    const struct ry_part *part = NULL;
    const struct ry_kind_info *info = ry_kind_info(of->kind);
    size_t i = 0;

    ry_catalog_check(of->catalog, of->kind, problems);
    for (; (part = ry_catalog_at(of->catalog, of->kind, i)) != NULL; i++) {
        priced[ry_price_of(of->catalog, of->kind, part).kind] += 1.0;
        unverified += strcmp(part->verified, "no") == 0;
    }
    ry_table_row(
        table,
        (struct ry_cell[]){
            RY_TEXT(info->many), RY_NUM((double)i),
            RY_NUM(info->priced ? priced[RY_PRICE_QUOTE] + priced[RY_PRICE_LISTED] : (double)NAN),
            RY_NUM(info->priced ? priced[RY_PRICE_ESTIMATE] : (double)NAN),
            RY_NUM(info->priced ? priced[RY_PRICE_NONE] : (double)NAN), RY_NUM(unverified),
            RY_NUM((double)(problems->count - before))});
}

static enum ry_err check_kinds(struct listing *of, enum ry_kind only, int format,
                               struct ry_diag *diag)
{
    struct ry_table *table = ry_table_create(of->arena, check_columns,
                                             sizeof(check_columns) / sizeof(check_columns[0]));
    struct ry_problems *problems = RY_NEW(of->arena, struct ry_problems, 1);

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, "catalog", "its findings");
    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        of->kind = (enum ry_kind)kind;
        if (only == RY_KIND_COUNT || only == of->kind)
            check_kind(of, table, problems);
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)format, diag));
    return ry_problems_print(problems, diag) == RY_OK ? RY_OK : RY_ERR_NO;
}

/* ---------------------------------------------------------------- verbs */

static const char *kind_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < RY_KIND_COUNT ? ry_kind_info((enum ry_kind)i)->many : NULL;
}

static enum ry_err find_kind(const char *name, enum ry_kind *kind, struct ry_diag *diag)
{
    char known[160] = "";

    *kind = ry_kind_find(name);
    if (*kind != RY_KIND_COUNT)
        return RY_OK;
    const size_t near = ry_name_nearest(name, kind_at, NULL);
    if (near != (size_t)-1)
        return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such kind, did you mean '%s'?",
                       kind_at(NULL, near));
    for (size_t i = 0; i < RY_KIND_COUNT; i++) {
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
                       kind_at(NULL, i));
    }
    return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such kind; there are %s", known);
}

/* "A, B and 3 more": the parts that have @p name in theirs; "" for none. */
static const char *containing(const struct listing *of, const char *name, char text[240])
{
    size_t used = 0;
    const struct ry_part *part = NULL;

    text[0] = '\0';
    for (size_t i = 0; name[0] && (part = ry_catalog_at(of->catalog, of->kind, i)) != NULL;
         i++) {
        if (!ry_name_contains(part->name, name))
            continue;
        if (used + strlen(part->name) + 8 > 240) {
            (void)snprintf(text + used, 240 - used, ", ...");
            break;
        }
        used += (size_t)snprintf(text + used, 240 - used, "%s%s", used ? ", " : "",
                                 part->name);
    }
    return text;
}

static enum ry_err find_part(const struct listing *of, const char *name,
                             const struct ry_part **part, struct ry_diag *diag)
{
    *part = ry_catalog_find(of->catalog, of->kind, name);
    if (*part)
        return RY_OK;
    char text[240];
    if (containing(of, name, text)[0])
        return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such %s; names with it: %s",
                       ry_kind_info(of->kind)->one, text);
    const char *near = ry_catalog_nearest(of->catalog, of->kind, name);
    const char *one = ry_kind_info(of->kind)->one;
    if (near)
        return ry_fail(diag, RY_ERR_NOTFOUND, name, "no such %s, did you mean '%s'?", one,
                       near);
    return ry_fail(diag, RY_ERR_NOTFOUND, name,
                   "no such %s; 'railyard catalog list %s' lists them", one, one);
}

typedef enum ry_err verb(struct listing *of, const struct catalog_options *options,
                         const struct ry_strings *args, struct ry_diag *diag);

static enum ry_err with_catalog(verb *act, const void *given,
                                const struct ry_strings *args, struct ry_diag *diag)
{
    const struct catalog_options *options = given;
    struct ry_catalog catalog = {0};
    struct ry_arena *arena = ry_arena_create(0);

    if (!arena)
        return ry_fail(diag, RY_ERR_NOMEM, "catalog", "cannot read it");
    struct listing of = {arena, &catalog, RY_KIND_COUNT};
    enum ry_err err = args->n > 0 ? find_kind(args->at[0], &of.kind, diag) : RY_OK;
    if (err == RY_OK)
        err = ry_catalog_opened(arena, &options->catalog, &catalog, diag);
    if (err == RY_OK)
        err = act(&of, options, args, diag);
    ry_arena_destroy(arena);
    return err;
}

static enum ry_err list(struct listing *of, const struct catalog_options *options,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    (void)args;
    return print_parts(of, NULL, options->format, diag);
}

static enum ry_err show(struct listing *of, const struct catalog_options *options,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct ry_part *part = NULL;

    RY_TRY(find_part(of, args->at[1], &part, diag));
    if (options->format == RY_FORMAT_TABLE)
        return show_part(of, part, diag);
    return print_parts(of, part, options->format, diag);
}

static enum ry_err check(struct listing *of, const struct catalog_options *options,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    (void)args;
    return check_kinds(of, of->kind, options->format, diag);
}

static enum ry_err run_list(const void *options, const struct ry_strings *args,
                            struct ry_diag *diag)
{
    return with_catalog(list, options, args, diag);
}

static enum ry_err run_show(const void *options, const struct ry_strings *args,
                            struct ry_diag *diag)
{
    return with_catalog(show, options, args, diag);
}

static enum ry_err run_check(const void *options, const struct ry_strings *args,
                             struct ry_diag *diag)
{
    return with_catalog(check, options, args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(struct catalog_options, catalog),
    RY_OPT_FORMAT(struct catalog_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_catalog_list = {
    .name = "catalog list",
    .args = "KIND",
    .min_args = 1,
    .max_args = 1,
    .summary = "List the parts of a kind with their effective price",
    .example = "railyard catalog list gpus",
    .opts = opts,
    .options_bytes = sizeof(struct catalog_options),
    .run = run_list,
};

const struct ry_cmd cmd_catalog_show = {
    .name = "catalog show",
    .args = "KIND NAME",
    .min_args = 2,
    .max_args = 2,
    .summary = "Show all that is known of one part, and where from",
    .example = "railyard catalog show node DGX-H100",
    .opts = opts,
    .options_bytes = sizeof(struct catalog_options),
    .run = run_show,
};

const struct ry_cmd cmd_catalog_check = {
    .name = "catalog check",
    .args = "[KIND]",
    .min_args = 0,
    .max_args = 1,
    .summary = "Check the catalog, yours too: references, sums, sources, prices",
    .example = "railyard catalog check",
    .opts = opts,
    .options_bytes = sizeof(struct catalog_options),
    .run = run_check,
};
