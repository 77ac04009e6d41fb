/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalog/parts.h"

#include "base/names.h"

#include <string.h>

/* The columns of each kind, from its .def; the struct is named by PART. */
#define T(field, column)                                                                 \
    {#field, column, RY_FIELD_TEXT, offsetof(PART, field), 1.0, 0.0, 0.0},
#define N(field, column, kind, si, least, most)                                          \
    {#field, column, RY_FIELD_##kind, offsetof(PART, field), si, least, most},
#define TS(field, column)                                                                \
    {#field, column, RY_FIELD_TEXT, offsetof(PART, shown_##field), 1.0, 0.0, 0.0},
#define NS(field, column, kind, si, least, most)                                         \
    {#field, column, RY_FIELD_##kind, offsetof(PART, shown_##field), si, least, most},

#define TP(field, column)                                                                \
    {#field, column, RY_FIELD_TEXT, offsetof(PART, part.field), 1.0, 0.0, 0.0},
#define NP(field, column, kind, si, least, most)                                         \
    {#field, column, RY_FIELD_##kind, offsetof(PART, part.field), si, least, most},

/* The order of these lists is that of the columns. */
/* clang-format off */
#define PART struct ry_gpu
static const struct ry_field gpu_fields[] = {
    TP(name, "name")
#include "catalog/gpu.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_node
static const struct ry_field node_fields[] = {
    TP(name, "name")
#include "catalog/node.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_switch
static const struct ry_field switch_fields[] = {
    TP(name, "name")
#include "catalog/switch.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_nic
static const struct ry_field nic_fields[] = {
    TP(name, "name")
#include "catalog/nic.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_cable
static const struct ry_field cable_fields[] = {
    TP(name, "name")
#include "catalog/cable.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_rack
static const struct ry_field rack_fields[] = {
    TP(name, "name")
#include "catalog/rack.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_pdu
static const struct ry_field pdu_fields[] = {
    TP(name, "name")
#include "catalog/pdu.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_cooling
static const struct ry_field cooling_fields[] = {
    TP(name, "name")
#include "catalog/cooling.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_plant
static const struct ry_field plant_fields[] = {
    TP(name, "name")
#include "catalog/plant.def"
#include "catalog/priced.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_electricity
static const struct ry_field electricity_fields[] = {
    TP(name, "name")
#include "catalog/electricity.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_rate
static const struct ry_field rate_fields[] = {
    TP(name, "name")
#include "catalog/rate.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_currency
static const struct ry_field currency_fields[] = {
    TP(name, "name")
#include "catalog/currency.def"
#include "catalog/common.def"
};
#undef PART
#define PART struct ry_price_rule
static const struct ry_field price_rule_fields[] = {
    TP(name, "name")
#include "catalog/price_rule.def"
#include "catalog/common.def"
};
#undef PART
/* clang-format on */
#undef T
#undef N
#undef TS
#undef NS
#undef TP
#undef NP

static const struct ry_kind_info kinds[] = {
#define ROW(one, many, ENUM, is_priced)                                                  \
    [RY_KIND_##ENUM] = {                                                                 \
        #one,      #many,        sizeof(struct ry_##one),                                \
        is_priced, one##_fields, sizeof(one##_fields) / sizeof(one##_fields[0])},
#define KIND(one, many, ENUM) ROW(one, many, ENUM, false)
#define PRICED(one, many, ENUM) ROW(one, many, ENUM, true)
#include "catalog/kinds.def"
#undef KIND
#undef PRICED
};

const struct ry_kind_info *ry_kind_info(enum ry_kind kind)
{
    return &kinds[kind];
}

enum ry_kind ry_kind_find(const char *name)
{
    for (int kind = 0; kind < RY_KIND_COUNT; kind++)
        if (ry_name_eq(name, kinds[kind].one) || ry_name_eq(name, kinds[kind].many))
            return (enum ry_kind)kind;
    return RY_KIND_COUNT;
}

const char *ry_field_text(const struct ry_field *field, const void *part)
{
    const char *text = NULL;

    memcpy(&text, (const char *)part + field->offset, sizeof(text));
    return text ? text : "";
}

double ry_field_number(const struct ry_field *field, const void *part)
{
    double number = NAN;

    memcpy(&number, (const char *)part + field->offset, sizeof(number));
    return number;
}

static struct ry_part *row(const struct ry_parts *parts, enum ry_kind kind, size_t i)
{
    return (struct ry_part *)(void *)((char *)parts->rows + i * kinds[kind].part_bytes);
}

const struct ry_part *ry_catalog_at(const struct ry_catalog *catalog, enum ry_kind kind,
                                    size_t i)
{
    const struct ry_parts *parts = &catalog->parts[kind];
    return i < parts->n ? row(parts, kind, i) : NULL;
}

const struct ry_part *ry_catalog_find(const struct ry_catalog *catalog, enum ry_kind kind,
                                      const char *name)
{
    const struct ry_part *part = NULL;

    for (size_t i = 0; (part = ry_catalog_at(catalog, kind, i)) != NULL; i++)
        if (ry_name_eq(part->name, name))
            return part;
    return NULL;
}

struct names_of {
    const struct ry_catalog *catalog;
    enum ry_kind kind;
};

static const char *name_at(const void *ctx, size_t i)
{
    const struct names_of *of = ctx;
    const struct ry_part *part = ry_catalog_at(of->catalog, of->kind, i);
    return part ? part->name : NULL;
}

const char *ry_catalog_nearest(const struct ry_catalog *catalog, enum ry_kind kind,
                               const char *name)
{
    const struct names_of of = {catalog, kind};
    const size_t i = ry_name_nearest(name, name_at, &of);
    return i == (size_t)-1 ? NULL : name_at(&of, i);
}

static void make_empty(enum ry_kind kind, struct ry_part *part)
{
    const struct ry_kind_info *info = &kinds[kind];
    const char *const empty = "";
    const double unknown = NAN;

    *part = (struct ry_part){.lead_time_weeks = NAN,
                             .lead_time_basis = "",
                             .price_usd = NAN,
                             .price_year = NAN,
                             .price_date = "",
                             .price_basis = "",
                             .price_source = "",
                             .price_file = "",
                             .file = ""};
    for (size_t i = 0; i < info->n; i++) {
        char *at = (char *)part + info->fields[i].offset;
        if (info->fields[i].kind == RY_FIELD_TEXT)
            memcpy(at, &empty, sizeof(empty));
        else
            memcpy(at, &unknown, sizeof(unknown));
    }
}

struct ry_part *ry_catalog_add(struct ry_catalog *catalog, struct ry_arena *arena,
                               enum ry_kind kind)
{
    struct ry_parts *parts = &catalog->parts[kind];
    const size_t bytes = kinds[kind].part_bytes;

    if (parts->n == parts->room) {
        const size_t room = parts->room ? 2 * parts->room : 64;
        void *rows = ry_arena_alloc(arena, room, bytes);
        if (!rows)
            return NULL;
        if (parts->n > 0)
            memcpy(rows, parts->rows, parts->n * bytes);
        parts->rows = rows;
        parts->room = room;
    }
    struct ry_part *part = row(parts, kind, parts->n++);
    make_empty(kind, part);
    return part;
}
