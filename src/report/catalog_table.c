/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/catalog_table.h"

#include "base/names.h"
#include "catalog/price.h"

#include <math.h>
#include <string.h>

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
    [RY_KIND_PRICE_RULE] = {"rule", "rule", "match", "match", "of", "of", "value",
                            "value", "low_factor", "low", "high_factor", "high"},
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
    for (size_t i = 0; i + 1 < 18 && seen[kind][i]; i += 2)
        if (strcmp(seen[kind][i], key) == 0)
            return seen[kind][i + 1];
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

enum {
    PRICE_COLUMNS = sizeof(price_columns) / sizeof(price_columns[0]),
    ORIGIN_COLUMNS = 1
};

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
    cells[3] =
        RY_TEXT(price.kind == RY_PRICE_NONE ? NULL : ry_price_kind_text(price.kind));
    cells[4] = RY_TEXT(ry_strdup(of->arena, ry_price_origin(&price, origin)));
}

static void add_row(const struct listing *of, struct ry_table *table,
                    struct ry_cell *cells, const struct ry_part *part)
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

struct ry_table *ry_catalog_table(struct ry_arena *arena,
                                  const struct ry_catalog *catalog, enum ry_kind kind,
                                  const struct ry_part *only)
{
    const struct listing of = {arena, catalog, kind};
    const size_t most = ry_kind_info(kind)->n + PRICE_COLUMNS + ORIGIN_COLUMNS;
    struct ry_column *columns = RY_NEW(arena, struct ry_column, most);
    struct ry_cell *cells = RY_NEW(arena, struct ry_cell, most);
    const struct ry_part *part = NULL;

    if (!columns || !cells)
        return NULL;
    struct ry_table *table = ry_table_create(arena, columns, columns_of(&of, columns));
    for (size_t i = 0; (part = ry_catalog_at(catalog, kind, i)) != NULL; i++)
        if (!only || only == part)
            add_row(&of, table, cells, part);
    return table;
}

/* ---- one part, field by field ---- */

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
    ry_table_row(table,
                 (struct ry_cell[]){RY_TEXT(field), RY_TEXT(note), RY_TEXT(value)});
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

struct ry_table *ry_part_table(struct ry_arena *arena, const struct ry_catalog *catalog,
                               enum ry_kind kind, const struct ry_part *part)
{
    const struct listing of = {arena, catalog, kind};
    const struct ry_kind_info *info = ry_kind_info(kind);
    struct ry_table *table = ry_table_create(arena, show_columns, 3);

    for (size_t i = 0; i < info->n; i++) {
        const struct ry_field *field = &info->fields[i];
        const bool empty = field->kind == RY_FIELD_TEXT
                               ? ry_field_text(field, part)[0] == '\0'
                               : isnan(ry_field_number(field, part));
        if (!empty && !is_own_price(field))
            show_row(table, field->key, shown_value(&of, field, part),
                     is_unverified(part, field->column) ? "unverified" : NULL);
    }
    if (info->priced)
        show_price(&of, table, part);
    show_row(table, "row", ry_strfmt(arena, "%s:%u", part->file, part->line),
             part->own ? "own" : NULL);
    return table;
}
